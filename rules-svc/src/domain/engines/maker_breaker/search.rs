//! Analysis of the board that a seat places on this round: alpha-beta, one placement deeper after the other.
//!
//! The boards do not touch each other and each is played on by turns, so what is secret this round (the other seat's
//! placement, on the other board) has no part in it. Neither has the race between the boards: a maker is taken to want
//! its line as soon as it can, a breaker to have it as late as it can. The answer follows from the position and the
//! budget's nodes.

use super::coming_board;
use super::grid::{Grid, Role, UNBOUNDED, pieces_at_end, placement};
use crate::domain::games::maker_breaker::board::Piece;
use crate::domain::games::maker_breaker::state::{MakerBreakerState, Placement};
use crate::domain::pawns::Seat;
use crate::domain::thinking::{Analysis, Budget};

/// Findings kept: a power of two, four megabytes of them.
const TABLE_ENTRIES: usize = 1 << 17;
/// How many nodes pass between two questions whether to stop.
const STOP_EVERY: u64 = 1_024;
/// The score of a board that is made or held already; each placement until then costs one. As in the pawn games,
/// what is beyond 29,000 is forced.
const ENDED: i32 = 30_000;

type Choice = (u8, Piece);

/// The best placement of a seat in the coming round. The score is the worth of lines that can still be made, in no unit
/// of pawns; beyond ±29,000 the board is made, or held, by force. `None` when the seat does not act.
#[must_use]
pub fn analyse(state: &MakerBreakerState, seat: Seat, budget: Budget<'_>) -> Option<Analysis<Placement>> {
    if !state.acts(seat) {
        return None;
    }
    let (grid, role) = coming_board(state, seat);
    Search::new(budget).deepen(grid, role)
}

/// What a value says about the exact one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What was found about one board. Who places next follows from its pieces.
#[derive(Clone, Copy)]
struct Finding {
    grid: Grid,
    best: Choice,
    value: i32,
    depth: u32,
    bound: Bound,
}

struct Search<'a> {
    budget: Budget<'a>,
    table: Vec<Option<Finding>>,
    nodes: u64,
    stopped: bool,
}

impl<'a> Search<'a> {
    fn new(budget: Budget<'a>) -> Self {
        Self { budget, table: vec![None; TABLE_ENTRIES], nodes: 0, stopped: false }
    }

    /// Iterations until the end is seen, nothing is left to place, or the budget is spent.
    fn deepen(&mut self, grid: Grid, role: Role) -> Option<Analysis<Placement>> {
        let (mut best, mut value) = (*ordered(grid, role, None).first()?, role.sees(grid.outlook().0));
        let mut line = vec![best];
        let mut depth = 0;
        while depth < grid.empty_squares() && pieces_at_end(role.sees(value)).is_none() {
            let found = self.value(grid, role, depth + 1, -UNBOUNDED, UNBOUNDED);
            let Some(finding) = self.recall(grid).filter(|_| !self.stopped) else { break };
            (best, value, depth) = (finding.best, found, depth + 1);
            line = self.line(grid, best);
        }
        let pv = line.into_iter().filter_map(|(square, piece)| placement(square, piece)).collect();
        let score = score(role, value, grid.taken().count_ones());
        Some(Analysis { best: placement(best.0, best.1)?, score, pv, depth, nodes: self.nodes })
    }

    /// The value to the role that places next, looking so many placements ahead; meaningless once stopped.
    fn value(&mut self, grid: Grid, role: Role, depth: u32, alpha: i32, beta: i32) -> i32 {
        if self.must_stop() {
            return 0;
        }
        self.nodes += 1;
        let (worth, is_final) = grid.outlook();
        if is_final || depth == 0 {
            return role.sees(worth);
        }
        let known = self.recall(grid);
        if let Some(value) = known.and_then(|finding| finding.settles(depth, alpha, beta)) {
            return value;
        }
        let choices = candidates(grid, role, depth, known.map(|finding| finding.best));
        self.try_all(grid, role, depth, (alpha, beta), &choices)
    }

    fn try_all(&mut self, grid: Grid, role: Role, depth: u32, window: (i32, i32), choices: &[Choice]) -> i32 {
        let (alpha, beta) = window;
        let mut found: Option<(Choice, i32)> = None;
        for &(square, piece) in choices {
            let floor = found.map_or(alpha, |(_, value)| value.max(alpha));
            let value = -self.value(grid.with(square, piece), role.other(), depth - 1, -beta, -floor);
            if self.stopped {
                return 0;
            }
            if found.is_none_or(|(_, best)| value > best) {
                found = Some(((square, piece), value));
            }
            if value >= beta {
                break;
            }
        }
        // A board on which no line is made or lost has an empty square, so there was a choice.
        let Some((best, value)) = found else { return role.sees(grid.outlook().0) };
        let bound = match value {
            _ if value >= beta => Bound::AtLeast,
            _ if value <= alpha => Bound::AtMost,
            _ => Bound::Exact,
        };
        self.table[grid.slot(TABLE_ENTRIES)] = Some(Finding { grid, best, value, depth, bound });
        value
    }

    fn must_stop(&mut self) -> bool {
        let asks = self.nodes.is_multiple_of(STOP_EVERY);
        self.stopped |= self.nodes >= self.budget.max_nodes || asks && (self.budget.should_stop)();
        self.stopped
    }

    fn recall(&self, grid: Grid) -> Option<Finding> {
        self.table[grid.slot(TABLE_ENTRIES)].filter(|finding| finding.grid == grid)
    }

    /// The line expected, as far as it is still remembered.
    fn line(&self, mut grid: Grid, best: Choice) -> Vec<Choice> {
        let mut line = vec![best];
        grid = grid.with(best.0, best.1);
        while let Some(finding) = self.recall(grid).filter(|finding| finding.bound == Bound::Exact) {
            line.push(finding.best);
            grid = grid.with(finding.best.0, finding.best.1);
        }
        line
    }
}

impl Finding {
    /// The value, if what was found then answers what is asked now.
    fn settles(&self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let answers = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => self.value >= beta,
            Bound::AtMost => self.value <= alpha,
        };
        (answers && self.depth >= depth).then_some(self.value)
    }
}

/// Placements to try: well ordered where that saves more than it costs.
fn candidates(grid: Grid, role: Role, depth: u32, first: Option<Choice>) -> Vec<Choice> {
    if depth >= 2 { ordered(grid, role, first) } else { grid.placements().collect() }
}

/// Every placement, `first` and then those that look best at once before the others.
fn ordered(grid: Grid, role: Role, first: Option<Choice>) -> Vec<Choice> {
    let mut choices: Vec<Choice> = grid.placements().collect();
    choices.sort_by_cached_key(|&choice| {
        let looks = role.sees(grid.with(choice.0, choice.1).outlook().0);
        (Some(choice) != first, -looks)
    });
    choices
}

/// A value to a role as a score, seen from a board with so many pieces.
fn score(role: Role, value: i32, pieces: u32) -> i32 {
    match pieces_at_end(role.sees(value)) {
        // At most 36 pieces.
        Some(at_end) => value.signum() * (ENDED - at_end.saturating_sub(pieces) as i32),
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{play_out, random_state, winner};
    use super::super::{Strength, choose};
    use super::{Analysis, Budget, analyse};
    use crate::domain::games::maker_breaker::state::{MakerBreakerState, Placement};
    use crate::domain::pawns::Seat;

    fn searched(state: &MakerBreakerState, seat: Seat, max_nodes: u64) -> Option<Analysis<Placement>> {
        analyse(state, seat, Budget { max_nodes, should_stop: &|| false })
    }

    #[test]
    fn analysis_looks_further_than_the_greatest_strength_and_wins_more_than_it_loses() {
        let (mut won, mut lost) = (0, 0);
        for number in 0..8 {
            for seat in Seat::BOTH {
                let end = play_out(random_state(number, 6), |state, to_act| {
                    if to_act == seat {
                        return searched(state, to_act, 20_000).map(|found| found.best);
                    }
                    choose(Strength::Three, state, to_act)
                });
                won += u32::from(winner(end) == Some(seat));
                lost += u32::from(winner(end) == Some(seat.other()));
            }
        }
        assert!(won > lost, "won {won}, lost {lost}");
    }

    #[test]
    fn a_stop_ends_it_with_a_legal_placement() {
        let start = MakerBreakerState::start();
        let found = analyse(&start, Seat::One, Budget { max_nodes: u64::MAX, should_stop: &|| true }).unwrap();
        assert!(start.is_legal(Seat::One, found.best));
        assert_eq!((found.depth, found.nodes), (0, 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        #[test]
        fn what_is_found_is_legal_within_the_budget_and_found_again(
            number in any::<u8>(), rounds in 0usize..36, max_nodes in 0u64..6_000,
        ) {
            let state = random_state(number, rounds);
            for seat in Seat::BOTH {
                let found = searched(&state, seat, max_nodes);
                prop_assert_eq!(&found, &searched(&state, seat, max_nodes));
                prop_assert_eq!(found.is_some(), state.acts(seat));
                let Some(found) = found else { continue };
                prop_assert!(found.nodes <= max_nodes && found.pv.first() == Some(&found.best));
                let mut board = *state.board(state.target(seat));
                for at in &found.pv {
                    prop_assert!(board.at(at.spot).is_none() && board.five().is_none());
                    board = board.with(at.spot, at.piece);
                }
            }
        }

        #[test]
        fn a_line_that_can_be_completed_is_completed_and_scored_as_forced(number in any::<u8>(), rounds in 0usize..20) {
            let state = random_state(number, rounds);
            for seat in Seat::BOTH.into_iter().filter(|&seat| state.acts(seat) && state.target(seat) == seat) {
                let board = state.board(seat);
                let completes = |at: &Placement| board.with(at.spot, at.piece).five().is_some();
                if state.legal(seat).iter().any(completes) {
                    let found = searched(&state, seat, 1_000).unwrap();
                    prop_assert!(completes(&found.best));
                    prop_assert_eq!((found.score, found.depth), (29_999, 1));
                }
            }
        }
    }
}

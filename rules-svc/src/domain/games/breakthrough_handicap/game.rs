//! The handicap game's rules. After the placing everything is Breakthrough's.

use super::options::{Given, Options, Stronger};
use super::placing;
use super::state::{HandicapState, home};
use super::wire::HandicapMove;
use crate::domain::contract::{FEWER_MOVES, FISCHER, Facts, Information, Tier};
use crate::domain::engines::{self, pawns::Level};
use crate::domain::error::{Illegal, RulesError};
use crate::domain::game::{Game, Outcome, Start};
use crate::domain::games::PAWN_LEVELS;
use crate::domain::json::Violation;
use crate::domain::pawn_play::variant::step_list;
use crate::domain::pawn_play::wire::{PawnBody, cell, square};
use crate::domain::pawn_play::{text, thought, wire};
use crate::domain::pawns::Seat;
use crate::domain::thinking::{Analysis, Budget, HouseDraw};

/// Breakthrough with odds on 8×8.
pub struct BreakthroughHandicap;

impl Game for BreakthroughHandicap {
    type Given = Given;
    type Options = Options;
    type Move = HandicapMove;
    type State = HandicapState;
    type Body = PawnBody;

    fn facts(&self) -> Facts {
        Facts {
            id: "breakthrough-handicap",
            name: "Breakthrough handicap",
            summary: "Breakthrough with odds: the stronger side has fewer pawns and places them as it likes.",
            rules_markdown: include_str!("rules.md"),
            guide_markdown: include_str!("guide.md"),
            tier: Tier::Casual,
            colours: ["red", "blue"],
            games_per_set: 2,
            clock: FISCHER,
            max_moves: 240,
            information: Information::Perfect,
            tiebreak: FEWER_MOVES,
            house_levels: PAWN_LEVELS,
            version: 1,
        }
    }

    fn resolve(&self, given: Given) -> Result<Options, Vec<Violation>> {
        Ok(given.resolve())
    }

    fn start(&self, options: &Options, start: &Start) -> Result<HandicapState, RulesError> {
        let strong = match options.stronger {
            Stronger::Creator => start.creator_seat,
            Stronger::Acceptor => start.creator_seat.other(),
        };
        Ok(HandicapState::Placing { strong, count: options.pieces })
    }

    fn to_act(&self, state: &HandicapState) -> Vec<Seat> {
        match state {
            HandicapState::Placing { strong, .. } => vec![*strong],
            HandicapState::Playing(pawns) if pawns.outcome().is_none() => vec![pawns.next()],
            HandicapState::Playing(_) => Vec::new(),
        }
    }

    fn ply(&self, state: &HandicapState) -> u32 {
        match state {
            HandicapState::Placing { .. } => 0,
            HandicapState::Playing(pawns) => 1 + u32::from(pawns.steps),
        }
    }

    fn outcome(&self, state: &HandicapState) -> Option<Outcome> {
        match state {
            HandicapState::Placing { .. } => None,
            HandicapState::Playing(pawns) => pawns.outcome(),
        }
    }

    /// Before the placing one item describes the choice, since the placings themselves are thousands.
    fn legal_moves(&self, state: &HandicapState, seat: Seat) -> Vec<String> {
        match state {
            HandicapState::Placing { strong, count } if *strong == seat => vec![placing_offer(seat, *count)],
            HandicapState::Placing { .. } => Vec::new(),
            HandicapState::Playing(pawns) => step_list(pawns, seat),
        }
    }

    fn check(&self, state: &HandicapState, seat: Seat, mv: &HandicapMove) -> Result<(), Illegal> {
        played(state, seat, mv).map(drop)
    }

    fn apply(&self, state: &HandicapState, moves: &[(Seat, HandicapMove)]) -> Result<HandicapState, Illegal> {
        match moves {
            [(seat, mv)] => played(state, *seat, mv),
            _ => Err(Illegal("exactly the seat whose turn it is moves".to_owned())),
        }
    }

    fn body(&self, state: &HandicapState) -> PawnBody {
        PawnBody::of(&state.pawns())
    }

    fn board_text(&self, state: &HandicapState) -> String {
        text::board(&state.board())
    }

    fn notation(&self, state: &HandicapState, _: Seat, mv: &HandicapMove) -> String {
        match mv {
            HandicapMove::Step(step) => text::notation(&state.pawns(), (*step).into()),
            HandicapMove::Place(placing) => {
                let names: Vec<String> = placing.place.iter().map(|&at| text::name(square(at))).collect();
                format!("@{}", names.join(","))
            }
        }
    }

    fn encode(&self, state: &HandicapState) -> Vec<u8> {
        state.encode()
    }

    fn decode(&self, bytes: &[u8]) -> Result<HandicapState, String> {
        HandicapState::decode(bytes)
    }

    fn example_move(&self, state: &HandicapState) -> Option<HandicapMove> {
        match state {
            HandicapState::Placing { strong, count } => Some(placing::recommended(*strong, *count)),
            HandicapState::Playing(pawns) => {
                pawns.legal(pawns.next()).first().map(|&step| HandicapMove::Step(step.into()))
            }
        }
    }

    fn analyse(&self, state: &HandicapState, seat: Seat, budget: Budget<'_>) -> Option<Analysis<HandicapMove>> {
        match state {
            HandicapState::Placing { strong, count } if *strong == seat => placing::analyse(seat, *count, budget),
            HandicapState::Placing { .. } => None,
            HandicapState::Playing(pawns) => {
                let found = thought::analyse(pawns, seat, budget)?;
                Some(found.map(|step| HandicapMove::Step(step.into())))
            }
        }
    }

    fn choose(
        &self,
        state: &HandicapState,
        seat: Seat,
        level: &str,
        draw: HouseDraw,
        should_stop: &dyn Fn() -> bool,
    ) -> Option<HandicapMove> {
        let level: Level = level.parse().ok()?;
        let mut stream = draw.at_ply(self.ply(state));
        match state {
            HandicapState::Placing { strong, .. } if *strong != seat => None,
            HandicapState::Placing { count, .. } if level == Level::Easy => {
                Some(placing::drawn(seat, *count, &mut stream))
            }
            HandicapState::Placing { count, .. } => Some(placing::recommended(seat, *count)),
            HandicapState::Playing(pawns) => {
                let step = engines::pawns::choose(level, &mut stream, &pawns.board, seat, should_stop)?;
                Some(HandicapMove::Step(step.into()))
            }
        }
    }

    fn parse_move(&self, text: &str) -> Result<HandicapMove, Violation> {
        HandicapMove::parse(text)
    }
}

fn placing_offer(seat: Seat, count: u8) -> String {
    let mut squares: Vec<wire::Cell> = home(seat).into_iter().map(cell).collect();
    squares.sort_unstable();
    serde_json::json!({ "place": { "count": count, "squares": squares } }).to_string()
}

fn played(state: &HandicapState, seat: Seat, mv: &HandicapMove) -> Result<HandicapState, Illegal> {
    match (state, mv) {
        (HandicapState::Placing { strong, count }, HandicapMove::Place(placing)) if *strong == seat => {
            let squares: Vec<_> = placing.place.iter().map(|&at| square(at)).collect();
            HandicapState::place(*strong, *count, &squares)
        }
        (HandicapState::Placing { strong, count }, _) => Err(Illegal(format!(
            "first seat {strong} places its {count} pawns: {{\"place\": [[row, col], …]}} on its two home rows"
        ))),
        (HandicapState::Playing(_), HandicapMove::Place(_)) => {
            Err(Illegal("the pawns have been placed; now a pawn steps: {\"from\": …, \"to\": …}".to_owned()))
        }
        (HandicapState::Playing(pawns), HandicapMove::Step(step)) => {
            pawns.step((*step).into()).map(HandicapState::Playing)
        }
    }
}

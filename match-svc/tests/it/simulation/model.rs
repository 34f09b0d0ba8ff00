//! An account of sets that shares no code with the engine: it reads a log event by event and says what must be true of
//! each: numbers, plies, clocks, points, flags. Not here: how the log came about.

use farside_kit::time::UnixMs;
use farside_match::domain::clock::{Clock, ClockSetting};
use farside_match::domain::event::{Event, Logged, SetEnd};
use farside_match::domain::game::{Game, GameStatus};
use farside_match::domain::ids::{Seat, Side};
use farside_match::domain::position::PlayedPly;
use farside_match::domain::set::SetInfo;

/// A game as its events tell it.
#[derive(Clone, Debug)]
struct Account {
    number: u32,
    ply: u32,
    is_over: bool,
    left_ms: [i64; 2],
    moved: [bool; 2],
    /// Whose time runs, since when; both seats' in a round.
    running: Option<(usize, i64)>,
    /// When the running turn really began, and what was given back since.
    turn_began_ms: i64,
    given_back_ms: i64,
}

/// A set as its log tells it so far.
#[derive(Clone, Debug, Default)]
pub struct SetAccount {
    pub seq: i64,
    at_ms: i64,
    game: Option<Account>,
    half_points: [u32; 2],
    games_over: u32,
    /// Plies that each side made in games that it did not lose.
    unbeaten_moves: [u32; 2],
    pub end: Option<SetEnd>,
    /// The turns that ended by a flag.
    pub flagged: Vec<Turn>,
}

/// A turn: when it began, when its time was over, and what it was given back until then.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub began_ms: i64,
    pub deadline_ms: i64,
    pub given_back_ms: i64,
}

fn fischer(info: &SetInfo) -> Option<(i64, i64, i64)> {
    match info.clock {
        Some(ClockSetting::Fischer { initial_s, increment_s, first_move_s }) => {
            Some((i64::from(initial_s) * 1_000, i64::from(increment_s) * 1_000, i64::from(first_move_s) * 1_000))
        }
        _ => None,
    }
}

fn per_round_ms(info: &SetInfo) -> Option<i64> {
    match info.clock {
        Some(ClockSetting::PerRound { per_round_s }) => Some(i64::from(per_round_s) * 1_000),
        _ => None,
    }
}

impl Account {
    /// What the running turn may take.
    fn allowance_ms(&self, info: &SetInfo) -> Option<i64> {
        let (index, _) = self.running?;
        match (fischer(info), per_round_ms(info)) {
            (Some((_, _, first_ms)), _) => Some(if self.moved[index] { self.left_ms[index] } else { first_ms }),
            (None, round_ms) => round_ms,
        }
    }

    fn deadline_ms(&self, info: &SetInfo) -> Option<i64> {
        Some(self.running?.1 + self.allowance_ms(info)?)
    }

    fn play(&mut self, info: &SetInfo, ply: &PlayedPly, next: Option<usize>) {
        let received_ms = ply.moves.iter().map(|played| played.received_ms).max().unwrap();
        if let Some(deadline_ms) = self.deadline_ms(info) {
            assert!(received_ms <= deadline_ms, "a late move counts");
        }
        if let (Some((_, increment_ms, _)), Some((index, since_ms))) = (fischer(info), self.running) {
            assert_eq!(ply.moves[0].seat.index(), index, "the seat whose time runs moves");
            if self.moved[index] {
                let used_ms = (received_ms - since_ms).max(0);
                let earned_ms = if next.is_some() { increment_ms } else { 0 };
                self.left_ms[index] += earned_ms - used_ms;
                assert!(self.left_ms[index] >= 0);
            }
            self.moved[index] = true;
        }
        self.ply += 1;
        self.running = info.clock.and(next).map(|index| (index, ply.at_ms));
        (self.turn_began_ms, self.given_back_ms) = (ply.at_ms, 0);
    }

    fn shows(&self, info: &SetInfo, game: &Game) {
        if let Some(Clock::Fischer { remaining_ms, .. }) = game.clock {
            assert_eq!(remaining_ms, self.left_ms, "game {} at ply {} of {}", self.number, self.ply, info.id);
        }
        if game.status == GameStatus::Active {
            assert_eq!(game.deadline().map(|deadline| deadline.0), self.deadline_ms(info));
        }
    }
}

impl SetAccount {
    /// Takes the next event into account. `next` is the index of the seat that is to act first after it.
    pub fn read(&mut self, info: &SetInfo, logged: &Logged, next: Option<usize>) {
        assert_eq!(logged.seq.0, self.seq + 1, "no gap and no fork");
        assert!(logged.at.0 >= self.at_ms, "time does not go back");
        assert!(self.end.is_none(), "nothing happens after the end");
        (self.seq, self.at_ms) = (logged.seq.0, logged.at.0);
        match &logged.event {
            Event::GameStarted { game } => self.start(info, game, next),
            Event::MovePlayed { game, round, .. } => {
                let ply = game.last_move.as_ref().unwrap();
                assert_eq!(*round, info.simultaneous);
                let account = self.running(game);
                assert_eq!(ply.ply.0, account.ply, "each ply is played once");
                account.play(info, ply, next);
                account.shows(info, game);
            }
            Event::ClockCredited { game, credit_ms } => {
                let account = self.running(game);
                assert!(*credit_ms > 0);
                account.running = account.running.map(|(index, since_ms)| (index, since_ms + credit_ms));
                account.given_back_ms += credit_ms;
                assert!(account.running.unwrap().1 <= logged.at.0, "nobody is given more than has passed");
                account.shows(info, game);
            }
            Event::GameFinished { game, half_points } => self.finish(info, game, *half_points, logged.at),
            Event::PauseChanged { game, .. } => {
                assert!(info.clock.is_none(), "only untimed games stand still");
                self.running(game);
            }
            Event::SetFinished { end } => self.finish_set(info, *end),
        }
    }

    fn running(&mut self, game: &Game) -> &mut Account {
        let account = self.game.as_mut().expect("a game has begun");
        assert_eq!((account.number, account.is_over), (game.number.0, false), "the running game");
        account
    }

    fn start(&mut self, info: &SetInfo, game: &Game, first: Option<usize>) {
        assert!(self.game.as_ref().is_none_or(|before| before.is_over), "games do not overlap");
        assert_eq!(game.number.0, self.games_over + 1);
        let left_ms = fischer(info).map_or([0; 2], |(initial_ms, ..)| [initial_ms; 2]);
        self.game = Some(Account {
            number: game.number.0,
            ply: 0,
            is_over: false,
            left_ms,
            moved: [false; 2],
            running: info.clock.and(first).map(|index| (index, self.at_ms)),
            turn_began_ms: self.at_ms,
            given_back_ms: 0,
        });
        self.game.as_ref().unwrap().shows(info, game);
    }

    fn finish(&mut self, info: &SetInfo, game: &Game, half_points: [u32; 2], at: UnixMs) {
        let result = game.result.as_ref().unwrap();
        if result.reason.contains("timeout") {
            let account = self.running(game);
            let deadline_ms = account.deadline_ms(info).expect("a flag of a running clock");
            assert!(at.0 > deadline_ms, "no flag before its deadline");
            let (began_ms, given_back_ms) = (account.turn_began_ms, account.given_back_ms);
            self.flagged.push(Turn { began_ms, deadline_ms, given_back_ms });
        }
        self.running(game).is_over = true;
        self.games_over += 1;
        for side in Side::BOTH {
            let seat = game.seat_of(side);
            let points = match result.winner {
                None => 1,
                Some(winner) if winner == seat => 2,
                Some(_) => 0,
            };
            self.half_points[side.index()] += points;
            if points > 0 {
                self.unbeaten_moves[side.index()] += game.moves[seat.index()];
            }
        }
        assert_eq!(half_points, self.half_points);
    }

    fn finish_set(&mut self, info: &SetInfo, end: SetEnd) {
        self.end = Some(end);
        assert_eq!(end.half_points, self.half_points);
        let Some(result) = end.result else { return };
        assert_eq!(self.games_over, info.games_total, "every game was played");
        let [creator, acceptor] = self.half_points;
        let level = info.games_total > 1 && creator == acceptor;
        let fewer = self.unbeaten_moves[0].cmp(&self.unbeaten_moves[1]);
        let winner = match creator.cmp(&acceptor) {
            std::cmp::Ordering::Greater => Some(Side::Creator),
            std::cmp::Ordering::Less => Some(Side::Acceptor),
            std::cmp::Ordering::Equal if level && fewer.is_lt() => Some(Side::Creator),
            std::cmp::Ordering::Equal if level && fewer.is_gt() => Some(Side::Acceptor),
            std::cmp::Ordering::Equal => None,
        };
        assert_eq!(result.winner, winner);
    }
}

/// The index of the first seat to act.
pub fn index_of(seats: &[Seat]) -> Option<usize> {
    seats.first().map(|seat| seat.index())
}

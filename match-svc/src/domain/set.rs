//! A set: games in order, points, tiebreak and end. Every change is a decision: the next state, the events that tell
//! it and the effects to carry out. Not here: storage, rules of a game, who may call.

use std::sync::Arc;

use farside_kit::time::{DurationMs, UnixMs};
use serde::{Deserialize, Serialize};

use super::clock::{Clock, ClockSetting, FlagReason, Late, PlyTimes};
use super::event::{DecidedBy, Event, Logged, SetEnd, SetResult, SetStatus};
use super::game::{Game, GameStatus, Step};
use super::ids::{ChallengeId, GameId, GameNumber, ParticipantId, Ply, Seat, Seq, SetId, Side};
use super::offer::{ChallengeKind, Format, Stake};
use super::participant::{Participant, ParticipantKind};
use super::position::{GameResult, Position};

/// Untimed practice without a move for so long is aborted.
pub const PRACTICE_IDLE: DurationMs = DurationMs::from_seconds(30 * 24 * 3_600);

/// Seeds and nonces: secret until the set has ended.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secrets {
    /// 32 bytes, drawn when the challenge was made.
    pub server_seed: [u8; 32],
    /// The set's seed, derived from the server seed and both nonces.
    pub seed: [u8; 32],
    /// The creator's part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creator_nonce: Option<String>,
    /// The acceptor's part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptor_nonce: Option<String>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets(…)")
    }
}

/// The stakes of a set and how the ledger names them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StakeHolds {
    /// What each side put up.
    pub stake: Stake,
    /// What a win brings after the fee.
    pub winnings_points: i64,
    /// The holds of the creator and the acceptor.
    pub hold_ids: [String; 2],
}

/// What is fixed when a set begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetInfo {
    /// `set_…`.
    pub id: SetId,
    /// Where it came from.
    pub challenge_id: ChallengeId,
    /// How it was offered.
    pub kind: ChallengeKind,
    /// The game.
    pub game: GameId,
    /// Version of the game's contract.
    pub contract_version: u32,
    /// Whether both seats act at once, in secret.
    pub simultaneous: bool,
    /// Complete options as JSON.
    pub options_json: String,
    /// None when untimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockSetting>,
    /// None when nothing is staked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stakes: Option<StakeHolds>,
    /// Whether ratings move.
    pub rated: bool,
    /// Why not, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unrated_reason: String,
    /// How many games the set has.
    pub games_total: u32,
    /// Where the creator sits in game 1.
    pub creator_seat: Seat,
    /// Set or single game.
    pub format: Format,
    /// Who made the challenge.
    pub creator: Participant,
    /// Who accepted it.
    pub acceptor: Participant,
    /// SHA-256 of the server seed.
    pub seed_hash: [u8; 32],
    /// Not to be shown before the end.
    pub secrets: Secrets,
    /// When it began.
    pub created_at_ms: i64,
}

impl SetInfo {
    /// The participant of a side.
    #[must_use]
    pub fn participant(&self, side: Side) -> &Participant {
        match side {
            Side::Creator => &self.creator,
            Side::Acceptor => &self.acceptor,
        }
    }

    /// The side of a participant; none for a spectator.
    #[must_use]
    pub fn side_of(&self, id: &ParticipantId) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.participant(side).id == *id)
    }

    /// Where the creator sits in game `number`: seats are swapped from game to game.
    #[must_use]
    pub fn creator_seat_in(&self, number: GameNumber) -> Seat {
        if number.0 % 2 == 1 { self.creator_seat } else { self.creator_seat.other() }
    }
}

/// A set as its log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// What never changes.
    pub info: Arc<SetInfo>,
    /// Number of the last event.
    pub seq: Seq,
    /// Where it stands.
    pub status: SetStatus,
    /// Games started so far.
    pub games: Vec<Game>,
    /// None while it is active.
    pub end: Option<SetEnd>,
    /// Outages up to here have been given back: milliseconds since the Unix epoch.
    pub credited_through_ms: i64,
    /// When something happened last, as seen by whoever committed it: milliseconds since the Unix epoch.
    pub touched_ms: i64,
    /// The moment of the last event; none is logged before it. Milliseconds since the Unix epoch.
    pub logged_ms: i64,
}

/// Something to carry out once a decision is durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The participant of a staked set missed a first move.
    Strike(Side, GameNumber),
    /// Pay both stakes to this side.
    Settle(Side),
    /// Give both stakes back after a draw.
    Split,
    /// Give both stakes back after an abort.
    Refund,
    /// Tell rating-svc.
    Rate,
}

/// What a command comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The set after it.
    pub next: Set,
    /// What to write to the log.
    pub events: Vec<Logged>,
    /// What to carry out.
    pub effects: Vec<Effect>,
}

/// Where a participant's command meets a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// The game takes this seat's move now.
    Ready,
    /// This ply has been played: perhaps a retry.
    Played,
    /// The game has ended.
    Over,
    /// Another ply, or another game, is due.
    Stale,
    /// The other seat is to act, or the game is paused.
    NotToAct,
}

impl Set {
    /// The set with its first game.
    #[must_use]
    pub fn begin(info: Arc<SetInfo>, first: Arc<Position>, now: UnixMs) -> Decision {
        let set = Self {
            info,
            seq: Seq(0),
            status: SetStatus::Active,
            games: Vec::new(),
            end: None,
            credited_through_ms: now.0,
            touched_ms: now.0,
            logged_ms: now.0,
        };
        let mut change = Change::of(&set, now);
        change.start_game(GameNumber::FIRST, first, now);
        change.done()
    }

    /// The game of this number; none when it has not started.
    #[must_use]
    pub fn game(&self, number: GameNumber) -> Option<&Game> {
        self.games.iter().find(|game| game.number == number)
    }

    /// The game that was started last.
    #[must_use]
    pub fn current(&self) -> Option<&Game> {
        self.games.last()
    }

    /// Whether another game follows when the current one ends.
    #[must_use]
    pub fn has_next_game(&self) -> bool {
        u32::try_from(self.games.len()).is_ok_and(|started| started < self.info.games_total)
    }

    /// When something is due: the deadline of the running game, or the end of idle practice.
    #[must_use]
    pub fn due_at(&self) -> Option<UnixMs> {
        if self.status != SetStatus::Active {
            return None;
        }
        match self.info.clock {
            Some(_) => self.current().and_then(Game::deadline),
            None => Some(UnixMs(self.touched_ms).plus(PRACTICE_IDLE)),
        }
    }

    /// The seat in which a house bot is to act now.
    #[must_use]
    pub fn house_to_act(&self) -> Option<(GameNumber, Seat)> {
        let game = self.current().filter(|_| self.status == SetStatus::Active)?;
        let is_house = |seat: &Seat| self.info.participant(game.side_of(*seat)).kind == ParticipantKind::House;
        game.to_act().iter().copied().find(is_house).map(|seat| (game.number, seat))
    }

    /// Where a move of `seat` at `ply` meets game `number`.
    #[must_use]
    pub fn meet(&self, number: GameNumber, seat: Seat, ply: Ply) -> Meeting {
        let Some(game) = self.game(number) else {
            return Meeting::Stale;
        };
        if ply < game.ply() {
            return Meeting::Played;
        }
        match game {
            game if game.is_over() => Meeting::Over,
            game if ply > game.ply() => Meeting::Stale,
            game if game.to_act().contains(&seat) => Meeting::Ready,
            _ => Meeting::NotToAct,
        }
    }

    /// Plays one ply of the current game. `next_start` is the next game's first position; it must be there when
    /// `step` ends a game that is not the last.
    ///
    /// # Errors
    ///
    /// [`Late`] when the deadline had passed at `at`.
    pub fn play(&self, play: Play, now: UnixMs) -> Result<Decision, Late> {
        let Some(game) = self.current() else {
            return Err(Late);
        };
        let next_turn = play.received.max(UnixMs(self.logged_ms));
        let times = PlyTimes { received: play.received, next_turn };
        let clock = match &game.clock {
            Some(clock) => Some(clock.after_ply(times, next_to_act(&play.step.position))?),
            None => None,
        };
        let after = game.after(play.step, next_turn, clock);
        let mut change = Change::of(self, now);
        change.replace(after.clone());
        let round = self.info.simultaneous;
        let (completed_by, waited_since) = (play.completed_by, play.waited_since);
        change.log(next_turn, Event::MovePlayed { game: after.clone(), round, completed_by, waited_since });
        if let Some(result) = after.result.clone() {
            change.finish_game(after, result, next_turn, play.next_start, now);
        }
        Ok(change.done())
    }

    /// What falls when the running deadline has passed: none before it, or when no time runs. `submitted` are the seats
    /// whose secret placement for the running round is in.
    #[must_use]
    pub fn flag(&self, submitted: &[Seat], next_start: Option<Arc<Position>>, now: UnixMs) -> Option<Decision> {
        let game = self.current()?;
        let deadline = game.deadline().filter(|deadline| *deadline < now)?;
        let clock = game.clock?;
        let missing: Vec<Seat> = game.to_act().iter().copied().filter(|seat| !submitted.contains(seat)).collect();
        let result = match *missing.as_slice() {
            [] => return None,
            [seat] => GameResult::lost_by(seat, clock.flag_reason(seat).as_str()),
            _ => GameResult { winner: None, reason: "both_timeout".to_owned() },
        };
        let stopped = Game { clock: Some(clock.flagged()), ..game.clone() };
        let mut change = Change::of(self, now);
        // A flag falls in the first millisecond after the last one in which a move would have been in time.
        change.finish_game(stopped, result, deadline.plus(DurationMs(1)), next_start, now);
        Some(change.done())
    }

    /// `seat` gives up the current game at `at`.
    #[must_use]
    pub fn resign(&self, seat: Seat, next_start: Option<Arc<Position>>, at: UnixMs) -> Option<Decision> {
        let game = self.current().filter(|game| !game.is_over())?;
        let stopped = Game { clock: game.clock.map(|clock| clock.stopped(Some(at))), ..game.clone() };
        let mut change = Change::of(self, at);
        change.finish_game(stopped, GameResult::lost_by(seat, "resignation"), at, next_start, at);
        Some(change.done())
    }

    /// Ends the set without a result: stakes go back, nothing is rated. None when it has ended.
    #[must_use]
    pub fn abort(&self, at: UnixMs) -> Option<Decision> {
        if self.status != SetStatus::Active {
            return None;
        }
        let at = at.max(UnixMs(self.logged_ms));
        let mut change = Change::of(self, at);
        if let Some(game) = self.current().filter(|game| !game.is_over()) {
            let clock = game.clock.map(|clock| clock.stopped(Some(at)));
            change.replace(Game { status: GameStatus::Aborted, clock, ..game.clone() });
        }
        change.end_set(None, at);
        Some(change.done())
    }

    /// Stops or goes on with untimed practice; none when that is not possible.
    #[must_use]
    pub fn set_paused(&self, paused: bool, at: UnixMs) -> Option<Decision> {
        let (from, to) =
            if paused { (GameStatus::Active, GameStatus::Paused) } else { (GameStatus::Paused, GameStatus::Active) };
        let is_practice = self.info.kind == ChallengeKind::Practice && self.info.clock.is_none();
        let game = self.current().filter(|game| is_practice && game.status == from)?;
        let game = Game { status: to, ..game.clone() };
        let mut change = Change::of(self, at);
        change.replace(game.clone());
        change.log(at, Event::PauseChanged { game, paused });
        Some(change.done())
    }

    /// Gives back an outage from `from` to `to`; none when it was given back, or costs nobody anything.
    #[must_use]
    pub fn credit(&self, from: UnixMs, to: UnixMs, now: UnixMs) -> Option<Decision> {
        if self.status != SetStatus::Active || to.0 <= self.credited_through_ms {
            return None;
        }
        let game = self.current().filter(|game| game.status == GameStatus::Active)?;
        let from = from.max(UnixMs(self.credited_through_ms));
        let (clock, credit) = game.clock?.credited(from, to)?;
        let game = Game { clock: Some(clock), ..game.clone() };
        let mut change = Change::of(self, now);
        change.replace(game.clone());
        change.next.credited_through_ms = to.0;
        change.log(now, Event::ClockCredited { game, credit_ms: credit.0 });
        Some(change.done())
    }
}

/// One ply to play.
#[derive(Clone, Debug)]
pub struct Play {
    /// What rules-svc made of it.
    pub step: Step,
    /// When it (the last submission of a round) was received, as charged.
    pub received: UnixMs,
    /// Who completed a round; none for a game with turns.
    pub completed_by: Option<Seat>,
    /// The set's last event when the other seat of a round had placed; none for a game with turns.
    pub waited_since: Option<Seq>,
    /// The next game's first position, when this ply ends a game that is not the last.
    pub next_start: Option<Arc<Position>>,
}

fn next_to_act(position: &Position) -> &[Seat] {
    if position.outcome.is_some() { &[] } else { &position.to_act }
}

/// A decision in the making.
struct Change {
    next: Set,
    events: Vec<Logged>,
    effects: Vec<Effect>,
}

impl Change {
    fn of(set: &Set, now: UnixMs) -> Self {
        let mut next = set.clone();
        next.touched_ms = next.touched_ms.max(now.0);
        Self { next, events: Vec::new(), effects: Vec::new() }
    }

    fn done(self) -> Decision {
        Decision { next: self.next, events: self.events, effects: self.effects }
    }

    fn log(&mut self, at: UnixMs, event: Event) {
        let at = at.max(UnixMs(self.next.logged_ms));
        self.next.logged_ms = at.0;
        self.next.seq = self.next.seq.next();
        self.events.push(Logged { seq: self.next.seq, at, event });
    }

    fn replace(&mut self, game: Game) {
        self.next.games.pop();
        self.next.games.push(game);
    }

    fn start_game(&mut self, number: GameNumber, position: Arc<Position>, now: UnixMs) {
        let begins = now.max(UnixMs(self.next.logged_ms));
        let clock = self.next.info.clock.map(|setting| Clock::start(setting, &position.to_act, begins));
        let game = Game {
            number,
            status: GameStatus::Active,
            creator_seat: self.next.info.creator_seat_in(number),
            position,
            clock,
            last_move: None,
            result: None,
            moves: [0, 0],
        };
        self.next.games.push(game.clone());
        self.log(now, Event::GameStarted { game });
    }

    fn finish_game(
        &mut self,
        game: Game,
        result: GameResult,
        at: UnixMs,
        next_start: Option<Arc<Position>>,
        now: UnixMs,
    ) {
        self.strike(&game, &result);
        let number = game.number;
        let game = Game { status: GameStatus::Finished, result: Some(result), ..game };
        self.replace(game.clone());
        let half_points = total_half_points(&self.next.games);
        self.log(at, Event::GameFinished { game, half_points });
        match next_start {
            Some(position) if self.next.has_next_game() => self.start_game(number.next(), position, now),
            _ => self.end_set(Some(decide(&self.next.games)), at),
        }
    }

    fn strike(&mut self, game: &Game, result: &GameResult) {
        if let Some(winner) = result.winner
            && self.next.info.stakes.is_some()
            && result.reason == FlagReason::FirstMoveTimeout.as_str()
        {
            self.effects.push(Effect::Strike(game.side_of(winner.other()), game.number));
        }
    }

    fn end_set(&mut self, result: Option<SetResult>, at: UnixMs) {
        let end = SetEnd { result, half_points: total_half_points(&self.next.games), at_ms: at.0 };
        self.next.status = if result.is_some() { SetStatus::Finished } else { SetStatus::Aborted };
        self.next.end = Some(end);
        self.log(at, Event::SetFinished { end });
        if self.next.info.stakes.is_some() {
            self.effects.push(match result {
                None => Effect::Refund,
                Some(SetResult { winner: None, .. }) => Effect::Split,
                Some(SetResult { winner: Some(side), .. }) => Effect::Settle(side),
            });
        }
        if result.is_some() {
            self.effects.push(Effect::Rate);
        }
    }
}

/// Points in halves of the creator and the acceptor over these games.
#[must_use]
pub fn total_half_points(games: &[Game]) -> [u32; 2] {
    games.iter().map(Game::half_points).fold([0, 0], |sum, game| [sum[0] + game[0], sum[1] + game[1]])
}

/// Who won: more points; level over two games, fewer own moves in the games that it did not lose. A single drawn game
/// is a draw: the moves of one game say nothing about who was quicker.
#[must_use]
pub fn decide(games: &[Game]) -> SetResult {
    let [creator, acceptor] = total_half_points(games);
    if creator != acceptor {
        let winner = if creator > acceptor { Side::Creator } else { Side::Acceptor };
        return SetResult { winner: Some(winner), by: DecidedBy::Points };
    }
    let draw = SetResult { winner: None, by: DecidedBy::Draw };
    if games.len() < 2 {
        return draw;
    }
    let used = |side: Side| -> u32 {
        let unbeaten = games.iter().filter(|game| game.half_points()[side.index()] > 0);
        unbeaten.map(|game| game.moves[game.seat_of(side).index()]).sum()
    };
    match used(Side::Creator).cmp(&used(Side::Acceptor)) {
        std::cmp::Ordering::Less => SetResult { winner: Some(Side::Creator), by: DecidedBy::Tiebreak },
        std::cmp::Ordering::Greater => SetResult { winner: Some(Side::Acceptor), by: DecidedBy::Tiebreak },
        std::cmp::Ordering::Equal => draw,
    }
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;

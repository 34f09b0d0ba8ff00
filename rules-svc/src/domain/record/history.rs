//! What the entries of a record say, replayed from the first to the last: agreement, starts, plies, clocks, results.

use super::clock::{Charge, Clocks};
use super::entry::{Clock, Entry, Format, GameFinished, GameStarted, PlyEntry, SeatMove, SetEntry};
use super::finish::{self, Done};
use super::house;
use crate::domain::contract::{ClockRule, Contract};
use crate::domain::error::RulesError;
use crate::domain::json::{self, Hex, Violation};
use crate::domain::pawns::Seat;
use crate::domain::rules::{self, Position, Rules, StartRequest};
use crate::domain::seed;

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything but what house bots chose.
    Rules,
    /// House bots' choices too: each is searched for again, which takes as long as it took them.
    WithHouse,
}

/// Checks everything that the entries say and names what holds, up to the first fault.
///
/// # Errors
/// The first fault, as a pointer into the object that holds `entries`.
pub(super) fn check(entries: &[Entry], scope: Scope, checks: &mut Vec<&'static str>) -> Result<(), Violation> {
    let Some(Entry::Set(set)) = entries.first() else {
        return Err(Violation::new("/entries/0", "the first entry is of type `set`"));
    };
    let at = |index: usize| format!("/entries/{index}");
    check_seeds(set).map_err(|fault| fault.under(&at(0)))?;
    checks.push("seeds");
    let rules = check_agreement(set).map_err(|fault| fault.under(&at(0)))?;
    checks.push("agreement");
    let mut history = History::new(set, rules, scope);
    for (index, entry) in entries.iter().enumerate().skip(1) {
        history.step(entry).map_err(|fault| fault.under(&at(index)))?;
    }
    if !history.is_over {
        return Err(Violation::new("/entries", "the last entry is of type `set_finished`; it is missing"));
    }
    checks.extend(["plies", "clocks", "results"]);
    if scope == Scope::WithHouse {
        checks.push("house_moves");
    }
    Ok(())
}

fn check_seeds(set: &SetEntry) -> Result<(), Violation> {
    let nonces = [&set.nonces.creator, &set.nonces.acceptor].map(|nonce| nonce.as_deref().unwrap_or_default());
    let derived = seed::derive_checked(&set.server_seed.0, nonces[0], nonces[1]);
    let (seed, hash) = derived.map_err(|fault| Violation::new("/nonces", fault.to_string()))?;
    if set.seed_hash != Hex(hash) {
        return Err(Violation::new("/seed_hash", "is not the SHA-256 of `server_seed`"));
    }
    if set.seed != Hex(seed.0) {
        return Err(Violation::new("/seed", "does not follow from `server_seed` and `nonces`"));
    }
    Ok(())
}

fn check_agreement(set: &SetEntry) -> Result<&'static dyn Rules, Violation> {
    let rules = rules::find(&set.game).map_err(|fault| Violation::new("/game", fault.to_string()))?;
    let contract = rules.contract();
    if set.contract_version != contract.facts.version {
        let detail = format!("this release knows version {} of this game's contract", contract.facts.version);
        return Err(Violation::new("/contract_version", detail));
    }
    check_options(set, rules)?;
    check_clock(set, contract)?;
    Ok(rules)
}

fn check_options(set: &SetEntry, rules: &dyn Rules) -> Result<(), Violation> {
    let given = json::canonical(&set.options);
    match rules.resolve(&given) {
        Ok(complete) if complete == given => Ok(()),
        Ok(complete) => Err(Violation::new("/options", format!("is not complete; it should be {complete}"))),
        Err(fault) => {
            let first = fault.violations().into_iter().next();
            Err(first.unwrap_or_else(|| Violation::new("", fault.to_string())).under("/options"))
        }
    }
}

fn check_clock(set: &SetEntry, contract: &Contract) -> Result<(), Violation> {
    let outside = |pointer: &str| Err(Violation::new(pointer, "is outside the range of the game's contract"));
    match (set.clock, contract.facts.clock) {
        (None, _) if set.rated || set.stake.is_some() => {
            Err(Violation::new("/clock", "is null, and only practice is untimed"))
        }
        (None, _) => Ok(()),
        (
            Some(Clock::Fischer { initial_s, increment_s }),
            ClockRule::Fischer { initial_s: initial, increment_s: increment, .. },
        ) => match (initial.contains(initial_s), increment.contains(increment_s)) {
            (true, true) => Ok(()),
            (false, _) => outside("/clock/initial_s"),
            (true, false) => outside("/clock/increment_s"),
        },
        (Some(Clock::PerRound { per_round_s }), ClockRule::PerRound { per_round_s: range }) => {
            if range.contains(per_round_s) { Ok(()) } else { outside("/clock/per_round_s") }
        }
        _ => Err(Violation::new("/clock", "is not the kind of clock that this game has")),
    }
}

/// A game that is being replayed.
pub(super) struct Running {
    pub(super) number: u8,
    pub(super) creator_seat: Seat,
    pub(super) position: Box<dyn Position>,
    pub(super) clocks: Clocks,
    is_paused: bool,
}

struct History<'a> {
    set: &'a SetEntry,
    rules: &'static dyn Rules,
    games: usize,
    running: Option<Running>,
    done: Vec<Done>,
    at_ms: u64,
    is_over: bool,
    scope: Scope,
}

impl<'a> History<'a> {
    fn new(set: &'a SetEntry, rules: &'static dyn Rules, scope: Scope) -> Self {
        let games = match set.format {
            Format::Set => rules.contract().facts.games_per_set.into(),
            Format::Single => 1,
        };
        Self { set, rules, games, running: None, done: Vec::new(), at_ms: set.at_ms, is_over: false, scope }
    }

    fn step(&mut self, entry: &Entry) -> Result<(), Violation> {
        if self.is_over {
            return Err(Violation::new("", "nothing follows `set_finished`"));
        }
        if entry.at_ms() < self.at_ms {
            return Err(Violation::new("/at_ms", "is before the entry before; time never goes back in a record"));
        }
        self.at_ms = entry.at_ms();
        match entry {
            Entry::Set(_) => Err(Violation::new("/type", "only the first entry is of type `set`")),
            Entry::GameStarted(entry) => self.start_game(entry),
            Entry::Ply(entry) => self.play(entry),
            Entry::ClockCredited(entry) => self.credit(entry.game, entry.credit_ms),
            Entry::Paused(entry) => self.pause(entry.game, true),
            Entry::Resumed(entry) => self.pause(entry.game, false),
            Entry::GameFinished(entry) => self.finish_game(entry),
            Entry::SetFinished(entry) => {
                finish::check_set(entry, &self.done, self.games, self.running.is_some())?;
                self.is_over = true;
                Ok(())
            }
        }
    }

    fn start_game(&mut self, entry: &GameStarted) -> Result<(), Violation> {
        if self.running.is_some() {
            return Err(Violation::new("", "a game begins before the one before has ended"));
        }
        let expected = self.done.len() + 1;
        if usize::from(entry.game) != expected || expected > self.games {
            let detail =
                format!("a set of this kind has {} games, and {} have been played", self.games, self.done.len());
            return Err(Violation::new("/game", detail));
        }
        let creator_seat = self.check_seats(entry)?;
        let options = json::canonical(&self.set.options);
        let request = StartRequest {
            options: &options,
            seed: &self.set.seed.0,
            game_number: entry.game.into(),
            creator_seat: creator_seat.number().into(),
        };
        let position = self.rules.start(request).map_err(|fault| Violation::new("", fault.to_string()))?;
        let first_move_s = match self.rules.contract().facts.clock {
            ClockRule::Fischer { first_move_s, .. } => first_move_s,
            ClockRule::PerRound { .. } => 0,
        };
        let clocks = Clocks::start(self.set.clock, first_move_s, entry.at_ms);
        self.running = Some(Running { number: entry.game, creator_seat, position, clocks, is_paused: false });
        Ok(())
    }

    fn check_seats(&self, entry: &GameStarted) -> Result<Seat, Violation> {
        let creator_seat = match (self.set.format, entry.game) {
            (Format::Single, _) | (Format::Set, 2) => Seat::One,
            (Format::Set, _) => Seat::Two,
        };
        let expected = [(creator_seat, &self.set.creator.id), (creator_seat.other(), &self.set.acceptor.id)];
        for (seat, id) in expected {
            if entry.seats.get(seat) != id {
                return Err(Violation::new(format!("/seats/{seat}"), format!("is {id} in this game")));
            }
        }
        Ok(creator_seat)
    }

    /// The game that an entry speaks of, as long as it can still go on.
    fn open_game(&mut self, number: u8) -> Result<&mut Running, Violation> {
        let Some(running) = self.running.as_mut() else {
            return Err(Violation::new("", "no game is being played"));
        };
        if running.number != number {
            return Err(Violation::new("/game", format!("game {} is being played", running.number)));
        }
        if running.position.outcome().is_some() {
            return Err(Violation::new("", "the game was decided by the ply before; `game_finished` is missing"));
        }
        Ok(running)
    }

    fn play(&mut self, entry: &PlyEntry) -> Result<(), Violation> {
        let (set, scope) = (self.set, self.scope);
        let running = self.open_game(entry.game)?;
        if running.is_paused {
            return Err(Violation::new("", "the game is paused"));
        }
        if scope == Scope::WithHouse {
            house::check(set, running, entry)?;
        }
        running.play(entry)
    }

    fn credit(&mut self, game: u8, credit_ms: u64) -> Result<(), Violation> {
        if self.set.clock.is_none() {
            return Err(Violation::new("", "an untimed game has no clock to credit"));
        }
        self.open_game(game)?.clocks.credit(credit_ms);
        Ok(())
    }

    fn pause(&mut self, game: u8, pause: bool) -> Result<(), Violation> {
        if self.set.clock.is_some() {
            return Err(Violation::new("", "only untimed practice is paused"));
        }
        let running = self.open_game(game)?;
        if running.is_paused == pause {
            return Err(Violation::new("", "the game is in that state already"));
        }
        running.is_paused = pause;
        Ok(())
    }

    fn finish_game(&mut self, entry: &GameFinished) -> Result<(), Violation> {
        let running = self.running.take().ok_or_else(|| Violation::new("", "no game is being played"))?;
        let max_moves = self.rules.contract().facts.max_moves;
        self.done.push(finish::check_game(entry, &running, max_moves)?);
        Ok(())
    }
}

impl Running {
    fn play(&mut self, entry: &PlyEntry) -> Result<(), Violation> {
        let expected = self.position.ply();
        if entry.ply != expected {
            return Err(Violation::new("/ply", format!("the next ply is {expected}, not {}", entry.ply)));
        }
        let mut seats = Vec::with_capacity(entry.moves.len());
        for (index, mv) in entry.moves.iter().enumerate() {
            let at = format!("/moves/{index}");
            seats.push(self.check_move(mv, entry.at_ms).map_err(|fault| fault.under(&at))?);
        }
        if !seats.is_sorted() {
            return Err(Violation::new("/moves", "must be in the order of the seats"));
        }
        self.apply(entry, &seats)?;
        self.clocks.next_turn(entry.at_ms, entry.clocks.as_ref())
    }

    fn check_move(&self, mv: &SeatMove, at_ms: u64) -> Result<Seat, Violation> {
        let seat = Seat::from_number(mv.seat).ok_or_else(|| Violation::new("/seat", "a seat is 1 or 2"))?;
        let written = json::canonical(&mv.value);
        let played = self.position.check(rules::SeatMove { seat, json: &written }).map_err(move_fault)?;
        if played.json != written {
            return Err(Violation::new("/move", format!("is not canonical; it should be {}", played.json)));
        }
        if played.notation != mv.notation {
            return Err(Violation::new("/notation", format!("is {} for this move", played.notation)));
        }
        if mv.received_ms > at_ms {
            return Err(Violation::new("/received_ms", "is after the time at which the ply was accepted"));
        }
        Ok(seat)
    }

    fn apply(&mut self, entry: &PlyEntry, seats: &[Seat]) -> Result<(), Violation> {
        let written: Vec<String> = entry.moves.iter().map(|mv| json::canonical(&mv.value)).collect();
        let moves: Vec<_> = seats.iter().zip(&written).map(|(&seat, json)| rules::SeatMove { seat, json }).collect();
        let applied = self.position.apply(&moves);
        let (next, _) = applied.map_err(|fault| Violation::new("/moves", fault.to_string()))?;
        let ends_game = next.outcome().is_some();
        for (index, (mv, &seat)) in entry.moves.iter().zip(seats).enumerate() {
            let charge = Charge { seat, received_ms: mv.received_ms };
            let charged = self.clocks.charge(charge, ends_game);
            charged.map_err(|fault| fault.under(&format!("/moves/{index}")))?;
        }
        self.position = next;
        Ok(())
    }
}

fn move_fault(fault: RulesError) -> Violation {
    match fault {
        RulesError::MalformedMove(violation) => violation.under("/move"),
        RulesError::NotYourTurn { .. } => Violation::new("/seat", fault.to_string()),
        other => Violation::new("/move", format!("is illegal: {other}")),
    }
}

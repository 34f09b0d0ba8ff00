//! Every game behind one face: text and bytes in, text and bytes out. What callers exchange is checked here; the rules
//! themselves are each game's own.

use std::fmt::Display;
use std::sync::LazyLock;

use super::contract::{self, Contract, Information};
use super::error::RulesError;
use super::game::{Game, Outcome, Start};
use super::json::{self, Violation};
use super::pawns::Seat;
use super::seed::{SEED_BYTES, SetSeed};
use super::thinking::{Analysis, Budget, HouseDraw};

/// First byte of every state: the version of the encoding.
const STATE_VERSION: u8 = 1;

/// What a caller asks a game to begin with.
#[derive(Clone, Copy, Debug)]
pub struct StartRequest<'a> {
    /// Options as JSON; blank means the defaults.
    pub options: &'a str,
    /// The set's seed, 32 bytes, or nothing.
    pub seed: &'a [u8],
    /// 1 or 2.
    pub game_number: u32,
    /// 1 or 2; 0 means as in a set of two games.
    pub creator_seat: u32,
}

/// A seat and what it wants to play.
#[derive(Clone, Copy, Debug)]
pub struct SeatMove<'a> {
    /// Whose move.
    pub seat: Seat,
    /// The move as JSON.
    pub json: &'a str,
}

/// A move that is legal, in its canonical forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Whose move.
    pub seat: Seat,
    /// Canonical JSON.
    pub json: String,
    /// The game's notation.
    pub notation: String,
}

/// One game, whichever it is.
pub trait Rules: Send + Sync {
    /// What the game is.
    fn contract(&self) -> &Contract;

    /// Complete options as canonical JSON.
    ///
    /// # Errors
    /// [`RulesError::OptionsInvalid`].
    fn resolve(&self, options: &str) -> Result<String, RulesError>;

    /// The first position.
    ///
    /// # Errors
    /// Options, start or seed do not fit.
    fn start(&'static self, request: StartRequest<'_>) -> Result<Box<dyn Position>, RulesError>;

    /// A position that a caller kept.
    ///
    /// # Errors
    /// [`RulesError::StateInvalid`].
    fn load(&'static self, state: &[u8]) -> Result<Box<dyn Position>, RulesError>;
}

/// A position of one game, whichever it is.
pub trait Position: Send {
    /// The state to keep.
    fn state(&self) -> Vec<u8>;
    /// The seats to act.
    fn to_act(&self) -> Vec<Seat>;
    /// Plies (rounds) played.
    fn ply(&self) -> u32;
    /// The body as JSON.
    fn body(&self) -> String;
    /// A seat's legal moves as JSON.
    fn legal_moves(&self, seat: Seat) -> Vec<String>;
    /// How the game ended.
    fn outcome(&self) -> Option<Outcome>;
    /// The board in characters.
    fn board_text(&self) -> String;

    /// Checks one seat's move without applying it.
    ///
    /// # Errors
    /// Malformed, over, not its turn or illegal, in this order.
    fn check(&self, mv: SeatMove<'_>) -> Result<Played, RulesError>;

    /// The position after one step, and what was played in seat order. Nothing changes when it is refused.
    ///
    /// # Errors
    /// As [`Position::check`], and [`RulesError::RoundIncomplete`].
    fn apply(&self, moves: &[SeatMove<'_>]) -> Result<Step, RulesError>;

    /// As [`Position::apply`], from a ply as JSON: a move, or `{"1": move, "2": move}` in a simultaneous game.
    ///
    /// # Errors
    /// As [`Position::apply`].
    fn apply_ply(&self, ply: &str) -> Result<Step, RulesError>;

    /// The best move for a seat, as JSON; without a seat for the one to act.
    ///
    /// # Errors
    /// [`RulesError::GameOver`] and [`RulesError::NotYourTurn`].
    fn analyse(&self, seat: Option<Seat>, budget: Budget<'_>) -> Result<Analysis<String>, RulesError>;

    /// A house bot's move, as JSON.
    ///
    /// # Errors
    /// [`RulesError::LevelUnknown`], [`RulesError::GameOver`] and [`RulesError::NotYourTurn`].
    fn choose(
        &self,
        seat: Seat,
        level: &str,
        draw: HouseDraw,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<String, RulesError>;
}

/// A position and what led to it.
pub type Step = (Box<dyn Position>, Vec<Played>);

/// Every game in catalogue order.
#[must_use]
pub fn catalogue() -> &'static [Box<dyn Rules>] {
    static CATALOGUE: LazyLock<Vec<Box<dyn Rules>>> = LazyLock::new(super::games::list);
    &CATALOGUE
}

/// A game by id.
///
/// # Errors
/// [`RulesError::GameNotFound`].
pub fn find(id: &str) -> Result<&'static dyn Rules, RulesError> {
    let found = catalogue().iter().find(|rules| rules.contract().facts.id == id);
    found.map(AsRef::as_ref).ok_or_else(|| RulesError::GameNotFound {
        game: id.chars().take(64).collect(),
        known: listed(catalogue().iter().map(|rules| rules.contract().facts.id)),
    })
}

/// Words in backticks, separated by commas.
pub(super) fn listed<T: Display>(words: impl Iterator<Item = T>) -> String {
    words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// A game for the catalogue.
///
/// # Panics
/// When the game's default options do not fit its own rules, which every test would see at once.
pub(super) fn entry<G: Game>(game: G) -> Box<dyn Rules> {
    let contract = generated(&game).expect("a game's default options begin a game");
    Box::new(Entry { game, contract })
}

struct Entry<G> {
    game: G,
    contract: Contract,
}

fn generated<G: Game>(game: &G) -> Result<Contract, RulesError> {
    let options = resolved(game, "")?;
    let seed = Some(SetSeed([0; SEED_BYTES]));
    let state = game.start(&options, &Start { seed, game_number: 1, creator_seat: Seat::Two })?;
    let examples = serde_json::json!({
        "options": json::to_value(&options),
        "move": game.example_move(&state).map(|mv| json::to_value(&mv)),
        "body": json::to_value(&game.body(&state)),
    });
    Ok(Contract {
        facts: game.facts(),
        options_schema: json::schema_text::<G::Given>(),
        default_options: json::to_canonical(&options),
        move_schema: json::schema_text::<G::Move>(),
        body_schema: json::schema_text::<G::Body>(),
        examples: json::canonical(&examples),
    })
}

fn resolved<G: Game>(game: &G, options: &str) -> Result<G::Options, RulesError> {
    let given = contract::parse_options(options).map_err(|fault| RulesError::OptionsInvalid(vec![fault]))?;
    game.resolve(given).map_err(RulesError::OptionsInvalid)
}

impl<G: Game> Rules for Entry<G> {
    fn contract(&self) -> &Contract {
        &self.contract
    }

    fn resolve(&self, options: &str) -> Result<String, RulesError> {
        resolved(&self.game, options).map(|options| json::to_canonical(&options))
    }

    fn start(&'static self, request: StartRequest<'_>) -> Result<Box<dyn Position>, RulesError> {
        let options = resolved(&self.game, request.options)?;
        let start = start(&request, self.contract.facts.games_per_set)?;
        let state = self.game.start(&options, &start)?;
        Ok(Box::new(At { entry: self, state }))
    }

    fn load(&'static self, state: &[u8]) -> Result<Box<dyn Position>, RulesError> {
        let game = self.contract.facts.id;
        let invalid = |reason: String| RulesError::StateInvalid { game, reason };
        let body = unwrapped(game, state).map_err(invalid)?;
        let state = self.game.decode(body).map_err(invalid)?;
        Ok(Box::new(At { entry: self, state }))
    }
}

fn start(request: &StartRequest<'_>, games_per_set: u8) -> Result<Start, RulesError> {
    let seed = match request.seed.len() {
        0 => None,
        _ => Some(set_seed(request.seed)?),
    };
    let game_number = game_number(request.game_number, games_per_set)?;
    let creator_seat = match (request.creator_seat, game_number) {
        (0, 1) | (2, _) => Seat::Two,
        (0, _) | (1, _) => Seat::One,
        _ => return Err(out_of_range("/creator_seat", "the creator's seat", 0, 2)),
    };
    Ok(Start { seed, game_number, creator_seat })
}

/// The number of a game of a set.
///
/// # Errors
/// [`RulesError::StartInvalid`] when the set has no such game.
pub fn game_number(number: u32, games_per_set: u8) -> Result<u8, RulesError> {
    match u8::try_from(number) {
        Ok(number) if (1..=games_per_set).contains(&number) => Ok(number),
        _ => Err(out_of_range("/game_number", "the number of a game", 1, u32::from(games_per_set))),
    }
}

/// Plays a list of plies from a position.
///
/// # Errors
/// [`RulesError::AtPly`] with what is wrong at the first ply that is refused.
pub fn replay<'a>(begun: Box<dyn Position>, plies: impl Iterator<Item = &'a str>) -> Result<Step, RulesError> {
    let mut reached = (begun, Vec::new());
    for (ply, text) in plies.enumerate() {
        let at_ply = |fault| RulesError::AtPly { ply, fault: Box::new(fault) };
        reached = reached.0.apply_ply(text).map_err(at_ply)?;
    }
    Ok(reached)
}

fn out_of_range(pointer: &str, what: &str, min: u32, max: u32) -> RulesError {
    RulesError::StartInvalid(Violation::new(pointer, format!("{what} is {min} to {max} in this game")))
}

/// A set's seed from bytes.
///
/// # Errors
/// [`RulesError::SeedInvalid`] when they are not 32.
pub fn set_seed(bytes: &[u8]) -> Result<SetSeed, RulesError> {
    bytes.try_into().map(SetSeed).map_err(|_| RulesError::SeedInvalid(bytes.len()))
}

fn split_round(ply: &str) -> Result<Vec<(Seat, String)>, Violation> {
    let round: super::record::entry::Round = json::parse_object(ply)?;
    let moves = [(Seat::One, round.one), (Seat::Two, round.two)];
    Ok(moves.into_iter().filter_map(|(seat, mv)| Some((seat, mv?.to_string()))).collect())
}

/// A state: version, the game's id with its length, then the game's own bytes.
fn wrapped(game: &str, body: &[u8]) -> Vec<u8> {
    let length = u8::try_from(game.len()).unwrap_or(u8::MAX);
    [&[STATE_VERSION, length], game.as_bytes(), body].concat()
}

fn unwrapped<'a>(game: &str, state: &'a [u8]) -> Result<&'a [u8], String> {
    match state {
        [] => Err("it is empty".to_owned()),
        [STATE_VERSION, length, rest @ ..] if usize::from(*length) <= rest.len() => {
            let (id, body) = rest.split_at(usize::from(*length));
            if id == game.as_bytes() { Ok(body) } else { Err("it belongs to another game".to_owned()) }
        }
        [STATE_VERSION, ..] => Err("it is too short".to_owned()),
        [version, ..] => Err(format!("its version is {version}, and only {STATE_VERSION} is known")),
    }
}

/// A position of one game.
struct At<G: Game> {
    entry: &'static Entry<G>,
    state: G::State,
}

impl<G: Game> At<G> {
    fn game(&self) -> &'static G {
        &self.entry.game
    }

    fn parse(&self, mv: SeatMove<'_>) -> Result<G::Move, RulesError> {
        self.game().parse_move(mv.json).map_err(RulesError::MalformedMove)
    }

    fn may_act(&self, seat: Seat) -> Result<(), RulesError> {
        if let Some(outcome) = self.outcome() {
            return Err(RulesError::GameOver { reason: outcome.reason });
        }
        let to_act = self.to_act();
        if to_act.contains(&seat) { Ok(()) } else { Err(RulesError::NotYourTurn { seat, to_act }) }
    }

    fn check_parsed(&self, seat: Seat, mv: &G::Move) -> Result<Played, RulesError> {
        self.may_act(seat)?;
        self.game().check(&self.state, seat, mv).map_err(RulesError::IllegalMove)?;
        let notation = self.game().notation(&self.state, seat, mv);
        Ok(Played { seat, json: self.game().move_json(mv), notation })
    }
}

impl<G: Game> Position for At<G> {
    fn state(&self) -> Vec<u8> {
        wrapped(self.entry.contract.facts.id, &self.game().encode(&self.state))
    }

    fn to_act(&self) -> Vec<Seat> {
        self.game().to_act(&self.state)
    }

    fn ply(&self) -> u32 {
        self.game().ply(&self.state)
    }

    fn body(&self) -> String {
        json::to_text(&self.game().body(&self.state))
    }

    fn legal_moves(&self, seat: Seat) -> Vec<String> {
        self.game().legal_moves(&self.state, seat)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game().outcome(&self.state)
    }

    fn board_text(&self) -> String {
        self.game().board_text(&self.state)
    }

    fn check(&self, mv: SeatMove<'_>) -> Result<Played, RulesError> {
        self.check_parsed(mv.seat, &self.parse(mv)?)
    }

    fn apply(&self, moves: &[SeatMove<'_>]) -> Result<Step, RulesError> {
        let mut parsed = Vec::with_capacity(moves.len());
        for mv in moves {
            parsed.push((mv.seat, self.parse(*mv)?));
        }
        if let Some(outcome) = self.outcome() {
            return Err(RulesError::GameOver { reason: outcome.reason });
        }
        parsed.sort_by_key(|(seat, _)| *seat);
        let played = parsed.iter().map(|(seat, mv)| self.check_parsed(*seat, mv)).collect::<Result<Vec<_>, _>>()?;
        if let Some(seat) = self.to_act().into_iter().find(|seat| parsed.iter().all(|(other, _)| other != seat)) {
            return Err(RulesError::RoundIncomplete(seat));
        }
        if let Some(pair) = parsed.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let detail = format!("seat {} has two moves in one step", pair[0].0);
            return Err(RulesError::MalformedMove(Violation::new("", detail)));
        }
        let state = self.game().apply(&self.state, &parsed).map_err(RulesError::IllegalMove)?;
        Ok((Box::new(At { entry: self.entry, state }), played))
    }

    fn apply_ply(&self, ply: &str) -> Result<Step, RulesError> {
        if self.entry.contract.facts.information == Information::Perfect {
            let seat = self.to_act().first().copied().unwrap_or(Seat::One);
            return self.apply(&[SeatMove { seat, json: ply }]);
        }
        let round = split_round(ply).map_err(RulesError::MalformedMove)?;
        for (seat, mv) in &round {
            let fault = self.game().parse_move(mv).err();
            if let Some(fault) = fault {
                return Err(RulesError::MalformedMove(fault.under(&format!("/{seat}"))));
            }
        }
        let moves: Vec<_> = round.iter().map(|(seat, json)| SeatMove { seat: *seat, json }).collect();
        self.apply(&moves)
    }

    fn analyse(&self, seat: Option<Seat>, budget: Budget<'_>) -> Result<Analysis<String>, RulesError> {
        let seat = seat.or_else(|| self.to_act().first().copied()).unwrap_or(Seat::One);
        self.may_act(seat)?;
        let found = self.game().analyse(&self.state, seat, budget);
        let found = found.ok_or_else(|| RulesError::NotYourTurn { seat, to_act: self.to_act() })?;
        Ok(found.map(|mv| self.game().move_json(&mv)))
    }

    fn choose(
        &self,
        seat: Seat,
        level: &str,
        draw: HouseDraw,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<String, RulesError> {
        let levels = self.entry.contract.facts.house_levels;
        let unknown =
            || RulesError::LevelUnknown { level: level.chars().take(64).collect(), known: listed(levels.iter()) };
        if !levels.contains(&level) {
            return Err(unknown());
        }
        self.may_act(seat)?;
        let chosen = self.game().choose(&self.state, seat, level, draw, should_stop);
        chosen.map(|mv| self.game().move_json(&mv)).ok_or_else(unknown)
    }
}

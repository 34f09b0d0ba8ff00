//! What a game is: a pure, deterministic state machine. Each game implements [`Game`] in a folder of its own;
//! `rules.rs` turns any of them into the text and bytes that callers exchange.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::contract::Facts;
use super::error::{Illegal, RulesError};
use super::json::{self, Violation};
use super::pawns::Seat;
use super::seed::SetSeed;
use super::thinking::{Analysis, Budget, HouseDraw};

/// What a game begins with, apart from its options.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The set's seed, where one is given.
    pub seed: Option<SetSeed>,
    /// 1 or 2: which game of the set.
    pub game_number: u8,
    /// The seat of the challenge's creator.
    pub creator_seat: Seat,
}

/// How a game ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Seat>,
    /// Why, in lower snake case.
    pub reason: &'static str,
}

/// A game's rules. A state holds no secret, so every viewer sees the same body.
pub trait Game: Send + Sync + Sized + 'static {
    /// Options as a challenge gives them: every one may be left out.
    type Given: DeserializeOwned + JsonSchema;
    /// Options complete with defaults.
    type Options: Serialize;
    /// A move.
    type Move: Clone + PartialEq + Serialize + DeserializeOwned + JsonSchema + Send;
    /// A position.
    type State: Clone + Send;
    /// What viewers see of a position.
    type Body: Serialize + JsonSchema;

    /// What the contract says in words and numbers.
    fn facts(&self) -> Facts;

    /// Fills in the defaults and checks what the schema cannot say.
    ///
    /// # Errors
    /// Every fault, each naming the fields and the range allowed.
    fn resolve(&self, given: Self::Given) -> Result<Self::Options, Vec<Violation>>;

    /// The first position.
    ///
    /// # Errors
    /// [`RulesError::SeedRequired`] when the start is drawn and there is no seed.
    fn start(&self, options: &Self::Options, start: &Start) -> Result<Self::State, RulesError>;

    /// The seats to act, in order; none when the game is over.
    fn to_act(&self, state: &Self::State) -> Vec<Seat>;

    /// Plies (rounds) played.
    fn ply(&self, state: &Self::State) -> u32;

    /// How the game ended; `None` while it goes on.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// A seat's legal moves in the game's stable order, each as canonical JSON.
    fn legal_moves(&self, state: &Self::State, seat: Seat) -> Vec<String>;

    /// Whether a seat that is to act may make this move.
    ///
    /// # Errors
    /// The first rule that it breaks.
    fn check(&self, state: &Self::State, seat: Seat, mv: &Self::Move) -> Result<(), Illegal>;

    /// The position after one step: one move of each seat to act, in seat order.
    ///
    /// # Errors
    /// The first rule that is broken; the state given is never changed.
    fn apply(&self, state: &Self::State, moves: &[(Seat, Self::Move)]) -> Result<Self::State, Illegal>;

    /// What viewers see.
    fn body(&self, state: &Self::State) -> Self::Body;

    /// The board in characters, with coordinates.
    fn board_text(&self, state: &Self::State) -> String;

    /// A legal move in the game's notation.
    fn notation(&self, state: &Self::State, seat: Seat, mv: &Self::Move) -> String;

    /// The state as bytes: equal states have equal bytes, in every release.
    fn encode(&self, state: &Self::State) -> Vec<u8>;

    /// Reads a state back and checks that it can come about.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    fn decode(&self, bytes: &[u8]) -> Result<Self::State, String>;

    /// A legal move to show as an example.
    fn example_move(&self, state: &Self::State) -> Option<Self::Move>;

    /// The best move for a seat that is to act; `None` when there is nothing to choose.
    fn analyse(&self, state: &Self::State, seat: Seat, budget: Budget<'_>) -> Option<Analysis<Self::Move>>;

    /// What the house bot of a level plays for a seat that is to act; `None` when there is no such level.
    /// It follows from position, level and draw alone, as long as `should_stop` stays false.
    fn choose(
        &self,
        state: &Self::State,
        seat: Seat,
        level: &str,
        draw: HouseDraw,
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Self::Move>;

    /// Reads a move from JSON.
    ///
    /// # Errors
    /// What does not fit the move schema.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Violation> {
        json::parse_object(text)
    }

    /// A move as canonical JSON.
    fn move_json(&self, mv: &Self::Move) -> String {
        json::to_canonical(mv)
    }
}

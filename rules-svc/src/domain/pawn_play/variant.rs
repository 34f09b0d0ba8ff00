//! A pawn game that differs from the others in options, start and contract only.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::state::PawnState;
use super::wire::{PawnBody, StepMove};
use super::{codec, text, thought};
use crate::domain::contract::Facts;
use crate::domain::engines::{self, pawns::Level};
use crate::domain::error::{Illegal, RulesError};
use crate::domain::game::{Game, Outcome, Start};
use crate::domain::json::{self, Violation};
use crate::domain::pawns::{PawnBoard, Seat};
use crate::domain::thinking::{Analysis, Budget, HouseDraw};

/// What a variant says for itself.
pub trait PawnVariant: Send + Sync + 'static {
    /// Options as given.
    type Given: DeserializeOwned + JsonSchema;
    /// Options complete with defaults.
    type Options: Serialize;

    /// What the contract says.
    fn facts(&self) -> Facts;

    /// The sizes of board that the variant is played on.
    fn sizes(&self) -> RangeInclusive<u8>;

    /// As [`Game::resolve`].
    ///
    /// # Errors
    /// Every fault.
    fn resolve(&self, given: Self::Given) -> Result<Self::Options, Vec<Violation>>;

    /// The board before the first move.
    ///
    /// # Errors
    /// [`RulesError::SeedRequired`].
    fn board(&self, options: &Self::Options, start: &Start) -> Result<PawnBoard, RulesError>;
}

/// A variant as a game.
pub struct PawnGame<V>(pub V);

impl<V: PawnVariant> Game for PawnGame<V> {
    type Given = V::Given;
    type Options = V::Options;
    type Move = StepMove;
    type State = PawnState;
    type Body = PawnBody;

    fn facts(&self) -> Facts {
        self.0.facts()
    }

    fn resolve(&self, given: V::Given) -> Result<V::Options, Vec<Violation>> {
        self.0.resolve(given)
    }

    fn start(&self, options: &V::Options, start: &Start) -> Result<PawnState, RulesError> {
        self.0.board(options, start).map(PawnState::start)
    }

    fn to_act(&self, state: &PawnState) -> Vec<Seat> {
        if state.outcome().is_some() { Vec::new() } else { vec![state.next()] }
    }

    fn ply(&self, state: &PawnState) -> u32 {
        u32::from(state.steps)
    }

    fn outcome(&self, state: &PawnState) -> Option<Outcome> {
        state.outcome()
    }

    fn legal_moves(&self, state: &PawnState, seat: Seat) -> Vec<String> {
        step_list(state, seat)
    }

    fn check(&self, state: &PawnState, _: Seat, mv: &StepMove) -> Result<(), Illegal> {
        state.step((*mv).into()).map(drop)
    }

    fn apply(&self, state: &PawnState, moves: &[(Seat, StepMove)]) -> Result<PawnState, Illegal> {
        match moves {
            [(seat, step)] if *seat == state.next() => state.step((*step).into()),
            _ => Err(Illegal("exactly the seat whose turn it is moves".to_owned())),
        }
    }

    fn body(&self, state: &PawnState) -> PawnBody {
        PawnBody::of(state)
    }

    fn board_text(&self, state: &PawnState) -> String {
        text::board(&state.board)
    }

    fn notation(&self, state: &PawnState, _: Seat, mv: &StepMove) -> String {
        text::notation(state, (*mv).into())
    }

    fn encode(&self, state: &PawnState) -> Vec<u8> {
        codec::encode(state)
    }

    fn decode(&self, bytes: &[u8]) -> Result<PawnState, String> {
        let state = codec::decode(bytes)?;
        let (size, sizes) = (state.board.size().get(), self.0.sizes());
        if sizes.contains(&size) {
            return Ok(state);
        }
        Err(format!("its board has {size} rows, the game's has {} to {}", sizes.start(), sizes.end()))
    }

    fn example_move(&self, state: &PawnState) -> Option<StepMove> {
        state.legal(state.next()).first().map(|&step| step.into())
    }

    fn analyse(&self, state: &PawnState, seat: Seat, budget: Budget<'_>) -> Option<Analysis<StepMove>> {
        thought::analyse(state, seat, budget).map(|found| found.map(StepMove::from))
    }

    fn choose(
        &self,
        state: &PawnState,
        seat: Seat,
        level: &str,
        draw: HouseDraw,
        should_stop: &dyn Fn() -> bool,
    ) -> Option<StepMove> {
        let level: Level = level.parse().ok()?;
        let mut stream = draw.at_ply(self.ply(state));
        engines::pawns::choose(level, &mut stream, &state.board, seat, should_stop).map(StepMove::from)
    }

    fn move_json(&self, mv: &StepMove) -> String {
        step_json(mv)
    }
}

/// A seat's legal steps as canonical JSON.
#[must_use]
pub fn step_list(state: &PawnState, seat: Seat) -> Vec<String> {
    state.legal(seat).into_iter().map(|step| step_json(&step.into())).collect()
}

/// A step as canonical JSON: its members are in order already.
#[must_use]
pub fn step_json(step: &StepMove) -> String {
    json::to_text(step)
}

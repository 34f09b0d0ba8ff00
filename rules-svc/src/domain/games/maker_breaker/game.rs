//! Maker and Breaker as a game: everything but the placing itself, which is the state's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::{Board, Piece, SIDE, Spot};
use super::codec;
use super::state::{End, MAX_ROUNDS, MakerBreakerState, Placement};
use super::wire::{MakerBreakerBody, PlacementMove};
use crate::domain::contract::{ClockRule, Facts, Information, Range, Tier};
use crate::domain::engines::{self, maker_breaker::Strength};
use crate::domain::error::{Illegal, RulesError};
use crate::domain::game::{Game, Outcome, Start};
use crate::domain::json::{self, Violation};
use crate::domain::pawns::Seat;
use crate::domain::thinking::{Analysis, Budget, HouseDraw};

/// Maker and Breaker.
pub struct MakerBreaker;

/// The game has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {}

impl Game for MakerBreaker {
    type Given = Options;
    type Options = Options;
    type Move = PlacementMove;
    type State = MakerBreakerState;
    type Body = MakerBreakerBody;

    fn facts(&self) -> Facts {
        Facts {
            id: "maker-breaker",
            name: "Maker and Breaker",
            summary: "Two boards and secret placements: make five in a row on yours in fewer rounds than they need on theirs.",
            rules_markdown: include_str!("rules.md"),
            guide_markdown: include_str!("guide.md"),
            tier: Tier::Ranked,
            colours: ["red", "blue"],
            games_per_set: 1,
            clock: ClockRule::PerRound { per_round_s: Range { min: 5, max: 600, default: 30 } },
            max_moves: u32::from(MAX_ROUNDS),
            information: Information::HiddenUntilReveal,
            tiebreak: "There is none beyond the rounds: equal results draw the set and split the pot.",
            house_levels: &["1", "2", "3", "seeded"],
            version: 1,
        }
    }

    fn resolve(&self, given: Options) -> Result<Options, Vec<Violation>> {
        Ok(given)
    }

    fn start(&self, _: &Options, _: &Start) -> Result<MakerBreakerState, RulesError> {
        Ok(MakerBreakerState::start())
    }

    fn to_act(&self, state: &MakerBreakerState) -> Vec<Seat> {
        Seat::BOTH.into_iter().filter(|&seat| state.acts(seat)).collect()
    }

    fn ply(&self, state: &MakerBreakerState) -> u32 {
        u32::from(state.rounds_played())
    }

    fn outcome(&self, state: &MakerBreakerState) -> Option<Outcome> {
        Some(match state.end()? {
            End::FewerRounds(winner) => Outcome { winner: Some(winner), reason: "fewer_rounds" },
            End::OnlyMade(winner) => Outcome { winner: Some(winner), reason: "only_made" },
            End::EqualRounds => Outcome { winner: None, reason: "equal_rounds" },
            End::BothHeld => Outcome { winner: None, reason: "both_held" },
        })
    }

    fn legal_moves(&self, state: &MakerBreakerState, seat: Seat) -> Vec<String> {
        state.legal(seat).into_iter().map(|placement| self.move_json(&placement.into())).collect()
    }

    fn check(&self, state: &MakerBreakerState, seat: Seat, mv: &PlacementMove) -> Result<(), Illegal> {
        let placement = Placement::from(*mv);
        let maker = state.target(seat);
        if let Some(piece) = state.board(maker).at(placement.spot) {
            let (row, col) = (placement.spot.row(), placement.spot.col());
            return Err(Illegal(format!(
                "[{row}, {col}] on board {maker} holds {} already; round {} is played on board {maker} for seat {seat}",
                piece.letter(),
                state.round()
            )));
        }
        if state.acts(seat) {
            return Ok(());
        }
        Err(Illegal(format!("board {maker} is done, so seat {seat} does not act in round {}", state.round())))
    }

    fn apply(&self, state: &MakerBreakerState, moves: &[(Seat, PlacementMove)]) -> Result<MakerBreakerState, Illegal> {
        let mut placements = [None; 2];
        for (seat, mv) in moves {
            self.check(state, *seat, mv)?;
            placements[seat.index()] = Some((*mv).into());
        }
        let whole = "exactly the seats that act in this round place a piece";
        state.play(placements).ok_or_else(|| Illegal(whole.to_owned()))
    }

    fn body(&self, state: &MakerBreakerState) -> MakerBreakerBody {
        MakerBreakerBody::of(state)
    }

    fn board_text(&self, state: &MakerBreakerState) -> String {
        let header = "   a b c d e f     ";
        let title = format!("   board 1{}board 2\n", " ".repeat(12));
        let rows = (0..SIDE).rev().map(|row| {
            let [one, two] = Seat::BOTH.map(|maker| marks(state.board(maker), row));
            format!("{:>2} {one} {:<2} {:>2} {two} {}\n", row + 1, row + 1, row + 1, row + 1)
        });
        title + &rows.collect::<String>() + (header.repeat(2)).trim_end()
    }

    fn notation(&self, _: &MakerBreakerState, _: Seat, mv: &PlacementMove) -> String {
        let Placement { spot, piece } = (*mv).into();
        format!("{}@{}{}", piece.letter(), char::from(b'a' + spot.col()), spot.row() + 1)
    }

    fn encode(&self, state: &MakerBreakerState) -> Vec<u8> {
        codec::encode(state)
    }

    fn decode(&self, bytes: &[u8]) -> Result<MakerBreakerState, String> {
        codec::decode(bytes)
    }

    fn example_move(&self, state: &MakerBreakerState) -> Option<PlacementMove> {
        state.legal(Seat::One).first().map(|&placement| placement.into())
    }

    fn analyse(&self, state: &MakerBreakerState, seat: Seat, budget: Budget<'_>) -> Option<Analysis<PlacementMove>> {
        engines::maker_breaker::analyse(state, seat, budget).map(|found| found.map(PlacementMove::from))
    }

    /// Choices follow from the position alone; the draw decides the strength of `seeded` and nothing else.
    fn choose(
        &self,
        state: &MakerBreakerState,
        seat: Seat,
        level: &str,
        draw: HouseDraw,
        _: &dyn Fn() -> bool,
    ) -> Option<PlacementMove> {
        let strength = Strength::of_level(level, &draw.seed).ok()?;
        engines::maker_breaker::choose(strength, state, seat).map(PlacementMove::from)
    }

    fn move_json(&self, mv: &PlacementMove) -> String {
        json::to_text(mv)
    }
}

fn marks(board: &Board, row: u8) -> String {
    let mark = |col| Spot::new(row, col).and_then(|spot| board.at(spot)).map_or('.', Piece::letter);
    (0..SIDE).map(|col| mark(col).to_string()).collect::<Vec<_>>().join(" ")
}

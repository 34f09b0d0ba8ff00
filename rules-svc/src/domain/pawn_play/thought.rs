//! Analysis of a pawn position, as every pawn game answers it.

use super::state::PawnState;
use crate::domain::engines;
use crate::domain::pawns::{PawnMove, Seat};
use crate::domain::search::Limits;
use crate::domain::thinking::{Analysis, Budget};

/// The best step of the seat whose turn it is; `None` for the other seat and after the end.
#[must_use]
pub fn analyse(state: &PawnState, seat: Seat, budget: Budget<'_>) -> Option<Analysis<PawnMove>> {
    if seat != state.next() {
        return None;
    }
    let limits = Limits::nodes(budget.max_nodes);
    let report = engines::pawns::analyze(&state.board, seat, limits, budget.should_stop)?;
    Some(Analysis { best: report.best, score: report.score.0, pv: report.pv, depth: report.depth, nodes: report.nodes })
}

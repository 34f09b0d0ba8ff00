//! How a game that a person played ended, in words.
//!
//! Not here: what the person has achieved in all, which rating-svc counts.

use crate::api::json::set::SetStatus;
use crate::pages::table::Table;
use crate::pages::words;

/// The end of a game.
pub(super) struct End {
    /// `won`, `lost`, `drawn` or `ended`.
    pub kind: &'static str,
    /// As a title.
    pub title: &'static str,
    /// What decided it.
    pub why: String,
    /// How many moves or rounds were played.
    pub length: String,
}

impl End {
    /// The end of the game at the table; none while it goes on.
    pub(super) fn of(table: &Table) -> Option<Self> {
        let things = if table.has_two_boards() { "round" } else { "move" };
        let length = words::count(table.last_ply, things);
        let Some(result) = &table.state.result else {
            let (kind, title) = ("ended", "The game was ended");
            let aborted = table.set.status == SetStatus::Aborted;
            return aborted.then(|| Self { kind, title, why: "It has no result.".to_owned(), length });
        };
        let (kind, title) = match result.winner {
            None => ("drawn", "A draw"),
            Some(seat) if table.seat == Some(seat) => ("won", "You won!"),
            Some(_) => ("lost", "You lost"),
        };
        let why = match (kind, result.reason.as_str()) {
            ("lost", "resignation") => "You resigned.".to_owned(),
            ("lost", "far_row") => "A pawn of theirs reached your back row.".to_owned(),
            ("won", "far_row") => "Your pawn reached the far row.".to_owned(),
            ("won", "no_pawns") => "You captured every pawn.".to_owned(),
            ("lost", "no_pawns") => "They captured every pawn.".to_owned(),
            (_, reason) => words::sentence(&words::reason(reason)),
        };
        Some(Self { kind, title, why, length })
    }
}

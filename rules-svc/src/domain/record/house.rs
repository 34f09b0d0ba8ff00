//! House bots in a record: their choices follow from seed, game, position and ply, so they can be made again.

use super::entry::{Kind, Participant, PlyEntry, SetEntry};
use super::history::Running;
use crate::domain::json::{self, Violation};
use crate::domain::pawns::Seat;
use crate::domain::seed::SetSeed;
use crate::domain::thinking::HouseDraw;

/// How the id of a house bot begins; its level follows.
const HOUSE_PREFIX: &str = "house:";

/// Makes every house bot's choice of a ply again.
///
/// # Errors
/// It chose otherwise, or its level is unknown.
pub(super) fn check(set: &SetEntry, running: &Running, entry: &PlyEntry) -> Result<(), Violation> {
    for (index, mv) in entry.moves.iter().enumerate() {
        let Some(seat) = Seat::from_number(mv.seat) else { continue };
        let Some(level) = level_of(seated(set, running, seat)) else { continue };
        let draw = HouseDraw { seed: SetSeed(set.seed.0), game_number: running.number };
        let at = |member: &str| format!("/moves/{index}/{member}");
        let chosen = running.position.choose(seat, level, draw, &|| false);
        let chosen = chosen.map_err(|fault| Violation::new(at("seat"), fault.to_string()))?;
        if chosen != json::canonical(&mv.value) {
            return Err(Violation::new(at("move"), format!("the house bot `{level}` chooses {chosen} here")));
        }
    }
    Ok(())
}

fn seated<'a>(set: &'a SetEntry, running: &Running, seat: Seat) -> &'a Participant {
    if seat == running.creator_seat { &set.creator } else { &set.acceptor }
}

fn level_of(participant: &Participant) -> Option<&str> {
    match participant.kind {
        Kind::House => participant.id.strip_prefix(HOUSE_PREFIX),
        Kind::Bot | Kind::Human => None,
    }
}

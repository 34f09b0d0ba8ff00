//! Standings and board entries as JSON: answers that are kept for replays, and rows of the cache. Fractions by their bits.

use farside_kit::time::UnixMs;
use serde::{Deserialize, Serialize};

use super::fault::StoreFault;
use crate::domain::board::Entry;
use crate::domain::glicko::Rating;
use crate::domain::ids::SetId;
use crate::domain::peaks::Peaks;
use crate::domain::set::{Participant, SetOrder};
use crate::domain::standing::{Rated, Standing, Tally};

#[derive(Serialize, Deserialize)]
struct StoredStanding {
    rating_bits: u64,
    deviation_bits: u64,
    volatility_bits: u64,
    wins: i64,
    draws: i64,
    losses: i64,
    won_points: i64,
    lost_points: i64,
    last: Option<(i64, SetId)>,
}

#[derive(Serialize, Deserialize)]
struct StoredEntry {
    participant: Participant,
    standing: StoredStanding,
    peaks: Peaks,
    version: i64,
}

#[derive(Serialize, Deserialize)]
struct StoredAnswer {
    creator: Option<StoredStanding>,
    acceptor: Option<StoredStanding>,
}

/// Writes the answer to a recorded set.
pub(super) fn write_answer(pair: Option<&(Standing, Standing)>) -> Result<String, StoreFault> {
    let (creator, acceptor) = pair.map(|(creator, acceptor)| (stored(creator), stored(acceptor))).unzip();
    super::json::write("answer", &StoredAnswer { creator, acceptor })
}

/// Reads the answer to a recorded set.
pub(super) fn read_answer(text: &str) -> Result<Option<(Standing, Standing)>, StoreFault> {
    let answer: StoredAnswer = super::json::read("answer", text)?;
    Ok(answer.creator.map(standing).zip(answer.acceptor.map(standing)))
}

/// Writes an entry of a board.
pub(super) fn write_entry(entry: &Entry) -> Result<String, StoreFault> {
    let stored = StoredEntry {
        participant: entry.participant.clone(),
        standing: stored(&entry.standing),
        peaks: entry.peaks.clone(),
        version: entry.version,
    };
    super::json::write("board entry", &stored)
}

/// Reads an entry of a board.
pub(super) fn read_entry(text: &str) -> Result<Entry, StoreFault> {
    let StoredEntry { participant, standing: stored, peaks, version } = super::json::read("board entry", text)?;
    Ok(Entry { participant, standing: standing(stored), peaks, version })
}

fn stored(standing: &Standing) -> StoredStanding {
    let Standing { rated: Rated { rating, .. }, tally, last } = standing;
    StoredStanding {
        rating_bits: rating.rating.to_bits(),
        deviation_bits: rating.deviation.to_bits(),
        volatility_bits: rating.volatility.to_bits(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        won_points: tally.won_points,
        lost_points: tally.lost_points,
        last: last.as_ref().map(|it| (it.finished_at.0, it.set.clone())),
    }
}

fn standing(stored: StoredStanding) -> Standing {
    let last = stored.last.map(|(at_ms, set)| SetOrder { finished_at: UnixMs(at_ms), set });
    let rating = Rating {
        rating: f64::from_bits(stored.rating_bits),
        deviation: f64::from_bits(stored.deviation_bits),
        volatility: f64::from_bits(stored.volatility_bits),
    };
    let tally = Tally {
        wins: stored.wins,
        draws: stored.draws,
        losses: stored.losses,
        won_points: stored.won_points,
        lost_points: stored.lost_points,
    };
    Standing { rated: Rated { rating, at: last.as_ref().map(|it| it.finished_at) }, tally, last }
}

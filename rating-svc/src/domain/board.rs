//! A game's leaderboard: bots only, best rating first, ties by earlier id; and which rows a further page may show.
//!
//! What pages promise, however ratings move while somebody pages:
//! - No participant is on two pages. Each page begins after the place at which the one before ended, and leaves out whoever
//!   may have stood before that place at any time since the first page was read ([`Peaks`]).
//! - Ranks count on from page to page, without gaps. A row's numbers are those of now.
//! - Who climbs past the place while somebody pages may be missing, as may who has been up there and come down. A fresh
//!   first page shows everybody again.
//! - A cursor lives for an hour ([`super::peaks::REMEMBERED`]) after its first page.

use std::cmp::Ordering;

use farside_kit::time::UnixMs;
use serde::{Deserialize, Serialize};

use super::glicko::Score;
use super::ids::{GameId, ParticipantId, ParticipantKind};
use super::peaks::{Peaks, REMEMBERED};
use super::set::{FinishedSet, Participant};
use super::standing::{Rated, Standing};

/// A place on a leaderboard. Places are in a total order; the best is the least.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Rating in points, by its bits: a place is compared exactly.
    rating_bits: u64,
    /// Who.
    pub id: ParticipantId,
}

impl Place {
    /// The place of this participant at this rating.
    #[must_use]
    pub const fn new(rating: f64, id: ParticipantId) -> Self {
        Self { rating_bits: rating.to_bits(), id }
    }

    /// Rating in points.
    #[must_use]
    pub const fn rating(&self) -> f64 {
        f64::from_bits(self.rating_bits)
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        other.rating().total_cmp(&self.rating()).then_with(|| self.id.cmp(&other.id))
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Place {}

/// A participant on a leaderboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Who.
    pub participant: Participant,
    /// How it stands.
    pub standing: Standing,
    /// Where it stood of late.
    pub peaks: Peaks,
    /// Grows with each change of the entry, so that of two copies the newer is known.
    pub version: i64,
}

impl Entry {
    /// With another rating from `now` on; the old one is remembered when a board may have shown it.
    #[must_use]
    pub fn rerated(mut self, rated: Rated, now: UnixMs) -> Self {
        let before = self.standing.rated.rating.rating;
        if self.version > 0 && before.to_bits() != rated.rating.rating.to_bits() {
            self.peaks = self.peaks.moved(now, before);
        }
        self.standing.rated = rated;
        self
    }

    /// With a set counted, and named as in the set when no later one is counted.
    #[must_use]
    pub fn counted(mut self, participant: &Participant, set: &FinishedSet, score: Score) -> Self {
        if self.standing.precedes(&set.order()) {
            self.participant = participant.clone();
        }
        self.standing = self.standing.counted(set, score);
        self
    }

    /// Whether it says the same of the same participant, whatever it was before.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.participant == other.participant && self.standing == other.standing
    }

    /// Whether it is listed at all: bots are.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        ParticipantKind::of(&self.participant.id) == Some(ParticipantKind::Bot)
    }

    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::new(self.standing.rated.rating.rating, self.participant.id.clone())
    }

    /// Whether a page after `after` may show it.
    #[must_use]
    pub fn may_follow(&self, after: &After) -> bool {
        let best = self.peaks.best_since(after.since, self.standing.rated.rating.rating);
        Place::new(best, self.participant.id.clone()) > after.place
    }
}

/// Where a page begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// The last place that the page before has shown.
    pub place: Place,
    /// The rank shown there.
    pub rank: u32,
    /// When the first page was read.
    pub since: UnixMs,
}

impl After {
    /// Whether the cursor may still be used at `now`.
    #[must_use]
    pub fn is_alive(&self, now: UnixMs) -> bool {
        (0..=REMEMBERED.0).contains(&now.since(self.since).0)
    }
}

/// What is asked of a leaderboard.
#[derive(Clone, Debug)]
pub struct PageQuery {
    /// Which game.
    pub game: GameId,
    /// Rows on the page, at least one.
    pub limit: usize,
    /// Where it begins; at the top when absent.
    pub after: Option<After>,
}

/// A row of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// From 1.
    pub rank: u32,
    /// Who, and how it stands.
    pub entry: Entry,
}

/// A page.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Best first.
    pub rows: Vec<Row>,
    /// Where the next page begins; nothing at the end.
    pub next: Option<After>,
}

/// Makes the page out of the entries that follow, of which one more than its limit shows that there is a next one. `read_at` is
/// the moment that the entries are of at the earliest.
#[must_use]
pub fn page(query: &PageQuery, mut entries: Vec<Entry>, read_at: UnixMs) -> Page {
    let (first, since) = query.after.as_ref().map_or((0, read_at), |after| (after.rank, after.since));
    let more = entries.len() > query.limit;
    entries.truncate(query.limit);
    let row = |(entry, rank)| Row { rank, entry };
    let rows: Vec<Row> = entries.into_iter().zip(first.saturating_add(1)..).map(row).collect();
    let next = rows.last().filter(|_| more).map(|row| After { place: row.entry.place(), rank: row.rank, since });
    Page { rows, next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_rating_comes_first_and_then_the_earlier_id() {
        let place = |rating, id: &str| Place::new(rating, ParticipantId::from_stored(id.to_owned()));
        let mut places = [place(1200.0, "bot_b"), place(1300.5, "bot_c"), place(1200.0, "bot_a"), place(-3.0, "bot_d")];
        places.sort();
        let ids: Vec<&str> = places.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["bot_c", "bot_a", "bot_b", "bot_d"]);
    }
}

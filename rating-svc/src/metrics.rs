//! What rating-svc counts. Labels are bounded: ways and sources, never ids or names.

use farside_kit::metrics::Metrics;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

use crate::store::How;

/// How a set came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelValue)]
enum Way {
    Replayed,
    Unrated,
    InOrder,
    Late,
}

/// Where the rows of a page came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(crate) enum Source {
    /// Redis.
    Cache,
    /// The database.
    Database,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WayLabel {
    way: Way,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SourceLabel {
    source: Source,
}

/// The metrics of rating-svc.
#[derive(Clone, Debug)]
pub(crate) struct RatingMetrics {
    sets: Family<WayLabel, Counter>,
    refolded: Counter,
    pages: Family<SourceLabel, Counter>,
    corrected: Counter,
}

impl RatingMetrics {
    /// Registers them all.
    pub(crate) fn register(metrics: &Metrics) -> Self {
        let part = metrics.sub_registry("farside_rating");
        Self {
            sets: part.register("sets", "Sets recorded, by how they came in", Family::default()),
            refolded: part.register(
                "refolded_sets",
                "Sets rated anew because an earlier one arrived late",
                Counter::default(),
            ),
            pages: part.register(
                "leaderboard_pages",
                "Leaderboard pages, by where their rows came from",
                Family::default(),
            ),
            corrected: part.register("corrected_standings", "Standings that a rebuild found wrong", Counter::default()),
        }
    }

    /// A set was recorded.
    pub(crate) fn recorded(&self, how: How) {
        let way = match how {
            How::Replayed => Way::Replayed,
            How::Unrated => Way::Unrated,
            How::InOrder => Way::InOrder,
            How::Late { refolded } => {
                self.refolded.inc_by(refolded as u64);
                Way::Late
            }
        };
        self.sets.get_or_create(&WayLabel { way }).inc();
    }

    /// A page was made.
    pub(crate) fn page(&self, source: Source) {
        self.pages.get_or_create(&SourceLabel { source }).inc();
    }

    /// A rebuild corrected so many standings.
    pub(crate) fn corrected(&self, standings: u64) {
        self.corrected.inc_by(standings);
    }
}

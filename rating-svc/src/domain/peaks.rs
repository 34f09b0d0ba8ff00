//! What a participant's rating was before each of its recent moves: just enough to tell the best place that it held at any
//! time since a given moment.
//!
//! A page of a leaderboard must not show again whom an earlier page has shown, although ratings move between the pages.
//! Whoever was shown since a moment stood, at some time since then, before the place where the next page begins. So the best
//! rating since that moment decides. Of the ratings before each move only those are kept that are above all later ones.

use farside_kit::time::{DurationMs, UnixMs};
use serde::{Deserialize, Serialize};

/// How long a move is remembered; cursors live as long.
pub const REMEMBERED: DurationMs = DurationMs(3_600_000);

/// The recent peaks of one rating, latest last: the end of each in milliseconds, and the rating by its bits, since places are
/// compared exactly and decimals may not come back as they were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Peaks(Vec<(i64, u64)>);

impl Peaks {
    /// Notes that at `now` the rating moved away from `before`, and forgets what is too old to matter.
    #[must_use]
    pub fn moved(mut self, now: UnixMs, before: f64) -> Self {
        let horizon = now.minus(REMEMBERED).minus(MARGIN).0;
        self.0.retain(|(at_ms, peak)| *at_ms >= horizon && f64::from_bits(*peak) > before);
        self.0.push((now.0, before.to_bits()));
        self
    }

    /// The best rating held at any time since `moment`, being `current` now.
    #[must_use]
    pub fn best_since(&self, moment: UnixMs, current: f64) -> f64 {
        let horizon = moment.minus(MARGIN).0;
        self.0
            .iter()
            .filter(|(at_ms, _)| *at_ms >= horizon)
            .fold(current, |best, (_, peak)| best.max(f64::from_bits(*peak)))
    }
}

/// How far the stamp of a move may lie before the moment at which readers see it: the time to commit, and the difference of
/// two machines' clocks. Who fell within so short a time before a first page may be missing on the pages after it.
const MARGIN: DurationMs = DurationMs(5_000);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_rating_that_fell_is_remembered_at_its_peak() {
        let peaks = Peaks::default().moved(UnixMs(100_000), 1500.0).moved(UnixMs(200_000), 1400.0);
        assert_eq!(peaks.best_since(UnixMs(90_000), 1300.0).to_bits(), 1500.0_f64.to_bits());
        assert_eq!(peaks.best_since(UnixMs(150_000), 1300.0).to_bits(), 1400.0_f64.to_bits());
        assert_eq!(peaks.best_since(UnixMs(210_000), 1300.0).to_bits(), 1300.0_f64.to_bits());
    }

    #[test]
    fn a_rating_that_rises_for_long_keeps_one_entry() {
        let rising = (0..1000)
            .fold(Peaks::default(), |it, step| it.moved(UnixMs(step * 10), f64::from(i32::try_from(step).unwrap())));
        assert_eq!(rising.0.len(), 1);
    }

    proptest! {
        #[test]
        fn the_best_is_never_below_what_was_held(
            moves in proptest::collection::vec((0_i64..600_000, 1000_i32..1010), 1..60), asked in 0_i64..4_000_000,
        ) {
            let (mut now, mut peaks, mut held) = (0, Peaks::default(), Vec::new());
            for (wait_ms, before) in moves {
                now += wait_ms;
                held.push((now, f64::from(before)));
                peaks = peaks.moved(UnixMs(now), f64::from(before));
            }
            prop_assume!(asked >= now - REMEMBERED.0);
            let expected = held.iter().filter(|(at, _)| *at >= asked - MARGIN.0).fold(900.0_f64, |best, it| best.max(it.1));
            prop_assert_eq!(peaks.best_since(UnixMs(asked), 900.0).to_bits(), expected.to_bits());
        }
    }
}

//! When the platform could not have accepted a move: gaps between beats. Not here: who beats, where beats are kept.

use farside_kit::time::{DurationMs, UnixMs};

/// Time between two proofs that a move could be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The last proof before it.
    pub from: UnixMs,
    /// The first proof after it.
    pub to: UnixMs,
}

/// When a gap counts, and when it is too long to go on.
#[derive(Clone, Copy, Debug)]
pub struct OutagePolicy {
    /// Gaps up to here are ordinary jitter.
    pub tolerated: DurationMs,
    /// Timed sets are aborted after a longer one.
    pub abort_after: DurationMs,
}

impl OutagePolicy {
    /// The outage between two proofs; none when they are close enough.
    #[must_use]
    pub fn between(&self, last: UnixMs, now: UnixMs) -> Option<Outage> {
        (now.since(last) > self.tolerated).then_some(Outage { from: last, to: now })
    }

    /// Whether timed sets end by this outage.
    #[must_use]
    pub fn aborts(&self, outage: Outage) -> bool {
        outage.to.since(outage.from) > self.abort_after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_gap_beyond_jitter_is_an_outage() {
        let policy = OutagePolicy { tolerated: DurationMs(2_000), abort_after: DurationMs(600_000) };
        assert_eq!(policy.between(UnixMs(1_000), UnixMs(3_000)), None);
        let outage = policy.between(UnixMs(1_000), UnixMs(3_001));
        assert_eq!(outage, Some(Outage { from: UnixMs(1_000), to: UnixMs(3_001) }));
        assert!(!policy.aborts(Outage { from: UnixMs(0), to: UnixMs(600_000) }));
        assert!(policy.aborts(Outage { from: UnixMs(0), to: UnixMs(600_001) }));
    }
}

//! The generic cell rate algorithm as pure arithmetic: one moment is all that is kept of a subject.
//!
//! The moment is when the subject's allowance would be whole again. Each request moves it on by the interval; a request
//! that would move it further than the burst allows is refused. Not here: where the moments are kept.

/// How much of something a subject may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Names the quota in headers and storage.
    pub name: &'static str,
    /// Microseconds after which one more request is allowed.
    pub interval_us: i64,
    /// Requests that may come at once.
    pub burst: u32,
}

/// Whether a request is allowed, and what is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the request is allowed.
    pub allowed: bool,
    /// Requests that may follow at once.
    pub remaining: u32,
    /// Milliseconds until the next request is allowed; 0 when it is now.
    pub retry_after_ms: i64,
    /// Milliseconds until the allowance is whole again.
    pub reset_ms: i64,
}

impl Quota {
    /// So many requests each second.
    #[must_use]
    pub fn per_second(name: &'static str, rate: u32, burst: u32) -> Self {
        Self { name, interval_us: 1_000_000 / i64::from(rate.max(1)), burst }
    }

    /// One request each interval.
    #[must_use]
    pub fn every_ms(name: &'static str, interval_ms: u32, burst: u32) -> Self {
        Self { name, interval_us: i64::from(interval_ms) * 1_000, burst }
    }

    /// How far ahead the moment may lie: the burst, in microseconds.
    #[must_use]
    pub fn capacity_us(&self) -> i64 {
        self.interval_us * i64::from(self.burst)
    }

    /// Seconds in which the whole burst comes back, rounded up.
    #[must_use]
    pub fn window_s(&self) -> i64 {
        (self.capacity_us() + 999_999) / 1_000_000
    }

    /// Decides on a request at `now_us`, when the allowance would be whole at `whole_at_us`. Returns the moment to keep.
    #[must_use]
    pub fn decide(&self, whole_at_us: Option<i64>, now_us: i64) -> (Verdict, i64) {
        let before = whole_at_us.unwrap_or(now_us).clamp(now_us, now_us + self.capacity_us());
        let after = before + self.interval_us;
        let over_us = after - now_us - self.capacity_us();
        let kept = if over_us > 0 { before } else { after };
        (self.verdict(kept - now_us, over_us), kept)
    }

    /// What a subject may still do, with this much of its capacity used, after a request that was over by so much.
    #[must_use]
    pub fn verdict(&self, used_us: i64, over_us: i64) -> Verdict {
        let left = (self.capacity_us() - used_us) / self.interval_us.max(1);
        Verdict {
            allowed: over_us <= 0,
            remaining: u32::try_from(left).unwrap_or(0),
            retry_after_ms: if over_us > 0 { (over_us + 999) / 1_000 } else { 0 },
            reset_ms: (used_us + 999) / 1_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const QUOTA: Quota = Quota { name: "test", interval_us: 10_000, burst: 5 };

    #[test]
    fn a_burst_is_allowed_and_then_one_each_interval() {
        let (mut kept, now_us) = (None, 1_000_000);
        for left in (0..5).rev() {
            let (verdict, after) = QUOTA.decide(kept, now_us);
            assert_eq!((verdict.allowed, verdict.remaining), (true, left));
            kept = Some(after);
        }
        let (refused, after) = QUOTA.decide(kept, now_us);
        assert_eq!((refused.allowed, refused.retry_after_ms), (false, 10));
        assert_eq!(Some(after), kept, "a refused request uses nothing up");
        assert!(QUOTA.decide(kept, now_us + 10_000).0.allowed);
        assert!(!QUOTA.decide(kept, now_us + 9_999).0.allowed);
    }

    proptest! {
        #[test]
        fn no_run_of_requests_exceeds_rate_and_burst(gaps in prop::collection::vec(0_i64..30_000, 1..200)) {
            let (mut kept, mut now_us, mut allowed) = (None, 0_i64, 0_i64);
            for gap in gaps {
                now_us += gap;
                let (verdict, after) = QUOTA.decide(kept, now_us);
                kept = Some(after);
                allowed += i64::from(verdict.allowed);
                prop_assert!(allowed <= 5 + now_us / QUOTA.interval_us);
                prop_assert!(verdict.remaining <= QUOTA.burst);
            }
        }

        #[test]
        fn waiting_as_long_as_told_is_enough(used in 0_u32..20) {
            let mut kept = None;
            for _ in 0..used {
                kept = Some(QUOTA.decide(kept, 0).1);
            }
            let (verdict, after) = QUOTA.decide(kept, 0);
            if !verdict.allowed {
                prop_assert!(QUOTA.decide(Some(after), verdict.retry_after_ms * 1_000).0.allowed);
            }
        }
    }
}

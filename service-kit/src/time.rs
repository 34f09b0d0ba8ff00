//! Moments and durations in whole milliseconds, and the one place that reads the machine's clock.
//!
//! Not here: calendars, text forms, timers. Domain code takes [`UnixMs`] as an argument and never asks a clock.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A moment: milliseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMs(pub i64);

/// A length of time in milliseconds; negative when it points back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DurationMs(pub i64);

impl UnixMs {
    /// The moment `duration` later; sticks at the ends of the range.
    #[must_use]
    pub const fn plus(self, duration: DurationMs) -> Self {
        Self(self.0.saturating_add(duration.0))
    }

    /// The moment `duration` earlier; sticks at the ends of the range.
    #[must_use]
    pub const fn minus(self, duration: DurationMs) -> Self {
        Self(self.0.saturating_sub(duration.0))
    }

    /// The time that has passed since `earlier`; negative when `earlier` lies ahead.
    #[must_use]
    pub const fn since(self, earlier: Self) -> DurationMs {
        DurationMs(self.0.saturating_sub(earlier.0))
    }
}

impl DurationMs {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// `seconds` as milliseconds; sticks at the ends of the range.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1_000))
    }

    /// The sum; sticks at the ends of the range.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference; sticks at the ends of the range.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// For timers: the same length as a standard duration, nothing when negative.
    #[must_use]
    pub const fn to_std(self) -> std::time::Duration {
        std::time::Duration::from_millis(if self.0 < 0 { 0 } else { self.0.unsigned_abs() })
    }
}

impl fmt::Display for UnixMs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for DurationMs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

/// Tells the time. Shells hold one; domains are told.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The present moment.
    fn now(&self) -> UnixMs;
}

/// A clock that several parts of a program share.
pub type SharedClock = Arc<dyn Clock>;

/// The machine's clock. It never goes back while the process lives: when the machine's time is set back, it stands still
/// until the old time is reached again, so that no player's clock gains time by it.
#[derive(Debug, Default)]
pub struct SystemClock {
    latest_ms: AtomicI64,
}

impl SystemClock {
    /// A shared handle on the machine's clock.
    #[must_use]
    pub fn shared() -> SharedClock {
        Arc::new(Self::default())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> UnixMs {
        let now_ms = machine_ms();
        UnixMs(self.latest_ms.fetch_max(now_ms, Ordering::Relaxed).max(now_ms))
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
fn machine_ms() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// A monotonic stopwatch for measurements; never for decisions of a game.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(std::time::Instant);

impl Stopwatch {
    /// Starts measuring.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the monotonic clock")]
    pub fn start() -> Self {
        Self(std::time::Instant::now())
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> std::time::Duration {
        self.0.elapsed()
    }
}

/// A clock that stands still until it is told to move.
#[derive(Debug, Default)]
pub struct ManualClock {
    now_ms: AtomicI64,
}

impl ManualClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn at(now: UnixMs) -> Arc<Self> {
        Arc::new(Self { now_ms: AtomicI64::new(now.0) })
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: DurationMs) {
        self.now_ms.fetch_add(by.0, Ordering::SeqCst);
    }

    /// Puts the clock at `now`.
    pub fn set(&self, now: UnixMs) {
        self.now_ms.store(now.0, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> UnixMs {
        UnixMs(self.now_ms.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_sticks_at_the_ends_of_the_range() {
        assert_eq!(UnixMs(i64::MAX).plus(DurationMs(1)), UnixMs(i64::MAX));
        assert_eq!(UnixMs(i64::MIN).minus(DurationMs(1)), UnixMs(i64::MIN));
        assert_eq!(UnixMs(5).since(UnixMs(8)), DurationMs(-3));
        assert_eq!(DurationMs(-7).to_std(), std::time::Duration::ZERO);
    }

    #[test]
    fn the_system_clock_never_goes_back() {
        let clock = SystemClock { latest_ms: AtomicI64::new(i64::MAX) };
        assert_eq!(clock.now(), UnixMs(i64::MAX));
    }

    #[test]
    fn a_manual_clock_moves_only_when_told() {
        let clock = ManualClock::at(UnixMs(100));
        assert_eq!(clock.now(), UnixMs(100));
        clock.advance(DurationMs::from_seconds(2));
        assert_eq!(clock.now(), UnixMs(2_100));
        clock.set(UnixMs(7));
        assert_eq!(clock.now(), UnixMs(7));
    }
}

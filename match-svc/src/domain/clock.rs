//! Clocks as values: what a move is charged, when a flag falls, what an outage gives back. Integer milliseconds.
//! Not here: reading the time, waiting for it, or which replica may commit a flag.

use farside_kit::time::{DurationMs, UnixMs};
use serde::{Deserialize, Serialize};

use super::ids::Seat;

/// How far back a gateway's stamp is trusted.
pub const TRUSTED_BACK: DurationMs = DurationMs(2_000);

/// A clock setting of a set. Untimed practice has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockSetting {
    /// A budget for each seat with an increment after each move.
    Fischer {
        /// Seconds at the start.
        initial_s: u32,
        /// Seconds added after a move.
        increment_s: u32,
        /// Seconds for a seat's first move.
        first_move_s: u32,
    },
    /// One deadline for every round.
    PerRound {
        /// Seconds for a round.
        per_round_s: u32,
    },
}

/// Whose time runs in a Fischer game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// Who is to move.
    pub seat: Seat,
    /// Since when its time runs: milliseconds since the Unix epoch.
    pub since_ms: i64,
}

/// A game's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// A budget for each seat.
    Fischer {
        /// What each seat has left, by seat index.
        remaining_ms: [i64; 2],
        /// Whether each seat has made its first move.
        moved: [bool; 2],
        /// Added after a move in time.
        increment_ms: i64,
        /// For a seat's first move.
        first_move_ms: i64,
        /// None when nobody's time runs.
        running: Option<Running>,
    },
    /// One deadline for each round.
    PerRound {
        /// Length of a round.
        round_ms: i64,
        /// When the running round began; none when no round runs.
        since_ms: Option<i64>,
    },
}

/// Why a flag falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagReason {
    /// The budget or the round is used up.
    Timeout,
    /// The first move was not made.
    FirstMoveTimeout,
}

impl FlagReason {
    /// As a game's result names it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::FirstMoveTimeout => "first_move_timeout",
        }
    }
}

/// The two moments of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyTimes {
    /// Up to when thinking is charged.
    pub received: UnixMs,
    /// From when the next turn is charged: not before `received`, nor before anything logged earlier.
    pub next_turn: UnixMs,
}

/// A move came after its deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late;

/// The moment that a move counts as received: the gateway's stamp, trusted a little way back and never ahead of `now`.
#[must_use]
pub fn charged_at(received_at: Option<UnixMs>, now: UnixMs) -> UnixMs {
    received_at.map_or(now, |stamp| stamp.min(now).max(now.minus(TRUSTED_BACK)))
}

impl Clock {
    /// The clock of a game that begins at `now` with these seats to act.
    #[must_use]
    pub fn start(setting: ClockSetting, to_act: &[Seat], now: UnixMs) -> Self {
        match setting {
            ClockSetting::Fischer { initial_s, increment_s, first_move_s } => Self::Fischer {
                remaining_ms: [seconds_ms(initial_s); 2],
                moved: [false; 2],
                increment_ms: seconds_ms(increment_s),
                first_move_ms: seconds_ms(first_move_s),
                running: to_act.first().map(|&seat| Running { seat, since_ms: now.0 }),
            },
            ClockSetting::PerRound { per_round_s } => {
                Self::PerRound { round_ms: seconds_ms(per_round_s), since_ms: Some(now.0) }
            }
        }
    }

    /// The moment up to which, inclusive, a move is in time; none when nobody's time runs.
    #[must_use]
    pub fn deadline(&self) -> Option<UnixMs> {
        match *self {
            Self::Fischer { running, .. } => {
                running.map(|Running { seat, since_ms }| UnixMs(since_ms).plus(self.allowance(seat)))
            }
            Self::PerRound { round_ms, since_ms } => since_ms.map(|since| UnixMs(since).plus(DurationMs(round_ms))),
        }
    }

    fn allowance(&self, seat: Seat) -> DurationMs {
        match *self {
            Self::Fischer { remaining_ms, moved, first_move_ms, .. } => {
                DurationMs(if moved[seat.index()] { remaining_ms[seat.index()] } else { first_move_ms })
            }
            Self::PerRound { round_ms, .. } => DurationMs(round_ms),
        }
    }

    /// Why the flag of `seat` would fall at the deadline.
    #[must_use]
    pub fn flag_reason(&self, seat: Seat) -> FlagReason {
        match self {
            Self::Fischer { moved, .. } if !moved[seat.index()] => FlagReason::FirstMoveTimeout,
            Self::Fischer { .. } | Self::PerRound { .. } => FlagReason::Timeout,
        }
    }

    /// Whether something received at `at` is in time: elapsed ≤ remaining.
    #[must_use]
    pub fn is_in_time(&self, at: UnixMs) -> bool {
        self.deadline().is_none_or(|deadline| at <= deadline)
    }

    /// The clock after a ply, with `next` to act; `next` is empty when the ply ended the game.
    ///
    /// # Errors
    ///
    /// [`Late`] when it was received after the deadline.
    pub fn after_ply(&self, times: PlyTimes, next: &[Seat]) -> Result<Self, Late> {
        if !self.is_in_time(times.received) {
            return Err(Late);
        }
        Ok(match *self {
            Self::Fischer { running: Some(running), .. } => self.after_move(running, times, next),
            Self::Fischer { .. } => *self,
            Self::PerRound { round_ms, .. } => {
                Self::PerRound { round_ms, since_ms: (!next.is_empty()).then_some(times.next_turn.0) }
            }
        })
    }

    fn after_move(self, running: Running, times: PlyTimes, next: &[Seat]) -> Self {
        let Self::Fischer { mut remaining_ms, mut moved, increment_ms, first_move_ms, .. } = self else {
            return self;
        };
        let index = running.seat.index();
        if moved[index] {
            let elapsed_ms = (times.received.0 - running.since_ms).max(0);
            let earned_ms = if next.is_empty() { 0 } else { increment_ms };
            remaining_ms[index] = (remaining_ms[index] - elapsed_ms).max(0) + earned_ms;
        }
        moved[index] = true;
        let running = next.first().map(|&seat| Running { seat, since_ms: times.next_turn.0 });
        Self::Fischer { remaining_ms, moved, increment_ms, first_move_ms, running }
    }

    /// The clock after the flag of whoever's time runs has fallen. A first-move timeout leaves the budget alone.
    #[must_use]
    pub fn flagged(self) -> Self {
        match self {
            Self::Fischer { mut remaining_ms, moved, increment_ms, first_move_ms, running } => {
                if let Some(Running { seat, .. }) = running
                    && moved[seat.index()]
                {
                    remaining_ms[seat.index()] = 0;
                }
                Self::Fischer { remaining_ms, moved, increment_ms, first_move_ms, running: None }
            }
            Self::PerRound { .. } => self.stopped(None),
        }
    }

    /// The clock of a game that ended otherwise (resignation, abort) at `at`: what has run is charged.
    #[must_use]
    pub fn stopped(self, at: Option<UnixMs>) -> Self {
        match self {
            Self::Fischer { mut remaining_ms, moved, increment_ms, first_move_ms, running } => {
                if let (Some(Running { seat, since_ms }), Some(at)) = (running, at)
                    && moved[seat.index()]
                {
                    let left_ms = remaining_ms[seat.index()] - (at.0 - since_ms).max(0);
                    remaining_ms[seat.index()] = left_ms.max(0);
                }
                Self::Fischer { remaining_ms, moved, increment_ms, first_move_ms, running: None }
            }
            Self::PerRound { round_ms, .. } => Self::PerRound { round_ms, since_ms: None },
        }
    }

    /// Gives back the part of an outage from `from` to `to` in which this clock ran; none when it gives nothing.
    #[must_use]
    pub fn credited(&self, from: UnixMs, to: UnixMs) -> Option<(Self, DurationMs)> {
        let since_ms = match *self {
            Self::Fischer { running, .. } => running?.since_ms,
            Self::PerRound { since_ms, .. } => since_ms?,
        };
        let credit_ms = to.0.saturating_sub(from.0.max(since_ms));
        (credit_ms > 0).then(|| (self.shifted(credit_ms), DurationMs(credit_ms)))
    }

    fn shifted(self, by_ms: i64) -> Self {
        match self {
            Self::Fischer { remaining_ms, moved, increment_ms, first_move_ms, running } => {
                let shift = |running: Running| Running { since_ms: running.since_ms + by_ms, ..running };
                Self::Fischer { remaining_ms, moved, increment_ms, first_move_ms, running: running.map(shift) }
            }
            Self::PerRound { round_ms, since_ms } => {
                Self::PerRound { round_ms, since_ms: since_ms.map(|since| since + by_ms) }
            }
        }
    }

    /// What each seat has left as of the last event, by seat index; none when there is no budget.
    #[must_use]
    pub const fn remaining_ms(&self) -> Option<[i64; 2]> {
        match self {
            Self::Fischer { remaining_ms, .. } => Some(*remaining_ms),
            Self::PerRound { .. } => None,
        }
    }
}

const fn seconds_ms(seconds: u32) -> i64 {
    DurationMs::from_seconds(seconds as i64).0
}

#[cfg(test)]
#[path = "clock_tests.rs"]
mod tests;

//! Counting wins, and how far the true share may be from the one seen.

use std::fmt;

/// 97.5 % quantile of the normal distribution: an interval of two such sides holds 95 %.
const Z: f64 = 1.96;

/// Games won by A out of those played. There are no draws in Breakthrough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    won: u32,
    played: u32,
}

impl Tally {
    pub(super) fn add(&mut self, won: bool) {
        self.won += u32::from(won);
        self.played += 1;
    }

    /// The Wilson score interval: shares of wins that the games seen do not speak against.
    fn interval(self) -> (f64, f64) {
        let n = f64::from(self.played.max(1));
        let share = f64::from(self.won) / n;
        let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        ((middle - half).max(0.0), (middle + half).min(1.0))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval();
        let share = 100.0 * f64::from(self.won) / f64::from(self.played.max(1));
        let (low, high) = (100.0 * low, 100.0 * high);
        write!(f, "{}/{} = {share:.1} % (95 %: {low:.1} to {high:.1} %)", self.won, self.played)
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn the_interval_holds_the_share_and_stays_within_bounds() {
        let text = Tally { won: 80, played: 100 }.to_string();
        assert_eq!(text, "80/100 = 80.0 % (95 %: 71.1 to 86.7 %)");
        assert_eq!(Tally { won: 4, played: 4 }.to_string(), "4/4 = 100.0 % (95 %: 51.0 to 100.0 %)");
    }
}

//! What was measured, and how it is printed. Latencies are kept one by one and sorted: exact, without buckets.

use std::time::Duration;

/// Latencies of one window.
#[derive(Debug, Default)]
pub struct Latencies(Vec<u32>);

impl Latencies {
    /// From microseconds in any order.
    pub fn new(mut micros: Vec<u32>) -> Self {
        micros.sort_unstable();
        Self(micros)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The latency in milliseconds that this share of all does not exceed.
    pub fn at_ms(&self, share: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        let index = ((self.0.len() as f64 * share) as usize).min(last);
        self.0.get(index).map_or(f64::NAN, |micros| f64::from(*micros) / 1_000.0)
    }
}

/// Microseconds of a latency.
pub fn micros(latency: Duration) -> u32 {
    u32::try_from(latency.as_micros()).unwrap_or(u32::MAX)
}

/// One window under load.
#[derive(Debug)]
pub struct Sample {
    /// Of the moves that were answered in it.
    pub latencies: Latencies,
    /// How long it was.
    pub window: Duration,
    /// Processor time in it, by who used it.
    pub used: Vec<(&'static str, Duration)>,
}

impl Sample {
    /// Windows that were taken in turns with others, as one.
    pub fn joined(samples: Vec<Self>) -> Self {
        let window = samples.iter().map(|sample| sample.window).sum();
        let mut used: Vec<(&'static str, Duration)> = Vec::new();
        for (name, time) in samples.iter().flat_map(|sample| &sample.used) {
            match used.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += *time,
                None => used.push((name, *time)),
            }
        }
        let latencies = samples.into_iter().flat_map(|sample| sample.latencies.0).collect();
        Self { latencies: Latencies::new(latencies), window, used }
    }

    /// Moves answered each second.
    pub fn per_second(&self) -> f64 {
        self.latencies.count() as f64 / self.window.as_secs_f64()
    }

    /// Processor time for each move in microseconds, of everyone that `counts` names.
    pub fn micros_per_move(&self, counts: impl Fn(&str) -> bool) -> f64 {
        let used: Duration = self.used.iter().filter(|(name, _)| counts(name)).map(|(_, used)| *used).sum();
        used.as_secs_f64() * 1e6 / self.latencies.count().max(1) as f64
    }

    /// Prints a row of the table of [`print_head`].
    pub fn print(&self, what: &str) {
        let [p50, p99, p999] = [0.5, 0.99, 0.999].map(|share| self.latencies.at_ms(share));
        let each = self.used.iter().map(|(name, _)| format!("{name} {:.0}", self.micros_per_move(|who| who == *name)));
        let each = each.collect::<Vec<_>>().join(", ");
        println!("| {what} | {:.0} | {p50:.1} | {p99:.1} | {p999:.1} | {each} |", self.per_second());
    }
}

/// Prints the head of a table of samples.
pub fn print_head(title: &str) {
    println!(
        "\n{title}\n\n| what | moves/s | p50 ms | p99 ms | p99.9 ms | CPU for each move, µs |\n|---|---|---|---|---|---|"
    );
}

//! What a process uses of its machine, and what its runtime is busy with, read anew with every scrape.
//!
//! The names are those that dashboards of other programs know. Not here: anything about a service. Where there is no
//! `/proc`, what is read from it is missing, and the rest is there.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Unit;
use tokio::runtime::Handle;

use super::Metrics;
use crate::admin::Readiness;
use crate::time::UnixMs;

/// Ticks per second in `/proc/self/stat`: part of Linux's interface to programs, whatever the kernel itself counts in.
const TICKS_PER_SECOND: u64 = 100;

/// Registers the metrics of this process: memory, processor time, files, the runtime behind `runtime`, the checks of
/// `readiness`, and the version.
pub(crate) fn register(metrics: &Metrics, runtime: Handle, readiness: Readiness, started: UnixMs) {
    metrics.with_registry(|registry| {
        let version = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("farside_build", "The version of this program", version);
        registry.register_collector(Box::new(ProcessCollector { started }));
        registry.register_collector(Box::new(RuntimeCollector { runtime }));
        registry.register_collector(Box::new(ReadinessCollector { readiness }));
    });
}

/// Writes one metric with its description.
fn put(
    encoder: &mut DescriptorEncoder<'_>,
    (name, help, unit): (&str, &str, Option<&Unit>),
    metric: &impl EncodeMetric,
) -> fmt::Result {
    metric.encode(encoder.encode_descriptor(name, help, unit, metric.metric_type())?)
}

#[derive(Debug)]
struct ProcessCollector {
    started: UnixMs,
}

impl Collector for ProcessCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let to = &mut encoder;
        let started = ("process_start_time", "When this process began", Some(&Unit::Seconds));
        put(to, started, &ConstGauge::new(self.started.0 / 1_000))?;
        if let Some(seconds) = std::fs::read_to_string("/proc/self/stat").ok().and_then(|stat| cpu_seconds(&stat)) {
            put(to, ("process_cpu", "Processor time used", Some(&Unit::Seconds)), &ConstCounter::new(seconds))?;
        }
        if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
            if let Some(kib) = number_after(&status, "VmRSS:") {
                let resident = ("process_resident_memory", "Memory in use", Some(&Unit::Bytes));
                put(to, resident, &ConstGauge::new(kib.saturating_mul(1_024)))?;
            }
            if let Some(threads) = number_after(&status, "Threads:") {
                put(to, ("process_threads", "Threads", None), &ConstGauge::new(threads))?;
            }
        }
        if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
            let open = i64::try_from(files.count()).unwrap_or(i64::MAX);
            put(to, ("process_open_fds", "Files and sockets open", None), &ConstGauge::new(open))?;
        }
        match std::fs::read_to_string("/proc/self/limits") {
            Ok(limits) => match number_after(&limits, "Max open files") {
                Some(most) => put(to, ("process_max_fds", "Files that may be open", None), &ConstGauge::new(most)),
                None => Ok(()),
            },
            Err(_) => Ok(()),
        }
    }
}

/// User and system time from `/proc/self/stat`. The program's name, in brackets, may itself contain blanks and brackets.
fn cpu_seconds(stat: &str) -> Option<f64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (fields.next()?.ok()?, fields.next()?.ok()?);
    #[expect(clippy::cast_precision_loss, reason = "exact for 2^53 ticks, which are millions of years")]
    Some((user + system) as f64 / TICKS_PER_SECOND as f64)
}

/// The first number in the line that begins with `name`.
fn number_after(text: &str, name: &str) -> Option<i64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[derive(Debug)]
struct RuntimeCollector {
    runtime: Handle,
}

impl Collector for RuntimeCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let metrics = self.runtime.metrics();
        let gauge = |number: usize| ConstGauge::new(i64::try_from(number).unwrap_or(i64::MAX));
        let workers = metrics.num_workers();
        let busy: f64 = (0..workers).map(|worker| metrics.worker_total_busy_duration(worker).as_secs_f64()).sum();
        let to = &mut encoder;
        put(to, ("tokio_workers", "Threads that run tasks", None), &gauge(workers))?;
        put(to, ("tokio_alive_tasks", "Tasks that have not ended", None), &gauge(metrics.num_alive_tasks()))?;
        let waiting = ("tokio_global_queue_depth", "Tasks that wait for any thread", None);
        put(to, waiting, &gauge(metrics.global_queue_depth()))?;
        let busy_name = ("tokio_worker_busy", "Time in which threads ran tasks", Some(&Unit::Seconds));
        put(to, busy_name, &ConstCounter::new(busy))
    }
}

#[derive(Debug)]
struct ReadinessCollector {
    readiness: Readiness,
}

impl Collector for ReadinessCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let help = "Whether a check of /readyz holds";
        let kind = prometheus_client::metrics::MetricType::Gauge;
        let mut family = encoder.encode_descriptor("farside_ready", help, None, kind)?;
        for (check, holds) in self.readiness.report().checks {
            let labels = [("check", check)];
            ConstGauge::new(i64::from(holds)).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_read_behind_any_name() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194304 99 0 0 0 150 50 0 0 20 0 3 0 100 1 2";
        assert_eq!(cpu_seconds(stat), Some(2.0));
        assert_eq!(cpu_seconds("7 (a) S"), None);
    }

    #[tokio::test]
    async fn a_process_tells_of_itself() {
        let (metrics, readiness) = (Metrics::new(), Readiness::new());
        readiness.register("database").set(true);
        register(&metrics, Handle::current(), readiness, UnixMs(5_000));
        let text = metrics.encode();
        for line in
            ["process_start_time_seconds 5", "farside_ready{check=\"database\"} 1", "farside_build_info{version="]
        {
            assert!(text.contains(line), "{line} in {text}");
        }
        for name in ["process_cpu_seconds_total ", "process_resident_memory_bytes ", "tokio_worker_busy_seconds_total "]
        {
            assert!(text.contains(name), "{name} in {text}");
        }
    }
}

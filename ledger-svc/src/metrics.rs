//! What the ledger tells about itself.
//!
//! Not here: RPC metrics; the kit's server has them. Labels are bounded: kinds, outcomes and configured currencies.

use std::sync::atomic::AtomicU64;

use farside_kit::fault::Fault as _;
use farside_kit::metrics::{Metrics, TracedHistogram, latency_histogram, observe};
use farside_kit::time::Stopwatch;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Unit;

use crate::domain::answer::Outcome;
use crate::domain::audit::{Report, Totals};
use crate::domain::posting::Posting;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PostingLabels {
    kind: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CurrencyLabels {
    currency: String,
}

type ByCurrency = Family<CurrencyLabels, Gauge>;

/// The ledger's instruments. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LedgerMetrics {
    postings: Family<PostingLabels, Counter<u64, AtomicU64>>,
    waiting_postings: Gauge,
    batch_postings: Histogram,
    commit: TracedHistogram,
    imbalance: ByCurrency,
    escrowed: ByCurrency,
    posted: ByCurrency,
    fees: ByCurrency,
    violations: Gauge,
    audited_at: Gauge,
}

impl LedgerMetrics {
    /// Registers all instruments.
    #[must_use]
    pub fn register(metrics: &Metrics) -> Self {
        let part = metrics.sub_registry("farside_ledger");
        let batch_postings = Histogram::new(exponential_buckets(1.0, 2.0, 9));
        let by_currency = |name: &str, help: &str| part.register(name, help, ByCurrency::default());
        Self {
            postings: part.register("postings", "Postings answered, by kind and outcome", Family::default()),
            waiting_postings: part.register(
                "waiting_postings",
                "Postings that wait for their answer",
                Gauge::default(),
            ),
            batch_postings: part.register("batch_postings", "Postings in one transaction", batch_postings),
            commit: part.register_with_unit("commit", "Time to commit a batch", Unit::Seconds, latency_histogram()),
            imbalance: by_currency("imbalance_points", "Sum over all accounts; anything but zero is a violation"),
            escrowed: by_currency("escrowed_points", "Points in open holds"),
            posted: by_currency("posted_points", "Points on players' accounts"),
            fees: by_currency("fees_points", "Fees taken so far"),
            violations: part.register("audit_violations", "Violations that the last audit found", Gauge::default()),
            audited_at: part.register_with_unit(
                "audited_at",
                "When the last audit was",
                Unit::Seconds,
                Gauge::default(),
            ),
        }
    }

    pub(crate) fn queued(&self, postings: u32) {
        self.waiting_postings.inc_by(postings.into());
    }

    pub(crate) fn unqueued(&self, postings: u32) {
        self.waiting_postings.dec_by(postings.into());
    }

    /// A transaction over so many postings begins.
    pub(crate) fn commit_begins(&self, postings: usize) -> CommitTime<'_> {
        #[expect(clippy::cast_precision_loss, reason = "a batch has a few hundred postings")]
        self.batch_postings.observe(postings as f64);
        CommitTime { histogram: &self.commit, began: Stopwatch::start() }
    }

    /// Counts answers.
    pub(crate) fn answered(&self, postings: &[Posting], outcomes: &[Outcome]) {
        for (posting, outcome) in postings.iter().zip(outcomes) {
            let outcome = outcome.as_ref().map_or_else(|refusal| refusal.reason(), |_| "done");
            self.postings.get_or_create(&PostingLabels { kind: posting.command.kind(), outcome }).inc();
        }
    }

    /// Shows what an audit found.
    pub(crate) fn audited(&self, report: &Report) {
        for (currency, totals) in &report.totals {
            self.show(currency, totals);
        }
        self.violations.set(i64::try_from(report.violations.len()).unwrap_or(i64::MAX));
        self.audited_at.set(report.checked_at_ms / 1_000);
    }

    fn show(&self, currency: &str, totals: &Totals) {
        let labels = CurrencyLabels { currency: currency.to_owned() };
        self.imbalance.get_or_create(&labels).set(totals.imbalance_points());
        self.escrowed.get_or_create(&labels).set(totals.escrowed_points);
        self.posted.get_or_create(&labels).set(totals.players_posted_points);
        self.fees.get_or_create(&labels).set(totals.fees_points);
    }
}

/// A transaction under way.
pub(crate) struct CommitTime<'a> {
    histogram: &'a TracedHistogram,
    began: Stopwatch,
}

impl CommitTime<'_> {
    /// Records how long it took.
    pub(crate) fn ends(self) {
        observe(self.histogram, self.began.elapsed());
    }
}

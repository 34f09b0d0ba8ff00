//! What rules-svc counts beyond its RPCs: thinking, by kind. Declared here and nowhere else.

use std::future::Future;

use farside_kit::metrics::Metrics;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;

use crate::engine::pool::PoolFault;

/// What is thought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(crate) enum Thought {
    /// A caller's analysis.
    Analysis,
    /// A house bot's move.
    House,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: Thought,
}

/// The metrics of this service.
#[derive(Clone, Debug)]
pub(crate) struct RulesMetrics {
    thinking: Family<Kind, Gauge>,
    refused: Family<Kind, Counter>,
    nodes: Counter,
}

impl RulesMetrics {
    /// Registers them.
    pub(crate) fn register(metrics: &Metrics) -> Self {
        let ours = metrics.sub_registry("farside_rules");
        let (thinking, refused) = (Family::<Kind, Gauge>::default(), Family::<Kind, Counter>::default());
        // Shown from the start: the first refusal of a process is an increase from 0, not from nothing.
        for kind in [Thought::Analysis, Thought::House] {
            drop(thinking.get_or_create(&Kind { kind }));
            drop(refused.get_or_create(&Kind { kind }));
        }
        Self {
            thinking: ours.register("thinking", "Searches that run or wait for a thread", thinking),
            refused: ours.register("thinking_refused", "Searches refused because every place was taken", refused),
            nodes: ours.register("analysis_nodes", "Nodes visited by finished analyses", Counter::default()),
        }
    }

    /// Counts a search while it runs, also when its caller goes away.
    pub(crate) async fn thinking<T>(
        &self,
        kind: Thought,
        work: impl Future<Output = Result<T, PoolFault>>,
    ) -> Result<T, PoolFault> {
        let gauge = self.thinking.get_or_create(&Kind { kind }).clone();
        gauge.inc();
        let running = Running(gauge);
        let result = work.await;
        drop(running);
        if matches!(result, Err(PoolFault::Busy)) {
            self.refused.get_or_create(&Kind { kind }).inc();
        }
        result
    }

    /// Counts nodes.
    pub(crate) fn searched(&self, nodes: u64) {
        self.nodes.inc_by(nodes);
    }
}

struct Running(Gauge);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.dec();
    }
}

//! Connections of the databases that a process uses, by the schema of the service.
//!
//! Not here: how long statements take; spans tell that.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::db::PoolUsage;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DatabaseLabel {
    database: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabels {
    database: String,
    state: &'static str,
}

/// How many connections are used, are idle, may be open, and how many writes wait for one.
#[derive(Clone, Debug, Default)]
pub struct DatabaseMetrics {
    connections: Family<StateLabels, Gauge>,
    most: Family<DatabaseLabel, Gauge>,
    waiting: Family<DatabaseLabel, Gauge>,
}

impl DatabaseMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        let connections = metrics.connections.clone();
        registry.register("farside_database_connections", "Connections to the database, by state", connections);
        registry.register(
            "farside_database_connections_limit",
            "Connections that may be open at most",
            metrics.most.clone(),
        );
        registry.register(
            "farside_database_writes_waiting",
            "Write transactions that wait for a connection",
            metrics.waiting.clone(),
        );
        metrics
    }

    /// The connections to `database` are used so at this moment.
    pub fn used(&self, database: &str, usage: PoolUsage) {
        let number = |count: u32| i64::from(count);
        for (state, count) in [("in_use", usage.open.saturating_sub(usage.idle)), ("idle", usage.idle)] {
            let labels = StateLabels { database: database.to_owned(), state };
            self.connections.get_or_create(&labels).set(number(count));
        }
        let label = DatabaseLabel { database: database.to_owned() };
        self.most.get_or_create(&label).set(number(usage.most));
        self.waiting.get_or_create(&label).set(number(usage.waiting));
    }
}

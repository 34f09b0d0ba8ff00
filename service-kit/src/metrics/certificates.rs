//! Metrics of the certificate that a process shows. Without one they stay at 0.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

/// Until when the certificate in use holds, and what became of new ones.
#[derive(Clone, Debug, Default)]
pub struct CertificateMetrics {
    not_after: Gauge,
    renewals: Counter,
    refused: Counter,
}

impl CertificateMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        registry.register_with_unit(
            "farside_tls_certificate_not_after",
            "When the certificate in use ends, since 1970; 0 without one",
            Unit::Seconds,
            metrics.not_after.clone(),
        );
        let (renewals, refused) = (metrics.renewals.clone(), metrics.refused.clone());
        registry.register("farside_tls_renewals", "New certificates taken into use", renewals);
        registry.register("farside_tls_refused_renewals", "New files that could not be used", refused);
        metrics
    }

    /// The certificate in use ends then.
    pub fn in_use(&self, not_after_s: i64) {
        self.not_after.set(not_after_s);
    }

    /// Another certificate is in use, which ends then.
    pub fn renewed(&self, not_after_s: i64) {
        self.renewals.inc();
        self.in_use(not_after_s);
    }

    /// New files could not be used.
    pub fn refused(&self) {
        self.refused.inc();
    }
}

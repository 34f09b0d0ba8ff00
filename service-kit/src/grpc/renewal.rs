//! Follows the files of a certificate: what they hold is used as soon as it can be, without a restart.
//!
//! The contents are compared, not the times: secrets that a cluster mounts change behind links. Not here: where the new
//! files come from.

use std::time::Duration;

use super::tls::{Tls, TlsArgs};
use crate::fault::Chain;
use crate::metrics::CertificateMetrics;
use crate::shutdown::Shutdown;

/// Between two looks at the files.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Looks at the files until the process stops, and has `tls` use them when they have changed.
pub async fn follow(args: TlsArgs, tls: Tls, metrics: CertificateMetrics, shutdown: Shutdown) {
    metrics.in_use(tls.not_after_s());
    let mut follower = Follower { args, tls, metrics, refused: None };
    loop {
        tokio::select! {
            () = shutdown.requested() => return,
            () = tokio::time::sleep(LOOK_EVERY) => follower.look(),
        }
    }
}

struct Follower {
    args: TlsArgs,
    tls: Tls,
    metrics: CertificateMetrics,
    /// What is wrong with the files as they are; said once.
    refused: Option<String>,
}

impl Follower {
    fn look(&mut self) {
        let replaced = match self.args.read() {
            Ok(Some(files)) if !self.tls.uses(&files) => {
                self.tls.replace(files).map_err(|fault| Chain(&fault).to_string())
            }
            Ok(_) => return self.refused = None,
            Err(fault) => Err(fault.to_string()),
        };
        match replaced {
            Ok(()) => self.renewed(),
            Err(problem) => self.refuse(problem),
        }
    }

    fn renewed(&mut self) {
        self.refused = None;
        self.metrics.renewed(self.tls.not_after_s());
        tracing::info!(not_after_s = self.tls.not_after_s(), "a new certificate is in use");
    }

    fn refuse(&mut self, problem: String) {
        if self.refused.as_ref() == Some(&problem) {
            return;
        }
        self.metrics.refused();
        tracing::error!(problem, "new certificate files cannot be used, those before stay in use");
        self.refused = Some(problem);
    }
}

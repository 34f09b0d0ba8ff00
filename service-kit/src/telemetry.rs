//! Logs and traces of a process, and the trace context that travels with each call.
//!
//! Not here: metrics, which have a module of their own. Trace ids exist and are logged even when no collector is named.

pub mod fields;
mod format;
mod init;
mod propagation;

pub use init::{Export, TelemetryFault, TelemetryGuard, init, subscriber};
pub use propagation::{continue_trace, inject, inject_headers, sampled_trace_id, trace_id};

//! rules-svc from outside: reference cases, properties, contracts, refusals, records, and the gRPC service.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs, unreachable_pub, reason = "nothing here is for others")]

mod cases;
mod contracts;
mod fairness;
mod properties;
mod records;
mod refusals;
mod service;
mod support;

//! The imperative shell: postings on their way into batches, folding, the standing audit.
//!
//! Not here: rules (`domain`), tables (`store`), the wire (`grpc`).

pub mod auditor;
pub mod batcher;
pub mod fault;
pub mod folder;
pub mod gate;

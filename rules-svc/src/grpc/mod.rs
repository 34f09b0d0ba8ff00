//! The service as gRPC: parse, call, convert. Nothing is decided here.

mod convert;
mod fault;
mod service;

pub(crate) use service::{Pools, RulesGrpc};

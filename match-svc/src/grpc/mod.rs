//! The contract: parse, call, convert. Not here: any decision.

mod parse;
mod service;
mod show;

pub use service::{Service, allow_list};

//! The JSON of the public API: one type for each object, and the one way to it from what the services answer.
//!
//! These types are the contract: the OpenAPI document is made of them. Not here: handlers.

pub mod account;
pub mod challenge;
pub mod contract;
pub mod game;
pub mod ledger;
pub mod list;
pub mod participant;
pub mod scalar;
pub mod set;
pub mod table;

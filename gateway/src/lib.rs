//! The gateway: the public JSON API, streams, identity, limits and pages.
//!
//! It keeps players, bots and keys; games, points and ratings are asked of the other services. Not here: any rule of a
//! game, any posting.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod api;
pub mod app;
mod beat;
mod body;
pub mod config;
pub mod domain;
mod health;
pub mod identity;
pub mod limits;
mod mcp;
pub mod metrics;
mod pages;
pub mod problem;
mod server;
mod start;
pub mod store;
pub mod streams;
pub mod upstream;

pub use config::{Config, PublicArgs};
pub use start::{PROGRAM, openapi_json, start};
pub use upstream::Endpoints;

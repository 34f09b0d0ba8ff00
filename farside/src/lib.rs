//! farside in one binary: the platform in one process, a demo, record verification, and what else a developer runs.
//!
//! Everything here goes through public interfaces; what a service should do is in that service.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod chooser;
pub mod cli;
pub mod client;
pub mod commands;
pub mod exhibition;
mod output;
pub mod platform;
mod player;
pub mod settings;

//! The commands of the binary: one file each, a struct of arguments and a function to run it.

pub mod admin;
pub mod arena;
pub mod config;
pub mod conformance;
pub mod demo;
pub mod perft;
pub mod up;
pub mod verify;

//! The web pages in headless Chromium, as people see and use them.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test says what it expects by unwrapping it")]

#[cfg(feature = "scenarios")]
mod accounts;
#[cfg(feature = "scenarios")]
mod errors;
#[cfg(feature = "scenarios")]
mod hand;
#[cfg(feature = "scenarios")]
mod play;
mod tour;
#[cfg(feature = "scenarios")]
mod watch;

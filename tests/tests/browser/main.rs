//! The web pages in headless Chromium, as people see and use them.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test says what it expects by unwrapping it")]

mod accounts;
mod all_pages;
mod errors;
mod hand;
mod play;
mod watch;

//! Rows as sea-orm sees them. Private to the store: domain types go in and out of it.

#![allow(unreachable_pub, reason = "sea-orm's macros make public items beside these")]

pub(super) mod answers;
pub(super) mod bots;
pub(super) mod keys;
pub(super) mod names;
pub(super) mod players;
pub(super) mod replays;

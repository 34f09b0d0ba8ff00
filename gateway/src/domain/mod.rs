//! Identity as pure code: names, ids, keys, players, bots and what a bot accepts.
//!
//! Not here: where any of it is stored, who may call what over HTTP, points, ratings and games.

pub mod account;
pub mod fault;
pub mod guest;
pub mod ids;
pub mod key;
pub mod name;
pub mod policy;

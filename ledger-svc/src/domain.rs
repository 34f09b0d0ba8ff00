//! What a posting does, decided on loaded accounts and holds: pure, so that every rule can be tested on its own.
//!
//! Not here: async, clock, randomness, logging, database and protobuf types. Time and ids come in as arguments;
//! what is to be written goes out as data ([`effects::Effects`]).
//!
//! Two decisions where the specification is silent:
//!
//! - Nothing that is split here leaves a remainder. Both stakes of a set are equal, so a split gives each back exactly
//!   what it staked, and the only division is the fee, rounded down: the odd point belongs to the winner.
//! - A key is one for the whole ledger, not one per caller or kind of posting: `set_…:settle` used for a refund is a
//!   mismatch, never a second end of the same set.

pub mod account;
pub mod answer;
pub mod audit;
pub mod book;
pub mod currency;
pub mod decide;
pub mod effects;
pub mod hold;
pub mod ids;
pub mod points;
pub mod posting;
pub mod refusal;
pub mod statement;

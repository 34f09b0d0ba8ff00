//! Typed clients of the services that match-svc calls: domain types in and out, a deadline on every call, sent again
//! only when the answer was UNAVAILABLE. Not here: what to do with the answers.

mod ledger;
mod rating;
mod rules;

pub use ledger::{Held, Ledger};
pub use rating::{RatedSet, Rating};
pub use rules::{Checked, Rules, Start};

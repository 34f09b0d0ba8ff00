//! Finding the best step on a board of pawns: alpha-beta search over the bitboards.
//!
//! Bounded by nodes, by depth or by whatever the caller's stop condition asks (time, cancellation): nothing here
//! reads a clock. Under a bound of nodes alone the answer follows from the position and the table's size.

mod choice;
mod evaluate;
mod heuristics;
mod keys;
mod node;
mod patterns;
mod proof;
mod quiet;
mod score;
mod searcher;
mod sight;
mod step;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod tree;
mod weights;
mod worker;

pub use evaluate::estimate;
pub use patterns::{PATTERNS, PatternUse, patterns_of};
pub use score::Score;
pub use searcher::{Limits, Report, Searcher};
pub use table::TableSize;
pub use terms::{TERMS, terms_of};
pub use weights::{COL_CLASSES, ROW_CLASSES, Weights};

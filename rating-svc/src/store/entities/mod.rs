//! Rows as sea-orm sees them. They never leave `store/`; the domain has types of its own.

#![expect(unreachable_pub, reason = "what the derives make must be as public as the row")]

pub(super) mod history;
pub(super) mod practice;
pub(super) mod sets;
pub(super) mod standings;

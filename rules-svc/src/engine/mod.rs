//! The imperative shell: where thinking takes place. The rules need none, they are pure functions.

pub(crate) mod pool;

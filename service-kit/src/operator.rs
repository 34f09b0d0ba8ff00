//! Operators: their keys, and the log of what they did.
//!
//! An operator's key is a secret of 256 random bits; services know its name and its hash. A call that carries one comes
//! from the caller `operator`, who may call what a service's allow list gives to operators and nothing else. Each
//! operation is done once for its `request_id` and is logged in the transaction of its effect; a refused one is logged by
//! itself. Not here: the operations, which are the services' own.

mod contract;
mod fault;
mod keys;
mod log;
mod table;

pub use fault::OperationFault;
pub use keys::{OperatorKeys, mint_key};
pub use log::{Line, LogEntry, Operation, OperatorLog, Outcome, Seen};
pub use table::{append, migration};

/// The method that reads a service's log.
pub const LIST_OPERATIONS: &str = "/farside.operator.v1.OperatorService/ListOperations";

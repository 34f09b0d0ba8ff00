//! The wire: parse, call, convert. Who may call what is said here too.
//!
//! Not here: rules and tables.

mod answer;
mod fault;
mod parse;
mod service;

use farside_kit::grpc::AllowList;
use farside_kit::operator::LIST_OPERATIONS;

pub use service::Service;

/// Only match-svc moves stakes; the gateway signs players up and reads; operators grant, release a hold and read.
#[must_use]
pub fn allow_list() -> AllowList {
    const MATCH: &[&str] = &["match-svc"];
    const READ: &[&str] = &["gateway", "match-svc"];
    AllowList::new()
        .method("/farside.ledger.v1.LedgerService/Hold", MATCH)
        .method("/farside.ledger.v1.LedgerService/Release", MATCH)
        .method("/farside.ledger.v1.LedgerService/Settle", MATCH)
        .method("/farside.ledger.v1.LedgerService/Split", MATCH)
        .method("/farside.ledger.v1.LedgerService/Refund", MATCH)
        .method("/farside.ledger.v1.LedgerService/Post", MATCH)
        .method("/farside.ledger.v1.LedgerService/Grant", &["gateway"])
        .method("/farside.ledger.v1.LedgerService/GetBalance", READ)
        .method("/farside.ledger.v1.LedgerService/ListEntries", READ)
        .method("/farside.ledger.v1.LedgerService/ListCurrencies", READ)
        .method("/farside.ledger.v1.LedgerService/GetAudit", READ)
        .method("/farside.ledger.v1.LedgerService/RunAudit", &["gateway"])
        .operators_too("/farside.ledger.v1.LedgerService/Grant")
        .operators_too("/farside.ledger.v1.LedgerService/Release")
        .operators_too("/farside.ledger.v1.LedgerService/GetBalance")
        .operators_too("/farside.ledger.v1.LedgerService/ListEntries")
        .operators_too("/farside.ledger.v1.LedgerService/GetAudit")
        .operators_too("/farside.ledger.v1.LedgerService/RunAudit")
        .operators_only(LIST_OPERATIONS)
}

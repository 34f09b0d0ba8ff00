//! The client of ledger-svc: sign-up grants and reading. Holding and settling is not the gateway's.

use farside_kit::grpc::Traced;
use farside_proto::ledger::v1::ledger_service_client::LedgerServiceClient;
use farside_proto::ledger::v1::{
    GetAuditRequest, GetAuditResponse, GetBalanceRequest, GetBalanceResponse, GrantRequest, GrantResponse,
    ListCurrenciesRequest, ListCurrenciesResponse, ListEntriesRequest, ListEntriesResponse,
};

/// A client of ledger-svc.
#[derive(Clone, Debug)]
pub struct Ledger {
    client: LedgerServiceClient<Traced>,
}

impl Ledger {
    pub(super) fn new(channel: Traced) -> Self {
        Self { client: LedgerServiceClient::new(channel) }
    }

    super::calls! {
        /// Grants points.
        grant(GrantRequest) -> GrantResponse;
        /// Lists currencies.
        list_currencies(ListCurrenciesRequest) -> ListCurrenciesResponse;
        /// Returns balances.
        get_balance(GetBalanceRequest) -> GetBalanceResponse;
        /// Lists a statement.
        list_entries(ListEntriesRequest) -> ListEntriesResponse;
        /// Returns the last audit.
        get_audit(GetAuditRequest) -> GetAuditResponse;
    }
}

//! The service itself: each handler parses, calls and converts.
//!
//! Not here: anything else.

use std::sync::Arc;

use farside_kit::fault::status;
use farside_kit::grpc::caller;
use farside_kit::operator::{Operation, OperatorLog};
use farside_proto::ledger::v1 as wire;
use farside_proto::ledger::v1::ledger_service_server::LedgerService;
use serde_json::json;
use tonic::{Request, Response, Status};

use super::answer;
use super::fault::RequestFault;
use super::parse::Parse;
use crate::domain::audit::Scope;
use crate::domain::currency::CurrencyTable;
use crate::domain::ids::AccountId;
use crate::domain::posting::{ByHand, Posting};
use crate::engine::auditor::Auditor;
use crate::engine::batcher::Batcher;
use crate::engine::fault::EngineFault;
use crate::store::Store;

/// The operation of granting by hand.
const GRANT: &str = "grant";
/// The operation of releasing a hold by hand.
const RELEASE_HOLD: &str = "release-hold";
/// The most postings of one call.
const MAX_POSTINGS: usize = 200;
/// Entries of a page unless another number is asked for.
const PAGE_ENTRIES: usize = 20;
/// The most entries of a page.
const MAX_PAGE_ENTRIES: usize = 100;

/// Answers the ledger's calls.
#[derive(Clone, Debug)]
pub struct Service {
    /// The way in for postings.
    pub batcher: Batcher,
    /// For reading.
    pub store: Store,
    /// For audits.
    pub auditor: Auditor,
    /// The currencies.
    pub currencies: Arc<CurrencyTable>,
    /// What operators did.
    pub log: OperatorLog,
}

type Answer<T> = Result<Response<T>, Status>;

/// Takes the response of one kind.
macro_rules! of_kind {
    ($kind:ident) => {
        |result| match result {
            wire::posting_result::Result::$kind(response) => Some(response),
            _ => None,
        }
    };
}

impl Service {
    /// Posts one request and turns its answer, which is of the same kind, into the response.
    async fn post_one<R, T>(
        &self,
        request: Request<R>,
        take: impl FnOnce(wire::posting_result::Result) -> Option<T>,
    ) -> Answer<T>
    where
        R: Parse,
    {
        let posting = request.into_inner().parse().map_err(|fault| status(&fault))?;
        self.post_posting(posting, take).await.map(Response::new)
    }

    async fn post_posting<T>(
        &self,
        posting: Posting,
        take: impl FnOnce(wire::posting_result::Result) -> Option<T>,
    ) -> Result<T, Status> {
        let outcomes = self.batcher.post(vec![posting]).await.map_err(|fault| status(&fault))?;
        let answer = outcomes.into_iter().next().transpose().map_err(|refusal| status(&refusal))?;
        let result = answer.and_then(|answer| answer::result(Ok(answer)).result);
        Ok(result.and_then(take).expect("a posting is answered in its own kind"))
    }

    /// Posts for an operator: once for each key, in the log.
    async fn post_by_hand<R, T>(
        &self,
        request: Request<R>,
        operation: &Operation,
        take: impl FnOnce(wire::posting_result::Result) -> Option<T>,
    ) -> Answer<T>
    where
        R: Parse,
    {
        operation.check().map_err(|fault| status(&fault))?;
        let posting = request.into_inner().parse().map_err(|fault| status(&fault))?;
        let Operation { operator, name, arguments, reason, .. } = operation.clone();
        let posting = posting.by_hand(ByHand { operation: name, operator, arguments, reason });
        self.post_posting(posting, take).await.map(Response::new)
    }
}

/// The operation that a grant is when an operator asks for it.
fn grant_operation(request: &Request<wire::GrantRequest>) -> Option<Operation> {
    caller(request)?.operator()?;
    let wire::GrantRequest { request_id, account_id, currency, amount_points, reason, .. } = request.get_ref();
    let arguments = json!({ "account_id": account_id, "currency": currency, "amount_points": amount_points });
    Some(Operation::of(request, GRANT, &arguments).because(request_id, reason))
}

/// The operation that a release is when an operator asks for it.
fn release_operation(request: &Request<wire::ReleaseRequest>) -> Option<Operation> {
    caller(request)?.operator()?;
    let wire::ReleaseRequest { request_id, hold_id, reason } = request.get_ref();
    Some(Operation::of(request, RELEASE_HOLD, &json!({ "hold_id": hold_id })).because(request_id, reason))
}

#[tonic::async_trait]
impl LedgerService for Service {
    async fn list_currencies(
        &self,
        _request: Request<wire::ListCurrenciesRequest>,
    ) -> Answer<wire::ListCurrenciesResponse> {
        let currencies = self.currencies.all().iter().map(answer::currency).collect();
        Ok(Response::new(wire::ListCurrenciesResponse { currencies }))
    }

    async fn grant(&self, request: Request<wire::GrantRequest>) -> Answer<wire::GrantResponse> {
        let Some(operation) = grant_operation(&request) else {
            return self.post_one(request, of_kind!(Grant)).await;
        };
        let granted = self.post_by_hand(request, &operation, of_kind!(Grant)).await;
        self.log.answered(&operation, granted).await
    }

    async fn hold(&self, request: Request<wire::HoldRequest>) -> Answer<wire::HoldResponse> {
        self.post_one(request, of_kind!(Hold)).await
    }

    async fn release(&self, request: Request<wire::ReleaseRequest>) -> Answer<wire::ReleaseResponse> {
        let Some(operation) = release_operation(&request) else {
            return self.post_one(request, of_kind!(Release)).await;
        };
        let released = self.post_by_hand(request, &operation, of_kind!(Release)).await;
        self.log.answered(&operation, released).await
    }

    async fn settle(&self, request: Request<wire::SettleRequest>) -> Answer<wire::SettleResponse> {
        self.post_one(request, of_kind!(Settle)).await
    }

    async fn split(&self, request: Request<wire::SplitRequest>) -> Answer<wire::SplitResponse> {
        self.post_one(request, of_kind!(Split)).await
    }

    async fn refund(&self, request: Request<wire::RefundRequest>) -> Answer<wire::RefundResponse> {
        self.post_one(request, of_kind!(Refund)).await
    }

    async fn post(&self, request: Request<wire::PostRequest>) -> Answer<wire::PostResponse> {
        let postings = request.into_inner().postings;
        if postings.len() > MAX_POSTINGS {
            return Err(status(&RequestFault::TooManyPostings { most: MAX_POSTINGS }));
        }
        let postings = postings.into_iter().map(Parse::parse).collect::<Result<Vec<_>, _>>();
        let postings = postings.map_err(|fault| status(&fault))?;
        let outcomes = self.batcher.post(postings).await.map_err(|fault| status(&fault))?;
        Ok(Response::new(wire::PostResponse { results: outcomes.into_iter().map(answer::result).collect() }))
    }

    async fn get_balance(&self, request: Request<wire::GetBalanceRequest>) -> Answer<wire::GetBalanceResponse> {
        let owner = owner(request.into_inner().account_id)?;
        let accounts = self.store.accounts(&owner).await.map_err(|fault| status(&EngineFault::from(fault)))?;
        if accounts.is_empty() {
            return Err(status(&RequestFault::AccountNotFound));
        }
        let balances = accounts.iter().map(|account| answer::balance(&account.balance())).collect();
        Ok(Response::new(wire::GetBalanceResponse { balances }))
    }

    async fn list_entries(&self, request: Request<wire::ListEntriesRequest>) -> Answer<wire::ListEntriesResponse> {
        let request = request.into_inner();
        let (owner, limit) = (owner(request.account_id)?, page_entries(request.limit));
        let from = Some(request.cursor).filter(|cursor| !cursor.is_empty()).map(|cursor| cursor.parse()).transpose();
        let from = from.map_err(|_| status(&RequestFault::Cursor))?;
        let page = self.store.statement(&owner, from, limit).await;
        let page = page.map_err(|fault| status(&EngineFault::from(fault)))?;
        let (lines, next) = page.ok_or_else(|| status(&RequestFault::AccountNotFound))?;
        let next_cursor = next.map(|page| page.cursor()).unwrap_or_default();
        Ok(Response::new(wire::ListEntriesResponse { entries: lines.iter().map(answer::entry).collect(), next_cursor }))
    }

    async fn get_audit(&self, _request: Request<wire::GetAuditRequest>) -> Answer<wire::GetAuditResponse> {
        let report = self.auditor.last().await.map_err(|fault| status(&fault))?;
        Ok(Response::new(wire::GetAuditResponse { audit: Some(answer::audit(report)) }))
    }

    async fn run_audit(&self, _request: Request<wire::RunAuditRequest>) -> Answer<wire::RunAuditResponse> {
        let report = self.auditor.run(Scope::Full).await.map_err(|fault| status(&fault))?;
        Ok(Response::new(wire::RunAuditResponse { audit: Some(answer::audit(report)) }))
    }
}

/// A name that no account can have has no account.
fn owner(account_id: String) -> Result<AccountId, Status> {
    AccountId::new(account_id).ok_or_else(|| status(&RequestFault::AccountNotFound))
}

fn page_entries(limit: u32) -> usize {
    match usize::try_from(limit).unwrap_or(MAX_PAGE_ENTRIES) {
        0 => PAGE_ENTRIES,
        limit => limit.min(MAX_PAGE_ENTRIES),
    }
}

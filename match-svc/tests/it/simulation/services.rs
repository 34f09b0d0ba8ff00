//! The other services as a simulation has them: the real rules without threads, and a ledger and a rating that are
//! models: they keep their contracts in memory and note what is done to them. Not here: what must come of it.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use farside_kit::fault::{Fault, Kind, status};
use farside_kit::grpc::Direct;
use farside_kit::metrics::Metrics;
use farside_proto::ledger::v1 as ledger;
use farside_proto::rating::v1 as rating;
use farside_proto::rules::v1 as rules;
use farside_rules::domain::pawns::Seat;
use http::Request;
use ledger::ledger_service_server::{LedgerService, LedgerServiceServer};
use prost::Message as _;
use rating::rating_service_server::{RatingService, RatingServiceServer};
use tonic::body::Body;
use tonic::{Response, Status, async_trait};
use tower::{Service as _, ServiceExt};

type Answer<T> = Result<Response<T>, Status>;
type Asked<T> = tonic::Request<T>;

fn never(never: Infallible) -> tower::BoxError {
    match never {}
}

/// The real rules. A house bot's move is chosen here: on a thread of its own it would come whenever it likes.
pub fn real_rules() -> Direct {
    let routes = farside_rules::routes(&farside_rules::Config::default(), &Metrics::new());
    let service = tower::service_fn(move |request: Request<Body>| {
        let mut routes = routes.clone();
        async move {
            if request.uri().path().ends_with("/ChooseMove") {
                return choose(request).await;
            }
            routes.call(request).await.map_err(never)
        }
    });
    Direct::new(service)
}

async fn choose(request: Request<Body>) -> Result<http::Response<Body>, tower::BoxError> {
    use http_body_util::BodyExt as _;
    let bytes = request.into_body().collect().await?.to_bytes();
    // A message on the wire has a flag and four bytes of length before it.
    let asked = rules::ChooseMoveRequest::decode(&bytes[5..])?;
    let position = farside_rules::domain::rules::find(&asked.game)?.load(&asked.state)?;
    let seat = if asked.seat == 1 { Seat::One } else { Seat::Two };
    let legal = position.legal_moves(seat);
    let choice = legal[(position.ply() as usize * 7 + 3) % legal.len()].clone();
    let message = rules::ChooseMoveResponse { move_json: choice }.encode_to_vec();
    let mut framed = vec![0];
    framed.extend(u32::try_from(message.len())?.to_be_bytes());
    framed.extend(message);
    let trailers = http::HeaderMap::from_iter([(
        http::HeaderName::from_static("grpc-status"),
        http::HeaderValue::from_static("0"),
    )]);
    let body = http_body_util::Full::new(bytes::Bytes::from(framed)).with_trailers(async move { Some(Ok(trailers)) });
    Ok(http::Response::builder().header("content-type", "application/grpc").body(Body::new(body))?)
}

/// How a set's stakes ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StakesEnd {
    /// The hold that won.
    Settled(String),
    Split,
    Refunded,
}

#[derive(Debug)]
pub struct Hold {
    pub account: String,
    pub amount_points: i64,
    pub is_open: bool,
}

/// What the ledger keeps.
#[derive(Debug, Default)]
pub struct Book {
    pub posted: BTreeMap<String, i64>,
    pub holds: BTreeMap<String, Hold>,
    /// Holds that were released before they were made.
    void: BTreeSet<String>,
    /// Refusals are remembered like answers.
    refused: BTreeSet<String>,
    pub ended: BTreeMap<String, StakesEnd>,
    /// What a caller should never have asked for.
    pub complaints: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("the balance is too low")]
    Poor,
    #[error("released before it was made")]
    Released,
    #[error("ended otherwise")]
    Closed,
    #[error("nobody asks for this here")]
    Unused,
}

impl Fault for Refused {
    fn kind(&self) -> Kind {
        Kind::FailedPrecondition
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Poor => "INSUFFICIENT_BALANCE",
            Self::Released => "HOLD_RELEASED",
            Self::Closed => "HOLD_CLOSED",
            Self::Unused => "UNUSED",
        }
    }
}

fn unused<T>() -> Answer<T> {
    Err(status(&Refused::Unused))
}

impl Book {
    fn available(&self, account: &str) -> i64 {
        let held = self.holds.values().filter(|hold| hold.is_open && hold.account == account);
        self.posted.get(account).copied().unwrap_or(0) - held.map(|hold| hold.amount_points).sum::<i64>()
    }

    fn hold(&mut self, request: &ledger::HoldRequest) -> Result<(), Refused> {
        let id = &request.request_id;
        if self.void.contains(id) {
            return Err(Refused::Released);
        }
        if self.holds.contains_key(id) {
            return Ok(());
        }
        if self.refused.contains(id) || self.available(&request.account_id) < request.amount_points {
            self.refused.insert(id.clone());
            return Err(Refused::Poor);
        }
        let (account, amount_points) = (request.account_id.clone(), request.amount_points);
        self.holds.insert(id.clone(), Hold { account, amount_points, is_open: true });
        Ok(())
    }

    fn release(&mut self, id: &str) {
        match self.holds.get_mut(id) {
            None => {
                self.void.insert(id.to_owned());
            }
            Some(hold) => hold.is_open = false,
        }
    }

    /// Ends a set's stakes, once.
    fn end(&mut self, set: &str, holds: [&str; 2], end: StakesEnd) -> Result<(), Refused> {
        if self.ended.get(set) == Some(&end) {
            return Ok(());
        }
        let are_open = holds.iter().all(|id| self.holds.get(*id).is_some_and(|hold| hold.is_open));
        if !are_open || self.ended.contains_key(set) {
            self.complaints.push(format!("{set} was to end as {end:?} with {holds:?}"));
            return Err(Refused::Closed);
        }
        for id in holds {
            let hold = self.holds.get_mut(id).unwrap();
            hold.is_open = false;
            let change = match &end {
                StakesEnd::Settled(winner) if winner == id => hold.amount_points,
                StakesEnd::Settled(_) => -hold.amount_points,
                StakesEnd::Split | StakesEnd::Refunded => 0,
            };
            *self.posted.entry(hold.account.clone()).or_default() += change;
        }
        self.ended.insert(set.to_owned(), end);
        Ok(())
    }
}

/// The ledger's model.
#[derive(Clone, Debug, Default)]
pub struct ModelLedger(pub Arc<Mutex<Book>>);

impl ModelLedger {
    pub fn service(&self) -> Direct {
        Direct::new(ServiceExt::<Request<Body>>::map_err(LedgerServiceServer::new(self.clone()), never))
    }

    fn end<T: Default>(&self, set: &str, holds: [&str; 2], end: StakesEnd) -> Answer<T> {
        let ended = self.0.lock().unwrap().end(set, holds, end);
        ended.map(|()| Response::new(T::default())).map_err(|refused| status(&refused))
    }
}

#[async_trait]
impl LedgerService for ModelLedger {
    async fn list_currencies(&self, _: Asked<ledger::ListCurrenciesRequest>) -> Answer<ledger::ListCurrenciesResponse> {
        let pts = ledger::Currency {
            code: "PTS".to_owned(),
            stake_min_points: 10,
            stake_max_points: 1_000,
            fee_basis_points: 0,
        };
        Ok(Response::new(ledger::ListCurrenciesResponse { currencies: vec![pts] }))
    }

    async fn hold(&self, request: Asked<ledger::HoldRequest>) -> Answer<ledger::HoldResponse> {
        let request = request.into_inner();
        self.0.lock().unwrap().hold(&request).map_err(|refused| status(&refused))?;
        Ok(Response::new(ledger::HoldResponse { winnings_points: request.amount_points, ..Default::default() }))
    }

    async fn release(&self, request: Asked<ledger::ReleaseRequest>) -> Answer<ledger::ReleaseResponse> {
        self.0.lock().unwrap().release(&request.into_inner().hold_id);
        Ok(Response::new(ledger::ReleaseResponse::default()))
    }

    async fn settle(&self, request: Asked<ledger::SettleRequest>) -> Answer<ledger::SettleResponse> {
        let request = request.into_inner();
        let end = StakesEnd::Settled(request.winner_hold_id.clone());
        self.end(&request.set_id, [&request.winner_hold_id, &request.loser_hold_id], end)
    }

    async fn split(&self, request: Asked<ledger::SplitRequest>) -> Answer<ledger::SplitResponse> {
        let request = request.into_inner();
        self.end(&request.set_id, [&request.hold_ids[0], &request.hold_ids[1]], StakesEnd::Split)
    }

    async fn refund(&self, request: Asked<ledger::RefundRequest>) -> Answer<ledger::RefundResponse> {
        let request = request.into_inner();
        self.end(&request.set_id, [&request.hold_ids[0], &request.hold_ids[1]], StakesEnd::Refunded)
    }

    async fn grant(&self, _: Asked<ledger::GrantRequest>) -> Answer<ledger::GrantResponse> {
        unused()
    }

    async fn post(&self, _: Asked<ledger::PostRequest>) -> Answer<ledger::PostResponse> {
        unused()
    }

    async fn get_balance(&self, _: Asked<ledger::GetBalanceRequest>) -> Answer<ledger::GetBalanceResponse> {
        unused()
    }

    async fn list_entries(&self, _: Asked<ledger::ListEntriesRequest>) -> Answer<ledger::ListEntriesResponse> {
        unused()
    }

    async fn get_audit(&self, _: Asked<ledger::GetAuditRequest>) -> Answer<ledger::GetAuditResponse> {
        unused()
    }

    async fn run_audit(&self, _: Asked<ledger::RunAuditRequest>) -> Answer<ledger::RunAuditResponse> {
        unused()
    }
}

/// The rating's model: everything different that it was told of each set.
#[derive(Clone, Debug, Default)]
pub struct ModelRating(pub Arc<Mutex<BTreeMap<String, Vec<rating::RecordSetRequest>>>>);

impl ModelRating {
    pub fn service(&self) -> Direct {
        Direct::new(ServiceExt::<Request<Body>>::map_err(RatingServiceServer::new(self.clone()), never))
    }
}

#[async_trait]
impl RatingService for ModelRating {
    async fn record_set(&self, request: Asked<rating::RecordSetRequest>) -> Answer<rating::RecordSetResponse> {
        let request = request.into_inner();
        let mut recorded = self.0.lock().unwrap();
        let told = recorded.entry(request.set_id.clone()).or_default();
        if !told.contains(&request) {
            told.push(request);
        }
        Ok(Response::new(rating::RecordSetResponse::default()))
    }

    async fn get_standings(&self, _: Asked<rating::GetStandingsRequest>) -> Answer<rating::GetStandingsResponse> {
        unused()
    }

    async fn list_leaderboard(
        &self,
        _: Asked<rating::ListLeaderboardRequest>,
    ) -> Answer<rating::ListLeaderboardResponse> {
        unused()
    }

    async fn list_history(&self, _: Asked<rating::ListHistoryRequest>) -> Answer<rating::ListHistoryResponse> {
        unused()
    }

    async fn get_practice(&self, _: Asked<rating::GetPracticeRequest>) -> Answer<rating::GetPracticeResponse> {
        unused()
    }

    async fn rebuild(&self, _: Asked<rating::RebuildRequest>) -> Answer<rating::RebuildResponse> {
        unused()
    }
}

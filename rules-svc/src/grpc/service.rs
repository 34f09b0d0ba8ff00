//! Every method of the service.

use std::time::Duration;

use farside_proto::rules::v1 as pb;
use farside_proto::rules::v1::rules_service_server::RulesService;
use tonic::{Request, Response, Status};

use super::convert;
use super::fault::ServiceFault;
use crate::domain::error::RulesError;
use crate::domain::record::{self, PublicKey};
use crate::domain::rules::{self, StartRequest};
use crate::domain::seed;
use crate::domain::thinking::{Budget, HouseDraw};
use crate::engine::pool::Pool;
use crate::metrics::{RulesMetrics, Thought};

/// Nodes of an analysis when the caller names no number.
const DEFAULT_NODES: u64 = 500_000;
/// Nodes of an analysis at most.
const MAX_NODES: u64 = 100_000_000;

type Answer<T> = Result<Response<T>, Status>;

/// Where calls think: analyses and house bots do not wait for each other.
#[derive(Clone, Debug)]
pub(crate) struct Pools {
    /// For `Analyze`.
    pub(crate) analysis: Pool,
    /// For `ChooseMove`.
    pub(crate) house: Pool,
    /// For records.
    pub(crate) records: Pool,
}

/// The service.
#[derive(Debug)]
pub(crate) struct RulesGrpc {
    pools: Pools,
    metrics: RulesMetrics,
}

impl RulesGrpc {
    /// The service with its pools.
    pub(crate) fn new(pools: Pools, metrics: RulesMetrics) -> Self {
        Self { pools, metrics }
    }
}

#[tonic::async_trait]
impl RulesService for RulesGrpc {
    async fn list_games(&self, _: Request<pb::ListGamesRequest>) -> Answer<pb::ListGamesResponse> {
        let games = rules::catalogue().iter().map(|rules| convert::contract(rules.contract())).collect();
        Ok(Response::new(pb::ListGamesResponse { games }))
    }

    async fn get_game(&self, request: Request<pb::GetGameRequest>) -> Answer<pb::GetGameResponse> {
        let rules = rules::find(&request.get_ref().game).map_err(ServiceFault::from)?;
        Ok(Response::new(pb::GetGameResponse { contract: Some(convert::contract(rules.contract())) }))
    }

    async fn resolve_options(&self, request: Request<pb::ResolveOptionsRequest>) -> Answer<pb::ResolveOptionsResponse> {
        let request = request.into_inner();
        let resolved = rules::find(&request.game).and_then(|rules| rules.resolve(&request.options_json));
        Ok(Response::new(pb::ResolveOptionsResponse { options_json: resolved.map_err(ServiceFault::from)? }))
    }

    async fn derive_set_seed(&self, request: Request<pb::DeriveSetSeedRequest>) -> Answer<pb::DeriveSetSeedResponse> {
        let request = request.into_inner();
        let derived = seed::derive_checked(&request.server_seed, &request.creator_nonce, &request.acceptor_nonce);
        let (seed, seed_hash) = derived.map_err(ServiceFault::from)?;
        Ok(Response::new(pb::DeriveSetSeedResponse { seed: seed.0.to_vec(), seed_hash: seed_hash.to_vec() }))
    }

    async fn new_game(&self, request: Request<pb::NewGameRequest>) -> Answer<pb::NewGameResponse> {
        let start = request.into_inner().start.ok_or(ServiceFault::Missing("start"))?;
        let begun = rules::find(&start.game).and_then(|rules| rules.start(convert::start(&start)));
        let position = begun.map_err(ServiceFault::from)?;
        Ok(Response::new(pb::NewGameResponse { position: Some(convert::position(position.as_ref())) }))
    }

    async fn check_move(&self, request: Request<pb::CheckMoveRequest>) -> Answer<pb::CheckMoveResponse> {
        let request = request.into_inner();
        let mv = request.r#move.as_ref().ok_or(ServiceFault::Missing("move"))?;
        let position = load(&request.game, &request.state)?;
        let played = position.check(convert::seat_move(mv)?).map_err(ServiceFault::from)?;
        Ok(Response::new(pb::CheckMoveResponse { move_json: played.json, notation: played.notation }))
    }

    async fn apply(&self, request: Request<pb::ApplyRequest>) -> Answer<pb::ApplyResponse> {
        let request = request.into_inner();
        let position = load(&request.game, &request.state)?;
        let moves = request.moves.iter().map(convert::seat_move).collect::<Result<Vec<_>, _>>()?;
        let (next, played) = position.apply(&moves).map_err(ServiceFault::from)?;
        let position = Some(convert::position(next.as_ref()));
        Ok(Response::new(pb::ApplyResponse { position, played: convert::played(played) }))
    }

    async fn replay(&self, request: Request<pb::ReplayRequest>) -> Answer<pb::ReplayResponse> {
        let request = request.into_inner();
        let start = request.start.as_ref().ok_or(ServiceFault::Missing("start"))?;
        let plies = request.moves.iter().map(|ply| ply.ply_json.as_str());
        let replayed = replay(&start.game, convert::start(start), plies);
        let (position, last_played) = replayed.map_err(ServiceFault::from)?;
        let position = Some(convert::position(position.as_ref()));
        Ok(Response::new(pb::ReplayResponse { position, last_played: convert::played(last_played) }))
    }

    async fn describe(&self, request: Request<pb::DescribeRequest>) -> Answer<pb::DescribeResponse> {
        let position = load(&request.get_ref().game, &request.get_ref().state)?;
        Ok(Response::new(pb::DescribeResponse { position: Some(convert::position(position.as_ref())) }))
    }

    async fn analyze(&self, request: Request<pb::AnalyzeRequest>) -> Answer<pb::AnalyzeResponse> {
        let request = request.into_inner();
        let position = load(&request.game, &request.state)?;
        let seat = if request.seat == 0 { None } else { Some(convert::seat(request.seat)?) };
        let max_nodes = if request.max_nodes == 0 { DEFAULT_NODES } else { request.max_nodes.min(MAX_NODES) };
        let limit = (request.max_time_ms > 0).then(|| Duration::from_millis(request.max_time_ms.into()));
        let work = self
            .pools
            .analysis
            .run(limit, move |stop| position.analyse(seat, Budget { max_nodes, should_stop: &|| stop.is_set() }));
        let found = self.metrics.thinking(Thought::Analysis, work).await.map_err(ServiceFault::from)?;
        let found = found.map_err(ServiceFault::from)?;
        self.metrics.searched(found.nodes);
        Ok(Response::new(convert::analysis(found)))
    }

    async fn choose_move(&self, request: Request<pb::ChooseMoveRequest>) -> Answer<pb::ChooseMoveResponse> {
        let request = request.into_inner();
        let position = load(&request.game, &request.state)?;
        let seat = convert::seat(request.seat)?;
        let seed = rules::set_seed(&request.seed).map_err(ServiceFault::from)?;
        let game_number = rules::game_number(request.game_number, 2).map_err(ServiceFault::from)?;
        let draw = HouseDraw { seed, game_number };
        let level = request.level;
        let work = self.pools.house.run(None, move |stop| position.choose(seat, &level, draw, &|| stop.is_set()));
        let chosen = self.metrics.thinking(Thought::House, work).await.map_err(ServiceFault::from)?;
        Ok(Response::new(pb::ChooseMoveResponse { move_json: chosen.map_err(ServiceFault::from)? }))
    }

    async fn seal_record(&self, request: Request<pb::SealRecordRequest>) -> Answer<pb::SealRecordResponse> {
        let facts = request.into_inner().facts_json;
        let sealed = self.pools.records.run(None, move |_| record::seal(&facts)).await.map_err(ServiceFault::from)?;
        let sealed = sealed.map_err(ServiceFault::from)?;
        Ok(Response::new(pb::SealRecordResponse { record_json: sealed.json, head: sealed.head.to_vec() }))
    }

    async fn verify_record(&self, request: Request<pb::VerifyRecordRequest>) -> Answer<pb::VerifyRecordResponse> {
        let pb::VerifyRecordRequest { record_json, keys } = request.into_inner();
        let keys = keys.into_iter().map(|key| PublicKey { id: key.id, ed25519: key.ed25519 }).collect::<Vec<_>>();
        let work = self.pools.records.run(None, move |_| record::verify_json(&record_json, &keys));
        let report = work.await.map_err(ServiceFault::from)?.map_err(ServiceFault::from)?;
        Ok(Response::new(convert::report(report)))
    }
}

fn load(game: &str, state: &[u8]) -> Result<Box<dyn rules::Position>, ServiceFault> {
    Ok(rules::find(game)?.load(state)?)
}

fn replay<'a>(
    game: &str,
    start: StartRequest<'_>,
    plies: impl Iterator<Item = &'a str>,
) -> Result<rules::Step, RulesError> {
    let begun = rules::find(game)?.start(start)?;
    rules::replay(begun, plies)
}

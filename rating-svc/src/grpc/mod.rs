//! The contract `farside.rating.v1`: parse, call, convert.

mod convert;
mod parse;

use farside_kit::fault::status;
use farside_kit::grpc::AllowList;
use farside_kit::operator::{LIST_OPERATIONS, Operation, OperatorLog};
use farside_proto::rating::v1 as pb;
use farside_proto::rating::v1::rating_service_server::RatingService;
use serde_json::json;
use tonic::{Request, Response, Status};

use crate::engine::Ratings;
use crate::store::StoreFault;

/// Who may call what: match-svc records, operators rebuild, and ratings are for every service.
pub(crate) fn allow_list() -> AllowList {
    AllowList::new()
        .every_service(&[
            "/farside.rating.v1.RatingService/GetStandings",
            "/farside.rating.v1.RatingService/ListLeaderboard",
            "/farside.rating.v1.RatingService/ListHistory",
        ])
        .method("/farside.rating.v1.RatingService/GetPractice", &["gateway"])
        .method("/farside.rating.v1.RatingService/RecordSet", &["match-svc"])
        .operators_only("/farside.rating.v1.RatingService/Rebuild")
        .operators_too("/farside.rating.v1.RatingService/GetStandings")
        .operators_only(LIST_OPERATIONS)
}

/// The service behind the contract.
#[derive(Clone, Debug)]
pub(crate) struct RatingApi {
    ratings: Ratings,
    log: OperatorLog,
}

impl RatingApi {
    /// Serves these ratings, and writes down what operators are refused.
    pub(crate) const fn new(ratings: Ratings, log: OperatorLog) -> Self {
        Self { ratings, log }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "takes what map_err hands over")]
fn refuse(fault: StoreFault) -> Status {
    status(&fault)
}

#[tonic::async_trait]
impl RatingService for RatingApi {
    async fn record_set(
        &self,
        request: Request<pb::RecordSetRequest>,
    ) -> Result<Response<pb::RecordSetResponse>, Status> {
        let set = parse::finished_set(request.into_inner()).map_err(|refusal| status(&refusal))?;
        let game = set.game.clone();
        let recorded = self.ratings.record(set).await.map_err(refuse)?;
        Ok(Response::new(convert::recorded(&game, &recorded)))
    }

    async fn get_standings(
        &self,
        request: Request<pb::GetStandingsRequest>,
    ) -> Result<Response<pb::GetStandingsResponse>, Status> {
        let standings = self.ratings.standings(&request.into_inner().participant_id).await.map_err(refuse)?;
        Ok(Response::new(convert::standings(&standings, self.ratings.now())))
    }

    async fn list_leaderboard(
        &self,
        request: Request<pb::ListLeaderboardRequest>,
    ) -> Result<Response<pb::ListLeaderboardResponse>, Status> {
        let pb::ListLeaderboardRequest { game, limit, cursor } = request.into_inner();
        let page = self.ratings.leaderboard(&game, limit, &cursor).await.map_err(refuse)?;
        Ok(Response::new(convert::leaderboard(&game, page, self.ratings.now())))
    }

    async fn list_history(
        &self,
        request: Request<pb::ListHistoryRequest>,
    ) -> Result<Response<pb::ListHistoryResponse>, Status> {
        let pb::ListHistoryRequest { participant_id, game, limit, cursor } = request.into_inner();
        let page = self.ratings.history(&participant_id, &game, limit, &cursor).await.map_err(refuse)?;
        Ok(Response::new(convert::history(page)))
    }

    async fn get_practice(
        &self,
        request: Request<pb::GetPracticeRequest>,
    ) -> Result<Response<pb::GetPracticeResponse>, Status> {
        let statistics = self.ratings.practice(&request.into_inner().player_id).await.map_err(refuse)?;
        Ok(Response::new(convert::practice(statistics)))
    }

    async fn rebuild(&self, request: Request<pb::RebuildRequest>) -> Result<Response<pb::RebuildResponse>, Status> {
        let pb::RebuildRequest { request_id, reason } = request.get_ref();
        let operation = Operation::of(&request, "rebuild-ratings", &json!({})).because(request_id, reason);
        let rebuilt = self.ratings.rebuild(operation.clone()).await.map_err(refuse);
        let rebuilt = self.log.answered(&operation, rebuilt).await?;
        Ok(Response::new(convert::rebuilt(rebuilt)))
    }
}

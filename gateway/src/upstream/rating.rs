//! The client of rating-svc: reading only.

use farside_kit::grpc::Traced;
use farside_proto::rating::v1::rating_service_client::RatingServiceClient;
use farside_proto::rating::v1::{
    GetPracticeRequest, GetPracticeResponse, GetStandingsRequest, GetStandingsResponse, ListHistoryRequest,
    ListHistoryResponse, ListLeaderboardRequest, ListLeaderboardResponse,
};

/// A client of rating-svc.
#[derive(Clone, Debug)]
pub struct Rating {
    client: RatingServiceClient<Traced>,
}

impl Rating {
    pub(super) fn new(channel: Traced) -> Self {
        Self { client: RatingServiceClient::new(channel) }
    }

    super::calls! {
        /// Returns a participant's standings.
        get_standings(GetStandingsRequest) -> GetStandingsResponse;
        /// Lists a leaderboard.
        list_leaderboard(ListLeaderboardRequest) -> ListLeaderboardResponse;
        /// Lists a participant's history.
        list_history(ListHistoryRequest) -> ListHistoryResponse;
        /// Returns practice statistics.
        get_practice(GetPracticeRequest) -> GetPracticeResponse;
    }
}

//! The client of rules-svc: contracts, positions, analysis, verification.

use std::time::Duration;

use farside_kit::fault::Remote;
use farside_kit::grpc::Traced;
use farside_proto::rules::v1::rules_service_client::RulesServiceClient;
use farside_proto::rules::v1::{
    AnalyzeRequest, AnalyzeResponse, GetGameRequest, GetGameResponse, ListGamesRequest, ListGamesResponse,
    ReplayRequest, ReplayResponse, VerifyRecordRequest, VerifyRecordResponse,
};

/// How long a search may take: beyond its own bound in time only when the service does not answer.
const ANALYSIS_TIMEOUT: Duration = Duration::from_secs(30);

/// A client of rules-svc.
#[derive(Clone, Debug)]
pub struct Rules {
    client: RulesServiceClient<Traced>,
}

impl Rules {
    pub(super) fn new(channel: Traced) -> Self {
        Self { client: RulesServiceClient::new(channel) }
    }

    super::calls! {
        /// Lists contracts.
        list_games(ListGamesRequest) -> ListGamesResponse;
        /// Returns a contract.
        get_game(GetGameRequest) -> GetGameResponse;
        /// Replays plies.
        replay(ReplayRequest) -> ReplayResponse;
        /// Verifies a record.
        verify_record(VerifyRecordRequest) -> VerifyRecordResponse;
    }

    /// Searches for the best move; once, since a search that was refused is not to be pressed for.
    ///
    /// # Errors
    ///
    /// What the service says; `UNAVAILABLE` when it does not answer.
    pub async fn analyze(&self, request: AnalyzeRequest) -> Result<AnalyzeResponse, Remote> {
        let mut request = tonic::Request::new(request);
        request.set_timeout(ANALYSIS_TIMEOUT);
        let answer = self.client.clone().analyze(request).await;
        answer.map(tonic::Response::into_inner).map_err(Remote::from)
    }
}

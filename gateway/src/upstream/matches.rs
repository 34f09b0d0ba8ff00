//! The client of match-svc: challenges, sets, moves, turns and streams.

use std::time::Duration;

use farside_kit::fault::Remote;
use farside_kit::grpc::Traced;
use farside_proto::matches::v1::match_service_client::MatchServiceClient;
use farside_proto::matches::v1::{
    AcceptChallengeRequest, AcceptChallengeResponse, BeatRequest, BeatResponse, CancelChallengeRequest,
    CancelChallengeResponse, CreateChallengeRequest, CreateChallengeResponse, DeclineChallengeRequest,
    DeclineChallengeResponse, GetChallengeRequest, GetChallengeResponse, GetRecordRequest, GetRecordResponse,
    GetSetRequest, GetSetResponse, GetStandingRequest, GetStandingResponse, ListChallengesRequest,
    ListChallengesResponse, ListKeysRequest, ListKeysResponse, ListSetsRequest, ListSetsResponse, ListTurnsRequest,
    ListTurnsResponse, PauseSetRequest, PauseSetResponse, PlayMoveRequest, PlayMoveResponse, ResignRequest,
    ResignResponse, ResumeSetRequest, ResumeSetResponse, WatchParticipantRequest, WatchParticipantResponse,
    WatchSetRequest, WatchSetResponse,
};
use tonic::Streaming;

/// What a long poll may take beyond the time that it waits.
const POLL_MARGIN: Duration = Duration::from_secs(5);
/// A beat that is late is not worth waiting for.
const BEAT_TIMEOUT: Duration = Duration::from_secs(2);

/// Makes methods that are each one call about a set: to the replica that every gateway prefers for the set, since its
/// cache knows the set then, and to any when that one does not answer.
macro_rules! calls_about_sets {
    ($($(#[$doc:meta])* $name:ident($request:ty) -> $response:ty;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            ///
            /// What the service says; `UNAVAILABLE` when it does not answer.
            pub async fn $name(&self, request: $request) -> Result<$response, Remote> {
                let near = self.near(&request.set_id);
                farside_kit::grpc::retry_over(super::policy(), &near, &self.client, |mut client| {
                    let request = request.clone();
                    async move { client.$name(request).await }
                })
                .await
            }
        )*
    };
}

/// A client of match-svc.
#[derive(Clone, Debug)]
pub struct Matches {
    channel: Traced,
    client: MatchServiceClient<Traced>,
}

impl Matches {
    pub(super) fn new(channel: Traced) -> Self {
        Self { client: MatchServiceClient::new(channel.clone()), channel }
    }

    /// A client of the replica that is preferred for a set.
    fn near(&self, set_id: &str) -> MatchServiceClient<Traced> {
        MatchServiceClient::new(self.channel.toward(set_id))
    }

    super::calls! {
        /// Makes a challenge.
        create_challenge(CreateChallengeRequest) -> CreateChallengeResponse;
        /// Returns a challenge.
        get_challenge(GetChallengeRequest) -> GetChallengeResponse;
        /// Lists challenges.
        list_challenges(ListChallengesRequest) -> ListChallengesResponse;
        /// Accepts a challenge.
        accept_challenge(AcceptChallengeRequest) -> AcceptChallengeResponse;
        /// Declines a challenge.
        decline_challenge(DeclineChallengeRequest) -> DeclineChallengeResponse;
        /// Cancels a challenge.
        cancel_challenge(CancelChallengeRequest) -> CancelChallengeResponse;
        /// Lists sets.
        list_sets(ListSetsRequest) -> ListSetsResponse;
        /// Lists keys that sign records.
        list_keys(ListKeysRequest) -> ListKeysResponse;
        /// Tells how a participant stands.
        get_standing(GetStandingRequest) -> GetStandingResponse;
    }

    calls_about_sets! {
        /// Returns a set.
        get_set(GetSetRequest) -> GetSetResponse;
        /// Plays a move.
        play_move(PlayMoveRequest) -> PlayMoveResponse;
        /// Resigns a game.
        resign(ResignRequest) -> ResignResponse;
        /// Pauses practice.
        pause_set(PauseSetRequest) -> PauseSetResponse;
        /// Resumes practice.
        resume_set(ResumeSetRequest) -> ResumeSetResponse;
        /// Returns a record.
        get_record(GetRecordRequest) -> GetRecordResponse;
        /// Watches a set.
        watch_set(WatchSetRequest) -> Streaming<WatchSetResponse>;
    }

    /// Lists turns, and waits for one as long as the request says.
    ///
    /// # Errors
    ///
    /// What the service says; `UNAVAILABLE` when it does not answer.
    pub async fn list_turns(&self, request: ListTurnsRequest) -> Result<ListTurnsResponse, Remote> {
        let timeout = Duration::from_millis(request.wait_ms.into()) + POLL_MARGIN;
        farside_kit::grpc::retry(super::policy(), || {
            let mut client = self.client.clone();
            let mut request = tonic::Request::new(request.clone());
            request.set_timeout(timeout);
            async move { client.list_turns(request).await }
        })
        .await
    }

    /// Proves that a move could be accepted now; once, since the next beat follows.
    ///
    /// # Errors
    ///
    /// What the service says; `UNAVAILABLE` when it does not answer.
    pub async fn beat(&self, request: BeatRequest) -> Result<BeatResponse, Remote> {
        let mut request = tonic::Request::new(request);
        request.set_timeout(BEAT_TIMEOUT);
        let answer = self.client.clone().beat(request).await;
        answer.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    /// Watches a participant.
    ///
    /// # Errors
    ///
    /// What the service says; `UNAVAILABLE` when it does not answer.
    pub async fn watch_participant(
        &self,
        request: WatchParticipantRequest,
    ) -> Result<Streaming<WatchParticipantResponse>, Remote> {
        farside_kit::grpc::retry(super::policy(), || {
            let (mut client, request) = (self.client.clone(), request.clone());
            async move { client.watch_participant(request).await }
        })
        .await
    }
}

//! Moves straight to match-svc over gRPC, as the gateway sends them: the same contract, the same token, one channel.

use std::time::Duration;

use farside_kit::config::Secret;
use farside_kit::grpc::{Endpoint, Traced, channel};
use farside_kit::time::{Clock as _, SystemClock};
use farside_proto::matches::v1 as proto;
use farside_tests::apart::Apart;
use proto::match_service_client::MatchServiceClient;

const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// A client of match-svc; clones share its connection.
#[derive(Clone, Debug)]
pub struct Direct(MatchServiceClient<Traced>);

impl Direct {
    /// A client with the gateway's token.
    pub fn new(platform: &Apart) -> Self {
        let token = Secret::new(platform.gateway.setting("FARSIDE_SERVICE_TOKEN"));
        let endpoint = Endpoint::url(platform.gateway.setting("FARSIDE_MATCH_URL")).expect("an address");
        Self(MatchServiceClient::new(channel(&endpoint, Some(&token), ANSWER_WITHIN)))
    }

    /// Plays a move; answers the game after it.
    pub async fn play(&self, actor: &str, set_id: &str, game: u32, ply: u32, choice: String) -> proto::Game {
        let request = proto::PlayMoveRequest {
            actor_id: actor.to_owned(),
            set_id: set_id.to_owned(),
            game,
            ply,
            move_json: choice,
            received_at_ms: SystemClock::default().now().0,
            request_id: String::new(),
        };
        let answer = self.0.clone().play_move(request).await.expect("a legal move");
        answer.into_inner().game.expect("a game")
    }
}

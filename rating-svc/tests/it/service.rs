//! A rating-svc in memory on a database of its own, and sets to tell it of.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use farside_kit::Context;
use farside_kit::config::{BusArgs, Secret};
use farside_kit::fault::Remote;
use farside_kit::grpc::{Endpoint, Traced, channel};
use farside_kit::testing::{TestDatabase, unique_name};
use farside_kit::time::{ManualClock, UnixMs};
use farside_proto::rating::v1 as pb;
use farside_proto::rating::v1::rating_service_client::RatingServiceClient;
use farside_rating::Config;

/// The moment at which every test begins.
pub(crate) const START: UnixMs = UnixMs(1_800_000_000_000);
/// The game of most tests.
pub(crate) const GAME: &str = "breakthrough";

/// A running service.
pub(crate) struct Service {
    pub(crate) database: TestDatabase,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) context: Context,
    client: RatingServiceClient<Traced>,
}

impl Service {
    pub(crate) async fn sqlite() -> Self {
        let database = TestDatabase::sqlite();
        let config = Config::new(database.args().clone());
        Self::start(database, config).await
    }

    pub(crate) async fn postgres() -> Self {
        let database = TestDatabase::postgres().await;
        let config = Config::new(database.args().clone());
        Self::start(database, config).await
    }

    /// On SQLite, with boards in the Redis of the tests under this prefix.
    pub(crate) async fn with_redis(redis_url: &str, prefix: &str) -> Self {
        let database = TestDatabase::sqlite();
        let redis_url = Some(Secret::new(redis_url));
        let bus = BusArgs { redis_url };
        let config = Config { bus, rating_cache_prefix: prefix.to_owned(), ..Config::new(database.args().clone()) };
        Self::start(database, config).await
    }

    pub(crate) async fn start(database: TestDatabase, config: Config) -> Self {
        let clock = ManualClock::at(START);
        let context = Context { clock: clock.clone(), ..Context::in_process() };
        let hub = context.hub.clone().unwrap();
        let listener = hub.listen(farside_rating::NAME);
        farside_rating::start(config, context.clone(), listener).await.unwrap();
        let channel = channel(&Endpoint::memory(&hub, farside_rating::NAME), None, Duration::from_secs(60));
        Self { database, clock, context, client: RatingServiceClient::new(channel) }
    }

    pub(crate) fn client(&self) -> RatingServiceClient<Traced> {
        self.client.clone()
    }

    pub(crate) async fn record(&self, set: pb::RecordSetRequest) -> Result<pb::RecordSetResponse, Remote> {
        self.client().record_set(set).await.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    /// The standing of `who` in the game of most tests.
    pub(crate) async fn standing(&self, who: &str) -> Option<pb::Standing> {
        let request = pb::GetStandingsRequest { participant_id: who.to_owned() };
        let standings = self.client().get_standings(request).await.unwrap().into_inner().standings;
        standings.into_iter().find(|it| it.game == GAME)
    }

    pub(crate) async fn board(&self, limit: u32, cursor: &str) -> Result<pb::ListLeaderboardResponse, Remote> {
        let request = pb::ListLeaderboardRequest { game: GAME.to_owned(), limit, cursor: cursor.to_owned() };
        self.client().list_leaderboard(request).await.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    /// The whole leaderboard, page by page.
    pub(crate) async fn whole_board(&self, limit: u32) -> Vec<pb::LeaderboardRow> {
        let (mut rows, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.board(limit, &cursor).await.unwrap();
            rows.extend(page.rows);
            if page.next_cursor.is_empty() {
                return rows;
            }
            cursor = page.next_cursor;
        }
    }

    pub(crate) async fn history(&self, who: &str, limit: u32, cursor: &str) -> Result<pb::ListHistoryResponse, Remote> {
        let (participant_id, game, cursor) = (who.to_owned(), GAME.to_owned(), cursor.to_owned());
        let request = pb::ListHistoryRequest { participant_id, game, limit, cursor };
        self.client().list_history(request).await.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    pub(crate) async fn rebuild(&self) -> pb::RebuildResponse {
        let (request_id, reason) = (unique_name(), "a test".to_owned());
        self.client().rebuild(pb::RebuildRequest { request_id, reason }).await.unwrap().into_inner()
    }

    /// The standings of these, as bits, so that they can be compared exactly.
    pub(crate) async fn numbers<'a>(&self, who: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, Numbers> {
        let mut numbers = BTreeMap::new();
        for who in who {
            if let Some(standing) = self.standing(who).await {
                numbers.insert(who.to_owned(), Numbers::of(&standing));
            }
        }
        numbers
    }

    /// Changes the database behind the service's back.
    pub(crate) async fn tamper(&self, statement: &'static str) {
        let db = self.database.connect(farside_rating::SCHEMA).await;
        let done: Result<(), sea_orm::DbErr> = db
            .write(move |tx| {
                Box::pin(async move { sea_orm::ConnectionTrait::execute_unprepared(tx, statement).await.map(drop) })
            })
            .await;
        done.unwrap();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.context.shutdown.trigger();
    }
}

/// A standing without what depends on the present moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) rating_bits: u64,
    pub(crate) volatility_bits: u64,
    pub(crate) counts: [i64; 6],
    pub(crate) last_set_at_ms: i64,
}

impl Numbers {
    pub(crate) fn of(it: &pb::Standing) -> Self {
        Self {
            rating_bits: it.rating.to_bits(),
            volatility_bits: it.volatility.to_bits(),
            counts: [it.sets, it.wins, it.draws, it.losses, it.won_points, it.net_points],
            last_set_at_ms: it.last_set_at_ms,
        }
    }
}

pub(crate) fn bot(name: &str) -> pb::Participant {
    pb::Participant {
        id: format!("bot_{name}"),
        name: name.to_owned(),
        kind: pb::ParticipantKind::Bot.into(),
        owner_id: format!("player_{name}"),
        owner_name: format!("owner-{name}"),
    }
}

pub(crate) fn human(name: &str) -> pb::Participant {
    let id = format!("player_{name}");
    pb::Participant { id: id.clone(), owner_id: id, kind: pb::ParticipantKind::Human.into(), ..bot(name) }
}

pub(crate) fn house(level: &str) -> pb::Participant {
    let id = format!("house:{level}");
    let kind = pb::ParticipantKind::House.into();
    pb::Participant { name: id.clone(), id, kind, owner_id: String::new(), owner_name: String::new() }
}

/// A rated set for 40 points, won by its creator, that ended `after_ms` after the start.
pub(crate) fn won(
    number: usize,
    creator: &pb::Participant,
    acceptor: &pb::Participant,
    after_ms: i64,
) -> pb::RecordSetRequest {
    let set_id = format!("set_{number:08}");
    pb::RecordSetRequest {
        request_id: format!("{set_id}:rate"),
        set_id,
        game: GAME.to_owned(),
        rated: true,
        creator: Some(creator.clone()),
        acceptor: Some(acceptor.clone()),
        outcome: pb::SetOutcome::CreatorWon.into(),
        lost_points: 40,
        won_points: 39,
        finished_at_ms: START.0 + after_ms,
        practice: None,
    }
}

/// The same set, drawn.
pub(crate) fn drawn(set: pb::RecordSetRequest) -> pb::RecordSetRequest {
    pb::RecordSetRequest { outcome: pb::SetOutcome::Drawn.into(), lost_points: 0, won_points: 0, ..set }
}

/// Makes each behaviour a test on SQLite and one on PostgreSQL.
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::service::Service::sqlite().await).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::service::Service::postgres().await).await;
            })+
        }
    };
}
pub(crate) use on_both;

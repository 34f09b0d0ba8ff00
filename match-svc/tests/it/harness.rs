//! A world with all services but the gateway, and bots that play in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use farside_kit::Context;
use farside_kit::fault::Remote;
use farside_kit::grpc::{Endpoint, MemoryHub, Traced, channel};
use farside_kit::testing::TestDatabase;
use farside_kit::time::{ManualClock, SharedClock, UnixMs};
use farside_match::Config;
use farside_proto::ledger::v1 as ledger;
use farside_proto::matches::v1 as proto;
use farside_proto::rating::v1 as rating;
use farside_proto::rules::v1 as rules;
use ledger::ledger_service_client::LedgerServiceClient;
use proto::match_service_client::MatchServiceClient;
use rating::rating_service_client::RatingServiceClient;
use rules::rules_service_client::RulesServiceClient;

/// Which database match-svc has.
#[derive(Clone, Copy, Debug)]
pub enum Backend {
    Sqlite,
    Postgres,
}

pub struct World {
    pub hub: MemoryHub,
    pub context: Context,
    /// That of match-svc alone: it may stop while the others go on.
    pub match_context: Context,
    pub config: Config,
    pub _database: TestDatabase,
    pub client: MatchServiceClient<Traced>,
    pub ledger: LedgerServiceClient<Traced>,
    pub rating: RatingServiceClient<Traced>,
    pub rules: RulesServiceClient<Traced>,
    pub _others: Vec<TestDatabase>,
}

pub fn request_id() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    format!("request-{}", COUNTER.fetch_add(1, Ordering::Relaxed))
}

fn traced(hub: &MemoryHub, name: &str) -> Traced {
    channel(&Endpoint::memory(hub, name), None, Duration::from_secs(60))
}

impl World {
    pub async fn start(backend: Backend) -> Self {
        Self::start_with(backend, |_| {}, None).await
    }

    pub async fn start_at(backend: Backend, clock: Arc<ManualClock>) -> Self {
        Self::start_with(backend, |_| {}, Some(clock)).await
    }

    pub async fn start_with(backend: Backend, change: impl Fn(&mut Config), clock: Option<Arc<ManualClock>>) -> Self {
        let mut context = Context::in_process();
        if let Some(clock) = clock {
            context.clock = clock as SharedClock;
        }
        let hub = context.hub.clone().unwrap();
        let database = match backend {
            Backend::Sqlite => TestDatabase::sqlite(),
            Backend::Postgres => TestDatabase::postgres().await,
        };
        let (for_ledger, for_rating) = (TestDatabase::sqlite(), TestDatabase::sqlite());
        farside_rules::start(farside_rules::Config::default(), context.clone(), hub.listen("rules")).await.unwrap();
        let config = farside_ledger::Config::new(for_ledger.args().clone());
        farside_ledger::start(config, context.clone(), hub.listen("ledger")).await.unwrap();
        let config = farside_rating::Config::new(for_rating.args().clone());
        farside_rating::start(config, context.clone(), hub.listen("rating")).await.unwrap();
        let mut config = Config::new(database.args().clone());
        change(&mut config);
        let match_context = Context { shutdown: context.shutdown.child(), ..context.clone() };
        farside_match::start(config.clone(), match_context.clone(), hub.listen("match")).await.unwrap();
        Self {
            client: MatchServiceClient::new(traced(&hub, "match")),
            ledger: LedgerServiceClient::new(traced(&hub, "ledger")),
            rating: RatingServiceClient::new(traced(&hub, "rating")),
            rules: RulesServiceClient::new(traced(&hub, "rules")),
            _others: vec![for_ledger, for_rating],
            hub,
            context,
            match_context,
            config,
            _database: database,
        }
    }

    /// Another replica of match-svc on the same database; answers a client of it.
    pub async fn replica(&self, name: &str) -> (Context, MatchServiceClient<Traced>) {
        let context = Context { hub: Some(self.hub.clone()), clock: self.context.clock.clone(), ..Context::new() };
        farside_match::start(self.config.clone(), context.clone(), self.hub.listen(name)).await.unwrap();
        (context, MatchServiceClient::new(traced(&self.hub, name)))
    }

    /// A bot of an owner of its own with this many points.
    pub async fn bot(&self, name: &str, points: i64) -> proto::Participant {
        let request = ledger::GrantRequest {
            request_id: format!("grant:{name}"),
            account_id: format!("player_{name}"),
            currency: "PTS".to_owned(),
            amount_points: points,
            memo: "test".to_owned(),
            reason: String::new(),
        };
        self.ledger.clone().grant(request).await.unwrap();
        bot(name, name)
    }

    pub async fn balance(&self, name: &str) -> (i64, i64) {
        let request = ledger::GetBalanceRequest { account_id: format!("player_{name}") };
        let answer = self.ledger.clone().get_balance(request).await.unwrap().into_inner();
        let balance = answer.balances.into_iter().find(|balance| balance.currency == "PTS").unwrap();
        (balance.available_points, balance.held_points)
    }

    pub async fn audit_is_ok(&self) -> bool {
        let audit =
            self.ledger.clone().run_audit(ledger::RunAuditRequest {}).await.unwrap().into_inner().audit.unwrap();
        assert!(audit.violations.is_empty(), "{:?}", audit.violations);
        audit.ok
    }

    pub async fn create(
        &self,
        request: proto::CreateChallengeRequest,
    ) -> Result<proto::CreateChallengeResponse, Remote> {
        Ok(self.client.clone().create_challenge(request).await?.into_inner())
    }

    pub async fn accept(&self, actor: &proto::Participant, challenge_id: &str) -> Result<proto::Set, Remote> {
        let request = proto::AcceptChallengeRequest {
            request_id: request_id(),
            actor: Some(actor.clone()),
            challenge_id: challenge_id.to_owned(),
            nonce: None,
        };
        Ok(self.client.clone().accept_challenge(request).await?.into_inner().set.unwrap())
    }

    pub async fn set(&self, id: &str) -> proto::Set {
        self.set_for(id, "").await
    }

    pub async fn set_for(&self, id: &str, viewer: &str) -> proto::Set {
        let request = proto::GetSetRequest { set_id: id.to_owned(), viewer_id: viewer.to_owned() };
        self.client.clone().get_set(request).await.unwrap().into_inner().set.unwrap()
    }

    /// Looks at a set until it is as wanted; fails after a while.
    pub async fn until(&self, id: &str, wanted: impl Fn(&proto::Set) -> bool) -> proto::Set {
        for _ in 0..1_500 {
            let set = self.set(id).await;
            if wanted(&set) {
                return set;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the set never got as wanted: {:?}", self.set(id).await);
    }

    pub async fn play(
        &self,
        set: &str,
        game: &proto::Game,
        actor: &str,
        move_json: &str,
    ) -> Result<proto::Game, Remote> {
        play(&self.client, set, game.number, game.ply, actor, move_json, None).await
    }

    /// Plays a set to its end with a fixed choice among the legal moves.
    pub async fn play_out(&self, id: &str, seed: u64) -> proto::Set {
        let mut chance = seed;
        loop {
            let set = self.set(id).await;
            let Some(game) = set.games.last().filter(|game| game.status == i32::from(proto::GameStatus::Active)) else {
                return set;
            };
            for seat in game.to_move.clone() {
                let actor = if seat == 1 { &game.seat_1 } else { &game.seat_2 };
                let mine = self.set_for(id, actor).await;
                let mine = mine.games.last().unwrap();
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let index = usize::try_from(chance >> 33).unwrap() % mine.legal_moves_json.len();
                self.play(id, mine, actor, &mine.legal_moves_json[index]).await.unwrap();
            }
        }
    }

    pub async fn stop(self) {
        self.context.shutdown.trigger();
        assert!(self.context.tasks.drain(Duration::from_secs(20)).await, "everything ends when asked to");
    }
}

#[expect(clippy::too_many_arguments, reason = "each is a field of the request")]
pub async fn play(
    client: &MatchServiceClient<Traced>,
    set: &str,
    game: u32,
    ply: u32,
    actor: &str,
    move_json: &str,
    received_at: Option<UnixMs>,
) -> Result<proto::Game, Remote> {
    let request = proto::PlayMoveRequest {
        actor_id: actor.to_owned(),
        set_id: set.to_owned(),
        game,
        ply,
        move_json: move_json.to_owned(),
        received_at_ms: received_at.map_or(0, |at| at.0),
        request_id: request_id(),
    };
    Ok(client.clone().play_move(request).await?.into_inner().game.unwrap())
}

pub fn bot(name: &str, owner: &str) -> proto::Participant {
    proto::Participant {
        id: format!("bot_{name}"),
        name: name.to_owned(),
        kind: proto::ParticipantKind::Bot.into(),
        owner_id: format!("player_{owner}"),
        owner_name: owner.to_owned(),
        max_stake_points: 500,
        accepts: None,
    }
}

pub fn house(level: &str) -> proto::Participant {
    proto::Participant {
        id: format!("house:{level}"),
        name: format!("house {level}"),
        kind: proto::ParticipantKind::House.into(),
        owner_id: "house".to_owned(),
        owner_name: "house".to_owned(),
        max_stake_points: 0,
        accepts: None,
    }
}

/// An open challenge on the small board without a stake.
pub fn challenge(creator: &proto::Participant) -> proto::CreateChallengeRequest {
    proto::CreateChallengeRequest {
        request_id: request_id(),
        actor: Some(creator.clone()),
        game: "breakthrough".to_owned(),
        options_json: r#"{"size":6,"start":"standard"}"#.to_owned(),
        ..Default::default()
    }
}

pub fn staked(creator: &proto::Participant, amount_points: i64) -> proto::CreateChallengeRequest {
    let stake = Some(proto::Stake { currency: "PTS".to_owned(), amount_points });
    proto::CreateChallengeRequest { stake, ..challenge(creator) }
}

/// A move with the moment that its answer speaks of.
pub async fn play_fully(
    client: &MatchServiceClient<Traced>,
    set: &str,
    game: &proto::Game,
    actor: &str,
    move_json: &str,
) -> Result<proto::PlayMoveResponse, Remote> {
    let request = proto::PlayMoveRequest {
        actor_id: actor.to_owned(),
        set_id: set.to_owned(),
        game: game.number,
        ply: game.ply,
        move_json: move_json.to_owned(),
        received_at_ms: 0,
        request_id: request_id(),
    };
    Ok(client.clone().play_move(request).await?.into_inner())
}

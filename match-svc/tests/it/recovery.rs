//! What a crash leaves in the middle is found and ended; what another service does not take is delivered later. The
//! middle is made by hand in the tables, as a process killed between two steps leaves it.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::db::Database;
use farside_kit::time::{DurationMs, ManualClock, UnixMs};
use farside_proto::matches::v1 as proto;
use sea_orm::{ConnectionTrait as _, DbErr};

use crate::harness::{Backend, World, staked};

const START: UnixMs = UnixMs(1_800_000_000_000);

async fn world(backend: Backend) -> (World, Arc<ManualClock>) {
    let clock = ManualClock::at(START);
    (World::start_at(backend, Arc::clone(&clock)).await, clock)
}

async fn tamper(world: &World, sql: &'static str) {
    let database = Database::connect(&world.config.database, farside_match::SCHEMA).await.unwrap();
    let work = database.write::<_, _, DbErr>(move |tx| Box::pin(async move { tx.execute_unprepared(sql).await }));
    work.await.unwrap();
}

async fn until_balance(world: &World, name: &str, wanted: (i64, i64)) {
    for _ in 0..1_000 {
        if world.balance(name).await == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(world.balance(name).await, wanted);
}

async fn a_challenge_left_in_the_making_gives_its_stake_back(backend: Backend) {
    let (world, clock) = world(backend).await;
    let anna = world.bot("anna", 100).await;
    let request = staked(&anna, 10);
    let made = world.create(request.clone()).await.unwrap().challenge.unwrap();
    tamper(&world, "UPDATE challenges SET status = 0").await;
    let get = proto::GetChallengeRequest { challenge_id: made.id.clone() };
    assert!(world.client.clone().get_challenge(get).await.is_err(), "nobody sees it");
    clock.advance(DurationMs(30_001));
    until_balance(&world, "anna", (100, 0)).await;
    let again = world.create(request).await.unwrap().challenge.unwrap();
    assert_ne!(again.id, made.id, "the request may be sent again");
    assert_eq!(world.balance("anna").await, (90, 10));
    assert!(world.audit_is_ok().await);
    world.stop().await;
}

async fn an_attempt_to_accept_left_in_the_middle_makes_room(backend: Backend) {
    let (world, clock) = world(backend).await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let made = world.create(staked(&anna, 10)).await.unwrap().challenge.unwrap();
    tamper(&world, "UPDATE challenges SET claim_id = 'x', claim_by = 'bot_eve', claim_at_ms = 1800000000000").await;
    let refused = world.accept(&otto, &made.id).await.unwrap_err();
    assert_eq!(refused.reason, "CHALLENGE_CLOSED", "someone else may be accepting");
    clock.advance(DurationMs(30_001));
    for _ in 0..200 {
        match world.accept(&otto, &made.id).await {
            Ok(set) => {
                assert_eq!((world.balance("otto").await, set.status()), ((90, 10), proto::SetStatus::Active));
                assert!(world.audit_is_ok().await);
                return world.stop().await;
            }
            Err(refused) => assert_eq!(refused.reason, "CHALLENGE_CLOSED"),
        }
    }
    panic!("the attempt was never ended");
}

async fn an_own_attempt_to_accept_left_in_the_middle_closes_nothing(backend: Backend) {
    let (world, clock) = world(backend).await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let made = world.create(staked(&anna, 10)).await.unwrap().challenge.unwrap();
    tamper(&world, "UPDATE challenges SET claim_id = 'x', claim_by = 'bot_otto', claim_at_ms = 1800000000000").await;
    assert_eq!(world.accept(&otto, &made.id).await.unwrap_err().reason, "UNAVAILABLE", "it may be tried again");
    clock.advance(DurationMs(30_001));
    for _ in 0..200 {
        match world.accept(&otto, &made.id).await {
            Ok(_) => return world.stop().await,
            Err(refused) => assert_eq!(refused.reason, "UNAVAILABLE"),
        }
    }
    panic!("the attempt was never ended");
}

async fn a_set_goes_on_where_a_killed_process_left_it(backend: Backend) {
    let (world, _clock) = world(backend).await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let made = world.create(staked(&anna, 10)).await.unwrap().challenge.unwrap();
    let set = world.accept(&otto, &made.id).await.unwrap();
    let game = &set.games[0];
    let first = world.play(&set.id, game, "bot_otto", &game.legal_moves_json[0]).await.unwrap();
    let before = world.set(&set.id).await;
    world.match_context.shutdown.trigger();
    let (_next, client) = world.replica("match-2").await;
    let world = World { client, ..world };
    assert_eq!(world.set(&set.id).await, before);
    let again = world.play(&set.id, game, "bot_otto", &game.legal_moves_json[0]).await.unwrap();
    assert_eq!(again, first, "the acknowledged move is there, and its retry gets the first answer");
    let set = world.play_out(&set.id, 9).await;
    assert_eq!(set.status(), proto::SetStatus::Finished);
    world.until(&set.id, |set| set.settlement() != proto::Settlement::Pending).await;
    assert!(world.audit_is_ok().await);
}

on_both! {
    a_challenge_left_in_the_making_gives_its_stake_back,
    an_attempt_to_accept_left_in_the_middle_makes_room,
    an_own_attempt_to_accept_left_in_the_middle_closes_nothing,
    a_set_goes_on_where_a_killed_process_left_it,
}

//! Retention: events of sets that ended long ago are deleted, and nothing else is lost by it.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::time::{DurationMs, ManualClock, UnixMs};
use farside_proto::matches::v1 as proto;
use farside_proto::rating::v1 as rating;
use proto::watch_set_response::Item;

use crate::harness::{Backend, World, challenge, house, request_id, staked};

const START: UnixMs = UnixMs(1_800_000_000_000);
const DAY: DurationMs = DurationMs(24 * 3_600 * 1_000);

async fn items(world: &World, set_id: &str, after_seq: Option<u64>) -> Vec<Item> {
    let request = proto::WatchSetRequest { set_id: set_id.to_owned(), after_seq, viewer_id: String::new() };
    let mut stream = world.client.clone().watch_set(request).await.unwrap().into_inner();
    let mut items = Vec::new();
    while let Some(message) = stream.message().await.unwrap() {
        items.push(message.item.unwrap());
    }
    items
}

async fn record(world: &World, set_id: &str) -> String {
    let request = proto::GetRecordRequest { set_id: set_id.to_owned() };
    world.client.clone().get_record(request).await.unwrap().into_inner().record_json
}

async fn standings(world: &World) -> Vec<rating::Standing> {
    let request = rating::GetStandingsRequest { participant_id: "bot_anna".to_owned() };
    let standings = world.rating.clone().get_standings(request).await.unwrap().into_inner().standings;
    standings.into_iter().map(|standing| rating::Standing { deviation: 0.0, ..standing }).collect()
}

/// Waits until the events of a set are gone: whoever asks for them is told to start again.
async fn forgotten(world: &World, set_id: &str) {
    for _ in 0..1_500 {
        if matches!(items(world, set_id, Some(0)).await[..], [Item::Reset(_)]) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the events of {set_id} are still there");
}

async fn old_events_go_and_everything_else_stays(backend: Backend) {
    let clock = ManualClock::at(START);
    let keep_a_day = |config: &mut farside_match::Config| config.play.events_kept_days = Some(1);
    let world = World::start_with(backend, keep_a_day, Some(Arc::clone(&clock))).await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let made = world.create(staked(&anna, 10)).await.unwrap().challenge.unwrap();
    let set = world.accept(&otto, &made.id).await.unwrap();
    world.play_out(&set.id, 7).await;
    let set = world.until(&set.id, |set| set.settlement() != proto::Settlement::Pending).await;
    let practice = proto::CreateChallengeRequest {
        opponent: Some(house("easy")),
        clock_choice: Some(proto::create_challenge_request::ClockChoice::Untimed(true)),
        ..challenge(&anna)
    };
    let running = world.create(practice).await.unwrap().set.unwrap();
    let pause =
        proto::PauseSetRequest { request_id: request_id(), actor_id: anna.id.clone(), set_id: running.id.clone() };
    world.client.clone().pause_set(pause).await.unwrap();
    let rated = loop {
        let rated = standings(&world).await;
        if !rated.is_empty() {
            break rated;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let (before, balance) = (record(&world, &set.id).await, world.balance("anna").await);
    assert!(items(&world, &set.id, Some(0)).await.len() > 2, "a young set has its events");

    clock.advance(DAY);
    clock.advance(DurationMs(1));
    forgotten(&world, &set.id).await;
    assert_eq!(record(&world, &set.id).await, before, "the record is the one that was signed from the events");
    crate::whole_set::verified(&world, &set.id).await;
    assert_eq!(world.set(&set.id).await, set, "the set shows what it showed");
    assert!(matches!(items(&world, &set.id, None).await[..], [Item::Snapshot(_)]), "a spectator sees its end");
    assert_eq!(items(&world, &set.id, Some(set.last_seq)).await, Vec::new(), "who has seen everything misses nothing");
    assert_eq!((standings(&world).await, world.balance("anna").await), (rated, balance));
    let resume =
        proto::ResumeSetRequest { request_id: request_id(), actor_id: anna.id.clone(), set_id: running.id.clone() };
    world.client.clone().resume_set(resume).await.unwrap();
    assert!(world.context.metrics.encode().contains("farside_match_events_forgotten_total"));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_events_go_and_everything_else_stays_on_sqlite() {
    old_events_go_and_everything_else_stays(Backend::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_events_go_and_everything_else_stays_on_postgres() {
    old_events_go_and_everything_else_stays(Backend::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_participants_old_cursor_is_answered_with_a_reset() {
    let clock = ManualClock::at(START);
    let keep_a_day = |config: &mut farside_match::Config| config.play.events_kept_days = Some(1);
    let world = World::start_with(Backend::Sqlite, keep_a_day, Some(Arc::clone(&clock))).await;
    let anna = world.bot("anna", 100).await;
    let first = async |after_cursor: String| {
        let request = proto::WatchParticipantRequest { participant_id: anna.id.clone(), after_cursor };
        world.client.clone().watch_participant(request).await.unwrap().into_inner().message().await.unwrap().unwrap()
    };
    let cursor = first(String::new()).await.cursor;
    clock.advance(DAY);
    let item = first(cursor).await.item.unwrap();
    assert!(matches!(item, proto::watch_participant_response::Item::Reset(_)));
    world.stop().await;
}

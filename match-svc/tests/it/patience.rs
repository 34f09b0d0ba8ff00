//! What takes long, under virtual time: readers that do not keep up are cut and can resume, and quiet streams show that
//! they live.

use std::sync::Arc;
use std::time::Duration;

use farside_match::domain::event::{Logged, SetStatus};
use farside_match::domain::ids::{ParticipantId, Seq};
use farside_match::engine::{ParticipantItem, SetItem, WatchEnd, Watching};

use crate::simulation::players::{agree, play_on};
use crate::simulation::world::World;

/// Runs a world in which nothing goes wrong, and whose time passes only when nothing else can happen.
fn calmly<T>(work: impl AsyncFnOnce(Arc<World>) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let world = World::start(7).await;
        world.weather.calm_down();
        work(world).await
    })
}

/// Takes what there is until the stream ends.
async fn drain<T>(mut watching: Watching<T>) -> (Vec<T>, Option<WatchEnd>) {
    let mut items = Vec::new();
    loop {
        match watching.recv().await {
            Some(Ok(item)) => items.push(item),
            Some(Err(end)) => return (items, Some(end)),
            None => return (items, None),
        }
    }
}

fn events(items: Vec<SetItem>) -> Vec<Logged> {
    let event = |item| if let SetItem::Event(_, logged) = item { Some(*logged) } else { None };
    items.into_iter().filter_map(event).collect()
}

#[test]
fn a_reader_that_does_not_keep_up_is_cut_with_a_reason_and_resumes() {
    calmly(async |world| {
        let (_, id) = agree(&world).await;
        let (engine, _) = world.watchable().unwrap();
        let slow = engine.watch_set(id.clone(), Some(Seq(0)), None).await.unwrap();
        while play_on(&world, &id).await == SetStatus::Active {}
        tokio::time::sleep(Duration::from_secs(60)).await;
        let (items, end) = drain(slow).await;
        assert!(matches!(end, Some(WatchEnd::SlowReader)), "{end:?}");
        let mut seen = events(items);
        assert!(seen.len() <= 65, "what waits for a reader is bounded: {}", seen.len());
        let after = seen.last().unwrap().seq;
        let resumed = engine.watch_set(id.clone(), Some(after), None).await.unwrap();
        let (items, end) = drain(resumed).await;
        assert!(end.is_none());
        seen.extend(events(items));
        let whole = engine.watch_set(id, Some(Seq(0)), None).await.unwrap();
        assert_eq!(seen, events(drain(whole).await.0), "nothing is missing and nothing comes twice");
    });
}

#[test]
fn a_participant_that_does_not_keep_up_is_cut_with_a_reason_and_resumes() {
    calmly(async |world| {
        let (engine, _) = world.watchable().unwrap();
        let who = ParticipantId::from("bot_a0");
        let slow = engine.watch_participant(who.clone(), "").await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let (_, id) = agree(&world).await;
        while play_on(&world, &id).await == SetStatus::Active {}
        tokio::time::sleep(Duration::from_secs(60)).await;
        let (items, end) = drain(slow).await;
        assert!(matches!(end, Some(WatchEnd::SlowReader)), "{end:?}");
        let mut cursor = items.iter().map(|(cursor, _)| cursor).rfind(|cursor| !cursor.is_empty()).unwrap().clone();
        let of_set = |item: &ParticipantItem| match item {
            ParticipantItem::Event(info, logged) if info.id == id => Some(logged.seq),
            _ => None,
        };
        let mut seen: Vec<Seq> = items.iter().filter_map(|(_, item)| of_set(item)).collect();
        let last = world.truth_seq(&id).await;
        let mut resumed = engine.watch_participant(who, &cursor).await.unwrap();
        while seen.last() != Some(&last) {
            let (at, item) = resumed.recv().await.unwrap().unwrap();
            seen.extend(of_set(&item));
            cursor = at;
        }
        assert_eq!(seen, (1..=last.0).map(Seq).collect::<Vec<_>>(), "up to {cursor}");
    });
}

#[test]
fn a_quiet_stream_shows_that_it_lives() {
    calmly(async |world| {
        let (who, id) = agree(&world).await;
        let (engine, _) = world.watchable().unwrap();
        let mut of_set = engine.watch_set(id, None, None).await.unwrap();
        let mut of_bot = engine.watch_participant(who, "").await.unwrap();
        assert!(matches!(of_set.recv().await, Some(Ok(SetItem::Snapshot(_)))));
        assert!(matches!(of_bot.recv().await, Some(Ok((_, ParticipantItem::Snapshot(..))))));
        let began = tokio::time::Instant::now();
        for _ in 0..2 {
            let heartbeat = of_set.recv().await;
            assert!(matches!(heartbeat, Some(Ok(SetItem::Heartbeat(_)))), "{heartbeat:?}");
        }
        let passed = began.elapsed();
        assert!((Duration::from_secs(29)..Duration::from_secs(42)).contains(&passed), "every 15 s: {passed:?}");
        let heartbeat = of_bot.recv().await;
        assert!(matches!(heartbeat, Some(Ok((_, ParticipantItem::Heartbeat(_))))), "{heartbeat:?}");
    });
}

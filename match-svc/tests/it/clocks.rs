//! Clocks in a running engine: flags that fall by themselves, grace, outages. The clock is turned by hand; waiting is
//! for what the engine does, never for time to pass.

use std::sync::Arc;

use farside_kit::testing::conflicts::{Conflict, Conflicts};
use farside_kit::time::{DurationMs, ManualClock, UnixMs};
use farside_proto::matches::v1 as proto;

use crate::harness::{Backend, World, challenge, play, staked};

const START: UnixMs = UnixMs(1_800_000_000_000);

async fn world(backend: Backend) -> (World, Arc<ManualClock>) {
    let clock = ManualClock::at(START);
    (World::start_at(backend, Arc::clone(&clock)).await, clock)
}

async fn started(world: &World, creator: &str, acceptor: &str) -> proto::Set {
    let (one, other) = (world.bot(creator, 100).await, world.bot(acceptor, 100).await);
    let made = world.create(staked(&one, 10)).await.unwrap().challenge.unwrap();
    world.accept(&other, &made.id).await.unwrap()
}

async fn beat(world: &World) {
    world.client.clone().beat(proto::BeatRequest { gateway_id: "test".to_owned() }).await.unwrap();
}

fn reason(game: &proto::Game) -> &str {
    game.result.as_ref().map_or("", |result| result.reason.as_str())
}

async fn a_missed_first_move_falls_by_itself_and_strikes(backend: Backend) {
    let (world, clock) = world(backend).await;
    let set = started(&world, "anna", "otto").await;
    clock.advance(DurationMs(30_051));
    let set = world.until(&set.id, |set| set.games.len() == 2).await;
    assert_eq!(reason(&set.games[0]), "first_move_timeout");
    assert_eq!(set.games[0].result.as_ref().unwrap().winner_seat, 2);
    clock.advance(DurationMs(30_051));
    let set = world.until(&set.id, |set| set.settlement() != proto::Settlement::Pending).await;
    assert_eq!((set.status(), set.settlement()), (proto::SetStatus::Finished, proto::Settlement::Split));
    for who in ["bot_anna", "bot_otto"] {
        let request = proto::GetStandingRequest { participant_id: who.to_owned(), owner_id: String::new() };
        let standing = world.client.clone().get_standing(request).await.unwrap().into_inner();
        assert_eq!((standing.strikes.len(), standing.suspended_until_ms, standing.active_sets), (1, None, 0));
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_that_loses_to_other_transactions_falls_and_strikes_once() {
    for conflict in Conflict::ALL {
        let clock = ManualClock::at(START);
        let world = World::start_at(Backend::Postgres, Arc::clone(&clock)).await;
        let set = started(&world, "anna", "otto").await;
        let conflicts = Conflicts::arm(world._database.args(), farside_match::SCHEMA, "INSERT", conflict).await;
        clock.advance(DurationMs(30_051));
        let set = world.until(&set.id, |set| set.games.len() == 2).await;
        assert!(
            conflicts.met().await.is_superset(&["set_events", "strikes"].map(str::to_owned).into()),
            "{conflict:?}"
        );
        assert_eq!((set.last_seq, set.games[0].status()), (3, proto::GameStatus::Finished), "one flag, one new game");
        let request = proto::GetStandingRequest { participant_id: "bot_otto".to_owned(), owner_id: String::new() };
        let standing = world.client.clone().get_standing(request).await.unwrap().into_inner();
        assert_eq!(standing.strikes.len(), 1);
        world.stop().await;
    }
}

async fn three_strikes_suspend_from_staked_play(backend: Backend) {
    let (world, clock) = world(backend).await;
    for number in 0..3 {
        let set = started(&world, &format!("rival{number}"), "otto").await;
        clock.advance(DurationMs(30_051));
        world.until(&set.id, |set| set.games.len() == 2).await;
    }
    let otto = crate::harness::bot("otto", "otto");
    assert_eq!(world.create(staked(&otto, 10)).await.unwrap_err().reason, "SUSPENDED");
    world.create(crate::harness::challenge(&otto)).await.unwrap();
    clock.advance(DurationMs(24 * 3_600 * 1_000));
    world.create(staked(&otto, 10)).await.unwrap();
    world.stop().await;
}

async fn a_move_in_time_counts_when_it_is_processed_late_and_a_late_one_never(backend: Backend) {
    let (world, clock) = world(backend).await;
    let set = started(&world, "anna", "otto").await;
    let game = &set.games[0];
    clock.advance(DurationMs(30_040));
    let stamp = START.plus(DurationMs(30_000));
    let after = play(&world.client, &set.id, 1, 0, "bot_otto", &game.legal_moves_json[0], Some(stamp)).await.unwrap();
    assert_eq!(after.deadline_ms, Some(START.0 + 60_000), "seat 2's deadline starts with seat 1's move");
    clock.advance(DurationMs(29_970));
    let stamp = START.plus(DurationMs(60_001));
    let late =
        play(&world.client, &set.id, 1, 1, "bot_anna", &after.legal_moves_json[0], Some(stamp)).await.unwrap_err();
    assert_eq!(late.reason, "GAME_OVER");
    assert!(late.metadata["game_json"].contains("first_move_timeout"));
    world.stop().await;
}

async fn an_outage_flags_nobody_and_is_given_back(backend: Backend) {
    let (world, clock) = world(backend).await;
    beat(&world).await;
    let set = started(&world, "anna", "otto").await;
    clock.advance(DurationMs(40_000));
    beat(&world).await;
    let set = world.until(&set.id, |set| set.last_seq == 2).await;
    let game = &set.games[0];
    assert_eq!((game.status(), game.deadline_ms), (proto::GameStatus::Active, Some(START.0 + 70_000)));
    world.stop().await;
}

async fn the_first_move_after_an_outage_is_not_charged_for_it(backend: Backend) {
    let (world, clock) = world(backend).await;
    beat(&world).await;
    let set = started(&world, "anna", "otto").await;
    clock.advance(DurationMs(100_000));
    let game = &set.games[0];
    let after = world.play(&set.id, game, "bot_otto", &game.legal_moves_json[0]).await.unwrap();
    assert_eq!((after.ply, after.status()), (1, proto::GameStatus::Active));
    assert_eq!(world.set(&set.id).await.last_seq, 3, "the credit is logged before the move");
    world.stop().await;
}

async fn a_long_outage_aborts_and_gives_stakes_back(backend: Backend) {
    let (world, clock) = world(backend).await;
    beat(&world).await;
    let set = started(&world, "anna", "otto").await;
    clock.advance(DurationMs(600_001));
    beat(&world).await;
    let set = world.until(&set.id, |set| set.settlement() != proto::Settlement::Pending).await;
    assert_eq!((set.status(), set.settlement()), (proto::SetStatus::Aborted, proto::Settlement::Refunded));
    assert_eq!((world.balance("anna").await, world.balance("otto").await), ((100, 0), (100, 0)));
    crate::whole_set::verified(&world, &set.id).await;
    world.stop().await;
}

async fn whoever_misses_a_round_loses_and_the_placement_in_time_stands(backend: Backend) {
    let (world, clock) = world(backend).await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let request = proto::CreateChallengeRequest {
        game: "maker-breaker".to_owned(),
        options_json: String::new(),
        ..staked(&anna, 10)
    };
    let made = world.create(request).await.unwrap().challenge.unwrap();
    let set = world.accept(&otto, &made.id).await.unwrap();
    let mine = world.set_for(&set.id, "bot_anna").await;
    let choice = mine.games[0].legal_moves_json[0].clone();
    world.play(&set.id, &mine.games[0], "bot_anna", &choice).await.unwrap();
    clock.advance(DurationMs(30_051));
    let set = world.until(&set.id, |set| set.status() == proto::SetStatus::Finished).await;
    let anna_seat = if set.games[0].seat_1 == "bot_anna" { 1 } else { 2 };
    assert_eq!((reason(&set.games[0]), set.games[0].result.as_ref().unwrap().winner_seat), ("timeout", anna_seat));
    world.stop().await;
}

async fn a_challenge_expires_and_gives_its_stake_back(backend: Backend) {
    let (world, clock) = world(backend).await;
    let anna = world.bot("anna", 100).await;
    let made = world.create(staked(&anna, 10)).await.unwrap().challenge.unwrap();
    clock.advance(DurationMs(600_000));
    let otto = world.bot("otto", 100).await;
    assert_eq!(world.accept(&otto, &made.id).await.unwrap_err().reason, "CHALLENGE_CLOSED");
    for _ in 0..500 {
        if world.balance("anna").await == (100, 0) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(world.balance("anna").await, (100, 0));
    let request = proto::GetChallengeRequest { challenge_id: made.id };
    let ended = world.client.clone().get_challenge(request).await.unwrap().into_inner().challenge.unwrap();
    assert_eq!(ended.status(), proto::ChallengeStatus::Expired);
    world.stop().await;
}

/// A set of secret rounds, and how both sides see its first one.
async fn round(world: &World) -> (proto::Set, [proto::Game; 2]) {
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let request = proto::CreateChallengeRequest {
        game: "maker-breaker".to_owned(),
        options_json: String::new(),
        ..staked(&anna, 10)
    };
    let made = world.create(request).await.unwrap().challenge.unwrap();
    let set = world.accept(&otto, &made.id).await.unwrap();
    let seen = [world.set_for(&set.id, "bot_anna").await, world.set_for(&set.id, "bot_otto").await];
    (set, seen.map(|set| set.games[0].clone()))
}

async fn both_who_miss_a_round_draw(backend: Backend) {
    let (world, clock) = world(backend).await;
    let (set, _) = round(&world).await;
    clock.advance(DurationMs(30_051));
    let set = world.until(&set.id, |set| set.settlement() != proto::Settlement::Pending).await;
    assert_eq!((reason(&set.games[0]), set.games[0].result.as_ref().unwrap().winner_seat), ("both_timeout", 0));
    assert_eq!(set.settlement(), proto::Settlement::Split);
    world.stop().await;
}

async fn a_placement_survives_the_time_that_is_given_back(backend: Backend) {
    let (world, clock) = world(backend).await;
    beat(&world).await;
    let (set, [annas, ottos]) = round(&world).await;
    let choice = annas.legal_moves_json[0].clone();
    let first = world.play(&set.id, &annas, "bot_anna", &choice).await.unwrap();
    clock.advance(DurationMs(40_000));
    beat(&world).await;
    let credited = world.until(&set.id, |set| set.last_seq == 2).await;
    assert_eq!(credited.games[0].deadline_ms, Some(START.0 + 70_000));
    assert!(world.set_for(&set.id, "bot_anna").await.games[0].submitted, "it is still there");
    let second = world.play(&set.id, &ottos, "bot_otto", &ottos.legal_moves_json[1]).await.unwrap();
    assert_eq!((second.ply, second.last_move.as_ref().unwrap().moves.len()), (1, 2));
    let again = world.play(&set.id, &annas, "bot_anna", &choice).await.unwrap();
    assert_eq!(again, first, "the first answer, with the deadline as it was then");
    world.stop().await;
}

async fn a_missed_beat_is_an_outage_and_jitter_is_none(backend: Backend) {
    let (world, clock) = world(backend).await;
    beat(&world).await;
    let set = started(&world, "anna", "otto").await;
    clock.advance(DurationMs(1_700));
    beat(&world).await;
    clock.advance(DurationMs(2_000));
    beat(&world).await;
    let set = world.until(&set.id, |set| set.last_seq == 2).await;
    assert_eq!(set.games[0].deadline_ms, Some(START.0 + 32_000), "what lies between two beats that met is given back");
    world.stop().await;
}

async fn flags_wait_for_moves_as_long_as_these_take(backend: Backend) {
    let (world, clock) = world(backend).await;
    let set = started(&world, "anna", "otto").await;
    // Moves take 800 ms from stamp to commit: flags wait for twice that.
    clock.advance(DurationMs(800));
    let game = &set.games[0];
    play(&world.client, &set.id, 1, 0, "bot_otto", &game.legal_moves_json[0], Some(START)).await.unwrap();
    let early = started(&world, "eva", "emil").await;
    clock.advance(DurationMs(1_000));
    let late = started(&world, "lena", "leo").await;
    // `early` is 1,601 ms beyond its deadline, `late` 601 ms: one sweep sees both.
    clock.set(UnixMs(early.games[0].deadline_ms.unwrap() + 1_601));
    world.until(&early.id, |set| set.games.len() == 2).await;
    let game = &late.games[0];
    let stamp = Some(UnixMs(game.deadline_ms.unwrap()));
    let in_time = play(&world.client, &late.id, 1, 0, "bot_leo", &game.legal_moves_json[0], stamp).await.unwrap();
    assert_eq!(in_time.ply, 1, "a move in time that took long still counts");
    world.stop().await;
}

async fn flags_wait_two_seconds_at_most(backend: Backend) {
    let (world, clock) = world(backend).await;
    let set = started(&world, "anna", "otto").await;
    clock.advance(DurationMs(1_900));
    let game = &set.games[0];
    play(&world.client, &set.id, 1, 0, "bot_otto", &game.legal_moves_json[0], Some(START)).await.unwrap();
    let other = started(&world, "eva", "emil").await;
    clock.set(UnixMs(other.games[0].deadline_ms.unwrap() + 2_001));
    world.until(&other.id, |set| set.games.len() == 2).await;
    world.stop().await;
}

async fn every_running_set_is_given_its_time_back(backend: Backend) {
    let clock = ManualClock::at(START);
    let change = |config: &mut farside_match::Config| config.play.set_limit = 10_000;
    let world = World::start_with(backend, change, Some(Arc::clone(&clock))).await;
    beat(&world).await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let mut sets = Vec::new();
    for _ in 0..20 {
        let made = world.create(challenge(&anna)).await.unwrap().challenge.unwrap();
        sets.push(world.accept(&otto, &made.id).await.unwrap().id);
    }
    clock.advance(DurationMs(60_000));
    beat(&world).await;
    for id in &sets {
        let set = world.until(id, |set| set.last_seq == 2).await;
        assert_eq!(set.games[0].deadline_ms, Some(START.0 + 90_000));
        // The replica that gave it back still takes the next move.
        let choice = &set.games[0].legal_moves_json[0];
        assert_eq!(world.play(id, &set.games[0], "bot_otto", choice).await.unwrap().ply, 1);
    }
    let metrics = world.context.metrics.encode();
    let batches = metrics.lines().find(|line| line.starts_with("farside_match_clocks_credited_total")).unwrap();
    assert!(batches.ends_with(" 20"), "{batches}");
    world.stop().await;
}

on_both! {
    a_missed_first_move_falls_by_itself_and_strikes,
    three_strikes_suspend_from_staked_play,
    a_move_in_time_counts_when_it_is_processed_late_and_a_late_one_never,
    an_outage_flags_nobody_and_is_given_back,
    the_first_move_after_an_outage_is_not_charged_for_it,
    a_long_outage_aborts_and_gives_stakes_back,
    whoever_misses_a_round_loses_and_the_placement_in_time_stands,
    a_challenge_expires_and_gives_its_stake_back,
    both_who_miss_a_round_draw,
    a_placement_survives_the_time_that_is_given_back,
    a_missed_beat_is_an_outage_and_jitter_is_none,
    flags_wait_for_moves_as_long_as_these_take,
    flags_wait_two_seconds_at_most,
    every_running_set_is_given_its_time_back,
}

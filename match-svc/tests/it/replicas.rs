//! Several replicas on one PostgreSQL: one log without gap or fork, whoever is asked; and a set goes on when the
//! replica that ran it is gone.

use std::collections::HashSet;

use farside_proto::matches::v1 as proto;
use futures::future::join_all;

use crate::harness::{Backend, World, challenge, house, play};

#[tokio::test(flavor = "multi_thread")]
async fn moves_sent_to_every_replica_are_accepted_exactly_once() {
    let world = World::start(Backend::Postgres).await;
    let (second, other) = world.replica("match-2").await;
    let (third, another) = world.replica("match-3").await;
    let clients = [world.client.clone(), other, another];
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    for round in 0..3_usize {
        let made = world.create(challenge(&anna)).await.unwrap().challenge.unwrap();
        let set = world.accept(&otto, &made.id).await.unwrap();
        for step in 0..20_usize {
            let seen = world.set(&set.id).await;
            let game = seen.games.last().unwrap();
            if game.to_move.is_empty() {
                break;
            }
            let actor = if game.to_move[0] == 1 { &game.seat_1 } else { &game.seat_2 };
            let choices =
                [0, 1, 2].map(|offset| &game.legal_moves_json[(step + round + offset) % game.legal_moves_json.len()]);
            let sent = clients.iter().zip(choices);
            let answers = join_all(
                sent.map(|(client, choice)| play(client, &set.id, game.number, game.ply, actor, choice, None)),
            )
            .await;
            let accepted: Vec<_> = answers.iter().flatten().collect();
            let distinct: HashSet<&String> = choices.into_iter().collect();
            assert!(
                !accepted.is_empty() && (accepted.len() == 1 || distinct.len() < 3),
                "one of three different moves: {answers:?}"
            );
            for refused in answers.iter().filter_map(|answer| answer.as_ref().err()) {
                assert!(["STALE_PLY", "NOT_YOUR_TURN", "GAME_OVER"].contains(&refused.reason.as_str()), "{refused}");
            }
        }
        log_has_no_gap(&world, &set.id).await;
    }
    for context in [second, third] {
        context.shutdown.trigger();
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_has_missed_moves_takes_the_next_one() {
    let world = World::start(Backend::Postgres).await;
    let (second, other) = world.replica("match-2").await;
    let clients = [world.client.clone(), other];
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let made = world.create(challenge(&anna)).await.unwrap().challenge.unwrap();
    let set = world.accept(&otto, &made.id).await.unwrap();
    let mut game = set.games[0].clone();
    // Each replica sees every second pair of moves itself and nobody reads in between.
    for client in [0, 1, 1, 0, 0, 1, 0, 1].map(|index: usize| &clients[index]) {
        let actor = if game.to_move[0] == 1 { game.seat_1.clone() } else { game.seat_2.clone() };
        let choice = game.legal_moves_json[0].clone();
        game = play(client, &set.id, game.number, game.ply, &actor, &choice, None).await.unwrap();
    }
    second.shutdown.trigger();
    world.stop().await;
}

async fn log_has_no_gap(world: &World, set_id: &str) {
    let last = world.set(set_id).await.last_seq;
    let request = proto::WatchSetRequest { set_id: set_id.to_owned(), after_seq: Some(0), viewer_id: String::new() };
    let mut stream = world.client.clone().watch_set(request).await.unwrap().into_inner();
    let mut plies = HashSet::new();
    for expected in 1..=last {
        let message = stream.message().await.unwrap().unwrap();
        let Some(proto::watch_set_response::Item::Event(event)) = message.item else { panic!("an event") };
        assert_eq!(event.seq, expected);
        if let Some(proto::set_event::Event::MovePlayed(played)) = event.event {
            assert!(plies.insert((played.game.unwrap().number, played.played.unwrap().ply)), "a ply is played once");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_bot_goes_on_after_its_replica_is_gone() {
    let world = World::start(Backend::Postgres).await;
    let anna = world.bot("anna", 100).await;
    let request = proto::CreateChallengeRequest { opponent: Some(house("easy")), ..challenge(&anna) };
    let set = world.create(request).await.unwrap().set.unwrap();
    world.match_context.shutdown.trigger();
    let (next, client) = world.replica("match-2").await;
    let world = World { client, ..world };
    for _ in 0..3 {
        let seen = world.until(&set.id, |set| set.games[0].to_move == vec![2]).await;
        let game = &seen.games[0];
        world.play(&set.id, game, &anna.id, &game.legal_moves_json[0]).await.unwrap();
    }
    next.shutdown.trigger();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_is_behind_refuses_nothing_for_it() {
    let world = World::start(Backend::Postgres).await;
    let (second, behind) = world.replica("match-2").await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let made = world.create(challenge(&anna)).await.unwrap().challenge.unwrap();
    let set = world.accept(&otto, &made.id).await.unwrap();
    // The second replica remembers the set as it begins.
    let request = proto::GetSetRequest { set_id: set.id.clone(), viewer_id: String::new() };
    behind.clone().get_set(request).await.unwrap();
    let game = &set.games[0];
    world.play(&set.id, game, "bot_otto", &game.legal_moves_json[0]).await.unwrap();
    let illegal = r#"{"from":[0,0],"to":[5,5]}"#;
    let refused = play(&behind, &set.id, 1, 0, "bot_otto", illegal, None).await.unwrap_err();
    assert_eq!(refused.reason, "STALE_PLY", "by the set as it is, this ply was played");
    assert_eq!(refused.metadata["expected_ply"], "1");
    second.shutdown.trigger();
    world.stop().await;
}

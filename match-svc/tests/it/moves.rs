//! The order of checks of a move, retries, and what each refusal carries.

use farside_kit::db::Database;
use farside_kit::fault::{Kind, Remote};
use farside_proto::matches::v1 as proto;
use futures::StreamExt as _;
use futures::future::join_all;
use futures::stream::FuturesUnordered;
use sea_orm::{ConnectionTrait as _, DbErr};
use tokio::sync::oneshot;

use crate::harness::{Backend, World, bot, challenge, play, request_id, staked};

async fn started(world: &World) -> proto::Set {
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let made = world.create(challenge(&anna)).await.unwrap().challenge.unwrap();
    world.accept(&otto, &made.id).await.unwrap()
}

fn reason<T: std::fmt::Debug>(refused: Result<T, Remote>) -> String {
    refused.unwrap_err().reason
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_gets_the_first_answer_and_another_move_is_stale() {
    let world = World::start(Backend::Sqlite).await;
    let set = started(&world).await;
    let game = &set.games[0];
    let choice = game.legal_moves_json[0].clone();
    let first = world.play(&set.id, game, "bot_otto", &choice).await.unwrap();
    assert_eq!((first.ply, first.to_move.clone()), (1, vec![2]));
    assert!(!first.legal_moves_json.is_empty(), "information is perfect: the opponent's moves are shown");
    let reply = first.legal_moves_json[0].clone();
    world.play(&set.id, &first, "bot_anna", &reply).await.unwrap();
    let again = world.play(&set.id, game, "bot_otto", &choice).await.unwrap();
    assert_eq!(again, first, "a retry gets the state just after the move, even when the game went on");
    let spaced = choice.replace(':', ": ");
    assert_eq!(world.play(&set.id, game, "bot_otto", &spaced).await.unwrap(), first);
    let other = world.play(&set.id, game, "bot_otto", &game.legal_moves_json[1]).await.unwrap_err();
    assert_eq!((other.reason.as_str(), other.metadata["expected_ply"].as_str()), ("STALE_PLY", "2"));
    let state: serde_json::Value = serde_json::from_str(&other.metadata["game_json"]).unwrap();
    assert_eq!(state["ply"], 2);
    let before = world.set(&set.id).await;
    assert_eq!(before.last_seq, 3, "refusals and retries write nothing");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_refused_for_the_first_reason_in_order() {
    let world = World::start(Backend::Sqlite).await;
    let set = started(&world).await;
    let (game, client) = (&set.games[0], &world.client);
    let legal = game.legal_moves_json[0].as_str();
    let (malformed, illegal) = (r#"{"from":"a1"}"#, r#"{"from":[0,0],"to":[5,5]}"#);
    for (set_id, actor, number, ply, sent, expected) in [
        ("set_01ARZ3NDEKTSV4RRFFQ69G5FAV", "bot_otto", 1, 0, legal, "SET_NOT_FOUND"),
        (set.id.as_str(), "bot_eve", 1, 0, malformed, "NOT_IN_SET"),
        (set.id.as_str(), "bot_anna", 1, 5, malformed, "MALFORMED_MOVE"),
        (set.id.as_str(), "bot_anna", 2, 0, malformed, "MALFORMED_MOVE"),
        (set.id.as_str(), "bot_anna", 1, 5, illegal, "STALE_PLY"),
        (set.id.as_str(), "bot_anna", 2, 0, legal, "STALE_PLY"),
        (set.id.as_str(), "bot_anna", 1, 0, illegal, "NOT_YOUR_TURN"),
        (set.id.as_str(), "bot_otto", 1, 0, illegal, "ILLEGAL_MOVE"),
        (set.id.as_str(), "bot_otto", 1, 0, malformed, "MALFORMED_MOVE"),
    ] {
        let refused = play(client, set_id, number, ply, actor, sent, None).await;
        assert_eq!(reason(refused), expected, "{actor} {number} {ply} {sent}");
    }
    assert_eq!(world.set(&set.id).await, set_as_spectator(&world, &set).await, "nothing has changed");
    world.stop().await;
}

async fn set_as_spectator(world: &World, set: &proto::Set) -> proto::Set {
    let seen = world.set(&set.id).await;
    assert_eq!((seen.last_seq, seen.games[0].ply), (1, 0));
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_after_the_end_carries_the_result() {
    let world = World::start(Backend::Sqlite).await;
    let set = started(&world).await;
    let request = proto::ResignRequest {
        request_id: "resign-1".to_owned(),
        actor_id: "bot_anna".to_owned(),
        set_id: set.id.clone(),
        game: 1,
    };
    let resigned = world.client.clone().resign(request.clone()).await.unwrap().into_inner().set.unwrap();
    assert_eq!(resigned.games.len(), 2, "resigning gives up one game");
    let again = world.client.clone().resign(request.clone()).await.unwrap().into_inner().set.unwrap();
    assert_eq!(again, resigned, "the same request is carried out once");
    let other = proto::ResignRequest { game: 2, ..request.clone() };
    let other = Remote::from(world.client.clone().resign(other).await.unwrap_err());
    assert_eq!(other.reason, "IDEMPOTENCY_MISMATCH");
    let late = proto::ResignRequest { request_id: "resign-2".to_owned(), ..request };
    assert_eq!(Remote::from(world.client.clone().resign(late).await.unwrap_err()).reason, "GAME_OVER");
    let game = &set.games[0];
    let refused = world.play(&set.id, game, "bot_otto", &game.legal_moves_json[0]).await.unwrap_err();
    assert_eq!(refused.reason, "GAME_OVER");
    let state: serde_json::Value = serde_json::from_str(&refused.metadata["game_json"]).unwrap();
    assert_eq!(state["result"]["reason"], "resignation");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_change_gets_its_first_answer_whatever_has_happened_since() {
    let world = World::start(Backend::Sqlite).await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let create = staked(&anna, 10);
    let made = world.client.clone().create_challenge(create.clone()).await.unwrap().into_inner();
    let accept = proto::AcceptChallengeRequest {
        request_id: request_id(),
        actor: Some(otto.clone()),
        challenge_id: made.challenge.clone().unwrap().id,
        nonce: None,
    };
    let accepted = world.client.clone().accept_challenge(accept.clone()).await.unwrap().into_inner();
    let set_id = accepted.set.clone().unwrap().id;
    let resign =
        proto::ResignRequest { request_id: request_id(), actor_id: otto.id.clone(), set_id: set_id.clone(), game: 1 };
    let resigned = world.client.clone().resign(resign.clone()).await.unwrap().into_inner();
    world.play_out(&set_id, 4).await;
    world.until(&set_id, |set| set.settlement() != proto::Settlement::Pending).await;
    assert_eq!(world.client.clone().create_challenge(create).await.unwrap().into_inner(), made);
    assert_eq!(world.client.clone().accept_challenge(accept).await.unwrap().into_inner(), accepted);
    assert_eq!(world.client.clone().resign(resign).await.unwrap().into_inner(), resigned);
    assert!(resigned.as_of_ms.is_some());
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_requests_at_once_get_one_answer() {
    let world = World::start(Backend::Postgres).await;
    let (second, other) = world.replica("match-2").await;
    let clients = [world.client.clone(), other, world.client.clone()];
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    for _ in 0..4 {
        let made = world.create(staked(&anna, 10)).await.unwrap().challenge.unwrap();
        let accept = proto::AcceptChallengeRequest {
            request_id: request_id(),
            actor: Some(otto.clone()),
            challenge_id: made.id.clone(),
            nonce: None,
        };
        let accepted = join_all(
            clients
                .iter()
                .map(async |client| client.clone().accept_challenge(accept.clone()).await.unwrap().into_inner()),
        )
        .await;
        assert!(accepted.iter().all(|answer| *answer == accepted[0]), "{accepted:?}");
        let resign = proto::ResignRequest {
            request_id: request_id(),
            actor_id: anna.id.clone(),
            set_id: accepted[0].set.clone().unwrap().id,
            game: 1,
        };
        let resigned = join_all(
            clients.iter().map(async |client| client.clone().resign(resign.clone()).await.unwrap().into_inner()),
        )
        .await;
        assert!(resigned.iter().all(|answer| *answer == resigned[0]), "{resigned:?}");
    }
    second.shutdown.trigger();
    world.stop().await;
}

async fn practice(world: &World, game: &str) -> proto::Set {
    let anna = world.bot("anna", 100).await;
    let request = proto::CreateChallengeRequest {
        opponent: Some(bot("anna2", "anna")),
        clock_choice: Some(proto::create_challenge_request::ClockChoice::Untimed(true)),
        game: game.to_owned(),
        options_json: String::new(),
        ..challenge(&anna)
    };
    world.create(request).await.unwrap().set.unwrap()
}

fn pause(set: &proto::Set) -> proto::PauseSetRequest {
    proto::PauseSetRequest { request_id: request_id(), actor_id: "bot_anna".to_owned(), set_id: set.id.clone() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_in_a_paused_game_is_told_that_it_is_paused() {
    let world = World::start(Backend::Sqlite).await;
    let set = practice(&world, "breakthrough-small").await;
    let game = &set.games[0];
    let pause = pause(&set);
    let paused = world.client.clone().pause_set(pause.clone()).await.unwrap().into_inner();
    assert_eq!(paused.set.as_ref().unwrap().games[0].status(), proto::GameStatus::Paused);
    let refused = world.play(&set.id, game, &game.seat_1, &game.legal_moves_json[0]).await.unwrap_err();
    assert_eq!(refused.reason, "NOT_YOUR_TURN");
    assert!(refused.message.contains("paused"), "{refused}");
    assert!(refused.metadata["game_json"].contains(r#""status":"paused""#), "{refused:?}");
    let resume =
        proto::ResumeSetRequest { request_id: request_id(), actor_id: "bot_anna".to_owned(), set_id: set.id.clone() };
    let resumed = world.client.clone().resume_set(resume.clone()).await.unwrap().into_inner();
    world.play(&set.id, game, &game.seat_1, &game.legal_moves_json[0]).await.unwrap();
    assert_eq!(world.client.clone().pause_set(pause).await.unwrap().into_inner(), paused, "the first answer");
    assert_eq!(world.client.clone().resume_set(resume).await.unwrap().into_inner(), resumed);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_placement_waits_through_a_pause() {
    let world = World::start(Backend::Sqlite).await;
    let set = practice(&world, "maker-breaker").await;
    let mine = world.set_for(&set.id, "bot_anna").await.games[0].clone();
    world.play(&set.id, &mine, "bot_anna", &mine.legal_moves_json[0]).await.unwrap();
    let pause = pause(&set);
    let paused = world.client.clone().pause_set(pause.clone()).await.unwrap().into_inner();
    assert!(paused.set.as_ref().unwrap().games[0].submitted);
    let resume =
        proto::ResumeSetRequest { request_id: request_id(), actor_id: "bot_anna".to_owned(), set_id: set.id.clone() };
    world.client.clone().resume_set(resume).await.unwrap();
    let theirs = world.set_for(&set.id, "bot_anna2").await.games[0].clone();
    let revealed = world.play(&set.id, &theirs, "bot_anna2", &theirs.legal_moves_json[0]).await.unwrap();
    assert_eq!((revealed.ply, revealed.last_move.unwrap().moves.len()), (1, 2), "both placements count");
    assert_eq!(world.client.clone().pause_set(pause).await.unwrap().into_inner(), paused, "the first answer");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_moves_than_may_wait_are_refused_at_once_and_may_be_sent_again() {
    let change = |config: &mut farside_match::Config| (config.play.commit_queue, config.play.commit_batch) = (1, 1);
    let world = World::start_with(Backend::Sqlite, change, None).await;
    let mut sets = Vec::new();
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    for _ in 0..6 {
        let made = world.create(challenge(&anna)).await.unwrap().challenge.unwrap();
        sets.push(world.accept(&otto, &made.id).await.unwrap());
    }
    // Somebody else writes, and goes on for as long as it likes.
    let database = Database::connect(&world.config.database, farside_match::SCHEMA).await.unwrap();
    let ((holds, held), (release, released)) = (oneshot::channel::<()>(), oneshot::channel::<()>());
    let gates = std::sync::Mutex::new(Some((holds, released)));
    let writer = tokio::spawn(async move {
        let written = database.write::<_, _, DbErr>(move |tx| {
            let gates = gates.lock().unwrap().take();
            Box::pin(async move {
                tx.execute_unprepared("UPDATE participants SET touched_ms = touched_ms").await?;
                if let Some((holds, released)) = gates {
                    holds.send(()).unwrap();
                    released.await.unwrap();
                }
                Ok(())
            })
        });
        written.await.unwrap();
    });
    held.await.unwrap();
    let moves =
        sets.iter().map(|set| world.play(&set.id, &set.games[0], "bot_otto", &set.games[0].legal_moves_json[0]));
    let mut moves: FuturesUnordered<_> = moves.collect();
    // One is being written, one waits: the others are answered before anything can be written.
    let mut answers = vec![moves.next().await.unwrap()];
    release.send(()).unwrap();
    answers.extend(moves.collect::<Vec<_>>().await);
    writer.await.unwrap();
    assert!(answers[0].is_err(), "{answers:?}");
    let refused: Vec<&Remote> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    assert!(!refused.is_empty() && refused.len() < answers.len(), "{answers:?}");
    for fault in refused {
        assert_eq!((fault.kind, fault.reason.as_str()), (Kind::ResourceExhausted, "QUEUE_FULL"));
    }
    for set in &sets {
        let sent = world.play(&set.id, &set.games[0], "bot_otto", &set.games[0].legal_moves_json[0]).await.unwrap();
        assert_eq!(sent.ply, 1);
    }
    world.stop().await;
}

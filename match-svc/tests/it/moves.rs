//! The order of checks of a move, retries, and what each refusal carries.

use farside_kit::fault::Remote;
use farside_proto::matches::v1 as proto;

use crate::harness::{Backend, World, challenge, play};

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
    assert_eq!(again.games[0], resigned.games[0], "the same request is carried out once");
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

//! Streams while Redis is away: what happens at one replica still reaches readers of another, from the log and long
//! before their next heartbeat.

use farside_proto::matches::v1 as proto;
use farside_tests::{
    pair::{newcomer, wish},
    replicas::Replicas,
    wait,
};
use proto::watch_set_response::Item;

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_another_replica_goes_on_while_redis_is_away() {
    let mut replicas = Replicas::start(2).await;
    let callers = replicas.callers();
    let (creator, acceptor) = (newcomer(&callers).await, newcomer(&callers).await);
    let [mut here, mut there] = [callers.matches[0].clone(), callers.matches[1].clone()];
    let challenge = here.create_challenge(wish(&creator)).await.unwrap().into_inner().challenge.unwrap();
    let request = proto::AcceptChallengeRequest {
        request_id: "accept".to_owned(),
        actor: Some(acceptor.clone()),
        challenge_id: challenge.id,
        nonce: None,
    };
    let set = here.accept_challenge(request).await.unwrap().into_inner().set.unwrap();
    let request = proto::WatchSetRequest { set_id: set.id.clone(), after_seq: Some(1), viewer_id: String::new() };
    let mut stream = there.watch_set(request).await.unwrap().into_inner();
    replicas.platform.redis.kill();
    let mut game = set.games[0].clone();
    for seq in 2..8 {
        let request = proto::PlayMoveRequest {
            actor_id: if game.to_move == [1] { game.seat_1.clone() } else { game.seat_2.clone() },
            set_id: set.id.clone(),
            game: 1,
            ply: game.ply,
            move_json: game.legal_moves_json[0].clone(),
            received_at_ms: 0,
            request_id: String::new(),
        };
        game = here.play_move(request).await.unwrap().into_inner().game.unwrap();
        let item = tokio::time::timeout(wait::LIMIT, stream.message()).await.unwrap().unwrap().unwrap().item.unwrap();
        let Item::Event(event) = item else { panic!("a heartbeat came first: {item:?}") };
        assert_eq!(event.seq, seq);
    }
}

//! Streams and long polls: a snapshot first, then every event exactly once, wherever a reader resumes; and nothing
//! that is secret.

use std::time::Duration;

use farside_proto::matches::v1 as proto;
use proto::watch_participant_response::Item as ParticipantItem;
use proto::watch_set_response::Item as SetItem;

use crate::harness::{Backend, World, challenge, play_fully, staked};

async fn started(world: &World) -> proto::Set {
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let made = world.create(challenge(&anna)).await.unwrap().challenge.unwrap();
    world.accept(&otto, &made.id).await.unwrap()
}

async fn watch(world: &World, set_id: &str, after_seq: Option<u64>) -> tonic::Streaming<proto::WatchSetResponse> {
    let request = proto::WatchSetRequest { set_id: set_id.to_owned(), after_seq, viewer_id: String::new() };
    world.client.clone().watch_set(request).await.unwrap().into_inner()
}

async fn rest(mut stream: tonic::Streaming<proto::WatchSetResponse>) -> Vec<SetItem> {
    let mut items = Vec::new();
    while let Some(message) = stream.message().await.unwrap() {
        items.push(message.item.unwrap());
    }
    items
}

fn seqs(items: &[SetItem]) -> Vec<u64> {
    items.iter().filter_map(|item| if let SetItem::Event(event) = item { Some(event.seq) } else { None }).collect()
}

async fn a_set_stream_begins_with_a_snapshot_and_resumes_without_a_gap(backend: Backend) {
    let world = World::start(backend).await;
    let set = started(&world).await;
    let live = tokio::spawn(rest(watch(&world, &set.id, None).await));
    let last = world.play_out(&set.id, 11).await.last_seq;
    let items = live.await.unwrap();
    let SetItem::Snapshot(snapshot) = &items[0] else { panic!("the first item is a snapshot") };
    let expected: Vec<u64> = (snapshot.last_seq + 1..=last).collect();
    assert_eq!(seqs(&items), expected, "every event once, and the stream ends after the last");
    let SetItem::Event(end) = items.last().unwrap() else { panic!("the last item is an event") };
    assert!(matches!(end.event, Some(proto::set_event::Event::SetFinished(_))));
    let all = rest(watch(&world, &set.id, Some(0)).await).await;
    assert_eq!(seqs(&all), (1..=last).collect::<Vec<_>>());
    for after in [1, last / 2, last - 1] {
        let resumed = rest(watch(&world, &set.id, Some(after)).await).await;
        assert_eq!(resumed[..], all[usize::try_from(after).unwrap()..], "exactly what came after {after}");
    }
    assert_eq!(rest(watch(&world, &set.id, Some(last)).await).await, Vec::new());
    let beyond = rest(watch(&world, &set.id, Some(last + 1)).await).await;
    assert!(matches!(beyond[..], [SetItem::Reset(_)]));
    world.stop().await;
}

async fn a_move_event_carries_move_clocks_deadline_and_status(backend: Backend) {
    let world = World::start(backend).await;
    let set = started(&world).await;
    let mut stream = watch(&world, &set.id, None).await;
    stream.message().await.unwrap();
    let game = &set.games[0];
    let answer = world.play(&set.id, game, "bot_otto", &game.legal_moves_json[0]).await.unwrap();
    let Some(SetItem::Event(event)) = stream.message().await.unwrap().unwrap().item else { panic!("an event") };
    let Some(proto::set_event::Event::MovePlayed(played)) = event.event else { panic!("a move") };
    assert_eq!(played.game, Some(answer), "a spectator sees the game as it was answered");
    assert_eq!(played.played.unwrap().moves[0].move_json, game.legal_moves_json[0]);
    world.stop().await;
}

async fn a_participant_sees_every_event_once_wherever_it_resumes(backend: Backend) {
    let world = World::start(backend).await;
    let anna = world.bot("anna", 100).await;
    let open = |after_cursor: String| {
        let request = proto::WatchParticipantRequest { participant_id: "bot_anna".to_owned(), after_cursor };
        let mut client = world.client.clone();
        async move { client.watch_participant(request).await.unwrap().into_inner() }
    };
    let mut stream = open(String::new()).await;
    let first = stream.message().await.unwrap().unwrap();
    assert!(matches!(first.item, Some(ParticipantItem::Snapshot(_))));
    let otto = world.bot("otto", 100).await;
    let made = world.create(challenge(&anna)).await.unwrap().challenge.unwrap();
    let set = world.accept(&otto, &made.id).await.unwrap();
    let last = world.play_out(&set.id, 5).await.last_seq;
    let (mut cursor, mut seen, mut challenges) = (first.cursor, Vec::new(), Vec::new());
    while seen.last() != Some(&last) {
        let message = stream.message().await.unwrap().unwrap();
        match message.item.unwrap() {
            ParticipantItem::Event(event) => seen.push(event.seq),
            ParticipantItem::Challenge(challenge) => challenges.push(challenge.status()),
            other => panic!("unexpected {other:?}"),
        }
        cursor = message.cursor;
        // Every third item the connection breaks.
        if (seen.len() + challenges.len()) % 3 == 0 {
            stream = open(cursor.clone()).await;
        }
    }
    assert_eq!(seen, (1..=last).collect::<Vec<_>>());
    assert_eq!(challenges.last(), Some(&proto::ChallengeStatus::Accepted));
    assert!(!cursor.is_empty());
    world.stop().await;
}

async fn a_pending_placement_changes_nothing_for_anyone_else(backend: Backend) {
    let world = World::start(backend).await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let request = proto::CreateChallengeRequest {
        game: "maker-breaker".to_owned(),
        options_json: String::new(),
        ..staked(&anna, 10)
    };
    let made = world.create(request).await.unwrap().challenge.unwrap();
    let set = world.accept(&otto, &made.id).await.unwrap();
    let (for_otto, for_all) = (world.set_for(&set.id, "bot_otto").await, world.set(&set.id).await);
    let mine = world.set_for(&set.id, "bot_anna").await;
    let choice = mine.games[0].legal_moves_json[4].clone();
    let first = world.play(&set.id, &mine.games[0], "bot_anna", &choice).await.unwrap();
    assert!(first.submitted && first.ply == 0 && first.last_move.is_none());
    assert_eq!(world.set_for(&set.id, "bot_otto").await, for_otto);
    assert_eq!(world.set(&set.id).await, for_all);
    assert!(world.set_for(&set.id, "bot_anna").await.games[0].submitted);
    assert_eq!(world.play(&set.id, &mine.games[0], "bot_anna", &choice).await.unwrap(), first, "a retry");
    let other = mine.games[0].legal_moves_json[5].clone();
    assert_eq!(world.play(&set.id, &mine.games[0], "bot_anna", &other).await.unwrap_err().reason, "NOT_YOUR_TURN");
    let reply = for_otto.games[0].legal_moves_json[0].clone();
    let second = world.play(&set.id, &for_otto.games[0], "bot_otto", &reply).await.unwrap();
    assert_eq!((second.ply, second.last_move.as_ref().unwrap().moves.len()), (1, 2), "both are revealed together");
    assert_eq!(
        world.play(&set.id, &mine.games[0], "bot_anna", &choice).await.unwrap(),
        first,
        "the first answer again"
    );
    assert_eq!(world.play(&set.id, &for_otto.games[0], "bot_otto", &reply).await.unwrap(), second);
    world.stop().await;
}

/// Both orders: whoever places first gets the same answer before and after the round is revealed, to the moment.
async fn a_retried_placement_gets_its_first_answer_in_either_order(backend: Backend) {
    let world = World::start(backend).await;
    for (number, order) in [["anna", "otto"], ["otto", "anna"]].into_iter().enumerate() {
        let bots = [world.bot("anna", 100).await, world.bot("otto", 100).await];
        let request = proto::CreateChallengeRequest {
            game: "maker-breaker".to_owned(),
            options_json: String::new(),
            ..challenge(&bots[0])
        };
        let made = world.create(request).await.unwrap().challenge.unwrap();
        let set = world.accept(&bots[1], &made.id).await.unwrap();
        let mut answers = Vec::new();
        for who in order.map(|name| format!("bot_{name}")) {
            let mine = world.set_for(&set.id, &who).await.games[0].clone();
            let choice = mine.legal_moves_json[number].clone();
            let first = play_fully(&world.client, &set.id, &mine, &who, &choice).await.unwrap();
            assert!(first.as_of_ms.is_some());
            let again = play_fully(&world.client, &set.id, &mine, &who, &choice).await.unwrap();
            assert_eq!(again, first);
            answers.push((who, mine, choice, first));
        }
        for (who, mine, choice, first) in answers {
            assert_eq!(play_fully(&world.client, &set.id, &mine, &who, &choice).await.unwrap(), first, "{who}");
        }
    }
    world.stop().await;
}

async fn a_long_poll_wakes_for_a_new_turn_and_does_not_spin(backend: Backend) {
    let world = World::start(backend).await;
    let set = started(&world).await;
    let turns = |participant: &str, after_cursor: &str, wait_ms: u32| {
        let request = proto::ListTurnsRequest {
            participant_id: participant.to_owned(),
            after_cursor: after_cursor.to_owned(),
            wait_ms,
        };
        let mut client = world.client.clone();
        async move { client.list_turns(request).await.unwrap().into_inner() }
    };
    let now = turns("bot_otto", "", 60_000).await;
    assert_eq!((now.turns.len(), now.turns[0].seat), (1, 1), "at once when there is one");
    let nothing_new = turns("bot_otto", &now.cursor, 50).await;
    assert_eq!(nothing_new.cursor, now.cursor);
    let waiting = tokio::spawn(turns("bot_anna", "", 60_000));
    let game = &set.games[0];
    world.play(&set.id, game, "bot_otto", &game.legal_moves_json[0]).await.unwrap();
    let woken = tokio::time::timeout(Duration::from_secs(30), waiting).await.unwrap().unwrap();
    assert_eq!((woken.turns.len(), woken.turns[0].game.as_ref().unwrap().ply), (1, 1));
    world.stop().await;
}

on_both! {
    a_set_stream_begins_with_a_snapshot_and_resumes_without_a_gap,
    a_move_event_carries_move_clocks_deadline_and_status,
    a_participant_sees_every_event_once_wherever_it_resumes,
    a_pending_placement_changes_nothing_for_anyone_else,
    a_long_poll_wakes_for_a_new_turn_and_does_not_spin,
    a_retried_placement_gets_its_first_answer_in_either_order,
}

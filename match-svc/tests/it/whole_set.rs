//! The whole way: challenge, accept, two games, settlement, rating, record.

use farside_proto::matches::v1 as proto;
use farside_proto::rating::v1 as rating;
use farside_proto::rules::v1 as rules;

use crate::harness::{Backend, World, challenge, house, staked};

async fn two_bots_play_a_staked_set(backend: Backend) {
    let world = World::start(backend).await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let made = world.create(staked(&anna, 10)).await.unwrap().challenge.unwrap();
    assert_eq!(world.balance("anna").await, (90, 10));
    let set = world.accept(&otto, &made.id).await.unwrap();
    assert_eq!(world.balance("otto").await, (90, 10));
    assert_eq!(set.games[0].seat_1, otto.id, "game 1 seats the acceptor first");
    assert!(set.seed.is_empty() && set.server_seed.is_empty());
    let set = world.play_out(&set.id, 7).await;
    assert_eq!(set.status(), proto::SetStatus::Finished);
    assert_eq!(set.games.len(), 2);
    assert_eq!(set.games[1].seat_1, anna.id, "game 2 seats the creator first");
    assert_eq!(set.creator_half_points + set.acceptor_half_points, 4);
    assert_eq!((set.seed.len(), set.server_seed.len()), (32, 32));
    let set = world.until(&set.id, |set| set.settlement() != proto::Settlement::Pending).await;
    settled(&world, &set).await;
    rated(&world, &set).await;
    verified(&world, &set.id).await;
    world.stop().await;
}

async fn settled(world: &World, set: &proto::Set) {
    let (anna, otto) = (world.balance("anna").await, world.balance("otto").await);
    match set.result.unwrap().winner() {
        proto::Side::Creator => assert_eq!((anna, otto), ((110, 0), (90, 0))),
        proto::Side::Acceptor => assert_eq!((anna, otto), ((90, 0), (110, 0))),
        proto::Side::Unspecified => assert_eq!((anna, otto), ((100, 0), (100, 0))),
    }
    assert!(world.audit_is_ok().await);
}

async fn rated(world: &World, set: &proto::Set) {
    for _ in 0..500 {
        let request = rating::GetStandingsRequest { participant_id: "bot_anna".to_owned() };
        let standings = world.rating.clone().get_standings(request).await.unwrap().into_inner().standings;
        if let Some(standing) = standings.first() {
            assert_eq!((standing.game.as_str(), standing.sets), (set.game.as_str(), 1));
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the set was never rated");
}

pub async fn verified(world: &World, set_id: &str) {
    let request = proto::GetRecordRequest { set_id: set_id.to_owned() };
    let record_json = world.client.clone().get_record(request).await.unwrap().into_inner().record_json;
    let keys = world.client.clone().list_keys(proto::ListKeysRequest {}).await.unwrap().into_inner().keys;
    let keys = keys.into_iter().map(|key| rules::PublicKey { id: key.id, ed25519: key.ed25519 }).collect();
    let request = rules::VerifyRecordRequest { record_json, keys };
    let answer = world.rules.clone().verify_record(request).await.unwrap().into_inner();
    assert_eq!(answer.fault, None, "checked {:?}", answer.checks);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bots_play_a_staked_set_on_sqlite() {
    two_bots_play_a_staked_set(Backend::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bots_play_a_staked_set_on_postgres() {
    two_bots_play_a_staked_set(Backend::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_rounds_are_played_to_the_end() {
    let world = World::start(Backend::Sqlite).await;
    let (anna, otto) = (world.bot("anna", 100).await, world.bot("otto", 100).await);
    let request = proto::CreateChallengeRequest {
        game: "maker-breaker".to_owned(),
        options_json: String::new(),
        ..staked(&anna, 10)
    };
    let made = world.create(request).await.unwrap().challenge.unwrap();
    let set = world.accept(&otto, &made.id).await.unwrap();
    let set = world.play_out(&set.id, 3).await;
    assert_eq!((set.status(), set.games.len()), (proto::SetStatus::Finished, 1));
    let set = world.until(&set.id, |set| set.settlement() != proto::Settlement::Pending).await;
    assert!(matches!(set.settlement(), proto::Settlement::Settled | proto::Settlement::Split));
    verified(&world, &set.id).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_bot_answers_in_practice() {
    let world = World::start(Backend::Sqlite).await;
    let anna = world.bot("anna", 100).await;
    let request = proto::CreateChallengeRequest {
        opponent: Some(house("easy")),
        format: proto::Format::Single.into(),
        clock_choice: Some(proto::create_challenge_request::ClockChoice::Untimed(true)),
        ..challenge(&anna)
    };
    let set = world.create(request).await.unwrap().set.unwrap();
    assert_eq!(set.games[0].seat_1, anna.id, "in a single game the creator moves first");
    let mut chance = 5_usize;
    let set = loop {
        let set = world
            .until(&set.id, |set| {
                set.status() == proto::SetStatus::Finished || set.games.last().unwrap().to_move == vec![1]
            })
            .await;
        if set.status() == proto::SetStatus::Finished {
            break set;
        }
        let game = set.games.last().unwrap();
        chance = chance.wrapping_mul(31).wrapping_add(7);
        let choice = &game.legal_moves_json[chance % game.legal_moves_json.len()];
        world.play(&set.id, game, &anna.id, choice).await.unwrap();
    };
    assert_eq!(set.settlement(), proto::Settlement::None);
    assert_eq!(set.unrated_reason, "practice");
    verified(&world, &set.id).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn house_bots_of_every_level_play_every_kind_of_game() {
    let world = World::start(Backend::Sqlite).await;
    let anna = world.bot("anna", 100).await;
    for game in ["breakthrough", "breakthrough-small", "maker-breaker"] {
        let request = rules::GetGameRequest { game: game.to_owned() };
        let contract = world.rules.clone().get_game(request).await.unwrap().into_inner().contract.unwrap();
        assert!(!contract.house_levels.is_empty());
        for level in &contract.house_levels {
            let request = proto::CreateChallengeRequest {
                game: game.to_owned(),
                options_json: String::new(),
                opponent: Some(house(level)),
                format: proto::Format::Single.into(),
                clock_choice: Some(proto::create_challenge_request::ClockChoice::Untimed(true)),
                ..challenge(&anna)
            };
            let set = world.create(request).await.unwrap().set.unwrap();
            answered_twice(&world, &set.id, &anna.id).await;
            let request = proto::ResignRequest {
                request_id: crate::harness::request_id(),
                actor_id: anna.id.clone(),
                set_id: set.id.clone(),
                game: 1,
            };
            let resigned = world.client.clone().resign(request).await.unwrap().into_inner().set.unwrap();
            assert_eq!((resigned.status(), resigned.rated), (proto::SetStatus::Finished, false), "{game} {level}");
        }
    }
    world.stop().await;
}

/// Plays two plies against a house bot, each of which it answers.
async fn answered_twice(world: &World, set_id: &str, who: &str) {
    for _ in 0..2 {
        let mine = loop {
            let set = world.set_for(set_id, who).await;
            let game = set.games[0].clone();
            let seat = if game.seat_1 == who { 1 } else { 2 };
            if game.to_move.contains(&seat) {
                break game;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        };
        world.play(set_id, &mine, who, &mine.legal_moves_json[0]).await.unwrap();
        world.until(set_id, |set| set.games[0].ply > mine.ply && set.games[0].to_move.contains(&1)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_with_one_acting_seat_is_played_by_it_alone() {
    let world = World::start(Backend::Sqlite).await;
    let (anna, otto) = (world.bot("anna", 1_000).await, world.bot("otto", 1_000).await);
    for seed in 0..40 {
        let request = proto::CreateChallengeRequest {
            game: "maker-breaker".to_owned(),
            options_json: String::new(),
            ..challenge(&anna)
        };
        let made = world.create(request).await.unwrap().challenge.unwrap();
        let set = world.accept(&otto, &made.id).await.unwrap();
        world.play_out(&set.id, seed).await;
        if plies(&world, &set.id).await.iter().any(|ply| ply.moves.len() == 1) {
            return world.stop().await;
        }
    }
    panic!("no board was ever done before the other");
}

async fn plies(world: &World, set_id: &str) -> Vec<proto::PlayedPly> {
    let request = proto::WatchSetRequest { set_id: set_id.to_owned(), after_seq: Some(0), viewer_id: String::new() };
    let mut stream = world.client.clone().watch_set(request).await.unwrap().into_inner();
    let mut plies = Vec::new();
    while let Some(message) = stream.message().await.unwrap() {
        if let Some(proto::watch_set_response::Item::Event(event)) = message.item
            && let Some(proto::set_event::Event::MovePlayed(played)) = event.event
        {
            plies.push(played.played.unwrap());
        }
    }
    plies
}

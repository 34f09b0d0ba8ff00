//! The gRPC service over an in-memory connection, as every caller meets it.

use std::time::Duration;

use farside_kit::Context;
use farside_kit::fault::{Kind, Remote};
use farside_kit::grpc::client::{Traced, channel};
use farside_kit::grpc::{Endpoint, MemoryHub};
use farside_proto::rules::v1::rules_service_client::RulesServiceClient;
use farside_proto::rules::v1::{self as pb};
use farside_rules::Config;

use crate::support::{SEED, parsed};

struct Service {
    client: RulesServiceClient<Traced>,
    context: Context,
}

async fn serve(config: Config) -> Service {
    let context = Context::in_process();
    let hub: MemoryHub = context.hub.clone().unwrap();
    farside_rules::start(config, context.clone(), hub.listen(farside_rules::NAME)).await.unwrap();
    let endpoint = Endpoint::memory(&hub, farside_rules::NAME);
    let client = RulesServiceClient::new(channel(&endpoint, None, Duration::from_secs(30)));
    Service { client, context }
}

impl Service {
    async fn begin(&mut self, game: &str, options: &str) -> pb::Position {
        let start = pb::GameStart {
            game: game.to_owned(),
            options_json: options.to_owned(),
            seed: SEED.to_vec(),
            game_number: 1,
            creator_seat: 0,
        };
        let request = pb::NewGameRequest { start: Some(start) };
        self.client.new_game(request).await.unwrap().into_inner().position.unwrap()
    }

    fn metrics(&self) -> String {
        self.context.metrics.encode()
    }
}

fn seat_move(seat: u32, move_json: &str) -> pb::SeatMove {
    pb::SeatMove { seat, move_json: move_json.to_owned() }
}

#[tokio::test]
async fn the_catalogue_and_one_contract_are_served() {
    let mut service = serve(Config::default()).await;
    let games = service.client.list_games(pb::ListGamesRequest {}).await.unwrap().into_inner().games;
    assert_eq!(games.len(), 6);
    let request = pb::GetGameRequest { game: "maker-breaker".to_owned() };
    let contract = service.client.get_game(request).await.unwrap().into_inner().contract.unwrap();
    assert_eq!(Some(&contract), games.last());
    assert_eq!(contract.information(), pb::Information::HiddenUntilReveal);
    assert_eq!(contract.clock.unwrap().per_round_s.unwrap().default, 30);
    assert_eq!(contract.house_levels, ["1", "2", "3", "seeded"]);
}

#[tokio::test]
async fn a_game_is_played_from_state_to_state_and_replayed_to_the_same_bytes() {
    let mut service = serve(Config::default()).await;
    for (game, options) in crate::support::VARIETIES {
        let mut position = service.begin(game, options).await;
        let mut moves = Vec::new();
        while !position.to_act.is_empty() && moves.len() < 40 {
            let chosen: Vec<pb::SeatMove> = choices(&position);
            moves.push(pb::Ply { ply_json: ply(game, &chosen) });
            let request = pb::ApplyRequest { game: game.to_owned(), state: position.state.to_vec(), moves: chosen };
            position = service.client.apply(request).await.unwrap().into_inner().position.unwrap();
        }
        let start = pb::GameStart {
            game: game.to_owned(),
            options_json: options.to_owned(),
            seed: SEED.to_vec(),
            game_number: 1,
            creator_seat: 0,
        };
        let request = pb::ReplayRequest { start: Some(start), moves };
        let replayed = service.client.replay(request).await.unwrap().into_inner();
        assert_eq!(replayed.position.as_ref(), Some(&position));
        let request = pb::DescribeRequest { game: game.to_owned(), state: position.state.to_vec() };
        assert_eq!(service.client.describe(request).await.unwrap().into_inner().position, Some(position));
    }
}

fn choices(position: &pb::Position) -> Vec<pb::SeatMove> {
    let choose = |moves: &pb::SeatMoves| {
        let first = parsed(&moves.moves_json[0]);
        let mv = match first["place"].get("squares") {
            Some(squares) => {
                let count = first["place"]["count"].as_u64().unwrap() as usize;
                serde_json::json!({"place": squares.as_array().unwrap()[..count]}).to_string()
            }
            None => moves.moves_json[moves.moves_json.len() / 2].clone(),
        };
        seat_move(moves.seat, &mv)
    };
    position.legal_moves.iter().map(choose).collect()
}

fn ply(game: &str, moves: &[pb::SeatMove]) -> String {
    if game != "maker-breaker" {
        return moves[0].move_json.clone();
    }
    let members: Vec<String> = moves.iter().map(|mv| format!(r#""{}":{}"#, mv.seat, mv.move_json)).collect();
    format!("{{{}}}", members.join(","))
}

#[tokio::test]
async fn refusals_carry_kind_reason_and_place() {
    let mut service = serve(Config::default()).await;
    let position = service.begin("breakthrough", "").await;
    let check = |seat, mv: &str, state: &[u8]| pb::CheckMoveRequest {
        game: "breakthrough".to_owned(),
        state: state.to_vec(),
        r#move: Some(seat_move(seat, mv)),
    };
    for (request, kind, reason, pointer) in [
        (check(1, "{}", &[]), Kind::InvalidArgument, "STATE_INVALID", ""),
        (check(3, "{}", &position.state), Kind::InvalidArgument, "SEAT_INVALID", "/seat"),
        (
            check(1, r#"{"from":[0,99],"to":[1,1]}"#, &position.state),
            Kind::InvalidArgument,
            "MALFORMED_MOVE",
            "/from/1",
        ),
        (check(1, r#"{"from":[0,0],"to":[5,5]}"#, &position.state), Kind::InvalidArgument, "ILLEGAL_MOVE", ""),
        (check(2, r#"{"from":[0,0],"to":[5,5]}"#, &position.state), Kind::FailedPrecondition, "NOT_YOUR_TURN", ""),
    ] {
        let remote = Remote::from(service.client.check_move(request).await.unwrap_err());
        assert_eq!((remote.kind, remote.reason.as_str()), (kind, reason), "{remote}");
        assert_eq!(remote.violations.first().map_or("", |violation| violation.pointer.as_str()), pointer);
    }
    let request = pb::GetGameRequest { game: "chess".to_owned() };
    let remote = Remote::from(service.client.get_game(request).await.unwrap_err());
    assert_eq!((remote.kind, remote.reason.as_str()), (Kind::NotFound, "GAME_NOT_FOUND"));
    let remote = Remote::from(service.client.new_game(pb::NewGameRequest { start: None }).await.unwrap_err());
    assert_eq!(remote.reason, "FIELD_MISSING");
}

#[tokio::test]
async fn set_seeds_are_derived_and_long_nonces_refused() {
    let mut service = serve(Config::default()).await;
    let request = |nonce: &str| pb::DeriveSetSeedRequest {
        server_seed: vec![0; 32],
        creator_nonce: nonce.to_owned(),
        acceptor_nonce: String::new(),
    };
    let derived = service.client.derive_set_seed(request("")).await.unwrap().into_inner();
    let vectors = include_str!("../fairness_vectors.json");
    assert!(vectors.contains(&hex::encode(derived.seed)) && vectors.contains(&hex::encode(derived.seed_hash)));
    let refused = service.client.derive_set_seed(request(&"n".repeat(65))).await.unwrap_err();
    assert_eq!(Remote::from(refused).reason, "NONCE_INVALID");
}

fn analysis(state: &[u8], max_nodes: u64) -> pb::AnalyzeRequest {
    pb::AnalyzeRequest { game: "breakthrough".to_owned(), state: state.to_vec(), seat: 0, max_nodes, max_time_ms: 0 }
}

#[tokio::test]
async fn analysis_finds_a_legal_move_and_says_how_far_it_looked() {
    let mut service = serve(Config::default()).await;
    let position = service.begin("breakthrough", "").await;
    let found = service.client.analyze(analysis(&position.state, 20_000)).await.unwrap().into_inner();
    assert!(position.legal_moves[0].moves_json.contains(&found.move_json));
    assert_eq!(found.pv_json.first(), Some(&found.move_json));
    assert!(found.depth >= 2 && found.nodes > 0 && found.nodes <= 21_000, "{found:?}");
}

#[tokio::test]
async fn every_house_level_chooses_the_same_legal_move_again() {
    let mut service = serve(Config::default()).await;
    for game in ["breakthrough-small", "breakthrough-handicap", "maker-breaker"] {
        let position = service.begin(game, "").await;
        let request = pb::GetGameRequest { game: game.to_owned() };
        let levels = service.client.get_game(request).await.unwrap().into_inner().contract.unwrap().house_levels;
        for level in levels {
            let request = pb::ChooseMoveRequest {
                game: game.to_owned(),
                state: position.state.to_vec(),
                seat: position.to_act[0],
                level,
                seed: SEED.to_vec(),
                game_number: 1,
            };
            let first = service.client.choose_move(request.clone()).await.unwrap().into_inner();
            assert_eq!(service.client.choose_move(request.clone()).await.unwrap().into_inner(), first);
            let check = pb::CheckMoveRequest {
                game: game.to_owned(),
                state: position.state.to_vec(),
                r#move: Some(seat_move(request.seat, &first.move_json)),
            };
            service.client.check_move(check).await.unwrap();
            let unknown = pb::ChooseMoveRequest { level: "godlike".to_owned(), ..request };
            let remote = Remote::from(service.client.choose_move(unknown).await.unwrap_err());
            assert_eq!(remote.reason, "LEVEL_UNKNOWN");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_analysis_frees_its_place_and_moves_are_checked_meanwhile() {
    let mut service = serve(Config { analysis_threads: 1, analysis_queue: 0 }).await;
    let position = service.begin("breakthrough", r#"{"size": 12}"#).await;
    let mut client = service.client.clone();
    let endless = analysis(&position.state, 100_000_000);
    let running = tokio::spawn(async move { client.analyze(endless).await });
    while !service.metrics().contains("farside_rules_thinking{kind=\"Analysis\"} 1") {
        tokio::task::yield_now().await;
    }
    let busy = loop {
        // The first call has been counted, but may not have taken its place yet.
        match service.client.analyze(analysis(&position.state, 1)).await {
            Ok(_) => tokio::task::yield_now().await,
            Err(status) => break Remote::from(status),
        }
    };
    assert_eq!((busy.kind, busy.reason.as_str()), (Kind::ResourceExhausted, "ANALYSIS_BUSY"));
    let check = pb::CheckMoveRequest {
        game: "breakthrough".to_owned(),
        state: position.state.to_vec(),
        r#move: Some(seat_move(1, &position.legal_moves[0].moves_json[0])),
    };
    service.client.check_move(check).await.unwrap();
    running.abort();
    running.await.unwrap_err();
    loop {
        match service.client.analyze(analysis(&position.state, 1)).await {
            Ok(_) => break,
            Err(status) => assert_eq!(Remote::from(status).reason, "ANALYSIS_BUSY"),
        }
    }
}

#[tokio::test]
async fn records_are_sealed_and_verified_over_the_wire() {
    let mut service = serve(Config::default()).await;
    let refused = service.client.seal_record(pb::SealRecordRequest { facts_json: "{}".to_owned() }).await.unwrap_err();
    assert_eq!(Remote::from(refused).reason, "RECORD_INVALID");
    let request = |record_json: &str| pb::VerifyRecordRequest { record_json: record_json.to_owned(), keys: Vec::new() };
    let refused = service.client.verify_record(request("[]")).await.unwrap_err();
    assert_eq!(Remote::from(refused).reason, "RECORD_INVALID");
    let found = service.client.verify_record(request(r#"{"format": "farside-record/1"}"#)).await.unwrap().into_inner();
    assert!(found.fault.unwrap().reason.contains("missing field") && found.checks.is_empty());
}

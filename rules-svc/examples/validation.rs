//! How long a move takes to be checked and applied over gRPC, with the analysis pool idle and with it saturated.
//!
//! `cargo run --release -p rules-svc --example validation`. Idle and saturated stretches take turns, so that a machine
//! that slows down meanwhile slows both; the ratio of the 99th percentiles is the figure.

#![allow(clippy::print_stdout)] // Someone reads the figures.

use std::error::Error;
use std::time::Duration;

use clap::Parser;
use farside_kit::Context;
use farside_kit::grpc::Endpoint;
use farside_kit::grpc::client::{Traced, channel};
use farside_kit::time::Stopwatch;
use farside_proto::rules::v1 as pb;
use farside_proto::rules::v1::rules_service_client::RulesServiceClient;
use farside_rules::Config;
use tokio::task::JoinSet;

const GAME: &str = "breakthrough";
/// More than an analysis visits before it is cancelled.
const ENDLESS_NODES: u64 = 100_000_000;

/// How much is measured.
#[derive(Parser)]
struct Cli {
    /// Moves applied in each stretch
    #[arg(long, default_value_t = 4_000)]
    moves: usize,
    /// Stretches of each kind
    #[arg(long, default_value_t = 4)]
    stretches: usize,
}

type Client = RulesServiceClient<Traced>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let context = Context::in_process();
    let hub = context.hub.clone().ok_or("a context in process has a hub")?;
    let config = Config::default();
    let analyses = config.analysis_threads + config.analysis_queue;
    farside_rules::start(config, context, hub.listen(farside_rules::NAME)).await?;
    let endpoint = Endpoint::memory(&hub, farside_rules::NAME);
    let mut client = RulesServiceClient::new(channel(&endpoint, None, Duration::from_secs(60)));
    let apply = first_move(&mut client).await?;
    stretch(&mut client, &apply, cli.moves).await?;
    let (mut idle, mut saturated) = (Vec::new(), Vec::new());
    for _ in 0..cli.stretches {
        idle.extend(stretch(&mut client, &apply, cli.moves).await?);
        let thinking = saturate(&client, &apply.state, analyses);
        saturated.extend(stretch(&mut client, &apply, cli.moves).await?);
        drop(thinking);
    }
    let (idle, saturated) = (Figures::of(idle), Figures::of(saturated));
    println!("idle:      {idle:?}\nsaturated: {saturated:?} ({analyses} analyses)");
    println!("p99 saturated to idle: {:.2}", saturated.p99.as_secs_f64() / idle.p99.as_secs_f64());
    Ok(())
}

/// A request that plays the first move of a game.
async fn first_move(client: &mut Client) -> Result<pb::ApplyRequest, Box<dyn Error>> {
    let start = pb::GameStart {
        game: GAME.to_owned(),
        options_json: r#"{"start": "standard"}"#.to_owned(),
        game_number: 1,
        ..pb::GameStart::default()
    };
    let begun = client.new_game(pb::NewGameRequest { start: Some(start) }).await?.into_inner();
    let position = begun.position.ok_or("a game begins with a position")?;
    let moves = vec![pb::SeatMove { seat: 1, move_json: r#"{"from": [1, 3], "to": [2, 3]}"#.to_owned() }];
    Ok(pb::ApplyRequest { game: GAME.to_owned(), state: position.state.to_vec(), moves })
}

/// Applies the move so often, one after the other; how long each took.
async fn stretch(client: &mut Client, apply: &pb::ApplyRequest, moves: usize) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut took = Vec::with_capacity(moves);
    for _ in 0..moves {
        let watch = Stopwatch::start();
        client.apply(apply.clone()).await?;
        took.push(watch.elapsed());
    }
    Ok(took)
}

/// Takes every thread and every waiting place of the pool until dropped.
fn saturate(client: &Client, state: &[u8], analyses: usize) -> JoinSet<()> {
    let request = pb::AnalyzeRequest {
        game: GAME.to_owned(),
        state: state.to_vec(),
        max_nodes: ENDLESS_NODES,
        ..Default::default()
    };
    let mut thinking = JoinSet::new();
    for _ in 0..analyses {
        let (mut client, request) = (client.clone(), request.clone());
        thinking.spawn(async move {
            // One that comes to its end is followed by the next.
            while client.analyze(request.clone()).await.is_ok() {}
        });
    }
    thinking
}

#[derive(Debug)]
#[expect(dead_code, reason = "printed")]
struct Figures {
    median: Duration,
    p99: Duration,
    max: Duration,
}

impl Figures {
    fn of(mut took: Vec<Duration>) -> Self {
        took.sort_unstable();
        let at = |share: usize| took.get((took.len() * share / 100).min(took.len().saturating_sub(1)));
        let at = |share| at(share).copied().unwrap_or_default();
        Self { median: at(50), p99: at(99), max: at(100) }
    }
}

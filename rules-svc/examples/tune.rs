//! Tunes the evaluation by self-play and prints the weights for `src/domain/search/weights.rs`.
//!
//! `cargo run --release -p rules-svc --example tune -- --games 8000 --rounds 2`

#![allow(clippy::print_stdout)] // The weights are what it is run for.

use std::thread;

use clap::Parser;
use farside_rules::domain::pawns::Size;
use farside_rules::domain::search::Weights;
use farside_rules::domain::tuning::{Plan, Sample, fit, play};

/// How much is played.
#[derive(Parser)]
struct Cli {
    /// Rows and columns of the board
    #[arg(long, default_value_t = 8)]
    size: u8,
    /// Games in each round
    #[arg(long, default_value_t = 8000)]
    games: u64,
    /// Rounds of games and fit, each with the weights of the one before
    #[arg(long, default_value_t = 2)]
    rounds: u64,
    /// Nodes searched for a move
    #[arg(long, default_value_t = 3000)]
    nodes: u64,
    /// Random plies at the start of each game
    #[arg(long, default_value_t = 10)]
    random_plies: u32,
    /// Threads; their number does not change the weights
    #[arg(long, default_value_t = 2)]
    threads: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cli = Cli::parse();
    let plan = Plan { size: Size::new(cli.size)?, random_plies: cli.random_plies, nodes: cli.nodes };
    let mut weights = Weights::TUNED;
    for round in 0..cli.rounds {
        let samples = samples(&cli, &plan, &weights, round * cli.games);
        println!("round {round}: {} positions", samples.len());
        weights = fit(&samples, &weights);
        println!("{weights:?}");
    }
    Ok(())
}

/// The samples of one round, in the order of the games.
fn samples(cli: &Cli, plan: &Plan, weights: &Weights, first: u64) -> Vec<Sample> {
    let share = cli.games.div_ceil(cli.threads);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cli.threads)
            .map(|at| {
                let games = first + at * share..first + cli.games.min((at + 1) * share);
                scope.spawn(move || games.flat_map(|game| play(plan, weights, game)).collect::<Vec<_>>())
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
}

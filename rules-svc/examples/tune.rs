//! Tunes the evaluation by self-play on 8×8 and writes `src/domain/search/weights.json` anew.
//!
//! `cargo run --release -p rules-svc --example tune -- --out rules-svc/src/domain/search/weights.json`
//! The games are played by the search as it is: another version of it plays other games and finds other weights.

#![allow(clippy::print_stdout)] // Someone watches the losses.

use std::error::Error;
use std::path::PathBuf;
use std::{fs, thread};

use clap::Parser;
use farside_rules::domain::pawns::Size;
use farside_rules::domain::search::Weights;
use farside_rules::domain::tuning::{Plan, Sample, first_guess, fit, play};

/// How much is played.
#[derive(Parser)]
struct Cli {
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// Games in each round
    #[arg(long, default_value_t = 16_000)]
    games: u64,
    /// Rounds of games and fit, each with the weights of the one before
    #[arg(long, default_value_t = 1)]
    rounds: u64,
    /// Nodes searched for a move
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Random plies at the start of each game
    #[arg(long, default_value_t = 8)]
    random_plies: u32,
    /// Threads; their number does not change the weights
    #[arg(long, default_value_t = 2)]
    threads: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let plan = Plan { size: Size::CLASSIC, random_plies: cli.random_plies, nodes: cli.nodes };
    let mut weights = first_guess();
    for round in 0..cli.rounds {
        let samples = samples(&cli, &plan, &weights, round * cli.games);
        let fitted = fit(&samples, &weights);
        println!("round {round}: {} positions, losses {:.5?}", samples.len(), fitted.losses);
        weights = fitted.weights;
    }
    fs::write(&cli.out, serde_json::to_string(&weights)? + "\n")?;
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

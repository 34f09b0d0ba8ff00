//! Maker and Breaker's three strengths, and analysis, against each other: who wins how many games.
//!
//! `cargo run --release -p rules-svc --example makers`. Games come in pairs from the same random position after four
//! rounds, seats swapped; nothing is drawn but those positions, so the numbers are the same again.

#![allow(clippy::print_stdout)] // Someone reads the figures.

use clap::Parser;
use farside_rules::domain::engines::maker_breaker::{Strength, analyse, choose};
use farside_rules::domain::games::maker_breaker::state::{End, MakerBreakerState, Placement};
use farside_rules::domain::pawns::Seat;
use farside_rules::domain::seed::{Purpose, SEED_BYTES, SetSeed};
use farside_rules::domain::thinking::Budget;

/// How much is played.
#[derive(Parser)]
struct Cli {
    /// Pairs of games for each pair of players, at most 256
    #[arg(long, default_value_t = 50)]
    pairs: u16,
    /// Random rounds before a game
    #[arg(long, default_value_t = 4)]
    rounds: u8,
    /// Nodes that analysis visits for a placement
    #[arg(long, default_value_t = 50_000)]
    nodes: u64,
}

#[derive(Clone, Copy, Debug)]
enum Player {
    House(Strength),
    Analysis { nodes: u64 },
}

fn main() {
    let cli = Cli::parse();
    let players = Strength::ALL.map(Player::House).into_iter().chain([Player::Analysis { nodes: cli.nodes }]);
    let players: Vec<Player> = players.collect();
    for pair in players.windows(2) {
        let (mut won, mut lost, mut drawn) = (0, 0, 0);
        for number in 0..cli.pairs.min(256) {
            for seat in Seat::BOTH {
                match play(begin(number, cli.rounds), pair[1], pair[0], seat) {
                    Some(winner) if winner == seat => won += 1,
                    Some(_) => lost += 1,
                    None => drawn += 1,
                }
            }
        }
        println!("{:?} against {:?}: won {won}, lost {lost}, drawn {drawn}", pair[1], pair[0]);
    }
}

/// A position after so many random rounds.
fn begin(number: u16, rounds: u8) -> MakerBreakerState {
    let mut stream = SetSeed([number as u8; SEED_BYTES]).stream(Purpose::StartPosition);
    (0..rounds).fold(MakerBreakerState::start(), |state, _| {
        let placements = Seat::BOTH.map(|seat| stream.choose(state.legal(seat), 1).first().copied());
        state.play(placements).unwrap_or(state)
    })
}

/// Who wins when `strong` has `seat`; `None` for a draw.
fn play(mut state: MakerBreakerState, strong: Player, weak: Player, seat: Seat) -> Option<Seat> {
    while state.end().is_none() {
        let placements = Seat::BOTH.map(|to_act| placed(if to_act == seat { strong } else { weak }, &state, to_act));
        // The players place by the rules, so a game goes on until its end.
        state = state.play(placements)?;
    }
    match state.end()? {
        End::FewerRounds(winner) | End::OnlyMade(winner) => Some(winner),
        End::EqualRounds | End::BothHeld => None,
    }
}

fn placed(player: Player, state: &MakerBreakerState, seat: Seat) -> Option<Placement> {
    match player {
        Player::House(strength) => choose(strength, state, seat),
        Player::Analysis { nodes } => {
            analyse(state, seat, Budget { max_nodes: nodes, should_stop: &|| false }).map(|found| found.best)
        }
    }
}

//! Seeds and chance against the published vectors and against the second implementation.

use std::path::Path;
use std::process::Command;

use farside_rules::domain::pawn_play::setup;
use farside_rules::domain::pawns::Size;
use farside_rules::domain::seed::{Purpose, ServerSeed, SetSeed};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    set_seeds: Vec<SetSeedVector>,
    words: Vec<WordVector>,
    starts: Vec<StartVector>,
    strengths: Vec<StrengthVector>,
}

#[derive(Deserialize)]
struct SetSeedVector {
    server_seed: String,
    creator_nonce: String,
    acceptor_nonce: String,
    seed_hash: String,
    seed: String,
}

#[derive(Deserialize)]
struct WordVector {
    seed: String,
    label: String,
    words: Vec<u32>,
    below: Vec<(u32, u32)>,
}

#[derive(Deserialize)]
struct StartVector {
    seed: String,
    size: u8,
    pieces: u8,
    random_rows: u8,
    board: Vec<String>,
}

#[derive(Deserialize)]
struct StrengthVector {
    seed: String,
    strength: u32,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../fairness_vectors.json")).unwrap()
}

fn bytes(hex: &str) -> [u8; 32] {
    hex::decode(hex).unwrap().try_into().unwrap()
}

fn purpose(label: &str) -> Purpose {
    let all = [
        Purpose::StartPosition,
        Purpose::HouseStrength,
        Purpose::HouseChoice { game_number: 1, ply: 0 },
        Purpose::HouseChoice { game_number: 2, ply: 137 },
    ];
    all.into_iter().find(|purpose| purpose.label() == label).unwrap()
}

#[test]
fn set_seeds_are_derived_as_published() {
    for vector in vectors().set_seeds {
        let server = ServerSeed(bytes(&vector.server_seed));
        assert_eq!(hex::encode(server.hash()), vector.seed_hash);
        assert_eq!(hex::encode(server.derive(&vector.creator_nonce, &vector.acceptor_nonce).0), vector.seed);
    }
}

#[test]
fn words_and_bounded_numbers_are_drawn_as_published() {
    for vector in vectors().words {
        let seed = SetSeed(bytes(&vector.seed));
        let mut stream = seed.stream(purpose(&vector.label));
        let words: Vec<u32> = vector.words.iter().map(|_| stream.next_u32()).collect();
        assert_eq!(words, vector.words, "{}", vector.label);
        let mut stream = seed.stream(purpose(&vector.label));
        for (bound, expected) in vector.below {
            assert_eq!(stream.below(bound), expected, "{} below {bound}", vector.label);
        }
    }
}

#[test]
fn random_starts_are_drawn_as_published() {
    for vector in vectors().starts {
        let size = Size::new(vector.size).unwrap();
        let board = setup::scattered(size, vector.pieces, vector.random_rows, &SetSeed(bytes(&vector.seed)));
        assert_eq!(board.to_rows(), vector.board);
    }
}

#[test]
fn strengths_are_drawn_as_published() {
    for vector in vectors().strengths {
        let mut stream = SetSeed(bytes(&vector.seed)).stream(Purpose::HouseStrength);
        assert_eq!(1 + stream.below(3), vector.strength);
    }
}

#[test]
fn the_python_script_agrees_with_the_vectors() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/fairness.py");
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fairness_vectors.json");
    let output = Command::new("python3").arg(script).arg("check").arg(vectors).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_python_script_derives_a_start_from_a_seed() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/fairness.py");
    let seed = [0xA5; 32];
    let args = ["start", "--seed", &hex::encode(seed), "--size", "9", "--pieces", "20", "--random-rows", "4"];
    let output = Command::new("python3").arg(script).args(args).output().unwrap();
    let printed: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(printed, setup::scattered(Size::new(9).unwrap(), 20, 4, &SetSeed(seed)).to_rows());
}

#[test]
fn the_document_shows_the_vectors() {
    let document = include_str!("../../../docs/fairness.md");
    let vectors = vectors();
    for vector in vectors.set_seeds {
        assert!(document.contains(&vector.seed) && document.contains(&vector.seed_hash));
    }
    for row in vectors.starts.iter().take(1).flat_map(|vector| &vector.board) {
        assert!(document.contains(row));
    }
}

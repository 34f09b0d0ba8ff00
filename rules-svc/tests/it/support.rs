//! Playing from tests: beginnings, moves by number, whole games.

use farside_rules::domain::pawns::Seat;
use farside_rules::domain::rules::{self, Position, Rules, SeatMove, StartRequest};
use serde_json::Value;

pub const SEED: [u8; 32] = [7; 32];

/// Every game with options that differ from the defaults as much as they can.
pub const VARIETIES: [(&str, &str); 13] = [
    ("breakthrough", ""),
    ("breakthrough", r#"{"size": 6, "pieces": 8, "random_rows": 2}"#),
    ("breakthrough", r#"{"size": 12, "pieces": 36, "random_rows": 4}"#),
    ("breakthrough", r#"{"size": 7, "pieces": 21, "start": "standard"}"#),
    ("breakthrough", r#"{"size": 9, "start": "standard"}"#),
    ("breakthrough-small", ""),
    ("breakthrough-small", r#"{"rows": 1}"#),
    ("landbreaker", r#"{"size": 10}"#),
    ("landbreaker", r#"{"size": 11, "start": "random"}"#),
    ("breakthrough-symmetric", r#"{"size": 12}"#),
    ("breakthrough-handicap", ""),
    ("breakthrough-handicap", r#"{"pieces": 8, "stronger": "acceptor"}"#),
    ("maker-breaker", ""),
];

pub fn game(id: &str) -> &'static dyn Rules {
    rules::find(id).unwrap()
}

pub fn begin(id: &str, options: &str, seed: [u8; 32]) -> Box<dyn Position> {
    let request = StartRequest { options, seed: &seed, game_number: 1, creator_seat: 0 };
    game(id).start(request).unwrap()
}

pub fn standard(size: u8) -> Box<dyn Position> {
    begin("breakthrough", &format!(r#"{{"size": {size}, "start": "standard"}}"#), SEED)
}

/// One move of each seat to act, chosen by number from its legal moves.
pub fn pick(position: &dyn Position, number: u32) -> Vec<(Seat, String)> {
    let choose = |seat| {
        let legal = position.legal_moves(seat);
        let mv = legal[number as usize % legal.len()].clone();
        (seat, placing(&mv).unwrap_or(mv))
    };
    position.to_act().into_iter().map(choose).collect()
}

/// A placing that follows an offer of the handicap game.
fn placing(offer: &str) -> Option<String> {
    let offer: Value = serde_json::from_str(offer).unwrap();
    let place = offer.get("place")?;
    let count = place["count"].as_u64()? as usize;
    let squares = &place["squares"].as_array()?[..count];
    Some(serde_json::json!({ "place": squares }).to_string())
}

pub fn apply(position: &dyn Position, moves: &[(Seat, String)]) -> Box<dyn Position> {
    let moves: Vec<_> = moves.iter().map(|(seat, json)| SeatMove { seat: *seat, json }).collect();
    position.apply(&moves).unwrap().0
}

/// Every position of a game that is played by numbers, the last one included.
pub fn play_out(id: &str, options: &str, seed: [u8; 32], mut number: u32) -> Vec<Box<dyn Position>> {
    let mut positions = vec![begin(id, options, seed)];
    loop {
        let position = positions.last().unwrap().as_ref();
        if position.to_act().is_empty() {
            return positions;
        }
        let next = apply(position, &pick(position, number >> 8));
        positions.push(next);
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    }
}

pub fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

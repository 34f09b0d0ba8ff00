//! Fields and events that nobody has documented, put where a later release might put some. Pure.

use serde_json::{Value, json};

/// Members that hold objects of the API's own; what is within a move or a position belongs to the game.
const HOLD_OBJECTS: [&str; 9] = ["turns", "state", "set", "sets", "games", "challenge", "challenges", "data", "ok"];

/// An event of a kind that there is not.
pub(crate) const EVENT: &str = "event: weather\ndata: {\"outlook\": \"fair\"}\n\n";

/// The same answer with more in it.
pub(crate) fn answer(mut value: Value) -> Value {
    add(&mut value);
    value
}

fn add(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields
                .iter_mut()
                .filter(|(name, _)| HOLD_OBJECTS.contains(&name.as_str()))
                .for_each(|(_, value)| add(value));
            fields.insert("outlook".to_owned(), json!({ "sky": ["fair", null, 7.5], "wind": { "knots": -1 } }));
        }
        Value::Array(items) => items.iter_mut().for_each(add),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_positions_stay_as_they_are() {
        let state = json!({ "legal_moves": [{ "from": [0, 0] }], "body": { "cells": [] }, "clocks": { "1": {} } });
        let changed = answer(json!({ "turns": [{ "set_id": "s", "state": state }] }));
        let turn = &changed["turns"][0];
        assert!(changed["outlook"].is_object() && turn["outlook"].is_object() && turn["state"]["outlook"].is_object());
        for place in ["legal_moves", "body", "clocks"] {
            assert_eq!(turn["state"][place], state[place]);
        }
    }
}

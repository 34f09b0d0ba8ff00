//! Contracts: schemas that are schemas, and values that fit them.

use farside_rules::domain::rules::catalogue;
use serde_json::{Value, json};

use crate::support::{VARIETIES, game, parsed, play_out};

fn fits(schema: &str, value: &Value) -> bool {
    jsonschema::draft202012::new(&parsed(schema)).unwrap().is_valid(value)
}

/// Every object schema within a schema.
fn objects(schema: &Value, found: &mut Vec<Value>) {
    if schema.get("type") == Some(&json!("object")) {
        found.push(schema.clone());
    }
    match schema {
        Value::Object(members) => members.values().for_each(|member| objects(member, found)),
        Value::Array(items) => items.iter().for_each(|item| objects(item, found)),
        _ => {}
    }
}

#[test]
fn the_catalogue_lists_every_game_in_order() {
    let ids: Vec<_> = catalogue().iter().map(|rules| rules.contract().facts.id).collect();
    let expected = [
        "breakthrough",
        "breakthrough-small",
        "landbreaker",
        "breakthrough-symmetric",
        "breakthrough-handicap",
        "maker-breaker",
    ];
    assert_eq!(ids, expected);
}

#[test]
fn every_schema_is_a_closed_json_schema() {
    for rules in catalogue() {
        let contract = rules.contract();
        for schema in [&contract.options_schema, &contract.move_schema, &contract.body_schema] {
            let schema = parsed(schema);
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
            jsonschema::draft202012::meta::validate(&schema).unwrap();
            let mut found = Vec::new();
            objects(&schema, &mut found);
            assert!(!found.is_empty(), "{schema}");
            for object in found {
                assert_eq!(object["additionalProperties"], json!(false), "{object}");
            }
        }
    }
}

/// Every schema within a schema that names a default.
fn with_default(schema: &Value, found: &mut Vec<Value>) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("default") && members.contains_key("type") {
                found.push(schema.clone());
            }
            members.values().for_each(|member| with_default(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| with_default(item, found)),
        _ => {}
    }
}

#[test]
fn a_default_that_a_schema_names_fits_it() {
    for rules in catalogue() {
        let contract = rules.contract();
        for schema in [&contract.options_schema, &contract.move_schema, &contract.body_schema] {
            let mut found = Vec::new();
            with_default(&parsed(schema), &mut found);
            for schema in found {
                assert!(fits(&schema.to_string(), &schema["default"]), "{schema}");
            }
        }
    }
}

#[test]
fn defaults_and_examples_fit_their_schemas() {
    for rules in catalogue() {
        let contract = rules.contract();
        let id = contract.facts.id;
        assert!(fits(&contract.options_schema, &parsed(&contract.default_options)), "{id}");
        let examples = parsed(&contract.examples);
        assert!(fits(&contract.options_schema, &examples["options"]), "{id}");
        assert!(fits(&contract.move_schema, &examples["move"]), "{id}: {}", examples["move"]);
        assert!(fits(&contract.body_schema, &examples["body"]), "{id}: {}", examples["body"]);
    }
}

#[test]
fn every_move_and_body_of_played_games_fits() {
    for (id, options) in VARIETIES {
        let contract = game(id).contract();
        let moves = jsonschema::draft202012::new(&parsed(&contract.move_schema)).unwrap();
        let bodies = jsonschema::draft202012::new(&parsed(&contract.body_schema)).unwrap();
        for position in play_out(id, options, [3; 32], 99) {
            assert!(bodies.is_valid(&parsed(&position.body())), "{id}: {}", position.body());
            let legal = position.to_act().into_iter().flat_map(|seat| position.legal_moves(seat));
            for mv in legal.filter(|mv| !mv.contains("squares")) {
                assert!(moves.is_valid(&parsed(&mv)), "{id}: {mv}");
            }
        }
    }
}

#[test]
fn parser_and_schema_agree_on_what_is_malformed() {
    let candidates = [
        json!({}),
        json!([]),
        json!(null),
        json!({"from": [1, 2], "to": [2, 2]}),
        json!({"from": [1.0, 2], "to": [2, 2]}),
        json!({"from": [1.5, 2], "to": [2, 2]}),
        json!({"from": [1, 12], "to": [2, 2]}),
        json!({"from": [-1, 2], "to": [2, 2]}),
        json!({"from": [1], "to": [2, 2]}),
        json!({"from": [1, 2, 3], "to": [2, 2]}),
        json!({"from": [1, 2]}),
        json!({"from": null, "to": [2, 2]}),
        json!({"from": "b2", "to": "b3"}),
        json!({"from": [1, 2], "to": [2, 2], "by": 1}),
        json!({"place": [[0, 0]]}),
        json!({"place": [[0,0],[0,1],[0,2],[0,3],[0,4],[0,5],[0,6],[0,7],[1,0],[1,1],[1,2],[1,3]]}),
        json!({"place": [[0,0],[0,1],[0,2],[0,3],[0,4],[0,5],[0,6],[0,7]], "from": [1, 1]}),
        json!({"at": [0, 5], "piece": "X"}),
        json!({"at": [0, 6], "piece": "X"}),
        json!({"at": [0, 5], "piece": "x"}),
        json!({"at": {"row": 0, "col": 5}, "piece": "X"}),
        json!({"at": [0, 5]}),
        json!({"size": 8, "start": "random"}),
        json!({"size": null}),
        json!({"size": "8"}),
        json!({"size": 5}),
        json!({"size": 13}),
        json!({"start": "Random"}),
        json!({"pieces": 7}),
        json!({"pieces": 37}),
        json!({"pieces": 12, "stronger": "creator"}),
        json!({"pieces": 16, "stronger": "creator"}),
        json!({"rows": 3}),
        json!({"rows": 1}),
    ];
    for (id, options) in VARIETIES {
        let contract = game(id).contract();
        let begun = crate::support::begin(id, options, crate::support::SEED);
        let seat = begun.to_act()[0];
        for candidate in &candidates {
            let text = candidate.to_string();
            let mv = farside_rules::domain::rules::SeatMove { seat, json: &text };
            let malformed = begun.check(mv).is_err_and(|fault| fault.reason() == "MALFORMED_MOVE");
            assert_eq!(!malformed, fits(&contract.move_schema, candidate), "{id} move {text}");
            let parses = match game(id).resolve(&text) {
                Ok(_) => true,
                Err(fault) => fault
                    .violations()
                    .iter()
                    .all(|violation| violation.detail.starts_with('`') && violation.detail.contains("with `")),
            };
            assert_eq!(parses, fits(&contract.options_schema, candidate), "{id} options {text}");
        }
    }
}

#[test]
fn the_defaults_are_those_of_the_specification() {
    let defaults = |id| game(id).contract().default_options.clone();
    assert_eq!(defaults("breakthrough"), r#"{"pieces":16,"random_rows":3,"size":8,"start":"random"}"#);
    assert_eq!(defaults("landbreaker"), r#"{"pieces":16,"random_rows":3,"size":8,"start":"standard"}"#);
    assert_eq!(defaults("breakthrough-small"), r#"{"rows":2}"#);
    assert_eq!(defaults("breakthrough-symmetric"), r#"{"size":8}"#);
    assert_eq!(defaults("breakthrough-handicap"), r#"{"pieces":12,"stronger":"creator"}"#);
    assert_eq!(defaults("maker-breaker"), "{}");
}

#[test]
fn a_size_alone_doubles_into_pieces() {
    let resolved = game("breakthrough").resolve(r#"{"size": 10}"#).unwrap();
    assert_eq!(parsed(&resolved)["pieces"], 20);
}

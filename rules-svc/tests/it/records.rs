//! Records: what is sealed verifies, and every kind of tampering is found where it was done.

use ed25519_dalek::{Signer as _, SigningKey};
use farside_rules::record::{PublicKey, Report, seal, verify_json, verify_with_house};
use serde_json::{Value, json};

use crate::support::parsed;

mod fixture {
    //! Sets that were played to the end, as facts.

    use farside_rules::domain::json::canonical;
    use farside_rules::domain::pawns::Seat;
    use farside_rules::domain::rules::{Position, StartRequest};
    use farside_rules::domain::seed::{ServerSeed, SetSeed};
    use farside_rules::domain::thinking::HouseDraw;
    use serde_json::{Value, json};

    use crate::support::{apply, game, parsed, pick};

    pub const SERVER: [u8; 32] = [0x42; 32];

    pub fn set_entry(id: &str, options: &str, clock: &Value, format: &str) -> Value {
        let rules = game(id);
        let server = ServerSeed(SERVER);
        let participant = |name: &str| json!({"id": format!("bot_{name}"), "name": name, "kind": "bot"});
        json!({
            "type": "set", "set": "set_01", "game": id, "contract_version": rules.contract().facts.version,
            "format": format, "options": parsed(&rules.resolve(options).unwrap()), "clock": clock,
            "rated": false, "stake": null, "creator": participant("ann"), "acceptor": participant("ott"),
            "seed_hash": hex::encode(server.hash()), "server_seed": hex::encode(SERVER),
            "seed": hex::encode(server.derive("a", "").0), "nonces": {"creator": "a", "acceptor": null},
            "at_ms": 1_000_000,
        })
    }

    /// The clocks as the platform keeps them: 500 ms a move.
    struct Clock {
        now_ms: u64,
        remaining_ms: [u64; 2],
        moves: [u32; 2],
        increment_ms: u64,
    }

    impl Clock {
        fn charge(&mut self, seat: Seat, ends: bool) {
            let first = self.moves[seat.index()] == 0;
            self.moves[seat.index()] += 1;
            if !first {
                let earned = if ends { 0 } else { self.increment_ms };
                self.remaining_ms[seat.index()] = self.remaining_ms[seat.index()].saturating_sub(500) + earned;
            }
        }
    }

    pub fn begin(set: &Value, number: u32) -> Box<dyn Position> {
        let seed = hex::decode(set["seed"].as_str().unwrap()).unwrap();
        let creator_seat = if set["format"] == "single" { 1 } else { 0 };
        let options = canonical(&set["options"]);
        let request = StartRequest { options: &options, seed: &seed, game_number: number, creator_seat };
        game(set["game"].as_str().unwrap()).start(request).unwrap()
    }

    /// One game by numbers, stopped after so many plies.
    pub fn play(
        set: &Value,
        number: u32,
        mut chance: u32,
        plies: usize,
        entries: &mut Vec<Value>,
    ) -> Box<dyn Position> {
        let fischer = set["clock"].get("initial_s").is_some();
        let seconds = |member: &str| set["clock"].get(member).and_then(Value::as_u64).unwrap_or(0) * 1_000;
        let begun_ms = entries.last().unwrap()["at_ms"].as_u64().unwrap();
        let mut clock = Clock {
            now_ms: begun_ms,
            remaining_ms: [seconds("initial_s"); 2],
            moves: [0; 2],
            increment_ms: seconds("increment_s"),
        };
        let creator_first = number == 2 || set["format"] == "single";
        let (one, two) = if creator_first { ("creator", "acceptor") } else { ("acceptor", "creator") };
        entries.push(json!({"type": "game_started", "game": number, "seats": {"1": set[one]["id"], "2": set[two]["id"]}, "at_ms": begun_ms}));
        let mut position = begin(set, number);
        for _ in 0..plies {
            if position.outcome().is_some() {
                break;
            }
            chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut moves = pick(position.as_ref(), chance >> 8);
            for (seat, mv) in &mut moves {
                let side = if (*seat == Seat::One) == creator_first { "creator" } else { "acceptor" };
                if let Some(level) = set[side]["id"].as_str().unwrap().strip_prefix("house:") {
                    let seed = SetSeed(hex::decode(set["seed"].as_str().unwrap()).unwrap().try_into().unwrap());
                    let draw = HouseDraw { seed, game_number: number as u8 };
                    *mv = position.choose(*seat, level, draw, &|| false).unwrap();
                }
            }
            let next = apply(position.as_ref(), &moves);
            let received_ms = clock.now_ms + 500;
            clock.now_ms += 503;
            let mut played = Vec::new();
            for (seat, mv) in &moves {
                let checked = position.check(farside_rules::domain::rules::SeatMove { seat: *seat, json: mv }).unwrap();
                clock.charge(*seat, next.outcome().is_some());
                played.push(json!({"seat": seat.number(), "move": parsed(&checked.json), "notation": checked.notation, "received_ms": received_ms}));
            }
            let clocks =
                if fischer { json!({"1": clock.remaining_ms[0], "2": clock.remaining_ms[1]}) } else { Value::Null };
            entries.push(json!({"type": "ply", "game": number, "ply": position.ply(), "moves": played, "at_ms": clock.now_ms, "clocks": clocks}));
            position = next;
        }
        position
    }

    /// A whole game, with its result.
    pub fn finish(set: &Value, number: u32, chance: u32, entries: &mut Vec<Value>) -> (Option<bool>, [u64; 2]) {
        let first = entries.len();
        let position = play(set, number, chance, usize::MAX, entries);
        let outcome = position.outcome().unwrap();
        let at_ms = entries.last().unwrap()["at_ms"].clone();
        let winner = outcome.winner.map(Seat::number);
        let seats = entries[first]["seats"].clone();
        let mut moves = [0; 2];
        for entry in &entries[first + 1..] {
            for mv in entry["moves"].as_array().unwrap() {
                moves[usize::from(seats[mv["seat"].to_string()] == set["acceptor"]["id"])] += 1;
            }
        }
        entries.push(json!({"type": "game_finished", "game": number, "winner": winner, "reason": outcome.reason, "at_ms": at_ms}));
        (winner.map(|seat| seats[seat.to_string()] == set["creator"]["id"]), moves)
    }

    /// A whole set of games, with its result.
    pub fn facts(id: &str, options: &str, clock: &Value, chances: &[u32]) -> Value {
        let set = set_entry(id, options, clock, "set");
        let mut entries = vec![set.clone()];
        let (mut points, mut kept) = ([0_u32; 2], [0_u64; 2]);
        for (number, chance) in (1..).zip(chances) {
            let (winner, moves) = finish(&set, number, *chance, &mut entries);
            for side in [0, 1] {
                let won = winner.map(|creator| creator == (side == 0));
                points[side] += match won {
                    Some(true) => 2,
                    Some(false) => 0,
                    None => 1,
                };
                kept[side] += if won == Some(false) { 0 } else { moves[side] };
            }
        }
        let result = if points[0] != points[1] {
            json!({"winner": if points[0] > points[1] { "creator" } else { "acceptor" }, "by": "points"})
        } else if kept[0] != kept[1] {
            json!({"winner": if kept[0] < kept[1] { "creator" } else { "acceptor" }, "by": "tiebreak"})
        } else {
            json!({"winner": null, "by": "draw"})
        };
        let at_ms = entries.last().unwrap()["at_ms"].clone();
        entries.push(json!({"type": "set_finished", "status": "finished", "half_points": {"creator": points[0], "acceptor": points[1]}, "result": result, "at_ms": at_ms}));
        json!({ "entries": entries })
    }
}

fn key() -> SigningKey {
    SigningKey::from_bytes(&[9; 32])
}

fn trusted() -> Vec<PublicKey> {
    vec![PublicKey { id: "key_1".to_owned(), ed25519: key().verifying_key().to_bytes().to_vec() }]
}

fn signed(facts: &Value) -> Value {
    let sealed = seal(&facts.to_string()).unwrap();
    with_signature(parsed(&sealed.json), &key())
}

fn with_signature(mut record: Value, key: &SigningKey) -> Value {
    let head = hex::decode(record["head"].as_str().unwrap()).unwrap();
    record["signature"] = json!({"key": "key_1", "ed25519": hex::encode(key.sign(&head).to_bytes())});
    record
}

/// The record with its chain computed anew, as somebody without the signing key could.
fn rechained(mut record: Value) -> Value {
    let mut head = farside_rules::record::chain::genesis();
    for entry in record["entries"].as_array_mut().unwrap() {
        let members = entry.as_object_mut().unwrap();
        members.remove("prev");
        members.remove("hash");
        let prev = head;
        head = farside_rules::record::chain::link(&prev, entry);
        entry["prev"] = hex::encode(prev).into();
        entry["hash"] = hex::encode(head).into();
    }
    record["head"] = hex::encode(head).into();
    record
}

fn verify(record: &Value) -> Report {
    verify_json(&record.to_string(), &trusted()).unwrap()
}

fn fischer() -> Value {
    json!({"initial_s": 60, "increment_s": 2})
}

fn breakthrough() -> Value {
    fixture::facts("breakthrough", r#"{"size": 6}"#, &fischer(), &[3, 4])
}

fn find(facts: &Value, kind: &str, nth: usize) -> usize {
    let entries = facts["entries"].as_array().unwrap();
    entries.iter().enumerate().filter(|(_, entry)| entry["type"] == kind).nth(nth).unwrap().0
}

#[track_caller]
fn faulty(record: &Value, at: &str, words: &str) {
    let fault = verify(record).fault.unwrap();
    assert_eq!(fault.pointer, at, "{fault}");
    assert!(fault.detail.contains(words), "{fault}");
}

#[test]
fn a_record_of_every_game_holds() {
    let per_round = json!({"per_round_s": 30});
    for facts in [
        breakthrough(),
        fixture::facts("breakthrough-small", r#"{"rows": 1}"#, &fischer(), &[1, 2]),
        fixture::facts("landbreaker", "", &fischer(), &[5, 6]),
        fixture::facts("breakthrough-symmetric", r#"{"size": 12}"#, &fischer(), &[7, 8]),
        fixture::facts("breakthrough-handicap", "", &fischer(), &[9, 10]),
        fixture::facts("maker-breaker", "", &per_round, &[11]),
        fixture::facts("breakthrough", "", &Value::Null, &[12, 13]),
    ] {
        let report = verify(&signed(&facts));
        assert_eq!(report.fault, None);
        let checks = ["format", "signature", "chain", "seeds", "agreement", "plies", "clocks", "results"];
        assert_eq!(report.checks, checks);
    }
}

#[test]
fn sealing_is_canonical_and_repeats_itself() {
    let facts = breakthrough();
    let sealed = seal(&facts.to_string()).unwrap();
    assert_eq!(seal(&facts.to_string()).unwrap(), sealed);
    assert_eq!(farside_rules::domain::json::canonical(&parsed(&sealed.json)), sealed.json);
}

#[test]
fn anything_that_is_changed_breaks_the_chain_where_it_was_changed() {
    let record = signed(&breakthrough());
    let ply = find(&record, "ply", 4);
    let changes: [(&str, Value); 8] = [
        ("/moves/0/move/to/0", json!(5)),
        ("/moves/0/notation", json!("a1-a2")),
        ("/moves/0/received_ms", json!(1)),
        ("/moves/0/seat", json!(2)),
        ("/clocks/1", json!(59_999)),
        ("/at_ms", json!(5)),
        ("/ply", json!(9)),
        ("/game", json!(2)),
    ];
    for (pointer, value) in changes {
        let mut record = record.clone();
        *record["entries"][ply].pointer_mut(pointer).unwrap() = value;
        faulty(&record, &format!("/entries/{ply}/hash"), "changed after it was written");
    }
    for (pointer, value) in [
        ("/entries/0/server_seed", json!("00".repeat(32))),
        ("/entries/0/seed_hash", json!("00".repeat(32))),
        ("/entries/0/seed", json!("00".repeat(32))),
        ("/entries/0/options/size", json!(7)),
        ("/entries/0/rated", json!(true)),
    ] {
        let mut record = record.clone();
        *record.pointer_mut(pointer).unwrap() = value;
        faulty(&record, "/entries/0/hash", "changed after it was written");
    }
}

#[test]
fn missing_added_and_exchanged_entries_are_found() {
    let record = signed(&breakthrough());
    let ply = find(&record, "ply", 4);
    let changed = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut record = record.clone();
        change(record["entries"].as_array_mut().unwrap());
        record
    };
    let missing = changed(&|entries| drop(entries.remove(ply)));
    faulty(&missing, &format!("/entries/{ply}/prev"), "an entry is missing");
    let exchanged = changed(&|entries| entries.swap(ply, ply + 1));
    faulty(&exchanged, &format!("/entries/{ply}/prev"), "out of order");
    let twice = changed(&|entries| entries.insert(ply, entries[ply].clone()));
    faulty(&twice, &format!("/entries/{}/prev", ply + 1), "added");
    let cut = changed(&|entries| drop(entries.pop()));
    faulty(&cut, "/head", "missing at the end");
    let empty = changed(&Vec::clear);
    faulty(&empty, "/head", "missing at the end");
}

#[test]
fn a_new_chain_without_the_signing_key_is_found() {
    let mut record = signed(&breakthrough());
    let ply = find(&record, "ply", 4);
    record["entries"][ply]["moves"][0]["received_ms"] = json!(1);
    let record = rechained(record);
    faulty(&record, "/signature/ed25519", "no signature of `head`");
    let forged = with_signature(record, &SigningKey::from_bytes(&[1; 32]));
    faulty(&forged, "/signature/ed25519", "no signature of `head`");
    let mut other = forged;
    other["signature"]["key"] = json!("key_2");
    faulty(&other, "/signature/key", "none of the keys to trust");
}

/// The platform itself signs something that does not hold.
#[track_caller]
fn signed_but_wrong(facts: &Value, change: impl FnOnce(&mut Value), at: &str, words: &str) {
    let mut record = signed(facts);
    change(&mut record);
    faulty(&with_signature(rechained(record), &key()), at, words);
}

#[test]
fn a_signature_does_not_make_wrong_seeds_right() {
    let facts = breakthrough();
    let zeros = json!("00".repeat(32));
    let set = |member: &'static str, value: Value| move |record: &mut Value| record["entries"][0][member] = value;
    signed_but_wrong(&facts, set("seed_hash", zeros.clone()), "/entries/0/seed_hash", "SHA-256");
    signed_but_wrong(&facts, set("server_seed", zeros.clone()), "/entries/0/seed_hash", "SHA-256");
    signed_but_wrong(&facts, set("seed", zeros), "/entries/0/seed", "does not follow");
    let nonces = json!({"creator": "b", "acceptor": null});
    signed_but_wrong(&facts, set("nonces", nonces), "/entries/0/seed", "does not follow");
    let long = json!({"creator": "n".repeat(65), "acceptor": null});
    signed_but_wrong(&facts, set("nonces", long), "/entries/0/nonces", "64 characters");
}

#[test]
fn a_signature_does_not_make_a_wrong_agreement_right() {
    let facts = breakthrough();
    let set = |pointer: &'static str, value: Value| {
        move |record: &mut Value| *record["entries"][0].pointer_mut(pointer).unwrap() = value
    };
    signed_but_wrong(&facts, set("/game", json!("chess")), "/entries/0/game", "no game");
    signed_but_wrong(&facts, set("/contract_version", json!(2)), "/entries/0/contract_version", "version 1");
    signed_but_wrong(&facts, set("/options/size", json!(5)), "/entries/0/options/size", "6 to 12");
    signed_but_wrong(&facts, set("/options/pieces", json!(20)), "/entries/0/options/pieces", "3 × size");
    signed_but_wrong(&facts, set("/options", json!({"size": 6})), "/entries/0/options", "not complete");
    signed_but_wrong(&facts, set("/clock/initial_s", json!(9)), "/entries/0/clock/initial_s", "range");
    signed_but_wrong(&facts, set("/clock/increment_s", json!(11)), "/entries/0/clock/increment_s", "range");
    signed_but_wrong(&facts, set("/clock", json!({"per_round_s": 30})), "/entries/0/clock", "kind of clock");
    let untimed = |record: &mut Value| {
        record["entries"][0]["clock"] = Value::Null;
        record["entries"][0]["rated"] = json!(true);
    };
    signed_but_wrong(&facts, untimed, "/entries/0/clock", "practice");
}

#[test]
fn a_signature_does_not_make_wrong_plies_right() {
    let facts = breakthrough();
    let (start, ply) = (find(&facts, "game_started", 0), find(&facts, "ply", 4));
    let at = |rest: &str| format!("/entries/{ply}{rest}");
    let set = |pointer: &'static str, value: Value| {
        move |record: &mut Value| *record["entries"][ply].pointer_mut(pointer).unwrap() = value
    };
    signed_but_wrong(&facts, set("/ply", json!(5)), &at("/ply"), "the next ply is 4");
    signed_but_wrong(&facts, set("/game", json!(2)), &at("/game"), "game 1 is being played");
    signed_but_wrong(&facts, set("/moves/0/seat", json!(2)), &at("/moves/0/seat"), "not seat 2's turn");
    signed_but_wrong(&facts, set("/moves/0/seat", json!(3)), &at("/moves/0/seat"), "1 or 2");
    signed_but_wrong(&facts, set("/moves/0/move/from/0", json!(11)), &at("/moves/0/move"), "is illegal");
    signed_but_wrong(&facts, set("/moves/0/move/from/0", json!(12)), &at("/moves/0/move/from/0"), "0 to 11");
    signed_but_wrong(&facts, set("/moves/0/notation", json!("a1-a2")), &at("/moves/0/notation"), "for this move");
    signed_but_wrong(&facts, set("/moves", json!([])), &at("/moves"), "is missing");
    signed_but_wrong(&facts, set("/at_ms", json!(1)), &at("/at_ms"), "never goes back");
    let seats = |record: &mut Value| {
        let seats = record["entries"][start]["seats"].clone();
        record["entries"][start]["seats"] = json!({"1": seats["2"], "2": seats["1"]});
    };
    signed_but_wrong(&facts, seats, &format!("/entries/{start}/seats/2"), "bot_ann in this game");
    let missing = |record: &mut Value| drop(record["entries"].as_array_mut().unwrap().remove(ply));
    signed_but_wrong(&facts, missing, &at("/ply"), "the next ply is 4");
}

#[test]
fn a_signature_does_not_make_wrong_clocks_right() {
    let facts = breakthrough();
    let ply = find(&facts, "ply", 4);
    let at = |rest: &str| format!("/entries/{ply}{rest}");
    let set = |pointer: &'static str, value: Value| {
        move |record: &mut Value| *record["entries"][ply].pointer_mut(pointer).unwrap() = value
    };
    let before = facts["entries"][ply - 1]["at_ms"].as_u64().unwrap();
    signed_but_wrong(&facts, set("/clocks/1", json!(70_000)), &at("/clocks/1"), "has 63000 ms left");
    signed_but_wrong(&facts, set("/clocks/2", json!(60_000)), &at("/clocks/2"), "has 61500 ms left");
    signed_but_wrong(&facts, set("/clocks", Value::Null), &at("/clocks"), "is missing");
    signed_but_wrong(&facts, set("/moves/0/received_ms", json!(before)), &at("/clocks/1"), "has 63500 ms left");
    let late = json!(before + 61_501);
    signed_but_wrong(&facts, set("/moves/0/received_ms", late), &at("/moves/0/received_ms"), "after the time");
    let later = |record: &mut Value| {
        for entry in &mut record["entries"].as_array_mut().unwrap()[ply..] {
            entry["at_ms"] = json!(entry["at_ms"].as_u64().unwrap() + 100_000);
        }
        record["entries"][ply]["moves"][0]["received_ms"] = json!(before + 61_501);
    };
    signed_but_wrong(&facts, later, &at("/moves/0/received_ms"), "took 61501 ms for this move and had 61500 ms");
}

#[test]
fn a_signature_does_not_make_wrong_results_right() {
    let facts = breakthrough();
    let (game, set) = (find(&facts, "game_finished", 0), find(&facts, "set_finished", 0));
    let change = |index: usize, pointer: &'static str, value: Value| {
        move |record: &mut Value| *record["entries"][index].pointer_mut(pointer).unwrap() = value
    };
    let winner = facts["entries"][game]["winner"].as_u64().unwrap();
    let at_game = |rest: &str| format!("/entries/{game}{rest}");
    signed_but_wrong(&facts, change(game, "/winner", json!(3 - winner)), &at_game("/winner"), "on the board seat");
    signed_but_wrong(&facts, change(game, "/winner", Value::Null), &at_game("/winner"), "on the board seat");
    signed_but_wrong(&facts, change(game, "/reason", json!("resignation")), &at_game("/reason"), "on the board it is");
    let at_set = |rest: &str| format!("/entries/{set}{rest}");
    let points = json!({"creator": 3, "acceptor": 1});
    signed_but_wrong(&facts, change(set, "/half_points", points), &at_set("/half_points"), "the games give");
    let result = json!({"winner": null, "by": "draw"});
    signed_but_wrong(&facts, change(set, "/result", result), &at_set("/result"), "the games give");
    signed_but_wrong(&facts, change(set, "/result", Value::Null), &at_set("/result"), "the games give");
    signed_but_wrong(&facts, change(set, "/status", json!("aborted")), &at_set("/result"), "no result");
    let missing = |record: &mut Value| drop(record["entries"].as_array_mut().unwrap().remove(game));
    signed_but_wrong(&facts, missing, &at_game(""), "before the one before has ended");
    let cut = |record: &mut Value| drop(record["entries"].as_array_mut().unwrap().pop());
    signed_but_wrong(&facts, cut, "/entries", "`set_finished`; it is missing");
}

/// A game that the board does not decide, and the end that is claimed for it.
fn undecided(clock: &Value, plies: usize, waited_ms: u64, end: &Value) -> Value {
    let id = if clock.get("per_round_s").is_some() { "maker-breaker" } else { "breakthrough" };
    let set = fixture::set_entry(id, "", clock, "single");
    let mut entries = vec![set.clone()];
    fixture::play(&set, 1, 5, plies, &mut entries);
    let at_ms = entries.last().unwrap()["at_ms"].as_u64().unwrap() + waited_ms;
    let mut finished = json!({"type": "game_finished", "game": 1, "at_ms": at_ms});
    finished.as_object_mut().unwrap().extend(end.as_object().unwrap().clone());
    entries.push(finished);
    let winner = end["winner"].as_u64();
    let (creator, acceptor) = match winner {
        Some(1) => (2, 0),
        Some(_) => (0, 2),
        None => (1, 1),
    };
    let result = match winner {
        Some(1) => json!({"winner": "creator", "by": "points"}),
        Some(_) => json!({"winner": "acceptor", "by": "points"}),
        None => json!({"winner": null, "by": "draw"}),
    };
    entries.push(json!({"type": "set_finished", "status": "finished", "half_points": {"creator": creator, "acceptor": acceptor}, "result": result, "at_ms": at_ms}));
    json!({ "entries": entries })
}

#[test]
fn ends_off_the_board_hold_exactly_when_turn_and_clock_allow_them() {
    let (fischer, round) = (fischer(), json!({"per_round_s": 30}));
    for (clock, plies, waited_ms, winner, reason, holds) in [
        (&fischer, 4, 0, json!(1), "resignation", true),
        (&fischer, 4, 0, json!(2), "resignation", true),
        (&fischer, 0, 30_000, json!(2), "first_move_timeout", true),
        (&fischer, 0, 29_999, json!(2), "first_move_timeout", false),
        (&fischer, 0, 30_000, json!(1), "first_move_timeout", false),
        (&fischer, 1, 30_000, json!(1), "first_move_timeout", true),
        (&fischer, 2, 60_000, json!(2), "first_move_timeout", false),
        (&fischer, 2, 60_000, json!(2), "timeout", true),
        (&fischer, 2, 59_999, json!(2), "timeout", false),
        (&fischer, 2, 60_000, json!(1), "timeout", false),
        (&fischer, 0, 60_000, json!(2), "timeout", false),
        (&fischer, 2, 60_000, Value::Null, "both_timeout", false),
        (&fischer, 4, 0, json!(1), "far_row", false),
        (&fischer, 4, 0, Value::Null, "resignation", false),
        (&round, 3, 30_000, json!(1), "timeout", true),
        (&round, 3, 30_000, json!(2), "timeout", true),
        (&round, 0, 29_999, json!(2), "timeout", false),
        (&round, 0, 30_000, Value::Null, "both_timeout", true),
        (&round, 0, 30_000, json!(1), "first_move_timeout", false),
        (&Value::Null, 2, 900_000, json!(1), "timeout", false),
        (&Value::Null, 2, 0, json!(1), "resignation", true),
    ] {
        let end = json!({"winner": winner, "reason": reason});
        let sealed = seal(&undecided(clock, plies, waited_ms, &end).to_string());
        assert_eq!(sealed.is_ok(), holds, "{clock} {plies} {waited_ms} {end}: {sealed:?}");
    }
}

#[test]
fn time_that_was_given_back_is_not_charged() {
    let end = json!({"winner": 2, "reason": "timeout"});
    let mut facts = undecided(&fischer(), 2, 61_000, &end);
    let last = find(&facts, "game_finished", 0);
    let at_ms = facts["entries"][last - 1]["at_ms"].clone();
    let credit = |credit_ms: u64| json!({"type": "clock_credited", "game": 1, "credit_ms": credit_ms, "at_ms": at_ms});
    facts["entries"].as_array_mut().unwrap().insert(last, credit(1_000));
    seal(&facts.to_string()).unwrap();
    facts["entries"][last] = credit(1_001);
    let fault = seal(&facts.to_string()).unwrap_err();
    assert_eq!(fault.violations()[0].pointer, format!("/entries/{}/reason", last + 1), "{fault}");
}

#[test]
fn only_untimed_practice_is_paused() {
    let end = json!({"winner": 2, "reason": "resignation"});
    let pause = |kind: &str| json!({"type": kind, "game": 1, "at_ms": 2_000_000});
    let with = |clock: &Value, kinds: &[&str]| {
        let mut facts = undecided(clock, 2, 1_000_000, &end);
        let at = find(&facts, "game_finished", 0);
        let entries = facts["entries"].as_array_mut().unwrap();
        kinds.iter().rev().for_each(|kind| entries.insert(at, pause(kind)));
        seal(&facts.to_string())
    };
    with(&Value::Null, &["paused", "resumed"]).unwrap();
    with(&Value::Null, &["resumed"]).unwrap_err();
    with(&Value::Null, &["paused", "paused"]).unwrap_err();
    with(&fischer(), &["paused", "resumed"]).unwrap_err();
}

#[test]
fn an_aborted_set_stops_anywhere_and_has_no_result() {
    let set = fixture::set_entry("breakthrough", "", &fischer(), "set");
    let mut entries = vec![set.clone()];
    fixture::play(&set, 1, 5, 7, &mut entries);
    let at_ms = entries.last().unwrap()["at_ms"].clone();
    entries.push(json!({"type": "set_finished", "status": "aborted", "half_points": {"creator": 0, "acceptor": 0}, "result": null, "at_ms": at_ms}));
    assert_eq!(verify(&signed(&json!({ "entries": entries }))).fault, None);
    entries.last_mut().unwrap()["status"] = json!("finished");
    let fault = seal(&json!({ "entries": entries }).to_string()).unwrap_err();
    assert!(fault.to_string().contains("a finished set has 2 finished games"), "{fault}");
}

#[test]
fn what_is_no_record_is_refused_and_what_is_malformed_is_a_fault() {
    let refused = |text: &str| verify_json(text, &trusted()).unwrap_err();
    for text in ["", "[]", "nonsense", "{}", r#"{"format": "farside-record/2"}"#, r#"{"format": 1}"#] {
        assert_eq!(refused(text).reason(), "RECORD_INVALID", "{text}");
    }
    let record = signed(&breakthrough());
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut record = record.clone();
        change(&mut record);
        record
    };
    let member = |pointer: &'static str, value: Value| {
        changed(&move |record| *record.pointer_mut(pointer).unwrap() = value.clone())
    };
    faulty(&member("/head", json!("XY")), "/head", "64 lowercase hex digits");
    faulty(&member("/entries", json!({})), "/entries", "invalid type");
    faulty(&member("/entries/1", json!(7)), "/entries/1", "must be a JSON object");
    faulty(&member("/entries/1/hash", json!(7)), "/entries/1/hash", "invalid type");
    faulty(&member("/entries/1/type", json!("move")), "/entries/1/type", "the type is one of");
    faulty(&member("/entries/0/stake", json!({"currency": "PTS", "amount": -1})), "/entries/0/stake/amount", "integer");
    faulty(&member("/entries/0/clock", json!({"initial_s": 1})), "/entries/0/clock", "a clock is null");
    faulty(&member("/signature/ed25519", json!("00")), "/signature/ed25519", "128 lowercase hex digits");
    let unsigned = changed(&|record| drop(record.as_object_mut().unwrap().remove("signature")));
    faulty(&unsigned, "", "missing field `signature`");
    let extra = changed(&|record| record["entries"][1]["extra"] = json!(1));
    faulty(&extra, "/entries/1/extra", "unknown field");
    let absent = changed(&|record| drop(record["entries"][0].as_object_mut().unwrap().remove("stake")));
    faulty(&absent, "/entries/0/stake", "is missing");
    let unlinked = changed(&|record| drop(record["entries"][2].as_object_mut().unwrap().remove("prev")));
    faulty(&unlinked, "/entries/2/prev", "is missing");
}

#[test]
fn facts_that_do_not_fit_are_refused_with_their_place() {
    let refused = |facts: &Value| seal(&facts.to_string()).unwrap_err();
    let none = refused(&json!({ "entries": [] }));
    assert_eq!((none.reason(), none.violations()[0].pointer.as_str()), ("RECORD_INVALID", "/entries/0"));
    let mut facts = breakthrough();
    facts["entries"][3]["moves"][0]["notation"] = json!("x");
    assert_eq!(refused(&facts).violations()[0].pointer, "/entries/3/moves/0/notation");
    facts["entries"][2]["colour"] = json!(1);
    assert_eq!(refused(&facts).violations()[0].pointer, "/entries/2/colour");
}

#[test]
fn a_house_bots_moves_are_made_again_when_asked_for() {
    let practice = |level: &str| {
        let mut set = fixture::set_entry("breakthrough-small", "", &Value::Null, "single");
        set["acceptor"] = json!({"id": format!("house:{level}"), "name": format!("house:{level}"), "kind": "house"});
        set
    };
    let set = practice("easy");
    let mut entries = vec![set.clone()];
    let (creator_won, _) = fixture::finish(&set, 1, 5, &mut entries);
    let (winner, points) = if creator_won.unwrap() { ("creator", (2, 0)) } else { ("acceptor", (0, 2)) };
    let at_ms = entries.last().unwrap()["at_ms"].clone();
    let half_points = json!({"creator": points.0, "acceptor": points.1});
    entries.push(json!({"type": "set_finished", "status": "finished", "half_points": half_points, "result": {"winner": winner, "by": "points"}, "at_ms": at_ms}));
    let again = |facts: &Value| verify_with_house(&signed(facts).to_string(), &trusted()).unwrap();
    let report = again(&json!({ "entries": entries }));
    assert_eq!((report.fault, report.checks.last()), (None, Some(&"house_moves")));
    for (level, words) in [("godlike", "no house bot level"), ("hard", "the house bot `hard` chooses")] {
        let other = practice(level);
        entries[0] = other.clone();
        entries[1]["seats"]["2"] = other["acceptor"]["id"].clone();
        let fault = again(&json!({ "entries": entries })).fault.unwrap();
        assert!(fault.detail.contains(words), "{fault}");
    }
}

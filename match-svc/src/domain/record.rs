//! The facts of a finished set in the shape that rules-svc seals (`docs/fairness.md`): the log, told as entries. Not
//! here: the chain (rules-svc) and the signature (engine).

use serde_json::{Value, json};

use super::clock::{Clock, ClockSetting};
use super::event::{DecidedBy, Event, Logged, SetEnd};
use super::game::Game;
use super::ids::{Seat, Side};
use super::offer::Format;
use super::participant::{Participant, ParticipantKind};
use super::position::PlayedPly;
use super::set::SetInfo;

/// The facts of a set that has ended.
#[must_use]
pub fn facts(info: &SetInfo, events: &[Logged]) -> Value {
    let entries = events.iter().map(|logged| entry(info, logged));
    json!({ "entries": std::iter::once(set_entry(info)).chain(entries).collect::<Vec<_>>() })
}

fn set_entry(info: &SetInfo) -> Value {
    json!({
        "type": "set",
        "set": info.id,
        "game": info.game,
        "contract_version": info.contract_version,
        "format": match info.format { Format::Set => "set", Format::Single => "single" },
        "options": parsed(&info.options_json),
        "clock": info.clock.map(clock_setting),
        "rated": info.rated,
        "stake": info.stakes.as_ref().map(|stakes| json!({
            "currency": stakes.stake.currency,
            "amount": stakes.stake.amount_points,
        })),
        "creator": participant(&info.creator),
        "acceptor": participant(&info.acceptor),
        "seed_hash": hex::encode(info.seed_hash),
        "server_seed": hex::encode(info.secrets.server_seed),
        "seed": hex::encode(info.secrets.seed),
        "nonces": { "creator": info.secrets.creator_nonce, "acceptor": info.secrets.acceptor_nonce },
        "at_ms": info.created_at_ms,
    })
}

fn clock_setting(setting: ClockSetting) -> Value {
    match setting {
        ClockSetting::Fischer { initial_s, increment_s, .. } => {
            json!({ "initial_s": initial_s, "increment_s": increment_s })
        }
        ClockSetting::PerRound { per_round_s } => json!({ "per_round_s": per_round_s }),
    }
}

fn participant(who: &Participant) -> Value {
    let kind = match who.kind {
        ParticipantKind::Bot => "bot",
        ParticipantKind::Human => "human",
        ParticipantKind::House => "house",
    };
    json!({ "id": who.id, "name": who.name, "kind": kind })
}

fn entry(info: &SetInfo, logged: &Logged) -> Value {
    let at_ms = logged.at.0;
    match &logged.event {
        Event::GameStarted { game } => json!({
            "type": "game_started", "game": game.number, "seats": seats(info, game), "at_ms": at_ms,
        }),
        Event::MovePlayed { game, .. } => ply_entry(game, at_ms),
        Event::GameFinished { game, .. } => json!({
            "type": "game_finished",
            "game": game.number,
            "winner": game.result.as_ref().and_then(|result| result.winner).map(Seat::number),
            "reason": game.result.as_ref().map(|result| result.reason.as_str()),
            "at_ms": at_ms,
        }),
        Event::ClockCredited { game, credit_ms } => json!({
            "type": "clock_credited", "game": game.number, "credit_ms": credit_ms, "at_ms": at_ms,
        }),
        Event::PauseChanged { game, paused } => json!({
            "type": if *paused { "paused" } else { "resumed" }, "game": game.number, "at_ms": at_ms,
        }),
        Event::SetFinished { end } => end_entry(end, at_ms),
    }
}

fn seats(info: &SetInfo, game: &Game) -> Value {
    let id = |seat: Seat| &info.participant(game.side_of(seat)).id;
    json!({ "1": id(Seat::One), "2": id(Seat::Two) })
}

fn ply_entry(game: &Game, at_ms: i64) -> Value {
    let played = game.last_move.as_ref();
    let remaining_ms = game.clock.as_ref().and_then(Clock::remaining_ms);
    json!({
        "type": "ply",
        "game": game.number,
        "ply": played.map(|played| played.ply),
        "moves": played.map(moves).unwrap_or_default(),
        "at_ms": at_ms,
        "clocks": remaining_ms.map(|[one, two]| json!({ "1": one, "2": two })),
    })
}

fn moves(ply: &PlayedPly) -> Vec<Value> {
    let one = |played: &super::position::PlayedMove| {
        json!({
            "seat": played.seat.number(),
            "move": parsed(&played.move_json),
            "notation": played.notation,
            "received_ms": played.received_ms,
        })
    };
    ply.moves.iter().map(one).collect()
}

fn end_entry(end: &SetEnd, at_ms: i64) -> Value {
    let result = end.result.map(|result| {
        let winner = result.winner.map(|side| match side {
            Side::Creator => "creator",
            Side::Acceptor => "acceptor",
        });
        let by = match result.by {
            DecidedBy::Points => "points",
            DecidedBy::Tiebreak => "tiebreak",
            DecidedBy::Draw => "draw",
        };
        json!({ "winner": winner, "by": by })
    });
    json!({
        "type": "set_finished",
        "status": if end.result.is_some() { "finished" } else { "aborted" },
        "half_points": { "creator": end.half_points[0], "acceptor": end.half_points[1] },
        "result": result,
        "at_ms": at_ms,
    })
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

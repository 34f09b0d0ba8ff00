//! Domain values as messages, and messages as domain values.

use farside_proto::rules::v1 as pb;

use super::fault::ServiceFault;
use crate::domain::contract::{ClockRule, Contract, Information, Range, Tier};
use crate::domain::game::Outcome;
use crate::domain::pawns::Seat;
use crate::domain::record::Report;
use crate::domain::rules::{Played, Position, SeatMove, StartRequest};
use crate::domain::thinking::Analysis;

pub(super) fn contract(contract: &Contract) -> pb::GameContract {
    let facts = &contract.facts;
    pb::GameContract {
        id: facts.id.to_owned(),
        name: facts.name.to_owned(),
        summary: facts.summary.to_owned(),
        rules_markdown: facts.rules_markdown.to_owned(),
        guide_markdown: facts.guide_markdown.to_owned(),
        tier: tier(facts.tier).into(),
        seats: Seat::BOTH.map(|seat| seat_of(seat, facts.colours)).to_vec(),
        games_per_set: facts.games_per_set.into(),
        clock: Some(clock(&facts.clock)),
        max_moves: facts.max_moves,
        chance: "none".to_owned(),
        information: information(facts.information).into(),
        tiebreak: facts.tiebreak.to_owned(),
        options_schema_json: contract.options_schema.clone(),
        default_options_json: contract.default_options.clone(),
        move_schema_json: contract.move_schema.clone(),
        body_schema_json: contract.body_schema.clone(),
        examples_json: contract.examples.clone(),
        version: facts.version,
        house_levels: facts.house_levels.iter().map(ToString::to_string).collect(),
    }
}

fn seat_of(seat: Seat, colours: [&str; 2]) -> pb::Seat {
    pb::Seat { number: seat.number().into(), colour: colours[seat.index()].to_owned() }
}

fn tier(tier: Tier) -> pb::Tier {
    match tier {
        Tier::Ranked => pb::Tier::Ranked,
        Tier::Casual => pb::Tier::Casual,
    }
}

fn information(information: Information) -> pb::Information {
    match information {
        Information::Perfect => pb::Information::Perfect,
        Information::HiddenUntilReveal => pb::Information::HiddenUntilReveal,
    }
}

fn clock(rule: &ClockRule) -> pb::ClockContract {
    match rule {
        ClockRule::Fischer { initial_s, increment_s, first_move_s } => pb::ClockContract {
            kind: pb::ClockKind::Fischer.into(),
            initial_s: Some(range(*initial_s)),
            increment_s: Some(range(*increment_s)),
            first_move_s: *first_move_s,
            per_round_s: None,
        },
        ClockRule::PerRound { per_round_s } => pb::ClockContract {
            kind: pb::ClockKind::PerRound.into(),
            per_round_s: Some(range(*per_round_s)),
            ..Default::default()
        },
    }
}

fn range(range: Range) -> pb::Range {
    pb::Range { min: range.min, max: range.max, default: range.default }
}

pub(super) fn position(position: &dyn Position) -> pb::Position {
    let to_act = position.to_act();
    let legal = |seat: &Seat| pb::SeatMoves { seat: seat.number().into(), moves_json: position.legal_moves(*seat) };
    pb::Position {
        state: position.state().into(),
        ply: position.ply(),
        body_json: position.body(),
        legal_moves: to_act.iter().map(legal).collect(),
        to_act: to_act.into_iter().map(|seat| seat.number().into()).collect(),
        outcome: position.outcome().map(outcome),
        board_text: position.board_text(),
    }
}

fn outcome(outcome: Outcome) -> pb::Outcome {
    let winner = outcome.winner.map_or(0, |seat| seat.number().into());
    pb::Outcome { winner, reason: outcome.reason.to_owned() }
}

pub(super) fn played(played: Vec<Played>) -> Vec<pb::PlayedMove> {
    let convert = |played: Played| pb::PlayedMove {
        seat: played.seat.number().into(),
        move_json: played.json,
        notation: played.notation,
    };
    played.into_iter().map(convert).collect()
}

pub(super) fn analysis(analysis: Analysis<String>) -> pb::AnalyzeResponse {
    pb::AnalyzeResponse {
        move_json: analysis.best,
        score: analysis.score,
        pv_json: analysis.pv,
        depth: analysis.depth,
        nodes: analysis.nodes,
    }
}

pub(super) fn report(report: Report) -> pb::VerifyRecordResponse {
    let fault = report.fault.map(|fault| pb::RecordFault { at: fault.pointer, reason: fault.detail });
    pb::VerifyRecordResponse { fault, checks: report.checks.into_iter().map(str::to_owned).collect() }
}

pub(super) fn seat(number: u32) -> Result<Seat, ServiceFault> {
    let found = u8::try_from(number).ok().and_then(Seat::from_number);
    found.ok_or(ServiceFault::Seat(number))
}

pub(super) fn seat_move(mv: &pb::SeatMove) -> Result<SeatMove<'_>, ServiceFault> {
    Ok(SeatMove { seat: seat(mv.seat)?, json: &mv.move_json })
}

pub(super) fn start(start: &pb::GameStart) -> StartRequest<'_> {
    StartRequest {
        options: &start.options_json,
        seed: &start.seed,
        game_number: start.game_number,
        creator_seat: start.creator_seat,
    }
}

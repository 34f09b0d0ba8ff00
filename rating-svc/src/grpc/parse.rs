//! From the contract's messages to the domain: everything that is wrong with a request is said at once.

use farside_kit::fault::Violation;
use farside_proto::rating::v1 as pb;

use crate::domain::error::Refusal;
use crate::domain::ids::{GameId, ParticipantId, ParticipantKind, SetId};
use crate::domain::set::{FinishedSet, Outcome, Participant, Practice, PracticeGame, violation};

/// Reads a set.
pub(super) fn finished_set(request: pb::RecordSetRequest) -> Result<FinishedSet, Refusal> {
    let mut found = Vec::new();
    let set = read_set(request, &mut found);
    match set {
        Some(set) if found.is_empty() => Ok(set),
        _ => Err(Refusal::SetInvalid(found)),
    }
}

fn read_set(request: pb::RecordSetRequest, found: &mut Vec<Violation>) -> Option<FinishedSet> {
    if request.request_id != format!("{}:rate", request.set_id) {
        found.push(violation("/request_id", "is not the set's id followed by :rate"));
    }
    let outcome = request.outcome();
    let set = expect(SetId::parse(&request.set_id), "/set_id", "is not the id of a set", found);
    let game = expect(GameId::parse(&request.game), "/game", "is not the id of a game", found);
    let creator = participant(request.creator, "/creator", found);
    let acceptor = participant(request.acceptor, "/acceptor", found);
    let outcome = expect(read_outcome(outcome), "/outcome", "is not given", found);
    let practice = request.practice.map(|it| practice(it, found));
    Some(FinishedSet {
        set: set?,
        game: game?,
        rated: request.rated,
        creator: creator?,
        acceptor: acceptor?,
        outcome: outcome?,
        lost_points: request.lost_points,
        won_points: request.won_points,
        finished_at_ms: request.finished_at_ms,
        practice: practice.map_or(Some(None), |it| it.map(Some))?,
    })
}

fn expect<T>(value: Option<T>, pointer: &str, detail: &str, found: &mut Vec<Violation>) -> Option<T> {
    if value.is_none() {
        found.push(violation(pointer, detail));
    }
    value
}

fn participant(message: Option<pb::Participant>, pointer: &str, found: &mut Vec<Violation>) -> Option<Participant> {
    let message = expect(message, pointer, "is missing", found)?;
    let kind = match message.kind() {
        pb::ParticipantKind::Bot => Some(ParticipantKind::Bot),
        pb::ParticipantKind::Human => Some(ParticipantKind::Human),
        pb::ParticipantKind::House => Some(ParticipantKind::House),
        pb::ParticipantKind::Unspecified => None,
    };
    let kind = expect(kind, &format!("{pointer}/kind"), "is not given", found)?;
    let id =
        expect(ParticipantId::parse(&message.id, kind), &format!("{pointer}/id"), "is not an id of this kind", found)?;
    Some(Participant { id, name: message.name, owner_id: message.owner_id, owner_name: message.owner_name })
}

const fn read_outcome(outcome: pb::SetOutcome) -> Option<Outcome> {
    match outcome {
        pb::SetOutcome::CreatorWon => Some(Outcome::CreatorWon),
        pb::SetOutcome::AcceptorWon => Some(Outcome::AcceptorWon),
        pb::SetOutcome::Drawn => Some(Outcome::Drawn),
        pb::SetOutcome::Unspecified => None,
    }
}

fn practice(message: pb::Practice, found: &mut Vec<Violation>) -> Option<Practice> {
    let player = ParticipantId::parse(&message.player_id, ParticipantKind::Human);
    let player = expect(player, "/practice/player_id", "is not the id of a person", found)?;
    let games = message.games.into_iter().map(|game| PracticeGame { number: game.number, won: game.won }).collect();
    Some(Practice { player, board: message.board, level: message.level, games })
}

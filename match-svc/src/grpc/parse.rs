//! Messages to domain types. Not here: rules about them, beyond being there at all.

use farside_proto::matches::v1 as proto;
use prost::Message;
use sha2::{Digest as _, Sha256};

use crate::domain::challenge::ChallengeStatus;
use crate::domain::event::SetStatus;
use crate::domain::fault::Refusal;
use crate::domain::ids::{ChallengeId, GameId, OwnerId, ParticipantId};
use crate::domain::offer::{ClockChoice, Format, Proposal, Stake};
use crate::domain::participant::{AcceptancePolicy, Participant, ParticipantKind};
use crate::engine::{AcceptRequest, CreateRequest};

/// Rows of a page unless it says so, and at most.
const PAGE_DEFAULT: u32 = 20;
const PAGE_MAX: u32 = 100;

/// A hash of a request's method and content, without its idempotency key and what the caller knows of the actor.
pub(super) fn fingerprint(method: &str, content: &impl Message) -> String {
    let mut hash = Sha256::new();
    hash.update(method.as_bytes());
    hash.update([0]);
    hash.update(content.encode_to_vec());
    hex::encode(hash.finalize())
}

pub(super) fn text(id: String) -> Option<String> {
    (!id.is_empty()).then_some(id)
}

pub(super) fn page_limit(limit: u32) -> Result<u32, Refusal> {
    match limit {
        0 => Ok(PAGE_DEFAULT),
        1..=PAGE_MAX => Ok(limit),
        _ => Err(Refusal::malformed("/limit", "1 to 100")),
    }
}

pub(super) fn cursor(cursor: String, prefix: &str) -> Result<Option<String>, Refusal> {
    match text(cursor) {
        Some(cursor) if !cursor.starts_with(prefix) => Err(Refusal::CursorInvalid),
        cursor => Ok(cursor),
    }
}

pub(super) fn participant(message: Option<proto::Participant>, pointer: &'static str) -> Result<Participant, Refusal> {
    let message = message.ok_or_else(|| Refusal::malformed(pointer, "is missing"))?;
    let kind = match message.kind() {
        proto::ParticipantKind::Bot => ParticipantKind::Bot,
        proto::ParticipantKind::Human => ParticipantKind::Human,
        proto::ParticipantKind::House => ParticipantKind::House,
        proto::ParticipantKind::Unspecified => return Err(Refusal::malformed(pointer, "has no kind")),
    };
    if message.id.is_empty() || message.owner_id.is_empty() {
        return Err(Refusal::malformed(pointer, "has no id or no owner"));
    }
    Ok(Participant {
        id: ParticipantId(message.id),
        name: message.name,
        kind,
        owner_id: OwnerId(message.owner_id),
        owner_name: message.owner_name,
        max_stake_points: message.max_stake_points,
        accepts: message.accepts.map(policy),
    })
}

fn policy(message: proto::AcceptancePolicy) -> AcceptancePolicy {
    AcceptancePolicy {
        games: message.games.into_iter().map(GameId).collect(),
        stake_max_points: message.stake_max_points,
        rated: message.rated,
        humans: message.humans,
    }
}

pub(super) fn create(message: proto::CreateChallengeRequest) -> Result<CreateRequest, Refusal> {
    let content = proto::CreateChallengeRequest { request_id: String::new(), actor: None, ..message.clone() };
    let creator = participant(message.actor, "/actor")?;
    let opponent = match message.opponent {
        Some(opponent) => Some(participant(Some(opponent), "/opponent")?),
        None => None,
    };
    let opponent_id = opponent.as_ref().map(|opponent| opponent.id.0.as_str());
    // What the caller knows of the opponent may change between two attempts; who it is may not.
    let content = proto::CreateChallengeRequest { opponent: None, ..content };
    let method = format!("CreateChallenge {}", opponent_id.unwrap_or_default());
    Ok(CreateRequest {
        fingerprint: fingerprint(&method, &content),
        request_id: message.request_id,
        game: GameId(message.game),
        options_json: message.options_json,
        proposal: Proposal {
            creator,
            opponent,
            clock: clock(message.clock_choice)?,
            stake: message.stake.map(|stake| Stake { currency: stake.currency, amount_points: stake.amount_points }),
            rated: message.rated,
            format: if message.format == i32::from(proto::Format::Single) { Format::Single } else { Format::Set },
            nonce: message.nonce,
            expires_in_s: message.expires_in_s,
        },
    })
}

fn clock(choice: Option<proto::create_challenge_request::ClockChoice>) -> Result<ClockChoice, Refusal> {
    use proto::clock_setting::Kind;
    use proto::create_challenge_request::ClockChoice as Choice;
    match choice {
        Some(Choice::Untimed(true)) => Ok(ClockChoice::Untimed),
        None | Some(Choice::DefaultClock(_) | Choice::Untimed(false)) => Ok(ClockChoice::Default),
        Some(Choice::Clock(setting)) => match setting.kind {
            Some(Kind::Fischer(clock)) => Ok(ClockChoice::Fischer(clock.initial_s, clock.increment_s)),
            Some(Kind::PerRound(clock)) => Ok(ClockChoice::PerRound(clock.per_round_s)),
            None => Err(Refusal::malformed("/clock", "has no kind")),
        },
    }
}

pub(super) fn accept(
    method: &str,
    request_id: String,
    actor: Option<proto::Participant>,
    challenge_id: String,
    nonce: Option<String>,
) -> Result<AcceptRequest, Refusal> {
    let content = proto::AcceptChallengeRequest {
        request_id: String::new(),
        actor: None,
        challenge_id: challenge_id.clone(),
        nonce: nonce.clone(),
    };
    Ok(AcceptRequest {
        fingerprint: fingerprint(method, &content),
        request_id,
        actor: participant(actor, "/actor")?,
        challenge_id: ChallengeId(challenge_id),
        nonce,
    })
}

pub(super) fn challenge_status(status: proto::ChallengeStatus) -> Option<ChallengeStatus> {
    match status {
        proto::ChallengeStatus::Unspecified => None,
        proto::ChallengeStatus::Open => Some(ChallengeStatus::Open),
        proto::ChallengeStatus::Accepted => Some(ChallengeStatus::Accepted),
        proto::ChallengeStatus::Declined => Some(ChallengeStatus::Declined),
        proto::ChallengeStatus::Cancelled => Some(ChallengeStatus::Cancelled),
        proto::ChallengeStatus::Expired => Some(ChallengeStatus::Expired),
    }
}

pub(super) fn set_status(status: proto::SetStatus) -> Option<SetStatus> {
    match status {
        proto::SetStatus::Unspecified => None,
        proto::SetStatus::Active => Some(SetStatus::Active),
        proto::SetStatus::Finished => Some(SetStatus::Finished),
        proto::SetStatus::Aborted => Some(SetStatus::Aborted),
    }
}

//! The state of a set, as one viewer may see it.

use farside_proto::matches::v1 as matches;
use serde::Serialize;
use utoipa::ToSchema;

use super::challenge::{ChallengeKind, ClockJson, StakeJson};
use super::game::GameState;
use super::participant::ParticipantJson;
use super::scalar::{HalfPoints, Raw, Timestamp};

/// Where a set stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SetStatus {
    /// Being played.
    Active,
    /// Ended with a result.
    Finished,
    /// Ended without one.
    Aborted,
}

/// A side of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Made the challenge.
    Creator,
    /// Accepted it.
    Acceptor,
}

/// How a set was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// More points.
    Points,
    /// Level points, fewer moves.
    Tiebreak,
    /// Not decided.
    Draw,
}

/// What became of the stakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    /// Nothing was staked.
    None,
    /// The set runs, or its end has not reached the ledger yet.
    Pending,
    /// The winner has been paid.
    Settled,
    /// Drawn: both have their stakes back.
    Split,
    /// Aborted: both have their stakes back.
    Refunded,
}

/// A set's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SetResult {
    /// The side that won; null for a draw.
    pub winner: Option<Side>,
    /// How it was decided.
    pub by: DecidedBy,
}

/// Something of each side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BySide<T: ToSchema> {
    /// Of the creator.
    pub creator: T,
    /// Of the acceptor.
    pub acceptor: T,
}

/// A set.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SetState {
    /// `set_…`.
    pub id: String,
    /// Game id.
    pub game: String,
    /// How its challenge was offered.
    pub kind: ChallengeKind,
    /// Where it stands.
    pub status: SetStatus,
    /// Whether it is rated.
    pub rated: bool,
    /// Why it is not; null when it is.
    pub unrated_reason: Option<String>,
    /// What each side stakes; null for nothing.
    pub stake: Option<StakeJson>,
    /// The clock; null when untimed.
    pub clock: Option<ClockJson>,
    /// The options, complete.
    pub options: Raw,
    /// Who made the challenge.
    pub creator: ParticipantJson,
    /// Who accepted it.
    pub acceptor: ParticipantJson,
    /// Points so far.
    pub points: BySide<HalfPoints>,
    /// Null until the set has ended with a result.
    pub result: Option<SetResult>,
    /// What became of the stakes.
    pub settlement: Settlement,
    /// SHA-256 of the server seed, in hex.
    pub seed_hash: String,
    /// The server seed in hex; null until the set has ended.
    pub server_seed: Option<String>,
    /// The set's seed in hex; null until the set has ended.
    pub seed: Option<String>,
    /// The nonces; null until the set has ended.
    pub nonces: Option<BySide<Option<String>>>,
    /// The platform's clock when this was answered.
    pub server_time: Timestamp,
    /// The games that have started; none in lists.
    pub games: Vec<GameState>,
    /// How many games the set has.
    pub games_total: u32,
    /// The number of its last event.
    pub last_event: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ended; null until then.
    pub finished_at: Option<Timestamp>,
}

impl SetState {
    /// A set as match-svc shows it to one viewer, answered at `now_ms`.
    #[must_use]
    pub fn new(set: matches::Set, now_ms: i64) -> Self {
        let (status, settlement, kind) = (status(set.status()), settlement(set.settlement()), set.kind().into());
        let nonces = (status != SetStatus::Active)
            .then_some(BySide { creator: set.creator_nonce, acceptor: set.acceptor_nonce });
        Self {
            id: set.id,
            game: set.game,
            kind,
            status,
            rated: set.rated,
            unrated_reason: (!set.rated && !set.unrated_reason.is_empty()).then_some(set.unrated_reason),
            stake: set.stake.map(StakeJson::from),
            clock: set.clock.and_then(ClockJson::from_proto),
            options: Raw::from_json(set.options_json),
            creator: set.creator.unwrap_or_default().into(),
            acceptor: set.acceptor.unwrap_or_default().into(),
            points: BySide {
                creator: HalfPoints(set.creator_half_points),
                acceptor: HalfPoints(set.acceptor_half_points),
            },
            result: set.result.map(SetResult::from),
            settlement,
            seed_hash: hex::encode(set.seed_hash),
            server_seed: revealed(&set.server_seed),
            seed: revealed(&set.seed),
            nonces,
            server_time: Timestamp(now_ms),
            games: set.games.into_iter().map(|game| GameState::new(game, now_ms)).collect(),
            games_total: set.games_total,
            last_event: set.last_seq,
            created_at: Timestamp(set.created_at_ms),
            finished_at: set.finished_at_ms.map(Timestamp),
        }
    }
}

fn revealed(bytes: &[u8]) -> Option<String> {
    (!bytes.is_empty()).then(|| hex::encode(bytes))
}

fn status(status: matches::SetStatus) -> SetStatus {
    match status {
        matches::SetStatus::Finished => SetStatus::Finished,
        matches::SetStatus::Aborted => SetStatus::Aborted,
        matches::SetStatus::Active | matches::SetStatus::Unspecified => SetStatus::Active,
    }
}

impl From<SetStatus> for matches::SetStatus {
    fn from(status: SetStatus) -> Self {
        match status {
            SetStatus::Active => Self::Active,
            SetStatus::Finished => Self::Finished,
            SetStatus::Aborted => Self::Aborted,
        }
    }
}

fn settlement(settlement: matches::Settlement) -> Settlement {
    match settlement {
        matches::Settlement::Pending => Settlement::Pending,
        matches::Settlement::Settled => Settlement::Settled,
        matches::Settlement::Split => Settlement::Split,
        matches::Settlement::Refunded => Settlement::Refunded,
        matches::Settlement::None | matches::Settlement::Unspecified => Settlement::None,
    }
}

impl From<matches::SetResult> for SetResult {
    fn from(result: matches::SetResult) -> Self {
        let winner = match result.winner() {
            matches::Side::Creator => Some(Side::Creator),
            matches::Side::Acceptor => Some(Side::Acceptor),
            matches::Side::Unspecified => None,
        };
        let by = match result.by() {
            matches::DecidedBy::Points => DecidedBy::Points,
            matches::DecidedBy::Tiebreak => DecidedBy::Tiebreak,
            matches::DecidedBy::Draw | matches::DecidedBy::Unspecified => DecidedBy::Draw,
        };
        Self { winner, by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(status: matches::SetStatus) -> serde_json::Value {
        let set = matches::Set {
            status: status.into(),
            options_json: "{}".to_owned(),
            creator_half_points: 1,
            acceptor_half_points: 3,
            creator_nonce: Some("mine".to_owned()),
            ..matches::Set::default()
        };
        serde_json::to_value(SetState::new(set, 5)).unwrap()
    }

    #[test]
    fn nonces_are_shown_when_the_set_has_ended() {
        assert!(set(matches::SetStatus::Active)["nonces"].is_null());
        assert_eq!(
            set(matches::SetStatus::Finished)["nonces"],
            serde_json::json!({"creator": "mine", "acceptor": null})
        );
    }

    #[test]
    fn points_are_counted_in_halves() {
        assert_eq!(set(matches::SetStatus::Active)["points"], serde_json::json!({"creator": 0.5, "acceptor": 1.5}));
    }
}

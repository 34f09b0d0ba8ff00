//! Challenges, with their clocks and stakes, in and out.

use farside_proto::matches::v1 as matches;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::participant::ParticipantJson;
use super::scalar::{Raw, Timestamp, maybe_object, maybe_whole, present, whole};
use super::set::SetState;

/// How a challenge is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeKind {
    /// To anyone.
    Open,
    /// To one bot or player.
    Private,
    /// Against a house bot or one's own bot.
    Practice,
}

/// Where a challenge stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeStatus {
    /// May be accepted.
    Open,
    /// Became a set.
    Accepted,
    /// Refused by the one challenged.
    Declined,
    /// Taken back by its creator.
    Cancelled,
    /// Nobody accepted in time.
    Expired,
}

/// How many games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// As many as the game's contract says.
    Set,
    /// One game; practice only.
    Single,
}

/// Points at stake from each side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StakeJson {
    /// The currency, for example `PTS`.
    pub currency: String,
    /// Whole points from each side.
    #[serde(deserialize_with = "whole")]
    pub amount: i64,
}

/// A clock: by seat with an increment, or by round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ClockJson {
    /// A budget for each seat with an increment after each move.
    Fischer(FischerJson),
    /// One deadline for each round.
    PerRound(PerRoundJson),
}

/// A budget for each seat with an increment after each move, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FischerJson {
    /// Seconds at the start, 10–600.
    pub initial_s: u32,
    /// Seconds added after a move, 0–10.
    pub increment_s: u32,
}

/// One deadline for each round, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PerRoundJson {
    /// Seconds for a round, 5–600.
    pub per_round_s: u32,
}

/// A clock as clients send it: the fields of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockFields {
    #[serde(default, deserialize_with = "maybe_whole")]
    initial_s: Option<u32>,
    #[serde(default, deserialize_with = "maybe_whole")]
    increment_s: Option<u32>,
    #[serde(default, deserialize_with = "maybe_whole")]
    per_round_s: Option<u32>,
}

impl<'de> Deserialize<'de> for ClockJson {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = ClockFields::deserialize(deserializer)?;
        match (fields.initial_s, fields.increment_s, fields.per_round_s) {
            (Some(initial_s), Some(increment_s), None) => Ok(Self::Fischer(FischerJson { initial_s, increment_s })),
            (None, None, Some(per_round_s)) => Ok(Self::PerRound(PerRoundJson { per_round_s })),
            _ => Err(serde::de::Error::custom("either `initial_s` and `increment_s`, or `per_round_s`")),
        }
    }
}

/// A challenge to make.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewChallenge {
    /// Game id, for example `breakthrough`.
    pub game: String,
    /// Options by `options_schema`; what is left out has its default.
    #[schema(value_type = Option<Object>)]
    #[serde(default)]
    pub options: Option<Raw>,
    /// The clock; left out: the game's default; null: untimed, in practice only.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<ClockJson>)]
    pub clock: Option<Option<ClockJson>>,
    /// What each side stakes; left out or null: nothing.
    #[serde(default, deserialize_with = "maybe_object")]
    pub stake: Option<StakeJson>,
    /// Id or name of a bot or player, or `house:LEVEL`; left out or null: anyone.
    #[serde(default)]
    pub opponent: Option<String>,
    /// Whether the set counts for ratings; left out: as the game, the kind and the owners allow.
    #[serde(default)]
    pub rated: Option<bool>,
    /// `set` when left out.
    #[serde(default)]
    pub format: Option<Format>,
    /// Your part of the set's seed.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub nonce: Option<String>,
    /// Seconds until the challenge expires; 600 when left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 604_800)]
    pub expires_in_s: Option<u32>,
}

/// Accepts a challenge.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptBody {
    /// Your part of the set's seed.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub nonce: Option<String>,
}

/// A challenge.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ChallengeJson {
    /// `chal_…`.
    pub id: String,
    /// How it is offered.
    pub kind: ChallengeKind,
    /// Where it stands.
    pub status: ChallengeStatus,
    /// Game id.
    pub game: String,
    /// The options, complete.
    pub options: Raw,
    /// The clock; null when untimed.
    pub clock: Option<ClockJson>,
    /// What each side stakes; null for nothing.
    pub stake: Option<StakeJson>,
    /// Whether the set will be rated.
    pub rated: bool,
    /// Why it will not be rated; null when it will.
    pub unrated_reason: Option<String>,
    /// Set or single game.
    pub format: Format,
    /// Who made it.
    pub creator: ParticipantJson,
    /// Who is challenged or has accepted; null for an open challenge.
    pub opponent: Option<ParticipantJson>,
    /// SHA-256 of the server seed, in hex.
    pub seed_hash: String,
    /// The set that it became; null until then.
    pub set_id: Option<String>,
    /// Why it was declined at once; null otherwise.
    pub declined_reason: Option<String>,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A challenge with the set that it became.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ChallengeAndSet {
    /// The challenge.
    pub challenge: ChallengeJson,
    /// The set; null until there is one.
    pub set: Option<SetState>,
}

impl From<matches::Stake> for StakeJson {
    fn from(stake: matches::Stake) -> Self {
        Self { currency: stake.currency, amount: stake.amount_points }
    }
}

impl From<StakeJson> for matches::Stake {
    fn from(stake: StakeJson) -> Self {
        Self { currency: stake.currency, amount_points: stake.amount }
    }
}

impl ClockJson {
    /// A clock from match-svc; nothing when untimed.
    #[must_use]
    pub fn from_proto(clock: matches::ClockSetting) -> Option<Self> {
        use matches::clock_setting::Kind;
        Some(match clock.kind? {
            Kind::Fischer(clock) => {
                Self::Fischer(FischerJson { initial_s: clock.initial_s, increment_s: clock.increment_s })
            }
            Kind::PerRound(clock) => Self::PerRound(PerRoundJson { per_round_s: clock.per_round_s }),
        })
    }

    /// A clock for match-svc.
    #[must_use]
    pub fn into_proto(self) -> matches::ClockSetting {
        use matches::clock_setting::Kind;
        let kind = match self {
            Self::Fischer(FischerJson { initial_s, increment_s }) => {
                Kind::Fischer(matches::FischerClock { initial_s, increment_s })
            }
            Self::PerRound(PerRoundJson { per_round_s }) => Kind::PerRound(matches::PerRoundClock { per_round_s }),
        };
        matches::ClockSetting { kind: Some(kind) }
    }
}

impl From<matches::Challenge> for ChallengeJson {
    fn from(from: matches::Challenge) -> Self {
        let (kind, status, format) = (from.kind().into(), status(from.status()), format(from.format()));
        Self {
            id: from.id,
            kind,
            status,
            game: from.game,
            options: Raw::from_json(from.options_json),
            clock: from.clock.and_then(ClockJson::from_proto),
            stake: from.stake.map(StakeJson::from),
            rated: from.rated,
            unrated_reason: text(from.unrated_reason),
            format,
            creator: from.creator.unwrap_or_default().into(),
            opponent: from.opponent.map(ParticipantJson::from),
            seed_hash: hex::encode(from.seed_hash),
            set_id: text(from.set_id),
            declined_reason: text(from.declined_reason),
            expires_at: Timestamp(from.expires_at_ms),
            created_at: Timestamp(from.created_at_ms),
        }
    }
}

fn text(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

impl From<matches::ChallengeKind> for ChallengeKind {
    fn from(kind: matches::ChallengeKind) -> Self {
        match kind {
            matches::ChallengeKind::Private => Self::Private,
            matches::ChallengeKind::Practice => Self::Practice,
            matches::ChallengeKind::Open | matches::ChallengeKind::Unspecified => Self::Open,
        }
    }
}

fn status(status: matches::ChallengeStatus) -> ChallengeStatus {
    match status {
        matches::ChallengeStatus::Accepted => ChallengeStatus::Accepted,
        matches::ChallengeStatus::Declined => ChallengeStatus::Declined,
        matches::ChallengeStatus::Cancelled => ChallengeStatus::Cancelled,
        matches::ChallengeStatus::Expired => ChallengeStatus::Expired,
        matches::ChallengeStatus::Open | matches::ChallengeStatus::Unspecified => ChallengeStatus::Open,
    }
}

impl From<ChallengeStatus> for matches::ChallengeStatus {
    fn from(status: ChallengeStatus) -> Self {
        match status {
            ChallengeStatus::Open => Self::Open,
            ChallengeStatus::Accepted => Self::Accepted,
            ChallengeStatus::Declined => Self::Declined,
            ChallengeStatus::Cancelled => Self::Cancelled,
            ChallengeStatus::Expired => Self::Expired,
        }
    }
}

fn format(format: matches::Format) -> Format {
    match format {
        matches::Format::Single => Format::Single,
        matches::Format::Set | matches::Format::Unspecified => Format::Set,
    }
}

impl From<Format> for matches::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Set => Self::Set,
            Format::Single => Self::Single,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<NewChallenge, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn a_clock_left_out_is_not_a_clock_of_null() {
        assert_eq!(parse(r#"{"game":"g"}"#).unwrap().clock, None);
        assert_eq!(parse(r#"{"game":"g","clock":null}"#).unwrap().clock, Some(None));
        let clock = parse(r#"{"game":"g","clock":{"per_round_s":30}}"#).unwrap().clock;
        assert_eq!(clock, Some(Some(ClockJson::PerRound(PerRoundJson { per_round_s: 30 }))));
    }

    #[test]
    fn a_clock_of_two_kinds_or_none_does_not_fit() {
        for clock in [r#"{"initial_s":60}"#, r#"{"initial_s":60,"increment_s":2,"per_round_s":5}"#, "{}", r#"{"x":1}"#]
        {
            assert!(parse(&format!(r#"{{"game":"g","clock":{clock}}}"#)).is_err(), "{clock}");
        }
        for array in [r#"{"game":"g","clock":[60,2,null]}"#, r#"{"game":"g","stake":["PTS",10]}"#] {
            assert!(parse(array).is_err(), "{array}");
        }
    }

    #[test]
    fn an_integer_that_no_type_holds_is_out_of_range_and_no_other_number_is_an_integer() {
        for (number, seconds) in [("60", 60), ("-1", u32::MAX), ("99999999999", u32::MAX), ("1e25", u32::MAX)] {
            let text = format!(r#"{{"game":"g","clock":{{"per_round_s":{number}}}}}"#);
            let expected = ClockJson::PerRound(PerRoundJson { per_round_s: seconds });
            assert_eq!(parse(&text).unwrap().clock, Some(Some(expected)), "{number}");
        }
        for number in ["1.5", "60.0", "\"60\"", "[60]"] {
            let text = format!(r#"{{"game":"g","clock":{{"per_round_s":{number}}}}}"#);
            assert!(parse(&text).is_err(), "{number}");
        }
    }

    #[test]
    fn clocks_survive_the_way_to_match_svc_and_back() {
        for clock in [
            ClockJson::Fischer(FischerJson { initial_s: 60, increment_s: 2 }),
            ClockJson::PerRound(PerRoundJson { per_round_s: 30 }),
        ] {
            assert_eq!(ClockJson::from_proto(clock.into_proto()), Some(clock));
        }
    }
}

//! Players, bots and their keys, in and out.

use farside_proto::matches::v1 as matches;
use farside_proto::rating::v1 as rating;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::participant::{Kind, Named};
use super::scalar::{Timestamp, maybe_object, present};
use super::table::StandingJson;
use crate::domain::account::{Bot, DESCRIPTION_MAX, MAX_STAKE_LIMIT_POINTS, Player};
use crate::domain::key::KeyRecord;
use crate::domain::policy::{Acceptance, GAMES_MAX};
use crate::identity::Made;
use crate::problem::Problem;

/// Signs up.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignUp {
    /// 3–32 of `A–Z a–z 0–9 _ -`; players and bots share one namespace without regard to case.
    #[schema(example = "ada", min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]{3,32}$")]
    pub name: String,
}

/// A bot to make.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBotBody {
    /// 3–32 of `A–Z a–z 0–9 _ -`; players and bots share one namespace without regard to case.
    #[schema(example = "ada-bot", min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]{3,32}$")]
    pub name: String,
    /// The most that it may stake on one set, in points; 500 when left out.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    pub max_stake: Option<i64>,
    /// What it says of itself.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub description: Option<String>,
    /// What it accepts; everything when left out.
    #[serde(default, deserialize_with = "maybe_object")]
    pub accepts: Option<AcceptsJson>,
}

/// Changes to a bot; what is left out stays.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BotPatch {
    /// Another name.
    #[serde(default)]
    #[schema(min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]{3,32}$")]
    pub name: Option<String>,
    /// Another limit for stakes, in points.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    pub max_stake: Option<i64>,
    /// Another description.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub description: Option<String>,
    /// Another policy; null: it accepts everything.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<AcceptsJson>)]
    pub accepts: Option<Option<AcceptsJson>>,
}

/// What a bot accepts; private challenges outside of it are declined at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptsJson {
    /// Game ids; null means every game.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub games: Option<Vec<String>>,
    /// Highest stake in points; null means no limit of its own.
    #[serde(default)]
    #[schema(minimum = 0)]
    pub stake_max: Option<i64>,
    /// Just rated, or just unrated, sets; null means either.
    #[serde(default)]
    pub rated: Option<bool>,
    /// Whether persons may challenge; null means that they may.
    #[serde(default)]
    pub humans: Option<bool>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayerJson {
    /// `player_…`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Always `human`: a player sits down in person.
    pub kind: Kind,
    /// Its bots.
    pub bots: Vec<Named>,
    /// Its standing in every game that it has played rated in person.
    pub ratings: Vec<StandingJson>,
    /// Games of staked sets lost by first-move timeout, newest first.
    pub strikes: Vec<StrikeJson>,
    /// No staked challenges until then; null when not suspended.
    pub suspended_until: Option<Timestamp>,
    /// No challenges at all since then, by an operator; null when not suspended.
    pub suspended_since: Option<Timestamp>,
    /// When it signed up.
    pub created_at: Timestamp,
}

/// A bot.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BotJson {
    /// `bot_…`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Always `bot`.
    pub kind: Kind,
    /// Who owns it.
    pub owner: Named,
    /// What it says of itself.
    pub description: String,
    /// The most that it may stake on one set, in points.
    pub max_stake: i64,
    /// What it accepts; null when everything.
    pub accepts: Option<AcceptsJson>,
    /// Its standing in every game that it has played rated; not in lists.
    pub ratings: Vec<StandingJson>,
    /// Games of staked sets lost by first-move timeout, newest first; not in lists.
    pub strikes: Vec<StrikeJson>,
    /// No staked challenges until then; null when not suspended.
    pub suspended_until: Option<Timestamp>,
    /// No challenges at all since then, by an operator; null when not suspended.
    pub suspended_since: Option<Timestamp>,
    /// Active sets and open challenges together; null in lists.
    pub active_sets: Option<u32>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A game of a staked set lost by first-move timeout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StrikeJson {
    /// `set_…`.
    pub set_id: String,
    /// When.
    pub at: Timestamp,
}

/// A player just signed up. The key is shown this once.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SignedUp {
    /// The player.
    pub player: PlayerJson,
    /// The player key: keep it secret, it is not shown again.
    pub key: String,
    /// The key's id.
    pub key_id: String,
}

/// A bot just made. The key is shown this once.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BotMade {
    /// The bot.
    pub bot: BotJson,
    /// The bot's key: keep it secret, it is not shown again; null when an earlier request made the bot.
    pub key: Option<String>,
    /// The key's id.
    pub key_id: String,
}

/// A key just made. It is shown this once.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KeyMade {
    /// The key: keep it secret, it is not shown again; null when an earlier request made it.
    pub key: Option<String>,
    /// The key's id.
    pub key_id: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A key of a bot or player, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BotKeyJson {
    /// `key_…`.
    pub id: String,
    /// How the key begins.
    pub begins: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Who calls.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Me {
    /// What the key plays as.
    pub kind: Kind,
    /// The player: the caller itself, or the bot's owner.
    pub player: PlayerJson,
    /// The bot; null for a player key.
    pub bot: Option<BotJson>,
    /// The id of the key that was shown.
    pub key_id: String,
}

/// What other services know about a participant.
#[derive(Clone, Debug, Default)]
pub struct Reputation {
    /// From rating-svc.
    pub standings: Vec<rating::Standing>,
    /// From match-svc.
    pub standing: matches::GetStandingResponse,
}

impl Reputation {
    /// Strikes, newest first.
    #[must_use]
    pub fn strikes(&self) -> Vec<StrikeJson> {
        let strike =
            |strike: &matches::Strike| StrikeJson { set_id: strike.set_id.clone(), at: Timestamp(strike.at_ms) };
        self.standing.strikes.iter().map(strike).collect()
    }
}

impl PlayerJson {
    /// A player with its bots and reputation.
    #[must_use]
    pub fn new(player: &Player, bots: &[Bot], reputation: Reputation) -> Self {
        let named = |bot: &Bot| Named { id: bot.id.to_string(), name: bot.name.to_string() };
        Self {
            id: player.id.to_string(),
            name: player.name.to_string(),
            kind: Kind::Human,
            bots: bots.iter().map(named).collect(),
            strikes: reputation.strikes(),
            suspended_until: reputation.standing.suspended_until_ms.map(Timestamp),
            suspended_since: reputation.standing.suspended_since_ms.map(Timestamp),
            ratings: reputation.standings.into_iter().map(StandingJson::from).collect(),
            created_at: Timestamp(player.created_at_ms),
        }
    }
}

impl BotJson {
    /// A bot as lists show it.
    #[must_use]
    pub fn listed(bot: &Bot) -> Self {
        Self {
            id: bot.id.to_string(),
            name: bot.name.to_string(),
            kind: Kind::Bot,
            owner: Named { id: bot.owner_id.to_string(), name: bot.owner_name.to_string() },
            description: bot.description.clone(),
            max_stake: bot.max_stake_points,
            accepts: AcceptsJson::of(&bot.accepts),
            ratings: Vec::new(),
            strikes: Vec::new(),
            suspended_until: None,
            suspended_since: None,
            active_sets: None,
            created_at: Timestamp(bot.created_at_ms),
        }
    }

    /// A bot with its reputation.
    #[must_use]
    pub fn new(bot: &Bot, reputation: Reputation) -> Self {
        Self {
            strikes: reputation.strikes(),
            suspended_until: reputation.standing.suspended_until_ms.map(Timestamp),
            suspended_since: reputation.standing.suspended_since_ms.map(Timestamp),
            active_sets: Some(reputation.standing.active_sets),
            ratings: reputation.standings.into_iter().map(StandingJson::from).collect(),
            ..Self::listed(bot)
        }
    }
}

impl KeyMade {
    /// A key with its secret, if this is the first answer.
    #[must_use]
    pub fn new(made: Made<KeyRecord>) -> Self {
        let key = made.key.map(|key| key.reveal().to_owned());
        Self { key, key_id: made.key_id.to_string(), created_at: Timestamp(made.what.created_at_ms) }
    }
}

impl BotKeyJson {
    /// A key as lists show it.
    #[must_use]
    pub fn new(key: &KeyRecord) -> Self {
        Self { id: key.id.to_string(), begins: format!("fsk_{}", key.public), created_at: Timestamp(key.created_at_ms) }
    }
}

impl AcceptsJson {
    fn of(policy: &Acceptance) -> Option<Self> {
        (!policy.is_open()).then(|| Self {
            games: (!policy.games.is_empty()).then(|| policy.games.clone()),
            stake_max: policy.stake_max_points,
            rated: policy.rated,
            humans: policy.humans,
        })
    }

    /// The policy, checked.
    ///
    /// # Errors
    ///
    /// `malformed_request` with the pointer of what does not fit.
    pub fn into_domain(self) -> Result<Acceptance, Problem> {
        let games = self.games.unwrap_or_default();
        if games.len() > GAMES_MAX || games.iter().any(|game| game.is_empty() || game.len() > 64) {
            return Err(Problem::malformed("/accepts/games", "at most 32 game ids"));
        }
        if self.stake_max.is_some_and(|stake| stake < 0) {
            return Err(Problem::malformed("/accepts/stake_max", "not below 0"));
        }
        Ok(Acceptance { games, stake_max_points: self.stake_max, rated: self.rated, humans: self.humans })
    }
}

/// Checks a limit for stakes.
///
/// # Errors
///
/// `malformed_request` outside of 0–1,000,000,000.
pub fn max_stake(points: i64) -> Result<i64, Problem> {
    if (0..=MAX_STAKE_LIMIT_POINTS).contains(&points) {
        Ok(points)
    } else {
        Err(Problem::malformed("/max_stake", "from 0 to 1000000000"))
    }
}

/// Checks a description.
///
/// # Errors
///
/// `malformed_request` beyond 500 characters.
pub fn description(text: String) -> Result<String, Problem> {
    if text.chars().count() <= DESCRIPTION_MAX && !text.contains('\0') {
        Ok(text)
    } else {
        Err(Problem::malformed("/description", "at most 500 characters, none of them NUL"))
    }
}

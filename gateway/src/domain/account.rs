//! Players, their bots, and the one who calls.
//!
//! Not here: balances (ledger-svc), ratings (rating-svc) and strikes (match-svc).

use super::ids::{BotId, KeyId, PlayerId};
use super::name::Name;
use super::policy::Acceptance;

/// The most that a bot may stake when nothing else is said, in points.
pub const DEFAULT_MAX_STAKE_POINTS: i64 = 500;
/// The most that may be set as a bot's own limit, in points.
pub const MAX_STAKE_LIMIT_POINTS: i64 = 1_000_000_000;
/// Most characters of a description.
pub const DESCRIPTION_MAX: usize = 500;

/// A person or team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// `player_…`; its account in the ledger has the same id.
    pub id: PlayerId,
    /// Its name.
    pub name: Name,
    /// When it signed up.
    pub created_at_ms: i64,
    /// Whether the sign-up grant has reached the ledger.
    pub granted: bool,
    /// Whether it plays without having signed up: practice only, see [`super::guest`].
    pub is_guest: bool,
}

/// A bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bot {
    /// `bot_…`.
    pub id: BotId,
    /// Its name.
    pub name: Name,
    /// Who owns it.
    pub owner_id: PlayerId,
    /// The owner's name.
    pub owner_name: Name,
    /// What it says of itself.
    pub description: String,
    /// The most that it may stake on one set.
    pub max_stake_points: i64,
    /// What it accepts.
    pub accepts: Acceptance,
    /// When it was made.
    pub created_at_ms: i64,
}

/// Changes to a bot; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotChange {
    /// Another name.
    pub name: Option<Name>,
    /// Another description.
    pub description: Option<String>,
    /// Another limit.
    pub max_stake_points: Option<i64>,
    /// Another policy.
    pub accepts: Option<Acceptance>,
}

/// Who may sit down: a player in person or a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    /// A player.
    Player(Player),
    /// A bot.
    Bot(Bot),
}

/// An account that has shown a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The key that was shown.
    pub key_id: KeyId,
    /// The part by which it is looked up, to ask again whether it counts.
    pub key_public: String,
    /// Whose it is.
    pub account: Account,
    /// Whether a page is signed in with it.
    pub is_session: bool,
}

impl Account {
    /// The participant's id: `player_…` or `bot_…`.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Player(player) => player.id.as_str(),
            Self::Bot(bot) => bot.id.as_str(),
        }
    }

    /// The participant's name.
    #[must_use]
    pub fn name(&self) -> &Name {
        match self {
            Self::Player(player) => &player.name,
            Self::Bot(bot) => &bot.name,
        }
    }

    /// Whose points it plays with.
    #[must_use]
    pub fn owner_id(&self) -> &PlayerId {
        match self {
            Self::Player(player) => &player.id,
            Self::Bot(bot) => &bot.owner_id,
        }
    }
}

impl Bot {
    /// The bot with the changes made.
    #[must_use]
    pub fn changed(self, change: BotChange) -> Self {
        Self {
            name: change.name.unwrap_or(self.name),
            description: change.description.unwrap_or(self.description),
            max_stake_points: change.max_stake_points.unwrap_or(self.max_stake_points),
            accepts: change.accepts.unwrap_or(self.accepts),
            ..self
        }
    }
}

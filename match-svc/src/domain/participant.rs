//! Who plays, as the gateway's identity store had it when it called. Not here: keys, names in use, balances.

use serde::{Deserialize, Serialize};

use super::ids::{GameId, OwnerId, ParticipantId};

/// What plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParticipantKind {
    /// A bot with a key of its own.
    Bot,
    /// A player in person.
    Human,
    /// The platform's own bot.
    House,
}

/// What a bot accepts; a private challenge outside it is declined at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptancePolicy {
    /// Games; empty means every game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<GameId>,
    /// Highest stake in points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stake_max_points: Option<i64>,
    /// Only rated, or only unrated, sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<bool>,
    /// Whether persons may challenge; none means yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub humans: Option<bool>,
}

/// What a private challenge asks of the one challenged.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The game.
    pub game: &'a GameId,
    /// The stake in points; 0 for none.
    pub stake_points: i64,
    /// Whether the set will be rated.
    pub rated: bool,
    /// Who asks.
    pub by: ParticipantKind,
}

impl AcceptancePolicy {
    /// Why this policy declines the challenge, or none when it does not.
    #[must_use]
    pub fn refusal(&self, asked: Asked<'_>) -> Option<&'static str> {
        if !self.games.is_empty() && !self.games.contains(asked.game) {
            return Some("game_not_accepted");
        }
        if self.stake_max_points.is_some_and(|max| asked.stake_points > max) {
            return Some("stake_not_accepted");
        }
        if self.rated.is_some_and(|rated| rated != asked.rated) {
            return Some(if asked.rated { "rated_not_accepted" } else { "unrated_not_accepted" });
        }
        if self.humans == Some(false) && asked.by == ParticipantKind::Human {
            return Some("humans_not_accepted");
        }
        None
    }
}

/// Someone who plays, as a challenge or set remembers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    /// `bot_…`, `player_…` or `house:LEVEL`.
    pub id: ParticipantId,
    /// Name for people.
    pub name: String,
    /// What it is.
    pub kind: ParticipantKind,
    /// Whose account stakes.
    pub owner_id: OwnerId,
    /// The owner's name.
    pub owner_name: String,
    /// The most that it may stake on one set, in points.
    pub max_stake_points: i64,
    /// What it accepts; none means everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepts: Option<AcceptancePolicy>,
}

impl Participant {
    /// Whether it is the platform's own bot.
    #[must_use]
    pub fn is_house(&self) -> bool {
        self.kind == ParticipantKind::House
    }

    /// The level of a house bot: what follows `house:` in its id.
    #[must_use]
    pub fn house_level(&self) -> Option<&str> {
        if self.is_house() { self.id.as_str().strip_prefix("house:") } else { None }
    }

    /// Whether both belong to one owner.
    #[must_use]
    pub fn is_sibling_of(&self, other: &Self) -> bool {
        self.owner_id == other.owner_id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_declines_what_it_does_not_accept() {
        let policy = AcceptancePolicy {
            games: vec![GameId::from("breakthrough")],
            stake_max_points: Some(50),
            rated: Some(true),
            humans: Some(false),
        };
        let (game, other) = (GameId::from("breakthrough"), GameId::from("maker-breaker"));
        let asked = Asked { game: &game, stake_points: 50, rated: true, by: ParticipantKind::Bot };
        assert_eq!(policy.refusal(asked), None);
        assert_eq!(policy.refusal(Asked { game: &other, ..asked }), Some("game_not_accepted"));
        assert_eq!(policy.refusal(Asked { stake_points: 51, ..asked }), Some("stake_not_accepted"));
        assert_eq!(policy.refusal(Asked { rated: false, ..asked }), Some("unrated_not_accepted"));
        assert_eq!(policy.refusal(Asked { by: ParticipantKind::Human, ..asked }), Some("humans_not_accepted"));
        assert_eq!(AcceptancePolicy::default().refusal(Asked { stake_points: 1_000, ..asked }), None);
    }
}

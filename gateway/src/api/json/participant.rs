//! Participants: bots, players in person and house bots.

use farside_proto::matches::v1 as matches;
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::account::{Account, Bot, Player};

/// What plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A bot with a key of its own.
    Bot,
    /// A player in person.
    Human,
    /// The platform's own bot.
    House,
}

/// An id with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Named {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
}

/// Someone who plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ParticipantJson {
    /// `bot_…`, `player_…` or `house:LEVEL`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Who owns it; a person owns itself.
    pub owner: Named,
}

impl From<matches::Participant> for ParticipantJson {
    fn from(from: matches::Participant) -> Self {
        let kind = match from.kind() {
            matches::ParticipantKind::House => Kind::House,
            matches::ParticipantKind::Human => Kind::Human,
            matches::ParticipantKind::Bot | matches::ParticipantKind::Unspecified => Kind::Bot,
        };
        let owner = Named { id: from.owner_id, name: from.owner_name };
        Self { id: from.id, name: from.name, kind, owner }
    }
}

/// The owner of every house bot.
const HOUSE: &str = "house";
/// What the id of a house bot begins with.
const HOUSE_PREFIX: &str = "house:";
/// Most characters of a house bot's level.
const LEVEL_MAX: usize = 32;

/// The account as match-svc is told about it.
#[must_use]
pub fn participant(account: &Account) -> matches::Participant {
    match account {
        Account::Player(player) => person(player),
        Account::Bot(bot) => robot(bot),
    }
}

/// A person's stake is bounded by the currency alone.
fn person(player: &Player) -> matches::Participant {
    matches::Participant {
        id: player.id.to_string(),
        name: player.name.to_string(),
        kind: matches::ParticipantKind::Human.into(),
        owner_id: player.id.to_string(),
        owner_name: player.name.to_string(),
        max_stake_points: i64::MAX,
        accepts: None,
    }
}

fn robot(bot: &Bot) -> matches::Participant {
    let policy = &bot.accepts;
    let accepts = (!policy.is_open()).then(|| matches::AcceptancePolicy {
        games: policy.games.clone(),
        stake_max_points: policy.stake_max_points,
        rated: policy.rated,
        humans: policy.humans,
    });
    matches::Participant {
        id: bot.id.to_string(),
        name: bot.name.to_string(),
        kind: matches::ParticipantKind::Bot.into(),
        owner_id: bot.owner_id.to_string(),
        owner_name: bot.owner_name.to_string(),
        max_stake_points: bot.max_stake_points,
        accepts,
    }
}

/// The house bot that `text` names as `house:LEVEL`; whether the game has that level is for match-svc to say.
#[must_use]
pub fn house(text: &str) -> Option<matches::Participant> {
    let level = text.strip_prefix(HOUSE_PREFIX)?;
    let plain = (1..=LEVEL_MAX).contains(&level.len())
        && level.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    plain.then(|| matches::Participant {
        id: text.to_owned(),
        name: format!("House {level}"),
        kind: matches::ParticipantKind::House.into(),
        owner_id: HOUSE.to_owned(),
        owner_name: HOUSE.to_owned(),
        max_stake_points: 0,
        accepts: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_house_and_a_level_name_a_house_bot() {
        assert_eq!(house("house:easy").map(|bot| bot.owner_id), Some("house".to_owned()));
        for text in ["house:", "house", "easy", "house:EASY", "house:a b", "bot_house:easy"] {
            assert_eq!(house(text), None, "{text}");
        }
    }
}

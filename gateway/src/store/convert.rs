//! Between rows and domain types: one function for each way.
//!
//! Not here: queries.

use sea_orm::ActiveValue::Set;
use serde::{Deserialize, Serialize};

use super::StoreFault;
use super::entity::{bots, keys, names, players};
use crate::domain::account::{Bot, Player};
use crate::domain::ids::{BotId, KeyId, PlayerId};
use crate::domain::key::{Holder, KeyHash, KeyRecord, Purpose};
use crate::domain::name::Name;
use crate::domain::policy::Acceptance;

/// The acceptance policy as it is stored.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredAcceptance {
    games: Vec<String>,
    stake_max_points: Option<i64>,
    rated: Option<bool>,
    humans: Option<bool>,
}

pub(super) fn player(row: players::Model) -> Result<Player, StoreFault> {
    Ok(Player {
        id: PlayerId::parse(&row.id).ok_or(StoreFault::Corrupt("players"))?,
        name: Name::trusted(row.name),
        created_at_ms: row.created_at_ms,
        granted: row.granted_at_ms.is_some(),
        is_guest: row.is_guest,
    })
}

pub(super) fn player_row(player: &Player) -> players::ActiveModel {
    players::ActiveModel {
        id: Set(player.id.to_string()),
        name: Set(player.name.to_string()),
        created_at_ms: Set(player.created_at_ms),
        granted_at_ms: Set(None),
        is_guest: Set(player.is_guest),
    }
}

pub(super) fn bot(row: bots::Model) -> Result<Bot, StoreFault> {
    Ok(Bot {
        id: BotId::parse(&row.id).ok_or(StoreFault::Corrupt("bots"))?,
        name: Name::trusted(row.name),
        owner_id: PlayerId::parse(&row.owner_id).ok_or(StoreFault::Corrupt("bots"))?,
        owner_name: Name::trusted(row.owner_name),
        description: row.description,
        max_stake_points: row.max_stake_points,
        accepts: acceptance(&row.accepts_json)?,
        created_at_ms: row.created_at_ms,
    })
}

pub(super) fn bot_row(bot: &Bot) -> Result<bots::ActiveModel, StoreFault> {
    Ok(bots::ActiveModel {
        id: Set(bot.id.to_string()),
        owner_id: Set(bot.owner_id.to_string()),
        owner_name: Set(bot.owner_name.to_string()),
        name: Set(bot.name.to_string()),
        description: Set(bot.description.clone()),
        max_stake_points: Set(bot.max_stake_points),
        accepts_json: Set(acceptance_json(&bot.accepts)?),
        created_at_ms: Set(bot.created_at_ms),
    })
}

fn acceptance(json: &str) -> Result<Acceptance, StoreFault> {
    let stored: StoredAcceptance = serde_json::from_str(json).map_err(|_| StoreFault::Corrupt("bots"))?;
    let StoredAcceptance { games, stake_max_points, rated, humans } = stored;
    Ok(Acceptance { games, stake_max_points, rated, humans })
}

fn acceptance_json(policy: &Acceptance) -> Result<String, StoreFault> {
    let Acceptance { games, stake_max_points, rated, humans } = policy.clone();
    let stored = StoredAcceptance { games, stake_max_points, rated, humans };
    serde_json::to_string(&stored).map_err(|_| StoreFault::Corrupt("bots"))
}

pub(super) fn key(row: keys::Model) -> Result<KeyRecord, StoreFault> {
    let mut hash = [0; 32];
    hex::decode_to_slice(&row.hash_hex, &mut hash).map_err(|_| StoreFault::Corrupt("keys"))?;
    Ok(KeyRecord {
        id: KeyId::parse(&row.id).ok_or(StoreFault::Corrupt("keys"))?,
        public: row.public,
        hash: KeyHash(hash),
        holder: holder(&row.holder_id).ok_or(StoreFault::Corrupt("keys"))?,
        purpose: if row.is_session { Purpose::Session } else { Purpose::Access },
        created_at_ms: row.created_at_ms,
        expires_at_ms: row.expires_at_ms,
        revoked_at_ms: row.revoked_at_ms,
    })
}

pub(super) fn key_row(key: &KeyRecord) -> keys::ActiveModel {
    keys::ActiveModel {
        id: Set(key.id.to_string()),
        public: Set(key.public.clone()),
        hash_hex: Set(hex::encode(key.hash.0)),
        holder_id: Set(holder_id(&key.holder).to_owned()),
        is_session: Set(key.purpose == Purpose::Session),
        created_at_ms: Set(key.created_at_ms),
        expires_at_ms: Set(key.expires_at_ms),
        revoked_at_ms: Set(key.revoked_at_ms),
    }
}

pub(super) fn holder(id: &str) -> Option<Holder> {
    PlayerId::parse(id).map(Holder::Player).or_else(|| BotId::parse(id).map(Holder::Bot))
}

pub(super) fn holder_id(holder: &Holder) -> &str {
    match holder {
        Holder::Player(id) => id.as_str(),
        Holder::Bot(id) => id.as_str(),
    }
}

pub(super) fn name_row(name: &Name, holder_id: &str) -> names::ActiveModel {
    names::ActiveModel { folded: Set(name.folded()), holder_id: Set(holder_id.to_owned()) }
}

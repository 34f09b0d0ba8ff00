//! Lists: each comes under its plural, with the cursor of the next page.

use farside_kit::ids::is_ulid;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::problem::Problem;

/// Entries of a page when nothing is said.
pub const LIMIT_DEFAULT: u32 = 20;
/// Most entries of a page.
pub const LIMIT_MAX: u32 = 100;

/// Which page of a list.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// Most entries to return.
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

impl Page {
    /// The number of entries asked for.
    ///
    /// # Errors
    ///
    /// `malformed_request` outside of 1–100.
    pub fn limit(&self) -> Result<u32, Problem> {
        limit(self.limit)
    }
}

/// Checks a limit and fills in the default.
///
/// # Errors
///
/// `malformed_request` outside of 1–100.
pub fn limit(asked: Option<u32>) -> Result<u32, Problem> {
    match asked.unwrap_or(LIMIT_DEFAULT) {
        limit @ 1..=LIMIT_MAX => Ok(limit),
        _ => Err(Problem::malformed("/limit", "from 1 to 100")),
    }
}

/// The cursor of a list by id, which is the id of the last entry before.
///
/// # Errors
///
/// `malformed_request` for what such a list never gives out.
pub fn id_cursor(cursor: Option<String>, prefix: &str) -> Result<Option<String>, Problem> {
    let is_id = |text: &String| text.strip_prefix(prefix).is_some_and(is_ulid);
    match cursor {
        Some(cursor) if !is_id(&cursor) => Err(Problem::malformed("/cursor", "none that this list gave out")),
        cursor => Ok(cursor),
    }
}

/// A cursor as the API shows it: nothing at the end.
#[must_use]
pub fn next(cursor: String) -> Option<String> {
    (!cursor.is_empty()).then_some(cursor)
}

macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident { $field:ident: $item:ty })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Serialize, ToSchema)]
            pub struct $name {
                /// The page.
                pub $field: Vec<$item>,
                /// Where the next page begins; null at the end.
                pub next_cursor: Option<String>,
            }
        )*
    };
}

lists! {
    /// Games.
    GameList { games: super::contract::GameSummary }
    /// Players.
    PlayerList { players: super::account::PlayerJson }
    /// Bots.
    BotList { bots: super::account::BotJson }
    /// Challenges, newest first.
    ChallengeList { challenges: super::challenge::ChallengeJson }
    /// Sets, newest first, without their games.
    SetList { sets: super::set::SetState }
    /// A statement, newest first.
    EntryList { entries: super::ledger::EntryJson }
    /// A leaderboard, best first.
    RowList { rows: super::table::RowJson }
    /// Rating after each rated set, newest first.
    HistoryList { points: super::table::HistoryJson }
    /// Keys of a bot or player, oldest first.
    BotKeyList { keys: super::account::BotKeyJson }
    /// A person's practice against house bots, by game, board and level.
    PracticeList { practice: super::table::PracticeJson }
    /// Public keys that sign records, newest first.
    SigningKeyList { keys: super::table::SigningKeyJson }
}

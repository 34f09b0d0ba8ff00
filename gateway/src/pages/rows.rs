//! What several pages show alike: links to participants, rows of sets and of challenges.
//!
//! Not here: where any of it comes from; everything is made of the API's own types.

use super::names::GameNames;
use super::words;
use crate::api::json::challenge::ChallengeJson;
use crate::api::json::participant::{Kind, ParticipantJson};
use crate::api::json::set::{DecidedBy, SetResult, SetState, SetStatus, Side};
use crate::domain::account::Player;

/// Somebody, with the page about them where there is one.
#[derive(Clone, Debug)]
pub(crate) struct Who {
    /// The name.
    pub name: String,
    /// The address of the page; empty for a house bot.
    pub address: String,
}

impl From<&ParticipantJson> for Who {
    fn from(from: &ParticipantJson) -> Self {
        let address = match from.kind {
            Kind::Bot => format!("/bots/{}", from.id),
            Kind::Human => format!("/players/{}", from.id),
            Kind::House => String::new(),
        };
        Self { name: from.name.clone(), address }
    }
}

/// A set as tables show it.
#[derive(Clone, Debug)]
pub(crate) struct SetRow {
    /// `set_…`.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// Who made the challenge.
    pub creator: Who,
    /// Who accepted it.
    pub acceptor: Who,
    /// The points of both.
    pub points: String,
    /// What each side stakes.
    pub stake: String,
    /// How it stands, or ended.
    pub result: String,
    /// Whether it is being played.
    pub is_active: bool,
    /// When it began.
    pub started: String,
}

impl SetRow {
    /// Sets, one row for each.
    pub(crate) fn all(sets: &[SetState], names: &GameNames) -> Vec<Self> {
        sets.iter().map(|set| Self::new(set, names)).collect()
    }

    fn new(set: &SetState, names: &GameNames) -> Self {
        Self {
            id: set.id.clone(),
            game: names.of(&set.game),
            creator: (&set.creator).into(),
            acceptor: (&set.acceptor).into(),
            points: format!("{} – {}", words::half(set.points.creator.0), words::half(set.points.acceptor.0)),
            stake: words::stake(set.stake.as_ref()),
            result: result(set),
            is_active: set.status == SetStatus::Active,
            started: words::moment(set.created_at),
        }
    }
}

fn result(set: &SetState) -> String {
    let winner = |side| match side {
        Side::Creator => &set.creator.name,
        Side::Acceptor => &set.acceptor.name,
    };
    match (set.status, &set.result) {
        (SetStatus::Active, _) => "being played".to_owned(),
        (SetStatus::Aborted, _) => "aborted".to_owned(),
        (_, Some(SetResult { winner: Some(side), by: DecidedBy::Tiebreak })) => {
            format!("{} wins on the tiebreak", winner(*side))
        }
        (_, Some(SetResult { winner: Some(side), .. })) => format!("{} wins", winner(*side)),
        (_, _) => "draw".to_owned(),
    }
}

/// A challenge as tables show it.
pub(crate) struct ChallengeRow {
    /// `chal_…`.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// Who made it.
    pub creator: Who,
    /// Who is challenged, or has accepted.
    pub opponent: Option<Who>,
    /// What each side stakes.
    pub stake: String,
    /// The clock.
    pub clock: String,
    /// Whether the set counts for ratings.
    pub rated: bool,
    /// Until when it is open.
    pub expires: String,
    /// Whether whoever looks made it.
    pub is_mine: bool,
    /// Whether whoever looks is challenged.
    pub is_to_me: bool,
}

impl ChallengeRow {
    /// A challenge as this visitor sees it.
    pub(crate) fn new(challenge: &ChallengeJson, viewer: Option<&Player>, names: &GameNames) -> Self {
        let me = viewer.map(|player| player.id.as_str());
        Self {
            id: challenge.id.clone(),
            game: names.of(&challenge.game),
            creator: (&challenge.creator).into(),
            opponent: challenge.opponent.as_ref().map(Who::from),
            stake: words::stake(challenge.stake.as_ref()),
            clock: words::clock(challenge.clock),
            rated: challenge.rated,
            expires: words::moment(challenge.expires_at),
            is_mine: me == Some(challenge.creator.id.as_str()),
            is_to_me: challenge.opponent.as_ref().is_some_and(|opponent| me == Some(opponent.id.as_str())),
        }
    }
}

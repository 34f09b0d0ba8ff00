//! Pages of challenges and sets, newest first. Ids are ULIDs: their order is the order of making. Not here: cursors as
//! callers see them; a page goes on below an id.

use std::sync::Arc;

use sea_orm::Value;

use super::challenges::{self, COLUMNS};
use super::codec::FramedSet;
use super::outbox::SettlementMark;
use super::sql::{all, one};
use super::{Store, WriteFault};
use crate::domain::challenge::{Challenge, ChallengeStatus};
use crate::domain::event::SetStatus;
use crate::domain::fault::MatchFault;
use crate::domain::ids::{GameId, ParticipantId};
use crate::domain::set::SetInfo;

/// Which challenges to list.
#[derive(Clone, Debug, Default)]
pub struct ChallengeFilter {
    /// Only of this game.
    pub game: Option<GameId>,
    /// Only with this status.
    pub status: Option<ChallengeStatus>,
    /// Only those that this participant made or was challenged in.
    pub participant: Option<ParticipantId>,
    /// Only below this id.
    pub below: Option<String>,
    /// At most so many.
    pub limit: u32,
}

/// Which sets to list.
#[derive(Clone, Debug, Default)]
pub struct SetFilter {
    /// Only of this game.
    pub game: Option<GameId>,
    /// Only with this status.
    pub status: Option<SetStatus>,
    /// Only this participant's.
    pub participant: Option<ParticipantId>,
    /// Only below this id.
    pub below: Option<String>,
    /// At most so many.
    pub limit: u32,
}

/// A set without its games.
#[derive(Clone, Debug)]
pub struct SetSummary {
    /// The set as it is kept.
    pub framed: FramedSet,
    /// What became of its stakes.
    pub settlement: SettlementMark,
}

impl SetSummary {
    /// What never changes.
    #[must_use]
    pub fn info(&self) -> &Arc<SetInfo> {
        self.framed.info()
    }
}

struct Conditions {
    parts: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    fn new(first: &str) -> Self {
        Self { parts: vec![first.to_owned()], values: Vec::new() }
    }

    /// Adds a condition; `{}` in it stands for the value's parameter.
    fn add(&mut self, condition: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.values.push(value);
            self.parts.push(condition.replace("{}", &format!("${}", self.values.len())));
        }
    }

    fn text(&self) -> String {
        self.parts.join(" AND ")
    }
}

impl Store {
    /// How many sets run, and how many challenges stand open.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn active_sets_and_open_challenges(&self) -> Result<(i64, i64), MatchFault> {
        let sql =
            "SELECT (SELECT COUNT(*) FROM sets WHERE status = $1), (SELECT COUNT(*) FROM challenges WHERE status = $2)";
        let active = super::sets::status_number(SetStatus::Active).into();
        let open = challenges::status_number(ChallengeStatus::Open).into();
        match one(self.reader(), sql, vec![active, open]).await? {
            Some(row) => Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?)),
            None => Ok((0, 0)),
        }
    }

    /// A page of challenges, newest first. Pending ones are not shown.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn list_challenges(&self, filter: &ChallengeFilter) -> Result<Vec<Challenge>, MatchFault> {
        let mut conditions = Conditions::new("status > 0");
        conditions.add("game = {}", filter.game.as_ref().map(|game| game.as_str().into()));
        conditions.add("status = {}", filter.status.map(|status| challenges::status_number(status).into()));
        let participant = filter.participant.as_ref().map(|id| id.as_str().into());
        conditions.add("(creator_id = {} OR opponent_id = {})", participant);
        conditions.add("id < {}", filter.below.as_deref().map(Into::into));
        let sql = format!(
            "SELECT {COLUMNS} FROM challenges WHERE {} ORDER BY id DESC LIMIT {}",
            conditions.text(),
            filter.limit
        );
        self.challenges(sql, conditions.values).await
    }

    /// A page of sets, newest first.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn list_sets(&self, filter: &SetFilter) -> Result<Vec<SetSummary>, MatchFault> {
        let mut conditions = Conditions::new("t.set_id = s.id");
        conditions.add("s.game = {}", filter.game.as_ref().map(|game| game.as_str().into()));
        conditions.add("s.status = {}", filter.status.map(|status| super::sets::status_number(status).into()));
        let participant = filter.participant.as_ref().map(|id| id.as_str().into());
        conditions.add("s.id IN (SELECT set_id FROM participant_sets WHERE participant_id = {})", participant);
        conditions.add("s.id < {}", filter.below.as_deref().map(Into::into));
        let sql = format!(
            "SELECT s.info, t.last_seq, t.state, s.settlement FROM sets s JOIN set_states t ON t.set_id = s.id \
             WHERE {} ORDER BY s.id DESC LIMIT {}",
            conditions.text(),
            filter.limit
        );
        let rows = all(self.reader(), sql, conditions.values).await?;
        Ok(rows.iter().map(read_summary).collect::<Result<_, _>>()?)
    }
}

fn read_summary(row: &sea_orm::QueryResult) -> Result<SetSummary, WriteFault> {
    let info: String = row.try_get_by_index(0)?;
    let state: String = row.try_get_by_index(2)?;
    Ok(SetSummary {
        framed: FramedSet::read(&info, row.try_get_by_index(1)?, &state)?,
        settlement: SettlementMark::from_number(row.try_get_by_index(3)?),
    })
}

impl Store {
    /// Challenges that concern a participant and are open, or changed at `since` or later; oldest change first.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn recent_challenges(
        &self,
        who: &ParticipantId,
        since: farside_kit::time::UnixMs,
    ) -> Result<Vec<Challenge>, MatchFault> {
        let sql = format!(
            "SELECT {COLUMNS} FROM challenges WHERE status > 0 AND (status = 1 OR changed_at_ms >= $2) \
             AND (creator_id = $1 OR opponent_id = $1 OR acceptor_id = $1) ORDER BY changed_at_ms, id LIMIT 500"
        );
        self.challenges(sql, vec![who.as_str().into(), since.0.into()]).await
    }
}

//! Writing decisions: many sets in one transaction, each fenced by itself. The primary key of the event log is the
//! fence: a decision whose first event has its number taken is lost, and leaves nothing behind.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use farside_kit::operator::{self, LogEntry};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};

use super::codec::{event_text, state_text};
use super::outbox::{self, OutboxItem};
use super::requests::{self, Request};
use super::sql::{all, execute, list, rows};
use super::{Store, WriteFault};
use crate::domain::event::{Logged, SetStatus};
use crate::domain::fault::MatchFault;
use crate::domain::ids::{GameNumber, ParticipantId, Ply, SetId};
use crate::domain::set::Set;

/// The running round's secret placements as a decision saw them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// How often placements of the set had changed.
    pub rev: i64,
    /// The game of the round.
    pub game: GameNumber,
    /// The round.
    pub ply: Ply,
}

/// A decision to write.
#[derive(Clone, Debug)]
pub struct Commit<'a> {
    /// The set after it.
    pub next: &'a Set,
    /// Its events.
    pub events: &'a [Logged],
    /// What is to be delivered.
    pub outbox: Vec<OutboxItem>,
    /// Who missed a first move, in which game.
    pub strikes: Vec<(ParticipantId, GameNumber)>,
    /// Present when the decision depends on secret placements, which it ends.
    pub guard: Option<Guard>,
    /// The request to remember.
    pub request: Option<Request>,
    /// The line in the log of operations, when an operator asked for it.
    pub operation: Option<LogEntry>,
}

/// A decision as rows, ready to be written.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) set_id: SetId,
    pub(super) events: Vec<(i64, i64, String)>,
    pub(super) state: StateRow,
    pub(super) ended: Option<Ended>,
    pub(super) outbox: Vec<OutboxItem>,
    pub(super) strikes: Vec<(ParticipantId, GameNumber, i64)>,
    pub(super) guard: Option<Guard>,
    pub(super) request: Option<Request>,
    pub(super) operation: Option<LogEntry>,
}

#[derive(Clone, Debug)]
pub(super) struct StateRow {
    pub(super) last_seq: i64,
    pub(super) due_at_ms: Option<i64>,
    pub(super) house_due: i64,
    pub(super) state: String,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    pub(super) status: SetStatus,
    pub(super) at_ms: i64,
}

impl Prepared {
    /// Which set it changes.
    #[must_use]
    pub fn set_id(&self) -> &SetId {
        &self.set_id
    }

    /// As it is, but whether a house bot is to act stays as given: a decision on a set without its positions does not know.
    #[must_use]
    pub fn with_house_due(mut self, house_due: bool) -> Self {
        self.state.house_due = i64::from(house_due && self.ended.is_none());
        self
    }

    /// How many events it has.
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.events.len()
    }
}

pub(super) fn state_row(set: &Set) -> Result<StateRow, serde_json::Error> {
    Ok(StateRow {
        last_seq: set.seq.0,
        due_at_ms: set.due_at().map(|due| due.0),
        house_due: i64::from(set.house_to_act().is_some()),
        state: state_text(set)?,
    })
}

pub(super) fn event_rows(events: &[Logged]) -> Result<Vec<(i64, i64, String)>, serde_json::Error> {
    events.iter().map(|logged| Ok((logged.seq.0, logged.at.0, event_text(&logged.event)?))).collect()
}

/// Makes rows of a decision.
///
/// # Errors
///
/// When it cannot be told as text, which is a fault of ours.
pub fn prepare(commit: Commit<'_>) -> Result<Prepared, MatchFault> {
    let internal = |error: serde_json::Error| MatchFault::Internal(Box::new(error));
    let at_ms = commit.next.logged_ms;
    Ok(Prepared {
        set_id: commit.next.info.id.clone(),
        events: event_rows(commit.events).map_err(internal)?,
        state: state_row(commit.next).map_err(internal)?,
        ended: commit.next.end.map(|end| Ended { status: commit.next.status, at_ms: end.at_ms }),
        outbox: commit.outbox,
        strikes: commit.strikes.into_iter().map(|(who, game)| (who, game, at_ms)).collect(),
        guard: commit.guard,
        request: commit.request,
        operation: commit.operation,
    })
}

impl Store {
    /// Writes many decisions in one transaction; tells for each, in order, whether it won its fence.
    ///
    /// # Errors
    ///
    /// When the transaction failed: then nothing was written.
    pub async fn commit(&self, batch: Vec<Arc<Prepared>>) -> Result<Vec<bool>, MatchFault> {
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        let won = self.db.write::<_, _, WriteFault>(move |tx| {
            let batch = batch.clone();
            Box::pin(async move { write_batch(tx, &batch).await })
        });
        Ok(won.await?)
    }
}

async fn write_batch(tx: &DatabaseTransaction, batch: &[Arc<Prepared>]) -> Result<Vec<bool>, WriteFault> {
    let mut order: Vec<usize> = (0..batch.len()).collect();
    // Replicas write in one order, so that they wait for each other instead of deadlocking.
    order.sort_by(|&one, &other| batch[one].set_id.cmp(&batch[other].set_id));
    order.dedup_by(|later, earlier| batch[*later].set_id == batch[*earlier].set_id);
    let mut items: Vec<&Prepared> = order.iter().map(|&index| &*batch[index]).collect();
    keep_fenced(tx, &mut items).await?;
    keep_guarded(tx, &mut items).await?;
    upsert_states(tx, &items).await?;
    end_sets(tx, &items).await?;
    write_strikes(tx, &items).await?;
    outbox::insert(tx, items.iter().flat_map(|item| &item.outbox)).await?;
    requests::insert(tx, items.iter().filter_map(|item| item.request.as_ref())).await?;
    clear_pending(tx, &items).await?;
    log_operations(tx, &items).await?;
    let winners: HashSet<*const Prepared> = items.iter().map(|item| std::ptr::from_ref(*item)).collect();
    Ok(batch.iter().map(|item| winners.contains(&std::ptr::from_ref(&**item))).collect())
}

/// Appends all events; keeps the items of which every event found its number free.
async fn keep_fenced(tx: &DatabaseTransaction, items: &mut Vec<&Prepared>) -> Result<(), WriteFault> {
    let mut values: Vec<Value> = Vec::new();
    let mut wanted = 0;
    for item in &*items {
        for (seq, at_ms, payload) in &item.events {
            values.extend([item.set_id.as_str().into(), (*seq).into(), (*at_ms).into(), payload.as_str().into()]);
            wanted += 1;
        }
    }
    let sql = format!(
        "INSERT INTO set_events (set_id, seq, at_ms, payload) VALUES {} ON CONFLICT DO NOTHING RETURNING set_id",
        rows(wanted, 4)
    );
    let inserted = all(tx, sql, values).await?;
    if inserted.len() == wanted {
        return Ok(());
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    for row in inserted {
        *counts.entry(row.try_get_by_index(0)?).or_default() += 1;
    }
    let found = |item: &Prepared| counts.get(item.set_id.as_str()).copied().unwrap_or(0);
    for item in items.iter().filter(|item| found(item) > 0 && found(item) < item.events.len()) {
        take_back(tx, item).await?;
    }
    items.retain(|item| found(item) == item.events.len());
    Ok(())
}

/// Removes what a lost decision wrote: everything beyond the number that another one took first.
async fn take_back(tx: &DatabaseTransaction, item: &Prepared) -> Result<(), WriteFault> {
    for (seq, _, payload) in &item.events {
        let sql = "DELETE FROM set_events WHERE set_id = $1 AND seq = $2 AND payload = $3 \
                   AND seq > (SELECT last_seq FROM set_states WHERE set_id = $1)";
        let values = vec![item.set_id.as_str().into(), (*seq).into(), payload.as_str().into()];
        execute(tx, sql, values).await?;
    }
    Ok(())
}

/// Keeps the items whose view of the secret placements still holds.
async fn keep_guarded(tx: &DatabaseTransaction, items: &mut Vec<&Prepared>) -> Result<(), WriteFault> {
    let mut lost: HashSet<&SetId> = HashSet::new();
    for item in &*items {
        let Some(guard) = item.guard else { continue };
        let sql = "UPDATE set_states SET pending_rev = pending_rev + 1 WHERE set_id = $1 AND pending_rev = $2";
        if execute(tx, sql, vec![item.set_id.as_str().into(), guard.rev.into()]).await? == 0 {
            take_back(tx, item).await?;
            lost.insert(&item.set_id);
        }
    }
    items.retain(|item| !lost.contains(&item.set_id));
    Ok(())
}

async fn upsert_states(tx: &DatabaseTransaction, items: &[&Prepared]) -> Result<(), WriteFault> {
    if items.is_empty() {
        return Ok(());
    }
    let mut values: Vec<Value> = Vec::with_capacity(items.len() * 6);
    for item in items {
        push_state(&mut values, &item.set_id, &item.state);
    }
    insert_states(tx, items.len(), values).await
}

pub(super) fn push_state(values: &mut Vec<Value>, set_id: &SetId, state: &StateRow) {
    values.extend([
        set_id.as_str().into(),
        state.last_seq.into(),
        state.due_at_ms.into(),
        state.house_due.into(),
        0_i64.into(),
        state.state.as_str().into(),
    ]);
}

pub(super) async fn insert_states<C: ConnectionTrait>(
    tx: &C,
    count: usize,
    values: Vec<Value>,
) -> Result<(), WriteFault> {
    let sql = format!(
        "INSERT INTO set_states (set_id, last_seq, due_at_ms, house_due, pending_rev, state) VALUES {} \
         ON CONFLICT (set_id) DO UPDATE SET last_seq = excluded.last_seq, due_at_ms = excluded.due_at_ms, \
         house_due = excluded.house_due, state = excluded.state",
        rows(count, 6)
    );
    execute(tx, sql, values).await?;
    Ok(())
}

async fn end_sets(tx: &DatabaseTransaction, items: &[&Prepared]) -> Result<(), WriteFault> {
    for item in items {
        let Some(ended) = item.ended else { continue };
        let status = super::sets::status_number(ended.status);
        let values = vec![item.set_id.as_str().into(), status.into(), ended.at_ms.into()];
        execute(tx, "UPDATE sets SET status = $2, finished_at_ms = $3 WHERE id = $1", values).await?;
        let values = vec![item.set_id.as_str().into()];
        let sql = "UPDATE participant_sets SET active = 0 WHERE set_id = $1 AND participant_id IN \
                   (SELECT creator_id FROM sets WHERE id = $1 UNION ALL SELECT acceptor_id FROM sets WHERE id = $1)";
        execute(tx, sql, values).await?;
    }
    Ok(())
}

async fn write_strikes(tx: &DatabaseTransaction, items: &[&Prepared]) -> Result<(), WriteFault> {
    for item in items {
        for (participant, game, at_ms) in &item.strikes {
            let values = vec![
                item.set_id.as_str().into(),
                i64::from(game.0).into(),
                participant.as_str().into(),
                (*at_ms).into(),
            ];
            let sql = format!(
                "INSERT INTO strikes (set_id, game, participant_id, at_ms) VALUES ({}) ON CONFLICT DO NOTHING",
                list(1, 4)
            );
            execute(tx, sql, values).await?;
        }
    }
    Ok(())
}

/// A key that the log has already makes the transaction fail: nothing is done without a line of its own.
async fn log_operations(tx: &DatabaseTransaction, items: &[&Prepared]) -> Result<(), WriteFault> {
    for entry in items.iter().filter_map(|item| item.operation.as_ref()) {
        if !operator::append(tx, entry).await? {
            return Err(DbErr::Custom("the key of an operation is in the log already".to_owned()).into());
        }
    }
    Ok(())
}

async fn clear_pending(tx: &DatabaseTransaction, items: &[&Prepared]) -> Result<(), WriteFault> {
    for item in items.iter().filter(|item| item.guard.is_some() || item.ended.is_some()) {
        execute(tx, "DELETE FROM pending_moves WHERE set_id = $1", vec![item.set_id.as_str().into()]).await?;
    }
    Ok(())
}

//! The tables in memory, for simulations: the same texts in the same rows under the same fences, each method one
//! transaction under one lock. A gate before and after each lets a simulation make it slow, fail it, or lose its answer.
//! Not here: anything durable; built only with the feature `simulation`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use farside_kit::operator::LogEntry;
use farside_kit::time::UnixMs;
use tonic::async_trait;

use super::commit::{StateRow, event_rows, state_row};
use super::{
    Accepting, ChallengeFilter, Created, DueErrand, Errand, FramedLogged, FramedSet, NewChallenge, OutboxItem,
    PendingMove, PendingRound, Prepared, RecentSets, Request, RunningRound, Seen, SetFilter, SetSummary,
    SettlementMark, Storage, StoredKey, TimedSet, WriteFault,
};
use crate::domain::challenge::{Challenge, ChallengeStatus, Claim, Ending};
use crate::domain::event::SetStatus;
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::{ChallengeId, GameNumber, ParticipantId, Ply, Seat, Seq, SetId};
use crate::domain::outage::{Outage, OutagePolicy};
use crate::domain::standing::{Strike, Subject};

/// What a simulation does to a transaction.
#[async_trait]
pub trait Gate: Debug + Send + Sync {
    /// Before it: an error keeps it from happening.
    async fn before(&self) -> Result<(), MatchFault>;
    /// After it: an error is all that its caller learns, although it has happened.
    async fn after(&self) -> Result<(), MatchFault>;
}

/// A handle on tables in memory, through a gate of its own.
#[derive(Clone, Debug)]
pub struct MemoryStore {
    tables: Arc<Mutex<Tables>>,
    gate: Arc<dyn Gate>,
}

#[derive(Debug, Default)]
struct Tables {
    challenges: BTreeMap<ChallengeId, ChallengeRow>,
    sets: BTreeMap<SetId, SetRow>,
    events: BTreeMap<(SetId, i64), (i64, String)>,
    pending: BTreeMap<(SetId, GameNumber, Ply, Seat), PendingMove>,
    outbox: BTreeMap<String, OutboxRow>,
    strikes: BTreeMap<(SetId, GameNumber), (ParticipantId, i64)>,
    requests: BTreeMap<(ParticipantId, String), Request>,
    last_beat: Option<UnixMs>,
    /// By its beginning: its end, and whether it is done.
    outages: BTreeMap<UnixMs, (UnixMs, bool)>,
    keys: Vec<StoredKey>,
    /// Operations that were carried out, by what makes their lines unique.
    operations: BTreeSet<(String, String)>,
    suspensions: BTreeMap<String, UnixMs>,
    /// Records of sets whose events were deleted.
    records: BTreeMap<SetId, String>,
}

#[derive(Debug)]
struct ChallengeRow {
    challenge: Challenge,
    changed_at: UnixMs,
}

#[derive(Debug)]
struct SetRow {
    info: String,
    participants: [ParticipantId; 2],
    status: SetStatus,
    settlement: SettlementMark,
    finished_at_ms: Option<i64>,
    state: StateRow,
    pending_rev: i64,
}

#[derive(Debug)]
struct OutboxRow {
    item: OutboxItem,
    due_at: Option<UnixMs>,
    attempts: u32,
}

impl MemoryStore {
    /// Empty tables.
    #[must_use]
    pub fn new(gate: Arc<dyn Gate>) -> Self {
        Self { tables: Arc::default(), gate }
    }

    /// The same tables through another gate.
    #[must_use]
    pub fn through(&self, gate: Arc<dyn Gate>) -> Self {
        Self { tables: Arc::clone(&self.tables), gate }
    }

    async fn run<T: Send>(
        &self,
        work: impl FnOnce(&mut Tables) -> Result<T, WriteFault> + Send,
    ) -> Result<T, MatchFault> {
        self.gate.before().await?;
        let outcome = work(&mut self.tables.lock().unwrap_or_else(PoisonError::into_inner));
        self.gate.after().await?;
        Ok(outcome?)
    }
}

impl Tables {
    /// Appends a decision whose numbers are free and whose view of the placements holds; false when it is lost.
    fn write(&mut self, item: &Prepared) -> bool {
        let id = &item.set_id;
        let is_taken = item.events.iter().any(|(seq, ..)| self.events.contains_key(&(id.clone(), *seq)));
        let Some(row) = self.sets.get_mut(id).filter(|_| !is_taken) else {
            return false;
        };
        if let Some(guard) = item.guard {
            if guard.rev != row.pending_rev {
                return false;
            }
            row.pending_rev += 1;
        }
        row.state = item.state.clone();
        if let Some(ended) = item.ended {
            (row.status, row.finished_at_ms) = (ended.status, Some(ended.at_ms));
        }
        for (seq, at_ms, payload) in &item.events {
            self.events.insert((id.clone(), *seq), (*at_ms, payload.clone()));
        }
        for (who, game, at_ms) in &item.strikes {
            self.strikes.entry((id.clone(), *game)).or_insert((who.clone(), *at_ms));
        }
        if item.guard.is_some() || item.ended.is_some() {
            self.pending.retain(|(set, ..), _| set != id);
        }
        item.outbox.iter().for_each(|errand| self.add_errand(errand.clone()));
        if let Some(request) = &item.request {
            self.requests.entry(key(request)).or_insert_with(|| request.clone());
        }
        item.operation.as_ref().is_none_or(|entry| self.log(entry))
    }

    /// Logs an operation; false when its key is in the log already.
    fn log(&mut self, entry: &LogEntry) -> bool {
        let (request_id, step) = entry.key();
        self.operations.insert((request_id.to_owned(), step.to_owned()))
    }

    fn add_errand(&mut self, item: OutboxItem) {
        let due_at = Some(item.due_at);
        self.outbox.entry(item.key.clone()).or_insert(OutboxRow { item, due_at, attempts: 0 });
    }

    fn add_release(&mut self, challenge: &Challenge, hold_id: String, now: UnixMs) {
        if challenge.offer.stake.is_some() {
            let (key, subject) = (format!("{hold_id}:release"), challenge.id.0.clone());
            self.add_errand(OutboxItem { key, subject, errand: Errand::Release { hold_id }, due_at: now });
        }
    }

    /// Remembers a request; answers what it is about when it was remembered already.
    fn claim_request(&mut self, request: &Request) -> Result<Option<String>, WriteFault> {
        match self.requests.get(&key(request)) {
            None => {
                self.requests.insert(key(request), request.clone());
                Ok(None)
            }
            Some(known) if known.fingerprint != request.fingerprint => {
                Err(WriteFault::Refused(Refusal::IdempotencyMismatch))
            }
            Some(known) => Ok(Some(known.subject.clone())),
        }
    }

    fn count(&self, who: &ParticipantId) -> usize {
        let standing = |challenge: &Challenge| {
            matches!(challenge.status, ChallengeStatus::Pending | ChallengeStatus::Open)
                && (usize::from(challenge.offer.creator.id == *who)
                    + usize::from(challenge.claim.as_ref().is_some_and(|claim| claim.by == *who)))
                    > 0
        };
        let sets = self.sets.values().filter(|row| row.status == SetStatus::Active && row.participants.contains(who));
        sets.count() + self.challenges.values().filter(|row| standing(&row.challenge)).count()
    }

    fn check_limit(&self, ids: &[ParticipantId], limit: u32) -> Result<(), WriteFault> {
        let is_full = |id: &ParticipantId| self.count(id) >= limit as usize;
        if ids.iter().any(is_full) { Err(WriteFault::Refused(Refusal::TooManySets { limit })) } else { Ok(()) }
    }

    fn round(&self, id: &SetId, game: GameNumber, ply: Ply) -> PendingRound {
        let rev = self.sets.get(id).map_or(0, |row| row.pending_rev);
        let key = |seat| (id.clone(), game, ply, seat);
        let moves = Seat::BOTH.into_iter().filter_map(|seat| self.pending.get(&key(seat)).cloned()).collect();
        PendingRound { rev, moves }
    }

    fn challenges(&self, wanted: impl Fn(&ChallengeRow) -> bool) -> Vec<Challenge> {
        self.challenges.values().filter(|row| wanted(row)).map(|row| row.challenge.clone()).collect()
    }

    fn sets(&self, wanted: impl Fn(&SetRow) -> bool) -> impl Iterator<Item = (SetId, Seq)> {
        let found = self.sets.iter().filter(move |(_, row)| wanted(row));
        let found: Vec<_> = found.map(|(id, row)| (id.clone(), Seq(row.state.last_seq))).collect();
        found.into_iter()
    }
}

fn key(request: &Request) -> (ParticipantId, String) {
    (request.actor_id.clone(), request.request_id.clone())
}

fn framed(row: &SetRow) -> Result<FramedSet, WriteFault> {
    Ok(FramedSet::read(&row.info, row.state.last_seq, &row.state.state)?)
}

fn accept(tables: &mut Tables, accepting: &Accepting) -> Result<bool, WriteFault> {
    let (set, info) = (&accepting.set, &accepting.set.info);
    let Some(row) = tables.challenges.get_mut(&accepting.challenge_id) else {
        return Ok(false);
    };
    let challenge = &mut row.challenge;
    let is_claimed = challenge.claim.as_ref().is_some_and(|claim| claim.id == accepting.claim_id);
    if !is_claimed || !matches!(challenge.status, ChallengeStatus::Pending | ChallengeStatus::Open) {
        return Ok(false);
    }
    challenge.status = ChallengeStatus::Accepted;
    (challenge.set_id, challenge.acceptor) = (Some(info.id.clone()), Some(accepting.acceptor.clone()));
    row.changed_at = UnixMs(info.created_at_ms);
    if let Some(request) = &accepting.request {
        tables.claim_request(request)?;
    }
    for (seq, at_ms, payload) in event_rows(&accepting.events)? {
        tables.events.insert((info.id.clone(), seq), (at_ms, payload));
    }
    let settlement = if info.stakes.is_some() { SettlementMark::Pending } else { SettlementMark::None };
    let row = SetRow {
        info: serde_json::to_string(&**info)?,
        participants: [info.creator.id.clone(), info.acceptor.id.clone()],
        status: set.status,
        settlement,
        finished_at_ms: None,
        state: state_row(set)?,
        pending_rev: 0,
    };
    tables.sets.insert(info.id.clone(), row);
    Ok(true)
}

fn end(
    tables: &mut Tables,
    challenge: &Challenge,
    ending: Ending,
    request: Option<&Request>,
    now: UnixMs,
) -> Result<bool, WriteFault> {
    let is_known = request.is_some_and(|request| tables.requests.contains_key(&key(request)));
    let open = tables.challenges.get_mut(&challenge.id);
    let open = open.filter(|row| row.challenge.status == ChallengeStatus::Open && row.challenge.claim.is_none());
    match (is_known, open) {
        (true, _) => {}
        (false, None) if request.is_some() => return Err(WriteFault::Refused(Refusal::ChallengeClosed)),
        (false, None) => return Ok(false),
        (false, Some(row)) => {
            (row.challenge.status, row.changed_at) = (ending.status(), now);
            tables.add_release(challenge, challenge.creator_hold_id(), now);
        }
    }
    if let Some(request) = request {
        tables.claim_request(request)?;
    }
    Ok(true)
}

fn drop_claim(tables: &mut Tables, challenge: &Challenge, claim: &Claim, release: bool, now: UnixMs) {
    let mut became_set = false;
    if let Some(row) = tables.challenges.get_mut(&challenge.id)
        && row.challenge.claim.as_ref().is_some_and(|held| held.id == claim.id)
    {
        became_set = row.challenge.status == ChallengeStatus::Accepted;
        if !became_set {
            row.challenge.claim = None;
        }
    }
    if release && !became_set {
        tables.add_release(challenge, challenge.acceptor_hold_id(claim), now);
    }
}

fn create(tables: &mut Tables, new: NewChallenge) -> Result<Created, WriteFault> {
    if let Some(request) = &new.request
        && let Some(known) = tables.requests.get(&key(request))
    {
        if known.fingerprint != request.fingerprint {
            return Err(WriteFault::Refused(Refusal::IdempotencyMismatch));
        }
        return Ok(Created::Seen(ChallengeId(known.subject.clone())));
    }
    tables.check_limit(&new.limited, new.limit)?;
    if let Some(request) = &new.request {
        tables.claim_request(request)?;
    }
    let changed_at = new.challenge.created_at;
    tables.challenges.insert(new.challenge.id.clone(), ChallengeRow { challenge: new.challenge, changed_at });
    Ok(Created::Made)
}

fn place(
    tables: &mut Tables,
    id: &SetId,
    seq: Seq,
    RunningRound { game, ply, acting }: RunningRound,
    placed: PendingMove,
) -> Option<PendingRound> {
    let completes = tables.round(id, game, ply).moves.len() + 1 == acting;
    let key = (id.clone(), game, ply, placed.seat);
    let is_placed = tables.pending.contains_key(&key);
    let row = tables.sets.get_mut(id).filter(|row| row.state.last_seq == seq.0 && !is_placed)?;
    row.pending_rev += 1;
    tables.pending.insert(key, PendingMove { completes, seq, ..placed });
    Some(tables.round(id, game, ply))
}

#[async_trait]
impl Storage for MemoryStore {
    async fn beat(&self, now: UnixMs, policy: OutagePolicy) -> Result<Option<Outage>, MatchFault> {
        self.run(|tables| {
            let Some(last) = tables.last_beat else {
                tables.last_beat = Some(now);
                return Ok(None);
            };
            let outage = policy.between(last, now);
            if let Some(outage) = outage {
                tables.outages.entry(outage.from).or_insert((outage.to, false));
            }
            tables.last_beat = Some(last.max(now));
            Ok(outage)
        })
        .await
    }

    async fn last_beat(&self) -> Result<Option<UnixMs>, MatchFault> {
        self.run(|tables| Ok(tables.last_beat)).await
    }

    async fn open_outages(&self) -> Result<Vec<Outage>, MatchFault> {
        self.run(|tables| {
            let open = tables.outages.iter().filter(|(_, (_, is_done))| !is_done);
            Ok(open.map(|(from, (to, _))| Outage { from: *from, to: *to }).collect())
        })
        .await
    }

    async fn close_outage(&self, outage: Outage) -> Result<(), MatchFault> {
        self.run(|tables| {
            if let Some(row) = tables.outages.get_mut(&outage.from) {
                row.1 = true;
            }
            Ok(())
        })
        .await
    }

    async fn create_challenge(&self, new: NewChallenge) -> Result<Created, MatchFault> {
        self.run(|tables| create(tables, new)).await
    }

    async fn open_challenge(&self, id: &ChallengeId, winnings: i64, now: UnixMs) -> Result<bool, MatchFault> {
        self.run(|tables| {
            let pending = tables.challenges.get_mut(id);
            let Some(row) = pending.filter(|row| row.challenge.status == ChallengeStatus::Pending) else {
                return Ok(false);
            };
            row.challenge.status = ChallengeStatus::Open;
            (row.challenge.winnings_points, row.changed_at) = (winnings, now);
            Ok(true)
        })
        .await
    }

    async fn remove_pending(&self, challenge: &Challenge, release: bool, now: UnixMs) -> Result<(), MatchFault> {
        self.run(|tables| {
            let is_pending = |row: &ChallengeRow| row.challenge.status == ChallengeStatus::Pending;
            if tables.challenges.get(&challenge.id).is_some_and(is_pending) {
                tables.challenges.remove(&challenge.id);
                tables.requests.retain(|_, request| request.subject != challenge.id.0);
                if release {
                    tables.add_release(challenge, challenge.creator_hold_id(), now);
                }
            }
            Ok(())
        })
        .await
    }

    async fn challenge(&self, id: &ChallengeId) -> Result<Option<Challenge>, MatchFault> {
        self.run(|tables| Ok(tables.challenges.get(id).map(|row| row.challenge.clone()))).await
    }

    async fn claim_challenge(
        &self,
        id: &ChallengeId,
        claim: &Claim,
        limited: bool,
        limit: u32,
    ) -> Result<bool, MatchFault> {
        self.run(|tables| {
            if limited {
                tables.check_limit(std::slice::from_ref(&claim.by), limit)?;
            }
            let open = tables.challenges.get_mut(id).map(|row| &mut row.challenge);
            let Some(open) = open.filter(|challenge| challenge.is_open(claim.at) && challenge.claim.is_none()) else {
                return Ok(false);
            };
            open.claim = Some(claim.clone());
            Ok(true)
        })
        .await
    }

    async fn drop_claim(
        &self,
        challenge: &Challenge,
        claim: &Claim,
        release: bool,
        now: UnixMs,
    ) -> Result<(), MatchFault> {
        self.run(|tables| {
            drop_claim(tables, challenge, claim, release, now);
            Ok(())
        })
        .await
    }

    async fn accept_challenge(&self, accepting: Accepting) -> Result<bool, MatchFault> {
        self.run(|tables| accept(tables, &accepting)).await
    }

    async fn end_challenge(
        &self,
        challenge: &Challenge,
        ending: Ending,
        request: Option<Request>,
        now: UnixMs,
    ) -> Result<bool, MatchFault> {
        self.run(|tables| end(tables, challenge, ending, request.as_ref(), now)).await
    }

    async fn expired_challenges(&self, now: UnixMs, limit: u32) -> Result<Vec<Challenge>, MatchFault> {
        self.run(|tables| {
            let has_expired = |challenge: &Challenge| {
                challenge.status == ChallengeStatus::Open && challenge.claim.is_none() && challenge.expires_at <= now
            };
            let mut found = tables.challenges(|row| has_expired(&row.challenge));
            found.truncate(limit as usize);
            Ok(found)
        })
        .await
    }

    async fn abandoned_challenges(&self, before: UnixMs, limit: u32) -> Result<Vec<Challenge>, MatchFault> {
        self.run(|tables| {
            let is_abandoned = |challenge: &Challenge| match challenge.status {
                ChallengeStatus::Pending => challenge.created_at < before,
                ChallengeStatus::Open => challenge.claim.as_ref().is_some_and(|claim| claim.at < before),
                _ => false,
            };
            let mut found = tables.challenges(|row| is_abandoned(&row.challenge));
            found.truncate(limit as usize);
            Ok(found)
        })
        .await
    }

    async fn recent_challenges(&self, who: &ParticipantId, since: UnixMs) -> Result<Vec<Challenge>, MatchFault> {
        self.run(|tables| {
            let concerns = |challenge: &Challenge| {
                let others = [&challenge.offer.opponent, &challenge.acceptor];
                challenge.offer.creator.id == *who
                    || others.into_iter().flatten().any(|participant| participant.id == *who)
            };
            let is_recent =
                |row: &ChallengeRow| row.challenge.status == ChallengeStatus::Open || row.changed_at >= since;
            let is_shown = |row: &ChallengeRow| row.challenge.status != ChallengeStatus::Pending;
            Ok(tables.challenges(|row| is_shown(row) && is_recent(row) && concerns(&row.challenge)))
        })
        .await
    }

    async fn list_challenges(&self, filter: &ChallengeFilter) -> Result<Vec<Challenge>, MatchFault> {
        self.run(|tables| {
            let is_wanted = |challenge: &Challenge| {
                challenge.status != ChallengeStatus::Pending
                    && filter.game.as_ref().is_none_or(|game| challenge.offer.game == *game)
                    && filter.status.is_none_or(|status| challenge.status == status)
                    && filter.below.as_ref().is_none_or(|below| challenge.id.0 < *below)
            };
            let mut found = tables.challenges(|row| is_wanted(&row.challenge));
            found.reverse();
            found.truncate(filter.limit as usize);
            Ok(found)
        })
        .await
    }

    async fn commit(&self, batch: Vec<Arc<Prepared>>) -> Result<Vec<bool>, MatchFault> {
        self.run(|tables| {
            // As in the database, the first decision on a set is the only one of a batch that can win.
            let mut known = BTreeSet::new();
            Ok(batch.iter().map(|item| known.insert(item.set_id.clone()) && tables.write(item)).collect())
        })
        .await
    }

    async fn events(&self, id: &SetId, after: Seq, limit: u32) -> Result<Vec<FramedLogged>, MatchFault> {
        self.run(|tables| {
            let range = (id.clone(), after.0 + 1)..=(id.clone(), i64::MAX);
            let found = tables.events.range(range).take(limit as usize);
            Ok(found
                .map(|((_, seq), (at_ms, text))| FramedLogged::read(*seq, *at_ms, text))
                .collect::<Result<_, _>>()?)
        })
        .await
    }

    async fn signing_keys(&self) -> Result<Vec<StoredKey>, MatchFault> {
        self.run(|tables| Ok(tables.keys.clone())).await
    }

    async fn keep_signing_key(&self, key: StoredKey) -> Result<(), MatchFault> {
        self.run(|tables| {
            if tables.keys.iter().all(|known| known.id != key.id) {
                tables.keys.push(key);
            }
            Ok(())
        })
        .await
    }

    async fn active_sets_and_open_challenges(&self) -> Result<(i64, i64), MatchFault> {
        self.run(|tables| {
            let sets = tables.sets.values().filter(|row| row.status == SetStatus::Active).count();
            let open = tables.challenges(|row| row.challenge.status == ChallengeStatus::Open).len();
            Ok((i64::try_from(sets).unwrap_or(i64::MAX), i64::try_from(open).unwrap_or(i64::MAX)))
        })
        .await
    }

    async fn list_sets(&self, filter: &SetFilter) -> Result<Vec<SetSummary>, MatchFault> {
        self.run(|tables| {
            let wanted = tables.sets.iter().rev().filter(|(id, row)| {
                filter.status.is_none_or(|status| row.status == status)
                    && filter.participant.as_ref().is_none_or(|who| row.participants.contains(who))
                    && filter.below.as_ref().is_none_or(|below| id.0 < *below)
            });
            let summary = |row: &SetRow| Ok(SetSummary { framed: framed(row)?, settlement: row.settlement });
            wanted.map(|(_, row)| summary(row)).take(filter.limit as usize).collect()
        })
        .await
    }

    async fn take_errands(&self, now: UnixMs, retry_at: UnixMs, limit: u32) -> Result<Vec<DueErrand>, MatchFault> {
        self.run(|tables| {
            let due = tables.outbox.values_mut().filter(|row| row.due_at.is_some_and(|due| due <= now));
            let take = |row: &mut OutboxRow| {
                row.due_at = Some(retry_at);
                row.attempts += 1;
                DueErrand { key: row.item.key.clone(), errand: row.item.errand.clone(), attempts: row.attempts }
            };
            Ok(due.take(limit as usize).map(take).collect())
        })
        .await
    }

    async fn finish_errands(&self, done: Vec<DueErrand>, _now: UnixMs) -> Result<(), MatchFault> {
        self.run(|tables| {
            for item in done {
                if let Some(row) = tables.outbox.get_mut(&item.key) {
                    row.due_at = None;
                }
                if let Some((id, mark)) = item.errand.mark()
                    && let Some(row) = tables.sets.get_mut(id)
                {
                    row.settlement = mark;
                }
            }
            Ok(())
        })
        .await
    }

    async fn put_off(&self, key: &str, due_at: UnixMs) -> Result<(), MatchFault> {
        self.run(|tables| {
            if let Some(row) = tables.outbox.get_mut(key).filter(|row| row.due_at.is_some()) {
                row.due_at = Some(due_at);
            }
            Ok(())
        })
        .await
    }

    async fn outbox_age(&self) -> Result<(i64, Option<UnixMs>), MatchFault> {
        self.run(|tables| {
            let waiting: Vec<_> = tables.outbox.values().filter(|row| row.due_at.is_some()).collect();
            let oldest = waiting.iter().map(|row| row.item.due_at).min();
            Ok((i64::try_from(waiting.len()).unwrap_or(i64::MAX), oldest))
        })
        .await
    }

    async fn active_count(&self, id: &ParticipantId) -> Result<u32, MatchFault> {
        self.run(|tables| Ok(u32::try_from(tables.count(id)).unwrap_or(u32::MAX))).await
    }

    async fn strikes(&self, id: &ParticipantId, since: UnixMs) -> Result<Vec<Strike>, MatchFault> {
        self.run(|tables| {
            let own = tables.strikes.iter().filter(|(_, (who, at_ms))| who == id && *at_ms > since.0);
            let strike = |((set_id, _), (_, at_ms)): (&(SetId, GameNumber), &(ParticipantId, i64))| Strike {
                set_id: set_id.clone(),
                at: UnixMs(*at_ms),
            };
            let mut found: Vec<Strike> = own.map(strike).collect();
            found.sort_by_key(|strike| std::cmp::Reverse(strike.at));
            Ok(found)
        })
        .await
    }

    async fn active_sets(&self, id: &ParticipantId) -> Result<Vec<(SetId, Seq)>, MatchFault> {
        self.run(|tables| {
            Ok(tables.sets(|row| row.status == SetStatus::Active && row.participants.contains(id)).collect())
        })
        .await
    }

    async fn recent_sets(&self, id: &ParticipantId, since: UnixMs) -> Result<RecentSets, MatchFault> {
        self.run(|tables| {
            let is_recent = |row: &SetRow| {
                row.status == SetStatus::Active || row.finished_at_ms.is_some_and(|ended_ms| ended_ms >= since.0)
            };
            Ok(RecentSets { sets: tables.sets(|row| row.participants.contains(id) && is_recent(row)).collect() })
        })
        .await
    }

    async fn pending_round(&self, id: &SetId, game: GameNumber, ply: Ply) -> Result<PendingRound, MatchFault> {
        self.run(|tables| Ok(tables.round(id, game, ply))).await
    }

    async fn place(
        &self,
        id: &SetId,
        seq: Seq,
        round: RunningRound,
        placed: PendingMove,
    ) -> Result<Option<PendingRound>, MatchFault> {
        self.run(|tables| Ok(place(tables, id, seq, round, placed))).await
    }

    async fn stale_rounds(&self, before: UnixMs, limit: u32) -> Result<Vec<SetId>, MatchFault> {
        self.run(|tables| {
            let stale = tables.pending.iter().filter(|(_, pending)| pending.completes && pending.received < before);
            Ok(stale.map(|((id, ..), _)| id.clone()).take(limit as usize).collect())
        })
        .await
    }

    async fn seen(&self, actor: &ParticipantId, request_id: &str, fingerprint: &str) -> Result<Seen, MatchFault> {
        if request_id.is_empty() {
            return Ok(Seen::Never);
        }
        self.run(|tables| match tables.requests.get(&(actor.clone(), request_id.to_owned())) {
            None => Ok(Seen::Never),
            Some(known) if known.fingerprint != fingerprint => Err(WriteFault::Refused(Refusal::IdempotencyMismatch)),
            Some(known) => Ok(Seen::Before { subject: known.subject.clone(), first: known.first }),
        })
        .await
    }

    async fn has_requests_before(&self, before: UnixMs) -> Result<bool, MatchFault> {
        self.run(|tables| Ok(tables.requests.values().any(|request| request.at < before))).await
    }

    async fn forget_requests(&self, before: UnixMs) -> Result<u64, MatchFault> {
        self.run(|tables| {
            let count = tables.requests.len();
            tables.requests.retain(|_, request| request.at >= before);
            Ok(u64::try_from(count - tables.requests.len()).unwrap_or(u64::MAX))
        })
        .await
    }

    async fn set(&self, id: &SetId) -> Result<Option<FramedSet>, MatchFault> {
        self.run(|tables| tables.sets.get(id).map(framed).transpose()).await
    }

    async fn last_seq(&self, id: &SetId) -> Result<Option<Seq>, MatchFault> {
        self.run(|tables| Ok(tables.sets.get(id).map(|row| Seq(row.state.last_seq)))).await
    }

    async fn settlement(&self, id: &SetId) -> Result<SettlementMark, MatchFault> {
        self.run(|tables| Ok(tables.sets.get(id).map_or(SettlementMark::None, |row| row.settlement))).await
    }

    async fn due_sets(&self, before: UnixMs, limit: u32) -> Result<Vec<SetId>, MatchFault> {
        self.run(|tables| {
            let due = tables.sets.iter().filter_map(|(id, row)| Some((row.state.due_at_ms?, id)));
            let mut due: Vec<_> = due.filter(|(due_ms, _)| *due_ms < before.0).collect();
            due.sort();
            Ok(due.into_iter().map(|(_, id)| id.clone()).take(limit as usize).collect())
        })
        .await
    }

    async fn next_due(&self) -> Result<Option<UnixMs>, MatchFault> {
        self.run(|tables| Ok(tables.sets.values().filter_map(|row| row.state.due_at_ms).min().map(UnixMs))).await
    }

    async fn house_sets(&self, limit: u32) -> Result<Vec<SetId>, MatchFault> {
        self.run(|tables| {
            Ok(tables.sets(|row| row.state.house_due == 1).map(|(id, _)| id).take(limit as usize).collect())
        })
        .await
    }

    async fn timed_sets(&self, after: &SetId, limit: u32) -> Result<Vec<TimedSet>, MatchFault> {
        self.run(|tables| {
            let is_timed = |row: &SetRow| row.status == SetStatus::Active && row.state.due_at_ms.is_some();
            let found = tables.sets.iter().filter(|(id, row)| *id > after && is_timed(row)).take(limit as usize);
            let timed = |row: &SetRow| Ok(TimedSet { framed: framed(row)?, house_due: row.state.house_due == 1 });
            found.map(|(_, row)| timed(row)).collect()
        })
        .await
    }

    async fn suspended_since(&self, ids: &[&str]) -> Result<Option<UnixMs>, MatchFault> {
        self.run(|tables| Ok(ids.iter().filter_map(|id| tables.suspensions.get(*id)).min().copied())).await
    }

    async fn suspend(&self, subject: Subject, entry: LogEntry) -> Result<bool, MatchFault> {
        self.run(|tables| {
            let is_new = tables.log(&entry);
            if is_new {
                tables.suspensions.entry(subject.as_str().to_owned()).or_insert(entry.at());
            }
            Ok(is_new)
        })
        .await
    }

    async fn unsuspend(&self, subject: Subject, entry: LogEntry) -> Result<bool, MatchFault> {
        self.run(|tables| {
            if !tables.suspensions.contains_key(subject.as_str()) {
                return Err(WriteFault::Refused(Refusal::NotSuspended));
            }
            let is_new = tables.log(&entry);
            if is_new {
                tables.suspensions.remove(subject.as_str());
            }
            Ok(is_new)
        })
        .await
    }

    async fn ended_with_events(&self, before: UnixMs, limit: u32) -> Result<Vec<SetId>, MatchFault> {
        self.run(|tables| {
            let kept = tables.sets.iter().filter(|(id, _)| !tables.records.contains_key(id));
            let ended = kept.filter_map(|(id, row)| Some((row.finished_at_ms?, id)));
            let mut ended: Vec<_> = ended.filter(|(ended_ms, _)| *ended_ms < before.0).collect();
            ended.sort();
            Ok(ended.into_iter().map(|(_, id)| id.clone()).take(limit as usize).collect())
        })
        .await
    }

    async fn has_events(&self, id: &SetId) -> Result<bool, MatchFault> {
        self.run(|tables| Ok(tables.sets.contains_key(id) && !tables.records.contains_key(id))).await
    }

    async fn kept_record(&self, id: &SetId) -> Result<Option<String>, MatchFault> {
        self.run(|tables| Ok(tables.records.get(id).cloned())).await
    }

    async fn forget_events(&self, id: SetId, record: String, _now: UnixMs) -> Result<u64, MatchFault> {
        self.run(|tables| {
            if tables.records.contains_key(&id) || !tables.sets.contains_key(&id) {
                return Ok(0);
            }
            let count = tables.events.len();
            tables.events.retain(|(set, _), _| *set != id);
            tables.records.insert(id, record);
            Ok(u64::try_from(count - tables.events.len()).unwrap_or(u64::MAX))
        })
        .await
    }
}

//! What falls due by itself: flags, idle practice, expired challenges, things left behind by a crash. Every replica
//! sweeps; the fence decides who was first. Not here: what a flag means (`domain/set`).

use std::sync::Arc;
use std::time::Duration;

use farside_kit::fault::Chain;
use farside_kit::time::DurationMs;

use super::Engine;
use super::cache::Locked;
use super::change::{ATTEMPTS, Along};
use crate::domain::challenge::{Challenge, ChallengeStatus, Ending};
use crate::domain::fault::MatchFault;
use crate::domain::ids::{Seat, SetId};
use crate::domain::set::{PRACTICE_IDLE, Set};
use crate::failpoint::Failpoint;
use crate::store::Guard;

/// Between two sweeps while something may fall soon.
const BUSY_PAUSE: Duration = Duration::from_millis(20);
/// Between two sweeps while nothing may.
const IDLE_PAUSE: Duration = Duration::from_millis(200);
/// Sets of one sweep.
const SWEEP_LIMIT: u32 = 512;
/// Between two rounds of upkeep.
const UPKEEP_PAUSE: Duration = Duration::from_millis(500);
/// Challenges of one round of upkeep.
const UPKEEP_LIMIT: u32 = 200;
/// What has been in the making for so long was left behind by a crash.
const ABANDONED_AFTER: DurationMs = DurationMs(30_000);
/// A complete round that nobody has revealed for so long was left behind.
const UNREVEALED_AFTER: DurationMs = DurationMs(1_000);
/// Rounds of upkeep from one count of sets and challenges to the next.
const ROUNDS_PER_COUNT: u32 = 10;
/// Longest grace.
const GRACE_MAX: DurationMs = DurationMs(2_000);
/// Requests are remembered for a day.
const REQUESTS_KEPT: DurationMs = DurationMs::from_seconds(24 * 3_600);

impl Engine {
    /// How long after its deadline a flag falls at the earliest: long enough for moves in time that are under way.
    pub(super) fn grace(&self) -> DurationMs {
        let measured = DurationMs(self.metrics.stamp_to_commit_p99_ms().saturating_mul(2));
        self.settings.grace.max(measured).min(GRACE_MAX)
    }

    /// Sweeps deadlines until the process stops.
    pub(super) async fn sweep_deadlines(self: Arc<Self>) {
        loop {
            let pause = match self.sweep_once().await {
                Ok(pause) => pause,
                Err(fault) => {
                    tracing::warn!(chain = %Chain(&fault), "deadlines cannot be swept now");
                    IDLE_PAUSE
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    async fn sweep_once(&self) -> Result<Duration, MatchFault> {
        let now = self.clock.now();
        if self.beats.is_suspicious(now) {
            return Ok(BUSY_PAUSE);
        }
        let due = self.store.due_sets(now.minus(self.grace()), SWEEP_LIMIT).await?;
        let is_full = u32::try_from(due.len()).is_ok_and(|found| found == SWEEP_LIMIT);
        for done in futures::future::join_all(due.iter().map(|id| self.flag(id))).await {
            if let Err(fault) = done {
                tracing::warn!(chain = %Chain(&fault), "a due set cannot be ended now");
            }
        }
        if is_full {
            return Ok(Duration::ZERO);
        }
        let next = self.store.next_due().await?;
        let is_soon = next.is_some_and(|due| due.since(now).to_std() < IDLE_PAUSE * 2);
        Ok(if is_soon { BUSY_PAUSE } else { IDLE_PAUSE })
    }

    /// Makes fall what is due in a set.
    pub(super) async fn flag(&self, id: &SetId) -> Result<(), MatchFault> {
        for _ in 0..ATTEMPTS {
            let (mut locked, set) = self.lock(id).await?;
            if self.flag_locked(&mut locked, &set).await? {
                return Ok(());
            }
        }
        Err(MatchFault::Contended)
    }

    /// As [`Engine::flag`], in a slot that is held. False when the set has to be read again.
    pub(super) async fn flag_locked(&self, locked: &mut Locked, set: &Arc<Set>) -> Result<bool, MatchFault> {
        let now = self.clock.now();
        if self.beats.is_suspicious(now) && self.credit_locked(locked, set).await? {
            return Ok(true);
        }
        if set.info.clock.is_none() {
            return self.end_idle(locked, set).await;
        }
        let (submitted, guard) = self.submitted(set).await?;
        let decision = set.flag(&submitted, self.next_start(set).await?, now);
        let Some(decision) = decision else {
            let revealed = set.due_at().is_some_and(|due| due < now) && self.reveal_if_complete(locked, set).await?;
            let is_stale = !revealed && self.store.last_seq(&set.info.id).await?.is_some_and(|seq| seq > set.seq);
            if is_stale {
                locked.put(None);
            }
            return Ok(!is_stale);
        };
        let due = set.due_at();
        let committed = self.commit(locked, decision, Along { guard, ..Along::default() }).await?.is_some();
        if let Some(due) = due.filter(|_| committed) {
            self.metrics.flag(self.clock.now().since(due));
        }
        Ok(committed)
    }

    async fn submitted(&self, set: &Set) -> Result<(Vec<Seat>, Option<Guard>), MatchFault> {
        let Some(game) = set.current().filter(|_| set.info.simultaneous) else {
            return Ok((Vec::new(), None));
        };
        let round = self.store.pending_round(&set.info.id, game.number, game.ply()).await?;
        Ok((round.seats(), Some(Guard { rev: round.rev, game: game.number, ply: game.ply() })))
    }

    async fn end_idle(&self, locked: &mut Locked, set: &Arc<Set>) -> Result<bool, MatchFault> {
        let now = self.clock.now();
        let is_idle = now.since(farside_kit::time::UnixMs(set.touched_ms)) > PRACTICE_IDLE;
        match set.abort(now).filter(|_| is_idle) {
            Some(decision) => {
                let along = Along { guard: self.guard(set).await?, ..Along::default() };
                Ok(self.commit(locked, decision, along).await?.is_some())
            }
            None => Ok(true),
        }
    }

    /// Keeps challenges, rounds and house bots going until the process stops.
    pub(super) async fn keep_up(self: Arc<Self>) {
        for round in 0_u32.. {
            if round % ROUNDS_PER_COUNT == 0 {
                self.count().await;
            }
            if let Err(fault) = self.keep_up_once().await {
                tracing::warn!(chain = %Chain(&fault), "upkeep is put off");
            }
            tokio::time::sleep(UPKEEP_PAUSE).await;
        }
    }

    /// Shows how much is going on. When it cannot be counted, the last figures stay.
    async fn count(&self) {
        match self.store.active_sets_and_open_challenges().await {
            Ok((sets, challenges)) => self.metrics.standing(sets, challenges),
            Err(fault) => tracing::debug!(chain = %Chain(&fault), "sets cannot be counted now"),
        }
    }

    async fn keep_up_once(&self) -> Result<(), MatchFault> {
        let now = self.clock.now();
        for challenge in self.store.expired_challenges(now, UPKEEP_LIMIT).await? {
            if self.store.end_challenge(&challenge, Ending::Expired, None, now).await? {
                Failpoint::ChallengeExpired.reach();
                self.ended(&challenge.id).await?;
            }
        }
        for challenge in self.store.abandoned_challenges(now.minus(ABANDONED_AFTER), UPKEEP_LIMIT).await? {
            self.clear_up(&challenge).await?;
        }
        for id in self.store.stale_rounds(now.minus(UNREVEALED_AFTER), UPKEEP_LIMIT).await? {
            let (mut locked, set) = self.lock(&id).await?;
            self.reveal_if_complete(&mut locked, &set).await?;
        }
        for id in self.store.house_sets(UPKEEP_LIMIT).await? {
            self.house.push(&id);
        }
        if self.store.has_requests_before(now.minus(REQUESTS_KEPT)).await? {
            self.store.forget_requests(now.minus(REQUESTS_KEPT)).await?;
        }
        let (waiting, oldest) = self.store.outbox_age().await?;
        self.metrics.outbox(waiting, oldest.map_or(DurationMs::ZERO, |oldest| now.since(oldest)));
        Ok(())
    }

    /// Ends what a crash has left in the middle.
    async fn clear_up(&self, challenge: &Challenge) -> Result<(), MatchFault> {
        tracing::warn!(challenge = %challenge.id, status = ?challenge.status, "left behind, cleared up");
        let now = self.clock.now();
        match (&challenge.status, &challenge.claim) {
            (ChallengeStatus::Pending, _) => self.store.remove_pending(challenge, true, now).await?,
            (_, Some(claim)) => self.store.drop_claim(challenge, claim, true, now).await?,
            _ => {}
        }
        self.outbox_wake.notify_one();
        Ok(())
    }
}

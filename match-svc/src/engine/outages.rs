//! Beats and outages: time in which no move could have been accepted is given back to every running clock, or ends the
//! timed sets when it was too long. A move is never charged for an outage that was not given back yet.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use farside_kit::time::{DurationMs, UnixMs};

use super::Engine;
use super::cache::Locked;
use super::change::{Along, prepared};
use crate::domain::fault::MatchFault;
use crate::domain::ids::SetId;
use crate::domain::outage::{Outage, OutagePolicy};
use crate::domain::set::{Decision, Set};
use crate::failpoint::Failpoint;
use crate::store::TimedSet;

/// Between two looks at the last beat.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// A process that starts was away for longer than this if the last beat is older: beats come once a second.
const START_TOLERANCE: DurationMs = DurationMs(1_200);
/// Sets given their time back in one transaction.
const PAGE: u32 = 500;

/// What this replica knows of beats, without asking the database.
#[derive(Debug, Default)]
pub(super) struct BeatWatch {
    /// The last beat, or 0 when there has never been one.
    last_ms: AtomicI64,
    has_open_outage: AtomicBool,
    /// Whether the database was looked at: until then nothing is known, and nobody loses on time.
    has_looked: AtomicBool,
    tolerated_ms: AtomicI64,
    /// Held while the above change together; whoever reads them needs no more than each by itself.
    changing: Mutex<()>,
}

impl BeatWatch {
    /// Whether an outage may lie before `now` that has not been given back.
    pub(super) fn is_suspicious(&self, now: UnixMs) -> bool {
        let last_ms = self.last_ms.load(Ordering::Relaxed);
        let tolerated_ms = self.tolerated_ms.load(Ordering::Relaxed);
        !self.has_looked.load(Ordering::Relaxed)
            || self.has_open_outage.load(Ordering::Relaxed)
            || (last_ms > 0 && now.0 - last_ms > tolerated_ms)
    }

    /// A beat of this replica is in the database; what was open stays open until it has been given back. After a gap that
    /// this beat did not end, another replica's beat did, and its outage is open until a look says otherwise.
    fn beaten(&self, now: UnixMs, ends_outage: bool, policy: OutagePolicy) {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        self.tolerated_ms.store(policy.tolerated.0, Ordering::Relaxed);
        let before = UnixMs(self.last_ms.load(Ordering::SeqCst));
        let after_gap = policy.between(before, now).is_some();
        self.has_open_outage.fetch_or(ends_outage || after_gap, Ordering::SeqCst);
        self.last_ms.fetch_max(now.0, Ordering::SeqCst);
    }

    fn saw(&self, last: Option<UnixMs>, has_open_outage: bool, policy: OutagePolicy) {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        self.tolerated_ms.store(policy.tolerated.0, Ordering::Relaxed);
        let last_ms = last.map_or(0, |last| last.0);
        // A look that a beat has overtaken does not know whether that beat ended an outage.
        if self.last_ms.fetch_max(last_ms, Ordering::SeqCst) <= last_ms {
            self.has_open_outage.store(has_open_outage, Ordering::SeqCst);
        } else {
            self.has_open_outage.fetch_or(has_open_outage, Ordering::SeqCst);
        }
        self.has_looked.store(true, Ordering::SeqCst);
    }
}

impl Engine {
    /// Proves that a move could be accepted: rules-svc answers and the database writes.
    ///
    /// # Errors
    ///
    /// When one of them does not.
    pub async fn beat(&self) -> Result<UnixMs, MatchFault> {
        self.rules.ping().await?;
        let now = self.clock.now();
        let outage = self.store.beat(now, self.settings.outages).await?;
        if let Some(outage) = outage {
            tracing::warn!(from_ms = outage.from.0, to_ms = outage.to.0, "outage found");
        }
        self.beats.beaten(now, outage.is_some(), self.settings.outages);
        Ok(now)
    }

    /// At the start of a process: whatever lies between the last beat and now is given back before anything else.
    pub(super) async fn recover_outage(&self) -> Result<(), MatchFault> {
        if self.store.last_beat().await?.is_some() {
            let policy = OutagePolicy { tolerated: START_TOLERANCE, ..self.settings.outages };
            self.store.beat(self.clock.now(), policy).await?;
            Failpoint::OutageFound.reach();
        }
        self.give_back().await
    }

    /// Keeps looking at the last beat, and gives back what is open.
    pub(super) async fn watch_beats(self: Arc<Self>) {
        loop {
            if let Err(fault) = self.give_back().await {
                tracing::warn!(chain = %farside_kit::fault::Chain(&fault), "outages cannot be given back now");
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    async fn give_back(&self) -> Result<(), MatchFault> {
        let open = self.look_at_beats().await?;
        for outage in &open {
            self.give_back_one(*outage).await?;
            self.store.close_outage(*outage).await?;
        }
        if !open.is_empty() {
            self.look_at_beats().await?;
        }
        Ok(())
    }

    async fn look_at_beats(&self) -> Result<Vec<Outage>, MatchFault> {
        let last = self.store.last_beat().await?;
        let open = if last.is_some() { self.store.open_outages().await? } else { Vec::new() };
        self.beats.saw(last, !open.is_empty(), self.settings.outages);
        Ok(open)
    }

    /// Gives an outage back to every set that it concerns, page by page, each page in one transaction: ten thousand
    /// running games wait a second or two for it.
    async fn give_back_one(&self, outage: Outage) -> Result<(), MatchFault> {
        let mut after = SetId::from("");
        loop {
            let page = self.store.timed_sets(&after, PAGE).await?;
            let Some(last) = page.last().map(|timed| timed.framed.info().id.clone()) else {
                return Ok(());
            };
            // Whoever moved on meanwhile is asked for one by one.
            for id in self.credit_page(&page, outage).await? {
                self.credit(&id, outage).await?;
            }
            Failpoint::ClocksCredited.reach();
            after = last;
        }
    }

    /// Gives an outage back to a page of sets; answers those that somebody else changed first.
    async fn credit_page(&self, page: &[TimedSet], outage: Outage) -> Result<Vec<SetId>, MatchFault> {
        let owed = page.iter().filter_map(|timed| Some((timed, self.owed(&timed.framed.bare(), outage)?)));
        let owed: Vec<(&TimedSet, Decision)> = owed.collect();
        let rows = owed.iter().map(|(timed, decision)| {
            Ok(Arc::new(prepared(decision, Along::default())?.with_house_due(timed.house_due)))
        });
        let won = self.store.commit(rows.collect::<Result<_, MatchFault>>()?).await?;
        let mut lost = Vec::new();
        for ((_, decision), won) in owed.iter().zip(won) {
            let info = &decision.next.info;
            if !won {
                lost.push(info.id.clone());
                continue;
            }
            for logged in &decision.events {
                self.metrics.event(&info.game, &logged.event);
            }
            self.announce(info, decision.next.seq.0);
            self.wake_outbox(&decision.effects);
        }
        Ok(lost)
    }

    async fn credit(&self, id: &SetId, outage: Outage) -> Result<(), MatchFault> {
        for _ in 0..super::change::ATTEMPTS {
            let (mut locked, set) = self.lock(id).await?;
            if self.credit_one(&mut locked, &set, outage).await? != Credit::Lost {
                return Ok(());
            }
        }
        Err(MatchFault::Contended)
    }

    /// Gives a set what is open of outages. True when it has changed.
    pub(super) async fn credit_locked(&self, locked: &mut Locked, set: &Arc<Set>) -> Result<bool, MatchFault> {
        let now = self.clock.now();
        if self.store.last_beat().await?.is_some() {
            // Whoever asks has got a move this far: that is a proof as good as a beat.
            self.store.beat(now, self.settings.outages).await?;
        }
        for outage in self.look_at_beats().await? {
            if self.credit_one(locked, set, outage).await? != Credit::Nothing {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What an outage comes to for a set: its time back, or its end. Secret placements stay where they are.
    fn owed(&self, set: &Set, outage: Outage) -> Option<Decision> {
        let now = self.clock.now();
        if !self.settings.outages.aborts(outage) {
            return set.credit(outage.from, outage.to, now);
        }
        let is_concerned = set.info.clock.is_some() && outage.to.0 > set.credited_through_ms;
        if is_concerned && set.info.created_at_ms < outage.to.0 { set.abort(now) } else { None }
    }

    async fn credit_one(&self, locked: &mut Locked, set: &Arc<Set>, outage: Outage) -> Result<Credit, MatchFault> {
        let Some(decision) = self.owed(set, outage) else {
            return Ok(Credit::Nothing);
        };
        match self.commit(locked, decision, Along::default()).await? {
            Some(_) => Ok(Credit::Given),
            None => Ok(Credit::Lost),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Credit {
    Nothing,
    Given,
    Lost,
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: OutagePolicy = OutagePolicy { tolerated: DurationMs(2_000), abort_after: DurationMs(600_000) };

    fn looked(last_ms: i64) -> BeatWatch {
        let watch = BeatWatch::default();
        watch.saw(Some(UnixMs(last_ms)), false, POLICY);
        watch
    }

    #[test]
    fn nobody_loses_on_time_between_a_gap_and_the_look_after_it_whoever_ended_the_gap() {
        for ends_outage in [true, false] {
            let watch = looked(6_000);
            assert!(!watch.is_suspicious(UnixMs(7_000)));
            assert!(watch.is_suspicious(UnixMs(13_000)));
            watch.beaten(UnixMs(13_000), ends_outage, POLICY);
            assert!(watch.is_suspicious(UnixMs(13_001)));
            watch.saw(Some(UnixMs(13_000)), false, POLICY);
            assert!(!watch.is_suspicious(UnixMs(13_001)));
        }
    }

    #[test]
    fn beats_without_a_gap_raise_no_doubt() {
        let watch = looked(6_000);
        watch.beaten(UnixMs(7_000), false, POLICY);
        assert!(!watch.is_suspicious(UnixMs(8_000)));
    }
}

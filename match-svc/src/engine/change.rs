//! The one way to change a set: take its slot, decide on what is there, commit through the fence; when another replica
//! was first, read again and decide again. Not here: the decisions.

use std::sync::Arc;

use farside_kit::operator::LogEntry;

use super::Engine;
use super::cache::Locked;
use crate::domain::event::{Event, Logged};
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::{GameNumber, Seat, SetId, Side};
use crate::domain::participant::ParticipantKind;
use crate::domain::position::Position;
use crate::domain::set::{Decision, Effect, Set, SetInfo};
use crate::failpoint::Failpoint;
use crate::store::{Commit, Errand, Guard, OutboxItem, Prepared, Request, prepare};
use crate::upstream::Start;

/// How often a change is decided anew before it is given up as contended.
pub(super) const ATTEMPTS: u32 = 6;

/// What goes with a decision.
#[derive(Clone, Debug, Default)]
pub(super) struct Along {
    /// The secret placements that it depends on.
    pub(super) guard: Option<Guard>,
    /// The request to remember.
    pub(super) request: Option<Request>,
    /// The line in the log of operations.
    pub(super) operation: Option<LogEntry>,
}

impl Engine {
    /// Takes the slot of a set and makes sure that the set is in it.
    pub(super) async fn lock(&self, id: &SetId) -> Result<(Locked, Arc<Set>), MatchFault> {
        let mut locked = self.cache.lock(id).await;
        if let Some(set) = locked.get() {
            let set = Arc::clone(set);
            return Ok((locked, set));
        }
        let Some(framed) = self.store.set(id).await? else {
            self.cache.forget(id).await;
            return Err(Refusal::SetNotFound.into());
        };
        let set = Arc::new(self.positions.hydrate_set(framed).await?);
        locked.put(Some(Arc::clone(&set)));
        Ok((locked, set))
    }

    /// Commits a decision. False when another replica was first: the slot is empty then, and the set to be read again.
    pub(super) async fn commit(
        &self,
        locked: &mut Locked,
        decision: Decision,
        along: Along,
    ) -> Result<Option<Arc<Set>>, MatchFault> {
        let prepared = prepared(&decision, along)?;
        let Decision { next, events, effects } = decision;
        // Whatever comes of it, the set in the slot is not to be trusted before the answer.
        locked.put(None);
        if !self.committer.submit(prepared).await? {
            return Ok(None);
        }
        Failpoint::CommitAnswered.reach();
        let next = Arc::new(next);
        locked.put(Some(Arc::clone(&next)));
        self.tell(&next, &events).await;
        self.wake_outbox(&effects);
        Ok(Some(next))
    }

    /// Has what a durable decision leaves to do done at once.
    pub(super) fn wake_outbox(&self, effects: &[Effect]) {
        if !effects.is_empty() {
            Failpoint::EndDurable.reach();
            self.outbox_wake.notify_one();
        }
    }

    /// Tells everyone concerned that a set has moved on.
    pub(super) async fn tell(&self, set: &Arc<Set>, events: &[Logged]) {
        for logged in events {
            if let Some(game) = logged.event.game() {
                self.positions.keep(&set.info.game, &game.position).await;
            }
            self.metrics.event(&set.info.game, &logged.event);
        }
        self.announce(&set.info, set.seq.0);
        if set.house_to_act().is_some() {
            self.house.push(&set.info.id);
        }
    }

    /// Says on the bus that a set is now at `seq`.
    pub(super) fn announce(&self, info: &SetInfo, seq: i64) {
        self.bus.publish(&set_topic(&info.id), seq.to_be_bytes().to_vec());
        for side in Side::BOTH {
            let participant = info.participant(side);
            if participant.kind != ParticipantKind::House {
                self.bus.publish(&participant_topic(participant.id.as_str()), info.id.0.clone().into_bytes());
            }
        }
    }

    /// The first position of the game after the current one; none when no game follows.
    pub(super) async fn next_start(&self, set: &Set) -> Result<Option<Arc<Position>>, MatchFault> {
        match set.current() {
            Some(game) if set.has_next_game() => Ok(Some(self.first_position(&set.info, game.number.next()).await?)),
            _ => Ok(None),
        }
    }

    /// The first position of a game of a set.
    pub(super) async fn first_position(&self, info: &SetInfo, number: GameNumber) -> Result<Arc<Position>, MatchFault> {
        let position = self.rules.new_game(start(info, number)).await?;
        Ok(Arc::new(position))
    }
}

/// A decision as rows, with what goes with it.
pub(super) fn prepared(decision: &Decision, along: Along) -> Result<Prepared, MatchFault> {
    let Decision { next, events, effects } = decision;
    prepare(Commit {
        outbox: errands(next, effects),
        strikes: strikes(&next.info, effects),
        next,
        events,
        guard: along.guard,
        request: along.request,
        operation: along.operation,
    })
}

/// What a game of a set begins from.
pub(super) fn start(info: &SetInfo, number: GameNumber) -> Start<'_> {
    Start {
        game: &info.game,
        options_json: &info.options_json,
        seed: info.secrets.seed,
        number,
        creator_seat: info.creator_seat_in(number),
    }
}

/// The bus topic of a set.
pub(super) fn set_topic(id: &SetId) -> String {
    format!("match.set.{id}")
}

/// The bus topic of a participant.
pub(super) fn participant_topic(id: &str) -> String {
    format!("match.participant.{id}")
}

/// Where `side` sits in game `number`.
pub(super) fn seat_in(info: &SetInfo, side: Side, number: GameNumber) -> Seat {
    let creator = info.creator_seat_in(number);
    match side {
        Side::Creator => creator,
        Side::Acceptor => creator.other(),
    }
}

fn errands(set: &Set, effects: &[Effect]) -> Vec<OutboxItem> {
    effects.iter().filter_map(|effect| errand(set, *effect)).collect()
}

fn errand(set: &Set, effect: Effect) -> Option<OutboxItem> {
    let set_id = set.info.id.clone();
    let hold_ids = || set.info.stakes.as_ref().map(|stakes| stakes.hold_ids.clone());
    let (name, errand) = match effect {
        Effect::Strike(..) => return None,
        Effect::Settle(winner) => ("settle", Errand::Settle { set_id, winner, hold_ids: hold_ids()? }),
        Effect::Split => ("split", Errand::Split { set_id, hold_ids: hold_ids()? }),
        Effect::Refund => ("refund", Errand::Refund { set_id, hold_ids: hold_ids()? }),
        Effect::Rate => ("rate", Errand::Rate { set_id }),
    };
    Some(OutboxItem {
        key: format!("{}:{name}", set.info.id),
        subject: set.info.id.0.clone(),
        errand,
        due_at: farside_kit::time::UnixMs(set.logged_ms),
    })
}

fn strikes(info: &SetInfo, effects: &[Effect]) -> Vec<(crate::domain::ids::ParticipantId, GameNumber)> {
    let strike = |effect: &Effect| match effect {
        Effect::Strike(side, number) => Some((info.participant(*side).id.clone(), *number)),
        _ => None,
    };
    effects.iter().filter_map(strike).collect()
}

/// Whether an event ends a set.
pub(super) fn ends_set(event: &Event) -> bool {
    matches!(event, Event::SetFinished { .. })
}

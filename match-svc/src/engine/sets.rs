//! Reading sets, and what participants do to a set besides moving: resigning, pausing. Not here: moves, operators.

use std::sync::Arc;

use farside_kit::time::UnixMs;

use super::Engine;
use super::change::{ATTEMPTS, Along, seat_in};
use super::lobby::remember;
use crate::domain::event::SetStatus;
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::game::Game;
use crate::domain::ids::{GameNumber, OwnerId, ParticipantId, Seq, SetId};
use crate::domain::past::as_of;
use crate::domain::set::{Decision, Set};
use crate::domain::standing::{STRIKE_WINDOW, Strike, suspended_until};
use crate::domain::view::{Viewer, game_json};
use crate::store::{FirstAnswer, Guard, Request, Seen, SetFilter, SetSummary, SettlementMark};

/// A set as one viewer may see it.
#[derive(Clone, Debug)]
pub struct SetAnswer {
    /// The set.
    pub set: Arc<Set>,
    /// What became of its stakes.
    pub settlement: SettlementMark,
    /// Who looks; none for a spectator.
    pub viewer: Option<ParticipantId>,
    /// Whether the viewer's placement for the running round is in.
    pub submitted: bool,
    /// The moment that the answer to a change speaks of, the same however often it is asked; none for the present.
    pub as_of: Option<UnixMs>,
}

impl SetAnswer {
    /// A set just after a change, without a placement of the viewer: what a repeated request is answered with, too. Its
    /// stakes have not ended by then, as far as this answer goes.
    pub(super) fn first(set: Arc<Set>, viewer: Option<ParticipantId>) -> Self {
        let settlement = if set.info.stakes.is_some() { SettlementMark::Pending } else { SettlementMark::None };
        let as_of = Some(UnixMs(set.logged_ms));
        Self { set, settlement, viewer, submitted: false, as_of }
    }
}

/// Something that a participant does to a set.
#[derive(Clone, Debug)]
pub struct ActorRequest {
    /// Idempotency key, or empty.
    pub request_id: String,
    /// Hash of the content.
    pub fingerprint: String,
    /// Who.
    pub actor: ParticipantId,
    /// Which set.
    pub set_id: SetId,
}

/// What is done to a set besides moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    Resign(GameNumber),
    Pause(bool),
}

impl Command {
    /// Whether secret placements of the running round come to nothing by it.
    fn ends_round(self) -> bool {
        match self {
            Self::Resign(_) => true,
            Self::Pause(_) => false,
        }
    }
}

/// How a participant stands.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Newest first.
    pub strikes: Vec<Strike>,
    /// No staked challenges until then.
    pub suspended_until: Option<UnixMs>,
    /// Since when an operator has suspended it or its owner.
    pub suspended_since: Option<UnixMs>,
    /// Active sets and open challenges together.
    pub active_sets: u32,
}

impl Engine {
    /// A set as it is now, whichever replica changed it last.
    pub(super) async fn current(&self, id: &SetId) -> Result<Arc<Set>, MatchFault> {
        let seq = self.store.last_seq(id).await?.ok_or(Refusal::SetNotFound)?;
        self.at_least(id, seq).await
    }

    /// A set as of event `seq` or later.
    pub(super) async fn at_least(&self, id: &SetId, seq: Seq) -> Result<Arc<Set>, MatchFault> {
        let (mut locked, set) = self.lock(id).await?;
        if set.seq >= seq {
            return Ok(set);
        }
        locked.put(None);
        drop(locked);
        Ok(self.lock(id).await?.1)
    }

    /// A set as `viewer` may see it.
    ///
    /// # Errors
    ///
    /// No such set.
    pub async fn set_for(&self, id: &SetId, viewer: Option<ParticipantId>) -> Result<SetAnswer, MatchFault> {
        let set = self.current(id).await?;
        self.answer_for(set, viewer).await
    }

    pub(super) async fn answer_for(
        &self,
        set: Arc<Set>,
        viewer: Option<ParticipantId>,
    ) -> Result<SetAnswer, MatchFault> {
        let settlement = match &set.info.stakes {
            None => SettlementMark::None,
            // As of this answer the stakes of a running set have not ended, whatever has happened since it was read.
            Some(_) if set.status == SetStatus::Active => SettlementMark::Pending,
            Some(_) => self.store.settlement(&set.info.id).await?,
        };
        let submitted = match &viewer {
            Some(viewer) => self.has_submitted(&set, viewer).await?,
            None => false,
        };
        Ok(SetAnswer { set, settlement, viewer, submitted, as_of: None })
    }

    /// Whether a participant's placement for the running round is in.
    pub(super) async fn has_submitted(&self, set: &Set, who: &ParticipantId) -> Result<bool, MatchFault> {
        let Some(game) = set.current().filter(|game| set.info.simultaneous && !game.is_over()) else {
            return Ok(false);
        };
        let Some(side) = set.info.side_of(who) else {
            return Ok(false);
        };
        let round = self.store.pending_round(&set.info.id, game.number, game.ply()).await?;
        Ok(round.of(game.seat_of(side)).is_some())
    }

    /// A page of sets.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn list_sets(&self, filter: &SetFilter) -> Result<Vec<SetSummary>, MatchFault> {
        self.store.list_sets(filter).await
    }

    /// Gives up a game.
    ///
    /// # Errors
    ///
    /// In the order of the contract.
    pub async fn resign(&self, request: ActorRequest, number: GameNumber) -> Result<SetAnswer, MatchFault> {
        self.change(&request, Command::Resign(number)).await
    }

    /// Stops or goes on with untimed practice.
    ///
    /// # Errors
    ///
    /// In the order of the contract.
    pub async fn set_paused(&self, request: ActorRequest, paused: bool) -> Result<SetAnswer, MatchFault> {
        self.change(&request, Command::Pause(paused)).await
    }

    async fn decide(&self, set: &Arc<Set>, actor: &ParticipantId, command: Command) -> Result<Decision, MatchFault> {
        let side = set.info.side_of(actor).ok_or(Refusal::NotInSet)?;
        let current = set.current().ok_or_else(|| MatchFault::internal("a set without a game"))?;
        let number = if let Command::Resign(number) = command { number } else { current.number };
        let seat = seat_in(&set.info, side, number);
        if set.game(number).is_none() {
            return Err(Refusal::GameNotStarted(number.0).into());
        }
        if current.number != number || current.is_over() {
            return Err(game_over(set, number, seat).into());
        }
        match command {
            Command::Pause(paused) => Ok(set.set_paused(paused, self.clock.now()).ok_or(Refusal::NotPausable)?),
            Command::Resign(_) => {
                let next_start = self.next_start(set).await?;
                Ok(set.resign(seat, next_start, self.clock.now()).ok_or(Refusal::SetNotActive)?)
            }
        }
    }

    /// Carries out a command on the set as it is, once for each request.
    async fn change(&self, request: &ActorRequest, command: Command) -> Result<SetAnswer, MatchFault> {
        for _ in 0..ATTEMPTS {
            if let Some(before) = self.changed_before(request).await? {
                return Ok(before);
            }
            let set = self.current(&request.set_id).await?;
            let (mut locked, set) = match self.lock(&request.set_id).await? {
                (locked, latest) if latest.seq >= set.seq => (locked, latest),
                _ => continue,
            };
            let decision = match self.decide(&set, &request.actor, command).await {
                Ok(decision) => decision,
                Err(fault) => {
                    drop(locked);
                    // The same request may have been carried out meanwhile: then this is no refusal.
                    return self.changed_before(request).await?.ok_or(fault);
                }
            };
            let (guard, submitted) = match command.ends_round() {
                true => (self.guard(&set).await?, false),
                false => (None, self.has_submitted(&set, &request.actor).await?),
            };
            let first = FirstAnswer { seq: decision.next.seq, submitted };
            let along = Along { guard, request: self.memory(request, first), ..Along::default() };
            if let Some(next) = self.commit(&mut locked, decision, along).await? {
                return Ok(SetAnswer { submitted, ..SetAnswer::first(next, Some(request.actor.clone())) });
            }
        }
        Err(MatchFault::Contended)
    }

    /// The first answer to a request that was carried out before.
    async fn changed_before(&self, request: &ActorRequest) -> Result<Option<SetAnswer>, MatchFault> {
        let seen = self.store.seen(&request.actor, &request.request_id, &request.fingerprint).await?;
        match seen {
            Seen::Never => Ok(None),
            Seen::Before { first: Some(first), .. } => {
                Ok(Some(self.set_as_of(&request.set_id, first, &request.actor).await?))
            }
            // Remembered by a release that did not note where in the log it was.
            Seen::Before { .. } => Ok(Some(self.set_for(&request.set_id, Some(request.actor.clone())).await?)),
        }
    }

    /// A set as it was answered first.
    pub(super) async fn set_as_of(
        &self,
        id: &SetId,
        FirstAnswer { seq, submitted }: FirstAnswer,
        viewer: &ParticipantId,
    ) -> Result<SetAnswer, MatchFault> {
        let set = self.current(id).await?;
        let log = self.whole_log(&set.info).await?;
        let past = as_of(&set.info, &log, seq).ok_or_else(|| MatchFault::internal("a log without that event"))?;
        Ok(SetAnswer { submitted, ..SetAnswer::first(Arc::new(past), Some(viewer.clone())) })
    }

    fn memory(&self, request: &ActorRequest, first: FirstAnswer) -> Option<Request> {
        let now = self.clock.now();
        let memory = remember(&request.request_id, &request.fingerprint, &request.actor, request.set_id.as_str(), now);
        memory.map(|memory| Request { first: Some(first), ..memory })
    }

    /// The secret placements that a decision about the running round ends; none in games with turns.
    pub(super) async fn guard(&self, set: &Set) -> Result<Option<Guard>, MatchFault> {
        let Some(game) = set.current().filter(|_| set.info.simultaneous) else {
            return Ok(None);
        };
        let round = self.store.pending_round(&set.info.id, game.number, game.ply()).await?;
        Ok(Some(Guard { rev: round.rev, game: game.number, ply: game.ply() }))
    }

    /// How a participant stands.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn standing(&self, who: &ParticipantId, owner: Option<&OwnerId>) -> Result<Standing, MatchFault> {
        let now = self.clock.now();
        let ids: Vec<&str> = std::iter::once(who.as_str()).chain(owner.map(OwnerId::as_str)).collect();
        let strikes = self.store.strikes(who, UnixMs(0)).await?;
        let recent: Vec<Strike> =
            strikes.iter().filter(|strike| now.since(strike.at) < STRIKE_WINDOW).cloned().collect();
        Ok(Standing {
            suspended_until: suspended_until(&recent, now),
            suspended_since: self.store.suspended_since(&ids).await?,
            active_sets: self.store.active_count(who).await?,
            strikes,
        })
    }
}

fn game_over(set: &Set, number: GameNumber, seat: crate::domain::ids::Seat) -> Refusal {
    let game: Option<&Game> = set.game(number).or_else(|| set.current());
    let viewer = Viewer { seat: Some(seat), submitted: false };
    Refusal::GameOver { game_json: game.map(|game| game_json(&set.info, game, viewer)).unwrap_or_default() }
}

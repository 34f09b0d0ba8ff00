//! Reading sets, and what participants do to a set besides moving: resigning, pausing. Not here: moves, operators.

use std::sync::Arc;

use super::Engine;
use super::change::{ATTEMPTS, Along, seat_in};
use super::lobby::remember;
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::game::Game;
use crate::domain::ids::{GameNumber, OwnerId, ParticipantId, Seq, SetId};
use crate::domain::set::{Decision, Set};
use crate::domain::standing::{STRIKE_WINDOW, Strike, suspended_until};
use crate::domain::view::{Viewer, game_json};
use crate::store::{Guard, Request, Seen, SetFilter, SetSummary, SettlementMark};

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

/// How a participant stands.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Newest first.
    pub strikes: Vec<Strike>,
    /// No staked challenges until then.
    pub suspended_until: Option<farside_kit::time::UnixMs>,
    /// Since when an operator has suspended it or its owner.
    pub suspended_since: Option<farside_kit::time::UnixMs>,
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
            Some(_) => self.store.settlement(&set.info.id).await?,
            None => SettlementMark::None,
        };
        let submitted = match &viewer {
            Some(viewer) => self.has_submitted(&set, viewer).await?,
            None => false,
        };
        Ok(SetAnswer { set, settlement, viewer, submitted })
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
        let viewer = Some(request.actor.clone());
        if let Seen::Before(_) = self.store.seen(&request.actor, &request.request_id, &request.fingerprint).await? {
            return self.set_for(&request.set_id, viewer).await;
        }
        for _ in 0..ATTEMPTS {
            let set = self.current(&request.set_id).await?;
            let (mut locked, set) = match self.lock(&request.set_id).await? {
                (locked, latest) if latest.seq >= set.seq => (locked, latest),
                _ => continue,
            };
            let decision = self.decide(&set, &request.actor, command).await?;
            let along = Along { guard: self.guard(&set).await?, request: self.memory(request), ..Along::default() };
            if let Some(next) = self.commit(&mut locked, decision, along).await? {
                drop(locked);
                return self.answer_for(next, viewer).await;
            }
        }
        Err(MatchFault::Contended)
    }

    fn memory(&self, request: &ActorRequest) -> Option<Request> {
        let now = self.clock.now();
        remember(&request.request_id, &request.fingerprint, &request.actor, request.set_id.as_str(), now)
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
        let strikes = self.store.strikes(who, farside_kit::time::UnixMs(0)).await?;
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

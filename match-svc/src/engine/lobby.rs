//! Challenges: made with the creator's stake held, accepted by exactly one, or ended with the stake given back. A
//! crash between two steps is found by the upkeep. Not here: what a challenge may ask for (`domain/offer`).

use std::sync::Arc;
use std::time::Duration;

use farside_kit::ids::random_bytes;
use farside_kit::time::UnixMs;
use sha2::{Digest as _, Sha256};

use super::Engine;
use super::change::participant_topic;
use super::moves::is_refusal;
use super::sets::SetAnswer;
use crate::domain::challenge::{Challenge, ChallengeStatus, Claim, Ending, Offer, expires_at};
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::{ChallengeId, GameId, GameNumber, ParticipantId, Seq, SetId};
use crate::domain::offer::{ChallengeKind, Format, GameFacts, Proposal, Stake, Terms, check_nonce};
use crate::domain::participant::Participant;
use crate::domain::set::{Secrets, Set, SetInfo, StakeHolds};
use crate::domain::standing::{STRIKE_WINDOW, suspended_until};
use crate::failpoint::Failpoint;
use crate::store::{Accepting, Created, FirstAnswer, NewChallenge, Request, Seen};

/// How long someone waits for the end of another one's attempt to accept.
const CLAIM_PATIENCE: u32 = 80;
/// Between two looks at it.
const CLAIM_PAUSE: Duration = Duration::from_millis(25);

/// A challenge to make.
#[derive(Clone, Debug)]
pub struct CreateRequest {
    /// Idempotency key, or empty.
    pub request_id: String,
    /// Hash of the content.
    pub fingerprint: String,
    /// The game.
    pub game: GameId,
    /// Options as JSON, or empty.
    pub options_json: String,
    /// Everything else.
    pub proposal: Proposal,
}

/// Something that a participant does to a challenge.
#[derive(Clone, Debug)]
pub struct AcceptRequest {
    /// Idempotency key, or empty.
    pub request_id: String,
    /// Hash of the content.
    pub fingerprint: String,
    /// Who.
    pub actor: Participant,
    /// Which challenge.
    pub challenge_id: ChallengeId,
    /// The acceptor's part of the seed.
    pub nonce: Option<String>,
}

/// A challenge, and its set when there is one.
#[derive(Clone, Debug)]
pub struct ChallengeAnswer {
    /// The challenge.
    pub challenge: Challenge,
    /// Its set.
    pub set: Option<SetAnswer>,
}

impl Engine {
    /// Makes a challenge; practice begins at once.
    ///
    /// # Errors
    ///
    /// In the order of the contract.
    pub async fn create_challenge(&self, request: CreateRequest) -> Result<ChallengeAnswer, MatchFault> {
        let creator = request.proposal.creator.clone();
        if let Seen::Before { subject, .. } =
            self.store.seen(&creator.id, &request.request_id, &request.fingerprint).await?
        {
            return self.answer_created(&ChallengeId(subject), &creator.id).await;
        }
        let challenge = self.propose(&request).await?;
        self.check_suspension(&creator, request.proposal.stake.as_ref()).await?;
        if let Some(opponent) =
            request.proposal.opponent.as_ref().filter(|_| challenge.offer.kind == ChallengeKind::Practice)
        {
            self.check_operators(opponent).await?;
        }
        match self.insert_challenge(&request, &challenge).await? {
            Created::Seen(id) => self.answer_created(&id, &creator.id).await,
            Created::Made => self.follow_up(challenge, &creator.id).await,
        }
    }

    /// The challenge that a request comes to. What is refused by a remembered contract or currency is looked at again by
    /// the present one.
    async fn propose(&self, request: &CreateRequest) -> Result<Challenge, MatchFault> {
        match self.propose_once(request).await {
            Err(MatchFault::Refused(_)) => {
                self.games.forget(&request.game).await;
                self.propose_once(request).await
            }
            proposed => proposed,
        }
    }

    async fn propose_once(&self, request: &CreateRequest) -> Result<Challenge, MatchFault> {
        let facts = self.games.facts(&request.game).await?;
        request.proposal.check_form(&facts)?;
        let options_json = self.rules.resolve_options(&request.game, &request.options_json).await?;
        let limits = match &request.proposal.stake {
            Some(stake) => self.games.currency(&stake.currency).await?,
            None => None,
        };
        let terms = request.proposal.terms(&facts, limits.as_ref())?;
        Ok(self.new_challenge(&request.proposal, &facts, options_json, &terms))
    }

    fn new_challenge(&self, proposal: &Proposal, facts: &GameFacts, options_json: String, terms: &Terms) -> Challenge {
        let now = self.clock.now();
        let server_seed = random_bytes::<32>(&*self.ids);
        let games_total = if proposal.format == Format::Single { 1 } else { facts.games_per_set };
        let offer = Offer {
            game: facts.id.clone(),
            contract_version: facts.version,
            simultaneous: facts.simultaneous,
            kind: terms.kind,
            options_json,
            clock: terms.clock,
            stake: proposal.stake.clone(),
            rated: terms.rated,
            unrated_reason: terms.unrated_reason.to_owned(),
            format: proposal.format,
            games_total,
            creator: proposal.creator.clone(),
            opponent: proposal.opponent.clone(),
            server_seed,
            seed_hash: Sha256::digest(server_seed).into(),
            creator_nonce: proposal.nonce.clone(),
            declined_reason: terms.declined_reason.unwrap_or_default().to_owned(),
        };
        let at_once = proposal.opponent.as_ref().filter(|_| terms.kind == ChallengeKind::Practice);
        Challenge {
            id: ChallengeId(self.new_id("chal_")),
            status: first_status(&offer),
            acceptor: None,
            set_id: None,
            claim: at_once.map(|opponent| self.new_claim(&opponent.id)),
            winnings_points: 0,
            expires_at: expires_at(now, proposal.expires_in_s, self.settings.challenge_expiry_s),
            created_at: now,
            offer,
        }
    }

    fn new_claim(&self, by: &ParticipantId) -> Claim {
        Claim { id: self.new_id(""), by: by.clone(), at: self.clock.now() }
    }

    async fn insert_challenge(&self, request: &CreateRequest, challenge: &Challenge) -> Result<Created, MatchFault> {
        let offer = &challenge.offer;
        let second = offer.opponent.as_ref().filter(|opponent| challenge.claim.is_some() && !opponent.is_house());
        let limited = std::iter::once(&offer.creator).chain(second).map(|who| who.id.clone()).collect();
        self.store
            .create_challenge(NewChallenge {
                limited: if challenge.status == ChallengeStatus::Declined { Vec::new() } else { limited },
                limit: self.settings.set_limit,
                request: remember(
                    &request.request_id,
                    &request.fingerprint,
                    &offer.creator.id,
                    &challenge.id.0,
                    challenge.created_at,
                ),
                challenge: challenge.clone(),
            })
            .await
    }

    /// What follows once a challenge is there: its stake is held, or its set begins.
    async fn follow_up(&self, mut challenge: Challenge, viewer: &ParticipantId) -> Result<ChallengeAnswer, MatchFault> {
        if let (Some(claim), Some(opponent)) = (challenge.claim.clone(), challenge.offer.opponent.clone()) {
            let begun = self.begin_set(&challenge, &opponent, &claim, None, None).await;
            if !matches!(begun, Ok(Some(_))) {
                self.store.remove_pending(&challenge, false, self.clock.now()).await?;
            }
            let set = begun?.ok_or(MatchFault::Contended)?;
            challenge.status = ChallengeStatus::Accepted;
            challenge.set_id = Some(set.info.id.clone());
            let set = SetAnswer::first(set, Some(viewer.clone()));
            return Ok(ChallengeAnswer { challenge, set: Some(set) });
        }
        if challenge.status == ChallengeStatus::Pending {
            challenge.winnings_points = self.hold_creator(&challenge).await?;
            challenge.status = ChallengeStatus::Open;
        }
        self.announce_challenge(&challenge);
        self.metrics.challenge(&challenge.offer.game);
        Ok(ChallengeAnswer { challenge, set: None })
    }

    /// Holds the creator's stake and opens the challenge; removes it when the ledger refuses.
    async fn hold_creator(&self, challenge: &Challenge) -> Result<i64, MatchFault> {
        let Some(stake) = &challenge.offer.stake else {
            return Ok(0);
        };
        let creator = &challenge.offer.creator;
        let held = self.ledger.hold(&challenge.creator_hold_id(), creator, stake, challenge.id.as_str()).await;
        Failpoint::ChallengeHeld.reach();
        let now = self.clock.now();
        match held {
            Err(fault) => {
                self.store.remove_pending(challenge, !is_refusal(&fault), now).await?;
                self.outbox_wake.notify_one();
                Err(fault)
            }
            Ok(held) if self.store.open_challenge(&challenge.id, held.winnings_points, now).await? => {
                Ok(held.winnings_points)
            }
            // The upkeep gave it up meanwhile, and the stake back.
            Ok(_) => Err(MatchFault::Contended),
        }
    }

    /// Answers a request that made a challenge before; waits for one that is still being made.
    async fn answer_created(&self, id: &ChallengeId, viewer: &ParticipantId) -> Result<ChallengeAnswer, MatchFault> {
        for _ in 0..CLAIM_PATIENCE {
            match self.store.challenge(id).await? {
                Some(challenge) if challenge.status == ChallengeStatus::Pending => {
                    tokio::time::sleep(CLAIM_PAUSE).await;
                }
                Some(challenge) => return self.as_made(challenge, viewer).await,
                None => break,
            }
        }
        Err(MatchFault::Contended)
    }

    /// A challenge as whoever made it was told of it, whatever became of it since.
    async fn as_made(&self, challenge: Challenge, viewer: &ParticipantId) -> Result<ChallengeAnswer, MatchFault> {
        if challenge.offer.kind == ChallengeKind::Practice {
            return self.as_accepted(challenge, viewer).await;
        }
        let is_declined = !challenge.offer.declined_reason.is_empty();
        let status = if is_declined { ChallengeStatus::Declined } else { ChallengeStatus::Open };
        let challenge = Challenge { status, acceptor: None, set_id: None, claim: None, ..challenge };
        Ok(ChallengeAnswer { challenge, set: None })
    }

    /// An accepted challenge with its set as it began.
    async fn as_accepted(&self, challenge: Challenge, viewer: &ParticipantId) -> Result<ChallengeAnswer, MatchFault> {
        let set = match &challenge.set_id {
            Some(set_id) => Some(self.set_as_of(set_id, FirstAnswer { seq: Seq(1), submitted: false }, viewer).await?),
            None => None,
        };
        Ok(ChallengeAnswer { challenge, set })
    }

    /// Reads a challenge.
    ///
    /// # Errors
    ///
    /// No such challenge.
    pub async fn challenge(&self, id: &ChallengeId) -> Result<Challenge, MatchFault> {
        let found = self.store.challenge(id).await?;
        let visible = found.filter(|challenge| challenge.status != ChallengeStatus::Pending);
        Ok(visible.ok_or(Refusal::ChallengeNotFound)?)
    }

    /// A page of challenges.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn list_challenges(&self, filter: &crate::store::ChallengeFilter) -> Result<Vec<Challenge>, MatchFault> {
        self.store.list_challenges(filter).await
    }

    async fn check_operators(&self, who: &Participant) -> Result<(), MatchFault> {
        if self.is_suspended(who).await? { Err(Refusal::SuspendedByOperator.into()) } else { Ok(()) }
    }

    async fn check_suspension(&self, who: &Participant, stake: Option<&Stake>) -> Result<(), MatchFault> {
        self.check_operators(who).await?;
        if stake.is_none() {
            return Ok(());
        }
        let now = self.clock.now();
        let strikes = self.store.strikes(&who.id, now.minus(STRIKE_WINDOW)).await?;
        match suspended_until(&strikes, now) {
            Some(until) => Err(Refusal::Suspended { until }.into()),
            None => Ok(()),
        }
    }

    /// Accepts a challenge and begins its set.
    ///
    /// # Errors
    ///
    /// In the order of the contract.
    pub async fn accept_challenge(&self, request: AcceptRequest) -> Result<ChallengeAnswer, MatchFault> {
        if let Some(before) = self.accepted_before(&request).await? {
            return Ok(before);
        }
        match self.accept_once(&request).await {
            // The same request may have been carried out meanwhile, by whoever got it first.
            Err(fault @ (MatchFault::Refused(_) | MatchFault::Contended)) => {
                self.accepted_before(&request).await?.ok_or(fault)
            }
            accepted => accepted,
        }
    }

    /// The first answer to a request to accept that was carried out before.
    async fn accepted_before(&self, request: &AcceptRequest) -> Result<Option<ChallengeAnswer>, MatchFault> {
        if !self.was_done(request).await? {
            return Ok(None);
        }
        let challenge = self.challenge(&request.challenge_id).await?;
        Ok(Some(self.as_accepted(challenge, &request.actor.id).await?))
    }

    async fn was_done(&self, request: &AcceptRequest) -> Result<bool, MatchFault> {
        let seen = self.store.seen(&request.actor.id, &request.request_id, &request.fingerprint).await?;
        Ok(seen != Seen::Never)
    }

    async fn accept_once(&self, request: &AcceptRequest) -> Result<ChallengeAnswer, MatchFault> {
        let actor = &request.actor;
        let challenge = self.challenge(&request.challenge_id).await?;
        challenge.check_acceptor(actor, self.clock.now())?;
        check_nonce(request.nonce.as_deref())?;
        self.check_suspension(actor, challenge.offer.stake.as_ref()).await?;
        if self.is_suspended(&challenge.offer.creator).await? {
            return Err(Refusal::ChallengeClosed.into());
        }
        let (challenge, claim) = self.claim(&challenge, actor).await?;
        let begun = self.hold_and_begin(&challenge, &claim, request).await;
        match begun {
            Ok(Some(set)) => {
                let accepted = self.challenge(&challenge.id).await?;
                self.announce_challenge(&accepted);
                let set = SetAnswer::first(set, Some(actor.id.clone()));
                Ok(ChallengeAnswer { challenge: accepted, set: Some(set) })
            }
            Ok(None) => {
                self.give_up(&challenge, &claim, true).await?;
                Err(Refusal::ChallengeClosed.into())
            }
            Err(fault) => {
                self.give_up(&challenge, &claim, !is_refusal(&fault)).await?;
                Err(fault)
            }
        }
    }

    /// Waits for the right to go ahead with accepting.
    async fn claim(&self, challenge: &Challenge, actor: &Participant) -> Result<(Challenge, Claim), MatchFault> {
        let limited = !actor.is_house();
        let mut in_the_way = None;
        for _ in 0..CLAIM_PATIENCE {
            let claim = self.new_claim(&actor.id);
            if self.store.claim_challenge(&challenge.id, &claim, limited, self.settings.set_limit).await? {
                return Ok((self.challenge(&challenge.id).await?, claim));
            }
            let now = self.challenge(&challenge.id).await?;
            if !now.is_open(self.clock.now()) {
                return Err(Refusal::ChallengeClosed.into());
            }
            in_the_way = now.claim.map(|claim| claim.by);
            tokio::time::sleep(CLAIM_PAUSE).await;
        }
        // One's own earlier attempt, perhaps left by a crash, closes nothing: it may be tried again.
        if in_the_way.as_ref() == Some(&actor.id) {
            return Err(MatchFault::Contended);
        }
        Err(Refusal::ChallengeClosed.into())
    }

    async fn give_up(&self, challenge: &Challenge, claim: &Claim, release: bool) -> Result<(), MatchFault> {
        self.store.drop_claim(challenge, claim, release, self.clock.now()).await?;
        self.outbox_wake.notify_one();
        Ok(())
    }

    async fn hold_and_begin(
        &self,
        challenge: &Challenge,
        claim: &Claim,
        request: &AcceptRequest,
    ) -> Result<Option<Arc<Set>>, MatchFault> {
        if let Some(stake) = &challenge.offer.stake {
            let hold_id = challenge.acceptor_hold_id(claim);
            self.ledger.hold(&hold_id, &request.actor, stake, challenge.id.as_str()).await?;
            Failpoint::AcceptHeld.reach();
        }
        let memory = (request.request_id.as_str(), request.fingerprint.as_str());
        self.begin_set(challenge, &request.actor, claim, request.nonce.clone(), Some(memory)).await
    }

    /// Turns a claimed challenge into a set; none when the claim is gone.
    async fn begin_set(
        &self,
        challenge: &Challenge,
        acceptor: &Participant,
        claim: &Claim,
        nonce: Option<String>,
        memory: Option<(&str, &str)>,
    ) -> Result<Option<Arc<Set>>, MatchFault> {
        let info = self.set_info(challenge, acceptor, claim, nonce).await?;
        let first = self.first_position(&info, GameNumber::FIRST).await?;
        let decision = Set::begin(Arc::new(info), first, self.clock.now());
        let set_id = decision.next.info.id.0.clone();
        let accepting = Accepting {
            challenge_id: challenge.id.clone(),
            claim_id: claim.id.clone(),
            acceptor: acceptor.clone(),
            set: decision.next.clone(),
            events: decision.events.clone(),
            request: memory
                .and_then(|(id, fingerprint)| remember(id, fingerprint, &acceptor.id, &set_id, self.clock.now())),
        };
        if !self.store.accept_challenge(accepting).await? {
            return Ok(None);
        }
        Failpoint::AcceptCommitted.reach();
        let set = Arc::new(decision.next);
        self.cache.lock(&set.info.id).await.put(Some(Arc::clone(&set)));
        self.tell(&set, &decision.events).await;
        Ok(Some(set))
    }

    async fn set_info(
        &self,
        challenge: &Challenge,
        acceptor: &Participant,
        claim: &Claim,
        nonce: Option<String>,
    ) -> Result<SetInfo, MatchFault> {
        let offer = &challenge.offer;
        let seed = self.rules.set_seed(offer.server_seed, offer.creator_nonce.as_deref(), nonce.as_deref()).await?;
        let stakes = offer.stake.clone().map(|stake| StakeHolds {
            stake,
            winnings_points: challenge.winnings_points,
            hold_ids: [challenge.creator_hold_id(), challenge.acceptor_hold_id(claim)],
        });
        Ok(SetInfo {
            id: SetId(self.new_id("set_")),
            challenge_id: challenge.id.clone(),
            kind: offer.kind,
            game: offer.game.clone(),
            contract_version: offer.contract_version,
            simultaneous: offer.simultaneous,
            options_json: offer.options_json.clone(),
            clock: offer.clock,
            stakes,
            rated: offer.rated,
            unrated_reason: offer.unrated_reason.clone(),
            games_total: offer.games_total,
            creator_seat: offer.creator_seat(),
            format: offer.format,
            creator: offer.creator.clone(),
            acceptor: acceptor.clone(),
            seed_hash: offer.seed_hash,
            secrets: Secrets {
                server_seed: offer.server_seed,
                seed,
                creator_nonce: offer.creator_nonce.clone(),
                acceptor_nonce: nonce,
            },
            created_at_ms: self.clock.now().0,
        })
    }

    /// Declines a private challenge.
    ///
    /// # Errors
    ///
    /// In the order of the contract.
    pub async fn decline_challenge(&self, request: AcceptRequest) -> Result<Challenge, MatchFault> {
        self.end_by(&request, Ending::Declined, Challenge::check_decliner).await
    }

    /// Takes back one's own challenge.
    ///
    /// # Errors
    ///
    /// In the order of the contract.
    pub async fn cancel_challenge(&self, request: AcceptRequest) -> Result<Challenge, MatchFault> {
        self.end_by(&request, Ending::Cancelled, Challenge::check_canceller).await
    }

    async fn end_by(
        &self,
        request: &AcceptRequest,
        ending: Ending,
        check: fn(&Challenge, &Participant, UnixMs) -> Result<(), Refusal>,
    ) -> Result<Challenge, MatchFault> {
        // A challenge that was ended stays as it is: what it is now is the first answer.
        if self.was_done(request).await? {
            return self.challenge(&request.challenge_id).await;
        }
        match self.end_once(request, ending, check).await {
            // The same request may have been carried out meanwhile, by whoever got it first.
            Err(MatchFault::Refused(_)) if self.was_done(request).await? => self.challenge(&request.challenge_id).await,
            ended => ended,
        }
    }

    async fn end_once(
        &self,
        request: &AcceptRequest,
        ending: Ending,
        check: fn(&Challenge, &Participant, UnixMs) -> Result<(), Refusal>,
    ) -> Result<Challenge, MatchFault> {
        let actor = &request.actor;
        for _ in 0..CLAIM_PATIENCE {
            let (challenge, now) = (self.challenge(&request.challenge_id).await?, self.clock.now());
            check(&challenge, actor, now)?;
            let memory = remember(&request.request_id, &request.fingerprint, &actor.id, challenge.id.as_str(), now);
            let is_claimed = challenge.claim.is_some();
            match self.store.end_challenge(&challenge, ending, memory, now).await {
                Ok(true) => {
                    Failpoint::ChallengeCancelled.reach();
                    return self.ended(&challenge.id).await;
                }
                Ok(false) | Err(MatchFault::Refused(Refusal::ChallengeClosed)) if is_claimed => {
                    tokio::time::sleep(CLAIM_PAUSE).await;
                }
                Ok(false) | Err(MatchFault::Refused(Refusal::ChallengeClosed)) => {}
                Err(fault) => return Err(fault),
            }
        }
        Err(Refusal::ChallengeClosed.into())
    }

    pub(super) async fn ended(&self, id: &ChallengeId) -> Result<Challenge, MatchFault> {
        let challenge = self.challenge(id).await?;
        self.announce_challenge(&challenge);
        self.outbox_wake.notify_one();
        Ok(challenge)
    }

    /// Says on the bus that a challenge was made or has changed.
    pub(super) fn announce_challenge(&self, challenge: &Challenge) {
        let offer = &challenge.offer;
        let concerned = [Some(&offer.creator), offer.opponent.as_ref(), challenge.acceptor.as_ref()];
        for participant in concerned.into_iter().flatten().filter(|who| !who.is_house()) {
            self.bus.publish(&participant_topic(participant.id.as_str()), challenge.id.0.clone().into_bytes());
        }
    }
}

/// Staked challenges, and practice, are pending until what belongs to them is there.
fn first_status(offer: &Offer) -> ChallengeStatus {
    if !offer.declined_reason.is_empty() {
        return ChallengeStatus::Declined;
    }
    if offer.stake.is_some() || offer.kind == ChallengeKind::Practice {
        return ChallengeStatus::Pending;
    }
    ChallengeStatus::Open
}

/// The request to remember; none without a key.
pub(super) fn remember(
    request_id: &str,
    fingerprint: &str,
    actor: &ParticipantId,
    subject: &str,
    at: UnixMs,
) -> Option<Request> {
    (!request_id.is_empty()).then(|| Request {
        actor_id: actor.clone(),
        request_id: request_id.to_owned(),
        fingerprint: fingerprint.to_owned(),
        subject: subject.to_owned(),
        first: None,
        at,
    })
}

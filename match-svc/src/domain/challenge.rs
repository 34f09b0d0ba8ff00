//! An offer to play and how it ends: one compare-and-set on its status decides every race. Not here: the race itself
//! (the store's), holding stakes (the ledger's).

use farside_kit::time::{DurationMs, UnixMs};
use serde::{Deserialize, Serialize};

use super::clock::ClockSetting;
use super::fault::Refusal;
use super::ids::{ChallengeId, GameId, ParticipantId, Seat, SetId};
use super::offer::{ChallengeKind, Format, Stake};
use super::participant::{Participant, ParticipantKind};

/// Where a challenge stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeStatus {
    /// Being made: its stake may not be held yet. Nobody sees it.
    Pending,
    /// May be accepted.
    Open,
    /// Became a set.
    Accepted,
    /// Refused by the one challenged.
    Declined,
    /// Taken back by its creator.
    Cancelled,
    /// Nobody accepted in time.
    Expired,
}

/// Someone is accepting: until this ends nobody else can, and the challenge cannot end otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Names this attempt: a ULID.
    pub id: String,
    /// Who accepts.
    pub by: ParticipantId,
    /// Since when.
    pub at: UnixMs,
}

/// What is fixed when a challenge is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The game.
    pub game: GameId,
    /// Version of the game's contract.
    pub contract_version: u32,
    /// Whether both seats act at once, in secret.
    pub simultaneous: bool,
    /// How it is offered.
    pub kind: ChallengeKind,
    /// Complete options as JSON.
    pub options_json: String,
    /// None when untimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockSetting>,
    /// None when nothing is staked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stake: Option<Stake>,
    /// Whether the set will be rated.
    pub rated: bool,
    /// Why not, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unrated_reason: String,
    /// Set or single game.
    pub format: Format,
    /// How many games the set will have.
    pub games_total: u32,
    /// Who made it.
    pub creator: Participant,
    /// Who was challenged; none for an open challenge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<Participant>,
    /// 32 bytes; secret until the set has ended.
    pub server_seed: [u8; 32],
    /// SHA-256 of the server seed.
    pub seed_hash: [u8; 32],
    /// The creator's part of the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creator_nonce: Option<String>,
    /// Why it was declined at once, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub declined_reason: String,
}

impl Offer {
    /// Where the creator sits in game 1: in a single game first, otherwise second.
    #[must_use]
    pub fn creator_seat(&self) -> Seat {
        match self.format {
            Format::Single => Seat::One,
            Format::Set => Seat::Two,
        }
    }
}

/// A challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// `chal_…`.
    pub id: ChallengeId,
    /// Where it stands.
    pub status: ChallengeStatus,
    /// What was fixed when it was made.
    pub offer: Offer,
    /// Who accepted it.
    pub acceptor: Option<Participant>,
    /// The set that it became.
    pub set_id: Option<SetId>,
    /// Someone is accepting.
    pub claim: Option<Claim>,
    /// What a win of the creator's stake brings after the fee, in points; known once it is held.
    pub winnings_points: i64,
    /// When it expires.
    pub expires_at: UnixMs,
    /// When it was made.
    pub created_at: UnixMs,
}

/// How a challenge ends without a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Refused by the one challenged.
    Declined,
    /// Taken back by its creator.
    Cancelled,
    /// Nobody accepted in time.
    Expired,
}

impl Ending {
    /// The status that it leaves.
    #[must_use]
    pub const fn status(self) -> ChallengeStatus {
        match self {
            Self::Declined => ChallengeStatus::Declined,
            Self::Cancelled => ChallengeStatus::Cancelled,
            Self::Expired => ChallengeStatus::Expired,
        }
    }
}

impl Challenge {
    /// The ledger's name of the creator's hold.
    #[must_use]
    pub fn creator_hold_id(&self) -> String {
        format!("{}:hold:creator", self.id)
    }

    /// The ledger's name of an acceptor's hold: one for each attempt, so that a refusal does not bar the next.
    #[must_use]
    pub fn acceptor_hold_id(&self, claim: &Claim) -> String {
        format!("{}:hold:acceptor:{}:{}", self.id, claim.by, claim.id)
    }

    /// Whether it may be accepted at `now` as far as its own state goes.
    #[must_use]
    pub fn is_open(&self, now: UnixMs) -> bool {
        self.status == ChallengeStatus::Open && now < self.expires_at
    }

    /// Checks whether `actor` may accept at `now`. A claim of someone else is for the store to see.
    ///
    /// # Errors
    ///
    /// In order: own challenge, not challenged, closed, stake above maximum, same owner.
    pub fn check_acceptor(&self, actor: &Participant, now: UnixMs) -> Result<(), Refusal> {
        self.check_addressee(actor, |opponent| opponent.id == actor.id, now)?;
        if let Some(stake) = &self.offer.stake
            && stake.amount_points > actor.max_stake_points
        {
            return Err(Refusal::StakeAboveMax { max_points: actor.max_stake_points });
        }
        if (self.offer.stake.is_some() || self.offer.rated) && actor.is_sibling_of(&self.offer.creator) {
            return Err(Refusal::SameOwner);
        }
        Ok(())
    }

    fn check_addressee(
        &self,
        actor: &Participant,
        is_meant: impl Fn(&Participant) -> bool,
        now: UnixMs,
    ) -> Result<(), Refusal> {
        if actor.id == self.offer.creator.id {
            return Err(Refusal::OwnChallenge);
        }
        if self.offer.opponent.as_ref().is_some_and(|opponent| !is_meant(opponent)) {
            return Err(Refusal::NotChallenged);
        }
        if self.is_open(now) { Ok(()) } else { Err(Refusal::ChallengeClosed) }
    }

    /// Checks whether `actor` may decline at `now`.
    ///
    /// # Errors
    ///
    /// In order: own challenge, not challenged (an open challenge is made to nobody), closed.
    pub fn check_decliner(&self, actor: &Participant, now: UnixMs) -> Result<(), Refusal> {
        if self.offer.opponent.is_none() && actor.id != self.offer.creator.id {
            return Err(Refusal::NotChallenged);
        }
        self.check_addressee(actor, |opponent| is_meant(opponent, actor), now)
    }

    /// Checks whether `actor` may cancel at `now`: the creator, or the owner of the bot that made it.
    ///
    /// # Errors
    ///
    /// In order: not the creator, closed.
    pub fn check_canceller(&self, actor: &Participant, now: UnixMs) -> Result<(), Refusal> {
        if !is_meant(&self.offer.creator, actor) {
            return Err(Refusal::NotCreator);
        }
        if self.is_open(now) { Ok(()) } else { Err(Refusal::ChallengeClosed) }
    }
}

/// Whether `actor` is who is meant, or the person that owns the bot that is meant.
fn is_meant(meant: &Participant, actor: &Participant) -> bool {
    meant.id == actor.id || (actor.kind == ParticipantKind::Human && meant.owner_id == actor.owner_id)
}

/// The moment at which a challenge made at `now` expires.
#[must_use]
pub fn expires_at(now: UnixMs, expires_in_s: Option<u32>, default_s: u32) -> UnixMs {
    now.plus(DurationMs::from_seconds(i64::from(expires_in_s.unwrap_or(default_s))))
}

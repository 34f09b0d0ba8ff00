//! Challenges: made pending, opened, claimed by one acceptor at a time, and ended once. Every step is one
//! compare-and-set. Not here: who may take a step.

use farside_kit::time::UnixMs;
use sea_orm::{DatabaseTransaction, DbErr, QueryResult, Value};

use super::outbox::{self, Errand, OutboxItem};
use super::participants;
use super::requests::{self, Request};
use super::sql::{all, execute, list, one};
use super::{Store, WriteFault, commit, sets};
use crate::domain::challenge::{Challenge, ChallengeStatus, Claim, Ending};
use crate::domain::event::Logged;
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::{ChallengeId, ParticipantId, SetId};
use crate::domain::participant::Participant;
use crate::domain::set::Set;

/// A challenge to make.
#[derive(Clone, Debug)]
pub struct NewChallenge {
    /// As it begins: pending, open or declined.
    pub challenge: Challenge,
    /// Whose limits it counts against, with the limit.
    pub limited: Vec<ParticipantId>,
    /// How many active sets and open challenges each may have.
    pub limit: u32,
    /// The request to remember.
    pub request: Option<Request>,
}

/// What became of a challenge that was to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created {
    /// It is there.
    Made,
    /// The request was seen before: the challenge that it made.
    Seen(ChallengeId),
}

/// A set that begins, and the challenge that it ends.
#[derive(Clone, Debug)]
pub struct Accepting {
    /// Which challenge.
    pub challenge_id: ChallengeId,
    /// The attempt that may do so.
    pub claim_id: String,
    /// Who accepts.
    pub acceptor: Participant,
    /// The set.
    pub set: Set,
    /// Its first events.
    pub events: Vec<Logged>,
    /// The request to remember.
    pub request: Option<Request>,
}

pub(super) const fn status_number(status: ChallengeStatus) -> i64 {
    match status {
        ChallengeStatus::Pending => 0,
        ChallengeStatus::Open => 1,
        ChallengeStatus::Accepted => 2,
        ChallengeStatus::Declined => 3,
        ChallengeStatus::Cancelled => 4,
        ChallengeStatus::Expired => 5,
    }
}

fn status_of(number: i64) -> ChallengeStatus {
    match number {
        0 => ChallengeStatus::Pending,
        1 => ChallengeStatus::Open,
        2 => ChallengeStatus::Accepted,
        3 => ChallengeStatus::Declined,
        4 => ChallengeStatus::Cancelled,
        _ => ChallengeStatus::Expired,
    }
}

pub(super) const COLUMNS: &str = "id, status, offer, acceptor, set_id, winnings_points, expires_at_ms, created_at_ms, \
                                  claim_id, claim_by, claim_at_ms";

pub(super) fn read(row: &QueryResult) -> Result<Challenge, WriteFault> {
    let offer: String = row.try_get_by_index(2)?;
    let acceptor: Option<String> = row.try_get_by_index(3)?;
    let set_id: Option<String> = row.try_get_by_index(4)?;
    let claim_id: Option<String> = row.try_get_by_index(8)?;
    let claim_by: Option<String> = row.try_get_by_index(9)?;
    let claim_at_ms: Option<i64> = row.try_get_by_index(10)?;
    let claim = claim_id.zip(claim_by).zip(claim_at_ms);
    Ok(Challenge {
        id: ChallengeId(row.try_get_by_index(0)?),
        status: status_of(row.try_get_by_index(1)?),
        offer: serde_json::from_str(&offer)?,
        acceptor: acceptor.map(|text| serde_json::from_str(&text)).transpose()?,
        set_id: set_id.map(SetId),
        winnings_points: row.try_get_by_index(5)?,
        expires_at: UnixMs(row.try_get_by_index(6)?),
        created_at: UnixMs(row.try_get_by_index(7)?),
        claim: claim.map(|((id, by), at_ms)| Claim { id, by: ParticipantId(by), at: UnixMs(at_ms) }),
    })
}

impl Store {
    /// Makes a challenge, within the limits of those concerned.
    ///
    /// # Errors
    ///
    /// Too many sets; the same request with other content.
    pub async fn create_challenge(&self, new: NewChallenge) -> Result<Created, MatchFault> {
        let created = self.db.write::<_, _, WriteFault>(move |tx| {
            let new = new.clone();
            Box::pin(async move { create(tx, &new).await })
        });
        Ok(created.await?)
    }

    /// Opens a pending challenge whose stake is held; false when it was given up meanwhile.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn open_challenge(&self, id: &ChallengeId, winnings: i64, now: UnixMs) -> Result<bool, MatchFault> {
        let id = id.clone();
        let opened = self.db.write::<_, _, DbErr>(move |tx| {
            let values: Vec<Value> = vec![id.as_str().into(), winnings.into(), now.0.into()];
            Box::pin(async move {
                let sql = "UPDATE challenges SET status = 1, winnings_points = $2, changed_at_ms = $3 \
                           WHERE id = $1 AND status = 0";
                execute(tx, sql, values).await
            })
        });
        Ok(opened.await? == 1)
    }

    /// Removes a challenge that is still being made, with the memory of its request; gives its stake back when told to.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn remove_pending(&self, challenge: &Challenge, release: bool, now: UnixMs) -> Result<(), MatchFault> {
        let challenge = challenge.clone();
        let removed = self.db.write::<_, _, WriteFault>(move |tx| {
            let challenge = challenge.clone();
            Box::pin(async move {
                let id = vec![challenge.id.as_str().into()];
                if execute(tx, "DELETE FROM challenges WHERE id = $1 AND status = 0", id.clone()).await? == 1 {
                    execute(tx, "DELETE FROM requests WHERE subject = $1", id).await?;
                    if release {
                        insert_release(tx, &challenge, challenge.creator_hold_id(), now).await?;
                    }
                }
                Ok(())
            })
        });
        Ok(removed.await?)
    }

    /// Reads a challenge, pending ones included.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn challenge(&self, id: &ChallengeId) -> Result<Option<Challenge>, MatchFault> {
        let sql = format!("SELECT {COLUMNS} FROM challenges WHERE id = $1");
        let row = one(self.reader(), sql, vec![id.as_str().into()]).await?;
        Ok(row.as_ref().map(read).transpose()?)
    }

    /// Lets one acceptor go ahead; false when the challenge is not open or someone else is going ahead.
    ///
    /// # Errors
    ///
    /// Too many sets.
    pub async fn claim_challenge(
        &self,
        id: &ChallengeId,
        claim: &Claim,
        limited: bool,
        limit: u32,
    ) -> Result<bool, MatchFault> {
        let (id, claim) = (id.clone(), claim.clone());
        let claimed = self.db.write::<_, _, WriteFault>(move |tx| {
            let (id, claim) = (id.clone(), claim.clone());
            Box::pin(async move {
                if limited {
                    participants::check_limit(tx, std::slice::from_ref(&claim.by), limit, claim.at).await?;
                }
                let sql = "UPDATE challenges SET claim_id = $2, claim_by = $3, claim_at_ms = $4 \
                           WHERE id = $1 AND status = 1 AND claim_id IS NULL AND expires_at_ms > $4";
                let values =
                    vec![id.as_str().into(), claim.id.as_str().into(), claim.by.as_str().into(), claim.at.0.into()];
                Ok(execute(tx, sql, values).await? == 1)
            })
        });
        Ok(claimed.await?)
    }

    /// Ends an attempt to accept, and gives the acceptor's stake back when told its hold.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn drop_claim(
        &self,
        challenge: &Challenge,
        claim: &Claim,
        release: bool,
        now: UnixMs,
    ) -> Result<(), MatchFault> {
        let (challenge, claim) = (challenge.clone(), claim.clone());
        let dropped = self.db.write::<_, _, WriteFault>(move |tx| {
            let (challenge, claim) = (challenge.clone(), claim.clone());
            Box::pin(async move {
                let sql = "UPDATE challenges SET claim_id = NULL, claim_by = NULL, claim_at_ms = NULL \
                           WHERE id = $1 AND claim_id = $2 AND status <> 2";
                let values = vec![challenge.id.as_str().into(), claim.id.as_str().into()];
                let dropped = execute(tx, sql, values).await? == 1;
                let became_set = !dropped && was_accepted_by(tx, &challenge.id, &claim.id).await?;
                if release && !became_set {
                    insert_release(tx, &challenge, challenge.acceptor_hold_id(&claim), now).await?;
                }
                Ok(())
            })
        });
        Ok(dropped.await?)
    }

    /// Turns a claimed (or still pending) challenge into a set, in one transaction; false when the claim is gone.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn accept_challenge(&self, accepting: Accepting) -> Result<bool, MatchFault> {
        let accepted = self.db.write::<_, _, WriteFault>(move |tx| {
            let accepting = accepting.clone();
            Box::pin(async move { accept(tx, &accepting).await })
        });
        Ok(accepted.await?)
    }

    /// Ends an open challenge that nobody is accepting and gives the creator's stake back; false when it was not so.
    ///
    /// # Errors
    ///
    /// The same request with other content.
    pub async fn end_challenge(
        &self,
        challenge: &Challenge,
        ending: Ending,
        request: Option<Request>,
        now: UnixMs,
    ) -> Result<bool, MatchFault> {
        let challenge = challenge.clone();
        let ended = self.db.write::<_, _, WriteFault>(move |tx| {
            let (challenge, request) = (challenge.clone(), request.clone());
            Box::pin(async move { end(tx, &challenge, ending, request.as_ref(), now).await })
        });
        Ok(ended.await?)
    }

    /// Open challenges that have expired and that nobody is accepting.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn expired_challenges(&self, now: UnixMs, limit: u32) -> Result<Vec<Challenge>, MatchFault> {
        let sql = format!(
            "SELECT {COLUMNS} FROM challenges WHERE status = 1 AND expires_at_ms <= $1 AND claim_id IS NULL \
             ORDER BY expires_at_ms LIMIT {limit}"
        );
        self.challenges(sql, vec![now.0.into()]).await
    }

    /// Challenges left behind in the making, and attempts to accept left behind, since before `before`.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn abandoned_challenges(&self, before: UnixMs, limit: u32) -> Result<Vec<Challenge>, MatchFault> {
        let sql = format!(
            "SELECT {COLUMNS} FROM challenges WHERE (status = 0 AND created_at_ms < $1) \
             OR (status = 1 AND claim_at_ms < $1) LIMIT {limit}"
        );
        self.challenges(sql, vec![before.0.into()]).await
    }

    pub(super) async fn challenges(&self, sql: String, values: Vec<Value>) -> Result<Vec<Challenge>, MatchFault> {
        let rows = all(self.reader(), sql, values).await?;
        Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
    }
}

async fn create(tx: &DatabaseTransaction, new: &NewChallenge) -> Result<Created, WriteFault> {
    if let Some(request) = &new.request
        && let Some(subject) = requests::claim(tx, request).await?
    {
        return Ok(Created::Seen(ChallengeId(subject)));
    }
    let challenge = &new.challenge;
    participants::check_limit(tx, &new.limited, new.limit, challenge.created_at).await?;
    let offer = &challenge.offer;
    let claim = challenge.claim.as_ref();
    let values: Vec<Value> = vec![
        challenge.id.as_str().into(),
        status_number(challenge.status).into(),
        kind_number(offer.kind).into(),
        offer.game.as_str().into(),
        offer.creator.id.as_str().into(),
        offer.opponent.as_ref().map(|opponent| opponent.id.0.clone()).into(),
        serde_json::to_string(offer)?.into(),
        0_i64.into(),
        challenge.expires_at.0.into(),
        challenge.created_at.0.into(),
        challenge.created_at.0.into(),
        claim.map(|claim| claim.id.clone()).into(),
        claim.map(|claim| claim.by.0.clone()).into(),
        claim.map(|claim| claim.at.0).into(),
    ];
    let sql = format!(
        "INSERT INTO challenges (id, status, kind, game, creator_id, opponent_id, offer, winnings_points, expires_at_ms, \
         created_at_ms, changed_at_ms, claim_id, claim_by, claim_at_ms) VALUES ({})",
        list(1, 14)
    );
    execute(tx, sql, values).await?;
    Ok(Created::Made)
}

const fn kind_number(kind: crate::domain::offer::ChallengeKind) -> i64 {
    use crate::domain::offer::ChallengeKind;
    match kind {
        ChallengeKind::Open => 1,
        ChallengeKind::Private => 2,
        ChallengeKind::Practice => 3,
    }
}

async fn was_accepted_by(tx: &DatabaseTransaction, id: &ChallengeId, claim_id: &str) -> Result<bool, DbErr> {
    let sql = "SELECT id FROM challenges WHERE id = $1 AND claim_id = $2 AND status = 2";
    Ok(one(tx, sql, vec![id.as_str().into(), claim_id.into()]).await?.is_some())
}

async fn insert_release(
    tx: &DatabaseTransaction,
    challenge: &Challenge,
    hold_id: String,
    now: UnixMs,
) -> Result<(), WriteFault> {
    if challenge.offer.stake.is_none() {
        return Ok(());
    }
    let item = OutboxItem {
        key: format!("{hold_id}:release"),
        subject: challenge.id.0.clone(),
        errand: Errand::Release { hold_id },
        due_at: now,
    };
    outbox::insert(tx, std::iter::once(&item)).await
}

async fn accept(tx: &DatabaseTransaction, accepting: &Accepting) -> Result<bool, WriteFault> {
    let set = &accepting.set;
    let sql = "UPDATE challenges SET status = 2, set_id = $3, acceptor = $4, acceptor_id = $5, changed_at_ms = $6 \
               WHERE id = $1 AND claim_id = $2 AND status IN (0, 1)";
    let values: Vec<Value> = vec![
        accepting.challenge_id.as_str().into(),
        accepting.claim_id.as_str().into(),
        set.info.id.as_str().into(),
        serde_json::to_string(&accepting.acceptor)?.into(),
        accepting.acceptor.id.as_str().into(),
        set.info.created_at_ms.into(),
    ];
    if execute(tx, sql, values).await? != 1 {
        return Ok(false);
    }
    if let Some(request) = &accepting.request {
        requests::claim(tx, request).await?;
    }
    sets::insert(tx, set).await?;
    let mut values: Vec<Value> = Vec::new();
    let rows = commit::event_rows(&accepting.events)?;
    for (seq, at_ms, payload) in &rows {
        values.extend([set.info.id.as_str().into(), (*seq).into(), (*at_ms).into(), payload.as_str().into()]);
    }
    let sql =
        format!("INSERT INTO set_events (set_id, seq, at_ms, payload) VALUES {}", super::sql::rows(rows.len(), 4));
    execute(tx, sql, values).await?;
    let mut values = Vec::new();
    commit::push_state(&mut values, &set.info.id, &commit::state_row(set)?);
    commit::insert_states(tx, 1, values).await?;
    Ok(true)
}

async fn end(
    tx: &DatabaseTransaction,
    challenge: &Challenge,
    ending: Ending,
    request: Option<&Request>,
    now: UnixMs,
) -> Result<bool, WriteFault> {
    if let Some(request) = request
        && requests::claim(tx, request).await?.is_some()
    {
        return Ok(true);
    }
    let sql = "UPDATE challenges SET status = $2, changed_at_ms = $3 WHERE id = $1 AND status = 1 AND claim_id IS NULL";
    let values = vec![challenge.id.as_str().into(), status_number(ending.status()).into(), now.0.into()];
    if execute(tx, sql, values).await? != 1 {
        // Rolls the memory of the request back as well.
        return if request.is_some() { Err(WriteFault::Refused(Refusal::ChallengeClosed)) } else { Ok(false) };
    }
    insert_release(tx, challenge, challenge.creator_hold_id(), now).await?;
    Ok(true)
}

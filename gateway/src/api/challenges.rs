//! Challenges: making, finding, accepting, declining, cancelling.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use farside_proto::matches::v1 as matches;
use matches::create_challenge_request::ClockChoice;
use serde::Deserialize;
use utoipa::IntoParams;

use super::change::{Answered, Asked, Change};
use super::extract::{Body, IdempotencyKey, Key, MaybeBody, Path, Query};
use super::json::challenge::{AcceptBody, ChallengeAndSet, ChallengeJson, ChallengeStatus, ClockJson, NewChallenge};
use super::json::list::{self, ChallengeList};
use super::json::participant::{house, participant};
use super::json::set::SetState;
use crate::app::{App, SharedApp};
use crate::domain::account::Account;
use crate::domain::fault::IdentityFault;
use crate::domain::guest::{self, Wish};
use crate::problem::Problem;

/// Most characters of a nonce.
const NONCE_MAX: usize = 64;

/// Which challenges.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChallengeQuery {
    /// Only of this game.
    game: Option<String>,
    /// Only with this status.
    #[param(inline)]
    status: Option<ChallengeStatus>,
    /// Only those made by or to this bot or player, by id or name.
    participant: Option<String>,
    /// Most entries to return.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Makes a challenge. Practice is accepted at once, and its set is in the answer.
#[utoipa::path(post, path = "/challenges", tag = "challenges", request_body = NewChallenge, security(("key" = [])),
    responses((status = 201, description = "Made", body = ChallengeAndSet)))]
pub(crate) async fn create(
    State(app): State<SharedApp>,
    key: Key,
    idempotency: IdempotencyKey,
    body: Body<NewChallenge>,
) -> Answered {
    let asked = idempotency.replay(&app, &key.id(), "/challenges", &body.value);
    let made = app.make_challenge(key.account(), body.value, idempotency.request_id(&app));
    app.once(asked, StatusCode::CREATED, made).await
}

fn nonce_fits(nonce: Option<&str>) -> Result<(), Problem> {
    match nonce {
        Some(nonce) if nonce.chars().count() > NONCE_MAX => Err(Problem::malformed("/nonce", "at most 64 characters")),
        _ => Ok(()),
    }
}

fn request(
    new: NewChallenge,
    actor: &Account,
    opponent: Option<matches::Participant>,
    request_id: String,
) -> matches::CreateChallengeRequest {
    matches::CreateChallengeRequest {
        request_id,
        actor: Some(participant(actor)),
        game: new.game,
        options_json: new.options.map(|options| options.get().to_owned()).unwrap_or_default(),
        clock_choice: Some(clock_choice(new.clock)),
        stake: new.stake.map(matches::Stake::from),
        opponent,
        rated: new.rated,
        format: new.format.map_or(matches::Format::Unspecified, matches::Format::from).into(),
        nonce: new.nonce,
        expires_in_s: new.expires_in_s,
    }
}

fn clock_choice(clock: Option<Option<ClockJson>>) -> ClockChoice {
    match clock {
        None => ClockChoice::DefaultClock(true),
        Some(None) => ClockChoice::Untimed(true),
        Some(Some(clock)) => ClockChoice::Clock(clock.into_proto()),
    }
}

/// A guest plays practice against a house bot, without stake and rating.
fn guest_may(
    actor: &Account,
    new: &NewChallenge,
    opponent: Option<&matches::Participant>,
) -> Result<(), IdentityFault> {
    if opponent.is_none_or(|opponent| opponent.kind() != matches::ParticipantKind::House) {
        guest::allow_account(actor, Wish::Others)?;
    }
    if new.stake.is_some() {
        guest::allow_account(actor, Wish::Stakes)?;
    }
    if new.rated == Some(true) {
        guest::allow_account(actor, Wish::Ratings)?;
    }
    Ok(())
}

impl App {
    /// Makes a challenge for whoever acts.
    ///
    /// # Errors
    ///
    /// `forbidden` for what a guest may not do; what identity and match-svc say.
    pub(crate) async fn make_challenge(
        &self,
        actor: &Account,
        new: NewChallenge,
        request_id: String,
    ) -> Result<ChallengeAndSet, Problem> {
        nonce_fits(new.nonce.as_deref())?;
        let opponent = self.opponent(new.opponent.as_deref()).await?;
        guest_may(actor, &new, opponent.as_ref())?;
        self.ready_to_stake(actor, new.stake.is_some()).await;
        let answer = self.upstream.matches.create_challenge(request(new, actor, opponent, request_id)).await?;
        Ok(self.challenge_and_set(answer.challenge, answer.set, answer.as_of_ms))
    }

    /// A page of challenges.
    ///
    /// # Errors
    ///
    /// What match-svc says.
    pub(crate) async fn challenges(&self, request: matches::ListChallengesRequest) -> Result<ChallengeList, Problem> {
        let answer = self.upstream.matches.list_challenges(request).await?;
        let challenges = answer.challenges.into_iter().map(ChallengeJson::from).collect();
        Ok(ChallengeList { challenges, next_cursor: list::next(answer.next_cursor) })
    }

    /// A challenge.
    ///
    /// # Errors
    ///
    /// What match-svc says.
    pub(crate) async fn challenge(&self, challenge_id: String) -> Result<ChallengeJson, Problem> {
        let answer = self.upstream.matches.get_challenge(matches::GetChallengeRequest { challenge_id }).await?;
        Ok(answer.challenge.unwrap_or_default().into())
    }

    /// Accepts a challenge for whoever acts.
    ///
    /// # Errors
    ///
    /// `forbidden` for a guest; what match-svc says.
    pub(crate) async fn accept_challenge(
        &self,
        actor: &Account,
        challenge_id: String,
        nonce: Option<String>,
        request_id: String,
    ) -> Result<ChallengeAndSet, Problem> {
        nonce_fits(nonce.as_deref())?;
        guest::allow_account(actor, Wish::Others)?;
        self.ready_to_stake(actor, true).await;
        let actor = Some(participant(actor));
        let request = matches::AcceptChallengeRequest { request_id, actor, challenge_id, nonce };
        let answer = self.upstream.matches.accept_challenge(request).await?;
        Ok(self.challenge_and_set(answer.challenge, answer.set, answer.as_of_ms))
    }

    /// Cancels a challenge of whoever acts.
    ///
    /// # Errors
    ///
    /// What match-svc says.
    pub(crate) async fn cancel_challenge(
        &self,
        actor: &Account,
        challenge_id: String,
        request_id: String,
    ) -> Result<ChallengeJson, Problem> {
        let request = matches::CancelChallengeRequest { request_id, actor: Some(participant(actor)), challenge_id };
        let answer = self.upstream.matches.cancel_challenge(request).await?;
        Ok(answer.challenge.unwrap_or_default().into())
    }

    /// Declines a challenge to whoever acts.
    ///
    /// # Errors
    ///
    /// What match-svc says.
    pub(crate) async fn decline_challenge(
        &self,
        actor: &Account,
        challenge_id: String,
        request_id: String,
    ) -> Result<ChallengeJson, Problem> {
        let request = matches::DeclineChallengeRequest { request_id, actor: Some(participant(actor)), challenge_id };
        let answer = self.upstream.matches.decline_challenge(request).await?;
        Ok(answer.challenge.unwrap_or_default().into())
    }

    /// The participant that a client names as its opponent.
    async fn opponent(&self, named: Option<&str>) -> Result<Option<matches::Participant>, Problem> {
        let Some(named) = named else { return Ok(None) };
        if let Some(house) = house(named) {
            return Ok(Some(house));
        }
        match self.identity.account(named, "opponent").await? {
            Account::Player(player) if player.is_guest => Err(Problem::not_found("opponent")),
            account => Ok(Some(participant(&account))),
        }
    }

    /// A stake needs points: the sign-up grant must have arrived.
    async fn ready_to_stake(&self, actor: &Account, has_stake: bool) {
        if has_stake {
            self.identity.ensure_granted(actor).await;
        }
    }

    fn challenge_and_set(
        &self,
        challenge: Option<matches::Challenge>,
        set: Option<matches::Set>,
        as_of_ms: Option<i64>,
    ) -> ChallengeAndSet {
        let set = set.map(|set| SetState::new(set, as_of_ms.unwrap_or_else(|| self.now_ms())));
        ChallengeAndSet { challenge: challenge.unwrap_or_default().into(), set }
    }

    /// The id of a participant that a client names by id or name.
    ///
    /// # Errors
    ///
    /// `not_found`; what the store says.
    pub async fn participant_id(&self, named: Option<String>) -> Result<String, Problem> {
        match named {
            None => Ok(String::new()),
            Some(named) if house(&named).is_some() => Ok(named),
            Some(named) => Ok(self.identity.account(&named, "participant").await?.id().to_owned()),
        }
    }
}

/// Lists challenges, newest first.
#[utoipa::path(get, path = "/challenges", tag = "challenges", params(ChallengeQuery),
    responses((status = 200, description = "A page", body = ChallengeList)))]
pub(crate) async fn list(
    State(app): State<SharedApp>,
    Query(query): Query<ChallengeQuery>,
) -> Result<Json<ChallengeList>, Problem> {
    let status = query.status.map_or(matches::ChallengeStatus::Unspecified, matches::ChallengeStatus::from);
    let request = matches::ListChallengesRequest {
        limit: list::limit(query.limit)?,
        game: query.game.unwrap_or_default(),
        status: status.into(),
        participant_id: app.participant_id(query.participant).await?,
        cursor: query.cursor.unwrap_or_default(),
    };
    app.challenges(request).await.map(Json)
}

/// Returns a challenge.
#[utoipa::path(get, path = "/challenges/{id}", tag = "challenges", params(("id" = String, Path, description = "`chal_…`")),
    responses((status = 200, description = "The challenge", body = ChallengeJson)))]
pub(crate) async fn get(
    State(app): State<SharedApp>,
    Path(challenge_id): Path<String>,
) -> Result<Json<ChallengeJson>, Problem> {
    app.challenge(challenge_id).await.map(Json)
}

/// Accepts a challenge and starts its set.
#[utoipa::path(post, path = "/challenges/{id}/accept", tag = "challenges", security(("key" = [])),
    request_body = Option<AcceptBody>, params(("id" = String, Path, description = "`chal_…`")),
    responses((status = 200, description = "Accepted", body = ChallengeAndSet)))]
pub(crate) async fn accept(change: Change, MaybeBody(body): MaybeBody<AcceptBody>) -> Answered {
    let nonce = body.nonce.clone();
    let accepted = |asked: Asked| async move {
        asked.app.accept_challenge(asked.key.account(), asked.id, nonce, asked.request_id).await
    };
    change.once(&body, accepted).await
}

/// Declines a challenge that was made to me.
#[utoipa::path(post, path = "/challenges/{id}/decline", tag = "challenges", security(("key" = [])),
    params(("id" = String, Path, description = "`chal_…`")),
    responses((status = 200, description = "Declined", body = ChallengeJson)))]
pub(crate) async fn decline(change: Change) -> Answered {
    let declined = |asked: Asked| async move {
        asked.app.decline_challenge(asked.key.account(), asked.id, asked.request_id).await
    };
    change.once(&(), declined).await
}

/// Cancels my own challenge; its stake comes back.
#[utoipa::path(post, path = "/challenges/{id}/cancel", tag = "challenges", security(("key" = [])),
    params(("id" = String, Path, description = "`chal_…`")),
    responses((status = 200, description = "Cancelled", body = ChallengeJson)))]
pub(crate) async fn cancel(change: Change) -> Answered {
    let cancelled =
        |asked: Asked| async move { asked.app.cancel_challenge(asked.key.account(), asked.id, asked.request_id).await };
    change.once(&(), cancelled).await
}

//! Players: signing up, looking up.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use farside_proto::matches::v1::GetStandingRequest;
use farside_proto::rating::v1::GetStandingsRequest;

use super::extract::{Body, Path, Query};
use super::guard::{self, ClientAddress};
use super::json::account::{PlayerJson, Reputation, SignUp, SignedUp};
use super::json::list::{self, Page, PlayerList};
use crate::app::{App, SharedApp};
use crate::domain::account::{Account, Player};
use crate::domain::ids::PlayerId;
use crate::problem::Problem;

/// Signs up a player. The answer holds its key, this once.
#[utoipa::path(post, path = "/players", tag = "identity", request_body = SignUp,
    responses((status = 201, description = "Signed up", body = SignedUp)))]
pub(crate) async fn sign_up(
    State(app): State<SharedApp>,
    Extension(address): Extension<ClientAddress>,
    body: Body<SignUp>,
) -> Result<(StatusCode, Json<SignedUp>), Problem> {
    guard::count(&app, app.quotas.sign_up, &address.subject()).await?;
    let made = app.identity.sign_up(&body.value.name).await?;
    let player = PlayerJson::new(&made.what, &[], Reputation::default());
    let key = made.key.map(|key| key.reveal().to_owned()).unwrap_or_default();
    Ok((StatusCode::CREATED, Json(SignedUp { player, key, key_id: made.key_id.to_string() })))
}

/// Lists players, newest first, without ratings and strikes.
#[utoipa::path(get, path = "/players", tag = "identity", params(Page),
    responses((status = 200, description = "A page", body = PlayerList)))]
pub(crate) async fn list(State(app): State<SharedApp>, Query(page): Query<Page>) -> Result<Json<PlayerList>, Problem> {
    let limit = page.limit()?;
    let after = list::id_cursor(page.cursor, PlayerId::PREFIX)?;
    let found = app.identity.store().list_players(limit.into(), after).await?;
    let players = found.players.iter().map(|player| PlayerJson::new(player, &[], Reputation::default())).collect();
    Ok(Json(PlayerList { players, next_cursor: found.next }))
}

/// Returns a player by id or name.
#[utoipa::path(get, path = "/players/{player}", tag = "identity", params(("player" = String, Path, description = "Id or name")),
    responses((status = 200, description = "The player", body = PlayerJson)))]
pub(crate) async fn get(State(app): State<SharedApp>, Path(player): Path<String>) -> Result<Json<PlayerJson>, Problem> {
    match app.identity.account(&player, "player").await? {
        Account::Player(player) => Ok(Json(app.player_profile(&player).await?)),
        Account::Bot(_) => Err(Problem::not_found("player")),
    }
}

impl App {
    /// A player with everything that is known about it.
    ///
    /// # Errors
    ///
    /// What a service or the store says.
    pub async fn player_profile(&self, player: &Player) -> Result<PlayerJson, Problem> {
        let bots = self.identity.store().bots_of(&player.id).await?;
        Ok(PlayerJson::new(player, &bots, self.reputation(player.id.as_str(), player.id.as_str()).await?))
    }

    /// Ratings, strikes and suspension of a participant.
    ///
    /// # Errors
    ///
    /// What a service says.
    pub async fn reputation(&self, participant_id: &str, owner_id: &str) -> Result<Reputation, Problem> {
        let (rating, matches) = (&self.upstream.rating, &self.upstream.matches);
        let (standings, standing) = tokio::try_join!(
            rating.get_standings(GetStandingsRequest { participant_id: participant_id.to_owned() }),
            matches.get_standing(GetStandingRequest {
                participant_id: participant_id.to_owned(),
                owner_id: owner_id.to_owned(),
            }),
        )?;
        Ok(Reputation { standings: standings.standings, standing })
    }
}

//! One's own page: bots, points, challenges, keys and browsers.
//!
//! Everything is done through what the API's handlers call. Not here: signing in and out.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Extension, State};
use axum::http::Uri;
use axum::response::{IntoResponse, Redirect, Response};
use farside_proto::matches::v1::{ChallengeStatus, ListChallengesRequest, ListSetsRequest, SetStatus};

use super::form::Fields;
use super::frame::{Frame, Member, show};
use super::pager::{Pager, page};
use super::rows::{ChallengeRow, SetRow};
use super::session::{self, once};
use super::words;
use crate::api::extract::Path;
use crate::api::json::account::{BotJson, BotKeyJson};
use crate::api::json::ledger::{BalanceJson, EntryJson, EntryKind};
use crate::api::json::scalar::Timestamp;
use crate::api::json::table::PracticeJson;
use crate::app::{App, SharedApp};
use crate::domain::account::{Account, Caller, Player};
use crate::domain::key::Holder;
use crate::problem::Problem;

/// Entries of a page of the statement.
const ENTRIES: u32 = 50;
/// Challenges and running sets that are shown.
const ROWS: u32 = 20;

#[derive(Template)]
#[template(path = "me.html")]
struct MePage {
    frame: Frame,
    name: String,
    id: String,
    balances: Vec<(String, BalanceJson)>,
    bots: Vec<BotJson>,
    challenges: Vec<ChallengeRow>,
    sets: Vec<SetRow>,
    practice: Vec<PracticeJson>,
}

/// Everything at a glance.
pub(super) async fn me(State(app): State<SharedApp>, member: Member) -> Result<Response, Problem> {
    let Member { player, frame } = member;
    let (account, names) = (Account::Player(player.clone()), app.game_names().await);
    let (bots, balances, challenges, sets, practice) = tokio::try_join!(
        app.bots_with_standing(&player),
        app.balances(&account),
        app.challenges(open_challenges_of(&player)),
        app.sets(running_sets_of(&player)),
        app.practice_of(&player),
    )?;
    let row = |challenge| ChallengeRow::new(challenge, Some(&player), &names);
    Ok(show(&MePage {
        frame,
        name: player.name.to_string(),
        id: player.id.to_string(),
        balances: balances.0.into_iter().collect(),
        bots,
        challenges: challenges.challenges.iter().map(row).collect(),
        sets: SetRow::all(&sets.sets, &names),
        practice: practice.practice,
    }))
}

fn open_challenges_of(player: &Player) -> ListChallengesRequest {
    ListChallengesRequest {
        participant_id: player.id.to_string(),
        status: ChallengeStatus::Open.into(),
        limit: ROWS,
        ..ListChallengesRequest::default()
    }
}

/// Sets that a player plays in person.
pub(super) fn running_sets_of(player: &Player) -> ListSetsRequest {
    ListSetsRequest {
        participant_id: player.id.to_string(),
        status: SetStatus::Active.into(),
        limit: ROWS,
        ..ListSetsRequest::default()
    }
}

impl App {
    async fn bots_with_standing(&self, player: &Player) -> Result<Vec<BotJson>, Problem> {
        let bots = self.identity.store().bots_of(&player.id).await?;
        futures::future::try_join_all(bots.iter().map(|bot| self.bot_profile(bot))).await
    }
}

#[derive(Template)]
#[template(path = "statement.html")]
struct StatementPage {
    frame: Frame,
    balances: Vec<(String, BalanceJson)>,
    entries: Vec<EntryRow>,
    pager: Pager,
}

struct EntryRow {
    at: String,
    what: &'static str,
    subject: String,
    address: String,
    posted: String,
    held: String,
    fee: String,
    available: String,
    held_after: String,
}

/// Every change of the balance, newest first.
pub(super) async fn statement(State(app): State<SharedApp>, member: Member, uri: Uri) -> Result<Response, Problem> {
    let (account, asked) = (Account::Player(member.player), page(&session::query(&uri), ENTRIES));
    let (balances, found) = tokio::try_join!(app.balances(&account), app.statement(&account, asked.clone()))?;
    let pager = Pager::new(uri.path(), &asked, found.next_cursor.as_deref());
    let entries = found.entries.iter().map(EntryRow::from).collect();
    Ok(show(&StatementPage { frame: member.frame, balances: balances.0.into_iter().collect(), entries, pager }))
}

impl From<&EntryJson> for EntryRow {
    fn from(entry: &EntryJson) -> Self {
        let place = match entry.subject.split_once('_').map(|(kind, _)| kind) {
            Some("set") => "/sets/",
            Some("chal") => "/challenges/",
            _ => "",
        };
        let amount = |points| if points == 0 { "–".to_owned() } else { words::change(points) };
        Self {
            at: words::moment(entry.at),
            what: word(entry.kind),
            address: if place.is_empty() { String::new() } else { format!("{place}{}", entry.subject) },
            subject: entry.subject.clone(),
            posted: amount(entry.posted_change),
            held: amount(entry.held_change),
            fee: if entry.fee == 0 { "–".to_owned() } else { words::amount(entry.fee) },
            available: format!("{} {}", words::amount(entry.balance_after.available), entry.currency),
            held_after: words::amount(entry.balance_after.held),
        }
    }
}

fn word(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Grant => "Granted",
        EntryKind::Hold => "Stake set aside",
        EntryKind::Release => "Stake back, no set",
        EntryKind::Win => "Set won",
        EntryKind::Loss => "Set lost",
        EntryKind::Split => "Stake back, draw",
        EntryKind::Refund => "Stake back, aborted",
    }
}

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    frame: Frame,
    keys: Vec<BotKeyJson>,
    sessions: Vec<(String, bool)>,
    new_key: Option<String>,
}

/// Player keys, and browsers that are signed in.
pub(super) async fn keys(
    State(app): State<SharedApp>,
    member: Member,
    caller: Option<Extension<Arc<Caller>>>,
) -> Result<Response, Problem> {
    app.keys_page(member, caller, None).await
}

/// Adds a player key and shows it, this once.
pub(super) async fn add_key(
    State(app): State<SharedApp>,
    member: Member,
    caller: Option<Extension<Arc<Caller>>>,
) -> Result<Response, Problem> {
    let made = app.identity.add_player_key(&member.player, None).await?;
    let key = made.key.map(|key| key.reveal().to_owned());
    app.keys_page(member, caller, key).await.map(once)
}

/// Revokes a player key.
pub(super) async fn revoke_key(
    State(app): State<SharedApp>,
    member: Member,
    Path(key): Path<String>,
) -> Result<Redirect, Problem> {
    app.identity.revoke_key_of(&Holder::Player(member.player.id), &key).await?;
    Ok(Redirect::to("/me/keys"))
}

impl App {
    async fn keys_page(
        &self,
        member: Member,
        caller: Option<Extension<Arc<Caller>>>,
        new_key: Option<String>,
    ) -> Result<Response, Problem> {
        let holder = Holder::Player(member.player.id);
        let keys = self.identity.store().keys_of(&holder).await?.iter().map(BotKeyJson::new).collect();
        let (here, now_ms) = (caller.map(|Extension(caller)| caller.key_id.clone()), self.now_ms());
        let live = self.identity.store().sessions_of(&holder).await?.into_iter().filter(|key| key.is_live(now_ms));
        let sessions = live
            .map(|key| {
                let since = words::moment(Timestamp(key.created_at_ms));
                (since, here.as_ref() == Some(&key.id))
            })
            .collect();
        Ok(show(&KeysPage { frame: member.frame, keys, sessions, new_key }))
    }
}

/// Cancels a challenge of one's own, and leads to one's own page.
pub(super) async fn cancel(
    State(app): State<SharedApp>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let account = Account::Player(member.player);
    app.cancel_challenge(&account, id, app.identity.request_id()).await?;
    Ok(Redirect::to("/me").into_response())
}

/// Declines a challenge that was made to oneself.
pub(super) async fn decline(
    State(app): State<SharedApp>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let account = Account::Player(member.player);
    app.decline_challenge(&account, id, app.identity.request_id()).await?;
    Ok(Redirect::to("/me").into_response())
}

/// Accepts a challenge in person, and leads to the set.
pub(super) async fn accept(
    State(app): State<SharedApp>,
    member: Member,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, Problem> {
    let (account, nonce) = (Account::Player(member.player), fields.given("nonce").map(str::to_owned));
    let accepted = app.accept_challenge(&account, id, nonce, app.identity.request_id()).await?;
    let to = accepted.set.map_or_else(|| "/".to_owned(), |set| format!("/sets/{}", set.id));
    Ok(Redirect::to(&to).into_response())
}

//! One's own bots: making them, changing what they say and accept, and their keys.
//!
//! Forms become the very requests that the API takes. Not here: what may be asked for, which the API's checks say.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Control, Faults, Field, Fields};
use super::frame::{Frame, Member, show, show_with};
use super::session::once;
use crate::api::bots::{bot_change, new_bot};
use crate::api::extract::Path;
use crate::api::json::account::{AcceptsJson, BotKeyJson, BotPatch, NewBotBody};
use crate::app::{App, SharedApp};
use crate::domain::account::{Account, Bot, DEFAULT_MAX_STAKE_POINTS, DESCRIPTION_MAX, MAX_STAKE_LIMIT_POINTS, Player};
use crate::problem::Problem;

/// Most characters of a name.
const NAME_MAX: usize = 32;
/// Fields of the form that makes a bot.
const NEW_FIELDS: [&str; 3] = ["name", "description", "max_stake"];
/// Fields of the form that changes one.
const EDIT_FIELDS: [&str; 6] = ["name", "description", "max_stake", "accepts.stake_max", "rated", "humans"];

#[derive(Template)]
#[template(path = "bot_new.html")]
struct NewBotPage {
    frame: Frame,
    fields: Vec<Field>,
    fault: Option<String>,
}

impl NewBotPage {
    fn new(frame: Frame, typed: &Fields, faults: &Faults) -> Self {
        let fields = [name().needed(), description(), max_stake().value(DEFAULT_MAX_STAKE_POINTS.to_string())];
        let fields = fields.into_iter().map(|field| field.again(typed, faults)).collect();
        Self { frame, fields, fault: faults.general.clone() }
    }
}

fn name() -> Field {
    Field::new("name", "Name", Control::Line(NAME_MAX)).hint("3 to 32 letters, digits, - or _.")
}

fn description() -> Field {
    Field::new("description", "What it says of itself", Control::Lines(DESCRIPTION_MAX))
        .hint("Shown on its page; may stay empty.")
}

fn max_stake() -> Field {
    Field::new("max_stake", "Most that it may stake on one set", Control::Number(0, MAX_STAKE_LIMIT_POINTS))
        .hint("In points. The points are yours: the bot plays with them up to this limit.")
}

/// Shows the form that makes a bot.
pub(super) async fn new_form(member: Member) -> Response {
    show(&NewBotPage::new(member.frame, &Fields::default(), &Faults::default()))
}

#[derive(Template)]
#[template(path = "bot_made.html")]
struct BotMadePage {
    frame: Frame,
    name: String,
    id: String,
    key: String,
}

/// Makes a bot and shows its key, this once; or says what is wrong.
pub(super) async fn create(State(app): State<SharedApp>, member: Member, fields: Fields) -> Response {
    match app.bot_by_form(&member.player, &fields).await {
        Ok((bot, key)) => {
            let (name, id) = (bot.name.to_string(), bot.id.to_string());
            once(show(&BotMadePage { frame: member.frame, name, id, key }))
        }
        Err(problem) => {
            let (status, faults) = Faults::of(problem, &NEW_FIELDS);
            show_with(status, &NewBotPage::new(member.frame, &fields, &faults))
        }
    }
}

impl App {
    async fn bot_by_form(&self, owner: &Player, fields: &Fields) -> Result<(Bot, String), Problem> {
        let body = NewBotBody {
            name: fields.get("name").to_owned(),
            max_stake: fields.integer("max_stake")?,
            description: fields.given("description").map(str::to_owned),
            accepts: None,
        };
        let made = self.identity.make_bot(owner, new_bot(body)?, None).await?;
        Ok((made.what, made.key.map(|key| key.reveal().to_owned()).unwrap_or_default()))
    }
}

#[derive(Template)]
#[template(path = "bot_edit.html")]
struct EditBotPage {
    frame: Frame,
    name: String,
    id: String,
    fields: Vec<Field>,
    fault: Option<String>,
    keys: Vec<BotKeyJson>,
    new_key: Option<String>,
    is_saved: bool,
}

/// What one may see of a bot of one's own, beside the form.
#[derive(Default)]
struct Shown {
    typed: Fields,
    faults: Faults,
    new_key: Option<String>,
    is_saved: bool,
}

/// Shows a bot of one's own.
pub(super) async fn edit_form(
    State(app): State<SharedApp>,
    member: Member,
    Path(id): Path<String>,
    uri: axum::http::Uri,
) -> Result<Response, Problem> {
    let is_saved = super::session::query(&uri).is_ticked("saved");
    let page = app.edit_page(member, &id, Shown { is_saved, ..Shown::default() }).await?;
    Ok(show(&page))
}

/// Changes a bot, or says what is wrong.
pub(super) async fn change(
    State(app): State<SharedApp>,
    member: Member,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, Problem> {
    match app.change_by_form(&member.player, &id, &fields).await {
        Ok(bot) => Ok(Redirect::to(&format!("/me/bots/{}?saved=yes", bot.id)).into_response()),
        Err(problem) => {
            let (status, faults) = Faults::of(problem, &EDIT_FIELDS);
            let page = app.edit_page(member, &id, Shown { typed: fields, faults, ..Shown::default() }).await?;
            Ok(show_with(status, &page))
        }
    }
}

/// Adds a key to a bot and shows it, this once.
pub(super) async fn add_key(
    State(app): State<SharedApp>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let made = app.identity.add_key(&member.player, &id, None).await?;
    let new_key = made.key.map(|key| key.reveal().to_owned());
    let page = app.edit_page(member, &id, Shown { new_key, ..Shown::default() }).await?;
    Ok(once(show(&page)))
}

/// Revokes a key of a bot.
pub(super) async fn revoke_key(
    State(app): State<SharedApp>,
    member: Member,
    Path((id, key)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    app.identity.revoke_key(&member.player, &id, &key).await?;
    Ok(Redirect::to(&format!("/me/bots/{id}")))
}

impl App {
    async fn edit_page(&self, member: Member, id: &str, shown: Shown) -> Result<EditBotPage, Problem> {
        let keys = self.identity.keys(&member.player, id).await?;
        let Account::Bot(bot) = self.identity.account(id, "bot").await? else {
            return Err(Problem::not_found("bot"));
        };
        let fields = edit_fields(&bot).into_iter().map(|field| field.again(&shown.typed, &shown.faults)).collect();
        Ok(EditBotPage {
            frame: member.frame,
            name: bot.name.to_string(),
            id: bot.id.to_string(),
            fields,
            fault: shown.faults.general,
            keys: keys.iter().map(BotKeyJson::new).collect(),
            new_key: shown.new_key,
            is_saved: shown.is_saved,
        })
    }

    async fn change_by_form(&self, owner: &Player, id: &str, fields: &Fields) -> Result<Bot, Problem> {
        let Account::Bot(bot) = self.identity.account(id, "bot").await? else {
            return Err(Problem::not_found("bot"));
        };
        let accepts = AcceptsJson {
            games: (!bot.accepts.games.is_empty()).then_some(bot.accepts.games),
            stake_max: fields.integer("accepts.stake_max")?,
            rated: choice(fields.get("rated")),
            humans: choice(fields.get("humans")),
        };
        let patch = BotPatch {
            name: fields.given("name").map(str::to_owned),
            max_stake: fields.integer("max_stake")?,
            description: Some(fields.get("description").to_owned()),
            accepts: Some(Some(accepts)),
        };
        Ok(self.identity.change_bot(owner, id, bot_change(patch)?).await?)
    }
}

/// What a policy says to one question: yes, no, or either.
fn choice(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn chosen(answer: Option<bool>) -> &'static str {
    match answer {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    }
}

fn choices(either: &str, yes: &str, no: &str) -> Control {
    let pair = |value: &str, label: &str| (value.to_owned(), label.to_owned());
    Control::Choice(vec![pair("", either), pair("yes", yes), pair("no", no)])
}

/// Persons are let in unless they are kept out, so there are two answers only.
fn from_whom() -> Control {
    let pair = |value: &str, label: &str| (value.to_owned(), label.to_owned());
    Control::Choice(vec![pair("", "bots and people"), pair("no", "bots only")])
}

fn humans(answer: Option<bool>) -> &'static str {
    if answer == Some(false) { "no" } else { "" }
}

fn edit_fields(bot: &Bot) -> Vec<Field> {
    let stake_max = bot.accepts.stake_max_points.map(|points| points.to_string()).unwrap_or_default();
    vec![
        name().value(bot.name.as_str()),
        description().value(bot.description.clone()),
        max_stake().value(bot.max_stake_points.to_string()),
        Field::new(
            "accepts.stake_max",
            "Accepts challenges with a stake up to",
            Control::Number(0, MAX_STAKE_LIMIT_POINTS),
        )
        .hint("Empty: no limit of its own. Private challenges outside of what it accepts are declined at once.")
        .value(stake_max),
        Field::new("rated", "Accepts", choices("rated and unrated sets", "rated sets only", "unrated sets only"))
            .value(chosen(bot.accepts.rated)),
        Field::new("humans", "Accepts challenges from", from_whom()).value(humans(bot.accepts.humans)),
    ]
}

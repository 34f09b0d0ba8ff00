//! Challenges: the form that makes one, by the schema of the game, and the page about one.
//!
//! The form becomes the request that the API takes, with the game's default clock. Not here: what is allowed.

use askama::Template;
use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Redirect, Response};
use farside_proto::ledger::v1::Currency;
use farside_proto::rules::v1::GameContract;
use serde_json::{Map, Value};

use super::form::{Control, Faults, Field, Fields};
use super::frame::{Frame, Member, show, show_with};
use super::games::choices;
use super::rows::ChallengeRow;
use super::{session, words};
use crate::api::extract::Path;
use crate::api::json::challenge::{ChallengeAndSet, ChallengeStatus, NewChallenge, StakeJson};
use crate::api::json::contract;
use crate::api::json::scalar::Raw;
use crate::app::{App, SharedApp};
use crate::domain::account::{Account, Player};
use crate::problem::Problem;

/// What begins the name of a field that is an option of the game.
const OPTION: &str = "options.";
/// Most characters of an opponent's name.
const OPPONENT_MAX: usize = 64;

#[derive(Template)]
#[template(path = "challenge_new.html")]
struct NewChallengePage {
    frame: Frame,
    games: Vec<(String, String)>,
    game: String,
    game_name: String,
    clock: String,
    options: Vec<Field>,
    fields: Vec<Field>,
    fault: Option<String>,
}

/// Shows the form, for the game of the query.
pub(super) async fn new_form(State(app): State<SharedApp>, member: Member, uri: Uri) -> Result<Response, Problem> {
    let typed = session::query(&uri);
    let page = app.challenge_page(member.frame, &typed, &Faults::default()).await?;
    Ok(show(&page))
}

/// Makes a challenge, or says what is wrong.
pub(super) async fn create(State(app): State<SharedApp>, member: Member, fields: Fields) -> Result<Response, Problem> {
    match app.challenge_by_form(member.player, &fields).await {
        Ok(ChallengeAndSet { set: Some(set), .. }) => Ok(Redirect::to(&format!("/sets/{}", set.id)).into_response()),
        Ok(ChallengeAndSet { challenge, .. }) => {
            Ok(Redirect::to(&format!("/challenges/{}", challenge.id)).into_response())
        }
        Err(problem) => {
            let names = app.field_names(fields.get("game")).await?;
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let (status, faults) = Faults::of(problem, &names);
            let page = app.challenge_page(member.frame, &fields, &faults).await?;
            Ok(show_with(status, &page))
        }
    }
}

impl App {
    async fn challenge_page(&self, frame: Frame, typed: &Fields, faults: &Faults) -> Result<NewChallengePage, Problem> {
        let (games, currencies) = (self.games().await?, self.currencies().await?);
        let chosen = games.iter().find(|game| game.id == typed.get("game")).or_else(|| games.first());
        let chosen = chosen.ok_or_else(|| Problem::not_found("game"))?;
        let again = |field: Field| field.again(typed, faults);
        Ok(NewChallengePage {
            frame,
            games: games.iter().map(|game| (game.id.clone(), game.name.clone())).collect(),
            game: chosen.id.clone(),
            game_name: chosen.name.clone(),
            clock: words::clock(Some(contract::ClockContract::from(chosen.clock.unwrap_or_default()).default)),
            options: option_fields(chosen).into_iter().map(again).collect(),
            fields: other_fields(chosen, &currencies).into_iter().map(again).collect(),
            fault: faults.general.clone(),
        })
    }

    /// The fields of the form of a game, by name.
    async fn field_names(&self, game: &str) -> Result<Vec<String>, Problem> {
        let games = self.games().await?;
        let options = games.iter().find(|contract| contract.id == game).map(option_names).unwrap_or_default();
        let options = options.into_iter().map(|name| format!("{OPTION}{name}"));
        Ok(options.chain(["opponent", "stake", "rated", "nonce"].map(str::to_owned)).collect())
    }

    async fn challenge_by_form(&self, player: Player, fields: &Fields) -> Result<ChallengeAndSet, Problem> {
        let contract = self.contract(fields.get("game")).await?;
        let currencies = self.currencies().await?;
        let new = NewChallenge {
            options: Some(options(&contract, fields)?),
            game: contract.id,
            clock: None,
            stake: stake(fields, &currencies)?,
            opponent: fields.given("opponent").map(str::to_owned),
            rated: rated(fields.get("rated")),
            format: None,
            nonce: fields.given("nonce").map(str::to_owned),
            expires_in_s: None,
        };
        self.make_challenge(&Account::Player(player), new, self.identity.request_id()).await
    }
}

fn schema(contract: &GameContract) -> Map<String, Value> {
    let schema: Value = serde_json::from_str(&contract.options_schema_json).unwrap_or_default();
    schema["properties"].as_object().cloned().unwrap_or_default()
}

fn option_names(contract: &GameContract) -> Vec<String> {
    schema(contract).into_iter().map(|(name, _)| name).collect()
}

/// The options that were filled in, by their types; the rest has its default.
fn options(contract: &GameContract, fields: &Fields) -> Result<Raw, Problem> {
    let mut options = Map::new();
    for (name, option) in schema(contract) {
        let field = format!("{OPTION}{name}");
        let Some(text) = fields.given(&field) else { continue };
        let value = match kind(&option) {
            Kind::Integer(..) => fields.integer(&field)?.map_or(Value::Null, Value::from),
            Kind::Choice(_) => Value::from(text),
            Kind::Other => serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)),
        };
        options.insert(name, value);
    }
    Ok(Raw::from_json(Value::Object(options).to_string()))
}

/// What an option of a schema takes.
enum Kind {
    /// A whole number within a range.
    Integer(i64, i64),
    /// One of several words.
    Choice(Vec<String>),
    /// Anything else, as JSON.
    Other,
}

fn kind(option: &Value) -> Kind {
    let choices = choices(option);
    if !choices.is_empty() {
        return Kind::Choice(choices);
    }
    match (option["minimum"].as_i64(), option["maximum"].as_i64()) {
        (Some(min), Some(max)) => Kind::Integer(min, max),
        _ => Kind::Other,
    }
}

fn option_fields(contract: &GameContract) -> Vec<Field> {
    let defaults: Value = serde_json::from_str(&contract.default_options_json).unwrap_or_default();
    schema(contract).iter().map(|(name, option)| option_field(name, option, &defaults[name])).collect()
}

fn option_field(name: &str, option: &Value, default: &Value) -> Field {
    let label = option["title"].as_str().unwrap_or(name);
    let about = option["description"].as_str().unwrap_or_default();
    let (name, plain) =
        (format!("{OPTION}{name}"), default.as_str().map_or_else(|| default.to_string(), str::to_owned));
    match kind(option) {
        Kind::Integer(min, max) => {
            let hint = format!("{min} to {max}; {plain} when left empty. {about}");
            Field::new(&name, label, Control::Number(min, max)).hint(hint.trim())
        }
        Kind::Choice(values) => {
            let choices = values.into_iter().map(|value| (value.clone(), value)).collect();
            Field::new(&name, label, Control::Choice(choices)).hint(about).value(plain)
        }
        Kind::Other => Field::new(&name, label, Control::Line(OPPONENT_MAX)).hint(about),
    }
}

fn other_fields(contract: &GameContract, currencies: &[Currency]) -> Vec<Field> {
    let levels: Vec<String> = contract.house_levels.iter().map(|level| format!("house:{level}")).collect();
    let mut fields = vec![Field::new("opponent", "Opponent", Control::Line(OPPONENT_MAX)).hint(format!(
        "The name of a bot or player, or a house bot for practice ({}). Empty: whoever accepts first.",
        levels.join(", ")
    ))];
    if let Some(currency) = currencies.first() {
        let (min, max) = (currency.stake_min_points, currency.stake_max_points);
        let hint = format!("{} to {} {}. Empty: nothing.", words::amount(min), words::amount(max), currency.code);
        fields.push(Field::new("stake", "Stake of each side", Control::Number(min, max)).hint(hint));
    }
    let pair = |value: &str, label: &str| (value.to_owned(), label.to_owned());
    let choices = vec![pair("", "counts where it can"), pair("yes", "has to count"), pair("no", "does not count")];
    fields.push(Field::new("rated", "Rating", Control::Choice(choices)));
    fields.push(Field::new("nonce", "Your part of the seed", Control::Line(OPPONENT_MAX)).hint(
        "Optional. Whatever you type is mixed into the draw of the start, so that nobody else can have chosen it.",
    ));
    fields
}

fn stake(fields: &Fields, currencies: &[Currency]) -> Result<Option<StakeJson>, Problem> {
    let currency = currencies.first().map(|currency| currency.code.clone()).unwrap_or_default();
    Ok(fields.integer("stake")?.map(|amount| StakeJson { currency, amount }))
}

fn rated(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

#[derive(Template)]
#[template(path = "challenge.html")]
struct ChallengePage {
    frame: Frame,
    challenge: ChallengeRow,
    status: &'static str,
    is_open: bool,
    set: Option<String>,
    declined: Option<String>,
    options: String,
    seed_hash: String,
}

/// A challenge: how it stands, and what one can do about it.
pub(super) async fn show_one(
    State(app): State<SharedApp>,
    frame: Frame,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let (challenge, names) = (app.challenge(id).await?, app.game_names().await);
    Ok(show(&ChallengePage {
        status: word(challenge.status),
        is_open: challenge.status == ChallengeStatus::Open,
        set: challenge.set_id.clone(),
        declined: challenge.declined_reason.clone(),
        options: challenge.options.get().to_owned(),
        seed_hash: challenge.seed_hash.clone(),
        challenge: ChallengeRow::new(&challenge, frame.visitor.player(), &names),
        frame,
    }))
}

fn word(status: ChallengeStatus) -> &'static str {
    match status {
        ChallengeStatus::Open => "open",
        ChallengeStatus::Accepted => "accepted",
        ChallengeStatus::Declined => "declined",
        ChallengeStatus::Cancelled => "cancelled",
        ChallengeStatus::Expired => "expired",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract() -> GameContract {
        let schema = serde_json::json!({"properties": {
            "size": {"type": "integer", "minimum": 6, "maximum": 12, "title": "Board size"},
            "start": {"oneOf": [{"const": "standard"}, {"const": "random"}]},
        }});
        GameContract {
            options_schema_json: schema.to_string(),
            default_options_json: r#"{"size":8,"start":"random"}"#.to_owned(),
            ..GameContract::default()
        }
    }

    #[test]
    fn options_are_taken_by_their_types_and_left_out_when_empty() {
        let fields = Fields::parse(b"options.size=6&options.start=standard&options.other=1");
        assert_eq!(options(&contract(), &fields).unwrap().get(), r#"{"size":6,"start":"standard"}"#);
        assert_eq!(options(&contract(), &Fields::parse(b"options.size=")).unwrap().get(), "{}");
        let problem = options(&contract(), &Fields::parse(b"options.size=x")).unwrap_err().into_body();
        assert_eq!(problem.errors[0].pointer, "/options.size");
    }

    #[test]
    fn the_form_has_a_field_for_each_option_of_the_schema() {
        let html: String = option_fields(&contract()).iter().map(|field| field.render().unwrap()).collect();
        assert!(html.contains("Board size") && html.contains("6 to 12; 8 when left empty."), "{html}");
        assert!(html.contains("<option value=\"random\" selected>"), "{html}");
    }
}

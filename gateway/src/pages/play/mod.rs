//! Playing practice by hand: settings, the game itself, how it ended, and what the person has achieved so far.
//!
//! A game is an untimed practice set of one game against a house bot, made and played through the same doors as any
//! other. Not here: rules, and the page of a set.

mod choice;
mod counted;
mod end;
mod unfinished;

use askama::Template;
use axum::extract::{Extension, Form, State};
use axum::response::{IntoResponse, Redirect, Response};
use farside_proto::matches::v1 as matches;
use matches::create_challenge_request::ClockChoice;

pub(super) use self::choice::place_of;
use self::choice::{BOARDS, Choice, ChoiceForm, LEVELS, STRENGTHS};
use self::counted::Counted;
use self::end::End;
use self::unfinished::Unfinished;
use super::frame::{Frame, show, show_with};
use super::session;
use super::table::{Place, Table};
use crate::api::extract::{Path, Query};
use crate::api::guard::ClientAddress;
use crate::api::json::challenge::ChallengeKind;
use crate::api::json::participant::{Kind, house, participant};
use crate::api::json::table::PracticeJson;
use crate::app::{App, SharedApp};
use crate::domain::account::{Account, Player};
use crate::problem::Problem;

/// The settings of a game: a board and a difficulty, or a strength.
#[derive(Template)]
#[template(path = "play.html")]
struct PlayPage {
    frame: Frame,
    choice: Choice,
    once: String,
    unfinished: Vec<Unfinished>,
    counted: Vec<Counted>,
    refused: Option<String>,
}

/// The game itself.
#[derive(Template)]
#[template(path = "play_game.html")]
struct GamePage {
    frame: Frame,
    table: Table,
    choice: Choice,
    once: String,
    counted: Option<Counted>,
    end: Option<End>,
}

/// Settings of Breakthrough.
pub(super) async fn settings(
    State(app): State<SharedApp>,
    frame: Frame,
    Query(form): Query<ChoiceForm>,
) -> Result<Response, Problem> {
    Ok(show(&app.play_page(frame, form.pawns(), None).await))
}

/// Settings of Maker and Breaker.
pub(super) async fn maker_settings(
    State(app): State<SharedApp>,
    frame: Frame,
    Query(form): Query<ChoiceForm>,
) -> Result<Response, Problem> {
    Ok(show(&app.play_page(frame, form.makers(), None).await))
}

/// Starts a game: for whoever is signed in, else for a new guest.
pub(super) async fn start(
    State(app): State<SharedApp>,
    frame: Frame,
    Extension(address): Extension<ClientAddress>,
    Form(form): Form<ChoiceForm>,
) -> Result<Response, Problem> {
    let choice = form.chosen()?;
    let seated = session::seat(&app, &frame.visitor, address).await?;
    let answer = match app.begin(&seated.player, &choice, &form.once()).await {
        Ok(set_id) => Redirect::to(&format!("/play/{set_id}")).into_response(),
        Err(problem) => {
            let (status, refused) = (problem.status(), problem.into_body().detail);
            show_with(status, &app.play_page(frame, choice, Some(refused)).await)
        }
    };
    Ok(seated.answer(answer))
}

/// The game itself. A set that is no practice of the person who looks has its own page.
pub(super) async fn game(
    State(app): State<SharedApp>,
    frame: Frame,
    Path(set_id): Path<String>,
) -> Result<Response, Problem> {
    let viewer = frame.visitor.player().map(|player| player.id.to_string()).unwrap_or_default();
    let table = app.table(set_id, viewer, Place::default()).await?;
    let is_own = table.set.kind == ChallengeKind::Practice && table.set.creator.id == table.viewer;
    let choice = Choice::of(&table.set).filter(|_| is_own && table.set.acceptor.kind == Kind::House);
    let (Some(choice), Some(player)) = (choice, frame.visitor.player()) else {
        return Ok(Redirect::to(&format!("/sets/{}", table.set.id)).into_response());
    };
    let counted = app.practice(player).await.into_iter().find(|counted| choice.is_counted_by(counted));
    let end = End::of(&table);
    let once = app.identity.request_id();
    Ok(show(&GamePage { frame, table, choice, once, counted: counted.map(Counted::from), end }))
}

impl App {
    async fn play_page(&self, frame: Frame, choice: Choice, refused: Option<String>) -> PlayPage {
        let (mut unfinished, mut practice) = (Vec::new(), Vec::new());
        if let Some(player) = frame.visitor.player() {
            (unfinished, practice) = tokio::join!(self.unfinished(player), self.practice(player));
        }
        let of_game = practice.into_iter().filter(|counted| counted.game == choice.game());
        let counted = of_game.map(Counted::from).collect();
        PlayPage { frame, choice, once: self.identity.request_id(), unfinished, counted, refused }
    }

    /// Makes the practice set of a choice. The same `once` again leads to the same set.
    async fn begin(&self, player: &Player, choice: &Choice, once: &str) -> Result<String, Problem> {
        let request = matches::CreateChallengeRequest {
            request_id: format!("play:{once}"),
            actor: Some(participant(&Account::Player(player.clone()))),
            game: choice.game().to_owned(),
            options_json: choice.options_json(),
            clock_choice: Some(ClockChoice::Untimed(true)),
            opponent: house(&format!("house:{}", choice.level())),
            format: matches::Format::Single.into(),
            ..matches::CreateChallengeRequest::default()
        };
        let made = self.upstream.matches.create_challenge(request).await?;
        Ok(made.set.unwrap_or_default().id)
    }

    /// What a person has achieved, by board and level; nothing while rating-svc does not answer.
    async fn practice(&self, player: &Player) -> Vec<PracticeJson> {
        self.practice_of(player).await.map(|counted| counted.practice).unwrap_or_default()
    }
}

impl PlayPage {
    /// Boards to choose from; none for a game that has only its own.
    fn boards(&self) -> &'static [choice::Item] {
        if self.choice.is_makers() { &[] } else { &BOARDS }
    }

    fn levels(&self) -> &'static [choice::Item] {
        if self.choice.is_makers() { &STRENGTHS } else { &LEVELS }
    }
}

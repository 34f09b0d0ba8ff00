//! What every page stands in: who looks at it, where it is, and how a rendered template becomes an answer.
//!
//! A handler takes a [`Frame`], puts it into its template's field `frame`, and answers with [`show`]; the template extends
//! `base.html` and fills the blocks `title`, `description`, `head`, `main` and `scripts`. Not here: what a page shows.

use std::convert::Infallible;

use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};

use super::assets;
use crate::api::extract;
use crate::domain::account::{Account, Caller, Player};
use crate::problem::{Code, Problem};

/// The content type of pages.
pub(super) const HTML: &str = "text/html; charset=utf-8";

/// Places of the main navigation: address and label.
const PLACES: [(&str, &str); 5] =
    [("/", "Lobby"), ("/play", "Play"), ("/games", "Games"), ("/bots", "Bots"), ("/docs", "API")];

/// Who looks at a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Visitor {
    /// Nobody that is known.
    #[default]
    Nobody,
    /// A guest, who has not signed up.
    Guest(Player),
    /// A player who is signed in.
    Player(Player),
}

impl Visitor {
    /// This player, looking at a page.
    pub(crate) fn of(player: Player) -> Self {
        if player.is_guest { Self::Guest(player) } else { Self::Player(player) }
    }

    /// The player, guest or not.
    pub(crate) fn player(&self) -> Option<&Player> {
        match self {
            Self::Nobody => None,
            Self::Guest(player) | Self::Player(player) => Some(player),
        }
    }
}

/// What every page stands in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Who looks.
    pub visitor: Visitor,
    /// The address of the page, without the query.
    pub path: String,
}

/// A place of the main navigation.
pub(crate) struct Place {
    /// Its address.
    pub address: &'static str,
    /// Its name.
    pub label: &'static str,
    /// Whether the page is there.
    pub is_here: bool,
}

impl Frame {
    /// The frame of the page at `address` for whoever calls.
    pub(crate) fn new(caller: Option<&Caller>, address: &Uri) -> Self {
        let visitor = match caller.map(|caller| &caller.account) {
            Some(Account::Player(player)) => Visitor::of(player.clone()),
            Some(Account::Bot(_)) | None => Visitor::Nobody,
        };
        Self { visitor, path: address.path().to_owned() }
    }

    /// The frame as it is for this player.
    pub(crate) fn for_player(self, player: Player) -> Self {
        Self { visitor: Visitor::of(player), ..self }
    }

    /// The address of an embedded file.
    #[expect(clippy::unused_self, reason = "templates reach it through the frame that they have")]
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address(name)
    }

    /// The main navigation.
    pub(crate) fn places(&self) -> Vec<Place> {
        let place = |(address, label)| Place { address, label, is_here: is_within(&self.path, address) };
        PLACES.into_iter().map(place).collect()
    }
}

fn is_within(path: &str, place: &str) -> bool {
    path == place || (place != "/" && path.strip_prefix(place).is_some_and(|rest| rest.starts_with('/')))
}

/// A player who is signed in, with its frame. Anybody else is led to the page where that happens, and back.
pub(crate) struct Member {
    /// Who is signed in.
    pub player: Player,
    /// The frame.
    pub frame: Frame,
}

impl<S: Sync> FromRequestParts<S> for Member {
    type Rejection = Redirect;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Redirect> {
        let Ok(frame) = Frame::from_request_parts(parts, state).await;
        let back = if parts.method.is_safe() { parts.uri.path() } else { "/me" };
        match &frame.visitor {
            Visitor::Player(player) => Ok(Self { player: player.clone(), frame }),
            Visitor::Guest(_) => Err(Redirect::to(&format!("/sign-up?next={back}"))),
            Visitor::Nobody => Err(Redirect::to(&format!("/sign-in?next={back}"))),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Frame {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let caller = extract::Viewer::from_request_parts(parts, state).await.ok().and_then(|viewer| viewer.0);
        Ok(Self::new(caller.as_deref(), &parts.uri))
    }
}

/// A page that was found.
pub(crate) fn show(page: &impl Template) -> Response {
    show_with(StatusCode::OK, page)
}

/// A page with another status. One that cannot be rendered is a fault of ours.
pub(crate) fn show_with(status: StatusCode, page: &impl Template) -> Response {
    match page.render() {
        Ok(body) => {
            let headers = [
                (CONTENT_TYPE, HeaderValue::from_static(HTML)),
                (CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
                (VARY, HeaderValue::from_static("cookie, accept")),
            ];
            (status, headers, body).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "a page cannot be rendered");
            Problem::new(Code::Internal, "something went wrong on our side").into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_navigation_marks_the_place_that_the_page_is_in() {
        let here = |path: &str| {
            let frame = Frame { path: path.to_owned(), ..Frame::default() };
            frame.places().into_iter().filter(|place| place.is_here).map(|place| place.address).collect::<Vec<_>>()
        };
        assert_eq!(here("/"), ["/"]);
        assert_eq!(here("/games/breakthrough/leaderboard"), ["/games"]);
        assert!(here("/gamesmanship").is_empty());
    }
}

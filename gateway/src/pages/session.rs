//! Signing up, in and out on the pages, and guests who play without any of it.
//!
//! A browser is known by the cookie `farside_session`. A page that lets somebody sit down calls [`seat`]: whoever is known
//! already keeps its account, anybody else becomes a guest, counted by address like a sign-up, and [`Seated::answer`] adds the
//! cookie to the page's answer. `POST /play/guest` does the same for a plain form and leads to its field `next`. A guest plays
//! practice against house bots; `domain::guest` refuses it the rest, and signing up keeps its id, games and statistics.
//!
//! No address that is only looked at changes anything, and forms are taken from pages of this gateway alone
//! ([`same_origin`]). Not here: keys and names, which are identity's.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Extension, Request, State};
use axum::http::header::{CACHE_CONTROL, HeaderValue, SET_COOKIE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Control, Faults, Field, Fields};
use super::frame::{Frame, Visitor, show, show_with};
use crate::api::guard::{self, ClientAddress, SESSION_COOKIE};
use crate::app::{App, SharedApp};
use crate::domain::account::{Caller, Player};
use crate::identity::Session;
use crate::problem::{Code, Problem};

/// Most characters of a name.
const NAME_MAX: usize = 32;
/// Where one goes after signing in.
const HOME: &str = "/me";

/// Somebody who may sit down to play, and the cookie by which it is known from now on.
#[derive(Clone, Debug)]
pub(crate) struct Seated {
    /// The player, perhaps a guest.
    pub player: Player,
    cookie: Option<HeaderValue>,
}

impl Seated {
    /// An answer with the cookie, where there is a new one.
    pub(crate) fn answer(self, response: impl IntoResponse) -> Response {
        let mut response = response.into_response();
        if let Some(cookie) = self.cookie {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        response
    }
}

/// Lets whoever looks sit down: as the player that it is, else as a new guest.
///
/// # Errors
///
/// `rate_limited` when the address has made too many; what the store says.
pub(crate) async fn seat(app: &SharedApp, visitor: &Visitor, address: ClientAddress) -> Result<Seated, Problem> {
    if let Some(player) = visitor.player() {
        return Ok(Seated { player: player.clone(), cookie: None });
    }
    guard::count(app, app.quotas.sign_up, &address.subject()).await?;
    let session = app.identity.make_guest().await?;
    Ok(Seated { cookie: app.cookie(&session), player: session.player })
}

/// Makes a guest of whoever is not known, and leads on: `POST /play/guest`.
pub(super) async fn play_as_guest(
    State(app): State<SharedApp>,
    frame: Frame,
    Extension(address): Extension<ClientAddress>,
    fields: Fields,
) -> Result<Response, Problem> {
    let seated = seat(&app, &frame.visitor, address).await?;
    tracing::debug!(player_id = %seated.player.id, "somebody sits down");
    Ok(seated.answer(Redirect::to(&local(fields.get("next"), "/play"))))
}

/// Refuses forms that come from elsewhere.
pub(super) async fn same_origin(request: Request, next: Next) -> Response {
    if request.method().is_safe() || guard::is_same_origin(request.headers()) {
        next.run(request).await
    } else {
        Problem::new(Code::Forbidden, "this form was not sent from a page of this site").into_response()
    }
}

/// The page on which one signs up.
#[derive(Template)]
#[template(path = "sign_up.html")]
struct SignUpPage {
    frame: Frame,
    name: Field,
    next: String,
    fault: Option<String>,
    grant_points: i64,
}

impl SignUpPage {
    fn new(app: &App, frame: Frame, fields: &Fields, faults: &Faults) -> Self {
        let name = Field::new("name", "Name", Control::Line(NAME_MAX))
            .hint("3 to 32 letters, digits, - or _. Everybody sees it; bots share the same names.");
        Self {
            frame,
            name: name.needed().again(fields, faults),
            next: local(fields.get("next"), HOME),
            fault: faults.general.clone(),
            grant_points: app.identity.signup_grant_points(),
        }
    }
}

/// What a player sees who has just signed up: the key, this once.
#[derive(Template)]
#[template(path = "welcome.html")]
struct WelcomePage {
    frame: Frame,
    name: String,
    key: String,
    next: String,
    was_guest: bool,
}

/// Shows the form.
pub(super) async fn sign_up_form(State(app): State<SharedApp>, frame: Frame, uri: axum::http::Uri) -> Response {
    match frame.visitor {
        Visitor::Player(_) => Redirect::to(HOME).into_response(),
        _ => show(&SignUpPage::new(&app, frame, &query(&uri), &Faults::default())),
    }
}

/// Signs up, or says what is wrong.
pub(super) async fn sign_up(
    State(app): State<SharedApp>,
    frame: Frame,
    Extension(address): Extension<ClientAddress>,
    fields: Fields,
) -> Response {
    let was_guest = match frame.visitor {
        Visitor::Player(_) => return Redirect::to(HOME).into_response(),
        Visitor::Guest(_) => true,
        Visitor::Nobody => false,
    };
    match app.sign_up_as(&frame.visitor, address, fields.get("name")).await {
        Ok((key, session)) => {
            let (name, next) = (session.player.name.to_string(), local(fields.get("next"), HOME));
            let frame = frame.for_player(session.player.clone());
            let page = show(&WelcomePage { frame, name, key, next, was_guest });
            once(app.with_session(page, &session))
        }
        Err(problem) => {
            let (status, faults) = Faults::of(problem, &["name"]);
            show_with(status, &SignUpPage::new(&app, frame, &fields, &faults))
        }
    }
}

/// The page on which one signs in.
#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    frame: Frame,
    key: Field,
    next: String,
    fault: Option<String>,
}

impl SignInPage {
    fn new(frame: Frame, fields: &Fields, faults: &Faults) -> Self {
        let key = Field::new("key", "Player key", Control::Secret)
            .hint("It begins with fsk_ and was shown when you signed up.")
            .needed();
        let (next, fault) = (local(fields.get("next"), HOME), faults.general.clone());
        Self { frame, key: key.again(fields, faults), next, fault }
    }
}

/// Shows the form.
pub(super) async fn sign_in_form(frame: Frame, uri: axum::http::Uri) -> Response {
    match frame.visitor {
        Visitor::Player(_) => Redirect::to(HOME).into_response(),
        _ => show(&SignInPage::new(frame, &query(&uri), &Faults::default())),
    }
}

/// Signs in, or says what is wrong.
pub(super) async fn sign_in(State(app): State<SharedApp>, frame: Frame, fields: Fields) -> Response {
    match app.identity.sign_in(fields.get("key")).await {
        Ok(session) => app.with_session(Redirect::to(&local(fields.get("next"), HOME)), &session),
        Err(fault) => {
            let (status, faults) = Faults::of(fault.into(), &["key"]);
            show_with(status, &SignInPage::new(frame, &fields, &faults))
        }
    }
}

/// Signs out.
pub(super) async fn sign_out(
    State(app): State<SharedApp>,
    caller: Option<Extension<Arc<Caller>>>,
) -> Result<Response, Problem> {
    if let Some(Extension(caller)) = caller {
        app.identity.sign_out(&caller).await?;
    }
    let mut response = Redirect::to("/").into_response();
    if let Some(cookie) = app.cookie_text("", 0) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Signs out every other browser.
pub(super) async fn sign_out_others(
    State(app): State<SharedApp>,
    caller: Option<Extension<Arc<Caller>>>,
) -> Result<Redirect, Problem> {
    if let Some(Extension(caller)) = caller {
        app.identity.sign_out_others(&caller).await?;
    }
    Ok(Redirect::to("/me/keys"))
}

impl App {
    async fn sign_up_as(
        &self,
        visitor: &Visitor,
        address: ClientAddress,
        name: &str,
    ) -> Result<(String, Session), Problem> {
        guard::count(self, self.quotas.sign_up, &address.subject()).await?;
        let made = match visitor {
            Visitor::Guest(guest) => self.identity.sign_up_guest(guest, name).await?,
            Visitor::Nobody | Visitor::Player(_) => self.identity.sign_up(name).await?,
        };
        let session = self.identity.open_session(&made.what).await?;
        Ok((made.key.map(|key| key.reveal().to_owned()).unwrap_or_default(), session))
    }

    fn with_session(&self, response: impl IntoResponse, session: &Session) -> Response {
        let mut response = response.into_response();
        if let Some(cookie) = self.cookie(session) {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        response
    }

    fn cookie(&self, session: &Session) -> Option<HeaderValue> {
        self.cookie_text(session.key.reveal(), session.lasts_ms / 1_000)
    }

    fn cookie_text(&self, value: &str, lasts_s: i64) -> Option<HeaderValue> {
        let secure = if self.is_behind_tls { "; Secure" } else { "" };
        let text = format!("{SESSION_COOKIE}={value}; Path=/; Max-Age={lasts_s}; HttpOnly; SameSite=Lax{secure}");
        HeaderValue::try_from(text).ok()
    }
}

/// An answer that holds a secret: kept nowhere.
pub(super) fn once(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The query of an address as fields.
pub(super) fn query(uri: &axum::http::Uri) -> Fields {
    Fields::parse(uri.query().unwrap_or_default().as_bytes())
}

/// An address on this site to go on to; never one elsewhere.
pub(crate) fn local(next: &str, otherwise: &str) -> String {
    let is_path = next.starts_with('/') && !next.starts_with("//");
    let is_plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_path && is_plain { next.to_owned() } else { otherwise.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_to_another_site() {
        assert_eq!(local("/sets/set_1?ply=3", "/me"), "/sets/set_1?ply=3");
        for elsewhere in ["", "http://evil.test", "//evil.test", "/\\evil.test", "javascript:x", "/a b", "/a\r\nb"] {
            assert_eq!(local(elsewhere, "/me"), "/me", "{elsewhere:?}");
        }
    }
}

//! Errors as pages: whoever asks for a page and gets an error reads what to do next instead of JSON.
//!
//! The API's answers stay what they are. Not here: which errors there are; a [`Told`] in an answer says what happened.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::Request;
use axum::http::Uri;
use axum::http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use axum::response::Response;

use super::frame::{Frame, HTML};
use super::words::sentence;
use crate::domain::account::Caller;
use crate::problem::{Code, Told};

/// Where programs ask, whatever they accept.
const FOR_PROGRAMS: [&str; 6] = ["/v1", "/mcp", "/assets", "/openapi.json", "/healthz", "/readyz"];

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    frame: Frame,
    title: &'static str,
    advice: &'static str,
    detail: String,
    told: Told,
    status: u16,
}

/// The address for which a page is wanted, whatever comes of it; none where a program asks.
pub(crate) fn wanted(request: &Request) -> Option<Uri> {
    wants_page(request).then(|| request.uri().clone())
}

/// Turns an error into a page where a page is wanted.
pub(crate) fn as_page(wanted: Option<Uri>, response: Response) -> Response {
    let told = response.extensions().get::<Told>().cloned();
    let (Some(address), Some(told)) = (wanted, told) else { return response };
    let frame = Frame::new(response.extensions().get::<Arc<Caller>>().map(Arc::as_ref), &address);
    let (title, advice) = words(told.code);
    let (detail, status) = (sentence(&told.detail), response.status().as_u16());
    let page = ErrorPage { frame, title, advice, detail, told, status };
    match page.render() {
        Ok(body) => with_body(response, body),
        Err(error) => {
            tracing::error!(%error, "a page cannot be rendered");
            response
        }
    }
}

fn wants_page(request: &Request) -> bool {
    let path = request.uri().path();
    let is_for_programs =
        |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let accepts = |value: &HeaderValue| value.to_str().is_ok_and(|value| value.contains("text/html"));
    !FOR_PROGRAMS.iter().any(|root| is_for_programs(root)) && request.headers().get_all(ACCEPT).iter().any(accepts)
}

/// The same answer, limits and all, with a page in it.
fn with_body(response: Response, body: String) -> Response {
    let (mut parts, _) = response.into_parts();
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(HTML));
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(body))
}

/// What happened and what a person does about it.
fn words(code: Code) -> (&'static str, &'static str) {
    match code {
        Code::NotFound => (
            "There is nothing here",
            "The address may be mistyped, or what it named may be gone. The lobby and the list of games lead to everything that there is.",
        ),
        Code::Unauthenticated => ("Please sign in", "This page is for players who are signed in."),
        Code::Forbidden | Code::NotInSet => (
            "This is not yours to do",
            "You may be signed in as somebody else, or the page that you came from may be old. Open it again and repeat what you did.",
        ),
        Code::RateLimited => (
            "One moment, please",
            "You asked for very much in a short time. Wait as long as said below, then load the page again.",
        ),
        Code::Unavailable | Code::RequestTimeout => (
            "Not available at the moment",
            "A part of the platform does not answer, or too much is going on. Games go on and nothing is lost. Load the page again in a few seconds.",
        ),
        Code::Internal => (
            "Something went wrong on our side",
            "It has been logged. Load the page again; if it stays, tell the operator the number below.",
        ),
        Code::MethodNotAllowed => ("This address works otherwise", "Go back, and use the buttons of the page."),
        _ => ("That did not work", "Go back, change what is named below, and try again."),
    }
}

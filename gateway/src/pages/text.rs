//! Texts: the guides as files for programs, and the guide for bots as a page.
//!
//! Not here: texts about games, which their contracts have.

use askama::Template;
use axum::response::Response;

use super::frame::{Frame, show};
use super::markdown;

/// The guide for agents and bots.
const AGENTS: &str = include_str!("../../texts/agents.md");

#[derive(Template)]
#[template(path = "guide.html")]
struct GuidePage {
    frame: Frame,
    text: String,
}

/// The guide for bots as a page.
pub(super) async fn guide(frame: Frame) -> Response {
    show(&GuidePage { frame, text: markdown::render(AGENTS) })
}

/// The guide for agents and bots as a file.
pub(super) fn agents() -> String {
    AGENTS.to_owned()
}

/// The index for language models.
pub(super) fn llms() -> String {
    include_str!("../../texts/llms.txt").to_owned()
}

/// What crawlers may read.
pub(super) const ROBOTS: &str = "User-agent: *\nDisallow: /v1/\n";

//! Texts that are served as they are: the guides, the style, the icon.
//!
//! Not here: anything that depends on a request.

/// The guide for agents and bots.
pub(super) fn agents() -> String {
    include_str!("../../texts/agents.md").to_owned()
}

/// The index for language models.
pub(super) fn llms() -> String {
    include_str!("../../texts/llms.txt").to_owned()
}

/// What crawlers may read.
pub(super) const ROBOTS: &str = "User-agent: *\nDisallow: /v1/\n";

/// The style of every page.
pub(super) const CSS: &str = include_str!("../../texts/farside.css");

/// The icon: two pawns on a square.
pub(super) const ICON: &str = concat!(
    r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#e8dcc4"/>"##,
    r##"<circle cx="11" cy="20" r="6" fill="#b3261e"/><circle cx="21" cy="12" r="6" fill="#1d4e89"/></svg>"##
);

//! Texts that are served as they are: the guides.
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

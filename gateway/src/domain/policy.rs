//! What a bot accepts: private challenges outside it are declined at once.
//!
//! Not here: the declining itself, which match-svc does with the policy that the gateway hands it.

/// Most games that a policy may name.
pub const GAMES_MAX: usize = 32;

/// What a bot accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Acceptance {
    /// Game ids; empty means every game.
    pub games: Vec<String>,
    /// Highest stake; nothing means no limit of its own.
    pub stake_max_points: Option<i64>,
    /// Just rated, or just unrated, sets; nothing means either.
    pub rated: Option<bool>,
    /// Whether persons may challenge; nothing means that they may.
    pub humans: Option<bool>,
}

impl Acceptance {
    /// Whether it accepts everything.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

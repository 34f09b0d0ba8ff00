//! What a challenge may ask for: kind, clock, stake, rating and format, checked in order of precedence against the
//! game's contract. Not here: options (rules-svc checks them), balances (the ledger does), limits of a participant.

use serde::{Deserialize, Serialize};

use super::clock::ClockSetting;
use super::fault::Refusal;
use super::ids::GameId;
use super::participant::{Asked, Participant};

/// Longest nonce, in characters.
pub const NONCE_MAX: usize = 64;
/// Longest time that a challenge may stand, in seconds.
pub const EXPIRY_MAX_S: u32 = 7 * 24 * 3_600;

/// How a challenge is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeKind {
    /// To anyone.
    Open,
    /// To one bot or player.
    Private,
    /// Against a house bot or one's own bot.
    Practice,
}

/// Points at stake from each side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stake {
    /// For example `PTS`.
    pub currency: String,
    /// Whole points from each side.
    pub amount_points: i64,
}

/// An inclusive range with its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Smallest.
    pub min: u32,
    /// Largest.
    pub max: u32,
    /// Used when nothing is said.
    pub default: u32,
}

impl Range {
    fn check(self, pointer: &'static str, value: u32) -> Result<(), Refusal> {
        if (self.min..=self.max).contains(&value) {
            return Ok(());
        }
        let name = pointer.rsplit('/').next().unwrap_or_default();
        Err(Refusal::ClockInvalid { pointer, detail: format!("{name} is {} to {}", self.min, self.max) })
    }
}

/// The kind of clock of a game with its ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockRanges {
    /// A budget with an increment.
    Fischer {
        /// Seconds at the start.
        initial_s: Range,
        /// Seconds added after a move.
        increment_s: Range,
        /// Seconds for a seat's first move.
        first_move_s: u32,
    },
    /// A deadline for each round.
    PerRound {
        /// Seconds for a round.
        per_round_s: Range,
    },
}

/// What the lobby needs to know of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFacts {
    /// Its id.
    pub id: GameId,
    /// Version of its contract.
    pub version: u32,
    /// Whether it is ranked.
    pub ranked: bool,
    /// Games in a set.
    pub games_per_set: u32,
    /// Whether both seats act at once, in secret.
    pub simultaneous: bool,
    /// Its clock.
    pub clock: ClockRanges,
    /// House bot levels.
    pub house_levels: Vec<String>,
}

/// A clock as a client asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockChoice {
    /// The game's default.
    Default,
    /// No clock.
    Untimed,
    /// A budget with an increment, in seconds.
    Fischer(u32, u32),
    /// A deadline for each round, in seconds.
    PerRound(u32),
}

/// How many games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// As many as the game's contract says.
    Set,
    /// One; practice only.
    Single,
}

/// Limits of a currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrencyLimits {
    /// Code.
    pub code: String,
    /// Smallest stake.
    pub min_points: i64,
    /// Largest stake.
    pub max_points: i64,
}

/// What a creator asks for.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Who asks.
    pub creator: Participant,
    /// Who is challenged; none for an open challenge.
    pub opponent: Option<Participant>,
    /// The clock.
    pub clock: ClockChoice,
    /// The stake.
    pub stake: Option<Stake>,
    /// None means as the game, the kind and the owners allow.
    pub rated: Option<bool>,
    /// Set or single game.
    pub format: Format,
    /// The creator's part of the seed.
    pub nonce: Option<String>,
    /// Seconds that the challenge stands; none means the default.
    pub expires_in_s: Option<u32>,
}

/// What follows from a proposal that may be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How it is offered.
    pub kind: ChallengeKind,
    /// None when untimed.
    pub clock: Option<ClockSetting>,
    /// Whether the set will be rated.
    pub rated: bool,
    /// Why not, or empty.
    pub unrated_reason: &'static str,
    /// Why the one challenged declines at once.
    pub declined_reason: Option<&'static str>,
}

impl Proposal {
    /// How it is offered: it follows from the opponent.
    #[must_use]
    pub fn kind(&self) -> ChallengeKind {
        match &self.opponent {
            None => ChallengeKind::Open,
            Some(opponent) if opponent.is_house() || opponent.is_sibling_of(&self.creator) => ChallengeKind::Practice,
            Some(_) => ChallengeKind::Private,
        }
    }

    /// Checks what can be wrong with the request by itself, before the options are looked at.
    ///
    /// # Errors
    ///
    /// [`Refusal::MalformedRequest`] or [`Refusal::SameOwner`] with its place.
    pub fn check_form(&self, game: &GameFacts) -> Result<(), Refusal> {
        check_nonce(self.nonce.as_deref())?;
        self.check_expiry()?;
        self.check_opponent(game)?;
        if self.kind() == ChallengeKind::Practice {
            return self.check_practice();
        }
        if self.format == Format::Single {
            return Err(Refusal::malformed("/format", "a single game is for practice"));
        }
        if self.clock == ClockChoice::Untimed {
            return Err(Refusal::malformed("/clock", "an untimed clock is for practice"));
        }
        if self.rated == Some(true) && !game.ranked {
            return Err(Refusal::malformed("/rated", "a casual game is never rated"));
        }
        Ok(())
    }

    fn check_expiry(&self) -> Result<(), Refusal> {
        match self.expires_in_s {
            Some(seconds) if !(1..=EXPIRY_MAX_S).contains(&seconds) => {
                Err(Refusal::malformed("/expires_in_s", format!("1 to {EXPIRY_MAX_S} seconds")))
            }
            _ => Ok(()),
        }
    }

    fn check_opponent(&self, game: &GameFacts) -> Result<(), Refusal> {
        let Some(opponent) = &self.opponent else {
            return Ok(());
        };
        if opponent.id == self.creator.id && self.stake.is_none() && self.rated != Some(true) {
            return Err(Refusal::OwnChallenge);
        }
        match opponent.house_level() {
            Some(level) if !game.house_levels.iter().any(|known| known == level) => Err(Refusal::malformed(
                "/opponent",
                format!("this game has the house bots {}", game.house_levels.join(", ")),
            )),
            _ => Ok(()),
        }
    }

    fn check_practice(&self) -> Result<(), Refusal> {
        let is_house = self.opponent.as_ref().is_some_and(Participant::is_house);
        match (&self.stake, self.rated) {
            (Some(_), _) if is_house => Err(Refusal::malformed("/stake", "practice is never staked")),
            (_, Some(true)) if is_house => Err(Refusal::malformed("/rated", "practice is never rated")),
            _ => Ok(()),
        }
    }

    /// Checks clock and stake and works out the rest. `limits` are those of the stake's currency, none when there is no
    /// such currency.
    ///
    /// # Errors
    ///
    /// [`Refusal::ClockInvalid`], then those of the stake, then [`Refusal::SameOwner`].
    pub fn terms(&self, game: &GameFacts, limits: Option<&CurrencyLimits>) -> Result<Terms, Refusal> {
        let clock = clock_setting(self.clock, &game.clock)?;
        self.check_stake(limits)?;
        let kind = self.kind();
        if kind == ChallengeKind::Practice && (self.stake.is_some() || self.rated == Some(true)) {
            return Err(Refusal::SameOwner);
        }
        let (rated, unrated_reason) = self.rating(game, kind);
        let mut terms = Terms { kind, clock, rated, unrated_reason, declined_reason: None };
        terms.declined_reason = self.declined(game, &terms);
        Ok(terms)
    }

    fn check_stake(&self, limits: Option<&CurrencyLimits>) -> Result<(), Refusal> {
        let Some(stake) = &self.stake else {
            return Ok(());
        };
        let limits = limits.ok_or_else(|| Refusal::malformed("/stake/currency", "there is no such currency"))?;
        if !(limits.min_points..=limits.max_points).contains(&stake.amount_points) {
            return Err(Refusal::StakeOutOfRange {
                currency: limits.code.clone(),
                min_points: limits.min_points,
                max_points: limits.max_points,
            });
        }
        let others = self.opponent.iter().map(|opponent| opponent.max_stake_points);
        let max_points = others.fold(self.creator.max_stake_points, i64::min);
        if stake.amount_points > max_points { Err(Refusal::StakeAboveMax { max_points }) } else { Ok(()) }
    }

    fn rating(&self, game: &GameFacts, kind: ChallengeKind) -> (bool, &'static str) {
        match self.rated {
            _ if kind == ChallengeKind::Practice => (false, "practice"),
            _ if !game.ranked => (false, "casual_game"),
            Some(false) => (false, "requested"),
            _ => (true, ""),
        }
    }

    fn declined(&self, game: &GameFacts, terms: &Terms) -> Option<&'static str> {
        if terms.kind != ChallengeKind::Private {
            return None;
        }
        self.opponent.as_ref()?.accepts.as_ref()?.refusal(Asked {
            game: &game.id,
            stake_points: self.stake.as_ref().map_or(0, |stake| stake.amount_points),
            rated: terms.rated,
            by: self.creator.kind,
        })
    }
}

/// Checks a nonce's length.
///
/// # Errors
///
/// [`Refusal::MalformedRequest`] when it is too long.
pub fn check_nonce(nonce: Option<&str>) -> Result<(), Refusal> {
    if nonce.is_some_and(|nonce| nonce.chars().count() > NONCE_MAX) {
        return Err(Refusal::malformed("/nonce", format!("at most {NONCE_MAX} characters")));
    }
    Ok(())
}

fn clock_setting(choice: ClockChoice, ranges: &ClockRanges) -> Result<Option<ClockSetting>, Refusal> {
    match (choice, *ranges) {
        (ClockChoice::Untimed, _) => Ok(None),
        (ClockChoice::Default, ClockRanges::Fischer { initial_s, increment_s, first_move_s }) => {
            let (initial_s, increment_s) = (initial_s.default, increment_s.default);
            Ok(Some(ClockSetting::Fischer { initial_s, increment_s, first_move_s }))
        }
        (ClockChoice::Default, ClockRanges::PerRound { per_round_s }) => {
            Ok(Some(ClockSetting::PerRound { per_round_s: per_round_s.default }))
        }
        (ClockChoice::Fischer(initial, increment), ClockRanges::Fischer { initial_s, increment_s, first_move_s }) => {
            initial_s.check("/clock/initial_s", initial)?;
            increment_s.check("/clock/increment_s", increment)?;
            Ok(Some(ClockSetting::Fischer { initial_s: initial, increment_s: increment, first_move_s }))
        }
        (ClockChoice::PerRound(per_round), ClockRanges::PerRound { per_round_s }) => {
            per_round_s.check("/clock/per_round_s", per_round)?;
            Ok(Some(ClockSetting::PerRound { per_round_s: per_round }))
        }
        (ClockChoice::Fischer(..), ClockRanges::PerRound { .. }) => {
            Err(other_clock("this game has a clock per round: per_round_s"))
        }
        (ClockChoice::PerRound(_), ClockRanges::Fischer { .. }) => {
            Err(other_clock("this game has a clock with initial_s and increment_s"))
        }
    }
}

fn other_clock(detail: &str) -> Refusal {
    Refusal::ClockInvalid { pointer: "/clock", detail: detail.to_owned() }
}

#[cfg(test)]
#[path = "offer_tests.rs"]
mod tests;

//! A finished set as it is told to ratings: what it must satisfy, and its place in the order of set ends.
//!
//! Not here: what the set does to anybody's numbers.

use farside_kit::fault::Violation;
use farside_kit::time::UnixMs;
use serde::{Deserialize, Serialize};

use super::error::Refusal;
use super::glicko::Score;
use super::ids::{GameId, ParticipantId, ParticipantKind, SetId};

/// The last moment that is accepted: the end of the year 9999.
const MOMENT_MAX: UnixMs = UnixMs(253_402_300_799_999);
/// Most games of one practice set.
const PRACTICE_GAMES_MAX: usize = 64;
/// Longest name, board or level in bytes.
const TEXT_MAX_BYTES: usize = 128;

/// Place of a set in the order in which ratings are counted: by its end, then by its id. Total, and the same for everybody.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetOrder {
    /// When the set ended.
    pub finished_at: UnixMs,
    /// Which set.
    pub set: SetId,
}

/// Someone who played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    /// Who.
    pub id: ParticipantId,
    /// Name for people.
    pub name: String,
    /// The owner's id; empty for a house bot.
    pub owner_id: String,
    /// The owner's name.
    pub owner_name: String,
}

/// How a set ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The creator won.
    CreatorWon,
    /// The acceptor won.
    AcceptorWon,
    /// Drawn.
    Drawn,
}

impl Outcome {
    /// The result as the creator sees it.
    #[must_use]
    pub const fn for_creator(self) -> Score {
        match self {
            Self::CreatorWon => Score::Win,
            Self::AcceptorWon => Score::Loss,
            Self::Drawn => Score::Draw,
        }
    }
}

/// One game of practice that somebody won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PracticeGame {
    /// Game number in the set.
    pub number: u32,
    /// Whether the person won.
    pub won: bool,
}

/// A person's practice against a house bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Practice {
    /// The person.
    pub player: ParticipantId,
    /// The board, for example `6x6`.
    pub board: String,
    /// The house bot's level.
    pub level: String,
    /// Games with a winner, by their number.
    pub games: Vec<PracticeGame>,
}

/// A finished set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedSet {
    /// Which set.
    pub set: SetId,
    /// Which game.
    pub game: GameId,
    /// Whether ratings and statistics move.
    pub rated: bool,
    /// Who made the challenge.
    pub creator: Participant,
    /// Who accepted it.
    pub acceptor: Participant,
    /// How it ended.
    pub outcome: Outcome,
    /// What the loser lost, in points.
    pub lost_points: i64,
    /// What the winner won of it after the fee, in points.
    pub won_points: i64,
    /// When it ended, in milliseconds since the Unix epoch.
    pub finished_at_ms: i64,
    /// The practice that it was, if any.
    pub practice: Option<Practice>,
}

impl FinishedSet {
    /// Its place in the order of set ends.
    #[must_use]
    pub fn order(&self) -> SetOrder {
        SetOrder { finished_at: UnixMs(self.finished_at_ms), set: self.set.clone() }
    }

    /// Checks what the fields demand of each other; the practice's games come back sorted by number.
    ///
    /// # Errors
    /// [`Refusal::SetInvalid`] with everything that is wrong.
    pub fn checked(mut self) -> Result<Self, Refusal> {
        let mut found = Vec::new();
        self.check_participants(&mut found);
        self.check_points(&mut found);
        self.check_practice(&mut found);
        if !(0..=MOMENT_MAX.0).contains(&self.finished_at_ms) {
            found.push(violation("/finished_at_ms", "is not a moment from 1970 to 9999"));
        }
        if let Some(practice) = &mut self.practice {
            practice.games.sort_unstable();
        }
        if found.is_empty() { Ok(self) } else { Err(Refusal::SetInvalid(found)) }
    }

    fn check_participants(&self, found: &mut Vec<Violation>) {
        for (pointer, it) in [("/creator", &self.creator), ("/acceptor", &self.acceptor)] {
            if [&it.name, &it.owner_id, &it.owner_name].iter().any(|text| text.len() > TEXT_MAX_BYTES) {
                found.push(violation(pointer, "has a text of more than 128 bytes"));
            }
            if self.rated && ParticipantKind::of(&it.id) == Some(ParticipantKind::House) {
                found.push(violation(pointer, "is a house bot, which is never rated"));
            }
        }
        if self.creator.id == self.acceptor.id {
            found.push(violation("/acceptor", "is the creator"));
        } else if self.rated && !self.creator.owner_id.is_empty() && self.creator.owner_id == self.acceptor.owner_id {
            found.push(violation("/acceptor", "has the creator's owner, so the set is never rated"));
        }
    }

    fn check_points(&self, found: &mut Vec<Violation>) {
        if self.lost_points < 0 {
            found.push(violation("/lost_points", "is negative"));
        }
        if self.won_points < 0 || self.won_points > self.lost_points {
            found.push(violation("/won_points", "is not from 0 to what was lost"));
        }
        if self.outcome == Outcome::Drawn && self.lost_points != 0 {
            found.push(violation("/lost_points", "is not 0 after a draw"));
        }
    }

    fn check_practice(&self, found: &mut Vec<Violation>) {
        let Some(practice) = &self.practice else { return };
        if self.rated || self.lost_points != 0 {
            found.push(violation("/practice", "is neither rated nor staked"));
        }
        if practice.player != self.creator.id && practice.player != self.acceptor.id {
            found.push(violation("/practice/player_id", "did not play"));
        }
        for (pointer, text) in [("/practice/board", &practice.board), ("/practice/level", &practice.level)] {
            if text.is_empty() || text.len() > TEXT_MAX_BYTES {
                found.push(violation(pointer, "is empty or too long"));
            }
        }
        if practice.games.len() > PRACTICE_GAMES_MAX || has_repeats(&practice.games) {
            found.push(violation("/practice/games", "has more than 64 games or a number twice"));
        }
    }
}

fn has_repeats(games: &[PracticeGame]) -> bool {
    let mut numbers: Vec<u32> = games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    numbers.windows(2).any(|pair| pair[0] == pair[1])
}

/// A fault at a place of the request.
#[must_use]
pub fn violation(pointer: &str, detail: &str) -> Violation {
    Violation { pointer: pointer.to_owned(), detail: detail.to_owned() }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn bot(name: &str) -> Participant {
        Participant {
            id: ParticipantId::from_stored(format!("bot_{name}")),
            name: name.to_owned(),
            owner_id: format!("player_{name}"),
            owner_name: format!("owner-{name}"),
        }
    }

    pub(crate) fn rated_set(
        number: u32,
        creator: &str,
        acceptor: &str,
        outcome: Outcome,
        finished_at_ms: i64,
    ) -> FinishedSet {
        let (lost_points, won_points) = if outcome == Outcome::Drawn { (0, 0) } else { (40, 39) };
        FinishedSet {
            set: SetId::from_stored(format!("set_{number:06}")),
            game: GameId::from_stored("breakthrough".to_owned()),
            rated: true,
            creator: bot(creator),
            acceptor: bot(acceptor),
            outcome,
            lost_points,
            won_points,
            finished_at_ms,
            practice: None,
        }
    }

    fn pointers(set: FinishedSet) -> Vec<String> {
        match set.checked() {
            Err(Refusal::SetInvalid(found)) => found.into_iter().map(|it| it.pointer).collect(),
            other => panic!("expected violations, got {other:?}"),
        }
    }

    #[test]
    fn every_contradiction_is_named_by_its_place() {
        let good = rated_set(1, "a", "b", Outcome::CreatorWon, 5);
        assert!(good.clone().checked().is_ok());
        let twin = FinishedSet { acceptor: good.creator.clone(), ..good.clone() };
        assert_eq!(pointers(twin), ["/acceptor"]);
        let sibling =
            FinishedSet { acceptor: Participant { owner_id: "player_a".to_owned(), ..bot("b") }, ..good.clone() };
        assert_eq!(pointers(sibling), ["/acceptor"]);
        let house = Participant { id: ParticipantId::from_stored("house:easy".to_owned()), ..bot("b") };
        assert_eq!(pointers(FinishedSet { acceptor: house, ..good.clone() }), ["/acceptor"]);
        assert_eq!(pointers(FinishedSet { outcome: Outcome::Drawn, ..good.clone() }), ["/lost_points"]);
        assert_eq!(pointers(FinishedSet { won_points: 41, ..good.clone() }), ["/won_points"]);
        assert_eq!(
            pointers(FinishedSet { lost_points: -1, won_points: -1, ..good.clone() }),
            ["/lost_points", "/won_points"]
        );
        assert_eq!(pointers(FinishedSet { finished_at_ms: -1, ..good }), ["/finished_at_ms"]);
    }

    #[test]
    fn practice_belongs_to_a_participant_and_names_each_game_once() {
        let games = vec![PracticeGame { number: 2, won: true }, PracticeGame { number: 1, won: false }];
        let practice = Practice {
            player: ParticipantId::from_stored("bot_a".to_owned()),
            board: "6x6".to_owned(),
            level: "easy".to_owned(),
            games,
        };
        let set = FinishedSet {
            rated: false,
            lost_points: 0,
            won_points: 0,
            ..rated_set(1, "a", "b", Outcome::CreatorWon, 5)
        };
        let good = FinishedSet { practice: Some(practice.clone()), ..set.clone() };
        let numbers: Vec<u32> =
            good.clone().checked().unwrap().practice.unwrap().games.iter().map(|it| it.number).collect();
        assert_eq!(numbers, [1, 2]);
        assert_eq!(pointers(FinishedSet { rated: true, ..good }), ["/practice"]);
        let stranger = Practice { player: ParticipantId::from_stored("player_z".to_owned()), ..practice.clone() };
        assert_eq!(pointers(FinishedSet { practice: Some(stranger), ..set.clone() }), ["/practice/player_id"]);
        let twice = vec![PracticeGame { number: 1, won: true }, PracticeGame { number: 1, won: false }];
        let repeated = Practice { games: twice, ..practice };
        assert_eq!(pointers(FinishedSet { practice: Some(repeated), ..set }), ["/practice/games"]);
    }
}

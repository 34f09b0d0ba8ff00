//! What a person chooses before a game: the game, the board, how strong the other side is.
//!
//! Not here: which levels a house bot really has; match-svc refuses others.

use serde::Deserialize;

use crate::api::json::set::SetState;
use crate::api::json::table::PracticeJson;
use crate::pages::words;
use crate::problem::Problem;

/// The game with pawns.
const PAWNS: &str = "breakthrough";
/// The game with two boards.
const MAKERS: &str = "maker-breaker";

/// Where a game is played by hand against the house; nothing for one that has no page for it.
pub(in crate::pages) fn place_of(game: &str) -> Option<&'static str> {
    match game {
        PAWNS => Some("/play"),
        MAKERS => Some("/play/maker-breaker"),
        _ => None,
    }
}

/// One thing to choose.
pub(super) struct Item {
    /// As the form sends it.
    pub value: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// Boards of Breakthrough, the default first.
pub(super) const BOARDS: [Item; 3] = [
    Item {
        value: "6",
        name: "6 × 6 · Quick",
        meaning: "12 pawns a side and contact at once: a sprint of a few minutes.",
    },
    Item {
        value: "7",
        name: "7 × 7 · Medium",
        meaning: "14 pawns a side, with a little room to build before it comes to blows.",
    },
    Item { value: "8", name: "8 × 8 · Classic", meaning: "16 pawns a side on the board that the game was made for." },
];

/// Difficulties of Breakthrough.
pub(super) const LEVELS: [Item; 4] = [
    Item {
        value: "easy",
        name: "Easy",
        meaning: "Sees one move and plays a third of them at random. For learning the rules.",
    },
    Item { value: "normal", name: "Normal", meaning: "Sees its move and your answer, and slips now and then." },
    Item { value: "hard", name: "Hard", meaning: "Looks several moves ahead and hardly ever slips." },
    Item { value: "crazy", name: "Crazy", meaning: "Looks furthest, thinks longest, never plays at random." },
];

/// Strengths of Maker and Breaker.
pub(super) const STRENGTHS: [Item; 4] = [
    Item { value: "1", name: "Strength 1", meaning: "Looks one move ahead." },
    Item { value: "2", name: "Strength 2", meaning: "Looks two moves ahead." },
    Item { value: "3", name: "Strength 3", meaning: "Looks three moves ahead." },
    Item {
        value: "seeded",
        name: "Drawn",
        meaning: "One of the three, drawn from the seed and shown when the game has ended.",
    },
];

/// What the form sends; the same names are understood in the address, so that a page can suggest a choice.
#[derive(Clone, Debug, Default, Deserialize)]
pub(in crate::pages) struct ChoiceForm {
    game: Option<String>,
    level: Option<String>,
    board: Option<String>,
    once: Option<String>,
}

impl ChoiceForm {
    /// What it suggests for Breakthrough: the defaults where it says nothing that can be chosen.
    pub(super) fn pawns(&self) -> Choice {
        let size = known(&BOARDS, self.board.as_deref()).and_then(|item| item.value.parse().ok()).unwrap_or(6);
        Choice::Pawns { size, level: suggested(&LEVELS, self.level.as_deref()).to_owned() }
    }

    /// What it suggests for Maker and Breaker.
    pub(super) fn makers(&self) -> Choice {
        Choice::Makers { level: suggested(&STRENGTHS, self.level.as_deref()).to_owned() }
    }

    /// What was chosen.
    ///
    /// # Errors
    ///
    /// `malformed_request` for what cannot be chosen.
    pub(super) fn chosen(&self) -> Result<Choice, Problem> {
        let (levels, choice) = match self.game.as_deref() {
            None | Some(PAWNS) => (&LEVELS, self.pawns()),
            Some(MAKERS) => (&STRENGTHS, self.makers()),
            Some(_) => return Err(Problem::malformed("/game", "breakthrough or maker-breaker")),
        };
        let fits = |items: &'static [Item], value: &Option<String>| {
            value.is_none() || known(items, value.as_deref()).is_some()
        };
        match (fits(levels, &self.level), choice.is_makers() || fits(&BOARDS, &self.board)) {
            (false, _) => Err(Problem::malformed("/level", "one of the levels that the page offers")),
            (_, false) => Err(Problem::malformed("/board", "6, 7 or 8")),
            _ => Ok(choice),
        }
    }

    /// What tells a repeated form from another game.
    pub(super) fn once(&self) -> String {
        self.once.as_deref().unwrap_or_default().chars().filter(char::is_ascii_alphanumeric).take(32).collect()
    }
}

fn known(items: &'static [Item], value: Option<&str>) -> Option<&'static Item> {
    items.iter().find(|item| Some(item.value) == value)
}

fn suggested(items: &'static [Item], value: Option<&str>) -> &'static str {
    known(items, value).unwrap_or(&items[0]).value
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Breakthrough with two full rows on each side.
    Pawns { size: u32, level: String },
    /// Maker and Breaker.
    Makers { level: String },
}

impl Choice {
    /// The choice that a set came from; none when it is of another game or cannot be chosen.
    pub(super) fn of(set: &SetState) -> Option<Self> {
        let level = set.acceptor.id.strip_prefix("house:")?.to_owned();
        match set.game.as_str() {
            PAWNS => {
                let options: serde_json::Value = serde_json::from_str(set.options.get()).ok()?;
                Some(Self::Pawns { size: u32::try_from(options["size"].as_u64()?).ok()?, level })
            }
            MAKERS => Some(Self::Makers { level }),
            _ => None,
        }
    }

    /// Whether it is the game with two boards.
    pub(super) fn is_makers(&self) -> bool {
        matches!(self, Self::Makers { .. })
    }

    /// The game's id.
    pub(super) fn game(&self) -> &'static str {
        if self.is_makers() { MAKERS } else { PAWNS }
    }

    /// The game's name.
    pub(super) fn game_name(&self) -> &'static str {
        if self.is_makers() { "Maker and Breaker" } else { "Breakthrough" }
    }

    /// The house bot's level.
    pub(super) fn level(&self) -> &str {
        let (Self::Pawns { level, .. } | Self::Makers { level }) = self;
        level
    }

    /// The board as the form sends it.
    pub(super) fn board(&self) -> String {
        match self {
            Self::Pawns { size, .. } => size.to_string(),
            Self::Makers { .. } => String::new(),
        }
    }

    /// Whether an item of the form is what was chosen.
    pub(super) fn is(&self, item: &Item) -> bool {
        item.value == self.level() || item.value == self.board()
    }

    /// The options of the challenge: two full rows, which is the default number of pawns.
    pub(super) fn options_json(&self) -> String {
        match self {
            Self::Pawns { size, .. } => format!(r#"{{"size":{size},"start":"standard"}}"#),
            Self::Makers { .. } => "{}".to_owned(),
        }
    }

    /// The choice in words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Pawns { size, level } => format!("{size} × {size}, {}", words::level(level)),
            Self::Makers { level } => words::level(level),
        }
    }

    /// The other side in a word.
    pub(super) fn opponent(&self) -> String {
        match self {
            Self::Pawns { level, .. } => words::level(level),
            Self::Makers { .. } => "Bot".to_owned(),
        }
    }

    /// Where another game like it can be chosen.
    pub(super) fn address(&self) -> String {
        match self {
            Self::Pawns { size, level } => format!("/play?board={size}&level={level}"),
            Self::Makers { level } => format!("/play/maker-breaker?level={level}"),
        }
    }

    /// Whether these statistics are those of this board and level.
    pub(super) fn is_counted_by(&self, counted: &PracticeJson) -> bool {
        let board = match self {
            Self::Pawns { size, .. } => counted.board == format!("{size}x{size}"),
            Self::Makers { .. } => true,
        };
        board && counted.game == self.game() && counted.level == self.level()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(game: &str, level: &str, board: &str) -> ChoiceForm {
        let text = |text: &str| Some(text.to_owned());
        ChoiceForm { game: text(game), level: text(level), board: text(board), once: text("01ab-;") }
    }

    #[test]
    fn quick_and_easy_is_what_a_person_starts_with() {
        let choice = ChoiceForm::default().chosen().unwrap();
        assert_eq!(choice, Choice::Pawns { size: 6, level: "easy".to_owned() });
        assert_eq!(choice.options_json(), r#"{"size":6,"start":"standard"}"#);
    }

    #[test]
    fn only_what_is_offered_can_be_chosen() {
        assert!(form("breakthrough", "crazy", "8").chosen().is_ok());
        assert!(form("maker-breaker", "seeded", "").chosen().is_ok());
        for refused in [form("chess", "easy", "6"), form("breakthrough", "1", "6"), form("breakthrough", "easy", "9")] {
            assert!(refused.chosen().is_err(), "{refused:?}");
        }
    }

    #[test]
    fn an_address_with_anything_else_falls_back_to_the_defaults() {
        assert_eq!(form("", "nonsense", "99").pawns(), ChoiceForm::default().pawns());
        assert_eq!(form("", "hard", "7").pawns().address(), "/play?board=7&level=hard");
        assert_eq!(form("", "", "").once(), "01ab");
    }
}

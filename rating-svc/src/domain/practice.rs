//! A person's practice against house bots: wins, losses and streaks over games in the order of set ends.
//!
//! Each game counts once, because the log holds each set once and each set names each game once.

use super::set::PracticeGame;

/// Counts for one board and level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PracticeTally {
    /// Games won.
    pub wins: i64,
    /// Games lost.
    pub losses: i64,
    /// Wins in a row up to the last game.
    pub current_streak: i64,
    /// Longest run of wins.
    pub best_streak: i64,
}

impl PracticeTally {
    /// With the games of one more set, which ended after all others.
    #[must_use]
    pub fn with(self, games: &[PracticeGame]) -> Self {
        games.iter().fold(self, |tally, game| tally.with_game(game.won))
    }

    fn with_game(self, won: bool) -> Self {
        if won {
            let current_streak = self.current_streak.saturating_add(1);
            let best_streak = self.best_streak.max(current_streak);
            Self { wins: self.wins.saturating_add(1), current_streak, best_streak, ..self }
        } else {
            Self { losses: self.losses.saturating_add(1), current_streak: 0, ..self }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_ends_the_streak_and_the_best_one_stays() {
        let games: Vec<PracticeGame> = [true, true, true, false, true]
            .into_iter()
            .zip(1..)
            .map(|(won, number)| PracticeGame { number, won })
            .collect();
        let tally = PracticeTally::default().with(&games);
        assert_eq!(tally, PracticeTally { wins: 4, losses: 1, current_streak: 1, best_streak: 3 });
        assert_eq!(tally, PracticeTally::default().with(&games[..2]).with(&games[2..]));
    }
}

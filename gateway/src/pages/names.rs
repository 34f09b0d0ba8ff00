//! Names of games for people.
//!
//! Not here: anything else that the catalogue says.

use std::sync::Arc;

use farside_proto::rules::v1::GameContract;

use crate::app::App;

/// What games are called.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameNames(Arc<Vec<GameContract>>);

impl GameNames {
    /// The name of a game; its id where the name is not known.
    pub(crate) fn of(&self, id: &str) -> String {
        self.0.iter().find(|game| game.id == id).map_or_else(|| id.to_owned(), |game| game.name.clone())
    }
}

impl App {
    /// Names of games; none are known while rules-svc does not answer.
    pub(crate) async fn game_names(&self) -> GameNames {
        GameNames(self.games().await.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_is_not_known_is_called_by_its_id() {
        let game = GameContract { id: "go".to_owned(), name: "Go".to_owned(), ..GameContract::default() };
        let names = GameNames(Arc::new(vec![game]));
        assert_eq!((names.of("go"), names.of("chess")), ("Go".to_owned(), "chess".to_owned()));
    }
}

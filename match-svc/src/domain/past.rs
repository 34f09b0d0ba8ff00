//! A set as it was: rebuilt from its log, to answer a repeated request with what was answered first. For showing only:
//! what was given back until then and when it was touched is not in the log.

use std::sync::Arc;

use super::event::{Event, Logged, SetStatus};
use super::game::{Game, GameStatus};
use super::ids::Seq;
use super::set::{Set, SetInfo};

/// The set just after event `seq`; none when its log does not begin with event 1, or ends before `seq`.
#[must_use]
pub fn as_of(info: &Arc<SetInfo>, log: &[Logged], seq: Seq) -> Option<Set> {
    let mut set = Set {
        info: Arc::clone(info),
        seq: Seq(0),
        status: SetStatus::Active,
        games: Vec::new(),
        end: None,
        credited_through_ms: info.created_at_ms,
        touched_ms: info.created_at_ms,
        logged_ms: info.created_at_ms,
    };
    for logged in log.iter().take_while(|logged| logged.seq <= seq) {
        if logged.seq != set.seq.next() {
            return None;
        }
        tell(&mut set, logged);
    }
    (set.seq == seq).then_some(set)
}

fn tell(set: &mut Set, logged: &Logged) {
    set.seq = logged.seq;
    set.logged_ms = logged.at.0;
    match &logged.event {
        Event::GameStarted { game } => set.games.push(game.clone()),
        Event::MovePlayed { game, .. }
        | Event::GameFinished { game, .. }
        | Event::ClockCredited { game, .. }
        | Event::PauseChanged { game, .. } => replace(set, game.clone()),
        Event::SetFinished { end } => {
            set.status = if end.result.is_some() { SetStatus::Finished } else { SetStatus::Aborted };
            set.end = Some(*end);
            // An abort has no event of its own for the game that it ends.
            if let Some(game) = set.games.last().filter(|game| !game.is_over()).cloned() {
                let clock = game.clock.map(|clock| clock.stopped(Some(logged.at)));
                replace(set, Game { status: GameStatus::Aborted, clock, ..game });
            }
        }
    }
}

fn replace(set: &mut Set, game: Game) {
    set.games.pop();
    set.games.push(game);
}

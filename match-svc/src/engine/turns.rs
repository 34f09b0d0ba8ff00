//! Whose turn it is: every game in which a participant is to act, or a wait for one that is new to the caller.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use farside_kit::time::UnixMs;
use sha2::{Digest as _, Sha256};

use super::Engine;
use super::change::participant_topic;
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::{ParticipantId, Seat};
use crate::domain::set::Set;
use crate::domain::view::{GameView, Viewer, game_view};

/// Bytes of a cursor for each turn.
const MARK: usize = 8;

/// A game in which the participant is to act.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The set.
    pub set: Arc<Set>,
    /// The seat that is to act.
    pub seat: Seat,
    /// The game.
    pub game: GameView,
}

/// Turns, most urgent first.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The turns.
    pub turns: Vec<Turn>,
    /// Stands for them.
    pub cursor: String,
}

impl Engine {
    /// Lists a participant's turns; waits at most `wait` for one that `after_cursor` does not stand for.
    ///
    /// # Errors
    ///
    /// A cursor that is none.
    pub async fn list_turns(
        &self,
        who: &ParticipantId,
        after_cursor: &str,
        wait: Duration,
    ) -> Result<Turns, MatchFault> {
        let marks = URL_SAFE_NO_PAD.decode(after_cursor).ok().filter(|marks| marks.len().is_multiple_of(MARK));
        let known = marks.ok_or(Refusal::CursorInvalid)?;
        let end = tokio::time::Instant::now() + wait;
        let mut news = self.bus.subscribe(&participant_topic(who.as_str()));
        loop {
            let turns = self.turns(who).await?;
            let is_new = turns.turns.iter().any(|turn| !known.chunks(MARK).any(|mark| mark == self::mark(turn)));
            let now = tokio::time::Instant::now();
            if is_new || now >= end || self.shutdown.is_requested() {
                return Ok(turns);
            }
            let look_at = end.min(now + self.look_anyway());
            tokio::select! {
                biased;
                () = self.shutdown.requested() => {}
                _ = news.recv() => {}
                () = tokio::time::sleep_until(look_at) => {}
            }
        }
    }

    async fn turns(&self, who: &ParticipantId) -> Result<Turns, MatchFault> {
        let mut turns = Vec::new();
        for (id, seq) in self.store.active_sets(who).await? {
            let set = self.at_least(&id, seq).await?;
            if let Some(turn) = self.turn(&set, who).await? {
                turns.push(turn);
            }
        }
        turns.sort_by_key(|turn| UnixMs(turn.game.deadline_ms.unwrap_or(i64::MAX)));
        let marks: Vec<u8> = turns.iter().flat_map(mark).collect();
        Ok(Turns { cursor: URL_SAFE_NO_PAD.encode(marks), turns })
    }

    async fn turn(&self, set: &Arc<Set>, who: &ParticipantId) -> Result<Option<Turn>, MatchFault> {
        let (Some(game), Some(side)) = (set.current(), set.info.side_of(who)) else {
            return Ok(None);
        };
        let seat = game.seat_of(side);
        if !game.to_act().contains(&seat) || self.has_submitted(set, who).await? {
            return Ok(None);
        }
        let view = game_view(&set.info, game, Viewer { seat: Some(seat), submitted: false });
        Ok(Some(Turn { set: Arc::clone(set), seat, game: view }))
    }
}

/// Stands for one turn in a cursor.
fn mark(turn: &Turn) -> [u8; MARK] {
    let text = format!("{}/{}/{}", turn.set.info.id, turn.game.number, turn.game.ply);
    let digest: [u8; 32] = Sha256::digest(text).into();
    let mut mark = [0; MARK];
    mark.copy_from_slice(&digest[..MARK]);
    mark
}

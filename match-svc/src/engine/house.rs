//! House bots: they think through rules-svc and move through the same door as anyone. Which set waits for one is in the
//! database, so a restart forgets no turn; their choices follow from the seed, so two replicas choose alike.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use farside_kit::fault::{Chain, Fault as _, Kind};
use tokio::sync::mpsc;

use super::Engine;
use super::change::start;
use super::moves::MoveRequest;
use crate::domain::fault::MatchFault;
use crate::domain::ids::SetId;

/// Turns that wait in memory; those beyond are found again in the database.
const WAITING: usize = 4_096;
/// Between two attempts after a failure.
const PAUSE: Duration = Duration::from_millis(200);

/// Sets in which a house bot is to act.
#[derive(Debug)]
pub(super) struct HouseQueue {
    sender: mpsc::Sender<SetId>,
    receiver: tokio::sync::Mutex<mpsc::Receiver<SetId>>,
    known: Mutex<HashSet<SetId>>,
}

impl HouseQueue {
    pub(super) fn new() -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        Self { sender, receiver: tokio::sync::Mutex::new(receiver), known: Mutex::default() }
    }

    /// Adds a set unless it waits already.
    pub(super) fn push(&self, id: &SetId) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.insert(id.clone()) && self.sender.try_send(id.clone()).is_err() {
            known.remove(id);
        }
    }

    async fn pop(&self) -> Option<SetId> {
        self.receiver.lock().await.recv().await
    }

    fn done(&self, id: &SetId) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

impl Engine {
    /// Plays house bots' turns until the process stops.
    pub(super) async fn play_house(self: Arc<Self>) {
        while let Some(id) = self.house.pop().await {
            let played = self.play_house_turn(&id).await;
            self.house.done(&id);
            match played {
                // The opponent's move may have come before this turn was done with.
                Ok(true) => self.house.push(&id),
                Ok(false) => {}
                Err(fault) if fault.kind() == Kind::FailedPrecondition => {}
                Err(fault) => {
                    tracing::warn!(set = %id, chain = %Chain(&fault), "house bot cannot move now");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    /// Plays one turn, if there is one; true when it played.
    async fn play_house_turn(&self, id: &SetId) -> Result<bool, MatchFault> {
        let set = self.current(id).await?;
        let Some((number, seat)) = set.house_to_act() else {
            return Ok(false);
        };
        let Some(game) = set.game(number) else {
            return Ok(false);
        };
        let participant = set.info.participant(game.side_of(seat)).clone();
        if self.has_submitted(&set, &participant.id).await? {
            return Ok(false);
        }
        let level = participant.house_level().ok_or_else(|| MatchFault::internal("a house bot without a level"))?;
        let move_json = self.rules.choose_move(start(&set.info, number), &game.position.state, seat, level).await?;
        let request = MoveRequest {
            actor: participant.id.clone(),
            set_id: id.clone(),
            number,
            ply: game.ply(),
            move_json,
            received_at: None,
        };
        self.play_move(request).await?;
        Ok(true)
    }
}

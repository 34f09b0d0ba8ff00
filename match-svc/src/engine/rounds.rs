//! Rounds of simultaneous games: secret placements, the reveal when all are in, flags with what is in. Not here: the
//! order of checks of a move (`moves`).

use std::sync::Arc;

use farside_kit::time::UnixMs;

use super::Engine;
use super::cache::Locked;
use super::change::Along;
use super::moves::{Attempt, Placed, after_ply, is_refusal, submitted, unrevealed};
use crate::domain::fault::MatchFault;
use crate::domain::game::Game;
use crate::domain::ids::Seat;
use crate::domain::set::{Meeting, Play, Set};
use crate::domain::view::Viewer;
use crate::failpoint::Failpoint;
use crate::store::{Guard, PendingMove, PendingRound, RunningRound};

impl Engine {
    /// Takes a seat's placement for the running round; reveals the round when it was the last.
    pub(super) async fn submit_placement(&self, mut locked: Locked, placed: Placed<'_>) -> Result<Attempt, MatchFault> {
        let Some(game) = placed.set.current() else {
            return Err(MatchFault::internal("a set without a game"));
        };
        let round = self.store.pending_round(&placed.set.info.id, game.number, game.ply()).await?;
        if let Some(mine) = round.of(placed.seat) {
            return self.answer_placed(&mut locked, &placed, game, &round, mine).await;
        }
        if game.clock.is_some_and(|clock| !clock.is_in_time(placed.received)) {
            self.check_form(&placed).await?;
            return self.late_placement(locked, &placed.set, game).await;
        }
        let info = &placed.set.info;
        let sent = &placed.request.move_json;
        let checked = self.rules.check_move(&info.game, &game.position.state, placed.seat, sent).await;
        let checked = match checked {
            Err(fault) if is_refusal(&fault) && self.is_behind(&mut locked, &placed.set).await? => {
                return Ok(Attempt::Again);
            }
            checked => checked?,
        };
        let pending = PendingMove {
            seat: placed.seat,
            move_json: checked.move_json,
            notation: checked.notation,
            received: placed.received,
            completes: false,
            seq: placed.set.seq,
        };
        let running = RunningRound { game: game.number, ply: game.ply(), acting: game.to_act().len() };
        let Some(round) = self.store.place(&info.id, placed.set.seq, running, pending).await? else {
            locked.put(None);
            return Ok(Attempt::Again);
        };
        Failpoint::PlacementStored.reach();
        if !is_complete(game, &round) {
            return Ok(submitted(info, game, placed.seat, placed.received));
        }
        self.reveal_and_answer(&mut locked, &placed, &round).await
    }

    async fn reveal_and_answer(
        &self,
        locked: &mut Locked,
        placed: &Placed<'_>,
        round: &PendingRound,
    ) -> Result<Attempt, MatchFault> {
        let number = placed.request.number;
        match self.reveal(locked, &placed.set, round, Some(placed.seat)).await? {
            None => Ok(Attempt::Again),
            Some(next) => {
                let game = next.game(number).ok_or_else(|| MatchFault::internal("the game is gone"))?;
                Ok(after_ply(&next.info, game, placed.seat))
            }
        }
    }

    /// Plays a complete round.
    async fn reveal(
        &self,
        locked: &mut Locked,
        set: &Arc<Set>,
        round: &PendingRound,
        completed_by: Option<Seat>,
    ) -> Result<Option<Arc<Set>>, MatchFault> {
        let Some(game) = set.current() else {
            return Ok(None);
        };
        let moves: Vec<(Seat, &str, i64)> =
            round.moves.iter().map(|pending| (pending.seat, pending.move_json.as_str(), pending.received.0)).collect();
        let step = self.rules.apply(&set.info.game, &game.position.state, &moves).await?;
        let ends = step.position.outcome.is_some();
        let next_start = if ends { self.next_start(set).await? } else { None };
        let received = round.moves.iter().map(|pending| pending.received).max().unwrap_or(UnixMs(set.logged_ms));
        let last = round.moves.iter().find(|pending| pending.completes).map(|pending| pending.seat);
        let completed_by = completed_by.or(last);
        let waited = round.moves.iter().find(|pending| Some(pending.seat) != completed_by);
        let waited_since = waited.map(|pending| pending.seq);
        let play = Play { step, received, completed_by, waited_since, next_start };
        let decision = set.play(play, self.clock.now());
        let decision = decision.map_err(|_| MatchFault::internal("a placement in time is late"))?;
        let guard = Guard { rev: round.rev, game: game.number, ply: game.ply() };
        self.commit(locked, decision, Along { guard: Some(guard), ..Along::default() }).await
    }

    /// Answers a seat that has placed for this round already.
    async fn answer_placed(
        &self,
        locked: &mut Locked,
        placed: &Placed<'_>,
        game: &Game,
        round: &PendingRound,
        mine: &PendingMove,
    ) -> Result<Attempt, MatchFault> {
        self.check_form(placed).await?;
        let sent = &placed.request.move_json;
        if !self.is_move(placed, &game.position.state, sent, &mine.move_json).await? {
            let viewer = Viewer { seat: Some(placed.seat), submitted: true };
            return self.refuse(placed, Meeting::NotToAct, viewer).await;
        }
        if is_complete(game, round) {
            self.reveal(locked, &placed.set, round, None).await?;
            return Ok(Attempt::Again);
        }
        let log = self.whole_log(&placed.set.info).await?;
        let then = unrevealed(&placed.set.info, &log, mine.seq).unwrap_or_else(|| game.clone());
        Ok(submitted(&placed.set.info, &then, placed.seat, mine.received))
    }

    /// The other seat may have placed in time: its placement is waited for as long as the flag would wait.
    async fn late_placement(&self, locked: Locked, set: &Arc<Set>, game: &Game) -> Result<Attempt, MatchFault> {
        let falls_at = game.deadline().map(|deadline| deadline.plus(self.grace()));
        drop(locked);
        if let Some(falls_at) = falls_at {
            tokio::time::sleep(falls_at.since(self.clock.now()).to_std()).await;
        }
        self.flag(&set.info.id).await?;
        Ok(Attempt::Again)
    }

    /// Reveals the running round when every placement is in. True when the set has moved on.
    pub(super) async fn reveal_if_complete(&self, locked: &mut Locked, set: &Arc<Set>) -> Result<bool, MatchFault> {
        let Some(game) = set.current().filter(|game| set.info.simultaneous && !game.is_over()) else {
            return Ok(false);
        };
        let round = self.store.pending_round(&set.info.id, game.number, game.ply()).await?;
        if !is_complete(game, &round) {
            return Ok(false);
        }
        self.reveal(locked, set, &round, None).await?;
        Ok(true)
    }
}

fn is_complete(game: &Game, round: &PendingRound) -> bool {
    let acting = game.to_act();
    !acting.is_empty() && acting.iter().all(|&seat| round.of(seat).is_some())
}

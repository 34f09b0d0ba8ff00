//! A move's way: checks in their fixed order, rules-svc, clock, commit. A retry gets the first answer; a late move
//! makes the flag fall. Not here: rounds of simultaneous games (`rounds`).

use std::sync::Arc;

use farside_kit::fault::Fault as _;
use farside_kit::time::UnixMs;

use super::Engine;
use super::cache::Locked;
use super::change::{ATTEMPTS, Along, seat_in};
use crate::domain::clock::charged_at;
use crate::domain::event::{Event, Logged};
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::game::{Game, GameStatus};
use crate::domain::ids::{GameNumber, ParticipantId, Ply, Seat, Seq, SetId};
use crate::domain::past::as_of;
use crate::domain::position::PlayedPly;
use crate::domain::set::{Meeting, Play, Set, SetInfo};
use crate::domain::view::{GameView, Viewer, game_json, game_view};
use crate::failpoint::Failpoint;

/// A move to play.
#[derive(Clone, Debug)]
pub struct MoveRequest {
    /// Who plays.
    pub actor: ParticipantId,
    /// In which set.
    pub set_id: SetId,
    /// In which game.
    pub number: GameNumber,
    /// Plies already played.
    pub ply: Ply,
    /// The move as JSON.
    pub move_json: String,
    /// When the gateway had the request's last byte.
    pub received_at: Option<UnixMs>,
}

/// A move that has met its game.
pub(super) struct Placed<'a> {
    pub(super) request: &'a MoveRequest,
    pub(super) set: Arc<Set>,
    pub(super) seat: Seat,
    pub(super) received: UnixMs,
}

/// The answer to a move.
#[derive(Clone, Debug)]
pub struct MoveAnswer {
    /// The game just after the move, as its sender may see it.
    pub game: GameView,
    /// The moment that the answer speaks of, the same however often the move is sent.
    pub as_of: UnixMs,
}

/// What an attempt comes to.
pub(super) enum Attempt {
    /// The game just after the move.
    Done(Box<MoveAnswer>),
    /// The set has changed meanwhile: decide again.
    Again,
}

impl Engine {
    /// Plays a move and answers the game just after it.
    ///
    /// # Errors
    ///
    /// In the order of the contract.
    pub async fn play_move(&self, request: MoveRequest) -> Result<MoveAnswer, MatchFault> {
        let stopwatch = farside_kit::time::Stopwatch::start();
        let received = charged_at(request.received_at, self.clock.now());
        for _ in 0..ATTEMPTS {
            if let Attempt::Done(answer) = self.attempt_move(&request, received).await? {
                self.metrics.decided(stopwatch.elapsed());
                return Ok(*answer);
            }
        }
        Err(MatchFault::Contended)
    }

    async fn attempt_move(&self, request: &MoveRequest, received: UnixMs) -> Result<Attempt, MatchFault> {
        let (mut locked, set) = self.lock(&request.set_id).await?;
        let side = set.info.side_of(&request.actor).ok_or(Refusal::NotInSet)?;
        if self.beats.is_suspicious(self.clock.now()) && self.credit_locked(&mut locked, &set).await? {
            return Ok(Attempt::Again);
        }
        let seat = seat_in(&set.info, side, request.number);
        let meeting = set.meet(request.number, seat, request.ply);
        let placed = Placed { request, set, seat, received };
        match meeting {
            Meeting::Ready if placed.set.info.simultaneous => self.submit_placement(locked, placed).await,
            Meeting::Ready => self.play_turn(locked, placed).await,
            // Nobody is refused for what another replica has done meanwhile.
            _ if self.is_behind(&mut locked, &placed.set).await? => Ok(Attempt::Again),
            Meeting::Played => {
                drop(locked);
                self.answer_played(placed).await
            }
            Meeting::Over | Meeting::Stale | Meeting::NotToAct => {
                drop(locked);
                self.refuse(&placed, meeting, Viewer { seat: Some(seat), submitted: false }).await
            }
        }
    }

    /// Whether another replica has gone on with a set; then it is read anew next time.
    pub(super) async fn is_behind(&self, locked: &mut Locked, set: &Set) -> Result<bool, MatchFault> {
        let is_behind = self.store.last_seq(&set.info.id).await?.is_some_and(|seq| seq > set.seq);
        if is_behind {
            locked.put(None);
        }
        Ok(is_behind)
    }

    async fn play_turn(&self, mut locked: Locked, placed: Placed<'_>) -> Result<Attempt, MatchFault> {
        let Placed { request, set, seat, received } = &placed;
        let Some(game) = set.current() else {
            return Err(MatchFault::internal("a set without a game"));
        };
        if game.clock.is_some_and(|clock| !clock.is_in_time(*received)) {
            self.check_form(&placed).await?;
            self.flag_locked(&mut locked, set).await?;
            return Ok(Attempt::Again);
        }
        let moves = [(*seat, request.move_json.as_str(), received.0)];
        let step = match self.rules.apply(&set.info.game, &game.position.state, &moves).await {
            Err(fault) if is_refusal(&fault) && self.is_behind(&mut locked, set).await? => return Ok(Attempt::Again),
            applied => applied?,
        };
        Failpoint::MoveDecided.reach();
        let ends = step.position.outcome.is_some();
        let next_start = if ends { self.next_start(set).await? } else { None };
        let play = Play { step, received: *received, completed_by: None, waited_since: None, next_start };
        let Ok(decision) = set.play(play, self.clock.now()) else {
            return Ok(Attempt::Again);
        };
        let number = game.number;
        match self.commit(&mut locked, decision, Along::default()).await? {
            None => Ok(Attempt::Again),
            Some(next) => {
                self.metrics.stamp_to_commit(self.clock.now().since(*received));
                let game = next.game(number).ok_or_else(|| MatchFault::internal("the game is gone"))?;
                Ok(after_ply(&next.info, game, *seat))
            }
        }
    }

    /// Refuses a move that does not fit its game's schema, whatever else there is to say about it.
    pub(super) async fn check_form(&self, placed: &Placed<'_>) -> Result<(), MatchFault> {
        let Some(game) = placed.set.current() else {
            return Ok(());
        };
        let state = &game.position.state;
        let checked = self.rules.check_move(&placed.set.info.game, state, placed.seat, &placed.request.move_json).await;
        match checked {
            Err(fault) if fault.reason() == "MALFORMED_MOVE" || !is_refusal(&fault) => Err(fault),
            _ => Ok(()),
        }
    }

    /// Refuses a move that its game does not take now.
    pub(super) async fn refuse(
        &self,
        placed: &Placed<'_>,
        meeting: Meeting,
        viewer: Viewer,
    ) -> Result<Attempt, MatchFault> {
        self.check_form(placed).await?;
        let set = &placed.set;
        let game = set.game(placed.request.number).or_else(|| set.current());
        let game = game.ok_or_else(|| MatchFault::internal("a set without a game"))?;
        let game_json = game_json(&set.info, game, viewer);
        Err(match meeting {
            Meeting::Over => Refusal::GameOver { game_json },
            Meeting::NotToAct if game.status == GameStatus::Paused => Refusal::Paused { game_json },
            Meeting::NotToAct | Meeting::Ready => Refusal::NotYourTurn,
            Meeting::Stale | Meeting::Played => Refusal::StalePly { expected: game.ply(), game_json },
        }
        .into())
    }

    /// Answers a move for a ply that has been played: a retry gets the first answer again.
    async fn answer_played(&self, placed: Placed<'_>) -> Result<Attempt, MatchFault> {
        self.check_form(&placed).await?;
        let log = self.whole_log(&placed.set.info).await?;
        if let Some(played) = played(&log, placed.request)
            && self.is_same_move(&placed, &played).await?
        {
            return Ok(first_answer(&placed, &log, &played));
        }
        let is_over = placed.set.game(placed.request.number).is_some_and(Game::is_over);
        let meeting = if is_over { Meeting::Over } else { Meeting::Stale };
        self.refuse(&placed, meeting, Viewer { seat: Some(placed.seat), submitted: false }).await
    }

    async fn is_same_move(&self, placed: &Placed<'_>, played: &Played<'_>) -> Result<bool, MatchFault> {
        let Some(mine) = played.last.of(placed.seat) else {
            return Ok(false);
        };
        let sent = placed.request.move_json.as_str();
        self.is_move(placed, &played.before.position.state, sent, &mine.move_json).await
    }

    /// Whether `sent` is the move that stands as `canonical`, however it is spelled.
    pub(super) async fn is_move(
        &self,
        placed: &Placed<'_>,
        state: &[u8],
        sent: &str,
        canonical: &str,
    ) -> Result<bool, MatchFault> {
        if sent == canonical {
            return Ok(true);
        }
        match self.rules.check_move(&placed.set.info.game, state, placed.seat, sent).await {
            Ok(checked) => Ok(checked.move_json == canonical),
            Err(fault) if is_refusal(&fault) => Ok(false),
            Err(fault) => Err(fault),
        }
    }
}

/// A ply that was played: the game as it stood before and just after it.
struct Played<'a> {
    before: &'a Game,
    after: &'a Game,
    last: &'a PlayedPly,
    completed_by: Option<Seat>,
    waited_since: Option<Seq>,
}

/// The ply in question, from the log.
fn played<'a>(log: &'a [Logged], request: &MoveRequest) -> Option<Played<'a>> {
    let at = log.iter().position(|logged| logged.event.ply_of(request.number, request.ply).is_some())?;
    let before = log[..at].iter().rev().find_map(|logged| logged.event.game())?;
    let Event::MovePlayed { game: after, completed_by, waited_since, .. } = &log[at].event else {
        return None;
    };
    let (completed_by, waited_since) = (*completed_by, *waited_since);
    Some(Played { before, after, last: after.last_move.as_ref()?, completed_by, waited_since })
}

/// The game just after the move, as its sender was answered; who did not complete a round saw it unrevealed.
fn first_answer(placed: &Placed<'_>, log: &[Logged], played: &Played<'_>) -> Attempt {
    let info = &placed.set.info;
    match played.last.of(placed.seat) {
        Some(mine) if info.simultaneous && played.completed_by != Some(placed.seat) => {
            let then = played.waited_since.and_then(|seq| unrevealed(info, log, seq));
            submitted(info, then.as_ref().unwrap_or(played.before), placed.seat, UnixMs(mine.received_ms))
        }
        _ => after_ply(info, played.after, placed.seat),
    }
}

/// The game as it was when a placement came in, just after event `seq`: what was given back later was not in its clock.
pub(super) fn unrevealed(info: &Arc<SetInfo>, log: &[Logged], seq: Seq) -> Option<Game> {
    as_of(info, log, seq)?.games.pop()
}

/// The answer to whoever played a ply, or completed a round.
pub(super) fn after_ply(info: &SetInfo, game: &Game, seat: Seat) -> Attempt {
    let as_of = UnixMs(game.last_move.as_ref().map_or(info.created_at_ms, |ply| ply.at_ms));
    let game = game_view(info, game, Viewer { seat: Some(seat), submitted: false });
    Attempt::Done(Box::new(MoveAnswer { game, as_of }))
}

/// The answer to whoever placed for a round that waits for another placement.
pub(super) fn submitted(info: &SetInfo, game: &Game, seat: Seat, as_of: UnixMs) -> Attempt {
    let game = game_view(info, game, Viewer { seat: Some(seat), submitted: true });
    Attempt::Done(Box::new(MoveAnswer { game, as_of }))
}

/// Whether another service has decided, rather than failed to answer.
pub(super) fn is_refusal(fault: &MatchFault) -> bool {
    use farside_kit::fault::Kind;
    matches!(fault.kind(), Kind::InvalidArgument | Kind::FailedPrecondition | Kind::NotFound | Kind::AlreadyExists)
}

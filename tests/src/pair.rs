//! Two bots that play staked sets against each other over any replica of match-svc: they send moves twice, repeat old
//! ones, ask again when no answer comes, and note what was acknowledged. They fail the test when anything is refused:
//! nothing that they send is wrong.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use farside_kit::fault::Remote;
use farside_proto::{ledger::v1 as ledger, matches::v1 as proto};
use futures::future::join_all;
use tokio::task::JoinHandle;

use crate::{
    bots::name,
    callers::{Callers, is_unanswered},
    dice::Dice,
    event_log, wait,
};

/// Points that each owner begins with.
pub const GRANT: i64 = 1_000;
/// Points that each side stakes on a set.
pub const STAKE: i64 = 10;
/// The longest that a challenge stands, in seconds: one whose maker was not answered goes away soon.
const CHALLENGE_S: u32 = 15;
/// As long as this the pair asks again about a challenge before it makes another.
const PATIENCE: Duration = Duration::from_secs(5);
/// One set in so many ends by resignation.
const RESIGNS: usize = 4;

/// Between two looks at a challenge.
const LOOK: Duration = Duration::from_millis(50);
/// A game that ends soon.
const SMALL_BOARD: (&str, &str) = ("breakthrough", r#"{"size":6,"start":"standard"}"#);

/// How the sets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With moves to the end, or nearly.
    Moves,
    /// Each game is given up at once, so that sets end as fast as can be.
    Resigns,
}

/// A move that was acknowledged.
#[derive(Clone, Debug)]
pub struct Acknowledged {
    /// What was sent.
    pub request: proto::PlayMoveRequest,
    /// What was answered.
    pub answer: proto::Game,
}

/// A set that was played to its end.
#[derive(Debug)]
pub struct PlayedSet {
    /// The set.
    pub id: String,
    /// In the order of their answers.
    pub moves: Vec<Acknowledged>,
    /// The set's events, as somebody got them who watched from the beginning.
    pub watched: JoinHandle<Vec<proto::SetEvent>>,
}

/// A pair at its board.
#[derive(Debug)]
pub struct Pair {
    callers: Callers,
    dice: Dice,
    /// Makes the challenges.
    pub creator: proto::Participant,
    /// Accepts them.
    pub acceptor: proto::Participant,
    /// Id and options of what they play.
    game: (&'static str, &'static str),
    /// Counts what was acknowledged to anyone.
    acknowledged: Arc<AtomicUsize>,
}

impl Pair {
    /// Two new bots of two new owners with points.
    pub async fn join(callers: &Callers, dice: Dice, acknowledged: &Arc<AtomicUsize>) -> Self {
        let (creator, acceptor) = (newcomer(callers).await, newcomer(callers).await);
        let (callers, acknowledged) = (callers.clone(), Arc::clone(acknowledged));
        Self { callers, dice, creator, acceptor, game: SMALL_BOARD, acknowledged }
    }

    /// The pair at another game.
    #[must_use]
    pub fn at(self, game: &'static str, options_json: &'static str) -> Self {
        Self { game: (game, options_json), ..self }
    }

    /// Plays a set of a game with secret rounds to its end: now one, now the other places first.
    pub async fn play_rounds(&mut self) -> PlayedSet {
        let set = self.agree().await;
        let watched = tokio::spawn(event_log::follow(self.callers.clone(), self.dice.fork(), set.id.clone()));
        let mut played = PlayedSet { id: set.id, moves: Vec::new(), watched };
        while self.look(&played.id).await.status() == proto::SetStatus::Active {
            let mut order = [self.creator.id.clone(), self.acceptor.id.clone()];
            if self.dice.one_in(2) {
                order.reverse();
            }
            for actor in order {
                self.place(&mut played, actor).await;
            }
        }
        played
    }

    /// Places for a participant, if it is to act.
    async fn place(&mut self, played: &mut PlayedSet, actor_id: String) {
        let set = self.look_as(&played.id, &actor_id).await;
        let game = set.games.last().expect("a set has a game");
        let seat = if game.seat_1 == actor_id { 1 } else { 2 };
        if game.result.is_some() || !game.to_move.contains(&seat) {
            return;
        }
        let choice = self.dice.below(game.legal_moves_json.len());
        let request = proto::PlayMoveRequest {
            actor_id,
            set_id: played.id.clone(),
            game: game.number,
            ply: game.ply,
            move_json: game.legal_moves_json[choice].clone(),
            received_at_ms: 0,
            request_id: String::new(),
        };
        let answer = self.play(&request).await;
        self.acknowledged.fetch_add(1, Ordering::Relaxed);
        played.moves.push(Acknowledged { request, answer });
        self.repeat_an_old_move(played).await;
    }

    /// Makes a staked challenge that comes to nothing: taken back, or left until it expires.
    pub async fn change_mind(&mut self) {
        let is_left = self.dice.one_in(2);
        let expires_in_s = if is_left { 1 } else { CHALLENGE_S };
        let Ok(challenge) = self.challenge_for(expires_in_s).await else { return };
        if is_left {
            return self.until_expired(&challenge).await;
        }
        let request = proto::CancelChallengeRequest {
            request_id: name(),
            actor: Some(self.creator.clone()),
            challenge_id: challenge,
        };
        let cancelled = self.callers.ask(&mut self.dice, wait::LIMIT, |mut client| {
            let request = request.clone();
            async move { client.cancel_challenge(request).await }
        });
        cancelled.await.unwrap_or_else(|fault| panic!("{request:?}: {fault:?}"));
        self.acknowledged.fetch_add(1, Ordering::Relaxed);
    }

    async fn until_expired(&mut self, challenge_id: &str) {
        loop {
            match self.look_at_challenge(challenge_id).await.status() {
                proto::ChallengeStatus::Open => tokio::time::sleep(LOOK).await,
                proto::ChallengeStatus::Expired => return,
                other => panic!("{challenge_id} ended as {other:?}"),
            }
        }
    }

    /// Plays a set to its end.
    pub async fn play_set(&mut self, style: Style) -> PlayedSet {
        let mut set = self.agree().await;
        let resigns_at = if style == Style::Resigns { Some(0) } else { self.resignation() };
        let watched = tokio::spawn(event_log::follow(self.callers.clone(), self.dice.fork(), set.id.clone()));
        let mut played = PlayedSet { id: set.id.clone(), moves: Vec::new(), watched };
        while set.status() == proto::SetStatus::Active {
            let game = set.games.last().expect("a set has a game").clone();
            let gives_up = style == Style::Resigns || game.number > 1;
            self.play_game(&mut played, game, resigns_at.filter(|_| gives_up)).await;
            set = self.look(&played.id).await;
        }
        played
    }

    /// After how many plies of the last game it is given up, if at all.
    fn resignation(&mut self) -> Option<u32> {
        let plies = u32::try_from(self.dice.below(12)).expect("a small number");
        self.dice.one_in(RESIGNS).then_some(plies)
    }

    async fn play_game(&mut self, played: &mut PlayedSet, mut game: proto::Game, resigns_at: Option<u32>) {
        while game.result.is_none() {
            let actor = if game.to_move == [1] { game.seat_1.clone() } else { game.seat_2.clone() };
            if resigns_at.is_some_and(|ply| game.ply >= ply) {
                let loser = if self.dice.one_in(2) { game.seat_1 } else { game.seat_2 };
                return self.resign(&played.id, game.number, loser).await;
            }
            let choice = self.dice.below(game.legal_moves_json.len());
            let request = proto::PlayMoveRequest {
                actor_id: actor,
                set_id: played.id.clone(),
                game: game.number,
                ply: game.ply,
                move_json: game.legal_moves_json[choice].clone(),
                received_at_ms: 0,
                request_id: String::new(),
            };
            let answer = self.play(&request).await;
            self.acknowledged.fetch_add(1, Ordering::Relaxed);
            played.moves.push(Acknowledged { request, answer: answer.clone() });
            self.repeat_an_old_move(played).await;
            game = answer;
        }
    }

    /// Sends a move, sometimes twice at once, until it is acknowledged; all answers are the same.
    async fn play(&mut self, request: &proto::PlayMoveRequest) -> proto::Game {
        let copies = if self.dice.one_in(3) { 2 } else { 1 };
        let sent = (0..copies).map(|_| {
            let (callers, mut dice) = (self.callers.clone(), self.dice.fork());
            async move { send(&callers, &mut dice, request).await }
        });
        let sent: Vec<_> = sent.collect();
        let mut answers = join_all(sent).await;
        let answer = answers.pop().expect("one copy at least");
        assert!(
            answers.iter().all(|other| *other == answer),
            "a move sent twice got two answers: {answers:?}, {answer:?}"
        );
        answer
    }

    async fn repeat_an_old_move(&mut self, played: &PlayedSet) {
        if !self.dice.one_in(6) {
            return;
        }
        let old = &played.moves[self.dice.below(played.moves.len())];
        let again = send(&self.callers, &mut self.dice, &old.request).await;
        assert_eq!(again, old.answer, "a retry gets the first answer");
    }

    async fn resign(&mut self, set_id: &str, game: u32, actor_id: String) {
        let request = proto::ResignRequest { request_id: name(), actor_id, set_id: set_id.to_owned(), game };
        let resigned = self.callers.ask(&mut self.dice, wait::LIMIT, |mut client| {
            let request = request.clone();
            async move { client.resign(request).await }
        });
        resigned.await.unwrap_or_else(|fault| panic!("{request:?}: {fault:?}"));
        self.acknowledged.fetch_add(1, Ordering::Relaxed);
    }

    async fn look(&mut self, set_id: &str) -> proto::Set {
        self.look_as(set_id, "").await
    }

    async fn look_as(&mut self, set_id: &str, viewer_id: &str) -> proto::Set {
        let request = proto::GetSetRequest { set_id: set_id.to_owned(), viewer_id: viewer_id.to_owned() };
        let seen = self.callers.ask(&mut self.dice, wait::LIMIT, |mut client| {
            let request = request.clone();
            async move { client.get_set(request).await }
        });
        seen.await.expect("a set that there is").set.expect("a set")
    }

    /// Makes challenges until one of them is a set.
    async fn agree(&mut self) -> proto::Set {
        loop {
            match self.challenge_for(CHALLENGE_S).await {
                Ok(challenge) => {
                    if let Some(set) = self.accept(&challenge).await {
                        return set;
                    }
                }
                // A replica died while it made the challenge; what it held comes back by itself.
                Err(fault) => assert!(is_unanswered(&fault), "a challenge was refused: {fault:?}"),
            }
        }
    }

    async fn challenge_for(&mut self, expires_in_s: u32) -> Result<String, Remote> {
        let request = proto::CreateChallengeRequest {
            stake: Some(proto::Stake { currency: "PTS".to_owned(), amount_points: STAKE }),
            expires_in_s: Some(expires_in_s),
            game: self.game.0.to_owned(),
            options_json: self.game.1.to_owned(),
            ..wish(&self.creator)
        };
        let made = self.callers.ask(&mut self.dice, PATIENCE, |mut client| {
            let request = request.clone();
            async move { client.create_challenge(request).await }
        });
        Ok(made.await?.challenge.expect("a challenge").id)
    }

    /// Accepts a challenge, and asks again until it is a set or has gone away.
    async fn accept(&mut self, challenge_id: &str) -> Option<proto::Set> {
        let request = proto::AcceptChallengeRequest {
            request_id: name(),
            actor: Some(self.acceptor.clone()),
            challenge_id: challenge_id.to_owned(),
            nonce: None,
        };
        loop {
            let accepted = self.callers.ask(&mut self.dice, PATIENCE, |mut client| {
                let request = request.clone();
                async move { client.accept_challenge(request).await }
            });
            match accepted.await {
                Ok(accepted) => return accepted.set,
                Err(fault) if is_unanswered(&fault) || fault.reason == "CHALLENGE_CLOSED" => {
                    let challenge = self.look_at_challenge(challenge_id).await;
                    match challenge.status() {
                        proto::ChallengeStatus::Open => {}
                        proto::ChallengeStatus::Accepted => return Some(self.look(&challenge.set_id).await),
                        _ => return None,
                    }
                }
                Err(fault) => panic!("accepting was refused: {fault:?}"),
            }
        }
    }

    async fn look_at_challenge(&mut self, challenge_id: &str) -> proto::Challenge {
        let request = proto::GetChallengeRequest { challenge_id: challenge_id.to_owned() };
        let seen = self.callers.ask(&mut self.dice, wait::LIMIT, |mut client| {
            let request = request.clone();
            async move { client.get_challenge(request).await }
        });
        seen.await.expect("a challenge that there is").challenge.expect("a challenge")
    }
}

/// An open challenge of `creator` on the small board.
#[must_use]
pub fn wish(creator: &proto::Participant) -> proto::CreateChallengeRequest {
    proto::CreateChallengeRequest {
        request_id: name(),
        actor: Some(creator.clone()),
        game: SMALL_BOARD.0.to_owned(),
        options_json: SMALL_BOARD.1.to_owned(),
        ..Default::default()
    }
}

/// A new bot of a new owner with [`GRANT`] points, as the gateway would tell of it.
pub async fn newcomer(callers: &Callers) -> proto::Participant {
    let (bot, owner) = (name(), name());
    let grant = ledger::GrantRequest {
        request_id: format!("grant:{owner}"),
        account_id: format!("player_{owner}"),
        currency: "PTS".to_owned(),
        amount_points: GRANT,
        memo: "test".to_owned(),
        reason: String::new(),
    };
    callers.ledger.clone().grant(grant).await.expect("a grant");
    proto::Participant {
        id: format!("bot_{bot}"),
        name: bot,
        kind: proto::ParticipantKind::Bot.into(),
        owner_id: format!("player_{owner}"),
        owner_name: owner,
        max_stake_points: 500,
        accepts: None,
    }
}

async fn send(callers: &Callers, dice: &mut Dice, request: &proto::PlayMoveRequest) -> proto::Game {
    let answered = callers.ask(dice, wait::LIMIT, |mut client| {
        let request = request.clone();
        async move { client.play_move(request).await }
    });
    let answer = answered.await.unwrap_or_else(|fault| panic!("{request:?} was refused: {fault:?}"));
    answer.game.expect("a game")
}

//! Who plays in a simulation: pairs at every kind of game, who move, dawdle, resign, pause, repeat themselves and send
//! nonsense; and who only watches. They note what was acknowledged. Not here: what must come of it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use farside_kit::fault::Fault as _;
use farside_match::domain::event::{Logged, SetEnd, SetStatus};
use farside_match::domain::fault::MatchFault;
use farside_match::domain::game::{Game, GameStatus};
use farside_match::domain::ids::{ChallengeId, GameId, GameNumber, OwnerId, ParticipantId, Ply, Seat, Seq, SetId};
use farside_match::domain::offer::{ClockChoice, Format, Proposal, Stake};
use farside_match::domain::participant::{Participant, ParticipantKind};
use farside_match::engine::{
    AcceptRequest, ActorRequest, CreateRequest, MoveAnswer, MoveRequest, ParticipantItem, SetAnswer, SetItem,
};
use farside_match::store::SettlementMark;

use super::world::World;

/// Points that each owner begins with.
pub const GRANT: i64 = 200;

/// What a pair plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// A staked set for anyone.
    Open(&'static str, ClockChoice),
    /// An unstaked set between two who know each other.
    Private(&'static str, ClockChoice),
    /// Untimed practice between two bots of one owner, which may stand still.
    Siblings(&'static str),
    /// Practice against a house bot.
    House(&'static str, ClockChoice),
}

/// The tables that there may be.
pub const TABLES: [Table; 10] = [
    Table::Open("breakthrough-small", ClockChoice::Fischer(10, 1)),
    Table::Open("breakthrough", ClockChoice::Fischer(10, 0)),
    Table::Open("maker-breaker", ClockChoice::PerRound(5)),
    Table::Open("landbreaker", ClockChoice::Default),
    Table::Private("breakthrough-handicap", ClockChoice::Fischer(12, 2)),
    Table::Private("breakthrough-symmetric", ClockChoice::Default),
    Table::Private("maker-breaker", ClockChoice::PerRound(7)),
    Table::Siblings("breakthrough-small"),
    Table::Siblings("maker-breaker"),
    Table::House("breakthrough-small", ClockChoice::Untimed),
];

/// The parts of an answer about a set that its viewer sees.
pub type Seen = (Seq, SetStatus, Vec<Game>, Option<SetEnd>, SettlementMark, bool);

pub fn seen(answer: &SetAnswer) -> Seen {
    let set = &answer.set;
    (set.seq, set.status, set.games.clone(), set.end, answer.settlement, answer.submitted)
}

/// What was acknowledged in a simulation.
#[derive(Debug, Default)]
pub struct Notes {
    pub sets: Vec<SetId>,
    pub moves: Vec<(MoveRequest, MoveAnswer)>,
    pub changes: Vec<(ActorRequest, Change, SetAnswer)>,
    /// Sets with what somebody who watched got of them.
    pub watched: Vec<(SetId, Vec<Logged>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Resign(GameNumber),
    Pause(bool),
}

/// Two who play.
pub struct Pair {
    pub world: Arc<World>,
    pub notes: Arc<Mutex<Notes>>,
    pub table: Table,
    pub creator: Participant,
    pub acceptor: Participant,
    pub requests: u64,
}

pub fn participant(name: &str, owner: &str) -> Participant {
    Participant {
        id: ParticipantId(format!("bot_{name}")),
        name: name.to_owned(),
        kind: ParticipantKind::Bot,
        owner_id: OwnerId(format!("player_{owner}")),
        owner_name: owner.to_owned(),
        max_stake_points: 500,
        accepts: None,
    }
}

fn house() -> Participant {
    let (id, owner_id) = (ParticipantId::from("house:easy"), OwnerId::from("house"));
    let kind = ParticipantKind::House;
    let (name, owner_name) = ("house".to_owned(), "house".to_owned());
    Participant { id, name, kind, owner_id, owner_name, max_stake_points: 0, accepts: None }
}

impl Pair {
    pub fn new(world: &Arc<World>, notes: &Arc<Mutex<Notes>>, number: usize, table: Table) -> Self {
        let (one, other) = (format!("a{number}"), format!("b{number}"));
        let acceptor = match table {
            Table::House(..) => house(),
            Table::Siblings(_) => participant(&other, &one),
            Table::Open(..) | Table::Private(..) => participant(&other, &other),
        };
        let mut book = world.ledger.0.lock().unwrap();
        for owner in [&one, &other] {
            book.posted.insert(format!("player_{owner}"), GRANT);
        }
        drop(book);
        let (world, notes) = (Arc::clone(world), Arc::clone(notes));
        Self { world, notes, table, creator: participant(&one, &one), acceptor, requests: 0 }
    }

    /// Plays sets until `until_ms`, and the last one to its end.
    pub async fn sit(mut self, until_ms: i64) {
        while self.world.now().0 < until_ms {
            if let Some(id) = self.agree().await {
                self.notes.lock().unwrap().sets.push(id.clone());
                tokio::spawn(watch(Arc::clone(&self.world), Arc::clone(&self.notes), id.clone()));
                self.play(&id).await;
            }
        }
    }

    fn request_id(&mut self) -> String {
        self.requests += 1;
        format!("{}-{}", self.creator.id, self.requests)
    }

    fn proposal(&self) -> (GameId, Proposal) {
        let (game, clock, stake, opponent) = match self.table {
            Table::Open(game, clock) => (game, clock, Some(10), None),
            Table::Private(game, clock) => (game, clock, None, Some(self.acceptor.clone())),
            Table::Siblings(game) => (game, ClockChoice::Untimed, None, Some(self.acceptor.clone())),
            Table::House(game, clock) => (game, clock, None, Some(self.acceptor.clone())),
        };
        let stake = stake.map(|amount_points| Stake { currency: "PTS".to_owned(), amount_points });
        let creator = self.creator.clone();
        let (rated, format, nonce, expires_in_s) = (None, Format::Set, None, Some(15));
        (GameId::from(game), Proposal { creator, opponent, clock, stake, rated, format, nonce, expires_in_s })
    }

    /// Makes a challenge, and accepts it, or takes it back, or leaves it.
    async fn agree(&mut self) -> Option<SetId> {
        let (game, proposal) = self.proposal();
        let request_id = self.request_id();
        let fingerprint = format!("create {request_id}");
        let request = CreateRequest { request_id, fingerprint, game, options_json: String::new(), proposal };
        let made = self.made(&request).await?;
        if let Some(set_id) = &made.0.set_id {
            return Some(set_id.clone());
        }
        assert_eq!(Some(&made), self.made(&request).await.as_ref(), "made twice, answered once");
        let is_taken_back = self.world.weather.one_in(6);
        let mut accept = AcceptRequest {
            request_id: self.request_id(),
            fingerprint: "end".to_owned(),
            actor: if is_taken_back { self.creator.clone() } else { self.acceptor.clone() },
            challenge_id: made.0.id.clone(),
            nonce: None,
        };
        if is_taken_back {
            let _ = self.world.insist(|engine| cancel(engine, accept.clone())).await;
            return None;
        }
        let accepted = self.accepted(&accept).await?;
        // Somebody else's request, and one's own again.
        let again = self.accepted(&accept).await;
        assert_eq!(again.as_ref(), Some(&accepted), "accepted twice, answered once");
        accept.request_id = self.request_id();
        let closed = self.world.insist(|engine| accept_with(engine, accept.clone())).await;
        assert_eq!(closed.unwrap_err().reason(), "CHALLENGE_CLOSED", "a set begins once");
        Some(accepted.0)
    }

    async fn made(&self, request: &CreateRequest) -> Option<(Made, Option<Seen>)> {
        let made = self.world.insist(|engine| {
            let request = request.clone();
            async move { engine.create_challenge(request).await }
        });
        match made.await {
            Ok(answer) => {
                let (id, set_id) = (answer.challenge.id, answer.challenge.set_id);
                Some((Made { id, set_id }, answer.set.as_ref().map(seen)))
            }
            Err(fault) => {
                let known = ["SUSPENDED", "TOO_MANY_SETS", "INSUFFICIENT_BALANCE", "UNAVAILABLE"];
                assert!(known.contains(&fault.reason()), "{fault:?}");
                tokio::time::sleep(Duration::from_secs(2)).await;
                None
            }
        }
    }

    async fn accepted(&self, request: &AcceptRequest) -> Option<(SetId, Seen)> {
        match self.world.insist(|engine| accept_with(engine, request.clone())).await {
            Ok(answer) => {
                let set = answer.set.expect("an accepted challenge has a set");
                Some((set.set.info.id.clone(), seen(&set)))
            }
            Err(fault) => {
                let known = ["CHALLENGE_CLOSED", "SUSPENDED", "TOO_MANY_SETS", "INSUFFICIENT_BALANCE"];
                assert!(known.contains(&fault.reason()), "{fault:?}");
                None
            }
        }
    }

    async fn look(&self, id: &SetId, viewer: &ParticipantId) -> SetAnswer {
        let looked = self.world.insist(|engine| {
            let (id, viewer) = (id.clone(), Some(viewer.clone()));
            async move { engine.set_for(&id, viewer).await }
        });
        looked.await.unwrap()
    }

    /// Both sides play a set to its end.
    async fn play(&mut self, id: &SetId) {
        loop {
            let mut order = [self.creator.id.clone(), self.acceptor.id.clone()];
            if self.world.weather.one_in(2) {
                order.reverse();
            }
            for who in order.iter().filter(|who| !who.as_str().starts_with("house")) {
                let answer = self.look(id, who).await;
                if answer.set.status != SetStatus::Active {
                    return;
                }
                self.act(id, who, answer).await;
            }
            self.repeat().await;
            tokio::time::sleep(Duration::from_millis(1 + self.world.weather.below(300))).await;
        }
    }

    async fn act(&mut self, id: &SetId, who: &ParticipantId, answer: SetAnswer) {
        let weather = self.world.weather.clone();
        let game = answer.set.current().unwrap();
        let seat = game.seat_of(answer.set.info.side_of(who).unwrap());
        let gives_up = weather.one_in(if weather.is_calm() { 5 } else { 120 });
        if gives_up {
            return self.change(id, who, Change::Resign(game.number)).await;
        }
        if matches!(self.table, Table::Siblings(_)) && (weather.one_in(20) || game.status == GameStatus::Paused) {
            return self.change(id, who, Change::Pause(game.status == GameStatus::Active)).await;
        }
        if !game.to_act().contains(&seat) || answer.submitted {
            return;
        }
        if weather.strikes(90) {
            // Somebody fell asleep.
            tokio::time::sleep(Duration::from_millis(weather.below(14_000))).await;
        }
        if weather.one_in(15) {
            self.send_nonsense(id, who, game).await;
        }
        self.play_move(id, who, game, seat).await;
    }

    async fn play_move(&mut self, id: &SetId, who: &ParticipantId, game: &Game, seat: Seat) {
        let legal = &game.position.legal_moves_json[seat.index()];
        let sent_ms = self.world.now().0;
        let request = MoveRequest {
            actor: who.clone(),
            set_id: id.clone(),
            number: game.number,
            ply: game.ply(),
            move_json: spelled_out(&legal[self.world.weather.index(legal.len())]),
            received_at: None,
        };
        match self.played(&request).await {
            Ok(answer) => self.notes.lock().unwrap().moves.push((request, answer)),
            // A flag or an abort may have come first, or a copy of an old request to pause; nothing else can.
            Err(fault) => {
                let may_pause = matches!(self.table, Table::Siblings(_)) && fault.reason() == "NOT_YOUR_TURN";
                assert!(may_pause || fault.reason() == "GAME_OVER", "{fault:?}: {request:?} sent at {sent_ms}");
            }
        }
    }

    async fn played(&self, request: &MoveRequest) -> Result<MoveAnswer, MatchFault> {
        self.world.insist(|engine| play_with(engine, request.clone())).await
    }

    /// What is not allowed is refused, and changes nothing.
    async fn send_nonsense(&self, id: &SetId, who: &ParticipantId, game: &Game) {
        let (number, ply) = (game.number, game.ply());
        let of = |ply: Ply, move_json: &str| MoveRequest {
            actor: who.clone(),
            set_id: id.clone(),
            number,
            ply,
            move_json: move_json.to_owned(),
            received_at: None,
        };
        let (request, expected) = match self.world.weather.below(3) {
            0 => (of(ply, "[]"), "MALFORMED_MOVE"),
            1 => (of(Ply(ply.0 + 3), "[]"), "MALFORMED_MOVE"),
            _ => {
                let legal = game.position.legal_moves_json.iter().flatten().next().unwrap();
                (of(Ply(ply.0 + 3), &spelled_out(legal)), "STALE_PLY")
            }
        };
        let refused = self.played(&request).await.unwrap_err();
        let reason = refused.reason();
        assert!(reason == expected || reason == "GAME_OVER", "{refused:?} instead of {expected}");
    }

    async fn change(&mut self, id: &SetId, who: &ParticipantId, change: Change) {
        let request_id = self.request_id();
        let fingerprint = format!("{change:?}");
        let request = ActorRequest { request_id, fingerprint, actor: who.clone(), set_id: id.clone() };
        match self.world.insist(|engine| change_with(engine, request.clone(), change)).await {
            Ok(answer) => self.notes.lock().unwrap().changes.push((request, change, answer)),
            Err(fault) => {
                let known = ["GAME_OVER", "NOT_PAUSABLE"];
                assert!(known.contains(&fault.reason()), "{fault:?}");
            }
        }
    }

    /// Sends something again that was acknowledged before.
    async fn repeat(&self) {
        if !self.world.weather.one_in(6) {
            return;
        }
        let old = {
            let notes = self.notes.lock().unwrap();
            let length = notes.moves.len();
            (length > 0).then(|| notes.moves[self.world.weather.index(length)].clone())
        };
        if let Some((request, answer)) = old {
            match self.played(&request).await {
                Ok(again) => assert_eq!((again.game, again.as_of), (answer.game, answer.as_of), "{request:?}"),
                // The round of a placement came to nothing with the end of its game.
                Err(fault) => assert!(answer.game.submitted && fault.reason() == "GAME_OVER", "{fault:?}: {request:?}"),
            }
        }
        let old = {
            let notes = self.notes.lock().unwrap();
            let length = notes.changes.len();
            (length > 0).then(|| notes.changes[self.world.weather.index(length)].clone())
        };
        if let Some((request, change, answer)) = old {
            let again = self.world.insist(|engine| change_with(engine, request.clone(), change)).await.unwrap();
            assert_eq!((seen(&again), again.as_of), (seen(&answer), answer.as_of), "{request:?} {change:?}");
        }
    }
}

/// A legal move as it is sent: where there are too many to list, the contract names squares to choose from.
fn spelled_out(legal: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(legal).unwrap();
    let Some((count, squares)) = value["place"]["count"].as_u64().zip(value["place"]["squares"].as_array()) else {
        return legal.to_owned();
    };
    let chosen: Vec<_> = squares.iter().take(usize::try_from(count).unwrap()).collect();
    serde_json::json!({ "place": chosen }).to_string()
}

/// A challenge that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    id: ChallengeId,
    pub set_id: Option<SetId>,
}

/// A set between two bots, without a stake and without a clock that could run out soon.
pub async fn agree(world: &Arc<World>) -> (ParticipantId, SetId) {
    let table = Table::Private("breakthrough", ClockChoice::Fischer(600, 0));
    let mut pair = Pair::new(world, &Arc::default(), 0, table);
    loop {
        if let Some(id) = pair.agree().await {
            return (pair.creator.id, id);
        }
    }
}

/// Plays one ply of a set: whoever is to act takes the first move that there is.
pub async fn play_on(world: &World, id: &SetId) -> SetStatus {
    let set = world.insist(|engine| set_of(engine, id.clone())).await.unwrap().set;
    let Some(game) = set.current().filter(|_| set.status == SetStatus::Active) else {
        return set.status;
    };
    let seat = game.to_act()[0];
    let legal = &game.position.legal_moves_json[seat.index()];
    let request = MoveRequest {
        actor: set.info.participant(game.side_of(seat)).id.clone(),
        set_id: id.clone(),
        number: game.number,
        ply: game.ply(),
        move_json: legal[game.ply().0 as usize % legal.len()].clone(),
        received_at: None,
    };
    world.insist(|engine| play_with(engine, request.clone())).await.unwrap();
    set.status
}

async fn set_of(engine: SharedEngine, id: SetId) -> Result<SetAnswer, MatchFault> {
    engine.set_for(&id, None).await
}

type SharedEngine = Arc<farside_match::engine::Engine>;
type Chal = farside_match::engine::ChallengeAnswer;

async fn accept_with(engine: SharedEngine, request: AcceptRequest) -> Result<Chal, MatchFault> {
    engine.accept_challenge(request).await
}

async fn cancel(engine: SharedEngine, request: AcceptRequest) -> Result<(), MatchFault> {
    engine.cancel_challenge(request).await.map(|_| ())
}

async fn play_with(engine: SharedEngine, request: MoveRequest) -> Result<MoveAnswer, MatchFault> {
    engine.play_move(request).await
}

async fn change_with(engine: SharedEngine, request: ActorRequest, change: Change) -> Result<SetAnswer, MatchFault> {
    match change {
        Change::Resign(number) => engine.resign(request, number).await,
        Change::Pause(paused) => engine.set_paused(request, paused).await,
    }
}

/// Watches a set from its beginning to its end over whatever replica lives, going on where a stream breaks.
async fn watch(world: Arc<World>, notes: Arc<Mutex<Notes>>, id: SetId) {
    let mut events: Vec<Logged> = Vec::new();
    while !events.last().is_some_and(is_end) {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let Some((engine, life)) = world.watchable() else { continue };
        let after = Seq(i64::try_from(events.len()).unwrap());
        let watching = tokio::select! {
            biased;
            () = life.ended() => continue,
            opened = engine.watch_set(id.clone(), Some(after), None) => opened,
        };
        let Ok(mut watching) = watching else { continue };
        let breaks_after = 1 + world.weather.below(20);
        for _ in 0..breaks_after {
            let item = tokio::select! {
                biased;
                () = life.ended() => break,
                item = watching.recv() => item,
            };
            match item {
                Some(Ok(SetItem::Event(_, logged))) => events.push(*logged),
                Some(Ok(SetItem::Heartbeat(_))) => {}
                Some(Ok(other)) => panic!("{id} after {after:?}: {other:?}"),
                Some(Err(_)) | None => break,
            }
        }
    }
    notes.lock().unwrap().watched.push((id, events));
}

fn is_end(logged: &Logged) -> bool {
    matches!(logged.event, farside_match::domain::event::Event::SetFinished { .. })
}

/// Watches everything of a participant over whatever replica lives: every event of its sets comes once and in order.
pub async fn follow(world: Arc<World>, notes: Arc<Mutex<Notes>>, who: ParticipantId) {
    let mut cursor = String::new();
    let mut logs: std::collections::BTreeMap<SetId, Vec<Logged>> = std::collections::BTreeMap::new();
    loop {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let Some((engine, life)) = world.watchable() else { continue };
        let Ok(mut watching) = engine.watch_participant(who.clone(), &cursor).await else { continue };
        let breaks_after = 1 + world.weather.below(20);
        for _ in 0..breaks_after {
            let item = tokio::select! {
                biased;
                () = life.ended() => break,
                item = watching.recv() => item,
            };
            let Some(Ok((at, item))) = item else { break };
            if !at.is_empty() {
                cursor = at;
            }
            if let ParticipantItem::Event(info, logged) = item {
                let log = logs.entry(info.id.clone()).or_default();
                if log.is_empty() && logged.seq > Seq(1) {
                    // It began before the snapshot.
                    continue;
                }
                log.push(*logged);
                if is_end(log.last().unwrap()) {
                    notes.lock().unwrap().watched.push((info.id.clone(), std::mem::take(log)));
                }
            }
        }
    }
}

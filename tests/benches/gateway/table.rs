//! A table at which two bots play set after set through the public API, a connection each; moves are drawn at random from
//! the legal ones that the API lists. Moves may go through gRPC instead, everything else the same.

use std::net::SocketAddr;

use bytes::Bytes;
use farside_proto::matches::v1 as proto;
use farside_tests::bots::name;
use futures::StreamExt as _;
use http_body_util::BodyDataStream;
use hyper::Method;
use hyper::body::Incoming;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::direct::Direct;
use super::http::Connection;
use super::load::Play;

/// A bot.
#[derive(Clone, Debug)]
pub struct Bot {
    /// `bot_…`.
    pub id: String,
    /// Its key.
    pub key: String,
}

/// Bots of one side: each of them has an owner whom no bot of the other side has.
#[derive(Debug, Default)]
pub struct Stable {
    owner_key: String,
    bots: usize,
}

impl Stable {
    /// Bots that one owner may have.
    const BOTS: usize = 100;

    /// Makes a bot, and signs up a new owner when the one before has as many as it may.
    pub async fn bot(&mut self, connection: &mut Connection) -> Bot {
        if self.bots.is_multiple_of(Self::BOTS) {
            self.owner_key = made(connection, "/v1/players", "").await.1;
        }
        self.bots += 1;
        let (made, key) = made(connection, "/v1/bots", &self.owner_key).await;
        Bot { id: made["bot"]["id"].as_str().unwrap().to_owned(), key }
    }
}

/// Makes a player or a bot with a name of its own; what was made, and its key.
async fn made(connection: &mut Connection, path: &str, key: &str) -> (Value, String) {
    let body = json!({ "name": name() }).to_string().into_bytes();
    let made: Value = parse(&connection.call(Method::POST, path, key, body).await);
    let key = made["key"].as_str().unwrap().to_owned();
    (made, key)
}

fn parse(bytes: &Bytes) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

/// Lets the first of two bots challenge the second; answers the set.
pub async fn agree(connections: &mut [Connection; 2], bots: &[Bot; 2]) -> Bytes {
    let wish = json!({ "game": "breakthrough", "opponent": bots[1].id,
        "clock": { "initial_s": 600, "increment_s": 8 } });
    let body = wish.to_string().into_bytes();
    let made: Value = parse(&connections[0].call(Method::POST, "/v1/challenges", &bots[0].key, body).await);
    let path = format!("/v1/challenges/{}/accept", made["challenge"]["id"].as_str().unwrap());
    connections[1].call(Method::POST, &path, &bots[1].key, b"{}".to_vec()).await
}

/// How moves get to the platform.
pub enum Way {
    /// JSON over HTTP.
    Http,
    /// JSON over HTTP, and both bots hold the set's event stream: a move is done when both streams show it too.
    Streamed,
    /// gRPC, straight to match-svc.
    Grpc(Box<Direct>),
}

/// The move to make next.
#[derive(Debug)]
pub struct Next {
    game: u32,
    ply: u32,
    /// Which of the two bots.
    mover: usize,
    choice: String,
}

/// Two bots and their running set.
pub struct Table {
    bots: [Bot; 2],
    connections: [Connection; 2],
    streams: Vec<BodyDataStream<Incoming>>,
    address: SocketAddr,
    way: Way,
    set_id: String,
    next: Option<Next>,
    chance: usize,
}

#[derive(Deserialize)]
struct GameState<'a> {
    number: u32,
    #[serde(borrow)]
    status: &'a str,
    #[serde(borrow)]
    seats: Seats<'a>,
    ply: u32,
    to_move: Vec<u8>,
    #[serde(borrow)]
    legal_moves: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Seats<'a> {
    #[serde(rename = "1", borrow)]
    first: &'a str,
    #[serde(rename = "2", borrow)]
    second: &'a str,
}

#[derive(Deserialize)]
struct SetState<'a> {
    #[serde(borrow)]
    id: &'a str,
    #[serde(borrow)]
    status: &'a str,
    #[serde(borrow)]
    games: Vec<GameState<'a>>,
}

#[derive(Deserialize)]
struct Accepted<'a> {
    #[serde(borrow)]
    set: SetState<'a>,
}

impl Table {
    /// Seats two bots; `number` seeds the choice of moves.
    pub async fn open(address: SocketAddr, bots: [Bot; 2], way: Way, number: usize) -> Self {
        let connections = [Connection::open(address).await, Connection::open(address).await];
        let (streams, set_id) = (Vec::new(), String::new());
        let mut table = Self { bots, connections, streams, address, way, set_id, next: None, chance: number };
        table.begin().await;
        table
    }

    /// The running set.
    pub fn set_id(&self) -> &str {
        &self.set_id
    }

    /// Begins a set.
    async fn begin(&mut self) {
        let accepted = agree(&mut self.connections, &self.bots).await;
        let Accepted { set } = serde_json::from_slice(&accepted).expect("a set");
        self.set_id = set.id.to_owned();
        self.next = self.choose(set.games.last().expect("a game"));
        if matches!(self.way, Way::Streamed) {
            self.streams.clear();
            for bot in self.bots.clone() {
                // Streams have connections of their own, which end with their sets.
                let mut connection = Connection::open(self.address).await;
                let path = format!("/v1/sets/{}/events", self.set_id);
                let answer = connection.send(Method::GET, &path, &bot.key, Vec::new()).await;
                let mut stream = BodyDataStream::new(answer.into_body());
                await_event(&mut stream, "event: snapshot").await;
                self.streams.push(stream);
            }
        }
    }

    fn draw(&mut self, choices: usize) -> usize {
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) % choices
    }

    /// Draws the next move; none when the game is over.
    fn choose(&mut self, game: &GameState<'_>) -> Option<Next> {
        if game.status != "active" {
            return None;
        }
        let seated = if *game.to_move.first()? == 1 { game.seats.first } else { game.seats.second };
        let mover = usize::from(seated != self.bots[0].id);
        let choice = game.legal_moves[self.draw(game.legal_moves.len())].get().to_owned();
        Some(Next { game: game.number, ply: game.ply, mover, choice })
    }

    fn choose_of(&mut self, game: &proto::Game) -> Option<Next> {
        if game.status() != proto::GameStatus::Active {
            return None;
        }
        let seated = if *game.to_move.first()? == 1 { &game.seat_1 } else { &game.seat_2 };
        let mover = usize::from(*seated != self.bots[0].id);
        let choice = game.legal_moves_json[self.draw(game.legal_moves_json.len())].clone();
        Some(Next { game: game.number, ply: game.ply, mover, choice })
    }

    async fn post(&mut self, next: &Next) -> Option<Next> {
        let body = format!(r#"{{"game":{},"ply":{},"move":{}}}"#, next.game, next.ply, next.choice);
        let path = format!("/v1/sets/{}/moves", self.set_id);
        let key = &self.bots[next.mover].key;
        let answer = self.connections[next.mover].call(Method::POST, &path, key, body.into_bytes()).await;
        let game: GameState<'_> = serde_json::from_slice(&answer).expect("a game");
        self.choose(&game)
    }
}

impl Play for Table {
    async fn play(&mut self) {
        let next = self.next.take().expect("a game that goes on");
        self.next = match &self.way {
            Way::Http => self.post(&next).await,
            Way::Streamed => {
                let after = self.post(&next).await;
                for stream in &mut self.streams {
                    await_event(stream, "event: move").await;
                }
                after
            }
            Way::Grpc(direct) => {
                let actor = &self.bots[next.mover].id;
                let game = direct.play(actor, &self.set_id, next.game, next.ply, next.choice).await;
                self.choose_of(&game)
            }
        };
    }

    async fn go_on(&mut self) {
        if self.next.is_some() {
            return;
        }
        let path = format!("/v1/sets/{}", self.set_id);
        let answer = self.connections[0].call(Method::GET, &path, &self.bots[0].key, Vec::new()).await;
        let set: SetState<'_> = serde_json::from_slice(&answer).expect("a set");
        if set.status == "active" {
            self.next = self.choose(set.games.last().expect("a game"));
        } else {
            self.begin().await;
        }
    }
}

/// Reads a stream until it has shown this event.
async fn await_event(stream: &mut BodyDataStream<Incoming>, event: &str) {
    loop {
        let part = stream.next().await.expect("a stream that goes on").expect("a stream that does not break");
        if part.windows(event.len()).any(|window| window == event.as_bytes()) {
            return;
        }
    }
}

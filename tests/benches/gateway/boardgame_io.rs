//! boardgame.io beside us: its server in a Node process of its own, with standard Breakthrough and in memory, and players
//! that speak its protocol (socket.io 4 over WebSocket) as leanly as ours speak HTTP.
//!
//! The folder whose `node_modules` holds the package is named by `FARSIDE_BENCH_BOARDGAME_IO`; without it nothing here
//! runs. Nothing of boardgame.io is part of this repository.

use std::net::SocketAddr;
use std::process::Stdio;

use futures::{SinkExt as _, StreamExt as _};
use hyper::Method;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::cpu;
use super::http::Connection;
use super::load::{Play, Used};

const FOLDER: &str = "FARSIDE_BENCH_BOARDGAME_IO";
/// What was compared with.
pub const VERSION_NOTE: &str = "boardgame.io 0.50 keeps games in memory and loses them with its process; farside answers a move when it is durable.";
const SIZE: usize = 8;
const GAME: &str = "breakthrough";

/// A running server.
pub struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    /// Starts it; none where its folder is not given.
    pub async fn start() -> Option<Self> {
        let folder = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty());
        let Some(folder) = folder else {
            println!("boardgame.io does not run: {FOLDER} names no folder with its package");
            return None;
        };
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/gateway/boardgame_io.js");
        let mut command = Command::new("node");
        command.arg(script).env("NODE_PATH", std::path::Path::new(&folder).join("node_modules"));
        command.env("NODE_ENV", "production").stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("node");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // Its log comes on the same way; the line with the port is the one that is a number.
        let port = loop {
            let line = lines.next_line().await.unwrap().expect("a server that starts");
            if let Ok(port) = line.trim().parse::<u16>() {
                break port;
            }
        };
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Some(Self { child, address: SocketAddr::from(([127, 0, 0, 1], port)) })
    }

    /// Processor time so far.
    pub fn used(&self) -> Used {
        let node = self.child.id().map_or_else(Default::default, cpu::used);
        vec![("server", node), ("generator", cpu::used(std::process::id()))]
    }

    /// Seats so many pairs.
    pub async fn tables(&self, count: usize) -> Vec<Match> {
        let mut tables = Vec::new();
        for number in 0..count {
            tables.push(Match::open(self.address, number).await);
        }
        tables
    }
}

/// Two players and their running match.
pub struct Match {
    address: SocketAddr,
    lobby: Connection,
    seats: Vec<Seat>,
    id: String,
    board: Board,
    chance: usize,
}

struct Seat {
    socket: WebSocketStream<TcpStream>,
    credentials: String,
}

/// The part of a state that a player needs.
#[derive(Deserialize)]
struct Board {
    #[serde(rename = "G")]
    game: Cells,
    ctx: Turn,
    #[serde(rename = "_stateID")]
    state_id: u64,
}

#[derive(Deserialize)]
struct Cells {
    cells: Vec<u8>,
}

#[derive(Deserialize)]
struct Turn {
    #[serde(rename = "currentPlayer")]
    current: String,
    gameover: Option<IgnoredAny>,
}

/// `["sync", id, {"state": …}]`.
#[derive(Deserialize)]
struct Synced(IgnoredAny, IgnoredAny, Sync);

#[derive(Deserialize)]
struct Sync {
    state: Board,
}

/// `["update", id, state, …]`.
#[derive(Deserialize)]
struct Updated(IgnoredAny, IgnoredAny, Board, IgnoredAny);

impl Match {
    async fn open(address: SocketAddr, number: usize) -> Self {
        let mut lobby = Connection::open(address).await;
        let (id, seats, board) = begin(address, &mut lobby).await;
        Self { address, lobby, seats, id, board, chance: number }
    }

    fn draw(&mut self) -> (usize, usize) {
        let moves = legal_moves(&self.board);
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        moves[(self.chance >> 33) % moves.len()]
    }
}

impl Play for Match {
    async fn play(&mut self) {
        let (from, to) = self.draw();
        let player = self.board.ctx.current.clone();
        let mover = usize::from(player == "1");
        let payload = json!({ "type": "step", "args": [from, to], "playerID": player,
            "credentials": self.seats[mover].credentials });
        let action = json!({ "type": "MAKE_MOVE", "payload": payload });
        let message = json!(["update", action, self.board.state_id, self.id, player]);
        self.seats[mover].socket.send(emit(&message)).await.expect("a socket that is open");
        let sent_at = self.board.state_id;
        for seat in [mover, 1 - mover] {
            loop {
                let text = self.seats[seat].event("update").await;
                let Updated(_, _, board, _) = serde_json::from_str(&text).expect("a state");
                if board.state_id > sent_at {
                    self.board = board;
                    break;
                }
            }
        }
    }

    async fn go_on(&mut self) {
        if self.board.ctx.gameover.is_some() {
            (self.id, self.seats, self.board) = begin(self.address, &mut self.lobby).await;
        }
    }
}

/// Makes a match through the lobby; both players join it and take their places.
async fn begin(address: SocketAddr, lobby: &mut Connection) -> (String, Vec<Seat>, Board) {
    let made = post(lobby, &format!("/games/{GAME}/create"), &json!({ "numPlayers": 2 })).await;
    let id = made["matchID"].as_str().unwrap().to_owned();
    let (mut seats, mut board) = (Vec::new(), None);
    for player in ["0", "1"] {
        let body = json!({ "playerID": player, "playerName": format!("p{player}") });
        let joined = post(lobby, &format!("/games/{GAME}/{id}/join"), &body).await;
        let credentials = joined["playerCredentials"].as_str().unwrap().to_owned();
        let mut seat = Seat { socket: connect(address).await, credentials };
        let sync = json!(["sync", id, player, seat.credentials, 2]);
        seat.socket.send(emit(&sync)).await.unwrap();
        let Synced(_, _, Sync { state }) = serde_json::from_str(&seat.event("sync").await).expect("a state");
        board = Some(state);
        seats.push(seat);
    }
    (id, seats, board.unwrap())
}

async fn post(lobby: &mut Connection, path: &str, body: &Value) -> Value {
    let answer = lobby.call(Method::POST, path, "", body.to_string().into_bytes()).await;
    serde_json::from_slice(&answer).expect("JSON")
}

/// Opens a socket and joins the game's namespace.
async fn connect(address: SocketAddr) -> WebSocketStream<TcpStream> {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let url = format!("ws://{address}/socket.io/?EIO=4&transport=websocket");
    let (mut socket, _) = tokio_tungstenite::client_async(url, stream).await.expect("a handshake");
    socket.send(Message::text(format!("40/{GAME},"))).await.unwrap();
    loop {
        let message = socket.next().await.expect("an open socket").expect("a message");
        if message.to_text().is_ok_and(|text| text.starts_with("40")) {
            return socket;
        }
    }
}

/// A socket.io event of the game's namespace.
fn emit(event: &Value) -> Message {
    Message::text(format!("42/{GAME},{event}"))
}

impl Seat {
    /// Waits for an event of this name and answers its JSON; answers pings meanwhile.
    async fn event(&mut self, name: &str) -> String {
        loop {
            let message = self.socket.next().await.expect("an open socket").expect("a message");
            let text = message.to_text().unwrap_or_default();
            if text == "2" {
                self.socket.send(Message::text("3")).await.unwrap();
            } else if let Some((_, event)) = text.split_once(',')
                && text.starts_with("42")
                && event.starts_with(&format!("[\"{name}\""))
            {
                return event.to_owned();
            }
        }
    }
}

/// The steps that the player to move may take, as cells.
fn legal_moves(board: &Board) -> Vec<(usize, usize)> {
    let (cells, first) = (&board.game.cells, board.ctx.current == "0");
    let pawn = if first { 1 } else { 2 };
    let mut moves = Vec::new();
    for (from, _) in cells.iter().enumerate().filter(|(_, cell)| **cell == pawn) {
        let (row, column) = (from / SIZE, from % SIZE);
        let Some(ahead) = (if first { Some(row + 1).filter(|row| *row < SIZE) } else { row.checked_sub(1) }) else {
            continue;
        };
        for beside in column.saturating_sub(1)..=(column + 1).min(SIZE - 1) {
            let to = ahead * SIZE + beside;
            if cells[to] == 0 || (beside != column && cells[to] != pawn) {
                moves.push((from, to));
            }
        }
    }
    moves
}

//! Who plays the games of these tests: the engine decides, the page is where it is played, by mouse or by keyboard.

use farside::client::Client;
use farside_rules::domain::{
    rules::{StartRequest, find, replay},
    thinking::Budget,
};
use farside_tests::browser::{Browser, Key};
use serde_json::{Value, json};

/// Positions looked at for a move: far more than `easy` looks at.
const NODES: u64 = 30_000;

/// How squares are chosen on the page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum By {
    /// Pointing and clicking.
    Mouse,
    /// Arrow keys and Enter.
    Keyboard,
}

/// A game of practice against a house bot, played by the person in seat 1.
pub(crate) struct Hand<'a> {
    browser: &'a Browser,
    api: Client,
    by: By,
    moves: Vec<String>,
}

impl<'a> Hand<'a> {
    /// Sits down at the game that is open in the browser and has not begun.
    pub(crate) fn new(browser: &'a Browser, site: &str, by: By) -> Self {
        Self { browser, api: Client::new(site).unwrap(), by, moves: Vec::new() }
    }

    /// Goes on with the same game in another browser.
    pub(crate) fn go_on_in<'b>(self, browser: &'b Browser, by: By) -> Hand<'b> {
        Hand { browser, api: self.api, by, moves: self.moves }
    }

    /// Plies of the game so far.
    pub(crate) fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Plays to the end and says whether the game was won.
    pub(crate) async fn play_out(&mut self) -> bool {
        while self.turn().await {}
        self.game().await["result"]["winner"] == 1
    }

    /// Waits for the turn, plays it and takes note of the answer; false when the game is over.
    pub(crate) async fn turn(&mut self) -> bool {
        self.wait().await;
        if self.is_over().await {
            return false;
        }
        let set = self.set().await;
        let choice = best(&set, &self.moves);
        let step: Value = serde_json::from_str(&choice).unwrap();
        self.moves.push(choice);
        self.choose(&square(&step["from"]), &[".can-move"]).await;
        self.choose(&square(&step["to"]), &[".can-step", ".can-capture"]).await;
        self.wait().await;
        let game = self.game().await;
        if game["ply"].as_u64() == Some(self.moves.len() as u64 + 1) {
            self.moves.push(game["last_move"]["move"].to_string());
        }
        true
    }

    /// Waits until every ply so far is on the page, with the answer of the house, or the game is over.
    async fn wait(&self) {
        let ply = self.moves.len() + self.moves.len() % 2;
        let expression = format!(
            "(({{ dataset }}) => dataset.state === 'over' || (dataset.state === 'to-move' && Number(dataset.ply) >= {ply}))\
             (document.getElementById('table'))"
        );
        self.browser.until("the turn to move", &expression).await;
    }

    async fn is_over(&self) -> bool {
        self.browser.run("return document.getElementById('table').dataset.state", vec![]).await == "over"
    }

    /// Chooses a square once it is marked as one of `kinds`.
    async fn choose(&self, square: &str, kinds: &[&str]) {
        let marked: Vec<String> = kinds.iter().map(|kind| format!("[data-square={square}]{kind}")).collect();
        self.browser.see(&marked.join(", ")).await;
        match self.by {
            By::Mouse => self.browser.click(&format!("[data-square={square}]")).await,
            By::Keyboard => self.walk_to(square).await,
        }
    }

    /// Goes to a square with the arrow keys and presses Enter.
    async fn walk_to(&self, square: &str) {
        let on_board = "[role=gridcell]";
        if !self.browser.has_focus(on_board).await {
            self.browser.tab_to(on_board).await;
        }
        let here = self.browser.run("return document.activeElement.dataset.square", vec![]).await;
        let here = here.as_str().unwrap().as_bytes();
        let there = square.as_bytes();
        let walk = |from: u8, to: u8, back: Key, forth: Key| {
            let arrow = if from > to { back } else { forth };
            vec![char::from(arrow); usize::from(from.abs_diff(to))]
        };
        let mut keys = walk(here[0], there[0], Key::Left, Key::Right);
        keys.extend(walk(here[1], there[1], Key::Down, Key::Up));
        keys.push(char::from(Key::Enter));
        self.browser.keys(keys).await;
    }

    async fn set(&self) -> Value {
        let id = self.browser.run("return document.getElementById('table').dataset.set", vec![]).await;
        self.api.get(&format!("/v1/sets/{}", id.as_str().unwrap())).await.unwrap()
    }

    async fn game(&self) -> Value {
        self.set().await["games"][0].clone()
    }
}

/// The engine's choice in the game of a set after some moves.
fn best(set: &Value, moves: &[String]) -> String {
    let rules = find(set["game"].as_str().unwrap()).unwrap();
    let options = set["options"].to_string();
    let start = StartRequest { options: &options, seed: &[], game_number: 1, creator_seat: 1 };
    let begun = rules.start(start).unwrap();
    let (position, _) = replay(begun, moves.iter().map(String::as_str)).unwrap();
    position.analyse(None, Budget { max_nodes: NODES, should_stop: &|| false }).unwrap().best
}

/// A square's name, for example `c2`.
fn square(at: &Value) -> String {
    let [row, column]: [u8; 2] = serde_json::from_value(at.clone()).unwrap_or_else(|_| panic!("{}", json!(at)));
    format!("{}{}", char::from(b'a' + column), row + 1)
}

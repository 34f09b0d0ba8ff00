//! `farside conformance` from end to end: the example bot keeps every promise, and each bad bot breaks exactly its own.

use std::{
    process::Stdio,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use farside::{chooser, platform::Temporary};
use farside_tests::{program::built, together, wait};
use futures::{SinkExt, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

use crate::clients::Python;

const SMALL: &str = r#"{"size":6,"pieces":12,"start":"standard"}"#;

/// A running proxy with the bot that it tests.
struct Conformance {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    url: String,
    key: String,
}

impl Conformance {
    async fn start(platform: &Temporary, more: &[&str]) -> Self {
        let mut command = Command::new(built("farside"));
        command.args(["conformance", "--json", "--listen", "127.0.0.1:0", "--seed", "7", "--options", SMALL]);
        command.args(["--url", platform.url()]).args(more).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let welcome: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
        let text = |name: &str| welcome[name].as_str().unwrap().to_owned();
        Self { child, lines, url: text("url"), key: text("key") }
    }

    /// The report with the exit code.
    async fn report(&mut self) -> (Value, i32) {
        let report = self.lines.next_line().await.unwrap().expect("a report");
        let code = self.child.wait().await.unwrap().code().unwrap();
        (serde_json::from_str(&report).unwrap(), code)
    }
}

/// The checks that came out like this.
fn checks<'a>(report: &'a Value, verdict: &str) -> Vec<&'a str> {
    let checks = report["checks"].as_array().unwrap().iter().filter(|check| check["verdict"] == verdict);
    checks.map(|check| check["check"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_example_keeps_every_promise() {
    let platform = together::start().await;
    let python = Python::with_client().await;
    let mut conformance = Conformance::start(&platform, &[]).await;
    let (url, key) = (conformance.url.clone(), conformance.key.clone());
    // The example plays one set and ends; it is started again, as a supervisor would, until its key is refused.
    let bot = tokio::spawn(async move {
        loop {
            let output = python.example(&url, &key).output().await.unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            if said.contains("unauthenticated") || said.contains("ConnectError") {
                return said;
            }
        }
    });
    let (report, code) = conformance.report().await;
    bot.abort();
    assert_eq!((checks(&report, "failed"), code), (Vec::new(), 0), "{report:#}");
    for seen in ["retries", "retry-after", "outage", "game-over", "stale-ply", "reconnect", "polling", "deadlines"] {
        assert!(checks(&report, "passed").contains(&seen), "{seen}: {report:#}");
    }
    for seen in ["unknown-fields", "to-the-end", "key", "revoked-key"] {
        assert!(checks(&report, "passed").contains(&seen), "{seen}: {report:#}");
    }
    platform.stop().await;
}

/// What a bot of this test does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vice {
    /// Nothing: the others differ from it in one thing.
    None,
    /// After a lost answer it thinks again.
    ChangesItsMind,
    /// It does not read `Retry-After`.
    CannotWait,
    /// It asks again and again, without waiting.
    Spins,
    /// It forgets where its stream was.
    Forgets,
}

/// A bot over server-sent events and HTTP.
struct Bot {
    http: reqwest::Client,
    url: String,
    key: String,
    vice: Vice,
    is_over: AtomicBool,
}

impl Bot {
    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.key)
    }

    /// Plays by events and by long polls at once, so that every script meets it.
    async fn play(&self) {
        futures::future::join(self.follow(), self.poll()).await;
    }

    /// Reads the stream of events, again after each break.
    async fn follow(&self) {
        let mut last = None::<String>;
        while !self.is_over.load(Ordering::Relaxed) {
            let mut request = self.request(Method::GET, "/v1/me/events");
            if let Some(last) = last.as_ref().filter(|_| self.vice != Vice::Forgets) {
                request = request.header("last-event-id", last);
            }
            let Ok(response) = request.send().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            if !response.status().is_success() {
                tokio::time::sleep(Duration::from_secs(pause_s(&response).max(1))).await;
                continue;
            }
            let (mut bytes, mut text) = (response.bytes_stream(), String::new());
            while let Some(Ok(part)) = bytes.next().await {
                text.push_str(&String::from_utf8_lossy(&part));
                while let Some(end) = text.find("\n\n") {
                    let block: String = text.drain(..end + 2).collect();
                    let id = block.lines().find_map(|line| line.strip_prefix("id:"));
                    last = id.map(|id| id.trim().to_owned()).or(last);
                }
            }
        }
    }

    async fn poll(&self) {
        let mut cursor = String::new();
        while !self.is_over.load(Ordering::Relaxed) {
            let path = match self.vice {
                Vice::Spins => "/v1/me/turns".to_owned(),
                _ => format!("/v1/me/turns?wait=2&after={cursor}"),
            };
            let Some(answer) = self.ask(|_| self.request(Method::GET, &path)).await else { continue };
            cursor = answer["cursor"].as_str().unwrap_or_default().to_owned();
            for turn in answer["turns"].as_array().into_iter().flatten() {
                self.answer(turn).await;
            }
        }
    }

    async fn answer(&self, turn: &Value) {
        let path = format!("/v1/sets/{}/moves", turn["set_id"].as_str().unwrap());
        let moves = turn["state"]["legal_moves"].as_array().unwrap();
        let first = chooser::choose(&turn["state"], turn["seat"].as_u64().unwrap(), 1).unwrap();
        let second = moves.iter().find(|other| *other != first).unwrap_or(first);
        self.ask(|was_lost| {
            let choice = if self.vice == Vice::ChangesItsMind && was_lost { second } else { first };
            let body = json!({ "game": turn["game"], "ply": turn["ply"], "move": choice });
            self.request(Method::POST, &path).json(&body)
        })
        .await;
    }

    /// Asks until there is an answer that is not to be asked for again. The request is told whether its answer was lost.
    async fn ask(&self, request: impl Fn(bool) -> reqwest::RequestBuilder) -> Option<Value> {
        let mut was_lost = false;
        loop {
            let Ok(response) = request(was_lost).send().await else {
                was_lost = true;
                tokio::time::sleep(Duration::from_millis(50)).await;
                if self.is_over.load(Ordering::Relaxed) {
                    return None;
                }
                continue;
            };
            let (status, pause_s) = (response.status(), pause_s(&response));
            if status == 429 || status == 503 {
                let pause_s = if self.vice == Vice::CannotWait && status == 429 { 0 } else { pause_s };
                tokio::time::sleep(Duration::from_secs(pause_s)).await;
                continue;
            }
            let Ok(text) = response.text().await else { continue };
            return serde_json::from_str(&text).ok();
        }
    }
}

/// Seconds that an answer tells to wait.
fn pause_s(response: &reqwest::Response) -> u64 {
    let value = response.headers().get("retry-after");
    value.and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or(0)
}

/// Lets a bot play a few scripts; the report, and the exit code.
async fn judged(vice: Vice) -> (Value, i32) {
    let platform = together::start().await;
    let scripts = ["--script", "lost-answers", "cut-polls", "cut-streams", "limits", "outage", "idle"];
    let mut conformance = Conformance::start(&platform, &scripts).await;
    let (url, key) = (conformance.url.clone(), conformance.key.clone());
    let bot =
        std::sync::Arc::new(Bot { http: reqwest::Client::new(), url, key, vice, is_over: AtomicBool::new(false) });
    let playing = tokio::spawn({
        let bot = std::sync::Arc::clone(&bot);
        async move { bot.play().await }
    });
    let (report, code) = tokio::time::timeout(3 * wait::LIMIT, conformance.report()).await.unwrap();
    bot.is_over.store(true, Ordering::Relaxed);
    playing.abort();
    platform.stop().await;
    (report, code)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_does_right_passes() {
    let (report, code) = judged(Vice::None).await;
    assert_eq!((checks(&report, "failed"), code), (Vec::new(), 0), "{report:#}");
    for check in ["retries", "retry-after", "outage", "reconnect", "resume", "polling", "deadlines", "to-the-end"] {
        assert!(checks(&report, "passed").contains(&check), "{check}: {report:#}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_move_after_a_lost_answer_fails_its_check_alone() {
    let (report, code) = judged(Vice::ChangesItsMind).await;
    assert_eq!((checks(&report, "failed"), code), (vec!["retries"], 1), "{report:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn not_waiting_as_long_as_told_fails_its_check_alone() {
    let (report, code) = judged(Vice::CannotWait).await;
    assert_eq!((checks(&report, "failed"), code), (vec!["retry-after"], 1), "{report:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn asking_in_a_tight_loop_fails_its_check_alone() {
    let (report, code) = judged(Vice::Spins).await;
    assert_eq!((checks(&report, "failed"), code), (vec!["polling"], 1), "{report:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn forgetting_where_a_stream_was_fails_its_check_alone() {
    let (report, code) = judged(Vice::Forgets).await;
    assert_eq!((checks(&report, "failed"), code), (vec!["resume"], 1), "{report:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_of_rounds_places_once_whatever_is_lost() {
    let platform = together::start().await;
    let python = Python::with_client().await;
    let scripts = ["--games", "maker-breaker", "--script", "rounds", "unknown-fields", "idle", "redirect"];
    let mut conformance = Conformance::start(&platform, &scripts).await;
    let bot = "import os, random\nfrom farside import Client\nbot = Client(os.environ['FARSIDE_URL'], os.environ['FARSIDE_KEY'])\nbot.play(lambda turn: random.choice(turn['state']['legal_moves']))\n";
    let playing = python.run(bot, &conformance.url, &conformance.key).spawn().unwrap();
    let (report, code) = conformance.report().await;
    drop(playing);
    assert_eq!((checks(&report, "failed"), code), (Vec::new(), 0), "{report:#}");
    assert!(checks(&report, "passed").contains(&"rounds"), "{report:#}");
    platform.stop().await;
}

/// The move with which a participant answers a frame, if it is to act in what the frame shows.
fn move_for(frame: &Value, bot_id: &str) -> Option<Value> {
    let states = match frame["event"].as_str()? {
        "snapshot" => {
            let games = |set: &Value| set["games"].as_array().cloned().unwrap_or_default();
            let set_ids =
                |set: &Value| games(set).into_iter().map(|game| (set["id"].clone(), game)).collect::<Vec<_>>();
            frame["data"]["sets"].as_array()?.iter().flat_map(set_ids).collect()
        }
        _ => vec![(frame["data"]["set_id"].clone(), frame["data"]["state"].clone())],
    };
    states.into_iter().find_map(|(set_id, state)| {
        let seat = [1, 2].into_iter().find(|seat: &u64| state["seats"][seat.to_string()] == json!(bot_id))?;
        let acts = state["status"] == "active" && state["to_move"].as_array()?.contains(&json!(seat));
        let choice = acts.then(|| chooser::choose(&state, seat, 1))??;
        let (game, ply) = (&state["number"], &state["ply"]);
        Some(json!({ "type": "move", "id": ply, "set_id": set_id, "game": game, "ply": ply, "move": choice }))
    })
}

/// Plays over the WebSocket alone, again after each break.
async fn play_by_socket(url: &str, key: &str) {
    let me = farside::client::Client::new(url).unwrap().with_key(key).get("/v1/me").await.unwrap();
    let bot_id = me["bot"]["id"].as_str().unwrap();
    let mut last = None::<String>;
    loop {
        let after = last.as_ref().map(|last| format!("?after={last}")).unwrap_or_default();
        let target = format!("{}/v1/me/socket{after}", url.replace("http", "ws"));
        let mut request = target.into_client_request().unwrap();
        request.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
        let Ok((mut socket, _)) = tokio_tungstenite::connect_async(request).await else { return };
        while let Some(Ok(message)) = socket.next().await {
            let Message::Text(text) = message else { continue };
            let frame: Value = serde_json::from_str(&text).unwrap();
            last = frame.get("event").and(frame["id"].as_str()).map(str::to_owned).or(last);
            if let Some(body) = move_for(&frame, bot_id) {
                socket.send(Message::text(body.to_string())).await.unwrap();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_on_the_socket_meets_the_faults_that_frames_can_have() {
    let platform = together::start().await;
    let scripts = ["--script", "lost-answers", "cut-streams", "slow-network", "game-over", "unknown-fields"];
    let mut conformance = Conformance::start(&platform, &scripts).await;
    let (url, key) = (conformance.url.clone(), conformance.key.clone());
    let playing = tokio::spawn(async move { play_by_socket(&url, &key).await });
    let (report, code) = conformance.report().await;
    playing.abort();
    assert_eq!((checks(&report, "failed"), code), (Vec::new(), 0), "{report:#}");
    for check in ["reconnect", "resume", "game-over", "unknown-fields", "to-the-end"] {
        assert!(checks(&report, "passed").contains(&check), "{check}: {report:#}");
    }
    platform.stop().await;
}

#[test]
fn every_script_and_check_is_documented_and_every_advice_is_in_the_guide() {
    let (page, guide) =
        (include_str!("../../../docs/conformance.md"), include_str!("../../../gateway/texts/agents.md"));
    let checks = include_str!("../../../farside/src/commands/conformance/checks/mod.rs");
    let named: Vec<&str> = checks.split("check(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(named.len() >= 13, "{named:?}");
    for check in named {
        assert!(page.contains(&format!("| `{check}` |")), "{check} is not in docs/conformance.md");
    }
    for advice in ["Errors, and what to do on each", "After a crash", "Instead of the long poll", "Manners"] {
        assert!(guide.contains(&format!("## {advice}\n")), "{advice}");
    }
    for advice in ["Clocks and deadlines", "What may be added", "5. The loop", "1. Sign up, once"] {
        assert!(guide.contains(&format!("## {advice}\n")), "{advice}");
    }
}

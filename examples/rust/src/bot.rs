//! A bot in Rust, with an HTTP client and JSON alone: plays one set of Breakthrough against the house.
//!
//! It uses none of farside's crates, as a bot that lives elsewhere would.

#![allow(clippy::print_stdout, reason = "an example says how it ended")]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

/// Refusals that say that a move came too late, whatever it was.
const TOO_LATE: [&str; 3] = ["game_over", "stale_ply", "not_your_turn"];
/// Attempts before a fault is given up on; with doubling pauses about a minute.
const ATTEMPTS: u32 = 15;

struct Bot {
    http: Client,
    url: String,
    key: String,
}

#[tokio::main]
async fn main() -> Result<()> {
    let url = std::env::var("FARSIDE_URL").unwrap_or_else(|_| "http://127.0.0.1:8080".to_owned());
    let key = match std::env::var("FARSIDE_KEY") {
        Ok(key) => key,
        Err(_) => new_key(&url).await?,
    };
    let bot = Bot { http: Client::new(), url, key };
    let wish = json!({ "game": "breakthrough", "opponent": "house:easy" });
    let made = bot.call(Method::POST, "/v1/challenges", Some(&wish)).await?;
    let set = bot.play(made["set"]["id"].as_str().context("a house bot accepts at once")?).await?;
    let text = |field: &str| set[field].as_str().unwrap_or_default().to_owned();
    println!("{} {} {}", text("status"), text("id"), set["points"]);
    Ok(())
}

impl Bot {
    /// Plays every turn until the set has ended.
    async fn play(&self, set_id: &str) -> Result<Value> {
        loop {
            let answer = self.call(Method::GET, "/v1/me/turns?wait=5", None).await?;
            for turn in answer["turns"].as_array().context("a list of turns")? {
                self.answer(turn).await?;
            }
            let set = self.call(Method::GET, &format!("/v1/sets/{set_id}"), None).await?;
            if set["status"] != "active" {
                return Ok(set);
            }
        }
    }

    async fn answer(&self, turn: &Value) -> Result<()> {
        let path = format!("/v1/sets/{}/moves", turn["set_id"].as_str().context("a set's id")?);
        let choice = choose(turn).context("a legal move")?;
        let body = json!({ "game": turn["game"], "ply": turn["ply"], "move": choice });
        match self.call(Method::POST, &path, Some(&body)).await {
            Err(fault) if TOO_LATE.iter().any(|code| fault.to_string() == *code) => Ok(()),
            other => other.map(drop),
        }
    }

    /// One call, repeated as it is after a broken connection, a limit or a fault of the platform. A move is known by its
    /// ply and everything else that changes something by its key, so that no repetition does anything twice.
    async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value> {
        let idempotency_key = unique();
        let mut pause = Duration::from_millis(100);
        for _ in 1..ATTEMPTS {
            let request = self.http.request(method.clone(), format!("{}{path}", self.url)).bearer_auth(&self.key);
            let request = request.header("idempotency-key", &idempotency_key);
            let told = match send(request, body).await {
                Ok(answer) if (200..300).contains(&answer.status) => return Ok(answer.body),
                Ok(answer) if answer.status != 429 && answer.status < 500 => bail!(code(&answer.body)),
                Ok(answer) => answer.retry_after,
                Err(_) => None,
            };
            tokio::time::sleep(told.unwrap_or(pause)).await;
            pause = (pause * 2).min(Duration::from_secs(5));
        }
        bail!("the platform does not answer")
    }
}

/// Signs a player up and makes it a bot; neither is repeated.
async fn new_key(url: &str) -> Result<String> {
    let (http, name) = (Client::new(), unique());
    let player = json!({ "name": format!("owner-{name}") });
    let player = send(http.post(format!("{url}/v1/players")), Some(&player)).await?.body;
    let owner = player["key"].as_str().with_context(|| code(&player))?;
    let request = http.post(format!("{url}/v1/bots")).bearer_auth(owner);
    let bot = send(request, Some(&json!({ "name": format!("bot-{name}") }))).await?.body;
    Ok(bot["key"].as_str().with_context(|| code(&bot))?.to_owned())
}

struct Answer {
    status: u16,
    /// How long the platform asks to wait.
    retry_after: Option<Duration>,
    body: Value,
}

async fn send(request: RequestBuilder, body: Option<&Value>) -> reqwest::Result<Answer> {
    let request = match body {
        Some(body) => request.json(body),
        None => request,
    };
    let response = request.send().await?;
    let status = response.status().as_u16();
    let seconds = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
    Ok(Answer { status, retry_after: seconds.map(Duration::from_secs), body: response.json().await? })
}

fn code(problem: &Value) -> String {
    problem["code"].as_str().unwrap_or("unknown").to_owned()
}

/// Takes what it can, else runs for the far row.
fn choose(turn: &Value) -> Option<&Value> {
    let cells = &turn["state"]["body"]["cells"];
    let merit = |choice: &&Value| {
        let (row, column) = (choice["to"][0].as_i64()?, choice["to"][1].as_i64()?);
        let cell = cells.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?)?;
        Some((cell.as_i64()? != 0, if turn["seat"] == 1 { row } else { -row }))
    };
    turn["state"]["legal_moves"].as_array()?.iter().max_by_key(merit)
}

#[expect(clippy::disallowed_methods, reason = "an example stands alone, without the kit")]
fn unique() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{}", now.as_nanos(), std::process::id())
}

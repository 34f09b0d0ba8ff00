//! `farside conformance`: a proxy between a bot and a platform, scripted practice games, and a report of what the bot did.
//!
//! The bot is pointed at the proxy and plays as ever. Answers are lost, streams cut, requests refused, all on purpose
//! and the same for the same seed. `ask`, `log`, `script`, `director`, `checks` and `report` are pure; `proxy`, `socket`
//! and `stage` carry out. Not here: any judgement of how well a bot plays.

mod ask;
mod checks;
mod director;
mod log;
mod proxy;
mod report;
mod script;
mod shared;
mod socket;
mod stage;
mod strange;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use clap::{Args, ValueEnum as _};
use farside_kit::ids::{IdSource as _, SystemIds, new_ulid, random_bytes};
use farside_kit::time::UnixMs;
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub use script::Name;

use crate::client::{Client, text};
use crate::output::say;
use script::Script;
use shared::Shared;
use stage::{Game, Tester};

/// Tests a bot: it plays scripted practice games through a proxy that loses, cuts, delays and refuses.
#[derive(Clone, Debug, Args)]
pub struct ConformanceArgs {
    /// Where the bot is to connect instead of to the platform
    #[arg(long, default_value = "127.0.0.1:8090")]
    listen: SocketAddr,
    /// The platform
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    url: String,
    /// Which scripted games; all when left out
    #[arg(long = "script", value_enum, num_args = 1.., value_delimiter = ',')]
    scripts: Vec<Name>,
    /// What the bot plays: the first game with turns and the first of rounds are used
    #[arg(long, value_delimiter = ',', default_value = "breakthrough")]
    games: Vec<String>,
    /// Options of the game with turns, as JSON; its defaults when left out
    #[arg(long)]
    options: Option<String>,
    /// The key of a bot of one's own; a player with a bot is signed up for the test when left out
    #[arg(long)]
    key: Option<String>,
    /// Which faults come when; chosen and shown when left out
    #[arg(long)]
    seed: Option<u64>,
    /// Seconds for which a bot may ask nothing before a game counts as abandoned
    #[arg(long, default_value_t = 20)]
    patience_s: u64,
    /// Seconds to wait for the bot's first request
    #[arg(long, default_value_t = 300)]
    wait_s: u64,
    /// Say it as JSON: a line with the bot's address and key, and a line with the report
    #[arg(long)]
    json: bool,
}

/// Runs the scripted games and says what was seen.
///
/// # Errors
/// When the platform or the bot does not come, and when a check failed.
pub async fn run(args: ConformanceArgs) -> Result<()> {
    let seed = args.seed.unwrap_or_else(|| u64::from_le_bytes(random_bytes(&SystemIds)));
    let (tester, bot, key) = enrol(&args).await?;
    let listener = TcpListener::bind(args.listen).await.with_context(|| format!("listening at {}", args.listen))?;
    let url = format!("http://{}", listener.local_addr()?);
    let shared = open(listener, bot, &key).await?;
    welcome(&args, &url, &key, seed);
    wait_for_the_bot(&shared, Duration::from_secs(args.wait_s)).await?;
    for name in wanted(&args, &tester) {
        if !args.json {
            say(format_args!("playing   {name}"));
        }
        tester.play(&shared, Script::new(name, seed)).await.with_context(|| format!("the scripted game {name}"))?;
    }
    conclude(&args, &shared, seed)
}

/// Who is tested: the bot of the given key, or a new one.
async fn enrol(args: &ConformanceArgs) -> Result<(Tester, Client, String)> {
    let anyone = Client::new(&args.url)?;
    let games = games(&anyone, &args.games).await?;
    let options = args.options.as_deref().map(serde_json::from_str).transpose().context("--options is not JSON")?;
    let (bot_id, owner, bot, key) = match &args.key {
        Some(key) => own(&anyone, key).await?,
        None => fresh(&anyone).await?,
    };
    let patience = Duration::from_secs(args.patience_s);
    Ok((Tester { bot_id, owner, games, options, patience }, bot, key))
}

type Enrolled = (String, Option<(Client, String)>, Client, String);

async fn own(anyone: &Client, key: &str) -> Result<Enrolled> {
    let bot = anyone.with_key(key);
    let me = bot.get("/v1/me").await.context("asking whose key this is")?;
    let id = text(&me["bot"]["id"], "bot.id").context("--key is to be the key of a bot")?;
    Ok((id, None, bot, key.to_owned()))
}

async fn fresh(anyone: &Client) -> Result<Enrolled> {
    let tag: String = new_ulid(UnixMs::default(), SystemIds.random_u128()).chars().rev().take(10).collect();
    let (_, owner) = anyone.sign_up(&format!("conformance_{tag}")).await.context("signing up")?;
    let body = json!({ "name": format!("tested_{tag}"), "description": "Plays scripted games of farside conformance" });
    let made = owner.post("/v1/bots", body).await.context("making a bot")?;
    let field = |value: &Value, place| text(value, place);
    let (id, key) = (field(&made["bot"]["id"], "bot.id")?, field(&made["key"], "key")?);
    let key_id = field(&made["key_id"], "key_id")?;
    Ok((id, Some((owner, key_id)), anyone.with_key(&key), key))
}

async fn games(anyone: &Client, ids: &[String]) -> Result<Vec<Game>> {
    let mut games = Vec::new();
    for id in ids {
        let contract = anyone.get(&format!("/v1/games/{id}")).await.with_context(|| format!("the game {id}"))?;
        let level = text(&contract["house_levels"][0], "house_levels")?;
        let is_simultaneous = contract["clock"]["kind"] == "per_round";
        games.push(Game { id: id.clone(), is_simultaneous, level });
    }
    ensure!(!games.is_empty(), "name a game with --games");
    Ok(games)
}

/// Opens the proxy, and the place where no key belongs.
async fn open(listener: TcpListener, bot: Client, key: &str) -> Result<Arc<Shared>> {
    let trap = TcpListener::bind("127.0.0.1:0").await.context("listening at a second address")?;
    let elsewhere = format!("http://{}", trap.local_addr()?);
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    let shared = Arc::new(Shared::new(bot, http, elsewhere));
    shared.director().knows(key);
    tokio::spawn(proxy::serve(listener, Arc::clone(&shared)));
    tokio::spawn(proxy::serve_elsewhere(trap, Arc::clone(&shared)));
    Ok(shared)
}

fn welcome(args: &ConformanceArgs, url: &str, key: &str, seed: u64) {
    if args.json {
        say(format_args!("{}", json!({ "url": url, "key": key, "seed": seed })));
        return;
    }
    say(format_args!("platform  {}, seed {seed}", args.url));
    say(format_args!("start the bot with\n  FARSIDE_URL={url}\n  FARSIDE_KEY={key}"));
}

async fn wait_for_the_bot(shared: &Shared, patience: Duration) -> Result<()> {
    let came = async {
        loop {
            let next = shared.asked.notified();
            if shared.director().log().last_asked_ms().is_some() {
                return;
            }
            next.await;
        }
    };
    if tokio::time::timeout(patience, came).await.is_err() {
        bail!("no bot has connected within {} s", patience.as_secs());
    }
    Ok(())
}

/// The scripts that were asked for, as far as the games named allow them.
fn wanted(args: &ConformanceArgs, tester: &Tester) -> Vec<Name> {
    let all = Name::value_variants().iter().copied();
    all.filter(|name| (args.scripts.is_empty() || args.scripts.contains(name)) && tester.can_play(*name)).collect()
}

fn conclude(args: &ConformanceArgs, shared: &Shared, seed: u64) -> Result<()> {
    let checks = checks::all(shared.director().log());
    if args.json {
        say(format_args!("{}", report::json(&checks, seed)));
    } else {
        report::lines(&checks).iter().for_each(|line| say(format_args!("{line}")));
    }
    if !report::is_good(&checks) {
        bail!("the bot broke a promise: {}", report::summary(&checks));
    }
    Ok(())
}

//! `farside demo`: two fresh bots play one staked set through the public API and everything is added up afterwards.
//!
//! The bots know nothing but the JSON API: they wait for their turns by long poll and answer with a legal move.

use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use farside_kit::{
    ids::{IdSource as _, SystemIds, new_ulid, random_bytes},
    time::UnixMs,
};
use serde_json::{Value, json};

use crate::{
    chooser,
    client::{Client, text},
    output::say,
};

/// What each side stakes, in points.
const STAKE_POINTS: i64 = 25;

/// How often a figure that follows the end of a set is looked at again, and how many times.
const SETTLING: (Duration, u32) = (Duration::from_millis(100), 100);

/// Plays one staked set between two fresh bots.
#[derive(Debug, Clone, Args)]
pub struct DemoArgs {
    /// Address of a running platform; without it one is started on a free port and a temporary folder.
    #[arg(long, env = "FARSIDE_URL")]
    url: Option<String>,
}

/// Runs the demo.
///
/// # Errors
/// When the platform cannot be reached, refuses something, or the figures do not add up.
pub async fn run(args: DemoArgs) -> Result<()> {
    match args.url {
        Some(url) => play(&url).await,
        None => {
            let platform = crate::platform::Temporary::start().await?;
            let played = play(platform.url()).await;
            platform.stop().await;
            played
        }
    }
}

/// One bot of the demo with what it had before the set.
struct Side {
    name: String,
    id: String,
    client: Client,
    balance: i64,
}

async fn play(url: &str) -> Result<()> {
    say(format_args!("platform      {url}"));
    let anyone = Client::new(url)?;
    let creator = join(&anyone).await?;
    let acceptor = join(&anyone).await?;
    let set_id = agree(&creator, &acceptor).await?;
    say(format_args!("watch         {url}/v1/sets/{set_id}/events"));
    tokio::try_join!(play_side(&creator, &set_id), play_side(&acceptor, &set_id))?;
    let set = settled(&anyone, &set_id).await?;
    report(&anyone, &set, &creator, &acceptor).await
}

/// Signs a player up with one bot.
async fn join(anyone: &Client) -> Result<Side> {
    let tag = tag();
    let (_, player) = anyone.sign_up(&format!("demo_{tag}")).await.context("signing up")?;
    let name = format!("demo_bot_{tag}");
    let (id, client) = player.make_bot(&name).await.context("making a bot")?;
    let balance = available(&client).await?;
    say(format_args!("signed up     {name} with {balance} PTS"));
    Ok(Side { name, id, client, balance })
}

/// A few characters that no other demo has.
fn tag() -> String {
    new_ulid(UnixMs::default(), SystemIds.random_u128()).chars().rev().take(10).collect()
}

async fn available(client: &Client) -> Result<i64> {
    let balance = client.get("/v1/me/balance").await.context("reading a balance")?;
    let points = &balance["PTS"];
    ensure!(points["held"] == 0, "points are still held: {balance}");
    points["available"].as_i64().context("the balance has no PTS.available")
}

/// Challenges and accepts; returns the set's id.
async fn agree(creator: &Side, acceptor: &Side) -> Result<String> {
    let wish = json!({ "game": "breakthrough", "stake": { "currency": "PTS", "amount": STAKE_POINTS } });
    let made = creator.client.post("/v1/challenges", wish).await.context("making a challenge")?;
    let challenge = text(&made["challenge"]["id"], "challenge.id")?;
    say(format_args!("challenge     {challenge}: {} stakes {STAKE_POINTS} PTS", creator.name));
    let path = format!("/v1/challenges/{challenge}/accept");
    let accepted = acceptor.client.post(&path, json!({})).await.context("accepting the challenge")?;
    let set = text(&accepted["set"]["id"], "set.id")?;
    say(format_args!("set           {set}: {} accepts", acceptor.name));
    Ok(set)
}

/// Plays every turn of one side until the set has ended.
async fn play_side(me: &Side, set_id: &str) -> Result<()> {
    let mut cursor = String::new();
    loop {
        let answer =
            me.client.get(&format!("/v1/me/turns?wait=5&after={cursor}")).await.context("waiting for a turn")?;
        cursor = text(&answer["cursor"], "cursor")?;
        let turns = answer["turns"].as_array().cloned().unwrap_or_default();
        for turn in turns.iter().filter(|turn| turn["set_id"] == set_id) {
            move_once(me, turn).await?;
        }
        if turns.is_empty() && ended(&me.client, set_id).await? {
            return Ok(());
        }
    }
}

async fn ended(client: &Client, set_id: &str) -> Result<bool> {
    Ok(client.get(&format!("/v1/sets/{set_id}")).await?["status"] != "active")
}

/// A number that differs from move to move, so that the two bots do not play alike.
fn salt() -> u64 {
    u64::from_le_bytes(random_bytes(&SystemIds))
}

async fn move_once(me: &Side, turn: &Value) -> Result<()> {
    let (game, ply) = (&turn["game"], turn["ply"].as_u64().unwrap_or(0));
    let seat = turn["seat"].as_u64().context("the turn has no seat")?;
    let choice = chooser::choose(&turn["state"], seat, salt()).context("no legal move is listed")?;
    let body = json!({ "game": game, "ply": ply, "move": choice });
    let set_id = text(&turn["set_id"], "set_id")?;
    let after = me.client.post(&format!("/v1/sets/{set_id}/moves"), body).await.context("playing a move")?;
    let notation = after["last_move"]["notation"].as_str().unwrap_or("?");
    let left = after["clocks"][seat.to_string()]["remaining_ms"].as_u64().unwrap_or(0);
    let end = after["result"]["reason"].as_str().map(|reason| format!("  wins: {reason}")).unwrap_or_default();
    say(format_args!("game {game} ply {ply:>3}  {:<20} {notation:<7} {left:>6} ms left{end}", me.name));
    Ok(())
}

/// Waits until the stakes of a finished set are where they belong and both ratings have moved.
async fn settled(anyone: &Client, set_id: &str) -> Result<Value> {
    for _ in 0..SETTLING.1 {
        let set = anyone.get(&format!("/v1/sets/{set_id}")).await?;
        let rated =
            rated_sets(anyone, &set["creator"]["id"]).await? + rated_sets(anyone, &set["acceptor"]["id"]).await?;
        if set["settlement"] != "pending" && rated == 2 {
            return Ok(set);
        }
        tokio::time::sleep(SETTLING.0).await;
    }
    bail!("the set is not settled and rated after {:?}", SETTLING.0 * SETTLING.1)
}

/// A participant's standing in breakthrough, or null.
async fn standing(anyone: &Client, participant: &Value) -> Result<Value> {
    let id = text(participant, "id")?;
    let profile = anyone.get(&format!("/v1/bots/{id}")).await?;
    let ratings = profile["ratings"].as_array().context("the bot has no ratings")?;
    Ok(ratings.iter().find(|rating| rating["game"] == "breakthrough").cloned().unwrap_or(Value::Null))
}

async fn rated_sets(anyone: &Client, participant: &Value) -> Result<u64> {
    Ok(standing(anyone, participant).await?["sets"].as_u64().unwrap_or(0))
}

/// Prints the outcome and checks every figure.
async fn report(anyone: &Client, set: &Value, creator: &Side, acceptor: &Side) -> Result<()> {
    ensure!(set["status"] == "finished", "the set ended as {}", set["status"]);
    let winner = match set["result"]["winner"].as_str() {
        Some("creator") => Some(creator),
        Some("acceptor") => Some(acceptor),
        _ => None,
    };
    let points = &set["points"];
    say(format_args!(
        "points        {} {} – {} {}",
        creator.name, points["creator"], points["acceptor"], acceptor.name
    ));
    let winner_name = winner.map_or("nobody", |side| side.name.as_str());
    let (by, settlement) = (set["result"]["by"].as_str().unwrap_or("?"), set["settlement"].as_str().unwrap_or("?"));
    say(format_args!("result        {winner_name} wins ({by}); stakes {settlement}"));
    for side in [creator, acceptor] {
        let change = check_side(anyone, side, winner.map(|winner| winner.id == side.id)).await?;
        say(format_args!("balance       {:<20} {:+} PTS", side.name, change));
    }
    check_record(anyone, set).await?;
    check_audit(anyone).await
}

/// Checks one side's balance and rating; returns the change of its balance.
async fn check_side(anyone: &Client, side: &Side, won: Option<bool>) -> Result<i64> {
    let change = available(&side.client).await? - side.balance;
    let expected = match won {
        Some(true) => STAKE_POINTS,
        Some(false) => -STAKE_POINTS,
        None => 0,
    };
    ensure!(change == expected, "{} should have {expected:+} PTS and has {change:+}", side.name);
    let standing = standing(anyone, &json!(side.id)).await?;
    let rating = standing["rating"].as_f64().context("the standing has no rating")?;
    let moved = match won {
        Some(true) => rating > 1200.0,
        Some(false) => rating < 1200.0,
        None => (rating - 1200.0).abs() < 1.0,
    };
    ensure!(moved, "{}'s rating {rating} does not follow from the result", side.name);
    say(format_args!("rating        {:<20} {rating} ± {}", side.name, standing["deviation"]));
    Ok(change)
}

async fn check_record(anyone: &Client, set: &Value) -> Result<()> {
    let id = text(&set["id"], "id")?;
    let record = anyone.get(&format!("/v1/sets/{id}/record")).await.context("reading the record")?;
    let found = anyone.post("/v1/records/verify", record).await.context("verifying the record")?;
    ensure!(found["ok"] == true, "the record does not hold: {found}");
    say(format_args!("record        verified, {} checks", found["checks"].as_array().map_or(0, Vec::len)));
    Ok(())
}

async fn check_audit(anyone: &Client) -> Result<()> {
    let audit = anyone.get("/v1/ledger/audit").await.context("reading the audit")?;
    ensure!(audit["ok"] == true, "the ledger's audit found violations: {audit}");
    say(format_args!("audit         ok at {}: {}", audit["checked_at"].as_str().unwrap_or("?"), audit["totals"]));
    Ok(())
}

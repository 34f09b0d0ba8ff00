//! Operators at the command line, against the platform in one process and as five: every operation, every refusal, the
//! log, and that a repeated operation is done once.

use farside::client::{Client, text};
use farside_tests::{
    bots::{Bot, agree, name, play_out},
    operator::{Operator, Ran},
    program::{Program, free_address},
    wait,
};
use serde_json::{Value, json};

const WHY: [&str; 2] = ["--reason", "a test's reason"];

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [arguments, &WHY, more].concat()
}

/// The figures that a rebuild must leave as they are.
async fn ratings(bots: &[&Bot]) -> Vec<Value> {
    let mut ratings = Vec::new();
    for bot in bots {
        ratings.push(bot.standing("breakthrough").await);
    }
    ratings
}

async fn owner_of(bot: &Bot) -> String {
    text(&bot.client.get("/v1/me").await.unwrap()["player"]["id"], "player.id").unwrap()
}

async fn profile(bot: &Bot) -> Value {
    bot.client.get(&format!("/v1/bots/{}", bot.id)).await.unwrap()
}

fn staked() -> Value {
    json!({ "game": "breakthrough", "stake": { "currency": "PTS", "amount": 30 } })
}

/// The code that making a challenge is refused with; none when it is made, and taken back at once.
async fn challenge_refused(bot: &Bot, wish: Value) -> Option<String> {
    match bot.client.post("/v1/challenges", wish).await {
        Ok(made) => {
            let id = made["challenge"]["id"].as_str().unwrap();
            bot.client.post(&format!("/v1/challenges/{id}/cancel"), json!({})).await.unwrap();
            None
        }
        Err(error) => error.code().map(str::to_owned),
    }
}

async fn grants_reach_a_player_once(url: &str, operator: &Operator) {
    let bot = Bot::join(url).await;
    let (before, owner) = (bot.points().await.0, owner_of(&bot).await);
    let granted = operator.does(&with(&["grant", &owner, "250"], &[])).await;
    assert_eq!(bot.points().await.0, before + 250);
    let key = granted.line("request id").to_owned();
    operator.does(&with(&["grant", &owner, "250"], &["--request-id", &key])).await;
    assert_eq!(bot.points().await.0, before + 250, "the same key grants once");
    operator.is_refused("IDEMPOTENCY_MISMATCH", &with(&["grant", &owner, "251"], &["--request-id", &key])).await;
    operator.is_refused("ACCOUNT_NOT_FOUND", &with(&["grant", "player_nobody", "1"], &[])).await;
    operator.is_refused("CURRENCY_UNKNOWN", &with(&["grant", &owner, "1", "--currency", "XXX"], &[])).await;
    operator.is_refused("OPERATION_INVALID", &["grant", &owner, "1", "--reason", " "]).await;
    assert_eq!(bot.points().await.0, before + 250);
    let statement = bot.client.get("/v1/me/ledger").await.unwrap();
    assert_eq!(statement["entries"][0]["posted_change"], 250);
    let shown = operator.does(&["show", &owner]).await;
    assert!(shown.text.contains(&format!("{} PTS available", before + 250)), "{}", shown.text);
}

async fn an_orphaned_hold_is_released_once(url: &str, operator: &Operator) {
    let bot = Bot::join(url).await;
    let before = bot.points().await;
    let made = bot.client.post("/v1/challenges", staked()).await.unwrap();
    let challenge = made["challenge"]["id"].as_str().unwrap();
    assert_eq!(bot.points().await, (before.0 - 30, 30));
    let hold = format!("{challenge}:hold:creator");
    operator.is_refused("HOLD_NOT_FOUND", &with(&["release-hold", challenge], &[])).await;
    let released = operator.does(&with(&["release-hold", &hold], &[])).await;
    assert_eq!(bot.points().await, before);
    operator.does(&with(&["release-hold", &hold], &["--request-id", released.line("request id")])).await;
    bot.client.post(&format!("/v1/challenges/{challenge}/cancel"), json!({})).await.unwrap();
    let kinds: Vec<Value> = bot.client.get("/v1/me/ledger").await.unwrap()["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["kind"].clone())
        .take(2)
        .collect();
    assert_eq!(kinds, ["release", "hold"], "the stake went back once");
    assert_eq!(bot.points().await, before);
}

async fn an_aborted_set_gives_stakes_back(url: &str, operator: &Operator) {
    let (creator, acceptor) = (Bot::join(url).await, Bot::join(url).await);
    let before = creator.points().await;
    let set = agree(&creator, &acceptor, staked()).await;
    let id = set["id"].as_str().unwrap();
    let aborted = operator.does(&with(&["abort-set", id], &[])).await;
    let set = wait::until("the stakes to go back", async || {
        let set = creator.client.get(&format!("/v1/sets/{id}")).await.unwrap();
        (set["settlement"] == "refunded").then_some(set)
    })
    .await;
    assert_eq!((&set["status"], &set["result"]), (&json!("aborted"), &Value::Null));
    assert_eq!((creator.points().await, acceptor.points().await), (before, before));
    operator.does(&with(&["abort-set", id], &["--request-id", aborted.line("request id")])).await;
    operator.is_refused("SET_NOT_ACTIVE", &with(&["abort-set", id], &[])).await;
    operator.is_refused("SET_NOT_FOUND", &with(&["abort-set", "set_none"], &[])).await;
    assert_eq!(operator.does(&["show", id]).await.line("status"), "SET_STATUS_ABORTED");
}

async fn the_suspended_begin_nothing_and_finish_what_runs(url: &str, operator: &Operator) {
    let (bot, opponent) = (Bot::join(url).await, Bot::join(url).await);
    let (sibling_id, sibling) = bot.owner.make_bot(&name()).await.unwrap();
    let sibling = Bot { id: sibling_id, client: sibling, owner: bot.owner.clone() };
    let practice = json!({ "game": "breakthrough", "opponent": "house:easy" });
    let open = json!({ "game": "breakthrough" });
    let running = agree(&bot, &opponent, staked()).await;
    let waiting = bot.client.post("/v1/challenges", open.clone()).await.unwrap();
    let waiting = format!("/v1/challenges/{}/accept", waiting["challenge"]["id"].as_str().unwrap());
    assert_eq!(profile(&bot).await["suspended_since"], Value::Null);

    operator.does(&with(&["suspend", &bot.id], &[])).await;
    operator.does(&with(&["suspend", &bot.id], &[])).await;
    assert!(profile(&bot).await["suspended_since"].is_string(), "its profile says so");
    assert_eq!(profile(&sibling).await["suspended_since"], Value::Null, "its sibling is free");
    for wish in [open.clone(), staked(), practice.clone()] {
        assert_eq!(challenge_refused(&bot, wish).await.as_deref(), Some("suspended"));
    }
    let offered = opponent.client.post("/v1/challenges", open.clone()).await.unwrap();
    let offered = format!("/v1/challenges/{}/accept", offered["challenge"]["id"].as_str().unwrap());
    let refused = bot.client.post(&offered, json!({})).await.unwrap_err();
    assert_eq!(refused.code(), Some("suspended"), "it accepts nothing");
    let refused = opponent.client.post(&waiting, json!({})).await.unwrap_err();
    assert_eq!(refused.code(), Some("challenge_closed"), "nobody accepts what it had open");
    assert_eq!(challenge_refused(&sibling, open.clone()).await, None);
    let finished = play_out(&bot, &opponent, running["id"].as_str().unwrap()).await;
    assert_eq!(finished["status"], "finished", "the set that ran is played on");

    operator.does(&with(&["unsuspend", &bot.id], &[])).await;
    operator.is_refused("NOT_SUSPENDED", &with(&["unsuspend", &bot.id], &[])).await;
    assert_eq!(challenge_refused(&bot, open.clone()).await, None);
    let owner = owner_of(&bot).await;
    operator.does(&with(&["suspend", &owner], &[])).await;
    for suspended in [&bot, &sibling] {
        assert!(profile(suspended).await["suspended_since"].is_string());
        assert_eq!(challenge_refused(suspended, open.clone()).await.as_deref(), Some("suspended"));
    }
    let player = Client::new(url).unwrap().get(&format!("/v1/players/{owner}")).await.unwrap();
    assert!(player["suspended_since"].is_string());
    operator.does(&with(&["unsuspend", &owner], &[])).await;
    operator.is_refused("MALFORMED_REQUEST", &with(&["suspend", "house:easy"], &[])).await;
}

async fn a_rebuild_leaves_every_number_as_it_was(url: &str, operator: &Operator) {
    let (creator, acceptor) = (Bot::join(url).await, Bot::join(url).await);
    let set = agree(&creator, &acceptor, staked()).await;
    play_out(&creator, &acceptor, set["id"].as_str().unwrap()).await;
    let before = wait::until("both ratings", async || {
        let ratings = ratings(&[&creator, &acceptor]).await;
        ratings.iter().all(|standing| standing["sets"] == 1).then_some(ratings)
    })
    .await;
    let rebuilt = operator.does(&with(&["rebuild-ratings"], &[])).await;
    assert!(rebuilt.line("rebuilt").ends_with(" sets, 0 figures corrected"), "{}", rebuilt.text);
    assert_eq!(ratings(&[&creator, &acceptor]).await, before);
    let again = operator.does(&with(&["rebuild-ratings"], &["--request-id", rebuilt.line("request id")])).await;
    assert_eq!(again.line("rebuilt"), rebuilt.line("rebuilt"), "the same key gets the first answer");
}

/// What stands in the log after all of the above: who, what, how it ended, why.
fn assert_logged(log: &[Value]) {
    let lines = |operation: &str, outcome: &str| {
        log.iter()
            .filter(|line| line["operation"] == operation && line["outcome"] == outcome && line["step"] == "")
            .count()
    };
    for (operation, done) in
        [("grant", 1), ("release-hold", 1), ("abort-set", 1), ("suspend", 3), ("unsuspend", 2), ("rebuild-ratings", 1)]
    {
        assert_eq!(lines(operation, "done"), done, "{operation}: {log:#?}");
    }
    let refusals = |operation: &str| -> Vec<&str> {
        let refused = log.iter().filter(|line| line["operation"] == operation && line["outcome"] == "refused");
        refused.map(|line| line["detail"]["reason"].as_str().unwrap()).collect()
    };
    assert_eq!(
        refusals("grant"),
        ["OPERATION_INVALID", "CURRENCY_UNKNOWN", "ACCOUNT_NOT_FOUND", "IDEMPOTENCY_MISMATCH"],
        "newest first"
    );
    assert_eq!(refusals("release-hold"), ["HOLD_NOT_FOUND"]);
    assert_eq!(refusals("abort-set"), ["SET_NOT_FOUND", "SET_NOT_ACTIVE"]);
    assert_eq!(refusals("unsuspend"), ["NOT_SUSPENDED"]);
    assert_eq!(refusals("suspend"), ["MALFORMED_REQUEST"]);
    for line in log {
        assert_eq!(line["operator"], "ann");
        assert!(line["reason"] == WHY[1] || line["detail"]["reason"] == "OPERATION_INVALID", "{line}");
    }
    let grant = log.iter().find(|line| line["operation"] == "grant" && line["outcome"] == "done").unwrap();
    assert_eq!((&grant["service"], &grant["arguments"]["amount_points"]), (&json!("ledger-svc"), &json!(250)));
}

async fn an_operator_operates(url: &str, operator: &Operator) {
    grants_reach_a_player_once(url, operator).await;
    an_orphaned_hold_is_released_once(url, operator).await;
    an_aborted_set_gives_stakes_back(url, operator).await;
    the_suspended_begin_nothing_and_finish_what_runs(url, operator).await;
    a_rebuild_leaves_every_number_as_it_was(url, operator).await;
    let log = operator.log().await;
    assert_logged(&log);
    strangers_are_refused(operator).await;
    assert_eq!(operator.log().await, log, "who is not known leaves no line");
}

/// Every command without a key, and with one that nobody knows.
async fn strangers_are_refused(operator: &Operator) {
    let wrong = format!("fso_{}", "0".repeat(64));
    for (key, reason) in [(None, "SERVICE_TOKEN_MISSING"), (Some(wrong.as_str()), "SERVICE_TOKEN_UNKNOWN")] {
        let stranger = operator.with_key(key);
        everything_is_refused(&stranger, reason).await;
        stranger.is_refused(reason, &with(&["release-hold", "hold_x"], &[])).await;
    }
}

async fn everything_is_refused(stranger: &Operator, reason: &str) {
    for operation in [
        &["grant", "player_x", "1"][..],
        &["abort-set", "set_x"],
        &["suspend", "bot_x"],
        &["unsuspend", "bot_x"],
        &["rebuild-ratings"],
    ] {
        stranger.is_refused(reason, &with(operation, &[])).await;
    }
    stranger.is_refused(reason, &["audit-log"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_operates_the_platform_in_one_process() {
    let (mut operator, entry) = Operator::new("ann").await;
    let (data, address) = (tempfile::tempdir().unwrap(), free_address());
    let mut platform = Program::new("farside");
    let folder = data.path().to_str().unwrap();
    platform.set("FARSIDE_LISTEN", &address.to_string()).set("FARSIDE_EXHIBITION", "0");
    platform.set("FARSIDE_DATA", folder).set("FARSIDE_OPERATOR_KEYS", &entry);
    operator.set("FARSIDE_DATA", folder);
    let Ran { success, text } = operator.run(&["audit-log"]).await;
    assert!(!success && text.contains("no platform with operators runs"), "{text}");
    platform.start().await;
    an_operator_operates(&format!("http://{address}"), &operator).await;
    platform.kill();
    platform.start().await;
    assert!(!operator.log().await.is_empty(), "sockets that a crash left are replaced");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_operates_five_processes() {
    let (operator, platform) = Operator::of_five_processes("ann").await;
    an_operator_operates(platform.url(), &operator).await;
    everything_but_grants_is_refused_to_services(&operator).await;
}

/// Services have tokens of their own; none of them operates. The gateway grants, at sign-up, and match-svc releases
/// holds; neither is an operation.
async fn everything_but_grants_is_refused_to_services(operator: &Operator) {
    everything_is_refused(&operator.with_key(Some("match-secret")), "SERVICE_NOT_ALLOWED").await;
    let gateway = operator.with_key(Some("gateway-secret"));
    for operation in
        [&["release-hold", "hold_x"][..], &["abort-set", "set_x"], &["suspend", "bot_x"], &["rebuild-ratings"]]
    {
        gateway.is_refused("SERVICE_NOT_ALLOWED", &with(operation, &[])).await;
    }
}

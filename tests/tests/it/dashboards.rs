//! Every query of every shipped dashboard and alert, asked of a real Prometheus that scrapes the platform while it is
//! played on. A query that names what the code does not export, or that stays empty, fails.

use std::{collections::BTreeSet, fs, path::Path, process::Command, time::Duration};

use farside_tests::{
    bots::{Bot, agree, play_out},
    program::{Program, free_address},
    prometheus::{Prometheus, deploy, rule_files},
    wait,
};
use serde_json::{Value, json};

/// How metrics of ours, and those that every process has, begin.
const OURS: [&str; 5] = ["farside_", "farside:", "grpc_server_", "process_", "tokio_"];

/// Less than the patience of what waits, so that the queries can be named.
const PATIENCE: Duration = Duration::from_secs(50);

/// A query and where it stands.
#[derive(Clone, Debug)]
struct Query {
    place: String,
    text: String,
}

/// The queries of all dashboards, with the variables that Grafana fills in.
fn dashboard_queries() -> Vec<Query> {
    let folder = fs::read_dir(deploy().join("grafana/dashboards")).unwrap();
    let files =
        folder.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|ext| ext == "json"));
    files.flat_map(|path| queries_of(&path)).collect()
}

fn queries_of(path: &Path) -> Vec<Query> {
    let board: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let panels = board["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| {
        let targets = panel["targets"].as_array().cloned().unwrap_or_default();
        targets.into_iter().map(move |target| (panel["title"].as_str().unwrap(), target))
    });
    let queries = targets.map(|(title, target)| Query {
        place: format!("{}, {title}", board["title"].as_str().unwrap()),
        text: filled_in(target["expr"].as_str().unwrap()),
    });
    queries.collect()
}

fn filled_in(query: &str) -> String {
    query.replace("$__rate_interval", "1m").replace("$service", ".*").replace("$game", ".*")
}

/// An alert's query as one that has a value whether or not the alert fires: comparisons say 0 or 1 instead of choosing.
fn without_choice(query: &str) -> String {
    [" > ", " < ", " == ", " != "]
        .iter()
        .fold(query.to_owned(), |query, comparison| query.replace(comparison, &format!("{comparison}bool ")))
}

/// The metrics that a query names.
fn metrics(query: &str) -> BTreeSet<&str> {
    let words = query.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'));
    words.filter(|word| OURS.iter().any(|ours| word.starts_with(ours))).collect()
}

/// The platform in one process, with an exhibition in a hurry.
async fn busy_platform() -> (Program, String) {
    let mut program = Program::new("farside");
    let address = free_address();
    program.set("FARSIDE_LISTEN", &address.to_string()).set("FARSIDE_EXHIBITION_PACE_MS", "20");
    program.start().await;
    (program, format!("http://{address}"))
}

/// Something of everything that the dashboards show.
async fn play(url: &str) {
    let (creator, acceptor) = (Bot::join(url).await, Bot::join(url).await);
    let untouched = agree(&creator, &acceptor, json!({ "game": "maker-breaker", "clock": { "per_round_s": 5 } })).await;
    let practice = json!({ "game": "breakthrough", "opponent": "house:easy" });
    creator.client.post("/v1/challenges", practice).await.unwrap();
    refusals(&creator, &untouched).await;
    let wish = json!({ "game": "breakthrough", "stake": { "currency": "PTS", "amount": 10 } });
    let staked = agree(&creator, &acceptor, wish).await;
    let id = staked["id"].as_str().unwrap();
    // Ends by itself with the set.
    let stream = reqwest::get(format!("{url}/v1/sets/{id}/events")).await.unwrap();
    play_out(&creator, &acceptor, id).await;
    assert!(stream.text().await.unwrap().contains("set_finished"));
    creator.client.get("/v1/games/breakthrough/leaderboard").await.unwrap();
    let path = format!("/v1/sets/{}", untouched["id"].as_str().unwrap());
    wait::until("the flag of the set that nobody plays", async || {
        let set = creator.client.get(&path).await.unwrap();
        (set["status"] == "finished").then_some(())
    })
    .await;
}

/// A move that is refused, and analyses until the quota says no.
async fn refusals(bot: &Bot, set: &Value) {
    let path = format!("/v1/sets/{}/moves", set["id"].as_str().unwrap());
    let early = json!({ "game": 1, "ply": 9, "move": { "at": [0, 0], "piece": "X" } });
    assert_eq!(bot.client.post(&path, early).await.unwrap_err().code(), Some("stale_ply"));
    let question = json!({ "options": { "start": "standard" }, "moves": [], "nodes": 500 });
    wait::until("the quota of analyses to be used up", async || {
        let answer = bot.client.post("/v1/games/breakthrough/analysis", question.clone()).await;
        answer.is_err_and(|refusal| refusal.code() == Some("rate_limited")).then_some(())
    })
    .await;
}

/// Waits until every query has a value; names those that have none.
async fn assert_answered(prometheus: &Prometheus, queries: &[Query]) {
    let mut left = queries.to_vec();
    let answered = wait::until("every query to have a value", async || {
        left = unanswered(prometheus, &left).await;
        left.is_empty().then_some(())
    });
    let is_late = tokio::time::timeout(PATIENCE, answered).await.is_err();
    assert!(!is_late, "queries without any value: {left:#?}");
}

async fn unanswered(prometheus: &Prometheus, queries: &[Query]) -> Vec<Query> {
    let mut empty = Vec::new();
    for query in queries {
        match prometheus.query(&query.text).await {
            Ok(values) if values.is_empty() => empty.push(query.clone()),
            Ok(_) => {}
            Err(error) => panic!("{}: {}: {error}", query.place, query.text),
        }
    }
    empty
}

async fn assert_known(prometheus: &Prometheus, queries: &[Query]) {
    let known: BTreeSet<String> = prometheus.names().await.into_iter().collect();
    for query in queries {
        for metric in metrics(&query.text) {
            assert!(known.contains(metric), "{}: nothing exports {metric}", query.place);
        }
    }
}

/// The heading of Markdown as it stands in a link.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    kept.chars().filter(|c| c.is_ascii_alphanumeric() || " -".contains(*c)).collect::<String>().replace(' ', "-")
}

fn assert_has_a_runbook(alert: &Value) {
    let (page, section) = alert["annotations"]["runbook"].as_str().unwrap().split_once('#').unwrap();
    let text = fs::read_to_string(deploy().parent().unwrap().join(page)).unwrap();
    let headings =
        text.lines().filter_map(|line| line.strip_prefix('#')).map(|line| anchor(line.trim_matches([' ', '#'])));
    assert!(headings.into_iter().any(|heading| heading == section), "{page} has no section {section}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_query_of_every_dashboard_and_alert_is_answered() {
    let (program, url) = busy_platform().await;
    let prometheus = Prometheus::start(program.admin_url().trim_start_matches("http://")).await;
    // A counter's first value is no increase: Prometheus has seen the platform before it is played on.
    wait::until("a first scrape", async || (!prometheus.query("up == 1").await.ok()?.is_empty()).then_some(())).await;
    play(&url).await;

    let rules = prometheus.rules().await;
    let alerts = rules.iter().filter(|rule| rule["type"] == "alerting");
    alerts.clone().for_each(assert_has_a_runbook);
    let of_rules = rules.iter().map(|rule| Query {
        place: rule["name"].as_str().unwrap().to_owned(),
        text: without_choice(rule["query"].as_str().unwrap()),
    });
    let queries: Vec<Query> = dashboard_queries().into_iter().chain(of_rules).collect();
    assert!(alerts.count() > 10 && queries.len() > 100, "the shipped queries are found: {}", queries.len());
    assert_answered(&prometheus, &queries).await;
    assert_known(&prometheus, &queries).await;
    for rule in prometheus.rules().await {
        assert_eq!(rule["health"], "ok", "{}: {}", rule["name"], rule["lastError"]);
    }
}

#[test]
fn promtool_finds_nothing_wrong_with_the_rules() {
    let checked = Command::new("promtool").args(["check", "rules"]).args(rule_files()).output();
    let checked = checked.expect("promtool is installed: `cargo xtask test` sees to it");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

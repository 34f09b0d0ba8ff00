//! The exhibition: the platform's own bots play staked, rated sets against each other with nobody else there.

use std::collections::BTreeSet;

use farside::client::Client;
use farside_tests::{
    program::{Program, free_address},
    wait,
};
use serde_json::Value;

/// A finished set of the exhibition, once its stakes are where they belong.
async fn ended_set(api: &Client) -> Value {
    wait::until("a set of the exhibition to be settled", async || {
        let page = api.get("/v1/sets?status=finished&limit=100").await.ok()?;
        let mut sets = page["sets"].as_array()?.iter();
        sets.find(|set| set["settlement"] == "settled" || set["settlement"] == "split").cloned()
    })
    .await
}

fn texts<'a>(values: impl Iterator<Item = &'a Value>) -> BTreeSet<&'a str> {
    values.filter_map(Value::as_str).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn exhibition_bots_play_staked_sets_and_stand_on_the_leaderboard() {
    let mut program = Program::new("farside");
    let address = free_address().to_string();
    program.set("FARSIDE_LISTEN", &address).set("FARSIDE_EXHIBITION_PACE_MS", "1").start().await;
    let api = Client::new(&format!("http://{address}")).unwrap();
    let set = ended_set(&api).await;
    let sides = [&set["creator"], &set["acceptor"]];
    let owners = texts(sides.iter().map(|side| &side["owner"]["name"]));
    assert_eq!(owners, BTreeSet::from(["exhibition-blue", "exhibition-red"]), "{set}");
    assert!([10, 20, 30].contains(&set["stake"]["amount"].as_i64().unwrap()), "{set}");
    assert_eq!(set["rated"], true);
    let bots = texts(sides.iter().map(|side| &side["id"]));
    let path = format!("/v1/games/{}/leaderboard", set["game"].as_str().unwrap());
    wait::until("both bots to stand on the leaderboard", async || {
        let board = api.get(&path).await.ok()?;
        let listed = texts(board["rows"].as_array()?.iter().map(|row| &row["bot"]["id"]));
        bots.is_subset(&listed).then_some(())
    })
    .await;
    let audit = api.get("/v1/ledger/audit").await.unwrap();
    assert_eq!(audit["ok"], true, "{audit}");
}

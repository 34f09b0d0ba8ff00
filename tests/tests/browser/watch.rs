//! Sets that are played elsewhere: watched live, and looked through afterwards.

use farside_tests::{
    bots::{Bot, agree, play_out},
    browser::{Browser, Key, scenario, scenario_apart},
};
use serde_json::{Value, json};

/// A game that is over within seconds.
fn small() -> Value {
    json!({ "game": "breakthrough-small" })
}

async fn two_bots(url: &str) -> (Bot, Bot) {
    (Bot::join(url).await, Bot::join(url).await)
}

/// The position that the page shows.
async fn shown(browser: &Browser) -> (String, String) {
    let text = |id: &str| format!("return document.getElementById('{id}').textContent");
    let [ply, board] = [browser.run(&text("ply-text"), vec![]).await, browser.run(&text("board-text"), vec![]).await];
    (ply.as_str().unwrap().to_owned(), board.as_str().unwrap().to_owned())
}

async fn until_ply(browser: &Browser, ply: u64) {
    let expression = format!("document.getElementById('table').dataset.ply === '{ply}'");
    browser.until(&format!("ply {ply} on the board"), &expression).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_of_a_running_set_arrive_without_a_reload_also_after_the_platform_was_killed() {
    scenario_apart("watch", async |scene, site| {
        let (creator, acceptor) = two_bots(scene.url()).await;
        let set = agree(&creator, &acceptor, small()).await;
        let browser = scene.browser().await;
        browser.open(&format!("/sets/{}", set["id"].as_str().unwrap())).await;
        browser.run("window.sameDocument = true", vec![]).await;
        until_ply(&browser, 0).await;
        acceptor.play_turns().await.unwrap();
        until_ply(&browser, 1).await;

        for outage in ["ERR_", "status of 503"] {
            browser.forgive(outage).await;
        }
        site.kill();
        browser.until("the page to say that it waits", "!document.getElementById('connection').hidden").await;
        site.start_again().await;
        creator.play_turns().await.unwrap();
        until_ply(&browser, 2).await;
        browser.until("the page to be content", "document.getElementById('connection').hidden").await;
        acceptor.play_turns().await.unwrap();
        until_ply(&browser, 3).await;
        assert_eq!(browser.run("return window.sameDocument", vec![]).await, true, "it is still the same document");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_is_watched_to_its_end_replayed_shared_checked_and_downloaded() {
    scenario("replay", async |scene| {
        let (creator, acceptor) = two_bots(scene.url()).await;
        let set = agree(&creator, &acceptor, small()).await;
        let id = set["id"].as_str().unwrap();
        let browser = scene.browser().await;
        browser.open(&format!("/sets/{id}")).await;
        until_ply(&browser, 0).await;
        let ended = play_out(&creator, &acceptor, id).await;
        browser
            .until("the second game, over", "document.querySelector('#table[data-state=over][data-game=\"2\"]')")
            .await;
        browser.see_control("Check the record").await;
        browser.take_picture("replay-ended").await;

        let last = ended["games"][1]["ply"].as_u64().unwrap();
        browser.key(Key::Home).await;
        until_ply(&browser, 0).await;
        browser.key(Key::Right).await;
        until_ply(&browser, 1).await;
        browser.press("Next move").await;
        until_ply(&browser, 2).await;
        browser.press("Last position").await;
        until_ply(&browser, last).await;
        browser.see("#ply").await.send_keys(&char::from(Key::Left).to_string()).await.unwrap();
        until_ply(&browser, last - 1).await;
        browser.click("#moves a[data-ply='3']").await;
        until_ply(&browser, 3).await;

        let other = scene.browser().await;
        other.open(&browser.target("Link to this position").await).await;
        until_ply(&other, 3).await;
        assert_eq!(shown(&other).await, shown(&browser).await, "the link leads to the same position");

        browser.press("Check the record").await;
        browser.see("#verdict[data-ok]").await;
        browser.take_picture("replay-checked").await;
        let verdict = browser.text("#verdict").await;
        assert!(verdict.contains("Everything holds."), "{verdict}");
        let record = browser.target("Download the record").await;
        let record: Value = reqwest::get(format!("{}{record}", scene.url())).await.unwrap().json().await.unwrap();
        let found = creator.client.post("/v1/records/verify", record).await.unwrap();
        assert_eq!(found["ok"], true, "{found}");
    })
    .await;
}

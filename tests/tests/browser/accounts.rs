//! Signing up, keys, bots and challenges, as a person does them on the pages.

use std::sync::Arc;

use farside::client::Client;
use farside_tests::{
    bots::{Bot, name},
    browser::{Browser, Key, Scene, scenario},
};
use serde_json::{Value, json};

use crate::hand::{By, Hand};

/// Sends the form that goes to an address.
async fn send(browser: &Browser, address: &str) {
    browser.click(&format!("form[action='{address}'] [type=submit]")).await;
}

/// Signs up from the page that is open, and returns the player's key.
pub(crate) async fn sign_up(browser: &Browser, name: &str) -> String {
    browser.press("Sign up").await;
    browser.fill("Name", name).await;
    send(browser, "/sign-up").await;
    browser.see_text(&format!("Welcome, {name}")).await;
    browser.text("#key").await
}

/// Signs in with a player's key.
pub(crate) async fn sign_in(browser: &Browser, key: &str) {
    browser.open("/sign-in").await;
    browser.fill("Player key", key).await;
    send(browser, "/sign-in").await;
    browser.arrive("one's own page", |path| path == "/me").await;
}

/// What is in the clipboard: pasted where something can be typed.
async fn pasted(browser: &Browser) -> String {
    browser.open("/me/bots/new").await;
    browser.click("textarea").await;
    browser.chord(Key::Control, 'v').await;
    let pasted = browser.until("something to be pasted", "document.querySelector('textarea').value").await;
    pasted.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_up_and_makes_a_bot_whose_copied_key_plays() {
    scenario("sign-up", async |scene| {
        let browser = scene.browser().await;
        browser.open("/").await;
        let (person, bot) = (name(), name());
        sign_up(&browser, &person).await;
        browser.take_picture("sign-up-welcome").await;
        browser.press("Make a bot").await;
        browser.fill("Name", &bot).await;
        send(&browser, "/me/bots").await;
        let shown = browser.text("#key").await;
        browser.take_picture("sign-up-bot").await;
        browser.press("Copy the key").await;
        browser.see_control("Copied").await;
        let key = pasted(&browser).await;
        assert_eq!(key, shown);

        let client = Client::new(scene.url()).unwrap().with_key(&key);
        let wish = json!({ "game": "breakthrough-small", "opponent": "house:easy" });
        let made = client.post("/v1/challenges", wish).await.unwrap();
        assert_eq!(made["set"]["creator"]["name"], bot);
        browser.open("/me").await;
        browser.see_text(&bot).await;
        browser.press("Statement").await;
        browser.see_text("Granted").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_accepts_a_challenge_in_the_lobby_and_plays_the_first_move() {
    scenario("accept", async |scene| {
        let bot = Bot::join(scene.url()).await;
        let made = bot.client.post("/v1/challenges", json!({ "game": "breakthrough-small" })).await.unwrap();
        let creator = made["challenge"]["creator"]["name"].as_str().unwrap();
        let browser = scene.browser().await;
        browser.open("/").await;
        sign_up(&browser, &name()).await;
        browser.open("/").await;
        browser.press(&format!("Accept the challenge of {creator}")).await;
        browser.arrive("the set", |path| path.starts_with("/sets/set_")).await;
        browser.until("one's turn", "document.querySelector('#table[data-state=to-move]')").await;
        browser.click(".board-cell.can-move").await;
        browser.click(".board-cell.can-step").await;
        browser.until("the move", "document.querySelector('#table[data-ply=\"1\"][data-state=waiting]')").await;
        assert!(bot.play_turns().await.unwrap(), "it is the bot's turn");
        browser.until("the answer", "document.querySelector('#table[data-ply=\"2\"][data-state=to-move]')").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_makes_a_challenge_by_form_that_a_bot_accepts() {
    scenario("challenge", async |scene| {
        let bot = Bot::join(scene.url()).await;
        let browser = scene.browser().await;
        browser.open("/").await;
        let person = name();
        sign_up(&browser, &person).await;
        browser.open("/challenges/new?game=breakthrough-small").await;
        browser.take_picture("challenge-form").await;
        send(&browser, "/challenges").await;
        browser.arrive("the challenge", |path| path.starts_with("/challenges/chal_")).await;
        let open = bot.client.get("/v1/challenges?status=open&game=breakthrough-small").await.unwrap();
        let challenges = open["challenges"].as_array().unwrap();
        let mine = challenges.iter().find(|challenge| challenge["creator"]["name"] == person.as_str()).unwrap();
        assert_eq!(mine["clock"], json!({ "initial_s": 60, "increment_s": 2 }), "the default clock");
        let path = format!("/v1/challenges/{}/accept", mine["id"].as_str().unwrap());
        let accepted = bot.client.post(&path, json!({})).await.unwrap();
        let set = format!("/sets/{}", accepted["set"]["id"].as_str().unwrap());
        browser.arrive("the set, where the page of the challenge leads by itself", |path| path == set).await;
        browser.until("the board", "document.querySelector('#table[data-state=waiting]')").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_signs_up_keeps_the_games_and_goes_on_with_another_device() {
    scenario("devices", async |scene| {
        let browser = scene.browser().await;
        browser.open("/play").await;
        browser.press("Play").await;
        browser.arrive("the game", |path| path.starts_with("/play/set_")).await;
        let mut hand = Hand::new(&browser, scene.url(), By::Mouse);
        assert!(hand.turn().await);
        let game = browser.path().await;
        let key = sign_up(&browser, &name()).await;

        let other = scene.browser().await;
        sign_in(&other, &key).await;
        other.open("/play").await;
        other.click("#unfinished a").await;
        assert_eq!(other.arrive("the game", |path| path.starts_with("/play/set_")).await, game);
        browser.open(&game).await;
        let mut hand = hand.go_on_in(&other, By::Mouse);
        assert!(hand.turn().await, "the game goes on");
        let here = format!("Number(document.getElementById('table').dataset.ply) >= {}", hand.ply());
        browser.until("the first device to follow", &here).await;
        hand.play_out().await;
        browser.until("the end on both", "document.querySelector('#table[data-state=over]')").await;
    })
    .await;
}

/// A person with a browser that is signed in, and a client that acts for it.
async fn person(scene: &Scene) -> (Arc<Browser>, Client, String) {
    let name = name();
    let anyone = Client::new(scene.url()).unwrap();
    let made = anyone.post("/v1/players", json!({ "name": name })).await.unwrap();
    let key = made["key"].as_str().unwrap();
    let browser = scene.browser().await;
    sign_in(&browser, key).await;
    (browser, anyone.with_key(key), name)
}

/// What stands on the board of a maker.
async fn pieces(browser: &Browser, maker: u8) -> Value {
    let script = "return [...document.querySelectorAll(`svg[data-maker='${arguments[0]}'] .board-cell`)]
        .filter((cell) => cell.dataset.piece && !cell.classList.contains('is-ghost')).map((cell) => cell.dataset.square)";
    browser.run(script, vec![json!(maker)]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_placement_is_secret_until_both_are_in_and_then_revealed_to_both() {
    scenario("secret", async |scene| {
        let (one, creator, _) = person(scene).await;
        let (two, acceptor, name) = person(scene).await;
        let wish = json!({ "game": "maker-breaker", "opponent": name, "clock": { "per_round_s": 600 } });
        let made = creator.post("/v1/challenges", wish).await.unwrap();
        let path = format!("/v1/challenges/{}/accept", made["challenge"]["id"].as_str().unwrap());
        let set = acceptor.post(&path, json!({})).await.unwrap()["set"]["id"].as_str().unwrap().to_owned();
        for browser in [&one, &two] {
            browser.open(&format!("/sets/{set}")).await;
            browser.see(".board-cell.can-place").await;
        }
        one.click(".can-place").await;
        one.press("Place X").await;
        one.see_text("Your piece is in.").await;
        two.see_text("Round 1").await;
        for maker in [1, 2] {
            assert_eq!(pieces(&two, maker).await, json!([]), "nothing is shown on board {maker}");
        }
        two.click(".can-place").await;
        two.press("Place X").await;
        for browser in [&one, &two] {
            browser.until("the reveal", "document.querySelector('#table[data-ply=\"1\"]')").await;
            for maker in [1, 2] {
                assert_eq!(pieces(browser, maker).await.as_array().unwrap().len(), 1, "board {maker} has its piece");
            }
        }
    })
    .await;
}

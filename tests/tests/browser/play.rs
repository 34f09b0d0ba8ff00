//! Playing by hand against house bots, as a guest: by mouse, by keyboard, with breaks.

use farside::client::Client;
use farside_tests::{
    browser::{Browser, Key, Scene, scenario, scenario_apart},
    wait,
};
use serde_json::{Value, json};

use crate::hand::{By, Hand};

/// Games that a person plays before giving up. Against `easy` the engine loses next to none.
const GAMES: usize = 3;

/// Chooses a board and a difficulty and begins; returns once the board is there.
async fn begin(browser: &Browser, board: &str, level: &str) {
    browser.open("/play").await;
    browser.choose(level).await;
    browser.choose(board).await;
    browser.press("Play").await;
    browser.arrive("the game", |path| path.starts_with("/play/set_")).await;
}

/// Plays until a game is won, again after each that was lost, and returns how many were played.
async fn win(browser: &Browser, scene: &Scene, by: By) -> usize {
    for game in 1..=GAMES {
        let before = browser.path().await;
        if Hand::new(browser, scene.url(), by).play_out().await {
            assert_quick_and_easy(&set(browser, scene).await);
            return game;
        }
        until_counted(browser, game).await;
        play_again(browser, by).await;
        browser.arrive("the next game", |path| path.starts_with("/play/set_") && path != before).await;
    }
    panic!("{GAMES} games were lost against easy");
}

fn assert_quick_and_easy(set: &Value) {
    assert_eq!((&set["options"]["size"], &set["acceptor"]["id"]), (&json!(6), &json!("house:easy")));
}

/// Begins the same game again from its end.
async fn play_again(browser: &Browser, by: By) {
    match by {
        By::Mouse => browser.press("Play again").await,
        By::Keyboard => {
            until_end_has_focus(browser).await;
            browser.tab_to("#end [type=submit]").await;
            browser.key(Key::Enter).await;
        }
    }
}

/// Waits until so many games are counted; the page's end stays as it is from then on.
async fn until_counted(browser: &Browser, games: usize) {
    let counted = format!("document.querySelector('#practice[data-games=\"{games}\"]')");
    browser.until("the game to be counted", &counted).await;
}

async fn until_end_has_focus(browser: &Browser) {
    browser.until("the end of the game to have the focus", "document.activeElement.id === 'end'").await;
}

/// The set that the page plays, as the API has it.
async fn set(browser: &Browser, scene: &Scene) -> Value {
    let path = browser.path().await;
    let id = path.rsplit('/').next().unwrap();
    Client::new(scene.url()).unwrap().get(&format!("/v1/sets/{id}")).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_wins_a_quick_game_against_easy_with_the_mouse() {
    scenario("play-mouse", async |scene| {
        let browser = scene.browser().await;
        begin(&browser, "6 × 6", "Easy").await;
        browser.see("#score-line [data-seat='1']").await;
        let games = win(&browser, scene, By::Mouse).await;
        assert_eq!(browser.text("#end-title").await, "You won!");
        until_counted(&browser, games).await;
        let captured = &set(&browser, scene).await["games"][0]["body"]["captured"];
        let end = browser.text("#end").await.split_whitespace().collect::<Vec<_>>().join(" ");
        let told = format!("You captured {} They captured {}", captured["1"], captured["2"]);
        assert!(end.contains(&told), "{told} in {end}");
        browser.press("Replay and check").await;
        browser.arrive("the page of the set", |path| path.starts_with("/sets/set_")).await;
        browser.press("Check the record").await;
        browser.see("#verdict[data-ok=true]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_wins_a_quick_game_against_easy_with_the_keyboard_alone() {
    scenario("play-keyboard", async |scene| {
        let browser = scene.browser().await;
        browser.open("/").await;
        browser.tab_to("nav a[href='/play']").await;
        browser.key(Key::Enter).await;
        browser.arrive("the settings", |path| path == "/play").await;
        for choice in ["#level-easy", "#board-6", "#new-game [type=submit]"] {
            browser.tab_to(choice).await;
        }
        browser.key(Key::Enter).await;
        browser.arrive("the game", |path| path.starts_with("/play/set_")).await;
        win(&browser, scene, By::Keyboard).await;
        until_end_has_focus(&browser).await;
        assert_eq!(browser.text("#end-title").await, "You won!");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_game_goes_on_after_the_platform_was_killed() {
    scenario_apart("play-continue", async |scene, site| {
        let browser = scene.browser().await;
        begin(&browser, "7 × 7", "Normal").await;
        let mut hand = Hand::new(&browser, scene.url(), By::Mouse);
        assert!(hand.turn().await && hand.turn().await);
        for outage in ["ERR_", "status of 503"] {
            browser.forgive(outage).await;
        }
        site.kill();
        site.start_again().await;

        browser.open("/play").await;
        browser.click("#unfinished a").await;
        browser.arrive("the game", |path| path.starts_with("/play/set_")).await;
        let game = &set(&browser, scene).await["games"][0];
        assert_eq!(game["ply"], hand.ply(), "every move is there");
        assert!(hand.turn().await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_menu_pauses_the_game_and_remembers_that_there_is_no_sound() {
    scenario("play-menu", async |scene| {
        let browser = scene.browser().await;
        begin(&browser, "8 × 8", "Hard").await;
        browser.press("Menu").await;
        browser.see("dialog#menu").await;
        until_paused(&browser, scene, true).await;
        browser.press("Sound is on").await;
        browser.see_control("Sound is off").await;
        browser.take_picture("play-menu-open").await;
        browser.press("Resume").await;
        until_paused(&browser, scene, false).await;
        browser.reload().await;
        browser.press("Menu").await;
        browser.see_control("Sound is off").await;
        browser.press("New game").await;
        browser.arrive("the settings", |path| path.starts_with("/play?")).await;
        browser.see("#unfinished a").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn maker_and_breaker_is_played_by_hand_to_its_end() {
    scenario("play-makers", async |scene| {
        let browser = scene.browser().await;
        browser.open("/play/maker-breaker").await;
        browser.choose("Strength 1").await;
        browser.press("Play").await;
        browser.arrive("the game", |path| path.starts_with("/play/set_")).await;
        while place(&browser).await {}
        let game = &set(&browser, scene).await["games"][0];
        let title = match game["result"]["winner"].as_u64() {
            Some(1) => "You won!",
            Some(_) => "You lost",
            None => "A draw",
        };
        assert_eq!(browser.text("#end-title").await, title, "{}", game["result"]);
    })
    .await;
}

/// Puts an X on the first free square that is offered; false when the game is over.
async fn place(browser: &Browser) -> bool {
    let free = ".board-cell.can-place";
    let table = "document.getElementById('table').dataset";
    let ready =
        format!("{table}.state === 'over' || ({table}.state === 'to-move' && document.querySelector('{free}'))");
    browser.until("the next round", &ready).await;
    if browser.run(&format!("return {table}.state"), vec![]).await == "over" {
        return false;
    }
    let ply = browser.run(&format!("return {table}.ply"), vec![]).await;
    browser.click(free).await;
    browser.press("Place X").await;
    browser.until("the pieces to be revealed", &format!("{table}.ply !== '{}'", ply.as_str().unwrap())).await;
    true
}

/// Waits until the platform says that the game is paused, or that it is not.
async fn until_paused(browser: &Browser, scene: &Scene, paused: bool) {
    wait::until(&format!("paused to be {paused}"), async || {
        let status = set(browser, scene).await["games"][0]["status"].clone();
        ((status == "paused") == paused).then_some(())
    })
    .await;
}

//! The pages of sets and of practice by hand, as the server renders them: positions, ends, refusals.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{PATIENCE, Platform, generous};
use crate::play::{agree, play_by_poll, small};
use crate::web::Browser;

/// Starts a game by hand; the set's id.
async fn begin(browser: &mut Browser, level: &str) -> String {
    let place = browser.follow("/play", &[("level", level), ("board", "6"), ("once", "first")]).await;
    place.strip_prefix("/play/").unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_set_shows_every_position_without_scripts() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    let mut browser = Browser::new(&platform);
    let live = browser.get(&format!("/sets/{set}")).await;
    assert_eq!(live.status, 200);
    assert!(live.text.contains("is to move.") && live.text.contains(r#"data-square="a1""#), "{}", live.text);
    assert!(!live.text.contains("Download the record"), "there is no record before the end");
    tokio::join!(play_by_poll(ada.me.clone(), set.clone()), play_by_poll(bob.me.clone(), set.clone()));
    let end = browser.get(&format!("/sets/{set}")).await.text;
    for part in ["Download the record", "Check the record", "The set’s seed", "score-result", "Game 2"] {
        assert!(end.contains(part), "{part}:\n{end}");
    }
    let state = platform.anyone().ok(&format!("/v1/sets/{set}")).await;
    let last = state["games"][0]["ply"].as_u64().unwrap();
    let place = browser.get(&format!("/sets/{set}?game=1&ply=2")).await.text;
    assert!(place.contains(&format!("2 of {last}")) && place.contains(r#"data-ply="2""#), "{place}");
    assert_eq!(place.matches("aria-current=\"true\"").count(), 1, "one move is the one shown");
    let start = browser.get(&format!("/sets/{set}?game=1&ply=0")).await.text;
    assert!(start.contains("Red: a1 b1 c1 d1 e1 f1 a2 b2 c2 d2 e2 f2."), "{start}");
}

#[tokio::test(flavor = "multi_thread")]
async fn places_that_no_set_has_are_pages_that_say_so() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    let mut browser = Browser::new(&platform);
    for path in ["?game=2", "?game=1&ply=1", "?ply=-1", "?ply=x"] {
        let got = browser.get(&format!("/sets/{set}{path}")).await;
        assert!((400..500).contains(&got.status), "{path}: {}", got.status);
    }
    assert_eq!(browser.get("/sets/set_01JDXYZ00000000000000000000").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_starts_a_game_moves_first_and_continues_it() {
    let platform = Platform::start().await;
    let (mut browser, _, key) = Browser::signed_up(&platform).await;
    let api = platform.anyone().with_key(&key);
    let settings = browser.get("/play").await.text;
    assert!(settings.contains(r#"value="6" checked"#) && settings.contains(r#"value="easy" checked"#), "{settings}");
    let set = begin(&mut browser, "normal").await;
    assert_eq!(begin(&mut browser, "normal").await, set, "the same form again starts no second game");
    let game = browser.get(&format!("/play/{set}")).await.text;
    assert!(game.contains("Your move.") && !game.contains("data-turned"), "own pawns are below:\n{game}");
    let state = api.ok(&format!("/v1/sets/{set}")).await;
    assert_eq!(
        (&state["clock"], &state["games_total"], &state["acceptor"]["id"]),
        (&Value::Null, &json!(1), &json!("house:normal"))
    );
    let continued = browser.get("/play").await.text;
    assert!(continued.contains(&format!("/play/{set}")) && continued.contains("Continue"), "{continued}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_says_what_decided_and_how_the_person_stands() {
    let platform = Platform::start().await;
    let (mut browser, _, key) = Browser::signed_up(&platform).await;
    let api = platform.anyone().with_key(&key);
    let set = begin(&mut browser, "easy").await;
    let (status, _) = api.post(&format!("/v1/sets/{set}/resign"), json!({"game": 1})).await;
    assert_eq!(status, 200);
    let path = format!("/play/{set}");
    let counted = async {
        loop {
            let page = browser.get(&path).await.text;
            if page.contains(r#"data-games="1""#) {
                return page;
            }
        }
    };
    let end = tokio::time::timeout(PATIENCE, counted).await.expect("the game is counted");
    for part in ["You lost", "You resigned.", "You captured", "Play again", "0 %", "Best streak"] {
        assert!(end.contains(part), "{part}:\n{end}");
    }
    let settings = browser.get("/play").await.text;
    assert!(settings.contains("practice-table") && !settings.contains("id=\"unfinished\""), "{settings}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_somebody_else_is_watched_on_the_page_of_its_set() {
    let platform = Platform::start().await;
    let (mut ada, mut bob) = (Browser::new(&platform), Browser::new(&platform));
    let set = begin(&mut ada, "easy").await;
    begin(&mut bob, "easy").await;
    for mut stranger in [bob, Browser::new(&platform)] {
        let got = stranger.get(&format!("/play/{set}")).await;
        assert_eq!((got.status, got.leads_to()), (303, format!("/sets/{set}")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_offered_can_be_started() {
    let platform = Platform::start().await;
    let mut browser = Browser::new(&platform);
    for form in [
        [("level", "perfect"), ("board", "6")],
        [("level", "easy"), ("board", "12")],
        [("game", "chess"), ("level", "easy")],
    ] {
        assert_eq!(browser.post("/play", &form).await.status, 422, "{form:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_boards_are_shown_and_no_placement_before_its_round() {
    let platform = Platform::start().await;
    let (mut browser, _, key) = Browser::signed_up(&platform).await;
    let api = platform.anyone().with_key(&key);
    let path = browser.follow("/play", &[("game", "maker-breaker"), ("level", "1"), ("once", "first")]).await;
    let game = browser.get(&path).await.text;
    for part in ["Round 1: place on your own board", "Your board", "Their board", r#"data-maker="2""#] {
        assert!(game.contains(part), "{part}:\n{game}");
    }
    let set = path.strip_prefix("/play/").unwrap();
    let body = json!({"game": 1, "ply": 0, "move": {"at": [0, 0], "piece": "X"}});
    assert_eq!(api.post(&format!("/v1/sets/{set}/moves"), body).await.0, 200);
    let round = async {
        loop {
            let page = browser.get(&path).await.text;
            if page.contains("Round 2: place on their board") {
                return page;
            }
        }
    };
    let page = tokio::time::timeout(PATIENCE, round).await.expect("the house bot places");
    assert_eq!(page.matches(r#"data-piece="X""#).count() + page.matches(r#"data-piece="O""#).count(), 2, "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_begins_after_the_event_that_its_address_names() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    tokio::join!(play_by_poll(ada.me.clone(), set.clone()), play_by_poll(bob.me.clone(), set.clone()));
    let events = async |query: &str| {
        let request = platform.anyone().request(Method::GET, &format!("/v1/sets/{set}/events{query}"));
        request.timeout(PATIENCE).send().await.unwrap().text().await.unwrap()
    };
    let all = events("?after=0").await;
    assert!(all.contains("id: 1\n") && all.contains("event: set_finished"), "{all}");
    let later = events("?after=3").await;
    assert!(!later.contains("id: 3\n") && later.contains("id: 4\n"), "{later}");
    assert!(events("").await.contains("event: snapshot"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_not_known_plays_at_once_and_is_known_from_then_on() {
    let platform = Platform::start().await;
    let mut guest = Browser::new(&platform);
    assert!(guest.see("/play").await.has("You need no account"));
    let set = begin(&mut guest, "easy").await;
    assert!(guest.cookie.is_some(), "the guest has a session");
    guest.see(&format!("/play/{set}")).await.assert_well_made("/play/set");
    assert!(guest.see("/play").await.has(&format!("/play/{set}")), "the game is there to go on with");
    assert!(guest.see("/").await.has(&format!("/sets/{set}")), "the lobby shows it");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_of_a_game_is_well_made() {
    let platform = Platform::with(generous()).await;
    let (mut browser, _, key) = Browser::signed_up(&platform).await;
    let set = begin(&mut browser, "easy").await;
    let makers = browser.follow("/play", &[("game", "maker-breaker"), ("level", "3")]).await;
    let running =
        [format!("/play/{set}"), format!("/sets/{set}"), makers, "/play".to_owned(), "/play/maker-breaker".to_owned()];
    for path in running {
        browser.see(&path).await.assert_well_made(&path);
    }
    let api = platform.anyone().with_key(&key);
    assert_eq!(api.post(&format!("/v1/sets/{set}/resign"), json!({"game": 1})).await.0, 200);
    for path in [format!("/play/{set}"), format!("/sets/{set}"), format!("/sets/{set}?game=1&ply=0")] {
        browser.see(&path).await.assert_well_made(&path);
    }
}

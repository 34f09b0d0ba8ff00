//! The pages of sets and of practice by hand, as the server renders them: positions, ends, refusals.

use reqwest::redirect::Policy;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::{Api, PATIENCE, Platform, name};
use crate::play::{agree, play_by_poll, small};

/// A browser without scripts: a player's session, and no redirects followed.
struct Browser {
    http: reqwest::Client,
    url: String,
    key: Option<String>,
}

/// What a browser got.
struct Got {
    status: StatusCode,
    location: String,
    page: String,
}

impl Browser {
    fn anyone(platform: &Platform) -> Self {
        let http = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
        Self { http, url: platform.url.clone(), key: None }
    }

    /// A new player, signed in.
    async fn signed_in(platform: &Platform) -> (Self, Api) {
        let (status, made) = platform.anyone().post("/v1/players", json!({"name": name()})).await;
        assert_eq!(status, 201, "{made}");
        let key = made["key"].as_str().unwrap().to_owned();
        let api = platform.anyone().with_key(&key);
        (Self { key: Some(key), ..Self::anyone(platform) }, api)
    }

    async fn send(&self, method: Method, path: &str, form: &[(&str, &str)]) -> Got {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.url)).timeout(PATIENCE);
        request = request.header("accept", "text/html").header("sec-fetch-site", "same-origin");
        if let Some(key) = &self.key {
            request = request.header("cookie", format!("farside_session={key}"));
        }
        if method == Method::POST {
            request = request.form(form);
        }
        let answer = request.send().await.unwrap();
        let location = answer.headers().get("location").map(|value| value.to_str().unwrap().to_owned());
        Got { status: answer.status(), location: location.unwrap_or_default(), page: answer.text().await.unwrap() }
    }

    async fn get(&self, path: &str) -> Got {
        self.send(Method::GET, path, &[]).await
    }

    async fn start(&self, form: &[(&str, &str)]) -> Got {
        self.send(Method::POST, "/play", form).await
    }
}

/// Starts a game by hand; the set's id.
async fn begin(browser: &Browser, level: &str) -> String {
    let started = browser.start(&[("level", level), ("board", "6"), ("once", "first")]).await;
    assert_eq!(started.status, 303, "{}", started.page);
    started.location.strip_prefix("/play/").unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_set_shows_every_position_without_scripts() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    let browser = Browser::anyone(&platform);
    let live = browser.get(&format!("/sets/{set}")).await;
    assert_eq!(live.status, 200);
    assert!(live.page.contains("is to move.") && live.page.contains(r#"data-square="a1""#), "{}", live.page);
    assert!(!live.page.contains("Download the record"), "there is no record before the end");
    tokio::join!(play_by_poll(ada.me.clone(), set.clone()), play_by_poll(bob.me.clone(), set.clone()));
    let end = browser.get(&format!("/sets/{set}")).await.page;
    for part in ["Download the record", "Check the record", "The set’s seed", "score-result", "Game 2"] {
        assert!(end.contains(part), "{part}:\n{end}");
    }
    let state = platform.anyone().ok(&format!("/v1/sets/{set}")).await;
    let last = state["games"][0]["ply"].as_u64().unwrap();
    let place = browser.get(&format!("/sets/{set}?game=1&ply=2")).await.page;
    assert!(place.contains(&format!("2 of {last}")) && place.contains(r#"data-ply="2""#), "{place}");
    assert_eq!(place.matches("aria-current=\"true\"").count(), 1, "one move is the one shown");
    let start = browser.get(&format!("/sets/{set}?game=1&ply=0")).await.page;
    assert!(start.contains("Red: a1 b1 c1 d1 e1 f1 a2 b2 c2 d2 e2 f2."), "{start}");
}

#[tokio::test(flavor = "multi_thread")]
async fn places_that_no_set_has_are_pages_that_say_so() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    let browser = Browser::anyone(&platform);
    for path in ["?game=2", "?game=1&ply=1", "?ply=-1", "?ply=x"] {
        let got = browser.get(&format!("/sets/{set}{path}")).await;
        assert!(got.status.is_client_error(), "{path}: {}", got.status);
    }
    assert_eq!(browser.get("/sets/set_01JDXYZ00000000000000000000").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_starts_a_game_moves_first_and_continues_it() {
    let platform = Platform::start().await;
    let (browser, api) = Browser::signed_in(&platform).await;
    let settings = browser.get("/play").await.page;
    assert!(settings.contains(r#"value="6" checked"#) && settings.contains(r#"value="easy" checked"#), "{settings}");
    let set = begin(&browser, "normal").await;
    assert_eq!(begin(&browser, "normal").await, set, "the same form again starts no second game");
    let game = browser.get(&format!("/play/{set}")).await.page;
    assert!(game.contains("Your move.") && !game.contains("data-turned"), "own pawns are below:\n{game}");
    let state = api.ok(&format!("/v1/sets/{set}")).await;
    assert_eq!(
        (&state["clock"], &state["games_total"], &state["acceptor"]["id"]),
        (&Value::Null, &json!(1), &json!("house:normal"))
    );
    let continued = browser.get("/play").await.page;
    assert!(continued.contains(&format!("/play/{set}")) && continued.contains("Continue"), "{continued}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_says_what_decided_and_how_the_person_stands() {
    let platform = Platform::start().await;
    let (browser, api) = Browser::signed_in(&platform).await;
    let set = begin(&browser, "easy").await;
    let (status, _) = api.post(&format!("/v1/sets/{set}/resign"), json!({"game": 1})).await;
    assert_eq!(status, 200);
    let path = format!("/play/{set}");
    let counted = async {
        loop {
            let page = browser.get(&path).await.page;
            if page.contains(r#"data-games="1""#) {
                return page;
            }
        }
    };
    let end = tokio::time::timeout(PATIENCE, counted).await.expect("the game is counted");
    for part in ["You lost", "You resigned.", "You captured", "Play again", "0 %", "Best streak"] {
        assert!(end.contains(part), "{part}:\n{end}");
    }
    let settings = browser.get("/play").await.page;
    assert!(settings.contains("practice-table") && !settings.contains("id=\"unfinished\""), "{settings}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_somebody_else_is_watched_on_the_page_of_its_set() {
    let platform = Platform::start().await;
    let (ada, _) = Browser::signed_in(&platform).await;
    let (bob, _) = Browser::signed_in(&platform).await;
    let set = begin(&ada, "easy").await;
    for stranger in [&bob, &Browser::anyone(&platform)] {
        let got = stranger.get(&format!("/play/{set}")).await;
        assert_eq!((got.status.as_u16(), got.location), (303, format!("/sets/{set}")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_offered_can_be_started() {
    let platform = Platform::start().await;
    let (browser, _) = Browser::signed_in(&platform).await;
    for form in [
        [("level", "perfect"), ("board", "6")],
        [("level", "easy"), ("board", "12")],
        [("game", "chess"), ("level", "easy")],
    ] {
        assert_eq!(browser.start(&form).await.status, 422, "{form:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_boards_are_shown_and_no_placement_before_its_round() {
    let platform = Platform::start().await;
    let (browser, api) = Browser::signed_in(&platform).await;
    let started = browser.start(&[("game", "maker-breaker"), ("level", "1"), ("once", "first")]).await;
    let path = started.location;
    let game = browser.get(&path).await.page;
    for part in ["Round 1: place on your own board", "Your board", "Their board", r#"data-maker="2""#] {
        assert!(game.contains(part), "{part}:\n{game}");
    }
    let set = path.strip_prefix("/play/").unwrap();
    let body = json!({"game": 1, "ply": 0, "move": {"at": [0, 0], "piece": "X"}});
    assert_eq!(api.post(&format!("/v1/sets/{set}/moves"), body).await.0, 200);
    let round = async {
        loop {
            let page = browser.get(&path).await.page;
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

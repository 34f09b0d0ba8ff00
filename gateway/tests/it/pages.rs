//! Pages: each is there with data and without, every link on them leads somewhere, and errors are pages too.

use std::collections::{BTreeSet, VecDeque};

use farside_gateway::PublicArgs;
use reqwest::Method;
use serde_json::json;

use crate::harness::{Bot, Platform, generous};
use crate::web::Browser;

/// Addresses that are no pages.
const FILES: [&str; 5] = ["/assets/", "/agents.md", "/openapi.json", "/llms.txt", "/v1/"];

/// Follows every link from the lobby on and looks at every page; returns what it saw.
async fn crawl(browser: &mut Browser) -> BTreeSet<String> {
    let (mut seen, mut queue) = (BTreeSet::new(), VecDeque::from(["/".to_owned()]));
    while let Some(path) = queue.pop_front() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let page = browser.get(&path).await;
        if (300..400).contains(&page.status) {
            queue.push_back(page.leads_to());
            continue;
        }
        assert_eq!(page.status, 200, "{path} is linked and not there");
        if FILES.iter().any(|prefix| path.starts_with(prefix)) {
            continue;
        }
        page.assert_well_made(&path);
        let links = page.values("href").into_iter().chain(page.values("src"));
        let links =
            links.filter(|link| link.starts_with('/')).map(|link| link.replace("&#38;", "&").replace("&amp;", "&"));
        queue.extend(links.map(|link| link.split('#').next().unwrap().to_owned()));
    }
    seen
}

/// Two bots that have finished a staked, rated set, and started another one.
async fn played(platform: &Platform) -> (Bot, Bot) {
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    for is_last in [false, true] {
        let wish = json!({"game": "breakthrough", "opponent": bob.id, "stake": {"currency": "PTS", "amount": 10}});
        let (status, made) = ada.me.post("/v1/challenges", wish).await;
        assert_eq!(status, 201, "{made}");
        let challenge = made["challenge"]["id"].as_str().unwrap();
        let (status, accepted) = bob.me.post(&format!("/v1/challenges/{challenge}/accept"), json!({})).await;
        assert_eq!(status, 200, "{accepted}");
        let set = format!("/v1/sets/{}", accepted["set"]["id"].as_str().unwrap());
        let first = json!({"game": 1, "ply": 0, "move": bob.me.ok(&set).await["games"][0]["legal_moves"][0]});
        let (status, answer) = bob.me.post(&format!("{set}/moves"), first).await;
        assert_eq!(status, 200, "{answer}");
        let resign = format!("{set}/resign");
        for game in if is_last { 0..0 } else { 1..3 } {
            let (status, answer) = bob.me.post(&resign, json!({"game": game})).await;
            assert_eq!(status, 200, "{answer}");
        }
    }
    (ada, bob)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_link_leads_somewhere_while_there_is_nothing_yet() {
    let platform = Platform::with(generous()).await;
    let seen = crawl(&mut Browser::new(&platform)).await;
    for path in
        ["/games/breakthrough", "/games/maker-breaker/leaderboard", "/bots", "/docs", "/sign-up", "/play", "/audit"]
    {
        assert!(seen.contains(path), "{path} is linked: {seen:?}");
    }
    let (mut member, ..) = Browser::signed_up(&platform).await;
    let seen = crawl(&mut member).await;
    for path in ["/me", "/me/keys", "/me/statement", "/me/bots/new", "/challenges/new"] {
        assert!(seen.contains(path), "{path} is linked: {seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_link_leads_somewhere_when_much_has_been_played() {
    let platform = Platform::with(generous()).await;
    let (ada, bob) = played(&platform).await;
    let key = ada.owner.key.clone().unwrap();
    let mut browser = Browser::new(&platform);
    browser.follow("/sign-in", &[("key", &key)]).await;
    let seen = crawl(&mut browser).await;
    for path in [format!("/bots/{}", ada.id), format!("/me/bots/{}", ada.id), format!("/bots/{}", bob.id)] {
        assert!(seen.contains(&path), "{path} is linked: {seen:?}");
    }
    for (begins, ends) in [("/sets/set_", "?game=1&ply=1"), ("/sets/set_", "?game=2"), ("/players/", "")] {
        let is_such = |path: &&String| path.starts_with(begins) && path.ends_with(ends);
        assert!(seen.iter().any(|path| is_such(&path)), "{begins}…{ends}: {seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_page_shows_what_the_api_says() {
    let platform = Platform::start().await;
    let mut browser = Browser::new(&platform);
    for game in platform.anyone().ok("/v1/games").await["games"].as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        let contract = platform.anyone().ok(&format!("/v1/games/{id}")).await;
        let page = browser.see(&format!("/games/{id}")).await;
        for text in ["name", "summary", "tiebreak"] {
            let text = contract[text].as_str().unwrap().split('\'').next().unwrap();
            assert!(page.has(text), "{id}: {text}");
        }
        for (option, _) in contract["options_schema"]["properties"].as_object().into_iter().flatten() {
            assert!(page.has(&format!("<code>{option}</code>")), "{id}: {option}");
        }
        assert!(page.has("<svg") && page.has("How to win more often"), "{id} has a guide with diagrams");
    }
    let page = browser.see("/games/breakthrough").await;
    for text in ["Dan Troyka", "head-on", "1:00 + 2 s a move", "1,000", "Seat 1 is red"] {
        assert!(page.has(text), "{text}");
    }
    assert!(browser.see("/games/maker-breaker").await.has("Breaker"));
    for (game, place) in [
        ("breakthrough", "\"/play\">Play"),
        ("maker-breaker", "\"/play/maker-breaker\">Play"),
        ("landbreaker", "opponent=house:easy\">Play"),
    ] {
        assert!(browser.see(&format!("/games/{game}")).await.has(place), "{game} is played at {place}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_and_profiles_show_what_was_played() {
    let platform = Platform::start().await;
    let (ada, bob) = played(&platform).await;
    let mut browser = Browser::new(&platform);
    let rated = async {
        loop {
            let rows = platform.anyone().ok("/v1/games/breakthrough/leaderboard").await;
            if rows["rows"].as_array().unwrap().len() == 2 {
                return rows;
            }
            tokio::task::yield_now().await;
        }
    };
    let rows = tokio::time::timeout(crate::harness::PATIENCE, rated).await.unwrap();
    assert_eq!(rows["rows"][0]["bot"]["name"], json!(ada.name));
    let page = browser.see("/games/breakthrough/leaderboard").await;
    assert!(page.text.find(&ada.name).unwrap() < page.text.find(&bob.name).unwrap(), "best first");
    let page = browser.see("/games/breakthrough").await;
    let (guide, beside) = page.text.split_once("<div class=\"beside\">").expect("tables beside the guide");
    assert!(guide.contains("How to win more often"), "{guide}");
    for text in ["1 · 0 · 0", "0 · 0 · 1", "10 to 1,000 PTS", &ada.name, &bob.name, &format!("{} wins", ada.name)] {
        assert!(beside.contains(text), "{text}: {beside}");
    }
    let page = browser.see(&format!("/bots/{}", ada.name)).await;
    for text in ["wins", "+10", "10 PTS", &ada.id] {
        assert!(page.has(text), "{text}: {}", page.text);
    }
    let found = browser.get(&format!("/bots?find={}", ada.name.to_uppercase())).await;
    assert_eq!(found.leads_to(), format!("/bots/{}", ada.id));
    assert!(browser.see("/bots?find=nobody-here").await.has("There is no bot or player called"));
    assert!(browser.see("/").await.has(&bob.name), "the lobby shows the running set");
}

#[tokio::test(flavor = "multi_thread")]
async fn anyone_reads_whether_every_point_adds_up() {
    let platform = Platform::start().await;
    played(&platform).await;
    let mut browser = Browser::new(&platform);
    let page = browser.see("/audit").await;
    page.assert_well_made("/audit");
    let audit = platform.anyone().ok("/v1/ledger/audit").await;
    assert_eq!(audit["ok"], json!(true), "{audit}");
    for text in ["Every point adds up.", "Last looked at:", "GET /v1/ledger/audit"] {
        assert!(page.has(text), "{text}: {}", page.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_for_a_page_gets_errors_as_pages() {
    let platform = Platform::start().await;
    let mut browser = Browser::new(&platform);
    for path in ["/nothing", "/games/chess", "/bots/nobody", "/challenges/chal_none", "/sets/set_none", "/a%ff"] {
        let page = browser.get(path).await;
        assert_eq!(page.status, 404, "{path}");
        assert_eq!(page.headers["content-type"], "text/html; charset=utf-8", "{path}");
        page.assert_well_made(path);
        assert!(page.has("There is nothing here") && page.has("number of this request"), "{path}: {}", page.text);
    }
    assert_eq!(browser.get("/sign-out").await.status, 405);
    let api = browser.get("/v1/nothing").await;
    assert_eq!((api.status, api.headers["content-type"].to_str().unwrap()), (404, "application/problem+json"));
    let program = platform.anyone().request(Method::GET, "/nothing").send().await.unwrap();
    assert_eq!(program.headers()["content-type"], "application/problem+json");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_too_much_or_while_too_much_is_going_on_reads_when_to_come_back() {
    let platform = Platform::with(PublicArgs { address_rate: 1, address_burst: 2, ..PublicArgs::default() }).await;
    let mut browser = Browser::new(&platform);
    let mut last = browser.get("/sign-in").await;
    for _ in 0..20 {
        if last.status == 429 {
            break;
        }
        last = browser.get("/sign-in").await;
    }
    assert_eq!(last.status, 429);
    assert!(last.headers.contains_key("retry-after") && last.has("Try again in"), "{}", last.text);
    last.assert_well_made("/sign-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_kept_for_ever_by_their_address_and_asked_for_again_without_it() {
    let platform = Platform::start().await;
    let mut browser = Browser::new(&platform);
    let page = browser.see("/").await;
    let style = page.values("href").into_iter().find(|link| link.ends_with("farside.css")).unwrap();
    let file = browser.see(&style).await;
    assert!(file.headers["cache-control"].to_str().unwrap().contains("immutable"));
    let plain = browser.see("/assets/css/farside.css").await;
    assert_eq!(plain.headers["cache-control"], "public, no-cache");
    let etag = plain.headers["etag"].clone();
    let again = platform.anyone().request(Method::GET, "/assets/css/farside.css").header("if-none-match", etag);
    assert_eq!(again.send().await.unwrap().status(), 304);
    assert_eq!(browser.get("/assets/css/none.css").await.status, 404);
}

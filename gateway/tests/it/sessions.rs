//! Signing up, in and out on the pages, guests, and what forms refuse.

use farside_gateway::PublicArgs;
use serde_json::{Value, json};

use crate::harness::{Api, Platform, name};
use crate::web::Browser;

/// The API with the browser's session, as a script of a page calls it.
fn api(platform: &Platform, browser: &Browser) -> Api {
    let cookie = browser.cookie.clone().unwrap();
    platform.anyone().with_key(cookie.split_once('=').unwrap().1)
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_up_shows_the_key_once_and_signs_the_browser_in() {
    let platform = Platform::start().await;
    let (mut browser, my_name) = (Browser::new(&platform), name());
    let page = browser.post("/sign-up", &[("name", &my_name), ("next", "//evil.test")]).await;
    page.assert_well_made("/sign-up");
    assert_eq!(page.headers["cache-control"], "no-store");
    assert!(page.has("data-copy=\"key\"") && page.has("href=\"/me\"") && !page.has("evil"));
    let cookie = page.headers["set-cookie"].to_str().unwrap();
    for part in ["farside_session=fsk_", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=7776000"] {
        assert!(cookie.contains(part), "{part}: {cookie}");
    }
    assert!(!cookie.contains("Secure") && !cookie.contains(&page.key()), "the session is a key of its own");
    let me = browser.see("/me").await;
    assert!(me.has(&my_name) && me.has("1,000") && !me.has(&page.key()));
    let with_key = platform.anyone().with_key(&page.key()).ok("/v1/me").await;
    assert_eq!(with_key["player"]["name"], json!(my_name));
}

#[tokio::test(flavor = "multi_thread")]
async fn cookies_are_for_tls_alone_where_there_is_tls() {
    let platform = Platform::with(PublicArgs { behind_tls: true, ..PublicArgs::default() }).await;
    let page = Browser::new(&platform).post("/sign-up", &[("name", &name())]).await;
    assert!(page.headers["set-cookie"].to_str().unwrap().ends_with("; Secure"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_sign_up_says_why_beside_the_name_and_keeps_it() {
    let platform = Platform::start().await;
    let (_, taken, _) = Browser::signed_up(&platform).await;
    let mut browser = Browser::new(&platform);
    for (typed, status, why) in [
        ("", 422, "A name has 3 to 32 characters."),
        ("a b c", 422, "A name is made of"),
        ("House9", 422, "are reserved"),
        ("guest-1", 422, "are reserved"),
        (taken.to_uppercase().as_str(), 409, "The name is taken."),
    ] {
        let page = browser.post("/sign-up", &[("name", typed)]).await;
        assert_eq!(page.status, status, "{typed}");
        assert!(
            page.has(why) && page.has("aria-invalid=\"true\"") && page.has(&format!("value=\"{typed}\"")),
            "{typed}"
        );
        page.assert_well_made("/sign-up");
    }
    assert!(browser.cookie.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_takes_a_player_key_and_signing_out_ends_the_session_alone() {
    let platform = Platform::start().await;
    let (mut first, my_name, key) = Browser::signed_up(&platform).await;
    let bot = platform.newcomer().await;
    let mut browser = Browser::new(&platform);
    for (typed, status, why) in
        [("nonsense", 401, "This is not a key."), (bot.me.key.as_deref().unwrap(), 403, "This is a bot&#39;s key")]
    {
        let page = browser.post("/sign-in", &[("key", typed)]).await;
        assert_eq!(page.status, status, "{}", page.text);
        assert!(page.has(why), "{}", page.text);
        assert!(!page.has(typed), "a key is never shown again");
    }
    assert_eq!(browser.follow("/sign-in", &[("key", &key), ("next", "/me/statement")]).await, "/me/statement");
    assert!(browser.see("/").await.has(&my_name));
    let old = browser.clone();
    assert_eq!(browser.follow("/sign-out", &[]).await, "/");
    assert!(browser.cookie.is_none() && browser.see("/").await.has("Sign in"));
    assert_eq!(api(&platform, &old).get("/v1/me").await.0, 401, "the session is over");
    assert_eq!(platform.anyone().with_key(&key).get("/v1/me").await.0, 200, "the key is not");
    browser.follow("/sign-in", &[("key", &key)]).await;
    first.follow("/sign-out/others", &[]).await;
    assert_eq!(browser.get("/me").await.leads_to(), "/sign-in?next=/me");
    assert_eq!(first.get("/me").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_from_elsewhere_change_nothing() {
    let platform = Platform::start().await;
    let (mut browser, my_name, key) = Browser::signed_up(&platform).await;
    for origin in [Some("http://evil.test"), Some("null"), None] {
        for (path, fields) in [
            ("/sign-out", vec![]),
            ("/me/keys", vec![]),
            ("/me/bots", vec![("name", "stolen-bot")]),
            ("/challenges", vec![("game", "breakthrough")]),
        ] {
            let page = browser.post_from(origin, path, &fields).await;
            assert_eq!(page.status, 403, "{origin:?} {path}: {}", page.text);
        }
        let mut stranger = Browser::new(&platform);
        let strange_name = name();
        for (path, fields) in [
            ("/sign-up", [("name", strange_name.as_str())]),
            ("/sign-in", [("key", key.as_str())]),
            ("/play/guest", [("next", "/")]),
        ] {
            assert_eq!(stranger.post_from(origin, path, &fields).await.status, 403, "{origin:?} {path}");
        }
        assert!(stranger.cookie.is_none(), "nobody is signed in from elsewhere");
    }
    assert!(browser.see("/me").await.has(&my_name));
    assert_eq!(platform.anyone().get("/v1/bots/stolen-bot").await.0, 404);
    let json = platform.anyone().request(reqwest::Method::POST, "/sign-up").body("{}").header("origin", &platform.url);
    assert_eq!(json.send().await.unwrap().status(), 422, "a form is sent as a form");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_practice_at_once_and_is_refused_the_rest() {
    let platform = Platform::start().await;
    let bot = platform.newcomer().await;
    let mut guest = Browser::new(&platform);
    assert_eq!(guest.follow("/play/guest", &[("next", "/games")]).await, "/games");
    let me = api(&platform, &guest);
    let who = me.ok("/v1/me").await;
    assert!(who["player"]["name"].as_str().unwrap().starts_with("guest-"), "{who}");
    assert_eq!(me.ok("/v1/me/balance").await["PTS"], json!({"available": 0, "held": 0}), "no grant");
    let practice = |extra: Value| {
        let mut wish = json!({"game": "breakthrough-small", "opponent": "house:easy"});
        wish.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        wish
    };
    assert_eq!(me.post("/v1/challenges", practice(json!({"clock": null}))).await.0, 201);
    let stake = json!({"currency": "PTS", "amount": 10});
    let open = bot.me.post("/v1/challenges", json!({"game": "breakthrough"})).await.1;
    let accept = format!("/v1/challenges/{}/accept", open["challenge"]["id"].as_str().unwrap());
    for (path, wish) in [
        ("/v1/challenges", json!({"game": "breakthrough"})),
        ("/v1/challenges", json!({"game": "breakthrough", "opponent": bot.id})),
        ("/v1/challenges", practice(json!({"stake": stake}))),
        ("/v1/challenges", practice(json!({"rated": true}))),
        (accept.as_str(), json!({})),
        ("/v1/bots", json!({"name": name()})),
        ("/v1/me/keys", json!({})),
    ] {
        assert_eq!(me.refused(path, wish.clone()).await, (403, "forbidden".to_owned()), "{path} {wish}");
    }
    let guest_id = who["player"]["id"].as_str().unwrap();
    let against = json!({"game": "breakthrough", "opponent": guest_id});
    assert_eq!(bot.me.refused("/v1/challenges", against).await, (404, "not_found".to_owned()));
    let players = platform.anyone().ok("/v1/players").await.to_string();
    assert!(!players.contains(guest_id), "guests are on no list");
    assert_eq!(guest.get("/me").await.leads_to(), "/sign-up?next=/me");
    assert!(guest.see("/sign-up").await.has("stay yours"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_signs_up_keeps_its_games_and_gets_name_grant_and_key() {
    let platform = Platform::start().await;
    let mut browser = Browser::new(&platform);
    browser.follow("/play/guest", &[]).await;
    let as_guest = api(&platform, &browser);
    let before = as_guest.ok("/v1/me").await["player"].clone();
    let wish = json!({"game": "breakthrough-small", "opponent": "house:easy", "clock": null, "format": "single"});
    let set = as_guest.post("/v1/challenges", wish).await.1["set"]["id"].as_str().unwrap().to_owned();
    assert_eq!(as_guest.post(&format!("/v1/sets/{set}/resign"), json!({"game": 1})).await.0, 200);
    let my_name = name();
    let page = browser.post("/sign-up", &[("name", &my_name)]).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let me = platform.anyone().with_key(&page.key());
    let after = me.ok("/v1/me").await["player"].clone();
    assert_eq!((&after["id"], &after["name"]), (&before["id"], &json!(my_name)));
    assert_eq!(me.ok("/v1/me/balance").await["PTS"]["available"], json!(1000));
    let sets = me.ok(&format!("/v1/sets?bot={my_name}")).await;
    assert_eq!(sets["sets"][0]["id"], json!(set));
    assert_eq!(as_guest.get("/v1/me").await.0, 401, "the guest's session is over");
    assert!(browser.see("/me").await.has(&my_name), "the browser goes on as the player");
    assert_eq!(platform.anyone().get(&format!("/v1/players/{}", before["name"].as_str().unwrap())).await.0, 404);
    assert_eq!(me.post("/v1/bots", json!({"name": name()})).await.0, 201);
    let again = browser.post("/sign-up", &[("name", &name())]).await;
    assert_eq!(again.leads_to(), "/me", "who is signed in does not sign up again");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_makes_only_so_many_guests_at_once() {
    let limits = PublicArgs { signup_burst: 2, signup_interval_ms: 600_000, ..PublicArgs::default() };
    let platform = Platform::with(limits).await;
    for expected in [303, 303, 429] {
        assert_eq!(Browser::new(&platform).post("/play/guest", &[]).await.status, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_and_keys_are_managed_on_ones_own_page() {
    let platform = Platform::start().await;
    let (mut browser, ..) = Browser::signed_up(&platform).await;
    let bot_name = name();
    let page = browser.post("/me/bots", &[("name", &bot_name), ("max_stake", "x")]).await;
    assert!(
        page.status == 422 && page.has("A whole number.") && page.has(&format!("value=\"{bot_name}\"")),
        "{}",
        page.text
    );
    let page = browser.post("/me/bots", &[("name", &bot_name), ("max_stake", "70"), ("description", "<b>")]).await;
    page.assert_well_made("/me/bots");
    let bot = platform.anyone().with_key(&page.key());
    let id = bot.ok("/v1/me").await["bot"]["id"].as_str().unwrap().to_owned();
    let edit = format!("/me/bots/{id}");
    let page = browser.see(&edit).await;
    assert!(page.has("value=\"70\"") && page.has("&#60;b&#62;") && !page.has("<b>"));
    let fields = [("name", bot_name.as_str()), ("max_stake", "-1"), ("description", "")];
    assert!(browser.post(&edit, &fields).await.has("From 0 to 1000000000."));
    let fields = [("max_stake", "30"), ("accepts.stake_max", "20"), ("rated", "yes"), ("humans", "no")];
    assert_eq!(browser.follow(&edit, &fields).await, format!("{edit}?saved=yes"));
    let now = platform.anyone().ok(&format!("/v1/bots/{id}")).await;
    assert_eq!((&now["max_stake"], &now["description"]), (&json!(30), &json!("")));
    assert_eq!(now["accepts"], json!({"games": null, "stake_max": 20, "rated": true, "humans": false}));
    let second = browser.post(&format!("{edit}/keys"), &[]).await.key();
    assert_eq!(platform.anyone().with_key(&second).get("/v1/me").await.0, 200);
    let page = browser.see(&edit).await;
    assert!(!page.has(&second), "the key is shown once");
    let revoke = page.values("action").into_iter().find(|action| action.ends_with("/revoke")).unwrap();
    assert_eq!(browser.follow(&revoke, &[]).await, edit);
    let live = [bot.get("/v1/me").await.0, platform.anyone().with_key(&second).get("/v1/me").await.0];
    assert_eq!(live.iter().filter(|status| **status == 200).count(), 1, "one of the two is revoked");
    let (mut other, ..) = Browser::signed_up(&platform).await;
    for path in [edit.clone(), format!("{edit}/keys")] {
        assert_eq!(other.post(&path, &[]).await.status, 403, "{path}");
    }
    assert_eq!(other.get(&edit).await.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn player_keys_are_changed_on_a_page_of_their_own() {
    let platform = Platform::start().await;
    let (mut browser, _, first) = Browser::signed_up(&platform).await;
    let page = browser.post("/me/keys", &[]).await;
    assert!(page.has("this one"), "the browser is listed");
    let second = page.key();
    let begins = format!("{}…", &first[..20]);
    let page = browser.see("/me/keys").await;
    let place = page.text.find(&begins).unwrap_or_else(|| panic!("{begins}: {}", page.text));
    let revoke = page.text[place..].split("action=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    browser.follow(&revoke, &[]).await;
    assert_eq!(platform.anyone().with_key(&first).get("/v1/me").await.0, 401);
    assert_eq!(platform.anyone().with_key(&second).get("/v1/me").await.0, 200);
    assert_eq!(browser.get("/me").await.status, 200, "the session stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_are_made_accepted_and_cancelled_by_form() {
    let platform = Platform::start().await;
    let ((mut ada, ..), (mut bob, ..)) = (Browser::signed_up(&platform).await, Browser::signed_up(&platform).await);
    for (field, value, why) in [
        ("stake", "1", "class=\"error\""),
        ("stake", "many", "A whole number."),
        ("options.size", "99", "id=\"field-options-size-fault\""),
        ("opponent", "nobody-here", "There is no such opponent."),
    ] {
        let page = ada.post("/challenges", &[("game", "breakthrough"), (field, value)]).await;
        assert!((400..500).contains(&page.status) && page.has(why), "{field}={value}: {}", page.text);
        assert!(page.has(&format!("value=\"{value}\"")), "{field}={value} is kept");
        page.assert_well_made("/challenges");
    }
    let fields = [("game", "breakthrough"), ("options.size", "6"), ("options.start", "standard"), ("stake", "10")];
    let mine = ada.follow("/challenges", &fields).await;
    assert!(mine.starts_with("/challenges/chal_"), "{mine}");
    let waiting = ada.see(&mine).await;
    assert!(waiting.has("data-status=\"open\"") && waiting.has("Cancel the challenge"), "{}", waiting.text);
    assert!(ada.see("/").await.has(&format!("data-own=\"{}\"", &mine["/challenges/".len()..])));
    assert!(ada.see("/me").await.has(&mine));
    assert_eq!(ada.post(&format!("{mine}/accept"), &[]).await.status, 422, "nobody accepts its own");
    let lobby = bob.see("/").await;
    let open = lobby.text.split("<section id=\"open\" data-refresh").nth(1).expect("a part that is kept up to date");
    assert!(open.split("</section>").next().unwrap().contains(&format!("{mine}/accept")), "the lobby offers it");
    assert_eq!(bob.post(&format!("{mine}/cancel"), &[]).await.status, 403);
    let set = bob.follow(&format!("{mine}/accept"), &[]).await;
    assert!(set.starts_with("/sets/set_"), "{set}");
    for mut browser in [ada.clone(), bob.clone()] {
        assert!(browser.see("/").await.has(&format!("href=\"{set}\">Go to the set")), "the lobby leads both to it");
    }
    let begun = ada.see(&mine).await;
    assert!(begun.has(&format!("href=\"{set}\" data-begun>Go to your set")), "{}", begun.text);
    assert!(!bob.see(&mine).await.has("data-begun"), "nobody else is taken away from the page");
    let other = ada.follow("/challenges", &[("game", "maker-breaker")]).await;
    assert_eq!(ada.follow(&format!("{other}/cancel"), &[]).await, "/me");
    assert!(ada.see(&other).await.has("cancelled"));
    assert_eq!(Browser::new(&platform).post(&format!("{other}/accept"), &[]).await.leads_to(), "/sign-in?next=/me");
    let statement = ada.see("/me/statement").await;
    assert!(statement.has("Granted") && statement.has("Stake set aside"), "{}", statement.text);
    assert!(
        ada.follow("/challenges", &[("game", "breakthrough"), ("opponent", "house:easy")]).await.starts_with("/sets/")
    );
}

//! Players, bots and keys through the API.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Platform, logged, name};

#[tokio::test(flavor = "multi_thread")]
async fn signing_up_shows_the_key_once_and_brings_points() {
    let platform = Platform::start().await;
    let name = name();
    let (status, answer) = platform.anyone().post("/v1/players", json!({"name": name})).await;
    assert_eq!(status, 201);
    let player = platform.anyone().with_key(answer["key"].as_str().unwrap());
    assert_eq!(player.ok("/v1/me/balance").await, json!({"PTS": {"available": 1000, "held": 0}}));
    let me = player.ok("/v1/me").await;
    assert_eq!((&me["kind"], &me["player"]["name"], &me["bot"]), (&json!("human"), &json!(name), &Value::Null));
    assert!(!me.to_string().contains(&player.key.unwrap()[5..]), "no answer but the first shows the key");
    let entries = platform.anyone().with_key(answer["key"].as_str().unwrap()).ok("/v1/me/ledger").await;
    assert_eq!(entries["entries"][0]["kind"], "grant");
    let taken = platform.anyone().refused("/v1/players", json!({"name": name.to_uppercase()})).await;
    assert_eq!(taken, (409, "name_taken".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_is_made_once_and_changed_by_its_owner_only() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let wish = json!({"name": name(), "max_stake": 70});
    let make = |wish: Value| {
        let request = ada.owner.request(Method::POST, "/v1/bots").header("idempotency-key", "k").body(wish.to_string());
        async { ada.owner.send(request).await }
    };
    let ((first_status, first), (again_status, again)) = (make(wish.clone()).await, make(wish.clone()).await);
    assert_eq!((first_status, again_status), (201, 201));
    assert_eq!((&first["bot"], &first["key_id"]), (&again["bot"], &again["key_id"]));
    assert!(first["key"].is_string() && again["key"].is_null());
    let (_, third) = make(wish.clone()).await;
    assert_eq!(third, again, "whatever is answered again is the same");
    let (status, other) = make(json!({"name": name()})).await;
    assert_eq!((status, &other["code"]), (422, &json!("idempotency_mismatch")));

    let path = format!("/v1/bots/{}", ada.id);
    let patch = json!({"max_stake": 30, "accepts": {"stake_max": 20, "humans": false}});
    for (who, expected) in [(&bob.owner, 403), (&ada.me, 403), (&platform.anyone(), 401)] {
        assert_eq!(who.call(Method::PATCH, &path, Some(patch.clone())).await.0, expected);
    }
    let (status, changed) = ada.owner.call(Method::PATCH, &path, Some(patch)).await;
    assert_eq!((status, &changed["max_stake"], &changed["accepts"]["stake_max"]), (200, &json!(30), &json!(20)));
    let (_, cleared) = ada.owner.call(Method::PATCH, &path, Some(json!({"accepts": null}))).await;
    assert_eq!((&cleared["accepts"], &cleared["max_stake"]), (&Value::Null, &json!(30)));
    assert_eq!(platform.anyone().ok(&format!("/v1/bots/{}", ada.name.to_uppercase())).await["id"], json!(ada.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_changed_without_downtime() {
    let platform = Platform::start().await;
    let bot = platform.newcomer().await;
    let keys = format!("/v1/bots/{}/keys", bot.id);
    let (status, added) = bot.owner.call(Method::POST, &keys, None).await;
    assert_eq!(status, 201, "{added}");
    let second = platform.anyone().with_key(added["key"].as_str().unwrap());
    assert_eq!((bot.me.get("/v1/me").await.0, second.get("/v1/me").await.0), (200, 200));
    let listed = bot.owner.ok(&keys).await;
    assert_eq!(listed["keys"].as_array().unwrap().len(), 2);
    let first = listed["keys"][0]["id"].as_str().unwrap();
    assert_eq!(bot.owner.call(Method::DELETE, &format!("{keys}/{first}"), None).await.0, 204);
    assert_eq!((bot.me.get("/v1/me").await.0, second.get("/v1/me").await.0), (401, 200));
    let strange = bot.owner.call(Method::DELETE, &format!("{keys}/key_none"), None).await;
    assert_eq!((strange.0, &strange.1["code"]), (404, &json!("not_found")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_changes_its_own_key() {
    let platform = Platform::start().await;
    let ada = platform.newcomer().await;
    let (status, added) = ada.owner.call(Method::POST, "/v1/me/keys", None).await;
    assert_eq!(status, 201, "{added}");
    let second = platform.anyone().with_key(added["key"].as_str().unwrap());
    let listed = second.ok("/v1/me/keys").await;
    let first = listed["keys"][0]["id"].as_str().unwrap();
    assert_eq!(second.call(Method::DELETE, &format!("/v1/me/keys/{first}"), None).await.0, 204);
    assert_eq!((ada.owner.get("/v1/me").await.0, second.get("/v1/me").await.0), (401, 200));
    assert_eq!(ada.me.get("/v1/me/keys").await.0, 403);
    assert_eq!(second.ok("/v1/me/practice").await["practice"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_key_is_ever_logged() {
    let platform = Platform::start().await;
    let bot = platform.newcomer().await;
    for caller in [&bot.owner, &bot.me] {
        caller.ok("/v1/me").await;
        caller.refused("/v1/challenges", json!({"game": "breakthrough", "options": {"size": 1}})).await;
        caller.refused("/v1/bots", json!({"name": "!", "x": caller.key})).await;
    }
    let log = logged();
    assert!(log.contains("rpc.method") || log.len() > 1_000, "something is logged at all: {} bytes", log.len());
    for caller in [&bot.owner, &bot.me] {
        let secret = caller.key.as_deref().unwrap().rsplit('_').next().unwrap();
        assert!(!log.contains(secret), "a key was logged");
    }
}

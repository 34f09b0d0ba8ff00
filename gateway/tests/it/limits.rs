//! Limits: in this process, shared through Redis, and local again while Redis is away.

use farside_gateway::PublicArgs;
use farside_gateway::limits::{Limits, Quota};
use farside_kit::redis::RedisHandle;
use farside_kit::testing::{redis_url, unique_name};
use farside_kit::time::{ManualClock, UnixMs};
use serde_json::json;

use crate::harness::{PATIENCE, Platform, name};

#[tokio::test(flavor = "multi_thread")]
async fn an_address_signs_up_only_so_many_players_at_once() {
    let platform =
        Platform::with(PublicArgs { signup_burst: 2, signup_interval_ms: 600_000, ..PublicArgs::default() }).await;
    for expected in [201, 201, 429] {
        let request =
            platform.anyone().request(reqwest::Method::POST, "/v1/players").body(json!({"name": name()}).to_string());
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), expected);
        let quota = response.headers()["ratelimit"].to_str().unwrap().to_owned();
        assert_eq!(quota.starts_with("\"sign-up\";r=0"), expected == 429, "{quota}");
        let waits = response.headers().get("retry-after").map(|value| value.to_str().unwrap().parse::<u32>().unwrap());
        assert_eq!(waits.is_some_and(|seconds| seconds > 500), expected == 429, "{waits:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_beyond_its_burst_has_to_wait_and_another_key_does_not() {
    let platform = Platform::with(PublicArgs { key_burst: 5, key_rate: 1, ..PublicArgs::default() }).await;
    let (greedy, modest) = (platform.newcomer().await, platform.newcomer().await);
    let mut refused = 0;
    for _ in 0..10 {
        refused += usize::from(greedy.me.get("/v1/games").await.0 == 429);
    }
    assert!(refused > 0);
    assert_eq!(modest.me.get("/v1/games").await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_its_places_a_key_has_its_oldest_long_poll_answered() {
    let platform = Platform::with(PublicArgs { polls_per_key: 2, ..PublicArgs::default() }).await;
    let (bot, other) = (platform.newcomer().await, platform.newcomer().await);
    let poll = |api: crate::harness::Api| tokio::spawn(async move { api.get("/v1/me/turns?wait=60").await });
    let elsewhere = poll(other.me.clone());
    let first = poll(bot.me.clone());
    let second = poll(bot.me.clone());
    let third = poll(bot.me.clone());
    let any = futures::future::select_all([first, second, third]);
    let (early, ..) = tokio::time::timeout(PATIENCE / 2, any).await.unwrap();
    let (status, turns) = early.unwrap();
    assert_eq!((status, &turns["turns"]), (200, &json!([])), "answered before its time");
    assert!(!elsewhere.is_finished());
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_share_limits_through_redis() {
    let limits = || async {
        let redis = RedisHandle::connect(&redis_url()).unwrap();
        let seen = async {
            while !redis.available() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, seen).await.unwrap();
        Limits::new(ManualClock::at(UnixMs(0)), Some(redis))
    };
    let (one, other) = (limits().await, limits().await);
    let (quota, subject) = (Quota::every_ms("test", 600_000, 3), unique_name());
    for (limits, expected) in [(&one, true), (&other, true), (&one, true), (&other, false), (&one, false)] {
        assert_eq!(limits.count(&quota, &subject).await.allowed, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_go_local_while_redis_is_away() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let redis = RedisHandle::connect(&format!("redis://{nobody}")).unwrap();
    let limits = Limits::new(ManualClock::at(UnixMs(0)), Some(redis));
    let quota = Quota::every_ms("test", 1_000, 1);
    assert!(limits.count(&quota, "a").await.allowed);
    assert!(!limits.count(&quota, "a").await.allowed);
}

//! The bus over a real Redis, and what remains of it without one.

use std::time::Duration;

use bytes::Bytes;
use farside_kit::bus::{Bus, BusEvent, BusSubscription};
use farside_kit::redis::RedisHandle;
use farside_kit::testing::{redis_url, unique_name};

/// Nobody listens there: ports below 1024 other than the well-known ones are free on machines that run tests.
const NOWHERE: &str = "redis://127.0.0.1:9/";

async fn heard(subscription: &mut BusSubscription) -> BusEvent {
    tokio::time::timeout(Duration::from_secs(20), subscription.recv()).await.expect("an event comes")
}

fn message(topic: &str, payload: &'static str) -> BusEvent {
    BusEvent::Message { topic: topic.into(), payload: Bytes::from_static(payload.as_bytes()) }
}

#[tokio::test]
async fn announcements_reach_subscribers_in_this_and_in_other_processes() {
    let (one, other) = (Bus::redis(&redis_url()).unwrap(), Bus::redis(&redis_url()).unwrap());
    let topic = unique_name();
    let (mut here, mut there) = (one.subscribe(&topic), other.subscribe(&topic));
    assert_eq!(heard(&mut here).await, BusEvent::Lagged, "says when the subscription has taken hold");
    assert_eq!(heard(&mut there).await, BusEvent::Lagged);
    one.publish(&topic, b"seq 7".to_vec());
    assert_eq!(heard(&mut here).await, message(&topic, "seq 7"));
    assert_eq!(heard(&mut there).await, message(&topic, "seq 7"));
}

/// A way to Redis that can be cut.
struct Cable {
    url: String,
    cut: tokio::sync::watch::Sender<()>,
}

impl Cable {
    async fn new() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("redis://{}", listener.local_addr().unwrap());
        let (cut, watched) = tokio::sync::watch::channel(());
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let mut watched = watched.clone();
                watched.mark_unchanged();
                let redis = redis_url().trim_start_matches("redis://").trim_end_matches('/').to_owned();
                tokio::spawn(async move {
                    let mut far = tokio::net::TcpStream::connect(redis).await.unwrap();
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
                        _ = watched.changed() => {}
                    }
                });
            }
        });
        Self { url, cut }
    }

    fn cut(&self) {
        self.cut.send(()).unwrap();
    }
}

#[tokio::test]
async fn subscribers_are_told_to_look_after_a_reconnection() {
    let cable = Cable::new().await;
    let bus = Bus::redis(&cable.url).unwrap();
    let topic = unique_name();
    let mut subscription = bus.subscribe(&topic);
    assert_eq!(heard(&mut subscription).await, BusEvent::Lagged);
    cable.cut();
    assert_eq!(heard(&mut subscription).await, BusEvent::Lagged);
    bus.publish(&topic, b"seq 8".to_vec());
    assert_eq!(heard(&mut subscription).await, message(&topic, "seq 8"));
}

#[tokio::test]
async fn without_redis_a_process_still_hears_itself() {
    let bus = Bus::redis(NOWHERE).unwrap();
    let mut subscription = bus.subscribe("set:1");
    bus.publish("set:1", b"seq 1".to_vec());
    assert_eq!(heard(&mut subscription).await, message("set:1", "seq 1"));
}

#[tokio::test]
async fn a_redis_that_is_away_is_said_to_be_and_holds_nobody_up() {
    let handle = RedisHandle::connect(NOWHERE).unwrap();
    assert!(!handle.available());
    let answer: Result<String, _> = handle.query(&::redis::cmd("PING")).await;
    assert!(answer.is_err() && !handle.available());
    let handle = RedisHandle::connect(&redis_url()).unwrap();
    let answer: String = handle.query(&::redis::cmd("PING")).await.unwrap();
    assert!(answer == "PONG" && handle.available());
}

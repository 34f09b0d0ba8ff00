//! Streams: every event once, in order, resumable anywhere; a bot plays over each way.

use farside_gateway::PublicArgs;
use futures::{SinkExt, Stream, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::harness::{Api, PATIENCE, Platform};
use crate::play::{agree, choose, play_by_poll, small};

#[derive(Clone, Debug, PartialEq)]
struct Seen {
    event: String,
    id: Option<String>,
    data: Value,
}

/// Opens a stream of server-sent events.
async fn watch(api: &Api, path: &str, after: Option<&str>) -> impl Stream<Item = Seen> + Unpin + use<> {
    let mut request = api.request(reqwest::Method::GET, path);
    if let Some(after) = after {
        request = request.header("last-event-id", after);
    }
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let state = (Box::pin(response.bytes_stream()), String::new());
    Box::pin(futures::stream::unfold(state, |(mut bytes, mut buffer)| async move {
        loop {
            if let Some(end) = buffer.find("\n\n") {
                let block: String = buffer.drain(..end + 2).collect();
                if let Some(seen) = parse(&block) {
                    return Some((seen, (bytes, buffer)));
                }
                continue;
            }
            let chunk = tokio::time::timeout(PATIENCE, bytes.next()).await.expect("an event or the end")?;
            buffer.push_str(std::str::from_utf8(&chunk.unwrap()).unwrap());
        }
    }))
}

fn parse(block: &str) -> Option<Seen> {
    let field =
        |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
    let data = serde_json::from_str(&field("data:")?).unwrap();
    Some(Seen { event: field("event:")?, id: field("id:"), data })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_is_seen_whole_from_any_place() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    let path = format!("/v1/sets/{set}/events");
    let live = watch(&platform.anyone(), &path, Some("0")).await;
    let (_, _, all) = tokio::join!(
        play_by_poll(ada.me.clone(), set.clone()),
        play_by_poll(bob.me.clone(), set),
        live.collect::<Vec<_>>()
    );
    let ids: Vec<_> = all.iter().map(|seen| seen.id.clone().unwrap().parse::<usize>().unwrap()).collect();
    assert_eq!(ids, (1..=all.len()).collect::<Vec<_>>());
    assert_eq!((all[0].event.as_str(), all.last().unwrap().event.as_str()), ("game_started", "set_finished"));
    assert_eq!(all.iter().filter(|seen| seen.event == "game_finished").count(), 2);
    let moves = all.iter().filter(|seen| seen.event == "move");
    assert!(moves.clone().count() > 4);
    for seen in moves {
        assert!(seen.data["state"]["clocks"].is_object() && seen.data["played"]["notation"].is_string(), "{seen:?}");
        assert!(!seen.data.to_string().contains("server_seed"));
    }
    for place in [0, 1, all.len() / 2, all.len() - 1] {
        let rest: Vec<_> = watch(&platform.anyone(), &path, Some(&place.to_string())).await.collect().await;
        let seen = |all: &[Seen]| all.iter().map(|seen| (seen.id.clone(), seen.event.clone())).collect::<Vec<_>>();
        assert_eq!(seen(&rest), seen(&all[place..]));
    }
    let fresh: Vec<_> = watch(&platform.anyone(), &path, None).await.take(1).collect().await;
    assert_eq!((fresh[0].event.as_str(), &fresh[0].data["set"]["status"]), ("snapshot", &json!("finished")));
}

/// Name and id of every event.
fn told(seen: &[Seen]) -> Vec<(String, Option<String>)> {
    seen.iter().map(|seen| (seen.event.clone(), seen.id.clone())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_who_follow_a_set_share_one_watch_and_each_sees_every_event_once() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    let path = format!("/v1/sets/{set}/events");
    let whole = watch(&platform.anyone(), &path, Some("0")).await;
    let mut fresh = Vec::new();
    for number in 0..20 {
        let api = if number % 2 == 0 { platform.anyone() } else { ada.me.clone() };
        let mut events = watch(&api, &path, None).await;
        assert_eq!(events.next().await.unwrap().event, "snapshot");
        fresh.push(events);
    }
    // The one that resumed has its own until it has caught up.
    platform.calm_down(2).await;
    let all_fresh = futures::future::join_all(fresh.into_iter().map(StreamExt::collect::<Vec<_>>));
    let later = async {
        let mut first = watch(&platform.anyone(), &path, Some("0")).await;
        let seen: Vec<_> = first.by_ref().take(4).collect().await;
        let rest = watch(&platform.anyone(), &path, seen[3].id.as_deref()).await;
        let both: (Vec<_>, Vec<_>) = tokio::join!(first.collect(), rest.collect());
        assert_eq!(told(&both.0), told(&both.1));
        [seen, both.0].concat()
    };
    let (_, _, whole, all_fresh, later) = tokio::join!(
        play_by_poll(ada.me.clone(), set.clone()),
        play_by_poll(bob.me.clone(), set.clone()),
        whole.collect::<Vec<_>>(),
        all_fresh,
        later
    );
    assert_eq!(whole.last().unwrap().event, "set_finished");
    assert_eq!(told(&later), told(&whole));
    for fresh in all_fresh {
        // The snapshot stood after the first event, which started the game.
        assert_eq!(told(&fresh), told(&whole[1..]));
    }
    platform.calm_down(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_that_nobody_follows_any_more_is_not_watched() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    let path = format!("/v1/sets/{set}/events");
    for _ in 0..2 {
        let (mut one, mut other) =
            (watch(&platform.anyone(), &path, None).await, watch(&platform.anyone(), &path, None).await);
        assert_eq!(one.next().await.unwrap().event, "snapshot");
        assert_eq!(other.next().await.unwrap().event, "snapshot");
        drop((one, other));
        platform.calm_down(0).await;
    }
}

/// Plays by the event stream and POST.
async fn play_by_events(me: Api, id: String, set: String) {
    let mut events = watch(&me, "/v1/me/events", None).await;
    while let Some(seen) = events.next().await {
        if seen.event == "set_finished" && seen.data["set_id"] == json!(set) {
            return;
        }
        for state in states(&seen.event, &seen.data, &set) {
            if let Some(body) = answer(&state, &id) {
                let (status, state) = me.post(&format!("/v1/sets/{set}/moves"), body).await;
                assert!(status == 200 || status == 409, "{state}");
            }
        }
    }
    panic!("the stream ended before the set");
}

fn states(event: &str, data: &Value, set: &str) -> Vec<Value> {
    match event {
        "snapshot" => {
            let sets = data["sets"].as_array().unwrap().iter().filter(|found| found["id"] == json!(set));
            sets.flat_map(|found| found["games"].as_array().unwrap().clone()).collect()
        }
        "move" | "round" | "game_started" if data["set_id"] == json!(set) => vec![data["state"].clone()],
        _ => Vec::new(),
    }
}

/// The move with which this participant answers a state, when it is to act in it.
fn answer(state: &Value, id: &str) -> Option<Value> {
    let seat = [1, 2].into_iter().find(|seat| state["seats"][seat.to_string()] == json!(id))?;
    let acts = state["status"] == "active" && state["to_move"].as_array().unwrap().contains(&json!(seat));
    acts.then(|| json!({"game": state["number"], "ply": state["ply"], "move": choose(state, seat)}))
}

/// Plays over one WebSocket.
async fn play_by_socket(me: Api, id: String, set: String) {
    let mut request = format!("{}/v1/me/socket", me.url.replace("http", "ws")).into_client_request().unwrap();
    let key = format!("Bearer {}", me.key.unwrap());
    request.headers_mut().insert("authorization", key.parse().unwrap());
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    while let Some(frame) = tokio::time::timeout(PATIENCE, socket.next()).await.unwrap() {
        let Message::Text(text) = frame.unwrap() else { continue };
        let frame: Value = serde_json::from_str(&text).unwrap();
        if frame["event"] == "set_finished" && frame["data"]["set_id"] == json!(set) {
            return;
        }
        if let Some(problem) = frame.get("problem") {
            assert_eq!(problem["status"], 409, "{problem}");
        }
        for state in states(frame["event"].as_str().unwrap_or_default(), &frame["data"], &set) {
            if let Some(mut body) = answer(&state, &id) {
                body["type"] = json!("move");
                body["id"] = json!(7);
                body["set_id"] = json!(set);
                socket.send(Message::text(body.to_string())).await.unwrap();
            }
        }
    }
    panic!("the socket ended before the set");
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_play_over_events_against_bots_on_a_socket() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    tokio::join!(
        play_by_events(ada.me.clone(), ada.id.clone(), set.clone()),
        play_by_socket(bob.me.clone(), bob.id.clone(), set.clone())
    );
    assert_eq!(platform.anyone().ok(&format!("/v1/sets/{set}")).await["status"], "finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_the_limit_the_oldest_stream_ends_with_a_reason() {
    let platform = Platform::with(PublicArgs { streams_per_key: 1, ..PublicArgs::default() }).await;
    let bot = platform.newcomer().await;
    let mut first = watch(&bot.me, "/v1/me/events", None).await;
    assert_eq!(first.next().await.unwrap().event, "snapshot");
    let mut second = watch(&bot.me, "/v1/me/events", None).await;
    let last = first.next().await.unwrap();
    assert_eq!((last.event.as_str(), &last.data["reason"]), ("closed", &json!("too_many_streams")));
    assert_eq!(first.next().await, None);
    assert_eq!(second.next().await.unwrap().event, "snapshot");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_ends_its_streams() {
    let platform = Platform::start().await;
    let bot = platform.newcomer().await;
    let mut events = watch(&bot.me, "/v1/me/events", None).await;
    assert_eq!(events.next().await.unwrap().event, "snapshot");
    let keys = bot.owner.ok(&format!("/v1/bots/{}/keys", bot.id)).await;
    let path = format!("/v1/bots/{}/keys/{}", bot.id, keys["keys"][0]["id"].as_str().unwrap());
    assert_eq!(bot.owner.call(reqwest::Method::DELETE, &path, None).await.0, 204);
    let last = events.next().await.unwrap();
    assert_eq!((last.event.as_str(), &last.data["reason"]), ("closed", &json!("key_revoked")));
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_end_with_a_reason_when_the_gateway_stops() {
    let platform = Platform::start().await;
    let bot = platform.newcomer().await;
    let mut events = watch(&bot.me, "/v1/me/events", None).await;
    assert_eq!(events.next().await.unwrap().event, "snapshot");
    let ((), rest) = tokio::join!(platform.stop(), events.collect::<Vec<_>>());
    assert_eq!((rest.len(), rest[0].event.as_str(), &rest[0].data["reason"]), (1, "closed", &json!("restarting")));
}

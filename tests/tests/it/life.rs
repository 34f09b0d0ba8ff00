//! The life of the platform's process: settings, start, restart on its data, the end.

use farside::client::{Client, text};
use farside_tests::{
    apart::Apart,
    bots::{Bot, agree, name, play_out},
    program::{Program, free_address},
    wait,
};
use rustix::process::Signal;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The platform on a free port without exhibition.
fn platform() -> (Program, String) {
    let mut program = Program::new("farside");
    let address = free_address();
    program.set("FARSIDE_LISTEN", &address.to_string()).set("FARSIDE_EXHIBITION", "0");
    (program, format!("http://{address}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_drains_and_exits_with_zero() {
    let (mut program, url) = platform();
    program.start().await;
    assert!(reqwest::get(&url).await.unwrap().status().is_success(), "there is a first page");
    program.signal(Signal::INT);
    let status = program.ended().await;
    assert_eq!(status.code(), Some(0), "{}", program.log());
    assert!(program.log().contains(&url), "it says where to look");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_setting_exits_with_64_and_is_named() {
    for (variable, value, named) in [
        ("FARSIDE_LISTEN", "nowhere", "--listen"),
        ("FARSIDE_EXHIBITION", "many", "--exhibition"),
        ("FARSIDE_DATABASE_URL", "mysql://localhost/x", "--database-url"),
        ("FARSIDE_REDIS_URL", "localhost", "--redis-url"),
        ("FARSIDE_LOG_LEVEL", "loud=very", "--log-level"),
    ] {
        let (mut program, url) = platform();
        program.set(variable, value);
        program.spawn();
        assert_eq!(program.ended().await.code(), Some(64), "{variable}={value}: {}", program.log());
        assert!(program.log().contains(named), "{variable}={value}: {}", program.log());
        assert!(reqwest::get(&url).await.is_err(), "no port is bound");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_goes_on_after_the_process_was_killed() {
    let (mut program, url) = platform();
    program.start().await;
    let (creator, acceptor) = (Bot::join(&url).await, Bot::join(&url).await);
    let wish = json!({ "game": "breakthrough", "stake": { "currency": "PTS", "amount": 10 } });
    let set = agree(&creator, &acceptor, wish).await;
    let id = set["id"].as_str().unwrap();
    for _ in 0..5 {
        acceptor.play_turns().await.unwrap();
        creator.play_turns().await.unwrap();
    }
    let path = format!("/v1/sets/{id}");
    let before = creator.client.get(&path).await.unwrap();

    program.kill();
    program.start().await;

    let after = creator.client.get(&path).await.unwrap();
    assert_eq!(before["games"][0]["body"], after["games"][0]["body"], "every acknowledged move is there");
    assert_eq!((&before["games"][0]["ply"], &after["games"][0]["ply"]), (&json!(10), &json!(10)));
    let set = play_out(&creator, &acceptor, id).await;
    assert_eq!(set["status"], "finished");
}

/// What a server says to whoever asks before it sends a body.
const GO_ON: [u8; 25] = *b"HTTP/1.1 100 Continue\r\n\r\n";

/// A bot of a new owner, and its key.
async fn bot_with_key(url: &str) -> (Bot, String) {
    let (_, owner) = Client::new(url).unwrap().sign_up(&name()).await.unwrap();
    let made = owner.post("/v1/bots", json!({ "name": name() })).await.unwrap();
    let (id, key) = (text(&made["bot"]["id"], "bot.id").unwrap(), text(&made["key"], "key").unwrap());
    (Bot { id, client: owner.with_key(&key), owner }, key)
}

/// Waits until a process gets no new work: it says so, or says nothing any more.
async fn drains(program: &Program) {
    let url = format!("{}/readyz", program.admin_url());
    wait::until("the process not to be ready", async || match reqwest::get(&url).await {
        Ok(answer) if answer.status().is_success() => None,
        _ => Some(()),
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_under_way_is_played_while_its_gateway_stops() {
    let mut platform = Apart::start().await;
    let (url, program) = (platform.url().to_owned(), &mut platform.gateway);
    let (creator, (acceptor, key)) = (Bot::join(&url).await, bot_with_key(&url).await);
    let set = agree(&creator, &acceptor, json!({ "game": "breakthrough" })).await;
    let path = format!("/v1/sets/{}", set["id"].as_str().unwrap());
    let choice = &set["games"][0]["legal_moves"][0];
    let body = json!({ "game": 1, "ply": 0, "move": choice }).to_string();
    let address = url.strip_prefix("http://").unwrap();
    let head = format!(
        "POST {path}/moves HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let mut connection = TcpStream::connect(address).await.unwrap();
    connection.write_all(head.as_bytes()).await.unwrap();
    let mut told_to_go_on = [0; GO_ON.len()];
    connection.read_exact(&mut told_to_go_on).await.unwrap();
    assert_eq!(told_to_go_on, GO_ON, "the request is under way, and its body is waited for");

    program.signal(Signal::TERM);
    drains(program).await;
    connection.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(program.ended().await.code(), Some(0), "{}", program.log());

    program.start().await;
    assert_eq!(creator.client.get(&path).await.unwrap()["games"][0]["ply"], 1, "what was answered is there");
}

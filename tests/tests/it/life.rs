//! The life of the platform's process: settings, start, restart on its data, the end.

use farside_tests::{
    bots::{Bot, agree, play_out},
    program::{Program, free_address},
};
use rustix::process::Signal;
use serde_json::json;

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

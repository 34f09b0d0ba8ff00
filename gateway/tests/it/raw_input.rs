//! What no HTTP client would send, byte by byte over TCP: the answer is a problem or a closed connection, never a fault of
//! ours. The same seed sends the same bytes; a failure names the seed and the bytes.

use farside_kit::ids::{IdSource, SeededIds};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{PATIENCE, Platform, generous, logged};

/// Messages of each kind.
const ROUNDS: usize = 24;

/// Draws bytes and choices.
struct Dice(SeededIds);

impl Dice {
    fn below(&self, end: usize) -> usize {
        (self.0.random_u128() % end as u128) as usize
    }

    fn one<'a, T>(&self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    fn bytes(&self, most: usize) -> Vec<u8> {
        let mut bytes = vec![0; self.below(most + 1)];
        self.0.fill(&mut bytes);
        bytes
    }
}

/// Bytes to send, and whether the sender then says that nothing follows.
struct Message {
    bytes: Vec<u8>,
    ends: bool,
}

fn whole(bytes: Vec<u8>) -> Message {
    Message { bytes, ends: false }
}

fn broken_off(bytes: Vec<u8>) -> Message {
    Message { bytes, ends: true }
}

fn post(path: &str, key: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: farside.test\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n{headers}\r\n"
    );
    [head.as_bytes(), body].concat()
}

fn with_length(path: &str, key: &str, body: &[u8]) -> Vec<u8> {
    post(path, key, &format!("Content-Length: {}\r\n", body.len()), body)
}

const PATHS: [&str; 7] = [
    "/v1/challenges",
    "/v1/bots",
    "/v1/players",
    "/v1/games/breakthrough/positions",
    "/v1/records/verify",
    "/v1/sets/set_01ARZ3NDEKTSV4RRFFQ69G5FAV/moves",
    "/mcp",
];

/// JSON that was right before a few of its bytes were changed.
fn mutated_json(dice: &Dice, key: &str) -> Message {
    let right = [
        json!({"game": "breakthrough", "clock": {"initial_s": 60, "increment_s": 2}, "stake": {"currency": "PTS", "amount": 10}}),
        json!({"name": "abc", "max_stake": 5, "accepts": {"games": ["breakthrough"]}}),
        json!({"game": 1, "ply": 0, "move": {"from": [1, 0], "to": [2, 0]}}),
        json!({"options": {"size": 6}, "moves": [{"from": [1, 0], "to": [2, 0]}], "seed": null}),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "me", "arguments": {}}}),
    ];
    let mut body = dice.one(&right).to_string().into_bytes();
    for _ in 0..=dice.below(4) {
        let place = dice.below(body.len());
        match dice.below(4) {
            0 => body[place] = dice.bytes(1).first().copied().unwrap_or(b'"'),
            1 => drop(body.remove(place)),
            2 => body.insert(place, *dice.one(b"{}[]\",:-0eE.\\\xff\x00 ")),
            _ => body.truncate(place.max(1)),
        }
        if body.is_empty() {
            body.push(b'{');
        }
    }
    whole(with_length(dice.one::<&str>(&PATHS), key, &body))
}

/// Bodies that are extreme in one way.
fn extreme_body(dice: &Dice, key: &str) -> Message {
    let deep = dice.below(20_000);
    let bodies = [
        [vec![b'['; deep], vec![b']'; deep]].concat(),
        "{\"a\":".repeat(deep).into_bytes(),
        format!("{{\"game\":{}}}", "9".repeat(1 + dice.below(5_000))).into_bytes(),
        format!("{{\"stake\":{{\"currency\":\"PTS\",\"amount\":-1e{}}}}}", dice.below(999_999)).into_bytes(),
        format!("{{\"game\":\"{}\"}}", "\\ud800".repeat(dice.below(500))).into_bytes(),
        "{\"game\":\"x\"}".encode_utf16().flat_map(u16::to_be_bytes).collect(),
        [b"\xef\xbb\xbf".as_slice(), b"{}"].concat(),
        dice.bytes(2_000),
        vec![b' '; 70_000],
    ];
    whole(with_length(dice.one::<&str>(&PATHS), key, dice.one::<Vec<u8>>(&bodies)))
}

/// Heads that are wrong, or stranger than they need to be.
fn strange_head(dice: &Dice, key: &str) -> Message {
    let many: String = (0..200).map(|i| format!("X-{i}: 1\r\n")).collect();
    let long = format!("X-Long: {}\r\n", "a".repeat(1 + dice.below(60_000)));
    let headers = [
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Host: other.test\r\nContent-Length: 0\r\n",
        "Authorization: Bearer\r\nContent-Length: 0\r\n",
        "Cookie: farside_session=\r\nContent-Length: 0\r\n",
        "Expect: 200-maybe\r\nContent-Length: 0\r\n",
        "Upgrade: websocket\r\nSec-WebSocket-Key: ?\r\nContent-Length: 0\r\n",
        "Idempotency-Key: \x01\x02\r\nContent-Length: 0\r\n",
        "Last-Event-ID: \u{ff}\r\nContent-Length: 0\r\n",
        "X-Folded: a\r\n b\r\nContent-Length: 0\r\n",
        "No Colon\r\nContent-Length: 0\r\n",
        ": nameless\r\nContent-Length: 0\r\n",
        "traceparent: 00-zz-zz-zz\r\nContent-Length: 0\r\n",
        &many,
        &long,
    ];
    broken_off(post(dice.one::<&str>(&PATHS), key, dice.one::<&str>(&headers), b"{}"))
}

/// First lines that are none.
fn strange_line(dice: &Dice, _: &str) -> Message {
    let long = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(dice.below(60_000)));
    let lines = [
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/0.9\r\n\r\n",
        "get / http/1.1\r\n\r\n",
        "G\x01T / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http://elsewhere.test/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "TRACE /v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /v1/../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /v1/me/turns?wait=%zz&after=%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /v1/bots?cursor=\u{1f642} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\u{fc}\x03\x03",
        &long,
    ];
    broken_off(dice.one(&lines).as_bytes().to_vec())
}

/// Chunks that do not add up.
fn strange_chunks(dice: &Dice, key: &str) -> Message {
    let extension = format!("2;{}\r\n{{}}\r\n0\r\n\r\n", "x".repeat(dice.below(40_000)));
    let trailers = format!("2\r\n{{}}\r\n0\r\n{}\r\n", "X-Trailer: 1\r\n".repeat(dice.below(2_000)));
    let bodies = [
        "zz\r\n{}\r\n0\r\n\r\n",
        "-2\r\n{}\r\n0\r\n\r\n",
        "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
        "7fffffffffffffff\r\n{}",
        "2\r\n{}0\r\n\r\n",
        "2\r\n{}\r\n",
        "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
        "0\r\n\r\n",
        "\r\n\r\n",
        &extension,
        &trailers,
    ];
    broken_off(post(dice.one::<&str>(&PATHS), key, "Transfer-Encoding: chunked\r\n", dice.one(&bodies).as_bytes()))
}

/// Many requests at once, right and wrong, in one go.
fn pipelined(dice: &Dice, key: &str) -> Message {
    let requests = [
        "GET /v1/games HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
        "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
        format!("GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\r\n"),
        "POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}".to_owned(),
        "DELETE /v1/bots/x/keys/y HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
    ];
    let mut bytes: Vec<u8> = (0..1 + dice.below(20)).flat_map(|_| dice.one(&requests).clone().into_bytes()).collect();
    bytes.extend_from_slice(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    whole(bytes)
}

/// A right request of which the end is missing.
fn half(dice: &Dice, key: &str) -> Message {
    let mut bytes = with_length("/v1/challenges", key, br#"{"game":"breakthrough"}"#);
    bytes.truncate(1 + dice.below(bytes.len() - 1));
    broken_off(bytes)
}

/// The opening of HTTP/2 and then anything.
fn strange_frames(dice: &Dice, _: &str) -> Message {
    let settings = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00".as_slice();
    broken_off([b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_slice(), settings, &dice.bytes(4_000)].concat())
}

/// Sends and returns all that comes back.
async fn exchange(address: &str, message: &Message) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The other end may close before it has read everything, which fails the rest of the writing.
    let _ = stream.write_all(&message.bytes).await;
    if message.ends {
        let _ = stream.shutdown().await;
    }
    let mut answer = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    assert!(read.is_ok(), "the connection is neither answered nor closed: {}", shown(&message.bytes));
    answer
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(600)]).escape_debug().to_string()
}

/// Every answer in what came back: its status, and whether it has the form of a problem.
fn answers(bytes: &[u8]) -> Vec<(u16, bool)> {
    let text = String::from_utf8_lossy(bytes);
    let heads = text.split("HTTP/1.").skip(1).filter_map(|rest| {
        let status = rest.get(2..5)?.parse().ok()?;
        Some((status, rest.split("\r\n\r\n").next()?.to_ascii_lowercase()))
    });
    heads.map(|(status, head)| (status, head.contains("application/problem+json"))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_comes_over_the_wire_is_refused_in_our_form_or_not_at_all() {
    let seed = std::env::var("FARSIDE_TEST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_130);
    let platform = Platform::with(generous()).await;
    let key = platform.newcomer().await.owner.key.unwrap();
    let address = platform.url.strip_prefix("http://").unwrap().to_owned();
    let dice = Dice(SeededIds::new(seed));
    let kinds: [fn(&Dice, &str) -> Message; 8] =
        [mutated_json, extreme_body, strange_head, strange_line, strange_chunks, pipelined, half, strange_frames];
    let mut answered = 0;
    for kind in (0..ROUNDS).flat_map(|_| kinds) {
        let message = kind(&dice, &key);
        for (status, is_problem) in answers(&exchange(&address, &message).await) {
            let bytes = shown(&message.bytes);
            assert!(status < 500, "seed {seed}: {status} to {bytes}");
            // What is no request at all is refused below us, without a body.
            let is_below = matches!(status, 400 | 414 | 431);
            assert!(status < 400 || is_problem || is_below, "seed {seed}: {status} without a problem to {bytes}");
            answered += 1;
        }
    }
    assert!(answered > ROUNDS, "{answered}");
    assert_eq!(platform.anyone().get("/v1/games").await.0, 200, "it goes on");
    let log = logged();
    assert!(!log.contains("panicked"), "seed {seed}: {}", &log[log.find("panicked").unwrap_or(0)..]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_come_is_not_waited_for_for_ever() {
    let platform = Platform::start().await;
    let key = platform.newcomer().await.owner.key.unwrap();
    let address = platform.url.strip_prefix("http://").unwrap().to_owned();
    let mut slow = TcpStream::connect(&address).await.unwrap();
    slow.write_all(&post("/v1/bots", &key, "Content-Length: 100\r\n", b"{")).await.unwrap();
    let mut silent = TcpStream::connect(&address).await.unwrap();
    silent.write_all(b"GET /v1/me HTTP/1.1\r\nHost: x\r\n").await.unwrap();
    let read = |mut stream: TcpStream| async move {
        let mut answer = Vec::new();
        tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("an answer or an end").unwrap();
        answers(&answer)
    };
    let mute = TcpStream::connect(&address).await.unwrap();
    let (slow_answer, silent_answer, nothing) = tokio::join!(read(slow), read(silent), read(mute));
    assert_eq!(slow_answer, [(408, true)]);
    assert_eq!(nothing, []);
    assert!(silent_answer.iter().all(|(status, _)| *status == 408), "{silent_answer:?}");
    assert_eq!(platform.anyone().get("/v1/games").await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_begins_with_http_2_is_answered_in_it_however_the_beginning_is_cut() {
    const SETTINGS: u8 = 4;
    let beginning = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00".as_slice();
    let platform = Platform::start().await;
    let address = platform.url.strip_prefix("http://").unwrap().to_owned();
    for first in [3, 14, 24, beginning.len()] {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(&beginning[..first]).await.unwrap();
        stream.write_all(&beginning[first..]).await.unwrap();
        let mut head = [0; 9];
        let read = tokio::time::timeout(PATIENCE, stream.read_exact(&mut head)).await;
        read.expect("an answer").unwrap();
        assert_eq!(head[3], SETTINGS, "the first frame of an answer in HTTP/2 tells settings");
    }
}

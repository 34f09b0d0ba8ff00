//! What a bot asks, read from its requests: a move, a long poll, a stream. Pure: nothing is sent or answered here.

use serde_json::Value;

/// The way a bot speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// A request over HTTP.
    Http,
    /// A frame over the WebSocket.
    Socket,
}

/// A move as a bot sends it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Played {
    /// `set_…`.
    pub set_id: String,
    /// Game number.
    pub game: u64,
    /// Plies played before.
    pub ply: u64,
    /// The move.
    pub choice: Value,
}

impl Played {
    /// Whether both answer the same turn, whatever they play.
    pub(crate) fn is_same_turn(&self, other: &Self) -> bool {
        self.set_id == other.set_id && self.game == other.game && self.ply == other.ply
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A move.
    Move(Played),
    /// A long poll for turns.
    Poll,
    /// A stream of events, or a socket, that goes on after this event.
    Stream {
        /// The id of the last event that the bot says to have seen.
        after: Option<String>,
    },
    /// Anything else.
    Other,
}

/// A request or frame of the bot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ask {
    /// How it came.
    pub channel: Channel,
    /// What is asked.
    pub kind: Kind,
    /// Method and path, by which repetitions are known.
    pub route: String,
}

/// Reads a request from its parts.
pub(crate) fn of_request(method: &str, path: &str, query: &str, last_event_id: Option<&str>, body: &[u8]) -> Ask {
    let kind = match (method, path) {
        ("POST", "/mcp") => of_tool(body),
        ("POST", path) => moved_set(path).and_then(|set| of_move(set, body)).map_or(Kind::Other, Kind::Move),
        ("GET", "/v1/me/turns") => Kind::Poll,
        ("GET", "/v1/me/socket") => Kind::Stream { after: parameter(query, "after") },
        ("GET", path) if path.ends_with("/events") => Kind::Stream { after: last_event_id.map(str::to_owned) },
        _ => Kind::Other,
    };
    Ask { channel: Channel::Http, kind, route: format!("{method} {path}") }
}

/// Reads a frame of the WebSocket, with what the bot calls it.
pub(crate) fn of_frame(text: &str) -> (Ask, Value) {
    let frame: Value = serde_json::from_str(text).unwrap_or_default();
    let set_id = frame["set_id"].as_str().unwrap_or_default();
    let played = (frame["type"] == "move").then(|| played(set_id, &frame)).flatten();
    let route = format!("frame {}", frame["type"].as_str().unwrap_or_default());
    let ask = Ask { channel: Channel::Socket, kind: played.map_or(Kind::Other, Kind::Move), route };
    (ask, frame["id"].clone())
}

/// The set of a path like `/v1/sets/ID/moves`.
fn moved_set(path: &str) -> Option<&str> {
    path.strip_prefix("/v1/sets/")?.strip_suffix("/moves")
}

fn of_move(set_id: &str, body: &[u8]) -> Option<Played> {
    played(set_id, &serde_json::from_slice(body).ok()?)
}

fn played(set_id: &str, body: &Value) -> Option<Played> {
    let (game, ply) = (body["game"].as_u64()?, body["ply"].as_u64()?);
    Some(Played { set_id: set_id.to_owned(), game, ply, choice: body.get("move")?.clone() })
}

/// A tool of `/mcp` stands for the request that it makes.
fn of_tool(body: &[u8]) -> Kind {
    let message: Value = serde_json::from_slice(body).unwrap_or_default();
    let arguments = &message["params"]["arguments"];
    match message["params"]["name"].as_str() {
        Some("move") => {
            let set_id = arguments["id"].as_str().unwrap_or_default();
            played(set_id, arguments).map_or(Kind::Other, Kind::Move)
        }
        Some("turns") => Kind::Poll,
        _ => Kind::Other,
    }
}

/// A parameter of a query.
fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kind(method: &str, target: &str, body: &str) -> Kind {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        of_request(method, path, query, Some("7"), body.as_bytes()).kind
    }

    #[test]
    fn a_request_is_known_by_what_it_asks() {
        let Kind::Move(played) = kind("POST", "/v1/sets/set_1/moves", r#"{"game":1,"ply":4,"move":{"at":[0,1]}}"#)
        else {
            panic!("a move")
        };
        assert_eq!((played.set_id.as_str(), played.game, played.ply), ("set_1", 1, 4));
        assert_eq!(kind("GET", "/v1/me/turns?wait=5", ""), Kind::Poll);
        assert_eq!(kind("GET", "/v1/me/events", ""), Kind::Stream { after: Some("7".to_owned()) });
        assert_eq!(kind("GET", "/v1/me/socket?after=9", ""), Kind::Stream { after: Some("9".to_owned()) });
        assert_eq!(kind("POST", "/v1/sets/set_1/moves", "no json"), Kind::Other);
        assert_eq!(kind("POST", "/v1/sets/set_1/resign", r#"{"game":1}"#), Kind::Other);
    }

    #[test]
    fn a_tool_and_a_frame_are_the_move_that_they_stand_for() {
        let arguments = json!({"id": "set_1", "game": 1, "ply": 2, "move": {"at": [0, 1]}});
        let message = json!({"method": "tools/call", "params": {"name": "move", "arguments": arguments}});
        let by_tool = kind("POST", "/mcp", &message.to_string());
        let frame = json!({"type": "move", "id": 3, "set_id": "set_1", "game": 1, "ply": 2, "move": {"at": [0, 1]}});
        let (ask, id) = of_frame(&frame.to_string());
        assert_eq!((ask.kind, id), (by_tool, json!(3)));
    }
}

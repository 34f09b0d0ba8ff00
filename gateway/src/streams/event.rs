//! The one format of events, whatever carries them: a name, an id to resume after, and data.
//!
//! Not here: transport.

use std::sync::OnceLock;

use bytes::Bytes;
use farside_proto::matches::v1 as matches;
use matches::set_event;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::json::challenge::ChallengeJson;
use crate::api::json::game::{GameState, LastMove};
use crate::api::json::scalar::{HalfPoints, Timestamp};
use crate::api::json::set::{BySide, SetState};

/// An event on its way to a client.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Event {
    /// What happened: `snapshot`, `move`, `round`, `game_started`, `game_finished`, `set_finished`, `clock_credited`,
    /// `paused`, `resumed`, `challenge`, `reset` or `closed`.
    pub event: &'static str,
    /// Resume after this; null where there is nothing to resume after.
    pub id: Option<String>,
    /// What there is to say.
    pub data: EventData,
}

/// An event that any number of clients are told; it is written down once.
#[derive(Debug)]
pub struct Told {
    /// The event.
    pub event: Event,
    line: OnceLock<Bytes>,
}

impl Told {
    /// Not written down yet.
    #[must_use]
    pub fn new(event: Event) -> Self {
        Self { event, line: OnceLock::new() }
    }

    /// As a server-sent event.
    #[must_use]
    pub fn line(&self) -> Bytes {
        self.line.get_or_init(|| Bytes::from(self.event.line())).clone()
    }
}

/// What an event says.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum EventData {
    /// `snapshot` of a set: everything as it stands.
    Snapshot {
        /// The set.
        set: SetState,
    },
    /// `snapshot` of a participant: everything live that concerns it.
    MySnapshot {
        /// Active sets with their games.
        sets: Vec<SetState>,
        /// Open challenges made by it or to it.
        challenges: Vec<ChallengeJson>,
    },
    /// `move` or `round`: what was played, and the game after it.
    Played {
        /// `set_…`.
        set_id: String,
        /// The event's number in its set.
        seq: u64,
        /// When.
        at: Timestamp,
        /// What was played.
        played: LastMove,
        /// The game after it, with clocks, deadline and status.
        state: GameState,
    },
    /// `game_finished`: the result is in the state.
    GameFinished {
        /// `set_…`.
        set_id: String,
        /// The event's number in its set.
        seq: u64,
        /// When.
        at: Timestamp,
        /// Points of the set so far.
        points: BySide<HalfPoints>,
        /// The game.
        state: GameState,
    },
    /// `clock_credited`: time in which no move could have been accepted was given back.
    ClockCredited {
        /// `set_…`.
        set_id: String,
        /// The event's number in its set.
        seq: u64,
        /// When.
        at: Timestamp,
        /// Milliseconds given back.
        credit_ms: i64,
        /// The game, with clocks and deadline after it.
        state: GameState,
    },
    /// `game_started`, `paused` or `resumed`: the game as it stands.
    Game {
        /// `set_…`.
        set_id: String,
        /// The event's number in its set.
        seq: u64,
        /// When.
        at: Timestamp,
        /// The game.
        state: GameState,
    },
    /// `set_finished`: the set with its seeds revealed, without its games.
    SetFinished {
        /// `set_…`.
        set_id: String,
        /// The event's number in its set.
        seq: u64,
        /// When.
        at: Timestamp,
        /// The set.
        set: SetState,
    },
    /// `challenge`: made, or changed its status.
    Challenge {
        /// The challenge.
        challenge: ChallengeJson,
    },
    /// `reset` or `closed`: why.
    Notice {
        /// Why.
        reason: String,
    },
}

/// Why the gateway ends a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedReason {
    /// A newer stream of the same key or address took its place.
    TooManyStreams,
    /// The key does not count any more.
    KeyRevoked,
    /// The gateway stops: connect again.
    Restarting,
    /// The client reads too slowly: connect again and resume.
    SlowReader,
    /// match-svc does not answer: connect again and resume.
    Unavailable,
}

impl ClosedReason {
    /// As it stands in the event.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooManyStreams => "too_many_streams",
            Self::KeyRevoked => "key_revoked",
            Self::Restarting => "restarting",
            Self::SlowReader => "slow_reader",
            Self::Unavailable => "unavailable",
        }
    }
}

impl Event {
    /// The last event of a stream that the gateway ends.
    #[must_use]
    pub fn closed(reason: ClosedReason) -> Self {
        Self::notice("closed", reason.as_str().to_owned())
    }

    /// What was asked for is no longer kept.
    #[must_use]
    pub fn reset(reason: String) -> Self {
        Self::notice("reset", reason)
    }

    fn notice(event: &'static str, reason: String) -> Self {
        Self { event, id: None, data: EventData::Notice { reason } }
    }

    /// A set as it stands.
    #[must_use]
    pub fn snapshot(set: matches::Set, now_ms: i64) -> Self {
        Self { event: "snapshot", id: None, data: EventData::Snapshot { set: SetState::new(set, now_ms) } }
    }

    /// Everything live that concerns a participant; `cursor` is where it stands.
    #[must_use]
    pub fn my_snapshot(snapshot: matches::ParticipantSnapshot, cursor: String, now_ms: i64) -> Self {
        let sets = snapshot.sets.into_iter().map(|set| SetState::new(set, now_ms)).collect();
        let challenges = snapshot.challenges.into_iter().map(ChallengeJson::from).collect();
        Self { event: "snapshot", id: Some(cursor), data: EventData::MySnapshot { sets, challenges } }
    }

    /// A challenge that was made or changed its status.
    #[must_use]
    pub fn challenge(challenge: matches::Challenge, cursor: String) -> Self {
        Self { event: "challenge", id: Some(cursor), data: EventData::Challenge { challenge: challenge.into() } }
    }

    /// An event of a set with this id; nothing for a kind that this release does not know.
    #[must_use]
    pub fn of_set(event: matches::SetEvent, id: String, now_ms: i64) -> Option<Self> {
        let header = Header { set_id: event.set_id, seq: event.seq, at: Timestamp(event.at_ms), now_ms };
        let (name, data) = header.tell(event.event?);
        Some(Self { event: name, id: Some(id), data })
    }

    /// As a server-sent event. Neither name nor id has a line's end in it, and JSON has none outside of its texts.
    fn line(&self) -> String {
        let data = serde_json::to_string(&self.data).unwrap_or_default();
        match &self.id {
            Some(id) => format!("event: {}\nid: {id}\ndata: {data}\n\n", self.event),
            None => format!("event: {}\ndata: {data}\n\n", self.event),
        }
    }

    /// When what it tells of happened, in milliseconds; nothing for what tells how things stand.
    #[must_use]
    pub fn at_ms(&self) -> Option<i64> {
        match &self.data {
            EventData::Played { at, .. }
            | EventData::GameFinished { at, .. }
            | EventData::ClockCredited { at, .. }
            | EventData::Game { at, .. }
            | EventData::SetFinished { at, .. } => Some(at.0),
            EventData::Snapshot { .. }
            | EventData::MySnapshot { .. }
            | EventData::Challenge { .. }
            | EventData::Notice { .. } => None,
        }
    }

    /// Whether a set's stream ends after this event.
    #[must_use]
    pub fn is_last_of_set(&self) -> bool {
        matches!(self.data, EventData::SetFinished { .. })
    }
}

struct Header {
    set_id: String,
    seq: u64,
    at: Timestamp,
    now_ms: i64,
}

impl Header {
    fn state(&self, game: Option<matches::Game>) -> GameState {
        GameState::new(game.unwrap_or_default(), self.now_ms)
    }

    fn tell(self, event: set_event::Event) -> (&'static str, EventData) {
        match event {
            set_event::Event::GameStarted(started) => ("game_started", self.game(started.game)),
            set_event::Event::MovePlayed(played) => (if played.round { "round" } else { "move" }, self.played(played)),
            set_event::Event::GameFinished(finished) => ("game_finished", self.finished(finished)),
            set_event::Event::SetFinished(finished) => ("set_finished", self.set(finished)),
            set_event::Event::ClockCredited(credited) => ("clock_credited", self.credited(credited)),
            set_event::Event::PauseChanged(changed) => {
                (if changed.paused { "paused" } else { "resumed" }, self.game(changed.game))
            }
        }
    }

    fn game(self, game: Option<matches::Game>) -> EventData {
        let state = self.state(game);
        EventData::Game { set_id: self.set_id, seq: self.seq, at: self.at, state }
    }

    fn played(self, event: matches::MovePlayed) -> EventData {
        let (state, played) = (self.state(event.game), event.played.unwrap_or_default().into());
        EventData::Played { set_id: self.set_id, seq: self.seq, at: self.at, played, state }
    }

    fn finished(self, event: matches::GameFinished) -> EventData {
        let points =
            BySide { creator: HalfPoints(event.creator_half_points), acceptor: HalfPoints(event.acceptor_half_points) };
        let state = self.state(event.game);
        EventData::GameFinished { set_id: self.set_id, seq: self.seq, at: self.at, points, state }
    }

    fn set(self, event: matches::SetFinished) -> EventData {
        let set = SetState::new(event.set.unwrap_or_default(), self.now_ms);
        EventData::SetFinished { set_id: self.set_id, seq: self.seq, at: self.at, set }
    }

    fn credited(self, event: matches::ClockCredited) -> EventData {
        let state = self.state(event.game);
        EventData::ClockCredited { set_id: self.set_id, seq: self.seq, at: self.at, credit_ms: event.credit_ms, state }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(event: set_event::Event) -> (&'static str, bool) {
        let event = matches::SetEvent { set_id: "set_1".to_owned(), seq: 4, at_ms: 9, event: Some(event) };
        let event = Event::of_set(event, "4".to_owned(), 10).unwrap();
        (event.event, event.is_last_of_set())
    }

    #[test]
    fn every_kind_of_event_has_its_name_and_only_the_last_ends_the_stream() {
        use set_event::Event as E;
        assert_eq!(named(E::GameStarted(matches::GameStarted::default())), ("game_started", false));
        assert_eq!(named(E::MovePlayed(matches::MovePlayed::default())), ("move", false));
        assert_eq!(named(E::MovePlayed(matches::MovePlayed { round: true, ..Default::default() })), ("round", false));
        assert_eq!(named(E::GameFinished(matches::GameFinished::default())), ("game_finished", false));
        assert_eq!(named(E::ClockCredited(matches::ClockCredited::default())), ("clock_credited", false));
        assert_eq!(named(E::PauseChanged(matches::PauseChanged { paused: true, game: None })), ("paused", false));
        assert_eq!(named(E::SetFinished(matches::SetFinished::default())), ("set_finished", true));
    }
}

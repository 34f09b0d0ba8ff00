//! How sets and events are kept: compactly, with a game's opaque state instead of everything that rules-svc says about
//! it. Reading gives frames; positions are filled in by whoever can ask rules-svc.

use std::collections::HashMap;
use std::sync::Arc;

use base64::engine::general_purpose::STANDARD_NO_PAD;
use farside_kit::time::UnixMs;
use serde::{Deserialize, Serialize};

use crate::domain::clock::Clock;
use crate::domain::event::{Event, Logged, SetEnd, SetStatus};
use crate::domain::game::{Game, GameStatus};
use crate::domain::ids::{GameNumber, Seat, Seq};
use crate::domain::position::{GameResult, PlayedPly, Position};
use crate::domain::set::{Set, SetInfo};

/// Positions by state, as rules-svc describes them.
pub type Hydrate = HashMap<Vec<u8>, Arc<Position>>;

mod state_text {
    use super::STANDARD_NO_PAD;
    use base64::Engine as _;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD_NO_PAD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        STANDARD_NO_PAD.decode(text.as_bytes()).map_err(D::Error::custom)
    }
}

/// A game without what rules-svc says about its state.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Frame {
    #[serde(rename = "n")]
    number: GameNumber,
    #[serde(rename = "s")]
    status: GameStatus,
    #[serde(rename = "c")]
    creator_seat: Seat,
    #[serde(rename = "p", with = "state_text")]
    state: Vec<u8>,
    #[serde(rename = "k", default, skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    last_move: Option<PlayedPly>,
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    result: Option<GameResult>,
    #[serde(rename = "m")]
    moves: [u32; 2],
}

impl Frame {
    fn of(game: &Game) -> Self {
        Self {
            number: game.number,
            status: game.status,
            creator_seat: game.creator_seat,
            state: game.position.state.clone(),
            clock: game.clock,
            last_move: game.last_move.clone(),
            result: game.result.clone(),
            moves: game.moves,
        }
    }

    fn hydrate(self, positions: &Hydrate) -> Option<Game> {
        Some(Game {
            position: Arc::clone(positions.get(&self.state)?),
            number: self.number,
            status: self.status,
            creator_seat: self.creator_seat,
            clock: self.clock,
            last_move: self.last_move,
            result: self.result,
            moves: self.moves,
        })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FramedEvent {
    Started {
        g: Frame,
    },
    Moved {
        g: Frame,
        round: bool,
        by: Option<Seat>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<Seq>,
    },
    Finished {
        g: Frame,
        hp: [u32; 2],
    },
    Ended {
        end: SetEnd,
    },
    Credited {
        g: Frame,
        ms: i64,
    },
    Pause {
        g: Frame,
        on: bool,
    },
}

/// An event as it is kept.
#[derive(Clone, Debug)]
pub struct FramedLogged {
    /// From 1.
    pub seq: Seq,
    /// When it happened.
    pub at: UnixMs,
    event: FramedEvent,
}

impl FramedLogged {
    /// Reads an event.
    pub(super) fn read(seq: i64, at_ms: i64, payload: &str) -> Result<Self, serde_json::Error> {
        Ok(Self { seq: Seq(seq), at: UnixMs(at_ms), event: serde_json::from_str(payload)? })
    }

    /// The state that has to be described before the event can be told; none for the end of a set.
    #[must_use]
    pub fn state(&self) -> Option<&[u8]> {
        match &self.event {
            FramedEvent::Started { g }
            | FramedEvent::Moved { g, .. }
            | FramedEvent::Finished { g, .. }
            | FramedEvent::Credited { g, .. }
            | FramedEvent::Pause { g, .. } => Some(&g.state),
            FramedEvent::Ended { .. } => None,
        }
    }

    /// The event with its position; none when `positions` lacks it.
    #[must_use]
    pub fn hydrate(self, positions: &Hydrate) -> Option<Logged> {
        let event = match self.event {
            FramedEvent::Started { g } => Event::GameStarted { game: g.hydrate(positions)? },
            FramedEvent::Moved { g, round, by, since } => {
                Event::MovePlayed { game: g.hydrate(positions)?, round, completed_by: by, waited_since: since }
            }
            FramedEvent::Finished { g, hp } => Event::GameFinished { game: g.hydrate(positions)?, half_points: hp },
            FramedEvent::Ended { end } => Event::SetFinished { end },
            FramedEvent::Credited { g, ms } => Event::ClockCredited { game: g.hydrate(positions)?, credit_ms: ms },
            FramedEvent::Pause { g, on } => Event::PauseChanged { game: g.hydrate(positions)?, paused: on },
        };
        Some(Logged { seq: self.seq, at: self.at, event })
    }
}

/// An event's payload as text.
pub(super) fn event_text(event: &Event) -> Result<String, serde_json::Error> {
    let framed = match event {
        Event::GameStarted { game } => FramedEvent::Started { g: Frame::of(game) },
        Event::MovePlayed { game, round, completed_by, waited_since } => {
            FramedEvent::Moved { g: Frame::of(game), round: *round, by: *completed_by, since: *waited_since }
        }
        Event::GameFinished { game, half_points } => FramedEvent::Finished { g: Frame::of(game), hp: *half_points },
        Event::SetFinished { end } => FramedEvent::Ended { end: *end },
        Event::ClockCredited { game, credit_ms } => FramedEvent::Credited { g: Frame::of(game), ms: *credit_ms },
        Event::PauseChanged { game, paused } => FramedEvent::Pause { g: Frame::of(game), on: *paused },
    };
    serde_json::to_string(&framed)
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct FramedState {
    status: SetStatus,
    games: Vec<Frame>,
    end: Option<SetEnd>,
    credited: i64,
    touched: i64,
    logged: i64,
}

/// A set as it is kept.
#[derive(Clone, Debug)]
pub struct FramedSet {
    info: Arc<SetInfo>,
    seq: Seq,
    state: FramedState,
}

impl FramedSet {
    pub(super) fn read(info: &str, seq: i64, state: &str) -> Result<Self, serde_json::Error> {
        Ok(Self { info: Arc::new(serde_json::from_str(info)?), seq: Seq(seq), state: serde_json::from_str(state)? })
    }

    /// What never changes.
    #[must_use]
    pub fn info(&self) -> &Arc<SetInfo> {
        &self.info
    }

    /// Number of the last event.
    #[must_use]
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Where it stands.
    #[must_use]
    pub fn status(&self) -> SetStatus {
        self.state.status
    }

    /// How it ended.
    #[must_use]
    pub fn end(&self) -> Option<SetEnd> {
        self.state.end
    }

    /// The states that have to be described before the set can be told.
    pub fn states(&self) -> impl Iterator<Item = &[u8]> {
        self.state.games.iter().map(|frame| frame.state.as_slice())
    }

    /// Points in halves so far of the creator and the acceptor.
    #[must_use]
    pub fn half_points(&self) -> [u32; 2] {
        self.state.games.iter().fold([0, 0], |sum, frame| match &frame.result {
            None => sum,
            Some(GameResult { winner: None, .. }) => [sum[0] + 1, sum[1] + 1],
            Some(GameResult { winner: Some(seat), .. }) if *seat == frame.creator_seat => [sum[0] + 2, sum[1]],
            Some(_) => [sum[0], sum[1] + 2],
        })
    }

    /// The set with positions of which the state alone is known: enough to decide about clocks, and never to be shown.
    #[must_use]
    pub fn bare(&self) -> Set {
        let positions = self.states().map(|state| (state.to_vec(), Arc::new(Position::bare(state))));
        let positions: Hydrate = positions.collect();
        self.clone().hydrate(&positions).expect("every state of the set has a position")
    }

    /// The set with its positions; none when `positions` lacks one.
    #[must_use]
    pub fn hydrate(self, positions: &Hydrate) -> Option<Set> {
        let games = self.state.games.into_iter().map(|frame| frame.hydrate(positions)).collect::<Option<Vec<_>>>()?;
        Some(Set {
            info: self.info,
            seq: self.seq,
            status: self.state.status,
            games,
            end: self.state.end,
            credited_through_ms: self.state.credited,
            touched_ms: self.state.touched,
            logged_ms: self.state.logged,
        })
    }
}

/// A set's changing part as text.
pub(super) fn state_text(set: &Set) -> Result<String, serde_json::Error> {
    serde_json::to_string(&FramedState {
        status: set.status,
        games: set.games.iter().map(Frame::of).collect(),
        end: set.end,
        credited: set.credited_through_ms,
        touched: set.touched_ms,
        logged: set.logged_ms,
    })
}

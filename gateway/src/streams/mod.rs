//! Event streams: one format of events, over server-sent events and WebSocket.
//!
//! Each stream is fed by a watch on match-svc and ends when its key is revoked, when a newer stream takes its place, or
//! when the gateway stops; it says why. Not here: what is in an event, which match-svc decides.

mod event;
mod registry;
pub mod socket;
mod source;
pub mod sse;

pub use event::{ClosedReason, Event, EventData};
pub use registry::{StreamLimits, Streams, Ticket};
pub use source::{Feed, Source};

//! Event streams: one format of events, over server-sent events and WebSocket.
//!
//! Each stream is fed by a watch on match-svc, which all that follow the same set share, and ends when its key is revoked,
//! when a newer stream takes its place, or when the gateway stops; it says why. Not here: what is in an event, which
//! match-svc decides.

mod event;
mod hub;
mod registry;
pub mod socket;
mod source;
pub mod sse;
mod watch;

pub use event::{ClosedReason, Event, EventData, Told};
pub use hub::Hub;
pub use registry::{Streams, Ticket};
pub use source::Source;
pub use watch::Feed;

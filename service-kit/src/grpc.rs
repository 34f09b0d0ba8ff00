//! gRPC between the services: the ways to each other, the server's side and the client's side.
//!
//! Not here: any contract; routes and clients are generated in `farside-proto`.

pub mod access;
mod balance;
mod call;
pub mod client;
pub mod renewal;
mod secured;
pub mod server;
mod socket;
pub mod tls;
pub mod transport;

pub use access::{AllowList, Caller, Callers, Known, ServiceTokens, caller};
#[cfg(feature = "testing")]
pub use client::{Direct, direct};
pub use client::{RetryPolicy, Traced, channel, retry, retry_over};
pub use server::Server;
pub use tls::{Tls, TlsArgs, TlsFault};
pub use transport::{Endpoint, Listener, MemoryHub};

/// The largest message that a generated server or client decodes: tonic's own limit, kept.
pub const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;

//! Names of span fields and attributes, in one place.
//!
//! Not here: values; in particular never keys, tokens, seeds or secret placements.

/// The service that made a call.
pub const CALLER: &str = "farside.caller";
/// The numeric gRPC status of a call.
pub const STATUS_CODE: &str = "rpc.grpc.status_code";
/// `ERROR` when a span ended in a fault of ours.
pub const OTEL_STATUS: &str = "otel.status_code";
/// The name under which a span is exported.
pub const OTEL_NAME: &str = "otel.name";
/// A set's id.
pub const SET_ID: &str = "farside.set_id";
/// The number of a game within its set.
pub const GAME_NUMBER: &str = "farside.game_number";
/// The name of a game.
pub const GAME: &str = "farside.game";
/// How many plies have been played.
pub const PLY: &str = "farside.ply";
/// The id of a trace in a log line.
pub const TRACE_ID: &str = "trace_id";
/// The id of a span in a log line.
pub const SPAN_ID: &str = "span_id";

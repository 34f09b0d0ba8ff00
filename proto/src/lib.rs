//! The gRPC contracts of farside as Rust types, generated when the crate is built from `proto/farside/*/v1/*.proto`.
//!
//! The crate holds nothing but what is generated: conversions to domain types live in each service's `grpc/`.

#![allow(missing_docs, clippy::all, unreachable_pub, reason = "generated code; its comments come from the contracts")]

/// The descriptors of all contracts with their comments, for reflection and contract checks.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/farside.binpb"));

/// rules-svc: games, verification, analysis.
pub mod rules {
    /// Version 1.
    pub mod v1 {
        tonic::include_proto!("farside.rules.v1");
    }
}

/// match-svc: challenges, sets, clocks, events.
pub mod matches {
    /// Version 1. The proto package is `farside.match.v1`; `match` is a keyword in Rust.
    pub mod v1 {
        tonic::include_proto!("farside.r#match.v1");
    }
}

/// ledger-svc: accounts, holds, settlement.
pub mod ledger {
    /// Version 1.
    pub mod v1 {
        tonic::include_proto!("farside.ledger.v1");
    }
}

/// The log of operations that every service with operations keeps.
pub mod operator {
    /// Version 1.
    pub mod v1 {
        tonic::include_proto!("farside.operator.v1");
    }
}

/// rating-svc: ratings, statistics, leaderboards.
pub mod rating {
    /// Version 1.
    pub mod v1 {
        tonic::include_proto!("farside.rating.v1");
    }
}

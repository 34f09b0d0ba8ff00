//! The service as gRPC: parse, call, convert. Nothing is decided here but who may call what.

mod convert;
mod fault;
mod service;

use farside_kit::grpc::AllowList;

pub(crate) use service::{Pools, RulesGrpc};

/// match-svc plays, the gateway shows and verifies, and the catalogue is for every service.
pub(crate) fn allow_list() -> AllowList {
    const MATCH: &[&str] = &["match-svc"];
    const GATEWAY: &[&str] = &["gateway"];
    AllowList::new()
        .every_service(&["/farside.rules.v1.RulesService/ListGames", "/farside.rules.v1.RulesService/GetGame"])
        .methods(
            &[
                "/farside.rules.v1.RulesService/ResolveOptions",
                "/farside.rules.v1.RulesService/DeriveSetSeed",
                "/farside.rules.v1.RulesService/NewGame",
                "/farside.rules.v1.RulesService/CheckMove",
                "/farside.rules.v1.RulesService/Apply",
                "/farside.rules.v1.RulesService/Describe",
                "/farside.rules.v1.RulesService/ChooseMove",
                "/farside.rules.v1.RulesService/SealRecord",
            ],
            MATCH,
        )
        .methods(
            &[
                "/farside.rules.v1.RulesService/Replay",
                "/farside.rules.v1.RulesService/Analyze",
                "/farside.rules.v1.RulesService/VerifyRecord",
            ],
            GATEWAY,
        )
}

//! One move is one trace, from the public API down to the rules and the database.

use std::collections::BTreeSet;

use farside_tests::{
    apart::Apart,
    bots::{Bot, agree},
    collector::{Collector, Span},
};
use serde_json::json;

fn services(trace: &[Span]) -> BTreeSet<&str> {
    trace.iter().map(|span| span.service.as_str()).collect()
}

fn has(trace: &[Span], service: &str, name: &str) -> bool {
    trace.iter().any(|span| span.service == service && span.name.contains(name))
}

#[tokio::test(flavor = "multi_thread")]
async fn one_move_is_one_trace_across_the_services() {
    let collector = Collector::start().await;
    let mut platform = Apart::prepare().await;
    platform.trace_to(&collector);
    platform.start_all().await;
    let (creator, acceptor) = (Bot::join(platform.url()).await, Bot::join(platform.url()).await);
    agree(&creator, &acceptor, json!({ "game": "breakthrough" })).await;
    assert!(acceptor.play_turns().await.unwrap(), "the acceptor moves first");

    let trace = collector
        .wait_for_trace("the trace of a move", |trace| {
            has(trace, "match-svc", "PlayMove")
                && has(trace, "rules-svc", "Apply")
                && services(trace).contains("gateway")
        })
        .await;

    let roots: Vec<_> = trace.iter().filter(|span| span.parent_span_id.is_none()).collect();
    assert_eq!(roots.len(), 1, "one span begins the trace: {roots:?}");
    assert_eq!(roots[0].service, "gateway");
    let ids: BTreeSet<_> = trace.iter().map(|span| &span.span_id).collect();
    assert!(trace.iter().filter_map(|span| span.parent_span_id.as_ref()).all(|parent| ids.contains(parent)));
}

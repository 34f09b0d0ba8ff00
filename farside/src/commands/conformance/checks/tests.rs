//! Logs written by hand, and the one verdict that each leads to.

use serde_json::{Value, json};

use super::super::ask::{Ask, Channel, Kind, Played};
use super::super::log::{Answer, End, Fate, Log, What};
use super::super::script::Name;
use super::{Verdict, all};

fn asked(kind: Kind) -> What {
    let route = match &kind {
        Kind::Move(played) => format!("POST /v1/sets/{}/moves", played.set_id),
        other => format!("{other:?}"),
    };
    What::Asked(Ask { channel: Channel::Http, kind, route })
}

fn a_move(ply: u64, choice: Value) -> What {
    asked(Kind::Move(Played { set_id: "set_1".to_owned(), game: 1, ply, choice }))
}

fn answered(status: u16, code: Option<&str>, retry_after_ms: Option<u64>) -> Fate {
    Fate::Answered(Answer { status, code: code.map(str::to_owned), retry_after_ms, is_stale: false })
}

fn stale() -> Fate {
    Fate::Answered(Answer { status: 200, is_stale: true, ..Answer::default() })
}

/// A log of lines with their moments; `came` counts places from 0.
fn log(lines: Vec<(u64, What)>) -> Log {
    let mut log = Log::default();
    for (at_ms, what) in lines {
        log.note(at_ms, what);
    }
    log
}

fn came(to: usize, fate: Fate) -> What {
    What::Came { to, fate }
}

fn verdict(name: &str, lines: Vec<(u64, What)>) -> Verdict {
    let checks = all(&log(lines));
    checks.into_iter().find(|check| check.name == name).unwrap().finding.verdict
}

#[test]
fn an_empty_log_shows_nothing() {
    assert!(all(&Log::default()).iter().all(|check| check.finding.verdict == Verdict::NotSeen));
}

#[test]
fn another_move_after_a_lost_answer_is_no_retry() {
    let retried = |choice: Value| {
        verdict("retries", vec![(0, a_move(3, json!([1]))), (1, came(0, Fate::Lost)), (9, a_move(3, choice))])
    };
    assert_eq!([retried(json!([1])), retried(json!([2]))], [Verdict::Passed, Verdict::Failed]);
    let gone_on = vec![(0, a_move(3, json!([1]))), (1, came(0, Fate::Lost)), (9, a_move(5, json!([2])))];
    assert_eq!(verdict("retries", gone_on), Verdict::NotSeen, "it looked, and saw that its move had been played");
}

#[test]
fn retry_after_is_a_promise_to_the_millisecond_but_for_the_clocks() {
    let back_after = |ms: u64| {
        let refused = came(0, answered(429, Some("rate_limited"), Some(2_000)));
        verdict("retry-after", vec![(0, a_move(3, json!([1]))), (10, refused), (10 + ms, a_move(3, json!([1])))])
    };
    assert_eq!([back_after(2_000), back_after(1_960)], [Verdict::Passed, Verdict::Passed]);
    assert_eq!([back_after(1_900), back_after(0)], [Verdict::Failed, Verdict::Failed]);
}

#[test]
fn an_outage_is_met_with_a_pause_and_the_same_move() {
    let again = |ms: u64, choice: Value| {
        let refused = came(0, answered(503, Some("unavailable"), Some(1_000)));
        verdict("outage", vec![(0, a_move(3, json!([1]))), (10, refused), (10 + ms, a_move(3, choice))])
    };
    assert_eq!(again(100, json!([1])), Verdict::Passed);
    assert_eq!([again(5, json!([1])), again(100, json!([2]))], [Verdict::Failed, Verdict::Failed]);
}

#[test]
fn moves_after_the_end_and_for_a_past_ply_are_seen() {
    let after = |name: &str, code: &str, ply: u64| {
        let refused = came(0, answered(409, Some(code), None));
        verdict(name, vec![(0, a_move(3, json!([1]))), (10, refused), (20, a_move(ply, json!([1])))])
    };
    assert_eq!(after("game-over", "game_over", 4), Verdict::Failed);
    assert_eq!(
        [after("stale-ply", "stale_ply", 3), after("stale-ply", "stale_ply", 5)],
        [Verdict::Failed, Verdict::Passed]
    );
}

#[test]
fn a_stream_goes_on_where_it_was_cut() {
    let opened = |after: Option<&str>| {
        let stream = asked(Kind::Stream { after: after.map(str::to_owned) });
        verdict("resume", vec![(0, What::Cut { after: Some("7".to_owned()) }), (5, stream)])
    };
    assert_eq!(opened(Some("7")), Verdict::Passed);
    assert_eq!([opened(Some("6")), opened(None)], [Verdict::Failed, Verdict::Failed]);
    assert_eq!(verdict("reconnect", vec![(0, What::Cut { after: None })]), Verdict::Failed);
}

#[test]
fn a_tight_loop_is_one_that_learns_nothing() {
    let polls = |pause_ms: u64| {
        let one = |i: u64| {
            [(i * pause_ms, asked(Kind::Poll)), (i * pause_ms + 1, came(usize::try_from(2 * i).unwrap(), stale()))]
        };
        verdict("polling", (0..50).flat_map(one).collect())
    };
    assert_eq!([polls(10), polls(500)], [Verdict::Failed, Verdict::Passed]);
}

#[test]
fn a_round_is_placed_once() {
    let placed = |second: Value, first: Fate| {
        let lines = vec![
            (0, What::Began(Name::Rounds)),
            (1, a_move(0, json!([1]))),
            (2, came(1, first)),
            (3, a_move(0, second)),
        ];
        verdict("rounds", lines)
    };
    assert_eq!(placed(json!([1]), Fate::Lost), Verdict::Passed);
    assert_eq!(placed(json!([2]), Fate::Lost), Verdict::Failed);
    assert_eq!(
        placed(json!([2]), answered(422, Some("illegal_move"), None)),
        Verdict::Passed,
        "the first never counted"
    );
}

#[test]
fn games_end_on_the_board_and_not_on_the_clock() {
    let ended = |name: &str, end: End| verdict(name, vec![(0, What::Ended { script: Name::Limits, end })]);
    let lost = |reason: &str| End::Played { lost_by: vec![reason.to_owned()] };
    assert_eq!(
        [ended("deadlines", lost("far_row")), ended("deadlines", lost("timeout"))],
        [Verdict::Passed, Verdict::Failed]
    );
    assert_eq!(
        [ended("to-the-end", lost("timeout")), ended("to-the-end", End::Abandoned)],
        [Verdict::Passed, Verdict::Failed]
    );
}

#[test]
fn a_key_that_was_refused_is_not_pressed() {
    let pressed = |times: usize| {
        let mut lines = vec![(0, What::Began(Name::RevokedKey))];
        for i in 0..times {
            lines.push((1, asked(Kind::Poll)));
            lines.push((1, came(1 + 2 * i, answered(401, Some("unauthenticated"), None))));
        }
        verdict("revoked-key", lines)
    };
    assert_eq!([pressed(0), pressed(2), pressed(40)], [Verdict::NotSeen, Verdict::Passed, Verdict::Failed]);
    assert_eq!(verdict("key", vec![(0, What::Leaked("in the address of a request"))]), Verdict::Failed);
}

//! Connections: whether a bot comes back, goes on where it was, asks no more than it has to, and keeps its key.

use std::collections::HashMap;

use super::super::ask::Kind;
use super::super::log::{Log, Ms, What};
use super::{Finding, Seen};

/// Answers without news that a route may give within [`WINDOW_MS`].
const STALE_ANSWERS: usize = 12;
/// The time in which they are counted.
const WINDOW_MS: Ms = 1_000;

pub(super) fn reconnect(seen: &Seen<'_>) -> Finding {
    let broken = seen.exchanges.iter().filter_map(super::Exchange::lost);
    let cut = seen.log.entries().iter().filter(|entry| matches!(entry.what, What::Cut { .. })).map(|entry| entry.at_ms);
    let cases = broken.chain(cut).map(|at_ms| match seen.since(at_ms).next() {
        Some(_) => Ok(()),
        None => Err("after a broken connection nothing more was asked".to_owned()),
    });
    Finding::of(cases, "back after a broken connection", "no connection was broken")
}

pub(super) fn resume(seen: &Seen<'_>) -> Finding {
    let cuts = seen.log.entries().iter().filter_map(|entry| match &entry.what {
        What::Cut { after: Some(last) } => Some((entry.at_ms, last)),
        _ => None,
    });
    let cases = cuts.filter_map(|(at_ms, last)| {
        let mut streams = seen.since(at_ms).filter_map(|exchange| match &exchange.ask.kind {
            Kind::Stream { after } => Some(after),
            _ => None,
        });
        Some(match streams.next()? {
            Some(after) if after == last => Ok(()),
            Some(after) => Err(format!("cut after event {last}, gone on after {after}")),
            None => Err(format!("cut after event {last}, begun again without saying so")),
        })
    });
    Finding::of(cases, "gone on after the last event", "no stream was opened again after it was cut")
}

pub(super) fn polling(seen: &Seen<'_>) -> Finding {
    let mut stale: HashMap<&str, Vec<Ms>> = HashMap::new();
    for exchange in &seen.exchanges {
        if let Some((at_ms, answer)) = exchange.answer()
            && answer.is_stale
        {
            stale.entry(&exchange.ask.route).or_default().push(at_ms);
        }
    }
    let most = stale.iter().map(|(route, moments)| (densest(moments), *route)).max();
    match most {
        _ if seen.exchanges.is_empty() => Finding::not_seen("nothing was asked"),
        Some((most, route)) if most > STALE_ANSWERS => {
            Finding::failed(format!("{route}: {most} answers without news within a second"))
        }
        Some((most, route)) => {
            Finding::passed(format!("at most {most} answers without news within a second ({route})"))
        }
        None => Finding::passed("every answer said something new"),
    }
}

/// Most moments within any window.
fn densest(moments: &[Ms]) -> usize {
    let within =
        |(start, at_ms): (usize, &Ms)| moments[start..].iter().take_while(|other| **other < at_ms + WINDOW_MS).count();
    moments.iter().enumerate().map(within).max().unwrap_or(0)
}

pub(super) fn key(seen: &Seen<'_>) -> Finding {
    match leaks(seen.log).next() {
        Some(place) => Finding::failed(format!("a key was seen {place}")),
        None if seen.exchanges.is_empty() => Finding::not_seen("nothing was asked"),
        None => Finding::passed("seen in headers alone, and nowhere else"),
    }
}

fn leaks(log: &Log) -> impl Iterator<Item = &'static str> {
    log.entries().iter().filter_map(|entry| match entry.what {
        What::Leaked(place) => Some(place),
        _ => None,
    })
}

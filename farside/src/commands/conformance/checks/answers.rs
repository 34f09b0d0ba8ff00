//! Answers that are lost, refused or late: what the bot does next.

use super::super::ask::Played;
use super::super::log::{Exchange, Ms, What};
use super::super::script::Name;
use super::{Finding, Seen};

/// A clock of another process may be a little ahead.
const TOLERANCE_MS: Ms = 50;
/// The least pause before the same is asked of a platform that is not available.
const LEAST_PAUSE_MS: Ms = 40;
/// Attempts with a revoked key that are no storm.
const ATTEMPTS: usize = 8;

/// The move for the same turn that was sent next.
fn next_for<'a>(seen: &'a Seen<'_>, after: &Exchange<'_>, played: &Played) -> Option<&'a Exchange<'a>> {
    let later = seen.exchanges.iter().filter(|exchange| exchange.place > after.place);
    later.into_iter().find(|exchange| exchange.played().is_some_and(|other| other.is_same_turn(played)))
}

pub(super) fn retries(seen: &Seen<'_>) -> Finding {
    let lost = seen.exchanges.iter().filter(|exchange| exchange.lost().is_some());
    let cases = lost.filter_map(|exchange| {
        let played = exchange.played()?;
        let again = next_for(seen, exchange, played)?.played()?;
        Some(if again.choice == played.choice {
            Ok(())
        } else {
            Err(format!(
                "game {} ply {}: sent {}, and after the lost answer {}",
                played.game, played.ply, played.choice, again.choice
            ))
        })
    });
    Finding::of(cases, "the same move again", "no move was sent again after its answer was lost")
}

pub(super) fn retry_after(seen: &Seen<'_>) -> Finding {
    let limited = seen.exchanges.iter().filter_map(|exchange| {
        let (at_ms, answer) = exchange.answer().filter(|(_, answer)| answer.status == 429)?;
        Some((exchange, at_ms, answer.retry_after_ms?))
    });
    let cases = limited.map(|(exchange, at_ms, pause_ms)| {
        let mut same =
            seen.since(at_ms).filter(|next| next.place > exchange.place && next.ask.route == exchange.ask.route);
        match same.next() {
            Some(next) if next.at_ms + TOLERANCE_MS < at_ms + pause_ms => {
                Err(format!("{}: told to wait {pause_ms} ms, back after {} ms", exchange.ask.route, next.at_ms - at_ms))
            }
            _ => Ok(()),
        }
    });
    Finding::of(cases, "waited", "nothing was refused with 429")
}

pub(super) fn outage(seen: &Seen<'_>) -> Finding {
    let away = seen.exchanges.iter().filter_map(|exchange| {
        let (at_ms, _) = exchange.answer().filter(|(_, answer)| answer.status == 503)?;
        Some((exchange, at_ms))
    });
    let cases = away.filter_map(|(exchange, at_ms)| {
        let next = match exchange.played() {
            Some(played) => next_for(seen, exchange, played),
            None => seen.since(at_ms).find(|next| next.place > exchange.place && next.ask.route == exchange.ask.route),
        }?;
        let pause_ms = next.at_ms.saturating_sub(at_ms);
        Some(if pause_ms < LEAST_PAUSE_MS {
            Err(format!("{}: 503, and again {pause_ms} ms later", exchange.ask.route))
        } else if exchange.played().map(|played| &played.choice) != next.played().map(|played| &played.choice) {
            Err(format!("{}: 503, and then another move for the same turn", exchange.ask.route))
        } else {
            Ok(())
        })
    });
    Finding::of(cases, "tried again after a pause", "nothing was tried again after a 503")
}

pub(super) fn game_over(seen: &Seen<'_>) -> Finding {
    let cases = seen.exchanges.iter().filter_map(|exchange| {
        let (played, at_ms) = (exchange.played()?, exchange.refused_with("game_over")?);
        let again = seen.since(at_ms).filter(|next| next.place > exchange.place).filter_map(Exchange::played);
        let more = again.filter(|other| other.set_id == played.set_id && other.game == played.game).count();
        Some(if more == 0 { Ok(()) } else { Err(format!("{more} more moves in a game that was over")) })
    });
    Finding::of(cases, "let be", "no move was answered with game_over")
}

pub(super) fn stale_ply(seen: &Seen<'_>) -> Finding {
    let cases = seen.exchanges.iter().filter_map(|exchange| {
        let (played, at_ms) = (exchange.played()?, exchange.refused_with("stale_ply")?);
        let again = seen.since(at_ms).filter(|next| next.place > exchange.place).filter_map(Exchange::played);
        let more = again.filter(|other| other.is_same_turn(played)).count();
        Some(if more == 0 {
            Ok(())
        } else {
            Err(format!("{more} more moves for ply {}, which had passed", played.ply))
        })
    });
    Finding::of(cases, "gone on from the state", "no move was answered with stale_ply")
}

pub(super) fn revoked_key(seen: &Seen<'_>) -> Finding {
    let began = seen.log.entries().iter().find(|entry| entry.what == What::Began(Name::RevokedKey));
    let Some(began) = began else { return Finding::not_seen("the key was not revoked") };
    let refused =
        seen.since(began.at_ms).filter(|exchange| exchange.answer().is_some_and(|(_, answer)| answer.status == 401));
    match refused.count() {
        0 => Finding::not_seen("no request with the revoked key"),
        few if few <= ATTEMPTS => Finding::passed(format!("{few} requests with the revoked key")),
        many => Finding::failed(format!("{many} requests with the revoked key within seconds")),
    }
}

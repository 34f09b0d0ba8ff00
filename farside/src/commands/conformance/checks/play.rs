//! Games: whether they are played to their ends, in time, and each round once.

use super::super::log::{End, Exchange, Fate, What};
use super::super::script::Name;
use super::{Finding, Seen};

/// Reasons by which a game is lost on time.
const ON_TIME: [&str; 3] = ["timeout", "first_move_timeout", "round_timeout"];

/// The scripted games that ended, with how.
fn ended<'a>(seen: &'a Seen<'_>) -> impl Iterator<Item = (Name, &'a End)> {
    seen.log.entries().iter().filter_map(|entry| match &entry.what {
        What::Ended { script, end } => Some((*script, end)),
        _ => None,
    })
}

pub(super) fn deadlines(seen: &Seen<'_>) -> Finding {
    let cases = ended(seen).filter_map(|(script, end)| match end {
        End::Played { lost_by } => {
            let late = lost_by.iter().find(|reason| ON_TIME.contains(&reason.as_str()));
            Some(late.map_or(Ok(()), |reason| Err(format!("{script}: a game was lost by {reason}"))))
        }
        End::Abandoned => None,
    });
    Finding::of(cases, "played in time", "no game was played to its end")
}

pub(super) fn to_the_end(seen: &Seen<'_>) -> Finding {
    // This platform redirects nobody: a bot that stops there has met no promise that it could break.
    let cases = ended(seen).filter(|(script, _)| *script != Name::Redirect).map(|(script, end)| match end {
        End::Played { .. } => Ok(()),
        End::Abandoned => Err(format!("{script}: the bot stopped playing")),
    });
    Finding::of(cases, "played to the end", "no game was begun")
}

pub(super) fn unknown_fields(seen: &Seen<'_>) -> Finding {
    match seen.log.end_of(Name::UnknownFields) {
        None => Finding::not_seen("no answer held an unknown field"),
        Some(End::Played { .. }) => Finding::passed("a game was played through them"),
        Some(End::Abandoned) => Finding::failed("the bot stopped playing"),
    }
}

pub(super) fn rounds(seen: &Seen<'_>) -> Finding {
    let in_rounds = |exchange: &&Exchange<'_>| seen.log.entries()[exchange.place].script == Some(Name::Rounds);
    // What was refused for its form or against the rules was never placed.
    let placed = |exchange: &Exchange<'_>| match exchange.came {
        Some((_, Fate::Answered(answer))) => answer.status < 300,
        Some((_, Fate::Lost)) | None => true,
    };
    let placements: Vec<_> =
        seen.exchanges.iter().filter(in_rounds).filter_map(|exchange| Some((exchange, exchange.played()?))).collect();
    let cases =
        placements.iter().enumerate().filter(|(_, (exchange, _))| placed(exchange)).map(|(place, (_, played))| {
            let mut later = placements[place + 1..].iter().map(|(_, other)| other);
            let other = later.find(|other| other.is_same_turn(played) && other.choice != played.choice);
            other.map_or(Ok(()), |other| {
                Err(format!("round {}: placed {}, and then {}", played.ply, played.choice, other.choice))
            })
        });
    Finding::of(cases, "one placement", "no round was played (name a game of rounds with --games)")
}

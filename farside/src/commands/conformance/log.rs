//! Everything that was seen of a bot, in order. Pure data: what it means is for `checks` to say.

use serde_json::Value;

use super::ask::{Ask, Kind, Played};
use super::script::Name;

/// A moment, in milliseconds since the proxy began to listen.
pub(crate) type Ms = u64;

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The bot was handed an answer: of the platform, or one that was made up for it.
    Answered(Answer),
    /// It reached the platform and its answer was lost, or broke off.
    Lost,
}

/// An answer as the bot was handed it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// HTTP status; that of the problem for a frame.
    pub status: u16,
    /// The problem's code.
    pub code: Option<String>,
    /// Milliseconds that the bot was told to wait.
    pub retry_after_ms: Option<Ms>,
    /// Whether it said the very same as the answer before on this route.
    pub is_stale: bool,
}

/// Something that was seen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// The bot asked something.
    Asked(Ask),
    /// What the request numbered here came to.
    Came {
        /// Place of the request in the log.
        to: usize,
        /// What became of it.
        fate: Fate,
    },
    /// A stream was cut in mid-event, after this event had been handed over whole.
    Cut {
        /// The id of the last whole event, if any had one.
        after: Option<String>,
    },
    /// A key was where none belongs.
    Leaked(&'static str),
    /// A scripted game began.
    Began(Name),
    /// A scripted game ended.
    Ended {
        /// Which.
        script: Name,
        /// How.
        end: End,
    },
}

/// How a scripted game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It was played to its end; the reasons of the games that the bot lost.
    Played {
        /// For example `far_row` or `timeout`.
        lost_by: Vec<String>,
    },
    /// The bot had stopped playing it.
    Abandoned,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// When.
    pub at_ms: Ms,
    /// During which scripted game.
    pub script: Option<Name>,
    /// What.
    pub what: What,
}

/// Everything that was seen, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    entries: Vec<Entry>,
    script: Option<Name>,
}

/// A request with what it came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange<'a> {
    /// Its place in the log.
    pub place: usize,
    /// When it was asked.
    pub at_ms: Ms,
    /// What was asked.
    pub ask: &'a Ask,
    /// When it was over and how, if it is.
    pub came: Option<(Ms, &'a Fate)>,
}

impl Log {
    /// Notes something and returns its place.
    pub(crate) fn note(&mut self, at_ms: Ms, what: What) -> usize {
        if let What::Began(script) = &what {
            self.script = Some(*script);
        }
        self.entries.push(Entry { at_ms, script: self.script, what });
        self.entries.len() - 1
    }

    /// All entries.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// When the bot last asked anything.
    pub(crate) fn last_asked_ms(&self) -> Option<Ms> {
        let asked = self.entries.iter().rev().find(|entry| matches!(entry.what, What::Asked(_)));
        asked.map(|entry| entry.at_ms)
    }

    /// All requests, in the order in which they came.
    pub(crate) fn exchanges(&self) -> Vec<Exchange<'_>> {
        let asked = self.entries.iter().enumerate().filter_map(|(place, entry)| match &entry.what {
            What::Asked(ask) => Some(Exchange { place, at_ms: entry.at_ms, ask, came: None }),
            _ => None,
        });
        let mut exchanges: Vec<_> = asked.collect();
        for entry in &self.entries {
            let What::Came { to, fate } = &entry.what else { continue };
            if let Ok(index) = exchanges.binary_search_by_key(to, |exchange| exchange.place) {
                exchanges[index].came = Some((entry.at_ms, fate));
            }
        }
        exchanges
    }

    /// How a scripted game ended, if it did.
    pub(crate) fn end_of(&self, script: Name) -> Option<&End> {
        self.entries.iter().find_map(|entry| match &entry.what {
            What::Ended { script: ended, end } if *ended == script => Some(end),
            _ => None,
        })
    }
}

impl<'a> Exchange<'a> {
    /// The move that was sent.
    pub(crate) fn played(&self) -> Option<&'a Played> {
        match &self.ask.kind {
            Kind::Move(played) => Some(played),
            _ => None,
        }
    }

    /// The answer that the bot was handed, and when.
    pub(crate) fn answer(&self) -> Option<(Ms, &'a Answer)> {
        match self.came {
            Some((at_ms, Fate::Answered(answer))) => Some((at_ms, answer)),
            _ => None,
        }
    }

    /// When the answer with this code was handed over.
    pub(crate) fn refused_with(&self, code: &str) -> Option<Ms> {
        self.answer().filter(|(_, answer)| answer.code.as_deref() == Some(code)).map(|(at_ms, _)| at_ms)
    }

    /// When the answer was lost.
    pub(crate) fn lost(&self) -> Option<Ms> {
        self.came.filter(|(_, fate)| **fate == Fate::Lost).map(|(at_ms, _)| at_ms)
    }
}

/// Reads an answer's code and pause.
pub(crate) fn answer_of(status: u16, retry_after_s: Option<u64>, body: &Value) -> Answer {
    let code = (status >= 400).then(|| body["code"].as_str().map(str::to_owned)).flatten();
    Answer { status, code, retry_after_ms: retry_after_s.map(|seconds| seconds * 1_000), is_stale: false }
}

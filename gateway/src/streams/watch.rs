//! A watch on match-svc that is taken up again after the last item when match-svc goes away for a while, so that who
//! follows it sees no gap and no repetition. Not here: what an item is to a client.

use std::time::Duration;

use farside_kit::fault::{Kind, Remote};
use farside_proto::matches::v1::{
    WatchParticipantRequest, WatchParticipantResponse, WatchSetRequest, WatchSetResponse, watch_participant_response,
    watch_set_response,
};
use tokio::time::Instant;
use tonic::Streaming;

use crate::app::SharedApp;

/// Pauses before a lost watch is taken up again.
const RETRIES: [Duration; 5] = [
    Duration::from_millis(50),
    Duration::from_millis(250),
    Duration::from_secs(1),
    Duration::from_secs(3),
    Duration::from_secs(5),
];

/// What is watched, from where on.
#[derive(Clone, Debug)]
pub enum Feed {
    /// A set.
    Set(WatchSetRequest),
    /// A participant.
    Participant(WatchParticipantRequest),
}

/// What came.
#[derive(Debug)]
pub(super) enum Item {
    /// Of a set.
    Set(watch_set_response::Item),
    /// Of a participant, with the cursor after it.
    Participant(String, watch_participant_response::Item),
}

/// What comes next.
#[derive(Debug)]
pub(super) enum News {
    /// An item.
    Item(Box<Item>),
    /// The watch is over and nothing follows.
    Over,
    /// match-svc has cut the watch, since it was not read in time.
    Slow,
    /// match-svc does not answer.
    Unavailable,
}

/// A watch and where it stands.
pub(super) struct Watch {
    app: SharedApp,
    feed: Feed,
    line: Line,
}

enum Line {
    Set(Box<Streaming<WatchSetResponse>>),
    Participant(Box<Streaming<WatchParticipantResponse>>),
    /// Broken; taken up again at that moment, after so many attempts in vain.
    Broken {
        attempts: usize,
        again_at: Instant,
    },
}

impl Watch {
    /// Begins to watch.
    ///
    /// # Errors
    ///
    /// What match-svc says.
    pub(super) async fn open(app: SharedApp, feed: Feed) -> Result<Self, Remote> {
        let line = feed.dial(&app).await?;
        Ok(Self { app, feed, line })
    }

    /// What is watched, and from where on a new watch would go on.
    pub(super) fn feed(&self) -> &Feed {
        &self.feed
    }

    /// What comes next. A caller that gives up waiting loses nothing.
    pub(super) async fn next(&mut self) -> News {
        loop {
            match self.line.receive().await {
                Received::Item(item) => {
                    self.feed.move_on(&item);
                    return News::Item(item);
                }
                Received::End => return News::Over,
                Received::Fault(fault) if fault.reason == "SLOW_READER" => return News::Slow,
                Received::Fault(fault) if matches!(fault.kind, Kind::Unavailable | Kind::Internal) => {
                    self.break_off();
                }
                Received::Fault(fault) => {
                    tracing::warn!(reason = fault.reason, detail = fault.message, "a watch ended");
                    return News::Unavailable;
                }
                Received::Due(attempts) => match self.feed.dial(&self.app).await {
                    Ok(line) => self.line = line,
                    Err(_) if attempts + 1 >= RETRIES.len() => return News::Unavailable,
                    Err(_) => self.line = Line::broken(attempts + 1),
                },
            }
        }
    }

    /// Gives the connection up; the next item comes over a new one.
    pub(super) fn break_off(&mut self) {
        self.line = Line::broken(0);
    }
}

enum Received {
    Item(Box<Item>),
    End,
    Fault(Remote),
    /// A broken line is to be dialled again.
    Due(usize),
}

impl Line {
    fn broken(attempts: usize) -> Self {
        let pause = RETRIES[attempts.min(RETRIES.len() - 1)];
        Self::Broken { attempts, again_at: Instant::now() + pause }
    }

    async fn receive(&mut self) -> Received {
        let received = match self {
            Self::Set(stream) => next(stream, |response| response.item.map(Item::Set)).await,
            Self::Participant(stream) => {
                next(stream, |response| Some(Item::Participant(response.cursor, response.item?))).await
            }
            Self::Broken { attempts, again_at } => {
                tokio::time::sleep_until(*again_at).await;
                return Received::Due(*attempts);
            }
        };
        match received {
            Ok(Some(item)) => Received::Item(Box::new(item)),
            Ok(None) => Received::End,
            Err(fault) => Received::Fault(fault),
        }
    }
}

/// The next item of a stream; items of a kind that this release does not know are passed over.
async fn next<T>(stream: &mut Streaming<T>, item: impl Fn(T) -> Option<Item>) -> Result<Option<Item>, Remote> {
    while let Some(response) = stream.message().await? {
        if let Some(item) = item(response) {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

impl Feed {
    async fn dial(&self, app: &SharedApp) -> Result<Line, Remote> {
        let matches = &app.upstream.matches;
        match self {
            Self::Set(request) => Ok(Line::Set(Box::new(matches.watch_set(request.clone()).await?))),
            Self::Participant(request) => {
                Ok(Line::Participant(Box::new(matches.watch_participant(request.clone()).await?)))
            }
        }
    }

    /// A watch that is taken up again goes on after what has come.
    fn move_on(&mut self, item: &Item) {
        use watch_set_response::Item as Of;
        match (self, item) {
            (Self::Set(request), Item::Set(Of::Snapshot(set))) => request.after_seq = Some(set.last_seq),
            (Self::Set(request), Item::Set(Of::Event(event))) => request.after_seq = Some(event.seq),
            (Self::Participant(request), Item::Participant(cursor, _)) if !cursor.is_empty() => {
                request.after_cursor.clone_from(cursor);
            }
            _ => {}
        }
    }
}

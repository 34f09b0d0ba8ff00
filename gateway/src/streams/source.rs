//! A stream of events from a watch on match-svc, with everything that may end it.
//!
//! When match-svc goes away for a while the watch is taken up again after the last event, so that the client sees no gap
//! and no repetition. Not here: transport.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::fault::{Kind, Remote};
use farside_proto::matches::v1::{
    WatchParticipantRequest, WatchParticipantResponse, WatchSetRequest, WatchSetResponse, watch_participant_response,
    watch_set_response,
};
use futures::Stream;
use tokio::time::{Interval, MissedTickBehavior};
use tonic::Streaming;

use super::{ClosedReason, Event, Ticket};
use crate::app::SharedApp;
use crate::domain::account::Caller;

/// How often it is asked whether the key still counts. With the time for which a key is believed: within 5 seconds.
const KEY_CHECK: Duration = Duration::from_secs(2);
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

enum Watch {
    Set(Box<Streaming<WatchSetResponse>>),
    Participant(Box<Streaming<WatchParticipantResponse>>),
}

/// What came from a watch.
enum Item {
    Event(Box<Event>),
    /// Nothing for the client.
    Quiet,
    /// The watch is over and nothing follows.
    End,
}

/// A stream of events.
pub struct Source {
    app: SharedApp,
    feed: Feed,
    watch: Watch,
    ticket: Ticket,
    caller: Option<Arc<Caller>>,
    key_check: Interval,
    opened_ms: i64,
    is_over: bool,
}

impl Source {
    /// Begins to watch.
    ///
    /// # Errors
    ///
    /// What match-svc says, before anything is sent to the client.
    pub async fn open(app: SharedApp, feed: Feed, ticket: Ticket, caller: Option<Arc<Caller>>) -> Result<Self, Remote> {
        let watch = feed.watch(&app).await?;
        let mut key_check = tokio::time::interval(KEY_CHECK);
        key_check.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let opened_ms = app.now_ms();
        Ok(Self { app, feed, watch, ticket, caller, key_check, opened_ms, is_over: false })
    }

    /// The events, in order, to the last.
    pub fn events(self) -> impl Stream<Item = Event> + Send {
        futures::stream::unfold(self, |mut source| async move {
            let event = source.next().await?;
            Some((event, source))
        })
    }

    /// The next event; nothing when the stream is over.
    pub async fn next(&mut self) -> Option<Event> {
        while !self.is_over {
            match self.step().await {
                Item::Event(event) => {
                    self.is_over |= event.is_last_of_set() && matches!(self.feed, Feed::Set(_));
                    return Some(*event);
                }
                Item::Quiet => {}
                Item::End => self.is_over = true,
            }
        }
        None
    }

    async fn step(&mut self) -> Item {
        tokio::select! {
            biased;
            () = self.app.shutdown.requested() => self.close(ClosedReason::Restarting),
            () = self.ticket.replaced() => self.close(ClosedReason::TooManyStreams),
            _ = self.key_check.tick(), if self.caller.is_some() => self.check_key().await,
            received = self.watch.receive() => self.take(received).await,
        }
    }

    fn close(&mut self, reason: ClosedReason) -> Item {
        self.is_over = true;
        Item::Event(Box::new(Event::closed(reason)))
    }

    async fn check_key(&mut self) -> Item {
        match &self.caller {
            Some(caller) if !self.app.identity.still_counts(caller).await => self.close(ClosedReason::KeyRevoked),
            _ => Item::Quiet,
        }
    }

    async fn take(&mut self, received: Result<Option<Received>, Remote>) -> Item {
        match received {
            Ok(Some(Received::Set(item))) => self.take_of_set(item),
            Ok(Some(Received::Participant(cursor, item))) => self.take_of_participant(cursor, item),
            Ok(None) => Item::End,
            Err(fault) if fault.reason == "SLOW_READER" => self.close(ClosedReason::SlowReader),
            Err(fault) if matches!(fault.kind, Kind::Unavailable | Kind::Internal) => self.take_up_again().await,
            Err(fault) => {
                tracing::warn!(reason = fault.reason, detail = fault.message, "a watch ended");
                self.close(ClosedReason::Unavailable)
            }
        }
    }

    async fn take_up_again(&mut self) -> Item {
        for pause in RETRIES {
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.app.shutdown.requested() => return self.close(ClosedReason::Restarting),
            }
            if let Ok(watch) = self.feed.watch(&self.app).await {
                self.watch = watch;
                return Item::Quiet;
            }
        }
        self.close(ClosedReason::Unavailable)
    }

    /// How far the stream lags behind. What had happened before it was opened says nothing about that.
    fn measure(&self, at_ms: i64, now_ms: i64) {
        if at_ms >= self.opened_ms {
            self.app.metrics.handed_on(Duration::from_millis(u64::try_from(now_ms - at_ms).unwrap_or(0)));
        }
    }

    fn take_of_set(&mut self, item: watch_set_response::Item) -> Item {
        use watch_set_response::Item as I;
        let now_ms = self.app.now_ms();
        match item {
            I::Snapshot(set) => {
                self.feed.move_on_set(set.last_seq);
                Item::event(Event::snapshot(set, now_ms))
            }
            I::Event(event) => {
                self.measure(event.at_ms, now_ms);
                self.feed.move_on_set(event.seq);
                let id = event.seq.to_string();
                Event::of_set(event, id, now_ms).map_or(Item::Quiet, Item::event)
            }
            I::Heartbeat(_) => Item::Quiet,
            I::Reset(reset) => {
                self.is_over = true;
                Item::event(Event::reset(reset.reason))
            }
        }
    }

    fn take_of_participant(&mut self, cursor: String, item: watch_participant_response::Item) -> Item {
        use watch_participant_response::Item as I;
        let now_ms = self.app.now_ms();
        self.feed.move_on_participant(&cursor);
        match item {
            I::Snapshot(snapshot) => Item::event(Event::my_snapshot(snapshot, cursor, now_ms)),
            I::Event(event) => {
                self.measure(event.at_ms, now_ms);
                Event::of_set(event, cursor, now_ms).map_or(Item::Quiet, Item::event)
            }
            I::Challenge(challenge) => Item::event(Event::challenge(challenge, cursor)),
            I::Heartbeat(_) => Item::Quiet,
            I::Reset(reset) => {
                self.is_over = true;
                Item::event(Event::reset(reset.reason))
            }
        }
    }
}

impl Item {
    fn event(event: Event) -> Self {
        Self::Event(Box::new(event))
    }
}

enum Received {
    Set(watch_set_response::Item),
    Participant(String, watch_participant_response::Item),
}

impl Watch {
    async fn receive(&mut self) -> Result<Option<Received>, Remote> {
        match self {
            Self::Set(watch) => loop {
                let Some(response) = watch.message().await? else { return Ok(None) };
                if let Some(item) = response.item {
                    return Ok(Some(Received::Set(item)));
                }
            },
            Self::Participant(watch) => loop {
                let Some(response) = watch.message().await? else { return Ok(None) };
                if let Some(item) = response.item {
                    return Ok(Some(Received::Participant(response.cursor, item)));
                }
            },
        }
    }
}

impl Feed {
    async fn watch(&self, app: &SharedApp) -> Result<Watch, Remote> {
        let matches = &app.upstream.matches;
        match self {
            Self::Set(request) => Ok(Watch::Set(Box::new(matches.watch_set(request.clone()).await?))),
            Self::Participant(request) => {
                Ok(Watch::Participant(Box::new(matches.watch_participant(request.clone()).await?)))
            }
        }
    }

    /// A watch that is taken up again goes on after what was sent.
    fn move_on_set(&mut self, seq: u64) {
        if let Self::Set(request) = self {
            request.after_seq = Some(seq);
        }
    }

    fn move_on_participant(&mut self, cursor: &str) {
        if let Self::Participant(request) = self
            && !cursor.is_empty()
        {
            request.after_cursor = cursor.to_owned();
        }
    }
}

//! A stream of events for one client, with everything that may end it.
//!
//! It begins with a watch of its own: a snapshot, or what came after the client's last event. When it has caught up with
//! a set it follows that together with everybody else who does. Not here: transport.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::fault::Remote;
use farside_proto::matches::v1::{self as matches, watch_participant_response, watch_set_response};
use tokio::time::{Interval, MissedTickBehavior};

use super::event::Told;
use super::hub::{Read, Reader};
use super::watch::{Feed, Item, News, Watch};
use super::{ClosedReason, Event, Ticket};
use crate::app::SharedApp;
use crate::domain::account::Caller;

/// How often it is asked whether the key still counts. With the time for which a key is believed: within 5 seconds.
const KEY_CHECK: Duration = Duration::from_secs(2);

/// Where events come from.
enum Way {
    Own(Watch),
    Shared(Reader),
    /// A watch is on its way from one to the other.
    Nowhere,
}

/// What a step brings.
enum Step {
    Event(Arc<Told>),
    /// Nothing for the client.
    Quiet,
    /// The stream is over and nothing follows.
    End,
}

/// A stream of events.
pub struct Source {
    app: SharedApp,
    way: Way,
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
        let way = Way::Own(Watch::open(app.clone(), feed).await?);
        let mut key_check = tokio::time::interval(KEY_CHECK);
        key_check.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let opened_ms = app.now_ms();
        Ok(Self { app, way, ticket, caller, key_check, opened_ms, is_over: false })
    }

    /// The next event; nothing when the stream is over. A caller that gives up waiting loses nothing.
    pub async fn next(&mut self) -> Option<Arc<Told>> {
        while !self.is_over {
            match self.step().await {
                Step::Event(told) => return Some(told),
                Step::Quiet => {}
                Step::End => self.is_over = true,
            }
        }
        None
    }

    async fn step(&mut self) -> Step {
        tokio::select! {
            biased;
            () = self.app.shutdown.requested() => self.close(ClosedReason::Restarting),
            () = self.ticket.replaced() => self.close(ClosedReason::TooManyStreams),
            _ = self.key_check.tick(), if self.caller.is_some() => self.check_key().await,
            came = self.way.next() => self.take(came),
        }
    }

    fn close(&mut self, reason: ClosedReason) -> Step {
        self.is_over = true;
        Step::event(Event::closed(reason))
    }

    async fn check_key(&mut self) -> Step {
        match &self.caller {
            Some(caller) if !self.app.identity.still_counts(caller).await => self.close(ClosedReason::KeyRevoked),
            _ => Step::Quiet,
        }
    }

    fn take(&mut self, came: Came) -> Step {
        match came {
            Came::Own(News::Item(item)) => match *item {
                Item::Set(item) => self.take_of_set(item),
                Item::Participant(cursor, item) => self.take_of_participant(cursor, item),
            },
            Came::Shared(Read::Event(told)) => {
                self.is_over = told.event.is_last_of_set();
                self.measure(told.event.at_ms(), self.app.now_ms());
                Step::Event(told)
            }
            Came::Own(News::Over) | Came::Shared(Read::Over) => Step::End,
            Came::Own(News::Slow) | Came::Shared(Read::Slow) => self.close(ClosedReason::SlowReader),
            Came::Own(News::Unavailable) | Came::Shared(Read::Unavailable) => self.close(ClosedReason::Unavailable),
        }
    }

    fn take_of_set(&mut self, item: watch_set_response::Item) -> Step {
        use watch_set_response::Item as I;
        let now_ms = self.app.now_ms();
        match item {
            I::Snapshot(set) => {
                if set.status() == matches::SetStatus::Active {
                    self.follow_with_others(true);
                }
                Step::event(Event::snapshot(set, now_ms))
            }
            I::Event(event) => {
                self.follow_with_others(false);
                let id = event.seq.to_string();
                let Some(event) = Event::of_set(event, id, now_ms) else { return Step::Quiet };
                self.is_over = event.is_last_of_set();
                self.measure(event.at_ms(), now_ms);
                Step::event(event)
            }
            // Nothing has come for a while: there was nothing more to come.
            I::Heartbeat(_) => {
                self.follow_with_others(true);
                Step::Quiet
            }
            I::Reset(reset) => self.reset(reset),
        }
    }

    fn take_of_participant(&mut self, cursor: String, item: watch_participant_response::Item) -> Step {
        use watch_participant_response::Item as I;
        let now_ms = self.app.now_ms();
        match item {
            I::Snapshot(snapshot) => Step::event(Event::my_snapshot(snapshot, cursor, now_ms)),
            I::Event(event) => {
                let Some(event) = Event::of_set(event, cursor, now_ms) else { return Step::Quiet };
                self.measure(event.at_ms(), now_ms);
                Step::event(event)
            }
            I::Challenge(challenge) => Step::event(Event::challenge(challenge, cursor)),
            I::Heartbeat(_) => Step::Quiet,
            I::Reset(reset) => self.reset(reset),
        }
    }

    fn reset(&mut self, reset: matches::Reset) -> Step {
        self.is_over = true;
        Step::event(Event::reset(reset.reason))
    }

    /// Exchanges the watch of its own for the one that all share, where that goes on from here. One that `has_caught_up`
    /// may become the shared one.
    fn follow_with_others(&mut self, has_caught_up: bool) {
        let Way::Own(watch) = &self.way else { return };
        let Feed::Set(request) = watch.feed() else { return };
        let (set_id, Some(seq)) = (request.set_id.clone(), request.after_seq) else { return };
        if !has_caught_up {
            if let Some(reader) = self.app.hub.join(&set_id, seq) {
                self.way = Way::Shared(reader);
            }
        } else if let Way::Own(watch) = std::mem::replace(&mut self.way, Way::Nowhere) {
            let joined = self.app.hub.join_with(&self.app, &set_id, seq, watch);
            self.way = joined.map_or_else(Way::Own, Way::Shared);
        }
    }

    /// How far the stream lags behind. What had happened before it was opened says nothing about that.
    fn measure(&self, at_ms: Option<i64>, now_ms: i64) {
        if let Some(at_ms) = at_ms.filter(|at_ms| *at_ms >= self.opened_ms) {
            self.app.metrics.handed_on(Duration::from_millis(u64::try_from(now_ms - at_ms).unwrap_or(0)));
        }
    }
}

impl Step {
    fn event(event: Event) -> Self {
        Self::Event(Arc::new(Told::new(event)))
    }
}

enum Came {
    Own(News),
    Shared(Read),
}

impl Way {
    async fn next(&mut self) -> Came {
        match self {
            Self::Own(watch) => Came::Own(watch.next().await),
            Self::Shared(reader) => Came::Shared(reader.next().await),
            Self::Nowhere => Came::Own(News::Over),
        }
    }
}

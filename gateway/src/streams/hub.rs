//! One watch on match-svc for each set that is followed, however many follow it: events reach all of them from here, read
//! and written once. A reader that falls too far behind is cut, so that memory stays bounded, and can resume.
//!
//! Who comes brings a watch that stands where it stands itself. The first one's watch feeds all that come after; theirs
//! end as soon as they stand no further back than it. Not here: snapshots and catching up, which each does by itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use farside_proto::matches::v1::{SetEvent, watch_set_response};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::event::{Event, Told};
use super::watch::{Item, News, Watch};
use crate::app::SharedApp;

/// Events that a reader may fall behind.
const KEPT: usize = 64;

/// The sets that are followed.
#[derive(Clone, Debug, Default)]
pub struct Hub {
    topics: Arc<Mutex<HashMap<String, Topic>>>,
}

#[derive(Debug)]
struct Topic {
    readers: broadcast::Sender<Shared>,
    /// The last event that readers were sent; who comes must have seen it.
    at_seq: u64,
}

#[derive(Clone, Debug)]
enum Shared {
    Event(u64, Arc<Told>),
    Unavailable,
}

/// A reader's end.
pub(super) struct Reader {
    events: broadcast::Receiver<Shared>,
    seen_seq: u64,
}

/// What a reader gets.
pub(super) enum Read {
    /// An event.
    Event(Arc<Told>),
    /// Nothing follows.
    Over,
    /// The reader has fallen too far behind.
    Slow,
    /// match-svc does not answer.
    Unavailable,
}

impl Hub {
    /// Follows a set from behind event `seen_seq`, if it is followed already and has not gone further.
    pub(super) fn join(&self, set_id: &str, seen_seq: u64) -> Option<Reader> {
        let topics = self.lock();
        let topic = topics.get(set_id).filter(|topic| topic.at_seq <= seen_seq)?;
        Some(Reader { events: topic.readers.subscribe(), seen_seq })
    }

    /// Follows a set from behind event `seen_seq`, with a watch that stands there and has caught up; gives the watch back
    /// where the set is followed already and has gone further.
    pub(super) fn join_with(
        &self,
        app: &SharedApp,
        set_id: &str,
        seen_seq: u64,
        watch: Watch,
    ) -> Result<Reader, Watch> {
        let mut topics = self.lock();
        if let Some(topic) = topics.get(set_id) {
            let reader = || Reader { events: topic.readers.subscribe(), seen_seq };
            return if topic.at_seq <= seen_seq { Ok(reader()) } else { Err(watch) };
        }
        let (readers, events) = broadcast::channel(KEPT);
        topics.insert(set_id.to_owned(), Topic { readers: readers.clone(), at_seq: seen_seq });
        drop(topics);
        let pump = Pump { hub: self.clone(), app: app.clone(), set_id: set_id.to_owned(), readers };
        tokio::spawn(pump.run(watch));
        Ok(Reader { events, seen_seq })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Topic>> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reader {
    /// What comes next. A caller that gives up waiting loses nothing.
    pub(super) async fn next(&mut self) -> Read {
        loop {
            match self.events.recv().await {
                Ok(Shared::Event(seq, _)) if seq <= self.seen_seq => {}
                Ok(Shared::Event(seq, told)) => {
                    self.seen_seq = seq;
                    return Read::Event(told);
                }
                Ok(Shared::Unavailable) => return Read::Unavailable,
                Err(RecvError::Lagged(_)) => return Read::Slow,
                Err(RecvError::Closed) => return Read::Over,
            }
        }
    }
}

/// Hands on what a watch brings, until nobody reads it or it is over.
struct Pump {
    hub: Hub,
    app: SharedApp,
    set_id: String,
    readers: broadcast::Sender<Shared>,
}

impl Pump {
    async fn run(self, mut watch: Watch) {
        loop {
            tokio::select! {
                news = watch.next() => match news {
                    News::Item(item) => self.hand_on(*item),
                    // All readers share this watch: it goes on for them after what they have.
                    News::Slow => watch.break_off(),
                    News::Over => return self.end(None),
                    News::Unavailable => return self.end(Some(Shared::Unavailable)),
                },
                () = self.readers.closed() => if self.is_deserted() { return },
            }
        }
    }

    fn hand_on(&self, item: Item) {
        if let Item::Set(watch_set_response::Item::Event(event)) = item {
            self.publish(event);
        }
    }

    fn publish(&self, event: SetEvent) {
        let seq = event.seq;
        let told = Event::of_set(event, seq.to_string(), self.app.now_ms()).map(Told::new);
        let mut topics = self.hub.lock();
        if let Some(topic) = topics.get_mut(&self.set_id) {
            topic.at_seq = seq;
            // Without readers it is not missed: whoever comes now must have seen it.
            let _ = told.map(|told| topic.readers.send(Shared::Event(seq, Arc::new(told))));
        }
    }

    fn end(&self, last: Option<Shared>) {
        self.hub.lock().remove(&self.set_id);
        let _ = last.map(|last| self.readers.send(last));
    }

    /// Whether nobody reads, now that nobody can come meanwhile.
    fn is_deserted(&self) -> bool {
        let mut topics = self.hub.lock();
        let is_deserted = self.readers.receiver_count() == 0;
        if is_deserted {
            topics.remove(&self.set_id);
        }
        is_deserted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hub in which a set is followed up to event 3, and the way to its readers.
    fn followed() -> (Hub, broadcast::Sender<Shared>) {
        let (hub, (readers, _)) = (Hub::default(), broadcast::channel(KEPT));
        hub.lock().insert("set_1".to_owned(), Topic { readers: readers.clone(), at_seq: 3 });
        (hub, readers)
    }

    fn event(seq: u64) -> Shared {
        Shared::Event(seq, Arc::new(Told::new(Event::reset(seq.to_string()))))
    }

    #[test]
    fn only_who_has_seen_what_was_handed_on_may_join() {
        let (hub, _readers) = followed();
        assert!(hub.join("set_1", 2).is_none(), "event 3 would be missed");
        assert!(hub.join("set_1", 3).is_some());
        assert!(hub.join("set_1", 4).is_some());
        assert!(hub.join("set_2", 4).is_none());
    }

    #[tokio::test]
    async fn what_a_reader_has_seen_already_is_not_repeated() {
        let (hub, readers) = followed();
        let mut ahead = hub.join("set_1", 5).unwrap();
        for seq in 4..=6 {
            assert!(readers.send(event(seq)).is_ok());
        }
        assert!(matches!(ahead.next().await, Read::Event(told) if told.line().ends_with(b"{\"reason\":\"6\"}\n\n")));
        drop((hub, readers));
        assert!(matches!(ahead.next().await, Read::Over));
    }

    #[tokio::test]
    async fn a_reader_that_does_not_read_is_cut_and_the_others_are_not() {
        let (hub, readers) = followed();
        let (mut slow, mut quick) = (hub.join("set_1", 3).unwrap(), hub.join("set_1", 3).unwrap());
        for seq in 4..=4 + KEPT as u64 {
            assert!(readers.send(event(seq)).is_ok());
            assert!(matches!(quick.next().await, Read::Event(_)));
        }
        assert!(matches!(slow.next().await, Read::Slow));
    }
}

//! A set's events as its readers get them: from one replica, or from any, going on wherever the stream breaks.

use std::time::Duration;

use farside_proto::matches::v1 as proto;
use proto::{set_event::Event, watch_set_response::Item};

use crate::{
    callers::{Callers, MatchClient},
    dice::Dice,
};

/// Between two attempts to open a stream.
const PAUSE: Duration = Duration::from_millis(50);

/// Reads a set's events to the end of the set, again from any replica whenever a stream breaks.
///
/// # Panics
///
/// When an event is left out, repeated or no longer kept.
pub async fn follow(callers: Callers, mut dice: Dice, set_id: String) -> Vec<proto::SetEvent> {
    let mut events = Vec::new();
    while !events.last().is_some_and(is_end) {
        let client = callers.any(&mut dice);
        if read_on(client, &set_id, &mut events).await.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
    }
    events
}

/// All events of a set that has ended, from one replica.
///
/// # Panics
///
/// When the stream breaks or ends before the set.
pub async fn whole(client: MatchClient, set_id: &str) -> Vec<proto::SetEvent> {
    let mut events = Vec::new();
    read_on(client, set_id, &mut events).await.expect("a whole stream");
    assert!(events.last().is_some_and(is_end), "the stream of a finished set ends with its end: {events:?}");
    events
}

/// Whether an event ends its set.
#[must_use]
pub fn is_end(event: &proto::SetEvent) -> bool {
    matches!(event.event, Some(Event::SetFinished(_)))
}

async fn read_on(
    mut client: MatchClient,
    set_id: &str,
    events: &mut Vec<proto::SetEvent>,
) -> Result<(), tonic::Status> {
    let seen = u64::try_from(events.len()).expect("a count");
    let request = proto::WatchSetRequest { set_id: set_id.to_owned(), after_seq: Some(seen), viewer_id: String::new() };
    let mut stream = client.watch_set(request).await?.into_inner();
    while let Some(message) = stream.message().await? {
        match message.item.expect("an item") {
            Item::Event(event) => {
                let expected = u64::try_from(events.len() + 1).expect("a count");
                assert_eq!(event.seq, expected, "events of {set_id} come one after the other");
                events.push(event);
            }
            Item::Heartbeat(_) => {}
            other => panic!("{set_id} after {seen}: {other:?}"),
        }
    }
    Ok(())
}

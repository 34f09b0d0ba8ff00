//! Streams of what happens: from the log, woken by the bus. A reader that resumes anywhere gets every event exactly
//! once; one that does not keep up is cut and can resume. Not here: messages.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use farside_kit::bus::BusSubscription;
use farside_kit::time::{DurationMs, UnixMs};
use futures::Stream;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::Engine;
use super::change::{ends_set, participant_topic, set_topic};
use super::sets::SetAnswer;
use crate::domain::challenge::{Challenge, ChallengeStatus};
use crate::domain::event::{Logged, SetStatus};
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::{ParticipantId, Seq, SetId};
use crate::domain::set::{Set, SetInfo};

/// A heartbeat follows after so long without anything else.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Announcements may be lost: after so long the log is looked at anyway. The more streams there are, the later, up to the
/// second value.
const LOOK_ANYWAY: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(60)];
/// The same while the bus is known to be away.
const LOOK_WHILE_DEAF: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(5)];
/// The streams share the looks: all of them together look not more often than this.
const LOOK_FOR_EACH: Duration = Duration::from_micros(500);
/// Items that wait for a reader.
const BUFFER: usize = 64;
/// A reader that takes nothing for so long is cut.
const PATIENCE: Duration = Duration::from_secs(10);
/// Events read at once.
const PAGE: u32 = 100;
/// What ended longer ago than this, as seen from a cursor, is not looked at again: commits are not in order of time.
const SLACK: DurationMs = DurationMs(60_000);

/// Why a reader has to start again that asks for events which were deleted.
const FORGOTTEN: &str = "events as old as that are no longer kept";

/// A stream's receiving end: what was sent, then the reason when it ends early, however late it is looked at.
#[derive(Debug)]
pub struct Watching<T> {
    items: mpsc::Receiver<T>,
    end: Arc<Mutex<Option<WatchEnd>>>,
}

impl<T> Watching<T> {
    /// The next item, or why there is none any more; nothing when the stream has come to its end.
    pub async fn recv(&mut self) -> Option<Result<T, WatchEnd>> {
        match self.items.recv().await {
            Some(item) => Some(Ok(item)),
            None => self.end.lock().unwrap_or_else(PoisonError::into_inner).take().map(Err),
        }
    }

    /// As a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<T, WatchEnd>> {
        futures::stream::unfold(self, |mut watching| async move {
            let item = watching.recv().await?;
            Some((item, watching))
        })
    }
}

/// Why a stream ends early.
#[derive(Debug)]
pub enum WatchEnd {
    /// The reader does not keep up.
    SlowReader,
    /// Something failed.
    Fault(MatchFault),
}

/// Part of a set's stream.
#[derive(Clone, Debug)]
pub enum SetItem {
    /// The set as it stands.
    Snapshot(Box<SetAnswer>),
    /// An event.
    Event(Arc<SetInfo>, Box<Logged>),
    /// Still there.
    Heartbeat(UnixMs),
    /// Start again.
    Reset(&'static str),
}

/// Part of a participant's stream.
#[derive(Clone, Debug)]
pub enum ParticipantItem {
    /// Everything live.
    Snapshot(Vec<SetAnswer>, Vec<Challenge>),
    /// An event of one of its sets.
    Event(Arc<SetInfo>, Box<Logged>),
    /// A challenge was made or has changed.
    Challenge(Box<Challenge>),
    /// Still there.
    Heartbeat(UnixMs),
    /// Start again.
    Reset(&'static str),
}

/// Where a participant's reader is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Cursor {
    /// Changes since then may be new.
    t: i64,
    /// The last event seen of each set.
    s: BTreeMap<SetId, i64>,
    /// The last status seen of each challenge.
    c: BTreeMap<String, u8>,
}

impl Cursor {
    fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }

    fn read(text: &str) -> Option<Self> {
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()
    }
}

/// The sending end of a stream.
struct Outlet<T> {
    sender: mpsc::Sender<T>,
    end: Arc<Mutex<Option<WatchEnd>>>,
}

/// The reader is gone, or was cut.
struct Gone;

impl<T> Outlet<T> {
    /// Both ends of a stream.
    fn new() -> (Self, Watching<T>) {
        let (sender, items) = mpsc::channel(BUFFER);
        let end = Arc::default();
        (Self { sender, end: Arc::clone(&end) }, Watching { items, end })
    }

    async fn send(&self, item: T) -> Result<(), Gone> {
        let Ok(permit) = tokio::time::timeout(PATIENCE, self.sender.reserve()).await else {
            self.end_with(WatchEnd::SlowReader);
            return Err(Gone);
        };
        permit.map_err(|_| Gone)?.send(item);
        Ok(())
    }

    fn fail(&self, fault: MatchFault) {
        self.end_with(WatchEnd::Fault(fault));
    }

    /// Why nothing follows after what was sent.
    fn end_with(&self, end: WatchEnd) {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
    }
}

enum Step {
    GoOn,
    End,
}

impl Engine {
    /// Watches a set: a snapshot first, or exactly the events after `after`.
    ///
    /// # Errors
    ///
    /// No such set.
    pub async fn watch_set(
        self: &Arc<Self>,
        id: SetId,
        after: Option<Seq>,
        viewer: Option<ParticipantId>,
    ) -> Result<Watching<SetItem>, MatchFault> {
        let news = self.bus.subscribe(&set_topic(&id));
        let set = self.current(&id).await?;
        let (outlet, watching) = Outlet::new();
        let counted = Counted::new(self);
        self.spawn("set stream", move |engine| async move {
            let _counted = counted;
            engine.feed_set(set, after, viewer, news, outlet).await;
        });
        Ok(watching)
    }

    async fn feed_set(
        self: Arc<Self>,
        set: Arc<Set>,
        after: Option<Seq>,
        viewer: Option<ParticipantId>,
        mut news: BusSubscription,
        outlet: Outlet<SetItem>,
    ) {
        let (info, mut seen) = (Arc::clone(&set.info), after.unwrap_or(set.seq));
        match self.open_set(&set, after, viewer, &outlet).await {
            Ok(Step::GoOn) => {}
            Ok(Step::End) | Err(Gone) => return,
        }
        let mut pulse = Pulse::start();
        loop {
            let before = seen;
            match self.feed_events(&info, &mut seen, &outlet).await {
                Ok(Step::GoOn) => {}
                Ok(Step::End) | Err(Gone) => return,
            }
            if seen != before {
                pulse = Pulse::start();
            }
            if self.await_news(&mut news, &mut pulse, &outlet, SetItem::Heartbeat).await.is_err() {
                return;
            }
        }
    }

    async fn open_set(
        &self,
        set: &Arc<Set>,
        after: Option<Seq>,
        viewer: Option<ParticipantId>,
        outlet: &Outlet<SetItem>,
    ) -> Result<Step, Gone> {
        match after {
            None => match self.answer_for(Arc::clone(set), viewer).await {
                Ok(answer) => {
                    outlet.send(SetItem::Snapshot(Box::new(answer))).await?;
                    Ok(if set.status == SetStatus::Active { Step::GoOn } else { Step::End })
                }
                Err(fault) => {
                    outlet.fail(fault);
                    Ok(Step::End)
                }
            },
            Some(after) if after > set.seq => {
                outlet.send(SetItem::Reset("there is no such event yet")).await?;
                Ok(Step::End)
            }
            Some(_) => Ok(Step::GoOn),
        }
    }

    /// Sends every event after `seen`.
    async fn feed_events(&self, info: &Arc<SetInfo>, seen: &mut Seq, outlet: &Outlet<SetItem>) -> Result<Step, Gone> {
        loop {
            let page = match self.page(info, *seen).await {
                Ok(page) => page,
                Err(fault) => {
                    outlet.fail(fault);
                    return Ok(Step::End);
                }
            };
            if page.is_empty() && self.is_forgotten(&info.id, *seen).await.unwrap_or(false) {
                outlet.send(SetItem::Reset(FORGOTTEN)).await?;
                return Ok(Step::End);
            }
            let is_last = page.len() < PAGE as usize;
            for logged in page {
                let ends = ends_set(&logged.event);
                *seen = logged.seq;
                outlet.send(SetItem::Event(Arc::clone(info), Box::new(logged))).await?;
                if ends {
                    return Ok(Step::End);
                }
            }
            if is_last {
                let has_ended = self.set_has_ended(info, *seen).await;
                return Ok(if has_ended { Step::End } else { Step::GoOn });
            }
        }
    }

    /// Whether a set ended with event `seen`: a reader that has seen the end is done.
    async fn set_has_ended(&self, info: &SetInfo, seen: Seq) -> bool {
        match self.lock(&info.id).await {
            Ok((_, set)) => set.status != SetStatus::Active && set.seq <= seen,
            Err(_) => false,
        }
    }

    async fn page(&self, info: &SetInfo, after: Seq) -> Result<Vec<Logged>, MatchFault> {
        let mut page = Vec::new();
        for framed in self.store.events(&info.id, after, PAGE).await? {
            page.push(self.positions.hydrate_event(&info.game, framed).await?);
        }
        Ok(page)
    }

    /// How long after the last look the log is looked at anyway: announcements may be lost, and when the bus is known to
    /// be away they are. Many streams look less often, so that they do not bring the database down as well.
    pub(super) fn look_anyway(&self) -> Duration {
        let [least, most] = if self.bus.hears_others() { LOOK_ANYWAY } else { LOOK_WHILE_DEAF };
        let streams = u32::try_from(self.streams.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
        LOOK_FOR_EACH.saturating_mul(streams).clamp(least, most)
    }

    /// Waits for something to look at, or for the time to look anyway, and shows meanwhile that the stream is still
    /// there.
    async fn await_news<T>(
        &self,
        news: &mut BusSubscription,
        pulse: &mut Pulse,
        outlet: &Outlet<T>,
        heartbeat: impl Fn(UnixMs) -> T,
    ) -> Result<(), Gone> {
        let look_at = tokio::time::Instant::now() + self.look_anyway();
        loop {
            tokio::select! {
                biased;
                () = outlet.sender.closed() => return Err(Gone),
                _ = news.recv() => return Ok(()),
                () = tokio::time::sleep_until(look_at) => return Ok(()),
                () = pulse.due() => {
                    outlet.send(heartbeat(self.clock.now())).await?;
                    *pulse = Pulse::start();
                }
            }
        }
    }

    /// Watches everything that concerns a participant: a snapshot first, or exactly what came after `after_cursor`.
    ///
    /// # Errors
    ///
    /// A cursor that is none.
    pub async fn watch_participant(
        self: &Arc<Self>,
        who: ParticipantId,
        after_cursor: &str,
    ) -> Result<Watching<(String, ParticipantItem)>, MatchFault> {
        let cursor = match after_cursor {
            "" => None,
            text => Some(Cursor::read(text).ok_or(Refusal::CursorInvalid)?),
        };
        let news = self.bus.subscribe(&participant_topic(who.as_str()));
        let (outlet, watching) = Outlet::new();
        let counted = Counted::new(self);
        self.spawn("participant stream", move |engine| async move {
            let _counted = counted;
            if let Err(Fed::Fault(fault)) = engine.feed_participant(&who, cursor, news, &outlet).await {
                outlet.fail(fault);
            }
        });
        Ok(watching)
    }

    async fn feed_participant(
        &self,
        who: &ParticipantId,
        cursor: Option<Cursor>,
        mut news: BusSubscription,
        outlet: &Outlet<(String, ParticipantItem)>,
    ) -> Result<(), Fed> {
        let mut cursor = match cursor {
            Some(cursor) if self.is_beyond_retention(UnixMs(cursor.t)) => {
                outlet.send((String::new(), ParticipantItem::Reset(FORGOTTEN))).await?;
                return Ok(());
            }
            Some(cursor) => cursor,
            None => self.open_participant(who, outlet).await?,
        };
        let mut pulse = Pulse::start();
        loop {
            if self.feed_news(who, &mut cursor, outlet).await? {
                pulse = Pulse::start();
            }
            let heartbeat = |now| (String::new(), ParticipantItem::Heartbeat(now));
            self.await_news(&mut news, &mut pulse, outlet, heartbeat).await?;
        }
    }

    async fn open_participant(
        &self,
        who: &ParticipantId,
        outlet: &Outlet<(String, ParticipantItem)>,
    ) -> Result<Cursor, Fed> {
        let mut cursor = Cursor { t: self.clock.now().0, ..Cursor::default() };
        let since = self.clock.now().minus(SLACK);
        let mut sets = Vec::new();
        for (id, seq) in self.store.recent_sets(who, since).await?.sets {
            let set = self.at_least(&id, seq).await?;
            cursor.s.insert(id, set.seq.0);
            if set.status == SetStatus::Active {
                sets.push(self.answer_for(set, Some(who.clone())).await?);
            }
        }
        let mut challenges = self.store.recent_challenges(who, since).await?;
        for challenge in &challenges {
            cursor.c.insert(challenge.id.0.clone(), status_mark(challenge.status));
        }
        challenges.retain(|challenge| challenge.status == ChallengeStatus::Open);
        outlet.send((cursor.text(), ParticipantItem::Snapshot(sets, challenges))).await?;
        Ok(cursor)
    }

    /// Sends what is new since `cursor`, moving it on with every item; whether there was anything.
    async fn feed_news(
        &self,
        who: &ParticipantId,
        cursor: &mut Cursor,
        outlet: &Outlet<(String, ParticipantItem)>,
    ) -> Result<bool, Fed> {
        let now = self.clock.now();
        let mut has_sent = false;
        let since = UnixMs(cursor.t).minus(SLACK);
        let challenges = self.store.recent_challenges(who, since).await?;
        for challenge in &challenges {
            let mark = status_mark(challenge.status);
            if cursor.c.insert(challenge.id.0.clone(), mark) != Some(mark) {
                let item = ParticipantItem::Challenge(Box::new(challenge.clone()));
                outlet.send((cursor.text(), item)).await?;
                has_sent = true;
            }
        }
        let sets = self.store.recent_sets(who, since).await?.sets;
        for (id, last) in &sets {
            has_sent |= self.feed_set_news(id, *last, cursor, outlet).await?;
        }
        // What is beyond the slack now was sent, and will not be looked at again.
        cursor.c.retain(|id, _| challenges.iter().any(|challenge| challenge.id.0 == *id));
        cursor.s.retain(|id, _| sets.iter().any(|(found, _)| found == id));
        cursor.t = now.0;
        Ok(has_sent)
    }

    async fn feed_set_news(
        &self,
        id: &SetId,
        last: Seq,
        cursor: &mut Cursor,
        outlet: &Outlet<(String, ParticipantItem)>,
    ) -> Result<bool, Fed> {
        let mut seen = Seq(cursor.s.get(id).copied().unwrap_or(0));
        if seen >= last {
            return Ok(false);
        }
        let set = self.lock(id).await?.1;
        while seen < last {
            let page = self.page(&set.info, seen).await?;
            if page.is_empty() {
                break;
            }
            for logged in page {
                seen = logged.seq;
                cursor.s.insert(id.clone(), seen.0);
                let item = ParticipantItem::Event(Arc::clone(&set.info), Box::new(logged));
                outlet.send((cursor.text(), item)).await?;
            }
        }
        Ok(true)
    }
}

/// When a stream has to show that it is still there: anything sent counts, and starts another pulse.
struct Pulse {
    last: tokio::time::Instant,
}

impl Pulse {
    fn start() -> Self {
        Self { last: tokio::time::Instant::now() }
    }

    /// Waits until nothing was sent for so long that a heartbeat follows.
    async fn due(&self) {
        tokio::time::sleep_until(self.last + HEARTBEAT).await;
    }
}

/// Counts a stream while it lives.
struct Counted(Arc<Engine>);

impl Counted {
    fn new(engine: &Arc<Engine>) -> Self {
        engine.streams.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(engine))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Why a participant's stream is not fed any more.
enum Fed {
    Gone,
    Fault(MatchFault),
}

impl From<Gone> for Fed {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

impl From<MatchFault> for Fed {
    fn from(fault: MatchFault) -> Self {
        Self::Fault(fault)
    }
}

const fn status_mark(status: ChallengeStatus) -> u8 {
    match status {
        ChallengeStatus::Pending => 0,
        ChallengeStatus::Open => 1,
        ChallengeStatus::Accepted => 2,
        ChallengeStatus::Declined => 3,
        ChallengeStatus::Cancelled => 4,
        ChallengeStatus::Expired => 5,
    }
}

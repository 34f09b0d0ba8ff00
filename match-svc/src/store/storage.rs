//! What the engine asks of its tables, as a trait: the database answers it in production, a memory in simulations.
//! Not here: what each method does; the database's own says it, and the memory does the same.

use std::fmt::Debug;
use std::sync::Arc;

use farside_kit::operator::LogEntry;
use farside_kit::time::UnixMs;
use tonic::async_trait;

use super::{
    Accepting, ChallengeFilter, Created, DueErrand, FramedLogged, FramedSet, NewChallenge, PendingMove, PendingRound,
    Prepared, RecentSets, Request, RunningRound, Seen, SetFilter, SetSummary, SettlementMark, Store, StoredKey,
    TimedSet,
};
use crate::domain::challenge::{Challenge, Claim, Ending};
use crate::domain::fault::MatchFault;
use crate::domain::ids::{ChallengeId, GameNumber, ParticipantId, Ply, Seq, SetId};
use crate::domain::outage::{Outage, OutagePolicy};
use crate::domain::standing::{Strike, Subject};

/// Tables that several parts of an engine share.
pub type SharedStore = Arc<dyn Storage>;

macro_rules! storage {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        /// The tables. Each method is one transaction, or one look; all may fail for want of a database, and say so.
        #[async_trait]
        pub trait Storage: Debug + Send + Sync {
            $(
                #[doc = concat!("As [`Store::", stringify!($name), "`].")]
                async fn $name(&self, $($argument: $kind),*) -> Result<$answer, MatchFault>;
            )*
        }

        #[async_trait]
        impl Storage for Store {
            $(
                async fn $name(&self, $($argument: $kind),*) -> Result<$answer, MatchFault> {
                    Store::$name(self, $($argument),*).await
                }
            )*
        }
    };
}

storage! {
    beat(now: UnixMs, policy: OutagePolicy) -> Option<Outage>;
    last_beat() -> Option<UnixMs>;
    open_outages() -> Vec<Outage>;
    close_outage(outage: Outage) -> ();
    create_challenge(new: NewChallenge) -> Created;
    open_challenge(id: &ChallengeId, winnings: i64, now: UnixMs) -> bool;
    remove_pending(challenge: &Challenge, release: bool, now: UnixMs) -> ();
    challenge(id: &ChallengeId) -> Option<Challenge>;
    claim_challenge(id: &ChallengeId, claim: &Claim, limited: bool, limit: u32) -> bool;
    drop_claim(challenge: &Challenge, claim: &Claim, release: bool, now: UnixMs) -> ();
    accept_challenge(accepting: Accepting) -> bool;
    end_challenge(challenge: &Challenge, ending: Ending, request: Option<Request>, now: UnixMs) -> bool;
    expired_challenges(now: UnixMs, limit: u32) -> Vec<Challenge>;
    abandoned_challenges(before: UnixMs, limit: u32) -> Vec<Challenge>;
    recent_challenges(who: &ParticipantId, since: UnixMs) -> Vec<Challenge>;
    list_challenges(filter: &ChallengeFilter) -> Vec<Challenge>;
    commit(batch: Vec<Arc<Prepared>>) -> Vec<bool>;
    events(id: &SetId, after: Seq, limit: u32) -> Vec<FramedLogged>;
    signing_keys() -> Vec<StoredKey>;
    keep_signing_key(key: StoredKey) -> ();
    active_sets_and_open_challenges() -> (i64, i64);
    list_sets(filter: &SetFilter) -> Vec<SetSummary>;
    take_errands(now: UnixMs, retry_at: UnixMs, limit: u32) -> Vec<DueErrand>;
    finish_errands(done: Vec<DueErrand>, now: UnixMs) -> ();
    put_off(key: &str, due_at: UnixMs) -> ();
    outbox_age() -> (i64, Option<UnixMs>);
    active_count(id: &ParticipantId) -> u32;
    strikes(id: &ParticipantId, since: UnixMs) -> Vec<Strike>;
    active_sets(id: &ParticipantId) -> Vec<(SetId, Seq)>;
    recent_sets(id: &ParticipantId, since: UnixMs) -> RecentSets;
    pending_round(id: &SetId, game: GameNumber, ply: Ply) -> PendingRound;
    place(id: &SetId, seq: Seq, round: RunningRound, placed: PendingMove) -> Option<PendingRound>;
    stale_rounds(before: UnixMs, limit: u32) -> Vec<SetId>;
    seen(actor: &ParticipantId, request_id: &str, fingerprint: &str) -> Seen;
    has_requests_before(before: UnixMs) -> bool;
    forget_requests(before: UnixMs) -> u64;
    set(id: &SetId) -> Option<FramedSet>;
    last_seq(id: &SetId) -> Option<Seq>;
    settlement(id: &SetId) -> SettlementMark;
    due_sets(before: UnixMs, limit: u32) -> Vec<SetId>;
    next_due() -> Option<UnixMs>;
    house_sets(limit: u32) -> Vec<SetId>;
    timed_sets(after: &SetId, limit: u32) -> Vec<TimedSet>;
    suspended_since(ids: &[&str]) -> Option<UnixMs>;
    suspend(subject: Subject, entry: LogEntry) -> bool;
    unsuspend(subject: Subject, entry: LogEntry) -> bool;
    ended_with_events(before: UnixMs, limit: u32) -> Vec<SetId>;
    has_events(id: &SetId) -> bool;
    kept_record(id: &SetId) -> Option<String>;
    forget_events(id: SetId, record: String, now: UnixMs) -> u64;
}

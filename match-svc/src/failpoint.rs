//! Places between two steps at which a test ends the process, as a crash would. Built only with the feature
//! `failpoints`; without it a place is nothing at all. Not here: what must hold afterwards.
//!
//! `FARSIDE_FAILPOINT=AcceptHeld` aborts the process the first time that it gets there.

/// A place between two steps of accepting, committing, settling or giving time back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failpoint {
    /// The creator's stake is held; its challenge is not open yet.
    ChallengeHeld,
    /// The acceptor's stake is held; there is no set yet.
    AcceptHeld,
    /// The set is in the database; nobody was told.
    AcceptCommitted,
    /// A challenge was cancelled; its stake is still held.
    ChallengeCancelled,
    /// A challenge has expired; its stake is still held.
    ChallengeExpired,
    /// rules-svc has played the move; it is not written yet.
    MoveDecided,
    /// A secret placement is in the database; its sender has no answer and the round is not revealed.
    PlacementStored,
    /// A batch is durable; none of its callers knows.
    CommitDurable,
    /// A decision is durable; no stream was told.
    CommitAnswered,
    /// The end of a set is durable; its errands wait in the outbox.
    EndDurable,
    /// Errands are taken from the outbox; nobody has them yet.
    ErrandsTaken,
    /// The ledger has done an errand; the outbox does not know.
    LedgerAnswered,
    /// rating-svc has recorded a set; the outbox does not know.
    RatingAnswered,
    /// An outage is in the database; no clock was given its time back.
    OutageFound,
    /// Clocks of a page of sets were given their time back; the outage is still open.
    ClocksCredited,
}

impl Failpoint {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::ChallengeHeld,
        Self::AcceptHeld,
        Self::AcceptCommitted,
        Self::ChallengeCancelled,
        Self::ChallengeExpired,
        Self::MoveDecided,
        Self::PlacementStored,
        Self::CommitDurable,
        Self::CommitAnswered,
        Self::EndDurable,
        Self::ErrandsTaken,
        Self::LedgerAnswered,
        Self::RatingAnswered,
        Self::OutageFound,
        Self::ClocksCredited,
    ];

    /// As `FARSIDE_FAILPOINT` names it.
    #[must_use]
    pub fn name(self) -> String {
        format!("{self:?}")
    }

    /// Ends the process when it was told to end here.
    #[cfg(feature = "failpoints")]
    pub(crate) fn reach(self) {
        static PLAN: std::sync::LazyLock<Option<String>> =
            std::sync::LazyLock::new(|| std::env::var("FARSIDE_FAILPOINT").ok());
        if PLAN.as_ref().is_some_and(|planned| *planned == self.name()) {
            std::process::abort();
        }
    }

    /// Nothing.
    #[cfg(not(feature = "failpoints"))]
    #[inline(always)]
    pub(crate) const fn reach(self) {}
}

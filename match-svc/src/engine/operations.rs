//! What operators do: abort sets, suspend participants. Each is done once for its key and logged in the transaction of its
//! effect. Not here: who is an operator, and how refusals are logged.

use farside_kit::operator::{LogEntry, Operation, OperatorLog};
use serde_json::json;

use super::Engine;
use super::change::{ATTEMPTS, Along};
use super::sets::SetAnswer;
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::SetId;
use crate::domain::participant::Participant;
use crate::domain::standing::Subject;

impl Engine {
    /// Ends a set without a result.
    ///
    /// # Errors
    ///
    /// In the order of the contract.
    pub async fn abort(&self, log: &OperatorLog, operation: Operation, set_id: SetId) -> Result<SetAnswer, MatchFault> {
        for _ in 0..ATTEMPTS {
            if log.seen(&operation).await?.whole().is_some() {
                return self.set_for(&set_id, None).await;
            }
            let set = self.current(&set_id).await?;
            let (mut locked, set) = match self.lock(&set_id).await? {
                (locked, latest) if latest.seq >= set.seq => (locked, latest),
                _ => continue,
            };
            let decision = set.abort(self.clock.now()).ok_or(Refusal::SetNotActive)?;
            let entry = log.done(&operation, &json!({ "seq": decision.next.seq.0 }));
            let along = Along { guard: self.guard(&set).await?, operation: Some(entry), ..Along::default() };
            if let Some(next) = self.commit(&mut locked, decision, along).await? {
                drop(locked);
                tracing::warn!(set = %set_id, operator = operation.operator, reason = operation.reason, "set is aborted");
                return Ok(SetAnswer::first(next, None));
            }
        }
        Err(MatchFault::Contended)
    }

    /// Keeps a bot, or a player with all its bots, from new sets.
    ///
    /// # Errors
    ///
    /// In the order of the contract.
    pub async fn suspend(&self, log: &OperatorLog, operation: Operation, subject: Subject) -> Result<(), MatchFault> {
        self.once(log, &operation, |entry| self.store.suspend(subject.clone(), entry)).await
    }

    /// Takes a suspension back.
    ///
    /// # Errors
    ///
    /// In the order of the contract.
    pub async fn unsuspend(&self, log: &OperatorLog, operation: Operation, subject: Subject) -> Result<(), MatchFault> {
        self.once(log, &operation, |entry| self.store.unsuspend(subject.clone(), entry)).await
    }

    /// Writes what an operation comes to with its line of the log, unless it was done before; another attempt under the
    /// same key that got in between is found then.
    async fn once<F>(
        &self,
        log: &OperatorLog,
        operation: &Operation,
        write: impl Fn(LogEntry) -> F,
    ) -> Result<(), MatchFault>
    where
        F: Future<Output = Result<bool, MatchFault>>,
    {
        for _ in 0..ATTEMPTS {
            if log.seen(operation).await?.whole().is_some() || write(log.done(operation, &json!({}))).await? {
                return Ok(());
            }
        }
        Err(MatchFault::Contended)
    }

    /// Whether an operator keeps this participant, or its owner, from new sets.
    pub(super) async fn is_suspended(&self, who: &Participant) -> Result<bool, MatchFault> {
        let since = self.store.suspended_since(&[who.id.as_str(), who.owner_id.as_str()]).await?;
        Ok(since.is_some())
    }
}

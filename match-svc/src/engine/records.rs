//! Records of finished sets: facts from the log, sealed by rules-svc, signed here. Not here: the shape (`domain/record`).

use serde_json::{Value, json};

use super::Engine;
use crate::domain::event::{Logged, SetStatus};
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::{Seq, SetId};
use crate::domain::record;
use crate::domain::set::SetInfo;

impl Engine {
    /// A set's signed record as JSON.
    ///
    /// # Errors
    ///
    /// No such set, or it has not ended.
    pub async fn record(&self, id: &SetId) -> Result<String, MatchFault> {
        let set = self.current(id).await?;
        if set.status == SetStatus::Active {
            return Err(Refusal::SetNotFinished.into());
        }
        if let Some(kept) = self.store.kept_record(id).await? {
            return Ok(kept);
        }
        let facts = record::facts(&set.info, &self.whole_log(&set.info).await?);
        let (record_json, head) = self.rules.seal(facts.to_string()).await?;
        self.sign(&record_json, &head)
    }

    /// Every event of a set.
    pub(super) async fn whole_log(&self, info: &SetInfo) -> Result<Vec<Logged>, MatchFault> {
        let mut events = Vec::new();
        for framed in self.store.events(&info.id, Seq(0), u32::MAX >> 1).await? {
            events.push(self.positions.hydrate_event(&info.game, framed).await?);
        }
        Ok(events)
    }

    fn sign(&self, record_json: &str, head: &[u8]) -> Result<String, MatchFault> {
        let mut record: Value =
            serde_json::from_str(record_json).map_err(|error| MatchFault::Internal(Box::new(error)))?;
        let members = record.as_object_mut().ok_or_else(|| MatchFault::internal("a record is an object"))?;
        let signature = json!({"key": self.signer.key_id(), "ed25519": hex::encode(self.signer.sign(head))});
        members.insert("signature".to_owned(), signature);
        Ok(record.to_string())
    }

    /// The public keys that sign records, newest first.
    #[must_use]
    pub fn public_keys(&self) -> &[super::PublicKey] {
        self.signer.public_keys()
    }
}

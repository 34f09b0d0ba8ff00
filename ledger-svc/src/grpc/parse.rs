//! Requests become postings.
//!
//! Not here: judging amounts, currencies and accounts; only what could not be stored or remembered is refused.

use farside_proto::ledger::v1 as wire;

use super::fault::RequestFault;
use crate::domain::ids::{HoldId, RequestId, SetId, Text};
use crate::domain::posting::{Close, Command, Grant, PlaceHold, Posting, Release, Settle};

const NAME: &str = "must be 1 to 128 visible ASCII characters";
const TEXT: &str = "must be at most 256 bytes without control characters";
const SHORT: &str = "must be at most 128 bytes";
const MISSING: &str = "must be given";

/// The most holds that a split or refund may name, so that no request is without bound.
const MAX_HOLDS: usize = 8;

/// A request that is one posting.
pub(super) trait Parse {
    /// Reads it.
    fn parse(self) -> Result<Posting, RequestFault>;
}

fn field<T>(field: &'static str, problem: &'static str, value: Option<T>) -> Result<T, RequestFault> {
    value.ok_or(RequestFault::Field { field, problem })
}

fn key(text: String) -> Result<RequestId, RequestFault> {
    field("request_id", NAME, RequestId::new(text))
}

fn hold(name: &'static str, text: String) -> Result<HoldId, RequestFault> {
    field(name, NAME, HoldId::new(text))
}

fn text(name: &'static str, value: String) -> Result<Text, RequestFault> {
    field(name, TEXT, Text::new(value))
}

/// A text that is judged later and only has to be of bounded length.
fn short(name: &'static str, value: String) -> Result<String, RequestFault> {
    field(name, SHORT, Some(value).filter(|value| value.len() <= 128))
}

impl Parse for wire::GrantRequest {
    fn parse(self) -> Result<Posting, RequestFault> {
        let key = key(self.request_id)?;
        let command = Command::Grant(Grant {
            account: short("account_id", self.account_id)?,
            currency: short("currency", self.currency)?,
            amount_points: self.amount_points,
            memo: text("memo", self.memo)?,
            by_hand: None,
        });
        Ok(Posting { key, command })
    }
}

impl Parse for wire::HoldRequest {
    fn parse(self) -> Result<Posting, RequestFault> {
        let key = key(self.request_id)?;
        let command = Command::Hold(PlaceHold {
            account: short("account_id", self.account_id)?,
            currency: short("currency", self.currency)?,
            amount_points: self.amount_points,
            max_stake_points: self.max_stake_points,
            subject: text("subject", self.subject)?,
            participant: text("participant_id", self.participant_id)?,
        });
        Ok(Posting { key, command })
    }
}

impl Parse for wire::ReleaseRequest {
    fn parse(self) -> Result<Posting, RequestFault> {
        let key = key(self.request_id)?;
        let command = Command::Release(Release { hold: hold("hold_id", self.hold_id)?, by_hand: None });
        Ok(Posting { key, command })
    }
}

impl Parse for wire::SettleRequest {
    fn parse(self) -> Result<Posting, RequestFault> {
        let key = key(self.request_id)?;
        let command = Command::Settle(Settle {
            set: set(self.set_id)?,
            winner: hold("winner_hold_id", self.winner_hold_id)?,
            loser: hold("loser_hold_id", self.loser_hold_id)?,
        });
        Ok(Posting { key, command })
    }
}

impl Parse for wire::SplitRequest {
    fn parse(self) -> Result<Posting, RequestFault> {
        let key = key(self.request_id)?;
        Ok(Posting { key, command: Command::Split(close(self.set_id, self.hold_ids)?) })
    }
}

impl Parse for wire::RefundRequest {
    fn parse(self) -> Result<Posting, RequestFault> {
        let key = key(self.request_id)?;
        Ok(Posting { key, command: Command::Refund(close(self.set_id, self.hold_ids)?) })
    }
}

impl Parse for wire::Posting {
    fn parse(self) -> Result<Posting, RequestFault> {
        match field("posting", MISSING, self.posting)? {
            wire::posting::Posting::Grant(request) => request.parse(),
            wire::posting::Posting::Hold(request) => request.parse(),
            wire::posting::Posting::Release(request) => request.parse(),
            wire::posting::Posting::Settle(request) => request.parse(),
            wire::posting::Posting::Split(request) => request.parse(),
            wire::posting::Posting::Refund(request) => request.parse(),
        }
    }
}

fn set(text: String) -> Result<SetId, RequestFault> {
    field("set_id", NAME, SetId::new(text))
}

fn close(set_id: String, hold_ids: Vec<String>) -> Result<Close, RequestFault> {
    let set = set(set_id)?;
    let hold_ids = field("hold_ids", "must be two", Some(hold_ids).filter(|ids| ids.len() <= MAX_HOLDS))?;
    let holds = hold_ids.into_iter().map(|id| hold("hold_ids", id)).collect::<Result<_, _>>()?;
    Ok(Close { set, holds })
}

//! ledger-svc: holding stakes and ending holds. Every call may arrive twice; its key makes it one.

use std::time::Duration;

use farside_kit::grpc::client::{RetryPolicy, Traced, retry};
use farside_proto::ledger::v1 as proto;
use proto::ledger_service_client::LedgerServiceClient;

use crate::domain::fault::MatchFault;
use crate::domain::ids::{SetId, Side};
use crate::domain::offer::{CurrencyLimits, Stake};
use crate::domain::participant::Participant;

const PATIENCE: RetryPolicy = RetryPolicy {
    first_pause: Duration::from_millis(20),
    last_pause: Duration::from_millis(500),
    deadline: Duration::from_secs(5),
};

/// A client of ledger-svc.
#[derive(Clone, Debug)]
pub struct Ledger {
    client: LedgerServiceClient<Traced>,
}

/// A stake that is set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// What a win of this stake brings after the fee, in points.
    pub winnings_points: i64,
}

impl Ledger {
    /// A client on this channel.
    #[must_use]
    pub fn new(channel: Traced) -> Self {
        Self { client: LedgerServiceClient::new(channel) }
    }

    /// The currencies with their limits.
    ///
    /// # Errors
    ///
    /// Those of the ledger.
    pub async fn currencies(&self) -> Result<Vec<CurrencyLimits>, MatchFault> {
        let answer = retry(PATIENCE, || {
            let mut client = self.client.clone();
            async move { client.list_currencies(proto::ListCurrenciesRequest {}).await }
        });
        let limits = |currency: proto::Currency| CurrencyLimits {
            code: currency.code,
            min_points: currency.stake_min_points,
            max_points: currency.stake_max_points,
        };
        Ok(answer.await?.currencies.into_iter().map(limits).collect())
    }

    /// Sets a stake aside under the name `hold_id`.
    ///
    /// # Errors
    ///
    /// Not enough balance, above the maximum.
    pub async fn hold(
        &self,
        hold_id: &str,
        who: &Participant,
        stake: &Stake,
        subject: &str,
    ) -> Result<Held, MatchFault> {
        let request = proto::HoldRequest {
            request_id: hold_id.to_owned(),
            account_id: who.owner_id.0.clone(),
            currency: stake.currency.clone(),
            amount_points: stake.amount_points,
            max_stake_points: who.max_stake_points,
            subject: subject.to_owned(),
            participant_id: who.id.0.clone(),
        };
        let answer = retry(PATIENCE, || {
            let (mut client, request) = (self.client.clone(), request.clone());
            async move { client.hold(request).await }
        });
        Ok(Held { winnings_points: answer.await?.winnings_points })
    }

    /// Gives a held stake back.
    ///
    /// # Errors
    ///
    /// Those of the ledger.
    pub async fn release(&self, request_id: &str, hold_id: &str) -> Result<(), MatchFault> {
        let (request_id, hold_id) = (request_id.to_owned(), hold_id.to_owned());
        let request = proto::ReleaseRequest { request_id, hold_id, reason: String::new() };
        self.client.clone().release(request).await.map_err(farside_kit::fault::Remote::from)?;
        Ok(())
    }

    /// Pays both stakes to the winner.
    ///
    /// # Errors
    ///
    /// Those of the ledger.
    pub async fn settle(
        &self,
        request_id: &str,
        set_id: &SetId,
        winner: Side,
        hold_ids: &[String; 2],
    ) -> Result<(), MatchFault> {
        let request = proto::SettleRequest {
            request_id: request_id.to_owned(),
            set_id: set_id.0.clone(),
            winner_hold_id: hold_ids[winner.index()].clone(),
            loser_hold_id: hold_ids[winner.other().index()].clone(),
        };
        self.client.clone().settle(request).await.map_err(farside_kit::fault::Remote::from)?;
        Ok(())
    }

    /// Gives both stakes back after a draw.
    ///
    /// # Errors
    ///
    /// Those of the ledger.
    pub async fn split(&self, request_id: &str, set_id: &SetId, hold_ids: &[String; 2]) -> Result<(), MatchFault> {
        let request = proto::SplitRequest {
            request_id: request_id.to_owned(),
            set_id: set_id.0.clone(),
            hold_ids: hold_ids.to_vec(),
        };
        self.client.clone().split(request).await.map_err(farside_kit::fault::Remote::from)?;
        Ok(())
    }

    /// Gives both stakes back after an abort.
    ///
    /// # Errors
    ///
    /// Those of the ledger.
    pub async fn refund(&self, request_id: &str, set_id: &SetId, hold_ids: &[String; 2]) -> Result<(), MatchFault> {
        let request = proto::RefundRequest {
            request_id: request_id.to_owned(),
            set_id: set_id.0.clone(),
            hold_ids: hold_ids.to_vec(),
        };
        self.client.clone().refund(request).await.map_err(farside_kit::fault::Remote::from)?;
        Ok(())
    }
}

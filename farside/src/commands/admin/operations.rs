//! Operations: one call each, under an idempotency key that is printed whatever comes of it.

use anyhow::{Context as _, Result};
use clap::Args;
use farside_kit::config::{ConfigFault, Validate};
use farside_proto::{
    ledger::v1::{GrantRequest, ReleaseRequest},
    matches::v1::{AbortSetRequest, SuspendRequest, UnsuspendRequest},
    rating::v1::RebuildRequest,
};

use super::reach::{Because, Reach, call};
use crate::output::say;

/// What a statement says of points that an operator gave.
const MEMO: &str = "operator";

/// Points for a player.
#[derive(Debug, Clone, Args)]
pub struct GrantArgs {
    /// `player_…`
    player: String,
    /// How many points
    #[arg(value_parser = clap::value_parser!(i64).range(1..))]
    points: i64,
    /// Currency code
    #[arg(long, default_value = "PTS")]
    currency: String,
    #[command(flatten)]
    because: Because,
    #[command(flatten)]
    reach: Reach,
}

/// A hold to release.
#[derive(Debug, Clone, Args)]
pub struct ReleaseHoldArgs {
    /// The hold's name in the ledger, `chal_…:hold:…`
    hold: String,
    #[command(flatten)]
    because: Because,
    #[command(flatten)]
    reach: Reach,
}

/// A set to abort.
#[derive(Debug, Clone, Args)]
pub struct AbortSetArgs {
    /// `set_…`
    set: String,
    #[command(flatten)]
    because: Because,
    #[command(flatten)]
    reach: Reach,
}

/// Whom to suspend, or to suspend no more.
#[derive(Debug, Clone, Args)]
pub struct SuspendArgs {
    /// `bot_…`, or `player_…` for a player with all its bots
    subject: String,
    #[command(flatten)]
    because: Because,
    #[command(flatten)]
    reach: Reach,
}

/// A rebuild.
#[derive(Debug, Clone, Args)]
pub struct RebuildRatingsArgs {
    #[command(flatten)]
    because: Because,
    #[command(flatten)]
    reach: Reach,
}

macro_rules! reached {
    ($($args:ident),*) => {
        $(impl Validate for $args {
            fn validate(&self) -> Result<(), ConfigFault> {
                self.reach.validate()
            }
        })*
    };
}

reached!(GrantArgs, ReleaseHoldArgs, AbortSetArgs, SuspendArgs, RebuildRatingsArgs);

/// Sends an operation under its key, and says which that was.
async fn operate<T>(because: &Because, send: impl AsyncFnOnce(String, String) -> Result<T>) -> Result<T> {
    let request_id = because.request_id();
    let done = send(request_id.clone(), because.reason.clone()).await;
    let done = done.with_context(|| format!("request id {request_id}"))?;
    say(format_args!("request id  {request_id}"));
    Ok(done)
}

pub(super) async fn grant(args: GrantArgs) -> Result<()> {
    let client = args.reach.ledger()?;
    let GrantArgs { player, points, currency, .. } = args;
    let granted = operate(&args.because, async |request_id, reason| {
        let (account_id, memo) = (player.clone(), MEMO.to_owned());
        let request = GrantRequest { request_id, account_id, currency, amount_points: points, memo, reason };
        call(|| async { client.clone().grant(request.clone()).await }).await
    });
    let balance = granted.await?.balance.unwrap_or_default();
    say(format_args!("granted     {points} {} to {player}", balance.currency));
    say(format_args!("balance     {} available, {} held", balance.available_points, balance.held_points));
    Ok(())
}

pub(super) async fn release_hold(args: ReleaseHoldArgs) -> Result<()> {
    let (client, hold_id) = (args.reach.ledger()?, args.hold);
    operate(&args.because, async |request_id, reason| {
        let request = ReleaseRequest { request_id, hold_id: hold_id.clone(), reason };
        call(|| async { client.clone().release(request.clone()).await }).await
    })
    .await?;
    say(format_args!("released    {hold_id}"));
    Ok(())
}

pub(super) async fn abort_set(args: AbortSetArgs) -> Result<()> {
    let (client, set_id) = (args.reach.matches()?, args.set);
    operate(&args.because, async |request_id, reason| {
        let request = AbortSetRequest { request_id, set_id: set_id.clone(), reason };
        call(|| async { client.clone().abort_set(request.clone()).await }).await
    })
    .await?;
    say(format_args!("aborted     {set_id}"));
    Ok(())
}

pub(super) async fn suspend(args: SuspendArgs) -> Result<()> {
    let (client, subject_id) = (args.reach.matches()?, args.subject);
    operate(&args.because, async |request_id, reason| {
        let request = SuspendRequest { request_id, subject_id: subject_id.clone(), reason };
        call(|| async { client.clone().suspend(request.clone()).await }).await
    })
    .await?;
    say(format_args!("suspended   {subject_id}"));
    Ok(())
}

pub(super) async fn unsuspend(args: SuspendArgs) -> Result<()> {
    let (client, subject_id) = (args.reach.matches()?, args.subject);
    operate(&args.because, async |request_id, reason| {
        let request = UnsuspendRequest { request_id, subject_id: subject_id.clone(), reason };
        call(|| async { client.clone().unsuspend(request.clone()).await }).await
    })
    .await?;
    say(format_args!("unsuspended {subject_id}"));
    Ok(())
}

pub(super) async fn rebuild_ratings(args: RebuildRatingsArgs) -> Result<()> {
    let client = args.reach.rating()?;
    let rebuilt = operate(&args.because, async |request_id, reason| {
        let request = RebuildRequest { request_id, reason };
        call(|| async { client.clone().rebuild(request.clone()).await }).await
    })
    .await?;
    say(format_args!("rebuilt     {} sets, {} figures corrected", rebuilt.sets, rebuilt.corrected));
    Ok(())
}

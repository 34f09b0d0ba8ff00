//! `farside admin`: what an operator does to a running platform, with a key, through the services' own contracts.
//!
//! Each operation is sent under an idempotency key and printed with it, so that one whose answer was lost can be sent
//! again. Not here: what an operation does; the service that does it also logs it.

mod audit_log;
mod key;
mod operations;
mod reach;
mod show;

use anyhow::Result;
use clap::Subcommand;
use farside_kit::config::{ConfigFault, Validate};

pub use audit_log::AuditLogArgs;
pub use key::KeyCommand;
pub use operations::{AbortSetArgs, GrantArgs, RebuildRatingsArgs, ReleaseHoldArgs, SuspendArgs};
pub use show::ShowArgs;

/// What an operator can do.
#[derive(Debug, Clone, Subcommand)]
pub enum AdminCommand {
    /// Make keys of operators
    #[command(subcommand)]
    Key(KeyCommand),
    /// Give a player points from issuance
    Grant(GrantArgs),
    /// Give back a stake that no challenge and no set knows of any more, after a restore from dumps
    ReleaseHold(ReleaseHoldArgs),
    /// End a running set without a result: stakes go back, nothing is rated
    AbortSet(AbortSetArgs),
    /// Keep a bot, or a player with all its bots, from new sets; those that run are played on
    Suspend(SuspendArgs),
    /// Take a suspension back
    Unsuspend(SuspendArgs),
    /// Make ratings, histories and practice statistics anew from the log of sets, and correct what differs
    RebuildRatings(RebuildRatingsArgs),
    /// Show a player, a bot or a set as the services know it
    Show(ShowArgs),
    /// List what operators did and were refused, newest first
    AuditLog(AuditLogArgs),
}

impl Validate for AdminCommand {
    fn validate(&self) -> Result<(), ConfigFault> {
        match self {
            Self::Key(command) => command.validate(),
            Self::Grant(args) => args.validate(),
            Self::ReleaseHold(args) => args.validate(),
            Self::AbortSet(args) => args.validate(),
            Self::Suspend(args) | Self::Unsuspend(args) => args.validate(),
            Self::RebuildRatings(args) => args.validate(),
            Self::Show(args) => args.validate(),
            Self::AuditLog(args) => args.validate(),
        }
    }
}

/// Does what the operator asks for.
///
/// # Errors
/// The refusal, with its reason; that no service answers.
pub async fn run(command: AdminCommand) -> Result<()> {
    match command {
        AdminCommand::Key(command) => key::run(&command),
        AdminCommand::Grant(args) => operations::grant(args).await,
        AdminCommand::ReleaseHold(args) => operations::release_hold(args).await,
        AdminCommand::AbortSet(args) => operations::abort_set(args).await,
        AdminCommand::Suspend(args) => operations::suspend(args).await,
        AdminCommand::Unsuspend(args) => operations::unsuspend(args).await,
        AdminCommand::RebuildRatings(args) => operations::rebuild_ratings(args).await,
        AdminCommand::Show(args) => show::run(args).await,
        AdminCommand::AuditLog(args) => audit_log::run(args).await,
    }
}

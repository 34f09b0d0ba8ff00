//! `farside admin key new`: a new operator's key. It is shown once and kept nowhere; services are given its hash.

use anyhow::Result;
use clap::Subcommand;
use farside_kit::{
    config::{ConfigFault, Validate},
    ids::SystemIds,
    operator::mint_key,
};

use crate::output::say;

/// What to do with keys.
#[derive(Debug, Clone, Subcommand)]
pub enum KeyCommand {
    /// Make a key: the secret for the operator, and the entry for FARSIDE_OPERATOR_KEYS of every service
    New {
        /// Whose key it is, as the log of operations will say: letters, digits, . _ @ -
        name: String,
    },
}

impl Validate for KeyCommand {
    fn validate(&self) -> Result<(), ConfigFault> {
        let Self::New { name } = self;
        mint_key(name, &SystemIds).map(drop)
    }
}

/// Makes a key and prints both halves.
///
/// # Errors
/// When the name cannot be one.
pub(super) fn run(command: &KeyCommand) -> Result<()> {
    let KeyCommand::New { name } = command;
    let (secret, entry) = mint_key(name, &SystemIds)?;
    say(format_args!("for {name}, shown this once:"));
    say(format_args!("  FARSIDE_OPERATOR_KEY={}", secret.reveal()));
    say(format_args!("for every service, beside the entries of other operators:"));
    say(format_args!("  FARSIDE_OPERATOR_KEYS={entry}"));
    Ok(())
}

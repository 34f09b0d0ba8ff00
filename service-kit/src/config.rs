//! Settings of a process: flags, each with an environment variable, checked before any port is bound.
//!
//! Not here: settings of one service; each has an `Args` struct of its own and flattens the groups below into it.

use std::ffi::OsString;
use std::fmt;
use std::io::Write as _;
use std::net::SocketAddr;
use std::str::FromStr;

use clap::error::ErrorKind;
use clap::{FromArgMatches, Parser};

pub use crate::grpc::access::{Known, ServiceTokens};
pub use crate::grpc::tls::TlsArgs;
pub use crate::operator::OperatorKeys;

/// The exit code of a process with a bad setting (`EX_USAGE` of sysexits).
pub const EXIT_USAGE: u8 = 64;

/// A setting that cannot be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: {problem}")]
pub struct ConfigFault {
    /// The flag, for example `--listen`.
    pub setting: String,
    /// What is wrong with it.
    pub problem: String,
}

impl ConfigFault {
    /// Names the setting and what is wrong with it.
    #[must_use]
    pub fn new(setting: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { setting: setting.into(), problem: problem.into() }
    }
}

/// Checks that one flag alone cannot make.
pub trait Validate {
    /// Checks the settings against each other.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be right.
    fn validate(&self) -> Result<(), ConfigFault> {
        Ok(())
    }
}

/// Reads the settings from the command line and the environment. `--help` and `--version` print and exit 0; a bad
/// setting prints one line that names it and exits [`EXIT_USAGE`].
pub fn parse<A: Parser + Validate>() -> A {
    parse_from(std::env::args_os()).unwrap_or_else(|refusal| refusal.exit())
}

/// Why there are no settings to go on with.
#[derive(Debug)]
pub enum Refusal {
    /// Help or version was asked for: the text to print.
    Help(clap::Error),
    /// A setting cannot be right: the line to print.
    Bad(String),
}

impl Refusal {
    /// Prints what there is to say and ends the process.
    pub fn exit(self) -> ! {
        match self {
            Self::Help(help) => help.exit(),
            Self::Bad(line) => {
                // Nobody is left to tell when standard error is closed.
                let _ = writeln!(std::io::stderr(), "{line}");
                std::process::exit(EXIT_USAGE.into())
            }
        }
    }
}

/// As [`parse`], from these arguments (the first is the program's name), and without ending the process.
///
/// # Errors
///
/// When help was asked for or a setting cannot be right.
pub fn parse_from<A: Parser + Validate>(
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<A, Refusal> {
    parse_command(A::command(), args)
}

/// As [`parse_from`], for a command whose name or version is not that of `A`.
///
/// # Errors
///
/// When help was asked for or a setting cannot be right.
pub fn parse_command<A: FromArgMatches + Validate>(
    command: clap::Command,
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<A, Refusal> {
    let matches = command.try_get_matches_from(args);
    let settings = matches.and_then(|matches| A::from_arg_matches(&matches)).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Refusal::Help(error),
        _ => Refusal::Bad(one_line(&error)),
    })?;
    settings.validate().map_err(|fault| Refusal::Bad(format!("error: {fault}")))?;
    Ok(settings)
}

/// The sentence of clap's answer and the flags that it lists, without its hints.
fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let sentence = text.lines().take_while(|line| !line.is_empty());
    sentence.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// A text that is never printed: passwords, tokens, addresses that contain them.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// Hides `text`.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the one who uses it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

impl FromStr for Secret {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::new(text))
    }
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    Pretty,
    /// One JSON object a line.
    Json,
}

/// What a process tells about itself. Traces are sent when the standard `OTEL_*` variables name a collector.
#[derive(Clone, Debug, clap::Args)]
pub struct TelemetryArgs {
    /// How log lines look
    #[arg(long, env = "FARSIDE_LOG_FORMAT", value_enum, default_value = "pretty")]
    pub log_format: LogFormat,
    /// What is logged: a level, or directives such as `info,farside_match=debug`
    #[arg(long, env = "FARSIDE_LOG_LEVEL", default_value = "info")]
    pub log_level: String,
}

impl Default for TelemetryArgs {
    fn default() -> Self {
        Self { log_format: LogFormat::Pretty, log_level: "info".to_owned() }
    }
}

impl Validate for TelemetryArgs {
    fn validate(&self) -> Result<(), ConfigFault> {
        let parsed = self.log_level.parse::<tracing_subscriber::filter::Targets>();
        parsed.map(drop).map_err(|error| ConfigFault::new("--log-level", error.to_string()))
    }
}

/// Where a service listens and whom it answers.
#[derive(Clone, Debug, clap::Args)]
pub struct ServerArgs {
    /// Address of the service itself
    #[arg(long, env = "FARSIDE_LISTEN")]
    pub listen: SocketAddr,
    /// Address of /metrics, /healthz and /readyz
    #[arg(long, env = "FARSIDE_ADMIN_LISTEN")]
    pub admin_listen: SocketAddr,
    /// Who may call: `caller=token`, separated by commas; without any, only health and reflection answer
    #[arg(long, env = "FARSIDE_SERVICE_TOKENS", default_value = "", hide_env_values = true, hide_default_value = true)]
    pub service_tokens: ServiceTokens,
    /// Operators that may call: `name=hash`, separated by commas, as `farside admin key new` prints them
    #[arg(long, env = "FARSIDE_OPERATOR_KEYS", default_value = "", hide_default_value = true)]
    pub operator_keys: OperatorKeys,
}

impl ServerArgs {
    /// Everybody whom the service answers.
    #[must_use]
    pub fn known(&self) -> Known {
        Known { tokens: self.service_tokens.clone(), operators: self.operator_keys.clone() }
    }
}

impl Validate for ServerArgs {
    fn validate(&self) -> Result<(), ConfigFault> {
        check_addresses(self.listen, self.admin_listen)
    }
}

/// Checks that a process does not listen twice at one address.
///
/// # Errors
///
/// When the admin port is to be where the service is.
pub fn check_addresses(listen: SocketAddr, admin_listen: SocketAddr) -> Result<(), ConfigFault> {
    if listen == admin_listen && listen.port() != 0 {
        return Err(ConfigFault::new("--admin-listen", "is the address of --listen too"));
    }
    Ok(())
}

/// The database of a service.
#[derive(Clone, Debug, clap::Args)]
pub struct DatabaseArgs {
    /// `sqlite://path` or `postgres://user:password@host/database`
    #[arg(long, env = "FARSIDE_DATABASE_URL", hide_env_values = true)]
    pub database_url: Secret,
    /// How many connections to PostgreSQL, or readers of SQLite, at most
    #[arg(long, env = "FARSIDE_DATABASE_POOL_SIZE", default_value_t = DatabaseArgs::POOL_SIZE)]
    pub database_pool_size: u32,
}

impl DatabaseArgs {
    /// How many connections unless something else is asked for.
    pub const POOL_SIZE: u32 = 16;

    /// The database at `url`, with the usual number of connections.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { database_url: Secret::new(url), database_pool_size: Self::POOL_SIZE }
    }

    /// Whether this is SQLite in a file; PostgreSQL otherwise.
    #[must_use]
    pub fn is_sqlite(&self) -> bool {
        self.database_url.reveal().starts_with("sqlite:")
    }
}

impl Validate for DatabaseArgs {
    fn validate(&self) -> Result<(), ConfigFault> {
        let url = self.database_url.reveal();
        let known = ["sqlite://", "postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme));
        if !known {
            return Err(ConfigFault::new("--database-url", "must begin with sqlite:// or postgres://"));
        }
        if !(1..=1_000).contains(&self.database_pool_size) {
            return Err(ConfigFault::new("--database-pool-size", "must be from 1 to 1000"));
        }
        Ok(())
    }
}

/// The bus between replicas.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct BusArgs {
    /// `redis://host:port`; without it, announcements stay within this process
    #[arg(long, env = "FARSIDE_REDIS_URL", hide_env_values = true)]
    pub redis_url: Option<Secret>,
}

impl Validate for BusArgs {
    fn validate(&self) -> Result<(), ConfigFault> {
        let Some(url) = &self.redis_url else { return Ok(()) };
        let opened = ::redis::Client::open(url.reveal());
        opened.map(drop).map_err(|error| ConfigFault::new("--redis-url", error.to_string()))
    }
}

/// How this process makes itself known to the services that it calls.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct UpstreamTokens {
    /// The token of this service at those that it calls
    #[arg(long, env = "FARSIDE_SERVICE_TOKEN", hide_env_values = true)]
    pub service_token: Option<Secret>,
}

impl Validate for UpstreamTokens {}

macro_rules! upstream {
    ($name:ident, $field:ident, $env:literal, $service:literal) => {
        #[doc = concat!("Where ", $service, " is; not needed in one process.")]
        #[derive(Clone, Debug, Default, clap::Args)]
        pub struct $name {
            #[doc = concat!("Address of ", $service, ": http://host:port")]
            #[arg(
                long,
                env = $env,
                help = concat!("Address of ", $service, ": http://host:port; all replicas that the name stands for are used")
            )]
            pub $field: Option<String>,
        }
    };
}

upstream!(RulesUpstream, rules_url, "FARSIDE_RULES_URL", "rules-svc");
upstream!(MatchUpstream, match_url, "FARSIDE_MATCH_URL", "match-svc");
upstream!(LedgerUpstream, ledger_url, "FARSIDE_LEDGER_URL", "ledger-svc");
upstream!(RatingUpstream, rating_url, "FARSIDE_RATING_URL", "rating-svc");

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Sample {
        #[command(flatten)]
        server: ServerArgs,
        #[command(flatten)]
        database: DatabaseArgs,
    }

    impl Validate for Sample {
        fn validate(&self) -> Result<(), ConfigFault> {
            self.server.validate()?;
            self.database.validate()
        }
    }

    fn refused(args: &[&str]) -> String {
        let base = ["sample", "--listen", "127.0.0.1:1", "--admin-listen", "127.0.0.1:2"];
        match parse_from::<Sample>(base.iter().chain(args).map(ToString::to_string)) {
            Err(Refusal::Bad(line)) => line,
            other => panic!("not refused: {other:?}"),
        }
    }

    #[test]
    fn a_bad_setting_is_named_on_one_line() {
        for (args, named) in [
            (&["--database-url", "mysql://x"][..], "--database-url"),
            (&["--database-url", "sqlite://x", "--database-pool-size", "0"], "--database-pool-size"),
            (&["--database-url", "sqlite://x", "--database-pool-size", "many"], "--database-pool-size"),
            (&["--database-url", "sqlite://x", "--service-tokens", "gateway"], "--service-tokens"),
            (&["--database-url", "sqlite://x", "--colour", "red"], "--colour"),
            (&[], "--database-url"),
        ] {
            let line = refused(args);
            assert!(line.contains(named) && !line.contains('\n'), "{line}");
        }
    }

    #[test]
    fn a_process_does_not_listen_twice_at_one_address() {
        let address = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
        assert_eq!(check_addresses(address(1), address(1)).unwrap_err().setting, "--admin-listen");
        assert!(check_addresses(address(1), address(2)).is_ok());
        assert!(check_addresses(address(0), address(0)).is_ok(), "each is given a free one");
    }

    #[test]
    fn asking_for_help_is_no_fault() {
        assert!(matches!(parse_from::<Sample>(["sample", "--help"]), Err(Refusal::Help(_))));
    }

    #[test]
    fn secrets_are_not_printed() {
        let args = DatabaseArgs::new("postgres://u:hunter2@h/d");
        assert!(!format!("{args:?}").contains("hunter2"));
        let tokens: ServiceTokens = "gateway=hunter2".parse().unwrap();
        assert!(!format!("{tokens:?}").contains("hunter2"));
    }
}

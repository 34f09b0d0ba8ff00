//! Settings of the five services in one process: what the platform chooses, and the environment for everything else.

use farside_kit::config::{self, ConfigFault, Refusal, Validate};

use crate::platform::PlatformArgs;

/// The settings of each service, checked.
#[derive(Debug, Clone)]
pub struct Services {
    pub(crate) rules: farside_rules::Config,
    pub(crate) matches: farside_match::Config,
    pub(crate) ledger: farside_ledger::Config,
    pub(crate) rating: farside_rating::Config,
    pub(crate) gateway: farside_gateway::Config,
}

/// A service's settings alone, as if they were a program's.
#[derive(Debug, clap::Parser)]
struct Alone<C: clap::Args> {
    #[command(flatten)]
    settings: C,
}

impl<C: clap::Args + Validate> Validate for Alone<C> {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.settings.validate()
    }
}

/// Chooses every service's database, and reads the rest from the environment.
///
/// # Errors
/// Names the first setting that cannot be right.
pub fn services(args: &PlatformArgs) -> Result<Services, ConfigFault> {
    Ok(Services {
        rules: alone("rules", Vec::new())?,
        matches: alone("match", storage(args, "match"))?,
        ledger: alone("ledger", database(args, "ledger"))?,
        rating: alone("rating", storage(args, "rating"))?,
        gateway: alone("gateway", storage(args, "gateway"))?,
    })
}

fn alone<C: clap::Args + Validate>(service: &str, flags: Vec<String>) -> Result<C, ConfigFault> {
    let program = std::iter::once(service.to_owned());
    match config::parse_from::<Alone<C>>(program.chain(flags)) {
        Ok(alone) => Ok(alone.settings),
        Err(Refusal::Bad(line)) => Err(ConfigFault::new(format!("settings of {service}"), line)),
        Err(Refusal::Help(help)) => Err(ConfigFault::new(format!("settings of {service}"), help.to_string())),
    }
}

fn database(args: &PlatformArgs, service: &str) -> Vec<String> {
    let url = match &args.database_url {
        Some(url) => url.reveal().to_owned(),
        None => format!("sqlite://{}", args.data.join(format!("{service}.db")).display()),
    };
    vec!["--database-url".to_owned(), url]
}

/// The database, and Redis when there is one.
fn storage(args: &PlatformArgs, service: &str) -> Vec<String> {
    let redis = args.redis_url.iter().flat_map(|url| ["--redis-url".to_owned(), url.reveal().to_owned()]);
    database(args, service).into_iter().chain(redis).collect()
}

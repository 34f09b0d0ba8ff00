//! The platform in one process: five services over their gRPC contracts, through pipes in memory.
//!
//! It adds nothing to what a service does by itself; only addresses and database files are chosen here.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use farside_kit::{
    Context, Running, Sockets, StartFault,
    config::{ConfigFault, Known, OperatorKeys, Secret, TelemetryArgs, Validate, check_addresses},
    grpc::{Endpoint, Listener, client},
    process::{self, STARTED},
};
use farside_proto::ledger::v1::ledger_service_client::LedgerServiceClient;

use crate::{
    client::Client,
    exhibition::Exhibition,
    settings::{self, Services},
};

/// The services that have operations.
const OPERATED: [&str; 3] = [farside_ledger::NAME, farside_match::NAME, farside_rating::NAME];

/// How long a stopping platform waits for moves and streams under way.
const DRAIN: Duration = Duration::from_secs(15);

/// How long a call of the platform's own to one of its services may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// Settings of the platform in one process. Every setting of a single service may be given as its environment variable.
#[derive(Debug, Clone, Args)]
pub struct PlatformArgs {
    /// Address of the public API and the pages.
    #[arg(long, env = "FARSIDE_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Address of metrics and health checks.
    #[arg(long, env = "FARSIDE_ADMIN_LISTEN", default_value = "127.0.0.1:9080")]
    pub admin_listen: SocketAddr,
    /// Folder of the embedded databases and of the exhibition's keys.
    #[arg(long, env = "FARSIDE_DATA", default_value = "./data")]
    pub data: PathBuf,
    /// A PostgreSQL database instead of the embedded ones; each service keeps to a schema of its own.
    #[arg(long, env = "FARSIDE_DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<Secret>,
    /// A Redis server for the bus, limits and leaderboards.
    #[arg(long, env = "FARSIDE_REDIS_URL", hide_env_values = true)]
    pub redis_url: Option<Secret>,
    /// How many exhibition bots play; 0 turns them off.
    #[arg(long, env = "FARSIDE_EXHIBITION", default_value_t = 4)]
    pub exhibition: usize,
    /// Milliseconds that an exhibition bot takes for a move.
    #[arg(long, env = "FARSIDE_EXHIBITION_PACE_MS", default_value_t = 900)]
    pub exhibition_pace_ms: u64,
    /// Operators that may use `farside admin` on this data folder: `name=hash`, separated by commas.
    #[arg(long, env = "FARSIDE_OPERATOR_KEYS", default_value = "", hide_default_value = true)]
    pub operator_keys: OperatorKeys,
    /// Logs and traces.
    #[command(flatten)]
    pub telemetry: TelemetryArgs,
}

impl Validate for PlatformArgs {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.telemetry.validate()?;
        check_addresses(self.listen, self.admin_listen)?;
        if self.exhibition > 64 {
            return Err(ConfigFault::new("--exhibition", "must be from 0 to 64"));
        }
        Ok(())
    }
}

/// A running platform.
pub struct Platform {
    url: String,
    admin: SocketAddr,
    context: Context,
}

impl Platform {
    /// Starts all five services in `context`. `services` are their settings, already checked.
    ///
    /// # Errors
    /// When a port or a database cannot be had.
    pub async fn start(args: &PlatformArgs, services: Services, context: Context) -> Result<Self, StartFault> {
        create_data_folder(&args.data)?;
        let context = open_to_operators(args, context)?;
        let listener = process::reserve(args.listen)?;
        let started = context.readiness.register(STARTED);
        let admin = process::serve_admin(&context, args.admin_listen).await?;
        let running = start_services(services, &context, listener).await?;
        started.set(true);
        let address = running.local_addr.ok_or_else(|| StartFault::new("listening", "the gateway has no address"))?;
        let platform = Self { url: format!("http://{address}"), admin, context };
        platform.start_exhibition(args)?;
        Ok(platform)
    }

    /// Address of the public API and the pages.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Address of metrics and health checks.
    #[must_use]
    pub fn admin(&self) -> SocketAddr {
        self.admin
    }

    /// What the services share.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Takes no new work, lets what is under way end, and says whether all of it ended in time.
    pub async fn stop(self) -> bool {
        self.context.shutdown.trigger();
        self.context.tasks.drain(DRAIN).await
    }

    /// Lets the exhibition play in the background.
    fn start_exhibition(&self, args: &PlatformArgs) -> Result<(), StartFault> {
        if args.exhibition == 0 {
            return Ok(());
        }
        let ledger = client::channel(&self.endpoint("ledger")?, None, CALL_TIMEOUT);
        let exhibition = Exhibition {
            platform: Client::new(&self.url).map_err(|fault| StartFault::new("exhibition", fault))?,
            ledger: LedgerServiceClient::new(ledger),
            keys: args.data.join("exhibition.json"),
            bots: args.exhibition,
            pace: Duration::from_millis(args.exhibition_pace_ms),
        };
        let shutdown = self.context.shutdown.clone();
        self.context.tasks.spawn("exhibition", async move {
            if let Err(fault) = exhibition.run(shutdown).await {
                tracing::warn!(chain = %farside_kit::fault::Chain(&fault), "the exhibition does not play");
            }
        });
        Ok(())
    }

    fn endpoint(&self, service: &str) -> Result<Endpoint, StartFault> {
        self.context.endpoint(service, service, None)
    }
}

/// Operators reach a platform in one process through sockets in its data folder; without operators there are none.
fn open_to_operators(args: &PlatformArgs, context: Context) -> Result<Context, StartFault> {
    if args.operator_keys.is_empty() {
        return Ok(context);
    }
    let known = Known { operators: args.operator_keys.clone(), ..Known::default() };
    let sockets = Sockets::open(&operator_folder(&args.data), &OPERATED)?;
    Ok(Context { known, sockets, ..context })
}

/// Where the sockets for operators are.
#[must_use]
pub fn operator_folder(data: &Path) -> PathBuf {
    data.join("operator")
}

fn create_data_folder(data: &Path) -> Result<(), StartFault> {
    std::fs::create_dir_all(data)
        .map_err(|fault| StartFault::new("creating the data folder", format!("--data {}: {fault}", data.display())))
}

/// Starts the services in the order in which they call each other; the gateway takes the public listener.
async fn start_services(services: Services, context: &Context, public: Listener) -> Result<Running, StartFault> {
    let hub = context.hub.as_ref().ok_or_else(|| StartFault::new("wiring", "the services share no memory"))?;
    farside_rules::start(services.rules, context.clone(), hub.listen("rules")).await?;
    farside_ledger::start(services.ledger, context.clone(), hub.listen("ledger")).await?;
    farside_rating::start(services.rating, context.clone(), hub.listen("rating")).await?;
    farside_match::start(services.matches, context.clone(), hub.listen("match")).await?;
    farside_gateway::start(services.gateway, context.clone(), public).await
}

/// A platform on a free port with its data in a temporary folder, for one run.
pub struct Temporary {
    platform: Platform,
    _data: tempfile::TempDir,
}

impl Temporary {
    /// Starts it, without exhibition.
    ///
    /// # Errors
    /// When there is no room for it, or a setting in the environment is bad.
    pub async fn start() -> Result<Self, StartFault> {
        let data = tempfile::tempdir().map_err(|fault| StartFault::new("creating a temporary folder", fault))?;
        let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let args = PlatformArgs {
            listen: free,
            admin_listen: free,
            data: data.path().to_owned(),
            database_url: None,
            redis_url: None,
            exhibition: 0,
            exhibition_pace_ms: 0,
            operator_keys: OperatorKeys::default(),
            telemetry: TelemetryArgs::default(),
        };
        let services = settings::services(&args).map_err(|fault| StartFault::new("settings", fault))?;
        Ok(Self { platform: Platform::start(&args, services, Context::in_process()).await?, _data: data })
    }

    /// Address of the public API and the pages.
    #[must_use]
    pub fn url(&self) -> &str {
        self.platform.url()
    }

    /// Stops it and removes its data.
    pub async fn stop(self) {
        self.platform.stop().await;
    }
}

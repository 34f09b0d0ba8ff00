//! The life of a service's process: settings, telemetry, admin port, the service, a signal, the drain.
//!
//! Not here: what the service is. The program that runs all services in one process makes [`Context`]s itself.

use std::collections::HashMap;
use std::error::Error;
use std::ffi::OsString;
use std::fs::DirBuilder;
use std::future::Future;
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::CommandFactory as _;
use tonic::service::Routes;

use crate::admin::{self, Readiness, ReadinessHandle};
use crate::config::{self, ConfigFault, DatabaseArgs, ServerArgs, TelemetryArgs, Validate};
use crate::db::{self, Database};
use crate::fault::Chain;
use crate::grpc::{Endpoint, Known, Listener, MemoryHub, Server, Tls, TlsArgs, renewal};
use crate::ids::{SharedIds, SystemIds};
use crate::metrics::{self, Metrics};
use crate::shutdown::{self, Shutdown, Tasks};
use crate::telemetry;
use crate::time::{SharedClock, SystemClock};

/// How long a process waits for its tasks after the request to stop. Longer than the grace of a gRPC server.
const DRAIN: Duration = Duration::from_secs(15);

/// How often something that a process stands on is asked whether it is there.
const PING_EVERY: Duration = Duration::from_secs(1);
/// How long it may take to answer that.
const PING_TIMEOUT: Duration = Duration::from_secs(3);
/// So many questions in a row without an answer, and the process is not ready.
const FAILURES: u32 = 2;
/// The pause before a database that is not there is tried again; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest such pause.
const LAST_PAUSE: Duration = Duration::from_secs(5);
/// The step of a start that opens the database.
const OPENING: &str = "opening the database";

/// The check of `/readyz` that holds once every service of the process has started.
pub const STARTED: &str = "start";

/// What a process gives to each service that runs in it.
#[derive(Clone, Debug)]
pub struct Context {
    /// The registry of metrics.
    pub metrics: Metrics,
    /// The request to stop.
    pub shutdown: Shutdown,
    /// Background tasks, waited for at the end.
    pub tasks: Tasks,
    /// The time.
    pub clock: SharedClock,
    /// Random bits.
    pub ids: SharedIds,
    /// Checks of `/readyz`.
    pub readiness: Readiness,
    /// The other services, when they run in this process.
    pub hub: Option<MemoryHub>,
    /// Who may call from outside of the process.
    pub known: Known,
    /// Sockets at which servers answer operators besides, by the server's name.
    pub sockets: Sockets,
    /// The certificate, when services speak mutual TLS.
    pub tls: Option<Tls>,
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// The machine's clock and random bits, and everything else empty.
    #[must_use]
    pub fn new() -> Self {
        Self {
            metrics: Metrics::new(),
            shutdown: Shutdown::new(),
            tasks: Tasks::new(),
            clock: SystemClock::shared(),
            ids: SystemIds::shared(),
            readiness: Readiness::new(),
            hub: None,
            known: Known::default(),
            sockets: Sockets::default(),
            tls: None,
        }
    }

    /// As [`Context::new`], with a hub through which services in this process reach each other.
    #[must_use]
    pub fn in_process() -> Self {
        Self { hub: Some(MemoryHub::new()), ..Self::new() }
    }

    /// The way to the service called `name`: through memory when services share this process, else at `url`, the value
    /// of `setting`.
    ///
    /// # Errors
    ///
    /// When an address is needed and is missing or none.
    pub fn endpoint(&self, name: &str, setting: &str, url: Option<&str>) -> Result<Endpoint, StartFault> {
        if let Some(hub) = &self.hub {
            return Ok(Endpoint::memory(hub, name));
        }
        let settings = |fault: ConfigFault| StartFault::new("settings", fault);
        let url = url.ok_or_else(|| settings(ConfigFault::new(setting, "is needed when services run apart")))?;
        let endpoint = match &self.tls {
            Some(tls) => Endpoint::secured_url(url, tls),
            None => Endpoint::url(url),
        };
        endpoint.map_err(|fault| settings(ConfigFault::new(setting, Chain(&fault).to_string())))
    }

    /// A server called `name` with this process's metrics, answering those whom this process knows.
    #[must_use]
    pub fn server(&self, name: &'static str) -> Server {
        Server::new(name, &self.metrics).known(self.known.clone()).readiness(self.readiness.clone())
    }

    /// Opens the database of a service. One that cannot be reached is waited for, with growing pauses, until the process
    /// is to stop.
    ///
    /// # Errors
    ///
    /// When it refuses in a way that waiting does not change, such as for a wrong password.
    pub async fn open_database(&self, args: &DatabaseArgs, schema: &str) -> Result<Database, StartFault> {
        let mut wait = FIRST_PAUSE;
        loop {
            let opened = tokio::select! {
                opened = Database::connect(args, schema) => opened,
                () = self.shutdown.requested() => return Err(StartFault::new(OPENING, "the process is to stop")),
            };
            match opened {
                Err(error) if db::may_come(&error) => {
                    tracing::warn!(schema, chain = %Chain(&error), "the database is waited for");
                }
                opened => return opened.map_err(|error| StartFault::new(OPENING, error)),
            }
            pause(&self.shutdown, wait).await;
            wait = (wait * 2).min(LAST_PAUSE);
        }
    }

    /// Says that `ready` holds, and from then on whether `database` answers, until the process stops.
    pub fn watch_database(&self, database: &Database, ready: ReadinessHandle) {
        ready.set(true);
        let (database, metrics) = (database.clone(), self.metrics.clone());
        self.watch("database watch", ready, move || {
            let (database, metrics) = (database.clone(), metrics.clone());
            async move {
                metrics.databases().used(database.schema(), database.usage());
                database.ping().await.is_ok()
            }
        });
    }

    /// Asks once a second, until the process stops, and says whether `ready` holds. A single question that stays without
    /// an answer says nothing yet: whoever is asked may be busy for a moment.
    pub fn watch<A, F>(&self, task: &'static str, ready: ReadinessHandle, answers: A)
    where
        A: Fn() -> F + Send + 'static,
        F: Future<Output = bool> + Send + 'static,
    {
        let shutdown = self.shutdown.clone();
        self.tasks.spawn(task, async move {
            let mut failures = 0_u32;
            loop {
                let answered = tokio::time::timeout(PING_TIMEOUT, answers()).await.unwrap_or(false);
                failures = if answered { 0 } else { failures.saturating_add(1) };
                if answered || failures >= FAILURES {
                    ready.set(answered);
                }
                if !pause(&shutdown, PING_EVERY).await {
                    return;
                }
            }
        });
    }

    /// Serves `routes` in the background; the whole process stops when the server ends by a fault.
    ///
    /// # Errors
    ///
    /// When somebody else listens at its address.
    pub fn serve(&self, server: Server, listener: Listener, routes: Routes) -> Result<Running, StartFault> {
        let listener = listener.open().map_err(|error| StartFault::new("listening", error))?;
        let running = Running { local_addr: listener.local_addr() };
        if let Some(socket) = self.sockets.take(server.name()) {
            self.serve_at(server.clone(), socket, routes.clone());
        }
        self.serve_at(server, listener, routes);
        Ok(running)
    }

    fn serve_at(&self, server: Server, listener: Listener, routes: Routes) {
        let shutdown = self.shutdown.clone();
        self.tasks.spawn("grpc server", async move {
            if let Err(fault) = server.serve(listener, routes, shutdown.clone()).await {
                tracing::error!(chain = %Chain(&fault), "server ended");
                shutdown.trigger();
            }
        });
    }
}

/// Sockets that wait for the servers that will answer at them.
#[derive(Clone, Debug, Default)]
pub struct Sockets {
    waiting: Arc<Mutex<HashMap<&'static str, Listener>>>,
}

impl Sockets {
    /// Opens one for each of these servers in `folder`, which is made for this user alone.
    ///
    /// # Errors
    ///
    /// When the folder or a socket cannot be made, or another process answers there.
    pub fn open(folder: &Path, servers: &[&'static str]) -> Result<Self, StartFault> {
        let fault = |error| StartFault::new("opening sockets", format!("{}: {error}", folder.display()));
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(fault)?;
        let opened = servers.iter().map(|name| Ok((*name, Listener::socket(&Self::path(folder, name))?)));
        let waiting = opened.collect::<std::io::Result<_>>().map_err(fault)?;
        Ok(Self { waiting: Arc::new(Mutex::new(waiting)) })
    }

    /// The socket of a server in `folder`.
    #[must_use]
    pub fn path(folder: &Path, server: &str) -> PathBuf {
        folder.join(format!("{server}.sock"))
    }

    fn take(&self, server: &str) -> Option<Listener> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(server)
    }
}

/// Waits; false when the process is to stop.
async fn pause(shutdown: &Shutdown, pause: Duration) -> bool {
    tokio::select! {
        () = shutdown.requested() => false,
        () = tokio::time::sleep(pause) => true,
    }
}

/// A service that has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    /// Where it listens, when that is a TCP address.
    pub local_addr: Option<SocketAddr>,
}

/// Why a service did not start.
#[derive(Debug, thiserror::Error)]
#[error("{step} failed")]
pub struct StartFault {
    step: &'static str,
    #[source]
    source: Box<dyn Error + Send + Sync>,
}

impl StartFault {
    /// Names the step that failed, for example `migrations`, and why.
    pub fn new(step: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { step, source: source.into() }
    }
}

/// A service as a program: its name, and where it listens unless told otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// Name, in logs, traces and metrics as well.
    pub name: &'static str,
    /// Address of the service itself.
    pub listen: &'static str,
    /// Address of its admin port.
    pub admin_listen: &'static str,
}

impl Program {
    /// The command line of this program, with settings `C` of its own.
    #[must_use]
    pub fn command<C: clap::Args>(&self) -> clap::Command {
        let at = |address: &'static str| move |arg: clap::Arg| arg.required(false).default_value(address);
        Settings::<C>::command()
            .name(self.name)
            .mut_arg("listen", at(self.listen))
            .mut_arg("admin_listen", at(self.admin_listen))
    }
}

/// All settings of a service that runs apart: those that every service has, and its own.
#[derive(Debug, clap::Parser)]
#[command(version)]
pub struct Settings<C: clap::Args> {
    #[command(flatten)]
    telemetry: TelemetryArgs,
    #[command(flatten)]
    server: ServerArgs,
    #[command(flatten)]
    tls: TlsArgs,
    #[command(flatten)]
    service: C,
}

impl<C: clap::Args + Validate> Validate for Settings<C> {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.telemetry.validate()?;
        self.server.validate()?;
        self.tls.validate()?;
        self.service.validate()
    }
}

/// The `main` of a service that runs apart: reads the settings, starts the service at its address, waits for a signal,
/// drains, and says with which code to exit.
pub fn run<C, S, F>(program: &Program, start: S) -> ExitCode
where
    C: clap::Args + Validate,
    S: FnOnce(C, Context, Listener) -> F,
    F: Future<Output = Result<Running, StartFault>>,
{
    run_from(program, std::env::args_os(), start)
}

/// As [`run`], with these arguments (the first is the program's name).
pub fn run_from<C, S, F>(
    program: &Program,
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    start: S,
) -> ExitCode
where
    C: clap::Args + Validate,
    S: FnOnce(C, Context, Listener) -> F,
    F: Future<Output = Result<Running, StartFault>>,
{
    let settings = config::parse_command(program.command::<C>(), args).unwrap_or_else(|refusal| refusal.exit());
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&StartFault::new("runtime", error)),
    };
    runtime.block_on(async {
        match live(program.name, settings, start).await {
            Ok(()) => ExitCode::SUCCESS,
            Err(fault) => failed(&fault),
        }
    })
}

async fn live<C, S, F>(name: &'static str, settings: Settings<C>, start: S) -> Result<(), StartFault>
where
    C: clap::Args + Validate,
    S: FnOnce(C, Context, Listener) -> F,
    F: Future<Output = Result<Running, StartFault>>,
{
    let guard = telemetry::init(&settings.telemetry, name).map_err(|fault| StartFault::new("telemetry", fault))?;
    let tls = settings.tls.load().map_err(|fault| StartFault::new("settings", fault))?;
    let context = Context { known: settings.server.known(), tls: tls.clone(), ..Context::new() };
    shutdown::on_signals(&context.shutdown).map_err(|error| StartFault::new("signal handlers", error))?;
    let started = context.readiness.register(STARTED);
    serve_admin(&context, settings.server.admin_listen).await?;
    if let Some(tls) = &tls {
        let (metrics, shutdown) = (context.metrics.certificates().clone(), context.shutdown.clone());
        context.tasks.spawn("certificates", renewal::follow(settings.tls.clone(), tls.clone(), metrics, shutdown));
    }
    let listener = reserve(settings.server.listen)?.secured(tls);
    match start(settings.service, context.clone(), listener).await {
        Ok(running) => {
            started.set(true);
            tracing::info!(service = name, address = ?running.local_addr, "ready");
        }
        Err(fault) if context.shutdown.is_requested() => {
            tracing::info!(chain = %Chain(&fault), "stopped during its start");
        }
        Err(fault) => return Err(fault),
    }
    context.shutdown.requested().await;
    if !context.tasks.drain(DRAIN).await {
        tracing::warn!("some tasks did not end in time");
    }
    drop(guard);
    Ok(())
}

/// Takes the address of a service, where connections are refused until the service has started.
///
/// # Errors
///
/// When the address cannot be had.
pub fn reserve(address: SocketAddr) -> Result<Listener, StartFault> {
    let fault = |error| StartFault::new("listening", format!("--listen {address}: {error}"));
    Listener::reserved(address).map_err(fault)
}

/// Serves the admin port in the background, and adds what this process uses of its machine to the metrics.
///
/// # Errors
///
/// When the address cannot be had.
pub async fn serve_admin(context: &Context, address: SocketAddr) -> Result<SocketAddr, StartFault> {
    let fault = |error| StartFault::new("listening", format!("--admin-listen {address}: {error}"));
    let listener = tokio::net::TcpListener::bind(address).await.map_err(fault)?;
    let address = listener.local_addr().map_err(fault)?;
    let (metrics, readiness, shutdown) = (context.metrics.clone(), context.readiness.clone(), context.shutdown.clone());
    let runtime = tokio::runtime::Handle::current();
    metrics::process::register(&metrics, runtime, readiness.clone(), context.clock.now());
    context.tasks.spawn("admin server", async move {
        if let Err(error) = admin::serve(listener, metrics, readiness, shutdown).await {
            tracing::error!(%error, "admin server ended");
        }
    });
    Ok(address)
}

fn failed(fault: &StartFault) -> ExitCode {
    use std::io::Write as _;
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(std::io::stderr(), "error: {}", Chain(fault));
    ExitCode::FAILURE
}

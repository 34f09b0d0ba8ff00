//! `farside` or `farside up`: the whole platform in one process, until a signal stops it.

use anyhow::{Context as _, Result};
use farside_kit::{Context, shutdown, telemetry};

use crate::{
    output::say,
    platform::{Platform, PlatformArgs},
    settings::Services,
};

/// Runs the platform.
///
/// # Errors
/// When it cannot start.
pub async fn run(args: PlatformArgs, services: Services) -> Result<()> {
    let _telemetry = telemetry::init(&args.telemetry, "farside").context("setting up telemetry")?;
    let context = Context::in_process();
    shutdown::on_signals(&context.shutdown).context("listening for signals")?;
    let shutdown = context.shutdown.clone();
    let platform = match Platform::start(&args, services, context).await {
        Err(_) if shutdown.is_requested() => return Ok(()),
        started => started?,
    };
    announce(&platform, &args);
    platform.context().shutdown.requested().await;
    say(format_args!("stopping: what is under way may end"));
    if !platform.stop().await {
        tracing::warn!("some tasks did not end in time");
    }
    Ok(())
}

/// Tells where to look.
fn announce(platform: &Platform, args: &PlatformArgs) {
    let url = platform.url();
    let storage = match args.database_url {
        Some(_) => "PostgreSQL".to_owned(),
        None => format!("SQLite in {}", args.data.display()),
    };
    say(format_args!("farside is up"));
    say(format_args!("  pages       {url}/"));
    say(format_args!("  for agents  {url}/agents.md"));
    say(format_args!("  API         {url}/docs, {url}/openapi.json"));
    say(format_args!("  metrics     http://{}/metrics", platform.admin()));
    say(format_args!("  storage     {storage}"));
    say(format_args!("  exhibition  {} bots", args.exhibition));
    say(format_args!("  stop        Ctrl-C"));
}

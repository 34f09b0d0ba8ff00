//! The PostgreSQL and Redis that tests run against: those that the environment names, else private ones that live
//! as long as the task. Installing them is `prerequisites`' work.

use std::{
    net::{Ipv4Addr, TcpListener},
    process::Command,
};

use anyhow::Context as _;

use crate::run::Runner;

mod postgres;
mod redis;

/// Names the PostgreSQL that tests may make databases in.
pub(crate) const POSTGRES_URL: &str = "FARSIDE_TEST_POSTGRES_URL";

/// Names the Redis that tests may use.
pub(crate) const REDIS_URL: &str = "FARSIDE_TEST_REDIS_URL";

/// Below the ports that the kernel hands out by itself, so that no outgoing connection takes one.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// What is running for the tests; ends with it.
#[derive(Debug)]
pub(crate) struct Services {
    postgres_url: String,
    redis_url: String,
    postgres: Option<postgres::Server>,
    redis: Option<redis::Server>,
}

impl Services {
    /// Takes what the environment names and starts the rest.
    pub(crate) fn start(runner: &Runner) -> anyhow::Result<Self> {
        let (postgres_url, postgres) = match given(POSTGRES_URL) {
            Some(url) => (url, None),
            None => {
                let server = postgres::Server::start(runner).context("cannot start a private PostgreSQL")?;
                (server.url(), Some(server))
            }
        };
        let (redis_url, redis) = match given(REDIS_URL) {
            Some(url) => (url, None),
            None => {
                let server = redis::Server::start(runner).context("cannot start a private Redis")?;
                (server.url(), Some(server))
            }
        };
        Ok(Self { postgres_url, redis_url, postgres, redis })
    }

    /// Tells a command where they are.
    pub(crate) fn name_to(&self, command: &mut Command) {
        command.env(POSTGRES_URL, &self.postgres_url).env(REDIS_URL, &self.redis_url);
    }

    /// One line for people.
    pub(crate) fn summary(&self) -> String {
        let origin = |private: bool| {
            if private { "private" } else { "from the environment" }
        };
        format!(
            "PostgreSQL {} ({}), Redis {} ({})",
            without_password(&self.postgres_url),
            origin(self.postgres.is_some()),
            without_password(&self.redis_url),
            origin(self.redis.is_some()),
        )
    }
}

/// The variable's value, unless it is missing or empty.
pub(crate) fn given(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|value| !value.is_empty())
}

/// A URL fit for a log.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    match rest.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{host}")
        }
        None => url.to_owned(),
    }
}

/// A port of the loopback interface that is free now. Whoever binds it may still lose a race: callers try again.
fn free_port(attempt: u16) -> anyhow::Result<u16> {
    let span = PORTS.end - PORTS.start;
    // Tasks that run at the same time begin their search at different places.
    let start = (std::process::id() % u32::from(span)) as u16;
    (0..span)
        .map(|step| PORTS.start + (start.wrapping_add(step).wrapping_add(attempt * 101)) % span)
        .find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .context("no free port on the loopback interface")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_stay_out_of_the_log() {
        assert_eq!(without_password("postgres://me:secret@db:5432/x"), "postgres://me@db:5432/x");
        assert_eq!(without_password("redis://127.0.0.1:6379"), "redis://127.0.0.1:6379");
    }

    #[test]
    fn free_ports_are_below_the_ephemeral_range() {
        for attempt in 0..3 {
            assert!(PORTS.contains(&free_port(attempt).unwrap()));
        }
    }
}

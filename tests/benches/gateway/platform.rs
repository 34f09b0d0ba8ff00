//! The platform under measurement: five processes, or one, on PostgreSQL or SQLite, with limits that do not bind, so that
//! the generator may call from one address. What the limits cost is in the figures all the same.

use std::net::SocketAddr;

use farside_tests::TestDatabase;
use farside_tests::apart::Apart;
use farside_tests::program::{Program, free_address};

use super::cpu;

const SETTINGS: [(&str, &str); 9] = [
    ("FARSIDE_KEY_RATE", "1000000"),
    ("FARSIDE_KEY_BURST", "1000000"),
    ("FARSIDE_ADDRESS_RATE", "1000000"),
    ("FARSIDE_ADDRESS_BURST", "1000000"),
    ("FARSIDE_SIGNUP_INTERVAL_MS", "1"),
    ("FARSIDE_SIGNUP_BURST", "1000000"),
    ("FARSIDE_STREAMS_PER_ADDRESS", "1000000"),
    ("FARSIDE_STREAMS_PER_KEY", "1000000"),
    ("FARSIDE_SET_LIMIT", "100000"),
];

/// A running platform; it ends with this.
pub struct Platform {
    /// The five processes, where there are five.
    pub apart: Option<Box<Apart>>,
    _one: Option<(Program, Option<TestDatabase>)>,
    /// The public API.
    pub address: SocketAddr,
    processes: Vec<(&'static str, Vec<u32>)>,
}

impl Platform {
    /// Five processes on PostgreSQL and Redis.
    pub async fn apart() -> Self {
        let mut apart = Box::new(Apart::prepare().await);
        for (variable, value) in SETTINGS {
            apart.set(variable, value);
        }
        apart.start_all().await;
        let processes = vec![
            ("gateway", vec![apart.gateway.id()]),
            ("match-svc", vec![apart.matches.id()]),
            ("rules-svc", vec![apart.rules.id()]),
            ("ledger-svc", vec![apart.ledger.id()]),
            ("rating-svc", vec![apart.rating.id()]),
            ("PostgreSQL", cpu::named("postgres")),
            ("Redis", cpu::named("redis-server")),
            ("generator", vec![std::process::id()]),
        ];
        let address = apart.url().trim_start_matches("http://").parse().unwrap();
        Self { apart: Some(apart), _one: None, address, processes }
    }

    /// One process on PostgreSQL, or on SQLite.
    pub async fn one(postgres: bool) -> Self {
        let database = if postgres { Some(TestDatabase::postgres().await) } else { None };
        let (address, mut program) = (free_address(), Program::new("farside"));
        program.argument("--exhibition").argument("0").set("FARSIDE_LISTEN", &address.to_string());
        for (variable, value) in SETTINGS {
            program.set(variable, value);
        }
        if let Some(database) = &database {
            program.set("FARSIDE_DATABASE_URL", database.args().database_url.reveal());
        }
        program.start().await;
        let mut processes = vec![("platform", vec![program.id()])];
        if postgres {
            processes.push(("PostgreSQL", cpu::named("postgres")));
        }
        processes.push(("generator", vec![std::process::id()]));
        Self { apart: None, _one: Some((program, database)), address, processes }
    }

    /// Processor time so far, by who used it. PostgreSQL's is that of every server process on the machine.
    pub fn used(&self) -> Vec<(&'static str, std::time::Duration)> {
        let sum = |pids: &Vec<u32>| pids.iter().map(|pid| cpu::used(*pid)).sum();
        self.processes.iter().map(|(name, pids)| (*name, sum(pids))).collect()
    }

    /// Resident bytes of one of the processes.
    pub fn resident_bytes(&self, name: &str) -> u64 {
        let pids = self.processes.iter().filter(|(found, _)| *found == name).flat_map(|(_, pids)| pids);
        pids.map(|pid| cpu::resident_bytes(*pid)).sum()
    }
}

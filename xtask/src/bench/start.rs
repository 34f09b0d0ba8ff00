//! Cold start of the platform in one process on an existing embedded database, from the start of the program to its
//! first answer, and its memory when nobody plays. Linux only: memory is read from `/proc`.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};

use super::{free_address, platform_program, spread};
use crate::run::{Group, Runner};

/// Starts that count; one more comes before, to make the database.
const ROUNDS: usize = 5;
/// Between two attempts to be answered.
const POLL: Duration = Duration::from_millis(1);
const START_LIMIT: Duration = Duration::from_secs(60);
/// Memory is looked at after so long.
const IDLE: Duration = Duration::from_secs(5);
/// Lists the games: gateway, match-svc and rules-svc have to be up for it.
const REQUEST: &str = "GET /v1/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

struct Started {
    seconds: f64,
    idle_mib: f64,
    peak_mib: f64,
}

/// Measures and prints a table.
pub(super) fn run(runner: &Runner) -> anyhow::Result<()> {
    let farside = platform_program(runner)?;
    let data = tempfile::tempdir()?;
    let mut all = Vec::new();
    for round in 0..=ROUNDS {
        let started = measure(runner, &farside, data.path())?;
        if round > 0 {
            all.push(started);
        }
    }
    println!("| what, {ROUNDS} starts | smallest | middle | largest |");
    println!("|---|---|---|---|");
    print_row("cold start, ms", all.iter().map(|started| started.seconds * 1_000.0).collect());
    print_row("idle memory (resident), MiB", all.iter().map(|started| started.idle_mib).collect());
    print_row("most memory so far, MiB", all.iter().map(|started| started.peak_mib).collect());
    Ok(())
}

fn print_row(what: &str, values: Vec<f64>) {
    if let Some([smallest, middle, largest]) = spread(values) {
        println!("| {what} | {smallest:.0} | {middle:.0} | {largest:.0} |");
    }
}

fn measure(runner: &Runner, farside: &Path, data: &Path) -> anyhow::Result<Started> {
    let address = free_address()?;
    let mut command = Command::new(farside);
    command
        .args(["--exhibition", "0", "--admin-listen", "127.0.0.1:0", "--listen", &address.to_string(), "--data"])
        .arg(data)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let start = Instant::now();
    let mut process = Group::spawn(&mut command)?;
    while !answers(address) {
        runner.check_interrupted()?;
        if start.elapsed() > START_LIMIT || process.finished()?.is_some() {
            bail!("farside does not start");
        }
        thread::sleep(POLL);
    }
    let seconds = start.elapsed().as_secs_f64();
    thread::sleep(IDLE);
    let id = process.id().context("farside has ended")?;
    let status = fs::read_to_string(format!("/proc/{id}/status")).context("memory can be read on Linux only")?;
    Ok(Started { seconds, idle_mib: mib(&status, "VmRSS:")?, peak_mib: mib(&status, "VmHWM:")? })
}

fn answers(address: SocketAddr) -> bool {
    let answer = || -> std::io::Result<[u8; 12]> {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(REQUEST.as_bytes())?;
        let mut head = [0; 12];
        stream.read_exact(&mut head)?;
        Ok(head)
    };
    answer().is_ok_and(|head| head.ends_with(b" 200"))
}

/// Reads a line like `VmRSS:     51234 kB`.
fn mib(status: &str, name: &str) -> anyhow::Result<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)).context("no such line")?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse().context("not a number")?;
    Ok(kib / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_mebibytes() {
        let status = "Name:\tfarside\nVmHWM:\t   61440 kB\nVmRSS:\t   51200 kB\n";
        assert_eq!(mib(status, "VmRSS:").unwrap(), 50.0);
        assert_eq!(mib(status, "VmHWM:").unwrap(), 60.0);
        assert!(mib(status, "VmSwap:").is_err());
    }
}

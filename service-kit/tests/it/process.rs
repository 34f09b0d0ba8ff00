//! The life of a process, from outside: this test binary starts itself again as a service.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, ExitCode, Stdio};

use farside_kit::config::{ConfigFault, Validate};
use farside_kit::{Context, Program, Running, StartFault};

use crate::stand_in::{StandIn, ok};

const ARGS: &str = "FARSIDE_KIT_TEST_ARGS";

#[derive(Debug, clap::Args)]
struct Config {
    /// How far the service gets
    #[arg(long, default_value = "all the way")]
    far: String,
}

impl Validate for Config {
    fn validate(&self) -> Result<(), ConfigFault> {
        if self.far == "nowhere" { Err(ConfigFault::new("--far", "leads nowhere")) } else { Ok(()) }
    }
}

async fn start(config: Config, context: Context, listener: farside_kit::grpc::Listener) -> Result<Running, StartFault> {
    if config.far == "half way" {
        return Err(StartFault::new("migrations", "the disk is full"));
    }
    let server = context.server("stand-in");
    context.serve(server, listener, StandIn::new(|_| async { ok() }).routes())
}

const STAND_IN: Program = Program { name: "stand-in", listen: "127.0.0.1:0", admin_listen: "127.0.0.1:0" };

/// Not a test of its own: the service that the others start.
#[test]
fn service() {
    let Ok(args) = std::env::var(ARGS) else { return };
    let code = farside_kit::process::run_from::<Config, _, _>(&STAND_IN, args.split('\n'), start);
    let succeeded = format!("{code:?}") == format!("{:?}", ExitCode::SUCCESS);
    std::process::exit(i32::from(!succeeded));
}

fn started(args: &[&str]) -> Child {
    let base = ["stand-in", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0", "--log-format=json"];
    Command::new(std::env::current_exe().unwrap())
        .args(["process::service", "--exact", "--nocapture"])
        .env(ARGS, [&base[..], args].concat().join("\n"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn ended(mut child: Child) -> (i32, String) {
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code().unwrap(), said)
}

#[test]
fn a_bad_setting_ends_the_process_with_64_and_one_line() {
    for args in [&["--far=nowhere"][..], &["--far"], &["--log-level=lo=ud"], &["--service-tokens=x"]] {
        let (code, said) = ended(started(args));
        assert_eq!((code, said.lines().count()), (64, 1), "{said}");
        let setting = args[0].split('=').next().unwrap();
        assert!(said.contains(setting), "{said}");
    }
}

#[test]
fn a_service_that_cannot_start_says_why_and_ends_with_1() {
    let (code, said) = ended(started(&["--far=half way"]));
    assert_eq!(code, 1);
    assert!(said.ends_with("error: migrations failed: the disk is full\n"), "{said}");
}

#[test]
fn a_signal_ends_the_process_in_order() {
    for signal in ["-TERM", "-INT"] {
        let mut child = started(&[]);
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains(r#""message":"ready""#) {
            line.clear();
            assert_ne!(log.read_line(&mut line).unwrap(), 0, "the service ended early");
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let mut rest = String::new();
        log.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{rest}");
    }
}

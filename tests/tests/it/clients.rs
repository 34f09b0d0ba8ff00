//! The Python client and the examples, as their users run them: programs beside a running platform.

use std::{
    path::{Path, PathBuf},
    process::Output,
};

use farside_tests::{apart::Apart, bots, bots::Bot, program::built, together};
use serde_json::json;
use tokio::process::Command;

/// The tokens of the processes, with one more caller that may read.
const TOKENS: &str = "match-svc=match-secret,gateway=gateway-secret,reporter=reporter-secret";

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Runs a program to its end and returns what it said; fails with that when the program fails.
async fn run(command: &mut Command) -> String {
    let output = command.kill_on_drop(true).output().await.unwrap();
    assert!(output.status.success(), "{command:?}\n{}", said(&output));
    said(&output)
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

/// A Python with the client and what its tests need, in a folder of its own. The client's files are read where they are.
pub(crate) struct Python {
    folder: tempfile::TempDir,
}

impl Python {
    pub(crate) async fn with_client() -> Self {
        let python = Self { folder: tempfile::tempdir().unwrap() };
        run(Command::new("python3").args(["-m", "venv"]).arg(python.folder.path())).await;
        let client = repository().join("clients/python");
        let wheel = python.folder.path().join("client");
        run(Command::new("cp").arg("-r").args([&client, &wheel])).await;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(Command::new(python.program()).args(pip).arg(format!("{}[test]", wheel.display()))).await;
        python
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("bin/python3")
    }

    /// The example bot, playing at this address with this key.
    pub(crate) fn example(&self, url: &str, key: &str) -> Command {
        let mut bot = Command::new(self.program());
        bot.arg(repository().join("examples/bot.py"))
            .env("FARSIDE_URL", url)
            .env("FARSIDE_KEY", key)
            .kill_on_drop(true);
        bot
    }

    /// A few lines of Python, playing at this address with this key.
    pub(crate) fn run(&self, lines: &str, url: &str, key: &str) -> Command {
        let mut bot = Command::new(self.program());
        bot.args(["-c", lines]).env("FARSIDE_URL", url).env("FARSIDE_KEY", key).kill_on_drop(true);
        bot
    }
}

/// Checks what a bot of the examples said about its set.
fn assert_finished(text: &str) {
    let line = text.lines().last().unwrap_or_default().replace('"', "");
    assert!(line.starts_with("finished set_"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_passes_its_tests_and_its_example_plays_a_set() {
    let platform = together::start().await;
    let python = Python::with_client().await;
    let tests = repository().join("clients/python/tests");
    let mut command = Command::new(python.program());
    command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).arg(tests);
    let folder = python.folder.path();
    let report =
        run(command.env("FARSIDE_URL", platform.url()).env("PYTHONDONTWRITEBYTECODE", "1").current_dir(folder));
    assert!(!report.await.contains("skipped"), "no test is left out");
    let mut bot = Command::new(python.program());
    bot.arg(repository().join("examples/bot.py"));
    assert_finished(&run(bot.env("FARSIDE_URL", platform.url()).env_remove("FARSIDE_KEY")).await);
    platform.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_javascript_example_plays_a_set() {
    let platform = together::start().await;
    let mut bot = Command::new("node");
    bot.arg(repository().join("examples/bot.mjs"));
    assert_finished(&run(bot.env("FARSIDE_URL", platform.url()).env_remove("FARSIDE_KEY")).await);
    platform.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rust_example_plays_a_set() {
    let platform = together::start().await;
    let mut bot = Command::new(built("example-bot"));
    assert_finished(&run(bot.env("FARSIDE_URL", platform.url()).env_remove("FARSIDE_KEY")).await);
    platform.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_internal_service_reads_with_its_token_and_with_no_other() {
    let mut platform = Apart::prepare().await;
    platform.set("FARSIDE_SERVICE_TOKENS", TOKENS);
    platform.start_all().await;
    let (creator, acceptor) = (Bot::join(platform.url()).await, Bot::join(platform.url()).await);
    let set = bots::agree(&creator, &acceptor, json!({ "game": "breakthrough" })).await;
    let service = |token: &'static str| {
        let mut command = Command::new(built("example-service"));
        command.env("FARSIDE_SERVICE_TOKEN", token).envs([
            ("FARSIDE_RULES_URL", platform.rules.url()),
            ("FARSIDE_MATCH_URL", platform.matches.url()),
            ("FARSIDE_RATING_URL", platform.rating.url()),
        ]);
        command
    };
    let report = run(&mut service("reporter-secret")).await;
    assert!(report.contains(set["id"].as_str().unwrap()), "the running set is in the report:\n{report}");
    let refused = service("somebody-else").output().await.unwrap();
    assert!(!refused.status.success() && said(&refused).contains("is not known"), "{}", said(&refused));
}

//! Debian's Prometheus with the rules of `deploy/`, on one target of a test. It judges nothing.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{program::free_address, wait};

/// Often enough for rates over a minute to have a value soon.
const SCRAPE_INTERVAL: &str = "500ms";

/// The folder `deploy/` of this repository.
#[must_use]
pub fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root of the repository").join("deploy")
}

/// The rule files that are shipped.
#[must_use]
pub fn rule_files() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(deploy().join("prometheus/rules")).expect("the folder of the rules");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("a rule file").path()).collect();
    files.sort();
    files
}

/// A running Prometheus; it ends with its handle.
#[derive(Debug)]
pub struct Prometheus {
    address: SocketAddr,
    client: reqwest::Client,
    child: Child,
    _folder: TempDir,
}

impl Prometheus {
    /// Starts one that scrapes `target` (`host:port`) as the job of the shipped configuration, and waits until it answers.
    pub async fn start(target: &str) -> Self {
        let (address, folder) = (free_address(), tempfile::tempdir().expect("a folder for Prometheus"));
        let configuration = folder.path().join("prometheus.yml");
        std::fs::write(&configuration, settings(target)).expect("a configuration");
        let mut command = Command::new("prometheus");
        command
            .arg(format!("--config.file={}", configuration.display()))
            .arg(format!("--storage.tsdb.path={}", folder.path().join("data").display()))
            .arg(format!("--web.listen-address={address}"))
            .args(["--enable-feature=exemplar-storage", "--log.level=error"])
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let child = command.spawn().expect("prometheus is installed: `cargo xtask test` sees to it");
        let prometheus = Self { address, client: reqwest::Client::new(), child, _folder: folder };
        wait::until("Prometheus to be ready", async || {
            let answer = prometheus.client.get(format!("http://{address}/-/ready")).send().await.ok()?;
            answer.status().is_success().then_some(())
        })
        .await;
        prometheus
    }

    /// The values that a query has now, or what is wrong with it.
    ///
    /// # Errors
    ///
    /// The sentence of Prometheus when it does not understand the query.
    pub async fn query(&self, query: &str) -> Result<Vec<Value>, String> {
        let answer = self.ask("query", &format!("query={}", encoded(query))).await;
        match answer["data"]["result"].as_array() {
            Some(values) => Ok(values.clone()),
            None => Err(answer["error"].as_str().unwrap_or("no answer").to_owned()),
        }
    }

    /// Every rule as Prometheus sees it: name, query, health, annotations.
    pub async fn rules(&self) -> Vec<Value> {
        let answer = self.ask("rules", "").await;
        let groups = answer["data"]["groups"].as_array().cloned().unwrap_or_default();
        groups.iter().flat_map(|group| group["rules"].as_array().cloned().unwrap_or_default()).collect()
    }

    /// The name of every series that it has.
    pub async fn names(&self) -> Vec<String> {
        let answer = self.ask("label/__name__/values", "").await;
        let names = answer["data"].as_array().cloned().unwrap_or_default();
        names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    async fn ask(&self, what: &str, parameters: &str) -> Value {
        let url = format!("http://{}/api/v1/{what}?{parameters}", self.address);
        let answer = self.client.get(url).send().await.expect("Prometheus answers");
        answer.json().await.expect("Prometheus answers with JSON")
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        // Both fail only for a process that has ended, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn settings(target: &str) -> String {
    let rules: String = rule_files().iter().map(|file| format!("  - {}\n", file.display())).collect();
    format!(
        "global:\n  scrape_interval: {SCRAPE_INTERVAL}\n  evaluation_interval: {SCRAPE_INTERVAL}\n\
         rule_files:\n{rules}\
         scrape_configs:\n  - job_name: farside\n    static_configs:\n      - targets: ['{target}']\n"
    )
}

/// For a query in a URL.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

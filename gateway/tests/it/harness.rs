//! A whole platform in this process on databases of its own, and a small client.

use std::io;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use farside_gateway::{Config, PublicArgs};
use farside_kit::Context;
use farside_kit::config::{LogFormat, TelemetryArgs};
use farside_kit::grpc::Listener;
use farside_kit::telemetry::{self, Export};
use farside_kit::testing::{TestDatabase, unique_name};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// Longer than anything here takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Everything that was logged in this process, in every detail that an operator may ask for.
static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Log;

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What was logged so far.
pub fn logged() -> String {
    String::from_utf8_lossy(&LOG.lock().unwrap()).into_owned()
}

fn start_logging() {
    static STARTED: OnceLock<()> = OnceLock::new();
    STARTED.get_or_init(|| {
        let args = TelemetryArgs { log_format: LogFormat::Json, log_level: "debug".to_owned() };
        let (subscriber, guard) = telemetry::subscriber(&args, "gateway-test", &Export::Off, || Log).unwrap();
        tracing::subscriber::set_global_default(subscriber).unwrap();
        std::mem::forget(guard);
    });
}

pub struct Platform {
    pub url: String,
    context: Context,
    _databases: Vec<TestDatabase>,
}

impl Platform {
    pub async fn start() -> Self {
        Self::with(PublicArgs::default()).await
    }

    pub async fn with(public: PublicArgs) -> Self {
        start_logging();
        let databases: Vec<_> = (0..4).map(|_| TestDatabase::sqlite()).collect();
        let args = |index: usize| databases[index].args().clone();
        let context = Context::in_process();
        let hub = context.hub.clone().unwrap();
        let rules = farside_rules::Config::default();
        farside_rules::start(rules, context.clone(), hub.listen("rules")).await.unwrap();
        farside_ledger::start(farside_ledger::Config::new(args(0)), context.clone(), hub.listen("ledger"))
            .await
            .unwrap();
        farside_rating::start(farside_rating::Config::new(args(1)), context.clone(), hub.listen("rating"))
            .await
            .unwrap();
        farside_match::start(farside_match::Config::new(args(2)), context.clone(), hub.listen("match")).await.unwrap();
        let gateway = Config { public, ..Config::in_process(args(3)) };
        let listener = Listener::tcp("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let running = farside_gateway::start(gateway, context.clone(), listener).await.unwrap();
        let url = format!("http://{}", running.local_addr.unwrap());
        Self { url, context, _databases: databases }
    }

    pub fn anyone(&self) -> Api {
        Api { http: reqwest::Client::new(), url: self.url.clone(), key: None }
    }

    /// A new player with its key, and a bot of its own with the bot's key.
    pub async fn newcomer(&self) -> Bot {
        let (status, player) = self.anyone().post("/v1/players", json!({"name": name()})).await;
        assert_eq!(status, 201, "{player}");
        let owner = self.anyone().with_key(player["key"].as_str().unwrap());
        let (status, made) = owner.post("/v1/bots", json!({"name": name()})).await;
        assert_eq!(status, 201, "{made}");
        let me = self.anyone().with_key(made["key"].as_str().unwrap());
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Bot { id: text(&made["bot"]["id"]), name: text(&made["bot"]["name"]), owner, me }
    }

    /// Waits until no more calls than this are under way between the services: what goes on is streams.
    pub async fn calm_down(&self, calls: u32) {
        let in_flight = || {
            let metrics = self.context.metrics.encode();
            let line =
                metrics.lines().find_map(|line| line.strip_prefix("grpc_server_in_flight ")?.parse::<u32>().ok());
            line.expect("the number of calls")
        };
        let calm = async {
            while in_flight() > calls {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, calm).await.expect("calls that nobody needs any more end");
    }

    pub async fn stop(self) {
        self.context.shutdown.trigger();
        assert!(self.context.tasks.drain(PATIENCE).await, "every task ends by itself");
    }
}

impl Drop for Platform {
    fn drop(&mut self) {
        self.context.shutdown.trigger();
    }
}

/// Limits for tests that send thousands of requests, where 429 is not what they are to look at.
pub fn generous() -> PublicArgs {
    PublicArgs {
        key_rate: 100_000,
        key_burst: 100_000,
        address_rate: 100_000,
        address_burst: 100_000,
        signup_burst: 100_000,
        analysis_burst: 100_000,
        ..PublicArgs::default()
    }
}

pub fn name() -> String {
    unique_name().replace("farside_test_", "t")
}

#[derive(Clone)]
pub struct Bot {
    pub id: String,
    pub name: String,
    pub owner: Api,
    pub me: Api,
}

#[derive(Clone)]
pub struct Api {
    pub http: reqwest::Client,
    pub url: String,
    pub key: Option<String>,
}

impl Api {
    pub fn with_key(&self, key: &str) -> Self {
        Self { key: Some(key.to_owned()), ..self.clone() }
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> (u16, Value) {
        let response = request.timeout(PATIENCE).send().await.unwrap();
        let status = response.status();
        let content_type = response.headers().get("content-type").and_then(|value| value.to_str().ok()).unwrap_or("");
        let is_problem = content_type == "application/problem+json";
        assert_eq!(is_problem, status.is_client_error() || status.is_server_error(), "{status} {content_type}");
        let text = response.text().await.unwrap();
        let body = if status == StatusCode::NO_CONTENT { Value::Null } else { serde_json::from_str(&text).unwrap() };
        (status.as_u16(), body)
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        self.send(self.request(Method::GET, path)).await
    }

    pub async fn ok(&self, path: &str) -> Value {
        let (status, body) = self.get(path).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.send(self.request(Method::POST, path).body(body.to_string())).await
    }

    pub async fn call(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let request = self.request(method, path);
        self.send(match body {
            Some(body) => request.body(body.to_string()),
            None => request,
        })
        .await
    }

    /// Posts what must be refused; returns status and code.
    pub async fn refused(&self, path: &str, body: Value) -> (u16, String) {
        let (status, problem) = self.post(path, body).await;
        (status, problem["code"].as_str().unwrap_or_else(|| panic!("{path} was not refused: {problem}")).to_owned())
    }
}

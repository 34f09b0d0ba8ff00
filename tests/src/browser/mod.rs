//! Headless Chromium as a person at a screen: opens pages, points, types, looks, and remembers every request and every
//! complaint of the browser. What a page should show is the tests' matter.

mod axe;
mod driver;
mod look;
mod page;
mod scenario;
mod watch;

use std::sync::Arc;

use fantoccini::{Client, ClientBuilder, error::CmdError, wd::WebDriverCompatibleCommand};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

pub use fantoccini::key::Key;
pub use look::{LOOKS, Look, Scheme};
pub use scenario::{Scene, Site, scenario, scenario_apart};

use driver::Driver;
use watch::Watch;

/// No window, no sandbox (tests run as root in containers), nothing that talks to the outside by itself; and a pipe to
/// chromedriver, so that no browser outlives it.
const ARGUMENTS: [&str; 13] = [
    "--headless=new",
    "--no-sandbox",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-breakpad",
    "--hide-scrollbars",
    "--lang=en",
];

/// How long a script or a page may take on a loaded machine: axe-core looks at every text of the reference.
const PATIENCE_MS: u32 = 180_000;

/// One browser with a profile of its own: nobody is signed in, nothing is stored.
#[derive(Debug)]
pub struct Browser {
    client: Client,
    site: String,
    watch: tokio::sync::Mutex<Watch>,
    _driver: Arc<Driver>,
}

impl Browser {
    /// Starts one that looks at the pages of `site` (`http://host:port`), at a desktop's size.
    pub async fn start(site: &str) -> Self {
        let driver = Driver::shared().await;
        let wishes = json!({
            "browserName": "chrome",
            "timeouts": { "script": PATIENCE_MS, "pageLoad": PATIENCE_MS },
            "goog:loggingPrefs": { "performance": "ALL", "browser": "ALL" },
            "goog:chromeOptions": { "args": ARGUMENTS },
        });
        let wishes = wishes.as_object().cloned().unwrap_or_default();
        let client = ClientBuilder::new(HttpConnector::new()).capabilities(wishes).connect(driver.url()).await;
        let client = client.expect("Chromium starts");
        let watch = tokio::sync::Mutex::new(Watch::new(site));
        let browser = Self { client, site: site.to_owned(), watch, _driver: driver };
        browser.look(&LOOKS[0]).await;
        browser
    }

    /// Ends it.
    pub async fn close(&self) {
        self.client.clone().close().await.expect("Chromium ends");
    }

    /// A command of Chrome's own protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        self.extension("goog/cdp/execute", body).await.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// Everything that went wrong in this browser so far and was not [forgiven](Self::forgive): complaints in its
    /// console, requests that failed or went to another host.
    pub async fn faults(&self) -> Vec<String> {
        let mut watch = self.watch.lock().await;
        for kind in ["browser", "performance"] {
            let entries = self.extension("se/log", json!({ "type": kind })).await.expect("a log");
            watch.read(&entries);
        }
        watch.faults()
    }

    /// Says that faults with `part` in them are expected: a page that is not there, a platform that is down.
    pub async fn forgive(&self, part: &str) {
        self.watch.lock().await.forgive(part);
    }

    async fn extension(&self, path: &'static str, body: Value) -> Result<Value, CmdError> {
        self.client.issue_cmd(Extension { path, body }).await
    }
}

/// A command that WebDriver knows only in Chrome.
#[derive(Debug)]
struct Extension {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}

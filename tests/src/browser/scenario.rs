//! A scenario: one platform, the browsers that look at it, and what is judged of each at the end of every scenario:
//! nothing in the console, no failed request, no other host; with a picture, also when the scenario fails.

use std::{
    panic::{AssertUnwindSafe, resume_unwind},
    sync::{Arc, Weak},
};

use futures::FutureExt as _;
use tokio::sync::Mutex;

use super::Browser;
use crate::program::{Program, free_address};

/// The platform in a process of its own, without exhibition, for as many guests from one address as tests are.
#[derive(Debug)]
pub struct Site {
    program: Program,
    url: String,
}

impl Site {
    /// Starts one on a free port.
    pub async fn start() -> Self {
        let mut program = Program::new("farside");
        let address = free_address();
        program.set("FARSIDE_LISTEN", &address.to_string()).set("FARSIDE_EXHIBITION", "0");
        program.set("FARSIDE_LOG_LEVEL", "warn").set("FARSIDE_SIGNUP_BURST", "1000");
        program.set("FARSIDE_ADDRESS_RATE", "2000").set("FARSIDE_ADDRESS_BURST", "2000");
        let mut site = Self { program, url: format!("http://{address}") };
        site.program.start().await;
        site
    }

    /// The one that other scenarios use already, or a new one.
    async fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Site>> = Mutex::const_new(Weak::new());
        let mut shared = SHARED.lock().await;
        if let Some(site) = shared.upgrade() {
            return site;
        }
        let site = Arc::new(Self::start().await);
        *shared = Arc::downgrade(&site);
        site
    }

    /// Where the pages are.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Kills the process, so that every connection breaks.
    pub fn kill(&mut self) {
        self.program.kill();
    }

    /// Starts it again on its data.
    pub async fn start_again(&mut self) {
        self.program.start().await;
    }
}

/// What a scenario stands on.
#[derive(Debug)]
pub struct Scene {
    name: String,
    site: String,
    browsers: Mutex<Vec<Arc<Browser>>>,
}

impl Scene {
    /// Where the platform is.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.site
    }

    /// One more browser, as on another device.
    pub async fn browser(&self) -> Arc<Browser> {
        let browser = Arc::new(Browser::start(&self.site).await);
        self.browsers.lock().await.push(Arc::clone(&browser));
        browser
    }

    /// Takes a picture of each browser, ends it, and returns what was wrong in it.
    async fn end(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (number, browser) in (1..).zip(self.browsers.lock().await.drain(..)) {
            let suffix = if number > 1 { format!("-{number}") } else { String::new() };
            browser.take_picture(&format!("{}{suffix}", self.name)).await;
            faults.extend(browser.faults().await);
            browser.close().await;
        }
        faults
    }
}

/// Plays a scenario on the platform that scenarios share. `name` is that of its pictures.
pub async fn scenario(name: &str, play: impl AsyncFnOnce(&Scene)) {
    let site = Site::shared().await;
    scenario_on(name, &site.url.clone(), play).await;
}

/// Plays a scenario on a platform of its own, which it may kill.
pub async fn scenario_apart(name: &str, play: impl AsyncFnOnce(&Scene, &mut Site)) {
    let mut site = Site::start().await;
    let url = site.url.clone();
    scenario_on(name, &url, async |scene| play(scene, &mut site).await).await;
}

async fn scenario_on(name: &str, url: &str, play: impl AsyncFnOnce(&Scene)) {
    let scene = Scene { name: name.to_owned(), site: url.to_owned(), browsers: Mutex::default() };
    let outcome = AssertUnwindSafe(play(&scene)).catch_unwind().await;
    let faults = scene.end().await;
    if let Err(panic) = outcome {
        report(name, &faults);
        resume_unwind(panic);
    }
    assert!(faults.is_empty(), "{name}: the browser complains:\n{}", faults.join("\n"));
}

/// Shows a failing test what the browsers said.
#[allow(clippy::print_stderr, reason = "the test harness shows it with the failure")]
fn report(name: &str, faults: &[String]) {
    eprintln!("--- what the browsers of {name} said:\n{}", faults.join("\n"));
}

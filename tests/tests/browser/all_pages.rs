//! A walk along all links, from the first page on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use farside_tests::browser::{Browser, LOOKS, scenario};

/// How many pages of one kind are opened; of the first one everything is judged.
const OF_A_KIND: usize = 3;

/// Where links within the platform lead, without fragments.
const LINKS: &str = "return [...document.querySelectorAll('a[href]')].map((link) => new URL(link.href))
    .filter((url) => url.origin === location.origin).map((url) => url.pathname + url.search)";

/// A walk that opens what it finds.
#[derive(Default)]
struct Walk {
    known: BTreeSet<String>,
    waiting: VecDeque<String>,
    opened: BTreeMap<String, usize>,
    faults: Vec<String>,
}

impl Walk {
    fn find(&mut self, path: String) {
        if self.known.insert(path.clone()) {
            self.waiting.push_back(path);
        }
    }

    /// Opens everything that links lead to from `path` on.
    async fn go(&mut self, browser: &Browser, site: &str, path: &str) {
        self.find(path.to_owned());
        while let Some(path) = self.waiting.pop_front() {
            let answer = reqwest::get(format!("{site}{path}")).await.unwrap();
            if !answer.status().is_success() {
                self.faults.push(format!("a link leads to {path}: {}", answer.status()));
            }
            let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok());
            if kind.is_some_and(|kind| kind.starts_with("text/html")) {
                self.open(browser, &path).await;
            }
        }
    }

    async fn open(&mut self, browser: &Browser, path: &str) {
        let kind = kind(path);
        let opened = self.opened.entry(kind.clone()).or_default();
        *opened += 1;
        let opened = *opened;
        if opened > OF_A_KIND {
            return;
        }
        browser.open(path).await;
        let links = browser.run(LINKS, vec![]).await;
        for link in links.as_array().unwrap() {
            self.find(link.as_str().unwrap().to_owned());
        }
        if opened == 1 {
            self.judge(browser, path, &kind).await;
        }
    }

    /// Looks at the page on every screen.
    async fn judge(&mut self, browser: &Browser, path: &str, kind: &str) {
        for look in &LOOKS {
            browser.look(look).await;
            let found = [browser.barriers().await, browser.overflow().await].concat();
            self.faults.extend(found.into_iter().map(|fault| format!("{path} ({}): {fault}", look.name)));
            browser.take_picture(&format!("pages/{}-{}", picture(kind), look.name)).await;
        }
        browser.look(&LOOKS[0]).await;
    }
}

/// A path with its ids and names left out.
fn kind(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let mut parent = "";
    let mut words = Vec::new();
    for word in path.split('/') {
        let is_one_of_many = matches!(parent, "games" | "sets" | "players" | "bots" | "challenges");
        words.push(if is_one_of_many && word != "new" { "one" } else { word });
        parent = word;
    }
    words.join("/")
}

/// What pictures of a kind of page are called.
fn picture(kind: &str) -> String {
    match kind.trim_matches('/') {
        "" => "lobby".to_owned(),
        path => path.replace('/', "-"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_that_links_lead_to_is_sound_on_every_screen() {
    scenario("tour", async |scene| {
        let browser = scene.browser().await;
        let mut walk = Walk::default();
        walk.go(&browser, scene.url(), "/").await;
        assert!(walk.faults.is_empty(), "{}", walk.faults.join("\n"));
    })
    .await;
}

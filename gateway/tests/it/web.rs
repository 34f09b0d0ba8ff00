//! A small browser for tests of pages: it keeps the session's cookie, posts forms, and reads what it gets.

use std::collections::BTreeSet;

use reqwest::header::{ACCEPT, CONTENT_SECURITY_POLICY, COOKIE, HeaderMap, LOCATION, ORIGIN, SET_COOKIE};
use reqwest::redirect::Policy;

use crate::harness::{PATIENCE, Platform, name};

/// What a browser asks for.
const PAGES: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

#[derive(Clone)]
pub struct Browser {
    http: reqwest::Client,
    url: String,
    pub cookie: Option<String>,
}

/// What came back.
pub struct Page {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Browser {
    pub fn new(platform: &Platform) -> Self {
        let http = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
        Self { http, url: platform.url.clone(), cookie: None }
    }

    /// A browser in which somebody with a new name has signed up, with the name and the player key.
    pub async fn signed_up(platform: &Platform) -> (Self, String, String) {
        let (mut browser, name) = (Self::new(platform), name());
        let page = browser.post("/sign-up", &[("name", &name)]).await;
        assert_eq!(page.status, 200, "{}", page.text);
        let key = page.key();
        (browser, name, key)
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> Page {
        let request = match &self.cookie {
            Some(cookie) => request.header(COOKIE, cookie),
            None => request,
        };
        let response = request.header(ACCEPT, PAGES).timeout(PATIENCE).send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        if let Some(cookie) = headers.get(SET_COOKIE) {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
            self.cookie = (!pair.ends_with('=')).then_some(pair);
        }
        Page { status, headers, text: response.text().await.unwrap() }
    }

    pub async fn get(&mut self, path: &str) -> Page {
        let request = self.http.get(format!("{}{path}", self.url));
        self.send(request).await
    }

    /// A page that has to be there.
    pub async fn see(&mut self, path: &str) -> Page {
        let page = self.get(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text);
        page
    }

    /// Posts a form as from a page of the platform.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let origin = self.url.clone();
        self.post_from(Some(&origin), path, fields).await
    }

    /// Posts a form as from a page of `origin`.
    pub async fn post_from(&mut self, origin: Option<&str>, path: &str, fields: &[(&str, &str)]) -> Page {
        let body = serde_urlencoded(fields);
        let request = self.http.post(format!("{}{path}", self.url)).body(body);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let request = match origin {
            Some(origin) => request.header(ORIGIN, origin),
            None => request,
        };
        self.send(request).await
    }

    /// Posts a form that has to lead on; returns where to.
    pub async fn follow(&mut self, path: &str, fields: &[(&str, &str)]) -> String {
        let page = self.post(path, fields).await;
        assert!(page.headers.contains_key(LOCATION), "{path}: {} {}", page.status, page.text);
        page.leads_to()
    }
}

fn serde_urlencoded(fields: &[(&str, &str)]) -> String {
    reqwest::Url::parse_with_params("http://x", fields).unwrap().query().unwrap_or_default().to_owned()
}

impl Page {
    pub fn leads_to(&self) -> String {
        self.headers[LOCATION].to_str().unwrap().to_owned()
    }

    /// The key that the page shows once.
    pub fn key(&self) -> String {
        let start = self.text.find(">fsk_").unwrap_or_else(|| panic!("no key is shown: {}", self.text)) + 1;
        self.text[start..].split('<').next().unwrap().to_owned()
    }

    pub fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    /// Values of an attribute, as they are written.
    pub fn values(&self, attribute: &str) -> BTreeSet<String> {
        let needle = format!(" {attribute}=\"");
        self.text.split(&needle).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    }

    /// Tags of this name, with their attributes.
    pub fn tags(&self, name: &str) -> Vec<&str> {
        let needle = format!("<{name}");
        let tags = self.text.split(&needle).skip(1).filter(|rest| rest.starts_with([' ', '>', '\n']));
        tags.map(|rest| rest.split('>').next().unwrap()).collect()
    }

    /// Everything that every page keeps to.
    pub fn assert_well_made(&self, path: &str) {
        let policy = self.headers[CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(self.tags("h1").len(), 1, "{path} has one h1");
        assert_eq!(self.tags("main").len(), 1, "{path} has one main");
        for script in self.tags("script") {
            assert!(script.contains(" src=\"/assets/"), "{path}: a script stands in the page: {script}");
        }
        for forbidden in [" style=\"", "<style", " onclick=", " onload=", "javascript:"] {
            assert!(!self.has(forbidden), "{path} has {forbidden}");
        }
        for attribute in ["href", "src", "action"] {
            for value in self.values(attribute) {
                assert!(value.starts_with(['/', '#']) && !value.starts_with("//"), "{path}: {attribute} {value}");
            }
        }
        let labelled = self.values("for");
        for tag in ["input", "select", "textarea"] {
            for field in self.tags(tag).into_iter().filter(|field| !field.contains("type=\"hidden\"")) {
                let id = field.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next());
                let has_name = id.is_some_and(|id| labelled.contains(id)) || field.contains("aria-label");
                assert!(has_name, "{path}: a field without a label: {field}");
            }
        }
        let ids: Vec<&str> = self.text.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        let distinct: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), distinct.len(), "{path} has an id twice");
        for target in self.values("href").iter().filter_map(|value| value.strip_prefix('#')) {
            assert!(distinct.contains(target), "{path}: nothing has the id {target}");
        }
    }
}

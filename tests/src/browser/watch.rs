//! What a browser's two logs say: complaints in the console, requests and how they ended.

use std::collections::BTreeMap;

use serde_json::Value;

/// Addresses that no host is asked for.
const INNER: [&str; 4] = ["data:", "blob:", "about:", "chrome:"];

/// Reads logs and remembers what is wrong.
#[derive(Debug)]
pub(super) struct Watch {
    site: String,
    /// Address of each request by its id.
    requests: BTreeMap<String, String>,
    faults: Vec<String>,
    forgiven: Vec<String>,
}

impl Watch {
    pub(super) fn new(site: &str) -> Self {
        Self { site: site.to_owned(), requests: BTreeMap::new(), faults: Vec::new(), forgiven: Vec::new() }
    }

    pub(super) fn forgive(&mut self, part: &str) {
        self.forgiven.push(part.to_owned());
    }

    /// What is wrong and not forgiven.
    pub(super) fn faults(&self) -> Vec<String> {
        let forgiven = |fault: &String| self.forgiven.iter().any(|part| fault.contains(part));
        self.faults.iter().filter(|fault| !forgiven(fault)).cloned().collect()
    }

    /// Takes entries of the console (a level and a text) or of the network (an event within the text).
    pub(super) fn read(&mut self, entries: &Value) {
        for entry in entries.as_array().into_iter().flatten() {
            let message = entry["message"].as_str().unwrap_or_default();
            match serde_json::from_str::<Value>(message) {
                Ok(event) if event["message"]["method"].is_string() => self.read_event(&event["message"]),
                _ => self.read_console(&entry["level"], message),
            }
        }
    }

    fn read_console(&mut self, level: &Value, message: &str) {
        if level == "SEVERE" || level == "WARNING" {
            self.faults.push(format!("console: {message}"));
        }
    }

    fn read_event(&mut self, event: &Value) {
        let parameters = &event["params"];
        let id = parameters["requestId"].as_str().unwrap_or_default().to_owned();
        match event["method"].as_str().unwrap_or_default() {
            "Network.requestWillBeSent" => self.read_request(id, &parameters["request"]["url"]),
            "Network.webSocketCreated" => self.read_request(id, &parameters["url"]),
            "Network.loadingFailed" => self.read_failure(&id, parameters),
            _ => {}
        }
    }

    fn read_request(&mut self, id: String, url: &Value) {
        let url = url.as_str().unwrap_or_default().to_owned();
        let address = url.replacen("ws://", "http://", 1);
        let own = address == self.site || address.starts_with(&format!("{}/", self.site));
        if !own && !INNER.iter().any(|inner| address.starts_with(inner)) {
            self.faults.push(format!("a request to another host: {url}"));
        }
        self.requests.insert(id, url);
    }

    /// A request that the page itself gave up, by leaving for example, has not failed.
    fn read_failure(&mut self, id: &str, parameters: &Value) {
        let given_up = parameters["canceled"] == true || parameters["errorText"] == "net::ERR_ABORTED";
        if !given_up {
            let url = self.requests.get(id).map_or("a request", String::as_str);
            self.faults.push(format!("{url} failed: {}", parameters["errorText"]));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent(url: &str) -> Value {
        let event = json!({ "message": { "method": "Network.requestWillBeSent",
            "params": { "requestId": "1", "request": { "url": url } } } });
        json!([{ "level": "INFO", "message": event.to_string() }])
    }

    fn faults(entries: &Value) -> Vec<String> {
        let mut watch = Watch::new("http://127.0.0.1:1");
        watch.forgive("expected");
        watch.read(entries);
        watch.faults()
    }

    #[test]
    fn requests_to_the_platform_alone_are_no_fault() {
        for own in ["http://127.0.0.1:1/", "http://127.0.0.1:1/v1/games", "ws://127.0.0.1:1/v1", "data:,"] {
            assert_eq!(faults(&sent(own)), Vec::<String>::new(), "{own}");
        }
        for other in ["http://127.0.0.1:12/", "https://127.0.0.1:1/", "http://example.org/http://127.0.0.1:1/"] {
            assert_eq!(faults(&sent(other)).len(), 1, "{other}");
        }
    }

    #[test]
    fn complaints_of_the_console_are_faults_unless_forgiven() {
        let entries = json!([{ "level": "SEVERE", "message": "refused to load" }, { "level": "INFO", "message": "hi" },
            { "level": "SEVERE", "message": "something expected" }]);
        assert_eq!(faults(&entries), ["console: refused to load"]);
    }

    #[test]
    fn a_request_that_the_page_gave_up_has_not_failed() {
        let failed = |canceled: bool| {
            let event = json!({ "message": { "method": "Network.loadingFailed",
                "params": { "requestId": "1", "canceled": canceled, "errorText": "net::ERR_FAILED" } } });
            faults(&json!([{ "level": "INFO", "message": event.to_string() }])).len()
        };
        assert_eq!((failed(true), failed(false)), (0, 1));
    }
}

//! axe-core within the page: what keeps people with assistive technology from using it. axe-core itself is no part of
//! this repository: `cargo xtask test` brings it.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::Browser;

/// Names the file `axe.min.js`.
const VARIABLE: &str = "FARSIDE_AXE";

/// WCAG 2.2 at level AA with what went before it, and what is good practice.
const TAGS: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

impl Browser {
    /// Everything on the page that breaks a rule, one line for each rule.
    pub async fn barriers(&self) -> Vec<String> {
        static AXE: LazyLock<String> = LazyLock::new(|| {
            let file =
                std::env::var(VARIABLE).expect("run `cargo xtask test`: FARSIDE_AXE names the script of axe-core");
            std::fs::read_to_string(file).expect("the script of axe-core")
        });
        if self.run("return typeof axe", vec![]).await == "undefined" {
            self.run(&AXE, vec![]).await;
        }
        let wish = json!({
            "runOnly": TAGS,
            "resultTypes": ["violations"],
            "rules": { "target-size": { "enabled": true } },
        });
        let found =
            self.run("return axe.run(document, arguments[0]).then((found) => found.violations)", vec![wish]).await;
        found.as_array().into_iter().flatten().map(line).collect()
    }
}

fn line(violation: &Value) -> String {
    let nodes = violation["nodes"].as_array().into_iter().flatten();
    let places: Vec<String> = nodes.take(4).map(place).collect();
    format!("{}: {} at {}", text(&violation["id"]), text(&violation["help"]), places.join("; "))
}

/// Where it is and what is wrong there.
fn place(node: &Value) -> String {
    let checks = [&node["any"], &node["all"], &node["none"]];
    let messages: Vec<&str> = checks.into_iter().filter_map(|checks| checks[0]["message"].as_str()).take(1).collect();
    format!("{} ({})", node["target"], messages.join(" "))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

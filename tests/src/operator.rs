//! An operator at the command line: `farside admin` as a process, against a platform that is reached as its settings say.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{apart::Apart, program::Program};

/// What a command came to.
#[derive(Debug, Clone)]
pub struct Ran {
    /// Whether it exited with 0.
    pub success: bool,
    /// All that it wrote.
    pub text: String,
}

impl Ran {
    /// The rest of the line that begins with `label`.
    ///
    /// # Panics
    ///
    /// When no line does.
    #[must_use]
    pub fn line(&self, label: &str) -> &str {
        let found = self.text.lines().find_map(|line| line.trim().strip_prefix(label));
        found.unwrap_or_else(|| panic!("no line begins with {label}:\n{}", self.text)).trim()
    }
}

/// An operator: a key, and the way to the platform.
#[derive(Debug, Clone)]
pub struct Operator {
    settings: BTreeMap<String, String>,
}

impl Operator {
    /// Makes a key called `name` with `farside admin key new`; returns the operator, and the entry that services need.
    pub async fn new(name: &str) -> (Self, String) {
        let mut operator = Self { settings: BTreeMap::new() };
        let made = operator.run(&["key", "new", name]).await;
        assert!(made.success, "{}", made.text);
        operator.set("FARSIDE_OPERATOR_KEY", made.line("FARSIDE_OPERATOR_KEY="));
        (operator, made.line("FARSIDE_OPERATOR_KEYS=").to_owned())
    }

    /// A new operator of five processes, which are started with its entry.
    pub async fn of_five_processes(name: &str) -> (Self, Apart) {
        let (mut operator, entry) = Self::new(name).await;
        let mut platform = Apart::prepare().await;
        platform.set("FARSIDE_OPERATOR_KEYS", &entry);
        platform.start_all().await;
        for variable in ["FARSIDE_LEDGER_URL", "FARSIDE_MATCH_URL", "FARSIDE_RATING_URL"] {
            operator.set(variable, platform.gateway.setting(variable));
        }
        (operator, platform)
    }

    /// Sets a variable of the command.
    pub fn set(&mut self, variable: &str, value: &str) {
        self.settings.insert(variable.to_owned(), value.to_owned());
    }

    /// The same operator with another key, or with none.
    #[must_use]
    pub fn with_key(&self, key: Option<&str>) -> Self {
        let mut other = self.clone();
        match key {
            Some(key) => other.set("FARSIDE_OPERATOR_KEY", key),
            None => drop(other.settings.remove("FARSIDE_OPERATOR_KEY")),
        }
        other
    }

    /// Runs `farside admin` with these arguments to its end.
    pub async fn run(&self, arguments: &[&str]) -> Ran {
        let mut program = Program::new("farside");
        program.argument("admin");
        for argument in arguments {
            program.argument(argument);
        }
        for (variable, value) in &self.settings {
            program.set(variable, value);
        }
        program.spawn();
        let status = program.ended().await;
        Ran { success: status.success(), text: program.log() }
    }

    /// As [`Operator::run`], for what must succeed.
    pub async fn does(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments).await;
        assert!(ran.success, "{arguments:?}: {}", ran.text);
        ran
    }

    /// As [`Operator::run`], for what must be refused for `reason`.
    pub async fn is_refused(&self, reason: &str, arguments: &[&str]) {
        let ran = self.run(arguments).await;
        assert!(!ran.success && ran.text.contains(reason), "{arguments:?} is not refused as {reason}: {}", ran.text);
    }

    /// The log of operations, newest first.
    pub async fn log(&self) -> Vec<Value> {
        let ran = self.does(&["audit-log", "--json", "--limit", "1000"]).await;
        ran.text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }
}

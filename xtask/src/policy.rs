//! What dependencies must be like, by `deny.toml`: the same file that cargo-deny reads.
//!
//! cargo-deny takes minutes to build on a fresh machine and its advisories need a network, so the parts of its policy
//! that need neither are checked here: allowed licences, sources, bans, and crates that may be there only once.
//! Advisories stay with `cargo deny check advisories`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, bail};
use serde::Deserialize;

use crate::{
    metadata::{Metadata, Package},
    repository,
};

/// Sources of the one registry that is allowed begin so; a git or local path source does not.
const REGISTRY_PREFIXES: [&str; 2] = ["registry+", "sparse+"];

/// The part of `deny.toml` that is checked here.
#[derive(Debug, Deserialize)]
struct Policy {
    licenses: Licences,
    bans: Bans,
}

#[derive(Debug, Deserialize)]
struct Licences {
    allow: BTreeSet<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

#[derive(Debug, Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    package: String,
    allow: BTreeSet<String>,
}

#[derive(Debug, Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Debug, Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    package: String,
    /// The crate may be there, but only in one version.
    #[serde(default, rename = "deny-multiple-versions")]
    deny_multiple_versions: bool,
    reason: String,
}

/// Fails with every breach of the committed policy.
pub(crate) fn check(metadata: &Metadata) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(repository::root().join("deny.toml")).context("cannot read deny.toml")?;
    let policy: Policy = toml::from_str(&text).context("cannot read deny.toml")?;
    let breaches = policy.breaches(&metadata.packages);
    if !breaches.is_empty() {
        bail!("dependencies break deny.toml:\n  {}", breaches.join("\n  "));
    }
    println!("xtask: {} packages keep to deny.toml", metadata.packages.len());
    Ok(())
}

impl Policy {
    fn breaches(&self, packages: &[Package]) -> Vec<String> {
        let each = packages.iter().flat_map(|package| [self.licence_breach(package), source_breach(package)]);
        each.flatten().chain(self.ban_breaches(packages)).collect()
    }

    fn licence_breach(&self, package: &Package) -> Option<String> {
        let name = format!("{} {}", package.name, package.version);
        let Some(expression) = &package.license else {
            return Some(format!("{name}: names no licence"));
        };
        let allowed = |licence: &str| {
            let exception = self.licenses.exceptions.iter().find(|exception| exception.package == package.name);
            self.licenses.allow.contains(licence) || exception.is_some_and(|found| found.allow.contains(licence))
        };
        (!satisfied(expression, &allowed)).then(|| format!("{name}: licence {expression} is not allowed"))
    }

    fn ban_breaches(&self, packages: &[Package]) -> impl Iterator<Item = String> {
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for package in packages {
            versions.entry(&package.name).or_default().insert(&package.version);
        }
        self.bans.deny.iter().filter_map(move |ban| {
            let found = versions.get(ban.package.as_str())?;
            let list = found.iter().copied().collect::<Vec<_>>().join(", ");
            match ban.deny_multiple_versions {
                true if found.len() < 2 => None,
                true => Some(format!("{} is there in several versions ({list}): {}", ban.package, ban.reason)),
                false => Some(format!("{} {list} is banned: {}", ban.package, ban.reason)),
            }
        })
    }
}

fn source_breach(package: &Package) -> Option<String> {
    let source = package.source.as_deref()?;
    let allowed = REGISTRY_PREFIXES.iter().any(|prefix| source.starts_with(prefix));
    (!allowed).then(|| format!("{} {}: source {source} is not allowed", package.name, package.version))
}

/// Whether an SPDX expression can be met with allowed licences alone. `WITH` makes one licence of two words and its
/// exception; the old `A/B` means `A OR B`. An expression that is not understood is not satisfied.
fn satisfied(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = Words { words: spaced.split_whitespace().collect(), next: 0, allowed };
    words.any() == Some(true) && words.next == words.words.len()
}

/// A recursive descent over `any := all (OR all)*`, `all := one (AND one)*`, `one := ( any ) | ID [WITH ID]`.
struct Words<'a> {
    words: Vec<&'a str>,
    next: usize,
    allowed: &'a dyn Fn(&str) -> bool,
}

impl<'a> Words<'a> {
    fn any(&mut self) -> Option<bool> {
        let mut satisfied = self.all()?;
        while self.take("OR") {
            satisfied |= self.all()?;
        }
        Some(satisfied)
    }

    fn all(&mut self) -> Option<bool> {
        let mut satisfied = self.one()?;
        while self.take("AND") {
            satisfied &= self.one()?;
        }
        Some(satisfied)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let satisfied = self.any()?;
            return self.take(")").then_some(satisfied);
        }
        let licence = self.word()?;
        if !self.take("WITH") {
            return Some((self.allowed)(licence));
        }
        let exception = self.word()?;
        Some((self.allowed)(&format!("{licence} WITH {exception}")))
    }

    fn word(&mut self) -> Option<&'a str> {
        let word = *self.words.get(self.next)?;
        self.next += 1;
        (!matches!(word, "(" | ")" | "OR" | "AND" | "WITH")).then_some(word)
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.words.get(self.next) == Some(&word);
        self.next += usize::from(found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = r#"
        [licenses]
        allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"]
        exceptions = [{ crate = "roots", allow = ["CDLA-Permissive-2.0"] }]
        [bans]
        deny = [
            { crate = "openssl-sys", reason = "needs a system library" },
            { crate = "tonic", deny-multiple-versions = true, reason = "types of two versions do not mix" },
        ]
    "#;

    fn package(name: &str, version: &str, license: Option<&str>, source: Option<&str>) -> Package {
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            license: license.map(str::to_owned),
            source: source.map(str::to_owned),
        }
    }

    fn breaches(packages: &[Package]) -> Vec<String> {
        toml::from_str::<Policy>(POLICY).unwrap().breaches(packages)
    }

    #[test]
    fn licence_expressions_are_met_by_allowed_licences_alone() {
        let allowed = |licence: &str| matches!(licence, "MIT" | "Apache-2.0" | "Apache-2.0 WITH LLVM-exception");
        for expression in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT/GPL-3.0",
            "MIT AND Apache-2.0",
            "(MIT OR GPL-3.0) AND Apache-2.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(satisfied(expression, &allowed), "{expression}");
        }
        for expression in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "GPL-3.0 OR MIT AND BSD-3-Clause",
            "MIT WITH LLVM-exception",
            "(MIT",
            "MIT)",
            "MIT MIT",
            "OR",
            "",
        ] {
            assert!(!satisfied(expression, &allowed), "{expression}");
        }
    }

    #[test]
    fn good_dependencies_break_nothing() {
        let registry = Some("registry+https://example.org/index");
        let packages = [
            package("farside", "0.1.0", Some("Apache-2.0"), None),
            package("tonic", "0.14.9", Some("MIT"), registry),
            package("roots", "1.0.0", Some("CDLA-Permissive-2.0"), registry),
        ];
        assert_eq!(breaches(&packages), Vec::<String>::new());
    }

    #[test]
    fn each_breach_is_named() {
        let cases = [
            (package("a", "1.0.0", Some("GPL-3.0"), None), "a 1.0.0: licence GPL-3.0 is not allowed"),
            (
                package("a", "1.0.0", Some("CDLA-Permissive-2.0"), None),
                "a 1.0.0: licence CDLA-Permissive-2.0 is not allowed",
            ),
            (package("a", "1.0.0", None, None), "a 1.0.0: names no licence"),
            (package("a", "1.0.0", Some("MIT"), Some("git+x")), "a 1.0.0: source git+x is not allowed"),
            (package("openssl-sys", "0.9.0", Some("MIT"), None), "openssl-sys 0.9.0 is banned: needs a system library"),
        ];
        for (package, breach) in cases {
            assert_eq!(breaches(&[package]), [breach]);
        }
    }

    #[test]
    fn two_versions_of_a_crate_that_may_be_there_once_are_refused() {
        let versions = ["0.13.0", "0.14.9"].map(|version| package("tonic", version, Some("MIT"), None));
        let breach = "tonic is there in several versions (0.13.0, 0.14.9): types of two versions do not mix";
        assert_eq!(breaches(&versions), [breach]);
    }
}

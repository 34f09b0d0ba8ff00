//! Keeps the layering honest: reads the sources and the documents and says where they leave the house rules.
//!
//! It runs nothing of the product, and knows no rule that clippy could check.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod errors;
mod source;

use std::path::Path;

use source::{Source, root, sources};

/// The five services; each keeps the layers of ARCHITECTURE.md.
const SERVICES: [&str; 5] = ["rules-svc", "match-svc", "ledger-svc", "rating-svc", "gateway"];

/// What a pure function cannot need: another task, a clock, chance, storage, the wire, a log. Time, ids and random
/// bytes are arguments.
const IMPURE: [&str; 22] = [
    "async",
    "await",
    "tokio",
    "futures",
    "Instant",
    "SystemTime",
    "SystemClock",
    "SystemIds",
    "getrandom",
    "thread_rng",
    "sea_orm",
    "sqlx",
    "redis",
    "prost",
    "tonic",
    "farside_proto",
    "reqwest",
    "axum",
    "tracing",
    "println",
    "eprintln",
    "unsafe",
];

/// Modules that look into the domain; the domain looks into none of them.
const OUTER_LAYERS: [&str; 6] = ["engine", "store", "grpc", "upstream", "http", "pages"];

/// The crates that speak to a database or to Redis.
const STORAGE: [&str; 3] = ["sea_orm", "sea_orm_migration", "redis"];

/// Lines of a service's `main.rs`: settings, start, end.
const MAIN_LINES_MAX: usize = 30;

/// A map, not a book.
const ARCHITECTURE_LINES_MAX: usize = 250;

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Each place where the code of `source` names one of `words`.
fn named<'a>(source: &'a Source, words: &'a [&str]) -> impl Iterator<Item = String> + 'a {
    source
        .words()
        .filter(|(_, word)| words.contains(word))
        .map(|(line, word)| format!("{}:{line}: {word}", source.name))
}

#[test]
fn every_file_says_what_it_is() {
    let silent = sources().filter(|source| !source.text.starts_with("//! "));
    let faults: Vec<_> = silent.map(|source| format!("{}: does not start with `//! `", source.name)).collect();
    assert_none(&faults);
}

#[test]
fn the_domain_is_pure() {
    let domains = sources().filter(|source| source.is_in_layer("domain"));
    let faults: Vec<_> = domains.flat_map(|source| named(source, &IMPURE)).collect();
    assert_none(&faults);
}

#[test]
fn the_domain_knows_no_other_layer() {
    let mut faults = Vec::new();
    for source in sources().filter(|source| source.is_in_layer("domain")) {
        let paths = source.paths().filter(|(_, first, second)| *first == "crate" && OUTER_LAYERS.contains(second));
        faults.extend(paths.map(|(line, _, layer)| format!("{}:{line}: crate::{layer}", source.name)));
    }
    assert_none(&faults);
}

#[test]
fn only_the_store_names_the_database_and_redis() {
    let mut faults = Vec::new();
    let services =
        sources().filter(|source| SERVICES.iter().any(|service| source.is_within(&format!("{service}/src"))));
    for source in services.filter(|source| !source.is_in_layer("store")) {
        // The kit's own handle on Redis may be passed on by anyone.
        let kit: Vec<_> =
            source.paths().filter(|(_, first, _)| *first == "farside_kit").map(|(line, ..)| line).collect();
        let paths = source.paths().filter(|(line, first, _)| STORAGE.contains(first) && !kit.contains(line));
        faults.extend(paths.map(|(line, first, second)| format!("{}:{line}: {first}::{second}", source.name)));
    }
    assert_none(&faults);
}

/// What engines that spread rows over machines do not have, or do badly.
const NOT_EVERYWHERE: [&str; 7] =
    ["pg_advisory", "pg_try_advisory", "nextval", "bigserial", "autoincrement", "generated always", "lock table"];

#[test]
fn no_statement_asks_for_what_distributed_engines_lack() {
    let folders = SERVICES.iter().chain(&["service-kit"]).map(|package| format!("{package}/src")).collect::<Vec<_>>();
    let mut faults = Vec::new();
    // Conflicts on purpose are made with sequences, in tests alone.
    let code = sources().filter(|source| !source.is_within("service-kit/src/testing"));
    for source in code.filter(|source| folders.iter().any(|folder| source.is_within(folder))) {
        let text = source.text.to_lowercase();
        let asked = NOT_EVERYWHERE.iter().filter(|word| text.contains(*word));
        faults.extend(asked.map(|word| format!("{}: {word}", source.name)));
    }
    assert_none(&faults);
}

#[test]
fn the_layers_are_there() {
    let has_domain = |service: &str| sources().any(|source| source.is_within(service) && source.is_in_layer("domain"));
    let faults: Vec<_> = SERVICES.into_iter().filter(|service| !has_domain(service)).map(str::to_owned).collect();
    assert_none(&faults);
}

#[test]
fn mains_are_thin() {
    let mains = SERVICES.map(|service| format!("{service}/src/main.rs"));
    let long = sources().filter(|source| mains.contains(&source.name)).filter(|source| source.lines() > MAIN_LINES_MAX);
    let faults: Vec<_> = long.map(|source| format!("{}: {} lines", source.name, source.lines())).collect();
    assert_none(&faults);
}

#[test]
fn nothing_is_left_for_later() {
    let marks = ["TODO", "FIXME"];
    let mut faults = Vec::new();
    // This file has to name them.
    for source in sources().filter(|source| !source.is_within("tests/tests/tidy")) {
        for (number, line) in (1..).zip(source.text.lines()) {
            faults.extend(
                marks
                    .iter()
                    .filter(|mark| line.contains(*mark))
                    .map(|mark| format!("{}:{number}: {mark}", source.name)),
            );
        }
    }
    assert_none(&faults);
}

#[test]
fn the_map_of_the_code_stays_short() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(map.lines().count() <= ARCHITECTURE_LINES_MAX, "ARCHITECTURE.md: {} lines", map.lines().count());
}

/// Cargo reads every member's manifest, whatever it is to build.
#[test]
fn every_member_of_the_workspace_reaches_the_builder_of_the_image() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    let (manifest, ignored) = (read("Cargo.toml"), read(".dockerignore"));
    let kept: Vec<&str> = ignored.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let members = manifest.split("\nmembers = [").nth(1).unwrap().split(']').next().unwrap();
    let missing = members.split('"').skip(1).step_by(2).filter(|member| {
        let folder = member.split('/').next().unwrap();
        !kept.contains(&folder)
    });
    assert_none(&missing.map(|member| format!(".dockerignore keeps {member} away")).collect::<Vec<_>>());
}

#[test]
fn documents_link_to_what_is_there() {
    let mut faults = Vec::new();
    for document in source::documents() {
        let folder = document.parent().unwrap();
        let text = std::fs::read_to_string(&document).unwrap();
        for link in source::links(&text).filter(|link| !leads_out(link)) {
            let target = folder.join(link.split('#').next().unwrap());
            if !target.exists() {
                let name = document.strip_prefix(root()).unwrap_or(Path::new(""));
                faults.push(format!("{}: {link} is not there", name.display()));
            }
        }
    }
    assert_none(&faults);
}

/// Whether a link leads to another site, or to a place within its own document.
fn leads_out(link: &str) -> bool {
    link.contains("://") || link.starts_with('#') || link.starts_with("mailto:") || link.starts_with('/')
}

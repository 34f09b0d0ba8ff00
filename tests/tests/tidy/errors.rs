//! Every error has a place in the documentation: what contracts promise is made by the code, and whatever the code
//! answers is explained in `docs/errors.md`. That a fault gets the right status is tested where it is made.

use std::{collections::BTreeSet, fs};

use crate::{
    SERVICES, assert_none,
    source::{root, sources},
};

/// Names of gRPC codes; contracts put the reason behind them in brackets.
const GRPC_CODES: [&str; 11] = [
    "INVALID_ARGUMENT",
    "UNAUTHENTICATED",
    "PERMISSION_DENIED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "FAILED_PRECONDITION",
    "ABORTED",
    "RESOURCE_EXHAUSTED",
    "UNAVAILABLE",
    "DEADLINE_EXCEEDED",
    "INTERNAL",
];

/// Shorter words in capitals are abbreviations.
const REASON_LENGTH_MIN: usize = 6;

/// The contracts and the service that keeps each.
const CONTRACTS: [(&str, &str); 4] =
    [("rules", "rules-svc"), ("match", "match-svc"), ("ledger", "ledger-svc"), ("rating", "rating-svc")];

/// Words in capitals that are a reason by their form.
fn reasons(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| {
        word.len() >= REASON_LENGTH_MIN
            && word.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_')
            && !GRPC_CODES.contains(word)
    })
}

/// The reasons that the comments of a contract's service and RPCs name.
fn promised(contract: &str) -> BTreeSet<String> {
    let path = root().join(format!("proto/proto/farside/{contract}/v1/{contract}.proto"));
    let text = fs::read_to_string(path).unwrap();
    let service = text.split("\n}\n").find(|block| block.contains("\nservice ")).unwrap();
    let comments = service.lines().filter(|line| line.trim_start().starts_with("//"));
    comments.flat_map(reasons).map(str::to_owned).collect()
}

/// The text of every file below `CRATE/src`.
fn code_of(package: &str) -> String {
    let folder = format!("{package}/src");
    sources().filter(|source| source.is_within(&folder)).map(|source| source.text.as_str()).collect()
}

/// The reasons that functions called `reason` return.
fn made(text: &str) -> BTreeSet<String> {
    let bodies = text.split("fn reason(").skip(1).map(|rest| rest.split("\n    }").next().unwrap());
    let literals = bodies.flat_map(|body| body.split('"').skip(1).step_by(2));
    literals.flat_map(reasons).map(str::to_owned).collect()
}

/// The codes of the public API: `Name = "code", STATUS, …`.
fn public_codes() -> Vec<String> {
    let text = fs::read_to_string(root().join("gateway/src/problem/code.rs")).unwrap();
    let lines = text.lines().filter_map(|line| line.trim_start().split_once(" = \""));
    let codes = lines.filter_map(|(name, rest)| {
        let (code, status) = rest.split_once("\", ")?;
        let is_entry =
            name.chars().all(char::is_alphanumeric) && status.starts_with(|first: char| first.is_ascii_uppercase());
        is_entry.then(|| code.to_owned())
    });
    codes.collect()
}

fn documentation() -> String {
    fs::read_to_string(root().join("docs/errors.md")).unwrap()
}

#[test]
fn every_reason_that_a_contract_names_is_made_by_its_service() {
    let mut faults = Vec::new();
    for (contract, service) in CONTRACTS {
        let code = code_of(service);
        let missing = promised(contract).into_iter().filter(|reason| !code.contains(&format!("\"{reason}\"")));
        faults.extend(missing.map(|reason| format!("{service}: nothing makes {reason}")));
    }
    assert_none(&faults);
}

#[test]
fn every_reason_is_documented() {
    let documentation = documentation();
    let promised = CONTRACTS.iter().flat_map(|(contract, _)| promised(contract));
    let packages = SERVICES.iter().chain(&["service-kit"]);
    let made = packages.flat_map(|package| made(&code_of(package)));
    let all: BTreeSet<_> = promised.chain(made).collect();
    let missing = all.into_iter().filter(|reason| !documentation.contains(&format!("`{reason}`")));
    assert_none(&missing.map(|reason| format!("docs/errors.md says nothing of {reason}")).collect::<Vec<_>>());
}

#[test]
fn every_public_code_is_documented() {
    let (documentation, codes) = (documentation(), public_codes());
    assert!(codes.len() > 20, "the codes are not where they were: {codes:?}");
    let missing = codes.into_iter().filter(|code| !documentation.contains(&format!("`{code}`")));
    assert_none(&missing.map(|code| format!("docs/errors.md says nothing of {code}")).collect::<Vec<_>>());
}

#[test]
fn reasons_are_read_from_contracts_and_code() {
    assert_eq!(
        reasons("NOT_FOUND (SET_NOT_FOUND, SUSPENDED) in JSON").collect::<Vec<_>>(),
        ["SET_NOT_FOUND", "SUSPENDED"]
    );
    let code = "    fn reason(&self) -> &str {\n \"A_REASON\"\n    }\n\n    fn other() { \"NO_REASON\" }";
    assert_eq!(made(code).into_iter().collect::<Vec<_>>(), ["A_REASON"]);
    assert!(promised("match").contains("STALE_PLY"));
}

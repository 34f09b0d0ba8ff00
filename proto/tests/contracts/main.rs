//! Holds the contracts to their conventions, and to what was promised with the committed baseline.
//!
//! `cargo xtask contracts check` runs this; `cargo xtask contracts accept` makes today's contracts the baseline.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test fails by panicking, and its modules are seen by nobody else"
)]

use std::path::PathBuf;

use prost::Message as _;
use prost_types::FileDescriptorSet;

mod breaking;
mod conventions;

/// Set by `cargo xtask contracts accept`.
const ACCEPT: &str = "FARSIDE_ACCEPT_CONTRACTS";

fn contracts() -> FileDescriptorSet {
    let mut set = FileDescriptorSet::decode(farside_proto::FILE_DESCRIPTOR_SET).unwrap();
    set.file.retain(|file| file.package().starts_with("farside."));
    set
}

fn baseline_path() -> PathBuf {
    // At run time: two clones may share a target folder, and what was compiled in is then another clone's.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(package).join("baseline.binpb")
}

/// The contracts without comments, in a stable order: what the baseline keeps.
fn bare(mut set: FileDescriptorSet) -> FileDescriptorSet {
    for file in &mut set.file {
        file.source_code_info = None;
    }
    set.file.sort_by(|left, right| left.name.cmp(&right.name));
    set
}

#[test]
fn contracts_keep_to_the_conventions() {
    let faults = conventions::faults(&contracts());
    assert!(faults.is_empty(), "contracts break the conventions:\n{}", faults.join("\n"));
}

#[test]
fn contracts_break_nothing_that_the_baseline_promised() {
    let current = bare(contracts());
    if std::env::var_os(ACCEPT).is_some() {
        std::fs::write(baseline_path(), current.encode_to_vec()).unwrap();
        return;
    }
    let bytes = std::fs::read(baseline_path()).expect("proto/baseline.binpb is committed");
    let baseline = FileDescriptorSet::decode(&*bytes).unwrap();
    let breaks = breaking::breaks(&baseline, &current);
    assert!(
        breaks.is_empty(),
        "contracts break their callers:\n{}\nwhere that is meant: cargo xtask contracts accept",
        breaks.join("\n")
    );
}

//! The scripts of the pages: each is an ES module that parses, and their pure parts pass tests of their own in Node.js.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let found: Vec<PathBuf> = paths.filter(|path| path.to_str().unwrap().ends_with(ending)).collect();
    assert!(!found.is_empty(), "{} holds no {ending}", folder.display());
    found
}

fn node(arguments: &[&str], files: &[PathBuf]) {
    let output = Command::new("node").args(arguments).args(files).output().unwrap();
    let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat();
    assert!(output.status.success(), "node {arguments:?}\n{said}");
}

#[test]
fn every_script_is_a_module_that_parses() {
    for file in files("assets/js", ".js") {
        node(&["--check"], &[file]);
    }
}

#[test]
fn what_scripts_work_out_is_right() {
    node(&["--test"], &files("tests/js", ".test.mjs"));
}

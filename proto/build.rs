//! Compiles the contracts without an installed protoc, and keeps their descriptors for reflection.

use std::{env, error::Error, path::PathBuf};

use prost::Message as _;

const CONTRACTS: [&str; 5] = [
    "farside/rules/v1/rules.proto",
    "farside/match/v1/match.proto",
    "farside/ledger/v1/ledger.proto",
    "farside/rating/v1/rating.proto",
    "farside/operator/v1/operator.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler.include_source_info(true).include_imports(true);
    let descriptors = compiler.open_files(CONTRACTS)?.file_descriptor_set();
    let out = PathBuf::from(env::var("OUT_DIR")?);
    std::fs::write(out.join("farside.binpb"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure().bytes(".farside.rules.v1.Position.state").compile_fds(descriptors)?;
    Ok(())
}

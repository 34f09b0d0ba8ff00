//! Where the repository is. Nothing here reads or writes it.

use std::path::PathBuf;

/// The folder that holds the workspace's `Cargo.toml`. Cargo says at run time where that is; what was true when this was
/// compiled need not be, since two clones may share a target folder.
pub(crate) fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(manifest);
    root.pop();
    root
}

/// The cargo that runs this task, so that a toolchain chosen on the command line stays chosen.
pub(crate) fn cargo() -> std::process::Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = std::process::Command::new(program);
    command.current_dir(root());
    // What `cargo run` tells this program about itself would make build scripts of dependencies run again, and with them
    // most of the workspace, whenever tasks and cargo take turns.
    for (name, _) in std::env::vars_os() {
        if ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            command.env_remove(name);
        }
    }
    command
}

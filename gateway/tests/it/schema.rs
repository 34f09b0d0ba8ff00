//! Schemathesis against the running platform: the document and the server say the same.
//!
//! Streams are left out, since they do not end: `streams` has their tests.

use std::process::Command;

use crate::harness::{Platform, generous};

#[tokio::test(flavor = "multi_thread")]
async fn the_server_keeps_its_document() {
    let st = std::env::var("FARSIDE_SCHEMATHESIS")
        .expect("run `cargo xtask test`: FARSIDE_SCHEMATHESIS names the `st` of schemathesis");
    let examples = std::env::var("FARSIDE_SCHEMATHESIS_EXAMPLES").unwrap_or_else(|_| "15".to_owned());
    let platform = Platform::with(generous()).await;
    for key in [platform.newcomer().await.me.key.unwrap(), platform.newcomer().await.owner.key.unwrap()] {
        // It keeps a folder of findings where it runs.
        let folder = tempfile::tempdir().unwrap();
        let mut run = Command::new(&st);
        run.current_dir(folder.path());
        run.args(["--config-file", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/schemathesis.toml")]);
        run.args(["run", &format!("{}/openapi.json", platform.url), "--max-examples", &examples, "--seed", "1"])
            .args([
                "--header",
                &format!("Authorization: Bearer {key}"),
                "--exclude-path-regex",
                "(events|socket|turns)$",
            ])
            .args(["--request-timeout", "30", "--no-color"]);
        let output = tokio::task::spawn_blocking(move || run.output()).await.unwrap().unwrap();
        let report = String::from_utf8_lossy(&output.stdout).replace(&key, "KEY");
        assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}

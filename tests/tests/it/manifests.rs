//! The Kubernetes manifests by the schemas of Kubernetes, unknown fields refused.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use farside_tests::prometheus::deploy;

/// What kustomize reads first; no resource of Kubernetes.
const KUSTOMIZATION: &str = "kustomization.yaml";
/// Shows what the cluster's secrets must hold, and is not applied.
const SECRETS: &str = "secrets.example.yaml";

fn validated(manifest: &Path) -> Output {
    let validator = std::env::var("FARSIDE_KUBERNETES_VALIDATE")
        .expect("run `cargo xtask test`: FARSIDE_KUBERNETES_VALIDATE names the program of kubernetes-validate");
    Command::new(validator).arg("--strict").arg(manifest).output().unwrap()
}

fn manifests() -> BTreeSet<PathBuf> {
    let folder = fs::read_dir(deploy().join("k8s")).unwrap().map(|entry| entry.unwrap().path());
    folder.filter(|path| !path.ends_with(KUSTOMIZATION)).collect()
}

#[test]
fn every_manifest_keeps_the_schemas_of_kubernetes() {
    for manifest in manifests() {
        let output = validated(&manifest);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(output.status.success() && !said.contains("WARN"), "{}: {said}", manifest.display());
    }
}

#[test]
fn a_field_that_kubernetes_does_not_know_is_refused() {
    let gateway = fs::read_to_string(deploy().join("k8s/gateway.yaml")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let misspelt = folder.path().join("gateway.yaml");
    fs::write(&misspelt, gateway.replace("readinessProbe:", "readynessProbe:")).unwrap();
    assert!(!validated(&misspelt).status.success());
}

#[test]
fn kustomize_applies_every_manifest_but_the_example_of_secrets() {
    let kustomization = fs::read_to_string(deploy().join("k8s").join(KUSTOMIZATION)).unwrap();
    let listed = kustomization.lines().filter_map(|line| line.trim().strip_prefix("- ")).map(str::trim);
    let listed: BTreeSet<_> = listed.filter(|entry| entry.ends_with(".yaml")).map(str::to_owned).collect();
    let names = manifests().into_iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    assert_eq!(listed, names.filter(|name| name != SECRETS).collect());
}

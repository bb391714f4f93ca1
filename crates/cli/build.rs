//! What `tintype --version --long` says of the binary: which commit, for which machine, how it was built.

use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-env-changed=TINTYPE_COMMIT");
    println!("cargo:rerun-if-changed=build.rs");
    let told = env::var("TINTYPE_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = told.or_else(commit).unwrap_or_else(|| "unknown".to_owned());
    let of = |name: &str| env::var(name).unwrap_or_default();
    let features: Vec<&str> = [("CARGO_FEATURE_ADS", "ads"), ("CARGO_FEATURE_RENDER", "render")]
        .into_iter()
        .filter(|(variable, _)| env::var_os(variable).is_some())
        .map(|(_, name)| name)
        .collect();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    println!("cargo:rustc-env=TINTYPE_COMMIT={commit}");
    println!("cargo:rustc-env=TINTYPE_TARGET={}", of("TARGET"));
    println!("cargo:rustc-env=TINTYPE_PROFILE={}", of("PROFILE"));
    println!("cargo:rustc-env=TINTYPE_FEATURES={features}");
}

/// The commit of the sources, if they are where they were written.
fn commit() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output().ok()?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !commit.is_empty()).then_some(commit)
}

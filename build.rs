//! Passes to the program the commit, the compiler and the target of its build. Each may be unknown:
//! a source archive has no commit unless `UMBRAIL_COMMIT` names it.

use std::path::Path;
use std::process::Command;

/// Number of digits of a commit.
const COMMIT_DIGITS: usize = 10;

fn main() {
    println!("cargo::rerun-if-env-changed=UMBRAIL_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    let named = std::env::var("UMBRAIL_COMMIT").ok().filter(|commit| !commit.is_empty());
    if let Some(commit) = named.or_else(commit) {
        let digits: String = commit.chars().take(COMMIT_DIGITS).collect();
        println!("cargo::rustc-env=UMBRAIL_COMMIT={digits}");
    }
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    if printed("git", &["describe", "--exact-match", "--tags"]).is_some_and(|tag| tag == version) {
        println!("cargo::rustc-env=UMBRAIL_RELEASED=1");
    }
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    if let Some(version) = printed(&rustc, &["--version"]) {
        println!("cargo::rustc-env=UMBRAIL_RUSTC={version}");
    }
    if let Ok(target) = std::env::var("TARGET") {
        println!("cargo::rustc-env=UMBRAIL_TARGET={target}");
    }
}

/// Returns the commit of the repository of this folder. An archive of the source that lies in
/// another repository has none.
fn commit() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let log = printed("git", &["rev-parse", "--git-path", "logs/HEAD"])?;
    // Without this file every build would run the script again.
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    printed("git", &["rev-parse", "HEAD"])
}

/// Returns the first line that a program prints; `None` if it fails.
fn printed(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().next().map(str::trim).filter(|line| !line.is_empty())?;
    output.status.success().then(|| line.to_owned())
}

//! Chooses the network that is built in: that of the repository, or the file that `UMBRAIL_EVALFILE` names.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=UMBRAIL_EVALFILE");
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/networks/umbrail.nn").to_owned();
    let file =
        std::env::var("UMBRAIL_EVALFILE").ok().filter(|name| !name.is_empty()).unwrap_or(own);
    assert!(Path::new(&file).is_file(), "UMBRAIL_EVALFILE: there is no file {file}");
    println!("cargo::rerun-if-changed={file}");
    println!("cargo::rustc-env=UMBRAIL_NETWORK={file}");
}

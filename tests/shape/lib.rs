//! Checks of the shape of the source code: circles among imports, type names that are used too often, and errors
//! that are strings.
//!
//! `cargo test -p umbrail-shape` runs them without a build of the program.

#![cfg(test)]

mod circles;
mod errors;
mod names;
mod source;

use source::Library;

/// The libraries and the program: name and source folder.
fn libraries() -> Vec<Library> {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut all = vec![Library::read("umbrail", root.join("src"))];
    let folders = std::fs::read_dir(root.join("crates")).expect("crates");
    let mut names: Vec<String> = folders
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    all.extend(
        names.iter().map(|name| Library::read(name, root.join("crates").join(name).join("src"))),
    );
    all
}

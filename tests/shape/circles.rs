//! Circles over imports inside each crate. A module that is split into a parent and its children may be circular; siblings
//! and cousins may not.

use super::source::{Library, ModulePath};
use std::collections::{BTreeMap, BTreeSet};

/// Groups of modules that import each other, directly or not.
fn circles(library: &Library) -> Vec<Vec<String>> {
    let is_above = |a: &ModulePath, b: &ModulePath| b.len() > a.len() && b.starts_with(a);
    let mut edges: BTreeMap<&ModulePath, BTreeSet<ModulePath>> = BTreeMap::new();
    for (path, module) in &library.modules {
        let mut targets = library.imports(module);
        targets.retain(|to| {
            !is_above(path, to) && !is_above(to, path) && library.modules.contains_key(to)
        });
        edges.insert(path, targets);
    }
    let reach = |from: &ModulePath| {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(next) = waiting.pop() {
            for to in edges.get(&next).into_iter().flatten() {
                if seen.insert(to.clone()) {
                    waiting.push(to.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
        library.modules.keys().map(|path| (path, reach(path))).collect();
    let mut groups: BTreeSet<Vec<String>> = BTreeSet::new();
    for (&path, seen) in &reached {
        if seen.contains(path) {
            let circle = seen.iter().filter(|other| reached[*other].contains(path));
            groups.insert(circle.map(|path| path.join("::")).collect());
        }
    }
    groups.into_iter().collect()
}

#[test]
fn no_crate_has_circles_among_its_modules() {
    let mut found = vec![];
    for library in super::libraries() {
        for circle in circles(&library) {
            found.push(format!("{}: {}", library.name, circle.join(", ")));
        }
    }
    found.iter().for_each(|circle| println!("{circle}"));
    assert!(found.is_empty(), "{} circles:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_circle_is_found_through_groups_and_re_exports() {
    let folder = std::env::temp_dir().join(format!("umbrail-circles-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("a")).unwrap();
    for (file, text) in [
        ("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::Thing;\n"),
        ("a/mod.rs", "mod part;\nuse crate::{Thing};\nuse part::Part;\n"),
        ("a/part.rs", "use super::Whole;\n"),
        ("b.rs", "use super::{c::{self, Other}};\n"),
        ("c.rs", "use crate::a::Whole; // use crate::d\n"),
    ] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let library = Library::read("example", folder.clone());
    assert_eq!(circles(&library), [vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]]);
    std::fs::remove_dir_all(folder).unwrap();
}

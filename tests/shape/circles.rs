//! Circles over imports inside each crate. A parent and its children may use each other. The children of one
//! parent, each with everything below it, may not use each other in a circle.

use super::source::{Library, ModulePath};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the groups of children of one parent that use each other, directly or not.
fn circles(library: &Library) -> Vec<Vec<String>> {
    // Edges between children of one parent, by parent.
    let mut edges: BTreeMap<ModulePath, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (from, module) in &library.modules {
        for to in library.imports(module) {
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if let (Some(user), Some(used)) = (from.get(common), to.get(common)) {
                let children = edges.entry(from[..common].to_vec()).or_default();
                children.entry(user.clone()).or_default().insert(used.clone());
            }
        }
    }
    let mut groups = BTreeSet::new();
    for (parent, edges) in &edges {
        let reach = |from: &String| {
            let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
            while let Some(next) = waiting.pop() {
                let used = edges.get(next).into_iter().flatten();
                waiting.extend(used.filter(|&to| seen.insert(to.clone())));
            }
            seen
        };
        let reached: BTreeMap<&String, BTreeSet<String>> =
            edges.keys().map(|child| (child, reach(child))).collect();
        for (&child, seen) in &reached {
            if seen.contains(child) {
                let circle = seen.iter().filter(|other| {
                    reached.get(other).is_some_and(|reached| reached.contains(child))
                });
                let names = circle.map(|name| {
                    [parent.as_slice(), std::slice::from_ref(name)].concat().join("::")
                });
                groups.insert(names.collect());
            }
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
    assert_eq!(found, [""; 0]);
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

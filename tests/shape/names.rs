//! Names: no type name stands for more than two things, and no crate shows more than it must.

use std::collections::BTreeMap;

/// The name of the type that a line defines.
fn defined(line: &str) -> Option<&str> {
    let mut words = line
        .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '(' && c != ')')
        .filter(|word| !word.is_empty());
    let mut word = words.next()?;
    while word.starts_with("pub") || word == "unsafe" || word == "(crate)" || word == "(super)" {
        word = words.next()?;
    }
    matches!(word, "struct" | "enum" | "trait" | "type").then(|| words.next())?
}

#[test]
fn no_type_name_is_defined_in_more_than_two_modules() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for library in super::libraries() {
        for (path, module) in &library.modules {
            for line in module.code.lines() {
                // Associated types of traits are indented further than items of inline modules.
                let indent = line.len() - line.trim_start().len();
                if let Some(name) = defined(line.trim_start()).filter(|_| indent == 0) {
                    places.entry(name.to_owned()).or_default().push(format!(
                        "{}::{}",
                        library.name,
                        path.join("::")
                    ));
                }
            }
        }
    }
    let often: Vec<String> = places
        .iter()
        .filter(|(_, places)| places.len() > 2)
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert!(often.is_empty(), "{} names:\n{}", often.len(), often.join("\n"));
}

#[test]
fn definitions_are_recognized() {
    assert_eq!(defined("pub(crate) struct Entry {"), Some("Entry"));
    assert_eq!(defined("pub enum Bound {"), Some("Bound"));
    assert_eq!(defined("type Pv = Vec<Move>;"), Some("Pv"));
    assert_eq!(defined("impl Entry {"), None);
    assert_eq!(defined("let structure = 3;"), None);
}

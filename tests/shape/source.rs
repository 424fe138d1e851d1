//! Source files as modules: their paths, their imports and the types they define.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A module path such as `["search", "node"]`; the crate root is empty.
pub(crate) type ModulePath = Vec<String>;

/// One module: a source file without comments, string contents and unit tests.
pub(crate) struct Module {
    pub(crate) path: ModulePath,
    pub(crate) code: String,
}

/// The modules of one crate.
pub(crate) struct Library {
    pub(crate) name: String,
    pub(crate) modules: BTreeMap<ModulePath, Module>,
}

impl Library {
    /// Reads all source files below a folder, but for files of tests.
    pub(crate) fn read(name: &str, folder: PathBuf) -> Self {
        let mut modules = BTreeMap::new();
        let mut waiting = vec![folder.clone()];
        while let Some(next) = waiting.pop() {
            for path in std::fs::read_dir(&next)
                .expect("a source folder")
                .filter_map(|e| Some(e.ok()?.path()))
            {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                if stem == "tests" || stem == "main" {
                    continue;
                }
                if path.is_dir() {
                    waiting.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    let path_of = module_path(&folder, &path);
                    let code = product_code(&std::fs::read_to_string(&path).expect("text"));
                    modules.insert(path_of.clone(), Module { path: path_of, code });
                }
            }
        }
        Self { name: name.to_owned(), modules }
    }

    /// The longest prefix of a path that is a module.
    fn module_of(&self, path: &[String]) -> ModulePath {
        (0..=path.len())
            .rev()
            .map(|end| path[..end].to_vec())
            .find(|p| self.modules.contains_key(p))
            .unwrap_or_default()
    }

    /// The modules that a module imports from, re-exports followed to where a name comes from.
    pub(crate) fn imports(&self, module: &Module) -> BTreeSet<ModulePath> {
        let mut found = BTreeSet::new();
        for path in paths(&module.code, &module.path) {
            let target = self.resolve(&path, 0);
            if target != module.path {
                found.insert(target);
            }
        }
        found
    }

    fn resolve(&self, path: &[String], depth: usize) -> ModulePath {
        let target = self.module_of(path);
        let Some(name) = path.get(target.len()) else { return target };
        if depth < 8
            && let Some(module) = self.modules.get(&target)
        {
            for exported in exports(&module.code, &module.path) {
                if exported.last() == Some(name) && exported[..] != path[..=target.len()] {
                    return self.resolve(&exported, depth + 1);
                }
            }
        }
        target
    }
}

fn module_path(folder: &Path, file: &Path) -> ModulePath {
    let relative = file.strip_prefix(folder).expect("below the folder").with_extension("");
    let mut path: ModulePath =
        relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if matches!(path.last().map(String::as_str), Some("mod" | "lib")) {
        path.pop();
    }
    path
}

/// The code without comments, without the contents of strings, and without the unit tests at its end.
fn product_code(text: &str) -> String {
    let mut lines = vec![];
    for line in text.lines() {
        if line.starts_with("mod tests {") {
            break;
        }
        let line = line.split("//").next().unwrap_or("");
        lines.push(line.split('"').step_by(2).collect::<Vec<_>>().join("\"\""));
    }
    lines.join("\n")
}

/// All paths of `use` statements, groups opened, as absolute paths inside the crate; and all inline `crate::` paths.
fn paths(code: &str, module: &[String]) -> Vec<Vec<String>> {
    let mut found = vec![];
    for (at, _) in code.match_indices("use ") {
        if at > 0 && !code[..at].ends_with(['\n', ' ', ')']) {
            continue;
        }
        let Some(statement) = code[at + 4..].split(';').next() else { continue };
        found.extend(absolute(statement, module));
    }
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at..];
        let end =
            rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(rest.len());
        found.extend(absolute(rest[..end].trim_end_matches(':'), module));
    }
    found
}

/// The paths that a module re-exports.
fn exports(code: &str, module: &[String]) -> Vec<Vec<String>> {
    let mut found = vec![];
    for line_start in ["pub use ", "pub(crate) use ", "pub(super) use "] {
        for (at, _) in code.match_indices(line_start) {
            let Some(statement) = code[at + line_start.len()..].split(';').next() else { continue };
            found.extend(absolute(statement, module));
        }
    }
    found
}

/// The paths of one `use` tree inside this crate; none for paths of other crates.
fn absolute(tree: &str, module: &[String]) -> Vec<Vec<String>> {
    let tree: String = tree.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut leaves = vec![];
    open(&tree, &mut vec![], &mut leaves);
    leaves.into_iter().filter_map(|leaf| from_root(&leaf, module)).collect()
}

fn open(tree: &str, before: &mut Vec<String>, leaves: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    if let Some(inner) = tree.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        for part in top_level(inner) {
            open(part, before, leaves);
        }
        return;
    }
    match tree.split_once("::") {
        Some((first, rest)) => {
            before.push(first.trim().to_owned());
            open(rest, before, leaves);
            before.pop();
        }
        None => {
            let mut leaf = before.clone();
            let name = tree.split(" as ").next().unwrap_or("").trim();
            if name != "self" && name != "*" && !name.is_empty() {
                leaf.push(name.to_owned());
            }
            leaves.push(leaf);
        }
    }
}

/// Parts between commas outside braces.
fn top_level(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, vec![]);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

fn from_root(leaf: &[String], module: &[String]) -> Option<Vec<String>> {
    let first = leaf.first()?.as_str();
    match first {
        "crate" => Some(leaf[1..].to_vec()),
        "self" => Some([module, &leaf[1..]].concat()),
        "super" => {
            let ups = leaf.iter().take_while(|part| *part == "super").count();
            let base = module.get(..module.len().checked_sub(ups)?)?;
            Some([base, &leaf[ups..]].concat())
        }
        _ => {
            // A child module, or another crate: the caller drops what is no module.
            let child = [module, leaf].concat();
            (first.chars().next()?.is_lowercase()
                && !EXTERNAL.contains(&first)
                && !first.starts_with("umbrail"))
            .then_some(child)
        }
    }
}

/// Packages and library names that are no modules.
const EXTERNAL: &[&str] = &["std", "core", "alloc"];

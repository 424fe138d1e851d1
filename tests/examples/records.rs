//! Every subcommand with `--json`: each line is an object of a kind that docs/json.md documents, with
//! documented fields only.

use super::{IN_A_SESSION, MATCHES, MODULES, OTHERS, WITH_A_SERVER, command, common, complained};
use super::{example, folder, printed, run};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Documented fields by kind: paths of names with dots; `*` is any name and everything below it.
struct Page(BTreeMap<String, BTreeSet<String>>);

impl Page {
    fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
        let text = std::fs::read_to_string(path).expect("the page");
        let (mut kinds, mut kind) = (BTreeMap::<String, BTreeSet<String>>::new(), None);
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("### ") {
                kind = Some(name.to_owned());
                let is_new = kinds.insert(name.to_owned(), BTreeSet::new()).is_none();
                assert!(is_new, "{name} has two sections");
            } else if line.starts_with("## ") {
                kind = None;
            } else if let (Some(kind), Some(row)) = (&kind, line.strip_prefix("| `")) {
                let names = row.split(" | ").next().expect("a cell").split(", ");
                let names = names.map(|name| name.trim_matches('`').to_owned());
                kinds.get_mut(kind).expect("a section").extend(names);
            }
        }
        // The lengths that `spg min` tries are verdicts, too.
        let verdict = kinds["verdict"].clone();
        kinds.get_mut("length").expect("a section").extend(verdict);
        Self(kinds)
    }

    /// Checks the fields of an object below a path of names.
    fn check(&self, kind: &str, value: &Value, path: &str, line: &str) {
        let known = &self.0[kind];
        match value {
            Value::Array(values) => {
                values.iter().for_each(|value| self.check(kind, value, path, line))
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    let path = match path {
                        "" => name.clone(),
                        path => format!("{path}.{name}"),
                    };
                    let above = path.rsplit_once('.').map(|(above, _)| format!("{above}.*"));
                    if above.is_some_and(|above| known.contains(&above)) {
                        continue;
                    }
                    let is_container = known.iter().any(|one| one.starts_with(&format!("{path}.")));
                    assert!(
                        known.contains(&path) || is_container,
                        "docs/json.md lacks `{path}` of {kind}: {line}"
                    );
                    self.check(kind, value, &path, line);
                }
            }
            _ => {}
        }
    }

    /// Checks all lines that a subcommand has printed; returns their kinds.
    fn check_all(&self, printed: &str, what: &str) -> Vec<String> {
        let kind = |line: &str| {
            let value: Value = serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("{what}: {error}: {line}"));
            // A name that is written twice is lost in the value.
            let quotes = |text: &str| text.matches('"').count();
            assert_eq!(quotes(&value.to_string()), quotes(line), "{what}: {line}");
            let kind = value["t"].as_str().unwrap_or_else(|| panic!("{what}: no t: {line}"));
            assert!(self.0.contains_key(kind), "docs/json.md lacks {kind}: {line}");
            let mut fields = value.clone();
            fields.as_object_mut().expect("an object").remove("t");
            self.check(kind, &fields, "", line);
            kind.to_owned()
        };
        printed.lines().map(kind).collect()
    }
}

#[test]
fn every_subcommand_prints_documented_records() {
    let (page, folder) = (Page::read(), folder("json"));
    let mut examples: Vec<Vec<String>> = vec![];
    for module in MODULES {
        for verb in module.verbs {
            let subcommand = [module.domain.word(), verb.name];
            if ![IN_A_SESSION, WITH_A_SERVER].concat().contains(&subcommand.as_slice()) {
                examples.push(example(&subcommand));
            }
        }
    }
    // A protocol has its own form.
    let others = OTHERS.iter().chain(MATCHES).filter(|words| words[0] != "uci");
    examples.extend(others.map(|words| example(words)));
    let more: &[&[&str]] = &[
        &["spsa", "--list"],
        &[
            "spsa",
            "--out",
            "effects",
            "--pairs",
            "2",
            "--nodes",
            "50",
            "--screen",
            "lmr_base=77:85",
        ],
        &["datagen", "--summary"],
        &["--version"],
        &["options", "--markdown"],
        &["egt", "probe", "--fen", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "--metric", "dtz"],
        &["egt", "list", "tables"],
        &[
            "spg",
            "bounds",
            "--fen",
            "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR",
            "--moves",
            "2.5",
        ],
    ];
    examples.extend(more.iter().map(|words| words.iter().map(|word| (*word).to_owned()).collect()));
    let mut seen = BTreeSet::new();
    for mut words in examples {
        let is_match = |one: &&[&str]| words.iter().zip(*one).all(|(word, known)| word == known);
        if MATCHES.iter().any(is_match) {
            words.push("--dry-run".to_owned());
        }
        // Before `--`, which ends the options.
        let at = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.insert(at, "--json".to_owned());
        let line = words.join(" ");
        let output = run(&words, &folder);
        assert_eq!(output.status.code(), Some(0), "umbrail {line}: {}", complained(&output));
        let kinds = page.check_all(&printed(&output), &line);
        let is_silent = words.contains(&"--dry-run".to_owned());
        assert!(is_silent || !kinds.is_empty(), "umbrail {line} prints nothing");
        seen.extend(kinds);
    }
    for kind in [
        "build",
        "evaluation",
        "position",
        "license",
        "statistics",
        "verdict",
        "constant",
        "effect",
    ] {
        assert!(seen.contains(kind), "no {kind} in {seen:?}");
    }
}

#[test]
fn errors_are_records_too() {
    let page = Page::read();
    let folder = common::folder("examples", "errors");
    for words in [
        &["nosuch", "--json"][..],
        &["--json", "bench", "x"],
        &["go", "deth", "5", "--json"],
        &["egt", "stats", "KQ", "--json"],
        &["egt", "KQ.KR", "--json"],
        &["spg", "solve", "nofile", "3", "--json"],
        &["steno", "solve", "~x~?", "--json"],
        &["perft", "--json"],
        &["eval", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--json"],
        &["d", "--set", "Foo=1", "--json"],
        &["lab", "report", "--json"],
        &["wdl", "--json"],
        &["spsa", "--out", "x", "--only", "nosuch", "--json"],
        &["spsa", "--out", "x", "--screen", "lmr_base=77", "--json"],
        &["spsa", "--out", "x", "--screen", "nosuch=1:2", "--json"],
        &["spsa", "--out", "x", "--screen", "lmr_base=77:999", "--json"],
        &["spsa", "--out", "x", "--screen", "time_moves=25:20", "--json"],
        &["spsa", "--out", "x", "--clock", "8+0.08", "--json"],
    ] {
        let output = command(words, &folder).stdin(std::process::Stdio::null()).output();
        let output = output.expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let kinds = page.check_all(&printed(&output), &words.join(" "));
        assert_eq!(kinds.iter().filter(|kind| *kind == "error").count(), 1, "{words:?}: {kinds:?}");
        assert!(!complained(&output).is_empty(), "{words:?}");
    }
}

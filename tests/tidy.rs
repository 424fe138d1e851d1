//! The repository tests its own shape: floors, doors, file openings, and tables that must agree.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use umbrail::session::options::{Kind, find};
use umbrail::session::{Options, specs};

/// The packages of the workspace that the program may use directly.
const PROGRAM: &[&str] = &[
    "chess", "cluster", "control", "lab", "page", "proof", "protocol", "report", "search",
    "server", "session", "steno", "tables", "tasks", "tools", "training",
];

/// Which libraries of the workspace each library may depend on. Cargo enforces what the manifests say; this list says
/// what they may say: facts below solvers, and no solver on another.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("chess", &[]),
    ("control", &[]),
    ("cluster", &["control"]),
    ("report", &[]),
    ("tables", &["chess", "control", "report"]),
    ("proof", &["chess", "control", "report"]),
    ("steno", &["chess", "control", "report"]),
    ("search", &["chess", "control"]),
    ("training", &["chess", "control", "search"]),
    ("session", &["chess", "control", "proof", "search", "steno", "tables"]),
    (
        "tasks",
        &["chess", "cluster", "control", "proof", "report", "search", "session", "steno", "tables"],
    ),
    ("protocol", &["chess", "session"]),
    ("server", &["control", "protocol", "session", "tasks"]),
    ("lab", &["chess", "control", "report", "search", "server", "session", "tasks", "training"]),
    (
        "page",
        &[
            "chess", "control", "lab", "proof", "protocol", "report", "server", "session", "steno",
            "tables", "tasks",
        ],
    ),
    ("tools", &["chess", "control", "search", "server", "training"]),
];

/// Where each package may be used: path prefixes below `src`.
const DOORS: &[(&str, &[&str])] = &[
    ("async_nats", &["cluster"]),
    ("axum", &["page"]),
    ("arrayvec", &["chess", "search", "training", "fairy", "tables", "proof", "steno"]),
    ("batsat", &["steno/compose"]),
    ("bytemuck", &["control/huge_pages", "tables", "proof"]),
    ("clap", &["cli", "lab", "tools"]),
    ("clap_complete", &["cli/args", "cli/manual"]),
    ("clap_mangen", &["cli/manual"]),
    ("crossterm", &["cli/pages"]),
    ("csv", &["lab"]),
    ("dashmap", &["proof", "steno"]),
    ("futures_core", &["page/events", "page/proof/upload"]),
    ("futures_util", &["cluster"]),
    ("getrandom", &["page/lib.rs"]),
    ("hyper", &["page/web/connections"]),
    ("hyper_util", &["page/web/connections"]),
    ("maud", &["page"]),
    ("memmap2", &["control/huge_pages", "tables/store"]),
    ("mimalloc", &["control/memory/heap"]),
    ("nom", &["protocol", "fairy/piecedef", "tables/seed", "proof/condition", "steno/parse"]),
    ("num_bigint", &["steno"]),
    ("pgn_reader", &["page/play"]),
    ("pulldown_cmark", &["page/help"]),
    ("rayon", &["control/pool", "search", "training", "tables", "proof", "steno"]),
    (
        "serde",
        &[
            "cluster",
            "lab",
            "page",
            "protocol/json",
            "protocol/records",
            "server/stdout",
            "session/message",
            "session/record_fields",
            "session/snapshot",
            "session/task_records",
            "steno/report/html",
            "tables",
            "tasks/cluster",
            "tasks/egt/survey_units",
            "tasks/records",
            "tasks/steno/compose_units",
            "tools/records",
        ],
    ),
    (
        "serde_json",
        &[
            "cluster",
            "lab/keystats",
            "lab/runner",
            "page",
            "protocol/json",
            "server/stdout",
            "session/message",
            "session/record_fields",
            "steno/report/html",
            "tasks/cluster",
            "tasks/egt/survey_units",
            "tasks/records",
            "tasks/steno/compose_units",
        ],
    ),
    // The tables use it as an oracle in their tests.
    ("shakmaty", &["search/sources", "tables/fairy_board", "tables/syzygy"]),
    ("shakmaty_syzygy", &["search/sources", "tables/syzygy"]),
    (
        "thiserror",
        &[
            "chess", "cluster", "control", "fairy", "geometry", "lab", "page", "proof", "search",
            "server", "session", "steno", "tables", "tasks", "tools", "training",
        ],
    ),
    ("datetime", &["tasks/date"]),
    ("tokio", &["lab/interrupt", "cluster", "server", "page"]),
    (
        "tracing",
        &[
            "session", "tasks", "protocol", "server", "cli", "page", "search", "tables", "proof",
            "steno",
        ],
    ),
    ("tracing_subscriber", &["server"]),
    ("vampirc_uci", &["protocol/uci"]),
    (
        "xxhash_rust",
        &[
            "lab",
            "search/network",
            "search/sources/experience",
            "training",
            "tables/store",
            "tables/game/store",
            "tables/retrograde/paged",
            "proof/files",
            "proof/positions/count_archive",
            "proof/positions/fairy",
            "proof/units",
            "control/units",
        ],
    ),
    ("rustix", &["control/numa", "tables/disk"]),
    ("strsim", &["tables/game/variants_ini"]),
    ("zstd", &["tables/store", "tables/part_file", "tables/game/store", "tables/retrograde/paged"]),
];

/// A source file longer than this has a second noun in it.
const LINES_MAX: usize = 400;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut waiting = vec![root().join(folder)];
    let mut files = vec![];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() && !path.ends_with("target") {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The folders of sources, with the name that their files begin with here: `src/cli` is `cli`,
/// `crates/proof/src` is `proof`, and the two parts of a library that have a name of their own keep it.
fn source_folders() -> Vec<(String, String)> {
    let crates =
        LIBRARIES.iter().map(|(name, _)| (format!("crates/{name}/src"), format!("{name}/")));
    std::iter::once(("src".to_owned(), String::new())).chain(crates).collect()
}

/// All source files by their short path (see [`source_folders`]), with their code lines.
fn sources() -> Vec<(String, Vec<(usize, String)>)> {
    let mut files = vec![];
    for (folder, prefix) in source_folders() {
        for path in rust_files(&folder) {
            let name = path.strip_prefix(root().join(&folder)).expect("below the folder");
            let name = format!("{prefix}{}", name.to_string_lossy().replace('\\', "/"));
            let name = match name.split_once('/') {
                Some(("chess", rest)) if rest.starts_with("geometry/") => rest.to_owned(),
                Some(("tables", rest)) if rest.starts_with("fairy/") => rest.to_owned(),
                _ => name,
            };
            files.push((name, code(&read(&path))));
        }
    }
    files
}

/// Numbered lines without comments and without what stands in string literals.
fn code(text: &str) -> Vec<(usize, String)> {
    let bare = |line: &str| {
        let line = line.split("//").next().unwrap_or("");
        line.split('"').step_by(2).collect::<Vec<_>>().join("\"")
    };
    text.lines().enumerate().map(|(index, line)| (index + 1, bare(line))).collect()
}

/// The words directly behind each occurrence of `before`, `{a, b}` being two.
fn behind<'a>(line: &'a str, before: &str) -> Vec<&'a str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(before)
        .filter(|(at, _)| !line[..*at].ends_with(is_word))
        .flat_map(|(at, _)| {
            let rest = &line[at + before.len()..];
            match rest.strip_prefix('{') {
                Some(list) => list.split(['}', ';']).next().unwrap_or("").split(',').collect(),
                None => vec![rest],
            }
        })
        .map(|name| name.trim().split(|c| !is_word(c)).next().unwrap_or(""))
        .filter(|name| !name.is_empty())
        .collect()
}

/// The packages that a manifest depends on, as they are spelled in code.
fn dependencies(manifest: &str) -> Vec<String> {
    let text = read(manifest);
    // A crate may depend on nothing.
    let (_, rest) = text.split_once("\n[dependencies]\n").unwrap_or_default();
    let lines = rest.split("\n[").next().unwrap_or("").lines();
    let name = |line: &str| Some(line.split(['.', ' ', '=']).next()?.trim().replace('-', "_"));
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.filter_map(name).filter(|name| !name.is_empty()).collect()
}

#[test]
fn libraries_depend_on_those_below_them_only() {
    let folders = std::fs::read_dir(root().join("crates")).expect("crates");
    let mut known = 0;
    for folder in folders.filter_map(|entry| Some(entry.ok()?.file_name())) {
        let name = folder.to_string_lossy().into_owned();
        let (_, below) = LIBRARIES
            .iter()
            .find(|(library, _)| *library == name)
            .unwrap_or_else(|| panic!("crates/{name} has no place in tests/tidy.rs"));
        known += 1;
        for package in dependencies(&format!("crates/{name}/Cargo.toml")) {
            let Some(library) = package.strip_prefix("umbrail_") else { continue };
            assert!(below.contains(&library), "crates/{name} depends on {library}");
        }
    }
    assert_eq!(known, LIBRARIES.len());
    for package in dependencies("Cargo.toml") {
        let Some(library) = package.strip_prefix("umbrail_") else { continue };
        assert!(PROGRAM.contains(&library), "the program depends on {library}");
    }
}

#[test]
fn every_package_comes_in_by_its_door() {
    let manifests = LIBRARIES.iter().map(|(name, _)| format!("crates/{name}/Cargo.toml"));
    for path in manifests.chain(["Cargo.toml".to_owned()]) {
        for name in dependencies(&path) {
            let own = name.starts_with("umbrail_");
            let known = own || DOORS.iter().any(|(package, _)| *package == name);
            assert!(known, "{path}: {name} has no door in tidy.rs");
        }
    }
    let mut faults = vec![];
    for (file, lines) in sources() {
        for (package, doors) in DOORS {
            if doors.iter().any(|door| file.starts_with(door)) {
                continue;
            }
            let path = format!("{package}::");
            for (number, line) in lines.iter().filter(|(_, line)| line.contains(&path)) {
                if !behind(line, &path).is_empty() {
                    faults.push(format!("{file}:{number} uses {package}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_deduction_with_a_name_is_asked_for_it() {
    let text = read("crates/proof/src/rules.rs");
    let named = |line: &str| {
        let (name, rest) = line.trim().split_once(" = \"")?;
        (rest.ends_with("\",") && name.chars().all(char::is_alphanumeric)).then(|| name.to_owned())
    };
    let rules: Vec<String> = text.lines().filter_map(named).collect();
    assert!(rules.len() > 20, "{rules:?}");
    // Each is followed by its behavior where two pieces or two squares change at once.
    let explained = text.lines().filter(|line| line.ends_with("\";")).count();
    assert_eq!(explained, rules.len());
    let mut asked: Vec<String> = vec![];
    for (file, lines) in sources() {
        let of_tests = file.ends_with("tests.rs") || file.contains("/tests/");
        if !file.starts_with("proof/") || file.ends_with("rules.rs") || of_tests {
            continue;
        }
        let code = lines.iter().take_while(|(_, line)| line.trim() != "mod tests {");
        asked.extend(code.flat_map(|(_, line)| behind(line, "Rule::")).map(str::to_owned));
    }
    let silent: Vec<&String> = rules.iter().filter(|rule| !asked.contains(rule)).collect();
    assert!(silent.is_empty(), "nothing depends on {silent:?}");
}

#[test]
fn only_the_server_writes_to_standard_output() {
    let mut faults = vec![];
    for (file, lines) in sources() {
        if file.starts_with("server/") {
            continue;
        }
        for (number, line) in lines {
            let prints = ["print!", "println!"].iter().any(|word| {
                line.match_indices(word).any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
            });
            if prints || line.contains("stdout()") || line.contains("dbg!") {
                faults.push(format!("{file}:{number}: {}", line.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_file_opens_with_what_it_is() {
    for folder in ["src", "tests", "benches", "fuzz", "crates"] {
        for path in rust_files(folder) {
            let text = read(&path);
            let first = text.lines().find(|line| !line.starts_with("#!"));
            assert!(first.is_some_and(|line| line.starts_with("//! ")), "{}", path.display());
        }
    }
}

#[test]
fn no_source_file_has_two_nouns() {
    let folders = source_folders().into_iter().flat_map(|(folder, _)| rust_files(&folder));
    for path in folders {
        let lines = read(&path).lines().count();
        let tests =
            path.ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "tests");
        assert!(tests || lines <= LINES_MAX, "{} has {lines} lines", path.display());
    }
}

/// The paths between backticks of a document: whatever begins with a folder of the repository, and names of source files.
/// `a/{b,c}.rs` are two; capitals stand for a name that the reader chooses.
fn named_paths(text: &str) -> Vec<String> {
    const FOLDERS: [&str; 10] = [
        "crates/",
        "src/",
        "tests/",
        "docs/",
        "scripts/",
        "ini/",
        "protocol-tests/",
        "examples/",
        "fuzz/",
        "benches/",
    ];
    let is_path = |word: &str| {
        let chosen =
            word.bytes().any(|b| b.is_ascii_uppercase() || b == b'*') && !word.ends_with(".md");
        let plain = !word.contains([' ', '(', '<', '=', '…', ':']) && !word.contains("...");
        plain
            && !chosen
            && (FOLDERS.iter().any(|folder| word.starts_with(folder)) || word.ends_with(".rs"))
    };
    let spread = |word: &str| match word
        .split_once('{')
        .and_then(|(a, rest)| Some((a, rest.split_once('}')?)))
    {
        Some((head, (names, tail))) => {
            names.split(',').map(|name| format!("{head}{}{tail}", name.trim())).collect()
        }
        None => vec![word.to_owned()],
    };
    // Blocks of code have no paths of the repository that are not in the text, too.
    let prose = text.split("```").step_by(2);
    let words = prose.flat_map(|part| part.split('`').skip(1).step_by(2));
    words.flat_map(spread).filter(|word| is_path(word)).collect()
}

#[test]
fn every_path_that_a_document_names_exists() {
    let output = Command::new("git")
        .args(["ls-files", "-co", "--exclude-standard"])
        .current_dir(root())
        .output();
    // A package that was unpacked has no index.
    let Ok(output) = output else { return };
    let listed = String::from_utf8(output.stdout).expect("text");
    if listed.is_empty() {
        return;
    }
    let files: Vec<&str> = listed.lines().collect();
    let exists = |path: &str| {
        let path = path.trim_end_matches('/');
        root().join(path).exists()
            || files
                .iter()
                .any(|file| file.ends_with(path) && file[..file.len() - path.len()].ends_with('/'))
    };
    let mut documents = vec!["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md"];
    documents.extend(
        files.iter().copied().filter(|file| file.starts_with("docs/") && file.ends_with(".md")),
    );
    let mut faults = vec![];
    for document in documents {
        let absent = named_paths(&read(document)).into_iter().filter(|path| !exists(path));
        faults.extend(absent.map(|path| format!("{document} names {path}")));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_readme_of_packages_links_to_what_they_contain() {
    let text = read("packaging/README.md");
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let links: Vec<&str> = links.collect();
    assert!(links.len() > 10, "{links:?}");
    for link in links {
        let is_packed = link.starts_with("docs/") || link == "GLOSSARY.md";
        assert!(is_packed && root().join(link).exists(), "{link}");
    }
    assert!(!text.contains("target/release") && !text.contains("cargo"), "{text}");
}

#[test]
fn every_type_that_the_architecture_names_exists() {
    let text = read("ARCHITECTURE.md");
    let is_type = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.bytes().all(|b| b.is_ascii_alphanumeric())
            && word.bytes().any(|b| b.is_ascii_lowercase())
    };
    // Names of options of the program, which are no types.
    let options: Vec<&str> = specs().map(|spec| spec.name).collect();
    let code: String = sources()
        .into_iter()
        .flat_map(|(_, lines)| lines.into_iter().map(|(_, line)| line + "\n"))
        .collect();
    let words = text.split('`').skip(1).step_by(2).filter(is_type);
    let absent: Vec<&str> = words
        .filter(|word| !options.contains(word))
        .filter(|word| {
            behind(&code, "struct ")
                .iter()
                .chain(&behind(&code, "enum "))
                .chain(&behind(&code, "trait "))
                .all(|name| name != word)
        })
        .filter(|word| !code.contains(&format!("    {word},\n")))
        .collect();
    assert!(absent.is_empty(), "{absent:?}");
}

#[test]
fn experiments_are_known_only_to_the_policies() {
    let is_experiment = |word: &str| {
        let word = word.to_lowercase();
        word.split('_').any(|part| {
            part.strip_prefix("xp").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
        })
    };
    for (file, lines) in sources() {
        if !file.starts_with("search/") || file.starts_with("search/policy") {
            continue;
        }
        let product = lines.into_iter().take_while(|(_, line)| line.trim() != "mod tests {");
        for (number, line) in product {
            let found =
                line.split(|c: char| !c.is_alphanumeric() && c != '_').find(|w| is_experiment(w));
            assert!(found.is_none(), "{file}:{number} names an experiment: {}", line.trim());
        }
    }
}

fn umbrail(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_umbrail"))
        .args(arguments)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_manual_lists_the_options_as_they_are() {
    let manual = read("docs/options.md");
    let (_, rest) = manual.split_once("<!-- options:begin -->\n").expect("the beginning mark");
    let (table, _) = rest.split_once("<!-- options:end -->").expect("the end mark");
    let expected = umbrail(&["options", "--markdown"]);
    assert_eq!(table, expected, "paste the output of: umbrail options --markdown");
}

#[test]
fn the_option_file_is_the_one_that_the_program_writes() {
    let expected = umbrail(&["options", "--as-ini"]);
    assert_eq!(read("ini/umbrail.ini"), expected, "write it with: umbrail options --as-ini");
}

#[test]
fn engine_entries_name_options_that_exist_with_values_that_fit() {
    let engines: Value = serde_json::from_str(&read("engines.json")).expect("JSON");
    let engines = engines.as_array().expect("a list");
    assert!(!engines.is_empty());
    for engine in engines {
        let command = engine["command"].as_str().expect("a command");
        // Cute Chess takes the whole text for the name of a program: an entry has no arguments.
        assert_eq!(command, "./target/release/umbrail");
        assert!(matches!(engine["protocol"].as_str(), Some("uci" | "xboard")), "{engine}");
        for option in engine["options"].as_array().expect("options") {
            let name = option["name"].as_str().expect("a name");
            let spec = find(specs(), name).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(spec.name, name, "written as declared");
            let text =
                |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let mut options = Options::default();
            assert_eq!(text(&option["default"]), spec.text(&options), "{name}");
            spec.read(&mut options, Some(&text(&option["value"]))).expect(name);
            let kind = match spec.kind {
                Kind::Check { .. } | Kind::Experiment(_) => "check",
                Kind::Spin { min, max, .. } => {
                    assert_eq!((&option["min"], &option["max"]), (&min.into(), &max.into()));
                    "spin"
                }
                Kind::Constant(_) => "spin",
                Kind::Combo { .. } => "combo",
                Kind::Text { .. }
                | Kind::File { .. }
                | Kind::Folder { .. }
                | Kind::Constants
                | Kind::Shown(_) => "text",
                Kind::Button(_) => "button",
            };
            assert_eq!(option["type"], kind, "{name}");
        }
    }
}

#[test]
fn presets_of_openbench_set_options_that_exist() {
    let engine: Value = serde_json::from_str(&read("scripts/openbench.json")).expect("JSON");
    let mut options = Options::default();
    let mut set = 0;
    for presets in ["test_presets", "tune_presets", "datagen_presets"] {
        let presets = engine[presets].as_object().expect("presets");
        for words in
            presets.values().flat_map(|preset| [&preset["both_options"], &preset["dev_options"]])
        {
            for pair in
                words.as_str().unwrap_or_default().split(' ').filter(|pair| !pair.is_empty())
            {
                let (name, value) = pair.split_once('=').expect("NAME=VALUE");
                let spec = find(specs(), name).unwrap_or_else(|error| panic!("{error}"));
                spec.read(&mut options, Some(value)).expect(pair);
                set += 1;
            }
        }
    }
    assert!(set > 10);
}

#[test]
fn the_helpers_of_this_file_see_what_they_should() {
    assert_eq!(behind("use crate::{search, chess::Move};", "crate::"), ["search", "chess"]);
    assert_eq!(behind("pub use crate::search::{Line};", "crate::"), ["search"]);
    assert_eq!(behind("use mycrate::search;", "crate::"), [""; 0]);
    let lines = code("let a = \"println!\"; // println!\nprintln!();");
    assert!(!lines[0].1.contains("println!") && lines[1].1.contains("println!"));
}

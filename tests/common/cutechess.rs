//! Starts the entries of an `engines.json` as Cute Chess does since version 1.3.1 (its `EngineConfiguration` and
//! `EngineBuilder`): the command is the name of a program and nothing else, the program gets no arguments and runs in the
//! working directory of its entry, and the first line that it reads names the protocol.

use serde_json::Value;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// Keys of an entry that Cute Chess reads.
const KEYS: [&str; 14] = [
    "name",
    "command",
    "workingDirectory",
    "stderrFile",
    "protocol",
    "timeoutScaleFactor",
    "initStrings",
    "whitepov",
    "ponder",
    "restart",
    "validateClaims",
    "debug",
    "variants",
    "options",
];
/// Options with this prefix are hidden by Cute Chess, but for two.
const HIDDEN: &str = "UCI_";
const SHOWN: [&str; 2] = ["UCI_LimitStrength", "UCI_Elo"];

/// An engine that runs, as its GUI sees it.
struct Engine {
    child: Child,
    printed: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    /// Starts the command of an entry for a Cute Chess that runs in this folder.
    fn start(entry: &Value, folder: &Path) -> Self {
        let text = |key: &str| entry[key].as_str().unwrap_or_default();
        let (command, home) = (text("command").trim(), folder.join(text("workingDirectory")));
        // A command with a slash is a path from the working directory, any other is searched for.
        let program = if command.contains('/') { home.join(command) } else { command.into() };
        let child = Command::new(program)
            .current_dir(&home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child
            .unwrap_or_else(|error| panic!("Cannot execute command: {command}, {error}: {entry}"));
        let printed = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Self { child, printed }
    }

    fn write(&mut self, lines: &str) {
        let stdin = self.child.stdin.as_mut().expect("a pipe");
        stdin.write_all(lines.as_bytes()).expect("it listens");
    }

    /// All lines up to the first one with this beginning.
    fn expects(&mut self, beginning: &str) -> Vec<String> {
        let mut received = vec![];
        while let Some(Ok(line)) = self.printed.next() {
            let is_last = line.starts_with(beginning);
            received.push(line);
            if is_last {
                return received;
            }
        }
        panic!("no {beginning} after {received:?}");
    }
}

/// Plays a first move with each entry of the file in this folder, and checks that all its options and variants exist.
pub(crate) fn play_entries(folder: &Path) {
    let text = std::fs::read_to_string(folder.join("engines.json")).expect("engines.json");
    let entries: Value = serde_json::from_str(&text).expect("JSON");
    let entries = entries.as_array().expect("a list");
    assert!(!entries.is_empty());
    for entry in entries {
        for key in entry.as_object().expect("an entry").keys() {
            assert!(KEYS.contains(&key.as_str()), "Cute Chess does not read {key}");
        }
        let mut engine = Engine::start(entry, folder);
        for line in list(&entry["initStrings"]) {
            engine.write(&format!("{}\n", line.as_str().expect("a text")));
        }
        match entry["protocol"].as_str() {
            Some("uci") => speak_uci(&mut engine, entry),
            Some("xboard") => speak_xboard(&mut engine, entry),
            other => panic!("Unknown chess protocol: {other:?}"),
        }
        engine.write("quit\n");
        assert!(engine.child.wait().expect("it ends").success(), "{entry}");
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What a GUI sends for the value of an option.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn speak_uci(engine: &mut Engine, entry: &Value) {
    engine.write("uci\n");
    let offered = engine.expects("uciok");
    let offers = |name: &str| {
        let option = format!("option name {name} type ");
        offered.iter().any(|line| line.starts_with(&option))
    };
    for option in list(&entry["options"]) {
        let name = option["name"].as_str().expect("a name");
        let is_seen = !name.starts_with(HIDDEN) || SHOWN.contains(&name);
        assert!(offers(name) && is_seen, "{} doesn't have option {name}", entry["name"]);
        engine.write(&format!("setoption name {name} value {}\n", shown(&option["value"])));
    }
    for variant in list(&entry["variants"]) {
        let is_known = match variant.as_str() {
            Some("standard") => true,
            Some("fischerandom") => offers("UCI_Chess960"),
            _ => false,
        };
        assert!(is_known, "{variant}");
    }
    engine.write("ucinewgame\nposition startpos\nisready\n");
    assert_eq!(engine.expects("readyok"), ["readyok"], "no option is refused");
    engine.write("go movetime 20\n");
    engine.expects("bestmove ");
}

fn speak_xboard(engine: &mut Engine, entry: &Value) {
    engine.write("xboard\nprotover 2\n");
    let features = engine.expects("feature done=1");
    for option in list(&entry["options"]) {
        let name = option["name"].as_str().expect("a name");
        let feature = format!("feature option=\"{name} -");
        assert!(features.iter().any(|line| line.starts_with(&feature)), "no option {name}");
        engine.write(&format!("option {name}={}\n", shown(&option["value"])));
    }
    let variants =
        features.iter().find_map(|line| line.split_once("variants=\"")).expect("variants");
    for variant in list(&entry["variants"]) {
        let name = match variant.as_str() {
            Some("standard") => "normal",
            other => other.expect("a text"),
        };
        assert!(variants.1.trim_end_matches('"').split(',').any(|it| it == name), "{variant}");
    }
    engine.write("new\nforce\npost\neasy\nst 0.02\nping 1\n");
    let received = engine.expects("pong 1");
    assert!(!received.iter().any(|line| line.starts_with("Error")), "{received:?}");
    engine.write("go\n");
    engine.expects("move ");
}

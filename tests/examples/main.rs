//! Runs the examples that help and the manual pages show, as a reader would type them.

#[path = "../common/mod.rs"]
mod common;
mod records;

use common::{command, complained, printed};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use umbrail::tasks::MODULES;

/// A game for the verbs that read one; a single mark for each move describes it alone.
const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
/// A test position in the format of the suites, and of openings.
const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";\n";

/// Subcommands beside those of the domains whose examples end by themselves.
const OTHERS: &[&[&str]] = &[
    &["bench"],
    &["speedtest"],
    &["genfens"],
    &["go"],
    &["position"],
    &["perft"],
    &["eval"],
    &["d"],
    &["options"],
    &["datagen"],
    &["spsa"],
    // Learns the games that the example of `datagen` has played.
    &["train"],
    &["tune"],
    &["wdl"],
    &["lab", "suites"],
    &["lab", "status"],
    // Its input is at an end at once.
    &["uci"],
    &["version"],
    &["compiler"],
    &["license"],
    &["man"],
    &["completions"],
];
/// Matches need fastchess; their examples are run with `--dry-run`.
const MATCHES: &[&[&str]] = &[&["lab", "sprt"], &["lab", "xp-matrix"], &["lab", "gauntlet"]];
/// `egt drop` needs a table that is kept, which a session has and a single command has not.
const IN_A_SESSION: &[&[&str]] = &[&["egt", "drop"]];
/// Workers need a server and have no end; `tests/cluster` runs them.
const WITH_A_SERVER: &[&[&str]] = &[&["spg", "work"], &["worker"]];

fn run(arguments: &[String], folder: &Path) -> Output {
    let arguments: Vec<_> = arguments.iter().collect();
    command(arguments, folder).stdin(Stdio::null()).output().expect("it starts")
}

/// The words of a line that has no quotes but single ones.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![];
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// The example that the help of a subcommand shows, without the program's name.
fn example(subcommand: &[&str]) -> Vec<String> {
    let asked = subcommand.iter().chain(&["--help"]);
    let help = command(asked, Path::new(env!("CARGO_TARGET_TMPDIR"))).output().expect("it starts");
    let help = printed(&help);
    let line = help.split_once("\nExample: umbrail ");
    let line = line.unwrap_or_else(|| panic!("{subcommand:?} has no example: {help}")).1;
    // Help breaks long lines.
    let line = &line.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = words(line);
    assert_eq!(words[..subcommand.len()], *subcommand, "the example of another subcommand");
    words
}

/// Runs an example; it has to end well.
fn check(arguments: &[String], folder: &Path) {
    let output = run(arguments, folder);
    let line = arguments.join(" ");
    let fault = complained(&output);
    assert_eq!(output.status.code(), Some(0), "umbrail {line}: {fault}{}", printed(&output));
    let reported = printed(&output).trim().len() + fault.trim().len();
    let writes = ["man", "uci"].contains(&arguments[0].as_str());
    assert!(reported > 0 || writes, "umbrail {line} prints nothing");
}

/// A folder with the files that the examples name.
fn folder(name: &str) -> PathBuf {
    let folder = common::folder("examples", name);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = |from: &str, to: &str| {
        std::fs::copy(here.join(from), folder.join(to)).unwrap_or_else(|_| panic!("{from}"));
    };
    copy("examples/problems.txt", "problems.txt");
    std::fs::create_dir(folder.join("syzygy")).expect("a folder");
    for name in ["KRvK.rtbw", "KRvK.rtbz"] {
        copy(&format!("tests/golden/syzygy/{name}"), &format!("syzygy/{name}"));
    }
    std::fs::write(folder.join("game.pgn"), GAME).expect("a file");
    for name in ["suite.epd", "openings.epd"] {
        std::fs::write(folder.join(name), SUITE).expect("a file");
    }
    // A rival that is looked at and not started.
    std::fs::write(folder.join("other"), "a program").expect("a file");
    // Tables that verbs list and load.
    check(&example(&["egt", "save"]), &folder);
    // The archives of a problem and of its two halves.
    let bounds = example(&["spg", "bounds"]);
    let problem = &bounds[2..];
    let whole = ["problem.spga", "", ""];
    for [archive, key, part] in
        [whole, ["part1.spga", "--shard", "0/2"], ["part2.spga", "--shard", "1/2"]]
    {
        let mut arguments: Vec<String> = ["spg", "solve"].map(str::to_owned).to_vec();
        arguments.extend(problem.iter().cloned());
        arguments.extend(["--archive", archive].map(str::to_owned));
        arguments.extend(
            [key, part].iter().filter(|word| !word.is_empty()).map(|word| (*word).to_owned()),
        );
        let output = run(&arguments, &folder);
        assert!(folder.join(archive).is_file(), "{archive}: {}", complained(&output));
    }
    folder
}

#[test]
fn every_example_gives_its_printed_output() {
    let folder = folder("all");
    for module in MODULES {
        for verb in module.verbs {
            let subcommand = [module.domain.word(), verb.name];
            let elsewhere = [IN_A_SESSION, WITH_A_SERVER].concat();
            if !elsewhere.contains(&subcommand.as_slice()) {
                check(&example(&subcommand), &folder);
            }
        }
    }
    for subcommand in OTHERS {
        check(&example(subcommand), &folder);
    }
    assert!(folder.join("pages/umbrail.1").is_file() && folder.join("uci.log").is_file());
    for subcommand in WITH_A_SERVER {
        assert!(example(subcommand).len() > subcommand.len(), "an example without a server");
    }
    for subcommand in MATCHES {
        let mut arguments = example(subcommand);
        arguments.push("--dry-run".to_owned());
        check(&arguments, &folder);
    }
    // The report of a laboratory has nothing to draw before a match is over.
    let report = run(&example(&["lab", "report"]), &folder);
    assert!(
        complained(&report).contains("no match is in the table yet"),
        "{}",
        complained(&report)
    );
}

#[test]
fn the_example_of_the_local_page_prints_its_address() {
    let folder = common::folder("examples", "serve");
    let mut child = command(example(&["serve"]), &folder).spawn().expect("it starts");
    let mut line = String::new();
    let out = child.stdout.take().expect("a pipe");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line).expect("a line");
    child.kill().expect("it runs until it is stopped");
    child.wait().expect("it has ended");
    assert!(line.starts_with("http://127.0.0.1:") && line.ends_with("/\n"), "{line}");
}

#[test]
fn examples_that_need_a_session_work_there() {
    let folder = common::folder("examples", "session");
    for subcommand in IN_A_SESSION {
        let line = example(subcommand).join(" ");
        let build = example(&["egt", "build"])[..3].join(" ");
        let mut child = command(Vec::<String>::new(), &folder).spawn().expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut input, format!("{build}\n{line}\n").as_bytes())
            .expect("said");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
        assert!(!printed(&output).contains("error"), "{line}: {}", printed(&output));
    }
    // A game under XBoard begins with the table of the endgame.
    let mut child = command(example(&["xboard"]), &folder).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let lines = "xboard\nprotover 2\nsetboard 8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1\ngo\n";
    std::io::Write::write_all(&mut input, lines.as_bytes()).expect("said");
    drop(input);
    let output = printed(&child.wait_with_output().expect("it ends"));
    assert!(output.lines().any(|line| line.starts_with("move ")), "{output}");
}

//! Runs over a message queue: the program with a server of its own on the loopback interface. Where `nats-server` is
//! not installed, each test says that it was skipped.

#[path = "../common/mod.rs"]
mod common;
mod lists;
mod nats;
mod trust;

use common::{command, folder, printed};
use nats::Nats;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

fn start(arguments: &[&str], folder: &Path) -> Child {
    command(arguments, folder).spawn().expect("the program starts")
}

/// The end record and the games of a run, and everything that it wrote.
fn solved(child: Child) -> (Value, BTreeSet<String>, String) {
    let output = child.wait_with_output().expect("an end");
    let text = printed(&output);
    let records: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let games = records
        .iter()
        .filter(|record| record["t"] == "solution")
        .map(|record| record["uci"].to_string());
    let games = games.collect();
    let end = records.iter().rfind(|record| record["t"] == "end").cloned().unwrap_or(Value::Null);
    (end, games, text + &String::from_utf8_lossy(&output.stderr))
}

/// What must be the same however a problem is solved.
fn essence(end: &Value) -> [String; 3] {
    [&end["verdict"], &end["complete"], &end["counts"]["enumerated"]].map(Value::to_string)
}

/// Solves a problem with one thread and little memory.
fn solve_words<'a>(fen: &'a str, plies: &'a str) -> [&'a str; 11] {
    ["--threads", "1", "--json", "spg", "solve", "--fen", fen, "--plies", plies, "--memory", "8m"]
}

/// Problems with their half-moves: unique, cooked, without a game, with a retracted check.
fn problems() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("../../crates/proof/tests/golden/spg-problems.tsv").lines();
    let fields = |line: &'static str| {
        let fields: Vec<&str> = line.split('\t').collect();
        (fields[1], fields[2])
    };
    let all: Vec<_> = lines.filter(|line| !line.starts_with('#')).map(fields).collect();
    all.iter().step_by(all.len() / 12).copied().collect()
}

#[test]
fn several_machines_give_what_one_gives() {
    let folder = folder("cluster", "same");
    let Some(server) = Nats::start(&folder, &[]) else { return };
    let url = server.url.as_str();
    let workers: Vec<Child> = (0..2)
        .map(|_| start(&["--threads", "1", "worker", "--cluster", url, "--memory", "8m"], &folder))
        .collect();
    for (at, (fen, plies)) in problems().into_iter().enumerate() {
        let keys = solve_words(fen, plies);
        let (expected, games, _) = solved(start(&keys, &folder));
        let archive = format!("{at}.spga");
        let mut keys = keys.to_vec();
        keys.extend(["--cluster", url, "--archive", &archive, "--audit", "50%"]);
        keys.extend((at % 2 == 0).then_some("--no-work"));
        let (end, found, text) = solved(start(&keys, &folder));
        assert_eq!(essence(&end), essence(&expected), "{fen} {plies}: {text}");
        if expected["complete"] == true {
            assert_eq!(found, games, "{fen} {plies}");
        }
        let checked = solved(start(&["--json", "spg", "verify", &archive], &folder)).0;
        assert_eq!(checked["damaged"], 0, "{fen} {plies}: {checked}");
        assert_eq!(checked["verdict"], expected["verdict"], "{fen} {plies}: {checked}");
    }
    for mut worker in workers {
        worker.kill().expect("a kill");
        worker.wait().expect("an end");
    }
}

/// A cook with many claims and strategies, so that it is killed in the midst of it.
const LONG: (&str, &str) = ("rnbq1rk1/ppp3pp/5n2/8/1b6/5N2/PPPPBPPP/RNBQ1RK1", "14");

#[test]
fn killed_workers_servers_and_collectors_lose_nothing() {
    let folder = folder("cluster", "kills");
    let Some(mut server) = Nats::start(&folder, &[]) else { return };
    let url = server.url.clone();
    let (fen, plies) = LONG;
    let keys = solve_words(fen, plies);
    let (expected, ..) = solved(start(&keys, &folder));
    let worker =
        || start(&["--threads", "1", "worker", "--cluster", &url, "--memory", "8m"], &folder);
    let mut keys = keys.to_vec();
    keys.extend([
        "--cluster",
        &url,
        "--no-work",
        "--lease",
        "2",
        "--archive",
        "kills.spga",
        "--resume",
    ]);
    let mut first = worker();
    let mut collector = start(&keys, &folder);
    std::thread::sleep(Duration::from_millis(900));
    first.kill().expect("a kill");
    first.wait().expect("an end");
    server.kill_and_restart();
    collector.kill().expect("a kill");
    collector.wait().expect("an end");
    let mut second = worker();
    let (end, _, text) = solved(start(&keys, &folder));
    assert_eq!(essence(&end), essence(&expected), "{text}");
    second.kill().expect("a kill");
    second.wait().expect("an end");
}

#[test]
fn a_unit_that_panics_is_named_and_the_run_is_not_complete() {
    let folder = folder("cluster", "panic");
    let Some(server) = Nats::start(&folder, &[]) else { return };
    let (fen, plies) = LONG;
    let arguments = solve_words(fen, plies);
    let mut run = command(arguments.iter().chain(&["--cluster", &server.url]), &folder);
    let (end, _, text) =
        solved(run.env("UMBRAIL_CLUSTER_PANIC", "0").spawn().expect("the program starts"));
    assert_eq!(end["complete"], false, "{text}");
    assert!(text.contains("was given up: panicked: as a test demands at claim 0"), "{text}");
}

#[test]
fn what_cannot_work_is_refused_with_the_reason_and_without_secrets() {
    let folder = folder("cluster", "refused");
    let printed = |arguments: &[&str]| {
        let output = command(arguments, &folder).output().expect("an end");
        assert!(!output.status.success(), "{arguments:?}");
        common::printed(&output) + &common::complained(&output)
    };
    let solve = ["spg", "solve", "rnbqkbnr/pppp1ppp/8/4p3/8/N5P1/PPPPPP1P/R1BQKBNR", "1.5"];
    let with =
        |more: &[&'static str]| printed(&solve.iter().chain(more).copied().collect::<Vec<_>>());
    let reported = with(&["--cluster", "nats://club:secret@127.0.0.1:1"]);
    assert!(reported.contains("UMBRAIL_CLUSTER") && !reported.contains("secret"), "{reported}");
    assert!(with(&["--cluster", "http://x"]).contains("nats://HOST:4222"));
    assert!(
        with(&["--cluster", "nats://127.0.0.1:1"])
            .contains("cannot use the server nats://127.0.0.1:1")
    );
    assert!(
        with(&["--cluster", "nats://127.0.0.1:1", "--shard", "0/2"])
            .contains("shard cannot be combined")
    );
    assert!(with(&["--audit", "5%"]).contains("audit requires the key cluster"));
    assert!(printed(&["worker"]).contains("the key cluster"));
}

#[test]
fn a_server_with_a_password_requires_it() {
    let folder = folder("cluster", "password");
    let Some(server) = Nats::start(&folder, &["--user", "club", "--pass", "secret-word"]) else {
        return;
    };
    let (fen, plies) = problems()[0];
    let solve = ["--json", "spg", "solve", "--fen", fen, "--plies", plies, "--cluster"];
    let refused =
        command(solve.iter().chain(&[server.url.as_str()]), &folder).output().expect("an end");
    assert!(!refused.status.success());
    let mut run = command(solve.iter().chain(&["auto"]), &folder);
    run.env("UMBRAIL_CLUSTER", server.url.replace("://", "://club:secret-word@"));
    let (end, _, text) = solved(run.spawn().expect("the program starts"));
    assert_eq!(end["status"], "complete", "{text}");
    assert!(!text.contains("secret-word"), "{text}");
}

#[test]
fn the_option_cluster_is_that_of_the_key() {
    let folder = folder("cluster", "option");
    let Some(server) = Nats::start(&folder, &[]) else { return };
    use std::io::Write as _;
    let mut child = command(["uci"], &folder).spawn().expect("the program starts");
    let lines = format!(
        "setoption name Cluster value {}\nsetoption name SPG Memory value 8\n\
         spg solve plies 3 fen rnbqkbnr/pppp1ppp/8/4p3/8/N5P1/PPPPPP1P/R1BQKBNR w KQkq - 0 1\nquit\n",
        server.url
    );
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(lines.replace("quit\n", "").as_bytes())
        .expect("written");
    let output = child.wait_with_output().expect("an end");
    let text = common::printed(&output);
    assert!(text.contains("cooked"), "{text}");
}

#[test]
fn an_abandoned_run_is_closed() {
    let folder = folder("cluster", "close");
    let Some(server) = Nats::start(&folder, &[]) else { return };
    let (fen, plies) = LONG;
    let solve = ["--json", "spg", "solve", "--fen", fen, "--plies", plies, "--no-work"];
    let words: Vec<&str> = solve.into_iter().chain(["--cluster", &server.url]).collect();
    let mut collector = start(&words, &folder);
    let began = std::time::Instant::now();
    let ask = |more: &[&str]| {
        let words = ["--json", "worker", "--cluster", &server.url];
        let words: Vec<&str> = words.iter().chain(more).copied().collect();
        let output = command(&words, &folder).output().expect("an end");
        common::printed(&output) + &common::complained(&output)
    };
    let name = loop {
        let text = ask(&["--status"]);
        let records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let run = records.into_iter().find(|record| record["t"] == "run");
        if let Some(name) = run.and_then(|run| Some(run["name"].as_str()?.to_owned())) {
            break name;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{text}");
    };
    // In words, too.
    let reported = command(["worker", "--cluster", &server.url, "--status"], &folder).output();
    let reported = common::printed(&reported.expect("an end"));
    assert!(reported.contains(&format!("run {name}: ")), "{reported}");
    collector.kill().expect("a kill");
    collector.wait().expect("an end");
    let wrong = ask(&["--close", "another"]);
    assert!(wrong.contains("no run another is open") && wrong.contains(&name), "{wrong}");
    assert!(ask(&["--close", &name]).contains("is closed"));
    assert!(ask(&["--close", &name]).contains("open are: none"));
}

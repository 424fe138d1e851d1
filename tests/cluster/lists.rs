//! Surveys and composing on several machines: what one process says, whatever happens to workers and collectors.

use crate::common::{self, command, folder};
use crate::nats::Nats;
use crate::start;
use serde_json::Value;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

/// The records of a program that has ended, and everything that it wrote.
fn records(child: Child) -> (Vec<Value>, String) {
    let output = child.wait_with_output().expect("an end");
    let text = common::printed(&output) + &common::complained(&output);
    (text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(), text)
}

/// Findings, in the order in which they were reported.
fn found(records: &[Value], key: &str) -> Vec<Value> {
    records.iter().filter(|record| record.get(key).is_some()).cloned().collect()
}

fn workers(url: &str, folder: &Path, more: &[&str]) -> Vec<Child> {
    let words = ["--threads", "1", "worker", "--cluster", url];
    let words: Vec<&str> = words.iter().chain(more).copied().collect();
    (0..2).map(|_| start(&words, folder)).collect()
}

fn end(workers: Vec<Child>) {
    for mut worker in workers {
        worker.kill().expect("a kill");
        worker.wait().expect("an end");
    }
}

const SURVEY: [&str; 9] =
    ["--json", "egt", "survey", "K?.K,K??.K", "--letters", "QRX", "--metric", "dtm", "--pieces"];

#[test]
fn a_survey_of_several_machines_is_that_of_one() {
    let folder = folder("cluster", "survey");
    let Some(server) = Nats::start(&folder, &[]) else { return };
    std::fs::write(folder.join("own.ini"), "X = fmWfcF\n").expect("a file");
    let survey: Vec<&str> = SURVEY.into_iter().chain(["own.ini"]).collect();
    let (expected, _) = records(start(&survey, &folder));
    let expected = found(&expected, "full_board");
    assert_eq!(expected.len(), 9);
    // Workers have no piece file: the pieces come with the run.
    let elsewhere = folder.join("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    let workers = workers(&server.url, &elsewhere, &[]);
    let more = ["--cluster", &server.url, "--no-work", "--audit", "100%"];
    let words: Vec<&str> = survey.iter().chain(&more).copied().collect();
    let (all, text) = records(start(&words, &folder));
    assert_eq!(found(&all, "full_board"), expected, "{text}");
    let last = all.last().expect("an end");
    assert_eq!((&last["status"], &last["count"]), (&"complete".into(), &9.into()), "{text}");
    assert!(text.contains("audit: 9 of 9 units confirmed by a second worker"), "{text}");
    end(workers);
}

#[test]
fn a_survey_goes_on_when_its_collector_and_its_server_are_killed() {
    let folder = folder("cluster", "survey-kill");
    let Some(mut server) = Nats::start(&folder, &[]) else { return };
    let survey = ["--json", "egt", "survey", "K??.K", "--letters", "QRBN"];
    let expected = found(&records(start(&survey, &folder)).0, "full_board");
    let url = server.url.clone();
    let words: Vec<&str> =
        survey.into_iter().chain(["--cluster", &url, "--no-work", "--lease", "2"]).collect();
    let mut first = start(&words, &folder);
    let one = workers(&url, &folder, &[]);
    std::thread::sleep(Duration::from_millis(1500));
    first.kill().expect("a kill");
    first.wait().expect("an end");
    end(one);
    server.kill_and_restart();
    let two = workers(&url, &folder, &[]);
    let (all, text) = records(start(&words, &folder));
    assert_eq!(found(&all, "full_board"), expected, "{text}");
    end(two);
}

#[test]
fn an_endgame_that_no_worker_can_count_is_named() {
    let folder = folder("cluster", "survey-memory");
    let Some(server) = Nats::start(&folder, &[]) else { return };
    let workers = workers(&server.url, &folder, &["--memory", "8m"]);
    let survey = ["--json", "egt", "survey", "K?.K,KQ?.KR", "--letters", "R", "--no-work"];
    let words: Vec<&str> = survey.into_iter().chain(["--cluster", &server.url]).collect();
    let (all, text) = records(start(&words, &folder));
    let counted = found(&all, "full_board");
    let names: Vec<&Value> = counted.iter().map(|record| &record["material"]).collect();
    assert_eq!(names, ["KR.K"], "{text}");
    assert!(text.contains("KQR.KR was given up: ") && text.contains("MiB"), "{text}");
    assert_eq!(all.last().expect("an end")["status"], "error", "{text}");
    end(workers);
}

/// Three short games; the last one is the second one again.
const GAMES: &str = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
                     [Result \"*\"]\n\n1. d4 d5 2. c4 dxc4 *\n\n[Result \"*\"]\n\n1. d4 d5 2. c4 dxc4 *\n";

#[test]
fn stenos_composed_by_several_machines_are_those_of_one() {
    let folder = folder("cluster", "compose");
    let Some(server) = Nats::start(&folder, &[]) else { return };
    std::fs::write(folder.join("games.pgn"), GAMES).expect("a file");
    let compose =
        ["--json", "steno", "compose", "games.pgn", "--vocabulary", "extended", "--many-any"];
    let verdicts = |records: &[Value]| -> Vec<[Value; 4]> {
        let lines = found(records, "verdict");
        let keys = ["game", "verdict", "plies", "best"];
        lines.iter().map(|line| keys.map(|key| line[key].clone())).collect()
    };
    let (expected, text) = records(start(&compose, &folder));
    assert_eq!(verdicts(&expected).len(), 3, "{text}");
    let workers = workers(&server.url, &folder, &["--memory", "64m"]);
    for more in [&["--no-work"][..], &["--audit", "100%"]] {
        let cluster = ["--cluster", &server.url];
        let words: Vec<&str> =
            compose.into_iter().chain(cluster).chain(more.iter().copied()).collect();
        let (all, text) = records(start(&words, &folder));
        assert_eq!(verdicts(&all), verdicts(&expected), "{text}");
        for line in found(&all, "verdict").iter().filter(|line| line["verdict"] == "found") {
            let [steno, moves] = [&line["steno"], &line["moves"]];
            let moves: Vec<&str> =
                moves.as_array().expect("moves").iter().filter_map(Value::as_str).collect();
            let steno = steno.as_str().expect("a steno");
            let solve = ["--json", "steno", "solve", "--vocabulary", "extended", "--", steno];
            let (solved, text) = records(start(&solve, &folder));
            assert_eq!(solved.last().expect("an end")["count"], 1, "{steno} {moves:?}: {text}");
        }
    }
    end(workers);
}

#[test]
fn keys_of_a_cluster_without_one_are_refused() {
    let folder = folder("cluster", "list-refused");
    for words in [
        &["egt", "survey", "K?.K", "--audit", "5%"][..],
        &["steno", "compose", "--moves", "e4", "--no-work"],
    ] {
        let output = command(words, &folder).output().expect("an end");
        let text = common::printed(&output) + &common::complained(&output);
        assert!(text.contains("requires the key cluster"), "{words:?}: {text}");
    }
}

//! What a run says of its results: the share that a second worker confirmed, and nothing that a
//! forged result states.

use super::common::{self, command, folder};
use super::nats::Nats;
use super::{LONG, essence, solve_words, solved, start};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

fn workers(url: &str, folder: &Path, count: usize) -> Vec<Child> {
    let words = ["--threads", "1", "worker", "--cluster", url, "--memory", "8m"];
    (0..count).map(|_| start(&words, folder)).collect()
}

fn end(workers: Vec<Child>) {
    for mut worker in workers {
        worker.kill().expect("a kill");
        worker.wait().expect("an end");
    }
}

/// Stores a message on the server, as a program that is no worker can.
fn publish(url: &str, subject: &str, text: &str) {
    let address = url.trim_start_matches("nats://");
    let mut stream = TcpStream::connect(address).expect("a connection");
    let lines = format!(
        "CONNECT {{\"verbose\":false}}\r\nPUB {subject} {}\r\n{text}\r\nPING\r\n",
        text.len()
    );
    stream.write_all(lines.as_bytes()).expect("written");
    let mut answers = BufReader::new(stream).lines();
    assert!(answers.any(|line| line.expect("an answer") == "PONG"));
}

/// Waits for the open run of a server; returns its name.
fn run_name(url: &str, folder: &Path) -> String {
    let began = Instant::now();
    loop {
        let output = command(["--json", "worker", "--cluster", url, "--status"], folder).output();
        let text = common::printed(&output.expect("an end"));
        let mut records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let run = records.find(|record| record["t"] == "run");
        if let Some(name) = run.and_then(|run| Some(run["name"].as_str()?.to_owned())) {
            return name;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{text}");
    }
}

#[test]
fn a_full_audit_confirms_every_strategy() {
    let folder = folder("cluster", "audit");
    let Some(server) = Nats::start(&folder, &[]) else { return };
    let (fen, plies) = LONG;
    let keys = solve_words(fen, plies);
    let (expected, ..) = solved(start(&keys, &folder));
    let helpers = workers(&server.url, &folder, 2);
    let more = ["--cluster", &server.url, "--no-work", "--audit", "100%"];
    let words: Vec<&str> = keys.iter().chain(&more).copied().collect();
    let (found, _, text) = solved(start(&words, &folder));
    end(helpers);
    assert_eq!(essence(&found), essence(&expected), "{text}");
    let records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let audit = records.into_iter().find(|record| record["t"] == "audit").expect("an audit");
    assert_eq!(audit["strategies"], expected["counts"]["enumerated"], "{text}");
    assert_eq!(audit["confirmed_strategies"], audit["strategies"], "{text}");
    assert_eq!(audit["confirmed_units"], audit["units"], "{text}");
}

#[test]
fn without_a_second_worker_nothing_is_confirmed() {
    let folder = folder("cluster", "audit-alone");
    let Some(server) = Nats::start(&folder, &[]) else { return };
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/N5P1/PPPPPP1P/R1BQKBNR";
    let words = ["spg", "solve", fen, "1.5", "--cluster", &server.url, "--audit", "100%"];
    let (.., text) = solved(start(&words, &folder));
    assert!(text.contains("audit: 0 of "), "{text}");
    assert!(text.contains(" units confirmed by a second worker"), "{text}");
}

#[test]
fn a_forged_result_decides_nothing() {
    let folder = folder("cluster", "forged");
    let Some(server) = Nats::start(&folder, &[]) else { return };
    let (fen, plies) = LONG;
    let keys = solve_words(fen, plies);
    let (expected, ..) = solved(start(&keys, &folder));
    let words: Vec<&str> =
        keys.iter().chain(&["--cluster", &server.url, "--no-work"]).copied().collect();
    let collector = start(&words, &folder);
    let run = run_name(&server.url, &folder);
    let id = |unit: &str| {
        let digest = xxhash_rust::xxh3::xxh3_128(format!("{run}\n{unit}").as_bytes());
        format!("umbrail.result.{run}.{digest:032x}")
    };
    // A tree without claims, and without games.
    let unit = "seek 0 -@0:0000000000000000";
    let forged = format!("unit {unit}\nspent 0\ntree 0 0000000000000000\nend\n");
    publish(&server.url, &id(unit), &forged);
    publish(&server.url, &id("nothing"), "garbage");
    publish(&server.url, &id("claims 0 -@0:0000000000000000 0 32"), &"\u{1b}[31m".repeat(1000));
    let helpers = workers(&server.url, &folder, 1);
    let (found, _, text) = solved(collector);
    end(helpers);
    assert_eq!(essence(&found), essence(&expected), "{text}");
    assert_eq!(found["status"], expected["status"], "{text}");
    assert!(text.contains("workers do not name the units of a run"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

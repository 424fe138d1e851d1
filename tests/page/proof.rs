//! Proof games on the page: checked, solved, stopped, gone on with after the process was killed.

use crate::page::Page;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

const DIAGRAM: &str = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";

fn started(page: &Page, form: &[(&str, &str)]) -> String {
    let reply = page.post("/proof", form);
    assert_eq!(reply.status, 303, "{reply:?}");
    let place = reply.header("location").expect("a place");
    place.strip_prefix("/proof/").expect("a run").to_owned()
}

#[test]
fn a_problem_is_checked_while_it_is_edited() {
    let page = Page::serve("check", &[]);
    let ask =
        |fen: &str, moves: &str| page.json(&format!("/api/proof/check?fen={fen}&moves={moves}"));
    let seen = ask(DIAGRAM, "2.5");
    assert_eq!(seen["pieces"], serde_json::json!([16, 15]));
    let reported = seen["reported"].to_string();
    assert!(
        reported.contains("White has no move to spare") && reported.contains("1 strategy"),
        "{seen}"
    );
    let seen = ask("rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNK", "2.5");
    assert_eq!(seen["reasons"][0], "White has 2 kings, expected one");
    let seen = ask("rnbqkb1r/ppBpppp", "2.5");
    assert!(seen["fault"].as_str().is_some_and(|fault| fault.contains("rank")), "{seen}");
    assert!(ask(DIAGRAM, "x")["fault"].as_str().is_some_and(|fault| fault.contains("23.0")));
}

#[test]
fn a_run_is_solved_and_its_files_are_offered() {
    let page = Page::serve("solve", &[]);
    let id = started(&page, &[("fen", DIAGRAM), ("moves", "2.5")]);
    page.wait(&id, "done");
    let text = page.get(&format!("/proof/{id}")).body;
    assert!(text.contains("C+: exactly one proof game in 2.5 moves"), "{text}");
    assert!(
        text.contains("Bxc7") && text.contains("data-boards=\"rnbqkbnr/pppppppp/8/8"),
        "{text}"
    );
    let files = [
        ("result.txt", "verdict: unique"),
        ("games.pgn", "[Event"),
        ("result.tex", "\\"),
        ("result.html", "<!DOCTYPE"),
        ("archive.spga", ""),
    ];
    for (name, part) in files {
        let link = format!("/runs/{id}/files/{name}");
        assert!(text.contains(&link), "{link}");
        let reply = page.get(&link);
        assert!(reply.status == 200 && reply.body.contains(part), "{name}: {reply:?}");
        assert!(
            reply
                .header("content-disposition")
                .is_some_and(|printed| printed.starts_with("attachment"))
        );
    }
    assert_eq!(page.get(&format!("/runs/{id}/files/request.json")).status, 404);
    // The first page has it, until it is removed.
    let list = page.get("/").body;
    for part in
        [&format!("/proof/{id}"), "aria-label=\"White Ke1 Qd1", "<time datetime=\"20", "Remove"]
    {
        assert!(list.contains(part), "{part}: {list}");
    }
    assert_eq!(page.post(&format!("/runs/{id}/remove"), &[]).status, 303);
    assert_eq!(page.get(&format!("/proof/{id}")).status, 404);
    // Its number is not given again: an old address does not show another problem.
    assert_eq!(id, "proof-1");
    assert_eq!(started(&page, &[("fen", DIAGRAM), ("moves", "2.5")]), "proof-2");
}

#[test]
fn a_problem_with_a_condition_is_checked_and_solved() {
    let page = Page::serve("fairy", &[]);
    let diagram = "rnbqkbnr/p1ppppp1/1p6/8/7P/8/PPPPPP1P/RNBQKBNR";
    let form = [("fen", diagram), ("moves", "2"), ("rules", "Take&MakeChess")];
    let edit = page.get(&format!("/proof?fen={diagram}&moves=2&pieces=G=grasshopper")).body;
    for part in ["data-piece=\"g\"", "white grasshopper", "data-add=\"Circe RexInclusive\""] {
        assert!(edit.contains(part), "{part}: {edit}");
    }
    let ask =
        |rules: &str| page.json(&format!("/api/proof/check?fen={diagram}&moves=2&rules={rules}"));
    let fault = ask("Cirkus")["fault"].clone();
    assert!(fault.as_str().is_some_and(|text| text.contains("Cirkus")), "{fault}");
    let refused = page.post("/proof", &[("fen", diagram), ("moves", "2"), ("rules", "Cirkus")]);
    assert_eq!(refused.status, 422);
    let id = started(&page, &form);
    page.wait(&id, "done");
    let text = page.get(&format!("/proof/{id}")).body;
    for part in [
        "Proof game in 2 moves, Take&amp;MakeChess",
        "g4*h5-h4",
        // The board after the last move, and the squares that it changed.
        "rnbqkbnr/p1ppppp1/1p6/8/7P/8/PPPPPP1P/RNBQKBNR\"",
        "data-moves=\"g2g4,",
        "positions searched",
        "rules=Take%26MakeChess",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("strategies enumerated"), "{text}");
}

#[test]
fn the_moves_that_differ_in_a_cook_are_marked() {
    let page = Page::serve("cook", &[]);
    // White's knights come out in either order.
    let id = started(
        &page,
        &[("fen", "rnbqkb1r/pppppppp/5n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R"), ("moves", "1.5")],
    );
    page.wait(&id, "done");
    let text = page.get(&format!("/proof/{id}")).body;
    assert!(text.contains("2 proof games") && text.contains("class=\"differs\""), "{text}");
    assert!(text.contains("in several ways"), "{text}");
}

#[test]
fn a_shorter_game_is_named_before_the_verdict() {
    let page = Page::serve("shorter", &[]);
    let id = started(&page, &[("fen", DIAGRAM), ("moves", "3.5")]);
    page.wait(&id, "done");
    let reported = "game of 2.5 moves exists, so 3.5 is not the shortest length";
    let links = ["result.txt", "games.pgn", "result.tex", "result.html"];
    let files = links.map(|name| format!("/runs/{id}/files/{name}"));
    for address in files.into_iter().chain([format!("/proof/{id}"), "/".to_owned()]) {
        let text = page.get(&address).body;
        assert!(text.contains(reported) && !text.contains("C+:"), "{address}: {text}");
    }
    // A sheet names the twin that it cannot read, and solves the others.
    let text = format!("Title: <One>\n{DIAGRAM} 5\nb) Qd8->e8\n\n{DIAGRAM} 7\n");
    let reply = page.post("/proof/sheet", &[("text", &text)]);
    let place = reply.header("location").unwrap_or_else(|| panic!("{reply:?}")).to_owned();
    page.wait(place.rsplit('/').next().expect("a name"), "done");
    let text = page.get(&place).body;
    for part in ["2 of 3 problems have a verdict", "b) &lt;One&gt;", "e8 is occupied", reported] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.matches("C+:").count(), 1, "{text}");
}

#[test]
fn a_sheet_becomes_a_table_of_verdicts() {
    let page = Page::serve("sheet", &[]);
    let text = format!("Title: <One>\n{DIAGRAM} 5\n\nrnbqkb1r/ppp 4\n\n{DIAGRAM} 3\n");
    let reply = page.post("/proof/sheet", &[("text", &text)]);
    let place = reply.header("location").unwrap_or_else(|| panic!("{reply:?}")).to_owned();
    page.wait(place.rsplit('/').next().expect("a name"), "done");
    let text = page.get(&place).body;
    let parts = [
        "2 of 3 problems have a verdict",
        "&lt;One&gt;",
        "C+: exactly one proof game in 2.5 moves",
        "FEN must have 8 ranks",
        "No proof game in 1.5 moves",
        "/files/result.txt",
    ];
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(page.post("/proof/sheet", &[("text", " ")]).status, 422);
    // A single problem with a condition is shown, too, on a page of its own, and edited with its condition.
    let circe = "rnbqkbnr/ppp1pppp/8/8/8/8/PPP1PPPP/RNBQKBNR 2\nCondition: Circe\n";
    let reply = page.post("/proof/sheet", &[("text", circe)]);
    let place = reply.header("location").unwrap_or_else(|| panic!("{reply:?}")).to_owned();
    page.wait(place.rsplit('/').next().expect("a name"), "done");
    let text = page.get(&place).body;
    assert!(
        text.contains("No proof game in 1.0 moves under Circe") && text.contains("Nr 1"),
        "{text}"
    );
    let text = page.get(&format!("{place}/1")).body;
    assert!(text.contains("&amp;moves=1.0&amp;rules=Circe"), "{text}");
}

#[test]
fn a_faulty_problem_gets_no_run() {
    let page = Page::serve("faulty", &[]);
    let reply = page.post("/proof", &[("fen", DIAGRAM), ("moves", "2.5"), ("conditions", "Xb1")]);
    assert_eq!(reply.status, 422);
    assert!(reply.body.contains("condition, column 1: expected a man"), "{}", reply.body);
    assert_eq!(page.post("/proof", &[("fen", DIAGRAM), ("moves", "")]).status, 422);
    assert_eq!(page.json("/api/runs").as_array().map(Vec::len), Some(0));
}

/// Stelvio's example P1013138, which has 270,000 strategies, and its length: longer than a test.
pub(crate) const LONG: (&str, &str) = ("rn1qkbnr/Ppp1p1pR/8/8/3P1P2/4BN1Q/PP5P/5NRK", "18.5");

fn archive_lines(page: &Page, id: &str) -> usize {
    let path = page.folder.join("runs").join(id).join("archive.spga");
    std::fs::read(path).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

#[test]
fn a_run_is_paused_and_goes_on() {
    let page = Page::serve("pause", &[]);
    let id = started(&page, &[("fen", LONG.0), ("moves", LONG.1)]);
    assert_eq!(page.state(&id), "at work");
    assert_eq!(page.post(&format!("/runs/{id}/remove"), &[]).status, 409);
    page.post(&format!("/runs/{id}/stop"), &[]);
    page.wait(&id, "paused");
    assert!(page.get(&format!("/proof/{id}")).body.contains("Resume"));
    assert_eq!(page.post(&format!("/runs/{id}/resume"), &[]).status, 303);
    assert_eq!(page.state(&id), "at work");
    let text = page.get(&format!("/proof/{id}")).body;
    assert!(text.contains("Before the last pause: ") && text.contains("strategies searched"));
    page.post(&format!("/runs/{id}/stop"), &[]);
    page.wait(&id, "paused");
}

#[test]
fn a_killed_run_goes_on_where_its_archive_ends() {
    let mut page = Page::serve("kill", &[]);
    let id = started(&page, &[("fen", LONG.0), ("moves", LONG.1)]);
    let since = Instant::now();
    while archive_lines(&page, &id) < 3 {
        assert!(since.elapsed() < Duration::from_secs(60), "no claim is finished");
        std::thread::sleep(Duration::from_millis(20));
    }
    // As kill -9 does: nothing is written any more.
    page.child.kill().expect("it is killed");
    page.child.wait().expect("it has ended");
    let kept = archive_lines(&page, &id);
    let again = Page::serve_in(&page.folder, &[]);
    assert_eq!(again.state(&id), "interrupted");
    assert!(again.get("/").body.contains(&id));
    again.post(&format!("/runs/{id}/resume"), &[]);
    assert_eq!(again.state(&id), "at work");
    let since = Instant::now();
    while archive_lines(&again, &id) <= kept {
        assert!(since.elapsed() < Duration::from_secs(60), "it does not continue");
        std::thread::sleep(Duration::from_millis(20));
    }
    let log = std::fs::read_to_string(again.folder.join("runs").join(&id).join("log"));
    assert!(log.expect("a log").contains("\"t\":\"resumed\""));
    // One writer: another process sees that it is at work, and does not begin.
    let other = Page::serve_in(&page.folder, &[]);
    assert_eq!(other.state(&id), "at work");
    assert!(other.get(&format!("/api/events/{id}")).body.contains("event: elsewhere"));
    again.post(&format!("/runs/{id}/stop"), &[]);
    again.wait(&id, "paused");
}

#[test]
fn a_search_of_positions_continues_after_a_pause() {
    let page = Page::serve("positions-pause", &[]);
    // A massacre, for which the program chooses the search of positions.
    let id = started(&page, &[("fen", "5k2/8/8/6B1/8/8/8/5K2"), ("moves", "16.5")]);
    let kept = page.folder.join("runs").join(&id).join("archive.spga.positions");
    let since = Instant::now();
    while !kept.exists() {
        assert!(since.elapsed() < Duration::from_secs(60), "nothing is saved");
        std::thread::sleep(Duration::from_millis(20));
    }
    page.post(&format!("/runs/{id}/stop"), &[]);
    page.wait(&id, "paused");
    page.post(&format!("/runs/{id}/resume"), &[]);
    let text = page.get(&format!("/proof/{id}")).body;
    let figures = text.split("Before the last pause: ").nth(1).expect("earlier figures");
    let figures = figures.split(". The figures").next().unwrap_or_default();
    assert!(
        figures.ends_with("positions searched") && !figures.contains("strategies"),
        "{figures}"
    );
    let log = page.folder.join("runs").join(&id).join("log");
    let log = || std::fs::read_to_string(&log).expect("a log");
    let since = Instant::now();
    while !log().contains("\"t\":\"resumed\"") {
        assert!(since.elapsed() < Duration::from_secs(60), "{}", log());
        std::thread::sleep(Duration::from_millis(20));
    }
    page.post(&format!("/runs/{id}/stop"), &[]);
    page.wait(&id, "paused");
    let log = log();
    let resumed = log.lines().find(|line| line.contains("\"t\":\"resumed\"")).expect(&log);
    assert!(!resumed.contains("\"numbers\":0,"), "{resumed}");
    assert!(page.get(&format!("/proof/{id}")).body.contains("Archive of positions"));
}

#[test]
fn progress_comes_as_events_four_times_a_second_at_most() {
    let page = Page::serve("events", &[]);
    let id = started(&page, &[("fen", LONG.0), ("moves", LONG.1)]);
    let mut stream = page.connect();
    let request = format!("GET /api/events/{id} HTTP/1.1\r\nHost: {}\r\n\r\n", page.host);
    stream.write_all(request.as_bytes()).expect("it takes requests");
    let (since, mut text, mut part) = (Instant::now(), String::new(), [0; 4096]);
    while text.matches("\"t\":\"snapshot\"").count() < 3 {
        let count = stream.read(&mut part).expect("events");
        assert!(count > 0 && since.elapsed() < Duration::from_secs(60), "{text}");
        text += &String::from_utf8_lossy(&part[..count]);
    }
    assert!(since.elapsed() >= Duration::from_millis(490), "three events need two pauses");
    assert!(text.contains("event: news") && text.contains("\"players\":["), "{text}");
    page.post(&format!("/runs/{id}/stop"), &[]);
    let mut rest = String::new();
    while !rest.contains("event: over") {
        let count = stream.read(&mut part).expect("events");
        assert!(count > 0, "{rest}");
        rest += &String::from_utf8_lossy(&part[..count]);
    }
    // A browser that comes back learns that nothing follows.
    let text = page.ask("GET", &format!("/api/events/{id}"), &["Last-Event-ID: 5"], "").body;
    assert!(text.contains("event: over"), "{text}");
}

//! Archives that are sent, and sheets that go on where they were.

use crate::page::Page;

const DIAGRAM: &str = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";

#[test]
fn an_archive_that_is_sent_becomes_a_run_that_goes_on() {
    let page = Page::serve("upload", &[]);
    let reply = page.post("/proof", &[("fen", DIAGRAM), ("moves", "2.5")]);
    let id =
        reply.header("location").expect("a place").rsplit('/').next().expect("a name").to_owned();
    page.wait(&id, "done");
    let archive = page.get(&format!("/runs/{id}/files/archive.spga")).body;
    let origin = format!("Origin: http://{}", page.host);
    let sent = page.ask("POST", "/proof/archive", &[&origin], &archive);
    assert_eq!((sent.status, sent.header("location")), (303, Some("/proof/proof-2")), "{sent:?}");
    assert_eq!(page.state("proof-2"), "interrupted");
    let text = page.get("/proof/proof-2").body;
    assert!(text.contains("Proof game in 2.5 moves") && text.contains("Resume"), "{text}");
    page.post("/runs/proof-2/resume", &[]);
    page.wait("proof-2", "done");
    let text = page.get("/proof/proof-2").body;
    // Nobody knows who made the archive.
    let expected =
        "exactly one proof game in 2.5 moves (1 claim was taken from the archive unverified";
    assert!(text.contains(expected) && !text.contains("C+:"), "{text}");
    let log = std::fs::read_to_string(page.folder.join("runs/proof-2/log")).expect("a log");
    assert!(log.contains("\"t\":\"resumed\""), "{log}");
}

#[test]
fn what_is_no_archive_is_refused_and_leaves_nothing() {
    let page = Page::serve("upload-bad", &[]);
    let origin = format!("Origin: http://{}", page.host);
    // More than other requests may have.
    let large = "x".repeat(3 << 20);
    for body in ["", "<script>alert(1)</script>\n", "umbrail archive 2\n", &large] {
        let sent = page.ask("POST", "/proof/archive", &[&origin], body);
        assert_eq!(sent.status, 422, "{sent:?}");
        assert_eq!(sent.header("content-type"), Some("text/plain; charset=utf-8"));
    }
    assert_eq!(
        page.ask("POST", "/proof/archive", &["Origin: http://evil.example"], "x").status,
        403
    );
    assert_eq!(page.ask("POST", "/proof/archive", &[], "x").status, 403);
    assert_eq!(page.json("/api/runs").as_array().map(Vec::len), Some(0));
    let left = page.folder.read_dir().expect("a folder").filter_map(Result::ok);
    let left: Vec<_> =
        left.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn an_archive_that_is_too_large_is_refused_before_it_is_there() {
    use std::io::{Read, Write};
    let page = Page::serve("upload-large", &[]);
    let mut stream = page.connect();
    let head = format!(
        "POST /proof/archive HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Length: {1}\r\n\r\n",
        page.host,
        400u64 << 20
    );
    stream.write_all(head.as_bytes()).expect("it takes requests");
    let piece = vec![b'x'; 1 << 20];
    let mut written = 0;
    while written < 300 && stream.write_all(&piece).is_ok() {
        written += 1;
    }
    let mut start = [0; 12];
    if stream.read_exact(&mut start).is_ok() {
        assert_eq!(&start[9..], b"413");
    }
    assert!(written >= 256, "{written}");
    assert_eq!(page.get("/").status, 200);
}

#[test]
fn a_sheet_goes_on_where_it_was() {
    let page = Page::serve("sheet-stop", &[]);
    let (fen, moves) = crate::proof::LONG;
    let text = format!("{DIAGRAM} 5\n\n{fen} {moves}\n");
    let reply = page.post("/proof/sheet", &[("text", &text)]);
    let id =
        reply.header("location").expect("a place").rsplit('/').next().expect("a name").to_owned();
    let archives = page.folder.join("runs").join(&id).join("archives");
    let since = std::time::Instant::now();
    while !archives.join("2.spga").exists() {
        assert!(since.elapsed().as_secs() < 60, "the second problem is not started");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    page.post(&format!("/runs/{id}/stop"), &[]);
    page.wait(&id, "paused");
    let kept = std::fs::read_to_string(archives.join("1.spga")).expect("an archive");
    assert!(kept.lines().any(|line| line.starts_with("part ")), "{kept}");
    page.post(&format!("/runs/{id}/resume"), &[]);
    let since = std::time::Instant::now();
    while !page
        .get(&format!("/sheet/{id}"))
        .body
        .contains("Exactly one proof game in 2.5 moves (1 claim was taken")
    {
        assert!(since.elapsed().as_secs() < 60, "the verdict of the first problem is gone");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // It was not begun anew: no claim was worked at again.
    let again = std::fs::read_to_string(archives.join("1.spga")).expect("an archive");
    assert_eq!(again.matches("\nclaim ").count(), kept.matches("\nclaim ").count(), "{again}");
    assert!(again.starts_with(&kept), "{again}");
    page.post(&format!("/runs/{id}/stop"), &[]);
    page.wait(&id, "paused");
}

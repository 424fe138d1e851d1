//! The laboratory on the page: matches of its folder, and one that is being played.

use crate::page::Page;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::Path;

/// Writes a folder with a match that is not finished; gives its name.
pub(crate) fn laboratory(folder: &Path) -> String {
    let name = "XP3_nodes-1000_12345678".to_owned();
    let own = folder.join(&name);
    std::fs::create_dir_all(&own).expect("a folder");
    let identity = "label XP3 <LMRCons>\nrunner x\nending decision between (0.0, 6.0)\nwords -each tc=inf nodes=1000\n";
    std::fs::write(own.join("match.txt"), identity).expect("a file");
    let mut games = String::new();
    for opening in 1..=40 {
        let points = [2, 1, 1, 0, 2][opening % 5];
        let _ = writeln!(games, "{opening} white {points} over\n{opening} black 1 over");
    }
    std::fs::write(own.join("games.txt"), games).expect("a file");
    name
}

#[test]
fn matches_are_shown_with_their_errors_and_their_course() {
    let folder = crate::common::folder("explorer", "lab");
    let lab = folder.join("results");
    let name = laboratory(&lab);
    let page = Page::serve_in(&folder, &["--lab", "results"]);
    let text = page.get("/lab").body;
    for part in
        ["XP3 &lt;LMRCons&gt;", "nodes=1000", "<circle", "<td class=\"number\">80</td>", "open"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = page.get(&format!("/lab/{name}")).body;
    for part in ["class=\"course\"", ">H1</text>", "<title>80 games:", "class=\"band\"", "0 and 6"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(page.get("/lab/..%2fresults").status, 404);
    assert_eq!(page.get("/lab/none").status, 404);
    // A match that goes on is told of.
    let mut stream = page.connect();
    let request = format!("GET /api/lab/events HTTP/1.1\r\nHost: {}\r\n\r\n", page.host);
    stream.write_all(request.as_bytes()).expect("it takes requests");
    let (mut reported, mut part) = (String::new(), [0; 1024]);
    let mut until = |word: &str, reported: &mut String| {
        while !reported.contains(word) {
            let count = stream.read(&mut part).expect("events");
            assert!(count > 0, "{reported}");
            *reported += &String::from_utf8_lossy(&part[..count]);
        }
    };
    until("event: now", &mut reported);
    let path = lab.join(&name).join("games.txt");
    let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("a file");
    file.write_all(b"41 white 2 over\n").expect("it is written");
    until("event: changed", &mut reported);
    assert!(page.get("/lab").body.contains("<td class=\"number\">81</td>"));
}

#[test]
fn an_empty_folder_and_a_broken_table_are_reported() {
    let folder = crate::common::folder("explorer", "lab-none");
    let page = Page::serve_in(&folder, &[]);
    let text = page.get("/lab").body;
    assert!(text.contains("There is no match in the folder"), "{text}");
    std::fs::create_dir_all(folder.join("lab")).expect("a folder");
    std::fs::write(folder.join("lab/lab.csv"), "xp,games\n<b>,x\n").expect("a file");
    let text = page.get("/lab").body;
    assert!(text.contains("class=\"fault\"") && text.contains("lab.csv"), "{text}");
}

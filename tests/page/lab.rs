//! The laboratory on the page: matches of its folder, and one that is being played.

use crate::page::Page;
use std::io::{Read, Write};
use std::path::Path;

/// Writes a folder with a match that is not finished; gives its name.
pub(crate) fn laboratory(folder: &Path) -> String {
    let name = "XP3_nodes-1000_12345678".to_owned();
    let own = folder.join(&name);
    std::fs::create_dir_all(&own).expect("a folder");
    let identity = "label XP3 <LMRCons>\nrunner x\nending decision between (0.0, 6.0)\nwords -each tc=inf nodes=1000\n";
    std::fs::write(own.join("match.txt"), identity).expect("a file");
    let log = [result(40, [2, 3, 10, 3, 2], 0.1), result(80, [4, 6, 18, 8, 4], 0.4)].concat();
    std::fs::write(own.join("part-1.txt"), log).expect("a file");
    name
}

/// Writes a result as fastchess prints it.
pub(crate) fn result(games: u32, pairs: [u32; 5], llr: f64) -> String {
    let (third, pairs) = (games / 4, pairs.map(|count| count.to_string()).join(", "));
    format!(
        "--------------------------------------------------\n\
         Results of DEV vs BASE (1000 nodes, 1t, 32MB, book.epd):\n\
         Elo: 8.69 +/- 50.10, nElo: 9.00 +/- 60.00\n\
         LOS: 62.60 %, DrawRatio: 32.81 %, PairsRatio: 1.07\n\
         Games: {games}, Wins: {}, Losses: {third}, Draws: {third}, Points: 41.0 (51.25 %)\n\
         Ptnml(0-2): [{pairs}], WL/DD Ratio: 0.50\n\
         LLR: {llr} (10.0%) (-2.94, 2.94) [0.00, 6.00]\n\
         --------------------------------------------------\n",
        games - 2 * third
    )
}

#[test]
fn matches_are_shown_with_their_errors_and_their_course() {
    let folder = crate::common::folder("shared", "lab");
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
    // A running match is reported.
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
    let path = lab.join(&name).join("part-1.txt");
    let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("a file");
    file.write_all(result(82, [4, 6, 18, 8, 5], 0.5).as_bytes()).expect("it is written");
    until("event: changed", &mut reported);
    assert!(page.get("/lab").body.contains("<td class=\"number\">82</td>"));
}

#[test]
fn an_empty_folder_and_a_broken_table_are_reported() {
    let folder = crate::common::folder("shared", "lab-none");
    let page = Page::serve_in(&folder, &[]);
    let text = page.get("/lab").body;
    assert!(text.contains("There is no match in the folder"), "{text}");
    std::fs::create_dir_all(folder.join("lab")).expect("a folder");
    std::fs::write(folder.join("lab/lab.csv"), "xp,games\n<b>,x\n").expect("a file");
    let text = page.get("/lab").body;
    assert!(text.contains("class=\"fault\"") && text.contains("lab.csv"), "{text}");
}

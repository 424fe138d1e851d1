//! Live analysis: lines deepen, a search ends with its connection, and games are read from PGN.

use crate::page::{Page, quoted};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// An open stream of events.
struct Stream {
    reader: BufReader<TcpStream>,
}

impl Stream {
    fn open(page: &Page, query: &str) -> Self {
        Self::of(page, &format!("/api/analysis?{query}"))
    }

    fn of(page: &Page, path: &str) -> Self {
        let mut stream = page.connect();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", page.host);
        stream.write_all(request.as_bytes()).expect("it takes requests");
        Self { reader: BufReader::new(stream) }
    }

    /// Reads to the next event: its name and record.
    fn next(&mut self) -> (String, Value) {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            assert!(self.reader.read_line(&mut line).expect("a line") > 0, "the stream ended");
            if let Some(text) = line.strip_prefix("event: ") {
                name = text.trim().to_owned();
            }
            if let Some(text) = line.strip_prefix("data: ") {
                return (name, serde_json::from_str(text).expect("JSON"));
            }
        }
    }

    fn lines(&mut self) -> Value {
        let (name, record) = self.next();
        assert_eq!(name, "lines", "{record}");
        record
    }
}

fn depth(record: &Value) -> u64 {
    record["depth"].as_u64().expect("a depth")
}

#[test]
fn lines_deepen_from_the_first_depth_at_most_eight_times_a_second() {
    let page = Page::serve("live", &[]);
    let mut stream = Stream::open(&page, "moves=e2e4,e7e5&lines=3&hash=16");
    let first = stream.lines();
    let since = Instant::now();
    let mut events = 1;
    let mut last = first.clone();
    while depth(&last) < depth(&first) + 4 {
        let next = stream.lines();
        assert!(depth(&next) >= depth(&last), "{next} after {last}");
        (last, events) = (next, events + 1);
    }
    let most = since.elapsed().as_millis() / 125 + 2;
    assert!(events <= most, "{events} events, at most {most}");
    let lines = last["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    let ranks: Vec<u64> = lines.iter().filter_map(|line| line["multipv"].as_u64()).collect();
    assert_eq!(ranks, [1, 2, 3]);
    let chances = lines[0]["wdl"].as_array().expect("chances");
    assert_eq!(chances.iter().filter_map(Value::as_u64).sum::<u64>(), 1000);
    // White is to move.
    let from = lines[0]["uci"][0].as_str().expect("a move");
    assert!(matches!(from.as_bytes()[1], b'1' | b'2' | b'4'), "{from}");
}

/// Processor time of a process, in ticks of usually 10 ms.
#[cfg(target_os = "linux")]
fn ticks(pid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("it runs");
    let fields = text.rsplit(')').next().expect("fields").split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

#[cfg(target_os = "linux")]
#[test]
fn a_search_ends_with_its_connection() {
    let page = Page::serve("live-end", &[]);
    let pid = page.child.id();
    let mut stream = Stream::open(&page, "viewer=a");
    while depth(&stream.lines()) < 6 {}
    let before = ticks(pid);
    std::thread::sleep(Duration::from_millis(500));
    assert!(ticks(pid) > before + 5, "it searches as long as the connection is open");
    drop(stream);
    std::thread::sleep(Duration::from_millis(300));
    let before = ticks(pid);
    std::thread::sleep(Duration::from_millis(700));
    let used = ticks(pid) - before;
    assert!(used <= 3, "{used} ticks after the end of the connection");
    // A new search of the same viewer ends the old one, whose stream then ends, too.
    let mut old = Stream::open(&page, "viewer=a");
    old.lines();
    let mut new = Stream::open(&page, "viewer=a&moves=d2d4");
    new.lines();
    while old.next().0 == "lines" {}
    new.lines();
}

#[test]
fn viewers_beyond_the_places_are_refused_until_one_leaves() {
    let page = Page::serve("live-places", &["--threads", "1"]);
    let mut kept: Vec<Stream> = (0..4)
        .map(|number| {
            let mut stream = Stream::open(&page, &format!("viewer=v{number}"));
            stream.lines();
            stream
        })
        .collect();
    let (name, record) = Stream::open(&page, "viewer=late").next();
    let text = record["text"].as_str().expect("a sentence");
    assert!(name == "fault" && text.contains("4 other viewers analyze already"), "{text}");
    assert_eq!(page.get("/play").status, 200);
    kept.pop();
    let since = Instant::now();
    while Stream::open(&page, "viewer=late").next().0 == "fault" {
        assert!(since.elapsed() < Duration::from_secs(10), "the place comes back");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_cannot_be_searched_is_answered_with_a_sentence() {
    let page = Page::serve("live-faults", &["--threads", "2"]);
    let bad_king = quoted("8/8/8/8/8/8/8/8 w - - 0 1");
    for (query, part) in [
        ("fen=nonsense", "FEN"),
        (&*format!("fen={bad_king}"), "king"),
        ("moves=e2e5", "e2e5 cannot be played"),
        ("lines=9", "lines must be a number from 1 to 8, got 9"),
        ("threads=3", "threads must be a number from 1 to 2, got 3"),
        ("hash=99999999", "hash must be a number from 1 to "),
        ("left=Log%20File%3Dx", "cannot be set for one side"),
        ("movetime=100&elo=1", "UCI_Elo"),
    ] {
        let (name, record) = Stream::open(&page, query).next();
        let text = record["text"].as_str().unwrap_or_default();
        assert!(name == "fault" && text.contains(part), "{query}: {name} {record}");
    }
    // After mate there is nothing to search.
    let (name, _) = Stream::open(&page, "moves=f2f3,e7e5,g2g4,d8h4").next();
    assert_eq!(name, "over");
    let seen = page.json(
        "/api/moves?fen=rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR%20w%20KQkq%20-%201%203",
    );
    assert_eq!(
        (&seen["ending"]["text"], &seen["check"]),
        (&"Checkmate. Black wins.".into(), &"e1".into())
    );
}

#[test]
fn a_search_for_a_move_ends_with_it() {
    let page = Page::serve("live-move", &[]);
    let fen = quoted("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    let mut stream = Stream::open(&page, &format!("fen={fen}&movetime=200&elo=2000"));
    loop {
        let (name, record) = stream.next();
        if name == "over" {
            assert!(record["best"].as_str().is_some_and(|best| best.len() == 4), "{record}");
            break;
        }
        assert_eq!(name, "lines");
    }
}

#[test]
fn games_are_read_from_pgn_and_from_moves() {
    let page = Page::serve("live-games", &[]);
    let post = |text: &str| -> Value {
        let reply = page.post("/api/game", &[("text", text)]);
        assert_eq!(reply.status, 200, "{reply:?}");
        serde_json::from_str(&reply.body).expect("JSON")
    };
    let game = post("[White \"A\"]\n\n1. e4 e5 (1... c5 $1 {good}) 2. Nf3 *");
    let sans: Vec<&str> = game["nodes"]
        .as_array()
        .expect("moves")
        .iter()
        .filter_map(|node| node["san"].as_str())
        .collect();
    assert_eq!(sans, ["e4", "e5", "c5", "Nf3"]);
    assert_eq!((&game["nodes"][2]["parent"], &game["nodes"][2]["nags"][0]), (&0.into(), &1.into()));
    assert_eq!(post("8/P6k/8/8/8/8/8/K7 w - - 0 1")["nodes"].as_array().map(Vec::len), Some(0));
    assert_eq!(post("good morning")["fault"], "expected a FEN, or a game in PGN");
    assert_eq!(page.post("/api/game", &[("text", &"e4 ".repeat(1 << 19))]).status, 413);
    let game = page.json("/api/game?moves=e2e4,e7e5");
    assert_eq!(game["nodes"][1]["san"], "e5");
    let game = page.json("/api/game?moves=e2e4,e2e4");
    assert!(game["fault"].as_str().is_some_and(|why| why.starts_with("e2e4 cannot be played")));
}

#[test]
fn an_address_shows_a_game_without_scripts() {
    let page = Page::serve("live-address", &[]);
    let text = page.get("/play?moves=f2f3,e7e5,g2g4,d8h4").body;
    assert!(text.contains("Checkmate. Black wins."), "{text}");
    assert!(text.contains("href=\"/play?moves=f2f3,e7e5\">e5</a>"), "{text}");
    // The side that is mated is at the bottom of the bar.
    assert!(text.contains("White’s expectation 0 %"), "{text}");
    let text = page.get(&format!("/play?fen={}", quoted("1. e4 e5"))).body;
    assert!(text.contains("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq"), "{text}");
    let text = page
        .get(&format!("/play?go=1&depth=3&fen={}", quoted("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")))
        .body;
    assert!(text.contains("Stalemate. The game is drawn."), "{text}");
}

#[test]
fn a_game_is_analyzed_from_its_end_and_no_longer_than_it_is_watched() {
    let page = Page::serve("review", &["--threads", "1"]);
    // The fool's mate: the end, and the move before it.
    let mut stream = Stream::of(&page, "/api/review?moves=f2f3,e7e5,g2g4,d8h4&movetime=50");
    let mut seen = vec![];
    loop {
        let (name, record) = stream.next();
        if name == "over" {
            break;
        }
        assert_eq!(name, "evaluation", "{record}");
        seen.push(record);
    }
    let plies: Vec<u64> = seen.iter().filter_map(|record| record["ply"].as_u64()).collect();
    assert_eq!(plies, [4, 3, 2, 1, 0]);
    assert_eq!(seen[0]["ending"]["result"], "0-1");
    assert_eq!((&seen[1]["line"]["mate"], &seen[1]["line"]["uci"][0]), (&1.into(), &"d8h4".into()));
    assert!(seen[4]["line"]["cp"].is_i64() && seen[4]["ending"].is_null(), "{}", seen[4]);
    let (name, record) = Stream::of(&page, "/api/review?moves=e2e5").next();
    assert!(name == "fault" && record["text"].as_str().is_some_and(|text| text.contains("e2e5")));
    // The viewer leaves: its place is free at once.
    for _ in 0..6 {
        let mut stream = Stream::of(&page, "/api/review?moves=e2e4,e7e5&movetime=60000");
        stream
            .reader
            .get_mut()
            .set_read_timeout(Some(Duration::from_millis(200)))
            .expect("a timeout");
        let mut line = String::new();
        assert!(stream.reader.read_line(&mut line).is_ok(), "the head of the answer");
    }
    assert_eq!(Stream::open(&page, "moves=d2d4&movetime=50").next().0, "lines");
}

#[test]
fn castling_of_chess960_is_chosen_by_the_request() {
    let page = Page::serve("chess960", &[]);
    let fen = quoted("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1");
    let castles = |rules: &str| {
        let seen = page.json(&format!("/api/moves?fen={fen}&rules={rules}"));
        seen["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .any(|mv| mv["uci"] == "f1h1" && mv["san"] == "O-O")
    };
    assert!(castles("chess960") && !castles("standard") && !castles(""));
    let game = page.json(&format!("/api/game?fen={fen}&moves=f1h1&rules=chess960"));
    assert_eq!((&game["rules"], &game["nodes"][0]["san"]), (&"chess960".into(), &"O-O".into()));
    let (name, record) = Stream::open(
        &page,
        &format!("fen={fen}&moves=f1h1,e8e7&rules=chess960&clocks=2000,2000,0"),
    )
    .next();
    assert_eq!(name, "lines", "{record}");
}

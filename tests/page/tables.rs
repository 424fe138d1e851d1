//! Endgame tables and pieces on the page.

use crate::page::{Page, quoted};

#[test]
fn a_table_is_described_in_sentences_and_its_pages_are_linked() {
    let page = Page::serve("tables", &[]);
    let text = page.get("/tables/KR.K?metric=dtm").body;
    assert!(text.contains("White to move wins 100.0 %; the longest win takes 16 moves."), "{text}");
    assert!(text.contains("Black never wins."));
    let link = text.split("href=\"").find(|part| part.starts_with("/tables/KR.K/board?"));
    let link = link.and_then(|part| part.split('"').next()).expect("a board").replace("&amp;", "&");
    let board = page.get(&link).body;
    assert!(board.contains("<span class=\"worth win\">White to move wins in 16</span>"), "{board}");
    let reply = page.get("/tables/open?endgame=KQ.KR&metric=dtc&piece=");
    assert_eq!((reply.status, reply.header("location")), (303, Some("/tables/KQ.KR?metric=dtc")));
    assert_eq!(page.get("/tables/open?endgame=../x").status, 422);
    assert_eq!(page.get("/tables/KZZ!.K").status, 422);
    assert_eq!(page.get("/tables/KQ.K.K").status, 422);
    assert_eq!(page.get("/tables/KQ.KRe%1Dx").status, 422, "found by the fuzzer");
    let bad = page.get("/tables/KR.K/board?fen=nonsense");
    assert_eq!(bad.status, 422);
    // A camel is `c`, which a FEN would take for a man of Black.
    let reply = page.get("/tables/KQ.Kc?metric=dtm");
    let place = reply.header("location").expect("a place").to_owned();
    assert_eq!(place, "/tables/KQ.KI?metric=dtm&piece=I%20%3D%20C");
    let text = page.get(&place).body;
    let won = text.split("href=\"").find(|part| part.starts_with("/tables/KQ.KI/board?"));
    let link = won.and_then(|part| part.split('"').next()).expect("a board").replace("&amp;", "&");
    assert!(page.get(&link).body.contains("wins in"), "the longest win is one on its board");
}

#[test]
fn all_longest_wins_and_zugzwangs_are_listed() {
    let page = Page::serve("positions", &[]);
    let text = page.get("/tables/KP.K/positions?metric=dtm").body;
    assert!(text.contains("longest win of white") && text.contains("zugzwang"), "{text}");
    let text = page.get("/tables/KP.K/positions?metric=dtm&of=zugzwang").body;
    assert!(!text.contains(": longest win of white"), "{text}");
    let reply = page.get("/tables/KP.K/positions.epd?metric=dtm");
    assert!(reply.body.lines().count() > 10 && reply.body.contains(" c0 \""), "{reply:?}");
    assert_eq!(page.get("/tables/..%2f..%2fx/positions.epd").status, 422);
    // By distance in moves: all longest wins take 55 plies or 56, the zugzwangs less.
    let all = reply.body.lines().count();
    let reply = page.get("/tables/KP.K/positions.epd?metric=dtm&of=zugzwang&most=15");
    let some = reply.body.lines().count();
    assert!(some > 0 && some < all, "{some} of {all}");
    for line in reply.body.lines() {
        let plies = line.rsplit(' ').nth(1).and_then(|plies| plies.parse::<u64>().ok());
        assert!(line.contains("zugzwang") && plies.is_some_and(|plies| plies <= 30), "{line}");
    }
    let text = page.get("/tables/KP.K/positions?metric=dtm&least=9999").body;
    assert!(text.contains("0 positions"), "{text}");
}

#[test]
fn the_main_line_leads_to_mate() {
    let page = Page::serve("line", &[]);
    let fen = quoted("8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    let line = page.json(&format!("/api/tables/KR.K/line?metric=dtm&fen={fen}"));
    let moves = line["moves"].as_array().expect("moves");
    assert_eq!((moves.len(), &line["is_whole"]), (31, &true.into()), "mate in 16");
    assert!(moves[0]["text"].as_str().is_some_and(|text| text.contains('–')), "{line}");
    let last = moves[30]["fen"].as_str().expect("a position");
    let text = page.get(&format!("/tables/KR.K/board?metric=dtm&fen={}", quoted(last))).body;
    assert!(text.contains("Black is checkmated"), "{last}");
    // A draw has no line, and an endgame that is none has neither.
    let fen = quoted("8/8/8/8/8/2k5/8/KB6 w - - 0 1");
    assert_eq!(
        page.json(&format!("/api/tables/KB.K/line?fen={fen}"))["moves"].as_array().map(Vec::len),
        Some(0)
    );
    assert_eq!(page.json("/api/tables/nonsense!/line")["is_whole"], false);
}

#[test]
fn the_table_answers_in_play() {
    let page = Page::serve("play", &[]);
    let fen = quoted("8/8/8/3k4/3r4/8/8/KQ6 b - - 0 1");
    // It is Black's turn, and the user plays White: the table moves.
    let reply = page.get(&format!("/tables/KQ.KR/board?metric=dtm&you=white&fen={fen}"));
    assert_eq!(reply.status, 303, "{reply:?}");
    let place = reply.header("location").expect("a place");
    assert!(
        place.contains("you=white") && place.contains("last=") && place.contains("%20w%20"),
        "{place}"
    );
    assert_eq!(page.get(place).status, 200);
}

#[test]
fn a_piece_of_ones_own_has_tables_of_its_own() {
    let page = Page::serve("piece", &[]);
    let seen = page.json(&format!("/api/piece?piece={}", quoted("X = (1,3)")));
    assert_eq!((seen["betza"].as_str(), seen["known"].as_str()), (Some("C"), Some("camel")));
    let camel = quoted("X = C");
    let text = page.get(&format!("/tables/KX.K?piece={camel}")).body;
    assert!(text.contains("White never wins."), "{text}");
    let queen = quoted("X = Q");
    let text = page.get(&format!("/tables/KX.K?piece={queen}")).body;
    assert!(text.contains("White to move wins 100.0 %"), "{text}");
    let text = page.get(&format!("/survey?pattern=KX.K%3F&letters=RN&piece={queen}")).body;
    assert_eq!(text.matches("<td class=\"heat-9\">").count(), 2, "{text}");
    let faulty = page.get(&format!("/tables?piece={}", quoted("X = i<b>"))).body;
    assert!(faulty.contains("class=\"fault\"") && !faulty.contains("<b>"), "{faulty}");
}

#[test]
fn a_table_is_built_as_a_run() {
    let page = Page::serve("build", &[]);
    let reply = page.post("/tables", &[("endgame", "KR.K"), ("metric", "dtm")]);
    let place = reply.header("location").unwrap_or_else(|| panic!("{reply:?}")).to_owned();
    page.wait(place.rsplit('/').next().expect("a name"), "done");
    assert!(page.get(&place).body.contains("href=\"/tables/KR.K?metric=dtm\""));
    assert!(page.folder.join("tables/usual").read_dir().expect("a folder").next().is_some());
    assert_eq!(page.post("/tables", &[("endgame", "<K>")]).status, 422);
}

#[test]
fn a_build_reports_its_estimate_and_is_canceled() {
    let page = Page::serve("cancel", &["--threads", "1"]);
    let reply = page.post("/tables", &[("endgame", "KQP.KQ"), ("metric", "dtm")]);
    let place = reply.header("location").unwrap_or_else(|| panic!("{reply:?}")).to_owned();
    let text = page.get(&place).body;
    let estimate = text.split("data-estimate=\"").nth(1).and_then(|rest| rest.split('"').next());
    assert!(estimate.is_some_and(|ms| ms.parse::<u64>().is_ok_and(|ms| ms > 5_000)), "{text}");
    assert!(text.contains("What the terms mean") && text.contains("ply of the present table"));
    let id = place.rsplit('/').next().expect("a name");
    let reply = page.post(&format!("/runs/{id}/cancel"), &[]);
    assert_eq!((reply.status, reply.header("location")), (303, Some("/")));
    assert_eq!(page.get(&place).status, 404);
    assert!(!page.get("/").body.contains(&place));
    // The builder stops after the ply that it is at.
    let (folder, begun) = (page.folder.join("runs").join(id), std::time::Instant::now());
    while folder.exists() {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60), "the run is not removed");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn a_long_count_is_announced_with_ways_on() {
    let page = Page::serve("announced", &["--threads", "1"]);
    let text = page.get("/tables/KQP.KQ?metric=dtm").body;
    assert!(text.contains("time of one processor") && !text.contains("to move wins"), "{text}");
    for part in ["Build it", "Count it now", "Set up a position"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = page.get("/tables/KR.K?metric=dtm").body;
    assert!(text.contains("to move wins"), "{text}");
    let reply = page.get("/tables/kq.kr");
    assert!(reply.header("location").is_some_and(|to| to.starts_with("/tables/KQ.KR?")));
}

#[test]
fn the_values_of_a_game_lead_back_to_it() {
    let page = Page::serve("values", &[]);
    let fen = quoted("8/8/8/3k4/8/8/8/KQ6 b - - 0 1");
    let start = quoted("8/8/8/3k4/8/8/8/K1Q5 w - - 0 1");
    let game = format!("&start={start}&moves=c1b1");
    let board = "/tables/KQ.K/board?metric=dtm";
    let text = page.get(&format!("{board}&fen={fen}&last=c1b1&played=black{game}")).body;
    assert!(text.contains("Back to the game") && text.contains("1. Qb1"), "{text}");
    assert!(text.contains("you=black"), "{text}");
    let promoted = quoted("4Q3/8/8/8/8/2k5/8/K7 b - - 0 1");
    let text = page.get(&format!("/tables/KP.K/board?metric=dtm&fen={promoted}&last=e7e8q")).body;
    assert!(text.contains("e7–e8=Q") && text.contains("<title>KQ.K"), "{text}");
}

#[test]
fn any_position_leads_to_its_value_or_to_the_reason_why_it_has_none() {
    let page = Page::serve("value", &[]);
    let value = |fen: &str| page.json(&format!("/api/tables/value?fen={}", quoted(fen)));
    let seen = value("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1");
    let text = seen["text"].as_str().expect("a text");
    assert!(text.starts_with("White to move wins in "), "{seen}");
    assert_eq!((seen["endgame"].as_str(), seen["class"].as_str()), (Some("KQ.KR"), Some("win")));
    let address = seen["address"].as_str().expect("an address");
    assert!(page.get(address).body.contains(text), "{address}");
    let six = value("8/8/3k4/3r4/3r4/8/8/KQQ5 w - - 0 1");
    let text = six["text"].as_str().expect("a text");
    assert!(text.starts_with("KQQ.KRR cannot be built here: it takes about "), "{six}");
    let needs = page.get(six["address"].as_str().expect("an address")).body;
    assert!(needs.contains("The option EGT Memory raises this"), "{needs}");
    let refused = page.post("/tables", &[("endgame", "KQQ.KRR"), ("metric", "dtm")]);
    assert!(refused.status == 422 && refused.body.contains("This is not possible"), "{refused:?}");
    let bare = page.get("/tables/KBB.K?metric=dtm").body;
    assert!(bare.contains("but not from everywhere") && bare.contains("you=white"), "{bare}");
    assert!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")["endgame"].is_null());
    assert!(value("nonsense")["endgame"].is_null());
    let open = |text: &str| page.get(&format!("/position?fen={}", quoted(text)));
    let reply = open("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1");
    assert!(reply.header("location").is_some_and(|to| to.starts_with("/tables/KQ.KR/board?")));
    let reply = open("[White \"A\"] 1. e4 (1. d4) e5 2. Nf3 *");
    // Tags and variations go with the game, and moves alone become a short address.
    let place = reply.header("location").expect("a place");
    assert!(place.starts_with("/play?fen=%5BWhite") && place.contains("%28"), "{place}");
    let reply = open("1. e4 e5 2. Nf3 *");
    let place = reply.header("location").expect("a place");
    assert!(place.ends_with("&rules=standard&moves=e2e4,e7e5,g1f3"), "{place}");
    assert_eq!(open("good morning").status, 422);
}

#[test]
fn memory_and_time_of_a_table_are_reported_before_the_build() {
    let page = Page::serve("needs", &[]);
    let seen = page.json("/api/tables/needs?endgame=KQP.KR&metric=dtm");
    let reported = seen["figures"].to_string();
    assert!(reported.contains("[\"pieces\",\"5\"]") && reported.contains("MiB"), "{seen}");
    assert!(seen["fits"].as_str().is_some_and(|fits| fits.contains("memory")), "{seen}");
    let seen = page.json("/api/tables/needs?endgame=K%21.K");
    assert!(seen["fault"].is_string(), "{seen}");
    let text = page.get("/tables?endgame=KQ.KR&metric=dtm").body;
    assert!(text.contains("positions of a side to move") && text.contains("data-letter=\"Q\""));
    // Nothing was built.
    assert!(!page.folder.join("tables").exists());
}

#[test]
fn a_position_is_set_up_and_the_half_move_clock_goes_on() {
    let page = Page::serve("setup", &[]);
    let fen = quoted("8/8/8/3k4/3r4/8/8/KQ6 w - - 7 1");
    let text = page.get(&format!("/tables/KQ.KR/setup?metric=dtz&fen={fen}")).body;
    assert!(text.contains("data-piece=\"r\"") && text.contains("value=\"7\""), "{text}");
    assert_eq!(page.get("/tables/K%3Cb%3E/setup").status, 422);
    let text = page.get(&format!("/tables/KQ.KR/board?metric=dtz&fen={fen}")).body;
    assert!(text.contains("pawn: <b>7</b>"), "{text}");
    // A quiet move adds one, a capture begins again.
    let links = text.split("href=\"").filter(|link| link.starts_with("/tables/KQ.KR/board?"));
    let links: Vec<&str> = links.filter(|link| link.contains("last=")).collect();
    let after =
        |name: &str| links.iter().any(|link| link.contains("last=b1b") && link.contains(name));
    assert!(after("%20-%20-%208%20"), "{links:?}");
    let fen = quoted("8/8/8/3k4/8/8/8/KQ6 w - - 99 1");
    let text = page.get(&format!("/tables/KQ.K/board?metric=dtz&fen={fen}")).body;
    assert!(text.contains("The fifty-move rule draws"), "{text}");
}

#[test]
fn any_position_leads_to_its_page() {
    let page = Page::serve("position", &[]);
    let leads = |fen: &str| {
        let reply = page.get(&format!("/position?fen={}", quoted(fen)));
        reply.header("location").map(str::to_owned).ok_or(reply)
    };
    let place = leads("8/4q3/8/3k4/8/8/8/KR6 b - - 0 1").expect("a place");
    assert!(place.starts_with("/tables/KQ.KR/board?"), "{place}");
    let text = page.get(&place).body;
    assert!(text.contains("Black to move wins in"), "{text}");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(leads(start).expect("a place").starts_with("/play?fen="));
    // An endgame, a steno, and a word that is neither.
    assert_eq!(leads("KBN.K").expect("a place"), "/tables?endgame=KBN.K");
    assert_eq!(leads("36~#").expect("a place"), "/steno?text=36~%23&vocabulary=extended");
    let word = leads("hello").expect_err("a fault");
    assert!(word.status == 422 && word.body.contains(">hello</textarea>"), "{word:?}");
    let wrong = leads("8/8/8/x").expect_err("a fault");
    assert!(wrong.status == 422 && wrong.body.contains("This cannot be opened"), "{wrong:?}");
}

#[test]
fn a_wrong_position_of_a_table_can_be_corrected() {
    let page = Page::serve("wrong-position", &[]);
    let reply =
        page.get(&format!("/tables/KQ.K/board?fen={}", quoted("8/8/8/3k4/8/8/8/KR6 w - - 0 1")));
    assert!(reply.body.contains("<h1>KR.K</h1>"), "{}", reply.body);
    let fen = quoted("8/8/8/3k4/8/8/8/3R3K w - - 0 1");
    let reply = page.get(&format!("/tables/KQ.K/board?fen={fen}"));
    assert_eq!(reply.status, 422);
    for part in ["value=\"8/8/8/3k4/8/8/8/3R3K w - - 0 1\"", "/position?fen=", "/tables/KQ.K/setup"]
    {
        assert!(reply.body.contains(part), "{part}: {}", reply.body);
    }
    let mated = quoted("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
    let text = page.get(&format!("/tables/KQ.K/board?fen={mated}")).body;
    assert!(text.contains("Black is checkmated") && !text.contains("loses in 0"), "{text}");
    let stalemated = quoted("k7/8/1Q6/8/8/8/8/K7 b - - 0 1");
    let text = page.get(&format!("/tables/KQ.K/board?fen={stalemated}")).body;
    assert!(text.contains("Black is stalemated: a draw"), "{text}");
    for (typed, place) in
        [("kq.kr", "/tables/KQ.KR?"), ("KQ-KR", "/tables/KQ.KR?"), ("KQ v KR", "/tables/KQ.KR?")]
    {
        let reply = page.get(&format!("/tables/open?endgame={}", quoted(typed)));
        assert!(reply.header("location").is_some_and(|to| to.starts_with(place)), "{reply:?}");
    }
}

#[test]
fn tables_of_several_pages_do_not_wait_for_each_other() {
    let page = Page::serve("several", &[]);
    let slow = std::thread::scope(|scope| {
        // Five men with a pawn: longer than a page waits.
        let slow = scope.spawn(|| page.get("/tables/KQP.KR?metric=dtm&now=1").body);
        std::thread::sleep(std::time::Duration::from_millis(300));
        for endgame in ["KR.K", "KQ.K", "KB.K", "KN.K", "KP.K"] {
            assert_eq!(page.get(&format!("/tables/{endgame}?metric=dtm")).status, 200);
            if slow.is_finished() {
                break;
            }
        }
        slow.join().expect("an answer")
    });
    assert!(slow.contains("longer than a page may") || slow.contains("to move wins"), "{slow}");
}

/// Hundredths of a second of processor time of a process.
#[cfg(target_os = "linux")]
fn processor_ticks(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("a process");
    let (_, fields) = text.rsplit_once(") ").expect("fields");
    let fields: Vec<&str> = fields.split(' ').collect();
    [11, 12].map(|at| fields[at].parse::<u64>().expect("a number")).into_iter().sum()
}

/// Six pages that leave would cost eight seconds of work each, and pages of other endgames would wait for them.
#[cfg(target_os = "linux")]
#[test]
fn pages_that_leave_end_their_work() {
    use std::io::Write;
    let page = Page::serve("leave", &["--threads", "1"]);
    for _ in 0..6 {
        let mut stream = page.connect();
        let request = format!("GET /tables/KQP.KQ HTTP/1.1\r\nHost: {}\r\n\r\n", page.host);
        stream.write_all(request.as_bytes()).expect("a request");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    for endgame in ["KN.K", "KP.K", "KBN.K"] {
        assert_eq!(page.get(&format!("/tables/{endgame}")).status, 200, "{endgame}");
    }
    let mut ticks = processor_ticks(page.child.id());
    loop {
        std::thread::sleep(std::time::Duration::from_millis(300));
        let now = processor_ticks(page.child.id());
        assert!(now < 2_000, "{now} hundredths of a second of work for pages that left");
        if now == ticks {
            return;
        }
        ticks = now;
    }
}

#[test]
fn a_position_of_a_large_table_is_analyzed_and_a_small_one_is_looked_up() {
    let page = Page::serve("large-table", &[]);
    let place = |fen: &str| {
        let reply = page.get(&format!("/position?fen={}", quoted(fen)));
        reply.header("location").unwrap_or_default().to_owned()
    };
    assert!(place("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1").starts_with("/tables/KQ.KR/board?"));
    // Too long for a page; too large for the usual memory.
    let large = "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1";
    for fen in ["8/8/3k4/8/3r4/8/8/KQ1R4 w - - 0 1", large] {
        assert!(place(fen).starts_with("/play?fen="), "{fen}");
    }
    let board = page.get(&format!("/tables/KRP.KR/board?metric=dtm&fen={}", quoted(large)));
    assert_eq!(board.status, 422);
    assert!(board.body.contains("Analyze it with the engine"), "{}", board.body);
    assert!(board.body.contains("class=\"board"), "the position is shown: {}", board.body);
    let choose = page.get(&format!("/tables?endgame=KRP.KR&fen={}", quoted(large))).body;
    assert!(choose.contains("Back to the position"), "{choose}");
    // Against the table the page reports captures, and a material that cannot mate.
    let dead = quoted("8/8/8/8/8/2k5/8/K1B5 w - - 0 2");
    let dead =
        page.get(&format!("/tables/KBN.K/board?metric=dtm&fen={dead}&you=white&last=b3c3&took=1"));
    assert!(dead.body.contains("b3×c3"), "{}", dead.body);
    assert!(dead.body.contains("neither side has enough pieces"), "{}", dead.body);
}

#[test]
fn memory_is_shown_and_tables_can_be_freed() {
    let page = Page::serve("memory", &[]);
    assert_eq!(page.get("/tables/KQ.K").status, 200);
    if std::path::Path::new("/proc/self/status").exists() {
        assert!(page.get("/").body.contains("MiB of memory"));
    }
    let reply = page.post("/memory", &[]);
    assert_eq!((reply.status, reply.header("location")), (303, Some("/")));
    // They are built again when a page asks for them.
    assert_eq!(page.get("/tables/KQ.K").status, 200);
}

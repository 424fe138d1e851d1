//! Endgame tables and pieces on the page.

use crate::page::{Page, quoted};

#[test]
fn a_table_is_told_in_sentences_and_its_pages_are_linked() {
    let page = Page::serve("tables", &[]);
    let text = page.get("/tables/KR.K?metric=dtm").body;
    assert!(text.contains("White to move wins 100.0 %; the longest win takes 16 moves."), "{text}");
    assert!(text.contains("Black never wins."));
    let link = text.split("href=\"").find(|part| part.starts_with("/tables/KR.K/board?"));
    let link = link.and_then(|part| part.split('"').next()).expect("a board").replace("&amp;", "&");
    let board = page.get(&link).body;
    assert!(board.contains("White to move <span class=\"worth win\">wins in 16</span>"), "{board}");
    let reply = page.get("/tables/open?endgame=KQ.KR&metric=dtc&piece=");
    assert_eq!((reply.status, reply.header("location")), (303, Some("/tables/KQ.KR?metric=dtc")));
    assert_eq!(page.get("/tables/open?endgame=../x").status, 422);
    assert_eq!(page.get("/tables/KZZ!.K").status, 422);
    assert_eq!(page.get("/tables/KQ.K.K").status, 422);
    let bad = page.get("/tables/KR.K/board?fen=nonsense");
    assert_eq!(bad.status, 422);
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

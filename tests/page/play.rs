//! Analysis and comparison on the page.

use crate::page::{Page, quoted};

#[test]
fn two_configurations_are_searched_side_by_side() {
    let page = Page::serve("analysis", &[]);
    let fen = quoted("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    let text = page.get(&format!("/play?go=1&depth=5&lines=2&fen={fen}")).body;
    assert!(text.contains("mate in 1") && text.contains("Ra8#"), "{text}");
    let text =
        page.get("/play?go=1&depth=5&left=XP3+LMRCons%3Dfalse&right=XP3+LMRCons%3Dtrue").body;
    assert!(
        text.contains("<code>XP3 LMRCons=true</code>") && text.contains("They prefer"),
        "{text}"
    );
    for (query, part) in [
        ("left=XP3+LMRCons%3Dmaybe", "XP3"),
        ("left=Log%20File%3Dx", "cannot be set for one side"),
        ("depth=99", "from 1 to 40"),
        ("fen=nonsense", "class=\"fault\""),
    ] {
        let text = page.get(&format!("/play?go=1&{query}")).body;
        assert!(text.contains("class=\"fault\"") && text.contains(part), "{query}: {text}");
    }
}

#[test]
fn a_first_game_is_against_a_player_of_a_club() {
    let page = Page::serve("level", &[]);
    let text = page.get("/play?against=white").body;
    assert_eq!(text.matches(r#"<option value="1600" selected>"#).count(), 1, "{text}");
}

#[test]
fn what_the_reader_says_is_shown_without_scripts_too() {
    let page = Page::serve("notes", &[]);
    for (text, note) in [
        ("1. e4 e5 2. Qh6", "2. Qh6 is not played: no legal move matches"),
        ("[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n", "the first of 2 games is shown"),
    ] {
        let reply = page.get(&format!("/position?fen={}", quoted(text)));
        let address = reply.header("location").expect("an address");
        let shown = page.get(address).body;
        assert!(shown.contains(note), "{text}: {shown}");
    }
    // Moves alone have an address of moves.
    let reply = page.get("/position?fen=1.%20e4%20e5");
    assert!(
        reply.header("location").is_some_and(|to| to.ends_with("&moves=e2e4,e7e5")),
        "{reply:?}"
    );
}

#[test]
fn proof_games_are_opened_with_their_length() {
    let page = Page::serve("problems", &[]);
    let diagram = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";
    for length in ["2.5", "PG in 2.5", "5"] {
        let reply = page.get(&format!("/position?fen={}", quoted(&format!("{diagram} {length}"))));
        let expected = format!("/proof?fen={diagram}&moves=2.5");
        assert_eq!(reply.header("location"), Some(expected.as_str()), "{length}");
    }
    let reply = page.get(&format!("/position?fen={}", quoted(&format!("{diagram} mate"))));
    assert_eq!(reply.status, 422);
}

#[test]
fn every_field_has_a_greatest_length() {
    let page = Page::serve("lengths", &[]);
    for path in ["/play", "/play?against=white", "/"] {
        let text = page.get(path).body;
        let fields = text.match_indices("<input").chain(text.match_indices("<textarea"));
        for (at, _) in fields {
            let field = &text[at..at + text[at..].find('>').expect("an end")];
            let is_text = !field.contains("checkbox") && !field.contains("hidden");
            assert!(!is_text || field.contains("maxlength"), "{path}: {field}");
        }
    }
}

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

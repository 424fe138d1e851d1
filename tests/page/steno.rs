//! Stenos on the page.

use crate::page::{Page, quoted};

#[test]
fn marks_are_explained_and_errors_have_their_column() {
    let page = Page::serve("steno-read", &[]);
    let read = |text: &str| {
        page.json(&format!("/api/steno/read?vocabulary=extended&text={}", quoted(text)))
    };
    let seen = read("36~#");
    assert_eq!(seen["turns"][1], serde_json::json!(["6", "a piece moves to rank 6"]), "{seen}");
    assert_eq!(seen["fault"], serde_json::Value::Null);
    let seen = read("36~?");
    assert_eq!(seen["column"], 4, "{seen}");
    let text = page.get(&format!("/steno?text={}", quoted("3<script>"))).body;
    assert!(!text.contains("<script>") || text.contains("&lt;script&gt;"), "{text}");
}

#[test]
fn a_steno_is_solved_with_its_marks() {
    let page = Page::serve("steno-solve", &[]);
    let form = [("text", "36~#"), ("vocabulary", "extended")];
    let reply = page.post("/steno", &form);
    let place = reply.header("location").unwrap_or_else(|| panic!("{reply:?}")).to_owned();
    page.wait(place.rsplit('/').next().expect("a name"), "done");
    let text = page.get(&place).body;
    assert!(text.contains("Unique: exactly one game"), "{text}");
    assert!(text.contains("Qh4#<small class=\"mono\">#</small>"), "{text}");
    assert_eq!(page.post("/steno", &[("text", "36~?"), ("vocabulary", "extended")]).status, 422);
    assert_eq!(page.post("/steno", &[("text", " "), ("vocabulary", "extended")]).status, 422);
}

#[test]
fn games_that_are_not_listed_are_counted() {
    let page = Page::serve("steno-games", &[]);
    for (games, sentence) in [
        ("", "The first 10 of 8902 games are listed."),
        ("25", "The first 25 of 8902 games are listed."),
    ] {
        let form = [("text", "~~~"), ("vocabulary", "classic"), ("games", games)];
        let reply = page.post("/steno", &form);
        let place = reply.header("location").unwrap_or_else(|| panic!("{reply:?}")).to_owned();
        page.wait(place.rsplit('/').next().expect("a name"), "done");
        let text = page.get(&place).body;
        assert!(text.contains(sentence), "{text}");
    }
    let text = page.get("/steno?vocabulary=extended").body;
    assert!(text.contains("data-mark=\"N\"") && text.contains("a knight moves"), "{text}");
}

#[test]
fn the_bench_composes_matches_and_whittles() {
    let page = Page::serve("bench", &[]);
    let ask = |act: &str, moves: &str, text: &str, vocabulary: &str| {
        let words = [("do", act), ("moves", moves), ("text", text), ("vocabulary", vocabulary)];
        let words: Vec<String> =
            words.iter().map(|(key, word)| format!("{key}={}", quoted(word))).collect();
        page.get(&format!("/steno/bench?{}", words.join("&"))).body
    };
    let fool = "f3 e6 g4 Qh4#";
    assert!(ask("marks", fool, "", "classic").contains("<td>Qh4#</td>"));
    assert!(ask("compose", fool, "", "classic").contains("<code>36g#</code>"));
    assert!(ask("match", fool, "36~#", "classic").contains("the game fits"));
    assert!(ask("match", fool, "46~#", "classic").contains("half-move 1 does not satisfy 4"));
    let whittled = ask("whittle", "", "3&~6~#", "extended");
    assert!(whittled.contains("36~#</p>") && whittled.contains("is not needed"), "{whittled}");
    assert!(ask("match", "f9", "36~#", "classic").contains("class=\"fault\""));
}

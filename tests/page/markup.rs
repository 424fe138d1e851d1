//! What users type is never markup: in no field, on no page, in no file.

use crate::page::{Page, quoted};

const DIAGRAM: &str = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";
const EVIL: &str = "\"><script>alert(1)</script>";

#[test]
fn fields_of_every_page_are_texts() {
    let page = Page::serve("markup-pages", &[]);
    let pages: &[(&str, &[&str])] = &[
        ("/proof", &["fen", "moves", "conditions", "length", "retraction"]),
        ("/proof/sheet", &["text"]),
        ("/tables", &["endgame", "metric", "piece", "fen"]),
        ("/tables/open", &["endgame", "metric", "piece"]),
        ("/tables/KR.K", &["metric", "piece"]),
        ("/tables/KR.K/board", &["fen", "metric", "piece", "you", "last", "took", "hint"]),
        ("/tables/KR.K/setup", &["fen", "metric", "piece"]),
        ("/tables/KR.K/positions", &["metric", "piece", "of", "least", "most"]),
        ("/pieces", &["piece"]),
        ("/survey", &["pattern", "letters", "metric", "piece", "sort", "by"]),
        ("/steno", &["text", "vocabulary"]),
        ("/steno/bench", &["moves", "text", "vocabulary", "do"]),
        ("/play", &["fen", "moves", "rules", "depth", "lines", "left", "right", "against"]),
        ("/position", &["fen"]),
        ("/lab", &["name"]),
    ];
    for (path, names) in pages {
        for name in *names {
            let mut query = format!("{name}={}", quoted(EVIL));
            for (other, value) in [
                ("fen", "8/8/8/8/8/2k5/1R6/K7 w"),
                ("moves", "2.5"),
                ("pattern", "KR.K"),
                ("text", "36~#"),
                ("vocabulary", "extended"),
                ("do", "match"),
                ("go", "1"),
            ] {
                if other != *name && names.contains(&other) {
                    query.push_str(&format!("&{other}={}", quoted(value)));
                }
            }
            let reply = page.get(&format!("{path}?{query}"));
            assert!(reply.status < 500, "{path} {name}: {reply:?}");
            assert!(!reply.body.contains("<script>alert"), "{path} {name}: {}", reply.body);
        }
    }
    for path in
        ["/tables/%3Cscript%3Ealert(1)", "/proof/%3Cscript%3Ealert(1)", "/lab/%3Cscript%3Ealert(1)"]
    {
        assert!(!page.get(path).body.contains("<script>alert"), "{path}");
    }
}

#[test]
fn texts_of_forms_are_texts() {
    let page = Page::serve("markup-forms", &[]);
    let forms: &[(&str, &[(&str, &str)])] = &[
        ("/proof", &[("fen", DIAGRAM), ("moves", EVIL)]),
        ("/proof", &[("fen", EVIL), ("moves", "2.5")]),
        ("/proof", &[("fen", DIAGRAM), ("moves", "2.5"), ("conditions", EVIL)]),
        ("/proof", &[("fen", DIAGRAM), ("moves", "2.5"), ("length", EVIL)]),
        ("/proof", &[("fen", DIAGRAM), ("moves", "2.5"), ("retraction", EVIL)]),
        ("/steno", &[("text", EVIL), ("vocabulary", "extended")]),
        ("/steno", &[("text", "36~#"), ("vocabulary", EVIL)]),
        ("/tables", &[("endgame", EVIL)]),
        ("/tables", &[("endgame", "KR.K"), ("piece", EVIL)]),
        ("/survey", &[("pattern", EVIL)]),
        ("/survey", &[("pattern", "K?.K"), ("piece", EVIL)]),
        ("/theme", &[("to", "dark"), ("back", EVIL)]),
    ];
    for (path, form) in forms {
        let reply = page.post(path, form);
        assert!(reply.status < 500, "{path} {form:?}: {reply:?}");
        assert!(!reply.body.contains("<script>alert"), "{path} {form:?}: {}", reply.body);
    }
}

#[test]
fn exports_and_pages_of_a_run_have_its_title_as_text() {
    let page = Page::serve("markup-exports", &[]);
    let text = format!("Title: {EVIL}\n{DIAGRAM} 5\n{EVIL}\n\n{DIAGRAM} 3\n");
    let reply = page.post("/proof/sheet", &[("text", &text)]);
    let place = reply.header("location").unwrap_or_else(|| panic!("{reply:?}")).to_owned();
    let id = place.rsplit('/').next().expect("a name").to_owned();
    page.wait(&id, "done");
    for path in [place.clone(), "/".to_owned(), format!("/runs/{id}/files/result.html")] {
        let reply = page.get(&path);
        assert_eq!(reply.status, 200, "{path}");
        assert!(!reply.body.contains("<script>alert"), "{path}: {}", reply.body);
    }
    assert!(page.get(&place).body.contains("&lt;script&gt;alert"));
    // Other files are never shown, but saved.
    for name in ["result.txt", "games.pgn", "result.tex"] {
        let reply = page.get(&format!("/runs/{id}/files/{name}"));
        assert_eq!(reply.header("content-type"), Some("application/octet-stream"), "{name}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    }
}

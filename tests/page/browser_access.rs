//! Every page in a real browser, in both themes and at two widths: names, headings, landmarks, order of the focus, sizes and
//! contrast.

use crate::browser::both;

/// Function `violations()`, which lists what is wrong with a page.
const CHECKS: &str = include_str!("access.js");

#[test]
fn every_page_can_be_used_without_a_mouse_and_read_by_all() {
    let Some((page, browser)) = both("browser-access") else { return };
    let diagram = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";
    page.post("/proof", &[("fen", diagram), ("moves", "2.5")]);
    page.post("/steno", &[("text", "36~#"), ("vocabulary", "extended")]);
    page.post("/tables", &[("endgame", "KR.K"), ("metric", "dtm")]);
    for run in ["proof-1", "steno-1", "table-1"] {
        page.wait(run, "done");
    }
    let paths = [
        "",
        "proof",
        &format!("proof?fen={diagram}&moves=2.5"),
        "proof/proof-1",
        "proof/sheet",
        "steno",
        "steno?text=36~%23&vocabulary=extended",
        "steno/steno-1",
        "steno/bench?moves=f3+e6+g4+Qh4%23&vocabulary=classic&do=compose",
        "tables",
        "tables?endgame=KQ.KR",
        "table/table-1",
        "tables/KR.K?metric=dtm",
        "tables/KR.K/board?metric=dtm&fen=8/8/8/8/8/2k5/1R6/K7%20w",
        "tables/KR.K/board?metric=dtm&you=white&fen=8/8/8/8/8/2k5/1R6/K7%20w",
        "tables/KR.K/board?metric=dtm&fen=nonsense",
        "tables/KR.K/setup?metric=dtm",
        "tables/KR.K/positions?metric=dtm",
        "pieces?piece=X%20%3D%20C",
        "survey?pattern=KR.K%3F&letters=BN",
        "play?moves=e2e4,e7e5",
        "play?moves=e2e4&go=1&depth=4&right=XP3%20LMRCons%3Dtrue",
        "help",
        "help/page",
        "lab",
        "nowhere",
    ];
    let mut found = vec![];
    for path in paths {
        browser.open(&format!("{}{path}", page.url));
        browser.wait("document.documentElement.classList.contains('has-script')");
        browser
            .eval("[...document.querySelectorAll('details')].forEach(one => { one.open = true; })");
        for (width, height) in [(1400, 900), (390, 844)] {
            browser.size(width, height);
            for theme in ["light", "dark"] {
                browser.eval(&format!("document.documentElement.dataset.theme = '{theme}'"));
                let seen = browser.eval(&format!("(() => {{ {CHECKS} return violations(); }})()"));
                let seen = seen.as_array().expect("a list").clone();
                let text = |one: &serde_json::Value| format!("/{path} {width} {theme} {one}");
                found.extend(seen.iter().map(text));
            }
        }
    }
    assert!(found.is_empty(), "{} violations\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_tab_key_visits_everything_in_its_order() {
    let Some((page, browser)) = both("browser-tab") else { return };
    browser.open(&format!("{}play?moves=e2e4,e7e5", page.url));
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    browser.eval("document.querySelector('#entry').open = true");
    browser.eval("document.activeElement.blur()");
    let here = "(one => [one.id, one.className, one.dataset.do ?? '', one.textContent.trim().slice(0, 20)].join(' ').trim())(document.activeElement)";
    let inside = "(one => one === document.body ? -1 : [...document.querySelectorAll('*')].indexOf(one))(document.activeElement)";
    let mut last = -1;
    let mut visited = vec![];
    for _ in 0..60 {
        browser.keys("\u{e004}");
        let at = browser.eval(inside).as_i64().expect("a number");
        if at < 0 {
            break;
        }
        visited.push(browser.eval(here).as_str().unwrap_or("").to_owned());
        assert!(at > last, "out of order: {visited:?}");
        last = at;
        // The focus is seen.
        let seen = browser.eval("getComputedStyle(document.activeElement).outlineStyle !== 'none' || document.activeElement.matches('.skip')");
        assert_eq!(seen, true, "{visited:?}");
    }
    for part in ["skip", "board", "toggle", "flip", "review", "fen", "against"] {
        assert!(visited.iter().any(|one| one.contains(part)), "{part} is not visited: {visited:?}");
    }
}

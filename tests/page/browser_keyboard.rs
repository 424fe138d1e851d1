//! The stories of the page from its first page on, by the keyboard alone.

use crate::browser::both;
use crate::webdriver::Browser;
use serde_json::json;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{CastlingMode, Position, parse_san, to_uci};

const ENTER: &str = "\u{e007}";
const TAB: &str = "\u{e004}";
const LEFT: &str = "\u{e012}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";
const HOME: &str = "\u{e011}";

/// Number of presses of the Tab key in which each part of a page must be reached.
const TABS_MAX: usize = 150;

fn begin(browser: &Browser, url: &str) {
    browser.open(url);
    settled(browser, "location.pathname === '/'");
}

/// Waits for a page whose scripts run.
fn settled(browser: &Browser, place: &str) {
    browser.wait(&format!(
        "{place} && document.readyState === 'complete' && document.documentElement.classList.contains('has-script')"
    ));
}

/// Presses the Tab key until an element has the focus.
fn to(browser: &Browser, css: &str) {
    let here = format!("document.activeElement.matches({})", json!(css));
    for _ in 0..TABS_MAX {
        if browser.eval(&here) == true {
            return;
        }
        browser.keys(TAB);
    }
    panic!("the Tab key does not reach {css} at {}", browser.url());
}

fn press(browser: &Browser, css: &str) {
    to(browser, css);
    browser.keys(ENTER);
}

/// Types into a field.
fn fill(browser: &Browser, css: &str, text: &str) {
    to(browser, css);
    browser.keys(text);
}

/// Leads the cursor of the board to a square.
fn cursor(browser: &Browser, square: &str) {
    let at = "(mark => [mark.getAttribute('x'), mark.getAttribute('y')].map(at => Math.floor(at / 100)))(document.querySelector('#board .cursor'))";
    let seen = browser.eval(at);
    let number = |index: usize| seen[index].as_i64().expect("a cursor");
    let name = square.as_bytes();
    let columns = i64::from(name[0] - b'a') - number(0);
    let rows = i64::from(b'8' - name[1]) - number(1);
    let many = |key: &str, count: i64| key.repeat(count.max(0) as usize);
    let keys = [many(RIGHT, columns), many(LEFT, -columns), many(DOWN, rows), many(UP, -rows)];
    browser.keys(&keys.concat());
}

/// Plays a move in coordinates on the board.
fn play(browser: &Browser, mv: &str) {
    to(browser, "#board");
    if browser.eval("document.querySelector('#board .cursor') === null") == true {
        browser.keys(ENTER);
    }
    cursor(browser, &mv[..2]);
    browser.keys(ENTER);
    cursor(browser, &mv[2..4]);
    browser.keys(ENTER);
}

#[test]
fn a_game_is_analyzed() {
    let Some((page, browser)) = both("keyboard-game") else { return };
    begin(&browser, &page.url);
    fill(&browser, "[name=fen]", "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
    browser.keys(ENTER);
    settled(&browser, "location.pathname === '/play'");
    browser.wait("document.querySelectorAll('#moves button').length === 7");
    // The keys of the game, and the engine.
    browser.keys(HOME);
    browser.wait("document.querySelector('#moves button.now') === null");
    browser.keys(&format!("{RIGHT}{RIGHT}l"));
    browser.wait("/^[≥≤ ]*([+−]?[0-9]|#)/.test(document.querySelector('#score').textContent)");
    browser.keys("l");
    browser.wait("document.querySelector('#toggle').textContent === 'Start the engine'");
    press(&browser, "#review");
    browser.wait("document.querySelector('#moves').textContent.includes('Nf6??')");
    press(&browser, "[data-do=mistake]");
    browser.wait("document.querySelector('#moves button.now') !== null");
}

#[test]
fn ten_moves_are_played_against_the_engine() {
    let Some((page, browser)) = both("keyboard-play") else { return };
    begin(&browser, &page.url);
    press(&browser, "a[href='/play?against=white']");
    settled(&browser, "location.pathname === '/play'");
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    to(&browser, "[data-setting=elo]");
    // The weakest level of the list, and the shortest time.
    browser.keys(&DOWN.repeat(30));
    press(&browser, "#against");
    browser.wait("document.querySelector('#against').textContent === 'End the game'");
    for count in 0..10 {
        // A hint is the next move.
        browser.wait("document.querySelector('#board').dataset.ready === ''");
        to(&browser, "#board");
        browser.keys("h");
        browser.wait("document.querySelector('#status').textContent.startsWith('hint: ')");
        let shown =
            browser.eval("[document.querySelector('[name=fen]').value, document.querySelector('#status').textContent]");
        let text = |index: usize| shown[index].as_str().expect("a text");
        let setup: Setup = text(0).parse().expect("a FEN");
        let position = Position::from_setup(&setup, CastlingMode::Standard).expect("a position");
        let mv = parse_san(&position, &text(1)["hint: ".len()..]).expect("a move");
        play(&browser, &to_uci(&position, mv, false));
        let moves = 2 * (count + 1);
        browser.wait(&format!("document.querySelectorAll('#moves button').length >= {moves}"));
    }
}

#[test]
fn a_bishop_and_a_knight_play_against_the_table() {
    let Some((page, browser)) = both("keyboard-table") else { return };
    begin(&browser, &page.url);
    fill(&browser, "[name=fen]", "8/8/8/3k4/8/8/8/KBN5 w - - 0 1");
    browser.keys(ENTER);
    settled(&browser, "location.pathname === '/tables/KBN.K/board'");
    press(&browser, "a[href*='you=white']");
    browser.wait(
        "location.search.includes('you=white') && document.querySelector('[data-best]') === null",
    );
    for count in 0..10 {
        press(&browser, "a[href*='hint=1']");
        browser.wait("document.querySelector('#board .arrow.left') !== null");
        let hint = "document.querySelector('[data-arrow]').dataset.move";
        let mv = browser.eval(hint);
        let before = browser.url();
        play(&browser, mv.as_str().expect("a move"));
        browser.wait(&format!(
            "location.href !== {} && location.search.includes('last=') && document.querySelector('#board .arrow.left') === null",
            json!(before)
        ));
        assert!(browser.url().contains("%20w"), "{count}: {}", browser.url());
    }
}

#[test]
fn a_position_with_six_pieces_is_looked_up() {
    let Some((page, browser)) = both("keyboard-six") else { return };
    begin(&browser, &page.url);
    fill(&browser, "[name=fen]", "8/8/8/3k4/3rr3/8/8/KQQ5 w - - 0 1");
    browser.keys(ENTER);
    settled(&browser, "location.pathname === '/play'");
    browser.wait("document.querySelector('#table-value').textContent.startsWith('Table: ')");
    press(&browser, "#table-value a");
    settled(&browser, "location.pathname.startsWith('/tables')");
    browser.wait("document.body.innerText.includes('memory')");
}

#[test]
fn a_piece_is_designed_and_played_against_a_king() {
    let Some((page, browser)) = both("keyboard-piece") else { return };
    begin(&browser, &page.url);
    press(&browser, "a[href='/pieces']");
    settled(&browser, "location.pathname === '/pieces'");
    // From the king's right-hand square to a leap of one and three.
    to(&browser, "#grid button");
    let goal = "document.activeElement.matches(\"[data-right='1'][data-forward='3']\")";
    for _ in 0..20 {
        let at = |name: &str| {
            let text = browser.eval(&format!("document.activeElement.dataset.{name}"));
            text.as_str().and_then(|text| text.parse::<i64>().ok()).expect("a square")
        };
        let (right, forward) = (at("right"), at("forward"));
        let key = match (right.cmp(&1), forward.cmp(&3)) {
            (_, std::cmp::Ordering::Less) => UP,
            (_, std::cmp::Ordering::Greater) => DOWN,
            (std::cmp::Ordering::Less, _) => RIGHT,
            (std::cmp::Ordering::Greater, _) => LEFT,
            _ => break,
        };
        browser.keys(key);
    }
    assert_eq!(browser.eval(goal), true);
    browser.keys(ENTER);
    browser.wait("document.querySelector('[name=piece]').value === 'X = C'");
    browser.wait("document.querySelector('#look').innerText.includes('camel')");
    press(&browser, "#look a[href*='/survey']");
    browser.wait("document.querySelectorAll('.heat td a').length === 4");
    press(&browser, ".heat td a");
    browser.wait("document.querySelector('.boards a') !== null");
    press(&browser, ".boards a");
    browser.wait("document.body.innerText.includes('wins in 1')");
    press(&browser, "a[href*='you=white']");
    browser.wait("location.search.includes('you=white')");
    press(&browser, "a[href*='hint=1']");
    browser.wait("document.querySelector('[data-arrow]') !== null");
    let mv = browser.eval("document.querySelector('[data-arrow]').dataset.move");
    play(&browser, mv.as_str().expect("a move"));
    browser.wait("document.body.innerText.includes('checkmate')");
}

#[test]
fn a_sheet_of_three_is_solved() {
    let Some((page, browser)) = both("keyboard-sheet") else { return };
    begin(&browser, &page.url);
    press(&browser, "a.card[href='/proof']");
    settled(&browser, "location.pathname === '/proof'");
    press(&browser, "a[href='/proof/sheet']");
    settled(&browser, "location.pathname === '/proof/sheet'");
    let diagram = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";
    let sheet = format!("{diagram} 5{ENTER}{ENTER}{diagram} 3{ENTER}{ENTER}{diagram} 7{ENTER}");
    fill(&browser, "textarea", &sheet);
    press(&browser, "button.main");
    browser.wait("document.body.innerText.includes('3 of 3 problems have a verdict')");
    press(&browser, "#rows a");
    settled(&browser, "location.pathname === '/sheet/sheet-1/1'");
    browser.keys(RIGHT);
    browser.wait("document.querySelector('#status').textContent === '1. d4'");
    press(&browser, "a[href^='/proof?fen=']");
    settled(&browser, "location.pathname === '/proof' && location.search.includes('moves=2.5')");
}

#[test]
fn a_steno_is_composed_and_solved() {
    let Some((page, browser)) = both("keyboard-steno") else { return };
    begin(&browser, &page.url);
    press(&browser, "a.card[href='/steno']");
    settled(&browser, "location.pathname === '/steno'");
    press(&browser, "[data-mark='3']");
    press(&browser, "[data-mark='6']");
    browser.wait("document.querySelector('[name=text]').value === '36'");
    press(&browser, "[data-mark='~']");
    press(&browser, "[data-mark='#']");
    browser.wait("document.querySelectorAll('#look .marks tr').length === 5");
    press(&browser, "button.main");
    browser.wait("document.body.innerText.includes('Unique: exactly one game')");
    browser.wait("!document.querySelector('.steps').hidden");
    browser.keys(&RIGHT.repeat(4));
    browser.wait("document.querySelector('#status').textContent === '2… Qh4#'");
}

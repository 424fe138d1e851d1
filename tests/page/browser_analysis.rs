//! The analysis in a real browser: the engine follows the board, games are pasted, walked and changed, and the engine
//! answers moves.

use crate::browser::both;
use crate::webdriver::Browser;
use serde_json::json;

const LEFT: char = '\u{e012}';
const RIGHT: char = '\u{e014}';
const DOWN: char = '\u{e015}';
const HOME: char = '\u{e011}';
const ESCAPE: char = '\u{e00c}';
const END: char = '\u{e010}';

/// Opens the analysis and waits for its board.
fn open(browser: &Browser, url: &str, query: &str) {
    browser.open(&format!("{url}play{query}"));
    browser.wait("document.querySelector('#board').dataset.ready === ''");
}

fn press(browser: &Browser, squares: &[&str]) {
    for square in squares {
        let at = browser.square(square);
        browser.drag(at, at);
    }
}

fn paste(browser: &Browser, text: &str) {
    let text = json!(text);
    browser.eval(&format!(
        "(data => {{ data.setData('text', {text}); document.body.dispatchEvent(new ClipboardEvent('paste', \
         {{ clipboardData: data, bubbles: true }})); }})(new DataTransfer())"
    ));
}

const SCORE: &str = "/^[≥≤ ]*([+−]?[0-9]|#)/.test(document.querySelector('#score').textContent)";

#[test]
fn the_engine_follows_the_board_and_nothing_is_stale() {
    let Some((page, browser)) = both("browser-engine") else { return };
    open(&browser, &page.url, "");
    browser.eval("document.querySelector('[data-setting=lines]').value = 3");
    browser.click("#toggle");
    browser.wait(SCORE);
    browser.wait("document.querySelectorAll('#lines button:enabled').length === 3");
    browser.wait("document.querySelectorAll('#board .arrow').length === 3");
    press(&browser, &["e2", "e4"]);
    browser.wait("document.querySelector('#status').textContent === 'e4'");
    browser.wait(SCORE);
    // The lines are Black's, with the number of the move.
    browser.wait("document.querySelector('#lines span')?.textContent.startsWith('1… ')");
    browser.picture("analysis-live");
    // Switched off, the next position has no evaluation and no arrow.
    browser.keys("l");
    browser.wait("document.querySelector('#toggle').textContent === 'Start the engine'");
    press(&browser, &["g8", "f6"]);
    browser.wait("document.querySelector('#status').textContent === 'Nf6'");
    let stale = "[document.querySelector('#score').textContent, document.querySelectorAll('#lines li').length, \
                 document.querySelectorAll('#board .arrow').length, document.querySelector('#bar').hasAttribute('data-empty')]";
    assert_eq!(browser.eval(stale), json!(["", 0, 0, true]));
    // Back at the position that was searched, its last lines are there.
    browser.keys(&LEFT.to_string());
    browser.wait(SCORE);
    // The space bar starts the engine, then it plays the best move.
    browser.keys(&format!("{END} "));
    browser.wait(SCORE);
    browser.keys(" ");
    browser.wait("document.querySelectorAll('#moves button').length === 3");
    // A move in a line plays the line up to it.
    browser.wait("document.querySelectorAll('#lines li:first-child span').length > 1");
    browser.click("#lines li:first-child span:nth-of-type(2)");
    browser.wait("document.querySelectorAll('#moves button').length === 5");
    browser.keys("f");
    browser.wait("document.querySelector('#bar').classList.contains('flipped')");
    browser.keys("?");
    browser.wait("document.querySelector('#keys').open");
}

#[test]
fn mate_is_written_out_and_the_bar_is_that_of_the_winner() {
    let Some((page, browser)) = both("browser-mate") else { return };
    open(&browser, &page.url, "?moves=f2f3,e7e5,g2g4");
    browser.click("#toggle");
    browser.wait("document.querySelector('#score').textContent === '#−1'");
    browser
        .wait("document.querySelector('#bar').getAttribute('aria-label') === 'Black mates in 1'");
    press(&browser, &["d8", "h4"]);
    browser.wait("document.querySelector('#score').textContent === 'Checkmate. Black wins.'");
    browser.wait("document.querySelector('#status').textContent === 'Qh4# Checkmate. Black wins.'");
    assert_eq!(
        browser.eval("document.querySelector('#bar .side-white').getAttribute('y')"),
        "1000"
    );
    assert_eq!(browser.eval("document.querySelectorAll('#lines li').length"), 0);
    assert_eq!(browser.eval("document.querySelectorAll('#board .mark.check').length"), 1);
    paste(&browser, "7k/8/6Q1/8/8/8/8/K7 w - - 0 1");
    browser.wait("document.querySelector('[name=fen]').value.startsWith('7k/8/6Q1')");
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    press(&browser, &["g6", "f7"]);
    browser
        .wait("document.querySelector('#score').textContent === 'Stalemate. The game is drawn.'");
    // A promotion that is refused leaves the position as it was.
    paste(&browser, "8/P6k/8/8/8/8/8/K7 w - - 0 1");
    browser.wait("document.querySelector('[name=fen]').value.startsWith('8/P6k')");
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    press(&browser, &["a7", "a8"]);
    browser.wait("document.activeElement.dataset.role === 'q'");
    browser.keys(&ESCAPE.to_string());
    browser.wait("document.querySelector('#becomes').hidden");
    assert_eq!(browser.eval("document.querySelectorAll('#moves button').length"), 0);
}

#[test]
fn a_game_is_pasted_walked_and_changed() {
    let Some((page, browser)) = both("browser-game") else { return };
    open(&browser, &page.url, "");
    press(&browser, &["d2", "d4"]);
    browser.wait("document.querySelectorAll('#moves button').length === 1");
    paste(
        &browser,
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4! e5 (1... c5 {Sicilian} 2. Nf3) 2. Nf3 Nc6 *",
    );
    browser.wait("document.querySelector('#title').textContent === 'A – B'");
    let now = |san: &str| {
        browser
            .wait(&format!("document.querySelector('#moves button.now')?.textContent === '{san}'"));
    };
    now("Nc6");
    browser.picture("analysis-game");
    browser.keys(&format!("{HOME}{RIGHT}{RIGHT}"));
    now("e5");
    browser.keys(&DOWN.to_string());
    now("c5");
    browser.keys(&RIGHT.to_string());
    now("Nf3");
    browser.wait("location.search.includes('moves=e2e4,c7c5,g1f3')");
    // A move at an earlier point is a variation, and it can become the main line.
    browser.keys(&format!("{LEFT}{LEFT}"));
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    press(&browser, &["e7", "e6"]);
    now("e6");
    assert_eq!(browser.eval("document.querySelectorAll('#moves .variation').length"), 2);
    browser.click("[data-do=promote]");
    browser.wait("document.querySelectorAll('#moves button')[1].textContent === 'e6'");
    browser.click("[data-do=delete]");
    now("e4!");
    // The address keeps the game, also over a reload; Back leads to the game before it was pasted.
    browser.wait("location.search === '?moves=e2e4'");
    let entries = browser.eval("history.length");
    browser.eval("location.reload()");
    browser.wait("document.querySelectorAll('#moves .variation').length === 1");
    now("e4!");
    assert_eq!(browser.eval("history.length"), entries);
    browser.eval("history.back()");
    now("d4");
    assert_eq!(browser.eval("document.querySelectorAll('#moves button').length"), 1);
    // What is neither is answered with a sentence, and the game stays.
    paste(&browser, "good morning");
    browser.wait("document.querySelector('#status').textContent.startsWith('expected a FEN')");
    now("d4");
}

#[test]
fn board_and_lines_are_seen_together() {
    let Some((page, browser)) = both("browser-layout") else { return };
    open(&browser, &page.url, "?moves=e2e4,e7e5,g1f3,b8c6");
    browser.eval("document.querySelector('[data-setting=lines]').value = 8");
    browser.click("#toggle");
    browser.wait("document.querySelectorAll('#lines button:enabled').length === 8");
    let edge = |css: &str, side: &str| {
        let script =
            format!("Math.round(document.querySelector('{css}').getBoundingClientRect().{side})");
        browser.eval(&script).as_i64().expect("a number")
    };
    for (width, height) in [(1400, 900), (1280, 720)] {
        browser.size(width, height);
        let height = i64::from(height);
        for css in ["#board", "#bar", "#lines", "#moves button:last-of-type"] {
            assert!(
                edge(css, "bottom") <= height,
                "{css} ends at {} of {height}",
                edge(css, "bottom")
            );
        }
        assert!(edge("#board", "height") > height / 2);
        assert!(edge("#lines", "left") > edge("#board", "right"));
    }
    // Much of the game is seen beside three lines, and nothing scrolls inside what scrolls.
    browser.eval("(field => { field.value = 3; field.dispatchEvent(new Event('change')); })(document.querySelector('[data-setting=lines]'))");
    browser.wait("document.querySelectorAll('#lines button:enabled').length === 3");
    browser.size(1400, 900);
    assert!(edge("#moves", "height") >= 200, "the moves are {} high", edge("#moves", "height"));
    browser.eval("document.querySelector('#settings').open = true");
    assert!(edge("#moves", "height") >= 120, "the moves are {} high", edge("#moves", "height"));
    assert!(edge("#tools", "top") < edge("#board", "bottom") + 20);
    let scrolling = "[...document.querySelectorAll('.analysis *')].filter(one => one.id !== 'comment' && one.localName !== 'textarea'                      && ['auto', 'scroll'].includes(getComputedStyle(one).overflowY)).map(one => one.id)";
    assert_eq!(browser.eval(scrolling), json!(["moves"]));
    browser.eval("document.querySelector('#settings').open = false");
    browser.size(800, 600);
    assert!(edge("#board", "bottom") < 600 && edge("#lines", "top") < 570);
    browser.size(390, 844);
    assert_eq!(browser.eval(scrolling), json!([]));
    assert!(edge("#lines", "top") > edge("#board", "bottom"));
    assert!(edge("#lines", "bottom") <= 844, "lines end at {}", edge("#lines", "bottom"));
    assert!(edge("#tools", "top") > edge("#lines", "bottom"));
    browser.picture("analysis-lines");
    // The results of a search to a depth are beside the board, with the game.
    browser.size(1400, 900);
    browser.fill("[name=depth]", "5");
    browser.click("[name=go]");
    browser.wait("document.querySelector('#results')?.innerText.includes('ms')");
    browser.wait("document.querySelectorAll('#moves button').length === 4");
    assert!(edge("#results", "left") > edge("#board", "right"));
    assert!(edge("#results", "top") < edge("#board", "bottom"));
    browser.picture("analysis-depth");
}

#[test]
fn the_engine_answers_moves() {
    let Some((page, browser)) = both("browser-opponent") else { return };
    open(&browser, &page.url, "");
    browser.eval("document.querySelector('[data-setting=movetime]').value = '100'");
    browser.click("#against");
    press(&browser, &["e2", "e4"]);
    browser.wait("document.querySelectorAll('#moves button').length === 2");
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    browser.click("[data-do=hint]");
    browser.wait("document.querySelector('#status').textContent.startsWith('hint: ')");
    browser.click("[data-do=takeback]");
    browser.wait("document.querySelectorAll('#moves button').length === 0");
    // With Black, the engine begins.
    browser.click("#against");
    browser.eval("document.querySelector('[data-setting=side]').value = 'black'");
    browser.click("#against");
    browser.wait("document.querySelectorAll('#moves button').length === 1");
    browser.wait("document.querySelector('#bar').classList.contains('flipped')");
    browser.picture("analysis-opponent");
}

//! One flow for each part of the page, in a real browser.

use crate::page::Page;
use crate::webdriver::Browser;

/// A page and a browser; none without a browser.
pub(crate) fn both(name: &str) -> Option<(Page, Browser)> {
    let page = Page::serve(name, &[]);
    let browser = Browser::start(&page.folder)?;
    Some((page, browser))
}

const ENTER: char = '\u{e007}';
const TAB: char = '\u{e004}';
const LEFT: char = '\u{e012}';
const RIGHT: char = '\u{e014}';

#[test]
fn a_proof_game_is_set_up_solved_and_stepped_through() {
    let Some((page, browser)) = both("browser-proof") else { return };
    browser.open(&page.url);
    browser.picture("home");
    browser.open(&format!("{}proof", page.url));
    browser.wait("document.documentElement.classList.contains('has-script')");
    // From the array to the diagram of the example: on the board, off it, and from the palette.
    for (from, to) in [("d2", "d4"), ("c1", "c7"), ("g8", "d5")] {
        browser.drag(browser.square(from), browser.square(to));
    }
    browser.wait("document.querySelector('[name=fen]').value === 'rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR'");
    browser.drag(browser.middle("#palette [data-piece=q]"), browser.square("e5"));
    browser.wait("document.querySelector('#look').innerText.includes('16+16')");
    browser.drag(browser.square("e5"), (5, 500));
    browser.wait("document.querySelector('#look').innerText.includes('16+15')");
    // By the keyboard: a man is put and taken away.
    browser.eval("document.querySelector('#board').focus()");
    browser.keys(&format!("{RIGHT}q"));
    browser.wait("document.querySelector('#status').textContent.startsWith('black queen on')");
    browser.keys("\u{e017}");
    browser.wait("document.querySelector('#look').innerText.includes('16+15')");
    // A condition of the list is added, and refused where it cannot be read.
    browser.eval("document.querySelector('#conditions').closest('details:not(#conditions)').open = document.querySelector('#conditions').open = true");
    browser.click("[data-condition='Sb1-c3']");
    browser.wait("document.querySelector('[name=conditions]').value === 'Sb1-c3'");
    browser.picture("proof-conditions");
    browser.fill("[name=conditions]", "");
    browser.fill("[name=moves]", "2.0");
    browser.wait("document.querySelector('#look .fault') !== null");
    browser.fill("[name=moves]", "2.5");
    browser
        .wait("document.querySelector('#look').innerText.includes('1 strategy can be searched')");
    browser.picture("proof-edit");
    browser.click("button.main");
    browser.wait("document.body.innerText.includes('C+: exactly one proof game in 2.5 moves')");
    browser.wait("!document.querySelector('.steps').hidden");
    browser.keys(&RIGHT.to_string());
    browser.wait("document.querySelector('#status').textContent === '1. d4'");
    browser.keys(&format!("{RIGHT}{RIGHT}{LEFT}"));
    browser.wait("document.querySelector('#status').textContent === '1… Nf6'");
    browser.picture("proof-done");
    assert!(browser.url().contains("/proof/proof-1"));
}

#[test]
fn a_run_shows_its_progress_and_can_be_paused() {
    let Some((page, browser)) = both("browser-live") else { return };
    let (fen, moves) = crate::proof::LONG;
    browser.open(&format!("{}proof?fen={fen}&moves={moves}", page.url));
    browser.click("button.main");
    browser.wait("document.querySelector('.gauges') !== null");
    browser.wait("document.querySelectorAll('.paths li').length > 2");
    browser.eval("document.querySelector('.legend').open = true");
    browser.picture("proof-live");
    browser.click("form[action$='/stop'] button");
    browser.wait("document.body.innerText.includes('Paused')");
    browser.picture("proof-paused");
    browser.click("form[action$='/resume'] button");
    browser.wait("document.querySelector('.gauges') !== null");
    browser.click("form[action$='/stop'] button");
    browser.wait("document.body.innerText.includes('Paused')");
}

#[test]
fn a_piece_is_designed_surveyed_and_its_longest_win_is_played_to_mate() {
    let Some((page, browser)) = both("browser-piece") else { return };
    browser.open(&format!("{}pieces", page.url));
    browser.wait("document.documentElement.classList.contains('has-script')");
    browser.click("#grid [data-right='1'][data-forward='3']");
    browser.wait("document.querySelector('[name=piece]').value === 'X = C'");
    browser.wait("document.querySelector('#look').innerText.includes('camel')");
    browser.picture("piece");
    browser.click("#look a:last-of-type");
    browser.wait("document.querySelectorAll('.heat td a').length === 4");
    browser.picture("survey");
    // Its longest win against the queen, from the table of the survey: a mate, played by the key.
    browser.click(".heat td a");
    browser.wait("document.querySelector('.boards a') !== null");
    browser.click(".boards a");
    browser.wait("document.body.innerText.includes('wins in 1')");
    browser.picture("piece-board");
    browser.keys(&RIGHT.to_string());
    browser.wait("document.body.innerText.includes('is checkmated')");
    browser.open(&format!("{}tables/KQ.KR?metric=dtm", page.url));
    browser.wait("document.body.innerText.includes('the longest win takes 35 moves')");
    browser.picture("table");
    browser.click(".boards a");
    browser.wait("document.body.innerText.includes('wins in 35')");
    browser.picture("table-board");
    // Best play of both sides: in a list, and by the key until there is no move, 31 plies.
    browser.open(&format!("{}tables/KR.K/board?metric=dtm&fen=8/8/8/8/8/2k5/1R6/K7%20w", page.url));
    browser.wait("document.documentElement.classList.contains('has-script')");
    browser.eval("document.querySelector('#line').open = true");
    browser.wait("document.querySelectorAll('#line a').length === 31");
    browser.picture("table-line");
    for plies in (0..31).rev() {
        let before = browser.url();
        browser.keys(&RIGHT.to_string());
        browser.wait(&format!("location.href !== '{before}' && document.readyState === 'complete' && !!document.querySelector('.verdict')"));
        let end = browser.eval("document.body.innerText.includes('Black is checkmated')");
        assert_eq!(end, plies == 0, "{plies} plies before the end");
    }
    browser.open(&format!(
        "{}tables/KQ.KR/board?metric=dtm&you=white&fen=8/8/8/3k4/3r4/8/8/KQ6%20w%20-%20-%200%201",
        page.url
    ));
    browser.wait("document.documentElement.classList.contains('has-script')");
    // A move by the board; the table answers.
    for square in ["b1", "b5"] {
        let at = browser.square(square);
        browser.drag(at, at);
    }
    browser.wait("location.search.includes('last=') && document.querySelector('.verdict').innerText.startsWith('White')");
    // Nothing shows the best move: neither a value, nor the order, nor the key.
    assert_eq!(browser.eval("document.querySelector('[data-best]') === null && !document.querySelector('main').innerText.includes('wins')"), true);
    // A hint shows one move and no value; it is no step of the way back.
    browser.click("a[href*='hint=1']");
    browser.wait("document.querySelectorAll('#board .arrow.left').length === 1");
    browser.wait("document.querySelector('#status').textContent.includes('Hint: ')");
    assert_eq!(browser.eval("document.querySelector('main').innerText.includes('wins')"), false);
    browser.picture("table-hint");
    browser.click("[data-do=back]");
    browser.wait("location.search.includes('fen=8/8/8/3k4/3r4/8/8/KQ6') && !location.search.includes('hint')");
    for square in ["b1", "b5"] {
        let at = browser.square(square);
        browser.drag(at, at);
    }
    browser.wait("location.search.includes('last=')");
    // What a move leads to is put in place, with one entry in the browser's history; the left key leads back.
    browser.eval("window.kept = history.length");
    let before = browser.url();
    browser.click("[data-here]:not([href*='hint'])");
    browser.wait("document.querySelector('[data-best]') !== null");
    browser.keys(&RIGHT.to_string());
    browser.wait("document.querySelector('.verdict').innerText.startsWith('Black')");
    assert_eq!(browser.eval("window.kept === history.length"), true);
    browser.keys(&format!("{LEFT}{LEFT}"));
    browser.wait(&format!("location.href === '{before}'"));
    // A promotion is asked about.
    browser.open(&format!("{}position?fen=8/P6k/8/8/8/8/8/K7%20w%20-%20-%200%201", page.url));
    browser.wait("document.documentElement.classList.contains('has-script')");
    assert!(browser.url().contains("/tables/KP.K/board"), "{}", browser.url());
    browser.drag(browser.square("a7"), browser.square("a8"));
    browser.wait("document.querySelectorAll('#becomes button').length === 4 && document.activeElement.textContent === 'Queen'");
    browser.keys(&format!("{TAB}{ENTER}"));
    browser.wait("location.search.includes('last=a7a8r')");
}

#[test]
fn fairy_pieces_are_the_same_pictures_from_server_and_script() {
    let Some((page, browser)) = both("browser-figures") else { return };
    // A = archbishop, H = nightrider, N = camel, X has no figure.
    let lines = "N%20%3D%20C%0AX%20%3D%20(2,5)";
    let fen = "8/8/8/3k4/3h4/n7/1x6/KAQ5%20w%20-%20-%200%201";
    let address = format!("{}tables/KAQ.KHNX/setup?metric=dtm&piece={lines}&fen={fen}", page.url);
    browser.open(&address);
    browser.wait("document.documentElement.classList.contains('has-script')");
    let same = "fetch(location.href).then(answer => answer.text()).then(text => { \
                const served = new DOMParser().parseFromString(text, 'text/html'); \
                const drawn = [...document.querySelector('#board .men').children], first = [...served.querySelector('#board .men').children]; \
                return drawn.length === 7 && drawn.every(one => first.some(other => other.isEqualNode(one))); })";
    assert_eq!(
        browser.eval(same),
        true,
        "{}",
        browser.eval("document.querySelector('#board .men').innerHTML")
    );
    assert_eq!(
        browser.eval("document.querySelectorAll('#board .men [href=\"#man-camel\"]').length"),
        1
    );
    assert_eq!(browser.eval("document.querySelectorAll('#board .men circle').length"), 1);
    browser.picture("figures");
}

#[test]
fn a_steno_with_an_error_is_repaired_and_solved() {
    let Some((page, browser)) = both("browser-steno") else { return };
    browser.open(&format!("{}steno", page.url));
    browser.wait("document.documentElement.classList.contains('has-script')");
    browser.click("[data-mark='3']");
    browser.click("[data-mark='6']");
    browser.wait("document.querySelector('[name=text]').value === '36'");
    browser.wait("document.querySelectorAll('#look .marks tr').length === 3");
    browser.fill("[name=text]", "36~?");
    browser.wait("document.querySelector('#look pre')?.textContent === '36~?\\n   ^'");
    browser.picture("steno-error");
    browser.fill("[name=text]", "36~#");
    browser.wait("document.querySelectorAll('#look .marks tr').length === 5");
    browser.picture("steno");
    browser.keys(&ENTER.to_string());
    browser.wait("document.body.innerText.includes('Unique: exactly one game')");
    browser.wait("!document.querySelector('.steps').hidden");
    browser.keys(&format!("{RIGHT}{RIGHT}{RIGHT}{RIGHT}"));
    browser.wait("document.querySelector('#status').textContent === '2… Qh4#'");
    browser.picture("steno-done");
    browser.open(&format!(
        "{}steno/bench?moves=f3+e6+g4+Qh4%23&vocabulary=classic&do=compose",
        page.url
    ));
    browser.wait("document.body.innerText.includes('36g#')");
    browser.picture("steno-bench");
}

#[test]
fn configurations_are_compared() {
    let Some((page, browser)) = both("browser-play") else { return };
    browser.open(&format!("{}play", page.url));
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    for square in ["e2", "e4"] {
        let at = browser.square(square);
        browser.drag(at, at);
    }
    browser.wait("document.querySelector('[name=fen]').value === 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'");
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    // Dragged, taken back, and a promotion that is asked about and chosen by the keyboard.
    browser.drag(browser.square("e7"), browser.square("e5"));
    browser.wait("document.querySelector('#status').textContent === 'e5'");
    browser.click("[data-do=back]");
    browser.wait("document.querySelector('[name=fen]').value.includes(' b KQkq')");
    browser.eval("document.querySelector('#entry').open = true");
    browser.fill("[name=fen]", "8/P6k/8/8/8/8/8/K7 w - - 0 1");
    browser.wait("document.querySelectorAll('#board .men use').length === 3");
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    browser.drag(browser.square("a7"), browser.square("a8"));
    browser.wait("document.activeElement.dataset.role === 'q'");
    browser.keys(&format!("{TAB}{ENTER}"));
    browser.wait("document.querySelector('[name=fen]').value.startsWith('R7/7k/')");
    browser.click("[data-do=array]");
    browser.wait("document.querySelector('[name=fen]').value.startsWith('rnbqkbnr/')");
    browser.fill("[name=depth]", "8");
    browser.fill("[name=right]", "XP3 LMRCons=true");
    browser.click("[name=go]");
    browser.wait("document.body.innerText.includes('They prefer')");
    browser.picture("play");
}

#[test]
fn a_sheet_shows_its_verdicts() {
    let Some((page, browser)) = both("browser-sheet") else { return };
    browser.open(&format!("{}proof/sheet", page.url));
    browser.fill("textarea", "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR 5\n\nrnbqkb1r/pppppppp/5n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R 3\n");
    browser.picture("sheet-edit");
    browser.click("button.main");
    browser.wait("document.body.innerText.includes('2 of 2 problems have a verdict')");
    browser.picture("sheet");
}

#[test]
fn an_archive_is_sent_and_a_cook_is_shown_on_the_board() {
    let Some((page, browser)) = both("browser-cook") else { return };
    // White's knights come out in either order.
    let form = [("fen", "rnbqkb1r/pppppppp/5n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R"), ("moves", "1.5")];
    page.post("/proof", &form);
    page.wait("proof-1", "done");
    browser.open(&format!("{}proof/proof-1", page.url));
    browser.wait("document.querySelector('[data-cook]') !== null");
    browser.click("[data-cook]");
    browser.wait("document.querySelectorAll('#board .arrow.left').length === 2");
    browser.wait("document.querySelectorAll('#board .arrow.right').length === 2");
    browser.wait(
        "document.querySelector('#status').textContent.startsWith('The games differ from move 1')",
    );
    browser.picture("proof-cook");
    let way = "import('/assets/crew.js').then(crew => crew.way('Pc2xPd7 b5xPa7 a6-a7').map(step => step.join(' ')).join(';'))";
    assert_eq!(browser.eval(way), "10 33 loss;33 40 loss;40 48 left");
    let archive = page.folder.join("runs/proof-1/archive.spga");
    browser.open(&format!("{}proof", page.url));
    browser.wait("document.documentElement.classList.contains('has-script')");
    browser.click("details.scripted summary");
    browser.choose_file("#archive", &archive);
    browser.wait("location.pathname === '/proof/proof-2'");
    browser.wait("document.body.innerText.includes('Resume')");
}

#[test]
fn the_laboratory_is_drawn_and_follows_its_folder() {
    let folder = crate::common::folder("shared", "browser-lab");
    let name = crate::lab::laboratory(&folder.join("lab"));
    let page = Page::serve_in(&folder, &[]);
    let Some(browser) = Browser::start(&folder) else { return };
    browser.open(&format!("{}lab", page.url));
    browser.wait("document.querySelector('.intervals circle') !== null");
    browser.picture("lab");
    browser.click("#lab a[href^='/lab/']");
    browser.wait("document.querySelectorAll('svg.course').length === 2");
    browser.picture("lab-match");
    // Two games more: the page shows them by itself.
    browser.eval(
        "fetch('/api/lab/events').then(answer => answer.body.getReader().read()).then(() => true)",
    );
    std::thread::sleep(std::time::Duration::from_millis(700));
    let path = folder.join("lab").join(name).join("part-1.txt");
    let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("a file");
    let more = crate::lab::result(82, [4, 6, 18, 8, 5], 0.5);
    std::io::Write::write_all(&mut file, more.as_bytes()).expect("written");
    browser.wait("document.querySelector('.figures td').textContent === '82'");
}

#[test]
fn a_position_of_an_endgame_is_set_up_by_hand() {
    let Some((page, browser)) = both("browser-setup") else { return };
    browser.open(&format!("{}tables", page.url));
    browser.wait("document.documentElement.classList.contains('has-script')");
    browser.click("[data-letter=R][data-side=white]");
    browser.wait("document.querySelector('[name=endgame]').value === 'KR.K'");
    browser.wait("document.querySelector('#needs').innerText.includes('memory to count wins')");
    browser.picture("tables");
    browser.click("button.main");
    browser.wait("document.body.innerText.includes('the longest win takes')");
    browser.open(&format!("{}tables/KR.K/setup?metric=dtm", page.url));
    browser.wait("document.documentElement.classList.contains('has-script')");
    // The kings are there.
    browser.drag(browser.square("e1"), browser.square("a1"));
    browser.drag(browser.square("e8"), browser.square("c3"));
    browser.drag(browser.middle("#palette [data-piece=R]"), browser.square("b2"));
    browser.wait("document.querySelector('[name=fen]').value === '8/8/8/8/8/2k5/1R6/K7 w - - 0 1'");
    browser.picture("table-setup");
    browser.click("button.main");
    browser.wait("document.body.innerText.includes('wins in')");
    browser.open(&format!("{}tables/KP.K/positions?metric=dtm&of=zugzwang&most=20", page.url));
    browser.wait("document.querySelectorAll('.boards a').length > 0");
    browser.picture("table-positions");
}

#[test]
fn the_theme_is_kept() {
    let Some((page, browser)) = both("browser-theme") else { return };
    browser.open(&page.url);
    browser.wait("document.documentElement.classList.contains('has-script')");
    browser.click("button[value=dark]");
    browser.wait("document.documentElement.dataset.theme === 'dark'");
    browser.open(&format!("{}steno", page.url));
    browser.wait("document.documentElement.dataset.theme === 'dark'");
    let color = browser.eval("getComputedStyle(document.body).backgroundColor");
    assert_eq!(color, "rgb(25, 26, 28)");
}

//! Whole games in a real browser: analysis with graph and marks, comments, clocks, and Chess960.

use crate::browser::both;
use crate::webdriver::Browser;
use serde_json::json;

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

const SELECT: &str = "(name, value) => { const field = document.querySelector(name); field.value = value; \
                      field.dispatchEvent(new Event('change')); }";

fn select(browser: &Browser, css: &str, value: &str) {
    browser.eval(&format!("({SELECT})({}, {})", json!(css), json!(value)));
}

#[test]
fn a_game_is_analyzed_with_a_graph_and_its_mistakes() {
    let Some((page, browser)) = both("browser-review") else { return };
    // Scholar's mate: 3… Nf6 loses at once.
    open(&browser, &page.url, "?moves=e2e4,e7e5,f1c4,b8c6,d1h5,g8f6,h5f7");
    select(&browser, "[data-setting=reviewtime]", "300");
    browser.click("#review");
    browser.wait("document.querySelector('#share span').textContent.includes(' s left')");
    browser.wait("document.querySelector('#review').textContent === 'Analyze the game'");
    browser.wait("document.querySelector('#moves').textContent.includes('Nf6??')");
    browser.wait("document.querySelector('#summary').textContent.includes('Black: 1 blunder')");
    assert_eq!(browser.eval("document.querySelectorAll('#graph .blunder').length"), 1);
    assert_eq!(
        browser.eval("document.querySelector('#moves').textContent.includes('was best.')"),
        true
    );
    browser.picture("game-review");
    browser.wait(
        r"/^\[%eval #1\] \([-+−0-9.]+ → #1\) Blunder\. \S+ was best\./.test(history.state.game.nodes[5].comment)",
    );
    // The mate itself has no evaluation.
    assert_eq!(browser.eval("history.state.game.nodes[6].comment"), "");
    // The button and the graph lead to moves of the game.
    browser.wait(
        "(document.querySelector('[data-do=mistake]').click(), \
         document.querySelector('#moves button.now')?.textContent === 'Nf6??')",
    );
    // Without a search, the score of the game is shown, and the move that was best as an arrow.
    let shown = "document.querySelector('#score').textContent === '#1' && !document.querySelector('#bar').hasAttribute('data-empty') \
                 && document.querySelectorAll('#board .arrow').length === 1";
    browser.wait(shown);
    browser.picture("game-mistake");
    browser.eval("(box => document.querySelector('#graph').dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.left + 1 })))(document.querySelector('#graph').getBoundingClientRect())");
    browser.wait("document.querySelector('#moves button.now') === null");
    // Evaluations are part of the game, and outlast a reload.
    browser.wait(
        "location.search === '' && history.state.game.nodes[5].comment.startsWith('[%eval ')",
    );
    browser.eval("location.reload()");
    browser.wait("document.querySelectorAll('#graph .blunder').length === 1");
    browser.wait(
        "(document.querySelector('[data-do=mistake]').click(), \
         document.querySelector('#moves button.now')?.textContent === 'Nf6??')",
    );
    browser.wait(shown);
    // In a variation the main line is analyzed.
    browser.keys("\u{e011}\u{e014}");
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    press(&browser, &["c7", "c5"]);
    browser.wait("document.querySelector('#moves button.now')?.textContent === 'c5'");
    select(&browser, "[data-setting=reviewtime]", "100");
    browser.click("#review");
    browser.wait("document.querySelector('#status').textContent.startsWith('the game is analyzed, without its variations')");
    browser.wait("document.querySelector('#summary').textContent.includes('Black: 1 blunder')");
    // Canceled, what was found stays.
    select(&browser, "[data-setting=reviewtime]", "10000");
    browser.click("#review");
    browser.wait(
        "document.querySelector('#share span').textContent.includes(' of 8 positions, about ')",
    );
    browser.click("#review");
    browser.wait("document.querySelector('#status').textContent.includes('canceled')");
    assert_eq!(browser.eval("document.querySelector('#share').hidden"), true);
}

#[test]
fn a_game_pasted_on_the_first_page_is_analyzed_down_to_its_table() {
    let Some((page, browser)) = both("browser-paste") else { return };
    browser.open(&page.url);
    browser.wait("document.documentElement.classList.contains('has-script')");
    let game = "[White \"A\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1\"]\n\n1. Qb5+ (1. Qb3+ Ke4) Ke4 *";
    let text = json!(game);
    browser.eval(&format!(
        "(data => {{ data.setData('text', {text}); document.body.dispatchEvent(new ClipboardEvent('paste', \
         {{ clipboardData: data, bubbles: true }})); }})(new DataTransfer())"
    ));
    browser.wait(
        "location.pathname === '/play' && document.querySelectorAll('#moves button').length === 4",
    );
    browser.wait("/^Table: White to move (wins|draws)/.test(document.querySelector('#table-value').textContent)");
    browser.picture("game-table");
    browser.click("#table-value a");
    browser.wait("location.pathname === '/tables/KQ.KR/board'");
    // Typed into the field, a position leads to its table.
    browser.open(&page.url);
    browser.wait("document.documentElement.classList.contains('has-script')");
    browser.fill("[name=fen]", "8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    browser.keys("\u{e007}");
    browser.wait("location.pathname === '/tables/KR.K/board'");
}

#[test]
fn comments_and_marks_are_edited_and_exported() {
    let Some((page, browser)) = both("browser-comments") else { return };
    open(&browser, &page.url, "?moves=e2e4,e7e5");
    browser.wait("!document.querySelector('#edit').hidden");
    browser.eval("document.querySelector('#edit details').open = true");
    browser.fill("#comment", "A sound {reply}");
    select(&browser, "#glyph", "5");
    select(&browser, "#assessment", "10");
    browser.wait("document.querySelector('#moves').textContent.includes('e5!? =')");
    browser.wait("document.querySelector('#moves .comment').textContent === 'A sound {reply}'");
    browser.picture("game-comments");
    let pgn = "import('/assets/game.js').then(({ Game }) => Game.from(history.state.game).pgn())";
    browser.wait("history.state.game.nodes[1].nags.length === 2");
    let text = browser.eval(pgn);
    let text = text.as_str().expect("PGN");
    assert!(text.contains("1. e4 e5 $5 $10 { A sound {reply) } *"), "{text}");
    select(&browser, "#glyph", "");
    browser.wait("document.querySelector('#moves').textContent.includes('e5 =')");
    // No font lacks the signs of an assessment.
    select(&browser, "#assessment", "14");
    browser.wait("document.querySelector('#moves').textContent.includes('e5 +=')");
    browser.wait("history.state.game.nodes[1].nags.join() === '14'");
}

#[test]
fn a_game_with_clocks_ends_when_the_time_is_up() {
    let Some((page, browser)) = both("browser-clocks") else { return };
    open(&browser, &page.url, "");
    select(&browser, "[data-setting=clock]", "60+0");
    browser.click("#against");
    browser.wait("document.querySelector('#clocks output').textContent.startsWith('White 0:5')");
    press(&browser, &["e2", "e4"]);
    browser.wait("document.querySelectorAll('#moves button').length === 2");
    browser.wait("document.querySelector('#clocks output').classList.contains('running')");
    browser.wait("document.querySelector('#title').textContent.startsWith('You – Umbrail') ");
    browser.picture("game-clocks");
    // The clock itself: increments, fallen flags, and times in words.
    let clock = "import('/assets/clock.js').then(({ Clock, clockText }) => { \
                 let now = 0; const clock = new Clock(5000, 2000, () => now); \
                 clock.start(0); now = 1000; clock.press(0); now = 2500; \
                 const seen = [clock.left(0), clock.left(1), clock.fallen]; now = 6100; \
                 return [...seen, clock.fallen, clockText(3905000), clockText(61000), clockText(9340)]; })";
    assert_eq!(browser.eval(clock), json!([6000, 3500, null, 1, "1:05:05", "1:01", "0:09.3"]));
}

#[test]
fn chess960_is_played_on_the_board() {
    let Some((page, browser)) = both("browser-960") else { return };
    let start = "import('/assets/chess960.js').then(({ chess960 }) => [518, 0, 959].map(chess960).map(fen => fen.split('/')[0]))";
    open(&browser, &page.url, "");
    assert_eq!(browser.eval(start), json!(["rnbqkbnr", "bbqnnrkr", "rkrnnqbb"]));
    select(&browser, "[data-setting=start]", "chess960");
    browser.click("[data-do=array]");
    browser.wait("document.querySelector('#status').textContent.startsWith('Chess960, position ')");
    browser.wait("location.search.includes('rules=chess960')");
    // Castling by the rook: the king on f1, the rook on h1.
    browser.open(&format!(
        "{}play?rules=chess960&fen=4k3/8/8/8/8/8/8/R4K1R%20w%20KQ%20-%200%201",
        page.url
    ));
    browser.wait("document.querySelector('#board').dataset.ready === ''");
    press(&browser, &["f1", "h1"]);
    browser.wait("document.querySelector('#moves button')?.textContent === 'O-O'");
    browser
        .wait("document.querySelector('[name=fen]').value.startsWith('4k3/8/8/8/8/8/8/R4RK1 b')");
    browser.wait("history.state?.game.rules === 'chess960'");
    browser.picture("game-960");
}

fn seen(browser: &Browser, css: &str, height: i64) {
    let edge =
        "(one => one.checkVisibility() ? Math.round(one.getBoundingClientRect().bottom) : -1)";
    let bottom = browser.eval(&format!("{edge}(document.querySelector({}))", json!(css)));
    let bottom = bottom.as_i64().expect("a number");
    assert!((1..=height).contains(&bottom), "{css} ends at {bottom} of {height}");
}

#[test]
fn a_game_against_the_engine_outlasts_a_reload() {
    let Some((page, browser)) = both("browser-resumed") else { return };
    open(&browser, &page.url, "?against=white");
    browser.wait("location.search === '?against=white' && history.state !== null");
    select(&browser, "[data-setting=movetime]", "100");
    select(&browser, "[data-setting=clock]", "180+2");
    browser.click("#against");
    browser.wait("document.activeElement.id === 'board'");
    press(&browser, &["e2", "e4"]);
    let moves = |count: usize| {
        browser.wait(&format!("document.querySelectorAll('#moves button').length === {count} && document.querySelector('#board').dataset.ready === ''"));
    };
    moves(2);
    for (width, height) in [(1400, 900), (390, 844)] {
        browser.size(width, height);
        for part in [
            "#against",
            "[data-do=hint]",
            "[data-do=takeback]",
            "#level summary",
            "#clocks",
            "#opposite",
        ] {
            seen(&browser, part, i64::from(height));
        }
    }
    browser.picture("game-playing");
    let line = browser.eval("document.querySelector('#opposite').textContent");
    assert_eq!(line, "You are White. Umbrail: level 1600, clocks of 3 min and 2 s a move.");
    // The clock of the player runs; after the reload it goes on.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    browser.eval("location.reload()");
    browser.wait("document.querySelector('#against')?.textContent === 'End the game'");
    moves(2);
    assert_eq!(browser.eval("document.title"), "Play – Umbrail");
    browser.wait("history.state.play.times[0] < 180600");
    assert_eq!(browser.eval("history.state.play.running"), 0);
    browser.wait("document.querySelector('#clocks output').classList.contains('running')");
    press(&browser, &["d2", "d4"]);
    moves(4);
    // The other side, in the middle of the game: the engine moves.
    browser.eval("document.querySelector('#level').open = true");
    select(&browser, "[data-setting=side]", "black");
    moves(5);
    browser.wait("location.search.startsWith('?against=black')");
    browser.click("[data-do=takeback]");
    browser.wait("document.querySelector('#status').textContent === 'taken back'");
    browser.click("#against");
    browser.wait(
        "document.querySelector('#status').textContent === 'The game was ended without a result.'",
    );
    browser.wait("history.state.play === null");
    let pgn = browser
        .eval("import('/assets/game.js').then(({ Game }) => Game.from(history.state.game).pgn())");
    let pgn = pgn.as_str().expect("PGN");
    assert!(pgn.starts_with("[Event \"Game against Umbrail\"]\n"), "{pgn}");
    assert!(pgn.contains("[Date \"2") && pgn.contains("Umbrail (1600)"), "{pgn}");
    // Ended, the game stays ended.
    browser.eval("location.reload()");
    browser.wait("document.querySelector('#against')?.textContent === 'Play against the engine'");
    // From the analysis a game leads to the page of games.
    open(&browser, &page.url, "?moves=e2e4");
    assert_eq!(browser.eval("document.title"), "Analysis – Umbrail");
    select(&browser, "[data-setting=side]", "white");
    select(&browser, "[data-setting=clock]", "");
    select(&browser, "[data-setting=elo]", "");
    select(&browser, "[data-setting=movetime]", "10000");
    browser.click("#against");
    browser.wait(
        "document.title === 'Play – Umbrail' && location.search.startsWith('?against=white')",
    );
    browser.wait("document.querySelector('nav [aria-current]').textContent === 'Play'");
    browser.wait("history.state.play !== null && document.querySelector('#status').textContent === 'Umbrail is thinking'");
    // A reload while the engine is to move: it answers.
    select(&browser, "[data-setting=movetime]", "100");
    browser.eval("location.reload()");
    moves(2);
    assert_eq!(browser.eval("document.querySelector('nav [aria-current]').textContent"), "Play");
}

#[test]
fn a_repetition_ends_the_game_as_a_draw() {
    let Some((page, browser)) = both("browser-repetition") else { return };
    let knights = "g1f3,g8f6,f3g1,f6g8,g1f3,g8f6,f3g1,f6g8";
    open(&browser, &page.url, &format!("?against=white&moves={knights}"));
    browser.wait("document.querySelectorAll('#moves button').length === 8 && document.querySelector('#board').dataset.ready === ''");
    browser.click("#against");
    browser.wait("document.querySelector('#status').textContent.includes('Threefold repetition. The game is drawn.')");
    browser.wait("history.state.game.result === '1/2-1/2'");
    assert_eq!(browser.eval("document.querySelector('[data-do=hint]').hidden"), true);
    browser.wait("document.querySelector('#moves b').textContent === '1/2-1/2'");
}

#[test]
fn the_field_of_the_first_page_keeps_the_lines_of_a_game() {
    let Some((page, browser)) = both("browser-field") else { return };
    let enter = |text: &str| {
        browser.open(&page.url);
        browser.wait("document.documentElement.classList.contains('has-script') && document.readyState === 'complete'");
        let text = json!(text);
        browser.eval(&format!("(field => {{ field.value = {text}; field.focus(); }})(document.querySelector('[name=fen]'))"));
        browser.keys("\u{e007}");
    };
    let says = |part: &str| {
        browser.wait(&format!(
            "location.pathname === '/play' && document.querySelector('#status').textContent.includes({})",
            json!(part)
        ));
    };
    enter(
        "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"C\"]\n\n1. d4 *\n",
    );
    says("the first of 2 games is shown");
    browser.wait("document.querySelector('#title').textContent === 'Ann – Bob'");
    browser.wait("document.querySelectorAll('#moves button').length === 4");
    enter("1. e4 ; the best\n1... e5 2. Nf3 *");
    browser.wait(
        "location.pathname === '/play' && document.querySelectorAll('#moves button').length === 3",
    );
    enter("1. e4 e5 2. Qh6");
    says("2. Qh6 is not played: no legal move matches");
    for text in [
        "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR PG in 2.5",
        "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR\n2.5",
    ] {
        enter(text);
        browser.wait("location.pathname === '/proof' && document.querySelector('[name=moves]').value === '2.5'");
        browser.wait("document.querySelector('[name=fen]').value === 'rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR'");
    }
    browser.open(&page.url);
    browser.picture("home-field");
}

//! Parts of the analysis page beside the board. Scripts fill most of them.

use super::super::shell::ADDRESS_TEXT_MAX;
use super::live::LINES_MAX;
use maud::{Markup, html};
use umbrail_session::options::{Kind, find};
use umbrail_session::specs;

/// Smallest transposition table that a viewer may choose, in MiB.
const HASH_MIN: usize = 16;
/// Distance of the ratings to choose from.
const ELO_STEP: i64 = 200;
/// Rating of a first game: that of a player in a club.
const ELO_USUAL: i64 = 1600;
/// Times for a move of the engine, in milliseconds and in words.
const MOVE_TIMES: &[(u32, &str)] =
    &[(100, "0.1 s"), (300, "0.3 s"), (1_000, "1 s"), (3_000, "3 s"), (10_000, "10 s")];
/// Times for a position of a whole game, in milliseconds and in words.
const REVIEW_TIMES: &[(u32, &str)] =
    &[(100, "0.1 s"), (300, "0.3 s"), (1_000, "1 s"), (3_000, "3 s"), (10_000, "10 s")];
/// Time controls: seconds and increment, and words.
const CLOCKS: &[(&str, &str)] = &[
    ("", "none"),
    ("60+0", "1 minute"),
    ("180+2", "3 minutes + 2 s"),
    ("300+3", "5 minutes + 3 s"),
    ("600+5", "10 minutes + 5 s"),
    ("1800+20", "30 minutes + 20 s"),
];
/// Glyphs of a move and of a position: number of the glyph, and words.
const OF_MOVE: &[(&str, &str)] = &[
    ("1", "! good"),
    ("2", "? mistake"),
    ("3", "!! very good"),
    ("4", "?? blunder"),
    ("5", "!? interesting"),
    ("6", "?! dubious"),
    ("7", "□ only move"),
];
const OF_POSITION: &[(&str, &str)] = &[
    ("10", "= equal"),
    ("13", "∞ unclear"),
    ("14", "+= White is slightly better"),
    ("15", "=+ Black is slightly better"),
    ("16", "+/- White is better"),
    ("17", "-/+ Black is better"),
    ("18", "+- White wins"),
    ("19", "-+ Black wins"),
];
/// Maximum length of a comment on a move, in letters.
const COMMENT_MAX: usize = 4_000;
/// Keys and their meaning.
const KEYS: &[(&str, &str)] = &[
    ("← →", "a move back, a move on"),
    ("↑ ↓", "other variation; without one, the start and the end"),
    ("Home End", "the start, the end of the line"),
    ("Space", "start the engine; then play its best move"),
    ("l", "start or stop the engine"),
    ("h t", "in a game against the engine: a hint, take back"),
    ("f", "turn the board"),
    ("Enter", "on the board: move a cursor with the arrow keys, pick up and drop; Escape ends"),
    ("?", "these keys"),
];
/// Steps through the game: name of the action, words, sign.
const STEPS: [(&str, &str, &str); 4] = [
    ("first", "To the start", "«"),
    ("back", "A move back", "‹"),
    ("on", "A move on", "›"),
    ("last", "To the end", "»"),
];

/// Limits of the live search.
pub(super) struct LiveLimits {
    pub(super) threads: usize,
    pub(super) hash: usize,
    pub(super) hash_max: usize,
}

/// Shows the buttons below the board.
pub(super) fn tools() -> Markup {
    html! {
        div.controls.scripted #tools {
            @for (step, name, sign) in STEPS {
                button type="button" data-do=(step) aria-label=(name) title=(name) { (sign) }
            }
            button type="button" data-do="flip" { "Turn the board" }
            button type="button" data-do="array" { "New game" }
            button type="button" data-do="keys" aria-haspopup="dialog" { "Keys" }
        }
    }
}

/// Shows the controls of the live search; less prominent on the page for a game.
pub(super) fn engine(limits: &LiveLimits, is_for_game: bool) -> Markup {
    let sizes = (0..).map(|log| HASH_MIN << log).take_while(|size| *size <= limits.hash_max);
    let mut sizes: Vec<usize> = sizes.chain([limits.hash]).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let count = |label: &str, name: &str, counts: &[usize], usual: usize, unit: &str| {
        html! {
            label { (label)
                select data-setting=(name) {
                    @for count in counts { option value=(count) selected[*count == usual] { (count) (unit) } }
                }
            }
        }
    };
    let up_to = |most: usize| (1..=most).collect::<Vec<usize>>();
    html! {
        div.controls {
            button class=(if is_for_game { "small" } else { "main" }) type="button" #toggle { "Start the engine" }
            output.verdict #score for="toggle" aria-label="Evaluation" {}
            span.hint #figures {}
        }
        p.fault #trouble role="alert" hidden {}
        p #table-value hidden {}
        ol.lines #lines {}
        details #settings {
            summary { "Settings" }
            div.settings {
                (count("Lines", "lines", &up_to(LINES_MAX as usize), 1, ""))
                // One processor is left to the browser.
                (count("Threads", "threads", &up_to(limits.threads), (limits.threads - 1).max(1), ""))
                (count("Hash", "hash", &sizes, limits.hash, " MiB"))
                label { "Scores from"
                    select data-setting="view" {
                        option value="white" { "White’s view" }
                        option value="mover" { "the mover’s view" }
                    }
                }
                label { input type="checkbox" data-setting="arrows" checked; "Arrows" }
                (choices("Whole game, time for a position", "reviewtime", REVIEW_TIMES, 300))
            }
        }
    }
}

/// Shows a choice among times.
fn choices(label: &str, name: &str, times: &[(u32, &str)], usual: u32) -> Markup {
    html! {
        label { (label)
            select data-setting=(name) {
                @for (ms, text) in times { option value=(ms) selected[*ms == usual] { (text) } }
            }
        }
    }
}

/// Shows the graph of a game, and the fields for comments and marks.
fn annotations() -> Markup {
    let glyphs = |label: &str, id: &str, glyphs: &[(&str, &str)]| {
        html! {
            label { (label)
                select id=(id) {
                    option value="" { "none" }
                    @for (number, text) in glyphs { option value=(number) { (text) } }
                }
            }
        }
    };
    html! {
        details {
            summary { "Comment and marks" }
            label { "Comment on the move" textarea #comment rows="2" maxlength=(COMMENT_MAX) {} }
            div.settings {
                (glyphs("Move", "glyph", OF_MOVE))
                (glyphs("Position", "assessment", OF_POSITION))
            }
        }
    }
}

/// Shows the clocks and the controls of a game against the engine; `is_first` where the page is there for such a game.
pub(super) fn opponent(is_first: bool) -> Markup {
    let elo = find(specs(), "UCI_Elo").ok().map(|spec| spec.kind);
    let (least, most) = match elo {
        Some(Kind::Spin { min, max, .. }) => (min, max),
        _ => (0, -1),
    };
    let round = (least / ELO_STEP + 1) * ELO_STEP;
    let levels = std::iter::once(least).chain((round..most).step_by(ELO_STEP as usize));
    html! {
        p.hint #opposite hidden {}
        div.clocks #clocks hidden {
            output aria-label="White’s clock" {} " " output aria-label="Black’s clock" {}
        }
        div.controls {
            button class=(if is_first { "main" } else { "small" }) type="button" #against { "Play against the engine" }
            button.small type="button" data-do="hint" hidden { "Hint" }
            button.small type="button" data-do="takeback" hidden { "Take back" }
        }
        details #level open[is_first] {
            summary { "Side and level" }
            div.settings {
                label { "You play"
                    select data-setting="side" { option value="white" { "White" } option value="black" { "Black" } }
                }
                label { "Level (rating)"
                    select data-setting="elo" {
                        option value="" { "full strength" }
                        @for level in levels { option value=(level) selected[level == ELO_USUAL] { (level) } }
                    }
                }
                (choices("Time for a move", "movetime", MOVE_TIMES, 1_000))
                label { "Clocks"
                    select data-setting="clock" { @for (time, text) in CLOCKS { option value=(time) { (text) } } }
                }
                label { "New games begin with"
                    select data-setting="start" {
                        option value="" { "the initial position" }
                        option value="chess960" { "a position of Chess960" }
                    }
                }
            }
        }
    }
}

/// Shows the moves, each with its address, and the field for a FEN or a game with its text; open after a fault.
pub(super) fn score_sheet(moves: &[(String, String)], typed: &str, is_open: bool) -> Markup {
    html! {
        p.hint #title {}
        svg.graph #graph viewBox="0 0 600 80" preserveAspectRatio="none" role="img" aria-label="Evaluation of the game" hidden {}
        p.hint #summary hidden {}
        div.review #share hidden { progress aria-label="Share of the game that is analyzed" {} " " span.hint {} }
        div.moves #moves aria-label="Moves" role="group" {
            @for (at, (san, address)) in moves.iter().enumerate() {
                a href=(address) aria-current=[(at + 1 == moves.len()).then_some("true")] { (san) } " "
            }
        }
        div.controls.scripted #edit hidden {
            button.small type="button" #review { "Analyze the game" }
            button.small type="button" data-do="mistake" { "Next mistake" }
            button.small type="button" data-do="promote" { "Make main line" }
            button.small type="button" data-do="delete" { "Delete from here" }
            button.small type="button" data-do="save" { "Save PGN" }
            button.small type="button" data-do="pgn" { "Copy PGN" }
            button.small type="button" data-do="fen" { "Copy FEN" }
            (annotations())
        }
        details #entry open[is_open] { summary { "Another position or game" } (entry(typed)) }
    }
}

/// The field for a FEN or a game.
fn entry(typed: &str) -> Markup {
    html! {
        label { "FEN or PGN (type, paste or drop it)"
            textarea name="fen" form="play" maxlength=(ADDRESS_TEXT_MAX) rows="2" spellcheck="false" autocomplete="off" {
                (typed)
            }
        }
        div.controls { button.small form="play" { "Show" } }
    }
}

/// The list of keys.
pub(super) fn keys() -> Markup {
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { "Keys" }
            table.figures { @for (key, meaning) in KEYS { tr { th { kbd { (key) } } td { (meaning) } } } }
            label { input type="checkbox" data-setting="keys" checked; "Single letters are commands" }
            form method="dialog" { button { "Close" } }
        }
    }
}

//! The page of the analysis: a board with its evaluation, the engine's lines, the game, and a form
//! that searches to a depth. Scripts make the first three live; without scripts the form and the
//! links of the moves work.

use super::super::SharedPage;
use super::super::shell::Shell;
use super::compare::{CompareForm, DEPTH, Search, first_move, results, search, whites};
use super::configuration::experiments;
use super::engines::hash_max;
use super::game::last_position;
use super::moves::Ending;
use super::panels::{LiveLimits, engine, keys, opponent, score_sheet, tools};
use super::record::Played;
use super::rules::castling;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use umbrail_chess::geometry::{Color, Square};
use umbrail_chess::{CastlingMode, Position, parse_uci, to_san};
use umbrail_report::drawing::{Arrow, Board};

/// Promotion pieces: letter in the move, and name.
const PROMOTIONS: [(&str, &str); 4] =
    [("q", "Queen"), ("r", "Rook"), ("b", "Bishop"), ("n", "Knight")];

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PlayQuery {
    /// Position or game; with `moves`, the position before them.
    fen: String,
    /// Moves in coordinates.
    moves: String,
    /// Castling rules: `standard`, `chess960`, or empty for those of the program.
    rules: String,
    /// Depth in plies; empty for the default.
    depth: String,
    /// Number of lines.
    lines: String,
    /// Options of the two sides, one a line.
    left: String,
    right: String,
    /// Starts the search.
    go: String,
    /// Not empty where a game against the engine is to begin.
    against: String,
}

/// Position, game and faults that the address of the page gives.
struct Shown {
    fen: String,
    turn: Color,
    ending: Option<Ending>,
    /// Moves in standard notation, each with its address.
    moves: Vec<(String, String)>,
    last: Option<(u8, u8)>,
    /// Note of the reader of the game.
    note: Option<String>,
    fault: Option<String>,
}

pub(crate) async fn play(
    State(shared): State<SharedPage>,
    Query(wish): Query<PlayQuery>,
    headers: HeaderMap,
) -> Markup {
    let mut shown = Shown::of(&wish, castling(&shared.options, &wish.rules));
    let mut found = vec![];
    if !wish.go.is_empty() && shown.fault.is_none() {
        let PlayQuery { depth, lines, left, right, .. } = &wish;
        let fen = &shown.fen;
        match search(&shared, &CompareForm { fen, depth, lines, left, right }).await {
            Ok(searched) => found = searched,
            Err(error) => shown.fault = Some(error.to_string()),
        }
    }
    let hash = shared.options.search.hash_mib;
    let (threads, hash_max) = (shared.engines.threads_max(), hash_max(&shared.options));
    let limits = LiveLimits { threads, hash, hash_max };
    let (title, here) = match wish.against.is_empty() {
        true => ("Analysis", "/play"),
        false => ("Play", "/play?against=white"),
    };
    let shell = Shell { title, here, script: Some("play.js"), headers: &headers };
    shell.page(&content(&wish, &shown, &found, &limits))
}

impl Shown {
    fn of(wish: &PlayQuery, mode: CastlingMode) -> Self {
        let played = Played::read(&wish.fen, &wish.moves, mode);
        // A text that is not a FEN may be a game; the board then shows its last position.
        let (played, note) = match played {
            Err(_) if wish.moves.is_empty() => match last_position(&wish.fen, mode) {
                Ok((fen, note)) => (Played::read(&fen, "", mode), note),
                Err(error) => (Err(error), None),
            },
            played => (played, None),
        };
        match played {
            Ok(played) => {
                let is_start = wish.fen.trim().is_empty();
                let root = if is_start { String::new() } else { played.setup.to_string() };
                Self { note, ..Self::played(&root, &played, mode) }
            }
            Err(error) => {
                let fault = Some(error.to_string());
                let fen = wish.fen.trim().to_owned();
                let turn = Color::White;
                Self { fen, turn, ending: None, moves: vec![], last: None, note, fault }
            }
        }
    }

    fn played(root: &str, played: &Played, mode: CastlingMode) -> Self {
        let start = Position::from_setup(&played.setup, mode).ok();
        let (mut moves, mut texts, mut last) = (vec![], String::new(), None);
        let mut position = start.unwrap_or(played.position);
        for text in &played.moves {
            let Ok(mv) = parse_uci(&position, text) else { break };
            let fullmoves = position.to_setup().to_string();
            let number = fullmoves.rsplit(' ').next().unwrap_or("1").to_owned();
            let san = match position.turn() {
                Color::White => format!("{number}. {}", to_san(&position, mv)),
                Color::Black if moves.is_empty() => format!("{number}… {}", to_san(&position, mv)),
                Color::Black => to_san(&position, mv),
            };
            texts = if texts.is_empty() { text.clone() } else { format!("{texts},{text}") };
            moves.push((san, address(root, &texts)));
            last = squares(text);
            position = position.after(mv);
        }
        Self {
            fen: position.to_setup().to_string(),
            turn: position.turn(),
            ending: Ending::of(&position),
            moves,
            last,
            note: None,
            fault: None,
        }
    }
}

/// Returns the address of a game.
fn address(root: &str, moves: &str) -> String {
    match root.is_empty() {
        true => format!("/play?moves={moves}"),
        false => format!("/play?fen={}&moves={moves}", root.replace(' ', "%20")),
    }
}

/// Returns the squares of a move in coordinates.
fn squares(text: &str) -> Option<(u8, u8)> {
    let square = |text: &str| u8::try_from(text.parse::<Square>().ok()?.index()).ok();
    Some((square(text.get(0..2)?)?, square(text.get(2..4)?)?))
}

/// Draws White's share as a bar beside the board, in thousandths; gray without an evaluation.
fn bar(white: Option<u64>) -> Markup {
    let white = white.map(|white| white.min(1000));
    let label = white.map_or("no evaluation yet".to_owned(), |white| {
        format!("White’s expectation {} %", (white + 5) / 10)
    });
    html! {
        svg.evaluation #bar viewBox="0 0 10 1000" preserveAspectRatio="none" role="img" aria-label=(label) data-empty[white.is_none()] {
            rect.side-black width="10" height="1000" {}
            rect.side-white y=(1000 - white.unwrap_or(500)) width="10" height="1000" {}
            rect.middle y="498" width="10" height="4" {}
        }
    }
}

/// Shows the panel of a game against the engine.
fn against(is_first: bool) -> Markup {
    html! {
        section.panel.against.scripted aria-label="Game against the engine" { (opponent(is_first)) }
    }
}

fn content(wish: &PlayQuery, shown: &Shown, found: &[Search], limits: &LiveLimits) -> Markup {
    let arrow = |search: &Search, class: &'static str| {
        let (from, to) = squares(first_move(search.depths.last()?))?;
        Some(Arrow { from, to, class })
    };
    let classes = ["left", "right"];
    let arrows: Vec<Arrow<'_>> =
        found.iter().zip(classes).filter_map(|(search, class)| arrow(search, class)).collect();
    let marked: Vec<(u8, &str)> =
        shown.last.iter().flat_map(|(from, to)| [(*from, "last"), (*to, "last")]).collect();
    let board =
        Board { placement: &shown.fen, arrows: &arrows, marked: &marked, ..Board::default() };
    let line = found.first().and_then(|search| search.depths.last());
    let white = match shown.ending {
        Some(ending) => Some(ending.whites()),
        None => line.map(|line| whites(line, shown.turn)),
    };
    let typed = if wish.moves.is_empty() && shown.fault.is_some() { &wish.fen } else { &shown.fen };
    let is_for_game = !wish.against.is_empty();
    html! {
        h1.hidden { (if is_for_game { "Play" } else { "Analysis" }) }
        div.analysis.for-game[is_for_game] {
            div.stage {
                (bar(white))
                div.editor #board tabindex="0" role="application" aria-describedby="pieces" aria-label="Diagram. Enter starts a cursor that the arrow keys move; Enter picks up and drops a piece, Escape ends. Without the cursor the arrow keys step through the game." {
                    (PreEscaped(board.to_string()))
                }
                p.hidden #pieces {}
                div.promotion #becomes role="group" aria-label="Promotion piece" hidden {
                    @for (role, name) in PROMOTIONS { button type="button" data-role=(role) { (name) } }
                }
            }
            @if is_for_game { (against(true)) }
            section.panel.engine.scripted aria-label="Engine" {
                (engine(limits, is_for_game))
            }
            @if !found.is_empty() {
                section.panel.results #results aria-label="Results of the search" data-fen=(shown.fen) {
                    (results(found, shown.turn))
                }
            }
            div.under {
                (tools())
                p.status aria-live="polite" #status {
                    @if let Some(note) = &shown.note { (note) ". " }
                    @if let Some(ending) = shown.ending { (ending.text) }
                }
            }
            section.panel.score aria-label="Game" {
                (score_sheet(&shown.moves, typed, shown.fault.is_some()))
            }
            @if !is_for_game { (against(false)) }
        }
        form.panel #play method="get" action="/play" {
            h2 { "Search to a depth, or compare two configurations" }
            div.fields {
                label { "Depth" input name="depth" inputmode="numeric" maxlength="4" value=(wish.depth) placeholder=(DEPTH); }
                label { "Lines" input name="lines" inputmode="numeric" maxlength="4" value=(wish.lines) placeholder="1"; }
            }
            div.fields {
                label { "Options" textarea name="left" maxlength="2000" rows="2" spellcheck="false" placeholder="XP3 LMRCons=true" { (wish.left) } }
                label { "Options to compare with" textarea name="right" maxlength="2000" rows="2" spellcheck="false" { (wish.right) } }
            }
            @if let Some(why) = &shown.fault { p.fault { (why) } }
            div.controls { button.main name="go" value="1" { "Search" } }
            details {
                summary { "Experiments" }
                table.figures { @for (name, help) in experiments() { tr { th.mono { (name) } td { (help) } } } }
            }
        }
        (keys())
    }
}

#[cfg(test)]
mod tests {
    use super::{CastlingMode, PlayQuery, Shown, bar};

    fn shown(fen: &str, moves: &str) -> Shown {
        let (fen, moves) = (fen.to_owned(), moves.to_owned());
        Shown::of(&PlayQuery { fen, moves, ..PlayQuery::default() }, CastlingMode::Standard)
    }

    #[test]
    fn an_address_describes_a_game() {
        let seen = shown("", "e2e4,e7e5");
        assert!(seen.fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/"), "{}", seen.fen);
        let texts: Vec<&str> = seen.moves.iter().map(|(san, _)| san.as_str()).collect();
        assert_eq!((texts.as_slice(), seen.last), (&["1. e4", "e5"][..], Some((52, 36))));
        assert_eq!(seen.moves[0].1, "/play?moves=e2e4");
        let seen = shown("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q");
        assert_eq!(seen.moves[0].1, "/play?fen=8/P6k/8/8/8/8/8/K7%20w%20-%20-%200%201&moves=a7a8q");
        assert!(shown("1. e4 e5", "").fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/"));
        assert!(shown("", "e2e5").fault.is_some() && shown("nonsense", "").fault.is_some());
        assert!(shown("", "f2f3,e7e5,g2g4,d8h4").ending.is_some_and(|ending| ending.whites() == 0));
    }

    #[test]
    fn the_bar_is_white_from_below() {
        let text = bar(Some(909)).into_string();
        assert!(text.contains("y=\"91\"") && text.contains("expectation 91 %"), "{text}");
        assert!(bar(None).into_string().contains("no evaluation yet"));
    }
}

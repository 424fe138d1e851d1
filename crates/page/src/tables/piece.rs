//! The piece designer: a grid with the piece in the middle, Betza's notation and a line of
//! `piecedef.ini`. A change of one updates the others.

use super::super::run_page::quoted;
use super::super::shell::Shell;
use super::definitions::read;
use axum::Json;
use axum::extract::Query;
use axum::http::HeaderMap;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use umbrail_chess::geometry::{Color, Square};
use umbrail_report::drawing::{Board, Figure};
use umbrail_tables::fairy::{BentMove, Course, Hop, Midway, MoveAtom, Piece, PieceSet};

/// Distance from the middle of the grid to its edge, in squares.
const EDGE: i8 = 7;
/// Number of repetitions that stands for an unlimited ride: seven from edge to edge.
const REACH_ANY: u8 = 7;
/// Letter of the designed piece.
const LETTER: char = 'X';

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PieceQuery {
    /// Definition, such as `X = N` or `X: 1,2,*`.
    piece: String,
}

/// A piece as the page shows it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct PieceView {
    /// Reason why the line defines no piece.
    fault: Option<String>,
    letter: String,
    betza: String,
    /// Line of `piecedef.ini`; `None` if only Betza's notation can express the piece.
    piecedef: Option<String>,
    /// Built-in piece with equal moves.
    known: Option<String>,
    /// Description of the moves, in a sentence.
    sentence: String,
    steps: Vec<Step>,
    /// Board with the piece among others: its moves and captures.
    preview: String,
}

/// One step, seen from White's side.
#[derive(Debug, Serialize)]
struct Step {
    right: i8,
    forward: i8,
    rides: bool,
    moves: bool,
    captures: bool,
}

pub(crate) async fn look(Query(wish): Query<PieceQuery>) -> Json<PieceView> {
    Json(view(&wish.piece))
}

/// Returns the piece that a line defines. A line without a letter is Betza's notation.
fn view(line: &str) -> PieceView {
    let line = line.trim();
    if line.is_empty() {
        return PieceView { letter: LETTER.to_string(), ..PieceView::default() };
    }
    let has_letter = line.chars().nth(1).is_some_and(|sign| " :=".contains(sign));
    let line = if has_letter { line.to_owned() } else { format!("{LETTER} = {line}") };
    let letter = line.chars().next().unwrap_or(LETTER);
    let set = match read(&line) {
        Ok(set) => set,
        Err(why) => return PieceView { fault: Some(why.to_string()), ..PieceView::default() },
    };
    let Some(piece) = set.get(letter) else { return PieceView::default() };
    PieceView {
        fault: None,
        letter: letter.to_string(),
        betza: piece.betza(),
        piecedef: piece.piecedef(),
        known: piece.common_name().map(str::to_owned),
        sentence: sentence(piece),
        preview: preview(letter, piece),
        steps: piece.steps().iter().map(step).collect(),
    }
}

fn step(atom: &MoveAtom) -> Step {
    Step {
        right: atom.dx,
        forward: atom.dy,
        rides: atom.reach > 1,
        moves: atom.quiet,
        captures: atom.capture,
    }
}

/// Square of the piece on the preview, d4, and the pieces around it: White's and Black's.
const PREVIEW_FROM: (i8, i8) = (3, 3);
const PREVIEW_PIECES: [(char, (i8, i8)); 6] =
    [('P', (3, 6)), ('p', (6, 6)), ('p', (5, 4)), ('P', (1, 3)), ('p', (6, 0)), ('p', (4, 6))];

/// Draws the piece on d4 of a board with some pawns: squares that it can move to, and pieces that
/// it can capture.
fn preview(letter: char, piece: &Piece) -> String {
    let piece_on =
        |square: (i8, i8)| PREVIEW_PIECES.iter().find(|(_, at)| *at == square).map(|one| one.0);
    let index = |(file, rank): (i8, i8)| u8::try_from(rank * 8 + file).unwrap_or(0);
    let (mut own, mut enemy) = (0, 0);
    for (sign, square) in PREVIEW_PIECES {
        let side = if sign.is_ascii_uppercase() { &mut own } else { &mut enemy };
        *side |= 1 << index(square);
    }
    let templates = piece.move_templates(Color::White);
    let mut marked: Vec<(u8, &str)> = vec![];
    for template in templates.possible(Square::new(index(PREVIEW_FROM)), own, enemy) {
        let taken = (0..64).filter(|square| template.take >> square & 1 != 0);
        marked.extend(taken.map(|square| (square, "taken")));
        if template.take >> template.to & 1 == 0 {
            marked.push((template.to, "target"));
        }
    }
    marked.sort_unstable();
    marked.dedup();
    let shown = |square| match square == PREVIEW_FROM {
        true => Some(letter.to_ascii_uppercase()),
        false => piece_on(square),
    };
    let row = |rank: i8| (0..8).map(|file| shown((file, rank)).unwrap_or('1')).collect::<String>();
    let placement = (0..8).rev().map(row).collect::<Vec<_>>().join("/");
    let figure = piece.common_name().and_then(Figure::named).unwrap_or(Figure::LETTER);
    let figures = [(letter.to_ascii_uppercase(), figure)];
    Board { placement: &placement, marked: &marked, figures: &figures, ..Board::default() }
        .to_string()
}

/// Describes the moves: `leaps (1,3)`, `rides (1,1) only to capture`. Each kind of step appears
/// once.
fn sentence(piece: &Piece) -> String {
    let mut parts: Vec<String> = vec![];
    for atom in piece.steps() {
        let (near, far) = (atom.dx.abs().min(atom.dy.abs()), atom.dx.abs().max(atom.dy.abs()));
        let kind = match atom.reach {
            1 => "leaps".to_owned(),
            REACH_ANY => "rides".to_owned(),
            reach => format!("rides up to {reach} times"),
        };
        let purpose = match (atom.quiet, atom.capture) {
            (true, false) => " without capturing",
            (false, true) => " only to capture",
            _ => "",
        };
        let part = format!("{kind} ({near},{far}){purpose}");
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts.extend(bent_parts(piece.bent()).into_iter().map(str::to_owned));
    let all = parts.join(", ");
    let mut chars = all.chars();
    chars
        .next()
        .map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), chars.as_str()))
}

/// Describes moves that are no steps; each property appears once.
fn bent_parts(bent: &[BentMove]) -> Vec<&'static str> {
    let legs = |test: fn(&umbrail_tables::fairy::Leg) -> bool| {
        bent.iter().flat_map(|mv| &mv.legs).any(test)
    };
    let early = |mv: &BentMove| mv.legs.iter().rev().skip(1).any(|leg| leg.capture);
    let parts = [
        (legs(|leg| leg.hop == Hop::Behind), "hops to the square behind a piece"),
        (legs(|leg| matches!(leg.hop, Hop::Any | Hop::Own)), "hops over a piece"),
        (legs(|leg| leg.midway == Midway::Empty), "leaps over an empty square (lame)"),
        (legs(|leg| leg.midway == Midway::Occupied), "leaps over a piece"),
        (legs(|leg| leg.skip > 0), "rides from beyond its first squares"),
        (bent.iter().any(|mv| mv.course == Course::Crooked), "rides zigzag"),
        (bent.iter().any(|mv| mv.course == Course::Circular), "rides in a circle"),
        (bent.iter().any(|mv| mv.cylinder), "goes round the board's edges"),
        (bent.iter().any(|mv| mv.legs.len() > 1), "moves in several legs"),
        (bent.iter().any(early), "captures on the way"),
    ];
    parts.into_iter().filter(|(has, _)| *has).map(|(_, part)| part).collect()
}

pub(crate) async fn designer(Query(wish): Query<PieceQuery>, headers: HeaderMap) -> Markup {
    let seen = view(&wish.piece);
    let shell =
        Shell { title: "Piece", here: "/tables", script: Some("piece.js"), headers: &headers };
    shell.page(&html! {
        h1 { "Design a piece" }
        div.split {
            div.side {
                p.hint.scripted { "Click a square: once, and the piece leaps there; twice, and it slides on in this direction; a third time removes it." }
                (grid(&seen))
                div.controls.scripted {
                    label { "Click sets"
                        select #mode {
                            option value="both" { "move and capture" }
                            option value="move" { "move only" }
                            option value="capture" { "capture only" }
                        }
                    }
                    label { "Symmetry"
                        select #symmetry {
                            option value="8" { "all eight directions" }
                            option value="4" { "left, right, forward, back" }
                            option value="2" { "left and right" }
                            option value="1" { "none" }
                        }
                    }
                    button type="button" #clear { "Empty" }
                }
            }
            form.panel #piece method="get" action="/pieces" {
                label { "Betza's notation, or a line of piecedef.ini"
                    input name="piece" maxlength="4000" value=(wish.piece) placeholder="X = (1,3)" spellcheck="false" autocomplete="off";
                }
                p.hint { "Letters are leaps, doubled they ride: " code { "WF" } ", " code { "NN" } "; " code { "m" } " only moves, " code { "c" } " only captures, " code { "f b l r" } " are directions. Hops " code { "gQ" } ", " code { "mRcpR" } ", lame leaps " code { "nN" } " and bent moves " code { "afsW" } " work, too. " a href="/help/tables-tutorial#1-write-it-down" { "The notation" } }
                div.controls { button { "Show" } }
                div.look #look aria-live="polite" { (reported(&seen)) }
                (palette())
            }
        }
    })
}

/// Writes the named pieces, as starting points.
fn palette() -> Markup {
    let set = PieceSet::default();
    // A pawn has moves of its own, which no movement describes.
    let named = set.pieces().filter(|piece| !piece.name.is_empty() && !piece.pawn);
    html! {
        details {
            summary { "Known pieces" }
            p.names {
                @for piece in named {
                    a href=(format!("/pieces?piece={}", quoted(&format!("{LETTER} = {}", piece.betza())))) { (piece.name) } " "
                }
            }
        }
    }
}

/// Writes the squares around the piece, from its own side.
fn grid(seen: &PieceView) -> Markup {
    html! {
        div.designer #grid role="group" aria-label="The squares around the piece; arrow keys move between them" {
            @for forward in (-EDGE..=EDGE).rev() {
                @for right in -EDGE..=EDGE {
                    @let found = seen.steps.iter().find(|step| (step.right, step.forward) == (right, forward));
                    @let shade = if (right + forward) % 2 == 0 { "even" } else { "odd" };
                    @if (right, forward) == (0, 0) {
                        span.middle aria-hidden="true" { (seen.letter) }
                    } @else {
                        // The Tab key stops once for the whole grid; arrow keys move within it.
                        button type="button" class=(shade) data-right=(right) data-forward=(forward)
                            tabindex=(if (right, forward) == (0, 1) { "0" } else { "-1" })
                            data-kind=[found.map(|step| if step.rides { "ride" } else { "step" })]
                            data-mode=[found.map(mode)]
                            aria-label=(format!("{right} to the right, {forward} forward"))
                        {}
                    }
                }
            }
        }
    }
}

fn mode(step: &Step) -> &'static str {
    match (step.moves, step.captures) {
        (true, false) => "move",
        (false, true) => "capture",
        _ => "both",
    }
}

/// Hint for pieces with moves that are no leaps or slides.
const BEYOND_GRID: &str =
    "The squares show only leaps and slides. A click on one of them begins a new piece.";

/// Writes the facts about the piece; the script writes equal lines.
fn reported(seen: &PieceView) -> Markup {
    let line = format!("{} = {}", seen.letter, seen.betza);
    let (letter, piece) = (&seen.letter, quoted(&line));
    html! {
        @if let Some(fault) = &seen.fault { p.fault { (fault) } }
        @if !seen.betza.is_empty() {
            table.figures {
                tr { th { "Betza" } td.mono { (line) } }
                tr { th { "piecedef.ini" } td.mono { @match &seen.piecedef { Some(steps) => { (letter) ": " (steps) } None => (line) } } }
                @if let Some(known) = &seen.known { tr { th { "known as" } td { (known) } } }
            }
            @if seen.piecedef.is_none() { p.hint { (BEYOND_GRID) } }
            p { (seen.sentence) }
            div.preview { (PreEscaped(&seen.preview)) }
            p {
                a href=(format!("/tables/K{letter}.K?metric=dtm&piece={piece}")) { "Does it mate a bare king?" } " "
                a href=(format!("/survey?pattern=K{letter}.K%3F&letters=QRBN&metric=dtm&piece={piece}")) { "How often does it win against Q, R, B, N?" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::view;

    #[test]
    fn a_piece_is_described_both_ways() {
        let camel = view("X = (1,3)");
        assert_eq!((camel.betza.as_str(), camel.piecedef.as_deref()), ("C", Some("3,1,*")));
        assert_eq!(
            (camel.known.as_deref(), camel.sentence.as_str()),
            (Some("camel"), "Leaps (1,3).")
        );
        assert_eq!(camel.steps.len(), 8);
        // From d4 to c1, e1, a3, a5, c7, g3, g5, and to the pawn on e7.
        assert_eq!(camel.preview.matches("mark target").count(), 7);
        assert_eq!(camel.preview.matches("mark taken").count(), 1);
        // A rook is stopped by its own pieces, one square before them.
        assert_eq!(view("R").preview.matches("mark target").count(), 4 + 3 + 2 + 1);
        assert_eq!(view("X: 1,3,*").betza, "C");
        assert_eq!(view("NN").known.as_deref(), Some("nightrider"));
        assert_eq!(
            view("X = fmWfcF").sentence,
            "Leaps (1,1) only to capture, leaps (0,1) without capturing."
        );
        // A grasshopper on d4 hops over d7, g7 and b4, to d8, h8 and a4.
        let grasshopper = view("gQ");
        assert_eq!(grasshopper.sentence, "Hops to the square behind a piece.");
        assert_eq!((grasshopper.steps.len(), grasshopper.piecedef), (0, None));
        let marks = |sort: &str| grasshopper.preview.matches(sort).count();
        assert_eq!((marks("mark target"), marks("mark taken")), (3, 0));
        assert!(view("X = i?").fault.is_some_and(|fault| fault.contains("Betza")));
        assert_eq!(view("  ").fault, None);
    }
}

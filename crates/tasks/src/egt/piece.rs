//! `egt piece`: the moves of a piece, drawn and in words.

use super::{Inputs, done, ended, notify};
use crate::records::egt::{PieceMove, PieceMoves};
use umbrail_chess::geometry::{Color, Square};
use umbrail_session::domain::Task;
use umbrail_session::message::Message;
use umbrail_session::module::Work;
use umbrail_session::task_error::TaskError;
use umbrail_tables::fairy::{Piece, PieceSet, Template, Templates};

/// Letter of a piece whose definition has none.
const LETTER: char = 'X';
/// Square of the piece, unless the task names one.
const FROM: Square = Square::D4;
/// Squares of own and enemy pieces on the second board.
const OBSTACLES: [[&str; 3]; 2] = [["b4", "d6", "f2"], ["g4", "d2", "f6"]];

pub(super) fn drawing(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let Inputs { task, config, .. } = inputs;
    let text = text(task)?;
    let from = match task.key("from") {
        None => FROM,
        Some(name) => {
            name.parse().map_err(|_| format!("from {name}: expected a square such as d4"))?
        }
    };
    let piece = piece_of(&text, &config.piece_set)?;
    let found = vec![message(&piece, from), ended(1)];
    Ok(done(found))
}

/// Returns the piece of a text. A single letter is the piece of the piece file, if the file defines it; else a movement
/// such as `N`; else the built-in piece with this letter.
pub(super) fn piece_of(text: &str, pieces: &PieceSet) -> Result<Piece, TaskError> {
    let mut letters = text.trim().chars();
    let (Some(letter @ 'A'..='Z'), None) = (letters.next(), letters.next()) else {
        return read(text);
    };
    let Some(piece) = pieces.get(letter) else { return read(text) };
    let is_defined =
        PieceSet::default().get(letter).is_none_or(|usual| usual.betza() != piece.betza());
    if is_defined {
        return Ok((**piece).clone());
    }
    Ok(read(text).unwrap_or_else(|_| (**piece).clone()))
}

/// Returns the text of the piece.
pub(super) fn text(task: &Task) -> Result<String, TaskError> {
    let text = task.subject.join(" ");
    let expects = "a letter, a movement such as gQ, or a line such as X = gQ";
    if text.trim().is_empty() { Err(TaskError::expects(task.verb, expects)) } else { Ok(text) }
}

/// Reads a movement in Betza's notation, a list of steps, or a line of `piecedef.ini`.
pub(super) fn read(text: &str) -> Result<Piece, TaskError> {
    let is_line =
        text.chars().filter(|c| !c.is_whitespace()).nth(1).is_some_and(|c| "=:".contains(c));
    // A list of steps begins with a number.
    let sign = if text.trim_start().starts_with(|c: char| c.is_ascii_digit()) { ':' } else { '=' };
    let line = if is_line { text.to_owned() } else { format!("{LETTER} {sign} {text}") };
    let letter = line.trim_start().chars().next().unwrap_or(LETTER);
    let set = PieceSet::with_definitions(&line).map_err(|errors| {
        errors.first().map_or_else(String::new, |error| error.fault.to_string())
    })?;
    let piece = set.get(letter).ok_or_else(|| format!("{text} defines no piece"))?;
    Ok((**piece).clone())
}

fn message(piece: &Piece, from: Square) -> Message {
    let templates = piece.move_templates(Color::White);
    let lists = [templates.quiet.at(from.number()), templates.captures.at(from.number())];
    let names = |set: u64| squares(set).map(|square| square.to_string()).collect::<Vec<_>>();
    let record = |template: &Template| PieceMove {
        to: Square::new(template.to).to_string(),
        takes: names(template.take),
        empty: names(template.empty & !(1 << template.from)),
        occupied: names(template.all),
        exactly_one: names(template.one),
        own: names(template.own),
        text: template.to_string(),
    };
    let record = PieceMoves {
        piece: piece.letter.to_string(),
        betza: piece.betza(),
        xboard: piece.betza_for_xboard(Color::White),
        piecedef: piece.piecedef(),
        from: from.to_string(),
        moves: lists.into_iter().flatten().map(record).collect(),
    };
    let mut message = notify::result(&record)
        .with("piece", record.piece.as_str())
        .with("betza", record.betza.as_str());
    message.page = page(piece, &templates, from, &record);
    message
}

fn page(piece: &Piece, templates: &Templates, from: Square, record: &PieceMoves) -> Vec<String> {
    let mut lines = vec![format!("{} = {}", record.piece, record.betza)];
    if let Some(line) = &record.piecedef {
        lines.push(format!("{}: {line}", record.piece));
    }
    if piece.pawn {
        lines.push("a pawn: it promotes on the last rank".to_owned());
    }
    let (alone, among) = (alone(piece, templates, from), among_others(piece, templates, from));
    lines.push(String::new());
    lines.push("   alone                 among pieces of both sides".to_owned());
    lines.extend(alone.iter().zip(&among).map(|(left, right)| format!("{left}    {right}")));
    lines.push(String::new());
    lines.push("o moves and captures   m only moves   c only captures (alone)".to_owned());
    lines.push(
        "P own piece   p enemy piece   o moves there   x is captured (among others)".to_owned(),
    );
    lines.push(String::new());
    match record.moves.len() {
        0 => lines.push(format!("no move from {from}")),
        _ => lines.extend(record.moves.iter().map(|mv| mv.text.clone())),
    }
    lines
}

fn squares(set: u64) -> impl Iterator<Item = Square> {
    Square::all().filter(move |square| set >> square.index() & 1 != 0)
}

/// Draws the squares where the piece moves when no other piece, or only the captured one, is on the
/// board.
fn alone(piece: &Piece, templates: &Templates, from: Square) -> Vec<String> {
    let quiet = templates.quiet.at(from.number()).iter().filter(|t| t.holds(0, 0));
    let moves = quiet.fold(0u64, |set, t| set | 1 << t.to);
    let captures = templates.captures.at(from.number()).iter();
    let captures = captures.filter(|t| t.take.is_power_of_two() && t.holds(0, t.take));
    let captures = captures.fold(0, |set, t| set | t.take);
    draw(|square| match square.index() {
        _ if square == from => piece.letter,
        at => match (moves >> at & 1 != 0, captures >> at & 1 != 0) {
            (true, true) => 'o',
            (true, false) => 'm',
            (false, true) => 'c',
            _ => '.',
        },
    })
}

/// Draws the moves of the piece among some others.
fn among_others(piece: &Piece, templates: &Templates, from: Square) -> Vec<String> {
    let [own, enemy] = OBSTACLES.map(|names| {
        let squares = names.iter().filter_map(|name| name.parse::<Square>().ok());
        squares.filter(|&s| s != from).fold(0u64, |set, s| set | 1 << s.index())
    });
    let (mut moves, mut taken) = (0u64, 0u64);
    for template in templates.possible(from, own, enemy) {
        moves |= 1 << template.to;
        taken |= template.take;
    }
    draw(|square| match square.index() {
        _ if square == from => piece.letter,
        at if taken >> at & 1 != 0 => 'x',
        at if enemy >> at & 1 != 0 => 'p',
        at if own >> at & 1 != 0 => 'P',
        at if moves >> at & 1 != 0 => 'o',
        _ => '.',
    })
}

fn draw(sign: impl Fn(Square) -> char) -> Vec<String> {
    let rank = |rank: u8| {
        let squares = (0..8).map(|file| sign(Square::new(rank * 8 + file)).to_string());
        format!("{} {}", rank + 1, squares.collect::<Vec<_>>().join(" "))
    };
    let mut lines: Vec<String> = (0..8).rev().map(rank).collect();
    lines.push("  a b c d e f g h".to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::{FROM, message, read};

    fn page(text: &str) -> Vec<String> {
        message(&read(text).unwrap(), FROM).page
    }

    #[test]
    fn a_cannon_is_drawn_and_described() {
        let lines = page("C = mRcpR");
        assert_eq!(lines[0], "C = mW0cpR");
        assert!(lines.contains(&"4 m m m C m m m m    4 . P o C o o p .".to_owned()), "{lines:#?}");
        assert!(lines.contains(&"d4 takes d8: exactly one piece on d5 d6 d7".to_owned()));
        assert!(lines.contains(&"d4 to d6: d5 empty".to_owned()));
    }

    #[test]
    fn steps_and_pawns_are_drawn_too() {
        let lines = page("X: 1,0,n 1,1,c+");
        assert_eq!(lines[1], "X: 1,1,c* 1,0,n");
        assert!(lines.contains(&"5 . . c m c . . .    5 . . . o . . . .".to_owned()), "{lines:#?}");
        assert!(page("P = fmWfcF").contains(&"a pawn: it promotes on the last rank".to_owned()));
    }

    #[test]
    fn faults_name_letter_and_column() {
        let fault = |text: &str| read(text).unwrap_err().to_string();
        assert!(fault("WiN").contains("\"i\" at column 2"), "{}", fault("WiN"));
        assert!(fault("X: 9,9").contains("9,9"), "{}", fault("X: 9,9"));
    }
}

//! A game from a table in XBoard: the pieces for its board, statistics and lines as thinking
//! output, moves in coordinates.

use super::text::{MATE, own_message, push};
use std::sync::Arc;
use umbrail_chess::geometry::Color;
use umbrail_session::event::{FromTable, GuiBoard};
use umbrail_session::{Piece, Score};

/// Letters of xboard's pieces in the order of its pictures, without the king.
const PICTURES: &str = "PNBRQFEACWMOHIJGDVLSU";

pub(super) fn write(printed: &FromTable, post: bool, out: &mut String) {
    match printed {
        FromTable::Pieces { letters, unusual, board } => pieces(letters, unusual, board, out),
        // A `(` anywhere would turn the row into a book line.
        FromTable::Row { time, nodes, text } if post => {
            let cs = time.as_millis() / 10;
            push(out, &format!("2 0 {cs} {nodes}\t{}", text.replace('(', "[").replace(')', "]")));
        }
        FromTable::Line { depth, score, nodes, pv, distance, .. } if post => {
            let score = match *score {
                Score::Cp(cp) => i64::from(cp),
                Score::Mate(moves) if moves > 0 => MATE + i64::from(moves),
                Score::Mate(moves) => -MATE + i64::from(moves),
            };
            push(out, &format!("{depth} {score} 0 {nodes}\t{} {{{distance}}}", pv.join(" ")));
        }
        FromTable::Listing(lines) if post => {
            for line in lines {
                push(out, &format!("2 0 0 1\t{line}"));
            }
        }
        FromTable::Row { .. } | FromTable::Line { .. } | FromTable::Listing(_) => {}
        FromTable::Moved(text) => push(out, &format!("move {}", passing(text))),
        FromTable::Hint(text) => push(out, &format!("Hint: {}", passing(text))),
        FromTable::Notice(text) => push(out, &format!("telluser {}", own_message(text))),
        // Only UCI has this event.
        FromTable::Best(_) => {}
    }
}

/// Converts a pass to xboard's notation.
fn passing(text: &str) -> &str {
    if text == "0000" { "@@@@" } else { text }
}

/// Writes `setup`, which gives the GUI the letters and a position, and `piece`, the moves of each
/// unusual piece.
fn pieces(letters: &[char], unusual: &[Arc<Piece>], board: &GuiBoard, out: &mut String) {
    if let Some(fen) = &board.fen {
        let table = picture_table(letters, board.only_these);
        let lower = table.to_ascii_lowercase();
        push(out, &format!("setup ({table}{lower}) {} {fen}", board.setup));
    }
    for piece in unusual {
        let letter = piece.letter.to_ascii_uppercase();
        let [white, black] = Color::ALL.map(|color| piece.betza_for_xboard(color));
        match (white, black) {
            (Some(white), Some(black)) if white == black => {
                push(out, &format!("piece {letter}& {white}"));
            }
            (Some(white), Some(black)) => {
                push(out, &format!("piece {letter} {white}"));
                push(out, &format!("piece {} {black}", letter.to_ascii_lowercase()));
            }
            // A wrong line would make XBoard refuse the moves; see `warn`.
            _ => {}
        }
    }
}

/// Warns once of each piece with moves that XBoard cannot check, and suggests a remedy.
pub(super) fn warn(unusual: &[Arc<Piece>], warned: &mut Vec<Arc<Piece>>, out: &mut String) {
    for piece in unusual {
        if piece.betza_for_xboard(Color::White).is_some() || warned.contains(piece) {
            continue;
        }
        warned.push(piece.clone());
        let Piece { letter, name, .. } = &**piece;
        let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
        push(
            out,
            &format!(
                "telluser XBoard's notation cannot express the moves of {letter}{name}: switch off \
                 Test Legality in XBoard's General Options, or XBoard refuses them"
            ),
        );
    }
}

/// Returns half of the picture table: orthodox pieces unless only these letters exist, those of the
/// endgame at their own picture or at a free one, and the king last.
fn picture_table(letters: &[char], only_these: bool) -> String {
    let exists = |c: char| "PNBRQ".contains(c) && (!only_these || letters.contains(&c));
    let mut slots: Vec<char> = PICTURES.chars().map(|c| if exists(c) { c } else { '.' }).collect();
    for &letter in letters.iter().filter(|letter| !"PNBRQK".contains(**letter)) {
        let own = PICTURES.find(letter).filter(|&at| slots[at] == '.');
        if let Some(at) = own.or_else(|| slots.iter().rposition(|&slot| slot == '.')) {
            slots[at] = letter;
        }
    }
    slots.into_iter().chain(['K']).collect()
}

#[cfg(test)]
mod tests {
    use super::picture_table;

    #[test]
    fn every_letter_has_a_picture_and_the_king_is_last() {
        assert_eq!(picture_table(&['K', 'A', 'L'], false), "PNBRQ..A..........L..K");
        assert_eq!(picture_table(&['K', 'Y', 'Z'], false), "PNBRQ..............ZYK");
        assert_eq!(picture_table(&['P', 'N', 'R', 'Q', 'K'], true), "PN.RQ................K");
    }
}

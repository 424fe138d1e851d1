//! What a game from a table says to XBoard: the men for its board, statistics and lines as thinking
//! output, moves in coordinates.

use super::say::{MATE, harmless, push};
use crate::session::Score;
use crate::session::event::FromTable;

/// Letters of xboard's men in the order of its snapshots, without the king.
const PICTURES: &str = "PNBRQFEACWMOHIJGDVLSU";

pub(super) fn say(said: &FromTable, post: bool, out: &mut String) {
    match said {
        FromTable::Pieces { letters, moves, fen } => pieces(letters, moves, fen.as_deref(), out),
        // A `(` anywhere would make it a line of a book.
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
        FromTable::Notice(text) => push(out, &format!("telluser {}", harmless(text))),
        // UCI's word.
        FromTable::Best(_) => {}
    }
}

/// A pass as xboard writes it.
fn passing(text: &str) -> &str {
    if text == "0000" { "@@@@" } else { text }
}

/// `setup` gives the GUI the letters and a position, `piece` the moves of each unusual man.
fn pieces(letters: &[char], moves: &[(char, String)], fen: Option<&str>, out: &mut String) {
    if let Some(fen) = fen {
        let table = picture_table(letters);
        let lower = table.to_ascii_lowercase();
        push(out, &format!("setup ({table}{lower}) 8x8+0_fairy {fen}"));
    }
    for (letter, betza) in moves {
        // What xboard cannot express is left to the user, who switches legality testing off.
        if !betza.contains(['(', 'J', 'L']) {
            push(out, &format!("piece {letter}& {betza}"));
        }
    }
}

/// Half of the table: orthodox men, those of the endgame at their own snapshot or at any free one,
/// and the king last.
fn picture_table(letters: &[char]) -> String {
    let mut slots: Vec<char> =
        PICTURES.chars().map(|c| if "PNBRQ".contains(c) { c } else { '.' }).collect();
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
        assert_eq!(picture_table(&['K', 'A', 'L']), "PNBRQ..A..........L..K");
        assert_eq!(picture_table(&['K', 'Y', 'Z']), "PNBRQ..............ZYK");
    }
}

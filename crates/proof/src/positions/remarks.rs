//! Remarks about problems that are stated without a contradiction, but that hardly anyone means.

use super::fairy_problem::{FairyProblem, PieceName};
use umbrail_chess::geometry::Square;

/// Pairs of conditions that leave nothing to be done, or that one game cannot have in orthodox chess.
const TOGETHER: [(&str, &str, &str); 4] = [
    ("WhiteCastlesKingside", "WhiteCastlesQueenside", "White castles at most once"),
    ("BlackCastlesKingside", "BlackCastlesQueenside", "Black castles at most once"),
    ("WhiteMustCapture", "NoWhiteCapture", "White must capture, but does not capture"),
    ("BlackMustCapture", "NoBlackCapture", "Black must capture, but does not capture"),
];

impl FairyProblem {
    /// Returns remarks on conditions that exclude each other, on squares without a piece, and on letters of chess with
    /// another meaning.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![];
        let has = |name: &str| self.conditions.iter().any(|one| one.name == name);
        // Under conditions of other kinds, a king or rook may regain the right to castle.
        let is_plain = self.conditions.iter().all(|one| {
            TOGETHER.iter().any(|(first, second, _)| [*first, *second].contains(&one.name))
                || super::names::is_of_game(one.name)
        });
        for (first, second, why) in TOGETHER {
            if has(first) && has(second) && (is_plain || second.starts_with("No")) {
                remarks.push(format!("{first} and {second}: {why}"));
            }
        }
        let start = self.start_setup();
        for one in self.conditions.iter().filter(|one| one.name == "NeverMoves") {
            let is_empty = |square: &&Square| start.piece(**square).is_none();
            for square in one.squares.iter().filter(is_empty) {
                remarks.push(format!("{square} is empty at the start, so no piece of it can move"));
            }
        }
        for (letter, piece) in &self.letters {
            let role = umbrail_chess::Role::from_letter(*letter);
            if let Some(role) = role.filter(|role| PieceName::Standard(*role) != *piece) {
                remarks.push(format!(
                    "{letter} means {}; a {} needs another letter",
                    piece.word(),
                    PieceName::Standard(role).word()
                ));
            }
        }
        remarks
    }
}

#[cfg(test)]
mod tests {
    use crate::files::sheet::read;

    #[test]
    fn what_hardly_anyone_means_gets_a_remark() {
        let remarks = |lines: &str| {
            let text = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\nPG in 2.0\n{lines}\n");
            read(&text).remove(0).unwrap().problem.remarks()
        };
        for (lines, expected) in [
            ("White castles kingside\nWhite castles queenside", "White castles at most once"),
            ("BlackMustCapture\nNoBlackCapture", "Black must capture, but does not capture"),
            ("never moves d5 e1", "d5 is empty at the start"),
            ("Piece: N=nightrider", "N means nightrider; a knight needs another letter"),
        ] {
            let found = remarks(lines);
            assert!(found.len() == 1 && found[0].contains(expected), "{lines}: {found:?}");
        }
        for lines in ["White castles kingside\nBlack castles queenside", "never moves e1", "Circe"]
        {
            assert_eq!(remarks(lines), [""; 0], "{lines}");
        }
    }
}

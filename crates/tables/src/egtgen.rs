//! EGTgen's notation of positions: octal indices, and the list of White's moves.
//!
//! An index has two octal digits (rank, file) for each piece: White's in the order named, then
//! Black's in reverse, so that Black's royal comes last. `2034252` in KQ.KR is Kc1 Qd1, Rc5 Kc6. A
//! captured piece is encoded on its enemy's, that is on White's royal's, square.

use super::fairy_board::{BoardPiece, FairyBoard};
use super::material::Material;
use super::probe::ProbeError;
use super::rights::Rights;
use super::rules::Metric;
use super::tablebase::Tablebase;
use super::value::TableValue;
use std::fmt;
use umbrail_chess::geometry::{Color, Square};

/// One of White's pseudo-legal moves, as EGTgen lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedMove {
    /// Coordinates, such as `d1d5`.
    pub name: String,
    /// Result of the move.
    pub(crate) verdict: Listed,
    /// Index of the position after the move.
    pub(crate) index: u64,
}

/// Result of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Listed {
    /// It captures Black's royal.
    Royal,
    /// Black, to move, is lost: EGTgen's label less that of a checkmate.
    Lost(i32),
    /// Black is not lost.
    Draw,
    /// It leaves White's royal en prise.
    EnPrise,
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Royal => f.write_str("  # "),
            Self::Lost(n) => write!(f, "{n:3} "),
            Self::Draw => f.write_str("draw"),
            Self::EnPrise => f.write_str("  - "),
        }
    }
}

/// Listing of a position in EGTgen's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// White's moves.
    pub moves: Vec<ListedMove>,
    /// Move with the lowest distance, the first of equals.
    pub best: Option<ListedMove>,
    /// Unit of the distances.
    metric: Metric,
}

impl fmt::Display for Listing {
    /// Writes one line per move with tabs, as EGTgen prints them, then the line of the best move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for mv in &self.moves {
            writeln!(f, "{}:\t{}\t{:10o}", mv.name, mv.verdict, mv.index)?;
        }
        if let Some(ListedMove { verdict: Listed::Lost(n), index, .. }) = self.best {
            match self.metric {
                // A winning capture or promotion has no distance under these metrics.
                Metric::Level if n < 0 => writeln!(f, "{index:10o} wins by a conversion")?,
                Metric::Dtm => writeln!(f, "{index:10o} mate in {n}")?,
                metric => writeln!(f, "{index:10o} mate in {n}{}", unit(metric))?,
            }
        }
        Ok(())
    }
}

/// Returns the unit of a distance as a suffix in words; empty for moves to mate.
pub fn unit(metric: Metric) -> &'static str {
    match metric {
        Metric::Dtm => "",
        Metric::Dtc => " (to mate or conversion)",
        Metric::Dtz => " (to mate, capture or pawn move)",
        Metric::Level => " (EGTgen's level count, in which conversions cost nothing)",
    }
}

/// Returns the index of a board in EGTgen's numbering of this material. Pieces of the material that
/// are missing on the board count as captured. None when the board has pieces that the material
/// lacks.
pub fn index(board: &FairyBoard, material: &Material) -> Option<u64> {
    let home = board.royal(Color::White);
    let mut left: Vec<&BoardPiece> = board.pieces.iter().collect();
    let mut index = 0;
    let sides = [
        (Color::White, material.side(Color::White).to_vec()),
        (Color::Black, material.side(Color::Black).to_vec()),
    ];
    let mut digits = Vec::new();
    for (color, pieces) in sides {
        let mut squares = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            let fits = |m: &&BoardPiece| m.color == color && m.piece == *piece;
            // The royal is the first piece of its color on the board, so it is found first.
            let found = left.iter().position(fits);
            let square = match found {
                Some(at) => left.remove(at).square,
                None if number == 0 => return None,
                None => home,
            };
            squares.push(square);
        }
        if color == Color::Black {
            squares.reverse();
        }
        digits.extend(squares);
    }
    if !left.is_empty() {
        return None;
    }
    for square in digits {
        index = index << 6 | square.index() as u64;
    }
    Some(index)
}

/// Returns the board of an index, with White to move; pieces on White's royal's square are
/// captured. None when the index is too large or two pieces share another square.
pub fn board(index: u64, material: &Material) -> Option<FairyBoard> {
    let count = material.count();
    if index >> (6 * count) != 0 {
        return None;
    }
    let square = |i: usize| Square::new((index >> (6 * (count - 1 - i)) & 63) as u8);
    let white = material.side(Color::White);
    let black = material.side(Color::Black);
    let home = square(0);
    let mut pieces: Vec<BoardPiece> = Vec::new();
    let placed = white
        .iter()
        .enumerate()
        .map(|(i, p)| (p, Color::White, square(i)))
        .chain(black.iter().enumerate().map(|(i, p)| (p, Color::Black, square(count - 1 - i))));
    for (number, (piece, color, square)) in placed.enumerate() {
        let is_royal = number == 0 || number == white.len();
        if !is_royal && square == home {
            continue;
        }
        let taken = pieces.iter().any(|m| m.square == square);
        if taken || (piece.pawn && matches!(square.rank(), 0 | 7)) {
            return None;
        }
        pieces.push(BoardPiece { piece: piece.clone(), color, square });
    }
    Some(FairyBoard { pieces, turn: Color::White, en_passant: None, rights: Rights::NONE })
}

/// Returns the board as text, the eighth rank on top, White's pieces in upper case.
pub fn diagram(board: &FairyBoard) -> Vec<String> {
    let cell = |square: Square| match board.at(square) {
        Some(piece) if piece.color.is_white() => piece.piece.letter.to_ascii_uppercase(),
        Some(piece) => piece.piece.letter.to_ascii_lowercase(),
        None => '.',
    };
    let rank = |rank: u8| {
        (0..8).map(|file| cell(Square::at(file, rank)).to_string()).collect::<Vec<_>>().join(" ")
    };
    (0..8).rev().map(rank).collect()
}

impl Tablebase {
    /// Returns EGTgen's listing of a board: all pseudo-legal moves of White (with either side to
    /// move) with the distance of the resulting position. It requires a table under
    /// [`Metric::Level`] for EGTgen's DTC figures, or under DTM.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when a table is missing.
    pub fn listing(&self, board: &FairyBoard) -> Result<Listing, ProbeError> {
        let board = FairyBoard { turn: Color::White, en_passant: None, ..board.clone() };
        let royal = board.royal(Color::Black);
        let mut moves = Vec::new();
        for mv in board.pseudo_moves(&self.promotions()) {
            let after = board.after(&mv);
            let verdict = if mv.takes(royal) {
                Listed::Royal
            } else if after.attacks(Color::Black, after.royal(Color::White)) {
                Listed::EnPrise
            } else {
                match self.value(&FairyBoard { en_passant: None, ..after.clone() })? {
                    TableValue::Loss(ply) => Listed::Lost(match self.rules().metric {
                        // A sub-ending is won without a distance: EGTgen's label 1 less 10.
                        Metric::Level if mv.is_conversion() => -9,
                        Metric::Dtc if mv.is_conversion() => 0,
                        _ => (ply / 2) as i32,
                    }),
                    _ => Listed::Draw,
                }
            };
            let index = index(&after, self.material()).unwrap_or(0);
            let name = mv.to_string();
            moves.push(ListedMove { name, verdict, index });
        }
        let best =
            moves.iter().filter(|m| m.verdict < Listed::EnPrise).min_by_key(|m| m.verdict).cloned();
        Ok(Listing { moves, best, metric: self.rules().metric })
    }
}

#[cfg(test)]
mod tests {
    use super::{board, index};
    use crate::Material;
    use crate::fairy::PieceSet;

    #[test]
    fn indices_round_trip() {
        let material = Material::read("KQ.KR", &PieceSet::default()).unwrap();
        let there = board(0o02_03_42_52, &material).unwrap();
        assert_eq!(there.to_fen(), "8/8/2k5/2r5/8/8/8/2KQ4 w - - 0 1");
        assert_eq!(index(&there, &material), Some(0o02_03_42_52));
        // The rook is captured: it is encoded on White's king's square.
        let without = board(0o02_03_02_52, &material).unwrap();
        assert_eq!(without.pieces.len(), 3);
        assert_eq!(index(&without, &material), Some(0o02_03_02_52));
        assert!(board(0o1_02_03_02_52, &material).is_none());
        assert!(board(0o02_52_42_52, &material).is_none());
    }
}

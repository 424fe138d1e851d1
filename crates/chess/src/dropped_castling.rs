//! Castling rights that standard chess does not allow, to be reported to the user.

use super::castling_mode::CastlingMode;
use super::position::Position;
use crate::geometry::{Bitboard, Setup};
use std::fmt;

/// Castling rights that a setup states and its position lacks, because they are rights of Chess960
/// and the position is one of standard chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DroppedCastling {
    /// Rooks with which Chess960 would allow castling.
    pub rooks: Bitboard,
}

impl DroppedCastling {
    /// Returns the rights dropped when the position was created from this setup; none when no right
    /// was dropped.
    pub fn of(setup: &Setup, position: &Position) -> Option<Self> {
        let all = Position::from_setup(setup, CastlingMode::Chess960).ok()?;
        let rooks = all.castling_rooks() & !position.castling_rooks();
        rooks.any().then_some(Self { rooks })
    }
}

impl fmt::Display for DroppedCastling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares: Vec<String> = self.rooks.squares().map(|square| square.to_string()).collect();
        match squares.as_slice() {
            [one] => write!(f, "castling right of the rook on {one} dropped")?,
            [first @ .., last] => {
                write!(
                    f,
                    "castling rights of the rooks on {} and {last} dropped",
                    first.join(", ")
                )?;
            }
            [] => write!(f, "no castling right dropped")?,
        }
        write!(
            f,
            ": in standard chess the king castles from the e-file with a rook on the a- or h-file"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::DroppedCastling;
    use crate::{CastlingMode, Position};

    fn dropped(fen: &str, mode: CastlingMode) -> Option<String> {
        let setup = fen.parse().unwrap();
        let position = Position::from_setup(&setup, mode).unwrap();
        DroppedCastling::of(&setup, &position).map(|dropped| dropped.to_string())
    }

    #[test]
    fn only_rights_of_chess960_are_reported() {
        let why =
            "in standard chess the king castles from the e-file with a rook on the a- or h-file";
        let walked = "r4k1r/8/8/8/8/8/8/R4K1R w KQk - 0 1";
        let given = format!("castling rights of the rooks on a1, h1 and h8 dropped: {why}");
        assert_eq!(dropped(walked, CastlingMode::Standard), Some(given));
        assert_eq!(dropped(walked, CastlingMode::Chess960), None);
        let given = format!("castling right of the rook on a1 dropped: {why}");
        let walked = "4k3/8/8/8/8/8/8/R5K1 w Q - 0 1";
        assert_eq!(dropped(walked, CastlingMode::Standard), Some(given));
        // No castling rules allow these rights.
        for careless in ["4k3/8/8/8/8/8/5K2/R6R w KQ - 0 1", "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1"] {
            assert_eq!(dropped(careless, CastlingMode::Standard), None, "{careless}");
        }
    }
}

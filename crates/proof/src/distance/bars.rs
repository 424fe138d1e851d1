//! Pawns that stay on their file and therefore block it for rooks and queens, wherever they stand
//! on it.

use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Pawns that stay on their home file for the whole game, between their origin and final square. No
/// piece steps along a file across all squares where such a pawn can be.
///
/// *Admissible*: at any time the pawn stands on one of them, and not at the start of the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bars {
    /// One byte by color and file: the final rank of the pawn, 0 for no pawn.
    ranks: [u64; 2],
}

impl Bars {
    /// Adds a pawn by the file of its origin and its final rank.
    #[must_use]
    pub(crate) const fn with(mut self, color: Color, file: u8, rest: u8) -> Self {
        let shift = 8 * (file & 7) as u32;
        let ranks = &mut self.ranks[color as usize];
        *ranks = *ranks & !(0xFF << shift) | (rest as u64) << shift;
        self
    }

    /// Returns the final rank of the pawn of a color and file, if it stays on its file.
    #[inline]
    pub(crate) const fn rest(self, color: Color, file: u8) -> Option<u8> {
        match (self.ranks[color as usize] >> (8 * (file & 7) as u32)) as u8 {
            0 => None,
            rest => Some(rest),
        }
    }

    /// Returns the squares of its file that cannot be reached from a square in one step.
    pub(crate) fn behind(self, from: Square) -> Bitboard {
        let (file, rank) = (from.file(), from.rank());
        let mut behind = Bitboard::EMPTY;
        for (color, home) in [(Color::White, 1), (Color::Black, 6)] {
            let Some(rest) = self.rest(color, file) else { continue };
            let (low, high) = (home.min(rest), home.max(rest));
            let beyond: std::ops::RangeInclusive<u8> = if rank <= low && rank < high {
                high..=7
            } else if rank >= high && rank > low {
                0..=low
            } else {
                continue;
            };
            behind |= beyond.map(|rank| Square::at(file, rank)).collect::<Bitboard>();
        }
        behind
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::distance::TableCache;
    use umbrail_chess::Role;

    fn sq(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn no_piece_steps_over_a_pawn_that_stays_on_its_file() {
        let mut tables = TableCache::new(Rules::default());
        // A black pawn somewhere between e7 and e5.
        let barred = tables.of(Bitboard::EMPTY, Bars::default().with(Color::Black, 4, 4));
        let rook = barred.table(Color::White, Role::Rook);
        assert_eq!(rook.moves(sq("e1"), sq("e8")), 2);
        assert_eq!(rook.moves(sq("e1"), sq("e7")), 2);
        assert_eq!(rook.moves(sq("e7"), sq("e4")), 2);
        assert_eq!((rook.moves(sq("e1"), sq("e6")), rook.moves(sq("e6"), sq("e8"))), (1, 1));
        let queen = barred.table(Color::Black, Role::Queen);
        assert_eq!(queen.moves(sq("e8"), sq("e5")), 2);
        assert_eq!(barred.table(Color::White, Role::King).moves(sq("e4"), sq("e5")), 1);
    }
}

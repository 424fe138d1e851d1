//! Inputs and output bucket of a position.

use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Position, Role};

/// Number of inputs of one king bucket: two colors, six roles, 64 squares.
pub const INPUTS: usize = 2 * 6 * 64;

/// Allowed numbers of king buckets.
pub const KING_BUCKETS: [usize; 2] = [1, 3];

/// Returns the bucket of a king on this file, mirrored to 0..=3, and this rank from its own side.
///
/// Three buckets: 1 near the corner (files a and b, ranks 1 and 2, typical after castling), 0
/// elsewhere on these two ranks, and 2 farther up, typical of endgames.
fn king_bucket(file: u8, rank: u8, king_buckets: usize) -> usize {
    match (king_buckets, rank) {
        (3, 0 | 1) => usize::from(file < 2),
        (3, _) => 2,
        _ => 0,
    }
}

/// View of the board by one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub(super) side: Color,
    /// True if files are mirrored, because the own king stands on files e to h.
    pub(super) is_mirrored: bool,
    /// King bucket of the own king, which selects the weights.
    pub(super) king_bucket: usize,
}

impl View {
    pub(super) fn of(side: Color, king: Square, king_buckets: usize) -> Self {
        let is_mirrored = king.file() >= 4;
        let file = if is_mirrored { 7 - king.file() } else { king.file() };
        let rank = if side.is_white() { king.rank() } else { 7 - king.rank() };
        Self { side, is_mirrored, king_bucket: king_bucket(file, rank, king_buckets) }
    }

    /// Returns the index of the view among those of a side, 0 to twice the king buckets.
    pub(super) fn index(self) -> usize {
        2 * self.king_bucket + usize::from(self.is_mirrored)
    }

    /// Returns the input of a piece on a square.
    #[inline]
    pub(super) fn input(self, color: Color, role: Role, square: Square) -> usize {
        let ranks = if self.side.is_white() { 0 } else { 56 };
        let files = if self.is_mirrored { 7 } else { 0 };
        let enemy = usize::from(color != self.side);
        let piece = enemy * 384 + role.index() * 64 + (square.index() ^ ranks ^ files);
        self.king_bucket * INPUTS + piece
    }
}

/// Returns the active inputs from this side's view, one for each piece, below [`INPUTS`] times the
/// king buckets.
pub fn inputs(
    position: &Position,
    side: Color,
    king_buckets: usize,
) -> impl Iterator<Item = usize> + '_ {
    let view = View::of(side, position.king(side), king_buckets);
    Color::ALL.into_iter().flat_map(move |color| {
        Role::ALL.into_iter().flat_map(move |role| {
            position.pieces(color, role).squares().map(move |at| view.input(color, role, at))
        })
    })
}

/// Returns the output bucket for a number of pieces: 2 to 32 pieces in `buckets` equal parts, few
/// pieces first.
pub fn bucket(pieces: u32, buckets: usize) -> usize {
    (pieces.clamp(2, 32) - 2) as usize * buckets / 31
}

/// Pieces of a board, for the comparison of two boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PieceMasks {
    colors: [Bitboard; 2],
    roles: [Bitboard; 6],
}

impl PieceMasks {
    pub(super) fn of(position: &Position) -> Self {
        Self {
            colors: Color::ALL.map(|color| position.by_color(color)),
            roles: Role::ALL.map(|role| position.by_role(role)),
        }
    }

    /// Returns the squares on which the pieces differ.
    #[inline]
    pub(super) fn difference(&self, other: &Self) -> Bitboard {
        let mut squares = 0;
        for (own, others) in self.colors.iter().zip(&other.colors) {
            squares |= own.0 ^ others.0;
        }
        for (own, others) in self.roles.iter().zip(&other.roles) {
            squares |= own.0 ^ others.0;
        }
        Bitboard(squares)
    }

    /// Returns true if sums of these pieces can be updated to sums of this view: they have the same
    /// view or no pieces.
    #[inline]
    pub(super) fn fit(&self, view: View, king_buckets: usize) -> bool {
        let king = self.colors[view.side.index()] & self.roles[Role::King.index()];
        king.first().is_none_or(|king| View::of(view.side, king, king_buckets) == view)
    }

    /// Returns the piece on a square, without branches, which would often be mispredicted.
    #[inline]
    pub(super) fn piece(&self, square: Square) -> Option<(Color, Role)> {
        let [white, black] = self.colors;
        if !(white | black).contains(square) {
            return None;
        }
        let [_, knights, bishops, rooks, queens, kings] = self.roles;
        let bit = |set: Bitboard| usize::from(set.contains(square));
        let role =
            bit(knights | rooks | kings) + 2 * bit(bishops | rooks) + 4 * bit(queens | kings);
        Some((Color::ALL[bit(black)], Role::ALL[role]))
    }
}

#[cfg(test)]
mod tests {
    use super::{INPUTS, KING_BUCKETS, View};
    use umbrail_chess::Role;
    use umbrail_chess::geometry::{Color, Square};

    #[test]
    fn kings_choose_their_bucket_as_their_own_side_sees_them() {
        let bucket = |side, name: &str| View::of(side, name.parse().unwrap(), 3).king_bucket;
        let squares = [("a1", "a8", 1), ("b2", "b7", 1), ("g1", "g8", 1), ("h2", "h7", 1)];
        let others = [("e1", "e8", 0), ("c2", "f7", 0), ("h3", "h6", 2), ("d8", "d1", 2)];
        for (white, black, expected) in squares.into_iter().chain(others) {
            assert_eq!(bucket(Color::White, white), expected, "{white}");
            assert_eq!(bucket(Color::Black, black), expected, "{black}");
        }
    }

    #[test]
    fn every_view_has_its_index_and_its_inputs() {
        for buckets in KING_BUCKETS {
            let mut seen = vec![0; 2 * buckets];
            for king in Square::all() {
                let view = View::of(Color::Black, king, buckets);
                seen[view.index()] += 1;
                let input = view.input(Color::White, Role::King, king);
                assert_eq!(input / INPUTS, view.king_bucket);
            }
            assert!(seen.iter().all(|&squares| squares > 0), "{seen:?}");
            assert_eq!(seen.iter().sum::<u32>(), 64);
        }
    }
}

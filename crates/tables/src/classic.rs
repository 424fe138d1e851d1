//! Classic index: king pairs, squares, combinations, and codes for en passant and castling.
//!
//! The numbering is that of the Danish notes "Generering og Komprimering af Slutspil i Skak" (and,
//! apart from details, of most orthodox tables). Pieces are in the order `KQRBNP kqrbnp`. Without
//! pawns and castling rights there are 462 placements of the kings up to symmetry, else 1,806.
//! Other pieces count 64 squares, pawns 48; identical pieces are one combination.
//!
//! *En passant.* Both pawns of a possible capture are encoded on one square, which is otherwise
//! impossible for two pieces. There are 28 such pairs (two for each of the inner files' pawns, one
//! at the edge, both colors), coded by the first 28 of the 48 pawn squares.
//!
//! *Castling.* A rook with the short right is encoded on its own king's square, with the long right
//! on the enemy king's. Castling has no symmetry, but the kings' placement may still be reduced: if
//! the king does not stand where castling requires it, decoding reverses the symmetry.
//!
//! *Plain index.* An index without any of this is the side to move and six bits per piece
//! ([`plain_index`]), and a position has one signed byte ([`code`]).
//!
//! The table builder has its own layout; this codec serves interchange and comparison.

use super::value::TableValue;
use umbrail_chess::geometry::{Square, Symmetry, SymmetryGroup};

/// Pair of pawns of which one may capture the other en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassantPair {
    /// Pawn that made the double step.
    pub(crate) pusher: Square,
    /// Pawn that may capture it.
    pub(crate) taker: Square,
}

/// Returns all 28 pairs in the order of their codes: White's double steps first, by the pusher's
/// file, the taker to its left before the one to its right.
pub fn passant_pairs() -> Vec<PassantPair> {
    let mut pairs = Vec::with_capacity(28);
    for rank in [3, 4] {
        for file in 0..8 {
            let pusher = Square::at(file, rank);
            for dx in [-1, 1] {
                pairs.extend(pusher.offset(dx, 0).map(|taker| PassantPair { pusher, taker }));
            }
        }
    }
    pairs
}

/// Returns the square that codes a pair: the code-th of the 48 pawn squares. None when the pawns
/// cannot result from a double step.
pub fn passant_code(pair: PassantPair) -> Option<Square> {
    let code = passant_pairs().iter().position(|p| *p == pair)?;
    Some(Square::new(8 + code as u8))
}

/// Returns the pair coded by a shared square; none for the 20 pawn squares without a code.
pub fn passant_pair(code: Square) -> Option<PassantPair> {
    passant_pairs().get(usize::from(code.number().checked_sub(8)?)).copied()
}

/// Castling right of a rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingWing {
    /// With the rook on the h-file.
    Short,
    /// With the rook on the a-file.
    Long,
}

/// Returns the stored square of a white rook with a castling right, for kings on e1 and `enemy`,
/// after the symmetry that the kings' reduction applied.
pub fn castling_code(right: CastlingWing, enemy: Square, symmetry: Symmetry) -> Square {
    symmetry.square(match right {
        CastlingWing::Short => Square::E1,
        CastlingWing::Long => enemy,
    })
}

/// Decodes a stored rook with a castling right: the right, the symmetry that returns the king to
/// e1, and the rook's real square. None when the rook shares no king's square, or the king cannot
/// stand on e1 under the group.
pub fn castling_rook(
    king: Square,
    enemy: Square,
    rook: Square,
    group: SymmetryGroup,
) -> Option<(CastlingWing, Symmetry, Square)> {
    let right = if rook == king {
        CastlingWing::Short
    } else if rook == enemy {
        CastlingWing::Long
    } else {
        return None;
    };
    let back = group.members().find(|s| s.square(king) == Square::E1)?;
    let square = match right {
        CastlingWing::Short => Square::H1,
        CastlingWing::Long => Square::A1,
    };
    Some((right, back, square))
}

/// Placements of two kings that are not neighbors, up to symmetry.
#[derive(Clone, Debug)]
pub struct KingPairs {
    pairs: Vec<(Square, Square)>,
    group: SymmetryGroup,
}

impl KingPairs {
    /// Returns 462 pairs, for all eight symmetries.
    pub fn without_pawns() -> Self {
        Self::new(SymmetryGroup::FULL)
    }

    /// Returns 1,806 pairs, for the left–right mirror only.
    pub fn with_pawns() -> Self {
        Self::new(SymmetryGroup::of(|s| matches!(s, Symmetry::IDENTITY | Symmetry::FLIP_FILES)))
    }

    fn new(group: SymmetryGroup) -> Self {
        let mut pairs = Vec::new();
        for white in Square::all() {
            for black in Square::all().filter(|b| white.distance(*b) > 1) {
                if (white, black) == first_image(group, white, black).0 {
                    pairs.push((white, black));
                }
            }
        }
        Self { pairs, group }
    }

    /// Returns the number of pairs.
    #[expect(clippy::len_without_is_empty, reason = "it is 462 or 1,806, never empty")]
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns the number of a pair and the symmetry that maps it to its reduced form; none for
    /// neighbors.
    pub fn encode(&self, white: Square, black: Square) -> Option<(usize, Symmetry)> {
        let (image, by) = first_image(self.group, white, black);
        self.pairs.binary_search(&image).ok().map(|number| (number, by))
    }

    /// Returns the squares of a number; none beyond the last.
    pub fn decode(&self, number: usize) -> Option<(Square, Square)> {
        self.pairs.get(number).copied()
    }
}

/// Returns the lowest image, and the symmetry that maps to it.
fn first_image(group: SymmetryGroup, white: Square, black: Square) -> ((Square, Square), Symmetry) {
    group
        .members()
        .map(|s| ((s.square(white), s.square(black)), s))
        .min()
        .unwrap_or(((white, black), Symmetry::IDENTITY))
}

/// Run of identical pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceGroup {
    /// Number of pieces.
    pub(crate) count: usize,
    /// True for pawns, with 48 squares each.
    pub(crate) pawns: bool,
}

/// Classic index of a material: side to move, kings, and runs of identical pieces.
#[derive(Clone, Debug)]
pub struct ClassicIndex {
    kings: KingPairs,
    runs: Vec<PieceGroup>,
}

impl ClassicIndex {
    /// Creates the index of these runs of pieces besides the kings.
    pub fn new(runs: &[PieceGroup]) -> Self {
        let pawns = runs.iter().any(|r| r.pawns);
        let kings = if pawns { KingPairs::with_pawns() } else { KingPairs::without_pawns() };
        Self { kings, runs: runs.to_vec() }
    }

    fn sizes(&self) -> impl Iterator<Item = usize> + '_ {
        self.runs.iter().map(|r| choose(if r.pawns { 48 } else { 64 }, r.count))
    }

    /// Returns the number of indices, both sides to move.
    pub fn size(&self) -> usize {
        2 * self.kings.len() * self.sizes().product::<usize>()
    }

    /// Returns the index of a placement: true for Black to move, the kings, the pieces run by run.
    /// None when the kings are neighbors, the number of pieces is wrong, two of a run share a
    /// square, or a pawn stands on the first or last rank.
    pub fn encode(&self, black: bool, kings: (Square, Square), pieces: &[Square]) -> Option<usize> {
        let (pair, by) = self.kings.encode(kings.0, kings.1)?;
        let mut index = usize::from(black) * self.kings.len() + pair;
        let mut rest = pieces;
        for (run, size) in self.runs.iter().zip(self.sizes()) {
            let (these, others) = rest.split_at_checked(run.count)?;
            rest = others;
            let mut squares: Vec<usize> = these.iter().map(|s| by.square(*s).index()).collect();
            squares.sort_unstable();
            if run.pawns {
                for square in &mut squares {
                    *square = square.checked_sub(8).filter(|&s| s < 48)?;
                }
            }
            if squares.windows(2).any(|w| w[0] == w[1]) {
                return None;
            }
            let code: usize = squares.iter().enumerate().map(|(i, &s)| choose(s, i + 1)).sum();
            index = index * size + code;
        }
        rest.is_empty().then_some(index)
    }

    /// Returns the reduced placement of an index; none beyond the last.
    pub fn decode(&self, index: usize) -> Option<(bool, (Square, Square), Vec<Square>)> {
        let sizes: Vec<usize> = self.sizes().collect();
        let mut rest = index;
        let mut pieces = Vec::new();
        for (run, size) in self.runs.iter().zip(&sizes).rev() {
            let mut code = rest % size;
            rest /= size;
            for i in (1..=run.count).rev() {
                let square = (0..64).rev().find(|&s| choose(s, i) <= code).unwrap_or(0);
                code -= choose(square, i);
                pieces.push(Square::new((square + if run.pawns { 8 } else { 0 }) as u8));
            }
        }
        pieces.reverse();
        let kings = self.kings.decode(rest % self.kings.len())?;
        let black = rest / self.kings.len();
        (black < 2).then_some((black == 1, kings, pieces))
    }
}

/// Returns the plain index: the side to move (1 for Black), then six bits for each piece in the
/// order of the material, kings included. There are 2 * 64^n indices for n pieces. None with more
/// pieces than bits.
pub fn plain_index(black: bool, pieces: &[Square]) -> Option<usize> {
    let fits = pieces.len() * 6 < usize::BITS as usize;
    fits.then(|| pieces.iter().fold(usize::from(black), |index, piece| index << 6 | piece.index()))
}

/// Returns the side to move and the pieces of a plain index of `pieces` pieces; none beyond the last.
pub fn plain_pieces(index: usize, pieces: usize) -> Option<(bool, Vec<Square>)> {
    let bits = u32::try_from(pieces * 6).ok()?;
    let black = index.checked_shr(bits)?;
    let squares =
        (0..pieces).rev().map(|piece| Square::new((index >> (6 * piece) & 63) as u8)).collect();
    (black < 2).then_some((black == 1, squares))
}

/// Returns the byte for a value in moves: won in 1 to 127, lost in 0 (mated) to 127 as negatives,
/// -128 for a draw. None for larger values, such as a win in 262 moves with six pieces; the
/// builder's own cells grow to two bytes then.
pub fn code(value: TableValue) -> Option<i8> {
    let moves = |plies: usize| i8::try_from(plies.div_ceil(2)).ok();
    match value {
        TableValue::Draw => Some(i8::MIN),
        TableValue::Win(plies) => moves(plies),
        TableValue::Loss(plies) => moves(plies).map(|moves| -moves),
    }
}

/// Returns the value of a byte, in plies to mate; every loss takes an even number of plies.
pub fn value(code: i8) -> TableValue {
    let plies = 2 * usize::from(code.unsigned_abs());
    match code {
        i8::MIN => TableValue::Draw,
        1.. => TableValue::Win(plies - 1),
        _ => TableValue::Loss(plies),
    }
}

fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_462_and_1806_king_pairs() {
        assert_eq!(KingPairs::without_pawns().len(), 462);
        assert_eq!(KingPairs::with_pawns().len(), 1806);
    }

    #[test]
    fn every_image_of_a_pair_has_its_number() {
        let pairs = KingPairs::without_pawns();
        for number in 0..pairs.len() {
            let (white, black) = pairs.decode(number).unwrap();
            for s in Symmetry::all() {
                let found = pairs.encode(s.square(white), s.square(black)).unwrap();
                assert_eq!(found.0, number);
            }
        }
        assert!(pairs.encode(Square::A1, Square::B2).is_none());
    }

    #[test]
    fn indices_are_a_bijection() {
        let one = |pawns| PieceGroup { count: 1, pawns };
        let two = PieceGroup { count: 2, pawns: false };
        for (runs, size) in [
            (vec![one(false)], 2 * 462 * 64),
            (vec![one(true)], 2 * 1806 * 48),
            (vec![two], 2 * 462 * 2016),
            (vec![PieceGroup { count: 2, pawns: true }], 2 * 1806 * 1128),
            (vec![one(false), one(true)], 2 * 1806 * 64 * 48),
        ] {
            let index = ClassicIndex::new(&runs);
            assert_eq!(index.size(), size);
            for number in (0..size).step_by(1009) {
                let (black, kings, pieces) = index.decode(number).unwrap();
                assert_eq!(index.encode(black, kings, &pieces), Some(number));
            }
            assert!(index.decode(size).is_none());
        }
    }

    #[test]
    fn a_plain_index_is_a_bijection() {
        for index in (0..2 * 64 * 64 * 64).step_by(101) {
            let (black, pieces) = plain_pieces(index, 3).unwrap();
            assert_eq!((pieces.len(), plain_index(black, &pieces)), (3, Some(index)));
        }
        assert_eq!(plain_pieces(2 * 64 * 64 * 64, 3), None);
        // Side to move, then KQk with six bits each.
        let pieces = [Square::A1, Square::B2, Square::G7];
        assert_eq!(plain_index(true, &pieces), Some(1 << 18 | 9 << 6 | 54));
        assert_eq!(plain_index(false, &[Square::A1; 11]), None);
    }

    #[test]
    fn a_byte_holds_127_moves_either_way() {
        for byte in i8::MIN..=i8::MAX {
            assert_eq!(code(value(byte)), Some(byte));
        }
        assert_eq!(
            [TableValue::Loss(0), TableValue::Win(1), TableValue::Loss(2)].map(code),
            [0, 1, -1].map(Some)
        );
        assert_eq!(code(TableValue::Draw), Some(-128));
        // KPPkp is the longest with five pieces; KRNknn is won in 262.
        assert_eq!((code(TableValue::Win(253)), code(TableValue::Win(523))), (Some(127), None));
    }

    #[test]
    fn en_passant_has_28_of_48_codes() {
        let pairs = passant_pairs();
        assert_eq!(pairs.len(), 28);
        for pair in pairs {
            assert_eq!(passant_pair(passant_code(pair).unwrap()), Some(pair));
        }
        let coded = (8..56).filter(|&s| passant_pair(Square::new(s)).is_some()).count();
        assert_eq!(coded, 28);
        let apart = PassantPair { pusher: Square::A4, taker: Square::C4 };
        assert_eq!(passant_code(apart), None);
    }

    #[test]
    fn castling_rooks_come_back_from_every_symmetry() {
        for s in Symmetry::all() {
            for right in [CastlingWing::Short, CastlingWing::Long] {
                let enemy = s.square(Square::G7);
                let stored = castling_code(right, Square::G7, s);
                let king = s.square(Square::E1);
                let (read, back, rook) =
                    castling_rook(king, enemy, stored, SymmetryGroup::FULL).unwrap();
                assert_eq!(read, right);
                assert_eq!(back.square(king), Square::E1);
                assert_eq!(rook.rank(), 0);
            }
        }
        let group = SymmetryGroup::FULL;
        assert_eq!(castling_rook(Square::E1, Square::G7, Square::A1, group), None);
    }
}

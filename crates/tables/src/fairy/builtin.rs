//! Predefined pieces: the orthodox ones and EGTgen's letters.
//!
//! EGTgen's built-in letters are case-sensitive: `x` is a ferz, `e` an alfil, `E` an elephant of
//! ferz and alfil. The list follows EGTgen 1.2 (letter array of its public source). Where that
//! array has a letter twice, its first meaning counts, as in EGTgen.

use super::piece::Piece;
use super::piece_set::PieceSet;

/// Letter, name and Betza notation.
const BUILTIN: &[(char, &str, &str)] = &[
    ('K', "king", "K"),
    ('Q', "queen", "Q"),
    ('R', "rook", "R"),
    ('B', "bishop", "B"),
    ('N', "knight", "N"),
    ('A', "archbishop", "BN"),
    ('C', "centaur", "KN"),
    ('D', "woody rook", "WD"),
    ('E', "elephant", "FA"),
    ('F', "ferz-alfil-dabbaba", "FAD"),
    ('G', "gnu", "NC"),
    ('H', "nightrider", "NN"),
    ('L', "lieutenant", "FAsmW"),
    ('S', "squirrel", "NAD"),
    ('U', "buffalo", "NCZ"),
    ('W', "waffle", "WA"),
    ('X', "bede", "BD"),
    ('Y', "knight-zebra", "NZ"),
    ('Z', "bison", "CZ"),
    ('c', "camel", "C"),
    ('d', "dabbaba", "D"),
    ('e', "alfil", "A"),
    ('f', "flamingo", "(1,6)"),
    ('g', "giraffe", "(1,4)"),
    ('w', "wazir", "W"),
    ('x', "ferz", "F"),
    ('z', "zebra", "Z"),
];

/// Name and Betza notation of further pieces with an established name.
const UNLETTERED: &[(&str, &str)] = &[
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("grasshopper", "gQ"),
    ("cannon", "mRcpR"),
    ("vao", "mBcpB"),
    ("leo", "mQcpQ"),
    ("mao", "nN"),
];

impl Piece {
    /// Returns the established English name of a piece with these moves, such as `archbishop`.
    pub fn common_name(&self) -> Option<&'static str> {
        if self.pawn && self.double_step {
            return Some("pawn");
        }
        let known = BUILTIN.iter().map(|&(_, name, betza)| (name, betza));
        let mut known = known.chain(UNLETTERED.iter().copied());
        let moves_alike = |betza| {
            super::betza::read(betza)
                .is_ok_and(|steps| Piece::new(self.letter, "", steps).moves_like(self))
        };
        known.find(|(_, betza)| moves_alike(betza)).map(|(name, _)| name)
    }
}

impl Default for PieceSet {
    fn default() -> Self {
        Self::builtin()
    }
}

impl PieceSet {
    /// Returns the built-in pieces and the orthodox pawn `P`.
    pub(crate) fn builtin() -> Self {
        let mut piece_set = PieceSet::empty();
        for &(letter, name, betza) in BUILTIN {
            // `every_builtin_piece_is_understood` parses the whole list; an invalid line would only
            // be missing here.
            if let Ok(steps) = super::betza::read(betza) {
                piece_set.define(Piece::new(letter, name, steps));
            }
        }
        piece_set.define(Piece::pawn('P'));
        piece_set
    }
}

#[cfg(test)]
mod tests {
    use super::{BUILTIN, PieceSet};

    #[test]
    fn every_builtin_piece_is_understood() {
        let piece_set = PieceSet::builtin();
        assert_eq!(piece_set.pieces().count(), BUILTIN.len() + 1);
        let steps = |letter| piece_set.get(letter).unwrap().steps().len();
        let counts = [('K', 8), ('Q', 8), ('R', 4), ('N', 8), ('A', 12), ('L', 10), ('P', 3)];
        for (letter, count) in counts {
            assert_eq!(steps(letter), count, "{letter}");
        }
    }

    #[test]
    fn pieces_are_named_by_their_moves() {
        let set = PieceSet::with_definitions("V = NR\nM = QN\nN = C\nO = (2,5)\nG = gQ").unwrap();
        let named = |letter| set.get(letter).unwrap().common_name();
        assert_eq!(
            [named('V'), named('M'), named('N')],
            [Some("chancellor"), Some("amazon"), Some("camel")]
        );
        assert_eq!(named('G'), Some("grasshopper"));
        assert_eq!([named('A'), named('P'), named('O')], [Some("archbishop"), Some("pawn"), None]);
    }

    #[test]
    fn symmetry_and_color_are_recognised() {
        let piece_set = PieceSet::builtin();
        for (letter, order, bound) in
            [('Q', 8, false), ('B', 8, true), ('L', 4, false), ('P', 2, false), ('d', 8, true)]
        {
            let piece = piece_set.get(letter).unwrap();
            assert_eq!(piece.symmetry().order(), order, "{letter}");
            assert_eq!(piece.is_color_bound(), bound, "{letter}");
        }
    }
}

//! Diagram that a proof game must reach: pieces on squares, and nothing else.

use crate::problem::piece::letter;
use crate::problem::value::{LIGHT, PartitionValue};
use std::fmt;
use umbrail_chess::geometry::{Bitboard, Color, Setup, Square};
use umbrail_chess::{Piece, PieceLetters, Position, Role};

/// A placement: the roles and colors of pieces by square. Castling rights, the side to move and
/// counters are not part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Diagram {
    /// Squares by color and role.
    pieces: [[Bitboard; 6]; 2],
}

/// Error for a setup with a letter that is not a standard piece.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{letter}' on {square} is not a chess piece, expected one of KQRBNSP (kqrbnsp)")]
pub struct UnknownLetter {
    /// The letter as written, upper case for White.
    pub letter: char,
    /// Square of the letter.
    pub square: Square,
}

impl Diagram {
    /// Returns the initial position.
    pub(crate) fn initial() -> Self {
        Self::of(&Position::startpos())
    }

    /// Returns the placement of a position.
    pub fn of(position: &Position) -> Self {
        let pieces = Color::ALL.map(|color| Role::ALL.map(|role| position.pieces(color, role)));
        Self { pieces }
    }

    /// Returns the placement that a setup shows, with English (`S` and `N` are both knights), German, French or
    /// Italian letters; see [`PieceLetters::of_placement`].
    ///
    /// # Errors
    /// Returns the first letter that is not a standard piece. Reachability by a game is not
    /// checked.
    pub fn from_setup(setup: &Setup) -> Result<Self, UnknownLetter> {
        let mut pieces = [[Bitboard::default(); 6]; 2];
        let cased = |color: Color, letter: char| match color {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        };
        let letters: String =
            setup.pieces().map(|(_, color, letter)| cased(color, letter)).collect();
        let language = PieceLetters::of_placement(&letters);
        for (square, color, found) in setup.pieces() {
            let Some(role) = language.role(found) else {
                return Err(UnknownLetter { letter: cased(color, found), square });
            };
            let set = &mut pieces[color.index()][role.index()];
            *set = set.with(square);
        }
        Ok(Self { pieces })
    }

    /// Returns the squares of one color and role.
    #[inline]
    pub(crate) const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.pieces[color as usize][role as usize]
    }

    /// Returns the squares of one color and partition value.
    pub(crate) fn places(&self, color: Color, value: PartitionValue) -> Bitboard {
        let all = self.pieces(color, value.role());
        match value {
            PartitionValue::LightBishop => all & LIGHT,
            PartitionValue::DarkBishop => all & !LIGHT,
            _ => all,
        }
    }

    /// Returns all squares of one color.
    pub(crate) fn by_color(&self, color: Color) -> Bitboard {
        self.pieces[color.index()].iter().fold(Bitboard::default(), |all, &set| all | set)
    }

    /// Returns all occupied squares.
    pub(crate) fn occupied(&self) -> Bitboard {
        self.by_color(Color::White) | self.by_color(Color::Black)
    }

    /// Returns the piece on a square.
    pub(crate) fn at(&self, square: Square) -> Option<Piece> {
        Color::ALL.into_iter().find_map(|color| {
            Role::ALL
                .into_iter()
                .find(|&role| self.pieces(color, role).contains(square))
                .map(|role| Piece { color, role })
        })
    }

    /// Returns the number of pieces of each side, White's first: `14+16`.
    pub fn piece_counts(&self) -> [u32; 2] {
        Color::ALL.map(|color| self.by_color(color).len())
    }

    /// Converts the placement to a setup with the given side to move.
    pub(crate) fn to_setup(self, turn: Color) -> Setup {
        let mut setup = Setup::default();
        setup.turn = turn;
        for color in Color::ALL {
            for role in Role::ALL {
                for square in self.pieces(color, role).squares() {
                    setup.put(square, color, role.letter());
                }
            }
        }
        setup
    }

    /// Returns eight lines of eight letters, the eighth rank first, `S` for knights, `.` for empty
    /// squares.
    pub fn board(&self) -> String {
        let row = |rank| (0..8).map(move |file| Square::at(file, rank));
        let cell = |square| match self.at(square) {
            None => '.',
            Some(Piece { color: Color::White, role }) => letter(role),
            Some(Piece { role, .. }) => letter(role).to_ascii_lowercase(),
        };
        (0..8)
            .rev()
            .map(|rank| row(rank).map(cell).collect::<String>())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

impl fmt::Display for Diagram {
    /// Writes the placement field of a FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_setup(Color::White).placement())
    }
}

impl fmt::Debug for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knights_may_be_written_in_two_ways() {
        let setup: Setup = "rsbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBSR".parse().unwrap();
        assert_eq!(Diagram::from_setup(&setup), Ok(Diagram::initial()));
        assert_eq!(Diagram::initial().to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        assert!(Diagram::initial().board().starts_with("rsbqkbsr\npppppppp\n........\n"));
        assert_eq!(Diagram::initial().piece_counts(), [16, 16]);
    }

    #[test]
    fn letters_of_other_languages_are_read() {
        for placement in [
            "tsldklst/bbbbbbbb/8/8/8/8/BBBBBBBB/TSLDKLST",
            "tcfdrfct/pppppppp/8/8/8/8/PPPPPPPP/TCFDRFCT",
            "tcadract/pppppppp/8/8/8/8/PPPPPPPP/TCADRACT",
        ] {
            let setup: Setup = placement.parse().unwrap();
            assert_eq!(Diagram::from_setup(&setup), Ok(Diagram::initial()), "{placement}");
        }
    }

    #[test]
    fn an_unknown_letter_is_reported() {
        let setup: Setup = "8/8/8/3x4/8/8/8/8".parse().unwrap();
        let error = Diagram::from_setup(&setup).unwrap_err();
        assert_eq!(
            error.to_string(),
            "'x' on d5 is not a chess piece, expected one of KQRBNSP (kqrbnsp)"
        );
    }
}

//! Changes of a board by which problemists define twins: moved, exchanged, added, removed and replaced pieces, and
//! the board turned, mirrored, shifted or with its colors exchanged. Sheets and Popeye's files share them.

use crate::positions::{PieceName, PlacedMan};
use umbrail_chess::geometry::{Color, Square};

/// A change of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BoardChange {
    /// A piece goes to an empty square.
    Move(Square, Square),
    /// Two pieces exchange their squares.
    Exchange(Square, Square),
    /// Pieces are removed.
    Remove(Vec<Square>),
    /// Pieces are added on empty squares.
    Add(Vec<PlacedMan>),
    /// A piece becomes another one, of the same color unless one is given.
    Replace(Square, PieceName, Option<Color>),
    /// All pieces of a kind become those of another kind.
    Substitute(PieceName, PieceName),
    /// The whole board is changed.
    Whole(WholeBoard),
}

/// A change of all squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WholeBoard {
    /// Turned clockwise by this number of quarter turns.
    Rotated(u8),
    /// Reflected so that these two corners change places: a1 with h1 (left and right), a8 (top and bottom) or h8, or
    /// h1 with a8.
    Mirrored(Square, Square),
    /// Moved by this number of files and ranks.
    Shifted(i32, i32),
    /// White and Black exchange their pieces, as in Polish twins.
    ColorsExchanged,
}

/// Reason why a change does not fit a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum BoardFault {
    /// No piece stands there.
    #[error("{0} is empty, expected the square of a piece")]
    Empty(Square),
    /// A piece stands there.
    #[error("{0} is occupied, expected an empty square")]
    Occupied(Square),
    /// A piece would leave the board.
    #[error("the piece on {0} would leave the board")]
    Outside(Square),
    /// These corners do not define a reflection.
    #[error("expected two corners of the board that change places, such as a1 and h1")]
    Corners,
}

impl BoardChange {
    /// Changes a board.
    pub(super) fn apply(&self, men: &mut Vec<PlacedMan>) -> Result<(), BoardFault> {
        match self {
            Self::Move(from, to) => {
                free(men, *to)?;
                man(men, *from)?.square = *to;
            }
            Self::Exchange(one, other) => {
                man(men, *other)?;
                man(men, *one)?;
                for placed in men.iter_mut() {
                    if placed.square == *one {
                        placed.square = *other;
                    } else if placed.square == *other {
                        placed.square = *one;
                    }
                }
            }
            Self::Remove(squares) => {
                for square in squares {
                    man(men, *square)?;
                    men.retain(|placed| placed.square != *square);
                }
            }
            Self::Add(new) => {
                for placed in new {
                    free(men, placed.square)?;
                    men.push(*placed);
                }
            }
            Self::Replace(square, piece, color) => {
                let placed = man(men, *square)?;
                placed.piece = *piece;
                placed.color = color.unwrap_or(placed.color);
            }
            Self::Substitute(old, new) => {
                let all = men.iter_mut().filter(|placed| placed.piece == *old);
                all.for_each(|placed| placed.piece = *new);
            }
            Self::Whole(WholeBoard::ColorsExchanged) => {
                men.iter_mut().for_each(|placed| placed.color = !placed.color);
            }
            Self::Whole(change) => {
                for placed in men {
                    placed.square = change.of(placed.square)?;
                }
            }
        }
        Ok(())
    }
}

impl WholeBoard {
    fn of(self, square: Square) -> Result<Square, BoardFault> {
        let (file, rank) = (square.file(), square.rank());
        let (file, rank) = match self {
            Self::ColorsExchanged => (file, rank),
            Self::Rotated(turns) => match turns % 4 {
                0 => (file, rank),
                1 => (rank, 7 - file),
                2 => (7 - file, 7 - rank),
                _ => (7 - rank, file),
            },
            Self::Mirrored(one, other) => {
                let has = |a: Square, b: Square| (one, other) == (a, b) || (one, other) == (b, a);
                match () {
                    () if has(Square::A1, Square::H1) || has(Square::A8, Square::H8) => {
                        (7 - file, rank)
                    }
                    () if has(Square::A1, Square::A8) || has(Square::H1, Square::H8) => {
                        (file, 7 - rank)
                    }
                    () if has(Square::A1, Square::H8) => (7 - rank, 7 - file),
                    () if has(Square::H1, Square::A8) => (rank, file),
                    () => return Err(BoardFault::Corners),
                }
            }
            Self::Shifted(files, ranks) => {
                return square.offset(files, ranks).ok_or(BoardFault::Outside(square));
            }
        };
        Ok(Square::at(file, rank))
    }
}

fn man(men: &mut [PlacedMan], square: Square) -> Result<&mut PlacedMan, BoardFault> {
    men.iter_mut().find(|placed| placed.square == square).ok_or(BoardFault::Empty(square))
}

fn free(men: &[PlacedMan], square: Square) -> Result<(), BoardFault> {
    match men.iter().any(|placed| placed.square == square) {
        true => Err(BoardFault::Occupied(square)),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umbrail_chess::Role;

    fn board(placed: &[(Square, Color, Role)]) -> Vec<PlacedMan> {
        let man = |&(square, color, role)| {
            let piece = PieceName::Standard(role);
            PlacedMan { square, color, piece, on_b: false }
        };
        placed.iter().map(man).collect()
    }

    fn changed(change: BoardChange) -> Result<Vec<String>, BoardFault> {
        let mut men = board(&[
            (Square::A1, Color::White, Role::King),
            (Square::C2, Color::Black, Role::Knight),
        ]);
        change.apply(&mut men)?;
        let text = |man: &PlacedMan| {
            let PieceName::Standard(role) = man.piece else { panic!("{man:?}") };
            let letter = role.letter();
            let letter = if man.color.is_white() { letter } else { letter.to_ascii_lowercase() };
            format!("{letter}{}", man.square)
        };
        Ok(men.iter().map(text).collect())
    }

    #[test]
    fn boards_are_changed_as_their_words_describe() {
        use BoardChange::{Exchange, Move, Remove, Replace, Substitute, Whole};
        use WholeBoard::{ColorsExchanged, Mirrored, Rotated, Shifted};
        let queen = PieceName::Standard(Role::Queen);
        let knight = PieceName::Standard(Role::Knight);
        for (change, expected) in [
            (Move(Square::C2, Square::D4), ["Ka1", "nd4"].as_slice()),
            (Exchange(Square::A1, Square::C2), &["Kc2", "na1"]),
            (Remove(vec![Square::A1]), &["nc2"]),
            (Replace(Square::C2, queen, None), &["Ka1", "qc2"]),
            (Replace(Square::C2, queen, Some(Color::White)), &["Ka1", "Qc2"]),
            (Substitute(knight, queen), &["Ka1", "qc2"]),
            (Whole(Rotated(1)), &["Ka8", "nb6"]),
            (Whole(Rotated(2)), &["Kh8", "nf7"]),
            (Whole(Rotated(3)), &["Kh1", "ng3"]),
            (Whole(Mirrored(Square::A1, Square::H1)), &["Kh1", "nf2"]),
            (Whole(Mirrored(Square::A8, Square::A1)), &["Ka8", "nc7"]),
            (Whole(Mirrored(Square::A1, Square::H8)), &["Kh8", "ng6"]),
            (Whole(Mirrored(Square::H1, Square::A8)), &["Ka1", "nb3"]),
            (Whole(Shifted(2, 1)), &["Kc2", "ne3"]),
            (Whole(ColorsExchanged), &["ka1", "Nc2"]),
        ] {
            let text = format!("{change:?}");
            assert_eq!(changed(change).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn changes_that_do_not_fit_are_refused() {
        use BoardChange::{Exchange, Move, Remove, Whole};
        let free = BoardFault::Empty(Square::E4);
        assert_eq!(changed(Move(Square::E4, Square::E5)), Err(free));
        assert_eq!(changed(Exchange(Square::A1, Square::E4)), Err(free));
        assert_eq!(changed(Remove(vec![Square::E4])), Err(free));
        let occupied = BoardFault::Occupied(Square::C2);
        assert_eq!(changed(Move(Square::A1, Square::C2)), Err(occupied));
        let shifted = Whole(WholeBoard::Shifted(-1, 0));
        assert_eq!(changed(shifted), Err(BoardFault::Outside(Square::A1)));
        let mirrored = Whole(WholeBoard::Mirrored(Square::A1, Square::B3));
        assert_eq!(changed(mirrored), Err(BoardFault::Corners));
    }
}

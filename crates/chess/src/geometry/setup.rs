//! Letters on squares and a side to move, as stated by a FEN, `setboard`, `edit` or a command line.
//!
//! A setup is unchecked. It may show three kings, pawns on the first rank or letters without a
//! meaning. [`Position`](crate::Position), the endgame tables and the proof-game diagrams each
//! check it, and report all reasons when they refuse it.
//!
//! [`Setup::from_str`] parses Forsyth–Edwards notation and accepts:
//! - missing fields from the right: one (placement only) to six are parsed;
//! - any white space between fields, and around them;
//! - any ASCII letter as a piece, upper case for White;
//! - `-` for counters, as written by EPD writers; counters beyond 65,535 are reduced to that.
//!
//! EPD operations (or anything else) are *not* accepted: remove them first.

use super::{Color, Square};
use std::fmt;
use std::str::FromStr;

/// Pieces on squares as stated, with the other fields of a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// ASCII letter of the piece on each square (upper case White), 0 for an empty square.
    cells: [u8; 64],
    /// The side to move.
    pub turn: Color,
    /// The castling field as stated, `-` when there is none (`KQkq`, `HAha`, `Kq`, …).
    pub castling: String,
    /// Square passed over by a pawn that just made a double step, as stated.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// Number of the next move, from 1.
    pub fullmoves: u16,
    /// Number of FEN fields that were given (1 to 6); 6 for setups built piece by piece.
    pub fields: u8,
}

/// Reason why a text is not a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The text is empty.
    #[error("FEN is empty, expected piece placement")]
    Empty,
    /// There are not eight ranks.
    #[error("FEN must have 8 ranks separated by slashes, got {0}")]
    Ranks(usize),
    /// A rank does not fill eight squares: the rank as written, its number, and its length in
    /// squares.
    #[error("rank {rank} of the FEN (\"{text}\") fills {squares} squares, expected 8")]
    RankLength {
        /// Rank as written.
        text: String,
        /// Number of the rank: 8 for the first one written, down to 1.
        rank: u8,
        /// Length of the rank, in squares.
        squares: usize,
    },
    /// A character that is neither a letter, a digit 1 to 8 nor a slash.
    #[error("FEN has '{found}' at column {column}, expected a piece letter, 1 to 8 or '/'")]
    Character {
        /// Invalid character.
        found: char,
        /// Column in the text, from 1.
        column: usize,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("FEN side to move must be w or b, got \"{0}\"")]
    Turn(String),
    /// The castling field has a character that no notation uses there.
    #[error("FEN castling field must be letters such as KQkq, or -, got \"{0}\"")]
    Castling(String),
    /// The en passant field is neither `-` nor a square of the third or sixth rank.
    #[error("FEN en passant field must be a square on rank 3 or 6, or -, got \"{0}\"")]
    EnPassant(String),
    /// A counter is not a number.
    #[error("FEN counter must be a number, got \"{0}\"")]
    Counter(String),
    /// Something follows the sixth field.
    #[error("FEN has six fields, but \"{0}\" follows")]
    Trailing(String),
}

impl Default for Setup {
    /// Returns an empty board, White to move.
    fn default() -> Self {
        Self {
            cells: [0; 64],
            turn: Color::White,
            castling: "-".to_owned(),
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
            fields: 6,
        }
    }
}

impl Setup {
    /// FEN of the initial position.
    pub const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Returns the piece on a square: its color and its letter in upper case.
    pub fn piece(&self, square: Square) -> Option<(Color, char)> {
        let cell = self.cells[square.index()];
        let color = if cell.is_ascii_uppercase() { Color::White } else { Color::Black };
        (cell != 0).then(|| (color, cell.to_ascii_uppercase() as char))
    }

    /// Puts a piece on a square, replacing any other. A `letter` that is not ASCII-alphabetic
    /// empties the square.
    pub fn put(&mut self, square: Square, color: Color, letter: char) {
        self.cells[square.index()] = match (letter.is_ascii_alphabetic(), color) {
            (false, _) => 0,
            (true, Color::White) => letter.to_ascii_uppercase() as u8,
            (true, Color::Black) => letter.to_ascii_lowercase() as u8,
        };
    }

    /// Empties a square.
    pub fn clear(&mut self, square: Square) {
        self.cells[square.index()] = 0;
    }

    /// Empties the whole board; the other fields stay.
    pub fn clear_board(&mut self) {
        self.cells = [0; 64];
    }

    /// Iterates over every piece with its square, a1 first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Color, char)> + '_ {
        Square::all().filter_map(|square| self.piece(square).map(|(c, letter)| (square, c, letter)))
    }

    /// Returns the placement field alone, in FEN notation.
    pub fn placement(&self) -> String {
        let mut text = String::with_capacity(64);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.cells[Square::at(file, rank).index()] {
                    0 => empty += 1,
                    letter => {
                        push_empty(&mut text, &mut empty);
                        text.push(letter as char);
                    }
                }
            }
            push_empty(&mut text, &mut empty);
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    fn read_placement(&mut self, text: &str, column: usize) -> Result<(), SetupError> {
        let ranks: Vec<&str> = text.split('/').collect();
        for (at, found) in text.chars().enumerate() {
            if !(found.is_ascii_alphabetic() || matches!(found, '1'..='8' | '/')) {
                return Err(SetupError::Character { found, column: column + at });
            }
        }
        if ranks.len() != 8 {
            return Err(SetupError::Ranks(ranks.len()));
        }
        for (from_top, written) in ranks.iter().enumerate() {
            let rank = 7 - from_top as u8;
            let filled =
                |byte: u8| if byte.is_ascii_digit() { usize::from(byte - b'0') } else { 1 };
            let squares: usize = written.bytes().map(filled).sum();
            if squares != 8 {
                let text = (*written).to_owned();
                return Err(SetupError::RankLength { text, rank: rank + 1, squares });
            }
            let mut file = 0;
            for byte in written.bytes() {
                if byte.is_ascii_digit() {
                    file += byte - b'0';
                } else {
                    self.cells[Square::at(file, rank).index()] = byte;
                    file += 1;
                }
            }
        }
        Ok(())
    }
}

fn push_empty(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push((b'0' + *empty) as char);
        *empty = 0;
    }
}

fn counter(text: &str) -> Result<u16, SetupError> {
    if text == "-" {
        return Ok(0);
    }
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(SetupError::Counter(text.to_owned()));
    }
    Ok(text.parse().unwrap_or(u16::MAX))
}

impl FromStr for Setup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut setup = Self::default();
        let mut fields = text.split_ascii_whitespace();
        let placement = fields.next().ok_or(SetupError::Empty)?;
        let column = text.len() - text.trim_start().len() + 1;
        setup.read_placement(placement, column)?;
        setup.fields = 1;
        if let Some(field) = fields.next() {
            let mut letters = field.chars();
            setup.turn = letters
                .next()
                .and_then(Color::from_letter)
                .filter(|_| letters.next().is_none())
                .ok_or_else(|| SetupError::Turn(field.to_owned()))?;
            setup.fields = 2;
        }
        if let Some(field) = fields.next() {
            let known = |b: u8| matches!(b.to_ascii_lowercase(), b'a'..=b'h' | b'k' | b'q');
            if field != "-" && !field.bytes().all(known) {
                return Err(SetupError::Castling(field.to_owned()));
            }
            setup.castling = field.to_owned();
            setup.fields = 3;
        }
        if let Some(field) = fields.next() {
            setup.en_passant = match field.parse::<Square>() {
                _ if field == "-" => None,
                Ok(square) if matches!(square.rank(), 2 | 5) => Some(square),
                _ => return Err(SetupError::EnPassant(field.to_owned())),
            };
            setup.fields = 4;
        }
        if let Some(field) = fields.next() {
            setup.halfmoves = counter(field)?;
            setup.fields = 5;
        }
        if let Some(field) = fields.next() {
            setup.fullmoves = counter(field)?.max(1);
            setup.fields = 6;
        }
        match fields.next() {
            Some(field) => Err(SetupError::Trailing(field.to_owned())),
            None => Ok(setup),
        }
    }
}

impl fmt::Display for Setup {
    /// Writes the setup as a six-field FEN, its castling field as stated.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} ", self.placement(), self.turn.letter(), self.castling)?;
        match self.en_passant {
            Some(square) => write!(f, "{square}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {} {}", self.halfmoves, self.fullmoves)
    }
}

#[cfg(test)]
mod tests {
    use super::{Setup, SetupError};
    use crate::geometry::{Color, Square};

    fn refuses(text: &str, message: &str) {
        assert_eq!(text.parse::<Setup>().unwrap_err().to_string(), message);
    }

    #[test]
    fn the_start_fen_round_trips() {
        let setup: Setup = Setup::START_FEN.parse().unwrap();
        assert_eq!(setup.to_string(), Setup::START_FEN);
        assert_eq!(setup.piece(Square::E8), Some((Color::Black, 'K')));
        assert_eq!(setup.pieces().filter(|&(_, c, l)| (c, l) == (Color::White, 'P')).count(), 8);
    }

    #[test]
    fn short_and_untidy_fens_are_read() {
        let setup: Setup = "  8/8/8/3k4/3l4/8/8/KA6\tb ".parse().unwrap();
        assert_eq!(setup.to_string(), "8/8/8/3k4/3l4/8/8/KA6 b - - 0 1");
        assert_eq!(setup.fields, 2);
        assert_eq!("8/8/8/8/8/8/8/8 w - - - -".parse::<Setup>().unwrap().fullmoves, 1);
        assert_eq!("8/8/8/8/8/8/8/8 w - - 99999999 7".parse::<Setup>().unwrap().halfmoves, 65_535);
    }

    #[test]
    fn each_fault_is_named() {
        refuses("", "FEN is empty, expected piece placement");
        refuses("8/8/8/8 w - -", "FEN must have 8 ranks separated by slashes, got 4");
        refuses("8/8/8/8/8/8/8/7 w", "rank 1 of the FEN (\"7\") fills 7 squares, expected 8");
        refuses(
            "8/8/8/8/..8/8/8/8",
            "FEN has '.' at column 9, expected a piece letter, 1 to 8 or '/'",
        );
        refuses("8/8/8/8/8/8/8/8 x", "FEN side to move must be w or b, got \"x\"");
        refuses(
            "8/8/8/8/8/8/8/8 w - e4",
            "FEN en passant field must be a square on rank 3 or 6, or -, got \"e4\"",
        );
        refuses("8/8/8/8/8/8/8/8 w - - x 1", "FEN counter must be a number, got \"x\"");
        assert_eq!(
            "8/8/8/8/8/8/8/8 w - - 0 1 bm".parse::<Setup>(),
            Err(SetupError::Trailing("bm".into()))
        );
    }
}

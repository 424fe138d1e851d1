//! Figures of pieces: the picture behind a letter. Orthodox pieces have the usual symbols; common
//! fairy pieces have shapes of their own or, as problemists print them, turned symbols; compounds
//! carry the mark of the second piece. A piece without a figure is drawn as its letter.

use std::fmt;

/// Picture of a kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Name of the symbol; empty for the letter of the piece.
    pub(super) symbol: &'static str,
    /// Clockwise turn, in degrees.
    pub(super) turn: u16,
    /// Symbol of a small mark in the upper right corner; empty without a mark.
    pub(super) mark: &'static str,
}

/// Name of the piece, and its figure: symbol, turn, mark.
const FIGURES: &[(&str, &str, u16, &str)] = &[
    ("king", "K", 0, ""),
    ("queen", "Q", 0, ""),
    ("rook", "R", 0, ""),
    ("bishop", "B", 0, ""),
    ("knight", "N", 0, ""),
    ("pawn", "P", 0, ""),
    ("archbishop", "B", 0, "N"),
    ("chancellor", "R", 0, "N"),
    ("amazon", "Q", 0, "N"),
    ("centaur", "K", 0, "N"),
    ("nightrider", "N", 180, ""),
    ("grasshopper", "Q", 180, ""),
    ("camel", "camel", 0, ""),
    ("zebra", "zebra", 0, ""),
    ("giraffe", "giraffe", 0, ""),
    ("gnu", "camel", 0, "N"),
    ("knight-zebra", "zebra", 0, "N"),
    ("bison", "camel", 0, "zebra"),
    ("wazir", "R", 180, ""),
    ("dabbaba", "R", 90, ""),
    ("woody rook", "R", 270, ""),
    ("ferz", "B", 180, ""),
    ("alfil", "B", 90, ""),
    ("elephant", "B", 270, ""),
];

impl Figure {
    /// The letter of the piece, for a letter whose usual figure would be wrong.
    pub const LETTER: Self = Self { symbol: "", turn: 0, mark: "" };

    /// Returns the figure of a piece with this English name; `None` if it has none.
    pub fn named(name: &str) -> Option<Self> {
        let (_, symbol, turn, mark) = FIGURES.iter().find(|(known, ..)| *known == name)?;
        Some(Self { symbol, turn: *turn, mark })
    }

    /// Returns the figure of an orthodox letter, in upper case.
    pub(super) fn orthodox(letter: char) -> Option<Self> {
        let (_, symbol, ..) =
            FIGURES[..6].iter().find(|(_, symbol, ..)| symbol.starts_with(letter))?;
        Some(Self { symbol, turn: 0, mark: "" })
    }
}

/// Writes `symbol,turn,mark`, as `pieces.js` reads it.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.symbol, self.turn, self.mark)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pieces::{fairy_symbols, symbols};
    use super::{FIGURES, Figure};

    #[test]
    fn figures_differ_and_their_symbols_are_drawn() {
        let drawn = format!("{}{}", symbols(), fairy_symbols());
        for (at, (name, symbol, turn, mark)) in FIGURES.iter().enumerate() {
            for symbol in [symbol, mark].into_iter().filter(|symbol| !symbol.is_empty()) {
                assert!(drawn.contains(&format!("id=\"man-{symbol}\"")), "{name}: {symbol}");
            }
            // A marked figure is not turned: the mark has its corner.
            assert!(mark.is_empty() || *turn == 0, "{name}");
            let figure = Figure::named(name).unwrap();
            let same = FIGURES.iter().position(|(other, ..)| Figure::named(other) == Some(figure));
            assert_eq!(same, Some(at), "{name}");
        }
        assert_eq!(Figure::named("unheard of"), None);
        assert_eq!(Figure::orthodox('N'), Figure::named("knight"));
        assert_eq!(Figure::orthodox('C'), None);
    }
}

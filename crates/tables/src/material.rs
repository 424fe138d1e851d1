//! Material of an endgame, such as `KQ.KR`, royals first.

use crate::beyond::needed_gib;
use crate::fairy::{Piece, PieceSet};
use std::fmt;
use std::sync::Arc;
use umbrail_chess::geometry::Color;

/// Maximum number of pieces in a table.
pub const PIECES_MAX: usize = 6;

/// Pieces of both sides; the first of each side is royal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// White's pieces and Black's pieces, royal first, in the order they were named.
    pieces: [Vec<Arc<Piece>>; 2],
}

/// Reason why a text is not a material.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaterialError {
    /// There is not exactly one dot (or `v`) between the two sides.
    #[error("endgame \"{0}\" is not of the form KQ.KR: White's pieces, a dot, Black's pieces")]
    Dot(String),
    /// A side has no pieces.
    #[error("{0} has no pieces, expected at least a royal one")]
    NoRoyal(Color),
    /// No piece has this letter.
    #[error("no piece has the letter '{letter}'; known are {known}{}", other_case(*.letter, .known))]
    Letter {
        /// Unknown letter.
        letter: char,
        /// All known letters.
        known: String,
    },
    /// The first piece of a side is a pawn, which cannot be royal.
    #[error("the first piece of {0} is royal and cannot be a pawn")]
    RoyalPawn(Color),
    /// More pieces than a table can have.
    #[error(
        "{pieces} pieces are too many, at most {PIECES_MAX} are possible; tables of this endgame \
         would need about {memory_gib} GiB of memory and {disk_gib} GiB of disk space"
    )]
    TooMany {
        /// Number of pieces.
        pieces: usize,
        /// Memory that a build on disk would need, in GiB.
        memory_gib: u64,
        /// Disk space that it would need, in GiB.
        disk_gib: u64,
    },
    /// A promotion letter that names no piece, or a pawn.
    #[error("a pawn cannot become '{0}', expected letters of pieces")]
    Promotion(char),
}

/// Returns the question for a letter that is known in the other case.
fn other_case(letter: char, known: &str) -> String {
    let lower = letter.is_ascii_lowercase();
    let other = if lower { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
    if known.contains(other) { format!(" (did you mean '{other}'?)") } else { String::new() }
}

impl Material {
    /// Parses `KQ.KR` with the pieces of a piece set. Also accepted are:
    ///
    /// - `KQvKR`, `KQ-KR` and `KQ v KR`;
    /// - `KQKR` where both sides have one king, named first;
    /// - `kq.kr` where no piece has one of these small letters.
    ///
    /// # Errors
    /// [`MaterialError`] when the text is malformed, a letter is unknown, or there are too many
    /// pieces.
    pub fn read(text: &str, piece_set: &PieceSet) -> Result<Self, MaterialError> {
        let mut letters: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let is_separator = |letter| matches!(letter, '.' | 'v' | '-');
        // Among capitals, a small letter is a typing error and reported.
        if letters
            .chars()
            .all(|c| is_separator(c) || c.is_lowercase() && piece_set.get(c).is_none())
        {
            let capital = |c: char| if is_separator(c) { c } else { c.to_ascii_uppercase() };
            letters = letters.chars().map(capital).collect();
        }
        let mut sides = letters.split(['.', 'v', '-']);
        let (white, black) = match (sides.next(), sides.next(), sides.next()) {
            (Some(white), Some(black), None) => (white, black),
            (Some(both), None, None) => {
                let halves = both.strip_prefix('K').and_then(|rest| rest.find('K'));
                let at = halves.filter(|_| both.matches('K').count() == 2).map(|at| at + 1);
                let at = at.ok_or_else(|| MaterialError::Dot(text.to_owned()))?;
                both.split_at(at)
            }
            _ => return Err(MaterialError::Dot(text.to_owned())),
        };
        let side = |letters: &str, color| {
            let pieces: Result<Vec<_>, _> = letters
                .chars()
                .map(|letter| {
                    piece_set.get(letter).cloned().ok_or_else(|| MaterialError::Letter {
                        letter,
                        known: piece_set.pieces().map(|p| p.letter).collect(),
                    })
                })
                .collect();
            match pieces?.as_slice() {
                [] => Err(MaterialError::NoRoyal(color)),
                [royal, ..] if royal.pawn => Err(MaterialError::RoyalPawn(color)),
                pieces => Ok(pieces.to_vec()),
            }
        };
        let pieces = [side(white, Color::White)?, side(black, Color::Black)?];
        let count = pieces[0].len() + pieces[1].len();
        if count > PIECES_MAX {
            let [memory_gib, disk_gib] = needed_gib(&pieces);
            return Err(MaterialError::TooMany { pieces: count, memory_gib, disk_gib });
        }
        Ok(Self { pieces })
    }

    /// Creates the material of these pieces, royals first, as found on a board.
    pub(crate) fn of(pieces: [Vec<Arc<Piece>>; 2]) -> Self {
        Self { pieces }
    }

    /// Returns notes on letters that a chess player may read otherwise: a royal piece that is not the
    /// king though the side has one, and pieces that orthodox chess does not have.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = vec![];
        for color in Color::ALL {
            let side = self.side(color);
            let royal = side[0].letter;
            let has_king = side[1..].iter().any(|piece| piece.letter == 'K');
            let ordinary = if has_king { "; K is an ordinary piece" } else { "" };
            if royal != 'K' {
                notes.push(format!(
                    "{royal} is {color}'s royal piece, because it comes first{ordinary}"
                ));
            } else if has_king {
                notes.push(format!(
                    "the first K of {color} is its royal piece; another K is an ordinary piece that moves as a king"
                ));
            }
        }
        let mut fairy: Vec<&Piece> = self.pieces.iter().flatten().map(|piece| &**piece).collect();
        fairy.retain(|piece| !"KQRBNP".contains(piece.letter));
        fairy.sort_by_key(|piece| piece.letter);
        fairy.dedup_by_key(|piece| piece.letter);
        notes.extend(fairy.iter().map(|piece| match piece.name.as_str() {
            "" => format!("{} moves {}", piece.letter, piece.betza()),
            name => format!("{} is the piece {name} ({})", piece.letter, piece.betza()),
        }));
        notes
    }

    /// Returns the pieces of one side, royal first.
    pub fn side(&self, color: Color) -> &[Arc<Piece>] {
        &self.pieces[color.index()]
    }

    /// Returns the number of pieces of both sides.
    pub fn count(&self) -> usize {
        self.pieces[0].len() + self.pieces[1].len()
    }

    /// Returns the material with each side's pieces after the royal in the order `QRBNP`, others
    /// last by letter: the name of its files.
    pub fn canonical(&self) -> Self {
        let mut pieces = self.pieces.clone();
        for side in &mut pieces {
            side[1..].sort_by_key(|p| (rank(p.letter), p.letter));
        }
        Self { pieces }
    }
}

/// Returns the rank of a letter in the usual order of pieces.
pub(crate) fn rank(letter: char) -> usize {
    "KQRBN".find(letter).unwrap_or(if letter == 'P' { 99 } else { 50 })
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.pieces[0] {
            write!(f, "{}", piece.letter)?;
        }
        f.write_str(".")?;
        for piece in &self.pieces[1] {
            write!(f, "{}", piece.letter)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Material;
    use crate::fairy::PieceSet;

    fn refuses(text: &str, part: &str) {
        let error = Material::read(text, &PieceSet::default()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }

    #[test]
    fn names_round_trip_and_sort() {
        let piece_set = PieceSet::default();
        let read = |text| Material::read(text, &piece_set).unwrap();
        assert_eq!(read("KQ.KR").to_string(), "KQ.KR");
        assert_eq!(read("KPNQ.Kx").canonical().to_string(), "KQNP.Kx");
        assert_eq!(read("NKQ.KQ").canonical().to_string(), "NKQ.KQ");
        assert_eq!(read("KQvKR"), read("KQ.KR"));
        assert_eq!(read("KQKR"), read("KQ.KR"));
        assert_eq!(read("KQRK"), read("KQR.K"));
    }

    #[test]
    fn faults_are_named() {
        refuses("KQ", "is not of the form KQ.KR");
        refuses("KQK.R.K", "is not of the form KQ.KR");
        refuses("KQKRK", "is not of the form KQ.KR");
        refuses("NKQKQ", "is not of the form KQ.KR");
        refuses("KQ.", "black has no pieces");
        refuses("KQ.kr", "did you mean 'K'");
        refuses("PK.K", "cannot be a pawn");
        // Sets of 3 * 8 bytes for 64^5 words, and five endings of 10 * 64^5 positions.
        refuses("KQRBN.KR", "7 pieces");
        refuses("KQRBN.KR", "about 74 GiB of memory and 1600 GiB of disk space");
    }

    #[test]
    fn other_spellings_are_read() {
        for text in ["KQ.KR", "KQvKR", "KQ-KR", "KQ v KR", " KQ . KR ", "KQKR", "kq.kr", "kqvkr"] {
            let material = Material::read(text, &PieceSet::default());
            assert_eq!(material.map(|m| m.to_string()), Ok("KQ.KR".to_owned()), "{text}");
        }
    }

    #[test]
    fn letters_that_may_mislead_are_explained() {
        let notes = |text| Material::read(text, &PieceSet::default()).unwrap().notes();
        assert_eq!(notes("KQ.KR"), [""; 0]);
        let royal = "Q is white's royal piece, because it comes first; K is an ordinary piece";
        assert_eq!(notes("QK.KR"), [royal]);
        assert_eq!(notes("Q.K"), ["Q is white's royal piece, because it comes first"]);
        let second = "the first K of white is its royal piece; another K is an ordinary piece that moves as a king";
        assert_eq!(notes("KK.K"), [second]);
        assert_eq!(notes("KX.KX").len(), 1);
        assert!(notes("KX.K")[0].starts_with("X is the piece bede ("), "{:?}", notes("KX.K"));
    }
}

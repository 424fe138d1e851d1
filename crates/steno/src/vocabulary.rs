//! Vocabularies: the characters that are marks, and their meanings.
//!
//! - *Classic* (Éric Angelini, 2005) with the aliases found in published strings: `.` for `~`, `0`
//!   for `O`, `B` for `L`.
//! - *Extended* (Manus Hand): directions, "same piece again", any promotion, either castling.
//! - *PGN* (Manus Hand; François Labelle had the idea in 2004): any character of the move's
//!   notation.
//! - *Length* (mushikui, Mu-Tsun Tsai 2011): only the number of characters of the notation.
//!
//! Accepted deviations in all of them: typographic dashes for `-` and curly double quotes for `"`.
//! Look-alike letters of other alphabets are rejected.

use super::mark::{BoardEdge, CastlingSide, LineKind, Mark};
use std::fmt;
use umbrail_chess::Role;

/// A set of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Vocabulary {
    /// Angelini's marks.
    #[default]
    Classic,
    /// Classic with Hand's additions.
    Extended,
    /// Characters of the move's notation.
    Pgn,
    /// Numbers of characters of the move's notation.
    Length,
}

impl Vocabulary {
    /// All vocabularies.
    pub const ALL: [Self; 4] = [Self::Classic, Self::Extended, Self::Pgn, Self::Length];

    /// Returns `classic`, `extended`, `pgn` or `length`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Extended => "extended",
            Self::Pgn => "pgn",
            Self::Length => "length",
        }
    }

    /// Returns the vocabulary with this name, in any case; `mushikui` also names the length
    /// vocabulary.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        if name == "mushikui" {
            return Some(Self::Length);
        }
        Self::ALL.into_iter().find(|vocabulary| vocabulary.name() == name)
    }

    /// Returns the marks, each by its canonical character.
    pub(crate) const fn symbols(self) -> &'static str {
        match self {
            Self::Classic => "~abcdefgh12345678KQRNLPqrlnx%oO+#=",
            Self::Extended => "~abcdefgh12345678KQRNBPqrlnpx-%oO0+#=/\\|_^v<>\"",
            Self::Pgn => "~abcdefgh12345678KQRNB=Ox+#/",
            Self::Length => "~234567",
        }
    }

    /// Returns the marks, each by its canonical character, with their meanings in words.
    pub fn marks(self) -> impl Iterator<Item = (char, String)> {
        let meaning = move |symbol| Some((symbol, self.read(symbol)?.words()));
        self.symbols().chars().filter_map(meaning)
    }

    /// Returns the aliases: pairs of the canonical character and its alias.
    pub(crate) const fn aliases(self) -> &'static [(char, char)] {
        match self {
            Self::Classic => &[('L', 'B'), ('O', '0')],
            Self::Extended => &[('B', 'L')],
            Self::Pgn => &[('O', '-')],
            Self::Length => &[],
        }
    }

    /// Returns the meaning of a character, if it is a mark.
    pub(crate) fn read(self, symbol: char) -> Option<Mark> {
        Some(match (symbol, self) {
            ('~' | '.', _) => Mark::Any,
            ('2'..='7', Self::Length) => Mark::Length(symbol as u8 - b'0'),
            (_, Self::Length) => return None,
            ('a'..='h', Self::Pgn) => Mark::FileLetter(symbol as u8 - b'a'),
            ('1'..='8', Self::Pgn) => Mark::RankDigit(symbol as u8 - b'1'),
            ('a'..='h', _) => Mark::File(symbol as u8 - b'a'),
            ('1'..='8', _) => Mark::Rank(symbol as u8 - b'1'),
            ('x', _) => Mark::Capture,
            ('+', _) => Mark::Check,
            ('#', _) => Mark::Mate,
            ('K' | 'Q' | 'R' | 'N' | 'B', Self::Pgn) => {
                Mark::PieceLetter(Role::from_letter(symbol)?)
            }
            ('=', Self::Pgn) => Mark::Promotion(None),
            ('O' | '-', Self::Pgn) => Mark::Castling(None),
            ('/', Self::Pgn) => Mark::Draw,
            (_, Self::Pgn) => return None,
            ('K' | 'Q' | 'R' | 'N' | 'B' | 'P', _) => Mark::Piece(Role::from_letter(symbol)?),
            ('L', _) => Mark::Piece(Role::Bishop),
            ('l', _) => Mark::Promotion(Some(Role::Bishop)),
            ('q' | 'r' | 'n', _) => Mark::Promotion(Role::from_letter(symbol)),
            ('%', _) => Mark::EnPassant,
            ('o', _) => Mark::Castling(Some(CastlingSide::Short)),
            ('O', _) | ('0', Self::Classic) => Mark::Castling(Some(CastlingSide::Long)),
            ('=', _) => Mark::Stalemate,
            (_, Self::Classic) => return None,
            ('0', _) => Mark::Castling(None),
            ('p', _) => Mark::Promotion(None),
            ('-', _) => Mark::Quiet,
            ('_', _) => Mark::Along(LineKind::Rank),
            ('|', _) => Mark::Along(LineKind::File),
            ('/', _) => Mark::Along(LineKind::Rising),
            ('\\', _) => Mark::Along(LineKind::Falling),
            ('^', _) => Mark::Toward(BoardEdge::Top),
            ('v', _) => Mark::Toward(BoardEdge::Bottom),
            ('<', _) => Mark::Toward(BoardEdge::Left),
            ('>', _) => Mark::Toward(BoardEdge::Right),
            ('"', _) => Mark::Again,
            _ => return None,
        })
    }

    /// Returns the canonical character of a mark, if this vocabulary has the mark.
    pub(crate) fn symbol(self, mark: Mark) -> Option<char> {
        let mark = if mark == Mark::BareCheck { Mark::Check } else { mark };
        self.symbols().chars().find(|&symbol| self.read(symbol) == Some(mark))
    }

    /// Returns true if `Q'` and the like are another notation of a promotion (`q`).
    pub(crate) const fn has_primes(self) -> bool {
        matches!(self, Self::Classic | Self::Extended)
    }
}

impl fmt::Display for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Vocabulary;
    use crate::mark::Mark;

    #[test]
    fn every_symbol_is_a_mark_of_its_own() {
        for vocabulary in Vocabulary::ALL {
            let marks: Vec<Mark> =
                vocabulary.symbols().chars().map(|c| vocabulary.read(c).unwrap()).collect();
            for (at, mark) in marks.iter().enumerate() {
                assert!(!marks[..at].contains(mark), "{vocabulary} {mark:?}");
                assert_eq!(vocabulary.symbol(*mark), vocabulary.symbols().chars().nth(at));
            }
        }
    }

    #[test]
    fn aliases_mean_the_same() {
        for (vocabulary, alias, usual) in [
            (Vocabulary::Classic, '.', '~'),
            (Vocabulary::Classic, '0', 'O'),
            (Vocabulary::Classic, 'B', 'L'),
            (Vocabulary::Extended, 'L', 'B'),
            (Vocabulary::Pgn, '-', 'O'),
        ] {
            assert_eq!(vocabulary.read(alias), vocabulary.read(usual));
        }
        for vocabulary in Vocabulary::ALL {
            for (usual, alias) in vocabulary.aliases() {
                assert_eq!(vocabulary.read(*alias), vocabulary.read(*usual));
                assert!(vocabulary.symbols().contains(*usual));
                assert!(!vocabulary.symbols().contains(*alias));
            }
        }
        assert_eq!(Vocabulary::Pgn.read('P'), None);
        assert_eq!(Vocabulary::Classic.read('-'), None);
        assert_eq!(Vocabulary::from_name("PGN"), Some(Vocabulary::Pgn));
        assert_eq!(Vocabulary::from_name("latin"), None);
    }
}

//! Letters of the pieces in the languages of problem magazines.

use crate::piece::Role;

/// A language with its letters for the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceLetters {
    /// K Q R B N P, and S for knights, as problemists write.
    English,
    /// K D T L S B.
    German,
    /// R D T F C P.
    French,
    /// R D T A C P, which are also the Spanish letters.
    Italian,
}

impl PieceLetters {
    /// All languages. English comes first: it wins where letters fit several languages.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Italian];

    /// Returns the letters, pawn first.
    const fn letters(self) -> &'static str {
        match self {
            Self::English => "PNBRQK",
            Self::German => "BSLTDK",
            Self::French => "PCFTDR",
            Self::Italian => "PCATDR",
        }
    }

    /// Returns the role of a letter, either case.
    pub fn role(self, letter: char) -> Option<Role> {
        let letter = letter.to_ascii_uppercase();
        if self == Self::English && letter == 'S' {
            return Some(Role::Knight);
        }
        let index = self.letters().find(letter)?;
        Some(Role::ALL[index])
    }

    /// Returns the language of a placement, given as FEN letters (upper case for White): the first one that has all
    /// letters and in which each side has one king; English if there is none.
    pub fn of_placement(letters: &str) -> Self {
        let fits = |language: &Self| {
            let kings = |white: bool| {
                let of_side = letters.chars().filter(|letter| letter.is_uppercase() == white);
                of_side.filter(|&letter| language.role(letter) == Some(Role::King)).count()
            };
            letters.chars().all(|letter| language.role(letter).is_some())
                && kings(true) == 1
                && kings(false) == 1
        };
        Self::ALL.into_iter().find(fits).unwrap_or(Self::English)
    }

    /// Returns the text of a move with English letters. Capital letters that are no pieces stay, such as those of `O-O`.
    pub fn to_english(self, word: &str) -> String {
        let english = |letter: char| match self.role(letter) {
            Some(role) if letter.is_ascii_uppercase() => role.letter(),
            _ => letter,
        };
        word.chars().map(english).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_show_their_language() {
        for (letters, language) in [
            ("RNBQKBNRPPPPrnbqkbnrpppp", PieceLetters::English),
            ("RSBQKBSRrsbqkbsr", PieceLetters::English),
            ("TSLDKLSTBBtsldklstbb", PieceLetters::German),
            ("TCFDRFCTPPtcfdrfctpp", PieceLetters::French),
            ("TCADRACTPPtcadractpp", PieceLetters::Italian),
            // Kings and pawns: without a king in English, this is French.
            ("RPrp", PieceLetters::French),
            // Bishops in English, pawns in German.
            ("KBkb", PieceLetters::English),
            ("KXk", PieceLetters::English),
        ] {
            assert_eq!(PieceLetters::of_placement(letters), language, "{letters}");
        }
    }

    #[test]
    fn moves_are_translated() {
        assert_eq!(PieceLetters::German.to_english("Lxc7+"), "Bxc7+");
        assert_eq!(PieceLetters::German.to_english("Bd2-d4"), "Pd2-d4");
        assert_eq!(PieceLetters::German.to_english("bxa8=D"), "bxa8=Q");
        assert_eq!(PieceLetters::French.to_english("Rd2"), "Kd2");
        assert_eq!(PieceLetters::Italian.to_english("Ac4"), "Bc4");
        assert_eq!(PieceLetters::French.to_english("O-O-O"), "O-O-O");
    }
}

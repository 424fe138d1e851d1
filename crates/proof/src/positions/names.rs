//! Names of conditions, variants and pieces in English, German and French, as Popeye 4.104 spells them.
//!
//! Case does not matter, and a unique beginning is sufficient.

use super::fairy::{PIECES, PieceType};
use std::fmt;
use umbrail_chess::geometry::Square;

/// Language of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// French.
    French,
    /// German.
    German,
    /// English.
    #[default]
    English,
}

impl Language {
    /// All languages, in the order in which a name without a language is looked up.
    pub const ALL: [Self; 3] = [Self::English, Self::German, Self::French];
}

/// Names of all conditions that Popeye knows: French, German, English.
static CONDITIONS: &str = include_str!("names/conditions.txt");

/// Words that change a condition: French, German, English.
static VARIANTS: &str = include_str!("names/variants.txt");

/// Conditions on the game, each with other names for it. They are no conditions of Popeye, and are not abbreviated.
static GAME_CONDITIONS: &str = include_str!("names/game_conditions.txt");

/// Returns the condition on the game of this name.
fn game_condition(name: &str) -> Option<&'static str> {
    let name = plain(name);
    let row = GAME_CONDITIONS.lines().find(|row| row.split('|').any(|one| plain(one) == name));
    row.and_then(|row| row.split('|').next())
}

/// Reason why a word is no name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No name begins so.
    #[error("unknown condition \"{0}\"")]
    Unknown(String),
    /// Several names begin so.
    #[error("\"{word}\" is the beginning of several conditions, such as {first} and {second}")]
    Ambiguous {
        /// The word.
        word: String,
        /// One of them.
        first: &'static str,
        /// Another one.
        second: &'static str,
    },
    /// A word after a condition that belongs to no condition.
    #[error("\"{word}\" is no variant of {condition}")]
    Variant {
        /// The condition.
        condition: &'static str,
        /// The word.
        word: String,
    },
}

/// A condition by its name, with words and squares after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionName {
    /// English name.
    pub name: &'static str,
    /// English words for its variants.
    pub variants: Vec<&'static str>,
    /// Squares.
    pub squares: Vec<Square>,
}

impl fmt::Display for ConditionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.variants.iter().try_for_each(|word| write!(f, " {word}"))?;
        if self.squares.is_empty() {
            return Ok(());
        }
        f.write_str(" ")?;
        self.squares.iter().try_for_each(|square| write!(f, "{square}"))
    }
}

fn plain(word: &str) -> String {
    word.chars().filter(|c| !c.is_whitespace() && *c != '-').flat_map(char::to_lowercase).collect()
}

/// Rows of a table: the name in the language, and the English one.
fn rows(
    table: &'static str,
    language: Language,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(move |line| {
        let mut names = line.split('|');
        let names = [names.next()?, names.next()?, names.next()?];
        Some((names[language as usize], names[2]))
    })
}

fn find(
    table: &'static str,
    word: &str,
    language: Language,
) -> Result<Option<&'static str>, [&'static str; 2]> {
    let word = plain(word);
    let mut found: Option<&'static str> = None;
    for (name, english) in rows(table, language) {
        let name = plain(name);
        if name == word {
            return Ok(Some(english));
        }
        if name.starts_with(&word) && !word.is_empty() {
            match found {
                Some(other) if other != english => found = Some("\0"),
                _ => found = Some(english),
            }
        }
    }
    if found != Some("\0") {
        return Ok(found);
    }
    let all: Vec<_> = rows(table, language)
        .filter(|(name, _)| plain(name).starts_with(&word))
        .map(|(_, english)| english)
        .collect();
    Err([all[0], all[1]])
}

/// Returns the squares that a word lists, such as `b8c6`.
fn squares(word: &str) -> Option<Vec<Square>> {
    let word = word.to_ascii_lowercase();
    let pairs = word.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok()?.parse().ok());
    pairs.collect::<Option<Vec<Square>>>().filter(|all| !all.is_empty())
}

impl ConditionName {
    /// Reads a condition with its variants, in any language. The name may contain spaces.
    ///
    /// # Errors
    /// The word that is no name or no variant.
    pub fn read(text: &str) -> Result<Self, NameError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if let Some(name) = Self::of_game(text) {
            return Ok(name);
        }
        let mut error = None;
        for language in Language::ALL {
            for count in (1..=words.len()).rev() {
                let name = words[..count].concat();
                let is_whole =
                    rows(CONDITIONS, language).any(|(one, _)| plain(one) == plain(&name));
                if count > 1 && !is_whole {
                    continue;
                }
                let mut all = words[count..].to_vec();
                all.insert(0, &name);
                match Self::read_all(&all, language) {
                    Ok(mut read) if read.len() == 1 => return Ok(read.remove(0)),
                    Ok(_) => {
                        let word = words.last().copied().unwrap_or_default().to_owned();
                        error = error.or(Some(NameError::Unknown(word)));
                    }
                    Err((_, why)) => error = error.or(Some(why)),
                }
            }
        }
        Err(error.unwrap_or_else(|| NameError::Unknown(text.to_owned())))
    }

    /// Reads a condition on the game, with its squares: `never moves e1`, `no checks`.
    pub fn of_game(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split([' ', ',', '-', ':']).filter(|w| !w.is_empty()).collect();
        let listed = words.iter().rev().take_while(|word| squares(word).is_some()).count();
        let (name, places) = words.split_at(words.len() - listed);
        let name = game_condition(&name.concat())?;
        let squares = places.iter().filter_map(|word| squares(word)).flatten().collect();
        Some(Self { name, variants: vec![], squares })
    }

    /// Reads conditions, one after the other, each with its variants and squares.
    ///
    /// # Errors
    /// The index of the word that is no name, and why.
    pub fn read_all(words: &[&str], language: Language) -> Result<Vec<Self>, (usize, NameError)> {
        let mut all: Vec<Self> = vec![];
        for (at, &word) in words.iter().enumerate() {
            if let Some(last) = all.last_mut() {
                if let Some(squares) = squares(word) {
                    last.squares.extend(squares);
                    continue;
                }
                let is_condition =
                    rows(CONDITIONS, language).any(|(one, _)| plain(one) == plain(word));
                if !is_condition && let Ok(Some(variant)) = find(VARIANTS, word, language) {
                    last.variants.push(variant);
                    continue;
                }
            }
            if let Some(name) = game_condition(word) {
                all.push(Self { name, variants: vec![], squares: vec![] });
                continue;
            }
            match find(CONDITIONS, word, language) {
                Ok(Some(name)) => all.push(Self { name, variants: vec![], squares: vec![] }),
                Ok(None) => {
                    let word = word.to_owned();
                    let why = match all.last() {
                        Some(last) => NameError::Variant { condition: last.name, word },
                        None => NameError::Unknown(word),
                    };
                    return Err((at, why));
                }
                Err([first, second]) => {
                    let word = word.to_owned();
                    return Err((at, NameError::Ambiguous { word, first, second }));
                }
            }
        }
        Ok(all)
    }
}

/// Returns the fairy piece that letters mean in a language.
pub(crate) fn piece_of_letters(letters: &str, language: Language) -> Option<&'static PieceType> {
    let letters = letters.to_lowercase();
    PIECES.iter().find(|piece| piece.letters[language as usize] == letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        ConditionName::read(text).map_or_else(|why| why.to_string(), |name| name.to_string())
    }

    #[test]
    fn names_are_read_in_three_languages() {
        assert_eq!(read("Circe RexInclusive"), "Circe RexInclusive");
        assert_eq!(read("circe rexinclusive"), "Circe RexInclusive");
        assert_eq!(read("Losing Chess"), "LosingChess");
        assert_eq!(read("losing"), "LosingChess");
        assert_eq!(read("Circe Schlagfeld NaechsterSchlag"), "Circe CaptureSquare WaitCapture");
        assert_eq!(read("koenigsdynastie"), "RoyalDynasty");
        assert_eq!(read("wormholes b8c6"), "Wormholes b8c6");
        assert_eq!(read("QuiPerdGagne"), "LosingChess");
        assert_eq!(read("Circe Nonsense"), "\"Nonsense\" is no variant of Circe");
        assert_eq!(read("Nonsense"), "unknown condition \"Nonsense\"");
        assert_eq!(read("White castles kingside"), "WhiteCastlesKingside");
        assert_eq!(read("never moves e1 a1"), "NeverMoves e1a1");
        assert_eq!(read("Last move: e7-e8"), "LastMove e7e8");
        assert!(read("Anti").starts_with("\"Anti\" is the beginning of several"));
    }
}

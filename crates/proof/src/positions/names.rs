//! Names of conditions, variants and pieces in English, German and French, as Popeye 4.104 spells them.
//!
//! Case does not matter, and a unique beginning is sufficient. Umlauts and accents may be written or not.

mod listed;
mod nearest;

pub use listed::{ListedName, listed_conditions, listed_pieces};
pub(crate) use nearest::{hint as hint_of, mistyped_variant};
pub use nearest::{nearest_conditions, nearest_of};

use super::fairy::{PIECES, PieceType, piece_of};
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;
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

/// Whether a condition is one on the game, by its key.
pub(crate) fn is_of_game(name: &str) -> bool {
    GAME_CONDITIONS.lines().any(|row| row.split('|').next() == Some(name))
}

/// Conditions on the game that name squares, and how they are written.
const WITH_SQUARES: [(&str, &str); 2] =
    [("NeverMoves", "never moves e1 a1"), ("LastMove", "last move e7-e8")];

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
    #[error("unknown condition \"{0}\"{hint}", hint = nearest::hint(.0))]
    Unknown(String),
    /// Several conditions in one place.
    #[error("{first} and {second} are two conditions, expected one")]
    Several {
        /// The first one.
        first: String,
        /// The next one.
        second: String,
    },
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
    /// A condition on the game without its squares, or with a word that is none.
    #[error("{condition} expects squares a1 to h8, such as {example}, got {got}")]
    Squares {
        /// The condition.
        condition: &'static str,
        /// How it is written.
        example: &'static str,
        /// What was found.
        got: String,
    },
    /// A word after a condition that belongs to no condition.
    #[error("\"{word}\" is no variant of {condition}{hint}", hint = nearest::variant_hint(.word))]
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

/// The word in lower case, without blanks and hyphens, with umlauts and accents as Popeye writes them.
pub(crate) fn plain(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for symbol in word.chars().filter(|c| !c.is_whitespace() && *c != '-') {
        for lower in symbol.to_lowercase() {
            match lower {
                'ä' => out.push_str("ae"),
                'ö' => out.push_str("oe"),
                'ü' => out.push_str("ue"),
                'ß' => out.push_str("ss"),
                'é' | 'è' | 'ê' => out.push('e'),
                'à' | 'â' => out.push('a'),
                'ç' => out.push('c'),
                'î' | 'ï' => out.push('i'),
                'ñ' => out.push('n'),
                'ô' => out.push('o'),
                other => out.push(other),
            }
        }
    }
    out
}

/// The name as [`plain`], without the word for chess at its end.
fn without_chess(name: &str) -> String {
    let name = plain(name);
    let short = ["chess", "schach"].into_iter().find_map(|word| name.strip_suffix(word));
    short.map_or_else(|| name.clone(), str::to_owned)
}

/// Returns the condition whose name in a language this is, as [`plain`], or without the word for chess.
fn whole_name(name: &str, language: Language) -> Option<&'static str> {
    static NAMES: OnceLock<[HashMap<String, &'static str>; 3]> = OnceLock::new();
    let all = NAMES.get_or_init(|| {
        [Language::French, Language::German, Language::English].map(|language| {
            let short = rows(CONDITIONS, language).map(|(one, _)| (without_chess(one), one));
            // A full name wins.
            short.chain(rows(CONDITIONS, language).map(|(one, _)| (plain(one), one))).collect()
        })
    });
    all[language as usize].get(name).copied()
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
        if let Some(fault) = Self::wrong_squares(text) {
            return Err(fault);
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
                    Ok(read) => {
                        let named = |at: usize| read.get(at).map(ToString::to_string);
                        let (first, second) = (named(0).unwrap_or_default(), named(1));
                        let several = second.map(|second| NameError::Several { first, second });
                        error = error.or(several);
                    }
                    Err((_, why)) => error = error.or(Some(why)),
                }
            }
        }
        Err(nearest::fault_of(text, error))
    }

    /// Reads a condition whose name is written in full, except for the word `chess` and its variants. A short beginning
    /// may mean something else where a line is not announced as a condition.
    pub fn read_whole(text: &str) -> Option<Self> {
        if let Some(name) = Self::of_game(text) {
            return Some(name);
        }
        let text = text.replace(" and ", "&").replace(" & ", "&");
        let words: Vec<&str> = text.split_whitespace().collect();
        for language in Language::ALL {
            for count in (1..=words.len()).rev() {
                let name = plain(&words[..count].concat());
                let Some(whole) = whole_name(&name, language) else { continue };
                let mut all = words[count..].to_vec();
                all.insert(0, whole);
                match Self::read_all(&all, language) {
                    Ok(mut read) if read.len() == 1 => return Some(read.remove(0)),
                    _ => {}
                }
            }
        }
        None
    }

    /// Reads a condition on the game, with its squares: `never moves e1`, `no checks`.
    pub fn of_game(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split([' ', ',', '-', ':']).filter(|w| !w.is_empty()).collect();
        let listed = words.iter().rev().take_while(|word| squares(word).is_some()).count();
        let (name, places) = words.split_at(words.len() - listed);
        let name = game_condition(&name.concat())?;
        let squares: Vec<Square> =
            places.iter().filter_map(|word| squares(word)).flatten().collect();
        let needs_squares = WITH_SQUARES.iter().any(|(known, _)| *known == name);
        (needs_squares != squares.is_empty()).then_some(Self { name, variants: vec![], squares })
    }

    /// Returns the fault of a condition on the game whose squares are missing or wrong.
    pub fn wrong_squares(text: &str) -> Option<NameError> {
        let words: Vec<&str> = text.split([' ', ',', '-', ':']).filter(|w| !w.is_empty()).collect();
        (1..=words.len()).rev().find_map(|count| {
            let (name, rest) = words.split_at(count);
            let name = game_condition(&name.concat())?;
            let (condition, example) =
                WITH_SQUARES.into_iter().find(|(known, _)| *known == name)?;
            let wrong = rest.iter().find(|word| squares(word).is_none());
            let got = match (wrong, rest) {
                (Some(wrong), _) => format!("\"{wrong}\""),
                (None, []) => "none".to_owned(),
                _ => return None,
            };
            Some(NameError::Squares { condition, example, got })
        })
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

/// Returns the fairy piece of an English, German or French name. Case, spaces, hyphens and accents do not matter.
pub(crate) fn piece_named(name: &str) -> Option<&'static PieceType> {
    let others = || {
        let name = plain(name);
        listed_pieces().into_iter().find(|one| one.others.iter().any(|other| plain(other) == name))
    };
    piece_of(name).or_else(|| others().and_then(|one| piece_of(one.name)))
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
        let squares = "NeverMoves expects squares a1 to h8, such as never moves e1 a1, got ";
        assert_eq!(read("never moves e9"), format!("{squares}\"e9\""));
        assert_eq!(read("never moves"), format!("{squares}none"));
        assert!(read("last move e4-e9").ends_with("got \"e9\""));
        assert_eq!(read("Circe Madrasi"), "Circe and Madrasi are two conditions, expected one");
        assert_eq!(read("Königsdynastie"), "RoyalDynasty");
        assert_eq!(read("Circee"), "unknown condition \"Circee\", did you mean Circe?");
        assert!(read("Anti").starts_with("\"Anti\" is the beginning of several"));
    }
}

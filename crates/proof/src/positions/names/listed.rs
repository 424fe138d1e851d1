//! Lists of the conditions and pieces that the program knows, with their names in three languages and short meanings.

use super::{CONDITIONS, GAME_CONDITIONS};

/// Short meanings of conditions: English name and meaning.
static MEANINGS: &str = include_str!("meanings.txt");

/// Fairy pieces: English, German and French name, and meaning.
static FAIRY_PIECES: &str = include_str!("pieces.txt");

/// A condition or piece in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedName {
    /// English name, as verdicts have it.
    pub name: &'static str,
    /// German and French names, or other ways to write it; empty without one.
    pub others: [&'static str; 2],
    /// Short meaning.
    pub meaning: &'static str,
}

/// Returns all supported conditions: fairy conditions, then those on the game.
pub fn listed_conditions() -> Vec<ListedName> {
    let row = |line: &'static str| {
        let (name, meaning) = line.split_once('|')?;
        let of_popeye = CONDITIONS.lines().find(|row| row.split('|').nth(2) == Some(name));
        let others = match of_popeye {
            Some(row) => {
                let mut names = row.split('|');
                let (french, german) = (names.next()?, names.next()?);
                [german, french]
            }
            None => {
                let row =
                    GAME_CONDITIONS.lines().find(|row| row.split('|').next() == Some(name))?;
                [row.split('|').nth(1)?, ""]
            }
        };
        Some(ListedName { name, others, meaning })
    };
    MEANINGS.lines().filter_map(row).collect()
}

/// Returns all fairy pieces.
pub fn listed_pieces() -> Vec<ListedName> {
    let row = |line: &'static str| {
        let mut words = line.split('|');
        let (name, german, french) = (words.next()?, words.next()?, words.next()?);
        Some(ListedName { name, others: [german, french], meaning: words.next()? })
    };
    FAIRY_PIECES.lines().filter_map(row).collect()
}

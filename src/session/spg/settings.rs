//! What the user has chosen about proof games, once for all problems; the keys of an errand have the last
//! word.

use crate::proof::Length;
use crate::proof::problem::retraction::Retraction;
use crate::proof::run::{Collisions, Params, TwoWaySplitting};
use crate::proof::search::SPLITS_MAX;

/// The choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofOptions {
    /// Workers that seek strategies; 0 for all.
    pub seekers: usize,
    /// Workers that play strategies; 0 for all.
    pub players: usize,
    /// Threads with which each player plays its strategy.
    pub slaves: usize,
    /// Depth of the tree of strategies where seekers part.
    pub sync_depth: u8,
    /// Half-move before which slaves try moves in different orders; 0 for everywhere.
    pub slave_sync_depth: u16,
    /// Pieces of the table of positions, as a power of two.
    pub cache_splits: u8,
    /// When all pairs of men are thought about.
    pub collisions: Collisions,
    /// How strategies are parted.
    pub splitter: TwoWaySplitting,
    /// When the last move is taken back.
    pub retraction: Retraction,
    /// Whether shorter games count.
    pub length: Length,
    /// Whether pages show the path of seekers.
    pub seek_path: bool,
}

impl Default for ProofOptions {
    fn default() -> Self {
        let usual = Params::default();
        Self {
            seekers: usual.seekers,
            players: usual.players,
            slaves: usual.threads_per_strategy,
            sync_depth: usual.sync_depth,
            slave_sync_depth: usual.team_sync_plies,
            cache_splits: usual.table_splits,
            collisions: usual.collisions,
            splitter: usual.splitter,
            retraction: usual.retraction,
            length: Length::Parity,
            seek_path: true,
        }
    }
}

/// The most pieces of the table, as a power of two.
pub const CACHE_SPLITS_MAX: u8 = SPLITS_MAX;

/// The words for [`Collisions`].
pub const COLLISIONS: &[(&str, Collisions)] = &[
    ("adaptive", Collisions::Adaptive),
    ("default", Collisions::ByMen),
    ("on", Collisions::On),
    ("off", Collisions::Off),
];

/// The words for [`TwoWaySplitting`].
pub const SPLITTERS: &[(&str, TwoWaySplitting)] = &[
    ("none", TwoWaySplitting::None),
    ("probe", TwoWaySplitting::Probe),
    ("always", TwoWaySplitting::Always),
];

/// The words for [`Retraction`].
pub const RETRACTIONS: &[(&str, Retraction)] =
    &[("check", Retraction::Check), ("never", Retraction::Never), ("always", Retraction::Always)];

/// The words for [`Length`].
pub const LENGTHS: &[(&str, Length)] = &[("parity", Length::Parity), ("exact", Length::Exact)];

/// The words of a table.
pub const fn words<T: Copy, const N: usize>(table: &[(&'static str, T)]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut at = 0;
    while at < N {
        words[at] = table[at].0;
        at += 1;
    }
    words
}

/// Where a value stands in its table.
pub fn place<T: PartialEq>(table: &[(&str, T)], value: &T) -> usize {
    table.iter().position(|(_, one)| one == value).unwrap_or(0)
}

/// What a word means.
///
/// # Errors
/// All words, when it is none of them.
pub fn meaning<T: Copy>(table: &[(&str, T)], key: &str, word: &str) -> Result<T, String> {
    let known = table.iter().find(|(one, _)| one.eq_ignore_ascii_case(word));
    known.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = table.iter().map(|(word, _)| *word).collect();
        let (last, others) = words.split_last().unwrap_or((&"", &[]));
        format!("{key} wants {} or {last}, got {word}", others.join(", "))
    })
}

/// Words that the model's files have for values of ours.
const SYNONYMS: &[(&str, &str)] = &[
    ("incheck", "check"),
    ("default", "check"),
    ("on", "check"),
    ("off", "never"),
    ("none", "never"),
];

/// The value of the model's `retractionMode` in our words.
pub fn retraction_word(word: &str) -> &str {
    let plain: String = word.chars().filter(char::is_ascii_alphabetic).collect();
    let known = SYNONYMS.iter().find(|(theirs, _)| theirs.eq_ignore_ascii_case(&plain));
    known.map_or(word, |(_, ours)| ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_and_others_named() {
        assert_eq!(meaning(SPLITTERS, "splitter", "Probe"), Ok(TwoWaySplitting::Probe));
        let wrong = meaning(COLLISIONS, "collisions", "maybe").unwrap_err();
        assert_eq!(wrong, "collisions wants adaptive, default, on or off, got maybe");
        assert_eq!(retraction_word("in check"), "check");
        assert_eq!(retraction_word("always"), "always");
        assert_eq!(words::<_, 2>(LENGTHS), ["parity", "exact"]);
    }
}

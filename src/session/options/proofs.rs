//! Options of proof games. One line of [`PROOF_SPECS`] declares an option, the key that overrides
//! it in one task, its names in option files of other programs, its range and its help.
//! `CONTRIBUTING.md` explains how to add one.

use super::{Kind, Options, Spec, THREADS_MAX};
use crate::proof::run::{Collisions, Params, SPLITS_MAX, TwoWaySplitting};
use crate::proof::{Length, PLIES_MAX, Retraction};
use crate::session::task_error::TaskError;

/// Values of the proof-game options, for all problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofOptions {
    /// Length of the games that `go` searches for when proof games are the solver, such as `23.0`.
    pub moves: String,
    /// Memory for failed positions, in MiB.
    pub memory_mib: u64,
    /// Number of workers that enumerate strategies; 0 for all.
    pub seekers: usize,
    /// Number of workers that play strategies; 0 for all.
    pub players: usize,
    /// Number of threads that play one strategy.
    pub threads_per_strategy: usize,
    /// Depth of the strategy tree at which seekers divide the work.
    pub sync_depth: u8,
    /// Half-move before which the threads of a strategy try moves in different orders; 0 for all
    /// half-moves.
    pub strategy_sync_depth: u16,
    /// Number of parts of the position table, as a power of two.
    pub cache_splits: u8,
    /// Scope of the analysis of pairs of pieces.
    pub collisions: Collisions,
    /// Division of strategies into cases.
    pub splitter: TwoWaySplitting,
    /// Retraction of the last move.
    pub retraction: Retraction,
    /// Treatment of shorter games.
    pub length: Length,
    /// Pages show the path of seekers.
    pub seek_path: bool,
    /// Server of a cluster; empty for none.
    pub cluster: String,
}

impl Default for ProofOptions {
    fn default() -> Self {
        let usual = Params::default();
        Self {
            moves: String::new(),
            memory_mib: 256,
            seekers: usual.seekers,
            players: usual.players,
            threads_per_strategy: usual.threads_per_strategy,
            sync_depth: usual.sync_depth,
            strategy_sync_depth: usual.team_sync_plies,
            cache_splits: usual.table_splits,
            collisions: usual.collisions,
            splitter: usual.splitter,
            retraction: usual.retraction,
            length: Length::Parity,
            seek_path: true,
            cluster: String::new(),
        }
    }
}

impl ProofOptions {
    /// Returns the parameters of a solver run with these options.
    pub fn params(&self) -> Params {
        Params {
            table_bytes: self.memory_mib << 20,
            seekers: self.seekers,
            players: self.players,
            threads_per_strategy: self.threads_per_strategy,
            sync_depth: self.sync_depth,
            team_sync_plies: self.strategy_sync_depth,
            table_splits: self.cache_splits,
            collisions: self.collisions,
            splitter: self.splitter,
            retraction: self.retraction,
            ..Params::default()
        }
    }
}

/// Words for [`Collisions`].
const COLLISIONS: &[(&str, Collisions)] = &[
    ("adaptive", Collisions::Adaptive),
    ("default", Collisions::ByPieces),
    ("on", Collisions::On),
    ("off", Collisions::Off),
];

/// Words for [`TwoWaySplitting`].
const SPLITTERS: &[(&str, TwoWaySplitting)] = &[
    ("none", TwoWaySplitting::None),
    ("probe", TwoWaySplitting::Probe),
    ("always", TwoWaySplitting::Always),
];

/// Words for [`Retraction`].
pub const RETRACTIONS: &[(&str, Retraction)] =
    &[("check", Retraction::Check), ("never", Retraction::Never), ("always", Retraction::Always)];

/// Words for [`Length`].
pub const LENGTHS: &[(&str, Length)] = &[("parity", Length::Parity), ("exact", Length::Exact)];

/// Words of Stelvio's `retractionMode` for our values.
const RETRACTION_SYNONYMS: &[(&str, &str)] = &[
    ("in check", "check"),
    ("default", "check"),
    ("on", "check"),
    ("off", "never"),
    ("none", "never"),
];

/// Returns the words of a table.
const fn words<T: Copy, const N: usize>(table: &[(&'static str, T)]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut at = 0;
    while at < N {
        words[at] = table[at].0;
        at += 1;
    }
    words
}

/// Returns the index of a value in its table.
fn place<T: PartialEq>(table: &[(&str, T)], value: &T) -> usize {
    table.iter().position(|(_, one)| one == value).unwrap_or(0)
}

/// Returns the value at an index of a table.
fn at<T: Copy + Default>(table: &[(&str, T)], place: usize) -> T {
    table.get(place).map(|(_, value)| *value).unwrap_or_default()
}

/// Returns the value for a word of a problem file; Stelvio's words for retractions are accepted.
///
/// # Errors
/// Lists all words when the given one is unknown.
pub fn meaning<T: Copy>(table: &[(&str, T)], key: &str, word: &str) -> Result<T, TaskError> {
    let same = |a: &str, b: &str| super::letters(a) == super::letters(b);
    let known = |word: &str| table.iter().find(|(one, _)| same(one, word));
    let synonym = RETRACTION_SYNONYMS.iter().find(|(theirs, _)| same(theirs, word));
    let found = known(word).or_else(|| known(synonym?.1));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = table.iter().map(|(word, _)| *word).collect();
        TaskError::expects(key, words.join(", ")).got(word)
    })
}

/// Declares a number that the key of a task may override.
const fn spin(
    (name, key): (&'static str, &'static str),
    aliases: &'static [&'static str],
    (min, max): (i64, i64),
    get: fn(&Options) -> i64,
    set: fn(&mut Options, i64),
    help: &'static str,
) -> Spec {
    Spec { name, aliases, key: Some(key), kind: Kind::Spin { get, set, min, max }, help }
}

/// Declares a choice that the key of a task may override.
const fn combo(
    (name, key): (&'static str, &'static str),
    aliases: &'static [&'static str],
    names: &'static [&'static str],
    get: fn(&Options) -> usize,
    set: fn(&mut Options, usize),
    help: &'static str,
) -> Spec {
    let synonyms = &[];
    Spec { name, aliases, key: Some(key), kind: Kind::Combo { get, set, names, synonyms }, help }
}

/// The options, in the order in which they are offered. The aliases are names in Stelvio's
/// `stelvioUI.ini`; those whose spelling its manual does not give are guesses.
pub const PROOF_SPECS: &[Spec] = &[
    Spec::new(
        "SPG Moves",
        Kind::Text { get: |o| &o.proofs.moves, set: |o, v| o.proofs.moves = v },
        "length of the proof game that go looks for when Solver is spg, such as 23.0",
    ),
    Spec::new(
        "SPG Memory",
        Kind::Spin {
            get: |o| o.proofs.memory_mib.try_into().unwrap_or(i64::MAX),
            set: |o, v| o.proofs.memory_mib = v.unsigned_abs(),
            min: 1,
            max: 1 << 20,
        },
        "memory for the table of positions that failed, MiB",
    ),
    spin(
        ("SPG Seekers", "seekers"),
        &["strategySeekers", "numberOfStrategySeekers"],
        (0, THREADS_MAX),
        |o| o.proofs.seekers as i64,
        |o, v| o.proofs.seekers = v as usize,
        "workers that enumerate strategies; 0 for all of Threads",
    ),
    spin(
        ("SPG Players", "players"),
        &["strategyPlayers", "numberOfStrategyPlayers"],
        (0, THREADS_MAX),
        |o| o.proofs.players as i64,
        |o, v| o.proofs.players = v as usize,
        "workers that play strategies; 0 for all of Threads",
    ),
    spin(
        ("SPG Threads Per Strategy", "threads-per-strategy"),
        &["SPG_Slaves", "slaves", "slavePlayers", "numberOfSlavePlayers"],
        (1, 64),
        |o| o.proofs.threads_per_strategy as i64,
        |o, v| o.proofs.threads_per_strategy = v as usize,
        "threads with which each player plays a slow strategy",
    ),
    spin(
        ("SPG Sync Depth", "sync-depth"),
        &["strategySeekingSyncDepth"],
        (1, 100),
        |o| i64::from(o.proofs.sync_depth),
        |o, v| o.proofs.sync_depth = v as u8,
        "depth of the strategy tree at which seekers divide the work",
    ),
    spin(
        ("SPG Strategy Sync Depth", "strategy-sync-depth"),
        &["SPG_Slave_Sync_Depth", "slave-sync-depth", "slavePlayerHalfMoveSyncDepth"],
        (0, PLIES_MAX as i64),
        |o| i64::from(o.proofs.strategy_sync_depth),
        |o, v| o.proofs.strategy_sync_depth = v as u16,
        "half-move before which the threads of a strategy divide the work; 0 for every half-move",
    ),
    spin(
        ("SPG Cache Splits", "cache-splits"),
        &["positionCacheSplitExponent"],
        (0, SPLITS_MAX as i64),
        |o| i64::from(o.proofs.cache_splits),
        |o, v| o.proofs.cache_splits = v as u8,
        "number of memory blocks of the table of positions, as a power of two",
    ),
    combo(
        ("SPG Collisions", "collisions"),
        &["expensiveCollisionDetectionMode"],
        &words::<_, 4>(COLLISIONS),
        |o| place(COLLISIONS, &o.proofs.collisions),
        |o, v| o.proofs.collisions = at(COLLISIONS, v),
        "pairwise interaction analysis: adaptive (slow strategies only), default (28+ men), on, off",
    ),
    combo(
        ("SPG Splitter", "splitter"),
        &["speculativeSplitterMode"],
        &words::<_, 3>(SPLITTERS),
        |o| place(SPLITTERS, &o.proofs.splitter),
        |o, v| o.proofs.splitter = at(SPLITTERS, v),
        "treatment of two-move legs with two possible intermediate squares: none, probe, always split",
    ),
    Spec {
        kind: Kind::Combo {
            get: |o| place(RETRACTIONS, &o.proofs.retraction),
            set: |o, v| o.proofs.retraction = at(RETRACTIONS, v),
            names: &words::<_, 3>(RETRACTIONS),
            synonyms: RETRACTION_SYNONYMS,
        },
        ..combo(
            ("SPG Retraction", "retraction"),
            &["retractionMode"],
            &[],
            |_| 0,
            |_, _| {},
            "taking back the last move: check (when a king is in check), never, always",
        )
    },
    Spec {
        key: Some("length"),
        ..Spec::new(
            "SPG Length",
            Kind::Combo {
                get: |o| place(LENGTHS, &o.proofs.length),
                set: |o, v| {
                    if let Some((_, length)) = LENGTHS.get(v) {
                        o.proofs.length = *length;
                    }
                },
                names: &words::<_, 2>(LENGTHS),
                synonyms: &[],
            },
            "games that count: parity (also shorter ones of the same parity) or exact (the given length)",
        )
    },
    Spec {
        aliases: &["seekingPathInformation", "pathInformation"],
        key: Some("seek-path"),
        ..Spec::new(
            "SPG Seek Path",
            Kind::Check { get: |o| o.proofs.seek_path, set: |o, v| o.proofs.seek_path = v },
            "show the path of the seekers on the pages in the terminal",
        )
    },
    Spec {
        key: Some("cluster"),
        ..Spec::new(
            "Cluster",
            Kind::Text { get: |o| &o.proofs.cluster, set: |o, v| o.proofs.cluster = v },
            "server of workers on several machines, such as nats://HOST:4222; auto takes UMBRAIL_CLUSTER; empty for none",
        )
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_and_others_named() {
        assert_eq!(meaning(SPLITTERS, "splitter", "Probe"), Ok(TwoWaySplitting::Probe));
        let wrong = meaning(RETRACTIONS, "retraction", "maybe").unwrap_err();
        assert_eq!(wrong.to_string(), "retraction wants check, never, always, got maybe");
        assert_eq!(meaning(RETRACTIONS, "retraction", "in check"), Ok(Retraction::Check));
        assert_eq!(meaning(RETRACTIONS, "retraction", "always"), Ok(Retraction::Always));
        assert_eq!(words::<_, 2>(LENGTHS), ["parity", "exact"]);
    }

    #[test]
    fn former_names_and_those_of_stelvio_set_the_same_options() {
        for (name, value, ours) in [
            ("SPG Slaves", "3", "SPG Threads Per Strategy"),
            ("slavePlayers", "3", "SPG Threads Per Strategy"),
            ("numberOfSlavePlayers", "3", "SPG Threads Per Strategy"),
            ("SPG Slave Sync Depth", "40", "SPG Strategy Sync Depth"),
            ("slavePlayerHalfMoveSyncDepth", "40", "SPG Strategy Sync Depth"),
            ("retractionMode", "never", "SPG Retraction"),
        ] {
            let [mut old, mut new] = [Options::default(), Options::default()];
            old.set(name, Some(value)).unwrap();
            new.set(ours, Some(value)).unwrap();
            assert_eq!(old, new, "{name}");
            assert_ne!(old, Options::default(), "{name}");
        }
    }
}

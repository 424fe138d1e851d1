//! The options of the proof games, and the names that the model has for them.

use super::{Kind, Options, Spec, THREADS_MAX};
use crate::session::spg::settings::{
    CACHE_SPLITS_MAX, COLLISIONS, LENGTHS, RETRACTIONS, SPLITTERS, place, retraction_word, words,
};

type Get<T> = fn(&Options) -> T;
type Set<T> = fn(&mut Options, T);

const fn spin(
    name: &'static str,
    (min, max): (i64, i64),
    get: Get<i64>,
    set: Set<i64>,
    help: &'static str,
) -> Spec {
    Spec { name, kind: Kind::Spin { get, set, min, max }, help }
}

const fn combo(
    name: &'static str,
    names: &'static [&'static str],
    get: Get<usize>,
    set: Set<usize>,
    help: &'static str,
) -> Spec {
    Spec { name, kind: Kind::Combo { get, set, names }, help }
}

/// The options, in the order in which they are offered.
pub(super) const SPECS: &[Spec] = &[
    spin(
        "SPG Seekers",
        (0, THREADS_MAX),
        |o| o.proofs.seekers as i64,
        |o, v| o.proofs.seekers = v as usize,
        "workers that seek strategies of proof games; 0 for all of Threads",
    ),
    spin(
        "SPG Players",
        (0, THREADS_MAX),
        |o| o.proofs.players as i64,
        |o, v| o.proofs.players = v as usize,
        "workers that play strategies of proof games; 0 for all of Threads",
    ),
    spin(
        "SPG Slaves",
        (1, 64),
        |o| o.proofs.slaves as i64,
        |o, v| o.proofs.slaves = v as usize,
        "threads with which each player plays one strategy that takes long",
    ),
    spin(
        "SPG Sync Depth",
        (1, 100),
        |o| i64::from(o.proofs.sync_depth),
        |o, v| o.proofs.sync_depth = v as u8,
        "depth of the tree of strategies at which seekers share the work out",
    ),
    spin(
        "SPG Slave Sync Depth",
        (0, 240),
        |o| i64::from(o.proofs.slave_sync_depth),
        |o, v| o.proofs.slave_sync_depth = v as u16,
        "half-move before which slaves go different ways; 0 for all",
    ),
    spin(
        "SPG Cache Splits",
        (0, CACHE_SPLITS_MAX as i64),
        |o| i64::from(o.proofs.cache_splits),
        |o, v| o.proofs.cache_splits = v as u8,
        "pieces of memory that the table of positions lies in, as a power of two",
    ),
    combo(
        "SPG Collisions",
        &words::<_, 4>(COLLISIONS),
        |o| place(COLLISIONS, &o.proofs.collisions),
        |o, at| o.proofs.collisions = COLLISIONS.get(at).map(|one| one.1).unwrap_or_default(),
        "which strategies have all pairs of men thought about: those that take long, from 28 men on, \
         all, none",
    ),
    combo(
        "SPG Splitter",
        &words::<_, 3>(SPLITTERS),
        |o| place(SPLITTERS, &o.proofs.splitter),
        |o, at| o.proofs.splitter = SPLITTERS.get(at).map(|one| one.1).unwrap_or_default(),
        "what is done with legs of two moves that can go by one of two squares",
    ),
    combo(
        "SPG Retraction",
        &words::<_, 3>(RETRACTIONS),
        |o| place(RETRACTIONS, &o.proofs.retraction),
        |o, at| o.proofs.retraction = RETRACTIONS.get(at).map(|one| one.1).unwrap_or_default(),
        "when the last move of a diagram is taken back: when a king is in check, never, always",
    ),
    combo(
        "SPG Length",
        &words::<_, 2>(LENGTHS),
        |o| place(LENGTHS, &o.proofs.length),
        |o, at| {
            if let Some((_, length)) = LENGTHS.get(at) {
                o.proofs.length = *length;
            }
        },
        "whether shorter games of the same parity count, or only those of exactly the length",
    ),
    Spec {
        name: "SPG Seek Path",
        kind: Kind::Check { get: |o| o.proofs.seek_path, set: |o, v| o.proofs.seek_path = v },
        help: "pages show the path of the seekers",
    },
];

/// Names in the model's `stelvioUI.ini`, and ours. Those that its manual does not spell are guesses.
const MODEL: &[(&str, &str)] = &[
    ("strategySeekingSyncDepth", "SPG Sync Depth"),
    ("slavePlayerHalfMoveSyncDepth", "SPG Slave Sync Depth"),
    ("positionCacheSplitExponent", "SPG Cache Splits"),
    ("expensiveCollisionDetectionMode", "SPG Collisions"),
    ("speculativeSplitterMode", "SPG Splitter"),
    ("retractionMode", "SPG Retraction"),
    ("strategySeekers", "SPG Seekers"),
    ("numberOfStrategySeekers", "SPG Seekers"),
    ("strategyPlayers", "SPG Players"),
    ("numberOfStrategyPlayers", "SPG Players"),
    ("slavePlayers", "SPG Slaves"),
    ("numberOfSlavePlayers", "SPG Slaves"),
    ("seekingPathInformation", "SPG Seek Path"),
    ("pathInformation", "SPG Seek Path"),
];

/// A setting of the model in our words; any other as it is.
pub(super) fn translated<'a>(name: &'a str, value: Option<&'a str>) -> (&'a str, Option<&'a str>) {
    let known = MODEL.iter().find(|(theirs, _)| theirs.eq_ignore_ascii_case(name.trim()));
    match known {
        Some((_, ours @ "SPG Retraction")) => {
            (ours, value.map(|word| retraction_word(word.trim())))
        }
        Some((_, ours)) => (ours, value),
        None => (name, value),
    }
}

//! What to build, and how.

use super::fairy::PieceSet;
use super::material::Material;
use super::rules::Rules;
use super::seed::SeedLine;
use std::path::PathBuf;

/// What to build.
#[derive(Clone, Debug)]
pub struct BuildRequest {
    /// The endgame.
    pub material: Material,
    /// The pieces that letters stand for.
    pub piece_set: PieceSet,
    /// The rules and the metric.
    pub rules: Rules,
    /// Values set beforehand for "White wins".
    pub seeds: Vec<SeedLine>,
}

impl BuildRequest {
    /// A request without seeds.
    pub fn new(material: &Material, piece_set: &PieceSet, rules: &Rules) -> Self {
        Self {
            material: material.clone(),
            piece_set: piece_set.clone(),
            rules: rules.clone(),
            seeds: Vec::new(),
        }
    }
}

/// How to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// Bytes that the large arrays may take. A build is refused beforehand when it is known to need more, and ends
    /// early when a table needs two bytes for each distance, which is found out while it is solved.
    pub memory_bytes: u64,
    /// Folder in which finished tables are kept: what is there is loaded instead of built, so that an interrupted
    /// build continues where it stopped. Seeded tables are not kept.
    pub folder: Option<PathBuf>,
    /// Keep counts only, and each sub-ending only as long as building needs it. The statistics are the same, but
    /// nothing can be probed or saved.
    pub counts_only: bool,
    /// Size in words, of 64 positions each, from which an unfinished table is kept in the folder too, once a minute.
    pub part_words: usize,
}

/// The size in words from which tables are kept unfinished by default: five men reach it.
const PART_WORDS: usize = 1 << 20;

impl Default for BuildOptions {
    /// 4 GiB, no folder, whole tables.
    fn default() -> Self {
        Self { memory_bytes: 4 << 30, ..Self::unlimited() }
    }
}

impl BuildOptions {
    /// No limit of memory, no folder, whole tables.
    pub const fn unlimited() -> Self {
        Self { memory_bytes: u64::MAX, folder: None, counts_only: false, part_words: PART_WORDS }
    }
}

//! Build requests and build options.

use super::fairy::PieceSet;
use super::material::Material;
use super::rules::Rules;
use super::seed::SeedLine;
use std::path::PathBuf;

/// Tables to build.
#[derive(Clone, Debug)]
pub struct BuildRequest {
    /// Requested endgame.
    pub material: Material,
    /// Pieces by letter.
    pub piece_set: PieceSet,
    /// Rules and metric.
    pub rules: Rules,
    /// Values set beforehand for "White wins".
    pub seeds: Vec<SeedLine>,
}

impl BuildRequest {
    /// Creates a request without seeds.
    pub fn new(material: &Material, piece_set: &PieceSet, rules: &Rules) -> Self {
        Self {
            material: material.clone(),
            piece_set: piece_set.clone(),
            rules: rules.clone(),
            seeds: Vec::new(),
        }
    }
}

/// Resources and retention of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// Memory limit of the large arrays, in bytes. A build is refused beforehand when it is known
    /// to need more. It ends early when a table turns out to need two bytes per distance, which is
    /// known only during solving.
    pub memory_bytes: u64,
    /// Folder of finished tables. Existing tables are loaded instead of built, so that an
    /// interrupted build resumes where it stopped. Seeded tables are not stored.
    pub folder: Option<PathBuf>,
    /// Retains counts only, and each sub-ending only as long as the build needs it. The statistics
    /// are the same, but nothing can be probed or saved.
    pub counts_only: bool,
    /// Table size, in words of 64 positions, from which an unfinished table is also saved in the
    /// folder, once a minute.
    pub part_words: usize,
}

/// Default size, in words, from which unfinished tables are saved; reached with five pieces.
const PART_WORDS: usize = 1 << 20;

impl Default for BuildOptions {
    /// Returns 4 GiB, no folder, whole tables.
    fn default() -> Self {
        Self { memory_bytes: 4 << 30, ..Self::unlimited() }
    }
}

impl BuildOptions {
    /// Returns no memory limit, no folder, whole tables.
    pub const fn unlimited() -> Self {
        Self { memory_bytes: u64::MAX, folder: None, counts_only: false, part_words: PART_WORDS }
    }
}

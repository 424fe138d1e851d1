//! Tablebase: tables of one or more materials under one set of rules, built, counted, probed and
//! verified.

mod counting;
mod needs;

use super::build_options::{BuildOptions, BuildRequest};
use super::catalog::Catalog;
use super::fairy_board::{FairyBoard, FairyMove};
use super::material::{Material, MaterialError};
use super::material_key::MaterialKey;
use super::probe::{CastlingCache, ProbeError, Prober, ValuedMove};
use super::retrograde::Seed;
use super::rules::Rules;
use super::seed;
use super::solver::{
    BuildError, BuildEvent, BuildMonitor, Keeps, Solver, estimate_beside, estimate_bytes,
};
use super::stats::{MutualZugzwang, Statistics, hardest, mutual_zugzwangs};
use super::table_set::TableSet;
use super::value::TableValue;
use super::verify::{self, Verification};
use crate::fairy::{Piece, PieceSet};
pub use counting::{CountError, count_each};
pub use needs::BuildNeeds;
use std::fmt;
use std::sync::Arc;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_control::{Budget, Control, OutOfMemory, Stopped, lock};

/// Outcome of a build.
#[derive(Debug)]
pub enum BuildOutcome {
    /// The tables are complete.
    Complete(Box<Tablebase>),
    /// The build was cancelled.
    Stopped,
    /// The tables exceed the memory limit.
    OutOfMemory(OutOfMemory),
    /// Files of a table that is built on disk could not be written or read: file and reason.
    Files(String),
    /// The rules and the pieces are incompatible.
    Refused(MaterialError),
}

/// Tables of one or more materials under one set of rules.
pub struct Tablebase {
    pub(super) request: BuildRequest,
    pub(super) options: BuildOptions,
    pub(super) table_set: TableSet,
    castled: CastlingCache,
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({}, {})", self.request.material, self.rules().metric)
    }
}

/// Builds the tables of a material.
pub fn solve(
    request: &BuildRequest,
    options: &BuildOptions,
    control: &Control<'_, BuildEvent>,
) -> BuildOutcome {
    let mut table = match Tablebase::new(request.clone(), options.clone()) {
        Ok(table) => table,
        Err(error) => return BuildOutcome::Refused(error),
    };
    let needs = table.estimate_bytes();
    if let Err(refused) = Budget::new(options.memory_bytes).take(needs) {
        return BuildOutcome::OutOfMemory(refused);
    }
    control.notify(BuildEvent::Planned { bytes: needs });
    match table.build(control) {
        Ok(()) => BuildOutcome::Complete(Box::new(table)),
        Err(BuildError::Stopped) => BuildOutcome::Stopped,
        Err(BuildError::OutOfMemory(refused)) => BuildOutcome::OutOfMemory(refused),
        Err(BuildError::Files(why)) => BuildOutcome::Files(why),
    }
}

impl Tablebase {
    /// Creates a tablebase for a request, with nothing solved yet.
    ///
    /// # Errors
    /// [`MaterialError::Promotion`] when the rules name a promotion piece that the piece set lacks.
    pub fn new(request: BuildRequest, options: BuildOptions) -> Result<Self, MaterialError> {
        let catalog = Catalog::new(request.rules.clone(), &request.piece_set)?;
        let table_set = TableSet::new(catalog);
        Ok(Self { request, options, table_set, castled: CastlingCache::default() })
    }

    /// Creates a tablebase of a material without seeds and with [unlimited
    /// options](BuildOptions::unlimited), with nothing solved yet.
    ///
    /// # Errors
    /// Those of [`Tablebase::new`].
    pub fn empty(
        material: &Material,
        rules: &Rules,
        piece_set: &PieceSet,
    ) -> Result<Self, MaterialError> {
        Self::new(BuildRequest::new(material, piece_set, rules), BuildOptions::unlimited())
    }

    /// Returns the material.
    pub fn material(&self) -> &Material {
        &self.request.material
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.request.rules
    }

    /// Returns the pieces.
    pub fn piece_set(&self) -> &PieceSet {
        &self.request.piece_set
    }

    /// Estimates the peak memory of the build, in bytes.
    pub(crate) fn estimate_bytes(&mut self) -> u64 {
        let keys = self.keys();
        let keeps = match (self.options.counts_only, &self.options.folder) {
            (false, _) => Keeps::Everything,
            (true, None) => Keeps::Needed,
            (true, Some(_)) => Keeps::NeededOfWhole,
        };
        let may_page = self.options.folder.is_some() && self.request.seeds.is_empty();
        let page_above = may_page.then_some(self.options.memory_bytes);
        estimate_bytes(&self.table_set.catalog, &keys, keeps, page_above)
    }

    /// Estimates the peak memory, in bytes, while a material is added to the existing tables, those
    /// included.
    pub fn estimate_also(&mut self, material: &Material) -> u64 {
        let keys = Color::ALL.map(|color| self.table_set.catalog.key(material, color));
        estimate_beside(&self.table_set, &keys)
    }

    /// Removes all tables and cached values.
    pub fn forget_all(&mut self) {
        self.table_set.forget();
        lock(&self.castled).clear();
    }

    /// Returns the size of its solved tables, plus the cache limit of opened files, in bytes.
    pub fn held_bytes(&self) -> u64 {
        self.table_set.held_bytes()
    }

    /// Returns the keys of "White wins" and "Black wins".
    pub(super) fn keys(&mut self) -> [MaterialKey; 2] {
        let material = self.request.material.clone();
        Color::ALL.map(|color| self.table_set.catalog.key(&material, color))
    }

    /// Builds everything the material needs, both directions.
    ///
    /// # Errors
    /// [`BuildError`] when the control stops the build or the memory does not suffice; finished
    /// tables stay.
    pub fn build(&mut self, control: &Control<'_, BuildEvent>) -> Result<(), BuildError> {
        let material = self.request.material.clone();
        self.build_also(&material, self.options.memory_bytes, control)
    }

    /// Builds another material in addition to the existing tables, within `memory_bytes` in total;
    /// sub-endings are shared.
    ///
    /// # Errors
    /// Those of [`Tablebase::build`].
    pub fn build_also(
        &mut self,
        material: &Material,
        memory_bytes: u64,
        control: &Control<'_, BuildEvent>,
    ) -> Result<(), BuildError> {
        let options = BuildOptions { memory_bytes, ..self.options.clone() };
        if let Some(folder) = &options.folder {
            // Failure to create a folder costs only the chance to resume.
            let _ = std::fs::create_dir_all(folder);
        }
        let mut tops: Vec<(MaterialKey, Vec<Seed>)> = Vec::new();
        for color in Color::ALL {
            let key = self.table_set.catalog.key(material, color);
            let seeds = if color.is_white() && *material == self.request.material {
                seed::cells(&self.table_set.catalog, &self.request.seeds, material, &key)
            } else {
                Vec::new()
            };
            if tops.iter().all(|(top, _)| *top != key) {
                tops.push((key, seeds));
            }
        }
        let (check, notify) = (|| control.check(), |event| control.notify(event));
        let monitor = BuildMonitor { check: &check, notify: &notify, finished: None, files: None };
        let solver = Solver { options: &options, monitor: &monitor };
        let set = &mut self.table_set;
        control.pool.install(|| solver.solve(set, &tops, &mut |_| Vec::new()))
    }

    /// Returns the table set, and the key of "White wins" in it.
    #[cfg(feature = "syzygy")]
    pub(crate) fn white_wins(&mut self) -> (&TableSet, MaterialKey) {
        let [key, _] = self.keys();
        (&self.table_set, key)
    }

    /// Returns the statistics of the material; none while it is not built.
    pub fn statistics(&mut self) -> Option<Statistics> {
        let keys = self.keys();
        let white = self.table_set.get(&keys[0])?.clone();
        let black = self.table_set.get(&keys[1])?.clone();
        Some(Statistics::gather(&self.table_set, &self.request.material, &keys, [&white, &black]))
    }

    /// Returns the hardest wins of a color, at most `limit`: positions with the longest distance,
    /// the winner or the loser to move. Of positions that symmetries of all pieces exchange there
    /// is one.
    pub fn hardest(&mut self, winner: Color, winner_moves: bool, limit: usize) -> Vec<FairyBoard> {
        let key = self.keys()[winner.index()].clone();
        let Some(table) = self.table_set.get(&key) else { return Vec::new() };
        hardest(&self.table_set, &key, table, winner, winner_moves, limit)
    }

    /// Returns mutual zugzwangs in which the side to move loses to this color, at most `limit` of
    /// those where the other side would draw with the move, and of those where it would lose. Of
    /// positions that symmetries of all pieces exchange there is one.
    pub fn mutual_zugzwangs(&mut self, winner: Color, limit: usize) -> Vec<MutualZugzwang> {
        let keys = self.keys();
        let key = &keys[winner.index()];
        let tables = (self.table_set.get(key), self.table_set.get(&keys[(!winner).index()]));
        let (Some(table), Some(other)) = tables else { return Vec::new() };
        mutual_zugzwangs(&self.table_set, key, [table, other], winner, limit)
    }

    /// Returns the pieces a pawn can promote to.
    pub(crate) fn promotions(&self) -> Vec<Arc<Piece>> {
        self.table_set.catalog.promotions()
    }

    /// Checks every `stride`-th word of both directions (1 = all) with the one-ply verifier, which
    /// shares no code with the builder. Tables may be in memory or in open files.
    ///
    /// # Errors
    /// [`Stopped`] when the control stops it.
    pub fn verify<F>(
        &mut self,
        stride: usize,
        control: &Control<'_, F>,
    ) -> Result<Verification, Stopped> {
        let progress = control.progress;
        let check = |words: u64| {
            progress.done.add(words);
            control.check()
        };
        let mut total = Verification::default();
        let keys = self.keys();
        let catalog = &self.table_set.catalog;
        let words: usize = keys.iter().map(|key| catalog.layout(key).total_words()).sum();
        progress.done.set(0);
        progress.total.set((words / stride.max(1)) as u64);
        for key in keys {
            let verdict = control
                .pool
                .install(|| verify::verify(&self.table_set, &key, stride.max(1), &check))?;
            total.checked += verdict.checked;
            total.fault_count += verdict.fault_count;
            total.faults.extend(verdict.faults);
        }
        if let Some(why) = self.damage() {
            total.fault_count += 1;
            total.faults.push(why.to_owned());
        }
        Ok(total)
    }

    /// Returns EGTgen's `rep2.txt` for "White wins"; none while that is not built. Its labels
    /// require a table under [`Metric::Level`](super::Metric::Level) or, for EGTgen's `-m`, `Dtm`.
    pub fn rep2(&mut self) -> Option<String> {
        let key = self.keys()[0].clone();
        let table = self.table_set.whole(&key)?;
        Some(super::rep2::rep2(
            &self.table_set,
            &self.request.material,
            &key,
            table,
            !self.request.seeds.is_empty(),
        ))
    }

    /// Interprets a setup as a position of these pieces, with the royals of the material.
    ///
    /// # Errors
    /// All reasons why the setup is not a legal position.
    pub fn board(&self, setup: &Setup) -> Result<FairyBoard, ProbeError> {
        let royals = Color::ALL.map(|c| self.request.material.side(c)[0].letter);
        FairyBoard::read(setup, &self.request.piece_set, royals).map_err(ProbeError::Board)
    }

    /// Returns the material of a board.
    pub fn material_of(board: &FairyBoard) -> Material {
        Material::of(Color::ALL.map(|c| board.pieces(c)))
    }

    /// Returns the value of a board to the side to move.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when its material was not built.
    pub fn value(&self, board: &FairyBoard) -> Result<TableValue, ProbeError> {
        self.prober().value(board).map_err(|_| self.missing(board))
    }

    /// Returns true when a board is answered at once. Values under castling rights may need an
    /// extra table, which [`Tablebase::value`] solves and caches.
    pub fn answers_quickly(&self, board: &FairyBoard) -> bool {
        self.prober().castling_is_quick(board)
    }

    /// Returns true when the tables of the material are unpacked in memory, as statistics require.
    pub fn is_in_memory(&mut self) -> bool {
        let keys = self.keys();
        keys.iter().all(|key| self.table_set.whole(key).is_some())
    }

    /// Returns all legal moves with their values, the best first. A pass is included where the
    /// rules allow it. The list is empty where the game has ended because a royal is bare.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when its material was not built.
    pub fn moves(&self, board: &FairyBoard) -> Result<Vec<ValuedMove>, ProbeError> {
        self.prober().valued_moves(board).map_err(|_| self.missing(board))
    }

    /// Returns all legal moves in any order, with the pass that the rules allow.
    pub(super) fn unvalued_moves(&self, board: &FairyBoard) -> Result<Vec<FairyMove>, ProbeError> {
        self.prober().unvalued_moves(board).map_err(|_| self.missing(board))
    }

    pub(super) fn prober(&self) -> Prober<'_> {
        let seeded = !self.request.seeds.is_empty();
        Prober { set: &self.table_set, castled: &self.castled, seeded }
    }

    /// Returns the fault of an open file in which a lookup has met a damaged block.
    pub fn damage(&self) -> Option<&str> {
        self.table_set.damage()
    }

    /// Closes the files in which lookups have met damaged blocks, so that they can be opened or
    /// built again.
    pub fn close_damaged(&mut self) {
        self.table_set.close_damaged();
    }

    fn missing(&self, board: &FairyBoard) -> ProbeError {
        if let Some(why) = self.damage() {
            return ProbeError::Damaged(why.to_owned());
        }
        ProbeError::Material(Self::material_of(board).canonical().to_string())
    }
}

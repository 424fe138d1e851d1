//! The front door: a request, its parameters, what is told on the way, and the finished table.

use super::fairy_board::FairyBoard;
use super::material::{Material, MaterialError};
use super::probe::{ProbeError, ValuedMove};
use super::retrograde::Seed;
use super::rules::Rules;
use super::seed::SeedLine;
use super::stats::{MutualZugzwang, Statistics, hardest, mutual_zugzwangs};
use super::table_set::{BuildError, BuildEvent, BuildMonitor, MaterialKey, TableSet};
use super::value::TableValue;
use super::verify::Verification;
use crate::fairy::{Piece, PieceSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_control::{Budget, Control, OutOfMemory, Stopped};

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

/// How to build.
#[derive(Clone, Debug)]
pub struct BuildParams {
    /// Bytes that the large arrays may take.
    pub memory_bytes: u64,
    /// Folder where finished tables are kept and taken up, as by [`Tablebase::keep_in`].
    pub folder: Option<PathBuf>,
    /// Nobody wants more than counts; see [`Tablebase::keep_only_counts`].
    pub counts_only: bool,
}

impl Default for BuildParams {
    fn default() -> Self {
        Self { memory_bytes: 4 << 30, folder: None, counts_only: false }
    }
}

/// How a build ended.
#[derive(Debug)]
pub enum BuildOutcome {
    /// The table is complete.
    Complete(Box<Tablebase>),
    /// The builder was asked to stop.
    Stopped,
    /// The table does not fit the memory.
    OutOfMemory(OutOfMemory),
    /// The rules and the pieces do not fit together.
    Refused(MaterialError),
}

/// Why counting ended early.
#[derive(Debug)]
pub enum CountError {
    /// The builder was asked to stop.
    Stopped,
    /// The tables do not fit the memory.
    OutOfMemory(OutOfMemory),
    /// The rules and the pieces do not fit together.
    Refused(MaterialError),
}

/// The solved tables of one or more materials under one set of rules.
pub struct Tablebase {
    material: Material,
    piece_set: PieceSet,
    pub(super) table_set: TableSet,
    pub(super) seeds: Vec<SeedLine>,
    pub(super) folder: Option<PathBuf>,
    pub(super) part_words: usize,
    lean: bool,
    memory_bytes: u64,
}

/// An unfinished table of so many words is worth a file: those of five men are.
const PART_WORDS: usize = 1 << 20;

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({}, {})", self.material, self.table_set.rules.metric)
    }
}

/// Counts many materials within the memory of the parameters; see [`Tablebase::count_each`].
///
/// # Errors
/// Why not all were counted.
pub fn count_each(
    materials: &[Material],
    rules: &Rules,
    piece_set: &PieceSet,
    params: &BuildParams,
    control: &Control<'_, BuildEvent>,
    row: &mut (dyn FnMut(&Statistics) + Send),
) -> Result<(), CountError> {
    let Some(first) = materials.first() else { return Ok(()) };
    let mut table = Tablebase::empty(first, rules, piece_set).map_err(CountError::Refused)?;
    table.limit_memory(params.memory_bytes);
    let needs = table.estimate_counting(materials);
    Budget::new(params.memory_bytes).take(needs).map_err(CountError::OutOfMemory)?;
    control.tell(BuildEvent::Planned { bytes: needs });
    table.count_each(materials, control, row).map_err(|why| match why {
        BuildError::Stopped => CountError::Stopped,
        BuildError::OutOfMemory(refused) => CountError::OutOfMemory(refused),
    })
}

/// Builds the tables of a material.
pub fn solve(
    request: &BuildRequest,
    params: &BuildParams,
    control: &Control<'_, BuildEvent>,
) -> BuildOutcome {
    let mut table = match Tablebase::empty(&request.material, &request.rules, &request.piece_set) {
        Ok(table) => table,
        Err(error) => return BuildOutcome::Refused(error),
    };
    table.set_seeds(request.seeds.clone());
    if let Some(folder) = &params.folder {
        table.keep_in(folder);
    }
    if params.counts_only {
        table.keep_only_counts();
    }
    let needs = table.estimate_bytes();
    let budget = Budget::new(params.memory_bytes);
    if let Err(refused) = budget.take(needs) {
        return BuildOutcome::OutOfMemory(refused);
    }
    control.tell(BuildEvent::Planned { bytes: needs });
    table.limit_memory(params.memory_bytes);
    match table.build(control) {
        Ok(()) => BuildOutcome::Complete(Box::new(table)),
        Err(BuildError::Stopped) => BuildOutcome::Stopped,
        Err(BuildError::OutOfMemory(refused)) => BuildOutcome::OutOfMemory(refused),
    }
}

impl Tablebase {
    /// A table of a material in which nothing is solved yet.
    ///
    /// # Errors
    /// [`MaterialError::Promotion`] when the rules name a promotion piece that the armoury lacks.
    pub fn empty(
        material: &Material,
        rules: &Rules,
        piece_set: &PieceSet,
    ) -> Result<Self, MaterialError> {
        let table_set = TableSet::new(rules.clone(), piece_set)?;
        let (material, piece_set, seeds) = (material.clone(), piece_set.clone(), Vec::new());
        let (part_words, memory_bytes) = (PART_WORDS, u64::MAX);
        let (folder, lean) = (None, false);
        Ok(Self { material, piece_set, table_set, seeds, folder, part_words, lean, memory_bytes })
    }

    /// Sets values beforehand for "White wins" of the material; has no effect on what is built.
    pub fn set_seeds(&mut self, seeds: Vec<SeedLine>) {
        self.table_set.seeded = !seeds.is_empty();
        self.seeds = seeds;
    }

    /// Keeps every finished table in a folder, and takes from there what is finished already, so
    /// that an interrupted build goes on where it was. Seeded tables are not kept.
    pub fn keep_in(&mut self, folder: &Path) {
        self.folder = Some(folder.to_owned());
    }

    /// Keeps unfinished tables of this size on, in words, in the folder of [`Tablebase::keep_in`], as is
    /// done with those of five men without being asked.
    pub fn keep_unfinished_from(&mut self, words: usize) {
        self.part_words = words;
    }

    /// Keeps counts only, and no sub-ending longer than building needs it. Statistics are the same, but
    /// nothing can be looked up or saved.
    pub fn keep_only_counts(&mut self) {
        self.lean = true;
    }

    /// Stops a build when a table whose distances do not fit one byte, which is seen while it is solved, would
    /// take more than this, with what is held.
    pub fn limit_memory(&mut self, bytes: u64) {
        self.memory_bytes = bytes;
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.table_set.rules
    }

    /// The pieces.
    pub fn piece_set(&self) -> &PieceSet {
        &self.piece_set
    }

    /// The most bytes that building takes at any time, roughly.
    pub fn estimate_bytes(&mut self) -> u64 {
        let keys = self.keys();
        // What goes into a folder is whole for a while.
        self.table_set.estimate_bytes(&keys, self.lean, self.folder.is_some())
    }

    /// The most bytes that building a material beside what is there takes at any time, with what is there,
    /// roughly.
    pub fn estimate_also(&mut self, material: &Material) -> u64 {
        let keys = Color::ALL.map(|color| self.table_set.key(material, color));
        self.table_set.estimate_beside(&keys)
    }

    /// Lets go of everything that is solved.
    pub fn forget_all(&mut self) {
        self.table_set.forget();
    }

    /// The bytes that its solved tables hold, and that blocks of opened files may take.
    pub fn held_bytes(&self) -> u64 {
        self.table_set.held_bytes()
    }

    /// The keys of "White wins" and "Black wins".
    pub(super) fn keys(&mut self) -> [MaterialKey; 2] {
        let material = self.material.clone();
        Color::ALL.map(|color| self.table_set.key(&material, color))
    }

    /// Builds everything the material needs, both directions.
    ///
    /// # Errors
    /// [`BuildError::Stopped`] when the control says so; what was finished stays.
    pub fn build(&mut self, control: &Control<'_, BuildEvent>) -> Result<(), BuildError> {
        let material = self.material.clone();
        self.build_also(&material, control)
    }

    /// Builds another material beside what is there; sub-endings are shared.
    ///
    /// # Errors
    /// [`BuildError::Stopped`] when the control says so; what was finished stays.
    pub fn build_also(
        &mut self,
        material: &Material,
        control: &Control<'_, BuildEvent>,
    ) -> Result<(), BuildError> {
        let check = || control.check();
        let tell = |growth| control.tell(growth);
        let (folder, lean, part_words) = (self.folder.as_deref(), self.lean, self.part_words);
        let memory_bytes = self.memory_bytes;
        if let Some(folder) = folder {
            // A folder that cannot be made costs only the chance to resume.
            let _ = std::fs::create_dir_all(folder);
        }
        let (check, tell, finished) = (&check, &tell, None);
        let monitor =
            BuildMonitor { check, tell, folder, part_words, lean, memory_bytes, finished };
        let mut tops: Vec<(MaterialKey, Vec<Seed>)> = Vec::new();
        for color in Color::ALL {
            let key = self.table_set.key(material, color);
            let seeds = if color.is_white() && *material == self.material {
                self.table_set.seeds(&self.seeds, material, &key)
            } else {
                Vec::new()
            };
            if tops.iter().all(|(top, _)| *top != key) {
                tops.push((key, seeds));
            }
        }
        let table_set = &mut self.table_set;
        control.pool.install(|| table_set.solve(&tops, &monitor, &mut |_| Vec::new()))
    }

    /// Counts many materials in one go, so that what they share is computed once; `row` gets the
    /// statistics of each as soon as they are known, in order. Nothing is kept.
    ///
    /// # Errors
    /// [`BuildError::Stopped`] when the control says so.
    pub fn count_each(
        &mut self,
        materials: &[Material],
        control: &Control<'_, BuildEvent>,
        row: &mut (dyn FnMut(&Statistics) + Send),
    ) -> Result<(), BuildError> {
        let keys = self.keys_of(materials);
        let mut tops: Vec<(MaterialKey, Vec<Seed>)> = Vec::new();
        for key in keys.iter().flatten() {
            if tops.iter().all(|(top, _)| top != key) {
                tops.push((key.clone(), Vec::new()));
            }
        }
        let (check, tell) = (|| control.check(), |growth| control.tell(growth));
        let part_words = self.part_words;
        let (folder, lean, finished, memory_bytes) = (None, true, None, self.memory_bytes);
        let (check, tell) = (&check, &tell);
        let monitor =
            BuildMonitor { check, tell, folder, part_words, lean, memory_bytes, finished };
        let mut next = 0;
        let mut done = |table_set: &TableSet| {
            let before = next;
            while let Some(pair) = keys.get(next)
                && let (Some(white), Some(black)) =
                    (table_set.get(&pair[0]), table_set.get(&pair[1]))
            {
                row(&Statistics::gather(table_set, &materials[next], pair, [white, black]));
                next += 1;
            }
            let wanted =
                |key: &&MaterialKey| keys[next..].iter().flatten().any(|later| later == *key);
            keys[before..next].iter().flatten().filter(|key| !wanted(key)).cloned().collect()
        };
        let table_set = &mut self.table_set;
        control.pool.install(|| table_set.solve(&tops, &monitor, &mut done))
    }

    /// The keys of "White wins" and "Black wins" of each material.
    fn keys_of(&mut self, materials: &[Material]) -> Vec<[MaterialKey; 2]> {
        let key = |material| Color::ALL.map(|color| self.table_set.key(material, color));
        materials.iter().map(key).collect()
    }

    /// The most bytes that [`Tablebase::count_each`] takes at any time, roughly.
    pub fn estimate_counting(&mut self, materials: &[Material]) -> u64 {
        let keys: Vec<MaterialKey> = self.keys_of(materials).into_iter().flatten().collect();
        self.table_set.estimate_bytes(&keys, true, false)
    }

    /// The family, and the key of "White wins" in it.
    #[cfg(feature = "syzygy")]
    pub(crate) fn white_wins(&mut self) -> (&TableSet, MaterialKey) {
        let [key, _] = self.keys();
        (&self.table_set, key)
    }

    /// The statistics of the material; none while it is not built.
    pub fn statistics(&mut self) -> Option<Statistics> {
        let keys = self.keys();
        let white = self.table_set.get(&keys[0])?.clone();
        let black = self.table_set.get(&keys[1])?.clone();
        Some(Statistics::gather(&self.table_set, &self.material, &keys, [&white, &black]))
    }

    /// The hardest wins of a color, at most `limit`: positions with the longest distance, the winner
    /// or the loser to move. Symmetric images on an axis may both appear.
    pub fn hardest(&mut self, winner: Color, winner_moves: bool, limit: usize) -> Vec<FairyBoard> {
        let key = self.keys()[winner.index()].clone();
        let Some(table) = self.table_set.get(&key) else { return Vec::new() };
        hardest(&self.table_set, &key, table, winner, winner_moves, limit)
    }

    /// Mutual zugzwangs in which the side to move loses to this color, at most `limit` of those where
    /// the other side would draw with the move, and of those where it would lose.
    pub fn mutual_zugzwangs(&mut self, winner: Color, limit: usize) -> Vec<MutualZugzwang> {
        let keys = self.keys();
        let key = &keys[winner.index()];
        let tables = (self.table_set.get(key), self.table_set.get(&keys[(!winner).index()]));
        let (Some(table), Some(other)) = tables else { return Vec::new() };
        mutual_zugzwangs(&self.table_set, key, [table, other], winner, limit)
    }

    /// The pieces a pawn may become.
    pub fn promotions(&self) -> Vec<Arc<Piece>> {
        self.table_set.promotions()
    }

    /// Checks every `stride`-th word of both directions (1 = all) with the one-ply verifier, which
    /// shares no code with the builder.
    ///
    /// # Errors
    /// [`Stopped`] when the control says so.
    pub fn verify<F>(
        &mut self,
        stride: usize,
        control: &Control<'_, F>,
    ) -> Result<Verification, Stopped> {
        let check = || control.cancel.is_raised().then_some(()).map_or(Ok(()), |()| Err(Stopped));
        let mut total = Verification::default();
        for key in self.keys() {
            let verdict =
                control.pool.install(|| self.table_set.verify(&key, stride.max(1), &check))?;
            total.checked += verdict.checked;
            total.fault_count += verdict.fault_count;
            total.faults.extend(verdict.faults);
        }
        Ok(total)
    }

    /// EGTgen's `rep2.txt` for "White wins"; none while that is not built. Its labels need a table
    /// under [`Metric::Level`](super::Metric::Level) or, for EGTgen's `-m`, `Dtm`.
    pub fn rep2(&mut self) -> Option<String> {
        let key = self.keys()[0].clone();
        let table = self.table_set.whole(&key)?;
        Some(self.table_set.rep2(&self.material, &key, table, !self.seeds.is_empty()))
    }

    /// Believes a setup as a position of these pieces, with the royals of the material.
    ///
    /// # Errors
    /// All reasons why it is no legal position.
    pub fn board(&self, setup: &Setup) -> Result<FairyBoard, ProbeError> {
        let royals = Color::ALL.map(|c| self.material.side(c)[0].letter);
        FairyBoard::read(setup, &self.piece_set, royals).map_err(ProbeError::Board)
    }

    /// The material of a board.
    pub fn material_of(board: &FairyBoard) -> Material {
        Material::of(Color::ALL.map(|c| board.pieces(c)))
    }

    /// What a board is worth to the side to move.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when its material was not built.
    pub fn value(&self, board: &FairyBoard) -> Result<TableValue, ProbeError> {
        self.table_set.value(board).map_err(|_| Self::missing(board))
    }

    /// Is a board answered at once? Values under castling rights may need an extra table, which
    /// [`Tablebase::value`] solves and remembers.
    pub fn answers_quickly(&self, board: &FairyBoard) -> bool {
        self.table_set.castling_is_quick(board)
    }

    /// Are the tables of the material unpacked in memory, as statistics need them?
    pub fn is_in_memory(&mut self) -> bool {
        let keys = self.keys();
        keys.iter().all(|key| self.table_set.whole(key).is_some())
    }

    /// All legal moves with their values, the best first. A pass is among them where the rules allow
    /// it; there are none where the game is over because a royal is bare.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when its material was not built.
    pub fn moves(&self, board: &FairyBoard) -> Result<Vec<ValuedMove>, ProbeError> {
        self.table_set.valued_moves(board).map_err(|_| Self::missing(board))
    }

    fn missing(board: &FairyBoard) -> ProbeError {
        ProbeError::Material(Self::material_of(board).canonical().to_string())
    }
}

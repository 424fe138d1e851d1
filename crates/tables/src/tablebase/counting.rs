//! Counting: statistics of many materials; each table is freed as soon as nothing needs it.

use super::Tablebase;
use crate::build_options::{BuildOptions, BuildRequest};
use crate::fairy::PieceSet;
use crate::material::{Material, MaterialError};
use crate::material_key::MaterialKey;
use crate::retrograde::Seed;
use crate::rules::Rules;
use crate::solver::{BuildError, BuildEvent, BuildMonitor, Keeps, Solver, estimate_bytes};
use crate::stats::Statistics;
use crate::table_set::TableSet;
use umbrail_chess::geometry::Color;
use umbrail_control::{Budget, Control, OutOfMemory};

/// Reason why counting ended early.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The build was cancelled.
    #[error("counting was stopped")]
    Stopped,
    /// The tables exceed the memory limit.
    #[error("{0}")]
    OutOfMemory(OutOfMemory),
    /// Files could not be written or read: file and reason.
    #[error("{0}")]
    Files(String),
    /// The rules and the pieces are incompatible.
    #[error("{0}")]
    Refused(MaterialError),
}

/// Counts many materials within the memory of the options; see [`Tablebase::count_each`].
///
/// # Errors
/// Reason why not all materials were counted.
pub fn count_each(
    materials: &[Material],
    rules: &Rules,
    piece_set: &PieceSet,
    options: &BuildOptions,
    control: &Control<'_, BuildEvent>,
    row: &mut (dyn FnMut(&Statistics) + Send),
) -> Result<(), CountError> {
    let Some(first) = materials.first() else { return Ok(()) };
    let request = BuildRequest::new(first, piece_set, rules);
    let mut table = Tablebase::new(request, options.clone()).map_err(CountError::Refused)?;
    let needs = table.estimate_counting(materials);
    Budget::new(options.memory_bytes).take(needs).map_err(CountError::OutOfMemory)?;
    control.notify(BuildEvent::Planned { bytes: needs });
    table.count_each(materials, control, row).map_err(|why| match why {
        BuildError::Stopped => CountError::Stopped,
        BuildError::OutOfMemory(refused) => CountError::OutOfMemory(refused),
        BuildError::Files(why) => CountError::Files(why),
    })
}

impl Tablebase {
    /// Counts many materials in one pass, so that shared tables are computed once. `row` receives
    /// the statistics of each as soon as they are known, in order. No table is retained.
    ///
    /// # Errors
    /// [`BuildError::Stopped`] when the control stops it.
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
        let options = BuildOptions { counts_only: true, folder: None, ..self.options.clone() };
        let (check, notify) = (|| control.check(), |event| control.notify(event));
        let monitor = BuildMonitor { check: &check, notify: &notify, finished: None, files: None };
        let solver = Solver { options: &options, monitor: &monitor };
        let set = &mut self.table_set;
        control.pool.install(|| solver.solve(set, &tops, &mut done))
    }

    /// Returns the keys of "White wins" and "Black wins" of each material.
    fn keys_of(&mut self, materials: &[Material]) -> Vec<[MaterialKey; 2]> {
        let key = |material| Color::ALL.map(|color| self.table_set.catalog.key(material, color));
        materials.iter().map(key).collect()
    }

    /// Estimates the peak memory of [`Tablebase::count_each`], in bytes.
    pub(crate) fn estimate_counting(&mut self, materials: &[Material]) -> u64 {
        let keys: Vec<MaterialKey> = self.keys_of(materials).into_iter().flatten().collect();
        estimate_bytes(&self.table_set.catalog, &keys, Keeps::Needed, None)
    }
}

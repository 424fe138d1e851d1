//! The fixpoint: computes ply after ply until no position is newly won or lost.

use super::assemble::Assembly;
use super::checkpoint::{self, FixpointState};
use super::count::count;
use super::prepare::Preparation;
use super::slice::{Frontier, Slice};
use super::sweep::Sweep;
use super::{Depth, Endgame, PlyCounts, Retention, Unfinished};
use crate::part_file::PartFile;
use crate::solved_table::SolvedTable;
use rayon::prelude::*;
use umbrail_control::{DeferredDrop, Stopped, UnsavedWork};

/// Data of a part's checkpoint besides the state of its slices.
struct CheckpointTarget<'a, 'f, D> {
    file: &'a mut PartFile<'f>,
    /// The part and the results of the parts before it.
    number: usize,
    assembly: &'a Assembly<'a, D>,
}

/// Computes the table, part by part; `D` stores the distances. With a part file, the state is
/// written periodically and when the work is stopped, and a later call resumes from it.
pub(crate) fn solve<D: Depth>(
    endgame: &Endgame,
    keep: &Retention,
    check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    notify: &dyn Fn(PlyCounts),
    mut file: Option<&mut PartFile<'_>>,
) -> Result<SolvedTable, Unfinished> {
    let parts = endgame.layout.parts();
    let mut assembly: Assembly<'_, D> = Assembly::new(endgame, keep, parts.len());
    let from = file
        .as_ref()
        .and_then(|file| file.read(|from| checkpoint::take(endgame, &parts, &mut assembly, from)));
    if file.is_some() && from.is_none() {
        // Data from a damaged file is discarded.
        assembly = Assembly::new(endgame, keep, parts.len());
    }
    let (first, mut resumed) = from.map_or((0, None), |(part, state)| (part, Some(state)));
    for (number, layout) in parts.into_iter().enumerate().skip(first) {
        let part = endgame.part(layout, keep);
        let mut target =
            file.as_deref_mut().map(|file| CheckpointTarget { file, number, assembly: &assembly });
        let slices =
            Fixpoint { endgame: &part, check, notify }.run(resumed.take(), target.as_mut())?;
        let extracted = count(&part, slices);
        assembly.add(&part.layout, extracted);
    }
    Ok(assembly.finish())
}

/// Fixpoint of one part of a table.
#[derive(Clone, Copy)]
struct Fixpoint<'a> {
    endgame: &'a Endgame,
    check: &'a (dyn Fn() -> Result<(), Stopped> + Sync),
    notify: &'a dyn Fn(PlyCounts),
}

impl Fixpoint<'_> {
    /// Computes the slices of one part, or resumes from a state.
    fn run<D: Depth>(
        self,
        kept: Option<FixpointState<D>>,
        mut target: Option<&mut CheckpointTarget<'_, '_, D>>,
    ) -> Result<Vec<Slice<D>>, Unfinished> {
        let (count, grain) = (self.endgame.layout.homes.len(), self.endgame.grain());
        let resumed = kept.is_some();
        // A stopped build does not wait until the state is freed.
        let mut state = DeferredDrop::new(kept.unwrap_or_else(|| FixpointState {
            stage: 0,
            ply: 0,
            slices: (0..count).map(|slice| Slice::new(self.endgame, slice)).collect(),
            frontiers: (0..count).map(|_| Frontier::new(self.endgame.layout.words)).collect(),
        }));
        let preparation = Preparation { endgame: self.endgame };
        let first = state.stage;
        for stage in first..self.endgame.stages() {
            if !(resumed && stage == first) {
                (state.stage, state.ply) = (stage, 0);
                let FixpointState { slices, frontiers, .. } = &mut *state;
                slices.par_iter_mut().with_min_len(grain).enumerate().try_for_each(
                    |(number, slice)| preparation.prepare(number, slice, stage, self.check),
                )?;
                preparation.apply_seeds(slices, stage);
                exchange(slices, frontiers);
            }
            self.run_plies(&mut state, target.as_deref_mut())?;
        }
        Ok(state.into_inner().slices)
    }

    /// Continues ply after ply until no position is newly won or lost.
    fn run_plies<D: Depth>(
        self,
        state: &mut FixpointState<D>,
        mut target: Option<&mut CheckpointTarget<'_, '_, D>>,
    ) -> Result<(), Unfinished> {
        // An unfinished ply cannot be saved, so with a part file every ply is finished.
        let _unsaved = target.is_some().then(UnsavedWork::announce);
        let within: &(dyn Fn() -> Result<(), Stopped> + Sync) =
            if target.is_some() { &|| Ok(()) } else { self.check };
        let (grain, sweep) = (self.endgame.grain(), Sweep { endgame: self.endgame });
        // After the ply of the state, or before the first.
        for ply in state.ply.. {
            let resumed = ply > 0 && ply == state.ply;
            let FixpointState { slices, frontiers, .. } = &mut *state;
            let horizon = slices.iter().map(|s| s.horizon).max().unwrap_or(0);
            if slices.iter().any(|s| s.overflow) || horizon > D::PLY_MAX || ply >= D::PLY_MAX {
                return Err(Unfinished::Overflow);
            }
            if ply > 0 && !resumed {
                slices.par_iter_mut().with_min_len(grain).enumerate().try_for_each(
                    |(slice, state)| sweep.ply(slice, state, frontiers, ply, within),
                )?;
                exchange(slices, frontiers);
            }
            let won = slices.iter().map(|s| s.new_won).sum();
            let lost = slices.iter().map(|s| s.new_lost).sum();
            (self.notify)(PlyCounts { ply, lost, won });
            if won == 0 && lost == 0 && ply >= horizon {
                break;
            }
            state.ply = ply;
            let stopped = (self.check)();
            if let Some(target) = target.as_deref_mut()
                && (stopped.is_err() || target.file.is_due())
            {
                target
                    .file
                    .write(|out| checkpoint::put(target.number, target.assembly, state, out));
            }
            stopped?;
        }
        Ok(())
    }
}

/// Publishes the new losses to readers; the old ones will be cleared and reused.
fn exchange<D>(slices: &mut [Slice<D>], frontiers: &mut [Frontier]) {
    for (slice, frontier) in slices.iter_mut().zip(frontiers) {
        std::mem::swap(&mut slice.cand, frontier);
    }
}

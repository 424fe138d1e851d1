//! The builder: one fixpoint "the attacker wins", 64 positions per instruction.
//!
//! All men but the loser's royal are fixed; the set of squares of the loser's royal with some
//! property is one word. A man's un-move copies a whole word, the loser's royal moves on all its
//! squares at once, and a position is lost when no move leads to a square of `safe`, which is
//! tested for 64 squares together. `docs/tables.md` tells the whole method.
//!
//! Work is cut into slices by the square of the attacker's royal. Every move of every other man
//! stays inside its slice; the attacker's royal pulls from the slices it moves to. So a ply is one
//! parallel loop over slices that reads only the fronts of the ply before.

mod assemble;
mod checkpoint;
mod complete;
mod dense;
mod endgame;
mod passant;
mod prepare;
mod push;
mod row;
mod sweep;

use super::depths::Depth;
use super::layout::{Layout, Others};
use super::part_file::PartFile;
use super::rules::{Rules, Stalemate};
use super::solved_table::{Count, OutcomeCounts, SolvedTable};
use super::vectors::Vectors;
use assemble::{Assembly, Extracted};
use checkpoint::FixpointState;
use rayon::prelude::*;
use row::row;
use std::collections::HashMap;
use umbrail_control::Stopped;

pub(crate) use assemble::Retention;
pub(crate) use endgame::{Endgame, Seed, SeedValue, SubTable};

/// Why a fixpoint was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    Stopped,
    /// A distance does not fit the number type.
    Overflow,
}

impl From<Stopped> for Unfinished {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// One finished ply, told while building.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyCounts {
    /// The ply.
    pub ply: usize,
    /// Positions newly found lost, and newly found won (stored ones, not weighted).
    pub lost: u64,
    /// See `lost`.
    pub won: u64,
}

/// Smaller tables (those of four men) are a matter of milliseconds, and one worker's.
const PARALLEL_WORDS: usize = 1 << 16;

/// Words per dirty mark.
const CHUNK: usize = 64;

/// Words with marks for the chunks that may hold something.
#[derive(Clone, Debug, Default)]
struct Frontier {
    words: Vec<u64>,
    dirty: Vec<bool>,
}

impl Frontier {
    fn new(words: usize) -> Self {
        Self { words: vec![0; words], dirty: vec![false; words.div_ceil(CHUNK)] }
    }

    #[inline]
    fn add(&mut self, word: usize, bits: u64) {
        self.words[word] |= bits;
        self.dirty[word / CHUNK] = true;
    }

    /// The words of a chunk.
    #[inline]
    fn range(&self, chunk: usize) -> std::ops::Range<usize> {
        chunk * CHUNK..((chunk + 1) * CHUNK).min(self.words.len())
    }

    fn clear(&mut self) {
        for chunk in 0..self.dirty.len() {
            if std::mem::take(&mut self.dirty[chunk]) {
                let range = self.range(chunk);
                self.words[range].fill(0);
            }
        }
    }
}

/// A double step that en passant answers: it wins when the ordinary child is lost (or is a
/// stalemate that only the capture breaks) and all such captures are.
#[derive(Clone, Copy, Debug)]
struct DoubleStepWin {
    word: u32,
    child: u32,
    square: u8,
    stalemate: bool,
    /// Plies of the child with the en passant captures alone.
    ply: u16,
}

/// The state of one slice.
struct Slice<D> {
    home: u8,
    /// Squares where the loser's royal is legal and the attacker, to move, is not known to win.
    safe: Vec<u64>,
    /// Squares where the loser, to move, may yet turn out to be lost.
    open: Vec<u64>,
    /// New wins; while wins are gathered, candidates. During preparation: losing conversions.
    frontier: Frontier,
    /// Candidates for a loss, then new losses.
    cand: Frontier,
    /// Known wins, while their distances are not written down.
    won: Vec<u64>,
    /// Values of winning conversions, and distances of wins. Empty while there are none of the former and
    /// nobody asks for the latter.
    won_in: Vec<D>,
    /// Values of losing conversions, and distances of losses.
    lost_in: Vec<D>,
    /// For each word the least value of a winning conversion that has not been dealt with.
    next: Vec<D>,
    /// For each word a value that is not above that of any loss that waits for a conversion.
    later: Vec<D>,
    /// Words where some conversion of the loser loses, so that a loss may have to wait.
    waits: Vec<bool>,
    /// Words to be tested again, by ply.
    retest: Vec<Vec<(u32, u64)>>,
    /// Ply, word and square of a win found last, where distances are not written down.
    last_won: Option<(usize, usize, u8)>,
    double_step_wins: Vec<DoubleStepWin>,
    /// For a double step of the loser (word, man): squares where the attacker's en passant capture
    /// wins, with the plies it takes.
    passants: HashMap<(u32, u8), Vec<(u64, u16)>>,
    /// Stalemates of the loser; kept only where somebody asks later.
    stale: HashMap<u32, u64>,
    /// The last ply for which something is scheduled.
    horizon: usize,
    overflow: bool,
    new_won: u64,
    new_lost: u64,
    won_at: Vec<u64>,
    lost_at: Vec<u64>,
    counts: SliceCounts,
}

/// What a checkpoint of a part holds beside the state of its slices.
struct CheckpointTarget<'a, D> {
    file: &'a mut PartFile,
    /// The part, and what was found in those before it.
    number: usize,
    assembly: &'a Assembly<'a, D>,
}

/// Sums of one slice, not yet weighted.
#[derive(Clone, Copy, Debug, Default)]
struct SliceCounts {
    attacker_legal: SymmetryCount,
    loser_legal: SymmetryCount,
    stalemate: SymmetryCount,
    won: SymmetryCount,
    lost: SymmetryCount,
    loser_in_check: u64,
    attacker_in_check: u64,
}

/// Placements, and placements counted once for every stabilising symmetry that keeps them.
#[derive(Clone, Copy, Debug, Default)]
struct SymmetryCount {
    placements: u64,
    kept: u64,
}

impl Endgame {
    /// Computes the table, part by part; `D` holds the distances. With a part file, the state is
    /// written now and then and when the work is stopped, and is gone on from.
    pub(crate) fn solve<D: Depth>(
        &self,
        keep: &Retention,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
        tell: &dyn Fn(PlyCounts),
        mut file: Option<&mut PartFile>,
    ) -> Result<SolvedTable, Unfinished> {
        let parts = self.layout.parts();
        let mut assembly: Assembly<'_, D> = Assembly::new(self, keep, parts.len());
        let from = file
            .as_ref()
            .and_then(|file| file.read(|from| checkpoint::take(self, &parts, &mut assembly, from)));
        if file.is_some() && from.is_none() {
            // What was read of a file that turned out damaged is not kept.
            assembly = Assembly::new(self, keep, parts.len());
        }
        let (first, mut resumed) = from.map_or((0, None), |(part, state)| (part, Some(state)));
        for (number, layout) in parts.into_iter().enumerate().skip(first) {
            let endgame = self.part(layout, keep);
            let mut target = file.as_deref_mut().map(|file| CheckpointTarget {
                file,
                number,
                assembly: &assembly,
            });
            let slices = endgame.fixpoint(resumed.take(), check, tell, target.as_mut())?;
            let extracted = endgame.finish(slices);
            assembly.add(&endgame.layout, extracted);
        }
        Ok(assembly.finish())
    }

    /// How many slices one worker takes at least: all of a small table, whose plies are over before
    /// another worker is awake.
    fn grain(&self) -> usize {
        if self.layout.total_words() < PARALLEL_WORDS { usize::MAX } else { 1 }
    }

    /// The plan for a part of the table.
    fn part(&self, layout: Layout, keep: &Retention) -> Self {
        let located = |seed: &Seed| {
            let word = layout.find(&self.layout.decode(seed.word))?;
            Some(Seed { word, ..seed.clone() })
        };
        let seeds = self.seeds.iter().filter_map(located).collect();
        let in_rows = self.in_rows && layout.inner.is_some();
        // Pushes that zero look up the wins of stages that are finished.
        let keeps_wins = keep.wins() || self.stages() > 1;
        Self { seeds, layout, in_rows, keeps_wins, ..self.clone() }
    }

    /// Computes the slices of one part, or goes on from a state.
    fn fixpoint<D: Depth>(
        &self,
        kept: Option<FixpointState<D>>,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
        tell: &dyn Fn(PlyCounts),
        mut target: Option<&mut CheckpointTarget<'_, D>>,
    ) -> Result<Vec<Slice<D>>, Unfinished> {
        let (count, grain) = (self.layout.homes.len(), self.grain());
        let resumed = kept.is_some();
        let mut state: FixpointState<D> = kept.unwrap_or_else(|| FixpointState {
            stage: 0,
            ply: 0,
            slices: (0..count).map(|slice| self.empty_slice(slice)).collect(),
            frontiers: (0..count).map(|_| Frontier::new(self.layout.words)).collect(),
        });
        let first = state.stage;
        for stage in first..self.stages() {
            if !(resumed && stage == first) {
                (state.stage, state.ply) = (stage, 0);
                let slices = &mut state.slices;
                slices
                    .par_iter_mut()
                    .with_min_len(grain)
                    .enumerate()
                    .try_for_each(|(number, slice)| self.prepare(number, slice, stage, check))?;
                self.apply_seeds(slices, stage);
                Self::exchange(slices, &mut state.frontiers);
            }
            self.run_plies(&mut state, check, tell, target.as_deref_mut())?;
        }
        Ok(state.slices)
    }

    /// Goes on ply by ply until nothing more is won or lost.
    fn run_plies<D: Depth>(
        &self,
        state: &mut FixpointState<D>,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
        tell: &dyn Fn(PlyCounts),
        mut target: Option<&mut CheckpointTarget<'_, D>>,
    ) -> Result<(), Unfinished> {
        // A ply that is broken off cannot be written down, so one with a part file is finished.
        let within: &(dyn Fn() -> Result<(), Stopped> + Sync) =
            if target.is_some() { &|| Ok(()) } else { check };
        let grain = self.grain();
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
                    |(slice, state)| self.ply(slice, state, frontiers, ply, within),
                )?;
                Self::exchange(slices, frontiers);
            }
            let won = slices.iter().map(|s| s.new_won).sum();
            let lost = slices.iter().map(|s| s.new_lost).sum();
            tell(PlyCounts { ply, lost, won });
            if won == 0 && lost == 0 && ply >= horizon {
                break;
            }
            state.ply = ply;
            let stopped = check();
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

    /// The new losses become what others read; the old ones will be cleared and reused.
    fn exchange<D>(slices: &mut [Slice<D>], frontiers: &mut [Frontier]) {
        for (slice, frontier) in slices.iter_mut().zip(frontiers) {
            std::mem::swap(&mut slice.cand, frontier);
        }
    }

    /// Counts what was found and keeps what is of use later.
    fn finish<D: Depth>(&self, mut slices: Vec<Slice<D>>) -> Extracted<D> {
        slices
            .par_iter_mut()
            .with_min_len(self.grain())
            .enumerate()
            .for_each(|(number, slice)| self.close(number, slice));
        let mut outcomes = OutcomeCounts::default();
        let (mut stale, mut reciprocal) = (Vec::new(), Vec::new());
        let (mut won, mut lost) = (Vec::new(), Vec::new());
        let (mut won_in, mut lost_in, mut last_won) = (Vec::new(), Vec::new(), Vec::new());
        for (number, slice) in slices.into_iter().enumerate() {
            let orbit = self.layout.orbit(number);
            let stabiliser = self.layout.stabiliser(number).count() as u64;
            let count = |sum: SymmetryCount| Count {
                full_board: sum.placements * orbit,
                unique: sum.kept / stabiliser,
            };
            let counts = slice.counts;
            outcomes.attacker_legal += count(counts.attacker_legal);
            outcomes.loser_legal += count(counts.loser_legal);
            outcomes.stalemate += count(counts.stalemate);
            outcomes.won += count(counts.won);
            outcomes.lost += count(counts.lost);
            outcomes.loser_in_check += counts.loser_in_check * orbit;
            outcomes.attacker_in_check += counts.attacker_in_check * orbit;
            add(&mut outcomes.won_in, &slice.won_at, orbit);
            add(&mut outcomes.lost_in, &slice.lost_at, orbit);
            for (word, (&lost, &safe)) in slice.cand.words.iter().zip(&slice.safe).enumerate() {
                if lost & safe != 0 {
                    reciprocal.push((number, word, lost & safe));
                }
            }
            stale.extend(slice.stale.iter().map(|(&word, &bits)| (number, word as usize, bits)));
            won.push(slice.frontier.words);
            lost.push(slice.cand.words);
            won_in.push(slice.won_in);
            last_won.push(slice.last_won);
            lost_in.push(slice.lost_in);
        }
        for counts in [&mut outcomes.won_in, &mut outcomes.lost_in] {
            counts.truncate(counts.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1));
        }
        Extracted { won, lost, won_in, lost_in, last_won, outcomes, stale, reciprocal }
    }

    /// Turns a slice's working sets into the finished words and counts them.
    fn close<D: Depth>(&self, number: usize, slice: &mut Slice<D>) {
        slice.frontier.clear();
        slice.cand.clear();
        let (none, eight) = (D::default(), Vectors::found().eight());
        for word in 0..self.layout.words {
            let won = match slice.won_in.is_empty() {
                true => slice.won[word],
                false => !D::equal(row(&slice.won_in, word), none, eight),
            };
            let mut lost = !D::equal(row(&slice.lost_in, word), none, eight);
            let mut not = lost & slice.open[word];
            lost &= !not;
            while not != 0 {
                slice.lost_in[word * 64 + not.trailing_zeros() as usize] = none;
                not &= not - 1;
            }
            slice.frontier.words[word] = won;
            slice.cand.words[word] = lost;
            if won | lost != 0 {
                let mirrors = self.layout.mirrors(number, word);
                slice.counts.won.add(won, &mirrors);
                slice.counts.lost.add(lost, &mirrors);
            }
        }
        slice.open = Vec::new();
    }
}

impl SymmetryCount {
    #[inline]
    fn add(&mut self, bits: u64, mirrors: &[u64]) {
        self.placements += u64::from(bits.count_ones());
        self.kept += u64::from(bits.count_ones());
        for mask in mirrors {
            self.kept += u64::from((bits & mask).count_ones());
        }
    }
}

fn add(total: &mut Vec<u64>, part: &[u64], weight: u64) {
    if total.len() < part.len() {
        total.resize(part.len(), 0);
    }
    for (sum, count) in total.iter_mut().zip(part) {
        *sum += count * weight;
    }
}

/// Calls `visit` with the number of each member.
#[inline]
fn each(set: u64, visit: impl FnMut(usize)) {
    members(set).for_each(visit);
}

/// The numbers of the members.
#[inline(always)]
fn members(set: u64) -> SetBits {
    SetBits(set)
}

struct SetBits(u64);

impl Iterator for SetBits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let first = self.0.trailing_zeros() as usize;
        let more = self.0 != 0;
        self.0 &= self.0.wrapping_sub(1);
        more.then_some(first)
    }
}

fn schedule(list: &mut Vec<Vec<(u32, u64)>>, ply: usize, word: usize, bits: u64) {
    if list.len() <= ply {
        list.resize_with(ply + 1, Vec::new);
    }
    let due = &mut list[ply];
    match due.last_mut() {
        Some(last) if last.0 as usize == word => last.1 |= bits,
        _ => due.push((word as u32, bits)),
    }
}

impl Rules {
    fn passes_in_stalemate(&self) -> bool {
        self.stalemate == Stalemate::Pass
    }
}

//! Counts of a finished build.

use super::PagedRun;
use super::error::{Halt, PagedError};
use super::log::{Block, SetKind};
use super::ply::SliceWorker;
use super::sets::Which;
use crate::retrograde::slice::SymmetryCount;
use crate::retrograde::tally::WordTally;
use crate::solved_table::{Count, OutcomeCounts, SolvedTable};
use std::sync::Mutex;
use umbrail_control::lock;

impl PagedRun<'_> {
    /// Counts the table and frees its sets; the result has no words.
    pub(crate) fn count(&mut self) -> Result<SolvedTable, Halt> {
        let table = self.counted()?;
        self.sets.free();
        Ok(table)
    }

    fn counted(&self) -> Result<SolvedTable, Halt> {
        let layout = &self.endgame.layout;
        let slices = layout.homes.len();
        let tallies = Mutex::new(Vec::new());
        let mut workers = Vec::new();
        for _ in 0..self.plan.workers {
            workers.push(SliceWorker::new(self.windows).map_err(|error| self.fault(error))?);
        }
        self.each_slice(
            None,
            &mut workers,
            |_| true,
            |run, worker, slice| run.tally(worker, slice),
            |slice, tally| {
                lock(&tallies).push((slice, tally));
                Ok(())
            },
        )?;
        let mut tallies = tallies.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        tallies.sort_by_key(|(slice, _)| *slice);
        let mut outcomes = OutcomeCounts::default();
        let mut whole = WordTally::new(layout);
        for (slice, tally) in tallies {
            let orbit = layout.orbit(slice);
            let stabiliser = layout.stabiliser(slice).count() as u64;
            let count = |sum: SymmetryCount| Count {
                full_board: sum.placements * orbit,
                unique: sum.kept / stabiliser,
            };
            let counts = self.manifest.prepared[slice].unwrap_or_default();
            outcomes.attacker_legal += count(counts.attacker_legal);
            outcomes.loser_legal += count(counts.loser_legal);
            outcomes.stalemate += count(counts.stalemate);
            outcomes.won += count(tally.won);
            outcomes.lost += count(tally.lost);
            outcomes.loser_in_check += counts.loser_in_check * orbit;
            outcomes.attacker_in_check += counts.attacker_in_check * orbit;
            whole.join(tally);
        }
        for ply in 0..=self.manifest.ply as usize {
            for (kind, list) in
                [(SetKind::Won, &mut outcomes.won_in), (SetKind::Lost, &mut outcomes.lost_in)]
            {
                let count = |slice| self.index.count(kind, slice, ply) * layout.orbit(slice);
                list.push((0..slices).map(count).sum());
            }
        }
        for counts in [&mut outcomes.won_in, &mut outcomes.lost_in] {
            counts.truncate(counts.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1));
        }
        let mut table = SolvedTable::without_wins(layout.clone(), self.endgame.attackers);
        table.is_whole = false;
        table.longest = [self.longest(SetKind::Won)?, self.longest(SetKind::Lost)?];
        table.outcomes = outcomes;
        (table.reciprocal, table.shades) = (whole.reciprocal, Some(whole.shades));
        Ok(table)
    }

    /// Counts the wins and losses of a slice.
    fn tally(&self, worker: &mut SliceWorker, slice: usize) -> Result<WordTally, Halt> {
        let layout = &self.endgame.layout;
        let mut tally = WordTally::new(layout);
        let words = self.windows.words;
        let (mut won, mut lost) = (vec![0u64; words], vec![0u64; words]);
        let mut read = |blocks: &[Block], into: &mut [u64]| -> Result<(), Halt> {
            for block in blocks {
                (self.check)()?;
                let range = self.windows.range(block.window as usize);
                let (length, into) = (range.len(), &mut into[range]);
                self.log.read(block, &mut worker.reader, length, |at, bits| into[at] |= bits)?;
            }
            Ok(())
        };
        for ply in 0..=self.manifest.ply as usize {
            read(self.index.blocks(SetKind::Won, slice, ply), &mut won)?;
            read(self.index.blocks(SetKind::Lost, slice, ply), &mut lost)?;
        }
        let mut spare = Vec::new();
        let safe =
            self.sets.take((Which::Safe, slice), &self.log, &mut worker.reader, &mut spare)?;
        for (word, ((&won, &lost), &safe)) in won.iter().zip(&lost).zip(&safe).enumerate() {
            if won | lost != 0 {
                tally.add(layout, (slice, word), [won, lost], lost & safe);
            }
        }
        let unchanged = vec![false; self.windows.count()];
        self.sets.put((Which::Safe, slice), safe, &unchanged, &mut worker.reader, &mut spare)?;
        Ok(tally)
    }

    /// Returns slice and cell of the first of the longest wins, or losses.
    fn longest(&self, kind: SetKind) -> Result<Option<(usize, usize)>, PagedError> {
        let Some(ply) = self.index.last(kind) else { return Ok(None) };
        let slices = 0..self.endgame.layout.homes.len();
        let found = |&slice: &usize| !self.index.blocks(kind, slice, ply).is_empty();
        let Some(slice) = slices.into_iter().find(found) else { return Ok(None) };
        let blocks = self.index.blocks(kind, slice, ply);
        let Some(block) = blocks.iter().min_by_key(|block| block.window) else { return Ok(None) };
        let range = self.windows.range(block.window as usize);
        let mut reader = super::log::BlockReader::new().map_err(|error| self.fault(error))?;
        let mut first = None;
        self.log.read(block, &mut reader, range.len(), |at, bits| {
            let cell = (range.start + at) * 64 + bits.trailing_zeros() as usize;
            first.get_or_insert(cell);
        })?;
        Ok(first.map(|cell| (slice, cell)))
    }
}

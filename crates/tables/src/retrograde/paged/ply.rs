//! Preparation and plies of a slice: reads and writes blocks of the log.

use super::error::{Halt, PagedError};
use super::log::{Block, BlockReader, LogEntry, SetKind};
use super::sets::Which;
use super::{PagedRun, Windows};
use crate::depths::Unstored;
use crate::retrograde::members;
use crate::retrograde::pending::Pending;
use crate::retrograde::prepare::Preparation;
use crate::retrograde::slice::{CHUNK, Frontier, Slice, SliceCounts};
use crate::retrograde::sweep::{Sweep, SweepStep};
use crate::rules::Stalemate;

/// Buffers of a worker.
pub(super) struct SliceWorker {
    pub(super) reader: BlockReader,
    /// Words of a window that is read.
    window: Frontier,
    /// Candidates, then results; empty between two uses.
    work: Frontier,
    /// Memory for sets that are packed.
    spare: [Vec<u64>; 2],
}

impl SliceWorker {
    pub(super) fn new(windows: Windows) -> std::io::Result<Self> {
        Ok(Self {
            reader: BlockReader::new()?,
            window: Frontier::new(windows.each),
            work: Frontier::default(),
            spare: [Vec::new(), Vec::new()],
        })
    }

    fn take_work(&mut self, windows: Windows) -> Frontier {
        let work = std::mem::take(&mut self.work);
        if work.words.is_empty() { Frontier::new(windows.words) } else { work }
    }
}

impl PagedRun<'_> {
    /// Prepares a slice up to ply 0; returns its counts and the new blocks.
    pub(super) fn prepare(
        &self,
        worker: &mut SliceWorker,
        number: usize,
    ) -> Result<(SliceCounts, Vec<LogEntry>), Halt> {
        let endgame = self.endgame;
        let mut slice = Slice::<Unstored>::bare(endgame, number);
        let [safe, open] = &mut worker.spare;
        for (set, spare) in [(&mut slice.safe, safe), (&mut slice.open, open)] {
            *set = std::mem::take(spare);
            set.clear();
            set.resize(self.windows.words, 0);
        }
        slice.pending = Some(Box::new(Pending::new()));
        let mut entries = Vec::new();
        for window in 0..self.windows.count() {
            let range = self.windows.range(window);
            let preparation = Preparation { endgame };
            preparation.prepare_range(number, &mut slice, range.clone(), 0, self.check)?;
            let pending = slice.pending.replace(Box::new(Pending::new()));
            for (kind, schedule) in
                pending.into_iter().flat_map(|p| [(SetKind::Due, p.due), (SetKind::Hold, p.hold)])
            {
                for (ply, list) in schedule.iter().enumerate().filter(|(_, list)| !list.is_empty())
                {
                    let packed = worker.reader.packer.pack_list(list, range.start, range.len());
                    let packed = packed.map_err(|error| self.fault(error))?;
                    let append = |packed| self.log.append(window, &packed);
                    let block = packed.map(append).transpose()?;
                    entries.extend(block.map(|block| entry(kind, number, ply, block)));
                }
            }
        }
        slice.cand = worker.take_work(self.windows);
        self.ply_zero(number, &mut slice);
        for (kind, set) in [(SetKind::Safe, &slice.safe), (SetKind::Open, &slice.open)] {
            for window in 0..self.windows.count() {
                let packed = worker.reader.packer.pack(&set[self.windows.range(window)]);
                let packed = packed.map_err(|error| self.fault(error))?;
                let append = |packed| self.log.append(window, &packed);
                let block = packed.map(append).transpose()?;
                entries.extend(block.map(|block| entry(kind, number, 0, block)));
            }
        }
        let mut mates = std::mem::take(&mut slice.cand);
        self.emit((SetKind::Lost, number, 0), &mut mates, worker, &mut entries)?;
        worker.work = mates;
        worker.spare = [slice.safe, slice.open];
        Ok((slice.counts, entries))
    }

    /// Finds mates and stalemates.
    fn ply_zero(&self, number: usize, slice: &mut Slice<Unstored>) {
        let sweep = Sweep { endgame: self.endgame };
        for word in 0..self.windows.words {
            let open = slice.open[word];
            if open == 0 {
                continue;
            }
            let pieces = self.endgame.layout.decode(word);
            let stuck = sweep.remove_escapes(slice, word, &pieces, open, 0, false);
            if stuck == 0 {
                continue;
            }
            let stale = stuck & slice.safe[word];
            if stale != 0 {
                let mirrors = self.endgame.layout.mirrors(number, word);
                slice.counts.stalemate.add(stale, &mirrors);
            }
            let wins = self.endgame.rules.stalemate == Stalemate::Win;
            let lost = if wins { stuck } else { stuck & !stale };
            // Without moves, a stalemate never becomes a candidate, but it would count as open.
            slice.open[word] &= !stale;
            if lost != 0 {
                slice.open[word] &= !lost;
                slice.cand.add(word, lost);
            }
        }
    }

    /// Computes a ply of a slice; returns the new blocks.
    pub(super) fn ply(
        &self,
        worker: &mut SliceWorker,
        number: usize,
        ply: usize,
    ) -> Result<Vec<LogEntry>, Halt> {
        let mut entries = Vec::new();
        let wins = self.index.blocks(SetKind::Won, number, ply - 1);
        let held = self.index.blocks(SetKind::Hold, number, ply);
        let due = self.index.blocks(SetKind::Due, number, ply);
        let from = &self.neighbors[number];
        let losses = |from: usize| self.index.blocks(SetKind::Lost, from, ply - 1);
        let loses = !wins.is_empty() || !held.is_empty();
        let may_win = !losses(number).is_empty()
            || !due.is_empty()
            || from.iter().any(|&from| !losses(from).is_empty());
        if !loses && !may_win {
            return Ok(entries);
        }
        let sweep = Sweep { endgame: self.endgame };
        let mut slice = Slice::<Unstored>::bare(self.endgame, number);
        for counts in [&mut slice.won_at, &mut slice.lost_at] {
            counts.resize(ply + 1, 0);
        }
        slice.safe = self.sets.take(
            (Which::Safe, number),
            &self.log,
            &mut worker.reader,
            &mut worker.spare[0],
        )?;
        slice.cand = worker.take_work(self.windows);
        if loses {
            slice.open = self.sets.take(
                (Which::Open, number),
                &self.log,
                &mut worker.reader,
                &mut worker.spare[1],
            )?;
            let mut changed = vec![false; self.windows.count()];
            for block in wins {
                (self.check)()?;
                self.load(block, worker)?;
                sweep.step(&mut slice, SweepStep::UnmoveLoser(&mut worker.window));
            }
            for block in held {
                changed[block.window as usize] = true;
                let first = self.windows.range(block.window as usize).start;
                let length = self.windows.range(block.window as usize).len();
                let Slice { open, cand, .. } = &mut slice;
                self.log.read(block, &mut worker.reader, length, |at, bits| {
                    open[first + at] |= bits;
                    cand.add(first + at, bits);
                })?;
            }
            (self.check)()?;
            sweep.step(&mut slice, SweepStep::FindLosses(ply));
            let mut lost = std::mem::take(&mut slice.cand);
            let found = self.emit((SetKind::Lost, number, ply), &mut lost, worker, &mut entries)?;
            for block in found {
                changed[block.window as usize] = true;
            }
            slice.cand = lost;
            let open = std::mem::take(&mut slice.open);
            let (reader, spare) = (&mut worker.reader, &mut worker.spare[1]);
            self.sets.put((Which::Open, number), open, &changed, reader, spare)?;
        }
        let mut changed = vec![false; self.windows.count()];
        slice.frontier = std::mem::take(&mut slice.cand);
        if may_win {
            for block in losses(number) {
                (self.check)()?;
                self.load(block, worker)?;
                sweep.step(&mut slice, SweepStep::UnmoveAttackers(&worker.window));
                if from.contains(&number) {
                    sweep.step(&mut slice, SweepStep::UnmoveRoyal(number, &worker.window));
                }
                worker.window.clear();
            }
            for &from in from.iter().filter(|from| **from != number) {
                for block in losses(from) {
                    (self.check)()?;
                    self.load(block, worker)?;
                    sweep.step(&mut slice, SweepStep::UnmoveRoyal(from, &worker.window));
                    worker.window.clear();
                }
            }
            for block in due {
                let range = self.windows.range(block.window as usize);
                let frontier = &mut slice.frontier;
                self.log.read(block, &mut worker.reader, range.len(), |at, bits| {
                    frontier.add(range.start + at, bits);
                })?;
            }
            (self.check)()?;
            sweep.step(&mut slice, SweepStep::FindWins(ply));
            let mut won = std::mem::take(&mut slice.frontier);
            let found = self.emit((SetKind::Won, number, ply), &mut won, worker, &mut entries)?;
            for block in found {
                changed[block.window as usize] = true;
            }
            slice.frontier = won;
        }
        worker.work = slice.frontier;
        let (reader, spare) = (&mut worker.reader, &mut worker.spare[0]);
        self.sets.put((Which::Safe, number), slice.safe, &changed, reader, spare)?;
        Ok(entries)
    }

    /// Reads a block into the window of a worker, which is empty.
    fn load(&self, block: &Block, worker: &mut SliceWorker) -> Result<(), PagedError> {
        let range = self.windows.range(block.window as usize);
        worker.window.first = range.start / CHUNK;
        let SliceWorker { reader, window, .. } = worker;
        self.log.read_window(block, reader, range.len(), window)
    }

    /// Appends a set to the log, and empties it; returns its blocks.
    fn emit(
        &self,
        (kind, slice, ply): (SetKind, usize, usize),
        set: &mut Frontier,
        worker: &mut SliceWorker,
        entries: &mut Vec<LogEntry>,
    ) -> Result<Vec<Block>, PagedError> {
        let mut blocks = Vec::new();
        for window in 0..self.windows.count() {
            let range = self.windows.range(window);
            let chunks = range.start / CHUNK..range.end.div_ceil(CHUNK);
            if !set.dirty[chunks].contains(&true) {
                continue;
            }
            let packed = worker.reader.packer.pack(&set.words[range]);
            if let Some(packed) = packed.map_err(|error| self.fault(error))? {
                let block = self.log.append(window, &packed)?;
                blocks.push(block);
                entries.push(entry(kind, slice, ply, block));
            }
        }
        set.clear();
        Ok(blocks)
    }

    /// Returns an error of packing, which needs memory only.
    pub(super) fn fault(&self, error: std::io::Error) -> PagedError {
        PagedError::Io(self.log.path.clone(), error)
    }

    /// Restores a set after the last finished ply: the initial one and the log.
    pub(super) fn restore(&self, worker: &mut SliceWorker, slice: usize) -> Result<(), Halt> {
        let ply = self.manifest.ply as usize;
        for (which, kind, gone, back) in [
            (Which::Safe, SetKind::Safe, SetKind::Won, None),
            (Which::Open, SetKind::Open, SetKind::Lost, Some(SetKind::Hold)),
        ] {
            let initial = self.index.blocks(kind, slice, 0);
            let packed = self.sets.refer(which, slice, initial);
            if packed && ply == 0 {
                continue;
            }
            (self.check)()?;
            let spare = &mut worker.spare[usize::from(which == Which::Open)];
            let mut words = self.sets.take((which, slice), &self.log, &mut worker.reader, spare)?;
            let mut apply = |blocks: &[Block], change: fn(&mut u64, u64)| {
                blocks.iter().try_for_each(|block| {
                    let range = self.windows.range(block.window as usize);
                    let length = range.len();
                    let words = &mut words[range];
                    self.log.read(block, &mut worker.reader, length, |at, bits| {
                        change(&mut words[at], bits);
                    })
                })
            };
            if !packed {
                apply(initial, |word, bits| *word |= bits)?;
            }
            for ply in 1..=ply {
                let back = back.map_or(&[][..], |back| self.index.blocks(back, slice, ply));
                apply(back, |word, bits| *word |= bits)?;
                // The mates of ply 0 are not part of the initial set.
                apply(self.index.blocks(gone, slice, ply), |word, bits| *word &= !bits)?;
            }
            let changed = vec![true; self.windows.count()];
            self.sets.put((which, slice), words, &changed, &mut worker.reader, spare)?;
        }
        Ok(())
    }
}

fn entry(kind: SetKind, slice: usize, ply: usize, block: Block) -> LogEntry {
    LogEntry { kind, slice: slice as u8, ply: ply as u16, block }
}

/// Returns the slices from which the attacker's royal reaches a slice in one move.
pub(super) fn neighbors(endgame: &crate::retrograde::Endgame, slice: usize) -> Vec<usize> {
    let home = endgame.layout.homes[slice];
    let mut targets = 0u64;
    match endgame.attacker.templates() {
        Some(templates) => {
            for template in templates.quiet.at(home) {
                targets |= 1 << template.to;
            }
        }
        None => {
            for ray_step in endgame.attacker.moves.from(home as usize) {
                targets |= 1 << ray_step.to;
            }
        }
    }
    let mut found: Vec<usize> =
        members(targets).map(|to| endgame.layout.home(to as u8).0).collect();
    found.sort_unstable();
    found.dedup();
    found
}

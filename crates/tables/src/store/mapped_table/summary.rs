//! Counts of a table that stays in its file, from its cells.

use super::super::StoreError;
use super::super::codec::{Stream, legal, raw};
use super::{MappedTable, Unpacker};
use crate::retrograde::WordTally;
use crate::solved_table::SolvedTable;
use rayon::prelude::*;
use umbrail_control::Stopped;

/// Blocks counted between two cancellation checks.
const BLOCKS: usize = 256;

/// Plies, slice and cell of a longest win, or loss.
type Longest = Option<(usize, usize, usize)>;

/// Counts of some blocks.
struct BlockCounts {
    tally: WordTally,
    longest: [Longest; 2],
}

impl BlockCounts {
    fn join(mut self, other: Self) -> Self {
        self.tally.join(other.tally);
        self.longest = [0, 1].map(|side| longer(self.longest[side], other.longest[side]));
        self
    }
}

/// Returns the longer distance; of equal ones, the first cell.
fn longer(one: Longest, other: Longest) -> Longest {
    let rank = |&(ply, slice, cell): &(usize, usize, usize)| {
        (ply, std::cmp::Reverse(slice), std::cmp::Reverse(cell))
    };
    one.into_iter().chain(other).max_by_key(rank)
}

impl MappedTable {
    /// Returns the counts of the table, without words. Mutual zugzwangs, longest wins and counts by
    /// square colors are found by reading all blocks; a file without wins gives none of them.
    pub(crate) fn summary(
        &self,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<Result<SolvedTable, StoreError>, Stopped> {
        let layout = self.layout();
        let mut table = SolvedTable::without_wins(layout.clone(), self.endgame.attackers);
        (table.outcomes, table.is_whole) = (self.header.outcomes.clone(), false);
        table.file_bytes = Some(self.bytes.len() as u64);
        let blocks = if self.header.lost_only { 0 } else { self.each };
        let parts = (0..blocks.div_ceil(BLOCKS)).into_par_iter().map(|first| {
            check()?;
            let blocks = first * BLOCKS..((first + 1) * BLOCKS).min(blocks);
            Ok(self.count_blocks(blocks))
        });
        let join = |one: Result<BlockCounts, StoreError>,
                    other: Result<BlockCounts, StoreError>| Ok(one?.join(other?));
        let whole = parts.try_reduce(empty_part(layout), |one, other| Ok(join(one, other)))?;
        Ok(whole.map(|mut part| {
            part.tally.reciprocal.sort_unstable();
            table.reciprocal = part.tally.reciprocal;
            table.shades = Some(part.tally.shades);
            table.longest = part.longest.map(|found| found.map(|(_, slice, cell)| (slice, cell)));
            table
        }))
    }

    fn count_blocks(&self, blocks: std::ops::Range<usize>) -> Result<BlockCounts, StoreError> {
        let (layout, width) = (self.layout(), self.header.width as usize);
        let mut part = BlockCounts { tally: WordTally::new(layout), longest: [None; 2] };
        let mut unpacker = Unpacker::default();
        let size = self.header.block_words as usize;
        for block in blocks {
            let sides = [block, self.each + block].map(|at| self.unpack_block(at, &mut unpacker));
            let [won, lost] = sides;
            let (won, lost) = (won?, lost?);
            let cells = won.chunks_exact(64 * width).zip(lost.chunks_exact(64 * width));
            for ((slice, word), (won, lost)) in self.order.words(block * size).zip(cells) {
                let mut sets = [0u64; 2];
                for (side, (cells, stream)) in
                    [(won, Stream::Won), (lost, Stream::Lost)].into_iter().enumerate()
                {
                    for (b, number) in cells.chunks_exact(width).enumerate() {
                        let high = number.get(1).copied().unwrap_or(0);
                        let number = u16::from_le_bytes([number[0], high]).into();
                        let raw = raw(number, self.header.halved, stream);
                        if raw > 0 {
                            sets[side] |= 1 << b;
                            let here = Some((raw - 1, slice, word * 64 + b));
                            part.longest[side] = longer(part.longest[side], here);
                        }
                    }
                }
                let drawn = sets[1] & !sets[0];
                let drawn = match drawn {
                    0 => 0,
                    drawn => drawn & legal(&self.endgame, slice, word, Stream::Won),
                };
                if sets != [0; 2] {
                    part.tally.add(layout, (slice, word), sets, drawn);
                }
            }
        }
        Ok(part)
    }
}

/// Returns the counts of no block.
fn empty_part(
    layout: &crate::layout::Layout,
) -> impl Fn() -> Result<BlockCounts, StoreError> + Sync + '_ {
    || Ok(BlockCounts { tally: WordTally::new(layout), longest: [None; 2] })
}

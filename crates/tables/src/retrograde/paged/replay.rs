//! Cells of a finished build, read back from its log.

use super::PagedRun;
use super::error::PagedError;
use super::log::{BlockReader, SetKind};
use crate::retrograde::members;

/// Distances of a finished build by windows.
pub(crate) trait Replay: Sync {
    /// Bytes for the cells of a pass.
    fn bytes(&self) -> u64;
    /// Numbers of windows in a slice.
    fn windows(&self) -> usize;
    /// Calls `visit` for the words of a window of a slice that have wins, or, unless `wins`,
    /// losses: plies, word and squares.
    fn window(
        &self,
        wins: bool,
        slice: usize,
        window: usize,
        visit: &mut dyn FnMut(usize, usize, u64),
    ) -> Result<(), PagedError>;
}

impl Replay for PagedRun<'_> {
    fn bytes(&self) -> u64 {
        self.plan.cells
    }

    fn windows(&self) -> usize {
        self.windows.count()
    }

    fn window(
        &self,
        wins: bool,
        slice: usize,
        window: usize,
        visit: &mut dyn FnMut(usize, usize, u64),
    ) -> Result<(), PagedError> {
        let kind = if wins { SetKind::Won } else { SetKind::Lost };
        let range = self.windows.range(window);
        let mut reader = BlockReader::new().map_err(|error| self.fault(error))?;
        for ply in 0..=self.manifest.ply as usize {
            let blocks = self.index.blocks(kind, slice, ply).iter();
            for block in blocks.filter(|block| block.window as usize == window) {
                self.log.read(block, &mut reader, range.len(), |at, bits| {
                    visit(ply, range.start + at, bits);
                })?;
            }
        }
        Ok(())
    }
}

/// Calls `visit` with each square of a set.
#[inline]
pub(crate) fn squares(bits: u64, visit: impl FnMut(usize)) {
    members(bits).for_each(visit);
}

//! The builder: one fixpoint "the attacker wins", 64 positions per instruction.
//!
//! All pieces but the loser's royal are fixed; the set of squares of the loser's royal with some
//! property is one word. A piece's un-move copies a whole word, and the loser's royal moves on all
//! its squares at once. A position is lost when no move leads to a square of `safe`, which is
//! tested for 64 squares together. `docs/tables.md` describes the method.
//!
//! Work is cut into slices by the square of the attacker's royal. Every move of every other piece
//! stays inside its slice; the attacker's royal pulls from the slices it moves to. A ply is
//! therefore one parallel loop over slices that reads only the frontiers of the previous ply.

mod assemble;
mod bent;
mod checkpoint;
mod complete;
mod conversions;
mod count;
mod endgame;
mod fixpoint;
mod paged;
mod passant;
mod pending;
mod prepare;
mod retention;
mod row;
mod slice;
mod sweep;
mod tally;

use super::depths::Depth;
use super::layout::Others;
use umbrail_control::Stopped;

pub(crate) use assemble::reduce;
pub(crate) use complete::complete;
pub(crate) use endgame::{Endgame, Seed, SeedValue, SubTable};
pub(crate) use fixpoint::solve;
pub(crate) use paged::{
    Halt, PagedError, PagedJob, Plan, Replay, can_page, least_bytes, solve as solve_paged, squares,
};
pub(crate) use retention::Retention;
pub(crate) use tally::WordTally;

/// Reason why a fixpoint was not finished.
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

/// Counts of one finished ply, reported during a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyCounts {
    /// Number of the ply.
    pub ply: usize,
    /// Positions newly lost (stored ones, not weighted).
    pub lost: u64,
    /// Positions newly won (stored ones, not weighted).
    pub won: u64,
}

/// Share of a step of a build on disk that is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartDone {
    /// Ply that is computed; none while the files of an earlier build are read, or counted.
    pub ply: Option<usize>,
    /// Slices that are finished.
    pub done: usize,
    /// All slices.
    pub total: usize,
    /// Bytes of the unfinished table's files.
    pub disk_bytes: u64,
}

/// Empty set of missing pieces.
pub(crate) const NO_PIECE: u32 = 0;

/// Calls `visit` with the number of each member.
#[inline]
fn each(set: u64, visit: impl FnMut(usize)) {
    members(set).for_each(visit);
}

/// Returns the numbers of the members.
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

/// Schedules squares of a word for a ply.
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

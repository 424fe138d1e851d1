//! Checkpoints: the state of an unfinished table between two plies; a later build resumes from it.
//!
//! Numbers are little endian; lists start with their length. A checkpoint is used only as a whole,
//! after the file's checksum was verified (see `part_file`), and only if every list has the
//! required size.

use super::assemble::{Assembly, Extracted};
use super::retention::Retention;
use super::slice::{CHUNK, DoubleStepWin, Frontier, Slice, SliceCounts, SymmetryCount};
use super::{Depth, Endgame};
use crate::layout::Layout;
use crate::solved_table::Count;
use std::collections::HashMap;
use std::hash::Hash;
use std::io::{self, Read, Write};

/// State of a fixpoint between two plies.
pub(super) struct FixpointState<D> {
    pub(super) stage: usize,
    pub(super) ply: usize,
    pub(super) slices: Vec<Slice<D>>,
    pub(super) frontiers: Vec<Frontier>,
}

/// Data that can be written and read back.
trait Pack: Sized {
    fn put(&self, out: &mut dyn Write) -> io::Result<()>;
    fn take(from: &mut dyn Read) -> io::Result<Self>;
}

macro_rules! pack_numbers {
    ($($number:ty),*) => {$(
        impl Pack for $number {
            fn put(&self, out: &mut dyn Write) -> io::Result<()> {
                out.write_all(&self.to_le_bytes())
            }
            fn take(from: &mut dyn Read) -> io::Result<Self> {
                let mut bytes = [0; size_of::<Self>()];
                from.read_exact(&mut bytes)?;
                Ok(Self::from_le_bytes(bytes))
            }
        }
    )*};
}
pack_numbers!(u8, u16, u32, u64, usize);

impl Pack for bool {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        u8::from(*self).put(out)
    }
    fn take(from: &mut dyn Read) -> io::Result<Self> {
        Ok(u8::take(from)? != 0)
    }
}

impl<A: Pack, B: Pack> Pack for (A, B) {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.put(out)?;
        self.1.put(out)
    }
    fn take(from: &mut dyn Read) -> io::Result<Self> {
        Ok((A::take(from)?, B::take(from)?))
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        self.len().put(out)?;
        self.iter().try_for_each(|item| item.put(out))
    }
    fn take(from: &mut dyn Read) -> io::Result<Self> {
        // A length is trusted only as far as its items are present.
        let length = usize::take(from)?;
        let mut list = Self::new();
        for _ in 0..length {
            list.push(T::take(from)?);
        }
        Ok(list)
    }
}

impl<K: Pack + Eq + Hash + Copy, V: Pack> Pack for HashMap<K, V> {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        self.len().put(out)?;
        self.iter().try_for_each(|(key, value)| {
            key.put(out)?;
            value.put(out)
        })
    }
    fn take(from: &mut dyn Read) -> io::Result<Self> {
        let length = usize::take(from)?;
        (0..length).map(|_| <(K, V)>::take(from)).collect()
    }
}

impl Pack for DoubleStepWin {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        ((self.word, self.child), (self.square, self.stalemate)).put(out)?;
        self.ply.put(out)
    }
    fn take(from: &mut dyn Read) -> io::Result<Self> {
        let ((word, child), (square, stalemate)) = Pack::take(from)?;
        Ok(Self { word, child, square, stalemate, ply: u16::take(from)? })
    }
}

impl Pack for SymmetryCount {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.placements, self.kept).put(out)
    }
    fn take(from: &mut dyn Read) -> io::Result<Self> {
        let (placements, kept) = Pack::take(from)?;
        Ok(Self { placements, kept })
    }
}

/// Writes distances by their stored numbers.
fn put_depths<D: Depth>(depths: &[D], out: &mut dyn Write) -> io::Result<()> {
    depths.len().put(out)?;
    let wide = D::PLY_MAX > usize::from(u8::MAX);
    for depth in depths {
        match wide {
            true => (depth.raw() as u16).put(out)?,
            false => (depth.raw() as u8).put(out)?,
        }
    }
    Ok(())
}

fn take_depths<D: Depth>(from: &mut dyn Read) -> io::Result<Vec<D>> {
    let length = usize::take(from)?;
    let wide = D::PLY_MAX > usize::from(u8::MAX);
    let mut list = Vec::new();
    for _ in 0..length {
        let raw = if wide { u16::take(from)?.into() } else { usize::from(u8::take(from)?) };
        list.push(if raw == 0 { D::default() } else { D::of_ply(raw - 1) });
    }
    Ok(list)
}

impl Pack for Count {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.full_board, self.unique).put(out)
    }
    fn take(from: &mut dyn Read) -> io::Result<Self> {
        let (full_board, unique) = Pack::take(from)?;
        Ok(Self { full_board, unique })
    }
}

/// Writes the number of a part, the results of the parts before it, and its state.
pub(super) fn put<D: Depth>(
    part: usize,
    assembly: &Assembly<'_, D>,
    state: &FixpointState<D>,
    out: &mut dyn Write,
) -> io::Result<()> {
    part.put(out)?;
    if part > 0 {
        assembly.extracted.put(out)?;
    }
    state.put(out)
}

/// Reads the number of a part, its state, and the results of the parts before it.
pub(super) fn take<D: Depth>(
    endgame: &Endgame,
    parts: &[Layout],
    assembly: &mut Assembly<'_, D>,
    from: &mut dyn Read,
) -> io::Result<Option<(usize, FixpointState<D>)>> {
    let number = usize::take(from)?;
    let Some(part) = parts.get(number) else { return Ok(None) };
    if number > 0 && !assembly.extracted.take(from)? {
        return Ok(None);
    }
    // A part file is written only for tables with full retention.
    let state = FixpointState::take(&endgame.part(part.clone(), &Retention::All), from)?;
    Ok(state.map(|state| (number, state)))
}

impl<D: Depth> Extracted<D> {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        for words in [&self.won, &self.lost] {
            words.put(out)?;
        }
        for depths in self.won_in.iter().chain(&self.lost_in) {
            put_depths(depths, out)?;
        }
        for list in [&self.stale, &self.reciprocal] {
            let list: Vec<_> =
                list.iter().map(|&(slice, word, bits)| (slice, (word, bits))).collect();
            list.put(out)?;
        }
        let c = &self.outcomes;
        for count in [c.attacker_legal, c.loser_legal, c.stalemate, c.won, c.lost] {
            count.put(out)?;
        }
        (c.loser_in_check, c.attacker_in_check).put(out)?;
        c.won_in.put(out)?;
        c.lost_in.put(out)
    }

    /// Reads the slice; false when any list differs from its required size.
    fn take(&mut self, from: &mut dyn Read) -> io::Result<bool> {
        for words in [&mut self.won, &mut self.lost] {
            let read: Vec<Vec<u64>> = Pack::take(from)?;
            if !read.iter().map(Vec::len).eq(words.iter().map(Vec::len)) {
                return Ok(false);
            }
            *words = read;
        }
        for depths in self.won_in.iter_mut().chain(&mut self.lost_in) {
            let read = take_depths(from)?;
            if read.len() != depths.len() {
                return Ok(false);
            }
            *depths = read;
        }
        for list in [&mut self.stale, &mut self.reciprocal] {
            let read: Vec<(usize, (usize, u64))> = Pack::take(from)?;
            *list = read.into_iter().map(|(slice, (word, bits))| (slice, word, bits)).collect();
        }
        let c = &mut self.outcomes;
        for count in
            [&mut c.attacker_legal, &mut c.loser_legal, &mut c.stalemate, &mut c.won, &mut c.lost]
        {
            *count = Pack::take(from)?;
        }
        (c.loser_in_check, c.attacker_in_check) = Pack::take(from)?;
        c.won_in = Pack::take(from)?;
        c.lost_in = Pack::take(from)?;
        Ok(true)
    }
}

impl<D: Depth> FixpointState<D> {
    /// Writes the state.
    pub(super) fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        (D::PLY_MAX, (self.stage, self.ply)).put(out)?;
        for (slice, frontier) in self.slices.iter().zip(&self.frontiers) {
            for words in [&slice.safe, &slice.open, &slice.frontier.words, &frontier.words] {
                words.put(out)?;
            }
            for depths in [&slice.won_in, &slice.lost_in, &slice.next, &slice.later] {
                put_depths(depths, out)?;
            }
            slice.waits.put(out)?;
            slice.retest.put(out)?;
            slice.double_step_wins.put(out)?;
            ((slice.horizon, slice.overflow), (slice.new_won, slice.new_lost)).put(out)?;
            let passants: Vec<_> = slice
                .passants
                .iter()
                .map(|(&(word, piece), list)| ((word, piece), list.clone()))
                .collect();
            passants.put(out)?;
            slice.stale.put(out)?;
            slice.won_at.put(out)?;
            slice.lost_at.put(out)?;
            let c = &slice.counts;
            for sum in [c.attacker_legal, c.loser_legal, c.stalemate, c.won, c.lost] {
                sum.put(out)?;
            }
            (c.loser_in_check, c.attacker_in_check).put(out)?;
        }
        Ok(())
    }

    /// Reads a state of this endgame; none when any list differs from its required size.
    pub(super) fn take(endgame: &Endgame, from: &mut dyn Read) -> io::Result<Option<Self>> {
        let (ply_max, (stage, ply)) = <(usize, (usize, usize))>::take(from)?;
        if ply_max != D::PLY_MAX {
            return Ok(None);
        }
        let mut state = Self { stage, ply, slices: Vec::new(), frontiers: Vec::new() };
        let words = endgame.layout.words;
        for number in 0..endgame.layout.homes.len() {
            let mut slice = Slice::<D>::new(endgame, number);
            let mut frontier = Frontier::new(words);
            slice.safe = Pack::take(from)?;
            slice.open = Pack::take(from)?;
            slice.frontier.words = Pack::take(from)?;
            frontier.words = Pack::take(from)?;
            slice.won_in = take_depths(from)?;
            slice.lost_in = take_depths(from)?;
            slice.next = take_depths(from)?;
            slice.later = take_depths(from)?;
            slice.waits = Pack::take(from)?;
            slice.retest = Pack::take(from)?;
            slice.double_step_wins = Pack::take(from)?;
            ((slice.horizon, slice.overflow), (slice.new_won, slice.new_lost)) = Pack::take(from)?;
            let passants: Vec<(_, Vec<_>)> = Pack::take(from)?;
            slice.passants = passants.into_iter().collect();
            slice.stale = Pack::take(from)?;
            slice.won_at = Pack::take(from)?;
            slice.lost_at = Pack::take(from)?;
            let (a, b) = (SymmetryCount::take(from)?, SymmetryCount::take(from)?);
            let (c, d, e) = (
                SymmetryCount::take(from)?,
                SymmetryCount::take(from)?,
                SymmetryCount::take(from)?,
            );
            let (loser_in_check, attacker_in_check) = Pack::take(from)?;
            slice.counts = SliceCounts {
                attacker_legal: a,
                loser_legal: b,
                stalemate: c,
                won: d,
                lost: e,
                loser_in_check,
                attacker_in_check,
            };
            let sized = [&slice.safe, &slice.open, &slice.frontier.words, &frontier.words]
                .iter()
                .all(|list| list.len() == words)
                && slice.won_in.len() == words * 64
                && slice.lost_in.len() == words * 64
                && slice.next.len() == words
                && slice.later.len() == words
                && slice.waits.len() == words;
            if !sized || stage >= endgame.stages() || ply > D::PLY_MAX {
                return Ok(None);
            }
            for frontier in [&mut slice.frontier, &mut frontier] {
                for (dirty, chunk) in frontier.dirty.iter_mut().zip(frontier.words.chunks(CHUNK)) {
                    *dirty = chunk.iter().any(|&word| word != 0);
                }
            }
            state.slices.push(slice);
            state.frontiers.push(frontier);
        }
        Ok(Some(state))
    }
}

//! State of a table while it is solved: all positions with the attacker's royal on one square.

use crate::grid::SquareSet;
use std::collections::BTreeMap;

/// Words with the numbers of those that are not empty.
#[derive(Clone, Debug)]
pub(super) struct Touched<W> {
    pub(super) bits: Vec<W>,
    pub(super) list: Vec<u32>,
}

impl<W: SquareSet> Touched<W> {
    pub(super) fn new(words: usize) -> Self {
        Self { bits: vec![W::NONE; words], list: vec![] }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, word: usize, bits: W) {
        if bits.is_none() {
            return;
        }
        if self.bits[word].is_none() {
            self.list.push(word as u32);
        }
        self.bits[word] |= bits;
    }

    pub(super) fn clear(&mut self) {
        for word in self.list.drain(..) {
            self.bits[word as usize] = W::NONE;
        }
    }
}

/// All positions with the attacker's royal on one square.
pub(super) struct HomeSlice<W> {
    pub(super) home: u8,
    /// Legal positions with the attacker to move that are not won yet.
    pub(super) safe: Vec<W>,
    /// Legal positions with the loser to move that may still be lost.
    pub(super) open: Vec<W>,
    /// Newest wins.
    pub(super) frontier: Touched<W>,
    pub(super) candidates: Touched<W>,
    pub(super) won: Vec<u8>,
    pub(super) lost: Vec<u8>,
    /// Longest losing conversion of the loser, as a cell.
    pub(super) hold: Vec<u8>,
    /// Wins by conversions, by plies.
    pub(super) due: BTreeMap<usize, Vec<(u32, W)>>,
    /// Losses whose conversion lasts longer, by plies.
    pub(super) held: BTreeMap<usize, Vec<(u32, W)>>,
    /// Stalemates of the loser: word and bit.
    pub(super) stalemates: Vec<(u32, u8)>,
    pub(super) overflow: bool,
}

/// Squares of the attacker's pieces, royal included, and of the loser's, royal excluded.
#[derive(Clone, Copy)]
pub(super) struct Sets<S> {
    pub(super) attackers: S,
    pub(super) losers: S,
}

/// Adds bits of a word to a list.
pub(super) fn push<W: SquareSet>(list: &mut Vec<(u32, W)>, word: usize, bits: W) {
    match list.last_mut() {
        Some((last, known)) if *last as usize == word => *known |= bits,
        _ => list.push((word as u32, bits)),
    }
}

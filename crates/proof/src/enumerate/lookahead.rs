//! Lookahead: a seeker settles later branches while another seeker walks the current ones.
//!
//! Most pairs of end assignments are refuted at once, and every seeker would repeat that work. A
//! seeker that catches up with another therefore settles a later block first, and records its dead
//! pairs.

use crate::enumerate::branches::BLOCK;
use crate::enumerate::ends::EndAssignment;
use crate::enumerate::tree::TreeWalk;
use crate::problem::piece::PieceMask;
use std::collections::VecDeque;

/// Lookahead distance, in blocks; a seeker settles only blocks nearer than this.
const AHEAD: u64 = 16;

/// Pairs of end assignments in order, with a buffer of later ones.
pub(crate) struct Pairs<'e, I> {
    white: &'e [EndAssignment],
    black: &'e [EndAssignment],
    source: I,
    /// Pairs from the next one onward.
    ahead: VecDeque<(usize, usize)>,
}

impl<'e, I: Iterator<Item = (usize, usize)>> Pairs<'e, I> {
    /// Creates the pairs from indices into two lists.
    pub(crate) const fn new(
        white: &'e [EndAssignment],
        black: &'e [EndAssignment],
        source: I,
    ) -> Self {
        Self { white, black, source, ahead: VecDeque::new() }
    }

    /// Returns the next pair.
    pub(crate) fn next(&mut self) -> Option<(&'e EndAssignment, &'e EndAssignment)> {
        let (white, black) = self.ahead.pop_front().or_else(|| self.source.next())?;
        Some((&self.white[white], &self.black[black]))
    }

    /// Returns the pair that comes after `behind` others.
    fn peek(&mut self, behind: u64) -> Option<(&'e EndAssignment, &'e EndAssignment)> {
        let behind = behind as usize;
        while self.ahead.len() <= behind {
            self.ahead.push_back(self.source.next()?);
        }
        let (white, black) = self.ahead[behind];
        Some((&self.white[white], &self.black[black]))
    }
}

impl TreeWalk<'_> {
    /// Called before the first pair of a block: settles another block if a seeker walks this one.
    pub(crate) fn look_ahead<I: Iterator<Item = (usize, usize)>>(
        &mut self,
        number: u64,
        pairs: &mut Pairs<'_, I>,
    ) {
        // One level down, claims divide the work.
        if !number.is_multiple_of(BLOCK) || self.options.sync_depth <= 1 {
            return;
        }
        let Some(branches) = self.claims.branches() else { return };
        let here = number / BLOCK;
        if branches.front().ends >= number + BLOCK || branches.walk(here) {
            return;
        }
        if let Some(block) = branches.claim(here + 1..here + AHEAD) {
            let dead = self.dead_of(block, number, pairs);
            branches.notify(block, dead);
        }
    }

    /// Returns the dead pairs of a block, by their indices in it.
    fn dead_of<I: Iterator<Item = (usize, usize)>>(
        &mut self,
        block: u64,
        number: u64,
        pairs: &mut Pairs<'_, I>,
    ) -> u64 {
        let mut dead = 0;
        for place in 0..BLOCK {
            let Some((white, black)) = pairs.peek(block * BLOCK + place - number) else { break };
            let mut state = self.begin(white, black);
            if let Err(why) = state.settle(PieceMask::ALL, &mut self.propagator.tools) {
                self.cut(&state, why);
                self.tally.count_node();
                dead |= 1 << place;
            }
        }
        dead
    }
}

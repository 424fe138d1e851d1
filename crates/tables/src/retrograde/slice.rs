//! State of one slice: the positions with one square of the attacker's royal.

use super::pending::Pending;
use super::row::{row, row_mut};
use super::{Depth, Endgame, members};
use crate::vectors::Eight;
use std::collections::HashMap;

/// Words per dirty flag.
pub(super) const CHUNK: usize = 64;

/// Words with a dirty flag for each chunk that may be non-empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontier {
    /// Number of the first chunk: 0, or that of a window of a slice.
    pub(super) first: usize,
    pub(super) words: Vec<u64>,
    pub(super) dirty: Vec<bool>,
}

impl Frontier {
    pub(super) fn new(words: usize) -> Self {
        Self { first: 0, words: vec![0; words], dirty: vec![false; words.div_ceil(CHUNK)] }
    }

    #[inline]
    pub(super) fn add(&mut self, word: usize, bits: u64) {
        self.words[word] |= bits;
        self.dirty[word / CHUNK] = true;
    }

    /// Returns the words of a chunk.
    #[inline]
    pub(super) fn range(&self, chunk: usize) -> std::ops::Range<usize> {
        chunk * CHUNK..((chunk + 1) * CHUNK).min(self.words.len())
    }

    pub(super) fn clear(&mut self) {
        for chunk in 0..self.dirty.len() {
            if std::mem::take(&mut self.dirty[chunk]) {
                let range = self.range(chunk);
                self.words[range].fill(0);
            }
        }
    }
}

/// Double step that can be answered en passant. It wins when the ordinary child is lost (or is a
/// stalemate that only the capture breaks) and all such captures lose.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoubleStepWin {
    pub(super) word: u32,
    pub(super) child: u32,
    pub(super) square: u8,
    pub(super) stalemate: bool,
    /// Plies of the child with the en passant captures alone.
    pub(super) ply: u16,
}

/// Conversions of one word.
#[derive(Default)]
pub(super) struct Conversions {
    /// Squares of winning conversions of the attacker.
    pub(super) winning: u64,
    /// Squares of the loser's conversions that do not lose, and of those that do.
    pub(super) escape: u64,
    pub(super) losing: u64,
}

/// State of one slice.
pub(super) struct Slice<D> {
    pub(super) home: u8,
    /// Squares where the loser's royal is legal and the attacker, to move, is not known to win.
    pub(super) safe: Vec<u64>,
    /// Squares where the loser, to move, may still be lost.
    pub(super) open: Vec<u64>,
    /// New wins; while wins are collected, candidates. During preparation: losing conversions.
    pub(super) frontier: Frontier,
    /// Candidates for a loss, then new losses.
    pub(super) cand: Frontier,
    /// Known wins, while their distances are not stored.
    pub(super) won: Vec<u64>,
    /// Values of winning conversions, and distances of wins. Empty while there are no such values
    /// and the distances are not needed.
    pub(super) won_in: Vec<D>,
    /// Values of losing conversions, and distances of losses.
    pub(super) lost_in: Vec<D>,
    /// For each word, the least value of a winning conversion that has not been processed.
    pub(super) next: Vec<D>,
    /// For each word, a lower bound on the value of any loss that waits for a conversion.
    pub(super) later: Vec<D>,
    /// Words where some conversion of the loser loses, so that a loss may have to wait.
    pub(super) waits: Vec<bool>,
    /// Words to be tested again, by ply.
    pub(super) retest: Vec<Vec<(u32, u64)>>,
    /// Ply, word and square of the last win found, where distances are not stored.
    pub(super) last_won: Option<(usize, usize, u8)>,
    pub(super) double_step_wins: Vec<DoubleStepWin>,
    /// For a double step of the loser (word, piece): squares where the attacker's en passant
    /// capture wins, with the distance in plies.
    pub(super) passants: HashMap<(u32, u8), Vec<(u64, u16)>>,
    /// Stalemates of the loser; kept only where they are read later.
    pub(super) stale: HashMap<u32, u64>,
    /// Values of conversions that are not yet written, where distances are not stored.
    pub(super) pending: Option<Box<Pending>>,
    /// Last ply with scheduled work.
    pub(super) horizon: usize,
    pub(super) overflow: bool,
    pub(super) new_won: u64,
    pub(super) new_lost: u64,
    pub(super) won_at: Vec<u64>,
    pub(super) lost_at: Vec<u64>,
    pub(super) counts: SliceCounts,
}

/// Sums of one slice, not yet weighted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SliceCounts {
    pub(super) attacker_legal: SymmetryCount,
    pub(super) loser_legal: SymmetryCount,
    pub(super) stalemate: SymmetryCount,
    pub(super) won: SymmetryCount,
    pub(super) lost: SymmetryCount,
    pub(super) loser_in_check: u64,
    pub(super) attacker_in_check: u64,
}

/// Placements, and placements counted once for every stabilizing symmetry that leaves them
/// unchanged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SymmetryCount {
    pub(super) placements: u64,
    pub(super) kept: u64,
}

impl SymmetryCount {
    #[inline]
    pub(super) fn add(&mut self, bits: u64, mirrors: &[u64]) {
        self.placements += u64::from(bits.count_ones());
        self.kept += u64::from(bits.count_ones());
        for mask in mirrors {
            self.kept += u64::from((bits & mask).count_ones());
        }
    }
}

impl<D: Depth> Slice<D> {
    /// Creates the slice of an endgame with this number, with nothing known.
    pub(super) fn new(endgame: &Endgame, number: usize) -> Self {
        let words = endgame.layout.words;
        Self {
            safe: vec![0; words],
            open: vec![0; words],
            frontier: Frontier::new(words),
            cand: Frontier::new(words),
            won: vec![0; if endgame.keeps_wins { 0 } else { words }],
            won_in: vec![D::default(); if endgame.keeps_wins { words * 64 } else { 0 }],
            lost_in: vec![D::default(); words * 64],
            next: vec![D::default(); words],
            later: vec![D::default(); words],
            waits: vec![false; words],
            ..Self::bare(endgame, number)
        }
    }

    /// Creates such a slice without its sets.
    pub(super) fn bare(endgame: &Endgame, number: usize) -> Self {
        Self {
            home: endgame.layout.homes[number],
            safe: Vec::new(),
            open: Vec::new(),
            frontier: Frontier::default(),
            cand: Frontier::default(),
            won: Vec::new(),
            won_in: Vec::new(),
            lost_in: Vec::new(),
            next: Vec::new(),
            later: Vec::new(),
            waits: Vec::new(),
            retest: Vec::new(),
            last_won: None,
            double_step_wins: Vec::new(),
            passants: HashMap::new(),
            stale: HashMap::new(),
            pending: None,
            horizon: 0,
            overflow: false,
            new_won: 0,
            new_lost: 0,
            won_at: vec![0],
            lost_at: vec![0],
            counts: SliceCounts::default(),
        }
    }

    /// Schedules a loss of this word for this value.
    #[inline]
    pub(super) fn wait(&mut self, word: usize, value: D) {
        if value.earlier(self.later[word]) {
            self.later[word] = value;
        }
    }

    /// Starts storing distances of wins.
    #[inline]
    pub(super) fn make_room_for_wins(&mut self) {
        if self.won_in.is_empty() {
            // No win is known yet: conversions are found before the first ply.
            self.won_in = vec![D::default(); self.lost_in.len()];
            self.won = Vec::new();
        }
    }

    /// Stores winning squares with the value of the conversion.
    #[inline(always)]
    pub(super) fn note_wins(
        &mut self,
        word: usize,
        wins: u64,
        found: &mut Conversions,
        plies: &[usize; 64],
    ) {
        found.winning |= wins;
        if !D::STORED {
            for b in members(wins) {
                self.horizon = self.horizon.max(plies[b]);
            }
            if let Some(pending) = &mut self.pending {
                pending.won.least(wins, plies);
            }
            return;
        }
        let cells = word * 64;
        self.make_room_for_wins();
        for b in members(wins) {
            let ply = plies[b];
            self.horizon = self.horizon.max(ply);
            self.overflow |= ply > D::PLY_MAX;
            let value = D::of_ply(ply.min(D::PLY_MAX));
            let cell = &mut self.won_in[cells + b];
            if *cell == D::default() || value < *cell {
                *cell = value;
            }
        }
    }

    /// Stores losses; a loss whose conversion lasts longer is postponed.
    #[inline(always)]
    pub(super) fn lose(&mut self, word: usize, lost: u64, ply: usize, eight: Option<Eight>) {
        if lost == 0 {
            return;
        }
        if !D::STORED {
            // Losses that wait for a conversion are not candidates; see `paged`.
            self.lost_at[ply] += u64::from(lost.count_ones());
            self.cand.add(word, lost);
            return;
        }
        let value = D::of_ply(ply);
        let mut now = lost;
        let cells = row_mut(&mut self.lost_in, word);
        if !self.waits[word] {
            D::write(cells, lost, value, eight);
        }
        let mut left = if self.waits[word] { lost } else { 0 };
        while left != 0 {
            let b = left.trailing_zeros() as usize;
            left &= left - 1;
            if cells[b] > value {
                now &= !(1 << b);
                if cells[b].earlier(self.later[word]) {
                    self.later[word] = cells[b];
                }
            } else {
                cells[b] = value;
            }
        }
        self.lost_at[ply] += u64::from(now.count_ones());
        if now != 0 {
            self.cand.add(word, now);
        }
    }

    /// Adds the losses whose conversion takes until this ply.
    #[inline(always)]
    pub(super) fn end_waiting(&mut self, ply: usize, eight: Option<Eight>) {
        let now = D::of_ply(ply);
        for chunk in 0..self.cand.dirty.len() {
            let range = self.cand.range(chunk);
            for word in members(cells_equal(&self.later[range.clone()], now, eight)) {
                let word = range.start + word;
                let cells = row(&self.lost_in, word);
                // Losses found in this ply are counted.
                let counted = self.open[word] | self.cand.words[word];
                let lost = D::equal(cells, now, eight) & !counted;
                self.later[word] = D::least_above(cells, now);
                self.lost_at[ply] += u64::from(lost.count_ones());
                self.cand.add(word, lost);
            }
        }
    }

    /// Finds double steps that win at this ply.
    pub(super) fn find_special_wins(&mut self, ply: usize) {
        if self.double_step_wins.is_empty() {
            return;
        }
        let mut double_step_wins = std::mem::take(&mut self.double_step_wins);
        double_step_wins.retain(|double_step_win| {
            let square = double_step_win.square as usize;
            let cell = double_step_win.child as usize * 64 + square;
            // A value in `lost_in` counts only once the position is no longer open or pending, that
            // is, when it is not later than this ply and the set confirms it.
            let ordinary = if double_step_win.stalemate {
                Some(0)
            } else {
                self.lost_in[cell].raw().checked_sub(1).filter(|&p| {
                    p < ply && self.open[double_step_win.child as usize] >> square & 1 == 0
                })
            };
            match ordinary {
                Some(p) if p.max(double_step_win.ply as usize) < ply => {
                    self.frontier.add(double_step_win.word as usize, 1 << square);
                    false
                }
                _ => true,
            }
        });
        self.double_step_wins = double_step_wins;
    }

    /// Returns the squares where the attacker has a winning en passant capture after a double step
    /// of this piece of the loser.
    pub(super) fn passant_wins(&self, word: usize, piece: usize, ply: usize) -> u64 {
        let Some(list) = self.passants.get(&(word as u32, piece as u8)) else { return 0 };
        let known = |&&(_, e): &&(u64, u16)| (e as usize) < ply;
        list.iter().filter(known).fold(0, |set, (bits, _)| set | bits)
    }
}

/// Returns the set of the items (at most 64) that equal the value.
#[inline(always)]
pub(super) fn cells_equal<D: Depth>(items: &[D], value: D, eight: Option<Eight>) -> u64 {
    match items.first_chunk() {
        Some(items) => D::equal(items, value, eight),
        None => {
            let same = |set, (bit, item): (usize, &D)| set | u64::from(*item == value) << bit;
            items.iter().enumerate().fold(0, same)
        }
    }
}

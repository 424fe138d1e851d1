//! State before the first ply: legality, conversions, mates and stalemates of a slice.

use super::conversions::ConversionFinder;
use super::passant::EnPassant;
use super::row::row;
use super::slice::{Conversions, Slice, SymmetryCount};
use super::sweep::Sweep;
use super::{Depth, Endgame, NO_PIECE, SeedValue, Stopped, each, members};
use crate::rules::{Metric, Stalemate};
use crate::vectors::Vectors;
use std::ops::Range;

/// Prepares the slices up to ply 0.
#[derive(Clone, Copy)]
pub(super) struct Preparation<'a> {
    pub(super) endgame: &'a Endgame,
}

impl Preparation<'_> {
    /// Prepares the words of a stage up to and including ply 0.
    pub(super) fn prepare<D: Depth>(
        self,
        number: usize,
        slice: &mut Slice<D>,
        stage: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<(), Stopped> {
        slice.cand.clear();
        slice.horizon = 0;
        self.prepare_range(number, slice, 0..self.endgame.layout.words, stage, check)?;
        self.ply_zero(number, slice, stage);
        Ok(())
    }

    /// Prepares a range of words of a stage, without ply 0.
    pub(super) fn prepare_range<D: Depth>(
        self,
        number: usize,
        slice: &mut Slice<D>,
        range: Range<usize>,
        stage: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<(), Stopped> {
        match Vectors::found() {
            #[cfg(target_arch = "x86_64")]
            Vectors::Four(_) | Vectors::Eight(_) => {
                // SAFETY: the processor supports the target features of the function.
                unsafe { self.prepare_words_quickly(number, slice, range, stage, check) }
            }
            _ => self.prepare_words(number, slice, range, stage, check),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn prepare_words_quickly<D: Depth>(
        self,
        number: usize,
        slice: &mut Slice<D>,
        range: Range<usize>,
        stage: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<(), Stopped> {
        self.prepare_words(number, slice, range, stage, check)
    }

    #[inline(always)]
    fn prepare_words<D: Depth>(
        self,
        number: usize,
        slice: &mut Slice<D>,
        range: Range<usize>,
        stage: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<(), Stopped> {
        for word in range {
            if word % 0x4000 == 0 {
                check()?;
            }
            if self.endgame.is_in_stage(word, stage) {
                self.prepare_word(number, slice, word);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn prepare_word<D: Depth>(self, number: usize, slice: &mut Slice<D>, word: usize) {
        let pieces = self.endgame.layout.decode(word);
        let Some(occupied) = self.endgame.occupied(slice.home, &pieces) else { return };
        let attacked = self.endgame.attacked(slice.home, &pieces, NO_PIECE, occupied);
        let attacker_legal = !occupied & !attacked;
        let loser_legal = self.endgame.legal_for_loser(slice.home, &pieces, occupied);
        if attacker_legal | loser_legal != 0 {
            let mirrors = self.endgame.layout.mirrors(number, word);
            slice.counts.attacker_legal.add(attacker_legal, &mirrors);
            slice.counts.loser_legal.add(loser_legal, &mirrors);
        }
        slice.counts.loser_in_check += u64::from((attacked & !occupied).count_ones());
        slice.counts.attacker_in_check += u64::from((!occupied & !loser_legal).count_ones());
        let mut found = Conversions::default();
        let conversions = ConversionFinder { endgame: self.endgame };
        conversions.attacker_conversions(
            slice,
            word,
            &pieces,
            occupied,
            attacker_legal,
            &mut found,
        );
        conversions.loser_conversions(slice, word, &pieces, occupied, loser_legal, &mut found);
        let pushes =
            self.endgame.rules.metric == Metric::Dtz && self.endgame.pieces.iter().any(|m| m.pawn);
        if pushes {
            let legal = (attacker_legal, loser_legal);
            conversions.push_conversions(slice, word, &pieces, occupied, legal, &mut found);
        }
        if !D::STORED {
            slice.safe[word] = attacker_legal;
            // A loss may have to wait for a conversion; it becomes a candidate at its ply.
            slice.open[word] = loser_legal & !found.escape & !found.losing;
            if let Some(pending) = &mut slice.pending {
                pending.schedule(word, found.escape);
            }
            return;
        }
        // A loss needs every conversion to lose: values beside an escape have no meaning.
        each(found.losing & found.escape, |b| slice.lost_in[word * 64 + b] = D::default());
        slice.frontier.words[word] = found.losing & !found.escape;
        slice.waits[word] = found.losing & !found.escape != 0;
        slice.safe[word] = attacker_legal;
        slice.open[word] = loser_legal & !found.escape;
        if found.winning != 0 {
            let mut least = usize::MAX;
            for b in members(found.winning) {
                least = least.min(slice.won_in[word * 64 + b].raw());
            }
            slice.next[word] = D::of_ply(least - 1);
        }
        if !pushes && self.endgame.pieces.iter().any(|m| m.pawn) {
            EnPassant { endgame: self.endgame }.find(
                slice,
                word,
                &pieces,
                occupied,
                attacker_legal,
            );
        }
    }

    /// Finds mates, stalemates and positions with only losing conversions. Under the rule of bare
    /// royals, adds all positions of a side that has only its royal.
    fn ply_zero<D: Depth>(self, number: usize, slice: &mut Slice<D>, stage: usize) {
        if self.endgame.rules.bare_loses && self.endgame.attackers == 0 {
            return Self::nothing_is_won(slice);
        }
        let level = self.endgame.rules.metric == Metric::Level;
        let before = (slice.won_at[0], slice.lost_at[0]);
        let mut dead = vec![0; self.endgame.layout.words];
        for (word, dead) in dead.iter_mut().enumerate() {
            let losing = std::mem::take(&mut slice.frontier.words[word]);
            if slice.open[word] == 0 || !self.endgame.is_in_stage(word, stage) {
                continue;
            }
            let pieces = self.endgame.layout.decode(word);
            let stuck = Sweep { endgame: self.endgame }.remove_escapes(
                slice,
                word,
                &pieces,
                slice.open[word],
                0,
                false,
            );
            let quiet = stuck & !losing;
            let stale = quiet & slice.safe[word];
            if stale != 0 {
                let mirrors = self.endgame.layout.mirrors(number, word);
                slice.counts.stalemate.add(stale, &mirrors);
                slice.stale.insert(word as u32, stale);
            }
            let mut lost = quiet & !stale;
            match self.endgame.rules.stalemate {
                Stalemate::Win => lost |= stale,
                Stalemate::Draw => slice.open[word] &= !stale,
                // The loser passes, and so is lost when the attacker wins from the same placement.
                Stalemate::Pass => {}
            }
            if level {
                *dead = lost;
                continue;
            }
            let forced = stuck & losing;
            // A side that can capture is not stalemated, so it may pass instead under `-0`.
            let forced =
                if self.endgame.rules.null_move { forced & !slice.safe[word] } else { forced };
            slice.open[word] &= !(lost | forced);
            each(forced, |b| slice.wait(word, slice.lost_in[word * 64 + b]));
            slice.lose(word, lost, 0, None);
        }
        if level {
            self.level_zero(slice, &dead);
        }
        if self.endgame.rules.bare_loses && self.endgame.pieces.len() == self.endgame.attackers {
            self.all_is_won(slice);
        }
        for double_step_win in &mut slice.double_step_wins {
            double_step_win.stalemate = slice
                .stale
                .get(&double_step_win.child)
                .is_some_and(|s| s >> double_step_win.square & 1 != 0);
        }
        slice.new_won = slice.won_at[0] - before.0;
        slice.new_lost = slice.lost_at[0] - before.1;
    }

    /// Marks a slice for a bare attacker: the attacker has lost already, or both sides are bare and
    /// the game is drawn.
    fn nothing_is_won<D: Depth>(slice: &mut Slice<D>) {
        slice.frontier.words.fill(0);
        slice.open.fill(0);
        slice.next.fill(D::default());
        slice.later.fill(D::default());
        slice.won_in.fill(D::default());
        slice.lost_in.fill(D::default());
        slice.waits.fill(false);
        slice.double_step_wins.clear();
        slice.passants.clear();
        slice.horizon = 0;
        (slice.new_won, slice.new_lost) = (0, 0);
    }

    /// Marks a slice for a bare loser and an attacker with pieces: the game is decided with either
    /// side to move.
    fn all_is_won<D: Depth>(self, slice: &mut Slice<D>) {
        slice.make_room_for_wins();
        for word in 0..self.endgame.layout.words {
            let pieces = self.endgame.layout.decode(word);
            let Some(occupied) = self.endgame.occupied(slice.home, &pieces) else { continue };
            let won = std::mem::take(&mut slice.safe[word]);
            let mated = slice.cand.words[word];
            let lost = self.endgame.legal_for_loser(slice.home, &pieces, occupied) & !mated;
            slice.open[word] = 0;
            slice.next[word] = D::default();
            each(won, |b| slice.won_in[word * 64 + b] = D::of_ply(0));
            each(lost, |b| slice.lost_in[word * 64 + b] = D::default());
            slice.won_at[0] += u64::from(won.count_ones());
            slice.lose(word, lost, 0, None);
        }
        slice.counts.stalemate = SymmetryCount::default();
        slice.stale.clear();
        slice.later.fill(D::default());
        slice.horizon = 0;
    }

    /// Counts everything that wins by conversion as won beforehand, like EGTgen's first level.
    fn level_zero<D: Depth>(self, slice: &mut Slice<D>, dead: &[u64]) {
        let now = D::of_ply(0);
        for word in 0..self.endgame.layout.words {
            if slice.next[word] != D::default() {
                let won = D::equal(row(&slice.won_in, word), now, None);
                slice.next[word] = D::default();
                slice.safe[word] &= !won;
                slice.won_at[0] += u64::from(won.count_ones());
            }
        }
        for (word, &dead) in dead.iter().enumerate() {
            if slice.open[word] == 0 {
                continue;
            }
            let pieces = self.endgame.layout.decode(word);
            let open = slice.open[word] & !dead;
            let lost = dead
                | Sweep { endgame: self.endgame }.remove_escapes(
                    slice,
                    word,
                    &pieces,
                    open,
                    0,
                    self.endgame.rules.null_move,
                );
            slice.open[word] &= !lost;
            slice.lose(word, lost, 0, None);
        }
    }

    /// Sets the values of the seeds.
    pub(super) fn apply_seeds<D: Depth>(self, slices: &mut [Slice<D>], stage: usize) {
        for seed in
            self.endgame.seeds.iter().filter(|seed| self.endgame.is_in_stage(seed.word, stage))
        {
            let slice = &mut slices[seed.slice];
            let (word, bit) = (seed.word, 1u64 << seed.loser_royal);
            let cell = word * 64 + seed.loser_royal as usize;
            let pieces = self.endgame.layout.decode(word);
            let legal = self
                .endgame
                .occupied(slice.home, &pieces)
                .map_or(0, |occupied| self.endgame.legal_for_loser(slice.home, &pieces, occupied));
            if legal & bit == 0 {
                continue;
            }
            if slice.cand.words[word] & bit != 0 {
                // The position was counted as a mate.
                slice.cand.words[word] &= !bit;
                slice.lost_at[0] -= 1;
                slice.new_lost -= 1;
            }
            if let Some(stale) = slice.stale.get_mut(&(word as u32)) {
                *stale &= !bit;
            }
            slice.lost_in[cell] = D::default();
            match seed.value {
                SeedValue::Undecided => slice.open[word] |= bit,
                SeedValue::Safe { stalemate } => {
                    slice.open[word] &= !bit;
                    if stalemate && self.endgame.rules.stalemate != Stalemate::Pass {
                        *slice.stale.entry(word as u32).or_insert(0) |= bit;
                    }
                }
                SeedValue::Lost(ply) => {
                    slice.open[word] &= !bit;
                    slice.horizon = slice.horizon.max(ply);
                    slice.overflow |= ply > D::PLY_MAX;
                    if ply == 0 {
                        slice.lose(word, bit, 0, None);
                        slice.new_lost += 1;
                    } else if ply <= D::PLY_MAX {
                        slice.lost_in[cell] = D::of_ply(ply);
                        slice.wait(word, D::of_ply(ply));
                    }
                }
            }
        }
    }
}

//! Before the first ply: legality, conversions, mates and stalemates of a slice.

use super::row::row;
use super::{
    Depth, Endgame, Frontier, HashMap, Others, SeedValue, Slice, SliceCounts, Stopped, SubTable,
};
use super::{each, members};
use crate::rules::{Metric, Stalemate};
use crate::vectors::Vectors;

/// No man is missing.
pub(super) const NOBODY: usize = usize::MAX;

/// What the conversions of one word come to.
#[derive(Default)]
pub(super) struct Conversions {
    /// Winning conversions of the attacker.
    pub(super) winning: u64,
    /// Conversions of the loser that do not lose, and those that do.
    pub(super) escape: u64,
    pub(super) losing: u64,
}

impl<D: Depth> Slice<D> {
    /// A loss of this word waits for this value.
    #[inline]
    pub(super) fn wait(&mut self, word: usize, value: D) {
        if value.earlier(self.later[word]) {
            self.later[word] = value;
        }
    }

    /// From here on distances of wins are written down.
    #[inline]
    fn make_room_for_wins(&mut self) {
        if self.won_in.is_empty() {
            // No win is known yet: conversions are found before the first ply.
            self.won_in = vec![D::default(); self.lost_in.len()];
            self.won = Vec::new();
        }
    }
}

impl Endgame {
    /// An empty slice.
    pub(super) fn empty_slice<D: Depth>(&self, number: usize) -> Slice<D> {
        let words = self.layout.words;
        Slice {
            home: self.layout.homes[number],
            safe: vec![0; words],
            open: vec![0; words],
            frontier: Frontier::new(words),
            cand: Frontier::new(words),
            won: vec![0; if self.keeps_wins { 0 } else { words }],
            won_in: vec![D::default(); if self.keeps_wins { words * 64 } else { 0 }],
            lost_in: vec![D::default(); words * 64],
            next: vec![D::default(); words],
            later: vec![D::default(); words],
            waits: vec![false; words],
            retest: Vec::new(),
            last_won: None,
            double_step_wins: Vec::new(),
            passants: HashMap::new(),
            stale: HashMap::new(),
            horizon: 0,
            overflow: false,
            new_won: 0,
            new_lost: 0,
            won_at: vec![0],
            lost_at: vec![0],
            counts: SliceCounts::default(),
        }
    }

    /// Brings the words of a stage up to and including ply 0.
    pub(super) fn prepare<D: Depth>(
        &self,
        number: usize,
        slice: &mut Slice<D>,
        stage: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<(), Stopped> {
        slice.cand.clear();
        slice.horizon = 0;
        match Vectors::found() {
            #[cfg(target_arch = "x86_64")]
            Vectors::Four(_) | Vectors::Eight(_) => {
                // SAFETY: the processor has what the function is compiled for.
                unsafe { self.prepare_words_quickly(number, slice, stage, check)? };
            }
            _ => self.prepare_words(number, slice, stage, check)?,
        }
        self.ply_zero(number, slice, stage);
        Ok(())
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn prepare_words_quickly<D: Depth>(
        &self,
        number: usize,
        slice: &mut Slice<D>,
        stage: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<(), Stopped> {
        self.prepare_words(number, slice, stage, check)
    }

    #[inline(always)]
    fn prepare_words<D: Depth>(
        &self,
        number: usize,
        slice: &mut Slice<D>,
        stage: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<(), Stopped> {
        for word in 0..self.layout.words {
            if word % 0x4000 == 0 {
                check()?;
            }
            if self.is_in_stage(word, stage) {
                self.prepare_word(number, slice, word);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn prepare_word<D: Depth>(&self, number: usize, slice: &mut Slice<D>, word: usize) {
        let men = self.layout.decode(word);
        let Some(occupied) = self.occupied(slice.home, &men) else { return };
        let attacked = self.attacked(slice.home, &men, NOBODY, occupied);
        let attacker_legal = !occupied & !attacked;
        let loser_legal = self.legal_for_loser(slice.home, &men, occupied);
        if attacker_legal | loser_legal != 0 {
            let mirrors = self.layout.mirrors(number, word);
            slice.counts.attacker_legal.add(attacker_legal, &mirrors);
            slice.counts.loser_legal.add(loser_legal, &mirrors);
        }
        slice.counts.loser_in_check += u64::from((attacked & !occupied).count_ones());
        slice.counts.attacker_in_check += u64::from((!occupied & !loser_legal).count_ones());
        let mut found = Conversions::default();
        self.attacker_conversions(slice, word, &men, occupied, attacker_legal, &mut found);
        self.loser_conversions(slice, word, &men, occupied, loser_legal, &mut found);
        let pushes = self.rules.metric == Metric::Dtz && self.men.iter().any(|m| m.pawn);
        if pushes {
            let legal = (attacker_legal, loser_legal);
            self.push_conversions(slice, word, &men, occupied, legal, &mut found);
        }
        // A loss needs every conversion to lose: values beside an escape mean nothing.
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
        if !pushes && self.men.iter().any(|m| m.pawn) {
            self.find_passants(slice, word, &men, occupied, attacker_legal);
        }
    }

    /// Captures and promotions of the attacker.
    #[inline(always)]
    fn attacker_conversions<D: Depth>(
        &self,
        slice: &mut Slice<D>,
        word: usize,
        men: &Others,
        occupied: u64,
        legal: u64,
        found: &mut Conversions,
    ) {
        let home = slice.home;
        for victim in self.attackers..self.men.len() {
            let to = men[victim];
            let Some(sub) = &self.subs.captured[victim] else { continue };
            for &between in self.attacker.paths(home, to) {
                if between & occupied == 0 {
                    self.wins(slice, word, sub, to, men, legal & !between, found);
                }
            }
            for number in 0..self.attackers {
                let mover = &self.men[number];
                for &between in mover.paths(men[number], to) {
                    if between & occupied != 0 {
                        continue;
                    }
                    let mut after = *men;
                    after[number] = to;
                    if mover.pawn && to >= 56 {
                        for sub in &self.subs.promoted_capturing[number][victim] {
                            self.wins(slice, word, sub, home, &after, legal, found);
                        }
                    } else {
                        self.wins(slice, word, sub, home, &after, legal & !between, found);
                    }
                }
            }
        }
        for mover in 0..self.attackers {
            if self.men[mover].pawn && men[mover] >= 48 {
                let to = men[mover] + 8;
                if occupied >> to & 1 == 0 {
                    let mut after = *men;
                    after[mover] = to;
                    for sub in &self.subs.promoted[mover] {
                        self.wins(slice, word, sub, home, &after, legal & !(1 << to), found);
                    }
                }
            }
        }
    }

    /// Notes the winning squares of a conversion of the attacker.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "one call site's state, spelled out")]
    fn wins<D: Depth>(
        &self,
        slice: &mut Slice<D>,
        word: usize,
        sub: &SubTable,
        royal: u8,
        after: &Others,
        mask: u64,
        found: &mut Conversions,
    ) {
        let (lost, spot) = sub.solved.lost_word(royal, &sub.men(after));
        let wins = lost & mask;
        if wins == 0 {
            return;
        }
        let metric = self.rules.metric;
        let mut plies = [metric.through(0); 64];
        if metric.looks_through() {
            for b in members(wins) {
                plies[b] = metric.through(sub.solved.lost_ply(spot, b as u8).unwrap_or(0));
            }
        }
        self.note_wins(slice, word, wins, found, &plies);
    }

    /// Notes winning squares with the worth of the conversion.
    #[inline(always)]
    pub(super) fn note_wins<D: Depth>(
        &self,
        slice: &mut Slice<D>,
        word: usize,
        wins: u64,
        found: &mut Conversions,
        plies: &[usize; 64],
    ) {
        found.winning |= wins;
        let cells = word * 64;
        slice.make_room_for_wins();
        for b in members(wins) {
            let ply = plies[b];
            slice.horizon = slice.horizon.max(ply);
            slice.overflow |= ply > D::PLY_MAX;
            let value = D::of_ply(ply.min(D::PLY_MAX));
            let cell = &mut slice.won_in[cells + b];
            if *cell == D::default() || value < *cell {
                *cell = value;
            }
        }
    }

    /// Captures and promotions of the loser.
    #[inline(always)]
    fn loser_conversions<D: Depth>(
        &self,
        slice: &mut Slice<D>,
        word: usize,
        men: &Others,
        occupied: u64,
        legal: u64,
        found: &mut Conversions,
    ) {
        let home = slice.home;
        for victim in 0..self.attackers {
            let to = men[victim];
            let Some(sub) = &self.subs.captured[victim] else { continue };
            let from = self.loser.before_capture(1 << to, !occupied) & legal;
            if from != 0 && !self.defends(home, men, victim, occupied) {
                let (won, spot) = sub.solved.won_word(home, &sub.men(men));
                if won >> to & 1 == 0 {
                    found.escape |= from;
                } else {
                    let ply = sub.solved.won_ply(spot, to);
                    self.loses(slice, word, from, |_| ply, found);
                }
            }
            for number in self.attackers..self.men.len() {
                let mover = &self.men[number];
                for &between in mover.paths(men[number], to) {
                    if between & occupied != 0 {
                        continue;
                    }
                    let mut after = *men;
                    after[number] = to;
                    let occupied = occupied & !(1 << men[number]);
                    let attacked = self.attacked(home, men, victim, occupied);
                    let mask = legal & !attacked & !between;
                    if mover.pawn && to < 8 {
                        for sub in &self.subs.promoted_capturing[number][victim] {
                            self.answers(slice, word, sub, &after, mask, found);
                        }
                    } else {
                        self.answers(slice, word, sub, &after, mask, found);
                    }
                }
            }
        }
        for mover in self.attackers..self.men.len() {
            if self.men[mover].pawn && men[mover] < 16 {
                let to = men[mover] - 8;
                if occupied >> to & 1 == 0 {
                    let mut after = *men;
                    after[mover] = to;
                    let occupied = occupied & !(1 << men[mover]) | 1 << to;
                    let attacked = self.attacked(home, men, NOBODY, occupied);
                    let mask = legal & !attacked & !(1 << to);
                    for sub in &self.subs.promoted[mover] {
                        self.answers(slice, word, sub, &after, mask, found);
                    }
                }
            }
        }
    }

    /// True when another man of the attacker guards the square of this one.
    fn defends(&self, home: u8, men: &Others, guarded: usize, occupied: u64) -> bool {
        let to = men[guarded];
        let open = |paths: &[u64]| paths.iter().any(|between| between & occupied == 0);
        open(self.attacker.paths(home, to))
            || (0..self.attackers)
                .any(|man| man != guarded && open(self.men[man].paths(men[man], to)))
    }

    /// Notes what a conversion of the loser is worth on the squares of `mask`.
    fn answers<D: Depth>(
        &self,
        slice: &mut Slice<D>,
        word: usize,
        sub: &SubTable,
        after: &Others,
        mask: u64,
        found: &mut Conversions,
    ) {
        if mask == 0 {
            return;
        }
        let (won, spot) = sub.solved.won_word(slice.home, &sub.men(after));
        found.escape |= mask & !won;
        self.loses(slice, word, mask & won, |b| sub.solved.won_ply(spot, b), found);
    }

    /// Notes losing conversions on these squares.
    pub(super) fn loses<D: Depth>(
        &self,
        slice: &mut Slice<D>,
        word: usize,
        bits: u64,
        ply: impl Fn(u8) -> Option<usize>,
        found: &mut Conversions,
    ) {
        found.losing |= bits;
        if self.rules.metric == Metric::Level {
            return;
        }
        let metric = self.rules.metric;
        each(bits, |b| {
            let ply = metric.through(ply(b as u8).unwrap_or(0));
            slice.horizon = slice.horizon.max(ply);
            slice.overflow |= ply > D::PLY_MAX;
            let value = D::of_ply(ply.min(D::PLY_MAX));
            let cell = &mut slice.lost_in[word * 64 + b];
            if *cell < value {
                *cell = value;
            }
        });
    }

    /// Mates, stalemates and positions where only losing conversions are left.
    fn ply_zero<D: Depth>(&self, number: usize, slice: &mut Slice<D>, stage: usize) {
        let level = self.rules.metric == Metric::Level;
        let before = (slice.won_at[0], slice.lost_at[0]);
        let mut dead = vec![0; self.layout.words];
        for (word, dead) in dead.iter_mut().enumerate() {
            let losing = std::mem::take(&mut slice.frontier.words[word]);
            if slice.open[word] == 0 || !self.is_in_stage(word, stage) {
                continue;
            }
            let men = self.layout.decode(word);
            let stuck = self.remove_escapes(slice, word, &men, slice.open[word], 0, false);
            let quiet = stuck & !losing;
            let stale = quiet & slice.safe[word];
            if stale != 0 {
                let mirrors = self.layout.mirrors(number, word);
                slice.counts.stalemate.add(stale, &mirrors);
                slice.stale.insert(word as u32, stale);
            }
            let mut lost = quiet & !stale;
            match self.rules.stalemate {
                Stalemate::Win => lost |= stale,
                Stalemate::Draw => slice.open[word] &= !stale,
                // They pass, and so are lost when the attacker wins the same placement.
                Stalemate::Pass => {}
            }
            if level {
                *dead = lost;
                continue;
            }
            let forced = stuck & losing;
            // A side that can capture is not stalemated, so it may pass instead under `-0`.
            let forced = if self.rules.null_move { forced & !slice.safe[word] } else { forced };
            slice.open[word] &= !(lost | forced);
            each(forced, |b| slice.wait(word, slice.lost_in[word * 64 + b]));
            self.lose(slice, word, lost, 0, None);
        }
        if level {
            self.level_zero(slice, &dead);
        }
        if self.rules.bare_loses && self.men.len() == self.attackers {
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

    /// The loser is bare, which decides the game whoever is to move.
    fn all_is_won<D: Depth>(&self, slice: &mut Slice<D>) {
        slice.make_room_for_wins();
        for word in 0..self.layout.words {
            let men = self.layout.decode(word);
            let Some(occupied) = self.occupied(slice.home, &men) else { continue };
            let won = std::mem::take(&mut slice.safe[word]);
            let mated = slice.cand.words[word];
            let lost = self.legal_for_loser(slice.home, &men, occupied) & !mated;
            slice.open[word] = 0;
            slice.next[word] = D::default();
            each(won, |b| slice.won_in[word * 64 + b] = D::of_ply(0));
            each(lost, |b| slice.lost_in[word * 64 + b] = D::default());
            slice.won_at[0] += u64::from(won.count_ones());
            self.lose(slice, word, lost, 0, None);
        }
        slice.counts.stalemate = super::SymmetryCount::default();
        slice.stale.clear();
        slice.later.fill(D::default());
        slice.horizon = 0;
    }

    /// EGTgen's first level: everything that wins by conversion counts as won beforehand.
    fn level_zero<D: Depth>(&self, slice: &mut Slice<D>, dead: &[u64]) {
        let now = D::of_ply(0);
        for word in 0..self.layout.words {
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
            let men = self.layout.decode(word);
            let open = slice.open[word] & !dead;
            let lost = dead | self.remove_escapes(slice, word, &men, open, 0, self.rules.null_move);
            slice.open[word] &= !lost;
            self.lose(slice, word, lost, 0, None);
        }
    }

    /// Sets the values that the user planted.
    pub(super) fn apply_seeds<D: Depth>(&self, slices: &mut [Slice<D>], stage: usize) {
        for seed in self.seeds.iter().filter(|seed| self.is_in_stage(seed.word, stage)) {
            let slice = &mut slices[seed.slice];
            let (word, bit) = (seed.word, 1u64 << seed.loser_royal);
            let cell = word * 64 + seed.loser_royal as usize;
            let men = self.layout.decode(word);
            let legal = self
                .occupied(slice.home, &men)
                .map_or(0, |occupied| self.legal_for_loser(slice.home, &men, occupied));
            if legal & bit == 0 {
                continue;
            }
            if slice.cand.words[word] & bit != 0 {
                // It was a mate: take it back.
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
                    if stalemate && self.rules.stalemate != Stalemate::Pass {
                        *slice.stale.entry(word as u32).or_insert(0) |= bit;
                    }
                }
                SeedValue::Lost(ply) => {
                    slice.open[word] &= !bit;
                    slice.horizon = slice.horizon.max(ply);
                    slice.overflow |= ply > D::PLY_MAX;
                    if ply == 0 {
                        self.lose(slice, word, bit, 0, None);
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

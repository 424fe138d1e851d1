//! One ply of a slice: losses from the last wins, wins from the last losses.

mod rows;
mod royal;
mod step;

use super::bent::BentPiece;
use super::passant::EnPassant;
use super::row::{filled, row, row_mut};
use super::slice::{CHUNK, Frontier, Slice, cells_equal};
use super::{Depth, Endgame, NO_PIECE, Others, Stopped, members};
use crate::vectors::{Eight, Vectors};
pub(super) use step::SweepStep;

/// Retrograde step from one ply to the next within a slice.
#[derive(Clone, Copy)]
pub(super) struct Sweep<'a> {
    pub(super) endgame: &'a Endgame,
}

impl<'a> Sweep<'a> {
    /// Computes one ply with the vector instructions of this processor.
    pub(super) fn ply<D: Depth>(
        self,
        number: usize,
        slice: &mut Slice<D>,
        frontiers: &[Frontier],
        ply: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<(), Stopped> {
        let vectors = Vectors::found();
        match vectors {
            #[cfg(target_arch = "x86_64")]
            Vectors::Eight(eight) => {
                // SAFETY: the processor supports the target features of the function.
                unsafe { self.ply_by_eight(number, slice, frontiers, ply, check, eight) }
            }
            #[cfg(target_arch = "x86_64")]
            Vectors::Four(_) => {
                // SAFETY: the processor supports the target features of the function.
                unsafe { self.ply_by_four(number, slice, frontiers, ply, check) }
            }
            _ => self.any_ply(number, slice, frontiers, ply, check, None),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn ply_by_eight<D: Depth>(
        self,
        number: usize,
        slice: &mut Slice<D>,
        frontiers: &[Frontier],
        ply: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
        eight: Eight,
    ) -> Result<(), Stopped> {
        self.any_ply(number, slice, frontiers, ply, check, Some(eight))
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn ply_by_four<D: Depth>(
        self,
        number: usize,
        slice: &mut Slice<D>,
        frontiers: &[Frontier],
        ply: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<(), Stopped> {
        self.any_ply(number, slice, frontiers, ply, check, None)
    }

    /// Computes one ply. Losses are found first, so that `safe` still includes the wins of this ply
    /// and depths are exact.
    #[inline(always)]
    fn any_ply<D: Depth>(
        self,
        number: usize,
        slice: &mut Slice<D>,
        frontiers: &[Frontier],
        ply: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
        eight: Option<Eight>,
    ) -> Result<(), Stopped> {
        slice.cand.clear();
        for counts in [&mut slice.won_at, &mut slice.lost_at] {
            if counts.len() <= ply {
                counts.resize(ply + 1, 0);
            }
        }
        let before = (slice.won_at[ply], slice.lost_at[ply]);
        let mut won = std::mem::take(&mut slice.frontier);
        self.unmove_loser(slice, &mut won);
        slice.frontier = won;
        check()?;
        self.find_losses(slice, ply, eight);
        check()?;
        self.unmove_attackers(slice, &frontiers[number]);
        check()?;
        self.unmove_royal(slice, frontiers);
        check()?;
        self.find_wins(slice, ply, eight);
        slice.new_won = slice.won_at[ply] - before.0;
        slice.new_lost = slice.lost_at[ply] - before.1;
        Ok(())
    }

    /// Adds candidates for losses: the loser's last moves into the newest wins, which are cleared.
    #[inline(always)]
    fn unmove_loser<D: Depth>(self, slice: &mut Slice<D>, wins: &mut Frontier) {
        for chunk in 0..wins.dirty.len() {
            if !std::mem::take(&mut wins.dirty[chunk]) {
                continue;
            }
            if self.endgame.in_rows && self.is_dense(row(&wins.words, chunk)) {
                let won = std::mem::replace(row_mut(&mut wins.words, chunk), [0; 64]);
                self.unmove_loser_row(slice, wins.first + chunk, &won);
                continue;
            }
            for at in wins.range(chunk) {
                let won = std::mem::take(&mut wins.words[at]);
                if won == 0 {
                    continue;
                }
                let word = wins.first * CHUNK + at;
                let pieces = self.endgame.layout.decode(word);
                let mut occupied = 1u64 << slice.home;
                for &piece in &pieces[..self.endgame.layout.others] {
                    occupied |= 1 << piece;
                }
                let mut before = self.royal_before(slice.home, &pieces, won, occupied);
                if self.endgame.rules.null_move {
                    before |= won;
                }
                if self.endgame.rules.passes_in_stalemate() {
                    before |= won & slice.stale.get(&(word as u32)).copied().unwrap_or(0);
                }
                slice.cand.add(word, before);
                for piece in self.endgame.attackers..self.endgame.pieces.len() {
                    let axis = self.endgame.layout.axis(word, piece, &pieces);
                    if let Some(bent) = self.bent_piece(slice.home, &pieces, piece) {
                        bent.unmove(&axis, &pieces, won, &mut slice.cand);
                        continue;
                    }
                    let ray_steps = self.endgame.pieces[piece].unmoves.from(pieces[piece] as usize);
                    let cand = &mut slice.cand;
                    axis.walk(ray_steps, &pieces, |ray_step, to| {
                        let moved = won & !ray_step.clear;
                        if occupied >> ray_step.to & 1 != 0 || moved == 0 {
                            return false;
                        }
                        cand.add(to, moved);
                        true
                    });
                }
            }
        }
    }

    /// Tests the candidates; `cand` then contains the new losses.
    #[inline(always)]
    fn find_losses<D: Depth>(self, slice: &mut Slice<D>, ply: usize, eight: Option<Eight>) {
        if let Some(due) = slice.retest.get_mut(ply) {
            for (word, bits) in std::mem::take(due) {
                slice.cand.add(word as usize, bits);
            }
        }
        for chunk in 0..slice.cand.dirty.len() {
            if !slice.cand.dirty[chunk] {
                continue;
            }
            if self.endgame.in_rows {
                let mut left = *row(&slice.cand.words, chunk);
                for (left, &open) in left.iter_mut().zip(row(&slice.open, chunk)) {
                    *left &= open;
                }
                if self.is_dense(&left) {
                    *row_mut(&mut slice.cand.words, chunk) = [0; 64];
                    self.remove_escapes_row(slice, chunk, &mut left, ply);
                    for (open, &lost) in row_mut(&mut slice.open, chunk).iter_mut().zip(&left) {
                        *open &= !lost;
                    }
                    for at in members(filled(&left)) {
                        slice.lose(chunk * CHUNK + at, left[at], ply, eight);
                    }
                    continue;
                }
            }
            for word in slice.cand.range(chunk) {
                let cand = slice.cand.words[word] & slice.open[word];
                slice.cand.words[word] = 0;
                if cand == 0 {
                    continue;
                }
                let pieces = self.endgame.layout.decode(word);
                let lost = self.remove_escapes(
                    slice,
                    word,
                    &pieces,
                    cand,
                    ply,
                    self.endgame.rules.null_move,
                );
                if lost != 0 {
                    slice.open[word] &= !lost;
                    slice.lose(word, lost, ply, eight);
                }
            }
        }
        if ply <= slice.horizon {
            slice.end_waiting(ply, eight);
        }
    }

    /// Returns the squares of `cand` from which every quiet move of the loser leads to a known win.
    pub(super) fn remove_escapes<D: Depth>(
        self,
        slice: &Slice<D>,
        word: usize,
        pieces: &Others,
        cand: u64,
        ply: usize,
        may_pass: bool,
    ) -> u64 {
        let mut occupied = 1u64 << slice.home;
        for &piece in &pieces[..self.endgame.layout.others] {
            occupied |= 1 << piece;
        }
        let safe = &slice.safe;
        let mut left = cand & !self.royal_before(slice.home, pieces, safe[word], occupied);
        if may_pass {
            left &= !safe[word];
        }
        if self.endgame.rules.passes_in_stalemate() && ply > 0 {
            left &= !(safe[word] & slice.stale.get(&(word as u32)).copied().unwrap_or(0));
        }
        for piece in self.endgame.attackers..self.endgame.pieces.len() {
            if left == 0 {
                return 0;
            }
            let mover = &self.endgame.pieces[piece];
            let axis = self.endgame.layout.axis(word, piece, pieces);
            if let Some(bent) = self.bent_piece(slice.home, pieces, piece) {
                bent.remove_escapes(&axis, pieces, safe, &mut left);
                continue;
            }
            axis.walk(mover.moves.from(pieces[piece] as usize), pieces, |ray_step, to| {
                if occupied >> ray_step.to & 1 != 0 || left & !ray_step.clear == 0 {
                    return false;
                }
                let mut escapes = safe[to] & !ray_step.clear;
                if mover.pawn && pieces[piece] - ray_step.to == 16 && !slice.passants.is_empty() {
                    escapes &= !slice.passant_wins(word, piece, ply);
                }
                left &= !escapes;
                true
            });
        }
        left
    }

    /// Adds candidates for wins: last moves of the attacker's pieces (not the royal) into the
    /// newest losses.
    #[inline(always)]
    pub(super) fn unmove_attackers<D: Depth>(self, slice: &mut Slice<D>, lost: &Frontier) {
        if self.endgame.attackers == 0 {
            return;
        }
        for chunk in (0..lost.dirty.len()).filter(|&c| lost.dirty[c]) {
            if self.endgame.in_rows && self.is_dense(row(&lost.words, chunk)) {
                self.unmove_attackers_row(slice, lost.first + chunk, row(&lost.words, chunk));
                continue;
            }
            for at in lost.range(chunk) {
                let bits = lost.words[at];
                if bits == 0 {
                    continue;
                }
                let word = lost.first * CHUNK + at;
                let pieces = self.endgame.layout.decode(word);
                let mut occupied = 1u64 << slice.home;
                for &piece in &pieces[..self.endgame.layout.others] {
                    occupied |= 1 << piece;
                }
                for piece in 0..self.endgame.attackers {
                    let mover = &self.endgame.pieces[piece];
                    let axis = self.endgame.layout.axis(word, piece, &pieces);
                    if let Some(bent) = self.bent_piece(slice.home, &pieces, piece) {
                        bent.unmove(&axis, &pieces, bits, &mut slice.frontier);
                        continue;
                    }
                    let frontier = &mut slice.frontier;
                    axis.walk(
                        mover.unmoves.from(pieces[piece] as usize),
                        &pieces,
                        |ray_step, to| {
                            let mut moved = bits & !ray_step.clear;
                            if occupied >> ray_step.to & 1 != 0 || moved == 0 {
                                return false;
                            }
                            if mover.pawn && pieces[piece] - ray_step.to == 16 {
                                moved &= !EnPassant { endgame: self.endgame }
                                    .answers(slice.home, &pieces, piece, occupied);
                            }
                            frontier.add(to, moved);
                            true
                        },
                    );
                }
            }
        }
    }

    /// Returns the squares from which the loser's royal moves quietly to one of `targets`.
    #[inline(always)]
    fn royal_before(self, home: u8, pieces: &Others, targets: u64, occupied: u64) -> u64 {
        match self.endgame.loser.templates() {
            None => self.endgame.loser.before_quiet(targets, !occupied),
            Some(templates) => {
                let sides = self.endgame.sides(home, pieces, NO_PIECE);
                self.endgame.royal_before(sides, templates, targets)
            }
        }
    }

    /// Returns a piece that hops, is lame or turns, with its surroundings.
    #[inline(always)]
    fn bent_piece(self, home: u8, pieces: &Others, piece: usize) -> Option<BentPiece<'a>> {
        let templates = self.endgame.pieces[piece].templates()?;
        Some(BentPiece {
            templates,
            square: pieces[piece],
            is_attacker: piece < self.endgame.attackers,
            sides: self.endgame.sides(home, pieces, NO_PIECE),
        })
    }

    /// Turns candidates and due conversions into wins; `frontier` then contains the new ones.
    #[inline(always)]
    pub(super) fn find_wins<D: Depth>(
        self,
        slice: &mut Slice<D>,
        ply: usize,
        eight: Option<Eight>,
    ) {
        let now = D::of_ply(ply);
        let values = !slice.won_in.is_empty();
        if values && ply <= slice.horizon {
            for chunk in 0..slice.frontier.dirty.len() {
                let due = cells_equal(&slice.next[slice.frontier.range(chunk)], now, eight);
                for word in members(due).map(|at| chunk * CHUNK + at) {
                    let cells = row(&slice.won_in, word);
                    let due = D::equal(cells, now, eight) & slice.safe[word];
                    // A cell above this ply is a pending conversion: all other wins are older.
                    slice.next[word] = D::least_above(cells, now);
                    slice.frontier.add(word, due);
                }
            }
        }
        slice.find_special_wins(ply);
        let mut found = 0;
        for chunk in 0..slice.frontier.dirty.len() {
            if !slice.frontier.dirty[chunk] {
                continue;
            }
            let range = slice.frontier.range(chunk);
            let frontier = &mut slice.frontier.words[range.clone()];
            let safe = &mut slice.safe[range.clone()];
            let mut some = 0;
            for (bit, (frontier, safe)) in frontier.iter_mut().zip(safe).enumerate() {
                *frontier &= *safe;
                *safe &= !*frontier;
                found += u64::from(frontier.count_ones());
                some |= u64::from(*frontier != 0) << bit;
            }
            if !D::STORED {
                continue;
            }
            if values {
                for word in members(some).map(|at| range.start + at) {
                    let won = slice.frontier.words[word];
                    D::write(row_mut(&mut slice.won_in, word), won, now, eight);
                }
                continue;
            }
            for (won, &frontier) in slice.won[range.clone()].iter_mut().zip(&*frontier) {
                *won |= frontier;
            }
            if some != 0 && slice.last_won.is_none_or(|(known, ..)| known < ply) {
                let word = range.start + some.trailing_zeros() as usize;
                let square = slice.frontier.words[word].trailing_zeros() as u8;
                slice.last_won = Some((ply, word, square));
            }
        }
        slice.won_at[ply] += found;
    }
}

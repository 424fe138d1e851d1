//! Pawn moves as conversions, for distances to zeroing.
//!
//! A pawn never goes back, so positions fall into *stages* by the steps that all pawns have yet to
//! make. Stages are solved one after the other, the most advanced first, and a push leads to a
//! stage that is finished. Pushes leave both royals where they are, so a slice needs only itself.
//! En passant needs no lists here: what a double step leads to is known when it is looked at.

use super::prepare::{Conversions, NOBODY};
use super::row::row;
use super::{Depth, Endgame, Others, Slice, each};
use crate::move_tables::walk;
use crate::rules::Metric;

/// Steps that a pawn may make before it promotes.
const STEPS_MAX: usize = 5;

/// A push that is being looked at.
struct PawnPush {
    word: usize,
    man: usize,
    /// The men and the word after it, and what is occupied then.
    after: Others,
    child: usize,
    occupied: u64,
}

impl Endgame {
    /// How many stages there are, 1 where pushes are ordinary moves.
    pub(super) fn stages(&self) -> usize {
        if self.rules.metric == Metric::Dtz {
            1 + STEPS_MAX * self.men.iter().filter(|m| m.pawn).count()
        } else {
            1
        }
    }

    /// Does this word belong to the stage?
    #[inline]
    pub(super) fn is_in_stage(&self, word: usize, stage: usize) -> bool {
        if self.rules.metric != Metric::Dtz {
            return true;
        }
        let men = self.layout.decode(word);
        let pawns = self.men.iter().zip(&men).enumerate().filter(|(_, (m, _))| m.pawn);
        let steps = pawns.map(|(man, (_, &square))| {
            let rank = usize::from(square / 8);
            if man < self.attackers { 6 - rank } else { rank - 1 }
        });
        steps.sum::<usize>() == stage
    }

    /// Notes what the pushes of a word (promotions aside) are worth.
    pub(super) fn push_conversions<D: Depth>(
        &self,
        slice: &mut Slice<D>,
        word: usize,
        men: &Others,
        occupied: u64,
        (attacker_legal, loser_legal): (u64, u64),
        found: &mut Conversions,
    ) {
        for man in (0..self.men.len()).filter(|&m| self.men[m].pawn) {
            let from = men[man];
            let rest = self.layout.without(word, man, men);
            let ours = man < self.attackers;
            walk(self.men[man].pushes.from(from as usize), |ray_step| {
                let legal = if ours { attacker_legal } else { loser_legal } & !ray_step.clear;
                if occupied >> ray_step.to & 1 != 0 || legal == 0 {
                    return false;
                }
                let mut after = *men;
                after[man] = ray_step.to;
                let child = self.layout.with(rest, man, men, ray_step.to);
                let occupied = occupied & !(1 << from) | 1 << ray_step.to;
                let push = PawnPush { word, man, after, child, occupied };
                let double = ray_step.to.abs_diff(from) == 16;
                if ours {
                    self.push_wins(slice, &push, legal, double, found);
                } else {
                    self.push_answers(slice, &push, legal, double, found);
                }
                true
            });
        }
    }

    /// A push of the attacker: it wins where the loser is lost behind it, by en passant, too.
    fn push_wins<D: Depth>(
        &self,
        slice: &mut Slice<D>,
        push: &PawnPush,
        legal: u64,
        double: bool,
        found: &mut Conversions,
    ) {
        let cells = push.child * 64..push.child * 64 + 64;
        let lost = !D::equal(row(&slice.lost_in, push.child), D::default(), None);
        let mut wins = lost & !slice.open[push.child] & legal;
        let mut plies = [0; 64];
        each(wins, |b| plies[b] = slice.lost_in[cells.start + b].raw() - 1);
        if let (true, Some(sub)) = (double, &self.subs.captured[push.man]) {
            // A stalemate that only en passant breaks hangs on the captures alone.
            let stale = slice.stale.get(&(push.child as u32)).copied().unwrap_or(0);
            let (mut any, mut saved) = (0, 0);
            self.each_passant(
                slice.home,
                &push.after,
                push.man,
                push.occupied,
                |_, men, answers| {
                    let answers = answers & legal;
                    let (won, spot) = sub.solved.won_word(slice.home, &sub.men(men));
                    any |= answers;
                    saved |= answers & !won;
                    each(answers & won, |b| {
                        let ply = sub.solved.won_ply(spot, b as u8).unwrap_or(0);
                        plies[b] = plies[b].max(self.rules.metric.through(ply));
                    });
                },
            );
            wins = (wins | stale & any) & !saved;
        }
        let metric = self.rules.metric;
        self.note_wins(slice, push.word, wins, found, &plies.map(|ply| metric.through(ply)));
    }

    /// A push of the loser: it escapes where the attacker does not win behind it, by en passant or
    /// otherwise.
    fn push_answers<D: Depth>(
        &self,
        slice: &mut Slice<D>,
        push: &PawnPush,
        legal: u64,
        double: bool,
        found: &mut Conversions,
    ) {
        let attacked = self.attacked(slice.home, &push.after, NOBODY, push.occupied);
        let legal = legal & !attacked;
        let cells = push.child * 64..push.child * 64 + 64;
        let mut won = !D::equal(row(&slice.won_in, push.child), D::default(), None);
        let mut plies = [usize::MAX; 64];
        each(won, |b| plies[b] = slice.won_in[cells.start + b].raw() - 1);
        if let (true, Some(sub)) = (double, &self.subs.captured[push.man]) {
            self.each_answer(&push.after, push.man, |men| {
                let (lost, spot) = sub.solved.lost_word(slice.home, &sub.men(men));
                won |= lost & legal;
                each(lost & legal, |b| {
                    let ply = sub.solved.lost_ply(spot, b as u8).unwrap_or(0);
                    plies[b] = plies[b].min(self.rules.metric.through(ply));
                });
            });
        }
        found.escape |= legal & !won;
        self.loses(slice, push.word, legal & won, |b| Some(plies[b as usize]), found);
    }
}

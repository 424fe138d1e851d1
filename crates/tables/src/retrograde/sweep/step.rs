//! The steps of a ply one by one, for sets that are read in windows.

use super::Sweep;
use crate::depths::Unstored;
use crate::retrograde::slice::{Frontier, Slice};
use crate::vectors::{Eight, Vectors};

/// A step of a ply.
pub(in crate::retrograde) enum SweepStep<'a> {
    /// Adds candidates for losses from a window of wins, which is cleared.
    UnmoveLoser(&'a mut Frontier),
    /// Tests the candidates of a ply for losses.
    FindLosses(usize),
    /// Adds candidates for wins from a window of losses of the slice.
    UnmoveAttackers(&'a Frontier),
    /// Adds candidates for wins from a window of losses of the slice with this number, from which
    /// the attacker's royal comes.
    UnmoveRoyal(usize, &'a Frontier),
    /// Turns the candidates of a ply into wins.
    FindWins(usize),
}

impl Sweep<'_> {
    /// Computes one step with the vector instructions of this processor.
    pub(in crate::retrograde) fn step(self, slice: &mut Slice<Unstored>, step: SweepStep<'_>) {
        match Vectors::found() {
            #[cfg(target_arch = "x86_64")]
            Vectors::Eight(eight) => {
                // SAFETY: the processor supports the target features of the function.
                unsafe { self.step_by_eight(slice, step, eight) }
            }
            #[cfg(target_arch = "x86_64")]
            Vectors::Four(_) => {
                // SAFETY: the processor supports the target features of the function.
                unsafe { self.step_by_four(slice, step) }
            }
            _ => self.any_step(slice, step, None),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn step_by_eight(self, slice: &mut Slice<Unstored>, step: SweepStep<'_>, eight: Eight) {
        self.any_step(slice, step, Some(eight));
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn step_by_four(self, slice: &mut Slice<Unstored>, step: SweepStep<'_>) {
        self.any_step(slice, step, None);
    }

    #[inline(always)]
    fn any_step(self, slice: &mut Slice<Unstored>, step: SweepStep<'_>, eight: Option<Eight>) {
        match step {
            SweepStep::UnmoveLoser(wins) => self.unmove_loser(slice, wins),
            SweepStep::FindLosses(ply) => self.find_losses(slice, ply, eight),
            SweepStep::UnmoveAttackers(losses) => self.unmove_attackers(slice, losses),
            SweepStep::UnmoveRoyal(from, losses) => self.unmove_royal_from(slice, from, losses),
            SweepStep::FindWins(ply) => self.find_wins(slice, ply, eight),
        }
    }
}

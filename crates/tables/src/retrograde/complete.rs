//! Computes wins from losses: completes a table with known losses only, as in a file that leaves
//! the wins out. This is the attacker's half of the builder, with given losses instead of computed
//! ones.

use super::count::count;
use super::prepare::Preparation;
use super::slice::{Frontier, Slice};
use super::sweep::Sweep;
use super::{Depth, Endgame};
use crate::solved_table::SolvedTable;
use rayon::prelude::*;

/// Words of one slice with the losses of each ply.
type Losses = Vec<Vec<(u32, u64)>>;

/// Returns the whole table from the words of its losses and their distances.
pub(crate) fn complete<D: Depth>(
    endgame: &Endgame,
    lost: Vec<Vec<u64>>,
    lost_in: Vec<Vec<D>>,
) -> SolvedTable {
    let parts: Vec<(Slice<D>, Losses)> = lost
        .into_par_iter()
        .zip(lost_in)
        .enumerate()
        .filter_map(|(number, (lost, lost_in))| {
            // Preparation cannot be stopped here: `prepare` fails only when its check does.
            let mut slice = Slice::new(endgame, number);
            Preparation { endgame }.prepare(number, &mut slice, 0, &|| Ok(())).ok()?;
            let losses = by_ply(&lost, &lost_in);
            for (open, lost) in slice.open.iter_mut().zip(&lost) {
                *open &= !lost;
            }
            slice.lost_in = lost_in;
            slice.cand.clear();
            slice.later.fill(D::default());
            slice.horizon = slice.horizon.max(losses.len() + 1);
            slice.lost_at = losses
                .iter()
                .map(|words| words.iter().map(|(_, l)| u64::from(l.count_ones())).sum())
                .collect();
            Some((slice, losses))
        })
        .collect();
    let (mut slices, losses): (Vec<Slice<D>>, Vec<Losses>) = parts.into_iter().unzip();
    let mut frontiers: Vec<Frontier> =
        slices.iter().map(|_| Frontier::new(endgame.layout.words)).collect();
    let sweep = Sweep { endgame };
    let horizon = slices.iter().map(|s| s.horizon).max().unwrap_or(0);
    for ply in 1..=horizon {
        for (frontier, losses) in frontiers.iter_mut().zip(&losses) {
            frontier.clear();
            for &(word, bits) in losses.get(ply - 1).into_iter().flatten() {
                frontier.add(word as usize, bits);
            }
        }
        slices.par_iter_mut().with_min_len(endgame.grain()).enumerate().for_each(
            |(number, slice)| {
                slice.frontier.clear();
                slice.won_at.push(0);
                sweep.unmove_attackers(slice, &frontiers[number]);
                sweep.unmove_royal(slice, &frontiers);
                sweep.find_wins(slice, ply, None);
            },
        );
    }
    count(endgame, slices).whole(endgame)
}

/// Sorts the losses of a slice by ply.
fn by_ply<D: Depth>(lost: &[u64], lost_in: &[D]) -> Losses {
    let mut losses: Losses = Vec::new();
    for (word, &bits) in lost.iter().enumerate() {
        super::each(bits, |b| {
            let ply = lost_in[word * 64 + b].raw().saturating_sub(1);
            super::schedule(&mut losses, ply, word, 1 << b);
        });
    }
    losses
}

//! Counts the slices of a finished fixpoint.

use super::assemble::{Extracted, add};
use super::row::row;
use super::slice::{Slice, SymmetryCount};
use super::{Depth, Endgame};
use crate::solved_table::{Count, OutcomeCounts};
use crate::vectors::Vectors;
use rayon::prelude::*;

/// Counts the results and extracts the finished table.
pub(super) fn count<D: Depth>(endgame: &Endgame, mut slices: Vec<Slice<D>>) -> Extracted<D> {
    slices
        .par_iter_mut()
        .with_min_len(endgame.grain())
        .enumerate()
        .for_each(|(number, slice)| close(endgame, number, slice));
    let mut outcomes = OutcomeCounts::default();
    let (mut stale, mut reciprocal) = (Vec::new(), Vec::new());
    let (mut won, mut lost) = (Vec::new(), Vec::new());
    let (mut won_in, mut lost_in, mut last_won) = (Vec::new(), Vec::new(), Vec::new());
    for (number, slice) in slices.into_iter().enumerate() {
        let orbit = endgame.layout.orbit(number);
        let stabiliser = endgame.layout.stabiliser(number).count() as u64;
        let count = |sum: SymmetryCount| Count {
            full_board: sum.placements * orbit,
            unique: sum.kept / stabiliser,
        };
        let counts = slice.counts;
        outcomes.attacker_legal += count(counts.attacker_legal);
        outcomes.loser_legal += count(counts.loser_legal);
        outcomes.stalemate += count(counts.stalemate);
        outcomes.won += count(counts.won);
        outcomes.lost += count(counts.lost);
        outcomes.loser_in_check += counts.loser_in_check * orbit;
        outcomes.attacker_in_check += counts.attacker_in_check * orbit;
        add(&mut outcomes.won_in, &slice.won_at, orbit);
        add(&mut outcomes.lost_in, &slice.lost_at, orbit);
        for (word, (&lost, &safe)) in slice.cand.words.iter().zip(&slice.safe).enumerate() {
            if lost & safe != 0 {
                reciprocal.push((number, word, lost & safe));
            }
        }
        stale.extend(slice.stale.iter().map(|(&word, &bits)| (number, word as usize, bits)));
        won.push(slice.frontier.words);
        lost.push(slice.cand.words);
        won_in.push(slice.won_in);
        last_won.push(slice.last_won);
        lost_in.push(slice.lost_in);
    }
    for counts in [&mut outcomes.won_in, &mut outcomes.lost_in] {
        counts.truncate(counts.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1));
    }
    Extracted { won, lost, won_in, lost_in, last_won, outcomes, stale, reciprocal }
}

/// Turns a slice's working sets into the finished words and counts them.
fn close<D: Depth>(endgame: &Endgame, number: usize, slice: &mut Slice<D>) {
    slice.frontier.clear();
    slice.cand.clear();
    let (none, eight) = (D::default(), Vectors::found().eight());
    for word in 0..endgame.layout.words {
        let won = match slice.won_in.is_empty() {
            true => slice.won[word],
            false => !D::equal(row(&slice.won_in, word), none, eight),
        };
        let mut lost = !D::equal(row(&slice.lost_in, word), none, eight);
        let mut not = lost & slice.open[word];
        lost &= !not;
        while not != 0 {
            slice.lost_in[word * 64 + not.trailing_zeros() as usize] = none;
            not &= not - 1;
        }
        slice.frontier.words[word] = won;
        slice.cand.words[word] = lost;
        if won | lost != 0 {
            let mirrors = endgame.layout.mirrors(number, word);
            slice.counts.won.add(won, &mirrors);
            slice.counts.lost.add(lost, &mirrors);
        }
    }
    slice.open = Vec::new();
}

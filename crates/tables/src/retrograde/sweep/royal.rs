//! Moves of the attacker's royal, which lead from slice to slice.

use super::Sweep;
use crate::fairy::Templates;
use crate::retrograde::row::row;
use crate::retrograde::slice::{CHUNK, Frontier, Slice};
use crate::retrograde::{Depth, NO_PIECE};
use umbrail_chess::geometry::Symmetry;

impl Sweep<'_> {
    /// Adds candidates for wins: moves of the attacker's royal out of this slice into new losses.
    #[inline(always)]
    pub(in crate::retrograde) fn unmove_royal<D: Depth>(
        self,
        slice: &mut Slice<D>,
        frontiers: &[Frontier],
    ) {
        self.unmove_royal_where(slice, |from| Some(&frontiers[from]));
    }

    /// Adds those that move into the losses of the slice with this number, or of a window of it.
    #[inline(always)]
    pub(super) fn unmove_royal_from<D: Depth>(
        self,
        slice: &mut Slice<D>,
        number: usize,
        lost: &Frontier,
    ) {
        self.unmove_royal_where(slice, |from| (from == number).then_some(lost));
    }

    /// Adds those that move into the losses of the slices that `lost` returns.
    #[inline(always)]
    fn unmove_royal_where<'f, D: Depth>(
        self,
        slice: &mut Slice<D>,
        lost: impl Fn(usize) -> Option<&'f Frontier>,
    ) {
        if let Some(templates) = self.endgame.attacker.templates() {
            return self.unmove_bent_royal(slice, lost, templates);
        }
        let ray_steps = self.endgame.attacker.moves.from(slice.home as usize).iter();
        // The royal's rays end only at the edge here; obstacles are tested word by word.
        for ray_step in ray_steps {
            let (from, symmetry) = self.endgame.layout.home(ray_step.to);
            let back = symmetry.inverse();
            let Some(lost) = lost(from) else { continue };
            let leaps = ray_step.clear.count_ones() == 1;
            for chunk in (0..lost.dirty.len()).filter(|&c| lost.dirty[c]) {
                let number = lost.first + chunk;
                if back == Symmetry::IDENTITY && leaps {
                    slice.frontier.dirty[number] = true;
                    let range = slice.frontier.range(number);
                    let ours = &mut slice.frontier.words[range];
                    for (to, from) in ours.iter_mut().zip(&lost.words[lost.range(chunk)]) {
                        *to |= from;
                    }
                    continue;
                }
                if self.endgame.in_rows && leaps {
                    let lost = row(&lost.words, chunk);
                    self.unmove_royal_row(&mut slice.frontier, number, lost, back, ray_step.clear);
                    continue;
                }
                for at in lost.range(chunk) {
                    let bits = lost.words[at];
                    if bits == 0 {
                        continue;
                    }
                    // A leap requires only an empty target, which was the royal's own square.
                    let before = self.endgame.layout.image(lost.first * CHUNK + at, back);
                    if leaps || self.royal_path_is_free(before, ray_step.clear) {
                        slice.frontier.add(before, back.word(bits) & !ray_step.clear);
                    }
                }
            }
        }
    }

    /// Adds the same for a royal that hops, is lame or turns.
    fn unmove_bent_royal<'f, D: Depth>(
        self,
        slice: &mut Slice<D>,
        lost: impl Fn(usize) -> Option<&'f Frontier>,
        templates: &Templates,
    ) {
        for template in templates.quiet.at(slice.home) {
            let (from, symmetry) = self.endgame.layout.home(template.to);
            let back = symmetry.inverse();
            let Some(lost) = lost(from) else { continue };
            for chunk in (0..lost.dirty.len()).filter(|&c| lost.dirty[c]) {
                for at in lost.range(chunk).filter(|&at| lost.words[at] != 0) {
                    let before = self.endgame.layout.image(lost.first * CHUNK + at, back);
                    let pieces = self.endgame.layout.decode(before);
                    let sides = self.endgame.sides(slice.home, &pieces, NO_PIECE);
                    let own = sides.attackers & !(1 << slice.home);
                    let mask = template.mask(own, sides.losers, false);
                    let bits = back.word(lost.words[at]) & mask;
                    if bits != 0 {
                        slice.frontier.add(before, bits);
                    }
                }
            }
        }
    }

    fn royal_path_is_free(self, word: usize, clear: u64) -> bool {
        let pieces = self.endgame.layout.decode(word);
        pieces[..self.endgame.layout.others].iter().all(|&piece| clear >> piece & 1 == 0)
    }
}

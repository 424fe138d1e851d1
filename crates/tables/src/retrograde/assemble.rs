//! Extraction of the finished table: joins the parts and drops data that is not retained.

use super::slice::CHUNK;
use super::{Endgame, Retention};
use crate::depths::{Depth, Depths};
use crate::layout::Layout;
use crate::packed_distances::{DistancePacker, RetainedWords};
use crate::solved_table::{OutcomeCounts, SolvedTable};
use rayon::prelude::*;

/// Reduces a whole table to the retained data.
pub(crate) fn reduce(keep: &Retention, mut table: SolvedTable) -> SolvedTable {
    let Retention::Some { counts, wins, losses } = keep else { return table };
    if *counts {
        let last = |counts: &[u64]| counts.iter().rposition(|&count| count > 0);
        let first = |depths: &Option<Depths>, ply| depths.as_ref()?.first(ply?);
        let (win, loss) = (last(&table.outcomes.won_in), last(&table.outcomes.lost_in));
        table.longest = [first(&table.won_in, win), first(&table.lost_in, loss)];
    }
    let place: Vec<u32> = (0..table.layout.words as u32).collect();
    let pack = |need: &Option<RetainedWords>, words: &[Vec<u64>], depths: Option<Depths>| {
        let mut packer = need.as_ref().map(|_| DistancePacker::new(&table.layout));
        let part = (&table.layout, 1);
        match depths {
            Some(Depths::Narrow(depths)) => {
                fill(&mut packer, need.as_ref(), part, words, &depths, &place);
            }
            Some(Depths::Wide(depths)) => {
                fill(&mut packer, need.as_ref(), part, words, &depths, &place);
            }
            None => return None,
        }
        packer.map(DistancePacker::close)
    };
    let (won_in, lost_in) = (table.won_in.take(), table.lost_in.take());
    let won = pack(wins, &table.won, won_in);
    let lost = pack(losses, &table.lost, lost_in);
    (table.won_packed, table.lost_packed) = (won, lost);
    if !counts {
        (table.won, table.lost) = (Vec::new(), Vec::new());
        (table.stale, table.reciprocal) = (Vec::new(), Vec::new());
    }
    table.is_whole = false;
    table
}

/// Results of a table or of a part of it.
#[derive(Debug)]
pub(super) struct Extracted<D> {
    pub(super) won: Vec<Vec<u64>>,
    pub(super) lost: Vec<Vec<u64>>,
    pub(super) won_in: Vec<Vec<D>>,
    pub(super) lost_in: Vec<Vec<D>>,
    /// Ply, word and square of a longest win of each slice that has no distances of wins.
    pub(super) last_won: Vec<Option<(usize, usize, u8)>>,
    pub(super) outcomes: OutcomeCounts,
    pub(super) stale: Vec<(usize, usize, u64)>,
    pub(super) reciprocal: Vec<(usize, usize, u64)>,
}

impl<D: Depth> Extracted<D> {
    /// Creates an empty result, with space for the words and distances of a whole layout where
    /// requested.
    fn new(layout: &Layout, words: bool, depths: bool) -> Self {
        let slices = layout.homes.len();
        let bits = || vec![vec![0; layout.words]; if words { slices } else { 0 }];
        let cells = || vec![vec![D::default(); layout.words * 64]; if depths { slices } else { 0 }];
        Self {
            won: bits(),
            lost: bits(),
            won_in: cells(),
            lost_in: cells(),
            last_won: Vec::new(),
            outcomes: OutcomeCounts::default(),
            stale: Vec::new(),
            reciprocal: Vec::new(),
        }
    }

    /// Returns the results as the table.
    pub(super) fn whole(self, endgame: &Endgame) -> SolvedTable {
        let mut solved = SolvedTable::without_wins(endgame.layout.clone(), endgame.attackers);
        if self.outcomes.won.full_board > 0 || self.outcomes.lost.full_board > 0 {
            (solved.won, solved.lost) = (self.won, self.lost);
            solved.won_in = Some(D::pack(self.won_in));
            solved.lost_in = Some(D::pack(self.lost_in));
        }
        solved.outcomes = self.outcomes;
        (solved.stale, solved.reciprocal) = (self.stale, self.reciprocal);
        solved
    }
}

/// Longest win or loss: plies, slice, cell.
type Longest = Option<(usize, usize, usize)>;

/// Finished parts of a table.
pub(super) struct Assembly<'a, D> {
    endgame: &'a Endgame,
    keep: &'a Retention,
    pub(super) extracted: Extracted<D>,
    won: Option<DistancePacker>,
    lost: Option<DistancePacker>,
    longest: [Longest; 2],
}

impl<'a, D: Depth> Assembly<'a, D> {
    /// Creates an empty assembly for an endgame's table with this number of parts.
    pub(super) fn new(endgame: &'a Endgame, keep: &'a Retention, parts: usize) -> Self {
        let layout = &endgame.layout;
        let (words, depths) = match keep {
            // A table in one part is taken over unchanged.
            _ if parts == 1 => (false, false),
            Retention::All => (true, true),
            Retention::Some { counts, .. } => (*counts, false),
        };
        let (mut won, mut lost) = (None, None);
        if let Retention::Some { wins, losses, .. } = keep {
            won = wins.as_ref().map(|_| DistancePacker::new(layout));
            lost = losses.as_ref().map(|_| DistancePacker::new(layout));
        }
        let extracted = Extracted::new(layout, words, depths);
        Self { endgame, keep, extracted, won, lost, longest: [None; 2] }
    }

    /// Adds a part with this layout.
    pub(super) fn add(&mut self, part: &Layout, extracted: Extracted<D>) {
        let layout = &self.endgame.layout;
        let single = self.is_single(part);
        // Index in the table of each word of the part.
        let place: Vec<u32> = if single {
            (0..part.words as u32).collect()
        } else {
            (0..part.words).map(|word| layout.encode(&part.decode(word)) as u32).collect()
        };
        match self.keep {
            Retention::All if single => {
                self.extracted = extracted;
                return;
            }
            Retention::All => {
                spread(&mut self.extracted.won_in, &extracted.won_in, &place, 64);
                spread(&mut self.extracted.lost_in, &extracted.lost_in, &place, 64);
            }
            Retention::Some { counts, wins, losses } => {
                if *counts {
                    let outcomes = &extracted.outcomes;
                    let [win, loss] = &mut self.longest;
                    note_longest(win, &outcomes.won_in, &extracted.won_in, &place);
                    note_last(win, &outcomes.won_in, &extracted.last_won, &place);
                    note_longest(loss, &outcomes.lost_in, &extracted.lost_in, &place);
                }
                let part = (part, self.endgame.grain());
                fill(&mut self.won, wins.as_ref(), part, &extracted.won, &extracted.won_in, &place);
                fill(
                    &mut self.lost,
                    losses.as_ref(),
                    part,
                    &extracted.lost,
                    &extracted.lost_in,
                    &place,
                );
            }
        }
        let mut outcomes = extracted.outcomes;
        merge(&mut outcomes, &self.extracted.outcomes);
        self.extracted.outcomes = outcomes;
        if matches!(self.keep, Retention::Some { counts: false, .. }) {
            return;
        }
        if single {
            (self.extracted.won, self.extracted.lost) = (extracted.won, extracted.lost);
        } else {
            spread(&mut self.extracted.won, &extracted.won, &place, 1);
            spread(&mut self.extracted.lost, &extracted.lost, &place, 1);
        }
        let placed = |(slice, word, bits): (usize, usize, u64)| (slice, place[word] as usize, bits);
        self.extracted.stale.extend(extracted.stale.into_iter().map(placed));
        self.extracted.reciprocal.extend(extracted.reciprocal.into_iter().map(placed));
    }

    fn is_single(&self, part: &Layout) -> bool {
        part.words == self.endgame.layout.words
    }

    /// Returns the table, reduced to the retained data.
    pub(super) fn finish(mut self) -> SolvedTable {
        self.extracted.stale.sort_unstable();
        self.extracted.reciprocal.sort_unstable();
        if matches!(self.keep, Retention::All) {
            return self.extracted.whole(self.endgame);
        }
        let extracted = self.extracted;
        let mut solved =
            SolvedTable::without_wins(self.endgame.layout.clone(), self.endgame.attackers);
        solved.is_whole = false;
        solved.outcomes = extracted.outcomes;
        solved.longest = self.longest.map(|found| found.map(|(_, slice, cell)| (slice, cell)));
        if solved.outcomes.won.full_board > 0 || solved.outcomes.lost.full_board > 0 {
            (solved.won, solved.lost) = (extracted.won, extracted.lost);
            solved.won_packed = self.won.map(DistancePacker::close);
            solved.lost_packed = self.lost.map(DistancePacker::close);
        }
        (solved.stale, solved.reciprocal) = (extracted.stale, extracted.reciprocal);
        solved
    }
}

/// Copies `width` items for each word of a part to their index in the table.
fn spread<T: Copy + Send + Sync>(to: &mut [Vec<T>], from: &[Vec<T>], place: &[u32], width: usize) {
    to.par_iter_mut().zip(from).for_each(|(to, from)| {
        for (items, &word) in from.chunks_exact(width).zip(place) {
            let at = word as usize * width;
            to[at..at + width].copy_from_slice(items);
        }
    });
}

/// Packs the retained words of a part.
fn fill<D: Depth>(
    packed: &mut Option<DistancePacker>,
    need: Option<&RetainedWords>,
    (part, grain): (&Layout, usize),
    words: &[Vec<u64>],
    depths: &[Vec<D>],
    place: &[u32],
) {
    let (Some(packed), Some(need)) = (packed, need) else { return };
    let wanted: Vec<bool> = (0..part.words).map(|word| need.contains(&part.decode(word))).collect();
    let slices = packed.packers().par_iter_mut().with_min_len(grain).zip(words).zip(depths);
    slices.for_each(|((packer, words), depths)| {
        packer.expect(words.iter().zip(&wanted).filter(|(_, wanted)| **wanted).map(|(&w, _)| w));
        for (word, &bits) in words.iter().enumerate().filter(|(word, _)| wanted[*word]) {
            packer.put(place[word] as usize, bits, &depths[word * 64..word * 64 + 64]);
        }
    });
}

/// Notes the longest win or loss of slices without distances.
fn note_last(
    best: &mut Longest,
    counts: &[u64],
    last: &[Option<(usize, usize, u8)>],
    place: &[u32],
) {
    let longest = counts.iter().rposition(|&count| count > 0);
    for (slice, found) in last.iter().enumerate() {
        let Some((ply, word, square)) = found.filter(|(ply, ..)| Some(*ply) == longest) else {
            continue;
        };
        let here = (slice, place[word] as usize * 64 + usize::from(square));
        if best
            .is_none_or(|(known, slice, cell)| known < ply || known == ply && here < (slice, cell))
        {
            *best = Some((ply, here.0, here.1));
        }
    }
}

/// Notes the first cell with the longest distance.
fn note_longest<D: Depth>(best: &mut Longest, counts: &[u64], depths: &[Vec<D>], place: &[u32]) {
    let Some(ply) = counts.iter().rposition(|&count| count > 0) else { return };
    if best.is_some_and(|(known, _, _)| known > ply) {
        return;
    }
    let value = D::of_ply(ply);
    for (slice, cells) in depths.iter().enumerate() {
        // Long stretches without the value are skipped quickly.
        let stretches = cells.chunks(64 * CHUNK).enumerate().filter(|(_, s)| s.contains(&value));
        let words = stretches.flat_map(|(stretch, cells)| {
            cells.as_chunks().0.iter().enumerate().map(move |(word, c)| (stretch * CHUNK + word, c))
        });
        for (word, cells) in words {
            let found = D::equal(cells, value, None);
            if found == 0 {
                continue;
            }
            let here = (slice, place[word] as usize * 64 + found.trailing_zeros() as usize);
            if best.is_none_or(|(known, slice, cell)| known < ply || here < (slice, cell)) {
                *best = Some((ply, here.0, here.1));
            }
        }
    }
}

/// Adds the counts of one part to those of another.
fn merge(outcomes: &mut OutcomeCounts, other: &OutcomeCounts) {
    outcomes.attacker_legal += other.attacker_legal;
    outcomes.loser_legal += other.loser_legal;
    outcomes.stalemate += other.stalemate;
    outcomes.won += other.won;
    outcomes.lost += other.lost;
    outcomes.loser_in_check += other.loser_in_check;
    outcomes.attacker_in_check += other.attacker_in_check;
    add(&mut outcomes.won_in, &other.won_in, 1);
    add(&mut outcomes.lost_in, &other.lost_in, 1);
}

/// Adds counts by ply to others, each multiplied by `weight`.
pub(super) fn add(total: &mut Vec<u64>, part: &[u64], weight: u64) {
    if total.len() < part.len() {
        total.resize(part.len(), 0);
    }
    for (sum, count) in total.iter_mut().zip(part) {
        *sum += count * weight;
    }
}

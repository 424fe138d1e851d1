//! One-sided endgames: all data of a fixpoint that does not change during its computation.

use super::Retention;
use crate::catalog::Catalog;
use crate::layout::{Layout, OTHERS_MAX, Others};
use crate::material_key::MaterialKey;
use crate::move_tables::MoveTables;
use crate::rules::{Metric, Rules, Stalemate};
use crate::solved_table::SolvedTable;
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of steps of a pawn before it promotes.
const PAWN_STEPS_MAX: usize = 5;

/// Table size, in words, below which one worker solves a table alone. Tables of
/// four pieces take milliseconds and are smaller.
const PARALLEL_WORDS: usize = 1 << 16;

/// Table after a conversion, with the origin of its pieces.
#[derive(Clone, Debug)]
pub(crate) struct SubTable {
    pub(crate) solved: Arc<SolvedTable>,
    /// For each piece of the sub-table, its number in this table.
    pub(crate) source: Vec<usize>,
}

impl SubTable {
    #[inline]
    pub(crate) fn pieces(&self, pieces: &Others) -> Others {
        let mut theirs = [0; OTHERS_MAX];
        for (to, &from) in theirs.iter_mut().zip(&self.source) {
            *to = pieces[from];
        }
        theirs
    }
}

/// Sub-tables by kind of conversion.
#[derive(Clone, Debug, Default)]
pub(crate) struct SubTables {
    /// By the captured piece.
    pub(crate) captured: Vec<Option<SubTable>>,
    /// By the set of two pieces captured in one move.
    pub(crate) captured_two: HashMap<u32, SubTable>,
    /// By the pawn that promoted, one table for each promotion piece.
    pub(crate) promoted: Vec<Vec<SubTable>>,
    /// By the pawn that promoted and the piece it captured doing so.
    pub(crate) promoted_capturing: Vec<Vec<Vec<SubTable>>>,
}

impl SubTables {
    /// Returns the table after the capture of one or two pieces, given as a set.
    pub(crate) fn without(&self, victims: u32) -> Option<&SubTable> {
        match victims.count_ones() {
            1 => self.captured[victims.trailing_zeros() as usize].as_ref(),
            _ => self.captured_two.get(&victims),
        }
    }
}

/// All data of a fixpoint that does not change during its computation.
#[derive(Clone)]
pub(crate) struct Endgame {
    pub(crate) layout: Layout,
    pub(crate) attacker: Arc<MoveTables>,
    pub(crate) loser: Arc<MoveTables>,
    /// Pieces besides the royals: the attacker's, then the loser's.
    pub(crate) pieces: Vec<Arc<MoveTables>>,
    /// Number of the attacker's pieces besides the royal.
    pub(crate) attackers: usize,
    pub(crate) subs: SubTables,
    pub(crate) rules: Rules,
    pub(crate) seeds: Vec<Seed>,
    /// Words are processed by rows where that is cheaper; see [`Layout::inner`].
    pub(crate) in_rows: bool,
    /// Some piece hops, is lame or turns.
    pub(crate) is_bent: bool,
    /// Distances of wins are needed later, so all are stored.
    pub(crate) keeps_wins: bool,
}

/// Placement whose value with the loser to move was set by the user.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    pub(crate) slice: usize,
    pub(crate) word: usize,
    pub(crate) loser_royal: u8,
    pub(crate) value: SeedValue,
}

/// Value set by a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeedValue {
    /// Nothing is known: even a checkmate becomes an ordinary position.
    Undecided,
    /// Lost in this number of plies.
    Lost(usize),
    /// Never lost, called won for the loser (EGTgen's 126) or stalemate (127) in reports.
    Safe {
        /// Reported as a stalemate.
        stalemate: bool,
    },
}

impl Endgame {
    /// Creates the endgame of a key. `solved` returns the tables of other keys as far as they are
    /// solved. Without them, squares and legality of positions are known, but nothing can be
    /// computed.
    pub(crate) fn new(
        catalog: &Catalog,
        key: &MaterialKey,
        layout: Layout,
        seeds: &[Seed],
        solved: &dyn Fn(&MaterialKey) -> Option<Arc<SolvedTable>>,
    ) -> Self {
        let attackers = key.attacker.len() - 1;
        let pieces = attackers + key.loser.len() - 1;
        let without = |victims: &[usize], promotion| {
            let (after, source) = catalog.changed(key, victims, promotion);
            solved(&after).map(|solved| SubTable { solved, source })
        };
        let sub = |victim: Option<usize>, promotion| without(victim.as_slice(), promotion);
        let mut subs = SubTables::default();
        for index in 0..pieces {
            subs.captured.push(sub(Some(index), None));
            let pawn = catalog.piece(key.piece(index)).pawn;
            let become_ = |victim: Option<usize>| -> Vec<SubTable> {
                let pieces = catalog.promotion_kinds().iter().filter(|_| pawn);
                pieces.filter_map(|&piece| sub(victim, Some((index, piece)))).collect()
            };
            subs.promoted.push(become_(None));
            let capturing = |victim: usize| {
                if key.is_attacker(victim) == key.is_attacker(index) {
                    Vec::new()
                } else {
                    become_(Some(victim))
                }
            };
            subs.promoted_capturing.push((0..pieces).map(capturing).collect());
        }
        for pair in catalog.pairs_taken(key) {
            if let Some(after) = without(&pair, None) {
                subs.captured_two.insert(1 << pair[0] | 1 << pair[1], after);
            }
        }
        let [attacker, loser] = catalog.royal_tables(key);
        let royals_are_bent = attacker.templates().is_some() || loser.templates().is_some();
        let is_bent = royals_are_bent
            || (0..pieces).any(|m| catalog.move_tables_of(key, m).templates().is_some());
        let in_rows = layout.inner.is_some()
            && catalog.rules.stalemate != Stalemate::Pass
            && !royals_are_bent;
        Self {
            layout,
            attacker: attacker.clone(),
            loser: loser.clone(),
            pieces: (0..pieces)
                .map(|m| {
                    let mover = catalog.move_tables_of(key, m);
                    let zeroing = catalog.rules.metric == Metric::Dtz && mover.pawn;
                    if zeroing { Arc::new(mover.zeroing()) } else { mover.clone() }
                })
                .collect(),
            attackers,
            subs,
            rules: catalog.rules.clone(),
            seeds: seeds.to_vec(),
            in_rows,
            is_bent,
            keeps_wins: true,
        }
    }

    /// Returns the occupied squares, or none when two pieces share a square.
    #[inline]
    pub(crate) fn occupied(&self, home: u8, pieces: &Others) -> Option<u64> {
        let others = self.layout.others;
        let mut set = 1u64 << home;
        for &index in &pieces[..others] {
            set |= 1 << index;
        }
        (set.count_ones() as usize == others + 1).then_some(set)
    }

    /// Returns the squares attacked by the attacker's pieces; those in the set `missing` are
    /// captured.
    #[inline]
    pub(crate) fn attacked(&self, home: u8, pieces: &Others, missing: u32, occupied: u64) -> u64 {
        let mut set = self.attacker.attacked(home, occupied);
        for (number, (index, &square)) in self.pieces.iter().zip(pieces).enumerate() {
            if number == self.attackers {
                break;
            }
            if missing >> number & 1 == 0 {
                set |= index.attacked(square, occupied);
            }
        }
        if self.is_bent {
            set |= self.attacked_bent(home, pieces, missing, occupied);
        }
        set
    }

    /// Returns the squares of the loser's royal that leave the attacker's royal unattacked.
    #[inline]
    pub(crate) fn legal_for_loser(&self, home: u8, pieces: &Others, occupied: u64) -> u64 {
        let mut legal = !occupied & !self.loser.before_capture(1 << home, !occupied);
        for (index, &square) in self.pieces.iter().zip(pieces).skip(self.attackers) {
            for &between in index.paths(square, home) {
                if between & occupied == 0 {
                    legal &= between;
                }
            }
        }
        if self.is_bent {
            legal &= !self.checked_by_bent(home, pieces);
        }
        legal
    }

    /// Returns the minimum number of slices per worker: all slices of a small table, whose plies
    /// end before another worker has started.
    pub(super) fn grain(&self) -> usize {
        if self.layout.total_words() < PARALLEL_WORDS { usize::MAX } else { 1 }
    }

    /// Returns the endgame of a part of the table.
    pub(super) fn part(&self, layout: Layout, keep: &Retention) -> Self {
        let located = |seed: &Seed| {
            let word = layout.find(&self.layout.decode(seed.word))?;
            Some(Seed { word, ..seed.clone() })
        };
        let seeds = self.seeds.iter().filter_map(located).collect();
        let in_rows = self.in_rows && layout.inner.is_some();
        // Zeroing pushes look up the wins of finished stages.
        let keeps_wins = keep.wins() || self.stages() > 1;
        Self { seeds, layout, in_rows, keeps_wins, ..self.clone() }
    }

    /// Returns the number of stages; 1 where pushes are ordinary moves.
    pub(super) fn stages(&self) -> usize {
        if self.rules.metric == Metric::Dtz {
            1 + PAWN_STEPS_MAX * self.pieces.iter().filter(|m| m.pawn).count()
        } else {
            1
        }
    }

    /// Returns true when this word belongs to the stage.
    #[inline]
    pub(super) fn is_in_stage(&self, word: usize, stage: usize) -> bool {
        if self.rules.metric != Metric::Dtz {
            return true;
        }
        let pieces = self.layout.decode(word);
        let pawns = self.pieces.iter().zip(&pieces).enumerate().filter(|(_, (m, _))| m.pawn);
        let steps = pawns.map(|(index, (_, &square))| {
            let rank = usize::from(square / 8);
            if index < self.attackers { 6 - rank } else { rank - 1 }
        });
        steps.sum::<usize>() == stage
    }
}

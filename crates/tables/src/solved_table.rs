//! Solved one-sided tables: positions that the attacker wins, and their distances.

use super::depths::Depths;
use super::layout::{Layout, Others, Spot};
use super::packed_distances::PackedDistances;

/// Counts of positions with some property, on the whole board and up to symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Count {
    /// Placements on 64 squares, identical pieces merged.
    pub full_board: u64,
    /// Placements up to the symmetries of the board.
    pub unique: u64,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.full_board += other.full_board;
        self.unique += other.unique;
    }
}

/// Counts collected while a table was solved, from the attacker's side.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutcomeCounts {
    /// Legal positions with the attacker to move, and with the loser to move.
    pub(crate) attacker_legal: Count,
    pub(crate) loser_legal: Count,
    /// Stalemates of the loser.
    pub(crate) stalemate: Count,
    /// Wins of the attacker and losses of the loser.
    pub(crate) won: Count,
    pub(crate) lost: Count,
    /// Full-board wins and losses by plies.
    pub(crate) won_in: Vec<u64>,
    pub(crate) lost_in: Vec<u64>,
    /// EGTgen's figures: placements (on 64 squares, identical pieces merged) where the loser's
    /// royal hangs with the attacker to move, and where the attacker's hangs with the loser to
    /// move.
    pub(crate) loser_in_check: u64,
    pub(crate) attacker_in_check: u64,
}

/// Wins and losses by the square colors of all pieces, of a table without words.
#[derive(Clone, Debug)]
pub(crate) struct Shades {
    /// Full-board wins and losses; bit 0 of the index is set with the attacker's royal on a light
    /// square, bit 1 with the loser's, the others likewise with the layout's pieces.
    counts: Vec<[u64; 2]>,
}

impl Shades {
    /// Creates counts of zero for this number of pieces besides the royals.
    pub(crate) fn new(others: usize) -> Self {
        Self { counts: vec![[0; 2]; 1 << (others + 2)] }
    }

    /// Adds the wins and losses of a word, with a flag for each piece that is on a light square.
    pub(crate) fn add(
        &mut self,
        (home, others): (bool, impl Iterator<Item = bool>),
        sets: [u64; 2],
        orbit: u64,
    ) {
        const LIGHT: u64 = 0x55AA_55AA_55AA_55AA;
        let index =
            |index, (piece, light): (usize, bool)| index | usize::from(light) << (piece + 2);
        let index = others.enumerate().fold(usize::from(home), index);
        for (color, half) in [(0, !LIGHT), (2, LIGHT)] {
            for (sum, set) in self.counts[index | color].iter_mut().zip(sets) {
                *sum += u64::from((set & half).count_ones()) * orbit;
            }
        }
    }

    /// Adds other counts.
    pub(crate) fn join(&mut self, other: &Self) {
        for (sums, counts) in self.counts.iter_mut().zip(&other.counts) {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }

    /// Iterates over the counts by index.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, [u64; 2])> {
        self.counts.iter().copied().enumerate()
    }
}

/// Finished one-sided table.
#[derive(Clone, Debug)]
pub(crate) struct SolvedTable {
    pub(crate) layout: Layout,
    /// Number of the attacker's pieces besides the royals.
    pub(crate) attackers: usize,
    /// Words of positions won by the attacker, to move; empty when there are no wins.
    pub(crate) won: Vec<Vec<u64>>,
    /// Words of positions lost by the loser, to move.
    pub(crate) lost: Vec<Vec<u64>>,
    pub(crate) won_in: Option<Depths>,
    pub(crate) lost_in: Option<Depths>,
    pub(crate) outcomes: OutcomeCounts,
    /// Stalemates of the loser: slice, word, squares of its royal.
    pub(crate) stale: Vec<(usize, usize, u64)>,
    /// Placements where the loser, to move, loses but the attacker, to move, would not win.
    pub(crate) reciprocal: Vec<(usize, usize, u64)>,
    /// True when the table is complete. Other tables hold only counts, or the data that larger
    /// tables look up.
    pub(crate) is_whole: bool,
    /// Slice and cell of a longest win and of a longest loss, in a table that has counts only.
    pub(crate) longest: [Option<(usize, usize)>; 2],
    /// Wins and losses that larger tables look up, when the table itself is not retained.
    pub(crate) won_packed: Option<PackedDistances>,
    pub(crate) lost_packed: Option<PackedDistances>,
    /// Wins and losses by square colors, of a table that was never whole in memory.
    pub(crate) shades: Option<Shades>,
    /// Size of the table's file in bytes, if it was written while the table was built.
    pub(crate) file_bytes: Option<u64>,
}

impl SolvedTable {
    /// Creates a table without any win; only its layout is known.
    pub(crate) fn without_wins(layout: Layout, attackers: usize) -> Self {
        Self {
            layout,
            attackers,
            won: Vec::new(),
            lost: Vec::new(),
            won_in: None,
            lost_in: None,
            outcomes: OutcomeCounts::default(),
            stale: Vec::new(),
            reciprocal: Vec::new(),
            is_whole: true,
            longest: [None; 2],
            won_packed: None,
            lost_packed: None,
            shades: None,
            file_bytes: None,
        }
    }

    /// Returns the size of words and distances in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let words: usize = self.won.iter().chain(&self.lost).map(Vec::len).sum();
        let depths = self.won_in.iter().chain(&self.lost_in).map(Depths::bytes);
        let packed = self.won_packed.iter().chain(&self.lost_packed).map(PackedDistances::bytes);
        (words * size_of::<u64>()) as u64 + depths.chain(packed).sum::<u64>()
    }

    /// Frees the memory of wins or losses that no larger table reads.
    pub(crate) fn strip(&mut self, wins: bool, losses: bool) {
        if wins {
            (self.won, self.won_in, self.won_packed) = (Vec::new(), None, None);
        }
        if losses {
            (self.lost, self.lost_in, self.lost_packed) = (Vec::new(), None, None);
        }
        if self.won_packed.is_some() || self.lost_packed.is_some() {
            // The words are needed for statistics only.
            (self.won, self.lost) = (Vec::new(), Vec::new());
        }
        self.stale = Vec::new();
        self.reciprocal = Vec::new();
        self.is_whole = false;
    }

    /// Frees the packed wins or losses that no larger table reads any more.
    pub(crate) fn strip_packed(&mut self, wins: bool, losses: bool) {
        if wins {
            self.won_packed = None;
        }
        if losses {
            self.lost_packed = None;
        }
    }

    /// Returns the squares of the loser's royal from which the loser, to move, is lost, in the
    /// orientation of the caller's board; and the spot for [`SolvedTable::lost_ply`].
    #[inline]
    pub(crate) fn lost_word(&self, royal: u8, pieces: &Others) -> (u64, Spot) {
        self.word(&self.lost, self.lost_packed.as_ref(), royal, pieces)
    }

    /// Returns the squares of the loser's royal for which the attacker, to move, wins, and the spot
    /// for [`SolvedTable::won_ply`].
    #[inline]
    pub(crate) fn won_word(&self, royal: u8, pieces: &Others) -> (u64, Spot) {
        self.word(&self.won, self.won_packed.as_ref(), royal, pieces)
    }

    #[inline]
    fn word(
        &self,
        words: &[Vec<u64>],
        packed: Option<&PackedDistances>,
        royal: u8,
        pieces: &Others,
    ) -> (u64, Spot) {
        let spot = self.layout.spot(royal, pieces);
        // Packed distances may lack words, so they come second.
        let word = match (words.get(spot.slice), packed) {
            (Some(words), _) => words[spot.word],
            (None, Some(packed)) => packed.word(spot.slice, spot.word),
            (None, None) => 0,
        };
        (if word == 0 { 0 } else { spot.symmetry.inverse().word(word) }, spot)
    }

    /// Returns the plies to the end for a cell of a lost word.
    #[inline(always)]
    pub(crate) fn lost_ply(&self, spot: Spot, loser_royal: u8) -> Option<usize> {
        let cell = cell(spot, loser_royal);
        match &self.lost_in {
            Some(depths) => depths.get(spot.slice, cell),
            None => self.lost_packed.as_ref()?.ply(spot.slice, cell),
        }
    }

    /// Returns the plies to the end for a cell of a won word.
    #[inline(always)]
    pub(crate) fn won_ply(&self, spot: Spot, loser_royal: u8) -> Option<usize> {
        let cell = cell(spot, loser_royal);
        match &self.won_in {
            Some(depths) => depths.get(spot.slice, cell),
            None => self.won_packed.as_ref()?.ply(spot.slice, cell),
        }
    }
}

#[inline]
fn cell(spot: Spot, loser_royal: u8) -> usize {
    let square = umbrail_chess::geometry::Square::new(loser_royal);
    spot.word * 64 + spot.symmetry.square(square).index()
}

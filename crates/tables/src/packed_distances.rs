//! Wins or losses of a finished table, reduced to the data that larger tables look up: unneeded
//! words and cells without a distance are dropped.

use super::depths::Depth;
use super::layout::{Layout, OTHERS_MAX, Others};

/// Words of a table that larger tables look up: those with a piece on one of some squares, such as
/// the piece that a pawn promoted to.
#[derive(Clone, Debug, Default)]
pub(crate) struct RetainedWords {
    everything: bool,
    some: Vec<(usize, u64)>,
}

impl RetainedWords {
    /// Marks all words as needed.
    pub(crate) fn retain_all(&mut self) {
        self.everything = true;
    }

    /// Also marks the words with this piece on one of these squares as needed.
    pub(crate) fn retain_piece_on(&mut self, piece: usize, squares: u64) {
        match self.some.iter_mut().find(|(known, _)| *known == piece) {
            Some((_, all)) => *all |= squares,
            None => self.some.push((piece, squares)),
        }
    }

    /// Returns true for a needed word, given its pieces.
    #[inline]
    pub(crate) fn contains(&self, pieces: &Others) -> bool {
        self.everything
            || self
                .some
                .iter()
                .any(|&(piece, squares)| squares >> pieces[piece % OTHERS_MAX] & 1 != 0)
    }

    /// Returns an upper bound on the needed fraction of a table's words.
    pub(crate) fn share(&self) -> f64 {
        if self.everything {
            return 1.0;
        }
        let shares = self.some.iter().map(|(_, squares)| f64::from(squares.count_ones()) / 64.0);
        shares.sum::<f64>().min(1.0)
    }
}

/// Needed words of one side to move, with their distances.
#[derive(Clone, Debug)]
pub(crate) struct PackedDistances {
    slices: Vec<Slice>,
}

/// Needed words of one slice.
#[derive(Clone, Debug)]
struct Slice {
    /// For each 64 words of the layout, the set of those with an entry, and the number of earlier
    /// entries.
    places: Vec<(u64, u32)>,
    /// For each entry, the squares that are won or lost, and the offset of their distances.
    bits: Vec<u64>,
    start: Vec<u32>,
    /// Distances (plies + 1) of `width` bits each, without the last bit if it is always the same.
    values: Vec<u64>,
    width: usize,
    halved: Option<usize>,
}

impl PackedDistances {
    /// Returns the size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = |s: &Slice| {
            16 * s.places.len() + 8 * s.bits.len() + 4 * s.start.len() + 8 * s.values.len()
        };
        self.slices.iter().map(bytes).sum::<usize>() as u64
    }

    /// Returns the entry of a word.
    #[inline(always)]
    fn entry(slice: &Slice, word: usize) -> Option<usize> {
        let (filled, before) = slice.places[word / 64];
        let bit = 1u64 << (word % 64);
        (filled & bit != 0).then(|| before as usize + (filled & (bit - 1)).count_ones() as usize)
    }

    /// Returns the squares of a word that are won or lost.
    #[inline(always)]
    pub(crate) fn word(&self, slice: usize, word: usize) -> u64 {
        let slice = &self.slices[slice];
        Self::entry(slice, word).map_or(0, |entry| slice.bits[entry])
    }

    /// Returns the plies to the end of a cell.
    #[inline(always)]
    pub(crate) fn ply(&self, slice: usize, cell: usize) -> Option<usize> {
        let slice = &self.slices[slice];
        let entry = Self::entry(slice, cell / 64)?;
        let (bits, bit) = (slice.bits[entry], 1u64 << (cell % 64));
        if bits & bit == 0 {
            return None;
        }
        let at = slice.start[entry] as usize + (bits & (bit - 1)).count_ones() as usize;
        let value = value(&slice.values, slice.width, at);
        slice.halved.map_or(value, |odd| value << 1 | odd).checked_sub(1)
    }
}

/// Returns the number of `width` bits at this index; `values` has a spare word at its end.
#[inline(always)]
fn value(values: &[u64], width: usize, at: usize) -> usize {
    let (word, shift) = (at * width / 64, at * width % 64);
    let both = u128::from(values[word]) | u128::from(values[word + 1]) << 64;
    (both >> shift) as usize & ((1 << width) - 1)
}

/// Distances while words are still added.
#[derive(Clone, Debug)]
pub(crate) struct DistancePacker {
    slices: Vec<SlicePacker>,
}

/// Collects the words of one slice.
#[derive(Clone, Debug)]
pub(crate) struct SlicePacker {
    /// Entry of each word of the layout; entry 0 is the empty word.
    directory: Vec<u32>,
    bits: Vec<u64>,
    start: Vec<u32>,
    /// Distances (plies + 1), and their upper bytes if some do not fit one byte.
    low: Vec<u8>,
    high: Vec<u8>,
}

impl DistancePacker {
    /// Creates a packer without words.
    pub(crate) fn new(layout: &Layout) -> Self {
        let slice = SlicePacker {
            directory: vec![0; layout.words],
            bits: vec![0],
            start: vec![0],
            low: Vec::new(),
            high: Vec::new(),
        };
        Self { slices: vec![slice; layout.homes.len()] }
    }

    /// Returns a packer for each slice.
    pub(crate) fn packers(&mut self) -> &mut [SlicePacker] {
        &mut self.slices
    }

    /// Finishes after all words were added.
    pub(crate) fn close(self) -> PackedDistances {
        PackedDistances { slices: self.slices.into_iter().map(SlicePacker::close).collect() }
    }
}

impl SlicePacker {
    /// Allocates exactly the space for the words to be added.
    pub(crate) fn expect(&mut self, words: impl Iterator<Item = u64>) {
        let filled = words.filter(|&word| word != 0);
        let (entries, cells) = filled.fold((0, 0), |(entries, cells), word| {
            (entries + 1, cells + word.count_ones() as usize)
        });
        self.bits.reserve_exact(entries);
        self.start.reserve_exact(entries);
        self.low.reserve_exact(cells);
    }

    /// Adds a word; `cells` are its 64 distances.
    #[inline]
    pub(crate) fn put<D: Depth>(&mut self, word: usize, bits: u64, cells: &[D]) {
        if bits == 0 {
            return;
        }
        self.directory[word] = self.bits.len() as u32;
        self.bits.push(bits);
        self.start.push(self.low.len() as u32);
        let mut left = bits;
        while left != 0 {
            let raw = cells[left.trailing_zeros() as usize].raw();
            left &= left - 1;
            self.low.push(raw as u8);
            if D::PLY_MAX > usize::from(u8::MAX) {
                self.high.push((raw >> 8) as u8);
            }
        }
    }

    fn raw(&self, at: usize) -> usize {
        usize::from(self.low[at]) | self.high.get(at).map_or(0, |&high| usize::from(high)) << 8
    }

    /// Sorts entries by word and packs distances into as few bits as needed.
    fn close(self) -> Slice {
        let count = self.low.len();
        let (all, odd) = (0..count)
            .map(|at| self.raw(at))
            .fold((0, 0), |(all, odd), raw| (all | raw, odd + (raw & 1)));
        let halved = (odd == 0 || odd == count).then_some(usize::from(odd > 0));
        let shift = usize::from(halved.is_some());
        let width = (usize::BITS - (all >> shift).leading_zeros()).max(1) as usize;
        let mut values = vec![0; count * width / 64 + 2];
        for at in 0..count {
            let value = u128::from((self.raw(at) >> shift) as u64) << (at * width % 64);
            values[at * width / 64] |= value as u64;
            values[at * width / 64 + 1] |= (value >> 64) as u64;
        }
        let mut places = Vec::with_capacity(self.directory.len().div_ceil(64));
        let entries = self.bits.len() - 1;
        let (mut bits, mut start) = (Vec::with_capacity(entries), Vec::with_capacity(entries));
        for directory in self.directory.chunks(64) {
            let before = bits.len() as u32;
            let mut filled = 0;
            for (bit, &entry) in directory.iter().enumerate().filter(|(_, entry)| **entry > 0) {
                filled |= 1 << bit;
                bits.push(self.bits[entry as usize]);
                start.push(self.start[entry as usize]);
            }
            places.push((filled, before));
        }
        Slice { places, bits, start, values, width, halved }
    }
}

#[cfg(test)]
mod tests {
    use super::{DistancePacker, RetainedWords};
    use crate::layout::Layout;
    use umbrail_chess::geometry::SymmetryGroup;

    #[test]
    fn what_was_put_in_comes_out_and_nothing_else() {
        let layout = Layout::new(SymmetryGroup::TRIVIAL, &[(1, false)]);
        let mut packer = DistancePacker::new(&layout);
        let narrow: Vec<u8> = (1..65).collect();
        let wide: Vec<u16> = (1..65).map(|n| n * 700).collect();
        let whole: [u8; 64] = std::array::from_fn(|n| 2 * n as u8 + 1);
        packer.packers()[3].put(6, 0b110, &narrow);
        packer.packers()[3].put(5, 0x8000_0000_0000_0101, &narrow);
        packer.packers()[4].put(5, 0x10, &wide);
        for word in [60, 3, 40] {
            packer.packers()[7].put(word, !0, &whole);
        }
        let packed = packer.close();
        for cell in 0..64 * 64 {
            let held = [60, 3, 40].contains(&(cell / 64));
            assert_eq!(packed.ply(7, cell), held.then_some(2 * (cell % 64)));
        }
        assert_eq!(packed.word(3, 5), 0x8000_0000_0000_0101);
        assert_eq!((packed.word(3, 6), packed.word(3, 7), packed.word(2, 5)), (6, 0, 0));
        let plies = [0, 8, 63, 9].map(|bit| packed.ply(3, 5 * 64 + bit));
        assert_eq!(plies, [Some(0), Some(8), Some(63), None]);
        assert_eq!(packed.ply(4, 5 * 64 + 4), Some(3499));
    }

    #[test]
    fn a_need_is_the_sum_of_what_is_asked() {
        let mut need = RetainedWords::default();
        assert!(!need.contains(&[0, 1, 2, 3]));
        need.retain_piece_on(1, 0xFF);
        need.retain_piece_on(1, 1 << 60);
        assert!(need.contains(&[50, 7, 0, 0]) && need.contains(&[50, 60, 0, 0]));
        assert!(!need.contains(&[0, 50, 0, 0]));
        assert!(need.share() < 0.15);
        need.retain_all();
        assert!(need.contains(&[0, 50, 0, 0]));
    }
}

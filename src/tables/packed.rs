//! Wins or losses of a finished table that only the tables above it will ask for: words that nobody
//! needs are left out, and so are cells without a distance.

use super::layout::{Layout, OTHERS_MAX, Others};
use super::solved::Depth;

/// The words of a table that somebody will ask for: those with a man on one of some squares, for
/// instance the man that a pawn became.
#[derive(Clone, Debug, Default)]
pub(crate) struct Need {
    everything: bool,
    some: Vec<(usize, u64)>,
}

impl Need {
    /// All words are needed.
    pub(crate) fn everything(&mut self) {
        self.everything = true;
    }

    /// The words with this man on one of these squares are needed, too.
    pub(crate) fn man_on(&mut self, man: usize, squares: u64) {
        match self.some.iter_mut().find(|(known, _)| *known == man) {
            Some((_, all)) => *all |= squares,
            None => self.some.push((man, squares)),
        }
    }

    /// Is a word with its men here needed?
    #[inline]
    pub(crate) fn wants(&self, men: &Others) -> bool {
        self.everything
            || self.some.iter().any(|&(man, squares)| squares >> men[man % OTHERS_MAX] & 1 != 0)
    }

    /// The share of a table's words that is needed, at most.
    pub(crate) fn share(&self) -> f64 {
        if self.everything {
            return 1.0;
        }
        let shares = self.some.iter().map(|(_, squares)| f64::from(squares.count_ones()) / 64.0);
        shares.sum::<f64>().min(1.0)
    }
}

/// The needed words of one side to move, with their distances.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    slices: Vec<Slice>,
}

/// Those of one slice.
#[derive(Clone, Debug)]
struct Slice {
    /// For each word of the layout its entry; entry 0 is the empty word.
    directory: Vec<u32>,
    /// For each entry the squares that are won or lost, and where their distances begin.
    bits: Vec<u64>,
    start: Vec<u32>,
    /// Distances (plies + 1), and their upper bytes if some do not fit one byte.
    low: Vec<u8>,
    high: Vec<u8>,
}

impl Packed {
    /// No words yet.
    pub(crate) fn new(layout: &Layout) -> Self {
        let slice = Slice {
            directory: vec![0; layout.words],
            bits: vec![0],
            start: vec![0],
            low: Vec::new(),
            high: Vec::new(),
        };
        Self { slices: vec![slice; layout.homes.len()] }
    }

    /// Ways to put words into each slice.
    pub(crate) fn fillers(&mut self) -> Vec<Filler<'_>> {
        self.slices.iter_mut().map(Filler).collect()
    }

    /// Gives back what was kept for more words.
    pub(crate) fn close(&mut self) {
        for slice in &mut self.slices {
            slice.bits.shrink_to_fit();
            slice.start.shrink_to_fit();
            slice.low.shrink_to_fit();
            slice.high.shrink_to_fit();
        }
    }

    /// The squares of a word that are won or lost.
    #[inline]
    pub(crate) fn word(&self, slice: usize, word: usize) -> u64 {
        let slice = &self.slices[slice];
        slice.bits[slice.directory[word] as usize]
    }

    /// Plies to the end of a cell.
    #[inline]
    pub(crate) fn ply(&self, slice: usize, cell: usize) -> Option<usize> {
        let slice = &self.slices[slice];
        let entry = slice.directory[cell / 64] as usize;
        let (bits, bit) = (slice.bits[entry], 1u64 << (cell % 64));
        if bits & bit == 0 {
            return None;
        }
        let at = slice.start[entry] as usize + (bits & (bit - 1)).count_ones() as usize;
        let high = slice.high.get(at).map_or(0, |&high| usize::from(high));
        (usize::from(slice.low[at]) | high << 8).checked_sub(1)
    }
}

/// Puts words into one slice.
pub(crate) struct Filler<'a>(&'a mut Slice);

impl Filler<'_> {
    /// Puts a word in; `cells` are its 64 distances.
    #[inline]
    pub(crate) fn put<D: Depth>(&mut self, word: usize, bits: u64, cells: &[D]) {
        if bits == 0 {
            return;
        }
        let slice = &mut *self.0;
        slice.directory[word] = slice.bits.len() as u32;
        slice.bits.push(bits);
        slice.start.push(slice.low.len() as u32);
        let mut left = bits;
        while left != 0 {
            let raw = cells[left.trailing_zeros() as usize].raw();
            left &= left - 1;
            slice.low.push(raw as u8);
            if D::PLY_MAX > usize::from(u8::MAX) {
                slice.high.push((raw >> 8) as u8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Need, Packed};
    use crate::geometry::SymmetryGroup;
    use crate::tables::layout::Layout;

    #[test]
    fn what_was_put_in_comes_out_and_nothing_else() {
        let layout = Layout::new(SymmetryGroup::TRIVIAL, &[(1, false)]);
        let mut packed = Packed::new(&layout);
        let narrow: Vec<u8> = (1..65).collect();
        let wide: Vec<u16> = (1..65).map(|n| n * 700).collect();
        packed.fillers()[3].put(5, 0x8000_0000_0000_0101, &narrow);
        packed.fillers()[4].put(5, 0x10, &wide);
        packed.close();
        assert_eq!(packed.word(3, 5), 0x8000_0000_0000_0101);
        assert_eq!((packed.word(3, 6), packed.word(2, 5)), (0, 0));
        let plies = [0, 8, 63, 9].map(|bit| packed.ply(3, 5 * 64 + bit));
        assert_eq!(plies, [Some(0), Some(8), Some(63), None]);
        assert_eq!(packed.ply(4, 5 * 64 + 4), Some(3499));
    }

    #[test]
    fn a_need_is_the_sum_of_what_is_asked() {
        let mut need = Need::default();
        assert!(!need.wants(&[0, 1, 2, 3]));
        need.man_on(1, 0xFF);
        need.man_on(1, 1 << 60);
        assert!(need.wants(&[50, 7, 0, 0]) && need.wants(&[50, 60, 0, 0]));
        assert!(!need.wants(&[0, 50, 0, 0]));
        assert!(need.share() < 0.15);
        need.everything();
        assert!(need.wants(&[0, 50, 0, 0]));
    }
}

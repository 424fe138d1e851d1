//! In how many ways some men stand: by which men the positions of a layer are best divided.
//!
//! Counted for all men of each side, and for sets of men of the side that chooses the parts, each a part of the next one (see
//! [`RowFormat`](super::row::RowFormat)).

use umbrail_chess::geometry::Color;

/// Bits of a sketch. Ten times as many placements can be told from eleven times as many.
const BITS: usize = 1 << 12;

/// Sketches at most: of both sides, and of the sets.
const SKETCHES_MAX: usize = 2 + 16;

/// Bytes of a sketch.
const BYTES: usize = BITS / 8;

/// Placements, counted by the bits that they set ("linear counting", Whang and others 1990).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sketch([u64; BITS / 64]);

impl Sketch {
    #[inline]
    fn add(&mut self, digest: u64) {
        // The low bits choose the part.
        let bit = (digest >> 32) as usize % BITS;
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn set(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// Placements of each side, and of sets of men.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variety(Vec<Sketch>);

impl Default for Variety {
    fn default() -> Self {
        Self::of(0)
    }
}

impl Variety {
    /// Counts for each side, and for this number of sets.
    pub(crate) fn of(sets: usize) -> Self {
        Self(vec![Sketch([0; BITS / 64]); 2 + sets.min(SKETCHES_MAX - 2)])
    }

    /// Another placement of a side, by its digest.
    #[inline]
    pub(crate) fn add(&mut self, color: Color, digest: u64) {
        self.0[color.index()].add(digest);
    }

    /// Another placement of a set.
    #[inline]
    pub(crate) fn add_set(&mut self, set: usize, digest: u64) {
        if let Some(sketch) = self.0.get_mut(2 + set) {
            sketch.add(digest);
        }
    }

    /// All placements of both.
    pub(crate) fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), Sketch([0; BITS / 64]));
        }
        let pairs = self.0.iter_mut().zip(&other.0);
        let words = pairs.flat_map(|(one, more)| one.0.iter_mut().zip(&more.0));
        words.for_each(|(one, more)| *one |= more);
    }

    /// The side with more placements, White when both have as many.
    pub(crate) fn larger(&self) -> Color {
        let set = |color: Color| self.0[color.index()].set();
        if set(Color::Black) > set(Color::White) { Color::Black } else { Color::White }
    }

    /// The first set with at least this number of placements, as far as that can be told.
    pub(crate) fn set_with(&self, placements: u64) -> Option<usize> {
        let ways = |sketch: &Sketch| {
            let free = BITS as f64 - f64::from(sketch.set());
            BITS as f64 * (BITS as f64 / free.max(1.0)).ln()
        };
        self.0[2..].iter().position(|sketch| ways(sketch) >= placements as f64)
    }

    /// Its bytes, compressed.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let words = self.0.iter().flat_map(|sketch| sketch.0);
        let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        // When the memory does not suffice it is empty, and the answer makes no sense.
        zstd::bulk::compress(&bytes, 1).unwrap_or_default()
    }

    /// Reads them; none when they make no sense.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = zstd::bulk::decompress(bytes, SKETCHES_MAX * BYTES).ok()?;
        let (sketches, rest) = bytes.as_chunks::<BYTES>();
        if sketches.len() < 2 || !rest.is_empty() {
            return None;
        }
        let mut read = Self::of(sketches.len() - 2);
        for (sketch, bytes) in read.0.iter_mut().zip(sketches) {
            let words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
            sketch.0.iter_mut().zip(words).for_each(|(place, word)| *place = word);
        }
        Some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(n: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes())
    }

    #[test]
    fn the_side_with_more_placements_is_known() {
        let mut variety = Variety::default();
        assert_eq!(variety.larger(), Color::White);
        (0..1000).for_each(|n| variety.add(Color::White, digest(n)));
        (0..1200).for_each(|n| variety.add(Color::Black, digest(n)));
        assert_eq!(variety.larger(), Color::Black);
        let mut more = Variety::read(&variety.bytes()).unwrap();
        (1000..2000).for_each(|n| more.add(Color::White, digest(n)));
        variety.join(&more);
        assert_eq!((variety.larger(), variety == more), (Color::White, true));
        assert_eq!(Variety::read(&variety.bytes()[1..]), None);
    }

    #[test]
    fn the_smallest_set_with_enough_placements_is_chosen() {
        let mut variety = Variety::of(3);
        for n in 0..6_000 {
            variety.add_set(0, digest(n % 50));
            variety.add_set(1, digest(n % 1_000));
            variety.add_set(2, digest(n));
        }
        let read = Variety::read(&variety.bytes()).unwrap();
        assert_eq!(read, variety);
        let chosen = [10, 40, 60, 900, 1_200, 5_000, 7_000].map(|ways| read.set_with(ways));
        assert_eq!(chosen, [Some(0), Some(0), Some(1), Some(1), Some(2), Some(2), None]);
        let mut joined = Variety::default();
        joined.join(&read);
        assert_eq!(joined, read);
    }
}

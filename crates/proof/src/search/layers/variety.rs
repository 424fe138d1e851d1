//! In how many ways the men of one side stand: the side with more of them makes better parts.

use umbrail_chess::geometry::Color;

/// Bits for each side. Ten times as many placements can be told from eleven times as many.
const BITS: usize = 1 << 12;

/// Bytes of the text of a variety.
pub(crate) const BYTES: usize = 2 * BITS / 8;

/// Placements of each side, counted by the bits that they set ("linear counting", Whang and others 1990).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variety([[u64; BITS / 64]; 2]);

impl Default for Variety {
    fn default() -> Self {
        Self([[0; BITS / 64]; 2])
    }
}

impl Variety {
    /// Another placement of a side, by its digest.
    #[inline]
    pub(crate) fn add(&mut self, color: Color, digest: u64) {
        // The low bits choose the part.
        let bit = (digest >> 32) as usize % BITS;
        self.0[color.index()][bit / 64] |= 1 << (bit % 64);
    }

    /// All placements of both.
    pub(crate) fn join(&mut self, other: &Self) {
        let pairs = self.0.iter_mut().flatten().zip(other.0.iter().flatten());
        pairs.for_each(|(one, more)| *one |= more);
    }

    /// The side with more placements, White when both have as many.
    pub(crate) fn larger(&self) -> Color {
        let set =
            |color: Color| self.0[color.index()].iter().map(|word| word.count_ones()).sum::<u32>();
        if set(Color::Black) > set(Color::White) { Color::Black } else { Color::White }
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.iter().flatten().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Reads them; none when there are too few or too many.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<8>();
        if bytes.len() != BYTES || !rest.is_empty() {
            return None;
        }
        let mut read = Self::default();
        let places = read.0.iter_mut().flatten();
        places.zip(words).for_each(|(place, word)| *place = u64::from_le_bytes(*word));
        Some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_with_more_placements_is_known() {
        let mut variety = Variety::default();
        assert_eq!(variety.larger(), Color::White);
        let digest = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (0..1000).for_each(|n| variety.add(Color::White, digest(n)));
        (0..1200).for_each(|n| variety.add(Color::Black, digest(n)));
        assert_eq!(variety.larger(), Color::Black);
        let mut more = Variety::read(&variety.bytes()).unwrap();
        (1000..2000).for_each(|n| more.add(Color::White, digest(n)));
        variety.join(&more);
        assert_eq!((variety.larger(), variety == more), (Color::White, true));
        assert_eq!(Variety::read(&variety.bytes()[1..]), None);
    }
}

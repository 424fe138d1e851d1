//! Random numbers that are identical on every machine.

/// Returns the output of Sebastiano Vigna's splitmix64 for a state.
pub(crate) fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Sequence of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct RandomNumbers(u64);

impl RandomNumbers {
    /// Creates the sequence of a seed and a stream number.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        Self(mixed(mixed(seed) ^ stream))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// Returns a number from 0 to `bound` - 1. The bias is below `bound` / 2^32.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 32) as usize % bound.max(1)
    }

    /// Returns a number within ±`bound`.
    pub(crate) fn within(&mut self, bound: f32) -> f32 {
        let unit = (self.next() >> 40) as f32 / (1 << 24) as f32;
        (2.0 * unit - 1.0) * bound
    }

    /// Shuffles the items (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

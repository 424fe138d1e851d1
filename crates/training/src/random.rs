//! Random numbers that are identical on every machine.

use umbrail_chess::SplitMix64;

/// Returns the first random number of a seed.
pub(crate) fn mixed(seed: u64) -> u64 {
    SplitMix64::new(seed).draw()
}

/// Sequence of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct RandomNumbers(SplitMix64);

impl RandomNumbers {
    /// Creates the sequence of a seed and a stream number, without its first number.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut numbers = SplitMix64::new(mixed(mixed(seed) ^ stream));
        numbers.draw();
        Self(numbers)
    }

    /// Returns a number from 0 to `bound` - 1. The bias is below `bound` / 2^32.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.0.draw() >> 32) as usize % bound.max(1)
    }

    /// Returns a number within ±`bound`.
    pub(crate) fn within(&mut self, bound: f32) -> f32 {
        let unit = (self.0.draw() >> 40) as f32 / (1 << 24) as f32;
        (2.0 * unit - 1.0) * bound
    }

    /// Shuffles the items (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

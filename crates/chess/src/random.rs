//! Random numbers that are identical on every machine.

/// Sebastiano Vigna's SplitMix64.
///
/// ```
/// let mut numbers = umbrail_chess::SplitMix64::new(0);
/// assert_eq!(numbers.draw(), 0xE220_A839_7B1D_CDAF);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates the sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number.
    pub const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Returns the next number modulo `limit`, which must not be 0.
    pub const fn below(&mut self, limit: u64) -> u64 {
        self.draw() % limit
    }
}

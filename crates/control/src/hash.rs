//! Fast hash for small keys made by this program; it does not resist chosen keys.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Hash map with [`FastHasher`].
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// Hash set with [`FastHasher`].
pub type FastSet<K> = HashSet<K, BuildHasherDefault<FastHasher>>;

/// Odd number nearest to 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hasher that multiplies each number, 64 bits by 64 bits, and folds both halves of the product
/// together. Digests in archives of proof games use it, so its values are part of that format.
#[derive(Clone, Copy, Debug, Default)]
pub struct FastHasher(u64);

impl Hasher for FastHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * u128::from(FACTOR);
        self.0 = (product >> 64) as u64 ^ product as u64 ^ self.0.rotate_left(23);
    }

    #[inline]
    fn write_u128(&mut self, number: u128) {
        // Keys of positions are random in all their bits.
        self.write_u64(number as u64 ^ (number >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::{FastMap, FastSet};
    use std::collections::HashMap;

    #[test]
    fn a_map_answers_as_the_standard_one_does() {
        let (mut fast, mut plain) = (FastMap::default(), HashMap::new());
        for number in 0..5_000u64 {
            let key = (number % 700, [number as u8; 3]);
            fast.insert(key, number);
            plain.insert(key, number);
        }
        assert_eq!(fast.len(), plain.len());
        assert!(plain.iter().all(|(key, value)| fast.get(key) == Some(value)));
    }

    #[test]
    fn neighboring_numbers_get_different_hashes_in_all_bits() {
        use std::hash::BuildHasher;
        let set = FastSet::<u64>::default();
        let hashes: Vec<u64> = (0..256u64).map(|n| set.hasher().hash_one(n)).collect();
        for shift in [0, 24, 56] {
            let bytes: std::collections::HashSet<u8> =
                hashes.iter().map(|hash| (hash >> shift) as u8).collect();
            // Random bytes would give about 162 distinct values.
            assert!(bytes.len() > 128, "{} bytes at {shift}", bytes.len());
        }
    }
}

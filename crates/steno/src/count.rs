//! Exact numbers of games, however large.
//!
//! Nearly all layers count in 64 bits. A layer whose total might not fit counts in big integers:
//! two bare kings have more games of a hundred moves than any machine word holds.

use num_bigint::BigUint;
use num_bigint::ToBigUint as _;

/// Number of games that lead to each position of a shard.
#[derive(Clone, Debug)]
pub(crate) enum GameCounts {
    /// Counts whose sum over the layer fits in 64 bits.
    Small(Vec<u64>),
    /// Any counts.
    Big(Vec<BigUint>),
}

impl GameCounts {
    /// Creates an empty list; `big` if sums may not fit in 64 bits.
    pub(crate) const fn new(big: bool) -> Self {
        if big { Self::Big(Vec::new()) } else { Self::Small(Vec::new()) }
    }

    /// Returns a count.
    pub(crate) fn get(&self, at: usize) -> BigUint {
        match self {
            Self::Small(counts) => BigUint::from(counts[at]),
            Self::Big(counts) => counts[at].clone(),
        }
    }

    /// Returns true if exactly one game leads to the position.
    pub(crate) fn is_one(&self, at: usize) -> bool {
        match self {
            Self::Small(counts) => counts[at] == 1,
            Self::Big(counts) => counts[at] == BigUint::from(1u32),
        }
    }

    /// Returns true if at least one game leads to each position.
    pub(crate) fn are_positive(&self) -> bool {
        match self {
            Self::Small(counts) => counts.iter().all(|&count| count > 0),
            Self::Big(counts) => counts.iter().all(|count| *count > BigUint::ZERO),
        }
    }

    /// Appends a count of another shard.
    #[inline]
    pub(crate) fn push_from(&mut self, other: &Self, at: usize) {
        match (self, other) {
            (Self::Small(mine), Self::Small(theirs)) => mine.push(theirs[at]),
            (Self::Big(mine), theirs) => mine.push(theirs.get(at)),
            // A layer switches to big integers before any of its sums can overflow.
            (Self::Small(mine), theirs) => {
                mine.push(u64::try_from(theirs.get(at)).unwrap_or(u64::MAX));
            }
        }
    }

    /// Adds a count of another shard to a count.
    #[inline]
    pub(crate) fn add_from(&mut self, to: usize, other: &Self, at: usize) {
        match (self, other) {
            (Self::Small(mine), Self::Small(theirs)) => mine[to] += theirs[at],
            (Self::Big(mine), Self::Small(theirs)) => mine[to] += theirs[at],
            (Self::Big(mine), Self::Big(theirs)) => mine[to] += &theirs[at],
            (Self::Small(mine), theirs) => {
                mine[to] =
                    mine[to].saturating_add(u64::try_from(theirs.get(at)).unwrap_or(u64::MAX));
            }
        }
    }

    /// Releases spare capacity.
    pub(crate) fn shrink_to_fit(&mut self) {
        match self {
            Self::Small(counts) => counts.shrink_to_fit(),
            Self::Big(counts) => counts.shrink_to_fit(),
        }
    }

    /// Returns the sum of all counts.
    pub(crate) fn total(&self) -> BigUint {
        match self {
            Self::Small(counts) => {
                let sum: u128 = counts.iter().map(|&count| u128::from(count)).sum();
                sum.to_biguint().unwrap_or_default()
            }
            Self::Big(counts) => counts.iter().sum(),
        }
    }

    /// Returns the approximate memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Small(counts) => counts.capacity() * 8,
            Self::Big(counts) => counts.capacity() * 64,
        }
    }
}

/// A sum that uses 128 bits as long as possible.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameSum {
    small: u128,
    big: BigUint,
}

impl GameSum {
    /// Adds `times` times one of these counts.
    #[inline]
    pub(crate) fn add(&mut self, counts: &GameCounts, at: usize, times: u64) {
        match counts {
            GameCounts::Small(counts) => {
                let product = u128::from(counts[at]) * u128::from(times);
                match self.small.checked_add(product) {
                    Some(sum) => self.small = sum,
                    None => {
                        self.big += self.small;
                        self.small = product;
                    }
                }
            }
            GameCounts::Big(counts) => self.big += &counts[at] * times,
        }
    }

    /// Adds another sum.
    pub(crate) fn join(&mut self, other: &Self) {
        self.big += other.value();
    }

    /// Returns the sum.
    pub(crate) fn value(&self) -> BigUint {
        &self.big + self.small
    }
}

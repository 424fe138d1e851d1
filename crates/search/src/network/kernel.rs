//! Arithmetic of the network for several instruction sets, selected at run time.
//!
//! All unsafe code of the search is here: calls of functions compiled for instructions whose
//! presence in the processor was checked, and loads and stores of whole [`Lane`]s.
//!
//! # Why nothing overflows
//!
//! [`Network::new`](super::Network::new) rejects weights that violate one of these bounds:
//!
//! - A sum of the hidden layer is a bias and at most 32 weights, each within ±[`FEATURE_MAX`]:
//!   within ±33 · 992 = ±32,736, an `i16`. Partial sums may wrap around; the final one is right,
//!   since addition of `i16` is exact modulo 2^16.
//! - A clamped sum `v` is 0 to 255 and an output weight `w` within ±[`OUTPUT_MAX`], so `v · w` is
//!   within ±32,640, an `i16`.
//! - The sum of all `v · v · w` of a bucket is within 255 · 255 times the sum of the absolute
//!   weights, which is at most [`OUTPUT_SUM_MAX`]: within 65,025 · 33,025 = 2,147,450,625, an
//!   `i32`. The bound holds for every partial sum in any order.

use super::ACTIVATION;

/// Number of sums that are computed together: one register of AVX-512, two of AVX2, four of NEON.
pub(super) const LANE: usize = 32;

/// Weights or sums. A row that does not fill its last lane is padded with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Lane(pub(super) [i16; LANE]);

/// Largest absolute weight and bias of the first layer.
pub(super) const FEATURE_MAX: i16 = i16::MAX / 33;
/// Largest absolute output weight.
pub(super) const OUTPUT_MAX: i16 = 128;
/// Largest sum of the absolute output weights of one bucket.
pub(super) const OUTPUT_SUM_MAX: i32 = i32::MAX / (ACTIVATION as i32 * ACTIVATION as i32);

const _: () = assert!(FEATURE_MAX == 992 && OUTPUT_SUM_MAX == 33_025);
const _: () = assert!(ACTIVATION as i32 * OUTPUT_MAX as i32 <= i16::MAX as i32);

/// Instruction set that computes a network. All kernels return the same values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(Instructions);

/// Instructions of a kernel. A value other than `Plain` exists only if the processor has the
/// instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instructions {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Kernel {
    /// Kernel without special instructions: the reference for the others.
    pub const PLAIN: Self = Self(Instructions::Plain);

    /// Returns all kernels that this processor can run, the fastest last.
    pub fn available() -> Vec<Self> {
        let mut all = vec![Self::PLAIN];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Self(Instructions::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                all.push(Self(Instructions::Avx512));
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            all.push(Self(Instructions::Neon));
        }
        all
    }

    /// Returns the fastest kernel that this processor can run.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::PLAIN)
    }

    /// Returns the name of the instruction set.
    pub fn name(self) -> &'static str {
        match self.0 {
            Instructions::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => "neon",
        }
    }

    /// Sets `target` to the sums of `source` plus the rows of `added` less those of `removed`.
    ///
    /// # Panics
    /// If a row or `source` differs from `target` in its number of lanes.
    #[inline]
    pub(super) fn accumulate<'r>(
        self,
        target: &mut [Lane],
        source: &[Lane],
        added: &impl Rows<'r>,
        removed: &impl Rows<'r>,
    ) {
        match self.0 {
            Instructions::Plain => plain::accumulate(target, source, added, removed),
            // SAFETY: the processor has the instructions, see `Instructions`.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::accumulate(target, source, added, removed) },
            // SAFETY: as before.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { avx512::accumulate(target, source, added, removed) },
            // SAFETY: as before.
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => unsafe { neon::accumulate(target, source, added, removed) },
        }
    }

    /// Returns the sum over both sides of the clamped and squared sums times their output weights.
    ///
    /// # Panics
    /// If the number of weights differs from the number of sums.
    #[inline]
    pub(super) fn activate(self, own: &[Lane], other: &[Lane], weights: &[Lane]) -> i32 {
        assert!(own.len() == other.len() && weights.len() == 2 * own.len());
        let (ours, theirs) = weights.split_at(own.len());
        let sides = [(own, ours), (other, theirs)];
        match self.0 {
            Instructions::Plain => plain::activate(sides),
            // SAFETY: the processor has the instructions, see `Instructions`.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::activate(sides) },
            // SAFETY: as before.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { avx512::activate(sides) },
            // SAFETY: as before.
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => unsafe { neon::activate(sides) },
        }
    }
}

/// Rows of weights. The length of an array is known to the compiler.
pub(super) trait Rows<'r>: AsRef<[&'r [Lane]]> {}
impl<'r, T: AsRef<[&'r [Lane]]>> Rows<'r> for T {}

/// Panics unless all slices have the same number of lanes. Inlined, it removes the bounds checks
/// from the loops.
#[inline(always)]
fn check_lengths(target: &[Lane], source: &[Lane], added: &[&[Lane]], removed: &[&[Lane]]) {
    let lanes = target.len();
    assert!(source.len() == lanes);
    assert!(added.iter().chain(removed).all(|row| row.len() == lanes));
}

/// Sums of one side with their output weights.
type Side<'a> = (&'a [Lane], &'a [Lane]);

mod plain {
    use super::{ACTIVATION, Lane, Rows, Side, check_lengths};

    pub(super) fn accumulate<'r>(
        target: &mut [Lane],
        source: &[Lane],
        added: &impl Rows<'r>,
        removed: &impl Rows<'r>,
    ) {
        let (added, removed) = (added.as_ref(), removed.as_ref());
        check_lengths(target, source, added, removed);
        target.copy_from_slice(source);
        let sums = target;
        for row in added {
            for (sum, weight) in sums.iter_mut().zip(*row) {
                for (sum, weight) in sum.0.iter_mut().zip(weight.0) {
                    *sum = sum.wrapping_add(weight);
                }
            }
        }
        for row in removed {
            for (sum, weight) in sums.iter_mut().zip(*row) {
                for (sum, weight) in sum.0.iter_mut().zip(weight.0) {
                    *sum = sum.wrapping_sub(weight);
                }
            }
        }
    }

    pub(super) fn activate(sides: [Side<'_>; 2]) -> i32 {
        let mut total = 0;
        for (sums, weights) in sides {
            for (sum, weight) in sums.iter().zip(weights) {
                for (&sum, &weight) in sum.0.iter().zip(&weight.0) {
                    let value = i32::from(sum.clamp(0, ACTIVATION));
                    total += value * value * i32::from(weight);
                }
            }
        }
        total
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{ACTIVATION, Lane, Rows, Side, check_lengths};
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi16,
        _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256,
        _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16,
        _mm256_set1_epi16, _mm256_setzero_si256, _mm256_store_si256, _mm256_sub_epi16,
    };

    /// Registers per lane.
    const HALVES: usize = 2;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(lane: &Lane, half: usize) -> __m256i {
        debug_assert!(half < HALVES);
        // SAFETY: a lane is two registers, aligned to more than one.
        unsafe { _mm256_load_si256(std::ptr::from_ref(lane).cast::<__m256i>().add(half)) }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn accumulate<'r>(
        target: &mut [Lane],
        source: &[Lane],
        added: &impl Rows<'r>,
        removed: &impl Rows<'r>,
    ) {
        let (added, removed) = (added.as_ref(), removed.as_ref());
        check_lengths(target, source, added, removed);
        for (at, lane) in target.iter_mut().enumerate() {
            for half in 0..HALVES {
                let mut sum = load(&source[at], half);
                for row in added {
                    sum = _mm256_add_epi16(sum, load(&row[at], half));
                }
                for row in removed {
                    sum = _mm256_sub_epi16(sum, load(&row[at], half));
                }
                // SAFETY: as in `load`.
                unsafe {
                    let target = std::ptr::from_mut(lane).cast::<__m256i>().add(half);
                    _mm256_store_si256(target, sum);
                }
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn activate(sides: [Side<'_>; 2]) -> i32 {
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(ACTIVATION));
        let mut total = zero;
        for (sums, weights) in sides {
            for (sum, weight) in sums.iter().zip(weights) {
                for half in 0..HALVES {
                    let value = _mm256_min_epi16(_mm256_max_epi16(load(sum, half), zero), one);
                    let product = _mm256_mullo_epi16(value, load(weight, half));
                    total = _mm256_add_epi32(total, _mm256_madd_epi16(product, value));
                }
            }
        }
        let upper = _mm256_extracti128_si256::<1>(total);
        let four = _mm_add_epi32(_mm256_castsi256_si128(total), upper);
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{ACTIVATION, Lane, Rows, Side, check_lengths};
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16,
        _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32,
        _mm512_set1_epi16, _mm512_setzero_si512, _mm512_store_si512, _mm512_sub_epi16,
    };

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn load(lane: &Lane) -> __m512i {
        // SAFETY: a lane is one register and aligned as such.
        unsafe { _mm512_load_si512(std::ptr::from_ref(lane).cast()) }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn accumulate<'r>(
        target: &mut [Lane],
        source: &[Lane],
        added: &impl Rows<'r>,
        removed: &impl Rows<'r>,
    ) {
        let (added, removed) = (added.as_ref(), removed.as_ref());
        check_lengths(target, source, added, removed);
        for (at, lane) in target.iter_mut().enumerate() {
            let mut sum = load(&source[at]);
            for row in added {
                sum = _mm512_add_epi16(sum, load(&row[at]));
            }
            for row in removed {
                sum = _mm512_sub_epi16(sum, load(&row[at]));
            }
            // SAFETY: as in `load`.
            unsafe { _mm512_store_si512(std::ptr::from_mut(lane).cast(), sum) };
        }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn activate(sides: [Side<'_>; 2]) -> i32 {
        let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(ACTIVATION));
        let mut total = zero;
        for (sums, weights) in sides {
            for (sum, weight) in sums.iter().zip(weights) {
                let value = _mm512_min_epi16(_mm512_max_epi16(load(sum), zero), one);
                let product = _mm512_mullo_epi16(value, load(weight));
                total = _mm512_add_epi32(total, _mm512_madd_epi16(product, value));
            }
        }
        _mm512_reduce_add_epi32(total)
    }
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use super::{ACTIVATION, Lane, Rows, Side, check_lengths};
    use std::arch::aarch64::{
        int16x8_t, vaddq_s16, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vld1q_s16,
        vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vst1q_s16, vsubq_s16,
    };

    /// Registers per lane.
    const QUARTERS: usize = 4;
    const NUMBERS: usize = 8;

    #[inline]
    #[target_feature(enable = "neon")]
    fn load(lane: &Lane, quarter: usize) -> int16x8_t {
        debug_assert!(quarter < QUARTERS);
        // SAFETY: a lane is four registers.
        unsafe { vld1q_s16(lane.0.as_ptr().add(quarter * NUMBERS)) }
    }

    #[target_feature(enable = "neon")]
    pub(super) fn accumulate<'r>(
        target: &mut [Lane],
        source: &[Lane],
        added: &impl Rows<'r>,
        removed: &impl Rows<'r>,
    ) {
        let (added, removed) = (added.as_ref(), removed.as_ref());
        check_lengths(target, source, added, removed);
        for (at, lane) in target.iter_mut().enumerate() {
            for quarter in 0..QUARTERS {
                let mut sum = load(&source[at], quarter);
                for row in added {
                    sum = vaddq_s16(sum, load(&row[at], quarter));
                }
                for row in removed {
                    sum = vsubq_s16(sum, load(&row[at], quarter));
                }
                // SAFETY: as in `load`.
                unsafe { vst1q_s16(lane.0.as_mut_ptr().add(quarter * NUMBERS), sum) };
            }
        }
    }

    #[target_feature(enable = "neon")]
    pub(super) fn activate(sides: [Side<'_>; 2]) -> i32 {
        let (zero, one) = (vdupq_n_s16(0), vdupq_n_s16(ACTIVATION));
        let mut total = vdupq_n_s32(0);
        for (sums, weights) in sides {
            for (sum, weight) in sums.iter().zip(weights) {
                for quarter in 0..QUARTERS {
                    let value = vminq_s16(vmaxq_s16(load(sum, quarter), zero), one);
                    let product = vmulq_s16(value, load(weight, quarter));
                    total = vmlal_s16(total, vget_low_s16(product), vget_low_s16(value));
                    total = vmlal_high_s16(total, product, value);
                }
            }
        }
        vaddvq_s32(total)
    }
}

//! Runtime detection of vector instructions, and the two operations on 64 bytes that take one
//! AVX-512 instruction.

/// Usable vector sizes. Functions compiled for a size take its value as a parameter, so that they
/// are never called on a processor without it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only x86-64 has more so far"))]
pub(crate) enum Vectors {
    /// Only the baseline of the architecture.
    Plain,
    /// Four words (AVX2).
    Four(Four),
    /// Eight words (AVX-512).
    Eight(Eight),
}

/// Capability: four words at once, and fast single-bit operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four(());

/// Capability: eight words at once, and 64 bytes selected by the bits of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight(());

impl Vectors {
    /// Returns the capabilities of this processor; the standard library caches them.
    pub(crate) fn found() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let bits = has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
            let eight = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
            if bits && has!("avx2") {
                return if eight { Self::Eight(Eight(())) } else { Self::Four(Four(())) };
            }
        }
        Self::Plain
    }

    /// Returns the capability for eight words at once, if present.
    #[inline(always)]
    pub(crate) fn eight(self) -> Option<Eight> {
        match self {
            Self::Eight(eight) => Some(eight),
            _ => None,
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Eight {
    /// Writes a value to the members of a set.
    #[inline(always)]
    pub(crate) fn write(self, cells: &mut [u8; 64], set: u64, value: u8) {
        // SAFETY: an `Eight` exists only where the processor supports the function's target
        // features.
        unsafe { write(cells, set, value) }
    }

    /// Returns the set of cells with this value.
    #[inline(always)]
    pub(crate) fn equal(self, cells: &[u8; 64], value: u8) -> u64 {
        // SAFETY: as for `write`.
        unsafe { equal(cells, value) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn write(cells: &mut [u8; 64], set: u64, value: u8) {
    use std::arch::x86_64::{_mm512_mask_storeu_epi8, _mm512_set1_epi8};
    let to = cells.as_mut_ptr().cast();
    // SAFETY: all 64 bytes are the array's.
    unsafe { _mm512_mask_storeu_epi8(to, set, _mm512_set1_epi8(value.cast_signed())) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn equal(cells: &[u8; 64], value: u8) -> u64 {
    use std::arch::x86_64::{_mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_set1_epi8};
    // SAFETY: all 64 bytes are the array's.
    let cells = unsafe { _mm512_loadu_epi8(cells.as_ptr().cast()) };
    _mm512_cmpeq_epi8_mask(cells, _mm512_set1_epi8(value.cast_signed()))
}

#[cfg(not(target_arch = "x86_64"))]
impl Eight {
    /// Never called: there is no `Eight` on this architecture.
    pub(crate) fn write(self, _: &mut [u8; 64], _: u64, _: u8) {}

    /// Never called: there is no `Eight` on this architecture.
    pub(crate) fn equal(self, _: &[u8; 64], _: u8) -> u64 {
        0
    }
}

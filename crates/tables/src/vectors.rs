//! What the processor can do at once, found out while running, and the two things about 64 bytes that
//! one instruction does where it can do most.

/// The sizes of vectors that matter here. The functions that are compiled for them ask for the value, so
/// that they are never called on a processor that lacks them.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only x86-64 has more so far"))]
pub(crate) enum Vectors {
    /// Nothing beyond what every processor of its kind has.
    Plain,
    /// Four words (AVX2).
    Four(Four),
    /// Eight words (AVX-512).
    Eight(Eight),
}

/// Four words at once, and single bits quickly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four(());

/// Eight words at once, and 64 bytes chosen by the bits of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight(());

impl Vectors {
    /// What this processor has; the standard library remembers it.
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

    /// Eight words at once, if that is what was found.
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
    /// Writes a value into the members of a set.
    #[inline(always)]
    pub(crate) fn write(self, cells: &mut [u8; 64], set: u64, value: u8) {
        // SAFETY: there is an `Eight` only where the processor has what the function is compiled for.
        unsafe { write(cells, set, value) }
    }

    /// The set of those with this value.
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

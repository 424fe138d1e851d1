//! Large zeroed blocks that many threads read and write, in huge pages where available.
//!
//! With small pages, nearly every random access to a large table misses the translation lookaside
//! buffer, and threads that touch new pages wait for each other in the kernel.

use super::{OutOfMemory, available_bytes};
use bytemuck::Zeroable;
use memmap2::MmapMut;
use std::marker::PhantomData;
use std::ops::Deref;

/// Block of items, initially zero. The block starts at a page boundary, so items of the size of a
/// cache line are aligned to cache lines. The operating system provides the memory as it is
/// touched.
#[derive(Debug)]
pub struct HugePageBuffer<T> {
    bytes: MmapMut,
    count: usize,
    items: PhantomData<T>,
}

impl<T: Zeroable> HugePageBuffer<T> {
    /// Allocates a block of `count` items.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the operating system refuses the allocation.
    pub fn zeroed(count: usize) -> Result<Self, OutOfMemory> {
        const { assert!(align_of::<T>() <= 4096 && !std::mem::needs_drop::<T>()) };
        let size = count.checked_mul(size_of::<T>());
        let map = |size: usize| MmapMut::map_anon(size.max(1)).ok();
        let Some(bytes) = size.and_then(map) else {
            let wanted = size.map_or(u64::MAX, |size| size as u64);
            return Err(OutOfMemory { wanted, left: available_bytes().unwrap_or(0) });
        };
        // The call fails on systems without huge pages; small pages are used then.
        #[cfg(target_os = "linux")]
        let _ = bytes.advise(memmap2::Advice::HugePage);
        Ok(Self { bytes, count, items: PhantomData })
    }
}

impl<T> Deref for HugePageBuffer<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is private, starts at a page boundary and has room for `count` items;
        // zeros are a value of `T`, and every other value was written through a `&T`.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().cast(), self.count) }
    }
}

#[cfg(test)]
mod tests {
    use super::HugePageBuffer;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn a_slab_begins_as_zeros_and_keeps_what_threads_write() {
        let huge_pages: HugePageBuffer<[AtomicU64; 8]> = HugePageBuffer::zeroed(100_000).unwrap();
        assert_eq!((huge_pages.len(), huge_pages.as_ptr().addr() % 64), (100_000, 0));
        assert!(huge_pages.iter().flatten().all(|word| word.load(Ordering::Relaxed) == 0));
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let huge_pages = &huge_pages;
                scope.spawn(move || {
                    for (at, line) in huge_pages.iter().enumerate().skip(thread).step_by(2) {
                        line[at % 8].store(at as u64, Ordering::Relaxed);
                    }
                });
            }
        });
        for (at, line) in huge_pages.iter().enumerate() {
            assert_eq!(line[at % 8].load(Ordering::Relaxed), at as u64);
        }
        assert!(HugePageBuffer::<u64>::zeroed(0).unwrap().is_empty());
    }

    #[test]
    fn more_than_there_is_gives_an_error() {
        assert!(HugePageBuffer::<u64>::zeroed(usize::MAX).is_err());
        assert!(HugePageBuffer::<u64>::zeroed(1 << 58).is_err());
    }
}

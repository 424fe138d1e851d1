//! Blocks: the words of a window of a slice, packed.
//!
//! A block is a zstd frame of, first, a word for each chunk with a bit for each of its words that
//! is not empty, and then those words.

use crate::retrograde::members;
use crate::retrograde::slice::CHUNK;
use std::io;
use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::{Compressor, Decompressor};

const LEVEL: i32 = 1;

/// Packed words.
pub(super) struct Packed<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) sum: u64,
    /// Number of members of the set.
    pub(super) count: u64,
}

/// Packs and unpacks blocks; one for each worker, since its buffers are large.
pub(super) struct Packer {
    compressor: Compressor<'static>,
    decompressor: Decompressor<'static>,
    plain: Vec<u8>,
    packed: Vec<u8>,
}

impl Packer {
    pub(super) fn new() -> io::Result<Self> {
        // The constructors of the library panic without memory.
        zstd::zstd_safe::CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        zstd::zstd_safe::DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        let (compressor, decompressor) = (Compressor::new(LEVEL)?, Decompressor::new()?);
        Ok(Self { compressor, decompressor, plain: Vec::new(), packed: Vec::new() })
    }

    /// Packs the words of a window; none when all are empty.
    pub(super) fn pack(&mut self, words: &[u64]) -> io::Result<Option<Packed<'_>>> {
        let mut count = 0;
        self.plain.clear();
        for chunk in words.chunks(CHUNK) {
            let filled = chunk.iter().enumerate();
            let filled = filled.fold(0u64, |set, (at, &word)| set | u64::from(word != 0) << at);
            self.plain.extend(filled.to_le_bytes());
        }
        for &word in words.iter().filter(|word| **word != 0) {
            count += u64::from(word.count_ones());
            self.plain.extend(word.to_le_bytes());
        }
        self.finish(count)
    }

    /// Packs some words, in order, of a window that begins with word `first` and has `length`.
    pub(super) fn pack_list(
        &mut self,
        list: &[(u32, u64)],
        first: usize,
        length: usize,
    ) -> io::Result<Option<Packed<'_>>> {
        let mut filled = vec![0u64; length.div_ceil(CHUNK)];
        let mut count = 0;
        for &(word, _) in list {
            let at = word as usize - first;
            filled[at / CHUNK] |= 1 << (at % CHUNK);
        }
        self.plain.clear();
        filled.iter().for_each(|set| self.plain.extend(set.to_le_bytes()));
        for &(_, bits) in list {
            count += u64::from(bits.count_ones());
            self.plain.extend(bits.to_le_bytes());
        }
        self.finish(count)
    }

    fn finish(&mut self, count: u64) -> io::Result<Option<Packed<'_>>> {
        if count == 0 {
            return Ok(None);
        }
        self.packed.resize(zstd::zstd_safe::compress_bound(self.plain.len()), 0);
        let length = self.compressor.compress_to_buffer(&self.plain, &mut self.packed[..])?;
        let bytes = &self.packed[..length];
        Ok(Some(Packed { bytes, sum: xxh3_64(bytes), count }))
    }

    /// Unpacks a block of a window with `length` words, whose checksum was verified, and calls
    /// `visit` with the index in the window and the bits of each word that is not empty.
    pub(super) fn unpack(
        &mut self,
        bytes: &[u8],
        length: usize,
        mut visit: impl FnMut(usize, u64),
    ) -> io::Result<()> {
        let chunks = length.div_ceil(CHUNK);
        self.plain.clear();
        self.plain.reserve((chunks + length) * 8);
        self.decompressor.decompress_to_buffer(bytes, &mut self.plain)?;
        let words = self.plain.as_chunks::<8>().0;
        let Some((filled, mut rest)) = words.split_at_checked(chunks) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        for (chunk, set) in filled.iter().enumerate() {
            for at in members(u64::from_le_bytes(*set)) {
                let Some((bits, more)) = rest.split_first() else {
                    return Err(io::ErrorKind::InvalidData.into());
                };
                rest = more;
                let word = chunk * CHUNK + at;
                if word >= length {
                    return Err(io::ErrorKind::InvalidData.into());
                }
                visit(word, u64::from_le_bytes(*bits));
            }
        }
        if rest.is_empty() { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::Packer;
    use umbrail_chess::SplitMix64;

    #[test]
    fn words_come_back_and_damage_is_an_error() {
        let mut packer = Packer::new().unwrap();
        let mut numbers = SplitMix64::new(5);
        for length in [1, 63, 64, 100, 1024] {
            let mut words: Vec<u64> =
                (0..length).map(|_| numbers.below(2) * numbers.below(u64::MAX)).collect();
            words[length - 1] = 7;
            let list: Vec<(u32, u64)> = (0u32..).zip(words.clone()).filter(|w| w.1 != 0).collect();
            let packed = packer.pack(&words).unwrap().unwrap();
            let count: u32 = words.iter().map(|word| word.count_ones()).sum();
            assert_eq!(packed.count, u64::from(count));
            let bytes = packed.bytes.to_vec();
            let shifted: Vec<(u32, u64)> = list.iter().map(|&(w, b)| (w + 640, b)).collect();
            assert_eq!(packer.pack_list(&shifted, 640, length).unwrap().unwrap().bytes, bytes);
            let mut found = Vec::new();
            packer.unpack(&bytes, length, |word, bits| found.push((word as u32, bits))).unwrap();
            assert_eq!(found, list);
            assert!(packer.unpack(&bytes[..bytes.len() - 1], length, |_, _| ()).is_err());
            assert!(packer.unpack(&bytes, length + 200, |_, _| ()).is_err());
        }
        assert!(packer.pack(&[0; 64]).unwrap().is_none());
    }
}

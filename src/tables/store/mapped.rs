//! A table file that is mapped and probed through a bounded cache of unpacked blocks.

use super::StoreError;
use super::codec::{Order, Stream, blank, legal, raw};
use super::header::{Header, MAGIC, VERSION, identity};
use crate::tables::build::Plan;
use crate::tables::family::{Family, Key};
use crate::tables::layout::{Others, Spot};
use crate::tables::solved::{Depths, Solved};
use memmap2::Mmap;
use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// A table file, open for probing.
pub(crate) struct Mapped {
    path: PathBuf,
    bytes: Mmap,
    header: Header,
    plan: Plan,
    order: Order,
    /// Where each block begins.
    starts: Vec<usize>,
    cache: Mutex<Cache>,
}

/// Unpacked blocks, the oldest thrown out first, and what unpacks them.
struct Cache {
    blocks: Vec<Option<Block>>,
    unpacker: Option<zstd::bulk::Decompressor<'static>>,
    age: VecDeque<usize>,
    bytes: usize,
    limit: usize,
}

/// An unpacked block.
struct Block {
    /// Legal cells and the number of cells before, for each word.
    words: Vec<(u64, u32)>,
    cells: Vec<u8>,
}

const FRONT: usize = 24;

impl Mapped {
    /// Opens a file and checks that it is the table of this key.
    pub(crate) fn open(
        family: &Family,
        key: &Key,
        path: &Path,
        cache_bytes: usize,
    ) -> Result<Self, StoreError> {
        let io = |e| StoreError::Io(path.to_owned(), e);
        let damaged = |why: &str| StoreError::Damaged(path.to_owned(), why.to_owned());
        let file = File::open(path).map_err(io)?;
        // SAFETY: the map is only read, and every read is checked against checksums. Files are
        // replaced by renaming, never rewritten in place, so the mapped one does not change.
        let bytes = unsafe { Mmap::map(&file) }.map_err(io)?;
        let front = bytes.get(..FRONT).ok_or_else(|| damaged("it is too short"))?;
        if &front[..8] != MAGIC {
            return Err(damaged("it does not begin as a table does"));
        }
        let word = |at: usize| {
            u32::from_le_bytes([front[at], front[at + 1], front[at + 2], front[at + 3]])
        };
        if word(8) != VERSION {
            let why = format!("its version is {}, expected {VERSION}", word(8));
            return Err(StoreError::Other(path.to_owned(), why));
        }
        let length = word(12) as usize;
        let head = bytes
            .get(FRONT..FRONT.saturating_add(length))
            .ok_or_else(|| damaged("its header is cut off"))?;
        let sum = u64::from(word(16)) | u64::from(word(20)) << 32;
        if xxh3_64(head) != sum {
            return Err(damaged("the checksum of its header is wrong"));
        }
        let header = Header::from_bytes(head).ok_or_else(|| damaged("its header is malformed"))?;
        let layout = family.layout(key);
        if header.identity != identity(family, key, &layout) {
            let why = "pieces or rules differ from what is asked for".to_owned();
            return Err(StoreError::Other(path.to_owned(), why));
        }
        let order = Order::new(&layout, &header.axes)
            .ok_or_else(|| damaged("its axes are no permutation"))?;
        let sane = matches!(header.width, 1 | 2) && (1..=1 << 20).contains(&header.block_words);
        let total = layout.total_words();
        let count =
            if header.empty || !sane { 0 } else { total.div_ceil(header.block_words as usize) };
        let count = count * header.streams();
        if !sane || header.blocks.len() != count {
            return Err(damaged("its header contradicts its material"));
        }
        let mut starts = Vec::with_capacity(count);
        let mut at = FRONT + length;
        for &(length, _) in &header.blocks {
            starts.push(at);
            at += length as usize;
        }
        if at != bytes.len() {
            return Err(damaged(&format!("it has {} bytes, expected {at}", bytes.len())));
        }
        let plan = family.plan(key, layout, &[]);
        let blocks = header.blocks.iter().map(|_| None).collect();
        let (age, path) = (VecDeque::new(), path.to_owned());
        let unpacker = zstd::bulk::Decompressor::new().ok();
        let cache = Mutex::new(Cache { blocks, unpacker, age, bytes: 0, limit: cache_bytes });
        Ok(Self { path, bytes, header, plan, order, starts, cache })
    }

    fn damaged(&self, why: &str) -> StoreError {
        StoreError::Damaged(self.path.clone(), why.to_owned())
    }

    fn unpack_block(
        &self,
        number: usize,
        unpacker: Option<&mut zstd::bulk::Decompressor<'static>>,
    ) -> Result<Block, StoreError> {
        let (length, sum) = self.header.blocks[number];
        let start = self.starts[number];
        let packed = &self.bytes[start..start + length as usize];
        if xxh3_64(packed) != sum {
            return Err(self.damaged(&format!("the checksum of block {number} is wrong")));
        }
        let each = self.header.blocks.len() / self.header.streams();
        let (stream, block) = (Stream::of(&self.header)[number / each], number % each);
        let size = self.header.block_words as usize;
        let total = self.plan.layout.total_words();
        let mut words = Vec::with_capacity(size);
        let mut cells = 0u32;
        for place in block * size..((block + 1) * size).min(total) {
            let (slice, word) = self.order.word(place);
            let legal = legal(&self.plan, slice, word, stream);
            words.push((legal, cells));
            cells += legal.count_ones();
        }
        let expected = cells as usize * self.header.width as usize;
        let unpacked = match unpacker {
            Some(unpacker) => unpacker.decompress(packed, expected),
            None => zstd::bulk::decompress(packed, expected),
        };
        let cells = unpacked
            .map_err(|e| self.damaged(&format!("block {number} cannot be unpacked: {e}")))?;
        if cells.len() != expected {
            return Err(self.damaged(&format!("block {number} has the wrong length")));
        }
        Ok(Block { words, cells })
    }

    /// Calls `read` with a block, which is unpacked if it is not at hand.
    fn with_block<R>(
        &self,
        number: usize,
        read: impl FnOnce(&Block) -> R,
    ) -> Result<R, StoreError> {
        // A panic while the lock was held left the cache as it was between two statements, each of
        // which keeps it usable.
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = &cache.blocks[number] {
            return Ok(read(block));
        }
        let block = self.unpack_block(number, cache.unpacker.as_mut())?;
        let found = read(&block);
        cache.bytes += block.bytes();
        cache.blocks[number] = Some(block);
        cache.age.push_back(number);
        while cache.bytes > cache.limit && cache.age.len() > 1 {
            let oldest = cache.age.pop_front();
            if let Some(gone) = oldest.and_then(|o| cache.blocks[o].take()) {
                cache.bytes -= gone.bytes();
            }
        }
        Ok(found)
    }

    fn probe(
        &self,
        stream: Stream,
        spot: Spot,
        loser_royal: u8,
    ) -> Result<Option<usize>, StoreError> {
        if self.header.empty {
            return Ok(None);
        }
        let square = crate::geometry::Square::new(loser_royal);
        let b = spot.symmetry.square(square).index();
        let place = self.order.place(spot.slice, spot.word);
        let size = self.header.block_words as usize;
        let each = self.header.blocks.len() / self.header.streams();
        let streams = Stream::of(&self.header);
        let first = streams.iter().position(|&s| s == stream).unwrap_or(0) * each;
        self.with_block(first + place / size, |block| {
            let (legal, before) = block.words[place % size];
            if legal >> b & 1 == 0 {
                return None;
            }
            let rank = before as usize + (legal & ((1 << b) - 1)).count_ones() as usize;
            let number = block.number(rank, self.header.width);
            raw(number, self.header.halved, stream).checked_sub(1)
        })
    }

    /// True when wins are not stored and must be found one ply on.
    pub(crate) fn is_lost_only(&self) -> bool {
        self.header.lost_only && !self.header.empty
    }

    /// Plies of a win of the attacker, to move; not for files without wins.
    pub(crate) fn won_ply(
        &self,
        royal: u8,
        men: &Others,
        loser_royal: u8,
    ) -> Result<Option<usize>, StoreError> {
        self.probe(Stream::Won, self.plan.layout.spot(royal, men), loser_royal)
    }

    /// Plies of a loss of the loser, to move.
    pub(crate) fn lost_ply(
        &self,
        royal: u8,
        men: &Others,
        loser_royal: u8,
    ) -> Result<Option<usize>, StoreError> {
        self.probe(Stream::Lost, self.plan.layout.spot(royal, men), loser_royal)
    }

    /// Unpacks everything that is stored, checking every block.
    pub(crate) fn unpack(&self) -> Result<Solved, StoreError> {
        let layout = &self.plan.layout;
        let mut table = Solved::never(layout.clone(), self.plan.attackers);
        table.census = self.header.census.clone();
        if self.header.empty {
            return Ok(table);
        }
        let mut unpacker = zstd::bulk::Decompressor::new().ok();
        let slices = layout.homes.len();
        let each = self.header.blocks.len() / self.header.streams();
        let size = self.header.block_words as usize;
        for (at, &stream) in Stream::of(&self.header).iter().enumerate() {
            let first = at * each;
            let mut words = vec![vec![0u64; layout.words]; slices];
            let mut depths = blank(layout, if self.header.halved { 2 } else { self.header.width });
            let longest = table.census.won_in.len().max(table.census.lost_in.len());
            if longest < 255 {
                depths = blank(layout, 1);
            }
            for number in 0..each {
                let block = self.unpack_block(first + number, unpacker.as_mut())?;
                let mut rank = 0;
                for (at, &(legal, _)) in block.words.iter().enumerate() {
                    let (slice, word) = self.order.word(number * size + at);
                    let mut left = legal;
                    while left != 0 {
                        let b = left.trailing_zeros() as usize;
                        left &= left - 1;
                        let number = block.number(rank, self.header.width);
                        rank += 1;
                        let raw = raw(number, self.header.halved, stream);
                        if raw > longest {
                            return Err(self.damaged("a distance is longer than the longest win"));
                        }
                        if raw > 0 {
                            words[slice][word] |= 1 << b;
                            match &mut depths {
                                Depths::Narrow(d) => d[slice][word * 64 + b] = raw as u8,
                                Depths::Wide(d) => d[slice][word * 64 + b] = raw as u16,
                            }
                        }
                    }
                }
            }
            match stream {
                Stream::Won => (table.won, table.won_in) = (words, Some(depths)),
                Stream::Lost => (table.lost, table.lost_in) = (words, Some(depths)),
            }
        }
        if !self.header.lost_only {
            self.find_reciprocal(&mut table);
        }
        Ok(table)
    }

    /// Finds the positions that the loser loses and the attacker, to move, does not win.
    fn find_reciprocal(&self, table: &mut Solved) {
        for slice in 0..table.lost.len() {
            for word in 0..table.lost[slice].len() {
                let drawn = table.lost[slice][word] & !table.won[slice][word];
                if drawn != 0 {
                    let bits = drawn & legal(&self.plan, slice, word, Stream::Won);
                    if bits != 0 {
                        table.reciprocal.push((slice, word, bits));
                    }
                }
            }
        }
    }
}

impl Block {
    #[inline]
    fn number(&self, rank: usize, width: u8) -> usize {
        if width == 1 {
            self.cells[rank].into()
        } else {
            u16::from_le_bytes([self.cells[2 * rank], self.cells[2 * rank + 1]]).into()
        }
    }

    fn bytes(&self) -> usize {
        self.cells.len() + self.words.len() * 16 + 64
    }
}

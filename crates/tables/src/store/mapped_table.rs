//! Memory-mapped table file, probed through a bounded cache of unpacked blocks.

mod summary;

use super::StoreError;
use super::codec::{Stream, WordOrder, blank, legal, raw};
use super::header::{Header, MAGIC, VERSION, identity};
use crate::catalog::Catalog;
use crate::depths::Depths;
use crate::layout::{Layout, Others};
use crate::material_key::MaterialKey;
use crate::retrograde::Endgame;
use crate::solved_table::SolvedTable;
use memmap2::Mmap;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use umbrail_chess::geometry::Square;
use umbrail_control::lock;
use xxhash_rust::xxh3::xxh3_64;

/// Table file, open for probing.
pub(crate) struct MappedTable {
    path: PathBuf,
    bytes: Mmap,
    header: Header,
    endgame: Endgame,
    order: WordOrder,
    /// Offset of each block.
    starts: Vec<usize>,
    /// Number of blocks per stream.
    each: usize,
    /// Fault of the file, once a block turned out damaged. Intact blocks can still be probed.
    damage: OnceLock<String>,
    /// Unpacked blocks, distributed by their numbers, so that readers rarely wait for each other.
    shards: Box<[Mutex<CacheShard>]>,
}

/// Number of shards of a sufficiently large cache.
const SHARDS: usize = 8;

/// Some of the unpacked blocks; the oldest is dropped first.
struct CacheShard {
    /// By number, divided by the number of shards: all cells of a block, 64 per word, 0 for illegal
    /// ones.
    blocks: Vec<Option<Box<[u8]>>>,
    age: VecDeque<usize>,
    bytes: usize,
    limit: usize,
}

/// Buffers for unpacking, one set per thread. They are large. Allocating them each time, or one set
/// per file that then falls out of the processor's caches, takes longer than unpacking a small
/// block.
#[derive(Default)]
struct Unpacker {
    zstd: Option<zstd::bulk::Decompressor<'static>>,
    cells: Vec<u8>,
}

thread_local! {
    static UNPACKER: RefCell<Unpacker> = RefCell::default();
}

const HEAD_BYTES: usize = 24;

impl MappedTable {
    /// Opens a file and checks that it is the table of this key.
    pub(crate) fn open(
        catalog: &Catalog,
        key: &MaterialKey,
        path: &Path,
        cache_bytes: usize,
    ) -> Result<Self, StoreError> {
        let io = |e| StoreError::Io(path.to_owned(), e);
        let damaged = |why: &str| StoreError::Damaged(path.to_owned(), why.to_owned());
        let file = File::open(path).map_err(io)?;
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            return Err(io(std::io::Error::other("this is a folder, expected a table's file")));
        }
        // SAFETY: the map is only read, and every read is checked against checksums. Files are
        // replaced by renaming, never rewritten in place, so the mapped one does not change.
        let bytes = unsafe { Mmap::map(&file) }.map_err(io)?;
        let head_bytes = bytes.get(..HEAD_BYTES).ok_or_else(|| damaged("it is too short"))?;
        if &head_bytes[..8] != MAGIC {
            return Err(damaged("it does not have a table's signature"));
        }
        let word = |at: usize| {
            u32::from_le_bytes([
                head_bytes[at],
                head_bytes[at + 1],
                head_bytes[at + 2],
                head_bytes[at + 3],
            ])
        };
        if word(8) != VERSION {
            let why = format!("its version is {}, expected {VERSION}", word(8));
            return Err(StoreError::Other(path.to_owned(), why));
        }
        let length = word(12) as usize;
        let head = bytes
            .get(HEAD_BYTES..HEAD_BYTES.saturating_add(length))
            .ok_or_else(|| damaged("its header is cut off"))?;
        let sum = u64::from(word(16)) | u64::from(word(20)) << 32;
        if xxh3_64(head) != sum {
            return Err(damaged("the checksum of its header is wrong"));
        }
        let header = Header::from_bytes(head).ok_or_else(|| damaged("its header is malformed"))?;
        let layout = catalog.layout(key);
        if header.identity != identity(catalog, key, &layout) {
            let why = "pieces or rules differ from the requested ones".to_owned();
            return Err(StoreError::Other(path.to_owned(), why));
        }
        let order = WordOrder::new(&layout, &header.axes)
            .ok_or_else(|| damaged("its axes are not a permutation"))?;
        let sane = matches!(header.width, 1 | 2) && (1..=1 << 20).contains(&header.block_words);
        let total = layout.total_words();
        let count =
            if header.empty || !sane { 0 } else { total.div_ceil(header.block_words as usize) };
        let count = count * header.streams();
        if !sane || header.blocks.len() != count {
            return Err(damaged("its header contradicts its material"));
        }
        let mut starts = Vec::with_capacity(count);
        let mut at = HEAD_BYTES + length;
        for &(length, _) in &header.blocks {
            starts.push(at);
            at += length as usize;
        }
        if at != bytes.len() {
            return Err(damaged(&format!("it has {} bytes, expected {at}", bytes.len())));
        }
        let endgame = Endgame::new(catalog, key, layout, &[], &|_| None);
        // With large blocks and a small cache, one shard suffices.
        let block_bytes = 64 * header.block_words as usize * header.width as usize;
        let count = if cache_bytes / SHARDS > block_bytes { SHARDS } else { 1 };
        let shard = || CacheShard {
            blocks: std::iter::repeat_with(|| None)
                .take(header.blocks.len().div_ceil(count))
                .collect(),
            age: VecDeque::new(),
            bytes: 0,
            limit: cache_bytes / count,
        };
        let shards = std::iter::repeat_with(|| Mutex::new(shard())).take(count).collect();
        let each = header.blocks.len() / header.streams();
        let path = path.to_owned();
        let damage = OnceLock::new();
        Ok(Self { path, bytes, header, endgame, order, starts, each, damage, shards })
    }

    /// Returns the layout of the table.
    pub(crate) fn layout(&self) -> &Layout {
        &self.endgame.layout
    }

    /// Returns the fault of the file, if a lookup has met a damaged block.
    pub(crate) fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// Returns the maximum size of the unpacked blocks, in bytes.
    pub(crate) fn cache_bytes(&self) -> u64 {
        let limits = self.shards.iter().map(|shard| {
            // Locks guard the unpacked blocks; a limit never changes.
            lock(shard).limit as u64
        });
        let cells = self.header.block_words as u64 * 64 * self.header.width as u64;
        limits.sum::<u64>().min(self.header.blocks.len() as u64 * cells)
    }

    fn damaged(&self, why: &str) -> StoreError {
        StoreError::Damaged(self.path.clone(), why.to_owned())
    }

    /// Unpacks all cells of a block, 64 per word.
    fn unpack_block(&self, number: usize, with: &mut Unpacker) -> Result<Box<[u8]>, StoreError> {
        let (length, sum) = self.header.blocks[number];
        let start = self.starts[number];
        let packed = &self.bytes[start..start + length as usize];
        if xxh3_64(packed) != sum {
            return Err(self.damaged(&format!("the checksum of block {number} is wrong")));
        }
        let stream = Stream::of(&self.header)[number / self.each];
        let (size, width) = (self.header.block_words as usize, self.header.width as usize);
        let from = number % self.each * size;
        let words = size.min(self.endgame.layout.total_words() - from);
        if with.zstd.is_none() {
            // The constructor of the library panics without memory.
            let has_memory = zstd::zstd_safe::DCtx::try_create().is_some();
            with.zstd = has_memory.then(zstd::bulk::Decompressor::new).and_then(Result::ok);
        }
        with.cells.clear();
        with.cells.reserve(words * 64 * width);
        let unpacked = match &mut with.zstd {
            Some(zstd) => zstd.decompress_to_buffer(packed, &mut with.cells),
            None => Err(std::io::ErrorKind::OutOfMemory.into()),
        };
        unpacked.map_err(|e| self.damaged(&format!("block {number} cannot be unpacked: {e}")))?;
        let mut cells = vec![0; words * 64 * width].into_boxed_slice();
        let mut left = with.cells.as_slice();
        for ((slice, word), out) in self.order.words(from).zip(cells.chunks_exact_mut(64 * width)) {
            let legal = legal(&self.endgame, slice, word, stream);
            let own = left.split_off(..legal.count_ones() as usize * width);
            if !own.is_some_and(|own| spread(own, width, legal, out)) {
                return Err(self.damaged(&format!("block {number} is too short")));
            }
        }
        if !left.is_empty() {
            return Err(self.damaged(&format!("block {number} is too long")));
        }
        Ok(cells)
    }

    /// Returns the number of a cell of a block; unpacks the block if it is not cached.
    #[inline]
    fn number(&self, block: usize, cell: usize) -> Result<usize, StoreError> {
        let read = |cells: &[u8]| match self.header.width {
            1 => usize::from(cells[cell]),
            _ => u16::from_le_bytes([cells[2 * cell], cells[2 * cell + 1]]).into(),
        };
        // Every statement under the lock leaves the shard valid, so poisoning may be ignored.
        let count = self.shards.len();
        let mut shard = lock(&self.shards[block % count]);
        if let Some(cells) = &shard.blocks[block / count] {
            return Ok(read(cells));
        }
        let unpacked = UNPACKER.with_borrow_mut(|unpacker| self.unpack_block(block, unpacker));
        let cells = unpacked.inspect_err(|error| {
            // The first fault is reported.
            let _ = self.damage.set(error.to_string());
        })?;
        let number = read(&cells);
        shard.keep(block / count, cells);
        Ok(number)
    }

    /// Returns the plies of a win of the attacker, to move, or of a loss of the loser, to move: for
    /// pieces in the layout's order and a square of the loser's royal.
    #[inline]
    pub(crate) fn plies(
        &self,
        stream: Stream,
        slice: usize,
        pieces: &Others,
        cell: usize,
    ) -> Result<Option<usize>, StoreError> {
        if self.header.empty {
            return Ok(None);
        }
        let place = self.order.place_of(&self.endgame.layout, slice, pieces) as u32;
        let first = if stream == Stream::Lost && !self.header.lost_only { self.each } else { 0 };
        let (block, word) = (place / self.header.block_words, place % self.header.block_words);
        let number = self.number(first + block as usize, word as usize * 64 + cell)?;
        Ok(raw(number, self.header.halved, stream).checked_sub(1))
    }

    /// Returns the plies for pieces in the order of a board; `moves` when the attacker is to move.
    /// Not for wins of files without wins.
    pub(crate) fn plies_at(
        &self,
        moves: bool,
        royal: u8,
        pieces: &Others,
        loser_royal: u8,
    ) -> Result<Option<usize>, StoreError> {
        let (layout, stream) = (self.layout(), if moves { Stream::Won } else { Stream::Lost });
        let spot = layout.spot(royal, pieces);
        let cell = spot.symmetry.square(Square::new(loser_royal)).index();
        self.plies(stream, spot.slice, &layout.decode(spot.word), cell)
    }

    /// Returns true when wins are not stored and must be computed one ply later.
    pub(crate) fn is_lost_only(&self) -> bool {
        self.header.lost_only && !self.header.empty
    }

    /// Unpacks all stored data, checking every block.
    pub(crate) fn unpack(&self) -> Result<SolvedTable, StoreError> {
        let layout = &self.endgame.layout;
        let mut table = SolvedTable::without_wins(layout.clone(), self.endgame.attackers);
        table.outcomes = self.header.outcomes.clone();
        if self.header.empty {
            return Ok(table);
        }
        let mut unpacker = Unpacker::default();
        let slices = layout.homes.len();
        let size = self.header.block_words as usize;
        for (at, &stream) in Stream::of(&self.header).iter().enumerate() {
            let mut words = vec![vec![0u64; layout.words]; slices];
            let mut depths = blank(layout, if self.header.halved { 2 } else { self.header.width });
            let longest = table.outcomes.won_in.len().max(table.outcomes.lost_in.len());
            if longest < 255 {
                depths = blank(layout, 1);
            }
            for block in 0..self.each {
                let cells = self.unpack_block(at * self.each + block, &mut unpacker)?;
                let width = self.header.width as usize;
                for ((slice, word), cells) in
                    self.order.words(block * size).zip(cells.chunks_exact(64 * width))
                {
                    for (b, number) in cells.chunks_exact(width).enumerate() {
                        let high = number.get(1).copied().unwrap_or(0);
                        let number = u16::from_le_bytes([number[0], high]).into();
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
    fn find_reciprocal(&self, table: &mut SolvedTable) {
        for slice in 0..table.lost.len() {
            for word in 0..table.lost[slice].len() {
                let drawn = table.lost[slice][word] & !table.won[slice][word];
                if drawn != 0 {
                    let bits = drawn & legal(&self.endgame, slice, word, Stream::Won);
                    if bits != 0 {
                        table.reciprocal.push((slice, word, bits));
                    }
                }
            }
        }
    }
}

impl CacheShard {
    /// Caches an unpacked block and drops older ones beyond the limit; with a limit of zero none is
    /// cached.
    #[cold]
    fn keep(&mut self, place: usize, cells: Box<[u8]>) {
        self.bytes += cells.len();
        self.blocks[place] = Some(cells);
        self.age.push_back(place);
        while self.bytes > self.limit && self.age.len() > usize::from(self.limit > 0) {
            let oldest = self.age.pop_front();
            if let Some(gone) = oldest.and_then(|oldest| self.blocks[oldest].take()) {
                self.bytes -= gone.len();
            }
        }
    }
}

/// Copies the cells of legal squares, of `width` bytes each, to their index among 64; other cells
/// are unchanged. False when the number of cells differs from that of legal squares.
#[inline]
fn spread(own: &[u8], width: usize, legal: u64, out: &mut [u8]) -> bool {
    let (mut own, mut left) = (own, legal);
    while left != 0 {
        // Legal squares come in runs.
        let from = left.trailing_zeros();
        let run = (!(left >> from)).trailing_zeros();
        let (from, to) = (from as usize * width, (from + run) as usize);
        let Some(cells) = own.split_off(..to * width - from) else { return false };
        out[from..to * width].copy_from_slice(cells);
        left &= u64::MAX.checked_shl(to as u32).unwrap_or(0);
    }
    own.is_empty()
}

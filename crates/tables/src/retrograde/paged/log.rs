//! The log of a build: one file to which blocks are only appended, and the index of its blocks.

use super::block::{Packed, Packer};
use super::error::PagedError;
use crate::retrograde::slice::{CHUNK, Frontier};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use umbrail_control::lock;
use xxhash_rust::xxh3::xxh3_64;

/// Set that a block belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum SetKind {
    /// Legal positions with the attacker to move.
    Safe,
    /// Positions of the loser that may be lost and have no conversion.
    Open,
    /// Winning conversions by ply.
    Due,
    /// Positions of the loser whose conversions all lose, by the ply of the longest.
    Hold,
    /// Wins and losses of a ply.
    Won,
    Lost,
}

impl SetKind {
    const ALL: [Self; 6] = [Self::Safe, Self::Open, Self::Due, Self::Hold, Self::Won, Self::Lost];
}

/// Place of a block in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) window: u32,
    pub(super) length: u32,
    pub(super) offset: u64,
    pub(super) sum: u64,
    /// Number of members.
    pub(super) count: u64,
}

/// Block of the log with the set that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogEntry {
    pub(super) kind: SetKind,
    pub(super) slice: u8,
    pub(super) ply: u16,
    pub(super) block: Block,
}

/// Bytes of an entry in a file.
const ENTRY_BYTES: usize = 36;

impl LogEntry {
    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut out = [0; ENTRY_BYTES];
        out[0] = self.kind as u8;
        out[1] = self.slice;
        out[2..4].copy_from_slice(&self.ply.to_le_bytes());
        out[4..8].copy_from_slice(&self.block.window.to_le_bytes());
        out[8..12].copy_from_slice(&self.block.length.to_le_bytes());
        for (at, number) in [self.block.offset, self.block.sum, self.block.count].iter().enumerate()
        {
            out[12 + 8 * at..20 + 8 * at].copy_from_slice(&number.to_le_bytes());
        }
        out
    }

    fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Option<Self> {
        let small = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[at + byte]));
        let large = |at: usize| u64::from(small(at)) | u64::from(small(at + 4)) << 32;
        Some(Self {
            kind: *SetKind::ALL.get(bytes[0] as usize)?,
            slice: bytes[1],
            ply: u16::from_le_bytes([bytes[2], bytes[3]]),
            block: Block {
                window: small(4),
                length: small(8),
                offset: large(12),
                sum: large(20),
                count: large(28),
            },
        })
    }
}

/// Blocks of each set, by slice and ply.
#[derive(Default)]
pub(super) struct Index {
    blocks: HashMap<(SetKind, u8, u16), Vec<Block>>,
}

impl Index {
    pub(super) fn add(&mut self, entries: &[LogEntry]) {
        for entry in entries {
            let place = (entry.kind, entry.slice, entry.ply);
            self.blocks.entry(place).or_default().push(entry.block);
        }
    }

    /// Returns the blocks of a set, by window.
    pub(super) fn blocks(&self, kind: SetKind, slice: usize, ply: usize) -> &[Block] {
        let Ok(ply) = u16::try_from(ply) else { return &[] };
        self.blocks.get(&(kind, slice as u8, ply)).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of members of a set.
    pub(super) fn count(&self, kind: SetKind, slice: usize, ply: usize) -> u64 {
        self.blocks(kind, slice, ply).iter().map(|block| block.count).sum()
    }

    /// Returns the largest ply of a set of this kind.
    pub(super) fn last(&self, kind: SetKind) -> Option<usize> {
        self.blocks.keys().filter(|key| key.0 == kind).map(|key| key.2.into()).max()
    }
}

/// File of blocks; also used for sets that do not fit into memory.
pub(super) struct Log {
    pub(super) path: PathBuf,
    file: Mutex<(File, u64)>,
}

impl Log {
    /// Opens the file; creates it if it does not exist. Other processes cannot open it then.
    pub(super) fn open(path: &Path) -> Result<Self, PagedError> {
        let io = |error| PagedError::Io(path.to_owned(), error);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(io)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(PagedError::Busy(path.to_owned())),
            // A file system without locks protects nothing, but files can be built there.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let length = file.metadata().map_err(io)?.len();
        Ok(Self { path: path.to_owned(), file: Mutex::new((file, length)) })
    }

    /// Cuts the file off at this length.
    pub(super) fn cut(&self, length: u64) -> Result<(), PagedError> {
        let mut file = lock(&self.file);
        if file.1 < length {
            return Err(self.damaged(&format!("it is shorter than {length} bytes")));
        }
        file.0.set_len(length).map_err(|error| self.fault(error))?;
        file.1 = length;
        Ok(())
    }

    fn fault(&self, error: io::Error) -> PagedError {
        PagedError::Io(self.path.clone(), error)
    }

    /// Returns the length of the file.
    pub(super) fn length(&self) -> u64 {
        lock(&self.file).1
    }

    /// Flushes the file to the disk.
    pub(super) fn sync(&self) -> Result<(), PagedError> {
        lock(&self.file).0.sync_data().map_err(|error| self.fault(error))
    }

    fn append_bytes(&self, bytes: &[u8]) -> Result<u64, PagedError> {
        let mut file = lock(&self.file);
        let offset = file.1;
        let written = file.0.seek(SeekFrom::Start(offset)).and_then(|_| file.0.write_all(bytes));
        written.map_err(|error| self.fault(error))?;
        file.1 += bytes.len() as u64;
        Ok(offset)
    }

    /// Appends a block of a window.
    pub(super) fn append(&self, window: usize, packed: &Packed<'_>) -> Result<Block, PagedError> {
        let (length, sum) = (packed.bytes.len() as u32, packed.sum);
        let offset = self.append_bytes(packed.bytes)?;
        Ok(Block { window: window as u32, length, offset, sum, count: packed.count })
    }

    fn read_bytes(&self, offset: u64, bytes: &mut [u8], sum: u64) -> Result<(), PagedError> {
        let mut file = lock(&self.file);
        let read = file.0.seek(SeekFrom::Start(offset)).and_then(|_| file.0.read_exact(bytes));
        drop(file);
        read.map_err(|error| self.fault(error))?;
        if xxh3_64(bytes) != sum {
            return Err(self.damaged(&format!("the checksum at byte {offset} is wrong")));
        }
        Ok(())
    }

    fn damaged(&self, why: &str) -> PagedError {
        PagedError::Damaged(self.path.clone(), why.to_owned())
    }

    /// Reads a block; calls `visit` with the index in the window and the bits of each word.
    pub(super) fn read(
        &self,
        block: &Block,
        reader: &mut BlockReader,
        length: usize,
        visit: impl FnMut(usize, u64),
    ) -> Result<(), PagedError> {
        let BlockReader { packer, bytes } = reader;
        bytes.resize(block.length as usize, 0);
        self.read_bytes(block.offset, bytes, block.sum)?;
        let unpacked = packer.unpack(bytes, length, visit);
        unpacked.map_err(|_| self.damaged(&format!("the block at byte {} is spoilt", block.offset)))
    }

    /// Reads a block into an empty window.
    pub(super) fn read_window(
        &self,
        block: &Block,
        reader: &mut BlockReader,
        length: usize,
        window: &mut Frontier,
    ) -> Result<(), PagedError> {
        let Frontier { words, dirty, .. } = window;
        self.read(block, reader, length, |word, bits| {
            words[word] = bits;
            dirty[word / CHUNK] = true;
        })
    }

    /// Appends a list of entries; returns offset, length and checksum.
    pub(super) fn append_index(&self, entries: &[LogEntry]) -> Result<[u64; 3], PagedError> {
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
        let offset = self.append_bytes(&bytes)?;
        Ok([offset, bytes.len() as u64, xxh3_64(&bytes)])
    }

    /// Reads such a list.
    pub(super) fn read_index(&self, place: [u64; 3]) -> Result<Vec<LogEntry>, PagedError> {
        let [offset, length, sum] = place;
        if offset.checked_add(length).is_none_or(|end| end > self.length()) {
            return Err(self.damaged("an index lies outside of the file"));
        }
        let mut bytes = vec![0; length as usize];
        self.read_bytes(offset, &mut bytes, sum)?;
        let entries: Option<Vec<LogEntry>> =
            bytes.as_chunks().0.iter().map(LogEntry::from_bytes).collect();
        entries
            .filter(|_| bytes.len().is_multiple_of(ENTRY_BYTES))
            .ok_or_else(|| self.damaged("an index has unknown entries"))
    }
}

/// Buffers for reading and writing blocks; one for each worker.
pub(super) struct BlockReader {
    pub(super) packer: Packer,
    bytes: Vec<u8>,
}

impl BlockReader {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { packer: Packer::new()?, bytes: Vec::new() })
    }
}

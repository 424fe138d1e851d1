//! `safe` and `open` of each slice: in memory, or packed in a file while no worker needs them.

use super::Windows;
use super::error::PagedError;
use super::log::{Block, BlockReader, Log};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_control::lock;

/// One of the two sets of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Safe,
    Open,
}

/// Bytes of dropped blocks that a file may have beside as many used ones.
const DROPPED_BYTES: u64 = 1 << 20;

/// Place of a packed window; none when it is empty.
type PackedWindow = Option<(Source, Block)>;

/// File of a packed window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The log of the build, which has the initial sets.
    Log,
    /// The file of the set.
    Own,
}

enum Slot {
    Resident(Vec<u64>),
    /// Windows, and the file of those that have changed.
    Packed(Vec<PackedWindow>, Log),
}

/// Both sets of all slices. A worker takes a set out and puts it back.
pub(super) struct Sets {
    slots: Vec<[Mutex<Slot>; 2]>,
    windows: Windows,
    /// Bytes of the files.
    bytes: AtomicU64,
}

impl Sets {
    /// Creates the sets, all empty. The first `residents` of the sets `safe`, then of the sets
    /// `open`, stay in memory.
    pub(super) fn new(
        slices: usize,
        windows: Windows,
        residents: usize,
        path: &Path,
    ) -> Result<Self, PagedError> {
        let slot = |number: usize, name: &str, slice: usize| {
            Ok(Mutex::new(if number < residents {
                Slot::Resident(Vec::new())
            } else {
                let file = set_path(path, name, slice);
                Slot::Packed(vec![None; windows.count()], {
                    let own = Log::open(&file)?;
                    own.cut(0)?;
                    own
                })
            }))
        };
        let both = |slice| Ok([slot(slice, "safe", slice)?, slot(slices + slice, "open", slice)?]);
        let slots = (0..slices).map(both).collect::<Result<_, PagedError>>()?;
        Ok(Self { slots, windows, bytes: AtomicU64::new(0) })
    }

    fn slot(&self, which: Which, slice: usize) -> &Mutex<Slot> {
        &self.slots[slice][usize::from(which == Which::Open)]
    }

    /// Takes a set out; `spare` provides its memory if it is packed.
    pub(super) fn take(
        &self,
        (which, slice): (Which, usize),
        log: &Log,
        reader: &mut BlockReader,
        spare: &mut Vec<u64>,
    ) -> Result<Vec<u64>, PagedError> {
        match &mut *lock(self.slot(which, slice)) {
            Slot::Resident(words) if !words.is_empty() => Ok(std::mem::take(words)),
            Slot::Resident(_) => Ok(vec![0; self.windows.words]),
            Slot::Packed(places, own) => {
                let mut words = std::mem::take(spare);
                words.clear();
                words.resize(self.windows.words, 0);
                for (window, place) in places.iter().enumerate() {
                    let Some((source, block)) = place else { continue };
                    let file = if *source == Source::Log { log } else { &*own };
                    let range = self.windows.range(window);
                    let length = range.len();
                    let into = &mut words[range];
                    file.read(block, reader, length, |word, bits| into[word] = bits)?;
                }
                Ok(words)
            }
        }
    }

    /// Puts a set back of which these windows have changed.
    pub(super) fn put(
        &self,
        (which, slice): (Which, usize),
        words: Vec<u64>,
        changed: &[bool],
        reader: &mut BlockReader,
        spare: &mut Vec<u64>,
    ) -> Result<(), PagedError> {
        match &mut *lock(self.slot(which, slice)) {
            Slot::Resident(own) => *own = words,
            Slot::Packed(places, own) => {
                let used = |&(source, block): &(Source, Block)| match source {
                    Source::Own => u64::from(block.length),
                    Source::Log => 0,
                };
                let used: u64 = places.iter().flatten().map(used).sum();
                let before = own.length();
                let anew = before > 2 * used + DROPPED_BYTES;
                if anew {
                    own.cut(0)?;
                }
                for (window, place) in places.iter_mut().enumerate() {
                    let lost = anew && place.is_some_and(|(source, _)| source == Source::Own);
                    if changed[window] || lost {
                        let packed = reader.packer.pack(&words[self.windows.range(window)]);
                        let packed =
                            packed.map_err(|error| PagedError::Io(own.path.clone(), error))?;
                        let append = |packed| own.append(window, &packed);
                        *place = packed.map(append).transpose()?.map(|b| (Source::Own, b));
                    }
                }
                // Relaxed ordering suffices: the number is shown only. A sum modulo 2^64 may
                // shrink.
                self.bytes.fetch_add(own.length().wrapping_sub(before), Ordering::Relaxed);
                *spare = words;
            }
        }
        Ok(())
    }

    /// Sets a packed set to blocks of the log; false for one that is in memory.
    pub(super) fn refer(&self, which: Which, slice: usize, blocks: &[Block]) -> bool {
        match &mut *lock(self.slot(which, slice)) {
            Slot::Resident(_) => false,
            Slot::Packed(places, _) => {
                for block in blocks {
                    places[block.window as usize] = Some((Source::Log, *block));
                }
                true
            }
        }
    }

    /// Returns the bytes of the files.
    pub(super) fn disk_bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Frees the memory of the sets, which are then empty.
    pub(super) fn free(&mut self) {
        self.slots.clear();
    }

    /// Removes the files of a build's sets.
    pub(super) fn remove(path: &Path, slices: usize) {
        for slice in 0..slices {
            for name in ["safe", "open"] {
                let _ = std::fs::remove_file(set_path(path, name, slice));
            }
        }
    }
}

fn set_path(path: &Path, name: &str, slice: usize) -> PathBuf {
    let mut file = path.as_os_str().to_owned();
    file.push(format!(".{name}{slice}"));
    file.into()
}

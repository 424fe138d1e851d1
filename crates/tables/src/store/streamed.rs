//! Writing of a table's file from the log of its build: the table is never whole in memory.
//!
//! The cells of a range of the file are collected from the log, packed and written, range after
//! range. The file has the same bytes as that of the whole table.

use super::codec::{
    CellSource, FileWord, Stream, WordOrder, best_axes, cells, compress, compressor, head_bytes,
    header_of, orders, samples,
};
use super::header::Header;
use super::{Compression, StoreError};
use crate::catalog::Catalog;
use crate::material_key::MaterialKey;
use crate::retrograde::{Endgame, PagedError, Replay, squares};
use crate::solved_table::SolvedTable;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use umbrail_control::{Stopped, lock};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the cells whose blocks are packed before they are written: the packed blocks count as little beside them.
const BATCH_BYTES: usize = 64 << 20;

/// Reason why a file was not written.
pub(crate) enum Unwritten {
    Stopped,
    Store(StoreError),
}

impl From<Stopped> for Unwritten {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<StoreError> for Unwritten {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<PagedError> for StoreError {
    fn from(error: PagedError) -> Self {
        match error {
            PagedError::Io(path, error) => Self::Io(path, error),
            PagedError::Damaged(path, why) => Self::Damaged(path, why),
            PagedError::Foreign(path, why) => Self::Other(path, why),
            PagedError::Busy(_) | PagedError::TooLong(..) => Self::Unsaved(error.to_string()),
        }
    }
}

/// Finished build with the counts of its table.
pub(crate) struct Streamed<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) key: &'a MaterialKey,
    pub(crate) table: &'a SolvedTable,
    pub(crate) log: &'a dyn Replay,
    pub(crate) check: &'a (dyn Fn() -> Result<(), Stopped> + Sync),
}

impl Streamed<'_> {
    /// Writes the file; returns its size in bytes.
    pub(crate) fn write(&self, path: &Path, effort: Compression) -> Result<u64, Unwritten> {
        let layout = self.table.layout.clone();
        let endgame = Endgame::new(self.catalog, self.key, layout, &[], &|_| None);
        let mut header = header_of(self.catalog, self.key, self.table, effort);
        let order = if header.empty {
            None
        } else {
            header.axes = best_axes(&endgame, &self.sampled(&header)?, &header);
            WordOrder::new(&endgame.layout, &header.axes)
        };
        let temporary = temporary(path);
        let fault = |error| StoreError::Io(temporary.clone(), error);
        let mut out = BufWriter::new(File::create(&temporary).map_err(fault)?);
        let blocks = endgame.layout.total_words().div_ceil(header.block_words as usize);
        let streams = Stream::of(&header);
        if order.is_some() {
            header.blocks = vec![(0, 0); blocks * streams.len()];
        }
        // The lengths of the blocks are known only at the end, the size of their list before.
        out.write_all(&head_bytes(&header)).map_err(fault)?;
        if let Some(order) = &order {
            let bytes = header.block_words as usize * 64 * usize::from(header.width);
            let each = (self.log.bytes() as usize / bytes).clamp(1, blocks);
            for (number, &stream) in streams.iter().enumerate() {
                for first in (0..blocks).step_by(each) {
                    let pass = first..(first + each).min(blocks);
                    let range = self.collect(&endgame, &header, order, stream, pass.clone())?;
                    let together = (BATCH_BYTES / bytes).max(1);
                    for batch in pass.clone().step_by(together) {
                        (self.check)()?;
                        let batch = batch..(batch + together).min(pass.end);
                        let at = number * blocks + batch.start;
                        let cells = |block| cells(&endgame, &range, &header, order, stream, block);
                        let packed = pack(effort, batch, cells);
                        for (place, block) in packed.map_err(fault)?.into_iter().enumerate() {
                            header.blocks[at + place] = (block.len() as u32, xxh3_64(&block));
                            out.write_all(&block).map_err(fault)?;
                        }
                    }
                }
            }
        }
        let finish = |out: BufWriter<File>| -> io::Result<u64> {
            let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            let length = file.stream_position()?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&head_bytes(&header))?;
            file.sync_all()?;
            std::fs::rename(&temporary, path)?;
            Ok(length)
        };
        Ok(finish(out).map_err(fault)?)
    }

    /// Collects the words that decide on the order of the axes.
    fn sampled(&self, header: &Header) -> Result<Samples, Unwritten> {
        let layout = &self.table.layout;
        let mut wanted = vec![HashSet::new(); layout.homes.len()];
        for order in orders(layout).iter().filter_map(|axes| WordOrder::new(layout, axes)) {
            let size = header.block_words as usize;
            for block in samples(layout, header) {
                for (slice, word) in order.words(block * size).take(size) {
                    wanted[slice].insert(word);
                }
            }
        }
        let mut sampled = Vec::new();
        for &stream in Stream::of(header) {
            let words = Mutex::new(SampledWords::new());
            self.each_window(0..layout.homes.len(), |slice, window| {
                let mut found = SampledWords::new();
                self.log.window(stream == Stream::Won, slice, window, &mut |ply, word, bits| {
                    if wanted[slice].contains(&word) {
                        let cells = found.entry((slice, word));
                        let cells = cells.or_insert_with(|| Box::new([0; 128]));
                        let number = number(ply, header).to_le_bytes();
                        squares(bits, |b| cells[2 * b..2 * b + 2].copy_from_slice(&number));
                    }
                })?;
                lock(&words).extend(found);
                Ok(())
            })?;
            let words = words.into_inner().unwrap_or_else(PoisonError::into_inner);
            sampled.push((stream, words));
        }
        Ok(Samples(sampled))
    }

    /// Collects the cells of some blocks.
    fn collect(
        &self,
        endgame: &Endgame,
        header: &Header,
        order: &WordOrder,
        stream: Stream,
        blocks: Range<usize>,
    ) -> Result<Pass, Unwritten> {
        let layout = &endgame.layout;
        let size = header.block_words as usize;
        let places = blocks.start * size..(blocks.end * size).min(layout.total_words());
        let width = usize::from(header.width);
        let mut pass = Pass { first: places.start, width, cells: Vec::new() };
        pass.cells.resize_with(places.len() * 64 * width, AtomicU8::default);
        let slices = places.start / layout.words..places.end.div_ceil(layout.words);
        self.each_window(slices, |slice, window| {
            self.log.window(stream == Stream::Won, slice, window, &mut |ply, word, bits| {
                let place = order.place_of(layout, slice, &layout.decode(word));
                if places.contains(&place) {
                    let cells = &pass.cells[(place - places.start) * 64 * width..];
                    let [low, high] = number(ply, header).to_le_bytes();
                    // Relaxed ordering suffices: windows have different cells, which are read
                    // after all windows.
                    squares(bits, |b| {
                        cells[b * width].store(low, Ordering::Relaxed);
                        if width == 2 {
                            cells[2 * b + 1].store(high, Ordering::Relaxed);
                        }
                    });
                }
            })
        })?;
        Ok(pass)
    }

    /// Calls `work` with each window of some slices, on all workers.
    fn each_window(
        &self,
        slices: Range<usize>,
        work: impl Fn(usize, usize) -> Result<(), PagedError> + Sync,
    ) -> Result<(), Unwritten> {
        let windows = self.log.windows();
        (slices.start * windows..slices.end * windows).into_par_iter().try_for_each(|number| {
            (self.check)()?;
            Ok(work(number / windows, number % windows).map_err(StoreError::from)?)
        })
    }
}

/// Returns the stored number of a distance.
fn number(ply: usize, header: &Header) -> u16 {
    let raw = ply + 1;
    (if header.halved { raw.div_ceil(2) } else { raw }) as u16
}

fn temporary(path: &Path) -> PathBuf {
    let mut file = path.as_os_str().to_owned();
    file.push(".new");
    file.into()
}

/// Packs blocks, given their cells.
fn pack(
    effort: Compression,
    blocks: Range<usize>,
    cells: impl Fn(usize) -> Vec<u8> + Sync,
) -> io::Result<Vec<Vec<u8>>> {
    let packed = blocks.into_par_iter().map_init(
        || compressor(effort.level()),
        |zstd, block| compress(&cells(block), zstd.as_mut()),
    );
    packed.collect()
}

/// Cells of some blocks in stored form, in the order of the file.
struct Pass {
    first: usize,
    width: usize,
    cells: Vec<AtomicU8>,
}

impl CellSource for Pass {
    fn put(&self, _: Stream, at: FileWord, legal: u64, _: &Header, out: &mut Vec<u8>) {
        let width = self.width;
        let cells = &self.cells[(at.place - self.first) * 64 * width..];
        squares(legal, |b| {
            out.extend(cells[b * width..(b + 1) * width].iter().map(|c| c.load(Ordering::Relaxed)));
        });
    }
}

/// Words by slice and word; others have no cells.
type SampledWords = HashMap<(usize, usize), Box<[u8; 128]>>;

/// Words that decide on the order of the axes, two bytes a cell.
struct Samples(Vec<(Stream, SampledWords)>);

impl CellSource for Samples {
    fn put(&self, stream: Stream, at: FileWord, legal: u64, header: &Header, out: &mut Vec<u8>) {
        let words = self.0.iter().find(|(own, _)| *own == stream).map(|(_, words)| words);
        let cells = words.and_then(|words| words.get(&(at.slice, at.word)));
        let cells: &[u8; 128] = cells.map_or(&[0; 128], |cells| cells);
        squares(legal, |b| {
            out.extend(&cells[2 * b..2 * b + usize::from(header.width)]);
        });
    }
}

//! Encoding of cells to bytes: cells of a block, their order, and their numbers.

use super::Compression;
use super::header::{Header, MAGIC, VERSION, identity};
use crate::catalog::Catalog;
use crate::depths::{Depth, Depths};
use crate::layout::{Layout, Others};
use crate::material_key::MaterialKey;
use crate::retrograde::{Endgame, NO_PIECE};
use crate::rules::Metric;
use crate::solved_table::SolvedTable;
use rayon::prelude::*;
use std::io;
use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Compressor;

/// Wins (attacker to move) or losses (loser to move).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stream {
    Won,
    Lost,
}

impl Stream {
    /// Returns the streams of a file, in order.
    pub(super) fn of(header: &Header) -> &'static [Self] {
        if header.lost_only { &[Self::Lost] } else { &[Self::Won, Self::Lost] }
    }
}

/// Order of words in a file.
#[derive(Clone, Debug)]
pub(super) struct WordOrder {
    /// Size, file stride and layout stride of each axis, outermost first.
    axes: Vec<(usize, usize, usize)>,
    /// File stride of each of the layout's groups.
    strides: Vec<usize>,
    words: usize,
    total: usize,
}

impl WordOrder {
    /// Creates the order for these axes; none when they are not a permutation of the layout's
    /// groups.
    pub(super) fn new(layout: &Layout, axes: &[u8]) -> Option<Self> {
        let groups = layout.axes();
        let mut sorted = axes.to_vec();
        sorted.sort_unstable();
        if !sorted.iter().map(|&a| a as usize).eq(0..groups.len()) {
            return None;
        }
        let mut stride = 1;
        let mut order = Vec::new();
        for &axis in axes.iter().rev() {
            let (size, layout_stride) = groups[axis as usize];
            order.push((size, stride, layout_stride));
            stride *= size;
        }
        order.reverse();
        let file_stride = |own: &usize| {
            let axis = order.iter().find(|(_, _, layout_stride)| layout_stride == own);
            axis.map_or(0, |&(_, stride, _)| stride)
        };
        let strides = layout.strides().iter().map(file_stride).collect();
        let (words, total) = (layout.words, layout.total_words());
        Some(Self { axes: order, strides, words, total })
    }

    /// Returns slice and layout word of an index in the file.
    pub(super) fn word(&self, place: usize) -> (usize, usize) {
        let (slice, mut rest) = (place / self.words, place % self.words);
        let mut word = 0;
        for &(_, stride, layout_stride) in &self.axes {
            word += rest / stride * layout_stride;
            rest %= stride;
        }
        (slice, word)
    }

    /// Iterates over slice and layout word of this index and of all later ones. The next word is
    /// usually found without a division.
    pub(super) fn words(&self, from: usize) -> impl Iterator<Item = (usize, usize)> {
        let inner = self.axes.last().map_or(1, |axis| axis.0);
        let step = self.axes.last().map_or(0, |axis| axis.2);
        let (mut slice, mut word, mut left) = (0, 0, 0);
        (from..self.total).map(move |place| {
            if left == 0 {
                (slice, word) = self.word(place);
                left = inner - place % inner;
            } else {
                word += step;
            }
            left -= 1;
            (slice, word)
        })
    }

    /// Returns the index in the file of pieces in the layout's order.
    #[inline]
    pub(super) fn place_of(&self, layout: &Layout, slice: usize, pieces: &Others) -> usize {
        slice * self.words + layout.encode_by(&self.strides, pieces)
    }
}

/// Returns the legal cells of a word.
pub(super) fn legal(endgame: &Endgame, slice: usize, word: usize, stream: Stream) -> u64 {
    let pieces = endgame.layout.decode(word);
    let home = endgame.layout.homes[slice];
    let Some(occupied) = endgame.occupied(home, &pieces) else { return 0 };
    match stream {
        Stream::Won => !occupied & !endgame.attacked(home, &pieces, NO_PIECE, occupied),
        Stream::Lost => endgame.legal_for_loser(home, &pieces, occupied),
    }
}

/// Appends the cells of a word that are members of a set, in stored form: 0 for none.
#[inline]
fn put<D: Depth>(cells: &[D], mut set: u64, header: &Header, out: &mut Vec<u8>) {
    while set != 0 {
        let raw = cells[set.trailing_zeros() as usize & 63].raw();
        set &= set - 1;
        let number = if header.halved { raw.div_ceil(2) } else { raw };
        out.push(number as u8);
        if header.width == 2 {
            out.push((number >> 8) as u8);
        }
    }
}

/// Returns the raw value (plies + 1, or 0) of a stored number.
pub(super) fn raw(number: usize, halved: bool, stream: Stream) -> usize {
    match (number, stream) {
        (0, _) => 0,
        (n, _) if !halved => n,
        // Wins in 1, 3, 5 … plies are stored as 1, 2, 3 …; losses in 0, 2, 4 … likewise.
        (n, Stream::Won) => 2 * n,
        (n, Stream::Lost) => 2 * n - 1,
    }
}

/// Word of a file: its place in the file's order, and its slice and word in the layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileWord {
    pub(super) place: usize,
    pub(super) slice: usize,
    pub(super) word: usize,
}

/// Origin of the cells of a file.
pub(super) trait CellSource {
    /// Appends the cells of a word that are members of a set, in stored form.
    fn put(&self, stream: Stream, at: FileWord, legal: u64, header: &Header, out: &mut Vec<u8>);
}

impl CellSource for SolvedTable {
    fn put(&self, stream: Stream, at: FileWord, legal: u64, header: &Header, out: &mut Vec<u8>) {
        let depths = match stream {
            Stream::Won => self.won_in.as_ref(),
            Stream::Lost => self.lost_in.as_ref(),
        };
        let cells = at.word * 64..at.word * 64 + 64;
        match depths {
            Some(Depths::Narrow(depths)) => put(&depths[at.slice][cells], legal, header, out),
            Some(Depths::Wide(depths)) => put(&depths[at.slice][cells], legal, header, out),
            None => put(&[0u8; 64], legal, header, out),
        }
    }
}

/// Returns the cells of a block in stored form.
pub(super) fn cells(
    endgame: &Endgame,
    source: &impl CellSource,
    header: &Header,
    order: &WordOrder,
    stream: Stream,
    block: usize,
) -> Vec<u8> {
    let from = block * header.block_words as usize;
    let words = header.block_words as usize;
    let mut out = Vec::with_capacity(words * 64 * usize::from(header.width));
    for (place, (slice, word)) in (from..).zip(order.words(from)).take(words) {
        let legal = legal(endgame, slice, word, stream);
        source.put(stream, FileWord { place, slice, word }, legal, header, &mut out);
    }
    out
}

/// Writes a whole file.
///
/// # Errors
/// Memory for the compression is refused. A block left out would damage the file.
pub(super) fn write(
    catalog: &Catalog,
    key: &MaterialKey,
    table: &SolvedTable,
    effort: Compression,
) -> io::Result<Vec<u8>> {
    let layout = &table.layout;
    let endgame = Endgame::new(catalog, key, layout.clone(), &[], &|_| None);
    let mut header = header_of(catalog, key, table, effort);
    let mut body = Vec::new();
    if !header.empty {
        header.axes = best_axes(&endgame, table, &header);
        if let Some(order) = WordOrder::new(layout, &header.axes) {
            let count = layout.total_words().div_ceil(header.block_words as usize);
            for &stream in Stream::of(&header) {
                let packed = (0..count)
                    .into_par_iter()
                    .map_init(
                        || compressor(effort.level()),
                        |zstd, block| {
                            let cells = cells(&endgame, table, &header, &order, stream, block);
                            compress(&cells, zstd.as_mut())
                        },
                    )
                    .collect::<io::Result<Vec<Vec<u8>>>>()?;
                for block in packed {
                    header.blocks.push((block.len() as u32, xxh3_64(&block)));
                    body.extend(block);
                }
            }
        }
    }
    let mut out = head_bytes(&header);
    out.extend(body);
    Ok(out)
}

/// Returns the header of a table's file, without the blocks and with the axes in the layout's
/// order.
pub(super) fn header_of(
    catalog: &Catalog,
    key: &MaterialKey,
    table: &SolvedTable,
    effort: Compression,
) -> Header {
    let (layout, outcomes) = (&table.layout, &table.outcomes);
    let parity = |counts: &[u64], odd: usize| {
        counts.iter().enumerate().all(|(ply, &n)| n == 0 || ply % 2 == odd)
    };
    let halved = parity(&outcomes.won_in, 1) && parity(&outcomes.lost_in, 0);
    let longest = outcomes.won_in.len().max(outcomes.lost_in.len());
    let fits = if halved { 2 * 255 } else { 255 };
    Header {
        identity: identity(catalog, key, layout),
        width: if longest < fits { 1 } else { 2 },
        halved,
        empty: outcomes.won.full_board == 0 && outcomes.lost.full_board == 0,
        // Zeroing distances are solved stage by stage, so their wins cannot be computed from the
        // losses in one pass.
        lost_only: effort == Compression::Shipping && catalog.rules.metric != Metric::Dtz,
        block_words: effort.block_words(layout.total_words()) as u32,
        axes: (0..layout.axes().len() as u8).collect(),
        outcomes: outcomes.clone(),
        blocks: Vec::new(),
    }
}

/// Returns the bytes of a file up to its first block.
pub(super) fn head_bytes(header: &Header) -> Vec<u8> {
    let head = header.to_bytes();
    let mut out = MAGIC.to_vec();
    out.extend(VERSION.to_le_bytes());
    out.extend((head.len() as u32).to_le_bytes());
    out.extend(xxh3_64(&head).to_le_bytes());
    out.extend(head);
    out
}

/// Creates a compressor; none without memory for it.
pub(super) fn compressor(level: i32) -> Option<Compressor<'static>> {
    // The constructor of the library panics without memory.
    zstd::zstd_safe::CCtx::try_create()?;
    Compressor::new(level).ok()
}

/// A shared compressor serves many blocks: creating one costs more than compressing a small block.
pub(super) fn compress(cells: &[u8], zstd: Option<&mut Compressor<'_>>) -> io::Result<Vec<u8>> {
    zstd.ok_or(io::ErrorKind::OutOfMemory)?.compress(cells)
}

/// Returns the order of axes that compresses some sample blocks best.
pub(super) fn best_axes(endgame: &Endgame, source: &impl CellSource, header: &Header) -> Vec<u8> {
    let layout = &endgame.layout;
    let mut zstd = compressor(3);
    let mut size = |axes: &[u8]| -> usize {
        let Some(order) = WordOrder::new(layout, axes) else { return usize::MAX };
        samples(layout, header)
            .flat_map(|block| Stream::of(header).iter().map(move |&stream| (block, stream)))
            .map(|(block, stream)| {
                let cells = cells(endgame, source, header, &order, stream, block);
                // Without memory all orders are equal; writing then fails.
                compress(&cells, zstd.as_mut()).map_or(0, |block| block.len())
            })
            .sum()
    };
    orders(layout).into_iter().min_by_key(|axes| size(axes)).unwrap_or_default()
}

/// Returns all orders of a layout's axes.
pub(super) fn orders(layout: &Layout) -> Vec<Vec<u8>> {
    permutations(layout.axes().len() as u8)
}

/// Returns the blocks that decide on the order of the axes.
pub(super) fn samples(layout: &Layout, header: &Header) -> impl Iterator<Item = usize> {
    let blocks = layout.total_words().div_ceil(header.block_words as usize);
    (0..blocks).step_by((blocks / 6).max(1))
}

fn permutations(count: u8) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |p: &Vec<u8>| {
            let p = p.clone();
            (0..count).filter(|a| !p.contains(a)).map(|a| [p.as_slice(), &[a]].concat()).collect()
        };
        all = all.iter().flat_map(|p| -> Vec<Vec<u8>> { longer(p) }).collect();
    }
    all
}

/// Returns empty distances for a whole table.
pub(super) fn blank(layout: &Layout, width: u8) -> Depths {
    let slices = layout.homes.len();
    if width == 1 {
        Depths::Narrow(vec![vec![0; layout.words * 64]; slices])
    } else {
        Depths::Wide(vec![vec![0; layout.words * 64]; slices])
    }
}

#[cfg(test)]
mod tests {
    use super::{WordOrder, permutations};
    use crate::layout::Layout;
    use umbrail_chess::geometry::SymmetryGroup;

    #[test]
    fn places_and_words_are_inverse_in_every_order() {
        let layout = Layout::new(SymmetryGroup::TRIVIAL, &[(1, false), (2, true), (2, true)]);
        let orders = permutations(2);
        assert_eq!(orders.len(), 2);
        for axes in orders {
            let order = WordOrder::new(&layout, &axes).unwrap();
            for place in (0..layout.total_words()).step_by(97) {
                let (slice, word) = order.word(place);
                assert_eq!(order.place_of(&layout, slice, &layout.decode(word)), place);
                let next: Vec<_> = order.words(place).take(150).collect();
                let each: Vec<_> = (place..layout.total_words().min(place + 150))
                    .map(|place| order.word(place))
                    .collect();
                assert_eq!(next, each);
            }
        }
        assert!(WordOrder::new(&layout, &[0, 0]).is_none());
    }
}

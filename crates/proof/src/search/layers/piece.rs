//! Rows in few bytes: sorted, each once, as pairs, compressed.

use crate::search::layers::pairs::{read_pairs, write_pairs};
use crate::search::layers::row::RowWidth;
use std::ops::Range;

/// The level of zstd: what is sent soon is not worth more time.
const LEVEL: i32 = 1;

/// Bytes of the rows of one piece; a longer one is damaged.
const BYTES_MAX: usize = 1 << 31;

/// Bytes at most that pairs need for each of their rows besides its placements: two numbers.
const PAIRS_MORE: usize = 10;

/// Sorts rows of `width` bytes and removes those that are there twice.
pub(crate) fn sort_rows(rows: &[u8], width: usize) -> Vec<u8> {
    let mut order: Vec<&[u8]> = rows.chunks_exact(width).collect();
    order.sort_unstable();
    order.dedup();
    order.concat()
}

/// Parts of a piece that is divided, so that fewer bytes are sent where a worker needs some of its rows only.
pub(crate) const SUBS: usize = 8;

/// Stands in the place of the number of rows in a piece that is divided; the lengths of its parts follow, and these.
const DIVIDED: u32 = u32::MAX;

/// The parts of a divided piece; none when it is not divided.
fn subs(piece: &[u8]) -> Option<[&[u8]; SUBS]> {
    let (head, rest) = piece.split_first_chunk()?;
    if u32::from_le_bytes(*head) != DIVIDED {
        return None;
    }
    let (lengths, mut rest) = rest.split_at_checked(4 * SUBS)?;
    let mut subs = [&[][..]; SUBS];
    for (sub, length) in subs.iter_mut().zip(lengths.as_chunks().0) {
        (*sub, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    }
    rest.is_empty().then_some(subs)
}

/// What of a piece has the rows of some of its parts: these parts when it is divided, all of it otherwise.
pub(crate) fn pieces_of(piece: &[u8], range: Range<usize>) -> Vec<&[u8]> {
    match subs(piece) {
        Some(subs) => subs.get(range).unwrap_or_default().to_vec(),
        None => vec![piece],
    }
}

/// The number of rows of a piece; 0 when it makes no sense.
pub(crate) fn rows_in(piece: &[u8]) -> usize {
    let count = |piece: &[u8]| piece.first_chunk().map_or(0, |count| u32::from_le_bytes(*count));
    match subs(piece) {
        Some(subs) => subs.into_iter().map(|sub| count(sub) as usize).sum(),
        None => count(piece) as usize,
    }
}

/// Packs and unpacks pieces.
pub(crate) struct Packer {
    width: RowWidth,
    /// None when the memory does not suffice for it.
    into: Option<zstd::bulk::Compressor<'static>>,
    from: Option<zstd::bulk::Decompressor<'static>>,
}

impl Packer {
    /// For rows of this width.
    pub(crate) fn new(width: RowWidth) -> Self {
        let into = zstd::bulk::Compressor::new(LEVEL).ok();
        Self { width, into, from: zstd::bulk::Decompressor::new().ok() }
    }

    /// The piece of some rows; it is empty when there are none.
    pub(crate) fn pack(&mut self, rows: &[u8]) -> Vec<u8> {
        let rows = sort_rows(rows, self.width.all);
        let count = rows.len() / self.width.all;
        if count == 0 {
            return vec![];
        }
        let pairs = write_pairs(&rows, self.width);
        let mut piece = (count as u32).to_le_bytes().to_vec();
        let packed = self.into.as_mut().and_then(|into| into.compress(&pairs).ok());
        // A piece without its pairs is noticed when it is unpacked.
        piece.extend(packed.unwrap_or_default());
        piece
    }

    /// The piece of rows, divided by what `sub` says of each.
    pub(crate) fn pack_divided(&mut self, rows: &[u8], sub: impl Fn(&[u8]) -> usize) -> Vec<u8> {
        let mut divided: [Vec<u8>; SUBS] = Default::default();
        let each = rows.chunks_exact(self.width.all);
        each.for_each(|row| divided[sub(row) % SUBS].extend_from_slice(row));
        let packed = divided.map(|rows| self.pack(&rows));
        let mut piece = DIVIDED.to_le_bytes().to_vec();
        packed.iter().for_each(|packed| piece.extend((packed.len() as u32).to_le_bytes()));
        packed.iter().for_each(|packed| piece.extend(packed));
        piece
    }

    /// Appends the rows of a piece. False when it makes no sense; nothing is appended then but whole parts of a divided piece.
    #[must_use]
    pub(crate) fn unpack(&mut self, piece: &[u8], rows: &mut Vec<u8>) -> bool {
        if let Some(subs) = subs(piece) {
            return subs.iter().all(|sub| self.unpack_one(sub, rows));
        }
        self.unpack_one(piece, rows)
    }

    fn unpack_one(&mut self, piece: &[u8], rows: &mut Vec<u8>) -> bool {
        if piece.is_empty() {
            return true;
        }
        let Some((count, packed)) = piece.split_first_chunk() else { return false };
        let count = u32::from_le_bytes(*count) as usize;
        let bytes = count.checked_mul(self.width.all).filter(|&bytes| bytes <= BYTES_MAX);
        // At most, each row has placements of its own.
        let Some(most) = bytes.map(|bytes| bytes + PAIRS_MORE * (count + 1)) else { return false };
        let pairs = self.from.as_mut().and_then(|from| from.decompress(packed, most).ok());
        let begin = rows.len();
        let read = pairs.and_then(|pairs| read_pairs(&pairs, count, self.width, rows));
        if read.is_none() {
            rows.truncate(begin);
        }
        read.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Packer, RowWidth, SUBS, pieces_of, rows_in, sort_rows};

    #[test]
    fn rows_are_packed_once_each_and_come_back_sorted() {
        let rows: Vec<u8> = (0..4000u32).flat_map(|n| [(n % 7) as u8, (n % 50) as u8, 9]).collect();
        let mut packer = Packer::new(RowWidth { all: 3, white: 1 });
        let piece = packer.pack(&rows);
        assert!(piece.len() < 400, "{}", piece.len());
        let mut back = vec![1, 2, 3];
        assert!(packer.unpack(&piece, &mut back));
        assert_eq!(back.split_off(3), sort_rows(&rows, 3));
        assert_eq!(sort_rows(&rows, 3).len(), 3 * 350);
        assert_eq!((packer.pack(&[]), back), (vec![], vec![1, 2, 3]));
    }

    #[test]
    fn a_divided_piece_has_the_same_rows() {
        let rows: Vec<u8> = (0..999u32).flat_map(|n| [(n % 256) as u8, (n / 256) as u8]).collect();
        let mut packer = Packer::new(RowWidth { all: 2, white: 1 });
        let sub = |row: &[u8]| usize::from(row[0]) + 3;
        let piece = packer.pack_divided(&rows, sub);
        let mut all = vec![];
        assert!(packer.unpack(&piece, &mut all));
        assert_eq!(sort_rows(&all, 2), sort_rows(&rows, 2));
        let mut some = vec![];
        let parts = pieces_of(&piece, 2..5);
        assert!(parts.len() == 3 && parts.iter().all(|part| packer.unpack(part, &mut some)));
        let wanted = rows.chunks(2).filter(|row| (2..5).contains(&(sub(row) % SUBS)));
        assert_eq!(
            sort_rows(&some, 2),
            sort_rows(&wanted.flatten().copied().collect::<Vec<_>>(), 2)
        );
        let plain = packer.pack(&rows);
        assert_eq!([&piece[..], &plain, &[], &[1, 2]].map(rows_in), [999, 999, 0, 0]);
        assert_eq!(pieces_of(&plain, 2..5), [&plain[..]]);
        for end in 4..40 {
            assert!(!packer.unpack(&piece[..end], &mut some), "{end}");
        }
    }

    #[test]
    fn damage_is_noticed() {
        let mut packer = Packer::new(RowWidth { all: 3, white: 2 });
        let piece = packer.pack(&[1, 2, 3, 4, 5, 6]);
        let mut rows = vec![];
        for wrong in [&piece[..3], &piece[..piece.len() - 1], &[255, 255, 255, 255, 0]] {
            assert!(!packer.unpack(wrong, &mut rows) && rows.is_empty());
        }
        assert!(!Packer::new(RowWidth { all: 4, white: 2 }).unpack(&piece, &mut rows));
    }
}

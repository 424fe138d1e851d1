//! Rows in few bytes: sorted, each once, column by column, compressed.

use std::ops::Range;

/// The level of zstd: what is sent soon is not worth more time.
const LEVEL: i32 = 1;

/// Bytes of the rows of one piece; a longer one is damaged.
const BYTES_MAX: usize = 1 << 31;

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

/// Packs and unpacks pieces.
pub(crate) struct Packer {
    /// None when the memory does not suffice for it.
    into: Option<zstd::bulk::Compressor<'static>>,
    from: Option<zstd::bulk::Decompressor<'static>>,
}

impl Default for Packer {
    fn default() -> Self {
        let into = zstd::bulk::Compressor::new(LEVEL).ok();
        Self { into, from: zstd::bulk::Decompressor::new().ok() }
    }
}

impl Packer {
    /// The piece of rows of `width` bytes; it is empty when there are none.
    pub(crate) fn pack(&mut self, rows: &[u8], width: usize) -> Vec<u8> {
        let rows = sort_rows(rows, width);
        let count = rows.len() / width;
        if count == 0 {
            return vec![];
        }
        let mut columns = Vec::with_capacity(rows.len());
        for at in 0..width {
            columns.extend(rows.iter().skip(at).step_by(width));
        }
        let mut piece = (count as u32).to_le_bytes().to_vec();
        let packed = self.into.as_mut().and_then(|into| into.compress(&columns).ok());
        // A piece without its columns is noticed when it is unpacked.
        piece.extend(packed.unwrap_or_default());
        piece
    }

    /// The piece of rows, divided by what `sub` says of each.
    pub(crate) fn pack_divided(
        &mut self,
        rows: &[u8],
        width: usize,
        sub: impl Fn(&[u8]) -> usize,
    ) -> Vec<u8> {
        let mut divided: [Vec<u8>; SUBS] = Default::default();
        rows.chunks_exact(width).for_each(|row| divided[sub(row) % SUBS].extend_from_slice(row));
        let packed = divided.map(|rows| self.pack(&rows, width));
        let mut piece = DIVIDED.to_le_bytes().to_vec();
        packed.iter().for_each(|packed| piece.extend((packed.len() as u32).to_le_bytes()));
        packed.iter().for_each(|packed| piece.extend(packed));
        piece
    }

    /// Appends the rows of a piece. False when it makes no sense.
    #[must_use]
    pub(crate) fn unpack(&mut self, piece: &[u8], width: usize, rows: &mut Vec<u8>) -> bool {
        if let Some(subs) = subs(piece) {
            return subs.iter().all(|sub| self.unpack_one(sub, width, rows));
        }
        self.unpack_one(piece, width, rows)
    }

    fn unpack_one(&mut self, piece: &[u8], width: usize, rows: &mut Vec<u8>) -> bool {
        if piece.is_empty() {
            return true;
        }
        let Some((count, packed)) = piece.split_first_chunk() else { return false };
        let count = u32::from_le_bytes(*count) as usize;
        let Some(bytes) = count.checked_mul(width).filter(|&bytes| bytes <= BYTES_MAX) else {
            return false;
        };
        let columns = self.from.as_mut().and_then(|from| from.decompress(packed, bytes).ok());
        let Some(columns) = columns.filter(|columns| columns.len() == bytes) else {
            return false;
        };
        let begin = rows.len();
        rows.resize(begin + bytes, 0);
        for (at, column) in columns.chunks_exact(count.max(1)).enumerate() {
            let places = rows[begin..].iter_mut().skip(at).step_by(width);
            places.zip(column).for_each(|(place, &byte)| *place = byte);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Packer, SUBS, pieces_of, sort_rows};

    #[test]
    fn rows_are_packed_once_each_and_come_back_sorted() {
        let rows: Vec<u8> = (0..4000u32).flat_map(|n| [(n % 7) as u8, (n % 50) as u8, 9]).collect();
        let mut packer = Packer::default();
        let piece = packer.pack(&rows, 3);
        assert!(piece.len() < 400, "{}", piece.len());
        let mut back = vec![1, 2, 3];
        assert!(packer.unpack(&piece, 3, &mut back));
        assert_eq!(back.split_off(3), sort_rows(&rows, 3));
        assert_eq!(sort_rows(&rows, 3).len(), 3 * 350);
        assert_eq!((packer.pack(&[], 3), back), (vec![], vec![1, 2, 3]));
    }

    #[test]
    fn a_divided_piece_has_the_same_rows() {
        let rows: Vec<u8> = (0..999u32).flat_map(|n| [(n % 256) as u8, (n / 256) as u8]).collect();
        let mut packer = Packer::default();
        let sub = |row: &[u8]| usize::from(row[0]) + 3;
        let piece = packer.pack_divided(&rows, 2, sub);
        let mut all = vec![];
        assert!(packer.unpack(&piece, 2, &mut all));
        assert_eq!(sort_rows(&all, 2), sort_rows(&rows, 2));
        let mut some = vec![];
        let parts = pieces_of(&piece, 2..5);
        assert!(parts.len() == 3 && parts.iter().all(|part| packer.unpack(part, 2, &mut some)));
        let wanted = rows.chunks(2).filter(|row| (2..5).contains(&(sub(row) % SUBS)));
        assert_eq!(
            sort_rows(&some, 2),
            sort_rows(&wanted.flatten().copied().collect::<Vec<_>>(), 2)
        );
        let plain = packer.pack(&rows, 2);
        assert_eq!(pieces_of(&plain, 2..5), [&plain[..]]);
        for end in 4..40 {
            assert!(!packer.unpack(&piece[..end], 2, &mut some), "{end}");
        }
    }

    #[test]
    fn damage_is_noticed() {
        let mut packer = Packer::default();
        let piece = packer.pack(&[1, 2, 3, 4, 5, 6], 3);
        let mut rows = vec![];
        for wrong in [&piece[..3], &piece[..piece.len() - 1], &[255, 255, 255, 255, 0]] {
            assert!(!packer.unpack(wrong, 3, &mut rows) && rows.is_empty());
        }
        assert!(!packer.unpack(&piece, 4, &mut rows));
    }
}

//! Rows as pairs: in how many ways White's men stand, in how many Black's, and which of these go together.
//!
//! Positions of one piece share placements of each side: some hundred of them make thousands of positions. So a placement is written once, and a
//! position is the number of the second placement, as the difference to that of the position before.

use crate::search::layers::row::RowWidth;
use std::collections::BTreeMap;

/// Appends a number in bytes of seven bits, the low ones first (LEB128).
fn write_number(mut number: u32, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// Takes such a number from the front; none when it does not end, or has more than 32 bits.
fn read_number(from: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for shift in (0..32).step_by(7) {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Appends these columns of some rows, one after the other.
fn write_columns(rows: &[&[u8]], width: usize, into: &mut Vec<u8>) {
    for at in 0..width {
        into.extend(rows.iter().map(|row| row[at]));
    }
}

/// Takes the columns of `count` rows of `width` bytes from the front; the rows, one after the other.
fn read_columns(from: &mut &[u8], count: usize, width: usize) -> Option<Vec<u8>> {
    let (columns, rest) = from.split_at_checked(count.checked_mul(width)?)?;
    *from = rest;
    let mut rows = vec![0; columns.len()];
    for (at, column) in columns.chunks_exact(count.max(1)).enumerate() {
        let places = rows.iter_mut().skip(at).step_by(width);
        places.zip(column).for_each(|(place, &byte)| *place = byte);
    }
    Some(rows)
}

/// The pairs of sorted rows, each there once.
pub(super) fn write_pairs(rows: &[u8], width: RowWidth) -> Vec<u8> {
    let RowWidth { all: width, white: split } = width;
    let mut numbers: BTreeMap<&[u8], u32> =
        rows.chunks_exact(width).map(|row| (&row[split..], 0)).collect();
    (0..).zip(numbers.values_mut()).for_each(|(at, number)| *number = at);
    let (mut firsts, mut counts, mut seconds): (Vec<&[u8]>, Vec<u32>, Vec<u8>) =
        (vec![], vec![], vec![]);
    let mut last = 0;
    for row in rows.chunks_exact(width) {
        let (first, second) = row.split_at(split);
        if firsts.last() != Some(&first) {
            firsts.push(first);
            counts.push(0);
            last = 0;
        }
        if let Some(count) = counts.last_mut() {
            *count += 1;
        }
        let number = numbers[second];
        write_number(number - last, &mut seconds);
        last = number;
    }
    let mut bytes = vec![];
    write_number(firsts.len() as u32, &mut bytes);
    write_number(numbers.len() as u32, &mut bytes);
    write_columns(&firsts, split, &mut bytes);
    write_columns(&numbers.into_keys().collect::<Vec<_>>(), width - split, &mut bytes);
    counts.iter().for_each(|&count| write_number(count, &mut bytes));
    bytes.extend(seconds);
    bytes
}

/// Appends the rows of such pairs, `count` in all. None when they make no sense; then something may have been appended.
pub(super) fn read_pairs(
    mut bytes: &[u8],
    count: usize,
    width: RowWidth,
    rows: &mut Vec<u8>,
) -> Option<()> {
    let RowWidth { all: width, white: split } = width;
    let from = &mut bytes;
    let [firsts, seconds] = [read_number(from)? as usize, read_number(from)? as usize];
    let (first_rows, second_rows) =
        (read_columns(from, firsts, split)?, read_columns(from, seconds, width - split)?);
    let counts: Vec<u32> = (0..firsts).map(|_| read_number(from)).collect::<Option<_>>()?;
    if counts.iter().map(|&count| count as usize).sum::<usize>() != count {
        return None;
    }
    rows.reserve(count * width);
    for (at, &count) in counts.iter().enumerate() {
        let first = first_rows.get(at * split..(at + 1) * split)?;
        let mut number = 0_usize;
        for _ in 0..count {
            number += read_number(from)? as usize;
            let begin = number * (width - split);
            rows.extend_from_slice(first);
            rows.extend_from_slice(second_rows.get(begin..begin + width - split)?);
        }
    }
    from.is_empty().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_whatever_the_width_of_a_side() {
        // Many first parts and many second ones, far apart, so that numbers have two bytes.
        let mut rows: Vec<[u8; 4]> = (0..4_000_u32)
            .map(|n| [(n % 7) as u8, (n % 3) as u8, (n % 199) as u8, (n % 11) as u8])
            .collect();
        rows.sort_unstable();
        rows.dedup();
        let bytes = rows.concat();
        for white in 0..=4 {
            let width = RowWidth { all: 4, white };
            let pairs = write_pairs(&bytes, width);
            let mut back = vec![1, 2];
            assert!(read_pairs(&pairs, rows.len(), width, &mut back).is_some());
            assert_eq!(back[2..], bytes, "{white}");
            for end in (0..pairs.len()).step_by(97) {
                assert_eq!(read_pairs(&pairs[..end], rows.len(), width, &mut back), None);
            }
            let more = [&pairs[..], &[0]].concat();
            assert_eq!(read_pairs(&more, rows.len(), width, &mut back), None);
            assert_eq!(read_pairs(&pairs, rows.len() + 1, width, &mut back), None);
        }
    }

    #[test]
    fn all_pairs_of_some_placements_take_a_byte_each_at_most() {
        let rows: Vec<u8> =
            (0..40_u8).flat_map(|a| (0..30).flat_map(move |b| [a, a, a, b, b, b])).collect();
        let pairs = write_pairs(&rows, RowWidth { all: 6, white: 3 });
        assert!(pairs.len() < 1_200 + 3 * 70 + 40 + 3, "{}", pairs.len());
    }

    #[test]
    fn numbers_of_any_size_are_read_and_endless_ones_refused() {
        let mut bytes = vec![];
        let numbers = [0, 1, 127, 128, 300, 1 << 21, u32::MAX];
        numbers.iter().for_each(|&number| write_number(number, &mut bytes));
        let mut from = bytes.as_slice();
        assert!(numbers.iter().all(|&number| read_number(&mut from) == Some(number)));
        assert!(from.is_empty() && read_number(&mut from).is_none());
        assert_eq!(read_number(&mut &[0x80; 9][..]), None);
    }
}

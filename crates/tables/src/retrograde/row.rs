//! Operations on 64 words at once: those of a *row*, in which one piece stands on each square in
//! turn while the others stay (see `Layout::inner`).
//!
//! Each operation is a loop over 64 words without branches, which the compiler vectorizes.

use crate::move_tables::Shift;

/// Words of one row, by the square of its piece.
pub(super) type Row = [u64; 64];

/// Minimum number of non-empty words for a row to be processed as a whole; below it, single words
/// are cheaper.
pub(super) const DENSE: u32 = 4;

/// Returns a row of words, or the cells of a word.
#[inline(always)]
pub(super) fn row<T>(items: &[T], number: usize) -> &[T; 64] {
    &items.as_chunks().0[number]
}

/// Returns a mutable row of words, or the cells of a word.
#[inline(always)]
pub(super) fn row_mut<T>(items: &mut [T], number: usize) -> &mut [T; 64] {
    &mut items.as_chunks_mut().0[number]
}

/// Returns the set of non-empty words.
#[inline(always)]
pub(super) fn filled(row: &Row) -> u64 {
    let mut set = 0;
    for (bit, &word) in row.iter().enumerate() {
        set |= u64::from(word != 0) << bit;
    }
    set
}

/// Returns, for each square of the row's piece, the squares of the loser's royal that do not
/// collide with it; none where the square is occupied by another piece.
#[inline(always)]
pub(super) fn room(occupied: u64) -> Row {
    const ALONE: Row = {
        let mut room = [0; 64];
        let mut square = 0;
        while square < 64 {
            room[square] = !(1 << square);
            square += 1;
        }
        room
    };
    let mut room = ALONE;
    for square in super::members(occupied) {
        room[square] = 0;
    }
    room
}

/// Adds the words from which the row's piece reaches `from` by a step, repeated as often as
/// allowed. Squares where the royal would block the step are cleared.
#[inline(always)]
pub(super) fn take_back(step: &Shift, from: &Row, room: &Row, into: &mut Row) {
    let (dx, dy) = (-i32::from(step.dx), -i32::from(step.dy));
    let largest = dx.abs().max(dy.abs());
    let reach = i32::from(step.reach);
    if largest == 0 || largest > 7 {
        return;
    }
    if reach > 1 && (reach + 1) * largest > 7 {
        // The slide ends only at the edge: each square passes on the squares it has received.
        let mut sliding = *from;
        if dx == 0 {
            slide_along_file(dy, &mut sliding, room, into);
        } else {
            walk(dx, dy, |at, to| {
                let word = sliding[at] & room[to];
                sliding[to] |= word;
                into[to] |= word;
            });
        }
        return;
    }
    let mut leaping = *from;
    for left in (0..reach).rev() {
        let mut landed = [0; 64];
        leap(dx, dy, &leaping, room, &mut landed);
        for (to, word) in into.iter_mut().zip(&landed) {
            *to |= word;
        }
        if left > 0 {
            leaping = landed;
        }
    }
}

/// Calls `visit` with each square from which the step stays on the board and with its target, in
/// the order of the step.
#[inline(always)]
fn walk(dx: i32, dy: i32, mut visit: impl FnMut(usize, usize)) {
    let by = 8 * dy + dx;
    for i in 0..8 - dy.abs() {
        let y = if dy >= 0 { i } else { 7 - i };
        for j in 0..8 - dx.abs() {
            let x = if dx >= 0 { j } else { 7 - j };
            let at = 8 * y + x;
            visit(at as usize & 63, (at + by) as usize & 63);
        }
    }
}

#[inline(always)]
fn slide_along_file(dy: i32, sliding: &mut Row, room: &Row, into: &mut Row) {
    let (sliding, into) = (sliding.as_chunks_mut::<8>().0, into.as_chunks_mut::<8>().0);
    let room = room.as_chunks::<8>().0;
    for i in 0..8 - dy.abs() {
        let y = if dy >= 0 { i } else { 7 - i };
        let to = (y + dy) as usize & 7;
        let from = sliding[y as usize & 7];
        for x in 0..8 {
            let word = from[x] & room[to][x];
            sliding[to][x] |= word;
            into[to][x] |= word;
        }
    }
}

/// Moves all words by one step; those that leave the board are dropped.
#[inline(always)]
fn leap(dx: i32, dy: i32, from: &Row, room: &Row, into: &mut Row) {
    // Squares of each rank that a step of `dx` files can reach.
    const ARRIVE: [[u64; 8]; 15] = {
        let mut all = [[0; 8]; 15];
        let mut shift = 0;
        while shift < 15 {
            let mut x = 0;
            while x < 8 {
                let came = x + 7 - shift as i32;
                all[shift][x as usize] = if came >= 0 && came < 8 { !0 } else { 0 };
                x += 1;
            }
            shift += 1;
        }
        all
    };
    let resolve_arrival = &ARRIVE[(dx + 7) as usize % 15];
    let by = 8 * dy + dx;
    // Whole ranks, read from a copy with a margin, so that no step leaves the copy.
    let mut wide = [0u64; 64 + 16];
    wide[8..72].copy_from_slice(from);
    for y in 0..8 - dy.abs() {
        let to = if dy >= 0 { y + dy } else { y };
        let start = (8 + 8 * to - by) as usize;
        let Some(came) = wide.get(start..start + 8) else { return };
        let base = 8 * to as usize;
        for x in 0..8 {
            into[base + x] |= came[x] & room[base + x] & resolve_arrival[x];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DENSE, Row, filled, room, take_back};
    use crate::move_tables::Shift;

    /// Computes the same result square by square and bit by bit.
    fn plainly(step: &Shift, from: &Row, occupied: u64) -> Row {
        let mut into = [0; 64];
        for (at, &word) in from.iter().enumerate() {
            let (mut x, mut y) = (at as i32 % 8, at as i32 / 8);
            let mut left = word;
            for _ in 0..step.reach {
                (x, y) = (x - i32::from(step.dx), y - i32::from(step.dy));
                let to = 8 * y + x;
                if !(0..8).contains(&x) || !(0..8).contains(&y) || occupied >> to & 1 != 0 {
                    break;
                }
                left &= !(1 << to);
                into[to as usize] |= left;
            }
        }
        into
    }

    #[test]
    fn a_row_goes_where_its_words_go() {
        let mut seed = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for (dx, dy) in (-7i8..8).flat_map(|dx| (-7i8..8).map(move |dy| (dx, dy))) {
            for reach in [1, 2, 3, 7] {
                let step = Shift { dx, dy, reach };
                let occupied = random() & random() & random();
                let from: Row = std::array::from_fn(|_| random() & random());
                let mut into = [0; 64];
                take_back(&step, &from, &room(occupied), &mut into);
                let still = (dx, dy) == (0, 0);
                let wanted = if still { [0; 64] } else { plainly(&step, &from, occupied) };
                assert_eq!(into, wanted, "{step:?}");
            }
        }
    }

    #[test]
    fn filled_words_are_found() {
        let mut row = [0; 64];
        (row[0], row[5], row[63]) = (1, 1 << 63, !0);
        assert_eq!(filled(&row), 1 << 63 | 1 << 5 | 1);
        assert!(filled(&row).count_ones() < DENSE);
    }
}

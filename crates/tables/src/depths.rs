//! Distances to the end, one or two bytes each.

use super::vectors::Eight;

/// Distances of all cells of one side to move: 0 for none, else plies + 1.
#[derive(Clone, Debug)]
pub(crate) enum Depths {
    /// One byte per cell.
    Narrow(Vec<Vec<u8>>),
    /// Two bytes per cell, for wins of more than 253 plies.
    Wide(Vec<Vec<u16>>),
}

/// Number type of distances.
pub(crate) trait Depth:
    Copy + Default + PartialEq + PartialOrd + Send + Sync + 'static
{
    /// True when distances are stored; see [`Unstored`].
    const STORED: bool = true;
    /// Largest distance in plies that fits.
    const PLY_MAX: usize;
    fn of_ply(ply: usize) -> Self;
    /// Returns plies + 1, or 0 for none.
    fn raw(self) -> usize;
    fn pack(slices: Vec<Vec<Self>>) -> Depths;

    /// Returns true when this distance is less than the other, or the other is none.
    #[inline]
    fn earlier(self, other: Self) -> bool {
        other == Self::default() || self < other
    }

    /// Returns the least of 64 cells that are greater than this value; none when there is none.
    #[inline]
    fn least_above(cells: &[Self; 64], value: Self) -> Self {
        let later = |least: Self, &cell: &Self| {
            if cell > value && cell.earlier(least) { cell } else { least }
        };
        cells.iter().fold(Self::default(), later)
    }

    /// Writes a value to the members of a set of 64 cells.
    #[inline]
    fn write(cells: &mut [Self; 64], set: u64, value: Self, _: Option<Eight>) {
        let mut left = set;
        while left != 0 {
            cells[left.trailing_zeros() as usize] = value;
            left &= left - 1;
        }
    }

    /// Returns the set of the cells (of 64) that have this value.
    #[inline]
    fn equal(cells: &[Self; 64], value: Self, _: Option<Eight>) -> u64 {
        let same = |set, (bit, cell): (usize, &Self)| set | u64::from(*cell == value) << bit;
        cells.iter().enumerate().fold(0, same)
    }
}

/// Distance that is not stored: the builder that pages its sets writes a log of each ply instead.
/// Lists of it take no memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(crate) struct Unstored;

impl Depth for Unstored {
    const STORED: bool = false;
    const PLY_MAX: usize = 65_534;
    fn of_ply(_: usize) -> Self {
        Self
    }
    fn raw(self) -> usize {
        0
    }
    fn pack(_: Vec<Vec<Self>>) -> Depths {
        Depths::Narrow(Vec::new())
    }
    #[inline(always)]
    fn write(_: &mut [Self; 64], _: u64, _: Self, _: Option<Eight>) {}
}

impl Depth for u8 {
    const PLY_MAX: usize = 254;
    #[inline]
    fn of_ply(ply: usize) -> Self {
        (ply + 1) as u8
    }
    #[inline]
    fn raw(self) -> usize {
        self.into()
    }
    fn pack(slices: Vec<Vec<Self>>) -> Depths {
        Depths::Narrow(slices)
    }

    /// Counts from the value on, with wrap-around, so that all cells up to it come last. The least
    /// is then found without branches, and the compiler vectorizes the loop.
    #[inline(always)]
    fn least_above(cells: &[Self; 64], value: Self) -> Self {
        let beyond = value.wrapping_add(1);
        let least =
            cells.iter().fold(Self::MAX, |least, cell| least.min(cell.wrapping_sub(beyond)));
        if least <= Self::MAX - beyond { least.wrapping_add(beyond) } else { 0 }
    }

    /// Writes a dense set eight cells at a time: its bits are spread over the bytes of a mask.
    #[inline(always)]
    fn write(cells: &mut [Self; 64], set: u64, value: Self, eight: Option<Eight>) {
        if let Some(eight) = eight {
            return eight.write(cells, set, value);
        }
        if set.count_ones() < 12 {
            let mut left = set;
            while left != 0 {
                cells[left.trailing_zeros() as usize] = value;
                left &= left - 1;
            }
            return;
        }
        const EACH: u64 = 0x0101_0101_0101_0101;
        let value = u64::from(value) * EACH;
        for (byte, eight) in cells.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let bits = ((set >> (8 * byte) & 0xFF) * EACH) & 0x8040_2010_0804_0201;
            let mask = ((bits + 0x7F * EACH) >> 7 & EACH) * 0xFF;
            *eight = (u64::from_le_bytes(*eight) & !mask | value & mask).to_le_bytes();
        }
    }

    /// Compares eight cells at a time: a byte of the difference is zero where the cell has the
    /// value. Its top bit is found without carries (Warren, Hacker's Delight, 6-1) and gathered by
    /// a multiplication.
    #[inline(always)]
    fn equal(cells: &[Self; 64], value: Self, eight: Option<Eight>) -> u64 {
        if let Some(eight) = eight {
            return eight.equal(cells, value);
        }
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        let wanted = u64::from(value) * 0x0101_0101_0101_0101;
        let mut set = 0;
        for (byte, eight) in cells.as_chunks::<8>().0.iter().enumerate() {
            let difference = u64::from_le_bytes(*eight) ^ wanted;
            let zero = !(((difference & LOW) + LOW) | difference | LOW) >> 7;
            set |= zero.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * byte);
        }
        set
    }
}

impl Depth for u16 {
    const PLY_MAX: usize = 65_534;
    #[inline]
    fn of_ply(ply: usize) -> Self {
        (ply + 1) as u16
    }
    #[inline]
    fn raw(self) -> usize {
        self.into()
    }
    fn pack(slices: Vec<Vec<Self>>) -> Depths {
        Depths::Wide(slices)
    }
}

impl Depths {
    /// Returns the distance of a cell in plies.
    #[inline]
    pub(crate) fn get(&self, slice: usize, cell: usize) -> Option<usize> {
        let raw = match self {
            Self::Narrow(slices) => usize::from(slices[slice][cell]),
            Self::Wide(slices) => usize::from(slices[slice][cell]),
        };
        raw.checked_sub(1)
    }

    /// Returns the size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes: usize = match self {
            Self::Narrow(slices) => slices.iter().map(Vec::len).sum(),
            Self::Wide(slices) => slices.iter().map(|slice| 2 * slice.len()).sum(),
        };
        bytes as u64
    }

    /// Returns the first cell with this distance, slice by slice.
    pub(crate) fn first(&self, ply: usize) -> Option<(usize, usize)> {
        let slices = match self {
            Self::Narrow(slices) => slices.len(),
            Self::Wide(slices) => slices.len(),
        };
        (0..slices).find_map(|slice| Some((slice, self.find(slice, 0, ply)?)))
    }

    /// Returns the first cell of a slice, from a start cell, with this distance.
    pub(crate) fn find(&self, slice: usize, from: usize, ply: usize) -> Option<usize> {
        let at = match self {
            Self::Narrow(slices) => {
                let raw = u8::try_from(ply + 1).ok()?;
                let cells = slices[slice].get(from..)?;
                // Long stretches without the value are skipped quickly.
                let stretch = cells.chunks(4096).position(|chunk| chunk.contains(&raw))? * 4096;
                stretch + cells[stretch..].iter().position(|&cell| cell == raw)?
            }
            Self::Wide(slices) => {
                let raw = u16::try_from(ply + 1).ok()?;
                slices[slice].get(from..)?.iter().position(|&cell| cell == raw)?
            }
        };
        Some(from + at)
    }
}

#[cfg(test)]
mod tests {
    use super::Depth;
    use crate::vectors::Vectors;

    #[test]
    fn many_cells_at_a_time_find_what_one_does() {
        let cells: [u8; 64] = std::array::from_fn(|i| (i * 37 % 11 * 25) as u8);
        let wide = cells.map(u16::from);
        let eight = Vectors::found().eight();
        for value in [0, 25, 50, 125, 128, 250, 255, 1] {
            let wanted = u16::equal(&wide, value.into(), None);
            assert_eq!(u8::equal(&cells, value, None), wanted, "{value}");
            assert_eq!(u8::equal(&cells, value, eight), wanted, "{value}");
            let least = u8::least_above(&cells, value);
            assert_eq!(u16::from(least), u16::least_above(&wide, value.into()), "{value}");
        }
        for set in [0, 1 << 63, 0xFFFF_0000_1234_5678, u64::MAX] {
            let mut wide = wide;
            u16::write(&mut wide, set, 77, None);
            for eight in [None, eight] {
                let mut narrow = cells;
                u8::write(&mut narrow, set, 77, eight);
                assert_eq!(narrow.map(u16::from), wide, "{set:x}");
            }
        }
    }
}

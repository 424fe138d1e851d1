//! Integers of 16 bits in one to three bytes: most weights of a network need one byte.
//!
//! A number is folded (0, −1, 1, −2, … become 0, 1, 2, 3, …) and written with seven bits per byte,
//! the lowest first. All bytes except the last have their highest bit set. The encoding is that of
//! signed integers in Protocol Buffers, limited to three bytes.

/// Appends a number.
pub(super) fn write(number: i16, bytes: &mut Vec<u8>) {
    let mut folded = ((number << 1) ^ (number >> 15)) as u16;
    while folded > 0x7f {
        bytes.push(folded as u8 | 0x80);
        folded >>= 7;
    }
    bytes.push(folded as u8);
}

/// Reads a number from the front; none if the bytes end within it or it has more than 16 bits.
pub(super) fn read(bytes: &mut &[u8]) -> Option<i16> {
    let mut folded = 0u32;
    for shift in [0, 7, 14] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        folded |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            let folded = u16::try_from(folded).ok()?;
            return Some((folded >> 1) as i16 ^ -((folded & 1) as i16));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{read, write};

    #[test]
    fn every_number_is_read_back_and_small_ones_take_one_byte() {
        for number in i16::MIN..=i16::MAX {
            let mut bytes = vec![];
            write(number, &mut bytes);
            assert_eq!(bytes.len() == 1, (-64..64).contains(&number), "{number}");
            let mut rest = &bytes[..];
            assert_eq!((read(&mut rest), rest.len()), (Some(number), 0));
        }
    }

    #[test]
    fn what_ends_early_or_is_too_long_is_refused() {
        for bytes in [&[][..], &[0x80], &[0xff, 0xff], &[0xff, 0xff, 0x04], &[0x80, 0x80, 0x80, 0]]
        {
            assert_eq!(read(&mut &bytes[..]), None, "{bytes:?}");
        }
        assert_eq!(read(&mut &[0xff, 0xff, 0x03][..]), Some(i16::MIN));
    }
}

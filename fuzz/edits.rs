//! Edits of a valid file, so that inputs get past the magic word and the checksum.
//!
//! An input is a list of edits of eight bytes each: kind, length, place (two bytes), value (four).

/// Applies the edits of an input to the bytes of a valid file.
pub fn edited(valid: &[u8], input: &[u8]) -> Vec<u8> {
    let mut bytes = valid.to_vec();
    for edit in input.chunks_exact(8).take(16) {
        let (length, value) = (usize::from(edit[1]), [edit[4], edit[5], edit[6], edit[7]]);
        let place = usize::from(u16::from_le_bytes([edit[2], edit[3]]));
        let at = place % (bytes.len() + 1);
        let end = bytes.len().min(at + length);
        match edit[0] % 6 {
            0 if at < bytes.len() => bytes[at] ^= 1 << (value[0] % 8),
            1 => {
                bytes.drain(at..end);
            }
            2 => {
                let copy = bytes[at..end].to_vec();
                let to = u32::from_le_bytes(value) as usize % (bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            3 => {
                bytes.splice(at..at, value);
            }
            // A number in eight bytes, small or at a limit.
            4 if at + 8 <= bytes.len() => {
                let number = u32::from_le_bytes(value) as i32;
                bytes[at..at + 8].copy_from_slice(&i64::from(number).to_le_bytes());
            }
            // A number in a text.
            5 => {
                let digits = |byte: &u8| byte.is_ascii_digit();
                let from = bytes[at..].iter().position(digits).map_or(at, |ahead| at + ahead);
                let until = from + bytes[from..].iter().take_while(|byte| digits(byte)).count();
                let number = u32::from_le_bytes(value).to_string();
                bytes.splice(from..until, number.into_bytes());
            }
            _ => {}
        }
    }
    bytes
}

//! Texts that are spoilt at random, for the unit tests and the long tests alike.

/// A text with a few bytes changed, dropped, doubled, or taken from elsewhere in it.
///
/// `below` draws a number below its argument.
pub(crate) fn spoilt(text: &str, mut below: impl FnMut(u64) -> u64) -> String {
    const STRANGE: &[u8] = b"\0\t ,:;*+-=sncRBKkZ019(\xff\xc3\xa4\n";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = below(bytes.len() as u64) as usize;
        match below(5) {
            0 => bytes[at] = STRANGE[below(STRANGE.len() as u64) as usize],
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, bytes[at]),
            3 => bytes.truncate(at),
            _ => {
                let from = below(bytes.len() as u64) as usize;
                bytes.swap(at, from);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

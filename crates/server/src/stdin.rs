//! Reader of standard input: a thread that stamps each line with the time it was read.

use std::io::{self, BufRead, Read};
use std::time::Instant;
use tokio::sync::mpsc;

/// A line and the time it was read.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) at: Instant,
}

/// Maximum number of lines that wait for the loop.
const WAITING_MAX: usize = 1024;
/// Maximum length of a line, in bytes; the rest is dropped to bound memory.
const LINE_MAX_BYTES: usize = 16 << 20;

/// Starts reading. The channel closes at the end of input.
///
/// # Errors
/// The system does not start a thread.
pub(super) fn lines() -> io::Result<mpsc::Receiver<Line>> {
    let (send, receive) = mpsc::channel(WAITING_MAX);
    let read = move || {
        let mut input = std::io::stdin().lock();
        while let Some(text) = next_line(&mut input, LINE_MAX_BYTES) {
            if send.blocking_send(Line { text, at: Instant::now() }).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("stdin".to_owned()).spawn(read)?;
    Ok(receive)
}

/// Returns the next line without its terminator, decoded lossily; `None` at the end of input.
///
/// A last line without a terminator counts: the input ended right after it.
fn next_line(input: &mut impl BufRead, most: usize) -> Option<String> {
    let mut bytes = vec![];
    let mut head = input.by_ref().take(most as u64);
    let read = head.read_until(b'\n', &mut bytes).unwrap_or(0);
    if read == 0 {
        return None;
    }
    if bytes.last() != Some(&b'\n') && bytes.len() >= most {
        input.skip_until(b'\n').ok()?;
    }
    Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::next_line;

    fn all(text: &[u8], most: usize) -> Vec<String> {
        let mut input = text;
        std::iter::from_fn(|| next_line(&mut input, most)).collect()
    }

    #[test]
    fn lines_end_in_any_manner() {
        assert_eq!(all(b"uci\r\nisready\n\nquit", 99), ["uci", "isready", "", "quit"]);
        assert_eq!(all(b"", 99), [""; 0]);
    }

    #[test]
    fn bytes_that_are_no_text_do_not_end_the_input() {
        assert_eq!(all(b"\xff\xfe\nuci\n", 99), ["\u{fffd}\u{fffd}", "uci"]);
    }

    #[test]
    fn a_line_without_end_is_cut() {
        assert_eq!(all(b"abcdefgh\nuci\n", 4), ["abcd", "uci"]);
        assert_eq!(all(b"abc\nuci\n", 4), ["abc", "uci"]);
    }
}

//! The only writer of standard output.

use std::io::{IsTerminal, Write};

/// Buffers the output of one step of the loop and writes it at once.
#[derive(Default)]
pub(super) struct Stdout {
    waiting: String,
}

impl Stdout {
    pub(super) fn push(&mut self, text: &str) {
        self.waiting.push_str(text);
    }

    /// Writes the buffered output.
    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.waiting);
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

/// Returns true if standard output is a terminal.
pub fn prints_to_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Returns true if standard input and output are both a terminal.
pub fn talks_to_terminal() -> bool {
    prints_to_terminal() && std::io::stdin().is_terminal()
}

/// Exit status for arguments or files that cannot be used.
pub const STATUS_USAGE: u8 = 2;

/// Prints a text for the command line; returns the exit status: [`STATUS_USAGE`] if
/// the reader has closed the output.
pub fn print(text: &str) -> u8 {
    let mut out = Stdout::default();
    out.push(text);
    if out.flush().is_ok() { 0 } else { STATUS_USAGE }
}

/// Writes to standard error why a command cannot be executed; returns [`STATUS_USAGE`].
pub fn complain(why: &str) -> u8 {
    eprintln!("umbrail: {why}");
    STATUS_USAGE
}

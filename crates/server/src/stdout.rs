//! The only writer of standard output.

use super::STATUS_STOPPED;
use std::io::{ErrorKind, IsTerminal, Write};
use umbrail_control::{print_error, stdout_was_closed};

/// Buffers the output of one step of the loop and writes it at once.
#[derive(Default)]
pub(super) struct Stdout {
    waiting: String,
}

impl Stdout {
    pub(super) fn push(&mut self, text: &str) {
        self.waiting.push_str(text);
    }

    /// Writes the buffered output. A failure is reported on standard error, except that the reader
    /// of a pipe has ended (`| head`).
    pub(super) fn flush(&mut self) -> Result<(), OutputLost> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.waiting);
        let mut out = std::io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| {
            if error.kind() != ErrorKind::BrokenPipe {
                print_error!("umbrail: cannot write to standard output: {error}");
            }
            OutputLost
        })
    }
}

/// Output was not written.
#[derive(Debug)]
pub(super) struct OutputLost;

/// Refuses to start if there is no standard output; returns false after the message.
pub(super) fn stdout_is_open() -> bool {
    let is_closed = stdout_was_closed();
    if is_closed {
        print_error!(
            "umbrail: standard output is closed; redirect it to a file, or to /dev/null to ignore it"
        );
    }
    !is_closed
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

/// Prints a text for the command line; returns the exit status, which is not 0 if the text cannot be
/// written.
pub fn print(text: &str) -> u8 {
    let mut out = Stdout::default();
    out.push(text);
    if stdout_is_open() && out.flush().is_ok() { 0 } else { STATUS_STOPPED }
}

/// Writes to standard error why a command cannot be executed; returns [`STATUS_USAGE`].
pub fn complain(why: &str) -> u8 {
    print_error!("umbrail: {why}");
    STATUS_USAGE
}

//! The only writer of standard output.

use super::STATUS_STOPPED;
use serde::Serialize;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use umbrail_control::{print_error, stdout_was_closed};
use umbrail_protocol::records::Record;

/// The command line requests JSON (`--json`). Relaxed ordering suffices: it is set before any thread
/// starts.
static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Makes [`print()`], [`print_record`] and [`complain`] write JSON, one object a line.
pub fn print_in_json() {
    IS_JSON.store(true, Ordering::Relaxed);
}

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

/// Prints a text for the command line, in JSON as a page; returns the exit status, which is not 0 if
/// the text cannot be written.
pub fn print(text: &str) -> u8 {
    print_record(&Record::Page { lines: text.lines().map(str::to_owned).collect() }, text)
}

/// Prints an answer for the command line: the record in JSON, else the text. Returns the exit
/// status, as [`print()`] does.
pub fn print_record(record: &impl Serialize, text: &str) -> u8 {
    let mut out = Stdout::default();
    match IS_JSON.load(Ordering::Relaxed).then(|| serde_json::to_string(record)) {
        Some(Ok(line)) => out.push(&(line + "\n")),
        _ => out.push(text),
    }
    if stdout_is_open() && out.flush().is_ok() { 0 } else { STATUS_STOPPED }
}

/// Writes to standard error why a command cannot be executed; returns [`STATUS_USAGE`].
pub fn complain(why: &str) -> u8 {
    print_error!("umbrail: {why}");
    print_error_record(why);
    STATUS_USAGE
}

/// Prints an error where the output is JSON.
pub fn print_error_record(why: &str) {
    if IS_JSON.load(Ordering::Relaxed) {
        print_record(&Record::Error { text: why.to_owned() }, "");
    }
}

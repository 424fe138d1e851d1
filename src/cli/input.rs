//! Standard input of a command, as a text of limited size.

use std::io::Read;
use umbrail::control::{FILE_BYTES_MAX, text_of};

/// What is on standard input, as a file of problems is read.
pub(super) fn read_input() -> Result<String, String> {
    let mut bytes = vec![];
    let read = std::io::stdin().lock().take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot read standard input: {error}"))?;
    match bytes.len() as u64 > FILE_BYTES_MAX {
        true => Err(format!("standard input is larger than {} MiB", FILE_BYTES_MAX >> 20)),
        false => Ok(text_of(bytes)),
    }
}

//! File of an unfinished table: the builder's state between two plies.
//!
//! The file is one zstd frame with zstd's own checksum: the identity of the table, then the
//! builder's state. It is written atomically and removed when the table is finished.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use umbrail_control::{remove_leftovers, write_whole};

/// First bytes of the frame's content.
const MAGIC: &[u8; 8] = b"UMBPRT3\n";
const LEVEL: i32 = 1;

/// Storage of the state of an unfinished table.
pub(crate) struct PartFile<'a> {
    path: PathBuf,
    identity: Vec<u8>,
    every: Duration,
    last: Instant,
    /// Receives the reason why a state could not be written.
    fault: &'a dyn Fn(String),
    /// True after the first report.
    faulty: bool,
}

impl<'a> PartFile<'a> {
    /// Creates the file of this table, which is due for writing once per `every`. The first failed
    /// write is reported to `fault`, with the file and the reason.
    pub(crate) fn new(
        path: PathBuf,
        identity: Vec<u8>,
        every: Duration,
        fault: &'a dyn Fn(String),
    ) -> Self {
        Self { path, identity, every, last: Instant::now(), fault, faulty: false }
    }

    /// Returns true when the next write is due.
    pub(crate) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// Writes a state. Failure costs only the chance to resume.
    pub(crate) fn write(&mut self, put: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        let written = write_whole(&self.path, |file| {
            // The constructor of the library panics without memory.
            zstd::zstd_safe::CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
            let mut frame = zstd::Encoder::new(file, LEVEL)?;
            frame.include_checksum(true)?;
            {
                let mut out = BufWriter::new(&mut frame);
                out.write_all(MAGIC)?;
                out.write_all(&(self.identity.len() as u64).to_le_bytes())?;
                out.write_all(&self.identity)?;
                put(&mut out)?;
                out.flush()?;
            }
            frame.finish()?.flush()
        });
        if let Err(error) = written
            && !std::mem::replace(&mut self.faulty, true)
        {
            (self.fault)(error.to_string());
        }
        self.last = Instant::now();
    }

    /// Reads the state, if the file exists, belongs to this table, and is complete.
    pub(crate) fn read<T>(
        &self,
        take: impl FnOnce(&mut dyn Read) -> io::Result<Option<T>>,
    ) -> Option<T> {
        zstd::zstd_safe::DCtx::try_create()?;
        let frame = zstd::Decoder::new(File::open(&self.path).ok()?).ok()?;
        let mut from = BufReader::new(frame);
        let mut head = [0; 16];
        from.read_exact(&mut head).ok()?;
        let length = u64::from_le_bytes(head[8..].try_into().ok()?);
        if &head[..8] != MAGIC || length != self.identity.len() as u64 {
            return None;
        }
        let mut identity = vec![0; self.identity.len()];
        from.read_exact(&mut identity).ok()?;
        if identity != self.identity {
            return None;
        }
        let state = take(&mut from).ok()??;
        // The checksum is verified at the end of the frame.
        (from.read(&mut [0]).ok()? == 0).then_some(state)
    }

    /// Removes the file once the table is finished.
    pub(crate) fn remove(&self) {
        remove_leftovers(&self.path);
        let _ = std::fs::remove_file(&self.path);
    }
}

//! The archive of a run on disk: written while it goes on, read when it is taken up again.

use super::problems::PosedProblem;
use crate::proof::files::archive::{Archive, Header, claim_line, part_line};
use crate::proof::run::{ClaimRecord, Journal};
use crate::session::stage::Stage;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is written reaches the disk at most so much later; a crash loses no more.
const FLUSH_AFTER: Duration = Duration::from_secs(1);

/// An archive that is being written.
pub(super) struct JournalFile {
    path: String,
    out: Mutex<Out>,
}

struct Out {
    file: BufWriter<File>,
    flushed: Instant,
    fault: Option<String>,
}

impl JournalFile {
    /// Opens the archive of a run. With `resume` an archive of the same run is read first and then
    /// continued; without, there must be none.
    ///
    /// # Errors
    /// What is wrong with the file, in words.
    pub(super) fn open(
        path: &str,
        resume: bool,
        posed: &PosedProblem,
        stage: &Stage<'_>,
    ) -> Result<(Self, Archive), String> {
        let header = Header::of(&posed.problem, &posed.params);
        let exists = std::path::Path::new(path).exists();
        if exists && !resume {
            return Err(format!(
                "{path} exists already: say resume to go on with it, or name another file"
            ));
        }
        let fail = |error: std::io::Error| format!("cannot write {path}: {error}");
        let mut archive = Archive::default();
        let mut options = OpenOptions::new();
        let mut file = if exists {
            if !std::path::Path::new(path).is_file() {
                return Err(format!(
                    "{path} is not a regular file, so no archive can be kept there"
                ));
            }
            let (found, read) = Archive::read(&stage.read_text(path)?)
                .map_err(|error| format!("{path}: {error}"))?;
            header.agrees(&found, true).map_err(|error| format!("{path}: {error}"))?;
            archive = read;
            let file = options.write(true).open(path).map_err(fail)?;
            // What a crash left half-written is cut off.
            file.set_len(archive.good_bytes as u64).map_err(fail)?;
            drop(file);
            OpenOptions::new().append(true).open(path).map_err(fail)?
        } else {
            options.write(true).create_new(true).open(path).map_err(fail)?
        };
        if !exists {
            file.write_all(header.line().as_bytes()).map_err(fail)?;
        }
        let out = Out { file: BufWriter::new(file), flushed: Instant::now(), fault: None };
        Ok((Self { path: path.to_owned(), out: Mutex::new(out) }, archive))
    }

    fn write(&self, line: &str, now: bool) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let mut written = out.file.write_all(line.as_bytes());
        if written.is_ok() && (now || out.flushed.elapsed() >= FLUSH_AFTER) {
            out.flushed = Instant::now();
            written = out.file.flush();
        }
        if let Err(error) = written {
            out.fault.get_or_insert(format!("cannot write {}: {error}", self.path));
        }
    }

    /// Writes what is left; gives back what failed on the way.
    pub(super) fn close(self) -> Result<(), String> {
        let mut out = self.out.into_inner().unwrap_or_else(PoisonError::into_inner);
        let flushed =
            out.file.flush().map_err(|error| format!("cannot write {}: {error}", self.path));
        out.fault.map_or(flushed, Err)
    }
}

impl Journal for JournalFile {
    fn claim(&self, record: &ClaimRecord) {
        // A claim with games is worth a write of its own.
        self.write(&claim_line(record), !record.successes.is_empty());
    }

    fn part(&self, retraction: u16, claims: u64, digest: u64) {
        self.write(&part_line(retraction, claims, digest), true);
    }
}

/// Reads archives of one run and joins them.
///
/// # Errors
/// The first file that cannot be used, in words.
pub(super) fn join(paths: &[String], stage: &Stage<'_>) -> Result<(Header, Archive), String> {
    let mut joined: Option<(Header, Archive)> = None;
    for path in paths {
        let read = Archive::read(&stage.read_text(path)?);
        let (header, archive) = read.map_err(|error| format!("{path}: {error}"))?;
        match &mut joined {
            None => joined = Some((header, archive)),
            Some((first, all)) => {
                first.agrees(&header, false).map_err(|error| format!("{path}: {error}"))?;
                all.join(archive).map_err(|error| format!("{path}: {error}"))?;
            }
        }
    }
    joined.ok_or("expected archives, as written by solve with the key archive".to_owned())
}

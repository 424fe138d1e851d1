//! The archive of a run on disk: written during the run, read when the run is resumed.

use super::posed::PosedProblem;
use super::position_archive::path_of;
use super::run_file_error::RunFileError;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use umbrail_control::lock;
use umbrail_control::{claim_for_writing, write_whole};
use umbrail_proof::files::archive::{Archive, Header, claim_line, part_line};
use umbrail_proof::run::{ClaimRecord, RunArchive};
use umbrail_session::job_context::JobContext;

/// What is written reaches the disk at most so much later; a crash loses no more.
const FLUSH_AFTER: Duration = Duration::from_secs(1);

/// What was written reaches the medium at most so much later; a power failure loses no more.
const SYNC_AFTER: Duration = Duration::from_secs(5);

/// Copies of one damaged archive.
const COPIES_MAX: u32 = 99;

/// An archive that is being written.
pub(super) struct ArchiveWriter {
    path: String,
    out: Mutex<Out>,
    /// The same file, so that nobody waits for the lock while it is synced.
    medium: Mutex<Medium>,
}

/// The file, and what of it is known to be on the medium.
struct Medium {
    file: File,
    synced: Instant,
    /// Bytes written when it was last synced.
    bytes: u64,
}

struct Out {
    file: BufWriter<File>,
    flushed: Instant,
    /// Bytes of all lines, and of those that the file has.
    bytes: u64,
    written: u64,
    fault: Option<std::io::Error>,
}

impl Out {
    /// Writes what waits, if the last time is long enough ago or `now` is set.
    fn flush_due(&mut self, now: bool) -> std::io::Result<()> {
        if !self.file.buffer().is_empty() {
            if !now && self.flushed.elapsed() < FLUSH_AFTER {
                return Ok(());
            }
            self.flushed = Instant::now();
            self.file.flush()?;
        }
        self.written = self.bytes;
        Ok(())
    }
}

impl ArchiveWriter {
    /// Opens the archive of a run. With `resume` an archive of the same run is read first and then
    /// continued; without, there must be none. Damaged lines are left out of it, after the whole file was copied; what
    /// was done is reported. A file that ends within the first line, as a machine that stopped may leave it, is begun again.
    /// While it is open, no other process writes it, where the file system has locks.
    ///
    /// # Errors
    /// What is wrong with the file, in words.
    pub(super) fn open(
        path: &str,
        resume: bool,
        posed: &PosedProblem,
        job: &JobContext<'_>,
    ) -> Result<(Self, Archive, Vec<String>), RunFileError> {
        let header = Header::of(&posed.problem, &posed.params);
        let exists = Path::new(path).exists();
        if exists && !resume {
            return Err(RunFileError::Exists(path.to_owned()));
        }
        let fail = RunFileError::write(path);
        let (mut archive, mut reported) = (Archive::default(), vec![]);
        if exists {
            if !Path::new(path).is_file() {
                return Err(RunFileError::NotRegular(path.to_owned()));
            }
            // Before it is read: what another process writes later would be lost when the file is rewritten.
            let _lock = locked(path, OpenOptions::new().append(true).open(path))?;
            let text = job.read_text(path)?;
            let started = header.line().starts_with(&text);
            let text = if started { header.line() } else { text };
            let (found, mut read) = archive_of(path, &text, job)?;
            read.unterminated |= started;
            header.agrees(&found, true).map_err(RunFileError::archive(path))?;
            let copy = read.damage().map(|damage| (damage, copy_aside(path)));
            if copy.is_some() || read.unterminated {
                let whole = |out: &mut dyn Write| out.write_all(read.text(&header).as_bytes());
                write_whole(Path::new(path), whole)?;
            }
            if let Some((damage, copy)) = copy {
                let copy = copy?;
                reported.push(format!(
                    "{path}: {damage}; they are left out, and the file as it was is kept as {copy}"
                ));
            }
            archive = read;
            if let Some(why) = archive.contradictions().into_iter().next() {
                return Err(RunFileError::Contradiction { path: path.to_owned(), why });
            }
        }
        let mut options = OpenOptions::new();
        let opened = match exists {
            true => options.append(true).open(path),
            false => options.write(true).create_new(true).open(path),
        };
        let mut file = locked(path, opened)?;
        if !exists {
            file.write_all(header.line().as_bytes()).map_err(&fail)?;
        }
        let medium = file.try_clone().map_err(fail)?;
        Ok((Self::new(path, file, medium), archive, reported))
    }

    /// Writes to a file; `medium` is a second handle of it.
    fn new(path: &str, file: File, medium: File) -> Self {
        let now = Instant::now();
        let out =
            Out { file: BufWriter::new(file), flushed: now, bytes: 0, written: 0, fault: None };
        let medium = Medium { file: medium, synced: now, bytes: 0 };
        Self { path: path.to_owned(), out: Mutex::new(out), medium: Mutex::new(medium) }
    }

    fn write(&self, line: &str, now: bool) {
        let mut out = lock(&self.out);
        out.bytes += line.len() as u64;
        let written = out.file.write_all(line.as_bytes());
        let written = written.and_then(|()| out.flush_due(now));
        Self::note(&mut out, written);
    }

    /// Writes claims that have waited long enough, and syncs the file now and then. To be called during the work: the
    /// next claim may take hours. Gives back what failed on the way, so far.
    pub(super) fn keep_up(&self) -> Option<String> {
        let mut out = lock(&self.out);
        let written = out.flush_due(false);
        Self::note(&mut out, written);
        let bytes = out.written;
        drop(out);
        let synced = self.sync_due(bytes);
        let mut out = lock(&self.out);
        Self::note(&mut out, synced);
        out.fault.as_ref().map(|error| format!("cannot write {}: {error}", self.path))
    }

    /// Syncs the file, if it has grown and the last time is long enough ago. A device has nothing to sync.
    fn sync_due(&self, bytes: u64) -> std::io::Result<()> {
        let mut medium = lock(&self.medium);
        if medium.bytes == bytes || medium.synced.elapsed() < SYNC_AFTER {
            return Ok(());
        }
        (medium.bytes, medium.synced) = (bytes, Instant::now());
        medium.file.sync_data()
    }

    fn note(out: &mut Out, written: std::io::Result<()>) {
        if let Err(error) = written {
            out.fault.get_or_insert(error);
        }
    }

    /// Writes what is left; gives back what failed on the way.
    pub(super) fn close(self) -> Result<(), RunFileError> {
        let mut out = self.out.into_inner().unwrap_or_else(PoisonError::into_inner);
        let written = out.file.flush().and_then(|()| out.file.get_ref().sync_all());
        out.fault.map_or(written, Err).map_err(RunFileError::write(&self.path))
    }
}

impl RunArchive for ArchiveWriter {
    fn claim(&self, record: &ClaimRecord) {
        // A claim with games is worth a write of its own.
        self.write(&claim_line(record), !record.successes.is_empty());
    }

    fn part(&self, retraction: u16, claims: u64, digest: u64) {
        self.write(&part_line(retraction, claims, digest), true);
    }
}

/// An archive that was opened for writing, which no other process writes.
fn locked(path: &str, opened: std::io::Result<File>) -> Result<File, RunFileError> {
    let file = opened.map_err(RunFileError::write(path))?;
    if !claim_for_writing(&file) {
        return Err(RunFileError::Busy(path.to_owned()));
    }
    Ok(file)
}

/// The archive that a text is; damaged lines are left out.
fn archive_of(
    path: &str,
    text: &str,
    job: &JobContext<'_>,
) -> Result<(Header, Archive), RunFileError> {
    Archive::read(text, &|| job.is_over()).map_err(RunFileError::archive(path))
}

/// Copies a file to a name beside it that is not taken, and gives back that name.
fn copy_aside(path: &str) -> Result<String, RunFileError> {
    for number in 1..=COPIES_MAX {
        let number = if number == 1 { String::new() } else { number.to_string() };
        let copy = format!("{path}.damaged{number}");
        let fail = |source| {
            let (path, copy) = (path.to_owned(), copy.clone());
            RunFileError::Copy { path, copy, source }
        };
        match OpenOptions::new().write(true).create_new(true).open(&copy) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(fail(error)),
            Ok(mut out) => {
                let copied =
                    File::open(path).and_then(|mut file| std::io::copy(&mut file, &mut out));
                copied.and_then(|_| out.sync_all()).map_err(fail)?;
                return Ok(copy);
            }
        }
    }
    Err(RunFileError::Copies { path: path.to_owned(), count: COPIES_MAX })
}

/// Archives of one run, put together.
pub(super) struct JoinedArchives {
    /// The header of the first one.
    pub(super) header: Header,
    pub(super) archive: Archive,
    /// What is damaged, in words.
    pub(super) damage: Vec<String>,
    /// The number of shards that the run was divided into; 1 for a whole run, the largest where archives differ in it.
    pub(super) shards: u64,
}

/// Reads archives of one run and joins them. An empty file, as a machine that stopped may leave it, counts as damaged.
///
/// # Errors
/// The first file that cannot be used, in words.
pub(super) fn join(paths: &[String], job: &JobContext<'_>) -> Result<JoinedArchives, RunFileError> {
    let mut joined: Option<(Header, Archive, u64)> = None;
    let mut reported = vec![];
    for path in paths {
        if !Path::new(path).exists() && Path::new(&path_of(path)).exists() {
            return Err(RunFileError::OnlyPositions(path.clone()));
        }
        let text = job.read_text(path)?;
        if text.is_empty() && paths.len() > 1 {
            reported.push(format!("{path}: the file is empty"));
            continue;
        }
        let (header, archive) = archive_of(path, &text, job)?;
        reported.extend(archive.damage().map(|damage| format!("{path}: {damage}")));
        match &mut joined {
            None => {
                let (_, shards) = header.shard();
                joined = Some((header, archive, shards));
            }
            Some((first, all, shards)) => {
                let joined = first.agrees(&header, false).and_then(|()| all.join(archive));
                joined.map_err(RunFileError::archive(path))?;
                *shards = header.shard().1.max(*shards);
            }
        }
    }
    let (header, archive, shards) = joined.ok_or(RunFileError::NoArchive)?;
    Ok(JoinedArchives { header, archive, damage: reported, shards })
}

#[cfg(test)]
mod tests {
    use super::{ArchiveWriter, FLUSH_AFTER, File, SYNC_AFTER, lock};

    #[test]
    fn a_claim_does_not_wait_for_the_next_one() {
        let path = std::env::temp_dir().join(format!("umbrail-journal-{}", std::process::id()));
        let file = File::create(&path).expect("a file");
        let medium = file.try_clone().expect("a handle");
        let journal = ArchiveWriter::new(&path.to_string_lossy(), file, medium);
        let kept = || std::fs::read_to_string(&path).expect("the file");
        journal.write("first\n", true);
        journal.write("second\n", false);
        assert_eq!(journal.keep_up(), None);
        assert_eq!(kept(), "first\n");
        std::thread::sleep(FLUSH_AFTER);
        assert_eq!(journal.keep_up(), None);
        assert_eq!(kept(), "first\nsecond\n");
        // It is synced at intervals, not with each line.
        let synced = || lock(&journal.medium).bytes;
        assert_eq!(synced(), 0);
        lock(&journal.medium).synced -= SYNC_AFTER;
        assert_eq!(journal.keep_up(), None);
        assert_eq!(synced(), 13);
        journal.close().expect("written");
        std::fs::remove_file(&path).expect("removed");
    }
}

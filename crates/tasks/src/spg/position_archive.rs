//! The archive of a search of positions on disk: replaced as a whole during the run, read when the
//! run is resumed.

use super::notify;
use super::run_file_error::RunFileError;
use super::sheet_problem::SheetProblem;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use umbrail_control::{UnsavedWork, claim_for_writing, lock, write_whole};
use umbrail_proof::positions::{
    CountArchive, CountKeeper, CountQuestion, EarlierWork, KnownCounts,
};
use umbrail_session::job_context::JobContext;

/// End of the file's name, after the name of the archive.
const EXTENSION: &str = ".positions";

/// Returns the file of the search of positions that belongs to an archive.
pub(super) fn path_of(archive: &str) -> String {
    format!("{archive}{EXTENSION}")
}

/// An archive of the search of positions that is being written.
pub(super) struct PositionArchive {
    path: String,
    question: CountQuestion,
    earlier: Option<CountArchive>,
    state: Mutex<Kept>,
}

/// What of the archive is on disk.
#[derive(Default)]
struct Kept {
    /// The file, which no other process writes while it is open.
    lock: Option<File>,
    /// Work of the last archive that was written.
    work: EarlierWork,
    /// Why it could not be written.
    fault: Option<RunFileError>,
}

impl PositionArchive {
    /// Opens the archive of a problem beside `archive`. With `resume` an archive of the same problem is read first; without,
    /// there must be none. While it is open, no other process writes it, where the file system has locks.
    ///
    /// # Errors
    /// What is wrong with the file, in words.
    pub(super) fn open(
        archive: &str,
        resume: bool,
        problem: &SheetProblem,
        job: &JobContext<'_>,
    ) -> Result<Self, RunFileError> {
        let (path, question) = (path_of(archive), problem.question());
        let place = PathBuf::from(&path);
        let mut kept = Kept::default();
        let mut earlier = None;
        if place.exists() {
            if !resume {
                return Err(RunFileError::Exists(path));
            }
            if !place.is_file() {
                return Err(RunFileError::NotRegular(path));
            }
            kept.lock = Some(locked(&path)?);
            let bytes = job.read_file(&place)?;
            let read = CountArchive::read(&bytes, &question);
            let read =
                read.map_err(|source| RunFileError::Counts { path: path.clone(), source })?;
            kept.work = read.work;
            earlier = Some(read);
        }
        Ok(Self { path, question, earlier, state: Mutex::new(kept) })
    }

    /// Returns what failed so far.
    pub(super) fn fault(&self) -> Option<String> {
        lock(&self.state).fault.as_ref().map(ToString::to_string)
    }
}

impl CountKeeper for PositionArchive {
    fn earlier(&self) -> Option<&CountArchive> {
        self.earlier.as_ref()
    }

    fn save(&self, known: &KnownCounts<'_>) {
        let _unsaved = UnsavedWork::announce();
        let mut kept = lock(&self.state);
        let write = |out: &mut dyn std::io::Write| known.write(&self.question, out);
        let written = write_whole(Path::new(&self.path), write).map_err(RunFileError::from);
        // The new file has no lock yet.
        match written.and_then(|()| locked(&self.path)) {
            Ok(file) => *kept = Kept { lock: Some(file), work: known.work(), fault: None },
            Err(fault) => kept.fault = Some(fault),
        }
    }
}

/// An archive that reports to a job what it cannot write, once.
pub(super) struct ReportingKeeper<'a> {
    pub archive: &'a PositionArchive,
    pub job: &'a JobContext<'a>,
}

impl CountKeeper for ReportingKeeper<'_> {
    fn earlier(&self) -> Option<&CountArchive> {
        self.archive.earlier()
    }

    fn save(&self, known: &KnownCounts<'_>) {
        let before = self.archive.fault();
        self.archive.save(known);
        // The work continues, but a user may want to make room.
        if let Some(fault) = self.archive.fault().filter(|_| before.is_none()) {
            self.job.message(notify::warning(format!("warning: {fault}")));
        }
    }
}

/// Opens a file that no other process writes.
fn locked(path: &str) -> Result<File, RunFileError> {
    let opened = File::options().append(true).open(path).map_err(RunFileError::write(path))?;
    match claim_for_writing(&opened) {
        true => Ok(opened),
        false => Err(RunFileError::Busy(path.to_owned())),
    }
}

//! The files that one run of proof games reads and writes: archive and strategies.

use super::archive_writer::ArchiveWriter;
use super::keep::{self, StrategyFile};
use super::posed::PosedProblem;
use super::run_file_error::RunFileError;
use std::path::PathBuf;
use umbrail_proof::files::archive::Archive;
use umbrail_proof::run::{Persistence, RunArchive, RunReport, StrategyList, StrategySink};
use umbrail_session::domain::Task;
use umbrail_session::job_context::JobContext;
use umbrail_session::task_error::TaskError;

/// The files that one run keeps beside its results.
#[derive(Default)]
pub(super) struct RunFiles {
    pub(super) archive: Option<(ArchiveWriter, Archive)>,
    pub(super) resumed: bool,
    kept: Option<StrategyFile>,
    read: Option<StrategyList>,
    /// What the user should know about them.
    pub(super) reported: Vec<String>,
}

impl RunFiles {
    pub(super) fn open(
        task: &Task,
        posed: &mut PosedProblem,
        job: &JobContext<'_>,
    ) -> Result<Self, TaskError> {
        let resumed = task.key("resume").is_some();
        let mut reported = vec![];
        let read = match task.key("strategies-in") {
            None => None,
            Some(path) => {
                let (list, faults) = keep::read(path, posed, job)?;
                reported.extend(faults);
                Some(list)
            }
        };
        let kept = task.key("strategies-out");
        let kept = kept.map(|path| StrategyFile::create(path, posed)).transpose()?;
        let archive = match task.key("archive") {
            None => None,
            Some(path) => {
                let (file, archive, faults) = ArchiveWriter::open(path, resumed, posed, job)?;
                reported.extend(faults);
                Some((file, archive))
            }
        };
        Ok(Self { archive, resumed, kept, read, reported })
    }

    pub(super) fn keeping(&self) -> Persistence<'_> {
        Persistence {
            done: self.archive.as_ref().map(|(_, done)| &done.claims),
            trees: self.archive.as_ref().map(|(_, done)| done.trees()),
            journal: self.archive.as_ref().map(|(journal, _)| journal as &dyn RunArchive),
            strategies: self.read.as_ref(),
            sink: self.kept.as_ref().map(|kept| kept as &dyn StrategySink),
        }
    }

    /// What has failed so far. What has waited long enough is written to the archive.
    pub(super) fn faults(&self) -> Vec<String> {
        let archive = self.archive.as_ref().and_then(|(journal, _)| journal.keep_up());
        archive.into_iter().chain(self.kept.as_ref().and_then(StrategyFile::fault)).collect()
    }

    /// Ends all files; gives back what failed.
    pub(super) fn close(self, report: &RunReport) -> Vec<String> {
        let archive = self.archive.map_or(Ok(()), |(journal, _)| journal.close());
        let kept = self.kept.map_or(Ok(()), |kept| kept.close(report));
        [archive, kept].into_iter().filter_map(|end| Some(end.err()?.to_string())).collect()
    }
}

/// The folder with an archive for each problem of a sheet, so that a stopped sheet can be resumed.
pub(super) struct SheetArchives {
    folder: PathBuf,
    resumed: bool,
}

impl SheetArchives {
    /// The folder that the task names, made if it is absent; none without a word of it.
    ///
    /// # Errors
    /// It cannot be made, or has archives and the task does not resume them.
    pub(super) fn open(task: &Task) -> Result<Option<Self>, TaskError> {
        let Some(folder) = task.key("archive").map(PathBuf::from) else { return Ok(None) };
        let resumed = task.key("resume").is_some();
        std::fs::create_dir_all(&folder).map_err(|error| {
            format!("{}: {error}; a sheet keeps its archives in a folder", folder.display())
        })?;
        Ok(Some(Self { folder, resumed }))
    }

    /// The files of a problem, which is known by its number on the sheet.
    ///
    /// # Errors
    /// What is wrong with its archive: for example that it is of another problem.
    pub(super) fn of(
        &self,
        number: usize,
        posed: &PosedProblem,
        job: &JobContext<'_>,
    ) -> Result<RunFiles, RunFileError> {
        let path = self.folder.join(format!("{number}.spga")).to_string_lossy().into_owned();
        let (file, archive, reported) = ArchiveWriter::open(&path, self.resumed, posed, job)?;
        let archive = Some((file, archive));
        Ok(RunFiles { archive, resumed: self.resumed, reported, ..RunFiles::default() })
    }
}

/// Failures so far of the files that are written during the work.
pub(super) type FileFaults<'a> = &'a (dyn Fn() -> Vec<String> + Sync);

/// No files are written.
pub(super) const NO_FAULTS: FileFaults<'_> = &Vec::new;

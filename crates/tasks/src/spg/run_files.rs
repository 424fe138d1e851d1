//! The files that one run of proof games reads and writes: archive and strategies.

use super::archive_writer::ArchiveWriter;
use super::keep::{self, StrategyFile};
use super::position_archive::PositionArchive;
use super::run_file_error::RunFileError;
use super::sheet_problem::SheetProblem;
use std::path::PathBuf;
use umbrail_proof::files::archive::Archive;
use umbrail_proof::positions::{CountArchive, CountKeeper as _};
use umbrail_proof::run::{
    Persistence, RunArchive, RunReport, SolverChoice, StrategyList, StrategySink,
};
use umbrail_session::domain::Task;
use umbrail_session::job_context::JobContext;
use umbrail_session::task_error::TaskError;

/// The files that one run keeps beside its results.
#[derive(Default)]
pub(super) struct RunFiles {
    pub(super) archive: Option<(ArchiveWriter, Archive)>,
    pub(super) positions: Option<PositionArchive>,
    /// The archive as the user names it.
    pub(super) name: Option<String>,
    pub(super) resumed: bool,
    kept: Option<StrategyFile>,
    read: Option<StrategyList>,
    /// What the user should know about them.
    pub(super) reported: Vec<String>,
}

impl RunFiles {
    pub(super) fn open(
        task: &Task,
        problem: &mut SheetProblem,
        job: &JobContext<'_>,
    ) -> Result<Self, TaskError> {
        let resumed = task.key("resume").is_some();
        let archives = match task.key("archive") {
            None => Self::default(),
            Some(path) => Self::archives(path, resumed, problem, job)?,
        };
        // The keys of other files belong to strategies, and are refused with the problem.
        let SheetProblem::Chess(posed) = problem else { return Ok(archives) };
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
        reported.extend(archives.reported);
        Ok(Self { kept, read, reported, ..archives })
    }

    /// Opens the archives of the solvers that work on a problem.
    fn archives(
        path: &str,
        resumed: bool,
        problem: &SheetProblem,
        job: &JobContext<'_>,
    ) -> Result<Self, RunFileError> {
        let mut files = Self { name: Some(path.to_owned()), resumed, ..Self::default() };
        let solver = match problem {
            SheetProblem::Chess(posed) => posed.params.solver,
            SheetProblem::Fairy(_) => SolverChoice::Positions,
        };
        if solver != SolverChoice::Strategies {
            files.positions = Some(PositionArchive::open(path, resumed, problem, job)?);
        }
        if let SheetProblem::Chess(posed) = problem
            && solver != SolverChoice::Positions
        {
            let (file, archive, faults) = ArchiveWriter::open(path, resumed, posed, job)?;
            files.archive = Some((file, archive));
            files.reported = faults;
        }
        Ok(files)
    }

    /// Returns what a run continues from, if it continues: the archives of strategies and of positions.
    pub(super) fn continued(&self) -> Option<(Option<&Archive>, Option<&CountArchive>)> {
        let claims = self.archive.as_ref().map(|(_, done)| done);
        let counts = self.positions.as_ref().and_then(|archive| archive.earlier());
        (self.resumed && (claims.is_some() || counts.is_some())).then_some((claims, counts))
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
        let kept = self.kept.as_ref().and_then(StrategyFile::fault);
        let positions = self.positions.as_ref().and_then(PositionArchive::fault);
        [archive, kept, positions].into_iter().flatten().collect()
    }

    /// Ends all files; gives back what failed.
    pub(super) fn close(self, report: &RunReport) -> Vec<String> {
        let archive = self.archive.map_or(Ok(()), |(journal, _)| journal.close());
        let kept = self.kept.map_or(Ok(()), |kept| kept.close(report));
        let ends = [archive, kept].into_iter().filter_map(|end| Some(end.err()?.to_string()));
        ends.chain(self.positions.and_then(|positions| positions.fault())).collect()
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
        problem: &SheetProblem,
        job: &JobContext<'_>,
    ) -> Result<RunFiles, RunFileError> {
        let path = self.folder.join(format!("{number}.spga")).to_string_lossy().into_owned();
        RunFiles::archives(&path, self.resumed, problem, job)
    }
}

/// Failures so far of the files that are written during the work.
pub(super) type FileFaults<'a> = &'a (dyn Fn() -> Vec<String> + Sync);

/// No files are written.
pub(super) const NO_FAULTS: FileFaults<'_> = &Vec::new;

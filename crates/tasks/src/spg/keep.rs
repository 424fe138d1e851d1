//! The file of strategies of a run: written during the run, or read instead of enumerating.

use super::posed::PosedProblem;
use super::run_file_error::RunFileError;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use umbrail_control::lock;
use umbrail_proof::Strategy;
use umbrail_proof::files::strategy_file::{self, FileDigest};
use umbrail_proof::run::{RunReport, StrategyList, StrategyNumber, StrategySink};
use umbrail_session::job_context::JobContext;

/// A killed process loses the strategies of this time at most.
const FLUSH_AFTER: Duration = Duration::from_secs(1);

/// A file of strategies that is being written. It has another name until it is complete, so a file of an earlier run
/// stays until then, and what was written is not lost when the process is killed.
pub(super) struct StrategyFile {
    path: String,
    /// Where it is written; none for a device or a pipe.
    partial: Option<String>,
    out: Mutex<Out>,
}

struct Out {
    file: BufWriter<File>,
    flushed: Instant,
    count: u64,
    digest: FileDigest,
    fault: Option<std::io::Error>,
}

impl StrategyFile {
    /// Begins the file of a run.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub(super) fn create(path: &str, posed: &PosedProblem) -> Result<Self, RunFileError> {
        let other = std::fs::metadata(path).is_ok_and(|data| !data.is_file());
        let partial = (!other).then(|| format!("{path}.partial"));
        let written = partial.as_deref().unwrap_or(path);
        let fail = RunFileError::write(written);
        let mut file = BufWriter::new(File::create(written).map_err(&fail)?);
        let head = strategy_file::head(&posed.problem, posed.params.retraction);
        file.write_all(head.as_bytes()).map_err(fail)?;
        let digest = FileDigest::new(&head);
        let out = Mutex::new(Out { file, flushed: Instant::now(), count: 0, digest, fault: None });
        Ok(Self { path: path.to_owned(), partial, out })
    }

    /// What failed on the way, so far.
    pub(super) fn fault(&self) -> Option<String> {
        let out = lock(&self.out);
        out.fault.as_ref().map(|error| format!("cannot write {}: {error}", self.path))
    }

    /// Writes the last line and gives the file its name; gives back what failed on the way.
    pub(super) fn close(self, report: &RunReport) -> Result<(), RunFileError> {
        let fail = RunFileError::write(&self.path);
        let mut out = self.out.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(fault) = out.fault {
            return Err(fail(fault));
        }
        let tail = strategy_file::tail(out.count, report.enumerated, out.digest);
        out.file.write_all(tail.as_bytes()).map_err(&fail)?;
        out.file.flush().map_err(&fail)?;
        match &self.partial {
            Some(partial) => {
                let synced = out.file.get_ref().sync_all();
                synced.and_then(|()| std::fs::rename(partial, &self.path)).map_err(fail)
            }
            None => Ok(()),
        }
    }
}

impl StrategySink for StrategyFile {
    fn keep(&self, number: StrategyNumber, free: [i32; 2], strategy: &Strategy) {
        let line = strategy_file::line(number, free, strategy);
        let mut out = lock(&self.out);
        out.count += 1;
        out.digest.add(&line);
        let mut written = out.file.write_all(line.as_bytes());
        if written.is_ok() && out.flushed.elapsed() >= FLUSH_AFTER {
            out.flushed = Instant::now();
            written = out.file.flush();
        }
        if let Err(error) = written {
            out.fault.get_or_insert(error);
        }
    }
}

/// Reads a file of strategies for a problem that is posed: the retraction is the file's. Lines that are left out, and
/// what follows from them, are reported.
///
/// # Errors
/// What is wrong with the file, with its line and column, or that it is of another problem.
pub(super) fn read(
    path: &str,
    posed: &mut PosedProblem,
    job: &JobContext<'_>,
) -> Result<(StrategyList, Vec<String>), RunFileError> {
    let text = job.read_text(path)?;
    let (list, faults) = strategy_file::read(&text, &|| job.is_over())
        .map_err(|source| RunFileError::Strategies { path: path.to_owned(), source })?;
    if list.problem != posed.problem {
        let (path, problem) = (path.to_owned(), Box::new(list.problem));
        return Err(RunFileError::OtherProblem { path, problem });
    }
    posed.params.retraction = list.retraction;
    let faults = faults.iter();
    let mut reported: Vec<String> =
        faults.map(|fault| format!("{path}:{fault}; the line is left out")).collect();
    if !list.complete {
        reported.push(format!(
            "{path} does not have all strategies of the problem, or was changed, so the verdict will be partial"
        ));
    }
    Ok((list, reported))
}

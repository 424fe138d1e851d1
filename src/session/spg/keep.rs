//! The file of strategies of a run: written while it goes on, or read instead of seeking.

use super::problems::PosedProblem;
use crate::proof::Strategy;
use crate::proof::files::strategy_file;
use crate::proof::run::{RunReport, StrategyList, StrategyNumber, StrategySink};
use crate::session::stage::Stage;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::{Mutex, PoisonError};

/// A file of strategies that is being written.
pub(super) struct StrategyFile {
    path: String,
    out: Mutex<Out>,
}

struct Out {
    file: BufWriter<File>,
    count: u64,
    fault: Option<String>,
}

impl StrategyFile {
    /// Begins the file of a run.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub(super) fn create(path: &str, posed: &PosedProblem) -> Result<Self, String> {
        let fail = |error: std::io::Error| format!("cannot write {path}: {error}");
        let mut file = BufWriter::new(File::create(path).map_err(fail)?);
        let head = strategy_file::head(&posed.problem, posed.params.retraction);
        file.write_all(head.as_bytes()).map_err(fail)?;
        let out = Mutex::new(Out { file, count: 0, fault: None });
        Ok(Self { path: path.to_owned(), out })
    }

    fn write(&self, text: &str, count: u64) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        out.count += count;
        if let Err(error) = out.file.write_all(text.as_bytes()) {
            out.fault.get_or_insert(format!("cannot write {}: {error}", self.path));
        }
    }

    /// Writes the last line; gives back what failed on the way.
    pub(super) fn close(self, report: &RunReport) -> Result<(), String> {
        let count = self.out.lock().unwrap_or_else(PoisonError::into_inner).count;
        self.write(&strategy_file::tail(count, report.sought), 0);
        let mut out = self.out.into_inner().unwrap_or_else(PoisonError::into_inner);
        let flushed =
            out.file.flush().map_err(|error| format!("cannot write {}: {error}", self.path));
        out.fault.map_or(flushed, Err)
    }
}

impl StrategySink for StrategyFile {
    fn keep(&self, number: StrategyNumber, free: [i32; 2], strategy: &Strategy) {
        self.write(&strategy_file::line(number, free, strategy), 1);
    }
}

/// Reads a file of strategies for a problem that is posed: the retraction is the file's.
///
/// # Errors
/// What is wrong with the file, with its line and column, or that it is of another problem.
pub(super) fn read(
    path: &str,
    posed: &mut PosedProblem,
    stage: &Stage<'_>,
) -> Result<StrategyList, String> {
    let text = stage.read_text(path)?;
    let kept = strategy_file::read(&text).map_err(|error| format!("{path}:{error}"))?;
    if kept.problem != posed.problem {
        return Err(format!(
            "{path} has the strategies of {} in {} half-moves ({}), not of this problem",
            kept.problem.diagram,
            kept.problem.plies,
            if kept.problem.length == posed.problem.length {
                "same length"
            } else {
                "other length"
            }
        ));
    }
    posed.params.retraction = kept.retraction;
    Ok(kept)
}

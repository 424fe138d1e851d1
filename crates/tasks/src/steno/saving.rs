//! Checkpoint file: the work that `$` saves and continues from, and unfinished work that is saved
//! periodically.

use super::{ReadFile, StenoMemory};
use crate::results::{ResultFileError, write_result};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use umbrail_control::{ReadError, lock};
use umbrail_session::task_error::TaskError;
use umbrail_steno::checkpoint::{Checkpoint, CheckpointError, ReusableLayers};
use umbrail_steno::{StenoEnd, StenoEvent, StenoOutcome, StenoRequest, UnfinishedSteno};

/// Minimum time between saves of unfinished work; saves happen when a turn is done.
const EVERY: Duration = Duration::from_secs(5);

/// File for the work of one task, and the outcome of saving.
pub(super) struct Saving {
    file: Option<String>,
    /// The file holds a checkpoint of `$`, so unfinished work must not replace it.
    holds_checkpoint: Mutex<bool>,
    notes: Vec<String>,
    faults: Mutex<Vec<String>>,
}

/// Reason why saved work cannot be continued.
#[derive(Debug, thiserror::Error)]
pub(super) enum SavedWorkError {
    /// No work was saved in this process, and no file is named.
    #[error("'$' at the beginning: nothing was saved here; name the file with 'checkpoint'")]
    Nothing,
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The checkpoint cannot be used.
    #[error("{path}: {source}")]
    Checkpoint { path: String, source: CheckpointError },
    /// The file has other contents.
    #[error("{0} is not a checkpoint, so it is not overwritten")]
    OtherFile(String),
}

impl From<SavedWorkError> for TaskError {
    fn from(error: SavedWorkError) -> Self {
        Self::of(error)
    }
}

impl Saving {
    pub(super) fn new(file: Option<&str>) -> Self {
        Self {
            file: file.map(str::to_owned),
            holds_checkpoint: Mutex::new(false),
            notes: Vec::new(),
            faults: Mutex::default(),
        }
    }

    /// Returns the checkpoint that a steno starting with `$` continues from.
    pub(super) fn checkpoint(
        &mut self,
        memory: &StenoMemory,
        read: ReadFile<'_>,
    ) -> Result<Arc<Checkpoint>, SavedWorkError> {
        let Some(path) = &self.file else {
            let kept = memory.with(|kept| kept.checkpoint.clone());
            return kept.ok_or(SavedWorkError::Nothing);
        };
        let saved = Checkpoint::from_bytes(&read(path)?);
        *self.holds_checkpoint.get_mut().unwrap_or_else(PoisonError::into_inner) = true;
        let path = path.clone();
        saved.map(Arc::new).map_err(|source| SavedWorkError::Checkpoint { path, source })
    }

    /// Returns the layers of an unfinished search, if the file has any. A file of another origin is
    /// not overwritten.
    pub(super) fn unfinished(
        &mut self,
        read: ReadFile<'_>,
    ) -> Result<Option<Arc<ReusableLayers>>, SavedWorkError> {
        let Some(path) = &self.file else { return Ok(None) };
        if !Path::new(path).is_file() {
            return Ok(None);
        }
        let bytes = read(path)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if !UnfinishedSteno::is_one(&bytes) {
            return match Checkpoint::from_bytes(&bytes) {
                Err(CheckpointError::NotOne) => Err(SavedWorkError::OtherFile(path.clone())),
                Err(error) => {
                    self.notes.push(format!("{path}: {error}; it will be rewritten"));
                    Ok(None)
                }
                Ok(_) => {
                    *self.holds_checkpoint.get_mut().unwrap_or_else(PoisonError::into_inner) = true;
                    Ok(None)
                }
            };
        }
        match UnfinishedSteno::from_bytes(&bytes) {
            Ok(work) => {
                let turns = work.turns();
                let parts = if work.is_in_parts() { ", and later parts" } else { "" };
                self.notes.push(format!(
                    "{path} holds unfinished work up to turn {turns}{parts}; repeated work is skipped"
                ));
                Ok(Some(Arc::clone(work.layers())))
            }
            Err(error) => {
                self.notes.push(format!("{path}: {error}; the work starts over"));
                Ok(None)
            }
        }
    }

    /// Returns the interval at which the solver reports unfinished work.
    pub(super) fn every(&self) -> Option<Duration> {
        (self.file.is_some() && !self.holds_checkpoint()).then_some(EVERY)
    }

    /// Returns the notes on the file, reported before the work starts.
    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Saves reported work, and reports the save; returns nothing for other facts.
    pub(super) fn save(
        &self,
        request: &StenoRequest,
        fact: &StenoEvent,
    ) -> Option<Result<String, ResultFileError>> {
        let (bytes, what) = match (fact, &self.file) {
            (StenoEvent::Saved(saved), None) => {
                return Some(Ok(format!(
                    "'$': the work up to turn {} ({} positions) is kept until the program ends; \
                     'checkpoint FILE' saves it",
                    saved.turns(),
                    saved.positions()
                )));
            }
            (StenoEvent::Saved(saved), Some(_)) => {
                self.note_checkpoint();
                let (turns, positions) = (saved.turns(), saved.positions());
                (saved.to_bytes(), format!("the work up to turn {turns} ({positions} positions)"))
            }
            (StenoEvent::Unfinished(work), Some(_)) if !self.holds_checkpoint() => {
                let parts = if work.is_in_parts() { ", and later parts" } else { "" };
                let what = format!("unfinished work up to turn {}{parts}", work.turns());
                (work.to_bytes(request), what)
            }
            _ => return None,
        };
        let path = self.file.as_deref()?;
        Some(match write_result(Path::new(path), &bytes) {
            Ok(()) => Ok(format!("saved {what} in {path}")),
            Err(why) => {
                lock(&self.faults).push(why.to_string());
                Err(why)
            }
        })
    }

    /// Saves the work of a search that ended early, and reports the outcome of a `$`.
    pub(super) fn finish(
        &self,
        request: &StenoRequest,
        answer: &StenoOutcome,
        lookahead: bool,
    ) -> Option<String> {
        if answer.ended != StenoEnd::Complete
            && self.every().is_some()
            && let work = UnfinishedSteno::new(Arc::clone(&answer.reusable_layers), lookahead)
            && work.turns() > 0
        {
            return self.save(request, &StenoEvent::Unfinished(work))?.ok();
        }
        let wanted = request.steno.checkpoint().is_some() && request.resume.is_none();
        let missing = wanted && answer.checkpoint.is_none();
        let why = match answer.ended {
            StenoEnd::Complete => "memory is too short for all positions there",
            _ => "it was not reached",
        };
        missing.then(|| format!("'$' saved nothing: {why}"))
    }

    /// Returns the files that could not be written, with the reasons.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = std::mem::take(&mut *lock(&self.faults));
        faults.dedup();
        faults
    }

    fn holds_checkpoint(&self) -> bool {
        *lock(&self.holds_checkpoint)
    }

    fn note_checkpoint(&self) {
        *lock(&self.holds_checkpoint) = true;
    }
}

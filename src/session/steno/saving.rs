//! The file of a checkpoint: what `$` saves and continues from, and unfinished work that is saved now and then.

use super::{ReadFile, StenoMemory};
use crate::control::lock;
use crate::session::results::write_result;
use crate::steno::checkpoint::{Checkpoint, CheckpointError, ReusableLayers};
use crate::steno::{StenoEnd, StenoEvent, StenoOutcome, StenoRequest, UnfinishedSteno};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Unfinished work is saved when a turn is done and this time has passed.
const EVERY: Duration = Duration::from_secs(5);

/// Where the work of one task is saved, and what has become of it.
pub(super) struct Saving {
    file: Option<String>,
    /// The file holds what `$` saved, so unfinished work has no place there.
    holds_checkpoint: Mutex<bool>,
    notes: Vec<String>,
    faults: Mutex<Vec<String>>,
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

    /// What a steno that begins with `$` continues from.
    pub(super) fn checkpoint(
        &mut self,
        memory: &StenoMemory,
        read: ReadFile<'_>,
    ) -> Result<Arc<Checkpoint>, String> {
        let Some(path) = &self.file else {
            return memory.with(|kept| kept.checkpoint.clone()).ok_or_else(|| {
                "'$' at the beginning: nothing was saved here; name the file with 'checkpoint'"
                    .to_owned()
            });
        };
        let saved = Checkpoint::from_bytes(&read(path)?);
        *self.holds_checkpoint.get_mut().unwrap_or_else(PoisonError::into_inner) = true;
        saved.map(Arc::new).map_err(|error| format!("{path}: {error}"))
    }

    /// The layers of a search that was not finished, if the file has some. A file that is none of this program's
    /// is not overwritten.
    pub(super) fn unfinished(
        &mut self,
        read: ReadFile<'_>,
    ) -> Result<Option<Arc<ReusableLayers>>, String> {
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
                Err(CheckpointError::NotOne) => {
                    Err(format!("{path} is no checkpoint, and is not overwritten"))
                }
                Err(error) => {
                    self.notes.push(format!("{path}: {error}; it will be written anew"));
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
                let parts = if work.is_in_parts() { ", and parts behind it" } else { "" };
                self.notes.push(format!(
                    "{path} holds unfinished work up to turn {turns}{parts}; what is the same here is not done again"
                ));
                Ok(Some(Arc::clone(work.layers())))
            }
            Err(error) => {
                self.notes.push(format!("{path}: {error}; the work begins anew"));
                Ok(None)
            }
        }
    }

    /// How often the solver tells unfinished work.
    pub(super) fn every(&self) -> Option<Duration> {
        (self.file.is_some() && !self.holds_checkpoint()).then_some(EVERY)
    }

    /// What a user is told of the file before the work begins.
    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Saves the work that is told, and says so when it is done; none for other facts.
    pub(super) fn save(
        &self,
        request: &StenoRequest,
        fact: &StenoEvent,
    ) -> Option<Result<String, String>> {
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
                let parts = if work.is_in_parts() { ", and parts behind it" } else { "" };
                let what = format!("unfinished work up to turn {}{parts}", work.turns());
                (work.to_bytes(request), what)
            }
            _ => return None,
        };
        let path = self.file.as_deref()?;
        Some(match write_result(Path::new(path), &bytes) {
            Ok(()) => Ok(format!("saved {what} in {path}")),
            Err(why) => {
                lock(&self.faults).push(why.clone());
                Err(why)
            }
        })
    }

    /// Saves what a search that was ended early has done, and says what became of a `$`.
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

    /// Files that could not be written, and why.
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

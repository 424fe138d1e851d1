//! Work that pages ask for: short questions that are answered at once, and runs that live in a folder.

mod desk;
mod lock;
mod progress;
mod request;
mod run;
mod runs;

pub(super) use desk::{Answer, Desk};
pub(super) use progress::Progress;
pub(super) use request::{ProofRequest, RunRequest, SheetRequest, StenoRequest, TableRequest};
pub(super) use run::{Run, RunState};
pub(super) use runs::{Runs, StartError};

//! Work that pages request: short questions that are answered at once, and runs that live in a
//! folder.

mod desk;
mod desks;
mod lock;
mod progress;
mod records;
mod request;
mod run;
mod runs;
mod start_error;

pub(super) use desk::{Desk, DeskError};
pub(super) use desks::Desks;
pub(super) use progress::Progress;
pub(super) use records::Records;
pub(super) use request::{
    ARCHIVE, ProofRequest, RunRequest, SheetRequest, StenoRequest, SurveyRequest, TableRequest,
};
pub(super) use run::{Run, RunState};
pub(super) use runs::Runs;
pub(super) use start_error::StartError;

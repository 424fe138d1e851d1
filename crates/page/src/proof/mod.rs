//! Proof games: an editor for the problem, and the page of a run.

mod check;
mod conditions;
mod cooks;
mod edit;
mod fairy;
mod run;
mod sheet;
mod upload;

pub(super) use check::check;
pub(super) use edit::{begin, edit};
pub(super) use run::run;
pub(super) use sheet::{begin_sheet, sheet, sheet_problem, sheet_run};
pub(super) use upload::upload;

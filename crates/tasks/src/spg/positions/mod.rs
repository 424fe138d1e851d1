//! The search of positions as a solver of `spg solve`: its runs, and its comparison with strategies.

mod comparison;
mod run;

pub(super) use comparison::compared;
pub(super) use run::{count, settings};

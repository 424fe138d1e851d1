//! The native half of the Python module `umbrail`: solvers as jobs that run on threads of their own, and what they answer
//! as plain Python values. The other half, `python/umbrail`, gives these values types and documentation; nothing here is
//! meant to be called by users.

mod drawing;
mod engine;
mod fairy;
mod job;
mod positions;
mod proof;
mod sheet;
mod steno;
mod table;

use pyo3::prelude::*;

/// The solvers of Umbrail; use the module `umbrail`.
#[pymodule]
mod _native {
    use super::*;

    #[pymodule_export]
    use crate::drawing::board_svg;
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::fairy::start_fairy;
    #[pymodule_export]
    use crate::job::{Job, Stopped};
    #[pymodule_export]
    use crate::positions::read_moves;
    #[pymodule_export]
    use crate::proof::start_proof;
    #[pymodule_export]
    use crate::sheet::start_sheet;
    #[pymodule_export]
    use crate::steno::{marks_of, start_steno};
    #[pymodule_export]
    use crate::table::{Table, load_table, start_table};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

//! Division of a problem into units of work for threads, processes and machines.
//!
//! - [`RunSpec`] describes a run to its workers; [`RunSpec::roots`] are the first units.
//! - [`work`] processes units from a [`UnitSource`](umbrail_control::UnitSource).
//! - [`UnitRegistry`] collects results and proves that none is missing: the units form a tree, and
//!   each unit has exactly one result.
//! - [`LocalUnits`] is the source within one process, for all units or those of one shard. Sources
//!   over a network live in `umbrail-cluster`.
//!
//! A unit is a range of claims with the place where it begins (`enumerate/place.rs`), so a worker
//! does not walk the tree before that place. A unit that exceeds its budget divides itself: the
//! rest becomes other units, which its result names. These units begin and end at places in the
//! tree, so the rest need not be enumerated before it is given away. Strategies get their numbers
//! when all parts of their claim are known. A strategy that takes long is also divided while
//! workers wait, into cases of the search (`search/split/cases.rs`).

mod chunks;
mod claim_sink;
mod division;
mod error;
mod local;
mod namer;
mod range;
mod registry;
mod repeats;
mod result;
mod seek;
mod spec;
mod unit;
mod unit_work;
mod worker;
mod worker_state;

pub use error::{ResultDifference, ResultError};
pub use local::LocalUnits;
pub use namer::{Naming, name_units, names_units};
pub use registry::{Accepted, UnitRegistry};
pub use repeats::Repeat;
pub use spec::{RunSpec, RunTextError, TREE_VERSION};
pub use worker::{UnitBudget, work};

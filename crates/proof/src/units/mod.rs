//! A problem as units of work, which may be done by other threads, processes and machines.
//!
//! - [`RunSpec`] is what a worker must know of a run; its [`RunSpec::roots`] are the first units.
//! - [`work`] takes units from a [`UnitSource`](umbrail_control::UnitSource) and does them.
//! - [`UnitLedger`] takes results, and proves from them that nothing is missing: the units form a tree,
//!   of which each has exactly one result.
//! - [`LocalUnits`] is the source of one process, whole or as one shard of several. Sources over a
//!   network are no matter of this crate.
//!
//! A unit is a range of claims with the place where it begins (`enumerate/place.rs`), so no worker
//! walks the tree before it. A unit that takes longer than its budget divides itself: what is left
//! of it becomes other units, which its result names. They begin and end at places in the tree, so nothing of them
//! has to be enumerated before they are given away; strategies get their numbers in the claim when all of it is there. A single strategy that takes long divides
//! itself too while workers wait: into cases of the search (`search/split/cases.rs`).

mod division;
mod ledger;
mod local;
mod pieces;
mod post;
mod range;
mod result;
mod seek;
mod spec;
mod taker;
mod unit;
mod unit_work;
mod worker;

pub use ledger::{Accepted, UnitLedger};
pub use local::LocalUnits;
pub use spec::{RunSpec, TREE_VERSION};
pub use worker::{UnitBudget, work};

//! Learning of piece subsets that refute positions: minimal conflicts, active patterns, and stored
//! nogoods.

pub(crate) mod active_patterns;
pub(crate) mod class_verdict;
pub(crate) mod fact;
pub(crate) mod interposition;
pub(crate) mod minimize_conflict;
pub(crate) mod nogoods;
pub(crate) mod selection;

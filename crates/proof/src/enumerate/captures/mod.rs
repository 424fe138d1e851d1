//! Ways to capture one more man: by which captor, at which place in the captor's order, and where.

pub(crate) mod captors;
pub(crate) mod deaths;
pub(crate) mod options;
pub(crate) mod sites;

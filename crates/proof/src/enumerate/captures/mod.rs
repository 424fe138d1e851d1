//! Ways to capture one more piece: the captor, its place in the captor's order, and the square.

pub(crate) mod captors;
pub(crate) mod deaths;
pub(crate) mod options;
pub(crate) mod sites;

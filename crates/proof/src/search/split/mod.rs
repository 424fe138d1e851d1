//! Splitting: a strategy in cases that exclude each other, and strategies tried together.

pub(crate) mod cases;
pub(crate) mod interposers;
pub(crate) mod parting;
pub(crate) mod promotion_classes;
pub(crate) mod visits;

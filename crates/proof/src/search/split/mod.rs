//! Splitting: a strategy into cases that exclude each other, and the joint search of a promotion
//! class.

pub(crate) mod cases;
pub(crate) mod idle_pieces;
pub(crate) mod interposers;
pub(crate) mod promotion_classes;
pub(crate) mod visits;

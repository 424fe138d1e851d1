//! Splitting: a strategy in cases that exclude each other; and strategies of one promotion class
//! together.

pub(crate) mod cases;
pub(crate) mod idle_men;
pub(crate) mod interposers;
pub(crate) mod left_case;
pub(crate) mod promotion_classes;
pub(crate) mod visits;

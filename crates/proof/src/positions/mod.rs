//! Search of positions: the exact number of games from any start to a placement.
//!
//! The second solver of this crate. It shares nothing with the enumeration of strategies but the
//! data types of problems. A depth-first search with a table of (position, plies left) → number of
//! games is cut by bounds on what each army still needs. It is strong where few quiet moves are
//! left, with a start other than the initial position, and where the number of games is of
//! interest; strategies are strong where captures are few and games are long.
//!
//! | module | what |
//! |---|---|
//! | `board` | position of the search, with 128-bit keys |
//! | `rules` | rules as a trait with hooks, orthodox moves, steps of a single man |
//! | `bounds` | what each side still needs, and the memory of it |
//! | `search` | numbers of games, division among threads, lists of games |
//! | `replay` | the independent check of each listed game |

mod board;
mod bounds;
#[cfg(test)]
mod conditions;
mod problem;
mod replay;
mod rules;
mod search;
mod solve;
#[cfg(test)]
mod tests;
mod verdict;

pub use problem::{PositionProblem, Turns};
pub use solve::{GameCount, PositionEvent, PositionReport, PositionSettings, count_games};
pub use verdict::verdict_of;

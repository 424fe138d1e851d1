//! Fairy conditions, one file each, as Popeye 4.104 plays them.
//!
//! They are not offered to users yet: games would need a notation of their own, and the replay of
//! [`super::replay`] knows the rules of orthodox chess only.
//!
//! A file has the definition, its source, and what the bounds may assume. Its tests have counts of
//! Popeye for problems with all solutions, and the walk test.

mod board_pattern;
mod circe;
mod losing;

pub(crate) use board_pattern::{BoardPattern, Pattern};
pub(crate) use circe::Circe;
pub(crate) use losing::LosingChess;

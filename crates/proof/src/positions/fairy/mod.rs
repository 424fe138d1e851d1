//! Fairy chess: rules with conditions and further kinds of men.
//!
//! | module | what |
//! |---|---|
//! | `condition` | interface of a condition |
//! | `rules` | conditions, kinds and facts of one problem |
//! | `generate` | moves, attacks and check |
//! | `play` | moves with their effects; the interface to the search |
//! | `notation` | games as text |
//! | `pieces` | fairy pieces as data |
//! | `state` | what conditions remember in a position |
//!
//! The conditions are in `positions/conditions`.

mod condition;
mod generate;
mod moves;
mod notation;
mod pieces;
mod play;
mod rules;
mod state;

pub(crate) use condition::{Condition, Mover, Movers, Traits};
pub(crate) use generate::up;
pub(crate) use moves::{FairyMove, Played};
pub(crate) use notation::numbered;
pub(crate) use pieces::{BOARD_B, PIECES, PieceType, piece_of};
pub(crate) use rules::FairyRules;
pub(crate) use state::{FairyPosition, FairyState};

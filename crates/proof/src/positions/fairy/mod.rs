//! Fairy chess: rules with conditions and further kinds of men.
//!
//! | module | what |
//! |---|---|
//! | `rules` | interface of a condition; conditions, kinds and facts of one problem |
//! | `generate` | moves, attacks and check |
//! | `play` | moves with their effects; the interface to the search |
//! | `notation` | games as text |
//! | `pieces` | fairy pieces as data |
//! | `state` | what conditions remember in a position |
//!
//! The conditions are in `positions/conditions`.

mod generate;
mod moves;
mod notation;
mod pieces;
mod play;
mod rules;
mod state;

pub(crate) use generate::up;
pub(crate) use moves::{FairyMove, PlayedMove};
pub(crate) use notation::{letters, numbered};
pub(crate) use pieces::{BOARD_B, PIECES, PieceType, is_on_b, on_other_board, piece_of};
pub(crate) use rules::{FairyCondition, FairyRules, Mover, Movers, OutcomeVisitor, Traits};
pub(crate) use state::{FairyPosition, FairyState};

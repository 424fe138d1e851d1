//! Pieces as data: the meaning of a letter of `KA.KX`.
//!
//! A [`Piece`] is a list of [`MoveAtom`]s; a [`PieceSet`] maps letters to pieces. Definitions come
//! from the built-in list, from EGTgen's [`piecedef`] files and from Betza's notation ([`betza`]).
//! The symmetry of a piece is computed from its steps, never declared.

pub mod betza;
mod builtin;
mod movement;
mod piece;
mod piece_set;
pub mod piecedef;
mod rays;

pub use movement::MoveAtom;
pub use piece::Piece;
pub use piece_set::PieceSet;
pub(crate) use rays::{RayDirection, RayStep, Rays};

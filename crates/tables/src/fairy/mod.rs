//! Pieces as data: what a letter of `KA.KX` stands for.
//!
//! A [`Piece`] is a list of [`Step`]s; an [`Armoury`] knows pieces by letter. Definitions come from
//! the built-in list, from EGTgen's [`piecedef`] files and from Betza's notation ([`betza`]). The
//! symmetry of a piece is found from its steps, never declared.

pub mod betza;
mod builtin;
mod movement;
mod piece;
pub mod piecedef;
mod rays;

pub use movement::Step;
pub use piece::{Armoury, Piece};
pub use rays::{Hop, Rays};

//! Pieces as data: the meaning of a letter of `KA.KX`.
//!
//! A [`Piece`] is a list of [`MoveAtom`]s, and of [`BentMove`]s if it hops, is lame or turns; a
//! [`PieceSet`] maps letters to pieces. Definitions come from the built-in list, from EGTgen's
//! [`piecedef`] files and from Betza's notation ([`betza`]). A [`Template`] is one move from one
//! square with all its conditions. The symmetry of a piece is computed from its moves, never
//! declared.

mod bent;
pub mod betza;
mod builtin;
mod expand;
mod movement;
mod moves;
mod piece;
mod piece_set;
pub mod piecedef;
mod rays;
mod template;
mod templates;

pub use bent::{BentMove, Course, Hop, Leg, Midway};
pub use movement::MoveAtom;
pub use piece::Piece;
pub use piece_set::PieceSet;
pub(crate) use rays::{RayDirection, RayStep, Rays};
pub use template::Template;
pub use templates::{TemplateList, Templates};

//! Waypoints: squares that pieces must pass between their milestones, as deduced by analysis.

use crate::problem::piece::PieceId;
use umbrail_chess::geometry::Square;

/// For each leg of a piece, the squares on which it must stop, in order. A leg leads from one
/// milestone to the next, where a capture with promotion is one milestone; castling is the first
/// leg of king and rook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waypoints(Vec<(PieceId, u8, Square)>);

impl Waypoints {
    /// No waypoints.
    pub(crate) const NONE: &'static Self = &Self(Vec::new());

    /// Adds the next square of a leg.
    pub(crate) fn add(&mut self, piece: PieceId, leg: u8, square: Square) {
        self.0.push((piece, leg, square));
    }

    /// Returns the squares of a leg.
    pub(crate) fn of(&self, piece: PieceId, leg: u8) -> impl Iterator<Item = Square> {
        self.0.iter().filter(move |way| (way.0, way.1) == (piece, leg)).map(|way| way.2)
    }
}

//! Notation of routes and strategies in problemists' letters: `Ra1-d8`, `Bc8xPe2 e4-c6`,
//! `Pa2-a8=R-a1 (Bf8)`.
//!
//! The name of the piece is followed by its route, in order: `xVICTIM SQUARE` for a capture
//! (followed by ` e.p.` for an en passant capture), `-SQUARE=KIND` for a quiet promotion and
//! `=KIND` after the capture that promotes, ` O-O` and ` O-O-O` for castling, then `-SQUARE` for
//! the final square if the last milestone is elsewhere, and ` (CAPTOR)` if the piece ends by being
//! taken.

use crate::problem::castling::{Wing, castled_square};
use crate::problem::piece::{PieceId, letter};
use crate::strategy::Strategy;
use crate::strategy::route::{End, Milestone, Route};
use crate::strategy::waypoints::Waypoints;
use std::fmt;
use umbrail_chess::geometry::Square;

/// A piece with its route; `Display` writes both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedRoute<'a>(pub PieceId, pub &'a Route);

impl fmt::Display for NamedRoute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        write_route(self.0, self.1, f)
    }
}

/// A route as Stelvio displays it: a castling piece is named by its castling square, as in
/// `Kg1-g1-h1` and `Rf8-f8-h8`, and waypoints are written, as in `Ra1-b1-b7xSb8 e7`. `Display`
/// writes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownRoute<'a>(pub PieceId, pub &'a Route, pub &'a Waypoints);

impl fmt::Display for ShownRoute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(piece, route, waypoints) = *self;
        let Some(wing) = route.castling() else {
            write!(f, "{piece}")?;
            return RouteTail { piece, at: piece.origin(), milestones: 0, waypoints }
                .write(route, f);
        };
        let at = castled_square(piece, wing);
        write!(f, "{}{at}-{at}", letter(piece.role()))?;
        // Castling comes first in a route.
        RouteTail { piece, at, milestones: 1, waypoints }.write(route, f)
    }
}

/// Writes the part after the piece's name.
pub(crate) fn write_route(piece: PieceId, route: &Route, out: &mut impl fmt::Write) -> fmt::Result {
    RouteTail { piece, at: piece.origin(), milestones: 0, waypoints: Waypoints::NONE }
        .write(route, out)
}

/// Rest of a route, with the piece on a square after its first milestones.
struct RouteTail<'a> {
    piece: PieceId,
    at: Square,
    milestones: usize,
    waypoints: &'a Waypoints,
}

impl RouteTail<'_> {
    /// Writes the waypoints of a leg.
    fn by(&self, leg: u8, out: &mut impl fmt::Write) -> fmt::Result {
        self.waypoints.of(self.piece, leg).try_for_each(|square| write!(out, "-{square}"))
    }

    fn write(self, route: &Route, out: &mut impl fmt::Write) -> fmt::Result {
        let (piece, mut at) = (self.piece, self.at);
        // Castling is a leg, so there are as many earlier legs as milestones.
        let mut leg = self.milestones as u8;
        for milestone in route.milestones.iter().skip(self.milestones) {
            match *milestone {
                Milestone::Capture { square, victim, en_passant } => {
                    self.by(leg, out)?;
                    write!(out, "x{victim} {square}")?;
                    if en_passant {
                        out.write_str(" e.p.")?;
                    }
                    (at, leg) = (square, leg + 1);
                }
                Milestone::Promotion { square, kind } => {
                    // Together with the capture before it, it is one leg.
                    if at != square {
                        write!(out, "-{square}")?;
                        leg += 1;
                    }
                    write!(out, "={}", letter(kind))?;
                    at = square;
                }
                Milestone::Castling(wing) => {
                    out.write_str(if wing == Wing::King { " O-O" } else { " O-O-O" })?;
                    (at, leg) = (castled_square(piece, wing), leg + 1);
                }
            }
        }
        self.by(leg, out)?;
        if route.last_square() != at || self.waypoints.of(piece, leg).next().is_some() {
            write!(out, "-{}", route.last_square())?;
        }
        if let End::Dead { captor, .. } = route.end {
            write!(out, " ({captor})")?;
        }
        Ok(())
    }
}

impl fmt::Display for Strategy {
    /// Writes all pieces that move, by number: `Ra1-d8, Bc8xPe2 e4-c6, Pe2-e4 (Bc8)`; `-` if there
    /// are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (piece, route) in self.routes() {
            if route.milestones.is_empty() && route.end == End::Rest(piece.origin()) {
                continue;
            }
            if !first {
                f.write_str(", ")?;
            }
            first = false;
            write!(f, "{}", NamedRoute(piece, route))?;
        }
        if first { f.write_str("-") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game_of, project};

    #[test]
    fn pieces_that_castle_are_shown_on_their_new_squares() {
        let game = "e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 Be2 O-O exf7+ Rxf7 O-O Rf8 Kh1 Kh8";
        let strategy = project(&game_of(game).unwrap()).unwrap();
        let none = Waypoints::NONE;
        let shown =
            |n| ShownRoute(PieceId::new(n), strategy.route(PieceId::new(n)), none).to_string();
        assert_eq!(shown(4), "Kg1-g1-h1");
        assert_eq!(shown(7), "Rf1-f1");
        assert_eq!(shown(20), "Kg8-g8-h8");
        assert_eq!(shown(23), "Rf8-f8xPe2 f7-f8");
        assert_eq!(shown(12), "Pe2xPd7 d5xPe7 e6 e.p.xPf7 f7 (Rh8)");
    }

    #[test]
    fn squares_that_must_be_gone_by_are_named() {
        let square = |name: &str| name.parse().unwrap();
        let game = game_of("a4 b5 axb5 a6 Rxa6 h6 Ra1").unwrap();
        let strategy = project(&game).unwrap();
        let rook = PieceId::new(0);
        let mut waypoints = Waypoints::default();
        waypoints.add(rook, 0, square("a5"));
        waypoints.add(rook, 1, square("c6"));
        waypoints.add(rook, 1, square("c1"));
        let shown = ShownRoute(rook, strategy.route(rook), &waypoints).to_string();
        assert_eq!(shown, "Ra1-a5xPa7 a6-c6-c1-a1");
        // Castling is the first leg of a castling piece.
        let game = "e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 Be2 O-O exf7+ Rxf7 O-O Rf8 Kh1 Kh8";
        let strategy = project(&game_of(game).unwrap()).unwrap();
        let rook = PieceId::new(23);
        let mut waypoints = Waypoints::default();
        waypoints.add(rook, 1, square("f4"));
        assert_eq!(
            ShownRoute(rook, strategy.route(rook), &waypoints).to_string(),
            "Rf8-f8-f4xPe2 f7-f8"
        );
    }
}

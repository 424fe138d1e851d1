//! Routes and strategies in problemists' letters: `Ra1-d8`, `Bc8xPe2 e4-c6`, `Pa2-a8=R-a1 (Bf8)`.
//!
//! A route is written as what comes after the man's name, in order: `xVICTIM SQUARE` for a capture
//! (followed by ` e.p.` when it is one), `-SQUARE=KIND` for a quiet promotion and `=KIND` after the
//! capture that promotes, ` O-O` and ` O-O-O` for castling, then `-SQUARE` for where it ends when the
//! last milestone is not there already, and ` (CAPTOR)` when it ends by being taken.

use super::man::{Man, letter};
use super::route::{End, Node, Route, Wing};
use super::strategy::Strategy;
use std::fmt;

/// A route together with the man whose it is; `Display` writes both.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a>(pub Man, pub &'a Route);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        write_route(self.0, self.1, f)
    }
}

/// Writes what follows the man's name.
pub(super) fn write_route(man: Man, route: &Route, out: &mut impl fmt::Write) -> fmt::Result {
    let mut at = man.origin();
    for node in &route.nodes {
        match *node {
            Node::Capture { square, victim, en_passant } => {
                write!(out, "x{victim} {square}")?;
                if en_passant {
                    out.write_str(" e.p.")?;
                }
                at = square;
            }
            Node::Promotion { square, kind } => {
                if at != square {
                    write!(out, "-{square}")?;
                }
                write!(out, "={}", letter(kind))?;
                at = square;
            }
            Node::Castling(wing) => {
                out.write_str(if wing == Wing::King { " O-O" } else { " O-O-O" })?;
                at = castled(man, wing);
            }
        }
    }
    if route.last_square() != at {
        write!(out, "-{}", route.last_square())?;
    }
    if let End::Dead { captor, .. } = route.end {
        write!(out, " ({captor})")?;
    }
    Ok(())
}

/// Where a king or rook stands after castling.
pub(super) fn castled(man: Man, wing: Wing) -> crate::geometry::Square {
    let (king, rook) = wing.files();
    let file = if man == Man::king(man.color()) { king } else { rook };
    crate::geometry::Square::at(file, man.origin().rank())
}

impl fmt::Display for Strategy {
    /// All men that do something, by number: `Ra1-d8, Bc8xPe2 e4-c6, Pe2-e4 (Bc8)`; `-` when nobody does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (man, route) in self.routes() {
            if route.nodes.is_empty() && route.end == End::Rest(man.origin()) {
                continue;
            }
            if !first {
                f.write_str(", ")?;
            }
            first = false;
            write!(f, "{}", Named(man, route))?;
        }
        if first { f.write_str("-") } else { Ok(()) }
    }
}

//! Strategies: a route for each of the 32 pieces.

pub(crate) mod condition;
pub(crate) mod itinerary;
pub(crate) mod notation;
pub(crate) mod projection;
pub(crate) mod reading;
pub(crate) mod route;
pub(crate) mod waypoints;

use crate::problem::castling::castling_rook;
use crate::problem::diagram::Diagram;
use crate::problem::pawn::{behind, pawn_rank};
use crate::problem::piece::{PieceId, PieceMask};
use crate::strategy::route::{End, Milestone, Route};
use std::fmt;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Setup, Square};

/// A class of games: all games that give every piece the same `Route`.
///
/// Every legal game from the initial position belongs to exactly one strategy, which
/// [`project()`](crate::project()) computes, because pieces are named by their origin and every
/// move is exactly one of quiet, capture, promotion, capture with promotion, castling. If each
/// strategy that has a game is enumerated once, the games of all strategies together are therefore
/// all games, each counted once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strategy {
    routes: [Route; 32],
}

/// Reason why routes cannot be those of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// A route captures a piece whose route does not end in that capture.
    #[error("{0} takes {1}, but the route of {1} does not end that way")]
    NotTaken(PieceId, PieceId),
    /// A route ends in a capture that is missing in the captor's route.
    #[error("{0} is taken by {1}, but the route of {1} has no such capture")]
    NotTaking(PieceId, PieceId),
    /// A piece takes a piece of its own color.
    #[error("{0} takes its own {1}")]
    OwnPiece(PieceId, PieceId),
    /// A king's route ends in its capture.
    #[error("{0} is taken")]
    KingTaken(PieceId),
    /// Two pieces rest on one square.
    #[error("two pieces end on {0}")]
    Shared(Square),
    /// The pieces at rest differ from the diagram on this square.
    #[error("the men at rest differ from the diagram on {0}")]
    Diagram(Square),
    /// A castling of one piece is not matched by the other one, or follows another milestone.
    #[error("{0} castles alone, or too late")]
    Castling(PieceId),
    /// A route breaks the geometry of pawns: a step that no pawn makes, a promotion on a wrong
    /// rank, a pawn that rests or is captured as a pawn on an impossible square, an officer that
    /// promotes or takes en passant, a bishop on a square of the wrong color.
    #[error("{0} cannot have such a route")]
    Geometry(PieceId),
}

impl Strategy {
    /// Creates a strategy of these routes; [`Strategy::check`] tests if they are consistent.
    pub(crate) const fn new(routes: [Route; 32]) -> Self {
        Self { routes }
    }

    /// Returns the route of a piece.
    #[inline]
    pub(crate) const fn route(&self, piece: PieceId) -> &Route {
        &self.routes[piece.index()]
    }

    /// Returns the route of a piece, mutably.
    #[inline]
    pub(crate) const fn route_mut(&mut self, piece: PieceId) -> &mut Route {
        &mut self.routes[piece.index()]
    }

    /// Returns all pieces with their routes.
    pub(crate) fn routes(&self) -> impl Iterator<Item = (PieceId, &Route)> {
        PieceId::all().zip(&self.routes)
    }

    /// Returns the common strategy of the promotion class, with queens in place of all captured
    /// promoted queens, rooks and bishops, and the set of these pieces. `None` if there are none.
    pub(crate) fn of_any_kinds(&self) -> Option<(Self, PieceMask)> {
        let lines = [Role::Queen, Role::Rook, Role::Bishop];
        let any = |(_, route): &(PieceId, &Route)| {
            route.dies() && route.promotion().is_some_and(|(_, kind)| lines.contains(&kind))
        };
        let pieces: PieceMask = self.routes().filter(any).map(|(piece, _)| piece).collect();
        let mut common = self.clone();
        for piece in pieces.pieces() {
            let route = common.route_mut(piece);
            *route = route.clone().promoting_to(Role::Queen);
        }
        (!pieces.is_empty()).then_some((common, pieces))
    }

    /// Returns the placement of the pieces at rest.
    ///
    /// # Errors
    /// [`Contradiction::Shared`] if two of them rest on one square.
    pub(crate) fn diagram(&self) -> Result<Diagram, Contradiction> {
        let mut setup = Setup::default();
        for (piece, route) in self.routes() {
            if let End::Rest(square) = route.end {
                if setup.piece(square).is_some() {
                    return Err(Contradiction::Shared(square));
                }
                setup.put(square, piece.color(), route.last_role(piece).letter());
            }
        }
        Ok(Diagram::from_setup(&setup).unwrap_or_else(|_| Diagram::initial()))
    }

    /// Checks that the routes form a strategy for `diagram`: captures and deaths agree on square,
    /// order and en passant; the pieces at rest are the diagram; kings live; castling moves come in
    /// pairs and first; pawns move like pawns. The existence of a game is not checked.
    ///
    /// # Errors
    /// Returns the first contradiction found.
    pub fn check(&self, diagram: &Diagram) -> Result<(), Contradiction> {
        for (piece, route) in self.routes() {
            self.check_captures(piece, route)?;
            self.check_castling(piece, route)?;
            if !fits_geometry(piece, route) {
                return Err(Contradiction::Geometry(piece));
            }
        }
        let reached = self.diagram()?;
        if let Some(square) = Square::all().find(|&square| reached.at(square) != diagram.at(square))
        {
            return Err(Contradiction::Diagram(square));
        }
        Ok(())
    }

    fn check_captures(&self, piece: PieceId, route: &Route) -> Result<(), Contradiction> {
        for (index, (square, victim, en_passant)) in route.captures().enumerate() {
            if victim.color() == piece.color() {
                return Err(Contradiction::OwnPiece(piece, victim));
            }
            let stood = if en_passant { behind(piece.color(), square) } else { square };
            let death = End::Dead { square: stood, captor: piece, index: index as u8 };
            let taken = self.route(victim);
            // Only a pawn whose only move is its double step can be taken en passant.
            let fits = !en_passant
                || (taken.milestones.is_empty()
                    && victim.is_pawn()
                    && victim.origin().file() == square.file());
            if taken.end != death || !fits {
                return Err(Contradiction::NotTaken(piece, victim));
            }
        }
        let End::Dead { square, captor, index } = route.end else { return Ok(()) };
        if piece.role() == Role::King {
            return Err(Contradiction::KingTaken(piece));
        }
        let taken = self.route(captor).captures().nth(usize::from(index)).is_some_and(
            |(landing, victim, en_passant)| {
                let stood = if en_passant { behind(captor.color(), landing) } else { landing };
                victim == piece && stood == square
            },
        );
        if taken { Ok(()) } else { Err(Contradiction::NotTaking(piece, captor)) }
    }

    fn check_castling(&self, piece: PieceId, route: &Route) -> Result<(), Contradiction> {
        let castlings = route
            .milestones
            .iter()
            .filter(|milestone| matches!(milestone, Milestone::Castling(_)))
            .count();
        if castlings == 0 {
            return Ok(());
        }
        let first = matches!(route.milestones.first(), Some(Milestone::Castling(_)));
        let paired = route.castling().is_some_and(|wing| {
            let king = PieceId::king(piece.color());
            let rook = castling_rook(piece.color(), wing);
            let other = if piece == king { rook } else { king };
            (piece == king || piece == rook) && self.route(other).castling() == Some(wing)
        });
        if castlings == 1 && first && paired { Ok(()) } else { Err(Contradiction::Castling(piece)) }
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Returns true if a piece can have such milestones, by the geometry of its moves alone.
fn fits_geometry(piece: PieceId, route: &Route) -> bool {
    if !piece.is_pawn() {
        let quiet = route.milestones.iter().all(|milestone| match milestone {
            Milestone::Capture { en_passant, .. } => !en_passant,
            Milestone::Promotion { .. } => false,
            Milestone::Castling(_) => true,
        });
        let stops = route.captures().map(|(square, _, _)| square).chain([route.last_square()]);
        let color_bound = piece.role() == Role::Bishop;
        return quiet
            && stops
                .into_iter()
                .all(|stop| !color_bound || stop.is_light() == piece.origin().is_light());
    }
    let color = piece.color();
    let mut at = piece.origin();
    let mut promoted: Option<Role> = None;
    for (i, milestone) in route.milestones.iter().enumerate() {
        match (*milestone, promoted) {
            (Milestone::Castling(_), _) | (Milestone::Promotion { .. }, Some(_)) => return false,
            (Milestone::Promotion { square, kind }, None) => {
                let by_capture = i > 0 && at == square;
                if !Role::PROMOTIONS.contains(&kind)
                    || pawn_rank(color, square) != 7
                    || !(by_capture || straight(color, at, square))
                {
                    return false;
                }
                promoted = Some(kind);
                at = square;
            }
            (Milestone::Capture { square, en_passant, .. }, None) => {
                // A quiet run and then one step sideways.
                let gain = pawn_rank(color, square) as i8 - pawn_rank(color, at) as i8;
                let promotes = matches!(
                    route.milestones.get(i + 1),
                    Some(Milestone::Promotion { square: on, .. }) if *on == square
                );
                if gain < 1
                    || at.file().abs_diff(square.file()) != 1
                    || (pawn_rank(color, square) == 7) != promotes
                    || (en_passant && pawn_rank(color, square) != 5)
                {
                    return false;
                }
                at = square;
            }
            (Milestone::Capture { square, en_passant, .. }, Some(kind)) => {
                if en_passant || (kind == Role::Bishop && square.is_light() != at.is_light()) {
                    return false;
                }
                at = square;
            }
        }
    }
    match promoted {
        Some(Role::Bishop) => route.last_square().is_light() == at.is_light(),
        Some(_) => true,
        None => {
            let last = route.last_square();
            pawn_rank(color, last) != 7 && straight(color, at, last)
        }
    }
}

/// Returns true if a pawn can move from one square to another without capturing (staying is
/// allowed).
fn straight(color: Color, from: Square, to: Square) -> bool {
    from.file() == to.file() && pawn_rank(color, from) <= pawn_rank(color, to)
}

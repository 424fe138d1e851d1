//! A route as a sequence of legs: from milestone to milestone until the final square or the capture
//! of the piece.

use crate::analyse::assumptions::Visit;
use crate::distance::map::LegTarget;
use crate::distance::move_kind::MoveKind;
use crate::problem::castling::{Wing, castled_square};
use crate::problem::pawn::behind;
use crate::problem::piece::PieceId;
use crate::strategy::route::{End, Milestone, Route};
use arrayvec::ArrayVec;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Square};

/// Maximum number of legs of one piece: sixteen milestones, the end, and one excursion or visit.
pub(crate) const LEGS_MAX: usize = 18;

/// End of a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Goal {
    /// The piece leaves home; a later leg brings it back (a forced excursion).
    Leave,
    /// The piece captures; a pawn on its last rank promotes with this move.
    Capture {
        /// Square where it lands.
        square: Square,
        /// Square of the victim.
        stood: Square,
        /// The captured piece.
        victim: PieceId,
        /// Promotion type of the pawn.
        promotes: Option<Role>,
        /// True if the capture is en passant.
        en_passant: bool,
    },
    /// A pawn promotes without capturing.
    Promote {
        /// The promotion square.
        square: Square,
        /// The promotion type.
        kind: Role,
    },
    /// King and rook castle.
    Castle(Wing),
    /// The piece stops on the square with a quiet move, on the path to its next milestone; see
    /// [`Visit`].
    Visit(Square),
    /// The piece stands on its final square, or where it is taken.
    Stay(Square),
}

impl Goal {
    /// Returns the square of the piece at the end of the leg, if the goal determines it.
    pub(crate) const fn square(self) -> Option<Square> {
        match self {
            Self::Capture { square, .. }
            | Self::Promote { square, .. }
            | Self::Visit(square)
            | Self::Stay(square) => Some(square),
            Self::Leave | Self::Castle(_) => None,
        }
    }
}

/// Path segment from one milestone to the next.
#[derive(Clone, Debug)]
pub(crate) struct Leg {
    /// Move kind of the piece on this leg.
    pub(crate) move_kind: MoveKind,
    /// Start square of the leg (home, after leaving home for an excursion).
    pub(crate) start: Square,
    /// End of the leg.
    pub(crate) goal: Goal,
    /// End of the leg as a target of distances.
    pub(crate) target: LegTarget,
    /// Squares on which the piece never stops during this leg, except at its start.
    pub(crate) forbidden: Bitboard,
    /// Number of the [`crate::distance::map::DistanceMap`] in the cache.
    pub(crate) map_id: u32,
    /// Least total number of moves of all later legs.
    pub(crate) after: u8,
    /// Squares where a path within the free moves can stop.
    pub(crate) stops: Bitboard,
    /// The stops, and the squares that the piece can pass or take on.
    pub(crate) touched: Bitboard,
}

impl Leg {
    /// Returns the square where a visit ends the leg: it is forbidden to quiet moves within the
    /// leg, but the leg ends on it.
    pub(crate) fn landing(&self) -> Bitboard {
        match self.goal {
            Goal::Visit(square) => Bitboard::of(square),
            _ => Bitboard::EMPTY,
        }
    }
}

/// All legs of one piece.
#[derive(Clone, Debug)]
pub(crate) struct LegSequence {
    /// The piece.
    pub(crate) piece: PieceId,
    /// Legs in order; the last one is always [`Goal::Stay`].
    pub(crate) legs: ArrayVec<Leg, LEGS_MAX>,
    /// Captor, if the piece is taken in the end.
    pub(crate) captor: Option<PieceId>,
    /// Least number of own moves from the initial position onward; castling counts for the king.
    pub(crate) needed: u8,
}

impl LegSequence {
    /// Builds the legs of a route. `away` inserts an excursion before everything else; the route
    /// must then not begin with castling.
    pub(crate) fn new(piece: PieceId, route: &Route, away: bool) -> Self {
        let color = piece.color();
        let mut role = piece.role();
        let mut at = piece.origin();
        let mut legs = ArrayVec::new();
        let mut push = |role: Role, start: Square, goal: Goal, target: LegTarget| {
            let move_kind = MoveKind::of(role, color);
            let (none, forbidden) = (Bitboard::EMPTY, Bitboard::EMPTY);
            let leg = Leg {
                move_kind,
                start,
                goal,
                target,
                forbidden,
                map_id: 0,
                after: 0,
                stops: none,
                touched: none,
            };
            if !legs.is_full() {
                legs.push(leg);
            }
        };
        if away {
            push(role, at, Goal::Leave, LegTarget::Leave(at));
        }
        let mut milestones = route.milestones.iter().peekable();
        while let Some(milestone) = milestones.next() {
            match *milestone {
                Milestone::Capture { square, victim, en_passant } => {
                    let stood = if en_passant { behind(color, square) } else { square };
                    let promotes = match milestones.peek() {
                        Some(Milestone::Promotion { square: on, kind })
                            if *on == square && role == Role::Pawn =>
                        {
                            Some(*kind)
                        }
                        _ => None,
                    };
                    let goal = Goal::Capture { square, stood, victim, promotes, en_passant };
                    let pawn = role == Role::Pawn;
                    let target =
                        if pawn { LegTarget::Take(square) } else { LegTarget::Land(square) };
                    push(role, at, goal, target);
                    if let Some(kind) = promotes {
                        milestones.next();
                        role = kind;
                    }
                    at = square;
                }
                Milestone::Promotion { square, kind } => {
                    push(role, at, Goal::Promote { square, kind }, LegTarget::Land(square));
                    role = kind;
                    at = square;
                }
                Milestone::Castling(wing) => {
                    let cost = u8::from(role == Role::King);
                    push(role, at, Goal::Castle(wing), LegTarget::Castle(at, cost));
                    at = castled_square(piece, wing);
                }
            }
        }
        let last = route.last_square();
        push(role, at, Goal::Stay(last), LegTarget::Stand(last));
        let captor = match route.end {
            End::Dead { captor, .. } => Some(captor),
            End::Rest(_) => None,
        };
        Self { piece, legs, captor, needed: 0 }
    }

    /// Leaves the promotion type open.
    pub(crate) fn forget_kind(&mut self) {
        let officer = self.legs.iter_mut().filter(|leg| !leg.move_kind.is_pawn());
        officer.for_each(|leg| leg.move_kind = MoveKind::AnyLinePiece);
    }

    /// Splits a leg at the piece's first stop on a square.
    pub(crate) fn visit(&mut self, Visit { leg, square, .. }: Visit) {
        let at = usize::from(leg);
        if self.legs.is_full() || at >= self.legs.len() {
            return;
        }
        let mut first = self.legs[at].clone();
        (first.goal, first.target) = (Goal::Visit(square), LegTarget::Land(square));
        self.legs[at].start = square;
        self.legs.insert(at, first);
        for leg in &mut self.legs[..=at] {
            leg.forbidden = leg.forbidden.with(square);
        }
    }

    /// Returns true if the piece lives to the end.
    #[inline]
    pub(crate) const fn survives(&self) -> bool {
        self.captor.is_none()
    }

    /// Returns the number of the last leg.
    #[inline]
    pub(crate) fn last(&self) -> usize {
        self.legs.len() - 1
    }

    /// Returns every square on which the piece can ever stand within the free moves.
    pub(crate) fn squares(&self) -> Bitboard {
        self.legs.iter().fold(Bitboard::EMPTY, |all, leg| all | leg.stops.with(leg.start))
    }

    /// Returns the square where the piece rests or dies.
    pub(crate) fn last_square(&self) -> Square {
        self.legs.last().map_or(self.piece.origin(), |leg| leg.target.square())
    }

    /// Returns true for a survivor that rests at home and has no milestone.
    pub(crate) fn idle(&self) -> bool {
        self.survives() && self.legs.len() == 1 && self.last_square() == self.piece.origin()
    }
}

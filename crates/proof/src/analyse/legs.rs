//! A route as legs: what a man has to do next, and after that, until the diagram or its death.

use crate::analyse::assumptions::Visit;
use crate::distance::map::LegTarget;
use crate::distance::move_kind::MoveKind;
use crate::problem::castling::Wing;
use crate::problem::castling::castled_square;
use crate::problem::man::Man;
use crate::problem::pawn::behind;
use crate::strategy::route::{End, Milestone, Route};
use arrayvec::ArrayVec;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Square};

/// The most legs of a life: sixteen milestones, the end, and a forced absence or visit.
pub const LEGS_MAX: usize = 18;

/// How a leg ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The man leaves home; a later leg brings it back. Analysis found that it must step aside.
    Leave,
    /// It captures, and a pawn on its last rank promotes with the same move.
    Capture {
        /// Where it lands.
        square: Square,
        /// Where the victim stands.
        stood: Square,
        /// Who is taken.
        victim: Man,
        /// What the pawn becomes.
        promotes: Option<Role>,
        /// Whether it is en passant.
        en_passant: bool,
    },
    /// A pawn promotes without capturing.
    Promote {
        /// On this square.
        square: Square,
        /// To this.
        kind: Role,
    },
    /// King and rook castle.
    Castle(Wing),
    /// It stops on the square with a quiet move, on its way to its next milestone; see
    /// [`Visit`].
    Visit(Square),
    /// The man stands where it rests, or where it is taken.
    Stay(Square),
}

impl Goal {
    /// Where the man stands at its end, if that is said here.
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Capture { square, .. }
            | Self::Promote { square, .. }
            | Self::Visit(square)
            | Self::Stay(square) => Some(square),
            Self::Leave | Self::Castle(_) => None,
        }
    }
}

/// From one milestone to the next.
#[derive(Clone, Debug)]
pub struct Leg {
    /// How it moves on this leg.
    pub move_kind: MoveKind,
    /// Where the leg begins (after leaving home for a forced absence: still home).
    pub start: Square,
    /// How it ends.
    pub goal: Goal,
    /// The same for distances.
    pub target: LegTarget,
    /// Squares it never stops on during this leg, except where the leg begins.
    pub forbidden: Bitboard,
    /// The number of its [`crate::distance::map::DistanceMap`] in the atlas.
    pub map_id: u32,
    /// Least number of moves of all later legs together.
    pub after: u8,
    /// Every square that a walk within the free moves can stop on.
    pub stops: Bitboard,
    /// Those, and the squares that it can pass or take on.
    pub touched: Bitboard,
}

impl Leg {
    /// Where a visit ends the leg: no quiet move leads there, and still the leg does.
    pub fn landing(&self) -> Bitboard {
        match self.goal {
            Goal::Visit(square) => Bitboard::of(square),
            _ => Bitboard::EMPTY,
        }
    }
}

/// One man's whole way.
#[derive(Clone, Debug)]
pub struct LegSequence {
    /// Whose.
    pub man: Man,
    /// In order; the last one always stays.
    pub legs: ArrayVec<Leg, LEGS_MAX>,
    /// Who takes it in the end.
    pub captor: Option<Man>,
    /// Least number of moves of its own from the array on; castling counts for the king.
    pub needed: u8,
}

impl LegSequence {
    /// Reads a route. `away` inserts a forced absence before everything else (the route must not begin
    /// with castling then).
    pub fn new(man: Man, route: &Route, away: bool) -> Self {
        let color = man.color();
        let mut role = man.role();
        let mut at = man.origin();
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
                    at = castled_square(man, wing);
                }
            }
        }
        let last = route.last_square();
        push(role, at, Goal::Stay(last), LegTarget::Stand(last));
        let captor = match route.end {
            End::Dead { captor, .. } => Some(captor),
            End::Rest(_) => None,
        };
        Self { man, legs, captor, needed: 0 }
    }

    /// Of a promoted man it is no longer said what it is.
    pub fn forget_kind(&mut self) {
        let officer = self.legs.iter_mut().filter(|leg| !leg.move_kind.is_pawn());
        officer.for_each(|leg| leg.move_kind = MoveKind::AnyLinePiece);
    }

    /// Parts a leg where the man stops on a square for the first time.
    pub fn visit(&mut self, Visit { leg, square, .. }: Visit) {
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

    /// Whether the man lives to the end.
    #[inline]
    pub const fn survives(&self) -> bool {
        self.captor.is_none()
    }

    /// The number of its last leg.
    #[inline]
    pub fn last(&self) -> usize {
        self.legs.len() - 1
    }

    /// Every square the man can ever stand on within the free moves.
    pub fn squares(&self) -> Bitboard {
        self.legs.iter().fold(Bitboard::EMPTY, |all, leg| all | leg.stops.with(leg.start))
    }

    /// Where it rests or dies.
    pub fn last_square(&self) -> Square {
        self.legs.last().map_or(self.man.origin(), |leg| leg.target.square())
    }

    /// True when it rests where it began and its route asks nothing of it.
    pub fn idle(&self) -> bool {
        self.survives() && self.legs.len() == 1 && self.last_square() == self.man.origin()
    }
}

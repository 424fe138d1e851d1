//! Itinerary of one piece: its decided milestones and end, and their least number of moves and
//! captures.

use crate::distance::walls::{PawnRun, Walls};
use crate::distance::{Distances, NEVER};
use crate::problem::castling::{Wing, castled_square};
use crate::problem::piece::PieceId;
use crate::strategy::route::MILESTONES_MAX;
use umbrail_chess::geometry::Square;
use umbrail_chess::{Role, attacks};

/// A decided milestone: a capture or the promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ItineraryStop {
    /// Square where the piece lands.
    pub square: Square,
    /// Kind of the milestone.
    pub kind: StopKind,
}

/// Kind of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopKind {
    /// Capture of this piece.
    Takes(PieceId),
    /// En passant capture of this pawn.
    TakesEnPassant(PieceId),
    /// Promotion to this type.
    Promotes(Role),
}

/// End of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stands on [`Itinerary::end`] in the diagram.
    Rests,
    /// It is captured on [`Itinerary::end`] by this piece.
    Dies(PieceId),
    /// It is captured; captor and square are not decided yet.
    Open,
}

/// Promotion of a piece, as far as it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PromotionPlan {
    /// No promotion: an officer, or a pawn that rests or is captured as a pawn.
    Never,
    /// Promotion to this type; its stop exists once the square is decided.
    Promotes(Role),
    /// A captured pawn; not decided yet.
    Unknown,
}

/// Decided milestones and end of one piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Itinerary {
    stops: [ItineraryStop; MILESTONES_MAX],
    len: u8,
    /// Index of the promotion among the stops; `len` or more if there is none.
    turn: u8,
    /// Promotion of the piece.
    pub promotion: PromotionPlan,
    /// End of the piece.
    pub fate: Fate,
    /// Final square; the origin while it is open.
    pub end: Square,
    /// Start of its path: the origin, or its castling square.
    pub start: Square,
    /// Wing on which the piece castles, if it does.
    pub castles: Option<Wing>,
    /// Least number of own moves for the decided parts.
    pub cost: u8,
    /// Captures that a pawn must still make for its changes of file.
    pub need: u8,
    /// Least number of own moves including those to an open capture; at least `cost`.
    pub bound: u8,
}

/// Value of `turn` without a promotion stop.
const NO_TURN: u8 = u8::MAX;

impl Itinerary {
    /// Creates the itinerary of a captured piece; nothing else is decided.
    pub(crate) fn open(piece: PieceId, castles: Option<Wing>) -> Self {
        let blank = ItineraryStop { square: Square::A1, kind: StopKind::Takes(PieceId::new(0)) };
        Self {
            stops: [blank; MILESTONES_MAX],
            len: 0,
            turn: NO_TURN,
            promotion: if piece.is_pawn() { PromotionPlan::Unknown } else { PromotionPlan::Never },
            fate: Fate::Open,
            end: piece.origin(),
            start: castles.map_or(piece.origin(), |wing| castled_square(piece, wing)),
            castles,
            cost: 0,
            need: 0,
            bound: 0,
        }
    }

    /// Creates the itinerary of a piece that ends on a square of the diagram in this role.
    pub(crate) fn resting(piece: PieceId, castles: Option<Wing>, end: Square, role: Role) -> Self {
        let promotion = if piece.is_pawn() && role != Role::Pawn {
            PromotionPlan::Promotes(role)
        } else {
            PromotionPlan::Never
        };
        Self { promotion, fate: Fate::Rests, end, ..Self::open(piece, castles) }
    }

    /// Returns the decided stops in order.
    #[inline]
    pub(crate) fn stops(&self) -> &[ItineraryStop] {
        &self.stops[..usize::from(self.len)]
    }

    /// Returns the index of the promotion among the stops.
    #[inline]
    pub(crate) fn turn(&self) -> Option<usize> {
        (self.turn != NO_TURN).then_some(usize::from(self.turn))
    }

    /// Returns the stops made as a pawn: all before the promotion, or all of a pawn without
    /// promotion.
    #[inline]
    pub(crate) fn pawn_stops(&self) -> &[ItineraryStop] {
        &self.stops[..usize::from(self.turn.min(self.len))]
    }

    /// Returns the itinerary with a stop inserted; `None` if it has too many stops.
    #[must_use]
    pub(crate) fn with(&self, place: usize, stop: ItineraryStop) -> Option<Self> {
        let len = usize::from(self.len);
        if len >= MILESTONES_MAX || place > len {
            return None;
        }
        let mut itinerary = *self;
        itinerary.stops.copy_within(place..len, place + 1);
        itinerary.stops[place] = stop;
        itinerary.len += 1;
        if matches!(stop.kind, StopKind::Promotes(_)) {
            itinerary.turn = place as u8;
        } else if itinerary.turn != NO_TURN && place <= usize::from(itinerary.turn) {
            itinerary.turn += 1;
        }
        Some(itinerary)
    }

    /// Returns the role after the last decided stop.
    #[inline]
    pub(crate) fn role(&self, piece: PieceId) -> Role {
        match self.turn() {
            Some(turn) => match self.stops[turn].kind {
                StopKind::Promotes(kind) => kind,
                _ => piece.role(),
            },
            None => piece.role(),
        }
    }

    /// Returns the square after the last decided stop.
    #[inline]
    pub(crate) fn last(&self) -> Square {
        self.stops().last().map_or(self.start, |stop| stop.square)
    }

    /// Returns true if the piece may be captured on this square.
    #[inline]
    pub(crate) fn may_die_on(&self, square: Square) -> bool {
        match self.fate {
            Fate::Rests => false,
            Fate::Dies(_) => self.end == square,
            Fate::Open => true,
        }
    }

    /// Returns true if a decided stop takes this piece.
    pub(crate) fn takes(&self, victim: PieceId) -> bool {
        self.stops().iter().any(|stop| {
            matches!(stop.kind, StopKind::Takes(piece) | StopKind::TakesEnPassant(piece) if piece == victim)
        })
    }

    /// Returns true for a survivor at home without a milestone.
    #[inline]
    pub(crate) fn stays_home(&self, piece: PieceId) -> bool {
        self.fate == Fate::Rests
            && self.len == 0
            && self.promotion == PromotionPlan::Never
            && self.end == piece.origin()
            && self.castles.is_none()
    }

    /// Returns true for a survivor at home that needs no move.
    #[inline]
    pub(crate) fn is_idle(&self, piece: PieceId) -> bool {
        self.bound == 0 && self.stays_home(piece)
    }

    /// Recomputes `cost` and `need`, and raises `bound` to `cost`; returns false if there is no
    /// path.
    ///
    /// *Admissible*: each leg costs at least its distance among still pieces ([`Distances`]), and a
    /// pawn needs at least the captures that its files, the still pieces and the walls require.
    pub(crate) fn weigh(&mut self, piece: PieceId, distances: &Distances, walls: &Walls) -> bool {
        let weighed = if piece.is_pawn() {
            weigh_pawn(self, piece, distances, walls)
        } else {
            let castling = match self.castles {
                Some(wing) if piece.role() == Role::King => {
                    if !path_is_open(piece, wing, distances) {
                        return false;
                    }
                    1
                }
                _ => 0,
            };
            weigh_officer(self, piece, piece.role(), 0, distances).map(|cost| (cost + castling, 0))
        };
        let Some((cost, need)) = weighed.filter(|&(cost, _)| cost < u16::from(NEVER)) else {
            return false;
        };
        (self.cost, self.need) = (cost as u8, need as u8);
        self.bound = self.bound.max(self.cost);
        true
    }
}

/// Returns true if no still piece stands between king and rook, or attacks the king's path.
fn path_is_open(king: PieceId, wing: Wing, distances: &Distances) -> bool {
    let square = |file| Square::at(file, king.origin().rank());
    let way = attacks::between(king.origin(), square(wing.files().0)).with(square(wing.files().0));
    let empty = attacks::between(king.origin(), square(wing.rook_file()));
    ((way & distances.guarded[king.color().index()]) | (empty & distances.still)).is_empty()
}

/// Returns the moves of an officer from stop number `first` onward; it stands on the stop before,
/// or on its start.
fn weigh_officer(
    itinerary: &Itinerary,
    piece: PieceId,
    role: Role,
    first: usize,
    distances: &Distances,
) -> Option<u16> {
    let table = distances.table(piece.color(), role);
    let forbidden = distances.forbidden(piece.color(), role);
    let stops = itinerary.stops();
    let mut at = if first == 0 { itinerary.start } else { stops[first - 1].square };
    let mut cost = 0;
    for (number, stop) in stops.iter().enumerate().skip(first) {
        let leg =
            if stop.square == at { table.round_trip(at) } else { table.moves(at, stop.square) };
        if leg == NEVER || (forbidden.contains(stop.square) && !ends_at(itinerary, number)) {
            return None;
        }
        cost += u16::from(leg);
        at = stop.square;
    }
    if itinerary.fate != Fate::Open {
        let leg = table.moves(at, itinerary.end);
        if leg == NEVER {
            return None;
        }
        cost += u16::from(leg);
    }
    Some(cost)
}

/// Returns true if the piece can end on the square of this stop: the stop is the last one, and the
/// end is there or open.
fn ends_at(itinerary: &Itinerary, number: usize) -> bool {
    number + 1 == itinerary.stops().len()
        && (itinerary.fate == Fate::Open || itinerary.end == itinerary.stops()[number].square)
}

fn weigh_pawn(
    itinerary: &Itinerary,
    piece: PieceId,
    distances: &Distances,
    walls: &Walls,
) -> Option<(u16, u16)> {
    let color = piece.color();
    let ways = distances.pawns(color);
    let forbidden = distances.forbidden(color, Role::Pawn);
    let mut at = itinerary.start;
    let (mut cost, mut need) = (0, 0);
    for (number, stop) in itinerary.pawn_stops().iter().enumerate() {
        let way = ways.way_by_capture(at, stop.square);
        if !way.exists() || (forbidden.contains(stop.square) && !ends_at(itinerary, number)) {
            return None;
        }
        cost += u16::from(way.moves);
        need += u16::from(way.captures) - 1;
        if way.captures == 1 {
            let turn = Square::at(at.file(), stop.square.rank()).offset(0, back(piece))?;
            need +=
                walls.detour(piece, &PawnRun { from: at, to: turn, rests: false }, stop.square)?;
        }
        at = stop.square;
    }
    if let Some(turn) = itinerary.turn() {
        let square = itinerary.stops()[turn].square;
        let kind = itinerary.role(piece);
        let (moves, captures) =
            quiet(piece, &PawnRun { from: at, to: square, rests: false }, distances, walls)?;
        let tail = turn + 1;
        let at_rest = itinerary.stops().len() == tail
            && (itinerary.fate == Fate::Open || itinerary.end == square);
        if distances.forbidden(color, kind).contains(square) && !at_rest {
            return None;
        }
        let officer = weigh_officer(itinerary, piece, kind, tail, distances)?;
        return Some((cost + moves + officer, need + captures));
    }
    match (itinerary.fate, itinerary.promotion) {
        (Fate::Open, _) => Some((cost, need)),
        (_, PromotionPlan::Promotes(kind)) => {
            // The promotion square is not decided yet.
            let table = distances.table(color, kind);
            let rank = if color.is_white() { 7 } else { 0 };
            let squares = (0..8).map(|file| Square::at(file, rank));
            let ways = squares
                .map(|square| (ways.way(at, square), table.moves(square, itinerary.end)))
                .filter(|&(way, moves)| way.exists() && moves != NEVER);
            let (moves, captures) = ways.fold((NEVER, NEVER), |(least, captures), (way, moves)| {
                (least.min(way.moves.saturating_add(moves)), captures.min(way.captures))
            });
            (moves != NEVER).then(|| (cost + u16::from(moves), need + u16::from(captures)))
        }
        (fate, _) => {
            let rests = fate == Fate::Rests;
            let run = PawnRun { from: at, to: itinerary.end, rests };
            let (moves, captures) = quiet(piece, &run, distances, walls)?;
            Some((cost + moves, need + captures))
        }
    }
}

/// Returns the moves and missing captures of a pawn's path to its promotion or end.
fn quiet(
    piece: PieceId,
    run: &PawnRun,
    distances: &Distances,
    walls: &Walls,
) -> Option<(u16, u16)> {
    let (at, to) = (run.from, run.to);
    let way = distances.pawns(piece.color()).way(at, to);
    if !way.exists() {
        return None;
    }
    let mut captures = u16::from(way.captures);
    if captures == 0 && at != to {
        captures += walls.detour(piece, run, to)?;
    }
    Some((u16::from(way.moves), captures))
}

/// Returns the offset of one rank back.
fn back(piece: PieceId) -> i32 {
    if piece.color().is_white() { -1 } else { 1 }
}

//! Timelines: the occupancies of squares by each piece, in terms of events, and the squares that
//! its paths cross.

use crate::distance::Distances;
use crate::enumerate::precedence::crossings::CrossingCache;
use crate::enumerate::precedence::graph::{Event, PrecedenceGraph};
use crate::problem::castling::castling_rook;
use crate::problem::pawn::rank_gain;
use crate::problem::piece::{PieceId, PieceMask};
use crate::strategy::itinerary::{Fate, Itinerary, StopKind};
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// No event: since the first ply, or to the end.
pub(crate) const NONE: Event = Event::MAX;

/// An uninterrupted stay of a piece on a square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occupancy {
    /// The square.
    pub square: Square,
    /// The piece; several when a square passes from victim to captor.
    pub pieces: PieceMask,
    /// The last of these pieces, or the only one.
    pub piece: PieceId,
    /// Role of that piece on the square.
    pub role: Role,
    /// Arrival, or [`NONE`] for the first ply.
    pub from: Event,
    /// Departure or death, or [`NONE`] if the piece stays to the end.
    pub to: Event,
}

/// A path that crosses squares after one event and not after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    /// Squares entered or passed on every such path, without its last square.
    pub squares: Bitboard,
    /// The piece.
    pub pieces: PieceMask,
    /// The departure.
    pub after: Event,
    /// The arrival.
    pub by: Event,
}

/// A possible excursion of a piece between two events, from and to the square where it is needed
/// later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excursion {
    /// The piece.
    pub piece: PieceId,
    /// Role of the piece.
    pub role: Role,
    /// Square of the piece.
    pub square: Square,
    /// Arrival on the square, or first move from it if the piece has been there since the first
    /// ply.
    pub first: Event,
    /// Last arrival on the square, or death of the piece.
    pub last: Event,
}

/// Occupancies and crossings of all pieces.
#[derive(Debug)]
pub(crate) struct Timelines {
    /// Occupancies in no particular order.
    pub occupancies: Vec<Occupancy>,
    /// Paths that cross squares.
    pub crossings: Vec<Crossing>,
    /// Possible excursions.
    pub excursions: Vec<Excursion>,
    /// First moves from home: piece and event.
    pub exits: Vec<(PieceId, Event)>,
    /// Last moves to the final square of a survivor: piece, role, square and event.
    pub entries: Vec<(PieceId, Role, Square, Event)>,
    /// The castling move of each color, if it castles.
    pub castling: [Option<Event>; 2],
    /// Start of the king's last occupancy, by color; [`NONE`] if the king never moves.
    pub king_rests: [Event; 2],
    /// Death of each piece, or [`NONE`].
    pub deaths: [Event; 32],
}

impl Default for Timelines {
    fn default() -> Self {
        Self {
            occupancies: Vec::new(),
            crossings: Vec::new(),
            excursions: Vec::new(),
            exits: Vec::new(),
            entries: Vec::new(),
            castling: [None; 2],
            king_rests: [NONE; 2],
            deaths: [NONE; 32],
        }
    }
}

/// Builder of the events and occupancies of all pieces, one piece after the other.
pub(crate) struct TimelineBuilder<'a> {
    /// The decided itineraries.
    pub itineraries: &'a [Itinerary; 32],
    /// Distances with respect to the still pieces.
    pub distances: &'a Distances,
    /// Moves beyond the bound, by color.
    pub slack: [u16; 2],
    /// Captures that each color has beyond those its pawns need.
    pub spare_captures: [i32; 2],
    /// Pieces at home that must make an excursion, although no milestone requires it.
    pub excursions: PieceMask,
    /// True if a single-move leg counts as one event when no move can be wasted.
    pub single_move_legs: bool,
    /// True if all squares common to the paths count, not only the end.
    pub required_squares: bool,
    /// Graph to fill.
    pub graph: &'a mut PrecedenceGraph,
    /// Timelines to fill.
    pub out: &'a mut Timelines,
    /// Cache of crossed squares.
    pub crossing_cache: &'a mut CrossingCache,
}

impl TimelineBuilder<'_> {
    /// Builds everything; returns `None` if there are more events than a graph holds.
    pub(crate) fn build(mut self) -> Option<()> {
        self.graph.clear();
        self.out.occupancies.clear();
        self.out.crossings.clear();
        self.out.excursions.clear();
        self.out.exits.clear();
        self.out.entries.clear();
        self.out.king_rests = [NONE; 2];
        self.out.castling = [None; 2];
        self.out.deaths = [NONE; 32];
        for color in Color::ALL {
            let king = PieceId::king(color);
            let Some(wing) = self.itineraries[king.index()].castles else { continue };
            let castling = self.graph.event()?;
            self.out.castling[color.index()] = Some(castling);
            let rook = castling_rook(color, wing);
            self.out.crossings.push(Crossing {
                squares: attacks::between(king.origin(), rook.origin()),
                pieces: PieceMask::EMPTY.with(king).with(rook),
                after: castling,
                by: castling,
            });
        }
        for piece in PieceId::all() {
            if matches!(self.itineraries[piece.index()].fate, Fate::Dies(_)) {
                self.out.deaths[piece.index()] = self.graph.event()?;
            }
        }
        for piece in PieceId::all() {
            self.piece(piece)?;
        }
        Some(())
    }

    fn occupancy(&mut self, piece: PieceId, role: Role, square: Square, from: Event, to: Event) {
        let pieces = PieceMask::EMPTY.with(piece);
        self.out.occupancies.push(Occupancy { square, pieces, piece, role, from, to });
    }

    /// Adds the departure of a piece from its square since an arrival, or since the first ply.
    fn depart(&mut self, piece: PieceId, role: Role, at: Square, since: Event, departure: Event) {
        self.then(since, departure);
        self.occupancy(piece, role, at, since, departure);
        if since == NONE && role != Role::Pawn {
            self.out.exits.push((piece, departure));
        }
    }

    /// Orders two events of one piece: `from` was an arrival (or [`NONE`]), `later` is a later
    /// move.
    fn then(&mut self, from: Event, later: Event) {
        if from != NONE {
            self.graph.before(from, later);
        }
    }

    /// Returns the number of moves that a piece can make beyond its least.
    fn slack_of(&self, piece: PieceId) -> u16 {
        let itinerary = &self.itineraries[piece.index()];
        // The bound of a piece whose death is open contains the moves of a leg that is not built.
        let own = if itinerary.fate == Fate::Open { 0 } else { itinerary.bound - itinerary.cost };
        self.slack[piece.color().index()] + u16::from(own)
    }

    /// Returns true if a piece on its last square has too few moves to leave and return.
    fn stuck(&self, piece: PieceId, role: Role) -> bool {
        role == Role::Pawn || (self.slack_of(piece) < 2 && !self.excursions.contains(piece))
    }

    fn piece(&mut self, piece: PieceId) -> Option<()> {
        let itinerary = &self.itineraries[piece.index()];
        if itinerary.stays_home(piece) {
            if self.excursions.contains(piece) || itinerary.bound > 0 {
                let (away, back) = (self.graph.event()?, self.graph.event()?);
                self.graph.before(away, back);
                self.occupancy(piece, piece.role(), piece.origin(), NONE, away);
                self.occupancy(piece, piece.role(), piece.origin(), back, NONE);
                self.out.exits.push((piece, away));
                self.out.entries.push((piece, piece.role(), piece.origin(), back));
                if piece.role() == Role::King {
                    self.out.king_rests[piece.color().index()] = back;
                }
            }
            return Some(());
        }
        let mut at = piece.origin();
        let mut role = piece.role();
        let mut since = NONE;
        if itinerary.castles.is_some()
            && let Some(castling) = self.out.castling[piece.color().index()]
        {
            self.occupancy(piece, role, at, NONE, castling);
            (at, since) = (itinerary.start, castling);
        }
        let stops = itinerary.stops();
        let mut number = 0;
        while let Some(stop) = stops.get(number) {
            number += 1;
            let (arrival, by_capture) = match stop.kind {
                StopKind::Takes(victim) | StopKind::TakesEnPassant(victim) => {
                    (self.out.deaths[victim.index()], true)
                }
                StopKind::Promotes(_) => (self.graph.event()?, false),
            };
            let departure = self.leg(piece, role, at, stop.square, arrival, by_capture)?;
            self.depart(piece, role, at, since, departure);
            (at, since) = (stop.square, arrival);
            let turn = match stop.kind {
                StopKind::Promotes(kind) => Some(kind),
                _ => match stops.get(number) {
                    Some(next) if next.square == at => match next.kind {
                        StopKind::Promotes(kind) => {
                            number += 1;
                            Some(kind)
                        }
                        _ => None,
                    },
                    _ => None,
                },
            };
            role = turn.unwrap_or(role);
        }
        self.finish(piece, role, at, since)
    }

    /// Adds the last leg.
    fn finish(&mut self, piece: PieceId, role: Role, at: Square, since: Event) -> Option<()> {
        let itinerary = &self.itineraries[piece.index()];
        if itinerary.fate == Fate::Open {
            // The rest of its path is not decided; it may be taken at once.
            let to = if since == NONE { self.graph.event()? } else { since };
            self.occupancy(piece, role, at, since, to);
            return Some(());
        }
        let death = self.out.deaths[piece.index()];
        let dies = death != NONE;
        let stands = at == itinerary.end;
        let end = if !stands {
            let arrival = self.graph.event()?;
            let departure = self.leg(piece, role, at, itinerary.end, arrival, false)?;
            self.depart(piece, role, at, since, departure);
            if !dies && role != Role::Pawn {
                self.out.entries.push((piece, role, itinerary.end, arrival));
            }
            arrival
        } else if self.stuck(piece, role) {
            since
        } else if self.excursions.contains(piece) {
            let (away, back) = (self.graph.event()?, self.graph.event()?);
            self.then(since, away);
            self.graph.before(away, back);
            self.occupancy(piece, role, at, since, away);
            back
        } else if since == NONE {
            // An officer that is taken at home may make an excursion before.
            let leave = self.graph.event()?;
            self.graph.before(leave, death);
            self.occupancy(piece, role, at, NONE, leave);
            self.out.excursions.push(Excursion {
                piece,
                role,
                square: at,
                first: leave,
                last: death,
            });
            return Some(());
        } else {
            // The piece stands there when it arrives and after its last move; in between it may
            // make an excursion.
            let last = self.graph.event()?;
            self.graph.before(since, last);
            self.occupancy(piece, role, at, since, since);
            self.out.excursions.push(Excursion { piece, role, square: at, first: since, last });
            last
        };
        if dies {
            self.then(end, death);
        } else if piece.role() == Role::King {
            self.out.king_rests[piece.color().index()] = end;
        }
        self.occupancy(piece, role, itinerary.end, end, death);
        Some(())
    }

    /// Adds the departure of a leg that ends with `arrival`, and the squares that the leg crosses.
    fn leg(
        &mut self,
        piece: PieceId,
        role: Role,
        from: Square,
        to: Square,
        arrival: Event,
        by_capture: bool,
    ) -> Option<Event> {
        let tight = self.is_tight(piece, role, from, to, by_capture);
        let departure = if tight { arrival } else { self.graph.event()? };
        if !tight {
            self.graph.before(departure, arrival);
        }
        // A pawn with captures to come, or to spare, may take another path.
        let bent = || {
            let spare = self.spare_captures[piece.color().index()];
            self.itineraries[piece.index()].need > 0 || spare >= 2
        };
        let squares = if !self.required_squares || (role == Role::Pawn && bent()) {
            Bitboard::EMPTY
        } else if role == Role::Pawn {
            run(piece, from, to, by_capture)
        } else {
            let slack = self.slack_of(piece);
            let table = self.distances.table(piece.color(), role);
            self.crossing_cache.of(table, from, to, slack).without(to)
        };
        if squares.any() {
            let pieces = PieceMask::EMPTY.with(piece);
            self.out.crossings.push(Crossing { squares, pieces, after: departure, by: arrival });
        }
        Some(departure)
    }

    /// Returns true if a leg certainly is a single move.
    ///
    /// A pawn's single step or neighboring capture always is. Without free moves each leg takes its
    /// least number of moves; a knight's next longer path costs two more. A double step is one move
    /// if no move can be wasted, or if the pawn is taken en passant.
    fn is_tight(
        &self,
        piece: PieceId,
        role: Role,
        from: Square,
        to: Square,
        by_capture: bool,
    ) -> bool {
        if !self.single_move_legs || from == to {
            return false;
        }
        let slack = self.slack_of(piece);
        if role != Role::Pawn {
            let most = if role == Role::Knight { 1 } else { 0 };
            return slack <= most && self.distances.table(piece.color(), role).moves(from, to) == 1;
        }
        let gain = rank_gain(piece, from, to);
        let double = gain == 2
            && !by_capture
            && from == piece.origin()
            && self.distances.pawns(piece.color()).way(from, to).moves == 1;
        gain == 1 || (double && (slack == 0 || self.dies_in_passing(piece)))
    }

    fn dies_in_passing(&self, piece: PieceId) -> bool {
        let Fate::Dies(captor) = self.itineraries[piece.index()].fate else { return false };
        let passing = |kind| matches!(kind, StopKind::TakesEnPassant(victim) if victim == piece);
        self.itineraries[captor.index()].stops().iter().any(|stop| passing(stop.kind))
    }
}

/// Returns the squares that a pawn enters or passes on a leg, without the last one.
fn run(piece: PieceId, from: Square, to: Square, by_capture: bool) -> Bitboard {
    let forward = if piece.color().is_white() { 1 } else { -1 };
    let steps = rank_gain(piece, from, to) - 1;
    debug_assert_eq!(by_capture, from.file() != to.file());
    (1..=steps).filter_map(|step| from.offset(0, step * forward)).collect()
}

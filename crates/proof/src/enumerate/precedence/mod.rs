//! Precedence of events: strategies whose events form a cycle have no game.
//!
//! Each piece's itinerary becomes a chain of events, with occupancies between them and paths that
//! cross squares. Two pieces never share a square, a path requires empty squares, and a king
//! castles only when its path is not attacked. Each of these gives an order "this before that", or
//! a disjunction of two orders. A cycle, or a disjunction with a cycle on both sides, refutes the
//! strategy. Nothing here depends on the ply of an event.

mod castling;
mod crossings;
mod gates;
mod graph;
mod occupancy;

use crate::distance::{Distances, NEVER};
use crate::problem::piece::{PieceId, PieceMask};
use crate::rules::{Rule, Rules};
use crate::strategy::itinerary::Itinerary;
use arrayvec::ArrayVec;
use crossings::CrossingCache;
use graph::PrecedenceGraph;
use occupancy::{Crossing, NONE, Occupancy, TimelineBuilder, Timelines};
use umbrail_chess::geometry::Bitboard;

/// Checker of strategies, which reuses its buffers.
#[derive(Debug)]
pub(crate) struct PrecedenceChecker {
    rules: Rules,
    graph: PrecedenceGraph,
    timelines: Timelines,
    crossing_cache: CrossingCache,
}

/// Pieces that must make an excursion although no decided milestone requires it, and the moves
/// beyond their bounds that this costs.
#[derive(Debug, Default)]
pub(crate) struct RequiredExcursions {
    pieces: PieceMask,
    /// Each piece with its additional moves.
    pub moves: ArrayVec<(PieceId, u8), 32>,
}

impl RequiredExcursions {
    /// Charges a piece with the moves of an excursion.
    fn charge(&mut self, piece: PieceId, moves: u8, slack: &mut [u16; 2]) -> Result<(), Rule> {
        let left = &mut slack[piece.color().index()];
        *left = left.checked_sub(u16::from(moves)).ok_or(Rule::ForcedExcursions)?;
        self.pieces = self.pieces.with(piece);
        let _ = self.moves.try_push((piece, moves));
        Ok(())
    }
}

/// Terminator of the chain of occupancies of a square.
const LAST: u8 = u8::MAX;

impl PrecedenceChecker {
    /// Creates a checker with these rules: [`Rule::EventOrder`] for everything, and
    /// [`Rule::SingleMoveLegs`], [`Rule::SquareExclusion`], [`Rule::CaptureRelay`],
    /// [`Rule::CastlingPaths`], [`Rule::RequiredSquares`], [`Rule::ForcedExcursions`] for parts.
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules,
            graph: PrecedenceGraph::default(),
            timelines: Timelines::default(),
            crossing_cache: CrossingCache::default(),
        }
    }

    /// Checks the decided itineraries. Returns the pieces at home that must make an excursion.
    ///
    /// `slack` is the number of moves that each color has beyond its bound, `spare_captures` the
    /// number of captures beyond those its pawns need. Itineraries may be incomplete: a piece that
    /// makes more captures on a leg still moves from its start to its end within the slack. Such a
    /// piece also makes no leg of one move that [`Rule::SingleMoveLegs`] treats as one event, since
    /// a capture on the way costs a move or two.
    ///
    /// # Errors
    /// Returns the rule that refutes all strategies below.
    pub(crate) fn check(
        &mut self,
        itineraries: &[Itinerary; 32],
        distances: &Distances,
        mut slack: [u16; 2],
        spare_captures: [i32; 2],
    ) -> Result<RequiredExcursions, Rule> {
        let mut excursions = RequiredExcursions::default();
        if !self.rules.has(Rule::EventOrder) {
            return Ok(excursions);
        }
        loop {
            let builder = TimelineBuilder {
                itineraries,
                distances,
                slack,
                spare_captures,
                excursions: excursions.pieces,
                single_move_legs: self.rules.has(Rule::SingleMoveLegs),
                required_squares: self.rules.has(Rule::RequiredSquares),
                graph: &mut self.graph,
                out: &mut self.timelines,
                crossing_cache: &mut self.crossing_cache,
            };
            if builder.build().is_none() {
                // Too many events: nothing is deduced.
                return Ok(excursions);
            }
            let checked = if self.rules.has(Rule::UnanswerableChecks) {
                castling::checked_kings(itineraries, &self.timelines)
            } else {
                PieceMask::EMPTY
            };
            let more = self.in_the_way(itineraries, excursions.pieces)
                | PieceMask(checked.0 & !excursions.pieces.0);
            if !more.is_empty() {
                // Pieces at home without a milestone are in the way, or must answer a check: each
                // makes a round trip.
                for piece in more.pieces() {
                    let table = distances.table(piece.color(), piece.role());
                    let round =
                        if piece.is_pawn() { NEVER } else { table.round_trip(piece.origin()) };
                    excursions.charge(piece, round, &mut slack)?;
                }
                continue;
            }
            if self.rules.has(Rule::CastlingPaths) {
                castling::orders(itineraries, distances, &self.timelines, &mut self.graph);
            }
            if self.rules.has(Rule::OpenExits)
                && !gates::orders(distances, &self.timelines, &mut self.graph)
            {
                return Err(Rule::OpenExits);
            }
            if self.rules.has(Rule::CaptureRelay) {
                self.join_relays();
            }
            if !self.order_meetings() {
                return Err(Rule::CaptureRelay);
            }
            if !self.graph.is_possible() {
                return Err(Rule::EventOrder);
            }
            if !self.rules.has(Rule::ForcedExcursions) {
                return Ok(excursions);
            }
            let mut news = false;
            for excursion in &self.timelines.excursions {
                if self.graph.parts(excursion.first, excursion.last) {
                    // The piece is away while another event happens, and returns.
                    let itinerary = &itineraries[excursion.piece.index()];
                    let table = distances.table(excursion.piece.color(), excursion.role);
                    let round = table.round_trip(excursion.square);
                    let more = round.saturating_sub(itinerary.bound - itinerary.cost);
                    excursions.charge(
                        excursion.piece,
                        if round == NEVER { NEVER } else { more },
                        &mut slack,
                    )?;
                    news = true;
                }
            }
            if !news {
                return Ok(excursions);
            }
        }
    }

    /// Returns idle pieces on whose squares another piece must stop or pass.
    fn in_the_way(&self, itineraries: &[Itinerary; 32], excursions: PieceMask) -> PieceMask {
        if !self.rules.has(Rule::ForcedExcursions) {
            return PieceMask::EMPTY;
        }
        let idle: PieceMask = PieceId::all()
            .filter(|&piece| {
                !excursions.contains(piece) && itineraries[piece.index()].is_idle(piece)
            })
            .collect();
        let crossed = self.timelines.crossings.iter().map(|crossing| crossing.squares);
        let stopped = self
            .timelines
            .occupancies
            .iter()
            .filter(|occupancy| (occupancy.pieces.0 & excursions.0) == 0)
            .map(|occupancy| Bitboard::of(occupancy.square));
        let used = crossed.chain(stopped).fold(Bitboard::EMPTY, |all, squares| all | squares);
        idle.pieces().filter(|piece| used.contains(piece.origin())).collect()
    }

    /// Joins the occupancies of victim and captor on one square.
    ///
    /// *Admissible*: the captor arrives in the very move that removes the victim, so the square is
    /// never empty in between. En passant the squares differ, and nothing is joined.
    fn join_relays(&mut self) {
        let timelines = &mut self.timelines.occupancies;
        // The captor's occupancy that begins with an event. An en passant capture begins one on
        // another square, and an occupancy of zero length does not count.
        let mut begins = [LAST; 256];
        for (number, occupancy) in timelines.iter().enumerate().take(usize::from(LAST)) {
            if occupancy.from != NONE && occupancy.from != occupancy.to {
                begins[usize::from(occupancy.from)] = number as u8;
            }
        }
        let mut gone = [false; 256];
        for number in 0..timelines.len().min(usize::from(LAST)) {
            if gone[number] {
                continue;
            }
            let mut joined = timelines[number];
            while joined.to != NONE && joined.from != joined.to {
                let next = usize::from(begins[usize::from(joined.to)]);
                let Some(later) = timelines.get(next).filter(|_| next != usize::from(LAST)) else {
                    break;
                };
                if later.square != joined.square
                    || (later.pieces.0 & joined.pieces.0) != 0
                    || gone[next]
                {
                    break;
                }
                joined = Occupancy {
                    pieces: joined.pieces | later.pieces,
                    piece: later.piece,
                    role: later.role,
                    to: later.to,
                    ..joined
                };
                gone[next] = true;
            }
            timelines[number] = joined;
        }
        let mut number = 0;
        timelines.retain(|_| {
            number += 1;
            !gone[number - 1]
        });
    }

    /// Orders all occupancies and crossings of one square; returns false if two of them must
    /// overlap.
    fn order_meetings(&mut self) -> bool {
        let timelines = &self.timelines.occupancies;
        let pairs = self.rules.has(Rule::SquareExclusion);
        let mut first = [LAST; 64];
        let mut next = [LAST; 256];
        let mut occupied = Bitboard::EMPTY;
        for (number, occupancy) in timelines.iter().enumerate().take(usize::from(LAST)) {
            let square = occupancy.square.index();
            let mut other = first[square];
            while other != LAST {
                if !apart(&mut self.graph, occupancy, &timelines[usize::from(other)], pairs) {
                    return false;
                }
                other = next[usize::from(other)];
            }
            next[number] = first[square];
            first[square] = number as u8;
            occupied = occupied.with(occupancy.square);
        }
        for crossing in &self.timelines.crossings {
            for square in (crossing.squares & occupied).squares() {
                let mut other = first[square.index()];
                while other != LAST {
                    if !passes(&mut self.graph, crossing, &timelines[usize::from(other)], pairs) {
                        return false;
                    }
                    other = next[usize::from(other)];
                }
            }
        }
        true
    }
}

/// Orders two occupancies of one square: one ends before the other begins. Returns false if each
/// excludes the other throughout.
fn apart(graph: &mut PrecedenceGraph, a: &Occupancy, b: &Occupancy, pairs: bool) -> bool {
    if (a.pieces.0 & b.pieces.0) != 0 {
        return true;
    }
    match (a.to == NONE || b.from == NONE, b.to == NONE || a.from == NONE) {
        (true, true) => return false,
        (true, false) => graph.before(b.to, a.from),
        (false, true) => graph.before(a.to, b.from),
        (false, false) if pairs => graph.either((a.to, b.from), (b.to, a.from)),
        _ => {}
    }
    true
}

/// Orders a path across an occupied square: the path begins before the piece arrives, or ends after
/// the piece has left.
fn passes(
    graph: &mut PrecedenceGraph,
    crossing: &Crossing,
    occupancy: &Occupancy,
    pairs: bool,
) -> bool {
    if (crossing.pieces.0 & occupancy.pieces.0) != 0 {
        return true;
    }
    match (occupancy.from == NONE, occupancy.to == NONE) {
        (true, true) => return false,
        (true, false) => graph.before(occupancy.to, crossing.by),
        (false, true) => graph.before(crossing.after, occupancy.from),
        (false, false) if pairs => {
            graph.either((crossing.after, occupancy.from), (occupancy.to, crossing.by))
        }
        _ => {}
    }
    true
}

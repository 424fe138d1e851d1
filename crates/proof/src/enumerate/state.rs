//! State of a node: the itineraries of all pieces, with the sum of their bounds.

use crate::distance::still::still_pieces;
use crate::distance::walls::Walls;
use crate::distance::{Bars, Distances, TableCache};
use crate::problem::piece::{PieceId, PieceMask};
use crate::rules::{Rule, Rules};
use crate::strategy::itinerary::{Fate, Itinerary, PromotionPlan};
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_control::FastMap;

/// Reason why a node has no strategy below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeRefutation {
    /// A piece cannot reach a square that it must reach.
    NoWay(PieceId),
    /// A color needs more moves than it has.
    Moves(Color),
    /// The pawns of a color need more captures than there are pieces to take.
    Captures(Color),
    /// A piece that must be captured cannot be.
    Victim(PieceId),
    /// A rule refutes the complete strategy.
    Refuted(Rule),
}

/// A node: the decided itineraries and their consequences.
#[derive(Clone, Debug)]
pub(crate) struct NodeState {
    itineraries: [Itinerary; 32],
    /// Pieces to be captured whose captor and square are open.
    pub open: PieceMask,
    /// Survivors at home without a milestone.
    idle: PieceMask,
    /// Sums of bounds and of needs by color.
    bound: [u16; 2],
    need: [u16; 2],
    /// Number of moves of each color.
    pub budget: [u16; 2],
    /// Distances with respect to the pieces known to be still.
    pub distances: Arc<Distances>,
    /// Pawns known to stay on their files.
    pub walls: Walls,
}

/// State that a seeker keeps between nodes.
pub(crate) struct Tools {
    /// Enabled deductions.
    pub rules: Rules,
    /// Distances by still pieces.
    pub tables: TableCache,
    /// Still pieces by idle pieces and spare moves.
    known: FastMap<(u32, u8, u8, Bars), Arc<Distances>>,
}

/// Number of spare moves above which no round trip is too long.
const SPARE_MAX: u16 = 20;

impl Tools {
    /// Creates empty caches.
    pub(crate) fn new(rules: Rules) -> Self {
        Self { rules, tables: TableCache::new(rules), known: FastMap::default() }
    }

    /// Returns the distances if the pieces `idle` rest at home; see [`still_pieces`].
    pub(crate) fn distances(
        &mut self,
        idle: PieceMask,
        spare: [u16; 2],
        walls: Walls,
    ) -> Arc<Distances> {
        let bars = if self.rules.has(Rule::ConfinedPieces) { walls.0 } else { Bars::default() };
        if !self.rules.has(Rule::StillPieces) {
            return self.tables.of(Bitboard::EMPTY, bars);
        }
        let spare = spare.map(|moves| moves.min(SPARE_MAX));
        let key = (idle.0, spare[0] as u8, spare[1] as u8, bars);
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(known);
        }
        let new = still_pieces(idle, spare, bars, &mut self.tables);
        self.known.insert(key, Arc::clone(&new));
        new
    }
}

impl NodeState {
    /// Creates a state with these decided itineraries; they are not evaluated yet.
    pub(crate) fn new(
        itineraries: [Itinerary; 32],
        budget: [u16; 2],
        distances: Arc<Distances>,
    ) -> Self {
        let of = |fits: fn(&Itinerary, PieceId) -> bool| {
            PieceId::all().filter(|&piece| fits(&itineraries[piece.index()], piece)).collect()
        };
        Self {
            itineraries,
            open: of(|itinerary, _| itinerary.fate == Fate::Open),
            idle: of(Itinerary::is_idle),
            bound: [0; 2],
            need: [0; 2],
            budget,
            distances,
            walls: Walls::default(),
        }
    }

    /// Returns all itineraries.
    #[inline]
    pub(crate) const fn itineraries(&self) -> &[Itinerary; 32] {
        &self.itineraries
    }

    /// Returns the itinerary of a piece.
    #[inline]
    pub(crate) const fn itinerary(&self, piece: PieceId) -> &Itinerary {
        &self.itineraries[piece.index()]
    }

    /// Replaces a piece's itinerary and updates the sums; returns the former one.
    #[inline]
    pub(crate) fn set(&mut self, piece: PieceId, itinerary: Itinerary) -> Itinerary {
        let color = piece.color().index();
        let old = std::mem::replace(&mut self.itineraries[piece.index()], itinerary);
        self.bound[color] = self.bound[color] + u16::from(itinerary.bound) - u16::from(old.bound);
        self.need[color] = self.need[color] + u16::from(itinerary.need) - u16::from(old.need);
        let idle = self.idle.without(piece);
        self.idle = if itinerary.is_idle(piece) { idle.with(piece) } else { idle };
        old
    }

    /// Raises a piece's bound.
    pub(crate) fn raise(&mut self, piece: PieceId, bound: u8) {
        let old = &mut self.itineraries[piece.index()].bound;
        if bound > *old {
            self.bound[piece.color().index()] += u16::from(bound - *old);
            *old = bound;
            self.idle = self.idle.without(piece);
        }
    }

    /// Returns the least number of moves of a color.
    #[inline]
    pub(crate) const fn bound(&self, color: Color) -> u16 {
        self.bound[color.index()]
    }

    /// Returns the number of moves that a color has beyond its bound; negative if it has too few.
    #[inline]
    pub(crate) fn spare(&self, color: Color) -> i32 {
        i32::from(self.budget[color.index()]) - i32::from(self.bound(color))
    }

    /// Returns the number of captures that a color must still make.
    #[inline]
    pub(crate) fn victims_left(&self, color: Color) -> u32 {
        (self.open.0 & PieceMask::of_color(!color).0).count_ones()
    }

    /// Returns the number of captures beyond those its pawns need.
    #[inline]
    pub(crate) fn spare_captures(&self, color: Color) -> i32 {
        self.victims_left(color) as i32 - i32::from(self.need[color.index()])
    }

    /// Returns true if all captures that pawns need are decided.
    pub(crate) const fn is_walked(&self) -> bool {
        self.need[0] == 0 && self.need[1] == 0
    }

    /// Propagates changes to the itineraries of `changed` to a fixpoint.
    ///
    /// # Errors
    /// Returns the reason why there is no strategy below.
    pub(crate) fn settle(
        &mut self,
        mut changed: PieceMask,
        tools: &mut Tools,
    ) -> Result<(), NodeRefutation> {
        loop {
            for piece in changed.pieces() {
                let mut itinerary = self.itineraries[piece.index()];
                if !itinerary.weigh(piece, &self.distances, &self.walls) {
                    return Err(NodeRefutation::NoWay(piece));
                }
                self.set(piece, itinerary);
            }
            for color in Color::ALL {
                if self.spare(color) < 0 {
                    return Err(NodeRefutation::Moves(color));
                }
                if tools.rules.has(Rule::PawnCaptures) && self.spare_captures(color) < 0 {
                    return Err(NodeRefutation::Captures(color));
                }
            }
            changed = self.follow(tools);
            if changed.is_empty() {
                return Ok(());
            }
        }
    }

    /// Finds new walls and still pieces; returns the pieces to evaluate again.
    pub(crate) fn follow(&mut self, tools: &mut Tools) -> PieceMask {
        self.build_walls(tools.rules) | self.freeze(tools)
    }

    /// Finds the walls; returns the pieces to evaluate again.
    fn build_walls(&mut self, rules: Rules) -> PieceMask {
        if !rules.has(Rule::PawnWalls) || !rules.has(Rule::PawnCaptures) {
            return PieceMask::EMPTY;
        }
        let mut walls = Walls::default();
        for color in Color::ALL {
            if self.spare_captures(color) >= 2 {
                continue;
            }
            for pawn in PieceId::of_color(color).filter(|piece| piece.is_pawn()) {
                let itinerary = &self.itineraries[pawn.index()];
                let stays =
                    itinerary.fate == Fate::Rests && itinerary.promotion == PromotionPlan::Never;
                if stays && itinerary.stops().is_empty() && itinerary.need == 0 {
                    walls.add(pawn, itinerary.end);
                }
            }
        }
        if walls == self.walls {
            return PieceMask::EMPTY;
        }
        self.walls = walls;
        PieceId::all().filter(|piece| piece.is_pawn()).collect()
    }

    /// Finds the still pieces and new bars; returns the pieces to evaluate again.
    pub(crate) fn freeze(&mut self, tools: &mut Tools) -> PieceMask {
        let barred = !tools.rules.has(Rule::ConfinedPieces) || self.distances.bars == self.walls.0;
        if homes(self.idle) == self.distances.still && barred {
            return PieceMask::EMPTY;
        }
        let spare = Color::ALL.map(|color| self.spare(color).max(0) as u16);
        let distances = tools.distances(self.idle, spare, self.walls);
        if Arc::ptr_eq(&distances, &self.distances) {
            return PieceMask::EMPTY;
        }
        self.distances = distances;
        PieceMask::ALL
    }
}

/// Returns the home squares of pieces: the first two ranks of each side.
fn homes(pieces: PieceMask) -> Bitboard {
    let bits = u64::from(pieces.0);
    let black = bits >> 16;
    Bitboard(bits & 0xFFFF | (black & 0xFF) << 56 | (black >> 8) << 48)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_are_origins() {
        for piece in PieceId::all() {
            assert_eq!(homes(PieceMask::EMPTY.with(piece)), Bitboard::of(piece.origin()));
        }
    }
}

//! The state of a node: all men's itineraries, with the bound that they add up to.

use crate::distance::still::still_men;
use crate::distance::walls::Walls;
use crate::distance::{Bars, Distances, TableCache};
use crate::problem::man::{Man, MenSet};
use crate::rules::{Rule, Rules};
use crate::strategy::itinerary::{Fate, Itinerary, PromotionPlan};
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_control::FastMap;

/// Why a node has no strategy below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeRefutation {
    /// A man cannot go where it must.
    NoWay(Man),
    /// A color needs more moves than it has.
    Moves(Color),
    /// The pawns of a color need more captures than there are men to take.
    Captures(Color),
    /// A man that must be taken cannot be.
    Victim(Man),
    /// A rule refutes the finished strategy.
    Refuted(Rule),
}

/// A node: decided itineraries, and what follows.
#[derive(Clone, Debug)]
pub(crate) struct NodeState {
    itineraries: [Itinerary; 32],
    /// Men to be captured whose captor and square are open.
    pub open: MenSet,
    /// Survivors at home without a milestone.
    idle: MenSet,
    /// Sums of bounds and of needs by color.
    bound: [u16; 2],
    need: [u16; 2],
    /// Moves of each color.
    pub budget: [u16; 2],
    /// Distances among the men that are known to stand still.
    pub distances: Arc<Distances>,
    /// Pawns known to stay on their file.
    pub walls: Walls,
}

/// What a seeker keeps between nodes.
pub(crate) struct Tools {
    /// The deductions that are on.
    pub rules: Rules,
    /// Distances by still men.
    pub tables: TableCache,
    /// Still men by idle men and spare moves.
    known: FastMap<(u32, u8, u8, Bars), Arc<Distances>>,
}

/// With more spare moves than this, no round trip is too long.
const SPARE_MAX: u16 = 20;

impl Tools {
    /// Nothing computed yet.
    pub(crate) fn new(rules: Rules) -> Self {
        Self { rules, tables: TableCache::new(rules), known: FastMap::default() }
    }

    /// Distances when the men `idle` rest at home; see [`still_men`].
    pub(crate) fn distances(
        &mut self,
        idle: MenSet,
        spare: [u16; 2],
        walls: Walls,
    ) -> Arc<Distances> {
        let bars = if self.rules.has(Rule::ConfinedMen) { walls.0 } else { Bars::default() };
        if !self.rules.has(Rule::StillMen) {
            return self.tables.of(Bitboard::EMPTY, bars);
        }
        let spare = spare.map(|moves| moves.min(SPARE_MAX));
        let key = (idle.0, spare[0] as u8, spare[1] as u8, bars);
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(known);
        }
        let new = still_men(idle, spare, bars, &mut self.tables);
        self.known.insert(key, Arc::clone(&new));
        new
    }
}

impl NodeState {
    /// A state in which these itineraries are decided; nothing is weighed yet.
    pub(crate) fn new(
        itineraries: [Itinerary; 32],
        budget: [u16; 2],
        distances: Arc<Distances>,
    ) -> Self {
        let of = |fits: fn(&Itinerary, Man) -> bool| {
            Man::all().filter(|&man| fits(&itineraries[man.index()], man)).collect()
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

    /// All itineraries.
    #[inline]
    pub(crate) const fn itineraries(&self) -> &[Itinerary; 32] {
        &self.itineraries
    }

    /// The itinerary of a man.
    #[inline]
    pub(crate) const fn itinerary(&self, man: Man) -> &Itinerary {
        &self.itineraries[man.index()]
    }

    /// Replaces a man's itinerary and updates the sums; returns the former one.
    #[inline]
    pub(crate) fn set(&mut self, man: Man, itinerary: Itinerary) -> Itinerary {
        let color = man.color().index();
        let old = std::mem::replace(&mut self.itineraries[man.index()], itinerary);
        self.bound[color] = self.bound[color] + u16::from(itinerary.bound) - u16::from(old.bound);
        self.need[color] = self.need[color] + u16::from(itinerary.need) - u16::from(old.need);
        let idle = self.idle.without(man);
        self.idle = if itinerary.is_idle(man) { idle.with(man) } else { idle };
        old
    }

    /// Raises a man's bound.
    pub(crate) fn raise(&mut self, man: Man, bound: u8) {
        let old = &mut self.itineraries[man.index()].bound;
        if bound > *old {
            self.bound[man.color().index()] += u16::from(bound - *old);
            *old = bound;
            self.idle = self.idle.without(man);
        }
    }

    /// Least moves of a color.
    #[inline]
    pub(crate) const fn bound(&self, color: Color) -> u16 {
        self.bound[color.index()]
    }

    /// Moves that a color has beyond its bound; negative when it has too few.
    #[inline]
    pub(crate) fn spare(&self, color: Color) -> i32 {
        i32::from(self.budget[color.index()]) - i32::from(self.bound(color))
    }

    /// Captures that a color has still to make.
    #[inline]
    pub(crate) fn victims_left(&self, color: Color) -> u32 {
        (self.open.0 & MenSet::of_color(!color).0).count_ones()
    }

    /// Captures beyond those its pawns need.
    #[inline]
    pub(crate) fn spare_captures(&self, color: Color) -> i32 {
        self.victims_left(color) as i32 - i32::from(self.need[color.index()])
    }

    /// Whether all captures that pawns need are decided.
    pub(crate) const fn is_walked(&self) -> bool {
        self.need[0] == 0 && self.need[1] == 0
    }

    /// Propagates after the itineraries of `changed` were altered, to a fixpoint.
    ///
    /// # Errors
    /// Why there is no strategy below.
    pub(crate) fn settle(
        &mut self,
        mut changed: MenSet,
        tools: &mut Tools,
    ) -> Result<(), NodeRefutation> {
        loop {
            for man in changed.men() {
                let mut itinerary = self.itineraries[man.index()];
                if !itinerary.weigh(man, &self.distances, &self.walls) {
                    return Err(NodeRefutation::NoWay(man));
                }
                self.set(man, itinerary);
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

    /// Finds new walls and still men; returns the men to be weighed again.
    pub(crate) fn follow(&mut self, tools: &mut Tools) -> MenSet {
        self.build_walls(tools.rules) | self.freeze(tools)
    }

    /// Finds the walls; returns the men to be weighed again.
    fn build_walls(&mut self, rules: Rules) -> MenSet {
        if !rules.has(Rule::PawnWalls) || !rules.has(Rule::PawnCaptures) {
            return MenSet::EMPTY;
        }
        let mut walls = Walls::default();
        for color in Color::ALL {
            if self.spare_captures(color) >= 2 {
                continue;
            }
            for pawn in Man::of_color(color).filter(|man| man.is_pawn()) {
                let itinerary = &self.itineraries[pawn.index()];
                let stays =
                    itinerary.fate == Fate::Rests && itinerary.promotion == PromotionPlan::Never;
                if stays && itinerary.stops().is_empty() && itinerary.need == 0 {
                    walls.add(pawn, itinerary.end);
                }
            }
        }
        if walls == self.walls {
            return MenSet::EMPTY;
        }
        self.walls = walls;
        Man::all().filter(|man| man.is_pawn()).collect()
    }

    /// Finds the still men and new bars; returns the men to be weighed again.
    pub(crate) fn freeze(&mut self, tools: &mut Tools) -> MenSet {
        let barred = !tools.rules.has(Rule::ConfinedMen) || self.distances.bars == self.walls.0;
        if homes(self.idle) == self.distances.still && barred {
            return MenSet::EMPTY;
        }
        let spare = Color::ALL.map(|color| self.spare(color).max(0) as u16);
        let distances = tools.distances(self.idle, spare, self.walls);
        if Arc::ptr_eq(&distances, &self.distances) {
            return MenSet::EMPTY;
        }
        self.distances = distances;
        MenSet::ALL
    }
}

/// The origins of men: the two ranks of each side.
fn homes(men: MenSet) -> Bitboard {
    let bits = u64::from(men.0);
    let black = bits >> 16;
    Bitboard(bits & 0xFFFF | (black & 0xFF) << 56 | (black >> 8) << 48)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_are_origins() {
        for man in Man::all() {
            assert_eq!(homes(MenSet::EMPTY.with(man)), Bitboard::of(man.origin()));
        }
    }
}

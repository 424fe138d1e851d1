//! Distance cache: steps, distance maps and the squares that a leg can touch.
//!
//! Strategies of one problem differ in a few routes, so nearly every leg of a new strategy has been
//! measured before with equal obstacles. Every cached value is a pure function of its key.

use crate::distance::NEVER;
use crate::distance::map::{DistanceMap, LegTarget, before, reach};
use crate::distance::move_kind::MoveKind;
use crate::distance::steps::Steps;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Square};
use umbrail_control::FastMap;

/// Key of a map: steps, target, forbidden squares, and the next map after an excursion.
type MapKey = (u32, LegTarget, Bitboard, u32);

/// Squares of a leg within a number of moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squares {
    /// Squares where the piece can stop.
    pub stops: Bitboard,
    /// The stops and the squares that the piece can pass, land or take on.
    pub touched: Bitboard,
}

/// Cache of distances; one per worker.
#[derive(Default)]
pub(crate) struct DistanceCache {
    step_numbers: FastMap<(Box<[Bitboard]>, MoveKind), u32>,
    step_contents: FastMap<Steps, u32>,
    steps: Vec<Steps>,
    map_numbers: FastMap<MapKey, u32>,
    maps: Vec<DistanceMap>,
    /// Key of each map, to measure it again with more squares blocked.
    sources: Vec<MapKey>,
    squares: FastMap<(u32, Square, u8), Squares>,
    needs: FastMap<(u32, Square, u8), Bitboard>,
}

impl DistanceCache {
    /// Returns the steps of a move kind between barriers (see [`Steps::new`]), which must be in
    /// ascending order.
    pub(crate) fn steps(&mut self, move_kind: MoveKind, barriers: &[Bitboard]) -> u32 {
        let key: (Box<[Bitboard]>, MoveKind) = (barriers.into(), move_kind);
        if let Some(&number) = self.step_numbers.get(&key) {
            return number;
        }
        let steps = Steps::new(move_kind, barriers);
        let next = self.steps.len() as u32;
        let number = *self.step_contents.entry(steps.clone()).or_insert(next);
        if number == next {
            self.steps.push(steps);
        }
        self.step_numbers.insert(key, number);
        number
    }

    /// Returns the map of a target.
    pub(crate) fn map(&mut self, steps: u32, target: LegTarget, forbidden: Bitboard) -> u32 {
        self.map_of((steps, target, forbidden, u32::MAX))
    }

    /// Returns the map of a piece that must leave `home` and continue in map `next`.
    pub(crate) fn leaving(&mut self, steps: u32, home: Square, next: u32) -> u32 {
        self.map_of((steps, LegTarget::Leave(home), Bitboard::EMPTY, next))
    }

    fn map_of(&mut self, key: MapKey) -> u32 {
        if let Some(&number) = self.map_numbers.get(&key) {
            return number;
        }
        let (steps, target, forbidden, next) = key;
        let steps = &self.steps[steps as usize];
        let map = match target {
            LegTarget::Leave(home) => {
                let next = &self.maps[next as usize];
                DistanceMap::at(home, leaving(steps, home, next, Bitboard::EMPTY))
            }
            _ => DistanceMap::new(steps, target, forbidden, Bitboard::EMPTY),
        };
        let number = self.maps.len() as u32;
        self.maps.push(map);
        self.sources.push(key);
        self.map_numbers.insert(key, number);
        number
    }

    /// Returns the map with this number.
    #[inline]
    pub(crate) fn get(&self, map: u32) -> &DistanceMap {
        &self.maps[map as usize]
    }

    /// Returns the steps of a map.
    #[inline]
    pub(crate) fn steps_of(&self, map: u32) -> &Steps {
        &self.steps[self.sources[map as usize].0 as usize]
    }

    /// Returns the map with further squares permanently blocked.
    pub(crate) fn blocked(&self, map: u32, blocked: Bitboard) -> DistanceMap {
        let (steps, target, forbidden, next) = self.sources[map as usize];
        let steps = &self.steps[steps as usize];
        match target {
            LegTarget::Leave(home) => {
                let next = self.blocked(next, blocked);
                DistanceMap::at(home, leaving(steps, home, &next, blocked))
            }
            _ => DistanceMap::new(steps, target, forbidden, blocked),
        }
    }

    /// Returns the squares on paths of at most `limit` moves from `start` through a map.
    pub(crate) fn squares(&mut self, number: u32, start: Square, limit: u8) -> Squares {
        let key = (number, start, limit);
        if let Some(&squares) = self.squares.get(&key) {
            return squares;
        }
        let (steps, target, forbidden, next) = self.sources[number as usize];
        let squares = if let LegTarget::Leave(home) = target {
            let next = self.squares(next, home, limit);
            Squares { stops: next.stops.with(home), touched: next.touched.with(home) }
        } else {
            let steps = &self.steps[steps as usize];
            walk_squares(&self.maps[number as usize], steps, target, forbidden, start, limit)
        };
        self.squares.insert(key, squares);
        squares
    }

    /// Returns the squares that *every* path of at most `limit` moves from `start` stops on, passes
    /// or lands on, without `start` itself.
    ///
    /// A square is one of them if no such path is left when it is blocked.
    pub(crate) fn needs(&mut self, number: u32, start: Square, limit: u8) -> Bitboard {
        let key = (number, start, limit);
        if let Some(&needs) = self.needs.get(&key) {
            return needs;
        }
        let candidates = self.squares(number, start, limit).touched.without(start);
        let needed = |q: &Square| {
            let map = self.blocked(number, Bitboard::of(*q));
            let moves = map.moves[start.index()];
            moves == NEVER || moves > limit
        };
        let needs = candidates.squares().filter(needed).collect();
        self.needs.insert(key, needs);
        needs
    }

    /// Returns true if the memory limit of some 100 MiB is exceeded.
    pub(crate) fn is_full(&self) -> bool {
        let entries = self.maps.len() * 400 + self.steps.len() * 1200;
        entries + self.squares.len() * 40 + self.step_numbers.len() * 200 > 100 << 20
    }
}

/// Returns the distance of a piece that must leave `home`.
fn leaving(steps: &Steps, home: Square, next: &DistanceMap, blocked: Bitboard) -> u8 {
    let open = steps.open(home, blocked).squares();
    open.map(|to| next.moves[to.index()].saturating_add(1)).min().unwrap_or(NEVER)
}

fn walk_squares(
    map: &DistanceMap,
    steps: &Steps,
    target: LegTarget,
    forbidden: Bitboard,
    start: Square,
    limit: u8,
) -> Squares {
    if let LegTarget::Castle(..) = target {
        let here = Bitboard::of(start);
        return Squares { stops: here, touched: here };
    }
    let there = reach(steps, start, forbidden);
    let ways = |q: Square| u32::from(there[q.index()]) + u32::from(map.moves[q.index()]);
    let short = |q: &Square| ways(*q) <= u32::from(limit) && there[q.index()] != NEVER;
    let stops: Bitboard = Square::all().filter(short).collect();
    let mut touched = stops;
    for from in stops.squares() {
        let left = i32::from(limit) - i32::from(there[from.index()]) - 1;
        let targets = steps.to[from.index()] & stops & map.within(left) & !forbidden;
        for to in targets.squares() {
            touched |= attacks::between(from, to);
        }
        if left < 0 {
            continue;
        }
        let goal = target.square();
        let lands = match target {
            LegTarget::Land(_) => before(steps, goal, Bitboard::EMPTY).contains(from),
            LegTarget::Take(_) => attacks::pawn(!steps.move_kind.color(), goal).contains(from),
            _ => false,
        };
        if lands {
            touched = touched.with(goal) | attacks::between(from, goal);
        }
    }
    Squares { stops, touched }
}

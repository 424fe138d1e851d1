//! Pairs of pieces, solved exactly (2-consistency): the states that each piece loses because of the
//! other.
//!
//! Every game of the strategy, projected to two of its pieces, is a path through pairs of states in
//! which they never meet, never jump over each other, and no king stays in a check that cannot be
//! parried. States on no such path within the free moves occur in no game.

pub(crate) mod cache;

use crate::analyse::forbidden::ForbiddenSquares;
use crate::analyse::pair_costs::{CostTable, PairCosts};
use crate::analyse::pair_graph::{GraphEdge, NOWHERE, StateGraph};
use crate::analyse::pairs::cache::PairCache;
use crate::analyse::plan::{StrategyPlan, StrategyRefutation};
use crate::distance::cache::DistanceCache;
use crate::rules::Rule;
use std::sync::Arc;
use umbrail_chess::Role;
use umbrail_chess::geometry::Bitboard;

/// Maximum number of states of an analysed graph; larger ones deduce too little for their cost.
pub(crate) const STATES_MAX: usize = 160;

/// Maximum number of pairs of states of an analysed pair.
const PAIRS_MAX: usize = 8_000;

/// Applies rule A18 to all pairs of pieces. Returns the squares of states that lie on no joint
/// path, leg by leg, and the costs for search.
///
/// *Admissible*: the projection of a game to two pieces is a joint path. The moves of this path
/// cost each side at most its free moves, since all other pieces still have their needs. A check in
/// contact, by a knight or pawn, or along squares on which no other piece can ever stand is
/// answered by the king or by taking the checker (which then is at its end), so the checker does
/// not move before.
///
/// # Errors
/// Returns the refutation if two pieces have no joint path at all.
pub(crate) fn narrow(
    plan: &StrategyPlan,
    distances: &DistanceCache,
    pairs: &mut PairCache,
) -> Result<(Vec<ForbiddenSquares>, PairCosts), StrategyRefutation> {
    pairs.clear_if_full();
    let movers = plan.sequences.iter().filter(|sequence| !plan.fixed.contains(sequence.piece));
    let graphs: Vec<(u32, Arc<StateGraph>)> =
        movers.filter_map(|sequence| pairs.graph(plan, sequence, distances)).collect();
    let mut dead: Vec<Vec<bool>> =
        graphs.iter().map(|(_, t)| vec![false; t.states.len()]).collect();
    let mut pair_costs = PairCosts::new(&graphs);
    for (i, a) in graphs.iter().enumerate() {
        for (j, b) in graphs.iter().enumerate().skip(i + 1) {
            let Some(result) = pairs.solve(plan, a, b) else { continue };
            let PairResult::Feasible { dead: states, costs } = result else {
                return Err(StrategyRefutation::by(Rule::PairCollisions, a.1.piece));
            };
            for (n, states) in [(i, &states[0]), (j, &states[1])] {
                states.iter().for_each(|&state| dead[n][usize::from(state)] = true);
            }
            if let Some(costs) = costs {
                pair_costs.keep(&a.1, &b.1, costs);
            }
        }
    }
    let mut forbidden = Vec::new();
    for ((_, graph), dead) in graphs.iter().zip(&dead) {
        let sequence = plan.sequence(graph.piece);
        for (l, leg) in sequence.legs.iter().enumerate() {
            let mut squares = Bitboard::EMPTY;
            for (&(_, square), _) in graph
                .states
                .iter()
                .zip(dead)
                .filter(|&(&(m, _), &dead)| usize::from(m) == l && dead)
            {
                squares = squares.with(square);
            }
            if squares.contains(leg.start)
                && l > 0
                && sequence.legs[0].goal != crate::analyse::legs::Goal::Leave
            {
                return Err(StrategyRefutation::by(Rule::PairCollisions, graph.piece));
            }
            squares = squares.without(leg.start).without(leg.target.square());
            let new = squares & leg.stops & !leg.forbidden;
            if new.any() {
                forbidden.push(ForbiddenSquares { piece: graph.piece, leg: l as u8, squares: new });
            }
        }
    }
    Ok((forbidden, pair_costs))
}

/// Two state graphs together.
pub(crate) struct Pair<'a> {
    a: &'a StateGraph,
    b: &'a StateGraph,
    /// States that the other piece must not be in, by edge of the first and of the second piece.
    barred: [Vec<StateSet>; 2],
    free: [u8; 2],
    same_side: bool,
}

/// A set of states of one graph.
#[derive(Clone, Copy, Default)]
struct StateSet([u64; STATES_MAX.div_ceil(64)]);

impl StateSet {
    #[inline]
    const fn has(self, state: u16) -> bool {
        let state = state as usize;
        self.0[state / 64] >> (state % 64) & 1 != 0
    }

    const fn add(&mut self, state: u16) {
        let state = state as usize;
        self.0[state / 64] |= 1 << (state % 64);
    }

    fn join(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
    }
}

/// Returns the states of the other piece that forbid each edge of `mover`. The other piece stands
/// in the way; or it is a king in check; or it attacks a square that the king enters; or it is the
/// victim and not yet in its last state.
fn barred(mover: &StateGraph, still: &StateGraph, maybe: Bitboard) -> Vec<StateSet> {
    let enemies = mover.piece.color() != still.piece.color();
    let is_king = |graph: &StateGraph| enemies && graph.piece.role() == Role::King;
    let mut on = [StateSet::default(); 64];
    let mut attacking = [StateSet::default(); 64];
    for (state, (&(_, square), move_kind)) in (0..).zip(still.states.iter().zip(&still.move_kinds))
    {
        on[square.index()].add(state);
        if is_king(mover) {
            // Third pieces do not hide the first of their squares on a line.
            let seen = move_kind.checks(square, maybe);
            seen.squares().for_each(|target| attacking[target.index()].add(state));
        }
    }
    let at = |squares: Bitboard, of: &[StateSet; 64]| {
        let mut states = StateSet::default();
        squares.squares().for_each(|square| states.join(of[square.index()]));
        states
    };
    let mut checking = vec![StateSet::default(); mover.states.len()];
    if is_king(still) {
        for (checking, (&(_, from), move_kind)) in
            checking.iter_mut().zip(mover.states.iter().zip(&mover.move_kinds))
        {
            *checking = at(move_kind.checks(from, maybe), &on);
        }
    }
    let bar = |edge: &GraphEdge| {
        let mut barred = checking[usize::from(edge.from)];
        if edge.victim == Some(still.piece) {
            let elsewhere = |state: &u16| *state != still.last;
            (0..still.gone()).filter(elsewhere).for_each(|state| barred.add(state));
            return barred;
        }
        barred.join(at(edge.clear, &on));
        if is_king(mover) {
            let to = mover.states[usize::from(edge.to)].1;
            barred.join(at(edge.safe.with(to), &attacking));
        }
        barred
    };
    mover.edges.iter().map(bar).collect()
}

const FAR: u8 = 255;

/// Result of a pair of pieces.
pub(crate) enum PairResult {
    /// They have no joint path.
    Infeasible,
    /// They have a joint path.
    Feasible {
        /// States of the first and the second piece that lie on no joint path.
        dead: [Box<[u16]>; 2],
        /// Costs for the search, if they exceed the needs of the single pieces.
        costs: Option<Arc<CostTable>>,
    },
}

impl<'a> Pair<'a> {
    /// Creates a pair; third pieces may stand on the squares `maybe`. Returns `None` for pairs that
    /// are not analysed: too many states, king and rook that castle together, and pieces without
    /// common squares, unless one of them is the enemy king.
    pub(crate) fn new(a: &'a StateGraph, b: &'a StateGraph, maybe: Bitboard) -> Option<Self> {
        let size = (a.states.len() + 1) * (b.states.len() + 1);
        let same_side = a.piece.color() == b.piece.color();
        if size > PAIRS_MAX || same_side && a.castles && b.castles {
            return None;
        }
        if !Self::is_royal(a, b) && (a.touched & b.touched).is_empty() {
            return None;
        }
        let free = |graph: &StateGraph| graph.free.clamp(0, 250) as u8;
        let barred = [barred(a, b, maybe), barred(b, a, maybe)];
        Some(Self { a, b, barred, free: [free(a), free(b)], same_side })
    }

    /// Returns true if one of them can check the other.
    pub(crate) fn is_royal(a: &StateGraph, b: &StateGraph) -> bool {
        let king = |graph: &StateGraph| graph.piece.role() == Role::King;
        a.piece.color() != b.piece.color() && (king(a) || king(b))
    }

    fn index(&self, a: u16, b: u16) -> usize {
        usize::from(a) * (self.b.states.len() + 1) + usize::from(b)
    }

    /// Returns the state of the other piece after a move of `mover`, if that move is possible while
    /// it is in state `other`.
    #[inline]
    fn after(&self, m: usize, edge: usize, other: u16) -> Option<u16> {
        let (mover, still) = if m == 0 { (self.a, self.b) } else { (self.b, self.a) };
        let takes = mover.edges[edge].victim == Some(still.piece);
        if other == still.gone() {
            (!takes).then_some(other)
        } else if self.barred[m][edge].has(other) {
            None
        } else if takes {
            Some(still.gone())
        } else {
            Some(other)
        }
    }

    /// Returns the least costs from a pair of states to others, forward along the moves or
    /// backward, where they are less than `room`; [`FAR`] elsewhere.
    fn spread(&self, from: (u16, u16), forward: bool, side: usize, room: &[u8]) -> Vec<u8> {
        let mut best = room.to_vec();
        let mut layers: Vec<Vec<(u16, u16)>> = vec![Vec::new(); usize::from(self.free[side]) + 1];
        let start = self.index(from.0, from.1);
        if best[start] > 0 {
            best[start] = 0;
            layers[0].push(from);
        }
        for cost in 0..=self.free[side] {
            while let Some((a, b)) = layers[usize::from(cost)].pop() {
                if best[self.index(a, b)] != cost {
                    continue;
                }
                let mut reach = |a: u16, b: u16, more: u8| {
                    let total = cost + more;
                    let i = self.index(a, b);
                    if total < best[i] {
                        best[i] = total;
                        layers[usize::from(total)].push((a, b));
                    }
                };
                // Cost of a side's move on the scale of `side`.
                let price = |mover: usize, cost: u8| {
                    if self.same_side || mover == side { cost } else { 0 }
                };
                self.neighbors(0, (a, b), forward, &mut |a, b, cost| {
                    reach(a, b, price(0, cost));
                });
                self.neighbors(1, (b, a), forward, &mut |b, a, cost| {
                    reach(a, b, price(1, cost));
                });
            }
        }
        for (best, room) in best.iter_mut().zip(room) {
            if best == room {
                *best = FAR;
            }
        }
        best
    }

    /// Returns the pairs one move of one piece away, or one capture of it by a third piece.
    fn neighbors(
        &self,
        mover: usize,
        (m, s): (u16, u16),
        forward: bool,
        visit: &mut impl FnMut(u16, u16, u8),
    ) {
        let (index, mover, still) =
            if mover == 0 { (0, self.a, self.b) } else { (1, self.b, self.a) };
        let edges = if forward { &mover.leaving } else { &mover.reaching };
        for &number in &edges[usize::from(m)] {
            let number = number as usize;
            let edge = &mover.edges[number];
            if forward {
                if let Some(after) = self.after(index, number, s) {
                    visit(edge.to, after, edge.cost);
                }
                continue;
            }
            let before =
                if edge.victim == Some(still.piece) && s == still.gone() { still.last } else { s };
            if before != NOWHERE && self.after(index, number, before) == Some(s) {
                visit(edge.from, before, edge.cost);
            }
        }
        // A third piece takes it.
        if mover.captor.is_some_and(|captor| captor != still.piece) {
            if forward && m == mover.last {
                visit(mover.gone(), s, 0);
            } else if !forward && m == mover.gone() {
                visit(mover.last, s, 0);
            }
        }
    }

    /// Returns the states of each piece that lie on an affordable joint path, and the costs.
    pub(crate) fn solve(&self) -> PairResult {
        let size = (self.a.states.len() + 1) * (self.b.states.len() + 1);
        let sides = if self.same_side { 1 } else { 2 };
        let (first, last) = ((self.a.first, self.b.first), (self.a.end(), self.b.end()));
        // Each pass is limited to the pairs left by the passes before: a pair of states that one
        // side cannot afford occurs in no game.
        let mut there = [Vec::new(), Vec::new()];
        let mut back = [Vec::new(), Vec::new()];
        let mut open = vec![true; size];
        for (side, there) in there.iter_mut().enumerate().take(sides) {
            let room = self.free[side] + 1;
            let room: Vec<u8> = open.iter().map(|&open| if open { room } else { 0 }).collect();
            *there = self.spread(first, true, side, &room);
            open.iter_mut().zip(&*there).for_each(|(open, &cost)| *open = cost != FAR);
        }
        let reachable = open.clone();
        for (side, (there, back)) in there.iter().zip(&mut back).enumerate().take(sides) {
            let room = |(&there, &open): (&u8, &bool)| {
                if open { self.free[side] + 1 - there } else { 0 }
            };
            let room: Vec<u8> = there.iter().zip(&open).map(room).collect();
            *back = self.spread(last, false, side, &room);
            open.iter_mut().zip(&*back).for_each(|(open, &cost)| *open = cost != FAR);
        }
        if !open[self.index(first.0, first.1)] {
            return PairResult::Infeasible;
        }
        let mut keep_a = vec![false; self.a.states.len() + 1];
        let mut keep_b = vec![false; self.b.states.len() + 1];
        let mut description = false;
        for a in 0..=self.a.gone() {
            for b in 0..=self.b.gone() {
                let i = self.index(a, b);
                description |= reachable[i] && back[..sides].iter().any(|back| back[i] > 0);
                if open[i] {
                    keep_a[usize::from(a)] = true;
                    keep_b[usize::from(b)] = true;
                }
            }
        }
        let back = CostTable { of: back };
        let dead = [(keep_a, self.a), (keep_b, self.b)].map(|(keep, graph)| {
            (0..graph.gone()).filter(|&state| !keep[usize::from(state)]).collect()
        });
        PairResult::Feasible { dead, costs: description.then(|| Arc::new(back)) }
    }
}

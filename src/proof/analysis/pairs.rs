//! Two men at a time, exactly: what neither can do because of the other.
//!
//! Every game of the strategy, seen through two of its men, is a walk through pairs of spots in which
//! they never meet, never jump over each other, and no king stays in a check that nobody can parry. What
//! lies on no such walk within the free moves lies in no game.

use super::atlas::Atlas;
use super::plan::{Plan, Refused};
use super::track::{Edge, NOWHERE, Track};
use crate::chess::Role;
use crate::geometry::{Bitboard, Square};
use crate::proof::man::Man;
use crate::proof::rules::Rule;
use std::sync::Arc;

/// Tracks with more spots than this say too little for what they cost.
const SPOTS_MAX: usize = 160;

/// The same for pairs of spots.
const PAIRS_MAX: usize = 8_000;

/// Squares where a man never stops on a leg.
pub type Shun = (Man, u8, Bitboard);

/// Rule A18: all pairs of men. Gives the spots that lie on no joint walk, leg by leg.
///
/// *Admissible*: the projection of a game to two men is a joint walk. Its moves cost each side at most its
/// free moves, since all other men need what they need. A check by contact, by a knight or pawn, or
/// along squares that nobody else ever stands on is answered by the king or by taking the checker (which
/// then is at the end of its life), so the checker does not move before.
///
/// # Errors
/// When two men have no joint walk at all.
pub(super) fn narrow(plan: &Plan, atlas: &Atlas) -> Result<(Vec<Shun>, Joint), Refused> {
    let tracks: Vec<Track> = plan
        .lives
        .iter()
        .filter(|life| !plan.fixed.contains(life.man))
        .filter_map(|life| Track::new(plan, life, atlas, SPOTS_MAX))
        .collect();
    let mut dead: Vec<Vec<bool>> = tracks.iter().map(|t| vec![false; t.spots.len()]).collect();
    let mut joint = Joint::new(&tracks);
    for (i, a) in tracks.iter().enumerate() {
        for (j, b) in tracks.iter().enumerate().skip(i + 1) {
            let Some(pair) = Pair::new(plan, a, b) else { continue };
            let Some((keep_a, keep_b)) = pair.living(&mut joint) else {
                return Err(Refused::by(Rule::Collisions, a.man));
            };
            for (n, keep) in [(i, keep_a), (j, keep_b)] {
                for (dead, keep) in dead[n].iter_mut().zip(keep) {
                    *dead |= !keep;
                }
            }
        }
    }
    let mut shuns = Vec::new();
    for (track, dead) in tracks.iter().zip(&dead) {
        let life = plan.life(track.man);
        for (l, leg) in life.legs.iter().enumerate() {
            let mut squares = Bitboard::EMPTY;
            for (&(_, square), _) in
                track.spots.iter().zip(dead).filter(|&(&(m, _), &dead)| usize::from(m) == l && dead)
            {
                squares = squares.with(square);
            }
            if squares.contains(leg.start) && l > 0 && life.legs[0].goal != super::life::Goal::Leave
            {
                return Err(Refused::by(Rule::Collisions, track.man));
            }
            squares = squares.without(leg.start).without(leg.aim.square());
            let new = squares & leg.stops & !leg.shunned;
            if new.any() {
                shuns.push((track.man, l as u8, new));
            }
        }
    }
    Ok((shuns, joint))
}

/// The costs of pairs, for play: how many spare moves two men will lose to each other from here.
#[derive(Clone, Default)]
pub struct Joint {
    /// By man: numbers of its spots, by leg and square.
    numbers: Vec<Vec<[u16; 64]>>,
    /// By man: those with whom it must reckon.
    partners: Vec<Vec<Partner>>,
}

#[derive(Clone)]
struct Partner {
    man: Man,
    /// By pair of spots: of one side in all, or of the first and the second man's side.
    costs: Arc<Costs>,
    /// How the index is made of the man's spot and the partner's.
    own: usize,
    other: usize,
    /// The sides of the two cost tables.
    sides: [usize; 2],
}

impl Joint {
    fn new(tracks: &[Track]) -> Self {
        let mut joint = Self { numbers: vec![Vec::new(); 32], partners: vec![Vec::new(); 32] };
        for track in tracks {
            joint.numbers[track.man.index()].clone_from(&track.numbers);
        }
        joint
    }

    fn keep(&mut self, pair: &Pair<'_>, costs: Costs) {
        let costs = Arc::new(costs);
        let (a, b) = (pair.a.man, pair.b.man);
        let width = pair.b.spots.len() + 1;
        let sides = [a.color().index(), b.color().index()];
        for (man, partner, own, other) in [(a, b, width, 1), (b, a, 1, width)] {
            let costs = Arc::clone(&costs);
            self.partners[man.index()].push(Partner { man: partner, costs, own, other, sides });
        }
    }

    /// Whether a man that has just moved and every other man can still go their ways with these spare
    /// moves of each side. `place` gives a man's leg and square, none when it is gone.
    ///
    /// *Admissible*: see `narrow`; the costs are least costs over all joint walks to the end.
    #[inline]
    pub fn allows(
        &self,
        man: usize,
        spare: [i16; 2],
        place: impl Fn(usize) -> Option<(usize, usize)>,
    ) -> bool {
        let Some(partners) = self.partners.get(man) else { return true };
        let spot = |man: usize| {
            let (leg, square) = place(man)?;
            let number = self.numbers[man].get(leg)?[square];
            (number != NOWHERE).then_some(usize::from(number))
        };
        let Some(own) = spot(man) else { return true };
        partners.iter().all(|partner| {
            let Some(other) = spot(partner.man.index()) else { return true };
            let i = own * partner.own + other * partner.other;
            let fits = |table: usize| {
                let costs = &partner.costs.of[table];
                costs.is_empty() || i16::from(costs[i]) <= spare[partner.sides[table]]
            };
            fits(0) && fits(1)
        })
    }
}

/// Two tracks together.
struct Pair<'a> {
    a: &'a Track,
    b: &'a Track,
    /// Squares that third men may stand on.
    maybe: Bitboard,
    free: [u8; 2],
    same_side: bool,
}

/// Least spare moves of both, by pair of spots: for men of one side in all, else of each.
struct Costs {
    of: [Vec<u8>; 2],
}

const FAR: u8 = 255;

impl<'a> Pair<'a> {
    /// `None` for pairs that are not looked at: too many spots, and king and rook that castle together.
    fn new(plan: &Plan, a: &'a Track, b: &'a Track) -> Option<Self> {
        let size = (a.spots.len() + 1) * (b.spots.len() + 1);
        let castles =
            |man: Man| matches!(plan.life(man).legs[0].goal, super::life::Goal::Castle(_));
        let same_side = a.man.color() == b.man.color();
        if size > PAIRS_MAX || same_side && castles(a.man) && castles(b.man) {
            return None;
        }
        // Two men whose squares and lines have nothing in common disturb each other by checks alone.
        let royal = !same_side && (a.man.role() == Role::King || b.man.role() == Role::King);
        let touched = |man: Man| {
            let legs = &plan.life(man).legs;
            legs.iter().fold(Bitboard::of(man.origin()), |all, leg| all | leg.touched)
        };
        if !royal && (touched(a.man) & touched(b.man)).is_empty() {
            return None;
        }
        let others = plan.lives.iter().filter(|life| life.man != a.man && life.man != b.man);
        let maybe = others.fold(Bitboard::EMPTY, |all, life| all | life.squares());
        let free = |man: Man| plan.free[man.color().index()].clamp(0, 250) as u8;
        Some(Self { a, b, maybe, free: [free(a.man), free(b.man)], same_side })
    }

    fn index(&self, a: u16, b: u16) -> usize {
        usize::from(a) * (self.b.spots.len() + 1) + usize::from(b)
    }

    /// Whether `mover` may make a move while the other one is on `other`; where that one is afterwards.
    fn after(&self, mover: &Track, still: &Track, edge: &Edge, other: u16) -> Option<u16> {
        let takes = edge.victim == Some(still.man);
        if other == still.gone() {
            return (!takes).then_some(other);
        }
        let at = still.spots[usize::from(other)].1;
        let enemies = mover.man.color() != still.man.color();
        if enemies && still.man.role() == Role::King {
            let from = mover.spots[usize::from(edge.from)].1;
            if self.attacks(mover, edge.from, from, at) {
                return None;
            }
        }
        if takes {
            return (other == still.last).then_some(still.gone());
        }
        if edge.clear.contains(at) {
            return None;
        }
        if enemies && mover.man.role() == Role::King {
            let to = mover.spots[usize::from(edge.to)].1;
            let hit = |square: Square| self.attacks(still, other, at, square);
            if hit(to) || edge.safe.squares().any(hit) {
                return None;
            }
        }
        Some(other)
    }

    /// Whether a man on a spot surely attacks a square.
    fn attacks(&self, track: &Track, spot: u16, from: Square, target: Square) -> bool {
        let gait = track.gaits[usize::from(spot)];
        gait.attacks(from, self.maybe.without(target)).contains(target)
    }

    /// Least costs from a pair of spots to all others, forward along the moves or backward.
    fn costs(&self, from: (u16, u16), forward: bool) -> Costs {
        let count = if self.same_side { 1 } else { 2 };
        let mut costs = Costs { of: [Vec::new(), Vec::new()] };
        for side in 0..count {
            costs.of[side] = self.spread(from, forward, side);
        }
        costs
    }

    fn spread(&self, from: (u16, u16), forward: bool, side: usize) -> Vec<u8> {
        let size = (self.a.spots.len() + 1) * (self.b.spots.len() + 1);
        let mut best = vec![FAR; size];
        let limit = self.free[side];
        let mut layers: Vec<Vec<(u16, u16)>> = vec![Vec::new(); usize::from(limit) + 1];
        best[self.index(from.0, from.1)] = 0;
        layers[0].push(from);
        for cost in 0..=limit {
            while let Some((a, b)) = layers[usize::from(cost)].pop() {
                if best[self.index(a, b)] != cost {
                    continue;
                }
                let mut reach = |a: u16, b: u16, more: u8| {
                    let total = cost + more;
                    let i = self.index(a, b);
                    if total <= limit && total < best[i] {
                        best[i] = total;
                        layers[usize::from(total)].push((a, b));
                    }
                };
                // What a side's move costs on the scale in question.
                let price = |mover: usize, cost: u8| {
                    if self.same_side || mover == side { cost } else { 0 }
                };
                self.neighbors(self.a, self.b, (a, b), forward, &mut |a, b, cost| {
                    reach(a, b, price(0, cost));
                });
                self.neighbors(self.b, self.a, (b, a), forward, &mut |b, a, cost| {
                    reach(a, b, price(1, cost));
                });
            }
        }
        best
    }

    /// The pairs one move of `mover` away, or one vanishing of it.
    fn neighbors(
        &self,
        mover: &Track,
        still: &Track,
        (m, s): (u16, u16),
        forward: bool,
        visit: &mut dyn FnMut(u16, u16, u8),
    ) {
        let edges = if forward { &mover.leaving } else { &mover.reaching };
        for &number in &edges[usize::from(m)] {
            let edge = &mover.edges[number as usize];
            if forward {
                if let Some(after) = self.after(mover, still, edge, s) {
                    visit(edge.to, after, edge.cost);
                }
                continue;
            }
            let before =
                if edge.victim == Some(still.man) && s == still.gone() { still.last } else { s };
            if before != NOWHERE && self.after(mover, still, edge, before) == Some(s) {
                visit(edge.from, before, edge.cost);
            }
        }
        // Somebody else takes it.
        if mover.captor.is_some_and(|captor| captor != still.man) {
            if forward && m == mover.last {
                visit(mover.gone(), s, 0);
            } else if !forward && m == mover.gone() {
                visit(mover.last, s, 0);
            }
        }
    }

    /// Which spots of each lie on a joint walk that both sides can afford; none if there is no such walk.
    /// Keeps the costs for play when they tell more than each man's own way does.
    fn living(&self, joint: &mut Joint) -> Option<(Vec<bool>, Vec<bool>)> {
        let there = self.costs((self.a.first, self.b.first), true);
        let back = self.costs((self.a.end(), self.b.end()), false);
        let count = if self.same_side { 1 } else { 2 };
        let mut keep_a = vec![false; self.a.spots.len() + 1];
        let mut keep_b = vec![false; self.b.spots.len() + 1];
        let (mut any, mut tells) = (false, false);
        for a in 0..=self.a.gone() {
            for b in 0..=self.b.gone() {
                let i = self.index(a, b);
                let affordable = (0..count).all(|side| {
                    u16::from(there.of[side][i]) + u16::from(back.of[side][i])
                        <= u16::from(self.free[side])
                });
                let reachable = (0..count).all(|side| there.of[side][i] <= self.free[side]);
                tells |= reachable && (0..count).any(|side| back.of[side][i] > 0);
                if affordable {
                    any = true;
                    keep_a[usize::from(a)] = true;
                    keep_b[usize::from(b)] = true;
                }
            }
        }
        if any && tells {
            joint.keep(self, back);
        }
        any.then_some((keep_a, keep_b))
    }
}

//! Two men at a time, exactly: what neither can do because of the other.
//!
//! Every game of the strategy, seen through two of its men, is a walk through pairs of spots in which
//! they never meet, never jump over each other, and no king stays in a check that nobody can parry. What
//! lies on no such walk within the free moves lies in no game.

pub(crate) mod cache;
pub(crate) mod track;

use crate::analyse::pairs::cache::Couples;
use crate::analyse::pairs::track::{Edge, NOWHERE, Track};
use crate::analyse::plan::{Plan, Refused};
use crate::distance::cache::Atlas;
use crate::problem::man::Man;
use crate::rules::Rule;
use std::sync::Arc;
use umbrail_chess::Role;
use umbrail_chess::geometry::Bitboard;

/// Tracks with more spots than this say too little for what they cost.
pub(crate) const SPOTS_MAX: usize = 160;

/// Pairs with more pairs of spots than this say too little for what they cost.
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
pub(crate) fn narrow(plan: &Plan, atlas: &mut Atlas) -> Result<(Vec<Shun>, Joint), Refused> {
    let mut couples = atlas.lend_couples();
    let narrowed = narrow_by(plan, atlas, &mut couples);
    atlas.take_back(couples);
    narrowed
}

fn narrow_by(
    plan: &Plan,
    atlas: &Atlas,
    couples: &mut Couples,
) -> Result<(Vec<Shun>, Joint), Refused> {
    let movers = plan.lives.iter().filter(|life| !plan.fixed.contains(life.man));
    let tracks: Vec<(u32, Arc<Track>)> =
        movers.filter_map(|life| couples.track(plan, life, atlas)).collect();
    let mut dead: Vec<Vec<bool>> = tracks.iter().map(|(_, t)| vec![false; t.spots.len()]).collect();
    let mut joint = Joint::new(&tracks);
    for (i, a) in tracks.iter().enumerate() {
        for (j, b) in tracks.iter().enumerate().skip(i + 1) {
            let Some(meeting) = couples.meet(plan, a, b) else { continue };
            let Meeting::Able { dead: spots, costs } = meeting else {
                return Err(Refused::by(Rule::Collisions, a.1.man));
            };
            for (n, spots) in [(i, &spots[0]), (j, &spots[1])] {
                spots.iter().for_each(|&spot| dead[n][usize::from(spot)] = true);
            }
            if let Some(costs) = costs {
                joint.keep(&a.1, &b.1, costs);
            }
        }
    }
    let mut shuns = Vec::new();
    for ((_, track), dead) in tracks.iter().zip(&dead) {
        let life = plan.life(track.man);
        for (l, leg) in life.legs.iter().enumerate() {
            let mut squares = Bitboard::EMPTY;
            for (&(_, square), _) in
                track.spots.iter().zip(dead).filter(|&(&(m, _), &dead)| usize::from(m) == l && dead)
            {
                squares = squares.with(square);
            }
            if squares.contains(leg.start)
                && l > 0
                && life.legs[0].goal != crate::analyse::legs::Goal::Leave
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
    /// By man: its track, if it is reckoned with.
    tracks: Vec<Option<Arc<Track>>>,
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
    fn new(tracks: &[(u32, Arc<Track>)]) -> Self {
        let mut joint = Self { tracks: vec![None; 32], partners: vec![Vec::new(); 32] };
        for (_, track) in tracks {
            joint.tracks[track.man.index()] = Some(Arc::clone(track));
        }
        joint
    }

    fn keep(&mut self, a: &Track, b: &Track, costs: &Arc<Costs>) {
        let width = b.spots.len() + 1;
        let sides = [a.man.color().index(), b.man.color().index()];
        for (man, partner, own, other) in [(a.man, b.man, width, 1), (b.man, a.man, 1, width)] {
            let costs = Arc::clone(costs);
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
            let number = self.tracks[man].as_ref()?.numbers.get(leg)?[square];
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
pub(crate) struct Pair<'a> {
    a: &'a Track,
    b: &'a Track,
    /// By edge of the first and of the second man: where the other one must not be.
    barred: [Vec<Spots>; 2],
    free: [u8; 2],
    same_side: bool,
}

/// A set of spots of one track.
#[derive(Clone, Copy, Default)]
struct Spots([u64; SPOTS_MAX.div_ceil(64)]);

impl Spots {
    #[inline]
    const fn has(self, spot: u16) -> bool {
        let spot = spot as usize;
        self.0[spot / 64] >> (spot % 64) & 1 != 0
    }

    const fn add(&mut self, spot: u16) {
        let spot = spot as usize;
        self.0[spot / 64] |= 1 << (spot % 64);
    }

    fn join(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
    }
}

/// By edge of `mover`: the spots of the other man that forbid it. He stands in the way; or he is a king in check;
/// or he attacks where a king goes; or he is to be taken and not yet where that happens.
fn barred(mover: &Track, still: &Track, maybe: Bitboard) -> Vec<Spots> {
    let enemies = mover.man.color() != still.man.color();
    let is_king = |track: &Track| enemies && track.man.role() == Role::King;
    let mut on = [Spots::default(); 64];
    let mut attacking = [Spots::default(); 64];
    for (spot, (&(_, square), gait)) in (0..).zip(still.spots.iter().zip(&still.gaits)) {
        on[square.index()].add(spot);
        if is_king(mover) {
            // Third men do not hide the first square of theirs on a line.
            let seen = gait.checks(square, maybe);
            seen.squares().for_each(|target| attacking[target.index()].add(spot));
        }
    }
    let at = |squares: Bitboard, of: &[Spots; 64]| {
        let mut spots = Spots::default();
        squares.squares().for_each(|square| spots.join(of[square.index()]));
        spots
    };
    let mut checking = vec![Spots::default(); mover.spots.len()];
    if is_king(still) {
        for (checking, (&(_, from), gait)) in
            checking.iter_mut().zip(mover.spots.iter().zip(&mover.gaits))
        {
            *checking = at(gait.checks(from, maybe), &on);
        }
    }
    let bar = |edge: &Edge| {
        let mut barred = checking[usize::from(edge.from)];
        if edge.victim == Some(still.man) {
            let elsewhere = |spot: &u16| *spot != still.last;
            (0..still.gone()).filter(elsewhere).for_each(|spot| barred.add(spot));
            return barred;
        }
        barred.join(at(edge.clear, &on));
        if is_king(mover) {
            let to = mover.spots[usize::from(edge.to)].1;
            barred.join(at(edge.safe.with(to), &attacking));
        }
        barred
    };
    mover.edges.iter().map(bar).collect()
}

/// Least spare moves of both, by pair of spots: for men of one side in all, else of each.
pub(crate) struct Costs {
    of: [Vec<u8>; 2],
}

impl Costs {
    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.of[0].len() + self.of[1].len()
    }
}

const FAR: u8 = 255;

/// What two men do to each other.
pub(crate) enum Meeting {
    /// They have no joint walk.
    Unable,
    /// They have one.
    Able {
        /// Spots of the first and the second man that lie on no joint walk.
        dead: [Box<[u16]>; 2],
        /// The costs for play, when they tell more than each man's own way does.
        costs: Option<Arc<Costs>>,
    },
}

impl<'a> Pair<'a> {
    /// `None` for pairs that are not looked at: too many spots, king and rook that castle together, and men
    /// whose squares and lines have nothing in common, unless one of them is the enemy's king. Third men may
    /// stand on the squares `maybe`.
    pub(crate) fn new(a: &'a Track, b: &'a Track, maybe: Bitboard) -> Option<Self> {
        let size = (a.spots.len() + 1) * (b.spots.len() + 1);
        let same_side = a.man.color() == b.man.color();
        if size > PAIRS_MAX || same_side && a.castles && b.castles {
            return None;
        }
        if !Self::is_royal(a, b) && (a.touched & b.touched).is_empty() {
            return None;
        }
        let free = |track: &Track| track.free.clamp(0, 250) as u8;
        let barred = [barred(a, b, maybe), barred(b, a, maybe)];
        Some(Self { a, b, barred, free: [free(a), free(b)], same_side })
    }

    /// Whether the one can check the other.
    pub(crate) fn is_royal(a: &Track, b: &Track) -> bool {
        let king = |track: &Track| track.man.role() == Role::King;
        a.man.color() != b.man.color() && (king(a) || king(b))
    }

    fn index(&self, a: u16, b: u16) -> usize {
        usize::from(a) * (self.b.spots.len() + 1) + usize::from(b)
    }

    /// Where the other one is after a move of `mover`, if that may be made while it is on `other`.
    #[inline]
    fn after(&self, m: usize, edge: usize, other: u16) -> Option<u16> {
        let (mover, still) = if m == 0 { (self.a, self.b) } else { (self.b, self.a) };
        let takes = mover.edges[edge].victim == Some(still.man);
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

    /// Least costs from a pair of spots to others, forward along the moves or backward, where they are less
    /// than in `room`; [`FAR`] where not.
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
                // What a side's move costs on the scale in question.
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

    /// The pairs one move of the first or second man away, or one vanishing of it.
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
                if edge.victim == Some(still.man) && s == still.gone() { still.last } else { s };
            if before != NOWHERE && self.after(index, number, before) == Some(s) {
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

    /// Which spots of each lie on a joint walk that both sides can afford, and what it costs.
    pub(crate) fn meet(&self) -> Meeting {
        let size = (self.a.spots.len() + 1) * (self.b.spots.len() + 1);
        let sides = if self.same_side { 1 } else { 2 };
        let (first, last) = ((self.a.first, self.b.first), (self.a.end(), self.b.end()));
        // Each time only where the times before have left something: a pair of spots that one side cannot
        // afford lies in no game.
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
            return Meeting::Unable;
        }
        let mut keep_a = vec![false; self.a.spots.len() + 1];
        let mut keep_b = vec![false; self.b.spots.len() + 1];
        let mut tells = false;
        for a in 0..=self.a.gone() {
            for b in 0..=self.b.gone() {
                let i = self.index(a, b);
                tells |= reachable[i] && back[..sides].iter().any(|back| back[i] > 0);
                if open[i] {
                    keep_a[usize::from(a)] = true;
                    keep_b[usize::from(b)] = true;
                }
            }
        }
        let back = Costs { of: back };
        let dead = [(keep_a, self.a), (keep_b, self.b)].map(|(keep, track)| {
            (0..track.gone()).filter(|&spot| !keep[usize::from(spot)]).collect()
        });
        Meeting::Able { dead, costs: tells.then(|| Arc::new(back)) }
    }
}

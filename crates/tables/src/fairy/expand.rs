//! Expansion of a piece's moves into templates.
//!
//! A move is followed leg by leg, square by square; each way through it is a template with one
//! known hurdle. Templates that differ only in the square of the hurdle are then united
//! (`Template::one`).

use super::bent::{BentMove, Course, Hop, Leg, Midway};
use super::movement::MoveAtom;
use super::template::Template;
use crate::grid::{Grid, SquareSet};
use std::collections::BTreeMap;
use umbrail_chess::geometry::Color;

/// Maximum number of legs followed from all squares together. Moves that need more take seconds to
/// expand; the lion of Chu Shogi needs a seventh.
const LEGS_FOLLOWED_MAX: usize = 100_000;

/// Returns true when the ways through these moves are few enough for their templates.
pub(super) fn is_bounded(bent: &[BentMove]) -> bool {
    let (mut found, mut left) = (vec![], LEGS_FOLLOWED_MAX);
    bent.iter().all(|mv| {
        found.clear();
        follow_all::<u64>(mv, &Grid::CHESS, &mut found, &mut left);
        left > 0
    })
}

/// Adds the templates of a move from all squares; `left` limits the number of legs followed.
fn follow_all<S: SquareSet>(
    mv: &BentMove,
    grid: &Grid,
    found: &mut Vec<Template<S>>,
    left: &mut usize,
) {
    for from in grid.squares().squares() {
        let path = Path { from, at: from, ..Path::default() };
        Expansion { mv, grid, found, left }.follow(0, path);
    }
}

/// Returns all templates of a piece on a board, in ascending order.
pub(super) fn expand<S: SquareSet>(
    steps: &[MoveAtom],
    bent: &[BentMove],
    color: Color,
    grid: &Grid,
) -> Vec<Template<S>> {
    let simple = steps.iter().map(BentMove::of_step);
    let (mut found, mut left) = (vec![], usize::MAX);
    for mv in simple.chain(bent.iter().cloned()) {
        let mv = if color.is_white() { mv } else { mv.turned() };
        follow_all(&mv, grid, &mut found, &mut left);
    }
    found.sort_unstable();
    found.dedup();
    unite(drop_implied(&found))
}

/// Conditions collected on the way.
#[derive(Clone, Copy, Debug, Default)]
struct Path<S> {
    from: u8,
    at: u8,
    empty: S,
    hurdles: S,
    own: S,
    take: S,
}

impl<S: SquareSet> Path<S> {
    /// Passes an empty square. The square of origin and those of captured pieces are empty.
    fn passing(self, square: u8) -> Option<Self> {
        if self.hurdles.has(square) {
            return None;
        }
        let already = square == self.from || self.take.has(square);
        Some(Self { empty: if already { self.empty } else { self.empty | S::bit(square) }, ..self })
    }

    /// Passes over a piece, which stays.
    fn hopping(self, square: u8, own: bool) -> Option<Self> {
        let bit = S::bit(square);
        let is_free = square == self.from || (self.empty | self.take).has(square);
        let own = if own { self.own | bit } else { self.own };
        (!is_free).then_some(Self { hurdles: self.hurdles | bit, own, ..self })
    }

    /// Captures a piece, which may have been a hurdle before.
    fn taking(self, square: u8) -> Option<Self> {
        let bit = S::bit(square);
        let is_free = square == self.from || (self.empty | self.take | self.own).has(square);
        let hurdles = self.hurdles & !bit;
        (!is_free).then_some(Self { hurdles, take: self.take | bit, ..self })
    }

    fn to(self, square: u8) -> Self {
        Self { at: square, ..self }
    }
}

struct Expansion<'a, S> {
    mv: &'a BentMove,
    grid: &'a Grid,
    found: &'a mut Vec<Template<S>>,
    left: &'a mut usize,
}

impl<S: SquareSet> Expansion<'_, S> {
    /// Follows the legs from this number on.
    fn follow(&mut self, number: usize, path: Path<S>) {
        *self.left = self.left.saturating_sub(1);
        if *self.left == 0 {
            return;
        }
        let Some(leg) = self.mv.legs.get(number) else {
            return self.end(path);
        };
        let last = number + 1 == self.mv.legs.len();
        for steps in self.courses(leg) {
            if last && leg.hop != Hop::None {
                self.hop(leg, &steps, path);
            } else {
                self.ride(number, leg, &steps, path);
            }
        }
    }

    /// Returns the square after a step and the path with the condition half way.
    fn step(&self, leg: &Leg, by: (i8, i8), at: u8, path: Path<S>) -> Option<(u8, Path<S>)> {
        let to = self.offset(at, by)?;
        // Round a cylinder or a circle the piece meets itself.
        let closes =
            self.mv.cylinder || self.grid.is_cylinder() || self.mv.course == Course::Circular;
        if closes && to == path.from {
            return None;
        }
        let path = match leg.midway {
            Midway::Any => Some(path),
            Midway::Empty => path.passing(self.offset(at, Leg::half(by))?),
            Midway::Occupied => path.hopping(self.offset(at, Leg::half(by))?, false),
        };
        path.map(|path| (to, path))
    }

    fn offset(&self, at: u8, by: (i8, i8)) -> Option<u8> {
        self.grid.offset(at, by, self.mv.cylinder)
    }

    /// Returns the steps of the ride of a leg; an unlimited one reaches across any board.
    fn courses(&self, leg: &Leg) -> Vec<Vec<(i8, i8)>> {
        let side = self.grid.width().max(self.grid.height());
        let unlimited = leg.reach == MoveAtom::SLIDE && side > MoveAtom::SLIDE + 1;
        if !unlimited {
            return self.mv.courses(leg);
        }
        let reach = (side - 1) * if self.mv.course == Course::Crooked { 2 } else { 1 };
        self.mv.courses(&Leg { reach, ..*leg })
    }

    /// Rides over empty squares; the leg may end on each of them, and on the first obstacle.
    fn ride(&mut self, number: usize, leg: &Leg, steps: &[(i8, i8)], mut path: Path<S>) {
        let mut at = path.at;
        for (step, &by) in steps.iter().enumerate() {
            let Some((to, stepped)) = self.step(leg, by, at, path) else { return };
            (at, path) = (to, stepped);
            if step < usize::from(leg.skip) {
                continue;
            }
            if let Some(taken) = path.taking(at).filter(|_| leg.capture) {
                self.follow(number + 1, taken.to(at));
            }
            let own = leg.hop == Hop::Own;
            if let Some(hopped) = path.hopping(at, own).filter(|_| leg.hop != Hop::None) {
                self.follow(number + 1, hopped.to(at));
            }
            let Some(passed) = path.passing(at) else { return };
            path = passed;
            if leg.quiet {
                self.follow(number + 1, path.to(at));
            }
        }
    }

    /// Hops on the last leg: exactly one square passed is occupied.
    fn hop(&mut self, leg: &Leg, steps: &[(i8, i8)], start: Path<S>) {
        let visible = usize::from(leg.skip);
        for hurdle in visible..steps.len() {
            let (mut at, mut path) = (start.at, start);
            for (step, &by) in steps.iter().enumerate() {
                let Some((to, stepped)) = self.step(leg, by, at, path) else { break };
                (at, path) = (to, stepped);
                if step < visible {
                    continue;
                }
                if step == hurdle {
                    let Some(hopped) = path.hopping(at, false) else { break };
                    path = hopped;
                    continue;
                }
                if let Some(taken) = path.taking(at).filter(|_| step > hurdle && leg.capture) {
                    self.end(taken.to(at));
                }
                let Some(passed) = path.passing(at) else { break };
                path = passed;
                if step > hurdle && leg.quiet {
                    self.end(path.to(at));
                }
                if step > hurdle && leg.hop == Hop::Behind {
                    break;
                }
            }
        }
    }

    fn end(&mut self, path: Path<S>) {
        self.found.push(Template {
            from: path.from,
            to: path.at,
            empty: path.empty | S::bit(path.from),
            all: path.hurdles,
            one: S::NONE,
            own: path.own,
            take: path.take,
        });
    }
}

/// Drops the templates whose conditions are those of another one and more.
fn drop_implied<S: SquareSet>(all: &[Template<S>]) -> Vec<Template<S>> {
    let within = |part: S, whole: S| (part & !whole).is_none();
    let mut kept = vec![];
    // Equal moves are adjacent only by `from` and `to`.
    for group in all.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to)) {
        let implied = |t: &Template<S>| {
            group.iter().any(|o| {
                o != t
                    && o.take == t.take
                    && within(o.own, t.own)
                    && within(o.empty, t.empty)
                    && within(o.all, t.all)
            })
        };
        kept.extend(group.iter().filter(|t| !implied(t)));
    }
    kept
}

/// Unites templates that pass the same squares and differ only in the square of one hurdle.
fn unite<S: SquareSet>(all: Vec<Template<S>>) -> Vec<Template<S>> {
    let mut groups: BTreeMap<_, Vec<Template<S>>> = BTreeMap::new();
    for t in all {
        let key = (t.from, t.to, t.take, t.empty | t.all, t.all.count(), !t.own.is_none());
        groups.entry(key).or_default().push(t);
    }
    let mut united = vec![];
    for group in groups.into_values() {
        let common = group.iter().fold(!S::NONE, |set, t| set & t.all);
        let one = group.iter().fold(S::NONE, |set, t| set | t.all & !common);
        let single = group.iter().all(|t| (t.all & !common).count() == 1);
        let alike = group.iter().all(|t| t.own.is_none() || t.own == t.all);
        if group.len() < 2 || !single || !alike || group.len() as u32 != one.count() {
            united.extend(group);
            continue;
        }
        let own = group.iter().fold(S::NONE, |set, t| set | t.own);
        united.push(Template { all: common, one, empty: group[0].empty & !one, own, ..group[0] });
    }
    united.sort_unstable();
    united
}

#[cfg(test)]
mod tests {
    use super::{LEGS_FOLLOWED_MAX, follow_all};
    use crate::fairy::PieceSet;
    use crate::grid::Grid;

    #[test]
    fn the_lion_is_far_from_the_limit() {
        let set = PieceSet::with_definitions("X = KNADcaKmcabK").unwrap();
        let (mut found, mut left) = (vec![], LEGS_FOLLOWED_MAX);
        for mv in set.get('X').unwrap().bent() {
            follow_all::<u64>(mv, &Grid::CHESS, &mut found, &mut left);
        }
        let used = LEGS_FOLLOWED_MAX - left;
        assert!((5_000..LEGS_FOLLOWED_MAX / 6).contains(&used), "{used}");
    }
}

//! Expansion of a piece's moves into templates.
//!
//! A move is followed leg by leg, square by square; each way through it is a template with one
//! known hurdle. Templates that differ only in the square of the hurdle are then united
//! (`Template::one`).

use super::bent::{BentMove, Hop, Leg, Midway};
use super::movement::MoveAtom;
use super::template::Template;
use std::collections::BTreeMap;
use umbrail_chess::geometry::{Color, Square};

/// Maximum number of legs followed from all squares together. Moves that need more take seconds to
/// expand; the lion of Chu Shogi needs a seventh.
const LEGS_FOLLOWED_MAX: usize = 100_000;

/// Returns true when the ways through these moves are few enough for their templates.
pub(super) fn is_bounded(bent: &[BentMove]) -> bool {
    let (mut found, mut left) = (vec![], LEGS_FOLLOWED_MAX);
    bent.iter().all(|mv| {
        found.clear();
        follow_all(mv, &mut found, &mut left);
        left > 0
    })
}

/// Adds the templates of a move from all squares; `left` limits the number of legs followed.
fn follow_all(mv: &BentMove, found: &mut Vec<Template>, left: &mut usize) {
    for from in Square::all() {
        let path = Path { from: from.number(), at: from.number(), ..Path::default() };
        Expansion { mv, found, left }.follow(0, path);
    }
}

/// Returns all templates of a piece, in ascending order.
pub(super) fn expand(steps: &[MoveAtom], bent: &[BentMove], color: Color) -> Vec<Template> {
    let simple = steps.iter().map(BentMove::of_step);
    let (mut found, mut left) = (vec![], usize::MAX);
    for mv in simple.chain(bent.iter().cloned()) {
        let mv = if color.is_white() { mv } else { mv.turned() };
        follow_all(&mv, &mut found, &mut left);
    }
    found.sort_unstable();
    found.dedup();
    unite(drop_implied(&found))
}

/// Conditions collected on the way.
#[derive(Clone, Copy, Debug, Default)]
struct Path {
    from: u8,
    at: u8,
    empty: u64,
    hurdles: u64,
    own: u64,
    take: u64,
}

impl Path {
    const fn bit(square: u8) -> u64 {
        1 << square
    }

    /// Passes an empty square. The square of origin and those of captured pieces are empty.
    fn passing(self, square: u8) -> Option<Self> {
        let bit = Self::bit(square);
        if self.hurdles & bit != 0 {
            return None;
        }
        let already = square == self.from || self.take & bit != 0;
        Some(Self { empty: if already { self.empty } else { self.empty | bit }, ..self })
    }

    /// Passes over a piece, which stays.
    fn hopping(self, square: u8, own: bool) -> Option<Self> {
        let bit = Self::bit(square);
        let is_free = square == self.from || (self.empty | self.take) & bit != 0;
        let own = if own { self.own | bit } else { self.own };
        (!is_free).then_some(Self { hurdles: self.hurdles | bit, own, ..self })
    }

    /// Captures a piece, which may have been a hurdle before.
    fn taking(self, square: u8) -> Option<Self> {
        let bit = Self::bit(square);
        let is_free = square == self.from || (self.empty | self.take | self.own) & bit != 0;
        let hurdles = self.hurdles & !bit;
        (!is_free).then_some(Self { hurdles, take: self.take | bit, ..self })
    }

    fn to(self, square: u8) -> Self {
        Self { at: square, ..self }
    }
}

struct Expansion<'a> {
    mv: &'a BentMove,
    found: &'a mut Vec<Template>,
    left: &'a mut usize,
}

impl Expansion<'_> {
    /// Follows the legs from this number on.
    fn follow(&mut self, number: usize, path: Path) {
        *self.left = self.left.saturating_sub(1);
        if *self.left == 0 {
            return;
        }
        let Some(leg) = self.mv.legs.get(number) else {
            return self.end(path);
        };
        let last = number + 1 == self.mv.legs.len();
        for steps in self.mv.courses(leg) {
            if last && leg.hop != Hop::None {
                self.hop(leg, &steps, path);
            } else {
                self.ride(number, leg, &steps, path);
            }
        }
    }

    /// Returns the square after a step and the path with the condition half way.
    fn step(&self, leg: &Leg, by: (i8, i8), at: u8, path: Path) -> Option<(u8, Path)> {
        let to = self.offset(at, by)?;
        // Round a cylinder or a circle the piece meets itself.
        let closes = self.mv.cylinder || self.mv.course == super::bent::Course::Circular;
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

    fn offset(&self, at: u8, (dx, dy): (i8, i8)) -> Option<u8> {
        let (file, rank) = ((at & 7) as i8 + dx, (at >> 3) as i8 + dy);
        let file = if self.mv.cylinder { file.rem_euclid(8) } else { file };
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        on_board.then_some((rank * 8 + file) as u8)
    }

    /// Rides over empty squares; the leg may end on each of them, and on the first obstacle.
    fn ride(&mut self, number: usize, leg: &Leg, steps: &[(i8, i8)], mut path: Path) {
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
    fn hop(&mut self, leg: &Leg, steps: &[(i8, i8)], start: Path) {
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

    fn end(&mut self, path: Path) {
        self.found.push(Template {
            from: path.from,
            to: path.at,
            empty: path.empty | Path::bit(path.from),
            all: path.hurdles,
            one: 0,
            own: path.own,
            take: path.take,
        });
    }
}

/// Drops the templates whose conditions are those of another one and more.
fn drop_implied(all: &[Template]) -> Vec<Template> {
    let mut kept = vec![];
    // Equal moves are adjacent only by `from` and `to`.
    for group in all.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to)) {
        let implied = |t: &Template| {
            group.iter().any(|o| {
                o != t
                    && o.take == t.take
                    && o.own & !t.own == 0
                    && o.empty & !t.empty == 0
                    && o.all & !t.all == 0
            })
        };
        kept.extend(group.iter().filter(|t| !implied(t)));
    }
    kept
}

/// Unites templates that pass the same squares and differ only in the square of one hurdle.
fn unite(all: Vec<Template>) -> Vec<Template> {
    let mut groups: BTreeMap<_, Vec<Template>> = BTreeMap::new();
    for t in all {
        let key = (t.from, t.to, t.take, t.empty | t.all, t.all.count_ones(), t.own != 0);
        groups.entry(key).or_default().push(t);
    }
    let mut united = vec![];
    for group in groups.into_values() {
        let common = group.iter().fold(!0, |set, t| set & t.all);
        let one = group.iter().fold(0, |set, t| set | t.all & !common);
        let single = group.iter().all(|t| (t.all & !common).count_ones() == 1);
        let alike = group.iter().all(|t| t.own == 0 || t.own == t.all);
        if group.len() < 2 || !single || !alike || group.len() as u32 != one.count_ones() {
            united.extend(group);
            continue;
        }
        let own = group.iter().fold(0, |set, t| set | t.own);
        united.push(Template { all: common, one, empty: group[0].empty & !one, own, ..group[0] });
    }
    united.sort_unstable();
    united
}

#[cfg(test)]
mod tests {
    use super::{LEGS_FOLLOWED_MAX, follow_all};
    use crate::fairy::PieceSet;

    #[test]
    fn the_lion_is_far_from_the_limit() {
        let set = PieceSet::with_definitions("X = KNADcaKmcabK").unwrap();
        let (mut found, mut left) = (vec![], LEGS_FOLLOWED_MAX);
        for mv in set.get('X').unwrap().bent() {
            follow_all(mv, &mut found, &mut left);
        }
        let used = LEGS_FOLLOWED_MAX - left;
        assert!((5_000..LEGS_FOLLOWED_MAX / 6).contains(&used), "{used}");
    }
}

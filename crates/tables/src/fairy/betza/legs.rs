//! Moves with the modes `p g n j o z q t`, and moves of several legs (`a`).
//!
//! The legs of a move are separated by `a`; the atom stands after the last one, and its range holds
//! for every leg. Directions of a later leg are those of a king, relative to the leg before: `f` is
//! straight on, `fr` 45 degrees to the right. A turn by 45 degrees exchanges W with F, D with A, H
//! with G. Without directions a later leg may have all but back (after a king's step), or straight
//! on, left and right. After an oblique leap only `f` and `b` have a common reading.
//!
//! | mode | last or only leg | earlier leg |
//! |---|---|---|
//! | none | `mc` | `m` |
//! | `m` | to an empty square | the same |
//! | `c` | captures an enemy piece | the same, and continues |
//! | `p` | exactly one piece stands on the squares passed | on a piece, which stays |
//! | `t` | | as `p`, on an own piece |
//! | `g` | as `p`, to the square after that piece | as `p`; then leaper and rider are exchanged |
//! | `y` | | as `m`; then leaper and rider are exchanged |
//! | `n`, `j` | the square half way, rounded towards the start, is empty; is occupied | the same |
//! | `j` of a rider by single squares | passes the first square (`jj`: two) whatever stands there | the same |
//!
//! `o` joins the left edge of the board to the right one. A rider with `z` turns by 90 degrees after
//! each step, to alternate sides; an oblique one with `q` by 45 degrees, always to the same side.

use super::directions::{AtomShape, DirectionSet};
use super::{Atom, BetzaError, Reader};
use crate::fairy::bent::{BentMove, Course, Hop, Leg, Midway};
use crate::fairy::movement::MoveAtom;

/// Maximum number of captures of one move.
const CAPTURES_MAX: usize = 2;
/// Maximum number of legs; more would not end on this board, or only in expansions of thousands.
const LEGS_MAX: usize = 6;

/// Letters of one leg.
#[derive(Clone, Debug, Default)]
pub(super) struct LegText {
    /// Index of its first letter.
    pub(super) start: usize,
    /// Letters with their index.
    pub(super) letters: Vec<(usize, char)>,
}

impl LegText {
    /// Returns true when a step has these letters: directions, `m` and `c`.
    pub(super) fn is_simple(&self) -> bool {
        self.letters.iter().all(|(_, letter)| "fblrvshmc".contains(*letter))
    }

    /// Returns the letters of directions.
    pub(super) fn directions(&self) -> Vec<(usize, char)> {
        self.letters.iter().copied().filter(|(_, letter)| "fblrvsh".contains(*letter)).collect()
    }

    fn find(&self, letter: char) -> Option<usize> {
        self.letters.iter().find(|(_, l)| *l == letter).map(|(at, _)| *at)
    }

    fn has(&self, letter: char) -> bool {
        self.find(letter).is_some()
    }

    /// Returns true for a move to an empty square, and for a capture.
    pub(super) fn uses(&self, last: bool) -> (bool, bool) {
        let (moves, captures) = (self.has('m') || self.has('y'), self.has('c'));
        if last {
            (moves || !captures, captures || !moves)
        } else {
            let hops = self.has('p') || self.has('g') || self.has('t');
            (moves || !captures && !hops, captures)
        }
    }

    fn hop(&self, last: bool) -> Hop {
        match (self.has('p'), self.has('g'), self.has('t')) {
            (_, true, _) if last => Hop::Behind,
            (true, ..) | (_, true, _) => Hop::Any,
            (.., true) => Hop::Own,
            _ => Hop::None,
        }
    }
}

/// Attributes of a leg, without its direction.
#[derive(Clone, Copy)]
struct LegModes {
    leg: Leg,
    set: DirectionSet,
}

impl Reader {
    /// Returns the moves of several legs, or with other modes than `m` and `c`.
    pub(super) fn bent(&self, texts: &[LegText], atom: Atom) -> Result<Vec<BentMove>, BetzaError> {
        let captures = texts.iter().enumerate();
        let mut captures = captures.filter(|(n, leg)| leg.uses(n + 1 == texts.len()).1);
        if let Some((_, leg)) = captures.nth(CAPTURES_MAX) {
            return Err(self.fault(leg.start, "at most two captures in one move"));
        }
        if let Some(leg) = texts.get(LEGS_MAX) {
            return Err(self.fault(leg.start, "at most six legs"));
        }
        let course = self.course(texts, atom)?;
        let cylinder = texts.iter().any(|leg| leg.has('o'));
        let mut reach = atom.reach;
        let mut modes = vec![];
        for (number, text) in texts.iter().enumerate() {
            let last = number + 1 == texts.len();
            let leg = self.leg(text, atom, reach, last)?;
            let set = match number {
                0 => self.directions(text, atom.shape)?,
                _ => self.later_directions(text, atom.shape)?,
            };
            modes.push(LegModes { leg, set });
            if !last && (text.has('y') || text.has('g')) {
                reach = match (reach == atom.reach, atom.reach) {
                    (false, usual) => usual,
                    (true, 1) => MoveAtom::SLIDE,
                    (true, _) => 1,
                };
            }
        }
        let first = atom.shape.numbered_steps(atom.leap, modes[0].set);
        let mut all: Vec<Vec<(u8, Leg)>> = first
            .map(|(number, (dx, dy))| vec![(number, Leg { dx, dy, ..modes[0].leg })])
            .collect();
        for later in &modes[1..] {
            let longer = |legs: &Vec<(u8, Leg)>| {
                let before = *legs.last().unwrap_or(&(0, later.leg));
                let next = (0..8).filter(|turn| later.set >> turn & 1 != 0).map(move |turn| {
                    let (number, (dx, dy)) = after_turn(atom, before, turn);
                    (number, Leg { dx, dy, ..later.leg })
                });
                next.map(|leg| [legs.as_slice(), &[leg]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let legs = |legs: Vec<(u8, Leg)>| legs.into_iter().map(|(_, leg)| leg).collect();
        Ok(all.into_iter().map(|all| BentMove { legs: legs(all), cylinder, course }).collect())
    }

    fn course(&self, texts: &[LegText], atom: Atom) -> Result<Course, BetzaError> {
        let find = |letter| texts.iter().find_map(|leg| leg.find(letter));
        let (at, course) = match (find('z'), find('q')) {
            (None, None) => return Ok(Course::Straight),
            (Some(at), None) => (at, Course::Crooked),
            (None, Some(at)) => (at, Course::Circular),
            (Some(_), Some(at)) => return Err(self.fault(at, "z or q, not both")),
        };
        let oblique = atom.shape == AtomShape::Oblique;
        let expected = match course {
            _ if texts.len() > 1 => "no crooked or circular leg (z, q) in a move of several legs",
            _ if atom.reach == 1 => "a rider after z or q, such as zB or qN0",
            Course::Crooked if oblique => "a rider by straight or diagonal steps after z",
            Course::Circular if !oblique => "a rider by oblique leaps after q, such as qN0",
            _ => return Ok(course),
        };
        Err(self.fault(at, expected))
    }

    /// Parses the modes of a leg.
    fn leg(&self, text: &LegText, atom: Atom, reach: u8, last: bool) -> Result<Leg, BetzaError> {
        let fault =
            |letter, expected| Err(self.fault(text.find(letter).unwrap_or(text.start), expected));
        if last && text.has('y') {
            return fault('y', "y only on a leg before the last");
        }
        if last && text.has('t') {
            return fault('t', "t only on a leg before the last: every capture may take a royal");
        }
        for (one, other) in [('g', 'p'), ('g', 't'), ('g', 'y'), ('p', 't'), ('n', 'j')] {
            if text.has(one) && text.has(other) {
                return fault(other, "one of the letters p, g, t and y, and one of n and j");
            }
        }
        let single = atom.leap.1 == 1;
        let jumps = text.letters.iter().filter(|(_, letter)| *letter == 'j').count();
        let (mut skip, mut midway) = (0, Midway::Any);
        if text.has('n') {
            if single {
                return fault('n', "a leap of two squares or more after n");
            }
            midway = Midway::Empty;
        }
        match jumps {
            0 => {}
            1 if !single => midway = Midway::Occupied,
            1 | 2 if single && usize::from(reach) > jumps => skip = jumps as u8,
            _ => return fault('j', "j once before a leap, or once or twice before a longer ride"),
        }
        let hop = text.hop(last);
        let squares = usize::from(reach) - usize::from(skip);
        if last && hop != Hop::None && squares < 2 {
            let letter = if hop == Hop::Behind { 'g' } else { 'p' };
            return fault(letter, "a ride after p or g: a leap passes no square");
        }
        let (quiet, capture) = text.uses(last);
        Ok(Leg { dx: 0, dy: 0, reach, skip, midway, quiet, capture, hop })
    }

    /// Parses the directions of a leg after the first.
    fn later_directions(
        &self,
        text: &LegText,
        shape: AtomShape,
    ) -> Result<DirectionSet, BetzaError> {
        let set = match text.directions().is_empty() {
            true => default_turns(shape),
            false => self.directions(text, AtomShape::Royal)?,
        };
        if shape == AtomShape::Oblique && (set == 0 || set & !FORWARD_AND_BACK != 0) {
            return Err(self.fault(text.start, "f or b on a leg after an oblique leap"));
        }
        Ok(set)
    }
}

/// Straight on, and back.
const FORWARD_AND_BACK: DirectionSet = 0b0001_0001;

/// Returns the turns of a later leg without directions: none for an oblique leap.
pub(super) const fn default_turns(shape: AtomShape) -> DirectionSet {
    match shape {
        AtomShape::Royal => 0b1110_1111,
        AtomShape::Orthogonal | AtomShape::Diagonal => 0b0100_0101,
        AtomShape::Oblique => 0,
    }
}

/// Returns number and step of the direction after a turn; turns are numbered clockwise from
/// straight on.
fn after_turn(atom: Atom, (number, leg): (u8, Leg), turn: u8) -> (u8, (i8, i8)) {
    if atom.shape == AtomShape::Oblique {
        let sign = if turn == 0 { 1 } else { -1 };
        return ((number + turn) % 8, (sign * leg.dx, sign * leg.dy));
    }
    let number = (number + turn) % 8;
    let step = AtomShape::Royal.numbered_steps(atom.leap, 1 << number).next();
    (number, step.map_or((0, 0), |(_, step)| step))
}

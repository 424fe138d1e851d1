//! Writes moves with other modes than `m` and `c`, and moves of several legs.

use super::directions::{AtomShape, DirectionSet};
use super::legs::default_turns;
use super::prefixes::{ATOMS, prefixes_of};
use crate::fairy::bent::{BentMove, Course, Hop, Leg, Midway};
use crate::fairy::movement::MoveAtom;

/// Moves that differ in their directions only.
#[derive(Clone, PartialEq)]
struct BentGroup {
    /// Smaller and larger distance of the leap; 0 and the length of a straight or diagonal one.
    leap: (i8, i8),
    /// Legs without directions.
    legs: Vec<Leg>,
    cylinder: bool,
    course: Course,
    /// Directions of the first leg, then the turns of each later one.
    sets: Vec<DirectionSet>,
}

/// Writes moves; the text is read back as the same moves.
pub(super) fn write(bent: &[BentMove]) -> String {
    let mut groups: Vec<BentGroup> = bent.iter().filter_map(BentGroup::of).collect();
    // Groups that differ in one set are united, set by set, the last one first.
    let sets = groups.iter().map(|group| group.sets.len()).max().unwrap_or(0);
    for at in (0..sets).rev() {
        let mut united: Vec<BentGroup> = vec![];
        for group in groups {
            let same = united.iter_mut().find(|known| known.differs_only_in(&group, at));
            match same {
                Some(known) => known.sets[at] |= group.sets[at],
                None => united.push(group),
            }
        }
        groups = united;
    }
    groups.iter().map(BentGroup::text).collect()
}

/// Returns true when XBoard has all letters of these moves.
pub(super) fn is_known_to_xboard(bent: &[BentMove]) -> bool {
    bent.iter().all(|mv| {
        let near = |leg: &Leg| leg.dx.abs() <= 3 && leg.dy.abs() <= 3;
        mv.course == Course::Straight && mv.legs.iter().all(near)
    })
}

impl BentGroup {
    fn of(mv: &BentMove) -> Option<Self> {
        let number = |leg: &Leg| {
            let leap = (leg.dx.abs().min(leg.dy.abs()), leg.dx.abs().max(leg.dy.abs()));
            AtomShape::of(leap).number(leap, (leg.dx, leg.dy))
        };
        let first = mv.legs.first()?;
        let leap = (first.dx.abs().min(first.dy.abs()), first.dx.abs().max(first.dy.abs()));
        let straight = AtomShape::of(leap) != AtomShape::Oblique;
        let mut sets = vec![1 << number(first)?];
        for pair in mv.legs.windows(2) {
            sets.push(1 << ((8 + number(&pair[1])? - number(&pair[0])?) % 8));
        }
        Some(Self {
            leap: if straight { (0, leap.1) } else { leap },
            legs: mv.legs.iter().map(|leg| Leg { dx: 0, dy: 0, ..*leg }).collect(),
            cylinder: mv.cylinder,
            course: mv.course,
            sets,
        })
    }

    fn differs_only_in(&self, other: &Self, at: usize) -> bool {
        if self.sets.len() <= at || self.sets.len() != other.sets.len() {
            return false;
        }
        let mut like = other.clone();
        like.sets[at] = self.sets[at];
        *self == like
    }

    /// Writes the group; atoms without a letter for both straight and diagonal leaps are written one
    /// after the other.
    fn text(&self) -> String {
        let first = self.sets[0];
        let oblique = AtomShape::of(self.leap) == AtomShape::Oblique;
        if oblique {
            return self.with_atom(AtomShape::Oblique, first);
        }
        let (straight, diagonal) =
            (first & AtomShape::Orthogonal.all(), first & AtomShape::Diagonal.all());
        if self.leap.1 == 1 && straight != 0 && diagonal != 0 {
            return self.with_atom(AtomShape::Royal, first);
        }
        let part = |shape, set| if set == 0 { String::new() } else { self.with_atom(shape, set) };
        part(AtomShape::Orthogonal, straight) + &part(AtomShape::Diagonal, diagonal)
    }

    fn with_atom(&self, shape: AtomShape, first: DirectionSet) -> String {
        let reach = self.legs[0].reach;
        let slide = reach == MoveAtom::SLIDE;
        let length = self.leap.1;
        let leap = if shape == AtomShape::Diagonal { (length, length) } else { self.leap };
        let letter = match shape {
            AtomShape::Royal => Some(if slide { 'Q' } else { 'K' }),
            AtomShape::Orthogonal if slide && length == 1 => Some('R'),
            AtomShape::Diagonal if slide && length == 1 => Some('B'),
            _ => ATOMS.iter().find(|(known, _)| *known == leap).map(|(_, letter)| *letter),
        };
        let atom = letter.map_or_else(|| format!("({},{})", leap.0, leap.1), String::from);
        let range = match reach {
            1 => String::new(),
            MoveAtom::SLIDE if matches!(letter, Some('Q' | 'R' | 'B')) => String::new(),
            MoveAtom::SLIDE => "0".to_owned(),
            reach => reach.to_string(),
        };
        // Prefixes of each leg; a set of directions may need several, which multiply.
        let mut texts = vec![String::new()];
        for (number, &set) in self.sets.iter().enumerate() {
            let prefixes = match number {
                0 => prefixes_of(shape, first, true),
                _ if set == default_turns(shape) => vec![""],
                _ => prefixes_of(AtomShape::Royal, set, false),
            };
            let modes = self.modes(number);
            let start = if number == 0 { "" } else { "a" };
            let with = |text: &String| {
                let one = |prefix: &&str| format!("{text}{start}{prefix}{modes}");
                prefixes.iter().map(one).collect::<Vec<_>>()
            };
            texts = texts.iter().flat_map(with).collect();
        }
        texts.iter().map(|text| format!("{text}{atom}{range}")).collect()
    }

    /// Writes the modes of a leg in XBoard's order: `m c t p g o y n j`, then `z q`.
    fn modes(&self, number: usize) -> String {
        let leg = &self.legs[number];
        let last = number + 1 == self.legs.len();
        let exchanges = self.legs.get(number + 1).is_some_and(|next| next.reach != leg.reach);
        let behind = leg.hop == Hop::Behind || exchanges && leg.hop == Hop::Any;
        let yields = exchanges && !behind;
        let quiet = match (last, leg.quiet, leg.capture) {
            (true, true, true) => false,
            (true, quiet, _) => quiet,
            (false, quiet, capture) => quiet && !yields && (capture || leg.hop != Hop::None),
        };
        let capture = leg.capture && !(last && leg.quiet);
        let flags = [
            (quiet, "m"),
            (capture, "c"),
            (leg.hop == Hop::Own, "t"),
            (leg.hop == Hop::Any && !behind, "p"),
            (behind, "g"),
            (self.cylinder && number == 0, "o"),
            (yields, "y"),
            (leg.midway == Midway::Empty, "n"),
            (leg.midway == Midway::Occupied || leg.skip > 0, "j"),
            (leg.skip > 1, "j"),
            (self.course == Course::Crooked, "z"),
            (self.course == Course::Circular, "q"),
        ];
        flags.into_iter().filter(|(set, _)| *set).map(|(_, letter)| letter).collect()
    }
}

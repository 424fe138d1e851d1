//! Writes steps in Betza's notation.

use super::directions::{AtomShape, DirectionSet};
use super::prefixes::{ATOMS, prefixes_of};
use super::write_legs;
use crate::fairy::bent::BentMove;
use crate::fairy::movement::MoveAtom;

/// Longest argument of XBoard's `piece` command, in characters; XBoard reads it into 512 bytes.
const XBOARD_TEXT_MAX: usize = 511;

/// Steps that differ in their direction only.
struct Group {
    leap: (i8, i8),
    reach: u8,
    capture: bool,
    quiet: bool,
    directions: DirectionSet,
}

/// Writes moves; a leap of more than three squares is `(x,y)`.
pub(in crate::fairy) fn write(steps: &[MoveAtom], bent: &[BentMove]) -> String {
    let simple: String = groups(steps).iter().map(|group| group.text(&group.atom())).collect();
    simple + &write_legs::write(bent)
}

/// Writes moves as XBoard reads them; none where a leap is longer than three squares, a ride is
/// crooked or circular, or the text exceeds XBoard's buffer.
pub(in crate::fairy) fn write_for_xboard(steps: &[MoveAtom], bent: &[BentMove]) -> Option<String> {
    let groups = groups(steps);
    let known = groups.iter().all(|group| group.letter().is_some());
    let known = known && write_legs::is_known_to_xboard(bent);
    Some(write(steps, bent)).filter(|text| known && text.len() <= XBOARD_TEXT_MAX)
}

/// Groups the steps of each atom, in the order of the steps.
fn groups(steps: &[MoveAtom]) -> Vec<Group> {
    let mut groups: Vec<Group> = vec![];
    for &MoveAtom { dx, dy, reach, capture, quiet } in steps {
        let leap = (dx.abs().min(dy.abs()), dx.abs().max(dy.abs()));
        let Some(number) = AtomShape::of(leap).number(leap, (dx, dy)) else { continue };
        let same = groups.iter_mut().find(|group| {
            (group.leap, group.reach, group.capture, group.quiet) == (leap, reach, capture, quiet)
        });
        match same {
            Some(group) => group.directions |= 1 << number,
            None => groups.push(Group { leap, reach, capture, quiet, directions: 1 << number }),
        }
    }
    groups
}

impl Group {
    fn letter(&self) -> Option<char> {
        ATOMS.iter().find(|(leap, _)| *leap == self.leap).map(|(_, letter)| *letter)
    }

    fn atom(&self) -> String {
        let (a, b) = self.leap;
        self.letter().map_or_else(|| format!("({a},{b})"), String::from)
    }

    fn text(&self, atom: &str) -> String {
        let mode = match (self.capture, self.quiet) {
            (true, false) => "c",
            (false, true) => "m",
            _ => "",
        };
        let range = match self.reach {
            1 => String::new(),
            MoveAtom::SLIDE => "0".to_owned(),
            range => range.to_string(),
        };
        let prefixes = prefixes_of(AtomShape::of(self.leap), self.directions, true);
        prefixes.iter().map(|prefix| format!("{prefix}{mode}{atom}{range}")).collect()
    }
}

//! Letters of atoms, and prefixes that name directions.

use super::directions::{self, AtomShape, DirectionSet};

/// XBoard's atoms for leaps (smaller distance, larger distance); XBoard has none for longer leaps.
pub(super) const ATOMS: [((i8, i8), char); 9] = [
    ((0, 1), 'W'),
    ((1, 1), 'F'),
    ((0, 2), 'D'),
    ((1, 2), 'N'),
    ((2, 2), 'A'),
    ((0, 3), 'H'),
    ((1, 3), 'C'),
    ((2, 3), 'Z'),
    ((3, 3), 'G'),
];

/// Direction prefixes for [`prefixes_of`], the preferred ones first.
const PREFIXES: [&str; 24] = [
    "", "f", "b", "l", "r", "v", "s", "fl", "fr", "bl", "br", "lf", "rf", "lb", "rb", "fs", "bs",
    "fh", "bh", "lh", "rh", "hl", "hr", "lv",
];

/// Returns prefixes that together name exactly these directions, the one with most directions
/// first. The empty prefix for all directions may be excluded.
pub(super) fn prefixes_of(
    shape: AtomShape,
    set: DirectionSet,
    may_be_empty: bool,
) -> Vec<&'static str> {
    let mut chosen = vec![];
    let mut left = set;
    while left != 0 {
        let new = |prefix: &str| {
            let letters: Vec<char> = prefix.chars().collect();
            let named = directions::read(&letters, shape).unwrap_or(0);
            // A prefix that names other directions does not count.
            if named & !set == 0 { (named & left).count_ones() } else { 0 }
        };
        // `max_by_key` returns the last of equal items, hence the reversal.
        let usable = PREFIXES.into_iter().filter(|prefix| may_be_empty || !prefix.is_empty());
        let Some(best) = usable.rev().max_by_key(|prefix| new(prefix)) else { break };
        let letters: Vec<char> = best.chars().collect();
        left &= !directions::read(&letters, shape).unwrap_or(left);
        chosen.push(best);
    }
    chosen
}

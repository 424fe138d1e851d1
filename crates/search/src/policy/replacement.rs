//! XP7 TTPolicy: replacement of table entries by one measure of depth, exactness and age.
//!
//! Hypothesis: keeping deep, exact, recent entries saves nodes if the table is small.

/// Properties of a stored entry for replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub empty: bool,
    pub depth: i32,
    pub exact: bool,
    /// Number of searches since the entry was written.
    pub age: i32,
}

/// Choice of the entry to replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// Smallest depth − 8 · age.
    Base,
    /// Smallest 4 · depth + 6 if exact − 32 · age.
    Worth,
}

impl Replacement {
    /// Returns the slot to replace: the first empty one, otherwise the one of least worth, the
    /// first of equals.
    pub(crate) fn victim(self, slots: &[Slot]) -> usize {
        let worth = |slot: &Slot| match (slot.empty, self) {
            (true, _) => i32::MIN,
            (_, Self::Base) => slot.depth - 8 * slot.age,
            (_, Self::Worth) => self.worth(slot),
        };
        (0..slots.len()).min_by_key(|&at| worth(&slots[at])).unwrap_or(0)
    }

    fn worth(self, slot: &Slot) -> i32 {
        4 * slot.depth + if slot.exact { 6 } else { 0 } - 32 * slot.age
    }

    /// Returns true if a new entry replaces an old one of the same position.
    pub(crate) fn overwrites(self, old: &Slot, depth: i32, exact: bool) -> bool {
        exact || old.age != 0 || depth + 4 >= old.depth
    }
}

#[cfg(test)]
mod tests {
    use super::{Replacement, Slot};

    fn slots() -> Vec<Slot> {
        let mut all = Vec::new();
        for depth in [0, 3, 9, 20] {
            for exact in [false, true] {
                for age in [0, 1, 5] {
                    all.push(Slot { empty: false, depth, exact, age });
                }
            }
        }
        all
    }

    #[test]
    fn the_victim_is_of_least_worth_wherever_it_stands() {
        let all = slots();
        for (i, a) in all.iter().enumerate() {
            for b in &all {
                for c in all.iter().skip(i % 3).step_by(3) {
                    let lines = [
                        [*a, *b, *c],
                        [*a, *c, *b],
                        [*b, *a, *c],
                        [*b, *c, *a],
                        [*c, *a, *b],
                        [*c, *b, *a],
                    ];
                    let worths = lines.map(|line| {
                        let victim = line[Replacement::Worth.victim(&line)];
                        let worth = |s: &Slot| Replacement::Worth.worth(s);
                        assert!(line.iter().all(|slot| worth(&victim) <= worth(slot)));
                        worth(&victim)
                    });
                    assert!(worths.iter().all(|&w| w == worths[0]));
                }
            }
        }
    }

    #[test]
    fn age_decides_between_equal_depths_and_empty_slots_come_first() {
        let new = Slot { empty: false, depth: 7, exact: false, age: 0 };
        let old = Slot { age: 1, ..new };
        for arm in [Replacement::Base, Replacement::Worth] {
            assert_eq!(arm.victim(&[new, old, new]), 1);
            let empty = Slot { empty: true, depth: 0, exact: false, age: 0 };
            assert_eq!(arm.victim(&[new, old, empty, empty]), 2);
        }
    }

    #[test]
    fn exact_entries_are_kept_by_the_worth_arm_alone() {
        let exact = Slot { empty: false, depth: 6, exact: true, age: 0 };
        let bound = Slot { empty: false, depth: 7, exact: false, age: 0 };
        assert_eq!(Replacement::Base.victim(&[exact, bound]), 0);
        assert_eq!(Replacement::Worth.victim(&[exact, bound]), 1);
    }
}

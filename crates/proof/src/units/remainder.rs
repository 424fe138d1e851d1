//! What a unit leaves to others: how many units it becomes, and where they begin.

use crate::enumerate::TreePlace;
use std::time::{Duration, Instant};

/// Units into which the rest of a unit is divided at most.
const CHILDREN: u64 = 8;

/// Units of one size; each further one of the same remainder is twice as large as one of this many before, so that their
/// number grows only as the logarithm of what is left.
const SIZE_DOUBLES: u32 = 8;

/// Strategies of a unit at most.
const SIZE_MAX: u32 = 1 << 20;

/// The strategies of a claim that a unit does not search. They are enumerated, so that units can begin at them.
#[derive(Debug)]
pub(super) struct Remainder {
    /// The first strategy that no unit has yet, and a place at it or before.
    from: u32,
    place: TreePlace,
    /// When enumerating them began.
    pub(super) since: Instant,
    /// Strategies of the next unit.
    size: u32,
    /// Units so far.
    units: u32,
}

impl Remainder {
    /// The strategies from this index on, with a place at it or before. A strategy takes about `each`, and a unit should
    /// take about `aim`.
    pub(super) fn of(index: u32, place: TreePlace, each: Duration, aim: Duration) -> Self {
        let size = aim.as_nanos() / each.as_nanos().max(1);
        let size = u32::try_from(size).unwrap_or(SIZE_MAX).clamp(1, SIZE_MAX);
        Self { from: index, place, since: Instant::now(), size, units: 0 }
    }

    /// Another strategy, with a place at it or before: gives the unit that ends here, if one does, as its place, its first
    /// strategy, and the one behind its last.
    pub(super) fn see(
        &mut self,
        index: u32,
        place: Option<&TreePlace>,
    ) -> Option<(TreePlace, u32, u32)> {
        let place = place.filter(|_| index - self.from >= self.size)?;
        let unit = (std::mem::replace(&mut self.place, place.clone()), self.from, index);
        self.from = index;
        self.units += 1;
        if self.units.is_multiple_of(SIZE_DOUBLES) {
            self.size = self.size.saturating_mul(2).min(SIZE_MAX);
        }
        Some(unit)
    }

    /// The last unit, which has all strategies up to `end`, also those that were not seen.
    pub(super) fn last(self, end: u32) -> (TreePlace, u32, u32) {
        (self.place, self.from, end)
    }
}

/// A number of things in ranges of about one size: as many ranges as take about `aim` when a thing takes `each`.
pub(super) fn divided(
    count: u64,
    each: Duration,
    aim: Duration,
) -> impl Iterator<Item = (u64, u64)> {
    let all = each.as_nanos() * u128::from(count);
    let parts = match aim.as_nanos() {
        0 => CHILDREN,
        aim => all.div_ceil(aim).clamp(1, CHILDREN.into()) as u64,
    };
    let parts = parts.min(count).max(1);
    (0..parts).map(move |at| (count * at / parts, count * (at + 1) / parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn what_is_left_is_divided_without_gaps() {
        for count in [1, 2, 7, 8, 9, 1000] {
            let ranges: Vec<_> = divided(count, MS, Duration::ZERO).collect();
            assert!(ranges.len() as u64 <= CHILDREN && ranges[0].0 == 0);
            assert_eq!(ranges.last().unwrap().1, count);
            assert!(ranges.windows(2).all(|two| two[0].1 == two[1].0));
            assert!(ranges.iter().all(|(from, until)| from < until));
        }
    }

    #[test]
    fn what_takes_little_time_stays_together() {
        let parts = |count, aim: u32| divided(count, MS, MS * aim).count();
        assert_eq!((parts(5, 250), parts(300, 250), parts(100_000, 250)), (1, 2, 8));
    }

    #[test]
    fn each_unit_begins_at_a_place_at_its_first_strategy_or_before() {
        let place = |index: u32| -> TreePlace { format!("1.2@7+{index}:0").parse().unwrap() };
        let mut rest = Remainder::of(10, place(9), MS, MS * 3);
        let mut units = vec![];
        for index in 11..100_000 {
            units.extend(rest.see(index, Some(&place(index / 3 * 3))));
        }
        units.push(rest.last(u32::MAX));
        assert_eq!((units[0].1, units.last().unwrap().2), (10, u32::MAX));
        assert_eq!((units[0].2, units[8].2 - units[8].1), (13, 6));
        assert!(units.windows(2).all(|two| two[0].2 == two[1].1));
        assert!(
            units.iter().all(|(place, from, _)| place.index <= *from && from - place.index < 3)
        );
        assert!((90..110).contains(&units.len()), "{}", units.len());
    }

    #[test]
    fn a_unit_ends_only_at_a_known_place() {
        let mut rest = Remainder::of(0, TreePlace::default(), MS, MS);
        assert!((1..9).all(|index| rest.see(index, None).is_none()));
        assert_eq!(rest.see(9, Some(&TreePlace::default())).map(|unit| unit.2), Some(9));
    }
}

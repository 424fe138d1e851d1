//! What a unit leaves to others: how many units it becomes, and where they begin.

use crate::enumerate::{FoundStrategy, TreePlace};
use std::time::{Duration, Instant};

/// Units into which the rest of a unit is divided at most.
const CHILDREN: u64 = 8;

/// Places that are remembered at most; beyond that every other one is forgotten.
const SAMPLES: usize = 64;

/// The strategies of a claim that a unit does not search. They are enumerated, so that their number is known.
#[derive(Debug)]
pub(super) struct Remainder {
    /// The first one.
    from: u32,
    /// The one behind the last one seen.
    seen: u32,
    /// When enumerating them began.
    pub(super) since: Instant,
    /// Numbers of strategies, ascending, and places at them or before.
    samples: Vec<(u32, TreePlace)>,
    /// A place is remembered for one of this many strategies.
    stride: u32,
}

impl Remainder {
    /// The strategies from this one on.
    pub(super) fn of(found: &FoundStrategy) -> Self {
        let (from, since) = (found.index, Instant::now());
        let mut remainder = Self { from, seen: from, since, samples: vec![], stride: 1 };
        remainder.see(found.index, found.place.as_ref());
        remainder
    }

    /// Another strategy, with a place at it or before.
    pub(super) fn see(&mut self, index: u32, place: Option<&TreePlace>) {
        self.seen = index + 1;
        if let Some(place) = place.filter(|_| (index - self.from).is_multiple_of(self.stride)) {
            self.samples.push((index, place.clone()));
        }
        if self.samples.len() > SAMPLES {
            let mut at = 0;
            self.samples.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// The units: place, first strategy, and the one behind the last. The last unit has all strategies up to `end`,
    /// also those that were not seen. A strategy takes about `each`, a unit should take about `aim`.
    pub(super) fn divided(
        &self,
        end: u32,
        each: Duration,
        aim: Duration,
    ) -> impl Iterator<Item = (&TreePlace, u32, u32)> {
        let left = u64::from(self.seen - self.from);
        divided(left, each, aim).filter_map(move |(from, until)| {
            let until = if until == left { end } else { self.from + until as u32 };
            let from = self.from + from as u32;
            let behind = self.samples.partition_point(|(index, _)| *index <= from);
            let (_, place) = self.samples[..behind].last()?;
            Some((place, from, until))
        })
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
        let (since, stride) = (Instant::now(), 1);
        let mut rest = Remainder { from: 10, seen: 10, since, samples: vec![], stride };
        for index in 10..1000 {
            rest.see(index, Some(&place(index / 3 * 3)));
        }
        let units: Vec<_> = rest.divided(u32::MAX, MS, Duration::ZERO).collect();
        assert_eq!((units.len(), units[0].1, units[7].2), (8, 10, u32::MAX));
        assert!(units.windows(2).all(|two| two[0].2 == two[1].1));
        for (place, from, _) in units {
            assert!(place.index <= from && from - place.index < 40, "{place} {from}");
        }
        assert!(rest.samples.len() <= SAMPLES);
    }
}

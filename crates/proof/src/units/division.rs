//! Division of a unit: the number of units that continue it, and their first places.

use crate::enumerate::ClaimPlace;
use std::time::{Duration, Instant};

/// Maximum number of ranges that the remaining claims of a unit are divided into.
const RANGES_MAX: u64 = 8;

/// Number of successive units after which the size of a unit doubles, in units. The number of units
/// therefore grows only with the logarithm of the rest.
const SIZE_DOUBLES: u32 = 8;

/// Strategies per unit while their cost is unknown.
const SIZE_UNKNOWN: u32 = 250;

/// Maximum number of strategies per unit.
const SIZE_MAX: u32 = 1 << 20;

/// Returns the number of strategies that take about `aim` together, given that `strategies` took
/// `spent`.
pub(super) fn size_of_units(strategies: u32, spent: Duration, aim: Duration) -> u32 {
    if strategies == 0 || spent.is_zero() {
        return SIZE_UNKNOWN;
    }
    let size = aim.as_nanos() * u128::from(strategies) / spent.as_nanos();
    u32::try_from(size).unwrap_or(SIZE_MAX).clamp(1, SIZE_MAX)
}

/// Progress of dividing the rest of a claim. The strategies of the rest are enumerated and counted,
/// so that units can begin at them.
#[derive(Debug)]
pub(super) struct ClaimRest {
    /// First place that belongs to no unit yet.
    pub(super) from: ClaimPlace,
    /// End of the rest; `None` for the end of the claim.
    pub(super) until: Option<ClaimPlace>,
    /// Strategies of the next unit.
    size: u32,
    /// Strategies since `from`.
    pub(super) seen: u32,
    /// Units so far.
    units: u32,
    /// Time when the enumeration began.
    pub(super) since: Instant,
    /// Time of the last split after the parents of a place, or of the start of the enumeration.
    pub(super) last_split: Instant,
}

impl ClaimRest {
    /// Returns the rest between two places, to be divided into units of `size` strategies.
    pub(super) fn new(from: ClaimPlace, until: Option<ClaimPlace>, size: u32) -> Self {
        let now = Instant::now();
        Self { from, until, size: size.max(1), seen: 0, units: 0, since: now, last_split: now }
    }

    /// Returns the number of strategies of the next unit.
    pub(super) fn size(&self) -> u32 {
        self.size
    }

    /// Returns true for a place after the end.
    pub(super) fn is_behind(&self, at: &ClaimPlace) -> bool {
        self.until.as_ref().is_some_and(|until| at >= until)
    }

    /// Counts a strategy. Returns the limits of a unit if there are enough strategies before this
    /// one.
    pub(super) fn see(&mut self, at: &ClaimPlace) -> Option<(ClaimPlace, ClaimPlace)> {
        self.seen += 1;
        if self.seen <= self.size {
            return None;
        }
        self.seen = 1;
        self.units += 1;
        if self.units.is_multiple_of(SIZE_DOUBLES) {
            self.size = self.size.saturating_mul(2).min(SIZE_MAX);
        }
        Some((std::mem::replace(&mut self.from, at.clone()), at.clone()))
    }

    /// Splits off everything after the parents of a place, and returns the limits of these parts in
    /// order. The rest then ends where the first part begins.
    pub(super) fn split_off(&mut self, at: &ClaimPlace) -> Vec<(ClaimPlace, Option<ClaimPlace>)> {
        self.last_split = Instant::now();
        let begin = at.left_by_depth(self.until.as_ref());
        let mut begin = begin.into_iter().skip(1).peekable();
        let Some(first) = begin.peek().cloned() else { return vec![] };
        let end = self.until.replace(first);
        let mut parts = vec![];
        while let Some(from) = begin.next() {
            parts.push((from, begin.peek().cloned().or_else(|| end.clone())));
        }
        parts
    }
}

/// Divides a number of claims into ranges of about equal size, such that each range takes about
/// `aim` if a claim takes `each`.
pub(super) fn claim_ranges(
    count: u64,
    each: Duration,
    aim: Duration,
) -> impl Iterator<Item = (u64, u64)> {
    let all = each.as_nanos() * u128::from(count);
    let parts = match aim.as_nanos() {
        0 => RANGES_MAX,
        aim => all.div_ceil(aim).clamp(1, RANGES_MAX.into()) as u64,
    };
    let parts = parts.min(count).max(1);
    (0..parts).map(move |at| (count * at / parts, count * (at + 1) / parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn place(text: &str) -> ClaimPlace {
        text.parse().unwrap()
    }

    #[test]
    fn claims_are_divided_without_gaps() {
        for count in [1, 2, 7, 8, 9, 1000] {
            let ranges: Vec<_> = claim_ranges(count, MS, Duration::ZERO).collect();
            assert!(ranges.len() as u64 <= RANGES_MAX && ranges[0].0 == 0);
            assert_eq!(ranges.last().unwrap().1, count);
            assert!(ranges.windows(2).all(|two| two[0].1 == two[1].0));
            assert!(ranges.iter().all(|(from, until)| from < until));
        }
    }

    #[test]
    fn what_takes_little_time_stays_together() {
        let parts = |count, aim: u32| claim_ranges(count, MS, MS * aim).count();
        assert_eq!((parts(5, 250), parts(300, 250), parts(100_000, 250)), (1, 2, 8));
        assert_eq!(size_of_units(10, MS * 100, MS * 50), 5);
        assert_eq!(size_of_units(1, MS * 100, MS), 1);
        assert_eq!(size_of_units(0, MS, MS), SIZE_UNKNOWN);
    }

    #[test]
    fn units_of_a_rest_follow_each_other_and_grow() {
        let mut rest = ClaimRest::new(place("10/90000"), None, 3);
        let at = |index: u32| place(&format!("{index}/90000"));
        let units: Vec<_> = (10..50_000).filter_map(|index| rest.see(&at(index))).collect();
        assert_eq!(units[0], (at(10), at(13)));
        assert!(units.windows(2).all(|two| two[0].1 == two[1].0));
        assert_eq!(units.last().unwrap().1, rest.from);
        assert_eq!((units[7].1.clone(), units[8].1.clone()), (at(34), at(40)));
        assert!((80..110).contains(&units.len()), "{}", units.len());
    }

    #[test]
    fn a_rest_keeps_what_is_below_the_parent() {
        let mut rest = ClaimRest::new(place("1/9.2/7.3/4"), Some(place("5/9.1/3")), 9);
        let parts = rest.split_off(&place("1/9.2/7.3/4"));
        let middle = Some(place("2/9"));
        assert_eq!(parts, [(place("1/9.3/7"), middle), (place("2/9"), Some(place("5/9.1/3")))]);
        assert_eq!(rest.until, Some(place("1/9.3/7")));
        assert!(
            rest.split_off(&place("1/9.2/7.3/4")).is_empty()
                && rest.is_behind(&place("1/9.3/7.0/2"))
        );
    }
}

//! Counters of a search: hits of the transposition table, nodes that fail high, and nodes that fail
//! high by their first move. They measure move ordering and are compared between the arms of an
//! experiment.

use std::sync::Mutex;
use umbrail_control::lock;

/// Sums over nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStatistics {
    /// Probes of the transposition table.
    pub probes: u64,
    /// Probes that found an entry.
    pub hits: u64,
    /// Inner nodes at which moves were searched.
    pub expanded: u64,
    /// Expanded nodes that failed high.
    pub fail_high: u64,
    /// Expanded nodes that failed high by their first move.
    pub first_fail_high: u64,
    /// Iterations of the root, each with an aspiration window of its own.
    pub iterations: u64,
    /// Repeated searches of the root because the score lay outside the window.
    pub researches: u64,
}

/// Statistics of all searches of an engine.
#[derive(Debug, Default)]
pub(crate) struct StatisticsTotal(Mutex<SearchStatistics>);

impl StatisticsTotal {
    /// Adds the counters of the workers of one search.
    pub(crate) fn add<'a>(&self, workers: impl IntoIterator<Item = &'a SearchStatistics>) {
        let mut total = lock(&self.0);
        workers.into_iter().for_each(|worker| total.add(worker));
    }

    pub(crate) fn get(&self) -> SearchStatistics {
        *lock(&self.0)
    }
}

impl SearchStatistics {
    /// Adds the counters of another search.
    fn add(&mut self, other: &Self) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.expanded += other.expanded;
        self.fail_high += other.fail_high;
        self.first_fail_high += other.first_fail_high;
        self.iterations += other.iterations;
        self.researches += other.researches;
    }

    /// Returns the hits in per cent of the probes.
    pub fn hit_percent(&self) -> f64 {
        percent(self.hits, self.probes)
    }

    /// Returns the nodes that failed high, per cent of the expanded ones.
    pub fn fail_high_percent(&self) -> f64 {
        percent(self.fail_high, self.expanded)
    }

    /// Returns the share of nodes that failed high by their first move, per cent of the nodes that
    /// failed high.
    pub fn first_fail_high_percent(&self) -> f64 {
        percent(self.first_fail_high, self.fail_high)
    }

    /// Returns the repeated searches of the root per hundred iterations.
    pub fn research_percent(&self) -> f64 {
        percent(self.researches, self.iterations)
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::SearchStatistics;

    #[test]
    fn shares_are_per_cent_and_never_divide_by_nothing() {
        let keys = SearchStatistics {
            probes: 8,
            hits: 2,
            expanded: 10,
            fail_high: 5,
            first_fail_high: 4,
            iterations: 4,
            researches: 1,
        };
        assert_eq!((keys.hit_percent(), keys.fail_high_percent()), (25.0, 50.0));
        assert_eq!((keys.first_fail_high_percent(), keys.research_percent()), (80.0, 25.0));
        assert_eq!(SearchStatistics::default().hit_percent(), 0.0);
    }
}

//! Counters of a search: hit rate of the transposition table, share of nodes that fail high, and share of those that
//! do by their first move. They measure move ordering, and are compared between two arms of an experiment.

/// Sums over nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStatistics {
    /// Probes of the transposition table.
    pub probes: u64,
    /// Probes that found an entry.
    pub hits: u64,
    /// Inner nodes at which moves were searched.
    pub expanded: u64,
    /// Of these, nodes that failed high.
    pub fail_high: u64,
    /// Of these, nodes that failed high by their first move.
    pub first_fail_high: u64,
    /// Searches of the root with an aspiration window, the first one of each iteration.
    pub iterations: u64,
    /// Searches of the root that were repeated because the score lay outside the window.
    pub researches: u64,
}

impl SearchStatistics {
    /// Adds another count.
    pub(crate) fn add(&mut self, other: &Self) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.expanded += other.expanded;
        self.fail_high += other.fail_high;
        self.first_fail_high += other.first_fail_high;
        self.iterations += other.iterations;
        self.researches += other.researches;
    }

    /// Known positions, per cent of the looks.
    pub fn hit_percent(&self) -> f64 {
        percent(self.hits, self.probes)
    }

    /// Nodes that failed high, per cent.
    pub fn fail_high_percent(&self) -> f64 {
        percent(self.fail_high, self.expanded)
    }

    /// Of the nodes that failed high, those that did by their first move, per cent.
    pub fn first_fail_high_percent(&self) -> f64 {
        percent(self.first_fail_high, self.fail_high)
    }

    /// Repeated searches of the root in a hundred iterations.
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

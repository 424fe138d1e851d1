//! Cache of statistics that pages requested, so that a page that is opened again does not read its
//! tables again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use umbrail_control::lock;
use umbrail_tasks::records::egt::EgtStatistics;

/// Maximum number of remembered endgames.
const ENTRIES_MAX: usize = 200;

/// Key of statistics, and the statistics.
type Entry = ([String; 3], Arc<EgtStatistics>);

/// Latest statistics, by endgame, metric and pieces; they depend on nothing else.
#[derive(Default)]
pub(crate) struct Counted {
    entries: Mutex<VecDeque<Entry>>,
}

impl Counted {
    pub(super) fn get(&self, key: &[String; 3]) -> Option<Arc<EgtStatistics>> {
        let entries = lock(&self.entries);
        entries.iter().find(|(known, _)| known == key).map(|(_, record)| Arc::clone(record))
    }

    pub(super) fn put(&self, key: [String; 3], record: &Arc<EgtStatistics>) {
        let mut entries = lock(&self.entries);
        if entries.len() >= ENTRIES_MAX {
            entries.pop_front();
        }
        entries.push_back((key, Arc::clone(record)));
    }
}

#[cfg(test)]
mod tests {
    use super::{Arc, Counted, ENTRIES_MAX, EgtStatistics};

    #[test]
    fn the_latest_are_remembered() {
        let key = |number: usize| [number.to_string(), "dtm".to_owned(), String::new()];
        let record = |number: usize| {
            Arc::new(EgtStatistics { material: number.to_string(), ..EgtStatistics::default() })
        };
        let counted = Counted::default();
        for number in 0..=ENTRIES_MAX {
            counted.put(key(number), &record(number));
        }
        assert_eq!(counted.get(&key(0)), None);
        assert_eq!(counted.get(&key(ENTRIES_MAX)), Some(record(ENTRIES_MAX)));
    }
}

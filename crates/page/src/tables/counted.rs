//! Cache of statistics that pages requested, so that a page that is opened again does not read its
//! tables again.

use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use umbrail_control::lock;

/// Maximum number of remembered endgames.
const ENTRIES_MAX: usize = 200;

/// Key of statistics, and the statistics.
type Entry = ([String; 3], Arc<Value>);

/// Latest statistics, by endgame, metric and pieces; they depend on nothing else.
#[derive(Default)]
pub(crate) struct Counted {
    entries: Mutex<VecDeque<Entry>>,
}

impl Counted {
    pub(super) fn get(&self, key: &[String; 3]) -> Option<Arc<Value>> {
        let entries = lock(&self.entries);
        entries.iter().find(|(known, _)| known == key).map(|(_, record)| Arc::clone(record))
    }

    pub(super) fn put(&self, key: [String; 3], record: &Value) {
        let mut entries = lock(&self.entries);
        if entries.len() >= ENTRIES_MAX {
            entries.pop_front();
        }
        entries.push_back((key, Arc::new(record.clone())));
    }
}

#[cfg(test)]
mod tests {
    use super::{Counted, ENTRIES_MAX};
    use serde_json::json;

    #[test]
    fn the_latest_are_remembered() {
        let key = |number: usize| [number.to_string(), "dtm".to_owned(), String::new()];
        let counted = Counted::default();
        for number in 0..=ENTRIES_MAX {
            counted.put(key(number), &json!(number));
        }
        assert_eq!(counted.get(&key(0)), None);
        assert_eq!(counted.get(&key(ENTRIES_MAX)).as_deref(), Some(&json!(ENTRIES_MAX)));
    }
}

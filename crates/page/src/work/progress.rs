//! Reports of a run so far, for all its pages: its records in order, and its latest sample.

use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::watch;
use umbrail_control::lock;

/// Maximum number of records kept for pages; the log has all of them.
const RECORDS_MAX: usize = 20_000;

/// Reports of a run. Records are numbered from 0.
pub(crate) struct Progress {
    reported: Mutex<Reported>,
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct Reported {
    records: Vec<Arc<str>>,
    sample: Option<Arc<str>>,
    over: bool,
}

/// Reports since some record.
pub(crate) struct News {
    pub(crate) records: Vec<Arc<str>>,
    pub(crate) sample: Option<Arc<str>>,
    /// No report will follow.
    pub(crate) over: bool,
}

impl Default for Progress {
    fn default() -> Self {
        Self { reported: Mutex::default(), changed: watch::Sender::new(0) }
    }
}

impl Progress {
    fn reported(&self) -> MutexGuard<'_, Reported> {
        lock(&self.reported)
    }

    fn change(&self, change: impl FnOnce(&mut Reported)) {
        change(&mut self.reported());
        self.changed.send_modify(|version| *version += 1);
    }

    /// Adds a record.
    pub(super) fn record(&self, line: &str) {
        self.change(|reported| {
            if reported.records.len() < RECORDS_MAX {
                reported.records.push(line.into());
            }
        });
    }

    /// Replaces the sample of the progress counters.
    pub(super) fn sample(&self, line: &str) {
        self.change(|reported| reported.sample = Some(line.into()));
    }

    /// Marks the end of the run.
    pub(super) fn end(&self) {
        self.change(|reported| reported.over = true);
    }

    /// Returns the records from this number on, and the latest sample.
    pub(crate) fn since(&self, record: usize) -> News {
        let reported = self.reported();
        let records = reported.records.get(record..).unwrap_or_default().to_vec();
        News { records, sample: reported.sample.clone(), over: reported.over }
    }

    /// Returns a channel that signals each change.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn a_reader_goes_on_where_it_was() {
        let progress = Progress::default();
        progress.record("a");
        progress.sample("1");
        progress.sample("2");
        progress.record("b");
        let news = progress.since(1);
        assert_eq!((news.records.len(), &*news.records[0], news.over), (1, "b", false));
        assert_eq!(news.sample.as_deref(), Some("2"));
        progress.end();
        let news = progress.since(9);
        assert!(news.records.is_empty() && news.over);
    }
}

//! Queue of strategies to search.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::Duration;
use umbrail_control::lock;

/// State protected by the lock.
#[derive(Debug)]
struct QueueState<T> {
    /// Queued items by the worker that found them.
    waiting: Vec<VecDeque<T>>,
    seekers: usize,
}

/// A queue between seekers and players.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    line: Mutex<QueueState<T>>,
    news: Condvar,
}

/// Answer of the queue to a player.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NextItem<T> {
    /// An item.
    Item(T),
    /// No item at the moment.
    Later,
    /// No more items.
    Never,
}

/// Time that a player sleeps before it polls the stop signal and open searches.
pub(crate) const NAP: Duration = Duration::from_millis(20);

impl<T> QueueState<T> {
    fn len(&self) -> usize {
        self.waiting.iter().map(VecDeque::len).sum()
    }

    /// Removes the oldest item of this worker, otherwise the latest one of the worker with the most
    /// items.
    fn pop(&mut self, worker: usize) -> Option<T> {
        if let Some(item) = self.waiting.get_mut(worker).and_then(VecDeque::pop_front) {
            return Some(item);
        }
        self.waiting.iter_mut().max_by_key(|own| own.len())?.pop_back()
    }
}

impl<T> Queue<T> {
    /// Creates an empty queue with this number of active seekers.
    pub(crate) fn new(seekers: usize) -> Self {
        Self { line: Mutex::new(QueueState { waiting: Vec::new(), seekers }), news: Condvar::new() }
    }

    fn with<R>(&self, look: impl FnOnce(&mut QueueState<T>) -> R) -> R {
        look(&mut lock(&self.line))
    }

    /// Adds an item and returns the number of items.
    pub(crate) fn push(&self, worker: usize, item: T) -> usize {
        let waiting = self.with(|line| {
            while line.waiting.len() <= worker {
                line.waiting.push(VecDeque::new());
            }
            line.waiting[worker].push_back(item);
            line.len()
        });
        self.news.notify_one();
        waiting
    }

    /// Removes and returns the next item, if there is one.
    pub(crate) fn pop(&self, worker: usize) -> Option<T> {
        self.with(|line| line.pop(worker))
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        self.with(|line| line.len())
    }

    /// Registers that a seeker is done.
    pub(crate) fn seeker_done(&self) {
        self.with(|line| line.seekers = line.seekers.saturating_sub(1));
        self.news.notify_all();
    }

    /// Returns the next item; waits briefly for it while seekers are active.
    pub(crate) fn next(&self, worker: usize) -> NextItem<T> {
        let mut line = lock(&self.line);
        if line.len() == 0 && line.seekers > 0 {
            line = self
                .news
                .wait_timeout(line, NAP)
                .map_or_else(|poisoned| poisoned.into_inner().0, |(line, _)| line);
        }
        match line.pop(worker) {
            Some(item) => NextItem::Item(item),
            None if line.seekers > 0 => NextItem::Later,
            None => NextItem::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn players_wait_for_seekers_and_leave_with_the_last_one() {
        let queue = Queue::new(1);
        let got = std::thread::scope(|scope| {
            let player = scope.spawn(|| {
                let mut got = vec![];
                loop {
                    match queue.next(1) {
                        NextItem::Item(item) => got.push(item),
                        NextItem::Later => {}
                        NextItem::Never => break got,
                    }
                }
            });
            (0..100).for_each(|item| {
                queue.push(0, item);
            });
            queue.seeker_done();
            player.join().unwrap_or_default()
        });
        // Taken from the other end.
        assert_eq!(BTreeSet::from_iter(got), (0..100).collect());
        assert_eq!(Queue::<u8>::new(1).next(0), NextItem::Later);
    }

    #[test]
    fn each_player_takes_its_own_items_first_and_then_the_latest_of_others() {
        let queue = Queue::new(2);
        for (worker, item) in [(0, 'a'), (1, 'b'), (1, 'c'), (1, 'd'), (0, 'e')] {
            queue.push(worker, item);
        }
        let next: String = (0..4).filter_map(|_| queue.pop(0)).collect();
        assert_eq!((next.as_str(), queue.pop(1), queue.len()), ("aedc", Some('b'), 0));
    }
}

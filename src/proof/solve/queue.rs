//! Strategies that wait to be played.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// What the lock guards.
#[derive(Debug)]
struct Line<T> {
    waiting: VecDeque<T>,
    seekers: usize,
}

/// A line of things to do between seekers and players.
#[derive(Debug)]
pub(super) struct Queue<T> {
    line: Mutex<Line<T>>,
    news: Condvar,
}

/// What a player gets from the line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<T> {
    /// Something to do.
    Item(T),
    /// Nothing for the moment.
    Later,
    /// Nothing any more.
    Never,
}

/// How long a player sleeps before it looks whether it was told to stop, or may help somebody.
pub(super) const NAP: Duration = Duration::from_millis(20);

impl<T> Queue<T> {
    /// An empty line with so many seekers at work.
    pub(super) fn new(seekers: usize) -> Self {
        Self { line: Mutex::new(Line { waiting: VecDeque::new(), seekers }), news: Condvar::new() }
    }

    fn with<R>(&self, look: impl FnOnce(&mut Line<T>) -> R) -> R {
        look(&mut self.line.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds one and gives back how many wait.
    pub(super) fn push(&self, item: T) -> usize {
        let waiting = self.with(|line| {
            line.waiting.push_back(item);
            line.waiting.len()
        });
        self.news.notify_one();
        waiting
    }

    /// The oldest one, if any waits.
    pub(super) fn pop(&self) -> Option<T> {
        self.with(|line| line.waiting.pop_front())
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.with(|line| line.waiting.len())
    }

    /// A seeker has come home.
    pub(super) fn seeker_done(&self) {
        self.with(|line| line.seekers = line.seekers.saturating_sub(1));
        self.news.notify_all();
    }

    /// The oldest one, waiting a moment for it while seekers are out.
    pub(super) fn next(&self) -> Next<T> {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if line.waiting.is_empty() && line.seekers > 0 {
            line = self
                .news
                .wait_timeout(line, NAP)
                .map_or_else(|poisoned| poisoned.into_inner().0, |(line, _)| line);
        }
        match line.waiting.pop_front() {
            Some(item) => Next::Item(item),
            None if line.seekers > 0 => Next::Later,
            None => Next::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_wait_for_seekers_and_leave_with_the_last_one() {
        let queue = Queue::new(1);
        let got = std::thread::scope(|scope| {
            let player = scope.spawn(|| {
                let mut got = vec![];
                loop {
                    match queue.next() {
                        Next::Item(item) => got.push(item),
                        Next::Later => {}
                        Next::Never => break got,
                    }
                }
            });
            (0..100).for_each(|item| {
                queue.push(item);
            });
            queue.seeker_done();
            player.join().unwrap_or_default()
        });
        assert_eq!(got, (0..100).collect::<Vec<_>>());
        assert_eq!(Queue::<u8>::new(1).next(), Next::Later);
    }
}

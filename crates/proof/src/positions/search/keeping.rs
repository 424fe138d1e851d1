//! Saves of the table while the search goes on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use umbrail_control::Gauge;

/// Time of the first save. Each later one doubles the time of the run, up to a limit, so that a run
/// that is killed loses at most half of its time.
const FIRST_SAVE: Duration = Duration::from_secs(2);

/// Longest time between two saves.
const PERIOD_MAX: Duration = Duration::from_secs(120);

/// Part of the time that saves may take: one in this number.
const SAVING_PART: u32 = 20;

/// Period of looks at the end of the work.
const PULSE: Duration = Duration::from_millis(50);

/// Does the work while another thread saves what is known so far, and saves the result. Nothing is
/// saved while no node was visited: the work may be held.
pub(crate) fn keep_while<T>(
    save: &(dyn Fn() + Sync),
    nodes: &Gauge,
    work: impl FnOnce() -> T,
) -> T {
    let over = AtomicBool::new(false);
    let done = std::thread::scope(|scope| {
        let keep = || {
            let begun = Instant::now();
            let (mut due, mut saved) = (FIRST_SAVE, nodes.get());
            // Relaxed: the flag guards no other data.
            while !over.load(Ordering::Relaxed) {
                std::thread::park_timeout(PULSE);
                let now = begun.elapsed();
                if now < due || over.load(Ordering::Relaxed) {
                    continue;
                }
                if std::mem::replace(&mut saved, nodes.get()) != nodes.get() {
                    save();
                }
                let took = begun.elapsed() - now;
                due = begun.elapsed() + now.min(PERIOD_MAX).max(took * SAVING_PART);
            }
        };
        // If no thread can be started, only the end is saved.
        let keeper = std::thread::Builder::new().name("saves".to_owned()).spawn_scoped(scope, keep);
        let _over = keeper.map(|keeper| Over { flag: &over, keeper: keeper.thread().clone() });
        work()
    });
    save();
    done
}

/// Guard that ends the other thread, also if the work panics.
struct Over<'a> {
    flag: &'a AtomicBool,
    keeper: std::thread::Thread,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.flag.store(true, Ordering::Relaxed);
        self.keeper.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn work_is_saved_while_it_goes_on_and_at_the_end() {
        let (nodes, saved, begun) = (Gauge::default(), Mutex::new(vec![]), Instant::now());
        let save = || saved.lock().unwrap().push((nodes.get(), begun.elapsed()));
        keep_while(&save, &nodes, || {
            while saved.lock().unwrap().is_empty() && begun.elapsed() < FIRST_SAVE * 10 {
                nodes.add(1);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let saved = saved.into_inner().unwrap();
        assert_eq!(saved.len(), 2);
        assert!(saved[0].0 > 0 && saved[0].1 >= FIRST_SAVE && saved[1].0 == nodes.get());
    }
}

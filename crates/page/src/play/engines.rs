//! Sessions for live searches: a bounded number at once, at most one for each viewer.
//!
//! A search ends when its [`LiveSearch`] is dropped. Its session, with its transposition table, is
//! kept for a while, so that the next position of a viewer does not start cold. A session takes
//! another search only after its last one has ended; a stop can therefore never reach the search of
//! another viewer.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use umbrail_control::{available, lock};
use umbrail_server::{SessionRequest, SessionThread};
use umbrail_session::event::Event;
use umbrail_session::{Base, Command, Go, Options};

/// Maximum number of live searches at once.
pub(crate) const SEARCHES_MAX: usize = 4;
/// Time for which an unused session is kept.
const KEPT: Duration = Duration::from_secs(60);
/// Time limit for a stopped search to end, before a viewer is refused.
const PATIENCE: Duration = Duration::from_secs(5);
/// Share of the available memory that one transposition table may take.
const MEMORY_SHARE: u64 = 8;

/// Reason why a search does not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EngineError {
    /// All places are taken.
    #[error("{SEARCHES_MAX} other viewers analyze already; try again when one of them has stopped")]
    Busy,
    /// The system does not start a thread.
    #[error("the search cannot start: {0}")]
    Thread(#[from] std::io::Error),
}

/// A search to start.
pub(crate) struct SearchOrder {
    /// Name of the viewer; a new search replaces the earlier one of the same viewer. Empty for a
    /// viewer without a name.
    pub(crate) viewer: String,
    /// Options of the session, apart from the number of lines and threads.
    pub(crate) options: Options,
    /// Number of lines.
    pub(crate) lines: usize,
    /// Number of threads; fewer are used when several viewers search.
    pub(crate) threads: usize,
    /// Diagram and moves.
    pub(crate) position: (Base, Vec<String>),
    /// Limits.
    pub(crate) go: Go,
}

/// A session and its settings.
struct Engine {
    thread: SessionThread,
    options: Options,
}

struct Running {
    id: u64,
    viewer: String,
    engine: Arc<Engine>,
    is_stopping: bool,
}

#[derive(Default)]
struct Places {
    next_id: u64,
    running: Vec<Running>,
    idle: Vec<(Arc<Engine>, Instant)>,
}

/// All sessions of live searches.
pub(crate) struct Engines {
    places: Mutex<Places>,
    ended: Notify,
    threads_max: usize,
}

impl Places {
    /// Stops the searches of a viewer, or that with this number.
    fn stop(&mut self, is_meant: impl Fn(&Running) -> bool) {
        for running in self.running.iter_mut().filter(|running| is_meant(running)) {
            running.is_stopping = true;
            running.engine.thread.stop();
        }
    }

    fn at_work(&self) -> usize {
        self.running.iter().filter(|running| !running.is_stopping).count()
    }

    /// Returns a session with these options; none as long as a stopped search is still ending.
    fn engine(&mut self, options: &Options) -> std::io::Result<Option<Arc<Engine>>> {
        if let Some(at) = self.idle.iter().position(|(engine, _)| engine.options == *options) {
            return Ok(Some(self.idle.swap_remove(at).0));
        }
        let ends_soon =
            |running: &Running| running.is_stopping && running.engine.options == *options;
        if self.running.iter().any(ends_soon) {
            return Ok(None);
        }
        if self.running.len() + self.idle.len() >= SEARCHES_MAX && self.idle.pop().is_none() {
            return Ok(None);
        }
        let mut session = umbrail_tasks::session(options.clone());
        session.want_samples();
        let thread = SessionThread::start(session)?;
        Ok(Some(Arc::new(Engine { thread, options: options.clone() })))
    }
}

impl Engines {
    /// Creates the places; `threads_max` is the number of threads of all searches together.
    pub(crate) fn new(threads_max: usize) -> Self {
        let places = Mutex::default();
        Self { places, ended: Notify::new(), threads_max: threads_max.max(1) }
    }

    /// Returns the maximum number of threads of a search.
    pub(crate) fn threads_max(&self) -> usize {
        self.threads_max
    }

    /// Starts a search, which replaces an earlier one of the same viewer. Returns the search and
    /// its number of threads.
    ///
    /// # Errors
    /// All places are taken, or the system does not start a thread.
    pub(crate) async fn begin(
        self: &Arc<Self>,
        order: SearchOrder,
        notify: impl FnMut(&Event) + Send + 'static,
        done: impl FnOnce() + Send + 'static,
    ) -> Result<(LiveSearch, usize), EngineError> {
        let options = Options { multipv: 1, threads: 1, ..order.options.clone() };
        let until = tokio::time::Instant::now() + PATIENCE;
        let (id, engine, threads) = loop {
            let ended = self.ended.notified();
            tokio::pin!(ended);
            // Without this, an end between the check and the wait would be missed.
            ended.as_mut().enable();
            if let Some(found) = self.take(&order, &options)? {
                break found;
            }
            if tokio::time::timeout_at(until, ended).await.is_err() {
                return Err(EngineError::Busy);
            }
        };
        let set = |name: &str, value: usize| Command::SetOption {
            name: name.to_owned(),
            value: Some(value.to_string()),
        };
        let (base, moves) = order.position;
        let commands = vec![
            set("MultiPV", order.lines),
            set("Threads", threads),
            Command::Position { base, moves },
            Command::Go(order.go),
        ];
        let engines = Arc::clone(self);
        engine.thread.request(SessionRequest {
            commands,
            notify: Box::new(notify),
            done: Box::new(move |_| {
                engines.release(id);
                done();
            }),
        });
        Ok((LiveSearch { engines: Arc::clone(self), id }, threads))
    }

    /// Takes a place and a session; none as long as a stopped search is still ending.
    fn take(
        &self,
        order: &SearchOrder,
        options: &Options,
    ) -> Result<Option<(u64, Arc<Engine>, usize)>, EngineError> {
        let mut places = lock(&self.places);
        if !order.viewer.is_empty() {
            places.stop(|running| running.viewer == order.viewer);
        }
        let others = places.at_work();
        if others >= SEARCHES_MAX {
            return Err(EngineError::Busy);
        }
        let Some(engine) = places.engine(options)? else { return Ok(None) };
        places.next_id += 1;
        let id = places.next_id;
        let (viewer, kept) = (order.viewer.clone(), Arc::clone(&engine));
        places.running.push(Running { id, viewer, engine: kept, is_stopping: false });
        let share = (self.threads_max / (others + 1)).max(1);
        Ok(Some((id, engine, order.threads.clamp(1, share))))
    }

    /// Keeps the session of a search that has ended.
    fn release(&self, id: u64) {
        let mut places = lock(&self.places);
        if let Some(at) = places.running.iter().position(|running| running.id == id) {
            let engine = places.running.swap_remove(at).engine;
            places.idle.push((engine, Instant::now()));
        }
        drop(places);
        self.ended.notify_waiters();
    }

    fn forget_old(&self) {
        lock(&self.places).idle.retain(|(_, since)| since.elapsed() < KEPT);
    }
}

/// Returns the largest transposition table that a viewer may choose, in MiB: that of the program, or
/// a share of the memory.
pub(crate) fn hash_max(options: &Options) -> usize {
    let left = available().map_or(0, |left| left.bytes / MEMORY_SHARE) >> 20;
    let share = usize::try_from(left).unwrap_or(0).checked_ilog2().map_or(0, |log| 1 << log);
    options.search.hash_mib.max(share)
}

/// A search that runs as long as this value exists.
pub(crate) struct LiveSearch {
    engines: Arc<Engines>,
    id: u64,
}

impl LiveSearch {
    /// Returns a handle that stops the search earlier.
    pub(crate) fn stopper(&self) -> impl Fn() + Send + use<> {
        let (engines, id) = (Arc::clone(&self.engines), self.id);
        move || lock(&engines.places).stop(|running| running.id == id)
    }
}

impl Drop for LiveSearch {
    fn drop(&mut self) {
        let id = self.id;
        lock(&self.engines.places).stop(|running| running.id == id);
        // Outside the runtime the program is about to end.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let engines = Arc::clone(&self.engines);
            runtime.spawn(async move {
                tokio::time::sleep(KEPT + Duration::from_secs(1)).await;
                engines.forget_old();
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EngineError, Engines, LiveSearch, SEARCHES_MAX, SearchOrder, lock};
    use std::sync::Arc;
    use umbrail_session::{Base, Go, Options};

    async fn begin(
        engines: &Arc<Engines>,
        viewer: &str,
    ) -> Result<(LiveSearch, usize), EngineError> {
        let order = SearchOrder {
            viewer: viewer.to_owned(),
            options: Options::default(),
            lines: 1,
            threads: 8,
            position: (Base::Start, vec![]),
            go: Go { infinite: true, ..Go::default() },
        };
        engines.begin(order, |_| {}, || {}).await
    }

    #[tokio::test]
    async fn viewers_share_threads_and_a_bounded_number_of_places() {
        let engines = Arc::new(Engines::new(8));
        let mut kept = vec![];
        for (viewer, threads) in ["a", "b", "", ""].into_iter().zip([8, 4, 2, 2]) {
            let (search, granted) = begin(&engines, viewer).await.unwrap();
            assert_eq!(granted, threads);
            kept.push(search);
        }
        assert!(matches!(begin(&engines, "c").await, Err(EngineError::Busy)));
        // A viewer's new search replaces the old one.
        kept.push(begin(&engines, "a").await.unwrap().0);
        assert_eq!(lock(&engines.places).at_work(), SEARCHES_MAX);
        kept.clear();
        kept.push(begin(&engines, "c").await.unwrap().0);
        assert_eq!(lock(&engines.places).at_work(), 1);
    }

    #[tokio::test]
    async fn a_session_is_used_again_when_its_search_has_ended() {
        let engines = Arc::new(Engines::new(1));
        for _ in 0..5 {
            let (search, _) = begin(&engines, "a").await.unwrap();
            drop(search);
            let places = lock(&engines.places);
            assert_eq!((places.running.len() + places.idle.len(), places.at_work()), (1, 0));
        }
    }
}

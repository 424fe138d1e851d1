//! A solver at work on a thread of its own, and the Python object that waits for it.
//!
//! The thread never touches Python. It leaves its results as functions that make Python values; they are called by
//! the Python thread that waits. Waiting releases the interpreter and looks for signals every [`LOOK_EVERY`].

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress, available};

pyo3::create_exception!(
    umbrail,
    Stopped,
    PyRuntimeError,
    "The work was stopped, or ran out of time, before it had a result."
);

/// Length of a wait before the interpreter is checked for signals, such as that of Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Events that are kept until they are fetched; older ones are dropped.
const EVENTS_MAX: usize = 4096;

/// Makes a Python value of a solver's report.
type Making = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

fn making<T>(value: T) -> Making
where
    T: for<'py> IntoPyObject<'py> + Send + 'static,
{
    Box::new(move |py| value.into_py_any(py))
}

/// What the thread leaves for Python.
#[derive(Default)]
struct Inbox {
    events: VecDeque<Making>,
    answer: Option<PyResult<Making>>,
    ended: bool,
}

struct Shared {
    inbox: Mutex<Inbox>,
    changed: Condvar,
    cancel: Cancel,
    clock: Clock,
    progress: Progress,
}

impl Shared {
    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a job works.
pub(crate) struct Means {
    threads: usize,
    seconds: Option<f64>,
}

impl Means {
    /// `threads` 0 stands for one for each processor; `seconds` none for no limit.
    pub(crate) fn new(threads: usize, seconds: Option<f64>) -> PyResult<Self> {
        match seconds.map(Duration::try_from_secs_f64) {
            Some(Err(_)) => Err(PyValueError::new_err(format!(
                "seconds must be 0 or more, got {}",
                seconds.unwrap_or_default()
            ))),
            _ => Ok(Self { threads, seconds }),
        }
    }
}

/// What a solver gets from its job.
pub(crate) struct Workplace<'a> {
    shared: &'a Shared,
    pool: &'a Pool,
}

impl Workplace<'_> {
    /// Leaves an event for Python.
    pub(crate) fn notify<T>(&self, event: T)
    where
        T: for<'py> IntoPyObject<'py> + Send + 'static,
    {
        let mut inbox = self.shared.inbox();
        if inbox.events.len() >= EVENTS_MAX {
            inbox.events.pop_front();
        }
        inbox.events.push_back(making(event));
        self.shared.changed.notify_all();
    }

    /// The signal that stops the job.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.shared.cancel
    }

    /// The clock of the job.
    pub(crate) fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// The workers.
    pub(crate) fn pool(&self) -> &Pool {
        self.pool
    }

    /// The gauges.
    pub(crate) fn progress(&self) -> &Progress {
        &self.shared.progress
    }

    /// The control for a solver with these facts.
    pub(crate) fn control<'a, Fact>(
        &'a self,
        facts: &'a (dyn Fn(Fact) + Sync),
    ) -> Control<'a, Fact> {
        let Shared { cancel, clock, progress, .. } = self.shared;
        Control::new(cancel.clone(), clock, progress, self.pool, facts)
    }
}

/// Work that was started. `umbrail.Run` is made of it.
#[pyclass(frozen, module = "umbrail._native")]
pub(crate) struct Job {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
    started: Instant,
}

impl Job {
    /// Starts work whose result becomes a Python value.
    pub(crate) fn start<T, Work>(means: &Means, work: Work) -> PyResult<Self>
    where
        T: for<'py> IntoPyObject<'py> + Send + 'static,
        Work: FnOnce(&Workplace<'_>) -> PyResult<T> + Send + 'static,
    {
        let started = Instant::now();
        let threads = match means.threads {
            0 => std::thread::available_parallelism().map_or(1, Into::into),
            threads => threads,
        };
        let clock = Clock::started(started);
        if let Some(limit) = means.seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()) {
            clock.limit(limit);
        }
        let shared = Arc::new(Shared {
            inbox: Mutex::default(),
            changed: Condvar::new(),
            cancel: Cancel::default(),
            clock,
            progress: Progress::default(),
        });
        let pool = Pool::new(threads).map_err(failed)?;
        let mine = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("umbrail".to_owned()).spawn(move || {
            let place = Workplace { shared: &mine, pool: &pool };
            let answer = catch_unwind(AssertUnwindSafe(|| work(&place)));
            let answer = answer.unwrap_or_else(|_| {
                Err(PyRuntimeError::new_err("the solver failed; this is a fault of Umbrail"))
            });
            // The workers end before the answer is there, so nothing runs after it.
            drop(pool);
            let mut inbox = mine.inbox();
            inbox.answer = Some(answer.map(making));
            inbox.ended = true;
            mine.changed.notify_all();
        });
        let thread = Mutex::new(Some(thread.map_err(failed)?));
        Ok(Self { shared, thread, started })
    }

    /// Waits until `ready`, `until` or a signal; false when the time was up.
    fn wait_for(
        &self,
        py: Python<'_>,
        until: Option<Instant>,
        ready: impl Fn(&Inbox) -> bool + Sync,
    ) -> PyResult<bool> {
        loop {
            let done = py.detach(|| {
                let inbox = self.shared.inbox();
                let wait = self.shared.changed.wait_timeout_while(inbox, LOOK_EVERY, |i| !ready(i));
                !wait.unwrap_or_else(PoisonError::into_inner).1.timed_out()
            });
            if done {
                return Ok(true);
            }
            if let Err(interrupt) = py.check_signals() {
                self.end(py);
                return Err(interrupt);
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(false);
            }
        }
    }

    /// Stops the work and waits until it has ended.
    fn end(&self, py: Python<'_>) {
        self.shared.cancel.raise();
        py.detach(|| self.join());
    }

    fn join(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // Its panics are caught inside.
            let _ = thread.join();
        }
    }
}

#[pymethods]
impl Job {
    /// The next event; none when there is none within this time, or none any more. Ctrl-C stops the work and raises
    /// KeyboardInterrupt.
    fn wait(&self, py: Python<'_>, seconds: f64) -> PyResult<Option<Py<PyAny>>> {
        let wait = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let until = Instant::now() + wait.min(Duration::from_secs(86_400));
        self.wait_for(py, Some(until), |inbox| !inbox.events.is_empty() || inbox.ended)?;
        let event = self.shared.inbox().events.pop_front();
        event.map(|event| event(py)).transpose()
    }

    /// Waits for the answer. It is given once.
    fn result(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.wait_for(py, None, |inbox| inbox.ended)?;
        py.detach(|| self.join());
        let answer = self.shared.inbox().answer.take();
        let answer =
            answer.ok_or_else(|| PyRuntimeError::new_err("the result was already taken"))?;
        answer?(py)
    }

    /// Asks the work to stop.
    fn cancel(&self) {
        self.shared.cancel.raise();
    }

    /// True when the work has ended.
    #[getter]
    fn ended(&self) -> bool {
        self.shared.inbox().ended
    }

    /// Seconds since the start; nodes; what is done, and of how much (0 when that is not known).
    fn gauges(&self) -> (f64, u64, u64, u64) {
        let Progress { nodes, done, total, .. } = &self.shared.progress;
        (self.started.elapsed().as_secs_f64(), nodes.get(), done.get(), total.get())
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.shared.cancel.raise();
        self.join();
    }
}

fn failed(error: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// A bad argument, in the words of the library that refused it.
pub(crate) fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A file that cannot be used.
pub(crate) fn unusable(error: impl std::fmt::Display) -> PyErr {
    PyOSError::new_err(error.to_string())
}

/// A folder that must be there.
pub(crate) fn folder(path: &str) -> PyResult<&Path> {
    let folder = Path::new(path);
    if folder.is_dir() { Ok(folder) } else { Err(unusable(format!("there is no folder {path}"))) }
}

/// The bytes that large blocks may have: the requested MiB, or `usual` MiB, and never more than is free.
pub(crate) fn granted(memory_mib: Option<u64>, usual_mib: u64) -> u64 {
    let wanted = memory_mib.unwrap_or(usual_mib).saturating_mul(1 << 20);
    available().map_or(wanted, |left| wanted.min(left.for_blocks()))
}

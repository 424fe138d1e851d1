//! Signals of the operating system, and their watchdog. The code for each system is in this file.
//!
//! A separate thread listens, because the loop may be blocked, for example by a full pipe on
//! standard output. The thread passes each signal to the loop. It ends the process itself when the
//! loop does not take a signal within [`LOOP_PATIENCE`], or when the process still runs
//! [`LAST_PATIENCE`] after a second signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until};

/// Time limit for the loop to take a signal; the process then ends.
const LOOP_PATIENCE: Duration = Duration::from_secs(1);
/// Time limit for the process to end after a second signal.
const LAST_PATIENCE: Duration = Duration::from_millis(800);

/// A signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// Request to terminate.
    Terminate,
    /// The limit of processor time is reached (`ulimit -t`): as a request to terminate, with the
    /// reason.
    ProcessorTime,
}

/// Number of files that the loop and the listener of signals open.
#[cfg(unix)]
const FILES: usize = 6;

/// Checks that the limit of open files (`ulimit -n`) suffices for the loop and the listener of
/// signals, whose library would panic.
///
/// # Errors
/// The error of the system for the file that is one too many.
pub(super) fn files_suffice() -> std::io::Result<()> {
    #[cfg(unix)]
    (0..FILES).map(|_| std::fs::File::open("/dev/null")).collect::<std::io::Result<Vec<_>>>()?;
    Ok(())
}

/// Signals for the loop.
pub(super) struct Signals {
    receive: UnboundedReceiver<Signal>,
    shared: Arc<Shared>,
}

/// State shared by the loop and the listening thread.
#[derive(Default)]
struct Shared {
    /// Number of signals that the loop has not taken yet.
    waiting: AtomicUsize,
    /// Ctrl-C is ignored: some GUIs send it routinely.
    ignores_interrupts: AtomicBool,
}

impl Signals {
    /// Starts to listen. `status` is the exit status if the watchdog ends the process.
    pub(super) fn new(status: u8) -> Self {
        let (send, receive) = unbounded_channel();
        let shared = Arc::new(Shared::default());
        let (ready, listening) = std::sync::mpsc::channel();
        let theirs = Arc::clone(&shared);
        let listen = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            if let Ok(runtime) = runtime {
                runtime.block_on(async move {
                    let system = system::Listener::new();
                    let _ = ready.send(());
                    watch(system, &send, &theirs, status).await;
                });
            }
        };
        // Without a listener the system's default handling applies.
        match std::thread::Builder::new().name("signals".to_owned()).spawn(listen) {
            Ok(_) => drop(listening.recv()),
            Err(error) => tracing::error!(%error, "no thread for signals"),
        }
        Self { receive, shared }
    }

    /// Returns the next signal.
    pub(super) async fn next(&mut self) -> Signal {
        match self.receive.recv().await {
            Some(signal) => {
                // Relaxed ordering suffices: the count guards no other data.
                self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
                signal
            }
            None => std::future::pending().await,
        }
    }

    /// Sets whether Ctrl-C is ignored from now on.
    pub(super) fn ignore_interrupts(&self, ignore: bool) {
        // Relaxed ordering suffices: the flag guards no other data.
        self.shared.ignores_interrupts.store(ignore, Ordering::Relaxed);
    }
}

async fn watch(
    mut system: system::Listener,
    send: &UnboundedSender<Signal>,
    shared: &Shared,
    status: u8,
) {
    let mut count = 0;
    let mut end: Option<Instant> = None;
    loop {
        tokio::select! {
            signal = system.next() => {
                // Relaxed ordering suffices: see above.
                let ignores = shared.ignores_interrupts.load(Ordering::Relaxed);
                if signal == Signal::Interrupt && ignores {
                    continue;
                }
                count += 1;
                shared.waiting.fetch_add(1, Ordering::Relaxed);
                let patience = if count > 1 { LAST_PATIENCE } else { LOOP_PATIENCE };
                let latest = Instant::now() + patience;
                end = Some(end.map_or(latest, |end| end.min(latest)));
                if send.send(signal).is_err() {
                    return;
                }
            }
            () = sleep_until(end.unwrap_or_else(Instant::now)), if end.is_some() => {
                if count > 1 || shared.waiting.load(Ordering::Relaxed) > 0 {
                    std::process::exit(status.into());
                }
                end = None;
            }
        }
    }
}

#[cfg(unix)]
mod system {
    use super::Signal;
    use tokio::signal::unix::{SignalKind, signal};

    /// Listener for signals; a signal without a handler is never received.
    pub(super) struct Listener {
        interrupt: Option<tokio::signal::unix::Signal>,
        terminate: Option<tokio::signal::unix::Signal>,
        processor_time: Option<tokio::signal::unix::Signal>,
    }

    /// `SIGXCPU` of `signal.h`.
    const PROCESSOR_TIME: i32 = 24;

    impl Listener {
        pub(super) fn new() -> Self {
            Self {
                interrupt: signal(SignalKind::interrupt()).ok(),
                terminate: signal(SignalKind::terminate()).ok(),
                processor_time: signal(SignalKind::from_raw(PROCESSOR_TIME)).ok(),
            }
        }

        /// Returns the next signal.
        pub(super) async fn next(&mut self) -> Signal {
            tokio::select! {
                () = received(&mut self.interrupt) => Signal::Interrupt,
                () = received(&mut self.terminate) => Signal::Terminate,
                () = received(&mut self.processor_time) => Signal::ProcessorTime,
            }
        }
    }

    async fn received(signal: &mut Option<tokio::signal::unix::Signal>) {
        if let Some(signal) = signal
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}

#[cfg(windows)]
mod system {
    use super::Signal;
    use tokio::signal::windows::{CtrlC, CtrlClose, ctrl_c, ctrl_close};

    /// Listener for Ctrl-C and for the closing of the window; an event without a handler is never
    /// received.
    pub(super) struct Listener {
        interrupt: Option<CtrlC>,
        terminate: Option<CtrlClose>,
    }

    impl Listener {
        pub(super) fn new() -> Self {
            Self { interrupt: ctrl_c().ok(), terminate: ctrl_close().ok() }
        }

        /// Returns the next signal.
        pub(super) async fn next(&mut self) -> Signal {
            let interrupt = async {
                if let Some(signal) = &mut self.interrupt
                    && signal.recv().await.is_some()
                {
                    return;
                }
                std::future::pending().await
            };
            let terminate = async {
                if let Some(signal) = &mut self.terminate
                    && signal.recv().await.is_some()
                {
                    return;
                }
                std::future::pending().await
            };
            tokio::select! {
                () = interrupt => Signal::Interrupt,
                () = terminate => Signal::Terminate,
            }
        }
    }
}

//! Signals of the operating system. The only place that knows which system it is.

/// What the system says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// Please go.
    Terminate,
}

#[cfg(unix)]
mod system {
    use super::Signal;
    use tokio::signal::unix::{SignalKind, signal};

    /// Listens to signals; one that cannot be listened to never comes.
    pub(in super::super) struct Signals {
        interrupt: Option<tokio::signal::unix::Signal>,
        terminate: Option<tokio::signal::unix::Signal>,
    }

    impl Signals {
        pub(in super::super) fn new() -> Self {
            Self {
                interrupt: signal(SignalKind::interrupt()).ok(),
                terminate: signal(SignalKind::terminate()).ok(),
            }
        }

        /// The next signal.
        pub(in super::super) async fn next(&mut self) -> Signal {
            tokio::select! {
                () = heard(&mut self.interrupt) => Signal::Interrupt,
                () = heard(&mut self.terminate) => Signal::Terminate,
            }
        }
    }

    async fn heard(signal: &mut Option<tokio::signal::unix::Signal>) {
        if let Some(signal) = signal
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}

#[cfg(not(unix))]
mod system {
    use super::Signal;

    /// Listens to Ctrl-C, the one signal that every system has.
    pub(in super::super) struct Signals;

    impl Signals {
        pub(in super::super) fn new() -> Self {
            Self
        }

        /// The next signal.
        pub(in super::super) async fn next(&mut self) -> Signal {
            match tokio::signal::ctrl_c().await {
                Ok(()) => Signal::Interrupt,
                Err(_) => std::future::pending().await,
            }
        }
    }
}

pub(super) use system::Signals;

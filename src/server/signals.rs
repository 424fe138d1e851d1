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

#[cfg(windows)]
mod system {
    use super::Signal;
    use tokio::signal::windows::{CtrlC, CtrlClose, ctrl_c, ctrl_close};

    /// Listens to Ctrl-C and to the window being closed; what cannot be listened to never comes.
    pub(in super::super) struct Signals {
        interrupt: Option<CtrlC>,
        terminate: Option<CtrlClose>,
    }

    impl Signals {
        pub(in super::super) fn new() -> Self {
            Self { interrupt: ctrl_c().ok(), terminate: ctrl_close().ok() }
        }

        /// The next signal.
        pub(in super::super) async fn next(&mut self) -> Signal {
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

pub(super) use system::Signals;

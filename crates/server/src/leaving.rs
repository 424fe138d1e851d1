//! End of the process: at quit, at the end of its tasks, at a signal.

use super::signals::Signal;
use super::{STATUS_STOPPED, Server};
use std::time::{Duration, Instant};
use umbrail_control::{UnsavedWork, print_error};
use umbrail_session::Command;

/// Time limit for the last report of a stopped job when the process quits; a job usually needs a
/// few milliseconds.
const GRACE: Duration = Duration::from_millis(300);
/// Time limit for a job after Ctrl-C, or after a request to terminate a command of the command
/// line, to end with its results so far; the process then ends without it, unless the job still saves its work.
const STOP_PATIENCE: Duration = Duration::from_millis(1500);
/// Time between two looks at a stopped job that saves its work.
const SAVING_PAUSE: Duration = Duration::from_millis(100);
/// Time limit for such a job when the process quits without a signal.
const SAVING_PATIENCE: Duration = Duration::from_secs(60);

/// The process is about to end.
pub(super) struct Leaving {
    pub(super) status: u8,
    pub(super) at: tokio::time::Instant,
}

impl Server {
    /// Handles the end of all tasks: the screen may stay open for a while.
    pub(super) fn finish(&mut self) {
        let status = self.session.exit_status();
        match &self.screen {
            Some(screen) if screen.is_open() && !self.interrupted => {
                let until = tokio::time::Instant::now() + screen.stays();
                self.staying.get_or_insert((until, status));
            }
            _ => {
                self.uncover();
                self.leave(status);
            }
        }
    }

    pub(super) fn leave(&mut self, status: u8) {
        let at = tokio::time::Instant::now() + GRACE;
        self.leaving.get_or_insert(Leaving { status, at });
    }

    /// Handles a signal. The first interrupt stops the running work, the next one quits. The first
    /// request to terminate also stops the work when a command of the command line is due an
    /// answer, which then contains the results so far; an engine of a GUI quits at once.
    pub(super) fn signal(&mut self, signal: Signal) {
        if signal == Signal::ProcessorTime && !self.interrupted {
            print_error!(
                "umbrail: stopped, since the limit of processor time is reached (ulimit -t)"
            );
        }
        let running = self.session.is_busy() && !self.interrupted;
        let command = match signal {
            Signal::Interrupt if self.dialect.ignores_interrupts() => return,
            Signal::Interrupt if running => Command::Stop,
            Signal::Terminate | Signal::ProcessorTime if running && self.tasks.is_some() => {
                Command::Stop
            }
            _ => Command::Exit,
        };
        self.interrupted = true;
        if command == Command::Stop {
            self.stops_by = Some(tokio::time::Instant::now() + STOP_PATIENCE);
        }
        self.stop_or_leave(command);
    }

    /// Extends the time of a stopped job that saves its work. A second signal ends the process without it.
    pub(super) fn awaits_saving(&mut self) -> bool {
        if !UnsavedWork::is_held() {
            return false;
        }
        let now = tokio::time::Instant::now();
        let is_first = self.saves_since.is_none();
        let since = *self.saves_since.get_or_insert(now);
        match &mut self.leaving {
            Some(_) if now > since + SAVING_PATIENCE => return false,
            Some(leaving) => leaving.at = now + SAVING_PAUSE,
            None => self.stops_by = Some(now + SAVING_PAUSE),
        }
        if is_first {
            print_error!(
                "umbrail: finishing a step and saving the unfinished work; a second Ctrl-C ends without it"
            );
        }
        true
    }

    pub(super) fn stop_or_leave(&mut self, command: Command) {
        let status = self.session.exit_status();
        let effects = self.session.command(command, Instant::now());
        self.perform(effects);
        if let (Some(leaving), true) = (&mut self.leaving, self.tasks.is_some()) {
            leaving.status = if status == 0 { STATUS_STOPPED } else { status };
        }
    }
}

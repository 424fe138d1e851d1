//! End of the process: at quit, at the end of its tasks, at a signal.

use super::signals::Signal;
use super::{GRACE, STATUS_STOPPED, STOP_PATIENCE, Server};
use std::time::Instant;
use umbrail_control::print_error;
use umbrail_session::Command;

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

    pub(super) fn stop_or_leave(&mut self, command: Command) {
        let status = self.session.exit_status();
        let effects = self.session.command(command, Instant::now());
        self.perform(effects);
        if let (Some(leaving), true) = (&mut self.leaving, self.tasks.is_some()) {
            leaving.status = if status == 0 { STATUS_STOPPED } else { status };
        }
    }
}

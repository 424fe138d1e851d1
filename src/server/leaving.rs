//! How the process ends: at quit, at the end of its tasks, at a signal.

use super::signals::Signal;
use super::{GRACE, STATUS_STOPPED, STOP_PATIENCE, Server};
use crate::session::Command;
use std::time::Instant;

/// The process is about to end.
pub(super) struct Leaving {
    pub(super) status: u8,
    pub(super) at: tokio::time::Instant,
}

impl Server {
    /// All tasks are done: what the screen shows may be looked at a while longer.
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

    /// The first interrupt stops what is running, the next one leaves. So does the first request to terminate
    /// when there is a command line to be answered, with what is known until then; a GUI's engine leaves at
    /// once.
    pub(super) fn signal(&mut self, signal: Signal) {
        let running = self.session.is_busy() && !self.interrupted;
        let command = match signal {
            Signal::Interrupt if self.dialect.ignores_interrupts() => return,
            Signal::Interrupt if running => Command::Stop,
            Signal::Terminate if running && self.tasks.is_some() => Command::Stop,
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

//! The server: the process with its pipes, clock, signals and jobs. A user's line enters here.
//!
//! One loop owns all state: it takes lines, reports of jobs, pulses and signals as they arrive,
//! passes them to the [`Session`], and executes the session's effects. The other threads are the
//! reader of standard input (a read cannot be canceled), one for each running job, and the pool. No
//! other part of the program writes to standard output.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod jobs;
mod leaving;
mod log;
mod screen;
mod session_thread;
mod signals;
mod stdin;
mod stdout;

pub use screen::{Key, Keys, Screen, Wish};
pub use session_thread::{RequestHandle, SessionRequest, SessionThread};
pub use stdout::{
    STATUS_USAGE, complain, print, print_error_record, print_in_json, print_record,
    prints_to_terminal, talks_to_terminal,
};

use jobs::Jobs;
use leaving::Leaving;
use log::Log;
use signals::{Signal, Signals};
use std::collections::VecDeque;
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use stdin::Line;
use stdout::Stdout;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep_until};
use umbrail_control::print_error;
use umbrail_protocol::{Dialect, ProgressLine, ProtocolChoice, tidy};
use umbrail_session::castling_note::castling_note;
use umbrail_session::message::Kind;
use umbrail_session::{Command, Domain, Effect, Event, Session};

/// Sampling interval of the progress counters.
const PULSE: Duration = Duration::from_millis(250);
/// Exit status when a job was stopped, or when the output is no longer read.
const STATUS_STOPPED: u8 = 3;
/// Exit status when the system refuses threads or files without which the program cannot work.
pub const STATUS_SYSTEM: u8 = 71;

/// Purpose of this process.
pub enum RunMode {
    /// A conversation over standard input.
    Conversation {
        /// Initial dialect.
        dialect: Box<dyn Dialect>,
        /// What may change the dialect; none when it is given.
        choice: Option<ProtocolChoice>,
    },
    /// These commands, one after another; standard input is not read.
    Tasks {
        /// Commands to execute.
        commands: Vec<Command>,
        /// Format of the output.
        dialect: Box<dyn Dialect>,
        /// Screen that shows the progress.
        screen: Option<Box<dyn Screen>>,
    },
}

/// Runs until `quit`, or until all work is done; returns the exit status.
pub fn run(session: Session, purpose: RunMode) -> u8 {
    if !stdout::stdout_is_open() {
        return STATUS_STOPPED;
    }
    let runtime = signals::files_suffice()
        .and_then(|()| tokio::runtime::Builder::new_current_thread().enable_all().build());
    match runtime {
        Ok(runtime) => runtime.block_on(Server::new(session, purpose).live()),
        Err(error) => {
            print_error!("umbrail: cannot start: {error}");
            STATUS_SYSTEM
        }
    }
}

struct Server {
    session: Session,
    dialect: Box<dyn Dialect>,
    /// Dialect changes that are still possible.
    choice: Option<ProtocolChoice>,
    /// Remaining commands of the command line; `None` in a conversation.
    tasks: Option<VecDeque<Command>>,
    stdout: Stdout,
    jobs: Jobs,
    reports: mpsc::UnboundedReceiver<jobs::Reported>,
    log: Log,
    /// Fault of the log file that the options at the start name, until a line shows which dialect
    /// reports it.
    log_fault: Option<String>,
    interrupted: bool,
    /// Deadline of a job that a signal stopped; the process then ends without it.
    stops_by: Option<tokio::time::Instant>,
    /// Time since which the process waits for a job that saves its work.
    saves_since: Option<tokio::time::Instant>,
    leaving: Option<Leaving>,
    screen: Option<Box<dyn Screen>>,
    /// Progress on standard error.
    progress: ProgressLine,
    keys: mpsc::UnboundedReceiver<Key>,
    /// All work is done, and the screen stays open until this time; with the exit status.
    staying: Option<(tokio::time::Instant, u8)>,
}

impl Server {
    fn new(session: Session, purpose: RunMode) -> Self {
        let (notify, reports) = mpsc::unbounded_channel();
        let (dialect, choice, tasks, mut screen) = match purpose {
            RunMode::Conversation { dialect, choice } => (dialect, choice, None, None),
            RunMode::Tasks { commands, dialect, screen } => {
                (dialect, None, Some(VecDeque::from(commands)), screen)
            }
        };
        let (press, keys) = mpsc::unbounded_channel();
        let mut session = session;
        if let Some(screen) = &mut screen {
            session.want_snapshots();
            // A closed channel means that the process is ending: keys have no effect then.
            screen.listen(Box::new(move |key| {
                let _ = press.send(key);
            }));
        }
        let (log, log_fault) = Log::new(&session.options().log_file);
        let log_fault = log_fault.filter(|fault| {
            // Tasks report on standard error.
            tasks.as_ref().inspect(|_| print_error!("umbrail: {fault}")).is_none()
        });
        Self {
            session,
            dialect,
            choice,
            tasks,
            stdout: Stdout::default(),
            jobs: Jobs::new(notify),
            reports,
            log,
            log_fault,
            interrupted: false,
            stops_by: None,
            saves_since: None,
            leaving: None,
            screen,
            progress: ProgressLine::new(std::io::stderr().is_terminal()),
            keys,
            staying: None,
        }
    }

    async fn live(mut self) -> u8 {
        let mut signals = Signals::new(STATUS_STOPPED);
        if let Some(greeting) = self.dialect.greeting() {
            self.write(&greeting);
        }
        let effects = self.session.begin(Instant::now());
        self.perform(effects);
        let mut lines = match self.tasks {
            None => match stdin::lines() {
                Ok(lines) => Some(lines),
                Err(error) => {
                    print_error!("umbrail: cannot read standard input: no thread: {error}");
                    return STATUS_SYSTEM;
                }
            },
            Some(_) => None,
        };
        let mut pulse = interval(PULSE);
        pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            self.next_task();
            // Output waits while a screen has the terminal.
            if !self.is_covered() && self.stdout.flush().is_err() {
                return STATUS_STOPPED;
            }
            if self.leaving.is_some() {
                self.uncover();
            }
            if let Some(Leaving { status, .. }) = &self.leaving
                && !self.jobs.is_running()
            {
                return *status;
            }
            let deadline = self.leaving.as_ref().map(|leaving| leaving.at);
            let listening = deadline.is_none();
            let staying = self.staying.map(|(until, _)| until);
            signals.ignore_interrupts(self.dialect.ignores_interrupts());
            let stops_by = self.stops_by.filter(|_| self.session.is_busy());
            tokio::select! {
                biased;
                () = sleep_until(deadline.unwrap_or_else(tokio::time::Instant::now)), if !listening => {
                    if self.awaits_saving() {
                        continue;
                    }
                    return self.leaving.map_or(0, |leaving| leaving.status);
                }
                signal = signals.next(), if listening => self.signal(signal),
                () = sleep_until(stops_by.unwrap_or_else(tokio::time::Instant::now)),
                    if listening && stops_by.is_some() =>
                {
                    if self.awaits_saving() {
                        continue;
                    }
                    self.stops_by = None;
                    self.stop_or_leave(Command::Exit);
                }
                Some(key) = self.keys.recv(), if listening && self.screen.is_some() => self.key(key),
                () = sleep_until(staying.unwrap_or_else(tokio::time::Instant::now)),
                    if listening && staying.is_some() => self.go(),
                line = next_line(&mut lines),
                    if listening && lines.is_some() && !self.session.is_full() =>
                {
                    if line.is_none() {
                        // Input ends once, even when the session still has work to finish.
                        lines = None;
                    }
                    self.line(line);
                }
                Some(reported) = self.reports.recv() => {
                    self.jobs.note(&reported.report);
                    let effects = self.session.report(reported.id, reported.report, Instant::now());
                    self.perform(effects);
                }
                _ = pulse.tick(), if listening && self.session.is_busy() => {
                    let effects = self.session.pulse();
                    self.perform(effects);
                }
            }
        }
    }

    /// Starts the next task of the command line when the previous one is done.
    fn next_task(&mut self) {
        while !self.session.is_busy() && self.leaving.is_none() {
            let Some(tasks) = &mut self.tasks else { return };
            match tasks.pop_front() {
                Some(command) if self.session.exit_status() == 0 => {
                    let effects = self.session.command(command, Instant::now());
                    self.perform(effects);
                }
                _ => return self.finish(),
            }
        }
    }

    /// Ends the time that the screen stays open.
    fn go(&mut self) {
        if let Some((_, status)) = self.staying.take() {
            self.uncover();
            self.leave(status);
        }
    }

    /// Returns true if a screen has the terminal.
    fn is_covered(&self) -> bool {
        self.screen.as_ref().is_some_and(|screen| screen.is_open())
    }

    fn uncover(&mut self) {
        if let Some(screen) = &mut self.screen {
            screen.close();
        }
    }

    /// Handles a key pressed on the screen.
    fn key(&mut self, key: Key) {
        let wish = self.screen.as_mut().map_or(Wish::Nothing, |screen| screen.press(key));
        match wish {
            Wish::Nothing => {
                // A user who presses keys will also quit with a key.
                if let (Some(screen), Some((until, _))) = (&self.screen, &mut self.staying) {
                    *until = tokio::time::Instant::now() + screen.stays();
                }
            }
            Wish::Skip => {
                let effects = self.session.command(Command::Skip(Domain::Spg), Instant::now());
                self.perform(effects);
            }
            Wish::Leave if self.staying.is_some() => self.go(),
            Wish::Leave => self.signal(Signal::Interrupt),
        }
    }

    /// Handles a received line; `None` is the end of input.
    fn line(&mut self, line: Option<Line>) {
        let Some(Line { text, at }) = line else {
            let effects = self.session.command(Command::End, Instant::now());
            return self.perform(effects);
        };
        let text = tidy(&text);
        self.log.received(text);
        if let Some(choice) = self.choice.as_mut().filter(|_| !self.dialect.is_amid_command())
            && let Some(protocol) = choice.select(text)
        {
            self.dialect = (protocol.dialect)(self.session.modules());
        }
        match self.dialect.parse(text) {
            Ok(commands) => {
                if let Some(choice) = &mut self.choice {
                    choice.note(&commands);
                }
                for command in commands {
                    let effects = self.session.command(command, at);
                    self.perform(effects);
                }
            }
            Err(why) => {
                let mut printed = String::new();
                self.dialect.complain(text, &why, &mut printed);
                self.write(&printed);
            }
        }
        if let Some(fault) = self.log_fault.take() {
            self.perform(vec![Effect::Write(Event::Trouble(fault))]);
        }
    }

    fn write(&mut self, printed: &str) {
        self.log.printed(printed);
        self.stdout.push(printed);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Write(Event::Snapshot(snapshot)) => {
                    if let Some(screen) = &mut self.screen {
                        screen.show(*snapshot);
                    }
                }
                // A message that the screen has shown is not written afterwards.
                Effect::Write(Event::Message(message))
                    if message.kind == Kind::Progress
                        && message.page.is_empty()
                        && self.is_covered() => {}
                Effect::Write(event) => {
                    let mut printed = String::new();
                    self.dialect.write(&event, &mut printed);
                    self.write(&printed);
                    self.complain_aside(&event);
                }
                Effect::Start(start) => self.jobs.start(*start),
                Effect::LogTo(file) => {
                    if let Err(fault) = self.log.write_to(file.as_deref()) {
                        self.perform(vec![Effect::Write(Event::Trouble(fault.to_string()))]);
                    }
                }
                Effect::Quit(status) => self.leave(status),
            }
        }
    }

    /// Reports errors on standard error for a subcommand whose output goes to a file or a script.
    /// Notes on its method never appear among the answers.
    fn complain_aside(&mut self, event: &Event) {
        if self.tasks.is_none() {
            return;
        }
        match event {
            Event::Note(text) => print_error!("umbrail: {text}"),
            Event::CastlingDropped(dropped) => print_error!("umbrail: {}", castling_note(*dropped)),
            _ => {}
        }
        if let Event::Message(message) = event {
            let note = match message.kind {
                Kind::Note => message.text.clone(),
                _ => self.progress.line(message),
            };
            if let Some(note) = note {
                print_error!("umbrail: {} {note}", message.domain.word());
            }
        }
        if std::io::stdout().is_terminal() && !self.dialect.reports_aside() {
            return;
        }
        match event {
            Event::Trouble(text) => print_error!("umbrail: {text}"),
            Event::OptionRefused { error, .. } => print_error!("umbrail: {error}"),
            Event::Message(message) if message.kind == Kind::Error => {
                let text = message.text.as_deref().unwrap_or("failed");
                print_error!("umbrail: {text}");
            }
            _ => {}
        }
    }
}

async fn next_line(lines: &mut Option<mpsc::Receiver<Line>>) -> Option<Line> {
    match lines {
        Some(lines) => lines.recv().await,
        None => None,
    }
}

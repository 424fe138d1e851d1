//! The queue of received commands that cannot run yet, and the rule that decides which commands
//! wait. A GUI that sends `stop`, `position`, `go` in one write, and a script that pipes a whole
//! session, get every answer in order.
//!
//! - *Immediate* commands never wait: `stop`, XBoard's `?` and `quit`, a signal, `skip`, and
//!   `isready` (except after perft and bench, and for files while nothing runs).
//! - A command that *starts work* (`go`, `perft`, `bench`, a domain command) waits while a bounded
//!   or stopped job runs. After unbounded work that was not stopped (`go infinite`, `go ponder`,
//!   analysis) it is refused, because it would wait forever.
//! - A move of the user, XBoard's `go` and `playother` wait while the engine owes a move.
//! - `force`, `new`, `result`, `setboard` and other commands that *end the search* of a game cancel
//!   the move that the engine owes, as soon as they arrive. They run before the tasks that wait for
//!   the end of that search.
//! - Perft and bench delay everything that is not immediate, as in Stockfish.
//! - A command that needs a file named by an option waits while the file is opened (`opening.rs`).
//! - In EGTgen's dialogue every command about the board waits while the table is built.
//! - After a waiting command, everything that is not immediate waits too, so the order is kept.
//! - `quit` takes its place in the queue and then ends a search or a domain command; it waits for
//!   perft and bench. A second `quit` does not wait.
//! - End of input waits until all bounded work is done, and ends unbounded work at once. A move
//!   that is due in an XBoard game is made at once, because the GUI has gone.
//!
//! `stop` ends the running job and every waiting command: each of them still starts, is stopped at
//! once and gives its one answer.

use super::Session;
use super::command::{Command, Play};
use super::opening::FileNeed;
use super::running_job::{JobKind, RunningJob};
use std::collections::VecDeque;
use std::time::Instant;

/// Maximum number of waiting commands. At this limit the server stops reading lines, to bound
/// memory.
const WAITING_MAX: usize = 4096;

/// Waiting commands, in the order they were received.
#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
}

/// One waiting command.
struct Waiting {
    command: Command,
    /// Start of the command's clock; `None`: when the command starts.
    clock_from: Option<Instant>,
    /// `stop` was received after the command.
    stopped: bool,
}

impl Queue {
    /// Marks all waiting work as stopped: each command is stopped as soon as it starts.
    pub(super) fn stop(&mut self) {
        for waiting in &mut self.waiting {
            waiting.stopped = true;
        }
    }

    /// Drops the waiting commands, except requests to quit.
    pub(super) fn keep_leaving(&mut self) {
        self.waiting.retain(|waiting| matches!(waiting.command, Command::Quit | Command::End));
    }

    /// Appends a command. One that ends the search of a game is put before the tasks that wait for
    /// the end of that search, but behind all commands of the game.
    fn append(&mut self, waiting: Waiting, ends_search: bool) {
        let is_passed = |other: &Waiting| {
            matches!(other.command, Command::Task(_) | Command::Perft(_) | Command::Bench(_))
        };
        let kept = self.waiting.iter().rposition(|other| !is_passed(other));
        let behind_game = kept.map_or(0, |index| index + 1);
        let index = if ends_search { behind_game } else { self.waiting.len() };
        self.waiting.insert(index, waiting);
    }

    /// Returns true if a waiting command ends the search of a game.
    fn holds_end_of_search(&self) -> bool {
        self.waiting.iter().any(|waiting| ends_search(&waiting.command))
    }

    fn holds_quit(&self) -> bool {
        self.waiting.iter().any(|waiting| waiting.command == Command::Quit)
    }

    fn holds_counting(&self) -> bool {
        let counts = |command: &Command| matches!(command, Command::Perft(_) | Command::Bench(_));
        self.waiting.iter().any(|waiting| counts(&waiting.command))
    }

    /// Returns true if a command runs before those that wait.
    fn lets_pass(&self, command: &Command) -> bool {
        match command {
            Command::Stop | Command::Exit | Command::Skip(_) | Command::Play(Play::MoveNow) => true,
            Command::Ready => !self.holds_counting(),
            _ => self.waiting.is_empty(),
        }
    }

    fn holds_unstopped_work(&self) -> bool {
        self.waiting.iter().any(|waiting| !waiting.stopped && starts_work(&waiting.command))
    }
}

/// Returns true if a command may start a job that others wait for.
fn starts_work(command: &Command) -> bool {
    use Play::{Analyze, Go, Move, Other};
    match command {
        Command::Go(_) | Command::Perft(_) | Command::Bench(_) | Command::Task(_) => true,
        Command::Play(play) => matches!(play, Move(_) | Go | Other | Analyze),
        _ => false,
    }
}

/// Returns true for a command of XBoard that ends the search of a game: the move is not played.
fn ends_search(command: &Command) -> bool {
    use Play::{Analyze, Edit, Force, Leave, New, Remove, Result, Setup, Undo};
    let Command::Play(play) = command else { return false };
    matches!(play, Force | New | Result | Setup(_) | Edit(_) | Undo | Remove | Analyze | Leave)
}

impl Session {
    /// Runs a command, or appends it to the queue; then runs the commands that need not wait any
    /// longer.
    pub(super) fn take_turn(&mut self, command: Command, at: Instant) {
        let need = self.file_need(&command);
        self.open_for(need);
        let must_wait = self.files.holds_back(need) || self.must_wait(&command);
        if must_wait || !self.queue.lets_pass(&command) {
            self.defer(command, at);
        } else {
            self.execute(command, at);
        }
        self.run_waiting();
    }

    /// Returns the files that a command requires now. `isready` waits for them unless a job runs, so that no clock of a
    /// game pays for them.
    fn file_need(&self, command: &Command) -> FileNeed {
        match command {
            Command::Ready if self.running.is_none() => FileNeed::All,
            _ => FileNeed::of(command),
        }
    }

    fn defer(&mut self, command: Command, at: Instant) {
        match command {
            Command::Quit if self.queue.holds_quit() => return self.leave(),
            Command::End if self.queue.holds_quit() => return,
            _ => {}
        }
        // After stopped work the GUI waits for the answer, and the clock of the game runs (a ponder
        // miss). After work that was not stopped (a script) the time starts with the work.
        let runs = self.running.as_ref().is_some_and(|running| !running.cancel.is_raised());
        let behind_stopped_work = !runs && !self.queue.holds_unstopped_work();
        let keeps_moment = behind_stopped_work || command == Command::PonderHit;
        let clock_from = keeps_moment.then_some(at);
        let overtakes = ends_search(&command) && self.searches_for_game();
        self.queue.append(Waiting { command, clock_from, stopped: false }, overtakes);
    }

    /// Runs the waiting commands, up to the first that still has to wait.
    pub(super) fn run_waiting(&mut self) {
        while let Some(next) = self.queue.waiting.front() {
            let need = self.file_need(&next.command);
            self.open_for(need);
            if self.queue.holds_end_of_search() {
                self.cancel_move();
            }
            let Some(next) = self.queue.waiting.front() else { return };
            if self.files.holds_back(need) || self.must_wait(&next.command) {
                return;
            }
            let Some(next) = self.queue.waiting.pop_front() else { return };
            let jobs = self.jobs;
            self.execute(next.command, next.clock_from.unwrap_or(self.now));
            if next.stopped && self.jobs != jobs {
                self.stop_work();
            }
        }
    }

    /// Returns true if the running job prevents this command from running.
    fn must_wait(&self, command: &Command) -> bool {
        let Some(running) = &self.running else { return false };
        let is_building = running.is_building();
        match command {
            Command::Stop | Command::Exit | Command::Skip(_) | Command::Play(Play::MoveNow) => {
                false
            }
            _ if running.is_counting() => true,
            Command::Play(_) | Command::Go(_) | Command::Quit | Command::End
                if self.options.tables.dialogue && is_building =>
            {
                true
            }
            Command::Go(_) | Command::Perft(_) | Command::Bench(_) | Command::Task(_) => {
                !self.is_unbounded(running)
            }
            Command::Play(Play::Move(_) | Play::Go | Play::Other)
                if matches!(running.kind, JobKind::Reply) =>
            {
                true
            }
            // With a solver they are domain commands.
            Command::Play(Play::Go | Play::Analyze) if self.options.solver.is_some() => {
                matches!(running.kind, JobKind::Task { .. })
            }
            Command::End => match running.kind {
                JobKind::Reply => running.cancel.is_raised(),
                JobKind::Build => !self.is_unbounded(running) && self.table_owes(),
                _ => !self.is_unbounded(running),
            },
            _ => false,
        }
    }

    /// Returns true if the engine searches for a game, or owes a move after the running work.
    fn searches_for_game(&self) -> bool {
        self.partner.owes_move || self.running.as_ref().is_some_and(RunningJob::is_abandonable)
    }

    /// Drops the search for a game, and the move that is due after the running work.
    fn cancel_move(&mut self) {
        self.partner.owes_move = false;
        if self.running.as_ref().is_some_and(RunningJob::is_abandonable) {
            self.abandon();
        }
    }

    /// Returns true if the job would run until `stop`.
    fn is_unbounded(&self, running: &RunningJob) -> bool {
        let waiting_go = self.table_player.waiting_go().filter(|_| running.is_building());
        let endless_go = waiting_go.is_some_and(|go| go.ponder || !go.is_limited());
        !running.cancel.is_raised() && (running.is_unbounded() || endless_go)
    }

    /// Returns true when no further line should be read: too many commands wait.
    pub fn is_full(&self) -> bool {
        self.queue.waiting.len() >= WAITING_MAX
    }

    /// Handles end of input when no bounded work runs.
    pub(super) fn end_of_input(&mut self) {
        match &self.running {
            Some(running) if matches!(running.kind, JobKind::Reply) => {
                running.cancel.raise();
                let waiting = Waiting { command: Command::End, clock_from: None, stopped: false };
                self.queue.waiting.push_front(waiting);
            }
            _ => self.leave(),
        }
    }

    /// Quits: stops the running job and drops the queue.
    pub(super) fn leave(&mut self) {
        self.queue.waiting.clear();
        self.partner.owes_move = false;
        self.stop_work();
        self.stop_opening();
        self.abandon();
        self.effects.push(super::Effect::Quit(self.table_exit()));
    }
}

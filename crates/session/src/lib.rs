//! The session: a state machine that turns commands into effects.
//!
//! The [`Session`] performs no input or output, starts no thread and reads no clock: the moment of
//! each command and report is an argument (`tests/session_is_pure.rs` checks that). The jobs that it
//! starts are searches ([`job`]) and the tasks of the solver modules (crate `umbrail-tasks`). The
//! server runs the jobs and prints the events.
//!
//! - A [`Command`] is a request of a user, an [`Event`] a reply, an [`Effect`] a request to the
//!   server.
//! - [`Options`] are declared once, in [`options::specs`].
//! - A [`Job`] is a search, a task or other long work. One runs at a time and answers once: *stop*
//!   changes when it answers, not whether.
//! - The [`GameState`] holds the position and the state that outlives games.
//! - A [`SolverModule`] is a domain beside the search: tables, proof games, stenos. The caller passes
//!   the modules in.
//! - A command that cannot run yet waits in one queue; `queue.rs` states the rule.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod analyst;
pub mod build_progress;
pub mod castling_note;
pub mod command;
pub mod domain;
pub mod effect;
mod engine_memory;
mod evaluation;
pub mod event;
pub mod examples;
pub mod game_state;
pub mod help;
pub mod job;
pub mod job_context;
pub mod memory_size;
pub mod message;
pub mod module;
mod module_store;
mod negotiation;
pub mod opened_files;
mod opening;
pub mod options;
mod partner;
pub mod piece_file;
mod play;
mod queue;
mod record_fields;
mod reports;
mod running_job;
pub mod sample;
mod search_progress;
mod show;
pub mod snapshot;
pub mod status;
mod table_player;
pub mod table_store;
pub mod task_error;
pub mod task_records;
mod tasks;
mod thinking;

pub use command::{Base, BenchRequest, Command, Diagram, Edit, Go, Play, Show};
pub use domain::{Domain, Task};
pub use effect::{Effect, Start};
pub use event::Event;
pub use game_state::GameState;
pub use job::{Answer, Job, Report};
pub use job_context::{JobContext, JobId, JobReport};
pub use message::{Message, Value};
pub use module::{Context, Prepared, SolverModule, Work};
pub use options::{OptionError, Options, TableOptions, specs};
pub use record_fields::RecordFields;
pub use status::Status;
pub use task_error::TaskError;

/// Types in events, for the dialects.
pub use umbrail_chess::{Move, Position};
pub use umbrail_control::BuildFacts;
pub use umbrail_search::{Bound, PvLine, Score};
pub use umbrail_tables::fairy::Piece;

use game_state::Unusable;
pub use module_store::ModuleStore;
use opening::OpenFiles;
use options::{Button, Change};
use partner::Partner;
use queue::Queue;
use reports::internal_error;
use running_job::RunningJob;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use umbrail_chess::CastlingMode;

/// One conversation.
pub struct Session {
    options: Options,
    /// Options at the start of the conversation, offered as defaults.
    baseline: Options,
    modules: &'static [SolverModule],
    /// Moment of the current command or report.
    now: Instant,
    game: GameState,
    /// State that modules keep between tasks.
    store: ModuleStore,
    partner: Partner,
    table_player: table_player::TablePlayer,
    /// State that searches share.
    engine: Arc<umbrail_search::Engine>,
    /// The engine's memory must be cleared before its next use.
    forget: bool,
    /// Longest time that the engine's clock has shown in this game.
    longest_clock: std::time::Duration,
    running: Option<RunningJob>,
    /// Files that options name.
    files: OpenFiles,
    /// Commands that wait for the running job.
    queue: Queue,
    /// A viewer follows every sample of a search.
    sampled: bool,
    /// A screen shows snapshots of long tasks.
    watched: bool,
    /// Each job is announced with its request.
    debug: bool,
    jobs: u64,
    pulses: u64,
    exit: u8,
    effects: Vec<Effect>,
}

impl Session {
    /// Creates a conversation with these options and modules, at this moment.
    pub fn new(options: Options, modules: &'static [SolverModule], at: Instant) -> Self {
        let mut game = GameState::default();
        game.set_option(CastlingMode::of(options.chess960));
        Self {
            baseline: options.clone(),
            // The requested memory is allocated at the first search; many conversations never
            // search.
            engine: Arc::new(umbrail_search::Engine::new(1)),
            options,
            modules,
            now: at,
            game,
            store: ModuleStore::default(),
            partner: Partner::default(),
            table_player: table_player::TablePlayer::default(),
            forget: false,
            longest_clock: std::time::Duration::ZERO,
            running: None,
            files: OpenFiles::default(),
            queue: Queue::default(),
            watched: false,
            debug: false,
            jobs: 0,
            pulses: 0,
            sampled: false,
            exit: 0,
            effects: vec![],
        }
    }

    /// Reports samples of searches four times a second from now on, in place of once a second
    /// ([`Event::Pulse`]).
    pub fn want_samples(&mut self) {
        self.sampled = true;
    }

    /// Reports snapshots of tasks to a screen from now on ([`Event::Snapshot`]).
    pub fn want_snapshots(&mut self) {
        self.watched = true;
    }

    /// Takes a command that was received at this moment.
    pub fn command(&mut self, command: Command, at: Instant) -> Vec<Effect> {
        self.now = at;
        self.take_turn(command, at);
        std::mem::take(&mut self.effects)
    }

    /// Executes a command. Its clock runs from the given moment.
    fn execute(&mut self, command: Command, at: Instant) {
        match command {
            Command::Identify => {
                let offers = show::offered(&self.options, &self.baseline);
                self.write(Event::Identity(offers));
            }
            Command::Ready => {
                self.prepare_memory();
                self.open_files();
                self.write(Event::Ready);
            }
            Command::Debug(on) => self.debug = on,
            Command::SetOption { name, value } => self.set_option(name, value),
            Command::NewGame => {
                self.forget_game();
                self.open_files();
            }
            Command::Position { base, moves } => self.put_position(base, &moves),
            Command::Go(go) => self.go(&go, at),
            Command::Perft(depth) => self.perft(depth, at),
            Command::Bench(wish) => self.bench(wish, at),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(at),
            Command::Show(show) => self.show(show),
            Command::Flip => self.flip(),
            Command::Play(play) => self.play(play, at),
            Command::Task(task) => self.task(&task, at),
            Command::Skip(domain) => self.skip(domain),
            Command::End => self.end_of_input(),
            Command::Quit | Command::Exit => self.leave(),
        }
    }

    /// Takes a report of a job that was received at this moment. Reports of an abandoned job are
    /// dropped.
    pub fn report(&mut self, id: JobId, report: Report, at: Instant) -> Vec<Effect> {
        self.now = at;
        let Some(report) = self.opening_report(id, report) else {
            self.run_waiting();
            return std::mem::take(&mut self.effects);
        };
        if self.running.as_ref().is_some_and(|running| running.id == id) {
            match report {
                Report::Progress(fact) => self.fact(fact),
                Report::Answer(answer) => self.answer(answer),
                Report::Failed(what) => self.failed(internal_error(&what), Status::Internal),
                Report::Unstarted(why) => self.failed(why, Status::Refused),
            }
            self.run_waiting();
        }
        std::mem::take(&mut self.effects)
    }

    /// Reports progress; called four times a second while a job runs.
    pub fn pulse(&mut self) -> Vec<Effect> {
        self.pulses += 1;
        self.pulse_opening();
        if self.table_player.pulse() {
            self.flush_pings();
        }
        if let Some(running) = &self.running {
            let event = running.pulse(self.pulses, self.sampled);
            self.effects.extend(event.map(Effect::Write));
        }
        std::mem::take(&mut self.effects)
    }

    /// Returns true while a job runs or an answer is withheld.
    pub fn is_busy(&self) -> bool {
        self.running.is_some() || self.files.is_opening()
    }

    /// Returns the exit status of a subcommand after this conversation so far.
    pub fn exit_status(&self) -> u8 {
        self.exit
    }

    /// Resets the exit status: it depends only on later work.
    pub fn forget_exit_status(&mut self) {
        self.exit = 0;
    }

    /// Returns the current options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the modules of this conversation.
    pub fn modules(&self) -> &'static [SolverModule] {
        self.modules
    }

    fn write(&mut self, event: Event) {
        self.effects.push(Effect::Write(event));
    }

    /// Reports an input that cannot be used, and changes the exit status.
    fn refuse(&mut self, why: impl ToString) {
        self.exit = Status::Refused.exit();
        self.write(Event::Trouble(why.to_string()));
    }

    /// Reports a move that cannot be played.
    fn illegal(&mut self, given: String, why: impl ToString) {
        self.write(Event::Illegal { given, why: why.to_string() });
    }

    /// Clears what was learned in the last game.
    fn forget_game(&mut self) {
        self.forget = true;
        self.longest_clock = std::time::Duration::ZERO;
        if !self.options.opponent.is_empty() {
            tracing::info!(opponent = self.options.opponent, "a new game");
        }
    }

    fn set_option(&mut self, name: String, value: Option<String>) {
        let log_file = self.options.log_file.clone();
        match self.options.set(&name, value.as_deref()) {
            Ok(Change::Stored) => {}
            Ok(Change::Pressed(Button::ClearHash)) => self.forget = true,
            Err(error) => {
                self.exit = Status::Refused.exit();
                self.write(Event::OptionRefused { name, value, error });
                return;
            }
        }
        self.game.set_option(CastlingMode::of(self.options.chess960));
        self.report_dropped_castling();
        if self.options.log_file != log_file {
            let path = &self.options.log_file;
            let file = (!path.is_empty()).then(|| PathBuf::from(path));
            self.effects.push(Effect::LogTo(file));
        }
        if !self.options.ponder {
            self.stop_pondering();
        }
    }

    fn put_position(&mut self, base: Base, moves: &[String]) {
        self.follow_variant_option();
        let keeps = matches!(base, Base::GameState) && self.game_fen().is_some();
        let unusable = match base {
            Base::Start => {
                self.game.new_game();
                None
            }
            Base::Setup(diagram) => self.put_diagram(diagram).err(),
            Base::GameState => None,
        };
        self.report_dropped_castling();
        if !keeps {
            self.table_board_changed();
        }
        if self.at_tables() && !self.table_explain() {
            if let Err((index, why)) = self.table_moves(moves) {
                let text = &moves[index];
                self.refuse(format_args!("illegal move {text} ({why}) is ignored"));
            }
            return;
        }
        if let Some(why) = unusable {
            return self.refuse(format_args!("illegal position: {why}"));
        }
        for (index, text) in moves.iter().enumerate() {
            match self.game.read_move(text) {
                Ok(mv) => self.game.play(mv),
                Err(why) => {
                    let count = moves.len() - index;
                    let rest = if count > 1 { ", and what follows it" } else { "" };
                    return self
                        .refuse(format_args!("illegal move {text} ({why}) is ignored{rest}"));
                }
            }
        }
    }

    /// Sets up a diagram on the board of chess, and gives its text to the games of other boards.
    fn put_diagram(&mut self, diagram: Diagram) -> Result<(), Unusable> {
        self.table_diagram(diagram.text);
        match diagram.setup {
            Ok(setup) => self.game.put(setup),
            Err(error) => Err(self.game.put_unreadable(&error)),
        }
    }

    fn flip(&mut self) {
        let mut flipped = umbrail_chess::geometry::Setup::default();
        let setup = self.game.setup();
        for (square, color, letter) in setup.pieces() {
            flipped.put(square.flip_rank(), !color, letter);
        }
        flipped.turn = !setup.turn;
        let swap = |c: char| {
            if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        flipped.castling = setup.castling.chars().map(swap).collect();
        flipped.en_passant = setup.en_passant.map(umbrail_chess::geometry::Square::flip_rank);
        (flipped.halfmoves, flipped.fullmoves) = (setup.halfmoves, setup.fullmoves);
        if let Err(why) = self.game.put(flipped) {
            self.refuse(format_args!("illegal position: {why}"));
        }
    }

    /// Reports castling rights that the current position was given but cannot have, once for each
    /// diagram.
    fn report_dropped_castling(&mut self) {
        if let Some(dropped) = self.game.take_dropped_castling() {
            self.write(Event::CastlingDropped(dropped));
        }
    }
}

#[cfg(test)]
mod tests;

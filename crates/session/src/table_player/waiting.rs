//! The table that a game waits for: its background build, and the requests answered after it.

use super::board::TableBoard;
use super::variant::Variant;
use super::{PATIENCE_PULSES, ROWS_MAX, TablePlayer};
use crate::build_progress::{BuildProgress, BuildRow};
use crate::command::Go;
use crate::domain::Domain;
use crate::event::{Event, FromTable};
use crate::job::Job;
use crate::message::Completion;
use crate::module::Steps;
use crate::partner::Mode;
use crate::piece_file::PieceFile;
use crate::running_job::JobKind;
use crate::status::Status;
use crate::table_store::{GameRequest, TableCache, TableConfig, TableRequest, covers};
use crate::{Session, TableOptions, TaskError, Work};
use std::time::{Duration, Instant};
use umbrail_control::Clock;
use umbrail_tables::game::GameMaterial;
use umbrail_tables::{Material, Tablebase};

/// State of the build of a table for the game.
#[derive(Default)]
pub(super) enum Build {
    /// No table is built.
    #[default]
    Idle,
    /// The builder works.
    Running {
        /// Endgame; `None` when the options have changed meanwhile, so that a failure does not
        /// concern it.
        endgame: Option<String>,
        /// The table can be probed; statistics are still counted.
        ready: bool,
    },
    /// This endgame could not be built under the current options.
    Failed(String),
}

/// Endgame whose table is needed.
pub(super) enum Wanted {
    /// On the board of chess.
    Chess(Material),
    /// Of the game that is the variant.
    Game(GameMaterial),
}

impl Wanted {
    fn name(&self) -> String {
        match self {
            Self::Chess(material) => material.to_string(),
            Self::Game(material) => material.to_string(),
        }
    }
}

/// Request that is answered when the table is ready.
pub(super) enum Waiter {
    /// A search of UCI.
    Go(Go),
    /// EGTgen's list of moves.
    Listing,
    /// A hint.
    Hint,
}

impl TablePlayer {
    pub(super) fn wait(&mut self, waiter: Waiter) {
        self.waiting.retain(|other| !other.is_like(&waiter));
        self.waiting.push(waiter);
    }

    /// Removes a waiting request of this kind; returns false if there was none.
    pub(super) fn take(&mut self, waiter: &Waiter) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|other| !other.is_like(waiter));
        self.waiting.len() < before
    }

    pub(super) fn take_go(&mut self) -> Option<Go> {
        let at = self.waiting.iter().position(|waiter| matches!(waiter, Waiter::Go(_)))?;
        match self.waiting.swap_remove(at) {
            Waiter::Go(go) => Some(go),
            Waiter::Listing | Waiter::Hint => None,
        }
    }

    /// Returns the `go` that waits for the table.
    pub(crate) fn waiting_go(&self) -> Option<&Go> {
        self.waiting.iter().find_map(|waiter| match waiter {
            Waiter::Go(go) => Some(go),
            Waiter::Listing | Waiter::Hint => None,
        })
    }

    /// Ends the pondering of the waiting `go`.
    pub(crate) fn ponder_hit(&mut self) {
        for waiter in &mut self.waiting {
            if let Waiter::Go(go) = waiter {
                go.ponder = false;
            }
        }
    }

    /// Handles the start of a game, whose variant the GUI gives later.
    pub(crate) fn leave_variant(&mut self) {
        self.variant = Variant::Chess;
        self.diagram = None;
    }

    /// Forgets the build for another variant: its statistics, and that it failed.
    pub(super) fn forget_build(&mut self) {
        self.rows.clear();
        self.rows_given = 0;
        if matches!(self.build, Build::Failed(_)) {
            self.build = Build::Idle;
        }
    }

    /// Returns true if pings wait after a move or a hint that needs the table.
    pub(crate) fn holds_pings(&self, owes_move: bool) -> bool {
        let hint = self.waiting.iter().any(|waiter| matches!(waiter, Waiter::Hint));
        self.patience > 0 && (owes_move || hint)
    }

    /// Counts a pulse of a quarter of a second; returns true when pings do not wait any longer.
    pub(crate) fn pulse(&mut self) -> bool {
        let waited = self.patience > 0;
        self.patience = self.patience.saturating_sub(1);
        waited && self.patience == 0
    }

    pub(super) fn has_failed(&self, endgame: &str) -> bool {
        matches!(&self.build, Build::Failed(failed) if failed == endgame)
    }
}

impl Waiter {
    fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl Session {
    /// Starts the build of a table, unless a job runs or the table could not be built before.
    pub(super) fn start_build(&mut self, wanted: &Wanted, at: Instant) {
        let name = wanted.name();
        if self.running.is_some() || self.table_player.has_failed(&name) {
            return;
        }
        let work = match wanted {
            Wanted::Chess(material) => self.work_for_chess(material),
            Wanted::Game(material) => self.work_for_game(material),
        };
        let Some(work) = work else { return };
        self.table_player.rows.clear();
        self.table_player.rows_given = 0;
        self.table_player.build = Build::Running { endgame: Some(name), ready: false };
        let job = Job::Task { domain: Domain::Egt, verb: "build", steps: Steps::Work(work) };
        self.start(job, JobKind::Build, None, Clock::started(at), self.options.threads);
    }

    fn work_for_game(&mut self, material: &GameMaterial) -> Option<Work> {
        let build = self.modules.iter().find_map(|module| module.game_for_play)?;
        let Variant::Game(variant) = self.table_player.variant.clone() else { return None };
        let config = self.endgame_setup().ok()?.config.clone();
        let (game, material) = (variant.game().clone(), material.clone());
        Some(build(GameRequest { game, material, config, cache: self.store.get() }))
    }

    fn work_for_chess(&mut self, material: &Material) -> Option<Work> {
        let build = self.modules.iter().find_map(|module| module.table_for_play)?;
        let endgame_setup = self.endgame_setup().ok()?;
        // Seed positions belong to this endgame only.
        let options = &self.options.tables;
        let is_endgame = endgame_setup.endgame.as_ref() == Some(material);
        let unseeded = TableOptions { seed_file: String::new(), ..options.clone() };
        let config = match is_endgame {
            true => endgame_setup.config.clone(),
            false => TableConfig::new(&unseeded, endgame_setup.config.piece_set.clone()),
        };
        let cache = self.store.get::<TableCache>();
        let rep2 = options.rep2 && is_endgame;
        let board = self.table_player.game.last().and_then(TableBoard::chess).cloned();
        let path = Some(&options.piece_file).filter(|path| !path.is_empty());
        let name = material.to_string();
        let pieces = path.map(|path| PieceFile::reported(path, &config.piece_set, &name));
        let material = material.clone();
        Some(build(TableRequest { config, material, cache, board, rep2, pieces }))
    }

    /// Returns the endgame to build for a board: that of the options if it leads there.
    ///
    /// # Errors
    /// The reason why no table can have the board.
    pub(super) fn wanted(&mut self, board: &TableBoard) -> Result<Wanted, TaskError> {
        match (board, self.table_player.variant.clone()) {
            (TableBoard::Game(position), Variant::Game(game)) => {
                let endgame = &self.options.tables.endgame;
                game.wanted(position, endgame).map(Wanted::Game)
            }
            (TableBoard::Chess(board), _) => {
                let endgame = self.endgame_setup().ok().and_then(|setup| setup.endgame.clone());
                let endgame = endgame.filter(|endgame| covers(endgame, board));
                Ok(Wanted::Chess(endgame.unwrap_or_else(|| Tablebase::material_of(board))))
            }
            (TableBoard::Game(_), Variant::Chess | Variant::Fairy) => {
                Err("the board is of another game".into())
            }
        }
    }

    /// Returns true if an answer is due when the table is ready.
    pub(crate) fn table_owes(&self) -> bool {
        !self.table_player.waiting.is_empty() || self.partner.owes_move
    }

    /// Handles a report of the builder.
    pub(crate) fn table_progress(&mut self, progress: BuildProgress) {
        let row = match progress {
            BuildProgress::Ready => return self.table_ready(),
            BuildProgress::Row(row) => row,
        };
        let watched = self.partner.owes_move || self.partner.mode == Mode::Analysis;
        if watched || self.options.tables.dialogue {
            self.write_rows();
            self.write_row(&row);
            self.table_player.rows_given += 1;
        }
        if self.table_player.rows.len() < ROWS_MAX {
            self.table_player.rows.push(row);
        }
    }

    pub(crate) fn write_row(&mut self, row: &BuildRow) {
        let BuildRow { time, settled, text } = row.clone();
        self.write(Event::FromTable(FromTable::Row { time, nodes: settled.max(1), text }));
    }

    /// Reports, once, the statistics that a GUI did not show while the table was built.
    pub(crate) fn write_rows(&mut self) {
        let given = self.table_player.rows_given.min(self.table_player.rows.len());
        for row in self.table_player.rows.split_off(given) {
            self.write_row(&row);
            self.table_player.rows.push(row);
        }
        self.table_player.rows_given = self.table_player.rows.len();
    }

    /// Handles the end of the build.
    pub(crate) fn built(&mut self, completion: Completion) {
        let complete = completion.status == Status::Complete;
        let (endgame, was_ready) = match std::mem::take(&mut self.table_player.build) {
            Build::Running { endgame, ready } => (endgame, ready),
            Build::Idle | Build::Failed(_) => (None, false),
        };
        // Only the stopped `go` is answered without a table; the next one builds it.
        if !matches!(completion.status, Status::Complete | Status::Stopped) {
            self.table_player.fault.get_or_insert(completion.status);
            self.write_fault(completion.done.text.unwrap_or_default(), was_ready);
        }
        // A failure after the table is ready concerns its statistics.
        let complete = complete || was_ready;
        if !complete && let Some(endgame) = endgame {
            self.table_player.build = Build::Failed(endgame);
        }
        if !complete {
            self.partner.owes_move = false;
        }
        if let Some(go) = self.table_player.take_go() {
            let now = self.now;
            if complete {
                self.go(&go, now);
            } else {
                let quick = Go { depth: Some(1), infinite: false, ponder: false, ..go };
                self.go(&quick, now);
            }
        }
        if completion.status == Status::Stopped
            && matches!(self.table_player.build, Build::Failed(_))
        {
            self.table_player.build = Build::Idle;
        }
        self.answer_from_table();
        if self.table_player.take(&Waiter::Listing) && complete {
            self.table_answer(self.now);
        }
        if !complete && self.options.tables.dialogue {
            // Waiting requests to a missing table would only start the build again.
            self.queue.keep_leaving();
        }
        if complete && !was_ready {
            self.analyse_from_table();
        }
    }

    /// Reports why there is no table, or no statistics file. A player at a GUI does not need the
    /// file; the error appears where the statistics are shown.
    fn write_fault(&mut self, why: String, is_table_there: bool) {
        if !is_table_there || self.options.tables.dialogue {
            return self.refuse(why);
        }
        let row = BuildRow { time: Duration::ZERO, settled: 1, text: why };
        self.table_progress(BuildProgress::Row(row));
    }

    /// Returns the exit status of the conversation: that of the table named on the old command
    /// line.
    pub(crate) fn table_exit(&self) -> u8 {
        let fault = self.table_player.fault.filter(|_| self.options.tables.rep2);
        fault.unwrap_or(Status::Complete).exit()
    }

    /// Handles a ready table; the builder continues counting.
    pub(crate) fn table_ready(&mut self) {
        if let Build::Running { ready, .. } = &mut self.table_player.build {
            *ready = true;
        }
        self.answer_from_table();
        self.analyse_from_table();
    }

    /// Gives the hint, the move and the pongs that waited for the table.
    pub(crate) fn answer_from_table(&mut self) {
        self.table_player.patience = 0;
        if self.table_player.take(&Waiter::Hint) {
            self.table_hint();
        }
        self.catch_up();
        // The move may wait for another table.
        if self.table_player.patience == 0 {
            self.flush_pings();
        }
    }

    pub(crate) fn analyse_from_table(&mut self) {
        if self.at_tables() && self.partner.mode == Mode::Analysis {
            self.table_analyse(self.now);
        }
    }

    /// Starts the build of a table for a board that no table covers; the move follows when the
    /// table is ready.
    pub(super) fn wait_for_table(&mut self, board: &TableBoard, at: Instant) {
        let wanted = match self.wanted(board) {
            Ok(wanted) => wanted,
            Err(why) => {
                if !std::mem::replace(&mut self.partner.explained, true) {
                    self.refuse(format!("There is no table of this position: {why}"));
                }
                return;
            }
        };
        let name = wanted.name();
        if self.running.is_none() && self.table_player.has_failed(&name) {
            let why = format!("There is no table of {name}, and it could not be built.");
            return self.refuse(why);
        }
        if self.options.tables.endgame != name && self.table_player.missed != name {
            let text = format!("No table of {name} yet: building it.");
            self.write(Event::FromTable(FromTable::Notice(text)));
            self.table_player.missed.clone_from(&name);
        }
        if self.running.is_none() {
            self.start_build(&wanted, at);
        } else {
            self.write_rows();
        }
        self.partner.owes_move = self.partner.mode != Mode::Analysis;
        if self.partner.owes_move {
            self.table_player.patience = PATIENCE_PULSES;
        }
    }
}

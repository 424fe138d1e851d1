//! Playing from tables: games and analyses of positions that a table covers, fairy positions among
//! them. The table is built in the background, so that all other commands are answered meanwhile.
//!
//! Positions of orthodox chess stay with the game; only the move comes from the table. In other
//! variants, and where the pieces are not those of orthodox chess, this module keeps the game as
//! boards.

mod answer;
mod board;
mod claim;
mod dialogue;
mod lookup;
mod rules;
mod variant;
mod waiting;

use self::board::{TableBoard, TableMove};
use self::lookup::{Choice, Lookup};
use self::variant::Variant;
use self::waiting::{Build, Waiter, Wanted};
use super::build_progress::BuildRow;
use super::event::{Event, FromTable};
use super::game_state::IllegalMove;
use super::partner::Mode;
use super::running_job::RunningJob;
use super::status::Status;
use super::table_store::TableConfig;
use super::{Session, TableOptions, TaskError};
use std::sync::Arc;
use std::time::Instant;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_tables::Material;

/// Maximum length of a line of best play, in plies.
const SHOWN_PLIES: usize = 24;
/// Maximum number of rows of build statistics that are kept.
const ROWS_MAX: usize = 1000;
/// Maximum time that a ping after a due move or hint waits for the table, in quarters of a second.
const PATIENCE_PULSES: u32 = 8;
/// Minimum length of a reported line, in plies: xboard clears its window when a line is shorter.
const DEPTH_MIN: usize = 2;

/// State of playing from tables.
#[derive(Default)]
pub(super) struct TablePlayer {
    variant: Variant,
    /// Text of the diagram that was set up last, until it is read as a board of another game.
    diagram: Option<String>,
    /// Boards of the game, the current one last; empty when no board can be played.
    game: Vec<TableBoard>,
    /// The castling rights of the position were guessed from the squares of kings and rooks.
    guessed: bool,
    /// Reason why no board can be played.
    trouble: String,
    /// Statistics of the last build.
    rows: Vec<BuildRow>,
    /// Number of these rows that were reported.
    rows_given: usize,
    /// The options, and the endgame set up from them.
    config: Option<(TableOptions, Result<Arc<EndgameSetup>, TaskError>)>,
    /// Build of a table for the game.
    build: Build,
    /// Requests that wait for the table.
    waiting: Vec<Waiter>,
    /// The reason why the options define no table was reported.
    complained: bool,
    /// Number of pulses that pings still wait after a move or a hint that needs the table.
    patience: u32,
    /// Endgame that was last reported to have no table yet.
    missed: String,
    /// Result of the first build that failed.
    fault: Option<Status>,
}

/// Endgame set up from the options.
struct EndgameSetup {
    config: TableConfig,
    endgame: Option<Material>,
}

impl Session {
    /// Builds the endgame of the options.
    pub(super) fn build_endgame(&mut self, at: Instant) {
        self.follow_variant_option();
        if matches!(self.table_player.variant, Variant::Game(_)) {
            return;
        }
        if let Ok(EndgameSetup { endgame: Some(endgame), .. }) = self.endgame_setup().as_deref() {
            self.start_build(&Wanted::Chess(endgame.clone()), at);
        }
        self.table_complain();
    }

    /// Handles new piece definitions.
    pub(super) fn pieces_changed(&mut self) {
        self.table_player.config = None;
    }

    /// Reports once why the options define no table, though they name an endgame; the game
    /// continues without a table.
    fn table_complain(&mut self) {
        let named = !self.options.tables.endgame.is_empty();
        let Err(why) = self.endgame_setup() else { return };
        if named && !std::mem::replace(&mut self.table_player.complained, true) {
            let endgame = &self.options.tables.endgame;
            self.refuse(format!("endgame {endgame} cannot be built: {why}"));
        }
    }

    fn endgame_setup(&mut self) -> Result<Arc<EndgameSetup>, TaskError> {
        let options = &self.options.tables;
        if let Some((from, endgame_setup)) = &self.table_player.config
            && from == options
        {
            return endgame_setup.clone();
        }
        let options = options.clone();
        let endgame_setup = self.pieces().map_err(TaskError::from).and_then(|pieces| {
            let config = TableConfig::new(&options, pieces);
            let name = options.endgame.as_str();
            let endgame = if name.is_empty() { None } else { Some(config.material(name)?) };
            Ok(Arc::new(EndgameSetup { config, endgame }))
        });
        match &mut self.table_player.build {
            Build::Running { endgame, .. } => *endgame = None,
            build => *build = Build::Idle,
        }
        self.table_player.complained = false;
        self.table_player.config = Some((options, endgame_setup.clone()));
        endgame_setup
    }

    /// Returns true when the current game is played from tables only.
    pub(super) fn at_tables(&self) -> bool {
        let named = !self.options.tables.endgame.is_empty();
        self.options.tables.dialogue
            || self.table_player.variant.is_from_tables()
            || (named && self.game.position().is_err())
    }

    /// Records whether the castling rights of the next position are given; for an editor they are
    /// guessed.
    pub(super) fn table_rights(&mut self, given: bool) {
        self.table_player.guessed = !given;
    }

    /// Records the text of the next position.
    pub(super) fn table_diagram(&mut self, text: String) {
        self.table_player.diagram = Some(text);
    }

    /// Returns the side to move on the board.
    pub(super) fn turn(&self) -> Color {
        self.table_player.game.last().map_or(self.game.setup().turn, TableBoard::turn)
    }

    /// Handles a changed position.
    pub(super) fn table_board_changed(&mut self) {
        self.table_player.game.clear();
        let guessed = std::mem::take(&mut self.table_player.guessed);
        if !self.at_tables() {
            return;
        }
        let read = match self.table_player.variant.clone() {
            Variant::Game(game) => self.read_game_board(&game),
            Variant::Chess | Variant::Fairy => self.endgame_setup().and_then(|endgame_setup| {
                let read = rules::read(&self.game.setup(), !guessed, &endgame_setup);
                read.map(TableBoard::Chess).map_err(|errors| TaskError::all(&errors))
            }),
        };
        match read {
            Ok(board) => self.table_player.game.push(board),
            Err(why) => self.table_player.trouble = why.to_string(),
        }
    }

    /// Reports once why the board cannot be played; returns false when it can.
    pub(super) fn table_explain(&mut self) -> bool {
        if !self.table_player.game.is_empty() {
            return false;
        }
        if !std::mem::replace(&mut self.partner.explained, true) {
            let why = format!("Illegal position: {}", self.table_player.trouble);
            self.refuse(why);
        }
        true
    }

    /// Makes the engine's move in a game from tables.
    pub(super) fn table_think(&mut self, at: Instant) {
        if self.table_explain() || self.table_claim() {
            return;
        }
        let Some(board) = self.table_player.game.last().cloned() else { return };
        match self.find(&board) {
            Some(found) => {
                self.write_rows();
                let Some(choice) = &found.best else { return };
                self.write_choice(choice, &found, 1, 0);
                self.push_table_move(choice.mv.clone());
                self.write(Event::FromTable(FromTable::Moved(choice.mv.name.clone())));
                self.partner.moved(at.elapsed());
                self.table_claim();
            }
            None => self.wait_for_table(&board, at),
        }
    }

    fn write_choice(&mut self, choice: &Choice, found: &Lookup, rank: usize, depth: usize) {
        let line = found.line(&choice.mv.after, SHOWN_PLIES);
        let pv = std::iter::once(choice.mv.name.clone()).chain(line).collect();
        let signed = choice.value.signed_plies();
        let plies = signed.map_or(0, i64::unsigned_abs);
        let metric = found.metric().name();
        self.write(Event::FromTable(FromTable::Line {
            depth: (plies as usize).max(depth).max(DEPTH_MIN),
            score: rules::score(choice.value),
            nodes: found.moves.len() as u64,
            rank,
            pv,
            distance: signed.map_or("draw".to_owned(), |_| format!("{metric} {plies}")),
        }));
    }

    fn push_table_move(&mut self, mv: TableMove) {
        self.take_over(&mv.after);
        self.table_player.game.push(mv.after);
        self.partner.new_position();
    }

    /// Sets up this board, which need not be a position of orthodox chess.
    fn take_over(&mut self, board: &TableBoard) {
        if let Some(Ok(setup)) = board.chess().map(|board| board.to_fen().parse::<Setup>()) {
            let _ = self.game.put(setup);
        }
    }

    /// Plays the user's move in a game from tables.
    pub(super) fn table_user_move(&mut self, text: String, at: Instant) {
        if self.table_explain() {
            return self.illegal(text, IllegalMove::NoPosition);
        }
        let (Some(board), Ok(endgame_setup)) =
            (self.table_player.game.last().cloned(), self.endgame_setup())
        else {
            return;
        };
        match endgame_setup.read_move(&board, &text, &self.table_player.variant) {
            Err(why) => self.illegal(text, why),
            Ok(mv) => {
                self.abandon();
                self.push_table_move(mv);
                let turn = !board.turn();
                let mode = self.partner.mode;
                if matches!(mode, Mode::Plays(_)) && self.table_claim() {
                    return;
                }
                match mode {
                    Mode::Plays(color) if color == turn => self.table_think(at),
                    Mode::Analysis => self.table_analyse(at),
                    _ => {}
                }
            }
        }
    }

    /// Plays the moves of a position command. Returns the move that cannot be played, with the
    /// reason.
    pub(super) fn table_moves(&mut self, moves: &[String]) -> Result<(), (usize, String)> {
        let endgame_setup = self.endgame_setup().map_err(|why| (0, why.to_string()))?;
        for (index, text) in moves.iter().enumerate() {
            let Some(board) = self.table_player.game.last().cloned() else { break };
            let mv = endgame_setup
                .read_move(&board, text, &self.table_player.variant)
                .map_err(|why| (index, why.to_string()))?;
            self.push_table_move(mv);
        }
        Ok(())
    }

    pub(super) fn table_take_back(&mut self, plies: usize) {
        let game = &mut self.table_player.game;
        game.truncate(game.len().saturating_sub(plies).max(1));
        if let Some(board) = game.last().cloned() {
            self.take_over(&board);
        }
    }

    /// Reports all moves with their distances, the best move last, because GUIs show the newest
    /// line on top.
    pub(super) fn table_analyse(&mut self, at: Instant) {
        if self.table_explain() {
            return;
        }
        let Some(board) = self.table_player.game.last().cloned() else { return };
        match self.find(&board) {
            Some(found) => {
                let plies = |v: &Choice| v.value.signed_plies().map_or(0, i64::unsigned_abs);
                let deepest = found.moves.iter().map(plies).max().unwrap_or(0) as usize;
                for (index, choice) in found.moves.iter().enumerate().rev() {
                    self.write_choice(choice, &found, index + 1, deepest);
                }
            }
            None => self.wait_for_table(&board, at),
        }
    }

    pub(super) fn table_hint(&mut self) {
        let Some(board) = self.table_player.game.last().cloned() else { return };
        let found = self.find(&board);
        if found.is_none() && self.running.as_ref().is_some_and(RunningJob::is_building) {
            self.table_player.patience = PATIENCE_PULSES;
            self.table_player.wait(Waiter::Hint);
        } else if let Some(choice) = found.and_then(|found| found.best) {
            self.write(Event::FromTable(FromTable::Hint(choice.mv.name)));
        }
    }

    /// Returns the text for `bk`: the statistics of the last build.
    pub(super) fn table_book(&self) -> Vec<String> {
        self.table_player.rows.iter().map(|row| row.text.clone()).collect()
    }
}

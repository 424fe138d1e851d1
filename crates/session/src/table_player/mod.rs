//! Playing from tables: games and analyses of positions that a table covers, fairy positions among
//! them. The table is built in the background, so that all other commands are answered meanwhile.
//!
//! Positions of orthodox chess stay with the game; only the move comes from the table. In the
//! variant `fairy`, and where the pieces are not those of orthodox chess, this module keeps the
//! game as boards.

mod answer;
mod dialogue;
mod rules;
mod waiting;

use self::waiting::{Build, Waiter};
use super::build_progress::BuildRow;
use super::event::{Claim, Event, FromTable};
use super::game_state::IllegalMove;
use super::partner::Mode;
use super::running_job::RunningJob;
use super::status::Status;
use super::table_store::{CachedTable, TableCache, TableConfig};
use super::{Session, TableOptions, TaskError};
use std::sync::Arc;
use std::time::Instant;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_tables::{FairyBoard, FairyMove, Material, Stalemate, ValuedMove};

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
    /// The variant is `fairy`: every game is played from tables.
    fairy: bool,
    /// Boards of the game, the current one last; empty when no board can be played.
    game: Vec<FairyBoard>,
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

/// Values of a table for a board.
struct Lookup {
    moves: Vec<ValuedMove>,
    best: Option<ValuedMove>,
    entry: Arc<CachedTable>,
}

impl Session {
    /// Builds the endgame of the options.
    pub(super) fn build_endgame(&mut self, at: Instant) {
        if let Ok(EndgameSetup { endgame: Some(endgame), .. }) = self.endgame_setup().as_deref() {
            self.start_build(&endgame.clone(), at);
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
            || self.table_player.fairy
            || (named && self.game.position().is_err())
    }

    /// Records whether the castling rights of the next position are given; for an editor they are
    /// guessed.
    pub(super) fn table_rights(&mut self, given: bool) {
        self.table_player.guessed = !given;
    }

    /// Handles a changed position.
    pub(super) fn table_board_changed(&mut self) {
        self.table_player.game.clear();
        let guessed = std::mem::take(&mut self.table_player.guessed);
        if !self.at_tables() {
            return;
        }
        let read = self.endgame_setup().and_then(|endgame_setup| {
            let read = rules::read(&self.game.setup(), !guessed, &endgame_setup);
            read.map_err(|errors| TaskError::all(&errors))
        });
        match read {
            Ok(board) => self.table_player.game.push(board),
            Err(why) => self.table_player.trouble = why.to_string(),
        }
    }

    /// Starts the variant: reports the pieces to the GUI.
    pub(super) fn table_variant(&mut self, fairy: bool) {
        self.table_player.fairy = fairy;
        self.table_board_changed();
        let Ok(endgame_setup) = self.endgame_setup() else { return };
        if let (true, Some(endgame)) = (fairy, &endgame_setup.endgame) {
            let mut pieces: Vec<_> =
                Color::ALL.iter().flat_map(|&color| endgame.side(color).to_vec()).collect();
            pieces.sort();
            pieces.dedup();
            let letters: Vec<char> = pieces.iter().map(|p| p.letter.to_ascii_uppercase()).collect();
            let orthodox = umbrail_tables::fairy::PieceSet::default();
            pieces.retain(|piece| {
                let usual = orthodox.get(piece.letter).filter(|_| "KQRBNP".contains(piece.letter));
                usual.is_none_or(|usual| !usual.moves_like(piece))
            });
            let fen = rules::example(endgame, &endgame_setup).map(|board| board.to_fen());
            self.write(Event::FromTable(FromTable::Pieces { letters, unusual: pieces, fen }));
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

    fn find(&mut self, board: &FairyBoard) -> Option<Lookup> {
        let endgame_setup = self.endgame_setup().ok()?;
        let entry = self.store.get::<TableCache>().holding(board, &endgame_setup.config)?;
        if !entry.table().answers_quickly(board) {
            return None;
        }
        let (moves, best) = {
            let table = entry.table();
            (table.moves(board).ok()?, table.best(board).ok()?)
        };
        Some(Lookup { moves, best, entry })
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
                self.write_choice(&board, choice, &found, 1, 0);
                let text = choice.mv.to_string();
                self.push_table_move(&board, &choice.mv);
                self.write(Event::FromTable(FromTable::Moved(text)));
                self.partner.moved(at.elapsed());
                self.table_claim();
            }
            None => self.wait_for_table(&board, at),
        }
    }

    fn write_choice(
        &mut self,
        board: &FairyBoard,
        choice: &ValuedMove,
        found: &Lookup,
        rank: usize,
        depth: usize,
    ) {
        let after = board.after(&choice.mv);
        let line = found.entry.table().line(&after, SHOWN_PLIES).unwrap_or_default();
        let pv = std::iter::once(&choice.mv).chain(&line).map(ToString::to_string).collect();
        let signed = choice.value.signed_plies();
        let plies = signed.map_or(0, i64::unsigned_abs);
        let metric = found.entry.rules().metric.name();
        self.write(Event::FromTable(FromTable::Line {
            depth: (plies as usize).max(depth).max(DEPTH_MIN),
            score: rules::score(choice.value),
            nodes: found.moves.len() as u64,
            rank,
            pv,
            distance: signed.map_or("draw".to_owned(), |_| format!("{metric} {plies}")),
        }));
    }

    fn push_table_move(&mut self, board: &FairyBoard, mv: &FairyMove) {
        let after = board.after(mv);
        self.take_over(&after);
        self.table_player.game.push(after);
        self.partner.new_position();
    }

    /// Sets up this board, which need not be a position of orthodox chess.
    fn take_over(&mut self, board: &FairyBoard) {
        if let Ok(setup) = board.to_fen().parse::<Setup>() {
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
        match rules::read_move(&board, &text, &endgame_setup) {
            Err(why) => self.illegal(text, why),
            Ok(mv) => {
                self.abandon();
                self.push_table_move(&board, &mv);
                let turn = !board.turn;
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
            let mv = rules::read_move(&board, text, &endgame_setup)
                .map_err(|why| (index, why.to_string()))?;
            self.push_table_move(&board, &mv);
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
                let plies = |v: &ValuedMove| v.value.signed_plies().map_or(0, i64::unsigned_abs);
                let deepest = found.moves.iter().map(plies).max().unwrap_or(0) as usize;
                for (index, choice) in found.moves.iter().enumerate().rev() {
                    self.write_choice(&board, choice, &found, index + 1, deepest);
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
            self.write(Event::FromTable(FromTable::Hint(choice.mv.to_string())));
        }
    }

    /// Returns the text for `bk`: the statistics of the last build.
    pub(super) fn table_book(&self) -> Vec<String> {
        self.table_player.rows.iter().map(|row| row.text.clone()).collect()
    }

    /// Reports the end of the game by the rules.
    fn table_claim(&mut self) -> bool {
        let (Some(board), Some((_, Ok(endgame_setup)))) =
            (self.table_player.game.last(), &self.table_player.config)
        else {
            return false;
        };
        let winner = |win: Color, by: [&'static str; 2]| Claim {
            result: if win.is_white() { "1-0" } else { "0-1" },
            reason: by[win.index()],
        };
        let draw = |reason| Claim { result: "1/2-1/2", reason };
        let stuck = board.moves_to(&rules::promotions(endgame_setup)).is_empty();
        let bared =
            Color::ALL.map(|color| endgame_setup.config.rules.bare_loses && board.is_bare(color));
        let kings =
            board.pieces.iter().all(|piece| piece.piece.letter == 'K') && board.pieces.len() == 2;
        let bare = kings || bared == [true; 2];
        let claim = if bared[0] != bared[1] {
            let loser = if bared[0] { Color::White } else { Color::Black };
            winner(!loser, ["White bares the royal", "Black bares the royal"])
        } else if stuck && board.in_check() {
            winner(!board.turn, ["White mates", "Black mates"])
        } else if stuck {
            match endgame_setup.config.rules.stalemate {
                Stalemate::Draw => draw("Stalemate"),
                Stalemate::Win => winner(!board.turn, ["White stalemates", "Black stalemates"]),
                Stalemate::Pass => return false,
            }
        } else if bare {
            draw("Neither side can mate")
        } else if self.table_player.game.iter().filter(|earlier| *earlier == board).count() > 2 {
            draw("Threefold repetition")
        } else {
            return false;
        };
        self.write(Event::Over(claim));
        true
    }
}

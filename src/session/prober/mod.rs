//! Playing from tables: games and analyses of positions that a table answers for, fairy ones among
//! them. The table is built in the background, so everything else is answered meanwhile.
//!
//! Positions that orthodox chess can play stay with the desk, and only the choice of a move is the
//! table's. In the variant `fairy`, and wherever orthodox chess does not know the men, the game is
//! kept here as boards.

mod answer;
mod build;
mod dialogue;
mod rules;

use super::busy::{Busy, Purpose};
use super::command::Go;
use super::egt::{self, Kit, Row, covers};
use super::errand::{Domain, Ending, News, Steps, Value};
use super::event::{Claim, Event, FromTable};
use super::job::{Job, Stage, Status};
use super::partner::Mode;
use super::{Session, TableOptions};
use crate::control::Clock;
use crate::geometry::{Color, Setup};
use crate::tables::{FairyBoard, FairyMove, Material, Stalemate, Tablebase, ValuedMove};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Lines of best play are shown this far, plies.
const SHOWN_PLIES: usize = 24;
/// Rows of building statistics that are remembered.
const ROWS_MAX: usize = 1000;
/// A ping behind a move or a hint that is due waits this long for the table, in quarters of a second.
const PATIENCE_PULSES: u32 = 8;
/// xboard wipes its window when a line has fewer plies.
const DEPTH_MIN: usize = 2;

/// What is remembered of playing from tables.
#[derive(Default)]
pub(super) struct Prober {
    /// The variant is `fairy`: every game is played from tables.
    pub(super) fairy: bool,
    /// The boards of the game, the present one last; empty when there is none to play on.
    game: Vec<FairyBoard>,
    /// The castling rights on the desk were guessed from where kings and rooks stand.
    guessed: bool,
    /// EGTgen's answer is due when the table is there.
    asked: bool,
    /// Why there is none.
    trouble: String,
    /// Statistics of the last build.
    rows: Vec<Row>,
    /// What the options make, and the options.
    kit: Option<(TableOptions, Result<Arc<Made>, String>)>,
    /// The endgame that could not be built, or whose building was stopped.
    failed: Option<String>,
    /// It was said why the options make no table.
    complained: bool,
    /// The move to be said when a held answer is let through.
    pub(super) best: Option<String>,
    /// The `go` that waits for a table.
    pub(super) pending: Option<Go>,
    /// A move or a hint is due when the table is there; pings wait behind it for so many pulses.
    pub(super) patience: u32,
    /// It is a hint.
    pub(super) hint_due: bool,
    /// The builder has told that the table can be asked.
    is_ready: bool,
    /// The endgame of which was said last that it has no table yet.
    missed: String,
}

/// What the options make.
struct Made {
    kit: Kit,
    endgame: Option<Material>,
}

/// What a table says of a board.
struct Found {
    moves: Vec<ValuedMove>,
    best: Option<ValuedMove>,
    entry: Arc<egt::Entry>,
}

impl Session {
    /// Builds the endgame of the options.
    pub(super) fn build_endgame(&mut self, at: Instant) {
        if let Ok(Made { endgame: Some(endgame), .. }) = self.made().as_deref() {
            self.start_build(&endgame.clone(), at);
        }
        self.table_complain();
    }

    /// The definitions of pieces are read.
    pub(super) fn pieces_changed(&mut self) {
        self.prober.kit = None;
    }

    /// Says once why the options make no table, though an endgame is named: the game goes on without.
    fn table_complain(&mut self) {
        let named = !self.options.tables.endgame.is_empty();
        let Err(why) = self.made() else { return };
        if named && !std::mem::replace(&mut self.prober.complained, true) {
            let endgame = &self.options.tables.endgame;
            self.refuse(format!("endgame {endgame} cannot be built: {why}"));
        }
    }

    fn made(&mut self) -> Result<Arc<Made>, String> {
        let options = &self.options.tables;
        if let Some((from, made)) = &self.prober.kit
            && from == options
        {
            return made.clone();
        }
        let options = options.clone();
        let made = self.pieces().and_then(|pieces| {
            let kit = Kit::new(&options, pieces);
            let name = options.endgame.as_str();
            let endgame = if name.is_empty() { None } else { Some(kit.material(name)?) };
            Ok(Arc::new(Made { kit, endgame }))
        });
        self.prober.failed = None;
        self.prober.complained = false;
        self.prober.kit = Some((options, made.clone()));
        made
    }

    /// True when the game on the desk is played from tables only.
    pub(super) fn at_tables(&self) -> bool {
        let named = !self.options.tables.endgame.is_empty();
        self.options.tables.dialogue
            || self.prober.fairy
            || (named && self.desk.position().is_err())
    }

    /// Were the castling rights of the next position said? An editor can only guess them.
    pub(super) fn table_rights(&mut self, said: bool) {
        self.prober.guessed = !said;
    }

    /// Another position is on the desk.
    pub(super) fn table_board_changed(&mut self) {
        self.prober.game.clear();
        let guessed = std::mem::take(&mut self.prober.guessed);
        if !self.at_tables() {
            return;
        }
        let read = self.made().and_then(|made| rules::read(&self.desk.setup(), !guessed, &made));
        match read {
            Ok(board) => self.prober.game.push(board),
            Err(why) => self.prober.trouble = why,
        }
    }

    /// The variant begins: what the GUI has to know of the pieces.
    pub(super) fn table_variant(&mut self, fairy: bool) {
        self.prober.fairy = fairy;
        self.table_board_changed();
        let Ok(made) = self.made() else { return };
        if let (true, Some(endgame)) = (fairy, &made.endgame) {
            let mut pieces: Vec<_> =
                Color::ALL.iter().flat_map(|&color| endgame.side(color).to_vec()).collect();
            pieces.sort();
            pieces.dedup();
            let letters: Vec<char> = pieces.iter().map(|p| p.letter.to_ascii_uppercase()).collect();
            let orthodox = crate::fairy::PieceSet::default();
            let strange = pieces.iter().filter(|piece| {
                let usual = orthodox.get(piece.letter).filter(|_| "KQRBNP".contains(piece.letter));
                usual.is_none_or(|usual| !usual.moves_like(piece))
            });
            let moves = strange.map(|p| (p.letter.to_ascii_uppercase(), p.betza())).collect();
            let fen = rules::example(endgame, &made).map(|board| board.to_fen());
            self.say(Event::FromTable(FromTable::Pieces { letters, moves, fen }));
        }
    }

    /// Explains once why the board cannot be played on; false when it can.
    pub(super) fn table_explain(&mut self) -> bool {
        if !self.prober.game.is_empty() {
            return false;
        }
        if !std::mem::replace(&mut self.partner.explained, true) {
            let why = format!("Illegal position: {}", self.prober.trouble);
            self.refuse(why);
        }
        true
    }

    fn find(&mut self, board: &FairyBoard) -> Option<Found> {
        let made = self.made().ok()?;
        let entry = self.desk.shelf.tables.holding(board, &made.kit)?;
        if !entry.table().answers_quickly(board) {
            return None;
        }
        let (moves, best) = {
            let table = entry.table();
            (table.moves(board).ok()?, table.best(board).ok()?)
        };
        Some(Found { moves, best, entry })
    }

    fn start_build(&mut self, material: &Material, at: Instant) {
        let name = material.to_string();
        if self.busy.is_some() || self.prober.failed.as_ref() == Some(&name) {
            return;
        }
        let Ok(made) = self.made() else { return };
        // Seeds are those of the endgame, and of no other.
        let options = &self.options.tables;
        let is_endgame = made.endgame.as_ref() == Some(material);
        let unseeded = TableOptions { seed_file: String::new(), ..options.clone() };
        let kit = match is_endgame {
            true => made.kit.clone(),
            false => Kit::new(&unseeded, made.kit.piece_set.clone()),
        };
        let cabinet = self.desk.shelf.tables.clone();
        let rep2 = options.rep2 && is_endgame;
        let board = self.prober.game.last().cloned();
        self.prober.rows.clear();
        self.prober.failed = Some(name);
        let material = material.clone();
        let work = Box::new(move |stage: &Stage<'_>| {
            build::build(&kit, &material, &cabinet, (board.as_ref(), rep2), stage)
        });
        let job = Job::Errand { domain: Domain::Egt, verb: "build", steps: Steps::Work(work) };
        self.start(job, Purpose::Build, None, Clock::started(at), self.options.threads);
    }

    /// Whether an answer is due when the table is there.
    pub(super) fn table_owes(&self) -> bool {
        let prober = &self.prober;
        prober.pending.is_some() || prober.asked || prober.hint_due || self.partner.owes_move
    }

    /// A row of statistics came from the builder.
    pub(super) fn table_row(&mut self, news: &News) {
        if news.words.iter().any(|(name, _)| *name == build::READY) {
            return self.table_ready();
        }
        let number = |key: &str| match news.words.iter().find(|(name, _)| *name == key) {
            Some((_, Value::Number(number))) => number.unsigned_abs(),
            _ => 0,
        };
        let time = Duration::from_millis(number("time"));
        let text = news.text.clone().unwrap_or_default();
        let row = Row { time, settled: number("nodes"), text };
        let watched = self.partner.owes_move || self.partner.mode == Mode::Analysis;
        if watched || self.options.tables.dialogue {
            self.say_row(&row);
        }
        if self.prober.rows.len() < ROWS_MAX {
            self.prober.rows.push(row);
        }
    }

    fn say_row(&mut self, row: &Row) {
        let Row { time, settled, text } = row.clone();
        self.say(Event::FromTable(FromTable::Row { time, nodes: settled.max(1), text }));
    }

    /// The statistics, for a GUI that did not show them while the table was built.
    fn repeat_rows(&mut self) {
        for row in self.prober.rows.clone() {
            self.say_row(&row);
        }
    }

    /// The builder has ended.
    pub(super) fn built(&mut self, ending: Ending) {
        let complete = ending.status == Status::Complete;
        let was_ready = std::mem::take(&mut self.prober.is_ready);
        if complete {
            self.prober.failed = None;
        } else if ending.status == Status::Stopped {
            // Only the `go` that was stopped does without; the next one builds.
            self.partner.owes_move = false;
        } else {
            self.partner.owes_move = false;
            self.refuse(ending.done.text.unwrap_or_default());
        }
        if let Some(go) = self.prober.pending.take() {
            let now = Instant::now();
            if complete {
                self.go(&go, now);
            } else {
                let quick = Go { depth: Some(1), infinite: false, ponder: false, ..go };
                self.go(&quick, now);
            }
        }
        if ending.status == Status::Stopped {
            self.prober.failed = None;
        }
        self.answer_from_table();
        if std::mem::take(&mut self.prober.asked) && complete {
            self.table_answer(Instant::now());
        }
        if !complete && self.options.tables.dialogue {
            // What was asked of a table that there is not would only build it again.
            self.queue.keep_leaving();
        }
        if complete && !was_ready {
            self.analyse_from_table();
        }
    }

    /// The table is there; the builder goes on counting.
    fn table_ready(&mut self) {
        self.prober.is_ready = true;
        self.answer_from_table();
        self.analyse_from_table();
    }

    /// The hint, the move and the pongs that waited for the table.
    fn answer_from_table(&mut self) {
        self.prober.patience = 0;
        if std::mem::take(&mut self.prober.hint_due) {
            self.table_hint();
        }
        self.catch_up();
        // The move may wait for another table.
        if self.prober.patience == 0 {
            self.flush_pings();
        }
    }

    fn analyse_from_table(&mut self) {
        if self.at_tables() && self.partner.mode == Mode::Analysis {
            self.table_analyse(Instant::now());
        }
    }

    /// The engine's move in a game from tables.
    pub(super) fn table_think(&mut self, at: Instant) {
        if self.table_explain() || self.table_claim() {
            return;
        }
        let Some(board) = self.prober.game.last().cloned() else { return };
        match self.find(&board) {
            Some(found) => {
                self.repeat_rows();
                let Some(choice) = &found.best else { return };
                self.say_choice(&board, choice, &found, 1, 0);
                let text = choice.mv.to_string();
                self.push_table_move(&board, &choice.mv);
                self.say(Event::FromTable(FromTable::Moved(text)));
                self.partner.moved(at.elapsed());
                self.table_claim();
            }
            None => self.wait_for_table(&board, at),
        }
    }

    /// No table holds the board: it is built, and the move comes when it is there.
    fn wait_for_table(&mut self, board: &FairyBoard, at: Instant) {
        let material = Tablebase::material_of(board);
        let endgame = self.made().ok().and_then(|made| made.endgame.clone());
        let wanted = endgame.filter(|endgame| covers(endgame, board)).unwrap_or(material);
        let name = wanted.to_string();
        if self.busy.is_none() && self.prober.failed.as_ref() == Some(&name) {
            let why = format!("There is no table of {name}, and it could not be built.");
            return self.refuse(why);
        }
        if self.options.tables.endgame != name && self.prober.missed != name {
            let text = format!("No table of {name} yet: building it.");
            self.say(Event::FromTable(FromTable::Notice(text)));
            self.prober.missed.clone_from(&name);
        }
        if self.busy.is_none() {
            self.start_build(&wanted, at);
        } else {
            self.repeat_rows();
        }
        self.partner.owes_move = self.partner.mode != Mode::Analysis;
        if self.partner.owes_move {
            self.prober.patience = PATIENCE_PULSES;
        }
    }

    fn say_choice(
        &mut self,
        board: &FairyBoard,
        choice: &ValuedMove,
        found: &Found,
        rank: usize,
        depth: usize,
    ) {
        let after = board.after(&choice.mv);
        let line = found.entry.table().line(&after, SHOWN_PLIES).unwrap_or_default();
        let pv = std::iter::once(&choice.mv).chain(&line).map(ToString::to_string).collect();
        let signed = choice.value.signed_plies();
        let plies = signed.map_or(0, i64::unsigned_abs);
        let metric = found.entry.rules().metric.name();
        self.say(Event::FromTable(FromTable::Line {
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
        self.put_on_desk(&after);
        self.prober.game.push(after);
        self.partner.new_position();
    }

    /// The desk shows what stands here; it may well be no position of orthodox chess.
    fn put_on_desk(&mut self, board: &FairyBoard) {
        if let Ok(setup) = board.to_fen().parse::<Setup>() {
            let _ = self.desk.put(setup);
        }
    }

    /// The user's move in a game from tables.
    pub(super) fn table_user_move(&mut self, text: String, at: Instant) {
        if self.table_explain() {
            let why = "the position cannot be used".to_owned();
            return self.say(Event::Illegal { said: text, why });
        }
        let (Some(board), Ok(made)) = (self.prober.game.last().cloned(), self.made()) else {
            return;
        };
        match rules::read_move(&board, &text, &made) {
            Err(why) => self.say(Event::Illegal { said: text, why }),
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

    /// Plays the moves of a position command; the one that cannot be played and why.
    pub(super) fn table_moves(&mut self, moves: &[String]) -> Result<(), (usize, String)> {
        let made = self.made().map_err(|why| (0, why))?;
        for (index, text) in moves.iter().enumerate() {
            let Some(board) = self.prober.game.last().cloned() else { break };
            let mv = rules::read_move(&board, text, &made).map_err(|why| (index, why))?;
            self.push_table_move(&board, &mv);
        }
        Ok(())
    }

    pub(super) fn table_take_back(&mut self, plies: usize) {
        let game = &mut self.prober.game;
        game.truncate(game.len().saturating_sub(plies).max(1));
        if let Some(board) = game.last().cloned() {
            self.put_on_desk(&board);
        }
    }

    /// All moves with their distances, the best one last, because GUIs show the newest line on top.
    pub(super) fn table_analyse(&mut self, at: Instant) {
        if self.table_explain() {
            return;
        }
        let Some(board) = self.prober.game.last().cloned() else { return };
        match self.find(&board) {
            Some(found) => {
                let plies = |v: &ValuedMove| v.value.signed_plies().map_or(0, i64::unsigned_abs);
                let deepest = found.moves.iter().map(plies).max().unwrap_or(0) as usize;
                for (index, choice) in found.moves.iter().enumerate().rev() {
                    self.say_choice(&board, choice, &found, index + 1, deepest);
                }
            }
            None => self.wait_for_table(&board, at),
        }
    }

    pub(super) fn table_hint(&mut self) {
        let Some(board) = self.prober.game.last().cloned() else { return };
        let found = self.find(&board);
        if found.is_none() && self.busy.as_ref().is_some_and(Busy::is_building) {
            (self.prober.patience, self.prober.hint_due) = (PATIENCE_PULSES, true);
        } else if let Some(choice) = found.and_then(|found| found.best) {
            self.say(Event::FromTable(FromTable::Hint(choice.mv.to_string())));
        }
    }

    /// What `bk` shows: the statistics of the last build.
    pub(super) fn table_book(&self) -> Vec<String> {
        self.prober.rows.iter().map(|row| row.text.clone()).collect()
    }

    /// Says so when the game is over by the rules.
    fn table_claim(&mut self) -> bool {
        let (Some(board), Ok(made)) = (self.prober.game.last(), self.made_already()) else {
            return false;
        };
        let winner = |win: Color, by: [&'static str; 2]| Claim {
            result: if win.is_white() { "1-0" } else { "0-1" },
            reason: by[win.index()],
        };
        let draw = |reason| Claim { result: "1/2-1/2", reason };
        let stuck = board.moves_to(&rules::promotions(&made)).is_empty();
        let bared = Color::ALL.map(|color| made.kit.rules.bare_loses && board.is_bare(color));
        let bare = board.men.iter().all(|man| man.piece.letter == 'K') && board.men.len() == 2;
        let claim = if bared[0] != bared[1] {
            let loser = if bared[0] { Color::White } else { Color::Black };
            winner(!loser, ["White bares the royal", "Black bares the royal"])
        } else if stuck && board.in_check() {
            winner(!board.turn, ["White mates", "Black mates"])
        } else if stuck {
            match made.kit.rules.stalemate {
                Stalemate::Draw => draw("Stalemate"),
                Stalemate::Win => winner(!board.turn, ["White stalemates", "Black stalemates"]),
                Stalemate::Pass => return false,
            }
        } else if bare {
            draw("Neither side can mate")
        } else if self.prober.game.iter().filter(|earlier| *earlier == board).count() > 2 {
            draw("Threefold repetition")
        } else {
            return false;
        };
        self.say(Event::Over(claim));
        true
    }

    fn made_already(&self) -> Result<Arc<Made>, String> {
        self.prober.kit.as_ref().map_or_else(|| Err(String::new()), |(_, made)| made.clone())
    }
}

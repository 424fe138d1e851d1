//! Games against the user: moves, pondering, analysis, and the rules that end games.

use super::command::Play;
use super::event::{AnalysisStatus, Claim, Event, Played};
use super::game_state::{IllegalMove, Unusable};
use super::partner::{Mode, Pace};
use super::running_job::{JobKind, RunningJob};
use super::tasks::TaskLimits;
use super::{Effect, Session};
use std::time::{Duration, Instant};
use umbrail_chess::geometry::Color;
use umbrail_chess::{DrawReason, Outcome};
use umbrail_search as search;

/// Time limit of the search for a hint.
const HINT_TIME: Duration = Duration::from_millis(200);
/// Memory that a GUI's limit reserves for everything but the transposition table, in MiB.
const PROGRAM_MIB: u64 = 8;

impl Session {
    pub(super) fn play(&mut self, play: Play, at: Instant) {
        match play {
            Play::New => self.new_game(),
            Play::Variant(name) => {
                self.abandon();
                self.table_variant(&name, at);
            }
            Play::Force => {
                self.abandon();
                self.partner.owes_move = false;
                self.partner.mode = Mode::Force;
            }
            Play::Go if self.options.solver.is_some() => {
                self.abandon();
                self.partner.mode = Mode::Force;
                self.solve_board(at);
            }
            Play::Go => {
                self.abandon();
                self.partner.mode = Mode::Plays(self.turn());
                self.think(at);
            }
            Play::Other => {
                self.abandon();
                self.partner.mode = Mode::Plays(!self.turn());
            }
            Play::Move(text) if self.at_tables() => self.table_user_move(text, at),
            Play::Move(text) => self.user_move(text, at),
            Play::Undo => self.take_back(1, at),
            Play::Remove => self.take_back(2, at),
            Play::MoveNow => self.move_now(),
            Play::Result => {
                self.abandon();
                self.partner.mode = Mode::Force;
            }
            Play::Draw => self.draw_offered(),
            Play::Setup(diagram) => {
                let put = self.put_diagram(diagram);
                self.board_changed(put, at);
            }
            Play::Edit(_) if self.game_fen().is_some() => {
                self.refuse("the editor knows the board of chess only; use setboard");
            }
            Play::Edit(edits) => {
                let put = self.game.edit(&edits);
                self.table_rights(false);
                self.board_changed(put, at);
            }
            Play::Ask(ask) => self.table_ask(ask, at),
            Play::Analyze => {
                self.abandon();
                self.partner.mode = Mode::Analysis;
                if self.options.solver.is_some() {
                    self.solve_board(at);
                } else {
                    self.analyse(at);
                }
            }
            Play::Leave => {
                self.abandon();
                if self.partner.mode == Mode::Analysis {
                    self.partner.mode = Mode::Force;
                }
            }
            Play::Status => self.status(),
            Play::Hint if self.at_tables() => self.table_hint(),
            Play::Hint => self.hint(at),
            Play::Book => {
                let lines = self.table_book();
                self.write(Event::Book(lines));
            }
            Play::Level { moves, base, increment } => {
                self.partner.pace = Pace::Level { moves, base, increment };
                self.partner.fill_clock();
            }
            Play::PerMove(time) => self.partner.pace = Pace::PerMove(time),
            Play::Depth(depth) => self.partner.depth = Some(depth),
            Play::Rate(rate) => self.partner.rate = rate,
            Play::Clock(left) => self.partner.left = left,
            Play::OtherClock(_) => {}
            Play::Exclude(text) => self.exclude(text, true, at),
            Play::Include(text) => self.exclude(text, false, at),
            Play::Ping(number) => self.ping(number),
            Play::Memory(mib) => {
                let most = super::options::HASH_MAX_MIB.unsigned_abs();
                let hash = mib.saturating_sub(PROGRAM_MIB).clamp(1, most);
                self.options.search.hash_mib = hash as usize;
            }
            Play::TablePath { kind, path } => {
                if kind == "syzygy" {
                    self.options.search.syzygy_path.clone_from(&path);
                }
                self.game.table_paths.retain(|(known, _)| *known != kind);
                self.game.table_paths.push((kind, path));
            }
        }
    }

    /// Handles a draw offer of the user.
    fn draw_offered(&mut self) {
        let move_number = u32::from(self.game.setup().fullmoves);
        let plays = matches!(self.partner.mode, Mode::Plays(_));
        if plays && self.partner.negotiation.offered(move_number) {
            self.write(Event::DrawOffered);
        }
    }

    fn new_game(&mut self) {
        self.abandon();
        self.forget_game();
        self.game.new_game();
        self.partner.new_game();
        self.table_player.leave_variant();
        self.follow_variant_option();
        self.table_board_changed();
    }

    /// Handles a changed board. An unusable position is accepted silently, because GUIs send
    /// half-edited boards; the error is reported when a move is to be played on it.
    fn board_changed(&mut self, put: Result<(), Unusable>, at: Instant) {
        self.abandon();
        self.partner.new_position();
        self.partner.expected = None;
        self.report_dropped_castling();
        self.table_board_changed();
        if let Err(why) = put {
            tracing::info!(%why, "a board that cannot be played on");
        }
        self.resume_analysis(at);
    }

    /// Gives the diagram to the chosen solver at `go` and `analyze`; no move is played.
    fn solve_board(&mut self, at: Instant) {
        if let Some(domain) = self.options.solver {
            // The clock of a game does not limit a solver; a time per move from the user does.
            let analyses = self.partner.mode == Mode::Analysis;
            let time = self.partner.limits().movetime.filter(|_| !analyses);
            self.task_from_board(domain, None, TaskLimits::of_time(time), at);
        }
    }

    fn resume_analysis(&mut self, at: Instant) {
        if self.partner.mode == Mode::Analysis && self.options.solver.is_none() {
            self.analyse(at);
        }
    }

    /// Drops a search that a change of the board makes pointless. A task is stopped and still
    /// answers; a background task continues.
    pub(super) fn abandon(&mut self) {
        let Some(running) = &self.running else { return };
        if matches!(running.kind, JobKind::Task { background: true, .. } | JobKind::Build) {
            return;
        }
        running.cancel.raise();
        if running.is_abandonable() {
            self.running = None;
            self.flush_pings();
        }
    }

    pub(super) fn stop_pondering(&mut self) {
        if matches!(self.running, Some(RunningJob { kind: JobKind::Ponder { .. }, .. })) {
            self.abandon();
        }
    }

    /// Reports once why the position cannot be played; returns false when it can.
    pub(super) fn explain(&mut self) -> bool {
        let Err(why) = self.game.position() else { return false };
        let why = format!("Illegal position: {why}");
        if !std::mem::replace(&mut self.partner.explained, true) {
            self.refuse(why);
        }
        true
    }

    fn user_move(&mut self, text: String, at: Instant) {
        let playing = matches!(self.partner.mode, Mode::Plays(_));
        if self.explain() {
            return self.illegal(text, IllegalMove::NoPosition);
        }
        if text == "@@@@" && !playing {
            self.abandon();
            if !self.game.pass() {
                self.illegal(text, "a king in check cannot pass");
            }
            self.partner.new_position();
            return self.resume_analysis(at);
        }
        let mv = match self.game.read_move(&text) {
            Ok(mv) => mv,
            Err(why) => return self.illegal(text, why),
        };
        if self.ponder_hit_in_game(mv, at) {
            return;
        }
        self.abandon();
        self.game.play(mv);
        self.partner.new_position();
        if playing && self.claim_end() {
            return;
        }
        match self.partner.mode {
            Mode::Plays(color) if self.is_turn(color) => self.think(at),
            Mode::Analysis => self.analyse(at),
            _ => {}
        }
    }

    fn is_turn(&self, color: Color) -> bool {
        self.game.position().is_ok_and(|position| position.turn() == color)
    }

    fn take_back(&mut self, plies: usize, at: Instant) {
        self.abandon();
        if self.at_tables() {
            self.table_take_back(plies);
        } else {
            self.game.take_back(plies);
        }
        self.partner.new_position();
        self.partner.owes_move = false;
        self.resume_analysis(at);
    }

    /// Ends the search for a move, and any other work for which the user waits.
    fn move_now(&mut self) {
        self.queue.stop();
        self.files.hurry();
        if let Some(running) = &self.running
            && (running.is_counting()
                || matches!(running.kind, JobKind::Reply | JobKind::Task { background: false, .. }))
        {
            running.cancel.raise();
        }
    }

    /// Delays a ping only while the engine is to move in a game; briefly when the move needs a
    /// table that has to be built.
    fn ping(&mut self, number: u64) {
        match &self.running {
            Some(RunningJob { kind: JobKind::Reply, .. }) => self.partner.pings.push(number),
            Some(RunningJob { kind: JobKind::Build, .. })
                if self.table_player.holds_pings(self.partner.owes_move) =>
            {
                self.partner.pings.push(number);
            }
            _ => {
                self.prepare_memory();
                self.open_files();
                self.write(Event::Pong(number));
            }
        }
    }

    pub(super) fn flush_pings(&mut self) {
        for number in std::mem::take(&mut self.partner.pings) {
            self.write(Event::Pong(number));
        }
    }

    /// Makes the move that became due during a task.
    pub(super) fn catch_up(&mut self) {
        if self.running.as_ref().is_none_or(|running| running.is_building())
            && std::mem::take(&mut self.partner.owes_move)
        {
            self.think(self.now);
        }
    }

    fn exclude(&mut self, text: Option<String>, out: bool, at: Instant) {
        let Ok(position) = self.game.position() else { return };
        match text {
            None if out => self.partner.excluded = position.legal_moves().into_iter().collect(),
            None => self.partner.excluded.clear(),
            Some(text) => match self.game.read_move(&text) {
                Ok(mv) => {
                    self.partner.excluded.retain(|&other| other != mv);
                    if out {
                        self.partner.excluded.push(mv);
                    }
                }
                Err(why) => return self.illegal(text, why),
            },
        }
        if self.partner.mode == Mode::Analysis {
            self.abandon();
            self.analyse(at);
        }
    }

    fn status(&mut self) {
        let Some(running) = &self.running else { return };
        let (JobKind::Analysis, Some(watch)) = (&running.kind, &running.watch) else { return };
        let (current, depth) = match (watch.current, &watch.last) {
            (Some((mv, number, depth)), _) => (Some((mv, number)), depth),
            (None, Some(line)) => (line.pv.first().map(|&mv| (mv, 1)), line.depth),
            (None, None) => (None, 1),
        };
        let status = AnalysisStatus {
            time: running.clock.elapsed(),
            nodes: running.progress.nodes.get().max(watch.last.as_ref().map_or(0, |l| l.nodes)),
            depth,
            left: current.map_or(0, |(_, number)| watch.root_moves.saturating_sub(number)),
            total: watch.root_moves,
            played: current.map(|(mv, _)| watch.played(mv)),
        };
        self.write(Event::Status(status));
    }

    fn hint(&mut self, at: Instant) {
        let Ok(&position) = self.game.position() else { return };
        let chess960 = self.game.castling_mode().is_chess960();
        match self.partner.expected {
            Some((key, mv)) if key == position.key() && position.is_legal(mv) => {
                self.write(Event::Hint(Played { before: position, mv, chess960 }));
            }
            _ if self.running.is_none() => {
                let movetime = Some(HINT_TIME);
                let limits = search::Limits { movetime, ..search::Limits::default() };
                self.search_game(limits, JobKind::Hint, at);
            }
            _ => {}
        }
    }

    /// Reports the end of the game, by the rules or by a draw that may be claimed.
    pub(super) fn claim_end(&mut self) -> bool {
        let Ok(position) = self.game.position() else { return false };
        let history = self.game.history();
        let draw = || position.claimable(&history).map(Outcome::Draw);
        let Some(outcome) = position.outcome(&history).or_else(draw) else { return false };
        self.effects.push(Effect::Write(Event::Over(claim(outcome))));
        true
    }
}

fn claim(outcome: Outcome) -> Claim {
    let (result, reason) = match outcome {
        Outcome::Mate(Color::White) => ("1-0", "White mates"),
        Outcome::Mate(Color::Black) => ("0-1", "Black mates"),
        Outcome::Draw(reason) => ("1/2-1/2", drawn(reason)),
    };
    Claim { result, reason }
}

fn drawn(reason: DrawReason) -> &'static str {
    match reason {
        DrawReason::Stalemate => "Stalemate",
        DrawReason::DeadPosition => "Neither side can mate",
        DrawReason::ThreefoldRepetition => "Threefold repetition",
        DrawReason::FivefoldRepetition => "Fivefold repetition",
        DrawReason::FiftyMoves => "Fifty-move rule",
        DrawReason::SeventyFiveMoves => "Seventy-five-move rule",
    }
}

//! Searches that are asked for outright (UCI's `go`), perft and bench: from the request to a job,
//! and from its reports to events.

use super::command::{BenchLimit, BenchPositions, BenchRequest, Go};
use super::event::{Best, Event, Played, RootMove, Thought};
use super::job::{Answer, Job};
use super::message::Completion;
use super::running_job::{
    AnswerGate, AnswerState, BestAnswer, JobKind, RunningJob, SearchProgress, WorkEnd,
};
use super::stage::{Fact, JobId};
use super::status::Status;
use super::tasks::TaskLimits;
use super::{Effect, Session, Start, event, wdl};
use crate::chess::{Move, Position};
use crate::control::{Cancel, Clock, Progress};
use crate::geometry::Color;
use crate::search;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The current root move is reported after this time, or from the start in analysis mode.
const QUIET: Duration = Duration::from_secs(3);
/// And not more often than this: shallow iterations go through hundreds in no time.
const ROOT_MOVE_GAP: Duration = Duration::from_millis(20);

impl Session {
    pub(super) fn go(&mut self, go: &Go, at: Instant) {
        if self.is_taken() {
            return;
        }
        let limits = limits(go, self.game.position().map_or(Color::White, Position::turn));
        if let Some(domain) = self.options.solver {
            // A solver comes to an end by itself: a bare `go` ends with it.
            let end = if go.infinite { WorkEnd::AtStop } else { WorkEnd::Bounded };
            let gate = AnswerGate { ponder: go.ponder, end };
            let limits = TaskLimits::of(
                &limits,
                Duration::from_millis(self.options.search.move_overhead_ms),
            );
            return self.task_from_board(domain, Some(gate), limits, at);
        }
        // A bare `go` searches without end, but answers when there is nothing left to search.
        let end = match (go.infinite, limits.infinite) {
            (true, _) => WorkEnd::AtStop,
            (false, true) => WorkEnd::Unlimited,
            (false, false) => WorkEnd::Bounded,
        };
        let gate = AnswerGate { ponder: go.ponder, end };
        let gate = match self.table_go(go, gate, at) {
            Ok(()) => return,
            Err(gate) => gate,
        };
        let Ok(&position) = self.game.position() else {
            return self.answer_without_search(None, gate, at);
        };
        let root_moves = go.search_moves.as_ref().map(|texts| self.read_root_moves(texts));
        let watch = self.watch(position, self.options.chess960, root_moves.as_deref());
        if watch.root_moves == 0 {
            return self.answer_without_search(Some(watch), gate, at);
        }
        let kind = JobKind::Best(gate);
        self.search(watch, limits, root_moves, self.game.history(), kind, at);
    }

    /// Says no when a job runs.
    fn is_taken(&mut self) -> bool {
        let word = self.running.as_ref().map(RunningJob::word);
        if let Some(word) = word {
            self.say(Event::Note(format!("busy with {word}, send stop first")));
        }
        word.is_some()
    }

    fn read_root_moves(&mut self, texts: &[String]) -> Vec<Move> {
        let mut moves = vec![];
        for text in texts {
            match self.game.read_move(text) {
                Ok(mv) if !moves.contains(&mv) => moves.push(mv),
                Ok(_) => {}
                Err(why) => {
                    self.say(Event::Note(format!("illegal move {text} ({why}) is not searched")));
                }
            }
        }
        moves
    }

    /// What to remember of a search from here.
    pub(super) fn watch(
        &self,
        root: Position,
        chess960: bool,
        moves: Option<&[Move]>,
    ) -> SearchProgress {
        let options = &self.options;
        SearchProgress {
            root,
            chess960,
            show_wdl: options.show_wdl,
            analyse: options.analyse,
            ponder: options.ponder,
            several: options.multipv > 1,
            root_moves: moves.map_or_else(|| root.legal_moves().len(), <[Move]>::len),
            last: None,
            current: None,
            said_at: None,
        }
    }

    /// Starts a search.
    pub(super) fn search(
        &mut self,
        watch: SearchProgress,
        limits: search::Limits,
        root_moves: Option<Vec<Move>>,
        history: Vec<u64>,
        kind: JobKind,
        at: Instant,
    ) {
        self.settle();
        let mut limits = limits;
        if let Some(clock) = &mut limits.clock {
            self.longest_clock = self.longest_clock.max(clock.left);
            clock.base = self.longest_clock;
        }
        let request = search::SearchRequest {
            position: watch.root,
            history,
            limits,
            root_moves,
            multipv: self.options.multipv,
        };
        let mut params = self.options.search.clone();
        if self.options.analyse || matches!(kind, JobKind::Analysis) {
            // Analysis: no book, no contempt and no handicap.
            let plain = search::SearchParams::default();
            (params.own_book, params.contempt) = (false, plain.contempt);
            (params.skill, params.limit_strength) = (plain.skill, false);
        }
        let engine = Arc::clone(&self.engine);
        let clock = match kind {
            JobKind::Best(AnswerGate { ponder: true, .. }) | JobKind::Ponder { .. } => {
                Clock::standing(at)
            }
            _ => Clock::started(at),
        };
        let job = Job::Search { engine, request: Box::new(request), params };
        self.start(job, kind, Some(watch), clock, self.options.threads);
    }

    /// Starts a job.
    pub(super) fn start(
        &mut self,
        job: Job,
        kind: JobKind,
        watch: Option<SearchProgress>,
        clock: Clock,
        threads: usize,
    ) {
        if self.debug {
            self.say(Event::Note(format!("{job:?} with {threads} threads")));
        }
        let running = self.occupy(kind, watch, clock);
        let start = Start {
            id: running.id,
            job,
            cancel: running.cancel.clone(),
            clock: Arc::clone(&running.clock),
            progress: Arc::clone(&running.progress),
            skips: Arc::clone(&running.skips),
            threads,
        };
        self.running = Some(running);
        self.effects.push(Effect::Start(Box::new(start)));
    }

    pub(super) fn occupy(
        &mut self,
        kind: JobKind,
        watch: Option<SearchProgress>,
        clock: Clock,
    ) -> RunningJob {
        self.jobs += 1;
        RunningJob {
            id: JobId(self.jobs),
            cancel: Cancel::default(),
            clock: Arc::new(clock),
            progress: Arc::new(Progress::default()),
            skips: Arc::default(),
            kind,
            watch,
            answer: AnswerState::Awaited,
        }
    }

    /// A search with nothing to look at: no job runs, but one answer is due all the same.
    fn answer_without_search(
        &mut self,
        watch: Option<SearchProgress>,
        gate: AnswerGate,
        at: Instant,
    ) {
        let answer = search::SearchAnswer {
            best: None,
            ponder: None,
            line: watch.as_ref().map(|watch| nothing_to_do(&watch.root)),
            ended: search::Ended::Complete,
        };
        let running = self.occupy(JobKind::Best(gate), watch, Clock::started(at));
        self.running = Some(running);
        self.answer(Answer::Search(answer));
    }

    pub(super) fn perft(&mut self, depth: u32, at: Instant) {
        if self.is_taken() {
            return;
        }
        match self.game.position() {
            Err(why) => {
                let why = format!("illegal position: {why}");
                self.refuse(why);
            }
            Ok(&position) => {
                let watch = self.watch(position, self.options.chess960, None);
                let kind = JobKind::Perft { depth, since: at };
                let job = Job::Perft { position, depth };
                self.start(job, kind, Some(watch), Clock::started(at), 1);
            }
        }
    }

    pub(super) fn bench(&mut self, wish: BenchRequest, at: Instant) {
        if self.is_taken() {
            return;
        }
        let params = search::SearchParams {
            hash_mib: wish.hash_mib.unwrap_or(search::bench::HASH_MIB),
            ..self.options.search.clone()
        };
        let current = match self.game.position() {
            Ok(position) => Some(*position),
            Err(why) if wish.positions == BenchPositions::Current => {
                let why = format!("illegal position: {why}");
                return self.refuse(why);
            }
            Err(_) => None,
        };
        let limit = wish.limit.unwrap_or(BenchLimit::Depth(search::bench::DEPTH));
        let job = Job::Bench { limit, positions: wish.positions, current, params };
        let kind = JobKind::Bench { since: at };
        self.start(job, kind, None, Clock::started(at), wish.threads.unwrap_or(1));
    }

    /// Ends the running job, and what waits behind it as soon as it starts.
    pub(super) fn stop(&mut self) {
        self.queue.stop();
        self.files.hurry();
        self.stop_work();
    }

    /// Ends the running job; its answer is still given.
    pub(super) fn stop_work(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.cancel.raise();
        match &mut running.kind {
            JobKind::Best(gate) | JobKind::Task { best: Some(gate), .. } => gate.open(),
            JobKind::Analysis | JobKind::Ponder { .. } => return self.abandon(),
            _ => {}
        }
        self.let_through();
    }

    pub(super) fn ponder_hit(&mut self, at: Instant) {
        self.table_player.ponder_hit();
        let Some(running) = &mut self.running else { return };
        if let JobKind::Best(gate) | JobKind::Task { best: Some(gate), .. } = &mut running.kind {
            gate.ponder = false;
            running.clock.start(at);
            self.let_through();
        }
    }

    /// Gives the answer that was withheld, if its gate is open now.
    fn let_through(&mut self) {
        let Some(running) = &mut self.running else { return };
        if running.may_answer()
            && let AnswerState::Withheld(answer) = std::mem::take(&mut running.answer)
        {
            self.answer_best(answer);
        }
    }

    /// Gives the answer to a request for a move, or withholds it until its gate opens.
    pub(super) fn answer_best(&mut self, answer: BestAnswer) {
        let Some(mut running) = self.running.take() else { return };
        if !running.may_answer() {
            running.answer = AnswerState::Withheld(answer);
            self.running = Some(running);
            return;
        }
        match (answer, running.watch) {
            (BestAnswer::Table(text), _) => {
                self.say(Event::FromTable(event::FromTable::Best(text)));
            }
            (BestAnswer::Search(answer), Some(watch)) => self.best(watch, answer),
            (BestAnswer::Search(_), None) => {
                self.say(Event::Best(Best { best: None, ponder: None }));
            }
        }
    }

    pub(super) fn fact(&mut self, fact: Fact) {
        if let Fact::Table(progress) = fact {
            return self.table_progress(progress);
        }
        let Some(running) = &mut self.running else { return };
        let event = match (fact, &mut running.watch) {
            (Fact::Search(search::SearchInfo::Depth(line)), Some(watch)) => {
                let silent = matches!(running.kind, JobKind::Ponder { .. } | JobKind::Hint);
                let event = (!silent).then(|| Event::Thought(watch.thought(line.clone())));
                if line.multipv == 1 {
                    watch.last = Some(line);
                }
                event
            }
            (Fact::Search(search::SearchInfo::CurrentMove { depth, mv, number }), Some(watch)) => {
                watch.current = Some((mv, number, depth));
                let loud = matches!(running.kind, JobKind::Best(_))
                    && watch.wants_root_move(running.clock.elapsed());
                loud.then(|| Event::RootMove(RootMove { played: watch.played(mv), depth, number }))
            }
            (Fact::Search(search::SearchInfo::NoMate { moves }), Some(_)) => {
                Some(Event::Note(format!("no mate in {moves}")))
            }
            (Fact::Branch(mv, nodes), Some(watch)) => {
                Some(Event::Branch { played: watch.played(mv), nodes })
            }
            (Fact::BenchLine(number, count, fen, nodes), _) => {
                Some(Event::BenchLine { number, count, fen, nodes })
            }
            (Fact::Begun, _) => {
                self.say_begun();
                None
            }
            (Fact::Message(message), _) => Some(Event::Message(message)),
            (Fact::Snapshot(snapshot), _) => Some(Event::Snapshot(snapshot)),
            (Fact::Search(_) | Fact::Branch(..), None) | (Fact::Table(_), _) => None,
        };
        self.effects.extend(event.map(Effect::Say));
    }

    pub(super) fn answer(&mut self, answer: Answer) {
        let Some(mut running) = self.running.take() else { return };
        match (&mut running.kind, answer) {
            (JobKind::Best(_) | JobKind::Task { best: Some(_), .. }, Answer::Search(answer)) => {
                self.running = Some(running);
                self.answer_best(BestAnswer::Search(answer));
            }
            (JobKind::Perft { depth, since }, Answer::Perft { nodes, complete }) => {
                let (depth, time) = (*depth, since.elapsed());
                self.say(Event::Counted { depth, nodes, time, complete });
                self.conclude(complete);
            }
            (JobKind::Bench { since }, Answer::Bench { nodes, keys, complete }) => {
                let time = since.elapsed();
                self.say(Event::BenchDone { nodes, keys, time, complete });
                self.conclude(complete);
            }
            (JobKind::Bench { .. }, Answer::Refused(why)) => {
                self.refuse(why);
                self.catch_up();
            }
            (JobKind::Task { .. }, Answer::Task(completion)) => self.task_done(running, completion),
            (JobKind::Task { .. }, Answer::Refused(why)) => self.task_refused(running, why),
            (JobKind::Build, Answer::Task(completion)) => self.built(completion),
            (_, Answer::Search(answer)) => self.game_answer(running, answer),
            // A job answers in its own kind; anything else would be a fault of `Job::run`.
            (
                _,
                Answer::Perft { .. }
                | Answer::Bench { .. }
                | Answer::Task(_)
                | Answer::Refused(_)
                | Answer::Opened(_),
            ) => {}
        }
    }

    fn conclude(&mut self, complete: bool) {
        self.exit = if complete { Status::Complete.exit() } else { Status::Stopped.exit() };
        self.catch_up();
    }

    /// Says the answer of a search: its last line, then the move.
    fn best(&mut self, watch: SearchProgress, answer: search::SearchAnswer) {
        // The line of the last iteration has been said; only newer figures are worth saying again.
        if let Some(line) = answer.line.clone().filter(|line| watch.is_newer(line)) {
            self.say(Event::Thought(watch.thought(line)));
        }
        let best = watch.best_move(&answer);
        let ponder = best.filter(|_| watch.ponder).and_then(|mv| {
            let before = watch.root.after(mv);
            let reply = answer.ponder.filter(|&reply| before.is_legal(reply))?;
            Some(Played { before, mv: reply, chess960: watch.chess960 })
        });
        self.say(Event::Best(Best { best: best.map(|mv| watch.played(mv)), ponder }));
    }

    pub(super) fn report_internal_error(&mut self, what: &str) {
        self.exit = Status::Internal.exit();
        self.say(Event::Trouble(internal_error(what)));
    }

    /// The job panicked, or could not be started. What was promised is given all the same: a legal
    /// move for a search, the end of a task.
    pub(super) fn failed(&mut self, what: &str) {
        if self.running.as_ref().is_some_and(RunningJob::is_building) {
            // Said once, where the end of the building is told.
            let why = internal_error(what);
            let done = super::Message::new(super::Domain::Egt, super::message::Kind::Done);
            let done = done.saying(why);
            return self.answer(Answer::Task(Completion { done, status: Status::Internal }));
        }
        self.report_internal_error(what);
        let Some(running) = &mut self.running else { return };
        if let JobKind::Task { domain, .. } = running.kind {
            let done = super::Message::new(domain, super::message::Kind::Done);
            return self.answer(Answer::Task(Completion { done, status: Status::Internal }));
        }
        if let Some(watch) = &running.watch
            && !matches!(running.kind, JobKind::Perft { .. })
        {
            let line = watch.last.clone();
            let best = line.as_ref().and_then(|line| line.pv.first().copied());
            let ended = search::Ended::Stopped;
            return self.answer(Answer::Search(search::SearchAnswer {
                best,
                ponder: None,
                line,
                ended,
            }));
        }
        self.running = None;
        self.catch_up();
    }
}

impl SearchProgress {
    /// True when the current root move is worth a line now.
    fn wants_root_move(&mut self, now: Duration) -> bool {
        let long_ago = self.said_at.is_none_or(|then| now >= then + ROOT_MOVE_GAP);
        let wanted = long_ago && (self.analyse || now >= QUIET);
        if wanted {
            self.said_at = Some(now);
        }
        wanted
    }

    pub(super) fn played(&self, mv: Move) -> Played {
        Played { before: self.root, mv, chess960: self.chess960 }
    }

    /// Whether a line says more than the last one that was reported.
    fn is_newer(&self, line: &search::PvLine) -> bool {
        self.last.as_ref().is_none_or(|last| {
            (last.depth, last.nodes, last.score, last.bound, &last.pv)
                != (line.depth, line.nodes, line.score, line.bound, &line.pv)
        })
    }

    pub(super) fn thought(&self, line: search::PvLine) -> Thought {
        Thought {
            root: self.root,
            chess960: self.chess960,
            wdl: self.show_wdl.then(|| wdl::chances(line.score)),
            several: self.several,
            line,
        }
    }

    /// The move of an answer. Should a search have none although there are legal moves, the best one
    /// seen, or any: a game is not lost by an engine that is silent.
    pub(super) fn best_move(&self, answer: &search::SearchAnswer) -> Option<Move> {
        if self.root_moves == 0 {
            return None;
        }
        let seen = || self.last.as_ref().and_then(|line| line.pv.first().copied());
        let legal = |mv: &Move| self.root.is_legal(*mv);
        let any = || self.root.legal_moves().into_iter().next();
        answer.best.filter(legal).or_else(|| seen().filter(legal)).or_else(any)
    }
}

/// What is said of a fault of the program.
fn internal_error(what: &str) -> String {
    format!("internal error, please report it: {what}")
}

/// The line of a search that had nothing to look at: mated, or nothing to choose from.
fn nothing_to_do(root: &Position) -> search::PvLine {
    let score = if root.is_mate() { search::Score::Mate(0) } else { search::Score::Cp(0) };
    search::PvLine {
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score,
        bound: search::Bound::Exact,
        nodes: 0,
        time: Duration::ZERO,
        hashfull: 0,
        tbhits: 0,
        pv: vec![],
    }
}

/// The limits for the side to move. A GUI that sends only the opponent's clock gets a search that
/// goes by that one: better than one that never ends.
fn limits(go: &Go, turn: Color) -> search::Limits {
    let own = |pair: [Option<i64>; 2]| pair[turn.index()].or(pair[(!turn).index()]);
    let ms = |ms: i64| Duration::from_millis(u64::try_from(ms).unwrap_or(0));
    let clock = own(go.clocks).map(|left| search::GameClock {
        left: ms(left),
        // The session knows what it was at the start of the game.
        base: ms(left),
        increment: ms(go.increments[turn.index()].unwrap_or(0)),
        moves_to_go: go.moves_to_go,
    });
    search::Limits {
        soft_nodes: None,
        depth: go.depth,
        nodes: go.nodes,
        mate: go.mate,
        movetime: go.movetime,
        clock,
        infinite: !go.is_limited(),
    }
}

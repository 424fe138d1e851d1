//! Searches requested by UCI's `go`, perft and bench: from the request to a job, and from the job's
//! reports to events.

use super::command::{BenchLimit, BenchPositions, BenchRequest, Go};
use super::event::Event;
use super::job::{Answer, Job};
use super::job_context::JobId;
use super::running_job::{AnswerGate, AnswerState, JobKind, RunningJob, WorkEnd};
use super::search_progress::SearchProgress;
use super::tasks::TaskLimits;
use super::{Effect, Session, Start};
use std::sync::Arc;
use std::time::{Duration, Instant};
use umbrail_chess::geometry::Color;
use umbrail_chess::{Move, Position};
use umbrail_control::{Cancel, Clock, Progress};
use umbrail_search as search;

impl Session {
    pub(super) fn go(&mut self, go: &Go, at: Instant) {
        if self.is_taken() {
            return;
        }
        let turn = self.game.position().map_or(Color::White, Position::turn);
        let limits = limits(go, turn, self.options.soft_nodes);
        if let Some(domain) = self.options.solver {
            // A solver ends on its own, and a bare `go` ends with it.
            let end = if go.infinite { WorkEnd::AtStop } else { WorkEnd::Bounded };
            let gate = AnswerGate { ponder: go.ponder, end };
            let limits = TaskLimits::of(
                &limits,
                Duration::from_millis(self.options.search.move_overhead_ms),
            );
            return self.task_from_board(domain, Some(gate), limits, at);
        }
        // A bare `go` has no limit, but answers when nothing is left to search.
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
        let watch = self.watch(position, root_moves.as_deref());
        if watch.root_moves == 0 {
            return self.answer_without_search(Some(watch), gate, at);
        }
        let kind = JobKind::Best(gate);
        self.search(watch, limits, root_moves, self.game.history(), kind, at);
    }

    /// Refuses a command while a job runs; true when it did.
    fn is_taken(&mut self) -> bool {
        let word = self.running.as_ref().map(RunningJob::word);
        if let Some(word) = word {
            self.write(Event::Note(format!("busy with {word}, send stop first")));
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
                    self.write(Event::Note(format!("illegal move {text} ({why}) is not searched")));
                }
            }
        }
        moves
    }

    /// Creates the progress record of a search from this position.
    pub(super) fn watch(&self, root: Position, moves: Option<&[Move]>) -> SearchProgress {
        let options = &self.options;
        SearchProgress {
            root,
            chess960: self.game.castling_mode().is_chess960(),
            show_wdl: options.show_wdl,
            analyse: options.analyse,
            ponder: options.ponder,
            several: options.multipv > 1,
            root_moves: moves.map_or_else(|| root.legal_moves().len(), <[Move]>::len),
            last: None,
            current: None,
            given_at: None,
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
        let is_game = matches!(kind, JobKind::Reply | JobKind::Ponder { .. });
        if let Some(rate) = Some(self.partner.rate).filter(|&rate| is_game && rate > 0) {
            // Positions count as time.
            params.nodestime = u32::try_from(rate / 1_000).unwrap_or(u32::MAX).max(1);
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
            let workers = if threads == 1 { "1 thread" } else { &format!("{threads} threads") };
            self.write(Event::Note(format!("{job} with {workers}")));
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

    /// Answers a search that has nothing to search: no job runs, but one answer is due. The score is
    /// reported at once, even if the answer has to wait for `stop`.
    fn answer_without_search(
        &mut self,
        mut watch: Option<SearchProgress>,
        gate: AnswerGate,
        at: Instant,
    ) {
        let answer = search::SearchAnswer {
            best: None,
            ponder: None,
            line: watch.as_ref().map(|watch| nothing_to_do(&watch.root)),
            ended: search::Ended::Complete,
        };
        if let (Some(watch), Some(line)) = (&mut watch, &answer.line) {
            self.write(Event::Thought(watch.thought(line.clone())));
            watch.last = Some(line.clone());
        }
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
                let watch = self.watch(position, None);
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
        let castling = self.game.castling_mode();
        let job = Job::Bench { limit, positions: wish.positions, current, castling, params };
        let kind = JobKind::Bench { since: at };
        self.start(job, kind, None, Clock::started(at), wish.threads.unwrap_or(1));
    }

    /// Ends the running job, and each waiting command as soon as it starts.
    pub(super) fn stop(&mut self) {
        self.queue.stop();
        self.files.hurry();
        self.stop_work();
    }

    /// Ends the running job, which still gives its answer.
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
}

/// Line of a search that has nothing to search, as after mate.
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

/// Factor of a soft limit of nodes at which a search ends within an iteration.
const HARD: u64 = 10;

/// Returns the limits for the side to move. If a GUI sends only the opponent's clock, the search
/// uses that clock, because otherwise it would never end.
fn limits(go: &Go, turn: Color, soft_nodes: bool) -> search::Limits {
    let own = |pair: [Option<i64>; 2]| pair[turn.index()].or(pair[(!turn).index()]);
    let ms = |ms: i64| Duration::from_millis(u64::try_from(ms).unwrap_or(0));
    let clock = own(go.clocks).map(|left| search::GameClock {
        left: ms(left),
        // The session knows the base time from the start of the game.
        base: ms(left),
        increment: ms(go.increments[turn.index()].unwrap_or(0)),
        moves_to_go: go.moves_to_go,
    });
    search::Limits {
        soft_nodes: go.nodes.filter(|_| soft_nodes),
        depth: go.depth,
        nodes: go.nodes.map(|nodes| if soft_nodes { nodes.saturating_mul(HARD) } else { nodes }),
        mate: go.mate,
        movetime: go.movetime,
        clock,
        infinite: !go.is_limited(),
    }
}

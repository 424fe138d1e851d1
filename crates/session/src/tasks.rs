//! Running of tasks: at most one job at a time; `start` before it, `done` exactly once after it.

use super::domain::{Domain, Task};
use super::event::Event;
use super::job::{Answer, Job};
use super::message::{Completion, Kind, Message};
use super::module::{Context, Prepared, SolverModule, Steps, Verb, module};
use super::running_job::{AnswerGate, BestAnswer, JobKind, RunningJob};
use super::status::Status;
use super::task_records::{TaskStart, TaskTotals};
use super::{Session, Value};
use crate::task_error::TaskError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use umbrail_control::Clock;
use umbrail_search as search;

impl Session {
    pub(super) fn task(&mut self, task: &Task, at: Instant) {
        self.run_task(task, None, TaskLimits::default(), at);
    }

    /// Starts the task for the current diagram at `go` with a solver chosen. With a gate a best
    /// move is owed, as in UCI.
    pub(super) fn task_from_board(
        &mut self,
        domain: Domain,
        gate: Option<AnswerGate>,
        limits: TaskLimits,
        at: Instant,
    ) {
        let made = match module(self.modules, domain) {
            None => Err(not_built(domain)),
            Some(module) => (module.from_board)(&self.context()),
        };
        match made {
            Ok(task) => self.run_task(&limits.reported(task, self.modules), gate, limits, at),
            Err(why) => {
                self.refuse_task(domain, why);
                if let Some(gate) = gate {
                    self.answer_task_without_move(domain, gate, at);
                }
            }
        }
    }

    fn run_task(&mut self, task: &Task, gate: Option<AnswerGate>, go: TaskLimits, at: Instant) {
        let domain = task.domain;
        if self.running.is_some() {
            return self.write(Event::Message(Message::error(domain, "busy")));
        }
        let module = module(self.modules, domain);
        let prepared = match module {
            None => Err(not_built(domain)),
            Some(module) => common_limits(task).and_then(|limits| {
                let verb = verb_of(module, task)?;
                verb.check_subject(task)?;
                Ok((limits, (verb.prepare)(task, &self.context())?))
            }),
        };
        match prepared {
            Err(why) => {
                self.refuse_task(domain, why);
                if let Some(gate) = gate {
                    self.answer_task_without_move(domain, gate, at);
                }
            }
            Ok((limits, Prepared { steps, workers })) => {
                let ponders = gate.as_ref().is_some_and(|gate| gate.ponder);
                let clock = if ponders { Clock::standing(at) } else { Clock::started(at) };
                if let Some(time) = limits.time.into_iter().chain(go.time).min() {
                    clock.limit(time);
                }
                let reads = matches!(steps, Steps::Load(_));
                let job = Job::Task { domain, verb: task.verb, steps };
                let verb = module.and_then(|module| module.verb(task.verb));
                let background = verb.is_some_and(|verb| verb.background);
                let started = !reads;
                let kind = JobKind::Task { domain, since: at, started, background, best: gate };
                let threads = limits.threads.or(workers).unwrap_or(self.options.threads);
                if started {
                    let id = self.jobs + 1;
                    self.write(Event::Message(start_message(domain, id)));
                }
                self.start(job, kind, None, clock, threads);
            }
        }
    }

    /// Reports the start of the running task's work: its files, if it names any, are read.
    pub(super) fn write_started(&mut self) {
        if let Some(RunningJob { id, kind: JobKind::Task { domain, started, .. }, .. }) =
            &mut self.running
            && !std::mem::replace(started, true)
        {
            let start = start_message(*domain, id.0);
            self.write(Event::Message(start));
        }
    }

    fn context(&self) -> Context {
        Context {
            options: self.options.clone(),
            game: self.game.clone(),
            store: self.store.clone(),
            watched: self.watched,
        }
    }

    /// Handles a task with a file that cannot be used.
    pub(super) fn task_refused(&mut self, running: RunningJob, why: TaskError) {
        let JobKind::Task { domain, best, .. } = running.kind else { return };
        self.refuse_task(domain, why);
        if let Some(gate) = best {
            self.answer_task_without_move(domain, gate, self.now);
        }
        self.catch_up();
    }

    fn refuse_task(&mut self, domain: Domain, why: TaskError) {
        self.exit = Status::Refused.exit();
        self.write(Event::Message(Message::error(domain, why.to_string())));
    }

    /// Gives the one answer that is owed to the `go` of a refused task.
    fn answer_task_without_move(&mut self, domain: Domain, gate: AnswerGate, at: Instant) {
        let kind =
            JobKind::Task { domain, since: at, started: true, background: false, best: Some(gate) };
        self.running = Some(self.occupy(kind, None, Clock::started(at)));
        self.answer(Answer::Search(no_move()));
    }

    pub(super) fn task_done(&mut self, running: RunningJob, completion: Completion) {
        // Reading the files was stopped: without a start there is no end to report.
        self.running = Some(running);
        self.write_started();
        let Some(mut running) = self.running.take() else { return };
        let JobKind::Task { since, best, .. } = &mut running.kind else { return };
        let ms = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let owed = best.is_some();
        let (id, nodes) = (running.id.0, running.progress.nodes.get());
        let status = completion.status.word();
        let mut done = completion.done;
        done.words.splice(0..0, [("id", Value::from(id)), ("status", status.into())]);
        let mut done = done.with("time", ms).with("nodes", nodes);
        done.data.prepend(&TaskTotals { id, status, elapsed_ms: ms, nodes });
        self.exit = completion.status.exit();
        let best = done.words.iter().find(|(key, _)| *key == "best");
        let best = best.map(|(_, best)| best.to_string());
        self.write(Event::Message(done));
        if owed {
            self.running = Some(running);
            match best {
                Some(best) => self.answer_best(BestAnswer::Table(best)),
                None => self.answer(Answer::Search(no_move())),
            }
        }
        self.catch_up();
    }

    /// Makes the running task of this domain skip its current part.
    pub(super) fn skip(&mut self, domain: Domain) {
        match &self.running {
            Some(RunningJob { kind: JobKind::Task { domain: running, .. }, skips, .. })
                if *running == domain =>
            {
                // Relaxed ordering suffices: the count guards no other data.
                skips.fetch_add(1, Ordering::Relaxed);
            }
            _ => {
                let why = "nothing runs that could skip a part";
                self.write(Event::Message(Message::error(domain, why)));
            }
        }
    }
}

fn verb_of(module: &SolverModule, task: &Task) -> Result<&'static Verb, TaskError> {
    module
        .verb(task.verb)
        .ok_or_else(|| format!("{} has no verb {}", task.domain.word(), task.verb).into())
}

fn not_built(domain: Domain) -> TaskError {
    format!("{} ({}) is not built into this version yet", domain.word(), domain.about()).into()
}

pub(super) fn no_move() -> search::SearchAnswer {
    let ended = search::Ended::Complete;
    search::SearchAnswer { best: None, ponder: None, line: None, ended }
}

/// Limits that a `go` sets for its task. The depth does not apply: a task ends on its own.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TaskLimits {
    time: Option<Duration>,
    nodes: Option<u64>,
}

/// Number of moves that a clock without a time control must last.
const MOVES_LEFT: u32 = 20;

impl TaskLimits {
    /// Converts the limits of a search to those of a task. `overhead` is lost between the answer
    /// and the GUI's clock.
    pub(super) fn of(limits: &search::Limits, overhead: Duration) -> Self {
        if limits.infinite {
            return Self::default();
        }
        let of_clock = limits.clock.as_ref().map(|clock| {
            let usable = clock.left.saturating_sub(overhead.min(clock.left / 2));
            let moves = clock.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
            (usable / moves + clock.increment / 2).min(usable / 10 * 9)
        });
        let fixed = limits.movetime.map(|time| time.saturating_sub(overhead / 2));
        Self { time: of_clock.into_iter().chain(fixed).min(), nodes: limits.nodes }
    }

    /// Limits a task by the time for a move only.
    pub(super) fn of_time(time: Option<Duration>) -> Self {
        Self { time, nodes: None }
    }

    /// Returns the task with the node limit, if its verb has one.
    fn reported(self, mut task: Task, modules: &'static [SolverModule]) -> Task {
        let verb = module(modules, task.domain).and_then(|module| module.verb(task.verb));
        if let Some(nodes) = self.nodes
            && let Some(key) = verb.and_then(|verb| verb.key("nodes"))
        {
            task.keys.push((key.name, nodes.to_string()));
        }
        task
    }
}

/// Keys with one meaning for every verb.
struct CommonLimits {
    time: Option<Duration>,
    threads: Option<usize>,
}

fn common_limits(task: &Task) -> Result<CommonLimits, TaskError> {
    let number = |key: &str, expects: std::ops::RangeInclusive<u64>| match task.key(key) {
        None => Ok(None),
        Some(text) => match text.parse::<u64>() {
            Ok(number) if expects.contains(&number) => Ok(Some(number)),
            _ => {
                Err(TaskError::expects(key, format_args!("{}..{}", expects.start(), expects.end()))
                    .got(text))
            }
        },
    };
    let most = super::options::THREADS_MAX.unsigned_abs();
    Ok(CommonLimits {
        time: number("time", 0..=u64::MAX / 2000)?.map(Duration::from_millis),
        threads: number("threads", 1..=most)?.map(|threads| threads as usize),
    })
}

fn start_message(domain: Domain, id: u64) -> Message {
    Message::new(domain, Kind::Start).with("id", id).holding(&TaskStart { id })
}

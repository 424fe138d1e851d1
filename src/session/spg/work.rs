//! Doing what was asked: solving one problem or a sheet of them, checking a game, finding the length.

use super::super::snapshot::Snapshot;
use super::files::Exports;
use super::journal::{self, JournalFile};
use super::keep::{self, StrategyFile};
use super::observer::{LOOK, Observer};
use super::problems::{self, PosedProblem, SolveSettings};
use super::tell;
use crate::proof::files::archive::Archive;
use crate::proof::report::{length, sentence};
use crate::proof::run::{
    Fact, Journal, Params, Persistence, ProblemVerdict, RunControl, RunReport, solve,
};
use crate::proof::run::{StrategyList, StrategySink};
use crate::proof::{Length, Problem, game_of, verify};
use crate::session::domain::{Domain, Task};
use crate::session::message::{Completion, Kind, Message, Value};
use crate::session::module::{Context, Prepared, Work};
use crate::session::stage::{Fact as JobFact, Stage};
use crate::session::status::Status;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often it is looked whether the user wants to skip a strategy.
const SKIP_PULSE: Duration = Duration::from_millis(50);

/// Problems, each or why it cannot be read, and the name of their file if they have one.
type Sheet = (Option<String>, Vec<Result<PosedProblem, String>>);

/// The keys that name files which one run keeps beside its results.
const RUN_FILES: [&str; 3] = ["archive", "strategies-out", "strategies-in"];

pub(super) fn solving(
    task: &Task,
    settings: SolveSettings,
    context: &Context,
) -> Result<Prepared, String> {
    if task.key("resume").is_some() && task.key("archive").is_none() {
        return Err("resume wants the key archive and a file".to_owned());
    }
    if task.key("strategies-in").is_some() && task.key("archive").is_some() {
        return Err("strategies-in takes the place of seeking, which an archive keeps".to_owned());
    }
    let (task, watched) = (task.clone(), context.watched);
    let problems = match (task.subject.as_slice(), &task.text) {
        ([path], _) => {
            let path = path.clone();
            return Ok(Prepared::load(move |stage| {
                let problems = problems::of_text(&path, &stage.read_text(&path)?, &settings)?;
                solver(&task, (Some(path), problems), watched, stage)
            }));
        }
        ([], Some(text)) => problems::of_text("example", text, &settings)?,
        ([], None) => vec![Ok(problems::one(&task, &settings, context)?)],
        (several, _) => {
            return Err(format!("expected one file of problems, got {}", several.len()));
        }
    };
    if RUN_FILES.iter().any(|key| task.key(key).is_some()) {
        return Ok(Prepared::load(move |stage| solver(&task, (None, problems), watched, stage)));
    }
    let exports = Exports::of(&task, None);
    Ok(solve_all(problems, RunFiles::default(), exports, watched).into())
}

/// Opens the files of a run, which are for one problem.
fn solver(
    task: &Task,
    (file, mut problems): Sheet,
    watched: bool,
    stage: &Stage<'_>,
) -> Result<Work, String> {
    let exports = Exports::of(task, file.as_deref());
    let files = match problems.as_mut_slice() {
        [Ok(posed)] => RunFiles::open(task, posed, stage)?,
        _ => {
            if let Some(key) = RUN_FILES.iter().find(|key| task.key(key).is_some()) {
                return Err(format!("{key} is for one problem, the file has several"));
            }
            RunFiles::default()
        }
    };
    Ok(solve_all(problems, files, exports, watched))
}

fn solve_all(
    problems: Vec<Result<PosedProblem, String>>,
    files: RunFiles,
    exports: Exports,
    watched: bool,
) -> Work {
    Box::new(move |stage| match problems.as_slice() {
        [Ok(posed)] => {
            if let Some((_, done)) = files.archive.as_ref().filter(|_| files.resumed) {
                stage.message(tell::resumed(done));
            }
            let observer = watched.then(|| Observer::new(posed, (1, 1)));
            let (report, status) = run(posed, files.keeping(), observer, stage);
            let closed = files.close(&report);
            let mut done = tell::verdict(Kind::Done, "end", posed, &report);
            let mut faults = exports.write(&[(posed, report)], &mut done.page);
            faults.extend(closed);
            Completion { done, status: told(faults, stage).unwrap_or(status) }
        }
        _ => all(&problems, &exports, watched, stage),
    })
}

/// The files that one run keeps beside its results.
#[derive(Default)]
struct RunFiles {
    archive: Option<(JournalFile, Archive)>,
    resumed: bool,
    kept: Option<StrategyFile>,
    read: Option<StrategyList>,
}

impl RunFiles {
    fn open(task: &Task, posed: &mut PosedProblem, stage: &Stage<'_>) -> Result<Self, String> {
        let resumed = task.key("resume").is_some();
        let read = task.key("strategies-in");
        let read = read.map(|path| keep::read(path, posed, stage)).transpose()?;
        let kept = task.key("strategies-out");
        let kept = kept.map(|path| StrategyFile::create(path, posed)).transpose()?;
        let archive = task.key("archive");
        let archive =
            archive.map(|path| JournalFile::open(path, resumed, posed, stage)).transpose()?;
        Ok(Self { archive, resumed, kept, read })
    }

    fn keeping(&self) -> Persistence<'_> {
        Persistence {
            done: self.archive.as_ref().map(|(_, done)| &done.claims),
            journal: self.archive.as_ref().map(|(journal, _)| journal as &dyn Journal),
            strategies: self.read.as_ref(),
            sink: self.kept.as_ref().map(|kept| kept as &dyn StrategySink),
        }
    }

    /// Ends all files; gives back what failed.
    fn close(self, report: &RunReport) -> Vec<String> {
        let archive = self.archive.map_or(Ok(()), |(journal, _)| journal.close());
        let kept = self.kept.map_or(Ok(()), |kept| kept.close(report));
        [archive, kept].into_iter().filter_map(Result::err).collect()
    }
}

/// Tells faults, if there are any.
fn told(faults: Vec<String>, stage: &Stage<'_>) -> Option<Status> {
    let failed = !faults.is_empty();
    faults.into_iter().for_each(|fault| stage.message(Message::error(Domain::Spg, fault)));
    failed.then_some(Status::Refused)
}

/// A sheet: one problem after the other, a broken one is told and left behind.
fn all(
    problems: &[Result<PosedProblem, String>],
    exports: &Exports,
    watched: bool,
    stage: &Stage<'_>,
) -> Completion {
    let mut solved = vec![];
    let mut worst = Status::Complete;
    let mut verdicts = vec![];
    for (at, problem) in problems.iter().enumerate() {
        match problem {
            Err(why) => {
                stage.message(Message::error(Domain::Spg, why.clone()));
                worst = Status::Refused;
            }
            Ok(posed) => {
                stage.message(tell::problem(
                    at + 1,
                    problems.len(),
                    &posed.problem,
                    posed.title.as_deref(),
                ));
                let observer = watched.then(|| Observer::new(posed, (at + 1, problems.len())));
                let (report, status) = run(posed, Persistence::default(), observer, stage);
                stage.message(tell::verdict(Kind::Result, "verdict", posed, &report));
                verdicts.push(report.verdict().to_string());
                solved.push((posed, report));
                if status != Status::Complete && worst == Status::Complete {
                    worst = status;
                }
            }
        }
        if stage.cancel.is_raised() {
            break;
        }
    }
    let mut done = tell::message(Kind::Done, "end").with("count", solved.len() as u64);
    let list = verdicts.iter().map(|verdict| Value::from(verdict.as_str())).collect();
    done.data = vec![("verdicts", Value::List(list))];
    let faults = exports.write(&solved, &mut done.page);
    Completion { done, status: told(faults, stage).unwrap_or(worst) }
}

/// Solves one problem and tells each game as soon as it is known; with a observer, snapshots too.
pub(super) fn run(
    posed: &PosedProblem,
    keeping: Persistence<'_>,
    observer: Option<Observer<'_>>,
    stage: &Stage<'_>,
) -> (RunReport, Status) {
    posed.comments.iter().filter(|line| line.starts_with("warning: ")).for_each(|warning| {
        stage.message(tell::message(Kind::Progress, "warning").saying(warning.as_str()));
    });
    let run_control = RunControl::default();
    let observer = observer.map(Mutex::new);
    if observer.is_some() {
        run_control.watch.open();
    }
    let paint = |snapshot: Snapshot| (stage.tell)(JobFact::Snapshot(Box::new(snapshot)));
    let shown = Mutex::new(HashSet::new());
    let tell = |Fact::Success(success): Fact| {
        if let Some(observer) = &observer {
            observer.lock().unwrap_or_else(PoisonError::into_inner).meet(&success);
        }
        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
        for game in &success.games {
            if shown.insert(game.clone()) {
                stage.message(tell::solution(shown.len() as u64, &success, game, posed.style));
            }
        }
    };
    let over = AtomicBool::new(false);
    let report = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut skips = stage.skips();
            let mut looked: Option<Instant> = None;
            while !over.load(Ordering::Relaxed) {
                let now = stage.skips();
                if std::mem::replace(&mut skips, now) != now {
                    run_control.skip();
                }
                if let Some(observer) = &observer
                    && looked.is_none_or(|looked| looked.elapsed() >= LOOK)
                {
                    looked = Some(Instant::now());
                    let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
                    paint(observer.look(&run_control.watch, stage.progress));
                }
                std::thread::park_timeout(SKIP_PULSE);
            }
        });
        let report =
            solve(&posed.problem, &posed.params, &run_control, keeping, &stage.control(&tell));
        over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        report
    });
    if let Some(observer) = &observer {
        let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
        paint(observer.end(&run_control.watch, stage.progress, &report));
    }
    for fault in &report.faults {
        stage.message(Message::error(
            Domain::Spg,
            format!("internal error, please report: {fault}"),
        ));
    }
    if posed.params.histogram {
        stage.message(tell::histogram(posed, &report));
    }
    let status = match report.verdict() {
        _ if !report.faults.is_empty() => Status::Internal,
        _ if stage.clock.is_over() => Status::Limit,
        _ if stage.cancel.is_raised() => Status::Stopped,
        ProblemVerdict::Partial if !posed.params.histogram => Status::Limit,
        _ => Status::Complete,
    };
    (report, status)
}

/// `spg check`: is this game a solution?
pub(super) fn checking(
    task: &Task,
    settings: SolveSettings,
    context: &Context,
) -> Result<Prepared, String> {
    let problem = problems::one(task, &settings, context)?.problem;
    let told = task.text.clone().ok_or("expected a game behind 'text'")?;
    let game = game_of(&problems::bare_moves(&told)).map_err(|error| error.to_string())?;
    Ok(Prepared::work(move |_| {
        let done = tell::message(Kind::Done, "end");
        match verify(&problem, &game) {
            Ok(()) => Completion {
                done: done.with("fits", Value::Truth(true)).saying("the game reaches the diagram"),
                status: Status::Complete,
            },
            Err(fault) => Completion {
                done: done.with("fits", Value::Truth(false)).saying(fault.to_string()),
                status: Status::NotAsRequired,
            },
        }
    }))
}

/// `spg merge` and `spg verify`: what archives prove.
pub(super) fn merging(task: &Task, _: SolveSettings, _: &Context) -> Result<Prepared, String> {
    let paths = task.subject.clone();
    Ok(Prepared::load(move |stage| merger(&paths, stage)))
}

fn merger(paths: &[String], stage: &Stage<'_>) -> Result<Work, String> {
    let (header, archive) = journal::join(paths, stage)?;
    let problem = header.problem().map_err(|error| error.to_string())?;
    let missing = archive.missing(&header).map_err(|error| error.to_string())?;
    let report = archive.report(&header).map_err(|error| error.to_string())?;
    Ok(Box::new(move |stage| {
        for (at, (success, game)) in report.games().enumerate() {
            let style = PosedProblem::new(problem, Params::default()).style;
            stage.message(tell::solution(at as u64 + 1, success, game, style));
        }
        for what in &missing {
            stage.message(tell::message(Kind::Result, "missing").saying(what.as_str()));
        }
        let posed = PosedProblem::new(problem, Params::default());
        let mut done = tell::verdict(Kind::Done, "end", &posed, &report);
        done.data.push(("claims", Value::from(archive.claims.len() as u64)));
        done.data.push(("damaged", Value::from(archive.damaged as u64)));
        done.page = vec![sentence(&problem, &report)];
        let status = if missing.is_empty() { Status::Complete } else { Status::Limit };
        Completion { done, status }
    }))
}

/// `spg min`: the first length that has a game, and what is known of the shorter ones.
pub(super) fn least(
    task: &Task,
    settings: SolveSettings,
    context: &Context,
) -> Result<Prepared, String> {
    let diagram = problems::diagram(task, context)?;
    let params = Params { games_max: 2, ..settings.params };
    let bound = |key: &str, otherwise: u16| task.key(key).map_or(Ok(otherwise), problems::in_moves);
    let (from, to) = (bound("from", 0)?, bound("to", 60)?);
    Ok(Prepared::work(move |stage| {
        let mut none = vec![];
        for plies in from..=to {
            let problem = Problem { diagram, plies, length: Length::Exact };
            let posed = PosedProblem::new(problem, params.clone());
            let (report, status) = run(&posed, Persistence::default(), None, stage);
            let mut message = tell::verdict(Kind::Result, "length", &posed, &report);
            message.words.insert(0, ("moves", Value::from(length(usize::from(plies)).as_str())));
            message.page = vec![sentence(&posed.problem, &report)];
            match report.verdict() {
                ProblemVerdict::None => none.push(plies),
                ProblemVerdict::Partial => {
                    stage.message(message);
                    let done = tell::message(Kind::Done, "end").with("moves", Value::Null);
                    return Completion { done: done.saying("not known"), status };
                }
                _ => {
                    stage.message(message);
                    let mut done = tell::message(Kind::Done, "end")
                        .with("moves", length(usize::from(plies)).as_str())
                        .with("plies", u64::from(plies));
                    let proved = none.iter().map(|&plies| Value::from(u64::from(plies))).collect();
                    done.data = vec![("none", Value::List(proved))];
                    let least = length(usize::from(plies));
                    let text =
                        format!("least length {least}, no game in any shorter number of moves");
                    return Completion { done: done.saying(text), status: Status::Complete };
                }
            }
        }
        let text = format!("no game in up to {} moves", length(usize::from(to)));
        Completion { done: tell::message(Kind::Done, "end").saying(text), status: Status::Complete }
    }))
}

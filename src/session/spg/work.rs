//! Doing what was asked: solving one problem or a sheet of them, checking a game, finding the length.

use super::journal::{self, JournalFile};
use super::task::{self, Posed};
use super::tell;
use crate::proof::report::{Credits, html, latex, length, pgn, sentence, text};
use crate::proof::solve::{Fact, Journal, Keeping, Params, Report, Steer, Verdict, solve};
use crate::proof::{Length, Problem, game_of, verify};
use crate::session::errand::{Domain, Ending, Errand, Kind, News, Surroundings, Value, Work};
use crate::session::job::{Stage, Status};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often it is looked whether the user wants to skip a strategy.
const SKIP_PULSE: Duration = Duration::from_millis(50);

pub(super) fn solving(errand: &Errand, around: &Surroundings<'_>) -> Result<Work, String> {
    let (file, problems) = match errand.subject.first() {
        Some(path) => (Some(path.clone()), task::sheet(path, errand, around)?),
        None => (None, vec![Ok(task::one(errand, around)?)]),
    };
    let output = errand.key("output").map(str::to_owned).or_else(|| file.as_deref().map(beside));
    let exports = ["pgn", "latex", "html"]
        .map(|kind| (kind, errand.key(kind).map(str::to_owned)))
        .into_iter()
        .filter_map(|(kind, path)| path.map(|path| (kind, path)))
        .collect();
    let desk = Desk { output, exports };
    let archive = errand.key("archive").map(str::to_owned);
    let resume = errand.key("resume").is_some();
    let alone = match problems.as_slice() {
        [Ok(posed)] => Some(posed.clone()),
        _ => None,
    };
    if archive.is_none() && resume {
        return Err("resume wants the key archive and a file".to_owned());
    }
    let kept = match (&archive, &alone) {
        (Some(path), Some(posed)) => Some(JournalFile::open(path, resume, posed)?),
        (Some(_), None) => {
            return Err("an archive is for one problem, the file has several".to_owned());
        }
        (None, _) => None,
    };
    Ok(Box::new(move |stage| match problems.as_slice() {
        [Ok(posed)] => {
            if let Some((_, done)) = kept.as_ref().filter(|_| resume) {
                stage.news(tell::resumed(done));
            }
            let keeping = Keeping {
                done: kept.as_ref().map(|(_, done)| done),
                journal: kept.as_ref().map(|(journal, _)| journal as &dyn Journal),
            };
            let (report, status) = run(posed, keeping, stage);
            let closed = kept.map_or(Ok(()), |(journal, _)| journal.close());
            let mut done =
                tell::verdict(Kind::Done, "end", &posed.problem, &report, posed.params.intended);
            let mut faults = desk.write(&[(posed, report)], &mut done.page);
            faults.extend(closed.err());
            Ending { done, status: told(faults, stage).unwrap_or(status) }
        }
        _ => all(&problems, &desk, stage),
    }))
}

/// The result file beside a problem file: `problems_out.txt` beside `problems.txt`.
fn beside(path: &str) -> String {
    let path = std::path::Path::new(path);
    let stem = path.file_stem().map_or_else(|| "problems".into(), |stem| stem.to_string_lossy());
    path.with_file_name(format!("{stem}_out.txt")).to_string_lossy().into_owned()
}

/// Tells faults, if there are any.
fn told(faults: Vec<String>, stage: &Stage<'_>) -> Option<Status> {
    let failed = !faults.is_empty();
    faults.into_iter().for_each(|fault| stage.news(News::error(Domain::Spg, fault)));
    failed.then_some(Status::Refused)
}

/// A sheet: one problem after the other, a broken one is told and left behind.
fn all(problems: &[Result<Posed, String>], desk: &Desk, stage: &Stage<'_>) -> Ending {
    let mut solved = vec![];
    let mut worst = Status::Complete;
    let mut verdicts = vec![];
    for (at, problem) in problems.iter().enumerate() {
        match problem {
            Err(why) => {
                stage.news(News::error(Domain::Spg, why.clone()));
                worst = Status::Refused;
            }
            Ok(posed) => {
                stage.news(tell::problem(
                    at + 1,
                    problems.len(),
                    &posed.problem,
                    posed.title.as_deref(),
                ));
                let (report, status) = run(posed, Keeping::default(), stage);
                let intended = posed.params.intended;
                stage.news(tell::verdict(
                    Kind::Result,
                    "verdict",
                    &posed.problem,
                    &report,
                    intended,
                ));
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
    let mut done = tell::news(Kind::Done, "end").with("count", solved.len() as u64);
    let list = verdicts.iter().map(|verdict| Value::from(verdict.as_str())).collect();
    done.data = vec![("verdicts", Value::List(list))];
    let faults = desk.write(&solved, &mut done.page);
    Ending { done, status: told(faults, stage).unwrap_or(worst) }
}

/// Solves one problem and tells each game as soon as it is known.
fn run(posed: &Posed, keeping: Keeping<'_>, stage: &Stage<'_>) -> (Report, Status) {
    posed.comments.iter().filter(|line| line.starts_with("warning: ")).for_each(|warning| {
        stage.news(tell::news(Kind::Progress, "warning").saying(warning.as_str()));
    });
    let steer = Steer::default();
    let shown = Mutex::new(HashSet::new());
    let tell = |Fact::Success(success): Fact| {
        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
        for game in &success.games {
            if shown.insert(game.clone()) {
                stage.news(tell::solution(shown.len() as u64, &success, game));
            }
        }
    };
    let over = AtomicBool::new(false);
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut skips = stage.skips();
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(SKIP_PULSE);
                if std::mem::replace(&mut skips, stage.skips()) != stage.skips() {
                    steer.skip();
                }
            }
        });
        let report = solve(&posed.problem, &posed.params, &steer, keeping, &stage.control(&tell));
        over.store(true, Ordering::Relaxed);
        report
    });
    for fault in &report.faults {
        stage.news(News::error(Domain::Spg, format!("internal error, please report: {fault}")));
    }
    if posed.params.histogram {
        stage.news(tell::histogram(&report));
    }
    let status = match report.verdict() {
        _ if !report.faults.is_empty() => Status::Internal,
        _ if stage.clock.is_over() => Status::Limit,
        _ if stage.cancel.is_raised() => Status::Stopped,
        Verdict::Partial if !posed.params.histogram => Status::Limit,
        _ => Status::Complete,
    };
    (report, status)
}

/// Where results are written.
struct Desk {
    output: Option<String>,
    exports: Vec<(&'static str, String)>,
}

impl Desk {
    /// Writes all files and adds a line for each to the page; gives back what failed.
    fn write(&self, solved: &[(&Posed, Report)], page: &mut Vec<String>) -> Vec<String> {
        let mut faults = vec![];
        let mut write = |path: &str, text: String| match std::fs::write(path, text) {
            Ok(()) => page.push(format!("wrote {path}")),
            Err(error) => faults.push(format!("cannot write {path}: {error}")),
        };
        if let Some(path) = &self.output {
            write(path, solved.iter().map(|(posed, report)| record(posed, report)).collect());
        }
        for (kind, path) in &self.exports {
            let mut text = String::new();
            for (posed, report) in solved {
                let credits = Credits { title: posed.title.as_deref(), comments: &posed.comments };
                match *kind {
                    "latex" => text += &latex::diagram(&posed.problem, &credits, report),
                    "html" => text += &html::page(&posed.problem, &credits, report),
                    _ => {
                        for (at, (success, game)) in report.games().enumerate() {
                            let strategy = success.strategy.to_string();
                            text += &pgn::game(&posed.problem, &credits, at + 1, &strategy, game);
                            text.push('\n');
                        }
                    }
                }
            }
            write(path, text);
        }
        faults
    }
}

/// One problem of the result file.
fn record(posed: &Posed, report: &Report) -> String {
    let mut out = String::new();
    for line in posed.title.iter().chain(&posed.comments) {
        let _ = writeln!(out, "{line}");
    }
    let _ = writeln!(out, "{}", posed.problem.diagram);
    for line in text::board(&posed.problem.diagram, posed.problem.plies) {
        let _ = writeln!(out, "{line}");
    }
    for success in &report.successes {
        let _ = writeln!(out, "\n{}", text::table(success).join("\n"));
        for game in &success.games {
            let _ = writeln!(out, "{}", text::numbered(game, 'S'));
        }
    }
    let counts = &report.counts;
    let _ = writeln!(out, "\n{}", sentence(&posed.problem, report));
    let _ = writeln!(out, "verdict: {}", report.verdict());
    let _ = writeln!(out, "length: {}", length(usize::from(posed.problem.plies)));
    let _ = writeln!(out, "solutions: {}", report.count());
    let _ = writeln!(out, "cook-strategies: {}", report.cooks().count());
    let _ = writeln!(out, "complete: {}", report.is_complete());
    let _ = writeln!(
        out,
        "strategies: {} found, {} kept, {} played\nmoves: {}\nversion: {}\n",
        counts.found,
        counts.kept,
        counts.played,
        counts.moves,
        env!("CARGO_PKG_VERSION")
    );
    out
}

/// `spg check`: is this game a solution?
pub(super) fn checking(errand: &Errand, around: &Surroundings<'_>) -> Result<Work, String> {
    let problem = task::one(errand, around)?.problem;
    let told = errand.text.clone().ok_or("expected a game behind 'text'")?;
    // Move numbers, results and check signs may stand; the moves are what is read.
    let words: Vec<&str> = told
        .split_whitespace()
        .map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.'))
        .filter(|word| !word.is_empty() && !matches!(*word, "*" | "-0" | "-1" | "/2-1/2"))
        .collect();
    let game = game_of(&words.join(" ")).map_err(|error| error.to_string())?;
    Ok(Box::new(move |_| {
        let done = tell::news(Kind::Done, "end");
        match verify(&problem, &game) {
            Ok(()) => Ending {
                done: done.with("fits", Value::Truth(true)).saying("the game reaches the diagram"),
                status: Status::Complete,
            },
            Err(fault) => Ending {
                done: done.with("fits", Value::Truth(false)).saying(fault.to_string()),
                status: Status::NotAsRequired,
            },
        }
    }))
}

/// `spg merge` and `spg verify`: what archives prove.
pub(super) fn merging(errand: &Errand) -> Result<Work, String> {
    let (header, archive) = journal::join(&errand.subject)?;
    let problem = header.problem().map_err(|error| error.to_string())?;
    let missing = archive.missing(&header).map_err(|error| error.to_string())?;
    let report = archive.report(&header).map_err(|error| error.to_string())?;
    Ok(Box::new(move |stage| {
        for (at, (success, game)) in report.games().enumerate() {
            stage.news(tell::solution(at as u64 + 1, success, game));
        }
        for what in &missing {
            stage.news(tell::news(Kind::Result, "missing").saying(what.as_str()));
        }
        let mut done = tell::verdict(Kind::Done, "end", &problem, &report, 1);
        done.data.push(("claims", Value::from(archive.claims.len() as u64)));
        done.data.push(("damaged", Value::from(archive.damaged as u64)));
        done.page = vec![sentence(&problem, &report)];
        let status = if missing.is_empty() { Status::Complete } else { Status::Limit };
        Ending { done, status }
    }))
}

/// `spg min`: the first length that has a game, and what is known of the shorter ones.
pub(super) fn least(errand: &Errand, around: &Surroundings<'_>) -> Result<Work, String> {
    let diagram = task::diagram(errand, around)?;
    let params = Params { games_max: 2, ..task::params(errand, around)? };
    let bound = |key: &str, otherwise: u16| errand.key(key).map_or(Ok(otherwise), task::in_moves);
    let (from, to) = (bound("from", 0)?, bound("to", 60)?);
    Ok(Box::new(move |stage| {
        let mut none = vec![];
        for plies in from..=to {
            let problem = Problem { diagram, plies, length: Length::Exact };
            let (title, comments) = (None, vec![]);
            let posed = Posed { problem, params: params.clone(), title, comments };
            let (report, status) = run(&posed, Keeping::default(), stage);
            let mut news =
                tell::verdict(Kind::Result, "length", &posed.problem, &report, params.intended);
            news.words.insert(0, ("moves", Value::from(length(usize::from(plies)).as_str())));
            news.page = vec![sentence(&posed.problem, &report)];
            match report.verdict() {
                Verdict::None => none.push(plies),
                Verdict::Partial => {
                    stage.news(news);
                    let done = tell::news(Kind::Done, "end").with("moves", Value::Null);
                    return Ending { done: done.saying("not known"), status };
                }
                _ => {
                    stage.news(news);
                    let mut done = tell::news(Kind::Done, "end")
                        .with("moves", length(usize::from(plies)).as_str())
                        .with("plies", u64::from(plies));
                    let proved = none.iter().map(|&plies| Value::from(u64::from(plies))).collect();
                    done.data = vec![("none", Value::List(proved))];
                    let least = length(usize::from(plies));
                    let text =
                        format!("least length {least}, no game in any shorter number of moves");
                    return Ending { done: done.saying(text), status: Status::Complete };
                }
            }
        }
        let text = format!("no game in up to {} moves", length(usize::from(to)));
        Ending { done: tell::news(Kind::Done, "end").saying(text), status: Status::Complete }
    }))
}

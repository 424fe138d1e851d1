//! Problems with fairy conditions, fairy pieces, series moves or other starts: their keys, runs and messages.

use super::ending::{ended_early, smaller_table};
use super::notify::{self, measured, message};
use super::outcome::{Stopwatch, Times};
use super::problems::{SolveSettings, plies};
use super::{positions, start};
use crate::records::spg::SpgSolution;
use crate::records::spg_counted::SpgCounted;
use std::sync::Mutex;
use std::time::Duration;
use umbrail_chess::geometry::{Bitboard, Setup, Square};
use umbrail_control::lock;
use umbrail_proof::files::popeye;
use umbrail_proof::positions::{
    ConditionName, FairyGame, FairyProblem, FairyStart, PieceName, PositionEvent, PositionReport,
    Turns, castling_of, count_fairy_games, fairy_verdict_of, men_of, placements,
};
use umbrail_proof::report::Verdict;
use umbrail_proof::run::{Params, SolverChoice, Words as _};
use umbrail_session::domain::{Domain, Task};
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::module::{Prepared, Work};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// Keys that only problems of this kind have.
const KEYS: [&str; 5] = ["condition", "piece", "series", "board-b", "start-board-b"];

/// Extension of Popeye's input files.
const POPEYE: &str = ".inp";

/// A problem of this kind, with what its messages need.
#[derive(Clone, Debug)]
struct FairyTask {
    problem: FairyProblem,
    title: Option<String>,
    /// FEN of the first position.
    start: String,
    /// Letters of fairy pieces in diagrams.
    letters: Vec<(char, PieceName)>,
}

fn popeye_file(task: &Task) -> Option<&str> {
    match task.subject.as_slice() {
        [path] if path.to_ascii_lowercase().ends_with(POPEYE) => Some(path),
        _ => None,
    }
}

/// Returns true if a task poses a problem of this kind, or one of another start without naming a solver.
pub(super) fn is_fairy(task: &Task) -> bool {
    KEYS.iter().any(|key| task.key(key).is_some())
        || popeye_file(task).is_some()
        || task.key("start").is_some() && matches!(task.key("solver"), None | Some("auto"))
}

/// Prepares the work.
pub(super) fn solving(task: &Task, settings: SolveSettings) -> Result<Prepared, TaskError> {
    if let Some(solver) = task.key("solver")
        && !matches!(settings.params.solver, SolverChoice::Positions | SolverChoice::Auto)
    {
        let key = KEYS.iter().find(|key| task.key(key).is_some()).unwrap_or(&POPEYE);
        return Err(format!(
            "{key} belongs to positions, and cannot be combined with the solver {solver}"
        )
        .into());
    }
    start::check_keys(task, SolverChoice::Positions)?;
    if task.key("output").is_some() || task.key("cluster").is_some() {
        return Err("problems with conditions have no result file and no cluster yet".into());
    }
    let mut params = settings.params.clone();
    params.solver = SolverChoice::Positions;
    if let Some(path) = popeye_file(task) {
        let path = path.to_owned();
        if let Some(key) = KEYS
            .iter()
            .chain(&["fen", "moves", "plies", "start"])
            .find(|key| task.key(key).is_some())
        {
            return Err(
                TaskError::expected(format_args!("a Popeye file or the key {key}")).got("both")
            );
        }
        return Ok(Prepared::load(move |job| {
            let text = job.read_text(&path)?;
            let tasks = of_popeye(&path, &text)?;
            Ok(work(tasks, params))
        }));
    }
    let posed = posed(task, &settings)?;
    Ok(work(vec![posed], params).into())
}

/// Reads the problem of the keys.
fn posed(task: &Task, settings: &SolveSettings) -> Result<FairyTask, TaskError> {
    let expected = || TaskError::expected("the key fen, with the diagram at the end");
    let setup =
        |text: &str| text.parse::<Setup>().map_err(|error| TaskError::from(error.to_string()));
    let target = setup(task.key("fen").ok_or_else(expected)?)?;
    let pieces = task.all("piece").map(piece).collect::<Result<Vec<_>, _>>()?;
    let mut conditions: Vec<ConditionName> = vec![];
    let mut imitator_end = None;
    for text in task.all("condition") {
        let name = ConditionName::read(text).map_err(|error| error.to_string())?;
        let is_imitator = name.name == "Imitator";
        if is_imitator && conditions.iter().any(|known| known.name == "Imitator") {
            let square = name.squares.first().copied();
            imitator_end = Some(
                square.ok_or_else(|| TaskError::expected("a square of the imitator at the end"))?,
            );
        } else {
            conditions.push(name);
        }
    }
    let board = |key: &'static str| match task.key(key) {
        Some(text) => {
            squares(text).ok_or_else(|| TaskError::expects(key, "squares such as f3c6").got(text))
        }
        None => Ok(Bitboard::EMPTY),
    };
    let mut from = FairyStart::ARRAY;
    let mut start = Setup::START_FEN.to_owned();
    let refused = |error: umbrail_proof::positions::FairyError| TaskError::from(error.to_string());
    if let Some(text) = task.key("start") {
        let given = setup(text)?;
        start = given.to_string();
        let men = men_of(&given, &pieces, board("start-board-b")?).map_err(refused)?;
        from = FairyStart {
            men: Some(men),
            turn: given.turn,
            castling: castling_of(&given.castling),
            en_passant: given.en_passant,
        };
    }
    let problem = FairyProblem {
        start: from,
        target: men_of(&target, &pieces, board("board-b")?).map_err(refused)?,
        states_boards: task.key("board-b").is_some(),
        imitator_end,
        plies: plies(task)?,
        length: settings.length(),
        turns: if task.key("series").is_some() { Turns::Series } else { Turns::Alternating },
        conditions,
        pieces: pieces.iter().map(|(_, piece)| *piece).collect(),
    };
    problem.check().map_err(refused)?;
    Ok(FairyTask { problem, title: None, start, letters: pieces })
}

/// Reads `LETTER=NAME`.
fn piece(text: &str) -> Result<(char, PieceName), TaskError> {
    let expected = || TaskError::expects("piece", "LETTER=NAME, such as G=grasshopper").got(text);
    let (letter, name) = text.split_once('=').ok_or_else(expected)?;
    let mut letters = letter.chars().filter(char::is_ascii_alphabetic);
    let (Some(letter), None) = (letters.next(), letters.next()) else { return Err(expected()) };
    let piece = PieceName::named(name)
        .ok_or_else(|| TaskError::from(format!("the piece {name} is not supported")))?;
    Ok((letter, piece))
}

fn squares(text: &str) -> Option<Bitboard> {
    let text = text.replace([' ', ','], "").to_ascii_lowercase();
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    pairs.map(|pair| pair.and_then(|name| name.parse::<Square>().ok())).collect()
}

fn of_popeye(path: &str, text: &str) -> Result<Vec<FairyTask>, TaskError> {
    let problems =
        popeye::read(text).map_err(|error| TaskError::from(format!("{path}:{error}")))?;
    let posed = |twin: popeye::PopeyeTwin| {
        twin.problem.check().map_err(|error| TaskError::from(error.to_string()))?;
        let start = twin.start.clone();
        Ok(FairyTask { problem: twin.problem, title: twin.title, start, letters: vec![] })
    };
    problems.into_iter().map(posed).collect()
}

fn work(tasks: Vec<FairyTask>, params: Params) -> Work {
    Box::new(move |job| {
        let mut worst = Status::Complete;
        let mut done = Message::new(Domain::Spg, Kind::Done);
        for (at, task) in tasks.iter().enumerate() {
            let kind = if at + 1 == tasks.len() { Kind::Done } else { Kind::Result };
            let (message, status) = count(task, &params, kind, job);
            if status != Status::Complete && worst == Status::Complete {
                worst = status;
            }
            match kind {
                Kind::Done => done = message,
                _ => job.message(message),
            }
        }
        Completion { done, status: worst }
    })
}

fn count(task: &FairyTask, params: &Params, kind: Kind, job: &JobContext<'_>) -> (Message, Status) {
    let stopwatch = Stopwatch::start();
    let settings = positions::settings(params, true);
    let index = Mutex::new(0);
    let notify = |event: PositionEvent| match event {
        PositionEvent::FairyGame(game) => {
            let mut index = lock(&index);
            *index += 1;
            job.message(solution(*index, &game, &task.letters));
        }
        PositionEvent::Game(_) => {}
        PositionEvent::SmallerTable { wanted, granted } => {
            job.message(notify::warning(smaller_table(wanted, granted)));
        }
    };
    let counted = count_fairy_games(&task.problem, &settings, &job.control(&notify));
    let report = match counted {
        Ok(report) => report,
        Err(error) => {
            let mut message = message(kind, "end");
            message.text = Some(error.to_string());
            return (message, Status::Refused);
        }
    };
    for fault in &report.faults {
        job.message(Message::error(Domain::Spg, format!("internal error, please report: {fault}")));
    }
    let verdict = fairy_verdict_of(&task.problem, params.intended, &report);
    let status = match () {
        () if !report.faults.is_empty() => Status::Internal,
        () if report.is_complete => Status::Complete,
        () if job.is_over() => ended_early(job),
        () => Status::Complete,
    };
    (end(task, params, &report, &verdict, &stopwatch.stop(), kind), status)
}

fn solution(index: u64, game: &FairyGame, letters: &[(char, PieceName)]) -> Message {
    let record = SpgSolution {
        index,
        plies: game.moves.len() as u64,
        moves: game.moves.clone(),
        uci: vec![],
        boards: placements(&game.boards, letters),
        strategy: String::new(),
        strategy_number: String::new(),
        text: game.text.clone(),
    };
    let mut message = notify::holding(Kind::Result, &record)
        .with("index", index)
        .with("plies", record.plies)
        .printing(record.text);
    message.page = vec![format!("{index}) {}", game.text)];
    message
}

fn end(
    task: &FairyTask,
    params: &Params,
    report: &PositionReport,
    verdict: &Verdict,
    times: &Times,
    kind: Kind,
) -> Message {
    let problem = &task.problem;
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let record = SpgCounted {
        verdict: verdict.word.to_string(),
        count: report.count().into(),
        solver: "positions".to_owned(),
        solutions: report.count().into(),
        complete: verdict.complete,
        lengths: report
            .counts
            .iter()
            .map(|one| (one.plies.to_string(), one.games.into()))
            .collect(),
        shorter_plies: verdict.shorter.map(|plies| plies as u64),
        correct: verdict.correct,
        computer_tested: verdict.is_computer_tested(),
        stipulation: verdict.stipulation.clone(),
        start: task.start.clone(),
        conditions: problem.conditions.iter().map(ToString::to_string).collect(),
        series: problem.turns == Turns::Series,
        nodes: report.nodes,
        table_bytes: report.table_bytes,
        title: task.title.clone(),
        length: problem.length.word().to_owned(),
        intended: params.intended as u64,
        elapsed_ms: ms(times.elapsed),
        processor_ms: times.processor.map(ms),
    };
    let mut message = message(kind, "end")
        .with("verdict", verdict.word.to_string().as_str())
        .with("count", u64::try_from(report.count()).unwrap_or(u64::MAX))
        .holding(&record);
    message.text = Some(verdict.text.clone());
    message.page = vec![String::new()];
    message.page.extend(task.title.clone());
    message.page.push(verdict.text.clone());
    let listed = report.fairy_games.len();
    if report.count() > listed as u128 && listed > 0 {
        message.page.push(format!("{listed} games are listed; --max-solutions N lists more"));
    }
    if params.intended != 1 {
        message.page.push(verdict.intention.clone());
    }
    message.page.push(format!("{} positions; {}", report.nodes, measured(times)));
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(keys: &[(&'static str, &str)], subject: &[&str]) -> Task {
        Task {
            domain: Domain::Spg,
            verb: "solve",
            subject: subject.iter().map(|&word| word.to_owned()).collect(),
            keys: keys.iter().map(|&(key, value)| (key, value.to_owned())).collect(),
            text: None,
        }
    }

    #[test]
    fn conditions_starts_and_popeye_files_need_no_solver() {
        assert!(is_fairy(&task(&[("condition", "Circe")], &[])));
        assert!(is_fairy(&task(&[("series", "")], &[])));
        assert!(is_fairy(&task(&[], &["problem.INP"])));
        assert!(is_fairy(&task(&[("start", "8/8/8/8/8/8/8/8")], &[])));
        let named = [("start", "8/8/8/8/8/8/8/8"), ("solver", "positions")];
        assert!(!is_fairy(&task(&named, &[])));
        assert!(!is_fairy(&task(&[], &["problems.txt"])));
    }

    #[test]
    fn pieces_have_a_letter_and_a_name() {
        assert_eq!(piece("G=Grasshopper").unwrap(), ('G', PieceName::Fairy("grashopper")));
        let refused = piece("G=gryphon").unwrap_err().to_string();
        assert_eq!(refused, "the piece gryphon is not supported");
        assert!(piece("Grasshopper").is_err() && piece("GG=zebra").is_err());
        assert_eq!(squares("f3, C6").map(Bitboard::len), Some(2));
        assert_eq!(squares("f9"), None);
    }
}

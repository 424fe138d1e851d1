//! The least number of moves in which a diagram can be reached.

use super::posed::PosedProblem;
use super::problems::SolveSettings;
use super::run_files::NO_FAULTS;
use super::strategies::run;
use super::{notify, problems};
use crate::records::spg::{LeastEnd, SpgVerdict};
use umbrail_proof::report::{ProblemVerdict, Verdict, length};
use umbrail_proof::run::{Params, Persistence, refusals_at_any_length};
use umbrail_proof::{Length, Problem, Refusal};
use umbrail_session::domain::Task;
use umbrail_session::message::{Completion, Kind, Message, Value};
use umbrail_session::module::{Context, Prepared};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// `spg min`: the first length that has a game, and what is known of the shorter ones.
pub(super) fn least(
    task: &Task,
    settings: SolveSettings,
    context: &Context,
) -> Result<Prepared, TaskError> {
    let diagram = problems::diagram(task, context)?;
    let params = Params { games_max: 2, ..settings.params };
    let bound = |key: &str, otherwise: u16| task.key(key).map_or(Ok(otherwise), problems::in_moves);
    let (from, to) = (bound("from", 0)?, bound("to", 60)?);
    let [first, last] = [from, to].map(|plies| length(usize::from(plies)));
    if from > to {
        return Err(
            TaskError::expects("from", format_args!("at most {last}, the value of to")).got(first)
        );
    }
    Ok(Prepared::work(move |job| {
        let reasons = refusals_at_any_length(&diagram);
        if !reasons.is_empty() {
            return impossible(&reasons);
        }
        let mut none = vec![];
        for plies in from..=to {
            let problem = Problem { diagram, plies, length: Length::Exact };
            let posed = PosedProblem::new(problem, params.clone());
            let (mut outcome, status) = run(&posed, Persistence::default(), NO_FAULTS, None, job);
            if from == 0 {
                // All shorter lengths were searched before this one.
                let (problem, params) = (&posed.problem, &posed.params);
                outcome.verdict = Verdict::after_shorter_lengths(problem, params, &outcome.report);
            }
            let at = length(usize::from(plies));
            let record = SpgVerdict { length_moves: Some(at.clone()), ..notify::record(&outcome) };
            let mut message = notify::verdict(Kind::Result, "length", &outcome, &record, "");
            message.words.insert(0, ("moves", Value::from(at.as_str())));
            message.page = vec![outcome.verdict.text.clone()];
            // The last line names the lengths without a game.
            message.json_only = outcome.verdict.word == ProblemVerdict::None;
            job.message(message);
            let tried = tried(from, &none);
            match outcome.verdict.word {
                ProblemVerdict::None => none.push(plies),
                ProblemVerdict::Partial if outcome.report.count() == 0 => {
                    let done = unknown(LeastEnd { none_plies: none, ..LeastEnd::default() });
                    let text = format!("least length not known: stopped in {at} moves; {tried}");
                    return Completion { done: done.printing(text), status };
                }
                _ => {
                    let plies = u64::from(plies);
                    let (length_moves, none_plies) = (Some(at.clone()), none);
                    let record =
                        LeastEnd { length_moves, plies: Some(plies), none_plies, reasons: None };
                    let done = notify::holding(Kind::Done, &record)
                        .with("moves", at.as_str())
                        .with("plies", plies);
                    let least = if from == 0 { "the least length is" } else { "a game in" };
                    let text = format!("{least} {at} moves; {tried}");
                    return Completion { done: done.printing(text), status: Status::Complete };
                }
            }
        }
        let text = format!("{}; longer games were not tried (--to)", tried(from, &none));
        let done = unknown(LeastEnd { none_plies: none, ..LeastEnd::default() });
        Completion { done: done.printing(text), status: Status::Complete }
    }))
}

/// The end where counting shows that the diagram has no game.
fn impossible(reasons: &[Refusal]) -> Completion {
    let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
    let text = format!("no game of any length: {}", reasons.join("; "));
    let done = unknown(LeastEnd { reasons: Some(reasons), ..LeastEnd::default() });
    Completion { done: done.printing(text), status: Status::Complete }
}

/// The end of a task that found no least length.
fn unknown(record: LeastEnd) -> Message {
    notify::holding(Kind::Done, &record).with("moves", Value::Null)
}

/// Which lengths were tried without finding a game, and which were not.
fn tried(from: u16, none: &[u16]) -> String {
    let moves = |plies: u16| length(usize::from(plies));
    let shorter = if from > 0 { "; shorter ones were not tried" } else { "" };
    match none {
        [] if from == 0 => "no shorter length is possible".to_owned(),
        [] => "shorter lengths were not tried".to_owned(),
        [only] => format!("no game in {} moves{shorter}", moves(*only)),
        [first, .., last] => {
            format!("no game in {} to {} moves{shorter}", moves(*first), moves(*last))
        }
    }
}

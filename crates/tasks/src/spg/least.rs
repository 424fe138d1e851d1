//! The least number of moves in which a diagram can be reached.

use super::problems::{PosedProblem, SolveSettings};
use super::run_files::NO_FAULTS;
use super::work::run;
use super::{notify, problems};
use umbrail_proof::report::{ProblemVerdict, Verdict, length};
use umbrail_proof::run::{Params, Persistence, refusals_at_any_length};
use umbrail_proof::{Length, Problem, Refusal};
use umbrail_session::domain::Task;
use umbrail_session::message::{Completion, Kind, Value};
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
            let mut message = notify::verdict(Kind::Result, "length", &outcome, "");
            let at = length(usize::from(plies));
            message.words.insert(0, ("moves", Value::from(at.as_str())));
            message.page = vec![outcome.verdict.text.clone()];
            // The last line names the lengths without a game.
            message.json_only = outcome.verdict.word == ProblemVerdict::None;
            job.message(message);
            let proved: Vec<Value> =
                none.iter().map(|&plies: &u16| Value::from(u64::from(plies))).collect();
            let tried = tried(from, &none);
            match outcome.verdict.word {
                ProblemVerdict::None => none.push(plies),
                ProblemVerdict::Partial if outcome.report.count() == 0 => {
                    let mut done = notify::message(Kind::Done, "end").with("moves", Value::Null);
                    done.data = vec![("none_plies", Value::List(proved))];
                    let text = format!("least length not known: stopped in {at} moves; {tried}");
                    return Completion { done: done.printing(text), status };
                }
                _ => {
                    let mut done = notify::message(Kind::Done, "end")
                        .with("moves", at.as_str())
                        .with("plies", u64::from(plies));
                    done.data = vec![("none_plies", Value::List(proved))];
                    let least = if from == 0 { "the least length is" } else { "a game in" };
                    let text = format!("{least} {at} moves; {tried}");
                    return Completion { done: done.printing(text), status: Status::Complete };
                }
            }
        }
        let mut done = notify::message(Kind::Done, "end").with("moves", Value::Null);
        let proved = none.iter().map(|&plies| Value::from(u64::from(plies))).collect();
        done.data = vec![("none_plies", Value::List(proved))];
        let text = format!("{}; longer games were not tried (--to)", tried(from, &none));
        Completion { done: done.printing(text), status: Status::Complete }
    }))
}

/// The end where counting shows that the diagram has no game.
fn impossible(reasons: &[Refusal]) -> Completion {
    let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
    let text = format!("no game of any length: {}", reasons.join("; "));
    let mut done = notify::message(Kind::Done, "end").with("moves", Value::Null);
    let list = reasons.into_iter().map(Value::Text).collect();
    done.data = vec![("none_plies", Value::List(vec![])), ("reasons", Value::List(list))];
    Completion { done: done.printing(text), status: Status::Complete }
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

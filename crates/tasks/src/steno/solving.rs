//! Solving a steno: the work, its messages, and its exports.

use super::saving::Saving;
use super::{
    Inputs, ReadFile, StenoMemory, big, completion, lines, message, parsed, request, stopped,
    text_of, texts,
};
use crate::results::write_result;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_session::domain::{Domain, Task};
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Kind, Message, Value};
use umbrail_session::module::Work;
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;
use umbrail_steno::checkpoint::resume;
use umbrail_steno::game::Game;
use umbrail_steno::report::{html, pgn, text};
use umbrail_steno::{
    BigUint, StenoEnd, StenoEvent, StenoOutcome, StenoParams, StenoRequest, report, solve,
};

pub(super) fn solving(
    task: &Task,
    inputs: Inputs,
    steno: &str,
    memory: &StenoMemory,
    read: ReadFile<'_>,
) -> Result<Work, TaskError> {
    let mut saving = Saving::new(task.key("checkpoint"));
    let mut request = if parsed(steno, inputs.vocabulary)?.resumes {
        let saved = saving.checkpoint(memory, read)?;
        resume(steno, inputs.vocabulary, inputs.strict, &inputs.start, &saved)
            .map_err(TaskError::of)?
    } else {
        let mut request = self::request(&inputs, steno)?;
        request.reusable_layers = saving.unfinished(read)?;
        request
    };
    if let Some(path) = task.key("intended") {
        let game = Game::read(&text_of(path, read)?, &inputs.start, inputs.castling)
            .map_err(|error| format!("{path}: {error}"))?;
        request.intended = Some(game.moves);
    }
    let unique = match task.key("require") {
        None => false,
        Some("unique") => true,
        Some(other) => return Err(TaskError::expects("require", "unique").got(other)),
    };
    if request.reusable_layers.is_none() {
        request.reusable_layers = memory.with(|kept| kept.reusable_layers.take());
    }
    let mut params = inputs.params.clone();
    params.unfinished_every = saving.every();
    let shortage = inputs.shortage.clone();
    let memory = memory.clone();
    let exports = [("pgn", task.key("pgn")), ("html", task.key("html"))]
        .map(|(kind, path)| (kind, path.map(str::to_owned)));
    Ok(Box::new(move |job| {
        let index = AtomicU64::new(1);
        for note in shortage.iter().chain(saving.notes()) {
            job.message(Message::new(Domain::Steno, Kind::Note).printing(note));
        }
        let notify = |fact: StenoEvent| {
            // One thread reports games, in order.
            let game = u64::from(matches!(fact, StenoEvent::Game(_)));
            let mut message =
                fact_message(&request, &fact, index.fetch_add(game, Ordering::Relaxed));
            if let Some(reported) = saving.save(&request, &fact) {
                match reported {
                    Ok(reported) => message.page = vec![reported],
                    // It is reported at the end, too: the work continues.
                    Err(why) => {
                        return job.message(
                            Message::new(Domain::Steno, Kind::Note).printing(why.to_string()),
                        );
                    }
                }
            }
            job.message(message);
        };
        let mut answer = solve(&request, &params, &job.control(&notify));
        answer.dead_turn = culprit(&request, &answer, &params, job);
        let mut page = final_board(&request, &answer);
        page.extend(lines(&text::verdict(&request, &answer)));
        page.extend(saving.finish(&request, &answer, params.lookahead));
        let mut faults = saving.faults();
        let mut write = |path: &str, bytes: &[u8]| match write_result(Path::new(path), bytes) {
            Ok(()) => page.push(format!("wrote {path}")),
            Err(why) => faults.push(why.to_string()),
        };
        for (kind, path) in exports {
            let Some(path) = path else { continue };
            let contents = match kind {
                "pgn" => {
                    let games = answer.games.iter().enumerate();
                    games.map(|(at, game)| pgn::game(&request, game, at + 1, true) + "\n").collect()
                }
                _ => html::page(&request, &answer),
            };
            write(&path, contents.as_bytes());
        }
        memory.with(|kept| {
            kept.reusable_layers = Some(Arc::clone(&answer.reusable_layers));
            if let Some(checkpoint) = &answer.checkpoint {
                kept.checkpoint = Some(Arc::clone(checkpoint));
            }
        });
        for (game, misfit) in &answer.refuted {
            let game = report::numbered(&request.start, game);
            let cause = match &request.resume {
                Some(_) => "the checkpoint is damaged; delete it and solve the whole steno",
                None => "internal error, please report",
            };
            faults.push(format!("{cause}: {game}: {misfit}"));
        }
        let internal = !answer.refuted.is_empty();
        let failed = !faults.is_empty();
        faults.into_iter().for_each(|fault| job.message(Message::error(Domain::Steno, fault)));
        let status = match answer.ended {
            _ if internal => Status::Internal,
            _ if failed => Status::Refused,
            StenoEnd::Complete if unique && answer.count != BigUint::from(1u32) => {
                Status::NotAsRequired
            }
            StenoEnd::Complete => Status::Complete,
            StenoEnd::Stopped => stopped(job),
            StenoEnd::Enough | StenoEnd::Moves | StenoEnd::Positions(_) => Status::Limit,
        };
        let verdict = text::verdict(&request, &answer).trim_end().to_owned();
        let mut done = end_message(&request, &answer).printing(verdict);
        done.page = page;
        completion(done, status)
    }))
}

/// Move limit of the search for the turn that rules out all games, in addition to the moves that
/// the steno took.
const CULPRIT_MOVES: u64 = 20_000_000;

/// Finds the turn that rules out all games, if there are no games and the search is quick.
fn culprit(
    request: &StenoRequest,
    answer: &StenoOutcome,
    params: &StenoParams,
    job: &JobContext<'_>,
) -> Option<usize> {
    let none = answer.ended == StenoEnd::Complete && answer.count == BigUint::ZERO;
    let made = job.progress.nodes.get();
    let params =
        StenoParams { moves_max: Some(made + answer.made + CULPRIT_MOVES), ..params.clone() };
    let control = job.control(&|_| {});
    none.then(|| umbrail_steno::workbench::dead_turn(request, &params, &control).ok()).flatten()
}

fn fact_message(request: &StenoRequest, fact: &StenoEvent, index: u64) -> Message {
    let number = |number: usize| Value::from(number as u64);
    let mut message = match fact {
        StenoEvent::Mark(mark) => {
            let positions = mark.positions.map_or(Value::Null, Value::from);
            message(Kind::Progress, "mark")
                .with("turn", number(mark.turn))
                .with("positions", positions)
                .with("games", big(&mark.games))
                .with("made", mark.made)
        }
        StenoEvent::Split(turn) => message(Kind::Progress, "split").with("turn", number(*turn)),
        StenoEvent::Saved(checkpoint) => {
            message(Kind::Progress, "saved").with("turn", number(checkpoint.turns()))
        }
        StenoEvent::Unfinished(work) => {
            message(Kind::Progress, "saved").with("turn", number(work.turns()))
        }
        StenoEvent::Game(moves) => {
            let mut message = message(Kind::Result, "solution").with("index", index);
            let last = report::last_position(&request.start, moves);
            message.data.push(("moves", texts(report::sans(&request.start, moves))));
            message.data.push(("uci", texts(report::coordinates(&request.start, moves))));
            message.data.push(("fen", Value::Text(last.to_string())));
            if let Some(intended) = &request.intended {
                message
                    .data
                    .push(("leaves", number(report::first_difference(intended, moves) + 1)));
            }
            message.printing(report::numbered(&request.start, moves))
        }
    };
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    message.page = lines(&text::fact(request, fact, index));
    message
}

/// Maximum number of final positions in an end record; a longer list is of no use to a script.
const FINALS_MAX: usize = 20;

/// Returns the last position of the only game as a board; empty if there are several games, or none.
fn final_board(request: &StenoRequest, answer: &StenoOutcome) -> Vec<String> {
    match (answer.ended, answer.games.as_slice()) {
        (StenoEnd::Complete, [game]) if answer.count == BigUint::from(1u32) => {
            text::board(&report::last_position(&request.start, game))
        }
        _ => vec![],
    }
}

pub(super) fn end_message(request: &StenoRequest, answer: &StenoOutcome) -> Message {
    let is_exact = answer.ended == StenoEnd::Complete && answer.refuted.is_empty();
    let mut done = message(Kind::Done, "end")
        .with("count", big(&answer.count))
        .with("exact", Value::Truth(is_exact));
    let number = |number: usize| Value::from(number as u64);
    done.data.push(("listed", number(answer.games.len())));
    done.data.push(("steno", Value::Text(request.steno.to_string())));
    done.data.push(("vocabulary", request.steno.vocabulary.name().into()));
    done.data.push(("plies", number(request.steno.turns.len())));
    done.data.push(("made", answer.made.into()));
    done.data.push(("dead_turn", answer.dead_turn().map_or(Value::Null, number)));
    let finals = answer.finals.as_ref().map_or(Value::Null, |finals| {
        let one = |one: &umbrail_steno::Final| {
            let fen = report::last_position(&request.start, &one.example).to_string();
            Value::Record(vec![("fen".into(), Value::Text(fen)), ("games".into(), big(&one.games))])
        };
        let listed = finals.iter().take(FINALS_MAX).map(one).collect();
        Value::Record(vec![
            ("count".into(), number(finals.len())),
            ("list".into(), Value::List(listed)),
        ])
    });
    done.data.push(("finals", finals));
    let mark = |mark: &umbrail_steno::MarkReport| {
        Value::Record(vec![
            ("turn".into(), number(mark.turn)),
            ("positions".into(), mark.positions.map_or(Value::Null, Value::from)),
            ("games".into(), big(&mark.games)),
            ("made".into(), mark.made.into()),
        ])
    };
    done.data.push(("marks", Value::List(answer.marks.iter().map(mark).collect())));
    done
}

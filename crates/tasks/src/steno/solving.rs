//! Solving a steno: the work, its messages, and its exports.

use super::saving::Saving;
use super::synthetic::translate;
use super::{
    Inputs, ReadFile, StenoMemory, big, completion, lines, message, parsed, prepare, request,
    solve_work, stopped, text_of,
};
use crate::records::steno::{
    self, GameCount, SavedTurn, SplitTurn, StenoFinal, StenoFinals, StenoMark, StenoSolution,
};
use crate::results::write_result;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_session::domain::{Domain, Task};
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Kind, Message, Value};
use umbrail_session::module::{Context, Prepared, Work};
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
    let saved = |turns: usize| {
        let turn = turns as u64;
        message(Kind::Progress, &SavedTurn { turn }).with("turn", turn)
    };
    let mut message = match fact {
        StenoEvent::Mark(mark) => {
            let record = mark_record(mark);
            message(Kind::Progress, &record)
                .with("turn", record.turn)
                .with("positions", record.positions.map_or(Value::Null, Value::from))
                .with("games", big(&mark.games))
                .with("made", record.made)
        }
        StenoEvent::Split(turn) => {
            let turn = *turn as u64;
            message(Kind::Progress, &SplitTurn { turn }).with("turn", turn)
        }
        StenoEvent::Saved(checkpoint) => saved(checkpoint.turns()),
        StenoEvent::Unfinished(work) => saved(work.turns()),
        StenoEvent::Game(moves) => {
            let intended = request.intended.as_ref();
            let record = StenoSolution {
                index,
                moves: report::sans(&request.start, moves),
                uci: report::coordinates(&request.start, moves),
                fen: report::last_position(&request.start, moves).to_string(),
                leaves: intended.map(|game| report::first_difference(game, moves) as u64 + 1),
                text: report::numbered(&request.start, moves),
            };
            message(Kind::Result, &record).with("index", index).printing(record.text)
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
    let one = |one: &umbrail_steno::Final| StenoFinal {
        fen: report::last_position(&request.start, &one.example).to_string(),
        games: GameCount(one.games.to_string()),
    };
    let finals = answer.finals.as_ref().map(|finals| StenoFinals {
        count: finals.len() as u64,
        list: finals.iter().take(FINALS_MAX).map(one).collect(),
    });
    let record = steno::StenoEnd {
        count: GameCount(answer.count.to_string()),
        exact: is_exact,
        listed: answer.games.len() as u64,
        steno: request.steno.to_string(),
        vocabulary: request.steno.vocabulary.name().to_owned(),
        plies: request.steno.turns.len() as u64,
        made: answer.made,
        dead_turn: answer.dead_turn().map(|turn| turn as u64),
        finals,
        marks: answer.marks.iter().map(mark_record).collect(),
    };
    message(Kind::Done, &record)
        .with("count", big(&answer.count))
        .with("exact", Value::Truth(is_exact))
}

fn mark_record(mark: &umbrail_steno::MarkReport) -> StenoMark {
    StenoMark {
        turn: mark.turn as u64,
        positions: mark.positions,
        games: GameCount(mark.games.to_string()),
        made: mark.made,
    }
}

/// Prepares to solve the steno to which a sentence about a game translates.
pub(super) fn synthetic(task: &Task, context: &Context) -> Result<Prepared, TaskError> {
    if task.key("vocabulary").is_some() {
        return Err("synthetic chooses its vocabulary itself".into());
    }
    let sentence = task.text.clone().unwrap_or_default();
    let (steno, vocabulary) = translate(&sentence).map_err(|error| error.to_string())?;
    let mut task = Task { verb: "solve", text: Some(steno), ..task.clone() };
    task.keys.push(("vocabulary", vocabulary.to_owned()));
    prepare(&task, context, solve_work)
}

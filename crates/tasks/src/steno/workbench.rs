//! The composer's workbench: compares games with stenos.

use super::solving::end_message;
use super::{Completion, Inputs, Message, completion, ended, message, stopped};
use crate::records::steno::{
    DroppedPart, ExplainedEnd, MarksEnd, MatchEnd, NeededPart, ReplacedMark, StenoMarks,
    StenoRemark, StenoTurn, WhittledEnd,
};
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Kind, Value};
use umbrail_session::status::Status;
use umbrail_steno::game::Game;
use umbrail_steno::report::text;
use umbrail_steno::workbench::{convert, explain, reduce};
use umbrail_steno::{BigUint, StenoEnd, StenoEvent, StenoParams, StenoRequest, Vocabulary, solve};

pub(super) fn matching(inputs: &Inputs, steno: &str, game: &Game) -> Completion {
    match game.fits(steno, inputs.vocabulary, inputs.strict) {
        Ok(()) => {
            let done = message(Kind::Done, &MatchEnd { fits: true, ply: None });
            let done = done.with("fits", Value::Truth(true));
            completion(spoken(done, "the game fits"), Status::Complete)
        }
        Err(misfit) => {
            let ply = misfit.ply() as u64 + 1;
            let done = message(Kind::Done, &MatchEnd { fits: false, ply: Some(ply) });
            let done = done.with("fits", Value::Truth(false)).with("ply", ply);
            let mut done = done.printing(misfit.to_string());
            done.page = vec![format!("the game does not fit: {misfit}")];
            completion(done, Status::NotAsRequired)
        }
    }
}

pub(super) fn marking(inputs: &Inputs, game: &Game, job: &JobContext<'_>) -> Completion {
    let all = game.marks_and_aliases(inputs.vocabulary, inputs.strict);
    for (at, (san, marks)) in all.into_iter().enumerate() {
        let marks: String = marks.into_iter().collect();
        let page = vec![format!("{:>3}  {san:<8} {marks}", at + 1)];
        let record = StenoMarks { ply: at as u64 + 1, mv: san, marks };
        let mut line = message(Kind::Result, &record).with("ply", record.ply);
        line = line.with("move", record.mv.as_str()).with("marks", record.marks.as_str());
        line.page = page;
        job.message(line);
    }
    let plies = game.moves.len() as u64;
    let end = message(Kind::Done, &MarksEnd { plies }).with("plies", plies);
    completion(end, Status::Complete)
}

/// Sets the text of a message, also as its page for people.
fn spoken(message: Message, text: &str) -> Message {
    let mut message = message.printing(text);
    message.page = vec![text.to_owned()];
    message
}

fn quiet(_: StenoEvent) {}

pub(super) fn converting(
    inputs: &Inputs,
    request: &StenoRequest,
    game: Option<Game>,
    to: Vocabulary,
    job: &JobContext<'_>,
) -> Completion {
    let game = match game {
        Some(game) => game,
        None => {
            let params = StenoParams { enough: Some(2), games_max: 2, ..inputs.params.clone() };
            let mut answer = solve(request, &params, &job.control(&quiet));
            let mut games = std::mem::take(&mut answer.games);
            match (answer.ended, games.len()) {
                (StenoEnd::Complete, 1) => Game { start: request.start, moves: games.remove(0) },
                (StenoEnd::Complete | StenoEnd::Enough, _) => {
                    let many = if games.is_empty() { "no game" } else { "several games" };
                    let why = format!("the steno has {many}: name one with --game FILE or --moves");
                    return completion(ended().printing(why), Status::NotAsRequired);
                }
                _ => {
                    return completion(ended().printing("stopped"), stopped(job));
                }
            }
        }
    };
    match convert(request, &game, to, &inputs.params, &job.control(&quiet)) {
        Ok(done) => {
            for (turn, marks) in &done.replaced {
                let marks: String = marks.iter().collect();
                let text = format!("turn {turn}: no mark could be kept; {marks} are true");
                let turn = *turn as u64;
                let line = message(Kind::Result, &ReplacedMark { turn }).with("turn", turn);
                job.message(line.printing(text));
            }
            let steno = done.request.steno.to_string();
            let mut end = end_message(&done.request, &done.answer);
            end.page = vec![steno, text::verdict(&done.request, &done.answer).trim().to_owned()];
            let status = match done.answer.ended {
                StenoEnd::Complete if done.answer.count == BigUint::from(1u32) => Status::Complete,
                StenoEnd::Complete => Status::NotAsRequired,
                _ => stopped(job),
            };
            completion(end, status)
        }
        Err(error) => completion(ended().printing(error.to_string()), Status::Internal),
    }
}

pub(super) fn explaining(request: &StenoRequest, job: &JobContext<'_>) -> Completion {
    for (at, turn) in request.steno.turns.iter().enumerate() {
        let (mark, text) = (request.steno.turn_text(turn), turn.words());
        let record = StenoTurn { turn: at as u64 + 1, mark, text };
        let mut line = message(Kind::Result, &record);
        // A person at a terminal knows the vocabulary, and needs only the consequences.
        line.json_only = true;
        job.message(line);
    }
    let remarks = explain(request);
    for remark in &remarks {
        let text = |turn: usize| request.steno.turn_text(&request.steno.turns[turn]);
        let (turn, because) = (remark.turn + 1, remark.because + 1);
        let words = format!(
            "turn {turn} ({}): {}, because of turn {because} ({})",
            text(remark.turn),
            remark.what,
            text(remark.because)
        );
        let (turn, because, text) = (turn as u64, because as u64, remark.what.clone());
        let mut line = message(Kind::Result, &StenoRemark { turn, because, text })
            .with("turn", turn)
            .with("because", because)
            .printing(remark.what.as_str());
        line.page = vec![words];
        job.message(line);
    }
    let count = remarks.len() as u64;
    let end = message(Kind::Done, &ExplainedEnd { count }).with("count", count);
    completion(end, Status::Complete)
}

pub(super) fn whittling(
    inputs: &Inputs,
    request: &StenoRequest,
    job: &JobContext<'_>,
) -> Completion {
    let end =
        |unique| message(Kind::Done, &WhittledEnd { unique }).with("unique", Value::Truth(unique));
    match reduce(request, &inputs.params, &job.control(&quiet)) {
        Err(_) => completion(spoken(ended(), "stopped"), stopped(job)),
        Ok(done) if !done.unique => {
            let why = "the steno is not unique to begin with";
            completion(spoken(end(false), why), Status::NotAsRequired)
        }
        Ok(done) => {
            let report = |line: Message, word: &str, (turn, part): &(usize, String)| {
                let mut line = line.with("turn", *turn as u64).with("part", part.as_str());
                line.page = vec![format!("turn {turn}: {part} {word}")];
                job.message(line);
            };
            for one @ (turn, part) in &done.dropped {
                let record = DroppedPart { turn: *turn as u64, part: part.clone() };
                report(message(Kind::Result, &record), "dropped", one);
            }
            for one @ (turn, part) in &done.needed {
                let record = NeededPart { turn: *turn as u64, part: part.clone() };
                report(message(Kind::Result, &record), "needed", one);
            }
            let text = match done.dropped.len() {
                0 => format!("nothing can be dropped: {}", done.text),
                1 => format!("unique without 1 part: {}", done.text),
                parts => format!("unique without {parts} parts: {}", done.text),
            };
            let mut end = end(true).printing(done.text);
            end.page = vec![text];
            completion(end, Status::Complete)
        }
    }
}

//! Text reports for terminals.

use super::{first_difference, last_position, numbered};
use crate::{BigUint, StenoEnd, StenoEvent, StenoOutcome, StenoRequest};
use std::fmt::Write as _;
use umbrail_chess::geometry::{Color, Square};
use umbrail_chess::{Move, Position};

/// Returns a [`StenoEvent`] as text, in one line or more.
pub fn fact(request: &StenoRequest, fact: &StenoEvent, index: usize) -> String {
    match fact {
        StenoEvent::Mark(mark) => {
            let turn = &request.steno.turns[mark.turn - 1];
            let positions = match mark.positions {
                Some(positions) => format!("{positions} positions, "),
                None => String::new(),
            };
            format!(
                "{:>3}  {:<12} {positions}{} games, {} moves made\n",
                mark.turn,
                request.steno.turn_text(turn),
                mark.games,
                mark.made
            )
        }
        StenoEvent::Split(turn) => {
            format!("memory is low: the positions after turn {turn} are searched in parts\n")
        }
        StenoEvent::Saved(checkpoint) => {
            let (turns, positions) = (checkpoint.turns(), checkpoint.positions());
            format!("'$': the work up to turn {turns} ({positions} positions) is kept\n")
        }
        StenoEvent::Unfinished(work) => format!("the work up to turn {} is kept\n", work.turns()),
        StenoEvent::Game(moves) => solution(request, moves, index),
    }
}

/// Returns a found game, and where it leaves the intended one.
pub(crate) fn solution(request: &StenoRequest, moves: &[Move], index: usize) -> String {
    let mut out = format!("{index}: {}", numbered(&request.start, moves));
    if let Some(intended) = &request.intended {
        let at = first_difference(intended, moves);
        let position = last_position(&request.start, &moves[..at]);
        let here = numbered(&position, &moves[at..(at + 1).min(moves.len())]);
        let _ = write!(out, "   (leaves the intended game at {here})");
    }
    out.push('\n');
    out
}

/// Returns the board of a position, one line for each rank.
pub fn board(position: &Position) -> Vec<String> {
    let setup = position.to_setup();
    let rank = |rank: u8| {
        let square = |file: u8| match setup.piece(Square::at(file, rank)) {
            None => ".".to_owned(),
            Some((Color::White, letter)) => letter.to_string(),
            Some((Color::Black, letter)) => letter.to_ascii_lowercase().to_string(),
        };
        let squares: Vec<String> = (0..8).map(square).collect();
        format!("{}  {}", rank + 1, squares.join(" "))
    };
    (0..8).rev().map(rank).chain(["   a b c d e f g h".to_owned()]).collect()
}

/// Returns the verdict.
pub fn verdict(request: &StenoRequest, answer: &StenoOutcome) -> String {
    if !answer.refuted.is_empty() {
        return "no verdict: games of the search do not fit the steno\n".to_owned();
    }
    let exact = answer.ended == StenoEnd::Complete;
    let one = BigUint::from(1u32);
    let mut out = match (exact, &answer.count) {
        (true, count) if *count == BigUint::ZERO => "no game".to_owned(),
        (true, count) if *count == one => "unique: exactly one game".to_owned(),
        (true, count) => format!("{count} games"),
        (false, count) => format!("at least {count} games"),
    };
    if let Some(finals) = &answer.finals
        && answer.count > one
    {
        let _ = write!(out, ", {} final positions", finals.len());
    }
    match answer.ended {
        StenoEnd::Complete => {}
        StenoEnd::Stopped => out.push_str("; stopped before the end"),
        StenoEnd::Enough => out.push_str("; stopped after enough games"),
        StenoEnd::Moves => out.push_str("; the move limit is reached"),
        StenoEnd::Positions(turn) => {
            let _ = write!(out, "; given up: too many positions after turn {turn}");
        }
    }
    if let Some(turn) = answer.dead_turn() {
        let text = request.steno.turn_text(&request.steno.turns[turn - 1]);
        let how = match answer.dead_turn {
            Some(_) => "no game satisfies the turns up to",
            None if answer.contradiction.is_some() => "no move satisfies",
            None => "nothing leads past",
        };
        let _ = write!(out, "; {how} turn {turn} ({text})");
    }
    out.push('\n');
    out
}

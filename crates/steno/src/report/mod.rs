//! Answers as text: for people, as PGN and as a page one can step through.
//!
//! Every function returns a `String`; nothing here does output.

pub mod html;
pub mod pgn;
pub mod text;

use umbrail_chess::{Move, Position, to_san, to_uci};

/// The notations of a game from this position.
pub fn sans(start: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *start;
    let mut sans = Vec::with_capacity(moves.len());
    for &mv in moves {
        sans.push(to_san(&position, mv));
        position = position.after(mv);
    }
    sans
}

/// The moves of a game in coordinates.
pub fn coordinates(start: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *start;
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        texts.push(to_uci(&position, mv, false));
        position = position.after(mv);
    }
    texts
}

/// The position after a game from this position.
pub fn last_position(start: &Position, moves: &[Move]) -> Position {
    moves.iter().fold(*start, |position, &mv| position.after(mv))
}

/// A game with move numbers: `1. e4 e5 2. Nf3`.
pub fn numbered(start: &Position, moves: &[Move]) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for (at, &mv) in moves.iter().enumerate() {
        let number = position.fullmoves();
        if position.turn().is_white() {
            words.push(format!("{number}."));
        } else if at == 0 {
            words.push(format!("{number}..."));
        }
        words.push(to_san(&position, mv));
        position = position.after(mv);
    }
    words.join(" ")
}

/// The number of half-moves that two games have in common at their beginning.
pub fn first_difference(one: &[Move], other: &[Move]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

//! Reports of outcomes: as text, as PGN and as an interactive page.
//!
//! Every function returns a `String`; nothing here does output.

pub mod html;
pub mod pgn;
pub mod text;

use umbrail_chess::{Move, Position, to_san, to_uci};

/// Returns the moves of a game from this position in SAN.
pub fn sans(start: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *start;
    let mut sans = Vec::with_capacity(moves.len());
    for &mv in moves {
        sans.push(to_san(&position, mv));
        position = position.after(mv);
    }
    sans
}

/// Returns the moves of a game in coordinate notation.
pub fn coordinates(start: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *start;
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        texts.push(to_uci(&position, mv, false));
        position = position.after(mv);
    }
    texts
}

/// Returns the position after a game from this position.
pub fn last_position(start: &Position, moves: &[Move]) -> Position {
    moves.iter().fold(*start, |position, &mv| position.after(mv))
}

/// Returns a game with move numbers: `1. e4 e5 2. Nf3`.
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

/// Returns the number of half-moves that two games have in common at their start.
pub fn first_difference(one: &[Move], other: &[Move]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

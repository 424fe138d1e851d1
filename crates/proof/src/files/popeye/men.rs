//! Men of Popeye's input: lists of pieces, and Forsyth notation.

use super::PopeyeError;
use super::reader::PopeyeReader;
use super::words::{color, command, squares};
use crate::positions::{PieceName, PlacedMan};
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

impl PopeyeReader<'_> {
    pub(super) fn pieces(&mut self) -> Result<Vec<PlacedMan>, PopeyeError> {
        let mut men = vec![];
        let mut side = None;
        let (mut on_b, mut is_neutral) = (false, false);
        while let Some(token) = self.argument() {
            if let Some(found) = color(token.text, self.language) {
                is_neutral = found == 2;
                (side, on_b) = (Some(Color::ALL[found % 2]), false);
            } else if token.text.eq_ignore_ascii_case("AliceB") {
                on_b = true;
            } else if token.text.eq_ignore_ascii_case("AliceA") {
                on_b = false;
            } else if let Some((letters, list)) = split(token.text) {
                let Some(color) = side else {
                    return Err(Self::expected(token, "a color before pieces"));
                };
                let piece = self.piece(letters);
                let piece = if is_neutral { piece.and_then(PieceName::neutral) } else { piece };
                let piece = piece.ok_or_else(|| Self::unsupported(token, "piece"))?;
                // As in Popeye, a later man replaces an earlier one.
                men.retain(|known: &PlacedMan| !list.contains(&known.square));
                let man = |square| PlacedMan { square, color, piece, on_b };
                men.extend(list.into_iter().map(man));
            } else if command(token.text, self.language).is_some() && side.is_some() {
                break;
            } else {
                return Err(Self::expected(token, "a color, or pieces such as Ke1 or Pa2b2"));
            }
            self.at += 1;
        }
        Ok(men)
    }

    pub(super) fn piece(&self, letters: &str) -> Option<PieceName> {
        const STANDARD: [[&str; 6]; 3] = [
            ["p", "c", "f", "t", "d", "r"],
            ["b", "s", "l", "t", "d", "k"],
            ["p", "s", "b", "r", "q", "k"],
        ];
        let own = &STANDARD[self.language as usize];
        let standard = own.iter().position(|one| letters.eq_ignore_ascii_case(one));
        match standard {
            Some(at) => Some(PieceName::Standard(Role::ALL[at])),
            None => PieceName::of_letters(letters, self.language),
        }
    }

    pub(super) fn forsyth(&mut self) -> Result<Vec<PlacedMan>, PopeyeError> {
        let token = self.next()?;
        let mut men = vec![];
        let mut at: usize = 0;
        let mut letters = token.text.chars().peekable();
        while let Some(letter) = letters.next() {
            if letter == '/' {
                continue;
            }
            if let Some(first) = letter.to_digit(10) {
                let mut count = first as usize;
                while let Some(digit) = letters.peek().and_then(|next| next.to_digit(10)) {
                    count = count * 10 + digit as usize;
                    letters.next();
                }
                at = at.saturating_add(count);
                continue;
            }
            let is_neutral = letter == '=';
            let letter = if is_neutral { letters.next().unwrap_or('=') } else { letter };
            let name: String = match letter {
                '.' => letters.by_ref().take(2).collect(),
                one => one.to_string(),
            };
            let piece = self.piece(&name);
            let piece = if is_neutral { piece.and_then(PieceName::neutral) } else { piece };
            let piece = piece.ok_or_else(|| Self::unsupported(token, "piece"))?;
            let is_white = name.chars().next().is_some_and(|first| first.is_uppercase());
            if at >= 64 {
                return Err(Self::expected(token, "a position of 64 squares"));
            }
            let square = Square::at((at % 8) as u8, 7 - (at / 8) as u8);
            let color = if is_white { Color::White } else { Color::Black };
            men.push(PlacedMan { square, color, piece, on_b: false });
            at += 1;
        }
        match at > 64 {
            true => Err(Self::expected(token, "a position of 64 squares")),
            false => Ok(men),
        }
    }
}

/// Splits `Pa2b2` into letters and squares.
fn split(word: &str) -> Option<(&str, Vec<Square>)> {
    let letters = if word.len() % 2 == 1 { 1 } else { 2 };
    let is_split = word.is_ascii() && word.len() > letters;
    if !is_split {
        return None;
    }
    let (letters, list) = word.split_at(letters);
    Some((letters, squares(list)?))
}

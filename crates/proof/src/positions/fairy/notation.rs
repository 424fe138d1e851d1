//! Games in Popeye's long notation: `1.e4*d5[+bPd7]`.
//!
//! The effects of conditions are the differences between the board after the bare move and the board after the
//! move: `[+bPd7]` a man appears, `[-bQd8]` vanishes, `[d4=w]` changes its color, `[d4=P]` its kind; `=b` after
//! the move is a change of the man that moved, `[wKf8->e5]` its displacement.

use super::moves::{FairyMove, PlayedMove};
use super::pieces::{PieceType, is_on_b, on_other_board};
use super::rules::FairyRules;
use super::state::FairyPosition;
use crate::positions::board::{Man, ManKind};
use crate::positions::rules::CastlingWay;
use umbrail_chess::geometry::Square;

/// Returns the letters of a kind; empty for a pawn.
pub(crate) fn letters(rules: &FairyRules, kind: ManKind) -> String {
    match kind {
        ManKind::PAWN => String::new(),
        ManKind::KNIGHT => "S".to_owned(),
        ManKind::BISHOP => "B".to_owned(),
        ManKind::ROOK => "R".to_owned(),
        ManKind::QUEEN => "Q".to_owned(),
        ManKind::KING => "K".to_owned(),
        _ if rules.has_two_boards() => letters(rules, on_other_board(kind)),
        _ => rules.letters_of(kind).unwrap_or("?").to_owned(),
    }
}

fn named(rules: &FairyRules, man: Man) -> String {
    let color = if man.color().is_white() { 'w' } else { 'b' };
    let letters = letters(rules, man.kind());
    format!("{color}{}", if letters.is_empty() { "P" } else { &letters })
}

/// Returns the change of a man, such as `w`, `P` or `wP`; empty if nothing changed.
fn change(rules: &FairyRules, from: Man, to: Man) -> String {
    let letters = letters(rules, to.kind());
    let kind = if letters.is_empty() { "P" } else { &letters };
    let color = if to.color().is_white() { "w" } else { "b" };
    match (from.color() == to.color(), from.kind() == to.kind()) {
        (true, true) => String::new(),
        (false, true) => color.to_owned(),
        (true, false) => kind.to_owned(),
        (false, false) => format!("{color}{kind}"),
    }
}

impl FairyRules {
    /// Returns true if men of two boards are distinguished.
    pub(crate) fn has_two_boards(&self) -> bool {
        self.pieces.first().is_some_and(|piece| piece.name == super::pieces::BOARD_B[0].name)
    }

    /// Gives pieces, by their names, the letters of a problem. A letter of a piece of chess, or one that another piece
    /// has, would make moves ambiguous; then all keep Popeye's letters.
    pub(crate) fn give_letters(&mut self, given: &[(char, &str)]) {
        let own = |piece: &&PieceType| {
            let found = given.iter().find(|(_, name)| *name == piece.name);
            let letter = found.map(|(letter, _)| letter.to_ascii_uppercase());
            let is_free = |letter: &char| !"KQRBPS".contains(*letter);
            letter.filter(is_free).map(String::from)
        };
        let usual = self.letters.clone();
        let letters: Vec<String> = self
            .pieces
            .iter()
            .zip(usual)
            .map(|(piece, usual)| own(piece).unwrap_or(usual))
            .collect();
        let is_unique = |at: usize| !letters[..at].contains(&letters[at]);
        if (0..letters.len()).all(is_unique) {
            self.letters = letters;
        }
    }

    /// Returns the letters of a fairy piece in moves.
    fn letters_of(&self, kind: ManKind) -> Option<&str> {
        let at = kind.index().checked_sub(ManKind::STANDARD)?;
        self.letters.get(at).map(String::as_str)
    }

    /// Returns Popeye's letters of a piece that has others here, unless they are those of another piece.
    pub(crate) fn other_letters(&self, kind: ManKind) -> Option<String> {
        let usual = self.piece(kind)?.letters[2].to_uppercase();
        let is_known = self.letters.contains(&usual) || "KQRBPS".contains(usual.as_str());
        (!is_known && !usual.is_empty()).then_some(usual)
    }

    /// Returns true if a fairy piece has this letter.
    pub(crate) fn has_letter(&self, letter: &str) -> bool {
        self.letters.iter().any(|own| own == letter)
    }

    /// Writes a move with its effects.
    pub(crate) fn write_move(
        &self,
        before: &FairyPosition,
        mv: &FairyMove,
        after: &FairyPosition,
    ) -> String {
        let man = before.at(mv.from);
        let moved = match self.neutral(before).contains(mv.from) {
            true => format!("n{}", named(self, man).split_off(1)),
            false => letters(self, man.kind()),
        };
        let mut text = match mv.rook {
            Some((rook, to)) => castling(self, before, mv, rook, to),
            None => {
                let sign = if mv.victim.is_some() { '*' } else { '-' };
                format!("{moved}{}{sign}{}", mv.from, mv.to)
            }
        };
        if mv.victim.is_some_and(|victim| victim != mv.to) {
            let is_en_passant = before.en_passant == Some(mv.to);
            match (is_en_passant, mv.victim) {
                (true, _) => text += " ep.",
                (false, Some(victim)) => {
                    text = format!("{moved}{}*{victim}-{}", mv.from, mv.to);
                }
                (false, None) => {}
            }
        }
        if let Some(kind) = mv.promotion {
            text += &format!("={}", letters(self, kind));
        }
        let bare = self.bare(before, *mv);
        self.write_effects(&mut text, &bare, after);
        let was_neutral = self.neutral(before).contains(mv.from);
        match self.neutral(after).contains(bare.at) {
            true if !was_neutral => text += "=n",
            false if was_neutral => text += if before.turn.is_white() { "=w" } else { "=b" },
            _ => {}
        }
        if self.is_in_check(after, !before.turn) {
            text += " +";
        }
        text
    }

    fn write_effects(&self, text: &mut String, bare: &PlayedMove, after: &FairyPosition) {
        let at = bare.at;
        let (was, is) = (bare.next.at(at), after.at(at));
        if self.has_two_boards() {
            text.push(if is_on_b(is.kind()) { 'B' } else { 'A' });
            return;
        }
        let differs = |square: &Square| bare.next.at(*square) != after.at(*square);
        let mut squares: Vec<Square> = Square::all().filter(differs).collect();
        // Neutral men stand as white ones on the board of the search.
        if differs(&at) && self.traits.neutral {
            squares.retain(|square| *square != at);
        } else if differs(&at) {
            if is.is_none() {
                // The man that moved stands elsewhere, possibly changed.
                let found = squares.iter().copied().find(|square| {
                    after.at(*square).color() == was.color() && bare.next.at(*square).is_none()
                });
                if let Some(to) = found {
                    let change = change(self, was, after.at(to));
                    let equals = if change.is_empty() { "" } else { "=" };
                    *text += &format!("[{}{at}->{to}{equals}{change}]", named(self, was));
                    squares.retain(|square| *square != to && *square != at);
                }
            } else {
                *text += &format!("={}", change(self, was, is));
                squares.retain(|square| *square != at);
            }
        }
        for square in squares {
            let (was, is) = (bare.next.at(square), after.at(square));
            *text += &match (was.is_none(), is.is_none()) {
                (true, _) => format!("[+{}{square}]", named(self, is)),
                (_, true) => format!("[-{}{square}]", named(self, was)),
                _ => format!("[{square}={}]", change(self, was, is)),
            };
        }
        if let Some(imitator) = after.extra.imitator {
            *text += &format!("[I{imitator}]");
        }
    }
}

fn castling(
    rules: &FairyRules,
    before: &FairyPosition,
    mv: &FairyMove,
    rook: Square,
    to: Square,
) -> String {
    let way = [true, false].map(|kingside| CastlingWay::of(before.turn, kingside));
    let is_home = mv.from.file() == 4;
    let wing = way.iter().position(|way| way.rook_from == rook && way.king_to == mv.to);
    match wing.filter(|_| is_home && !rules.facts.castles_anywhere) {
        Some(0) => "0-0".to_owned(),
        Some(_) => "0-0-0".to_owned(),
        None => format!("K{}-{}/{}{rook}-{to}", mv.from, mv.to, named(rules, before.at(rook))),
    }
}

/// Numbers the moves of a game: `1.e2-e4 e7-e5 2.…`. `of_other` marks the moves of the side that does not begin, which
/// have no number; a game of one side has one move a number.
pub(crate) fn numbered(moves: &[String], of_other: &[bool]) -> String {
    let (mut words, mut number) = (vec![], 0);
    for (mv, of_other) in moves.iter().zip(of_other) {
        number += usize::from(!of_other);
        words.push(if *of_other { mv.clone() } else { format!("{number}.{mv}") });
    }
    words.join(" ")
}

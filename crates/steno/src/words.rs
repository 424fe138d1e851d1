//! Descriptions of marks in words.

use super::condition::{ColoredPiece, Condition, ConditionSet, PieceKind, Region};
use super::mark::{BoardEdge, CastlingSide, LineKind, Literal, Mark};
use super::parse::Turn;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, File, Rank};

impl Turn {
    /// Returns a description of the turn in words.
    pub fn words(&self) -> String {
        let marks = self.literals.iter().map(literal);
        marks.chain(self.conditions.iter().map(set)).collect::<Vec<_>>().join("; ")
    }
}

fn literal(literal: &Literal) -> String {
    let words = literal.mark.words();
    if literal.negated { format!("not: {words}") } else { words }
}

fn file(file: File) -> char {
    char::from(b'a' + file)
}

fn rank(rank: Rank) -> u8 {
    rank + 1
}

impl Mark {
    /// Returns the meaning of the mark in words.
    pub(crate) fn words(self) -> String {
        let text = match self {
            Mark::Any => "any move",
            Mark::File(at) => return format!("a piece moves to the {}-file", file(at)),
            Mark::Rank(at) => return format!("a piece moves to rank {}", rank(at)),
            Mark::FileLetter(at) => return format!("the notation has the letter {}", file(at)),
            Mark::RankDigit(at) => return format!("the notation has the digit {}", rank(at)),
            Mark::Piece(Role::King) => "the king moves, castling included",
            Mark::Piece(role) => return format!("a {role} moves"),
            Mark::PieceLetter(role) => {
                let letter = role.letter();
                return format!("the notation has {letter}: a {role} moves, or a pawn becomes one");
            }
            Mark::Promotion(None) => "a pawn is promoted",
            Mark::Promotion(Some(role)) => return format!("a pawn becomes a {role}"),
            Mark::Capture => "a capture",
            Mark::Quiet => "not a capture",
            Mark::EnPassant => "a capture en passant",
            Mark::Castling(None) => "castling",
            Mark::Castling(Some(CastlingSide::Short)) => "castling, short",
            Mark::Castling(Some(CastlingSide::Long)) => "castling, long",
            Mark::Check => "check or mate",
            Mark::BareCheck => "check but not mate",
            Mark::Mate => "mate",
            Mark::Stalemate => "stalemate",
            Mark::Draw => "stalemate or insufficient material",
            Mark::Along(LineKind::Rank) => "along a rank",
            Mark::Along(LineKind::File) => "along a file",
            Mark::Along(LineKind::Rising) => "along a diagonal parallel to a1-h8",
            Mark::Along(LineKind::Falling) => "along a diagonal parallel to a8-h1",
            Mark::Toward(BoardEdge::Top) => "toward rank 8",
            Mark::Toward(BoardEdge::Bottom) => "toward rank 1",
            Mark::Toward(BoardEdge::Left) => "toward the a-file",
            Mark::Toward(BoardEdge::Right) => "toward the h-file",
            Mark::Again => "the piece that this side moved last moves again",
            Mark::Length(1) => "the notation has 1 character",
            Mark::Length(count) => return format!("the notation has {count} characters"),
        };
        text.to_owned()
    }
}

fn set(set: &ConditionSet) -> String {
    let all = |list: &Vec<Condition>| list.iter().map(condition).collect::<Vec<_>>().join(" and ");
    set.0.iter().map(all).collect::<Vec<_>>().join(", or ")
}

fn kind(kind: PieceKind) -> String {
    match kind {
        PieceKind::Role(role) => role.to_string(),
        PieceKind::LightBishop => "bishop on light squares".to_owned(),
        PieceKind::DarkBishop => "bishop on dark squares".to_owned(),
    }
}

fn piece(piece: &ColoredPiece) -> String {
    format!("a {} {}", piece.color, kind(piece.kind))
}

fn pieces(list: &[ColoredPiece]) -> String {
    list.iter().map(piece).collect::<Vec<_>>().join(", ")
}

fn place(region: Region) -> String {
    match (region.file, region.rank) {
        (Some(at), Some(up)) => format!("on {}{}", file(at), rank(up)),
        (Some(at), None) => format!("on the {}-file", file(at)),
        (None, Some(up)) => format!("on rank {}", rank(up)),
        (None, None) => "on the board".to_owned(),
    }
}

fn condition(condition: &Condition) -> String {
    match condition {
        Condition::Takes(taken) => format!("this move takes a {}", kind(*taken)),
        Condition::Taken(list) => format!("taken so far: {}", pieces(list)),
        Condition::Promoted(list) if list.is_empty() => "a pawn was promoted before".to_owned(),
        Condition::Promoted(list) => format!("made by promotion so far: {}", pieces(list)),
        Condition::Advanced(Color::White, at) => {
            format!("a white pawn stands on rank {} or higher", rank(*at))
        }
        Condition::Advanced(Color::Black, at) => {
            format!("a black pawn stands on rank {} or lower", rank(*at))
        }
        Condition::Vacant(region) => format!("no piece stands {}", place(*region)),
        Condition::From(region) => format!("the move began {}", place(*region)),
        Condition::On(standing, region) => format!("{} stands {}", piece(standing), place(*region)),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Steno, Vocabulary};

    fn words(text: &str, vocabulary: Vocabulary) -> Vec<String> {
        let steno = Steno::parse(text, vocabulary).unwrap();
        steno.turns.iter().map(super::Turn::words).collect()
    }

    #[test]
    fn marks_are_explained_in_words() {
        let reported = words("36~#", Vocabulary::Extended);
        assert_eq!(
            reported,
            ["a piece moves to rank 3", "a piece moves to rank 6", "any move", "mate"]
        );
        let reported = words("e&!x[xB|Qe4&-f6]", Vocabulary::Extended);
        assert_eq!(
            reported,
            [
                "a piece moves to the e-file; not: a capture; this move takes a bishop, or a white queen stands on e4 and no piece stands on f6"
            ]
        );
        assert_eq!(
            words("N", Vocabulary::Pgn),
            ["the notation has N: a knight moves, or a pawn becomes one"]
        );
    }

    #[test]
    fn every_mark_of_every_vocabulary_has_words() {
        for vocabulary in Vocabulary::ALL {
            for symbol in vocabulary.symbols().chars() {
                let text = symbol.to_string();
                let Ok(steno) = Steno::parse(&text, vocabulary) else { continue };
                let reported = steno.turns[0].words();
                assert!(reported.len() > 3, "{vocabulary} {symbol}: {reported}");
            }
        }
    }
}

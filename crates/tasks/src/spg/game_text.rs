//! A game as text: moves in the notations that the program prints, in PGN or in coordinates, with everything around
//! them that such texts have.

use std::fmt;
use umbrail_chess::{Move, PieceLetters, Position, parse_san, parse_uci, san::SanError};

/// A word that is no move of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameTextError {
    /// The half-move, from 1.
    pub ply: usize,
    /// The word.
    pub word: String,
    /// Why it is none.
    pub why: SanError,
}

impl fmt::Display for GameTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, white) = (self.ply.div_ceil(2), self.ply % 2 == 1);
        let dots = if white { "." } else { "..." };
        let (ply, word) = (self.ply, &self.word);
        write!(f, "half-move {ply}, {number}{dots}{word}: ")?;
        match &self.why {
            SanError::Illegal => f.write_str("it is not legal here"),
            why => why.fmt(f),
        }
    }
}

impl std::error::Error for GameTextError {}

/// Returns the moves of a game from the initial position, with the piece letters of any language in [`PieceLetters`].
/// Tags, comments, variations, move numbers, annotations and the result are skipped.
///
/// # Errors
/// The first word that is not a legal move, in the language in which most of the game can be read.
pub(super) fn read_game(text: &str) -> Result<Vec<Move>, GameTextError> {
    let text = without_comments(text, false);
    let [english, others @ ..] = PieceLetters::ALL;
    let mut best = read_in(english, &text);
    for language in others {
        match (&best, read_in(language, &text)) {
            (Ok(_), _) => break,
            (Err(before), Err(now)) if now.ply <= before.ply => {}
            (_, found) => best = found,
        }
    }
    best
}

fn read_in(letters: PieceLetters, text: &str) -> Result<Vec<Move>, GameTextError> {
    let mut position = Position::startpos();
    let mut game = vec![];
    for word in words(text) {
        let mv =
            parse_uci(&position, word).or_else(|_| parse_san(&position, &letters.to_english(word)));
        let mv =
            mv.map_err(|why| GameTextError { ply: game.len() + 1, word: word.to_owned(), why })?;
        position = position.after(mv);
        game.push(mv);
    }
    Ok(game)
}

/// Returns the words that stand for moves of a game with conditions: brackets without a quoted value are effects of the
/// move before them.
pub(super) fn fairy_words(text: &str) -> Vec<String> {
    let text = without_comments(text, true);
    let moves = words(&text).filter(|word| !word.starts_with("--"));
    let mut joined: Vec<String> = vec![];
    for word in moves {
        match joined.last_mut().filter(|_| word.starts_with('[') || word.starts_with("ep.")) {
            Some(before) => before.push_str(word),
            None => joined.push(word.to_owned()),
        }
    }
    joined
}

/// The words that stand for moves.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().filter_map(|word| {
        let after = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
        let word = match after.strip_prefix(['.', '…']) {
            Some(rest) => rest.trim_start_matches(['.', '…']),
            // A number without its dot.
            None if after.is_empty() => "",
            None => word,
        };
        let skipped = matches!(word, "*" | "1-0" | "0-1" | "1/2-1/2" | "½-½" | "e.p." | "ep")
            || word.starts_with('$')
            || word.chars().all(|symbol| "+#!?=".contains(symbol));
        (!skipped).then_some(word)
    })
}

/// The text without `[tags]`, `{comments}`, `; comments` to the end of a line, and `(variations)`. With `has_effects` only
/// brackets with a quoted value are tags.
fn without_comments(text: &str, has_effects: bool) -> String {
    let mut left = String::with_capacity(text.len());
    let mut symbols = text.chars();
    let mut depth = 0usize;
    while let Some(symbol) = symbols.next() {
        match symbol {
            '{' => {
                let _ = symbols.by_ref().find(|&symbol| symbol == '}');
            }
            ';' => {
                let _ = symbols.by_ref().find(|&symbol| symbol == '\n');
            }
            '[' if has_effects && !is_tag(symbols.as_str()) => {
                left.push(symbol);
                continue;
            }
            '[' => skip_tag(&mut symbols),
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => continue,
            _ => {
                left.push(symbol);
                continue;
            }
        }
        left.push(' ');
    }
    left
}

/// Returns true if the text after a bracket is that of a tag.
fn is_tag(rest: &str) -> bool {
    rest.split(']').next().is_some_and(|inside| inside.contains('"'))
}

/// Skips a tag up to its bracket, which may also stand within its value.
fn skip_tag(symbols: &mut std::str::Chars<'_>) {
    let mut quoted = false;
    while let Some(symbol) = symbols.next() {
        match symbol {
            '\\' if quoted => {
                let _ = symbols.next();
            }
            '"' => quoted = !quoted,
            ']' if !quoted => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umbrail_proof::report::text::{long, numbered};
    use umbrail_proof::{game_of, san_of};

    const CASTLED: &str = "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O d4 exd4";

    #[test]
    fn games_are_read_in_other_languages() {
        let game = game_of(CASTLED).unwrap();
        for text in [
            "1.e4 e5 2.Sf3 Sf6 3.Lc4 Lc5 4.0-0 0-0 5.d4 exd4",
            "1.Be2-e4 Be7-e5 2.Sg1-f3 Sg8-f6 3.Lf1-c4 Lf8-c5 4.0-0 0-0 5.Bd2-d4 Be5xd4",
            "1.e4 e5 2.Cf3 Cf6 3.Fc4 Fc5 4.O-O O-O 5.d4 exd4",
            "1.e4 e5 2.Cf3 Cf6 3.Ac4 Ac5 4.O-O O-O 5.d4 exd4",
        ] {
            assert_eq!(read_game(text), Ok(game.clone()), "{text}");
        }
        let error = read_game("1.e4 e5 2.Sf3 Sf6 3.Lc4 Lc5 4.Dg4").unwrap_err();
        assert_eq!(error.to_string(), "half-move 7, 4.Dg4: it is not legal here");
    }

    #[test]
    fn games_are_read_as_they_are_printed_and_in_other_notations() {
        let game = game_of(CASTLED).unwrap();
        let uci = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8 d2d4 e5d4";
        let pgn = "[Event \"a [b] \\\" c\"]\n[Result \"*\"]\n\n1. e4! {a comment 1. d4} e5 $1 2. Nf3 (2. f4 exf4 \
            (2... d5)) Nf6 ; to the end\n3. Bc4 Bc5 4. O-O 4... O-O 5. d4 exd4 1/2-1/2";
        let texts =
            [long(&game, 'S'), long(&game, 'N'), numbered(&game, 'S'), numbered(&game, 'N')];
        for text in texts.iter().map(String::as_str).chain([uci, pgn, CASTLED]) {
            assert_eq!(read_game(text).map(|game| san_of(&game)), Ok(san_of(&game)), "{text}");
        }
        assert!(long(&game, 'S').contains("4.0-0 0-0"));
        let passing = game_of("e4 a6 e5 d5 exd6").unwrap();
        for text in [long(&passing, 'S').as_str(), "1.e4 a6 2.e5 d5 3.exd6 e.p. *"] {
            assert_eq!(read_game(text), Ok(passing.clone()), "{text}");
        }
        let mate = game_of("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#").unwrap();
        assert_eq!(read_game("1 e4 e5 2 Bc4 Nc6 3 Qh5 Nf6 4 Qxf7 # 1-0"), Ok(mate));
    }

    #[test]
    fn effects_belong_to_the_move_before_them() {
        let text =
            "[Event \"a ] b\"]\n1. e4*d5[+bPd7] e5 {a} 2.e4*d3 ep.[+wPd2] + -- Qd8 [+bPd7] 1-0";
        let words = ["e4*d5[+bPd7]", "e5", "e4*d3ep.[+wPd2]", "Qd8[+bPd7]"];
        assert_eq!(fairy_words(text), words);
    }

    #[test]
    fn the_move_that_is_not_legal_is_named() {
        let reported = |text: &str| read_game(text).unwrap_err().to_string();
        assert_eq!(reported("1.e4 e5 2.Nf3 Nf3"), "half-move 4, 2...Nf3: it is not legal here");
        assert_eq!(reported("1.e4 e5 2.Ke3"), "half-move 3, 2.Ke3: it is not legal here");
        assert_eq!(
            reported("1.e4 what"),
            "half-move 2, 1...what: expected a move such as Nf3, exd6 or O-O"
        );
        assert_eq!(reported("1.0-0"), "half-move 1, 1.0-0: it is not legal here");
    }
}

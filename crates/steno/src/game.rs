//! A given game: the marks that describe its moves, and a test against a string.

use super::verify::{Mismatch, PlayedMove, fits};
use super::vocabulary::Vocabulary;
use umbrail_chess::geometry::Setup;
use umbrail_chess::san::SanError;
use umbrail_chess::{CastlingMode, Move, MoveError, Position, parse_san, parse_uci, to_san};

/// A game from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Start position.
    pub start: Position,
    /// Moves of the game.
    pub moves: Vec<Move>,
}

/// Reason why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// A word is not a legal move.
    #[error("half-move {ply}, '{word}': {why}")]
    Move {
        /// The word.
        word: String,
        /// Half-move, from 1.
        ply: usize,
        /// Reason of the error.
        why: MoveReadError,
    },
    /// The `FEN` tag is not a valid position.
    #[error("the start position: {0}")]
    Start(String),
    /// A comment or variation is not closed.
    #[error("'{0}' is never closed")]
    Open(char),
}

/// Reason why a word is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveReadError {
    /// The word is not a legal move in algebraic notation.
    #[error(transparent)]
    San(#[from] SanError),
    /// The word is not a legal move in coordinates.
    #[error(transparent)]
    Coordinates(#[from] MoveError),
}

impl Game {
    /// Parses the first game of a text: PGN with or without tags, or moves alone in algebraic or
    /// coordinate notation. Comments, variations, glyphs, move numbers and the result are skipped;
    /// a `FEN` tag replaces the given start, with the castling rights that the mode has. A tag
    /// such as `[Variant "Chess960"]` changes the mode of its game.
    ///
    /// # Errors
    /// Returns a [`GameError`] with the first word that is not a legal move.
    pub fn read(text: &str, start: &Position, mode: CastlingMode) -> Result<Self, GameError> {
        Ok(Self::read_first(text, start, mode)?.0)
    }

    /// Parses all games of a PGN text.
    ///
    /// # Errors
    /// Returns the first [`GameError`].
    pub fn read_all(
        text: &str,
        start: &Position,
        mode: CastlingMode,
    ) -> Result<Vec<Self>, GameError> {
        let (mut games, mut rest) = (Vec::new(), text);
        while !rest.trim().is_empty() {
            let game;
            (game, rest) = Self::read_first(rest, start, mode)?;
            games.push(game);
        }
        Ok(games)
    }

    fn read_first<'a>(
        text: &'a str,
        start: &Position,
        mode: CastlingMode,
    ) -> Result<(Self, &'a str), GameError> {
        let (mut start, mut mode, mut fen) = (*start, mode, None);
        let mut rest = text;
        let (mut position, mut moves) = (start, Vec::new());
        while let Some(first) = rest.chars().next() {
            match first {
                '[' if moves.is_empty() => {
                    let (tag, behind) = rest.split_once('\n').unwrap_or((rest, ""));
                    fen = tag_value(tag, "FEN").or(fen);
                    if tag_value(tag, "Variant").is_some_and(is_chess960) {
                        mode = CastlingMode::Chess960;
                    }
                    // The tags stand in any order.
                    if let Some(fen) = fen {
                        start = read_start(fen, mode)?;
                        position = start;
                    }
                    rest = behind;
                }
                '[' => break,
                '{' => rest = closed(rest, '{', '}')?,
                '(' => rest = closed(rest, '(', ')')?,
                ';' => rest = rest.split_once('\n').map_or("", |(_, behind)| behind),
                symbol if symbol.is_whitespace() => rest = rest.trim_start(),
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "{(;".contains(c));
                    let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
                    rest = behind;
                    if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
                        break;
                    }
                    let Some(word) = bare_move(word) else { continue };
                    let mv = read_move(&position, word).map_err(|why| GameError::Move {
                        word: word.to_owned(),
                        ply: moves.len() + 1,
                        why,
                    })?;
                    position = position.after(mv);
                    moves.push(mv);
                }
            }
        }
        Ok((Self { start, moves }, rest))
    }

    /// Returns the notation of each move, and all marks that describe it.
    pub fn marks(&self, vocabulary: Vocabulary, strict: bool) -> Vec<(String, Vec<char>)> {
        let with_marks = |before: &Position, played: PlayedMove, mv: Move| {
            (to_san(before, mv), played.marks(vocabulary, strict))
        };
        self.played().map(|(before, mv, played)| with_marks(&before, played, mv)).collect()
    }

    /// Like [`Self::marks`], with each alias after its canonical character.
    pub fn marks_and_aliases(
        &self,
        vocabulary: Vocabulary,
        strict: bool,
    ) -> Vec<(String, Vec<char>)> {
        let mut all = self.marks(vocabulary, strict);
        for (_, marks) in &mut all {
            for &(usual, alias) in vocabulary.aliases() {
                if let Some(at) = marks.iter().position(|&mark| mark == usual) {
                    marks.insert(at + 1, alias);
                }
            }
        }
        all
    }

    /// Returns the moves with all facts that marks may depend on.
    pub(crate) fn played(&self) -> impl Iterator<Item = (Position, Move, PlayedMove)> + '_ {
        let (mut position, mut last) = (self.start, [None; 2]);
        self.moves.iter().map(move |&mv| {
            let (before, mover) = (position, position.turn().index());
            let played = PlayedMove::new(&before, mv, last[mover]);
            last[mover] = Some(played.ends_on());
            position = before.after(mv);
            (before, mv, played)
        })
    }

    /// Checks that the game fits a string.
    ///
    /// # Errors
    /// Returns the first [`Mismatch`].
    pub fn fits(&self, text: &str, vocabulary: Vocabulary, strict: bool) -> Result<(), Mismatch> {
        fits(text, vocabulary, strict, &self.start, &self.moves)
    }
}

/// The value of a line that is the tag of this name.
fn tag_value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let behind = line.trim().strip_prefix('[')?.strip_prefix(name)?;
    behind.trim_start().strip_prefix('"')?.strip_suffix("\"]")
}

/// True for the names of Chess960 in `Variant` tags: `Chess960`, `chess 960`, `Fischerandom`, `Fischer Random`.
fn is_chess960(variant: &str) -> bool {
    let letters = variant.chars().filter(char::is_ascii_alphanumeric);
    let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    matches!(&*name, "chess960" | "fischerandom" | "fischerrandom")
}

fn read_start(fen: &str, mode: CastlingMode) -> Result<Position, GameError> {
    let setup: Setup = fen.parse().map_err(|error| GameError::Start(format!("{error}")))?;
    Position::from_setup(&setup, mode).map_err(|error| GameError::Start(error.to_string()))
}

/// Returns the text after a comment or variation; variations in parentheses may be nested.
fn closed(text: &str, open: char, close: char) -> Result<&str, GameError> {
    let mut depth = 0;
    for (at, symbol) in text.char_indices() {
        if symbol == open && (open == '(' || depth == 0) {
            depth += 1;
        } else if symbol == close {
            depth -= 1;
            if depth == 0 {
                return Ok(&text[at + symbol.len_utf8()..]);
            }
        }
    }
    Err(GameError::Open(open))
}

/// Returns the word without a preceding move number; `None` for numbers and glyphs alone.
fn bare_move(word: &str) -> Option<&str> {
    let bare = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    let bare = if bare.starts_with('.') { bare.trim_start_matches('.') } else { word };
    let number = bare.bytes().all(|byte| byte.is_ascii_digit());
    (!bare.is_empty() && !number && !bare.starts_with('$')).then_some(bare)
}

fn read_move(position: &Position, word: &str) -> Result<Move, MoveReadError> {
    parse_san(position, word).or_else(|san| {
        let coordinates = |word: &str| {
            let bytes = word.as_bytes();
            bytes.len() >= 4 && bytes[1].is_ascii_digit() && bytes[3].is_ascii_digit()
        };
        match parse_uci(position, word) {
            Ok(mv) => Ok(mv),
            Err(uci) if coordinates(word) => Err(uci.into()),
            Err(_) => Err(san.into()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Game, GameError};
    use crate::report::numbered;
    use crate::vocabulary::Vocabulary;
    use umbrail_chess::{CastlingMode, Position};

    fn read(text: &str) -> Result<String, GameError> {
        let game = Game::read(text, &Position::startpos(), CastlingMode::Standard)?;
        Ok(numbered(&game.start, &game.moves))
    }

    #[test]
    fn games_are_read_in_many_manners() {
        let expected = "1. e4 e5 2. Nf3";
        for text in [
            "e4 e5 Nf3",
            "1.e4 e5 2.Nf3 *",
            "1. e4 $1 e5 (1... c5 (1... c6)) 2. Nf3 {a {comment} 1-0",
            "; a file\n[Event \"x\"]\n\n1. e2e4 e7e5 ; the king's pawn\n2. g1f3",
        ] {
            assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
        }
        let wrong = read("e4 e5 Nf4").unwrap_err().to_string();
        assert!(wrong.starts_with("half-move 3, 'Nf4'"), "{wrong}");
        assert_eq!(read("e4 {e5"), Err(GameError::Open('{')));
        let two =
            "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. O-O Kd7 *\n\n[White \"?\"]\n\n1. e4 *";
        let games = Game::read_all(two, &Position::startpos(), CastlingMode::Standard).unwrap();
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn castling_of_chess960_is_read_in_games_of_chess960() {
        let fen = "[FEN \"4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1\"]";
        let variant = "[Variant \"Chess960\"]";
        let read = |tags: &str, mode| {
            let text = format!("{tags}\n\n1. O-O *");
            Game::read(&text, &Position::startpos(), mode).map(|game| game.moves.len())
        };
        let standard = CastlingMode::Standard;
        let error = read(fen, standard).unwrap_err().to_string();
        assert!(error.starts_with("half-move 1, 'O-O'"), "{error}");
        assert_eq!(read(fen, CastlingMode::Chess960), Ok(1));
        assert_eq!(read(&format!("{fen}\n{variant}"), standard), Ok(1));
        assert_eq!(read(&format!("{variant}\n{fen}"), standard), Ok(1));
        // The tag counts for its own game only.
        let two = format!("{variant}\n{fen}\n\n1. O-O *\n\n{fen}\n\n1. O-O *\n");
        assert!(Game::read_all(&two, &Position::startpos(), standard).is_err());
    }

    #[test]
    fn a_repeated_piece_is_a_mark() {
        let game =
            Game::read("Nf3 e5 Nxe5 d6", &Position::startpos(), CastlingMode::Standard).unwrap();
        let marks = game.marks(Vocabulary::Extended, false);
        assert_eq!(marks[2].0, "Nxe5");
        assert!(marks[2].1.contains(&'"') && !marks[3].1.contains(&'"'));
        assert_eq!(game.fits("Ne\"d", Vocabulary::Extended, false), Ok(()));
    }
}

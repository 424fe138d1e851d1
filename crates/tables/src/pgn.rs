//! Best play as a game in PGN.

use super::fairy_board::FairyBoard;
use super::probe::ProbeError;
use super::rules::Metric;
use super::tablebase::Tablebase;
use std::fmt;
use umbrail_chess::geometry::Color;
use umbrail_chess::{CastlingMode, Position, parse_uci, to_san};

/// Maximum length of a line of moves, in characters.
const LINE_MAX: usize = 79;

/// Result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PgnResult {
    /// White has won.
    White,
    /// Black has won.
    Black,
    /// The game is drawn.
    Draw,
    /// The game is not over.
    Unknown,
}

/// A game from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Variant as XBoard names it; none for orthodox chess.
    pub variant: Option<String>,
    /// Initial position.
    pub fen: String,
    /// Side that makes the first move.
    pub turn: Color,
    /// Moves.
    pub moves: Vec<String>,
    /// Result.
    pub result: PgnResult,
}

impl fmt::Display for PgnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

impl fmt::Display for PgnGame {
    /// Writes tags and moves, with an empty line after each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unknown = ["Site", "Round", "White", "Black"];
        writeln!(f, "[Event \"Best play from a table\"]")?;
        for tag in unknown {
            writeln!(f, "[{tag} \"?\"]")?;
        }
        writeln!(f, "[Date \"????.??.??\"]\n[Result \"{}\"]", self.result)?;
        if let Some(variant) = &self.variant {
            writeln!(f, "[Variant \"{variant}\"]")?;
        }
        writeln!(f, "[SetUp \"1\"]\n[FEN \"{}\"]\n", self.fen)?;
        let mut line = String::new();
        let first = usize::from(!self.turn.is_white());
        let numbered = self.moves.iter().enumerate().map(|(ply, mv)| {
            let number = (ply + first) / 2 + 1;
            match (ply + first).is_multiple_of(2) {
                true => format!("{number}. {mv}"),
                false if ply == 0 => format!("{number}... {mv}"),
                false => mv.clone(),
            }
        });
        for word in numbered.chain([self.result.to_string()]) {
            if !line.is_empty() && line.len() + 1 + word.len() > LINE_MAX {
                writeln!(f, "{line}")?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += &word;
        }
        writeln!(f, "{line}\n")
    }
}

impl Tablebase {
    /// Returns best play from a board as a game. Moves are in the notation of FIDE in orthodox
    /// chess, and in coordinates with fairy pieces, which GUIs read, too.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when a table is missing.
    pub fn pgn(&self, first: &FairyBoard, plies_max: usize) -> Result<PgnGame, ProbeError> {
        let line = self.line(first, plies_max)?;
        let mut board = first.clone();
        line.iter().for_each(|mv| board = board.after(mv));
        let stuck = board.moves_to(&self.promotions()).is_empty();
        let result = match (stuck, board.in_check(), board.turn) {
            (true, true, Color::Black) => PgnResult::White,
            (true, true, Color::White) => PgnResult::Black,
            (true, false, _) if self.rules() == &super::Rules::orthodox(Metric::Dtm) => {
                PgnResult::Draw
            }
            _ => PgnResult::Unknown,
        };
        let fen = first.to_fen();
        let coordinates: Vec<String> = line.iter().map(ToString::to_string).collect();
        let usual = |letter: char| "KQRBNP".contains(letter);
        let orthodox = first.pieces.iter().all(|piece| {
            let letter = piece.piece.letter.to_ascii_uppercase();
            let standard = crate::fairy::PieceSet::default();
            usual(letter) && standard.get(letter).is_some_and(|p| p.moves_like(&piece.piece))
        });
        let san = orthodox.then(|| san(&fen, &coordinates)).flatten();
        let variant = san.is_none().then(|| "fairy".to_owned());
        let moves = san.unwrap_or(coordinates);
        Ok(PgnGame { variant, fen, turn: first.turn, moves, result })
    }
}

/// Returns moves of orthodox chess in the notation of FIDE.
fn san(fen: &str, moves: &[String]) -> Option<Vec<String>> {
    let setup = fen.parse().ok()?;
    let mut position = Position::from_setup(&setup, CastlingMode::Standard).ok()?;
    let mut found = vec![];
    for text in moves {
        let mv = parse_uci(&position, text).ok()?;
        found.push(to_san(&position, mv));
        position = position.after(mv);
    }
    Some(found)
}

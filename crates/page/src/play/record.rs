//! Records of a game: moves with variations, comments and NAGs; and a game as an address has it, as
//! a diagram and moves.

use serde::Serialize;
use umbrail_chess::geometry::{Setup, SetupError};
use umbrail_chess::{CastlingMode, MoveError, Position, PositionError, parse_uci};

/// Maximum number of moves in an address.
pub(super) const MOVES_MAX: usize = 2_000;

/// Reason why a text is not a game.
#[derive(Debug, thiserror::Error)]
pub(super) enum GameError {
    /// The diagram cannot be read.
    #[error(transparent)]
    Diagram(#[from] SetupError),
    /// The diagram is not a position of a game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move of an address cannot be played.
    #[error("{given} cannot be played: {why}")]
    Move { given: String, why: MoveError },
    /// An address with too many moves.
    #[error("at most {MOVES_MAX} moves can be given")]
    Length,
    /// The text has neither tags nor legal moves.
    #[error("expected a FEN, or a game in PGN{}", .0.as_ref().map_or_else(String::new, |move_| format!(": {move_}")))]
    NoGame(Option<String>),
    /// PGN with an error in its form.
    #[error("the PGN cannot be read: {0}")]
    Syntax(#[from] std::io::Error),
}

/// A diagram and the moves played from it.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) setup: Setup,
    /// Moves in coordinates.
    pub(super) moves: Vec<String>,
    /// Position after the moves.
    pub(super) position: Position,
}

/// Splits moves at commas and blanks.
fn words(moves: &str) -> impl Iterator<Item = &str> {
    moves.split([',', ' ']).filter(|word| !word.is_empty())
}

impl Played {
    /// Reads a diagram, by default the initial position, and moves in coordinates.
    ///
    /// # Errors
    /// The diagram or a move cannot be used.
    pub(super) fn read(fen: &str, moves: &str, mode: CastlingMode) -> Result<Self, GameError> {
        let setup = setup(fen)?;
        let mut position = Position::from_setup(&setup, mode)?;
        if words(moves).nth(MOVES_MAX).is_some() {
            return Err(GameError::Length);
        }
        for text in words(moves) {
            let fail = |why| GameError::Move { given: text.to_owned(), why };
            position = position.after(parse_uci(&position, text).map_err(fail)?);
        }
        Ok(Self { setup, moves: words(moves).map(str::to_owned).collect(), position })
    }
}

pub(super) fn setup(fen: &str) -> Result<Setup, SetupError> {
    match fen.trim() {
        "" => Ok(Position::startpos().to_setup()),
        text => text.parse(),
    }
}

/// A move of a game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NodeRecord {
    /// Index of the move before; null for a first move.
    pub(super) parent: Option<usize>,
    pub(super) uci: String,
    pub(super) san: String,
    /// Position after the move.
    pub(super) fen: String,
    pub(super) nags: Vec<u8>,
    /// Comment before the move.
    pub(super) before: String,
    /// Comment after the move.
    pub(super) comment: String,
}

/// A game. The first child of a move continues its line, the others are variations.
#[derive(Debug, Default, Serialize)]
pub(super) struct GameRecord {
    /// Reason why the text is not a game.
    pub(super) fault: Option<String>,
    /// Note on parts that were left out.
    pub(super) note: Option<String>,
    /// Castling rules: `standard` or `chess960`.
    pub(super) rules: &'static str,
    /// Initial position.
    pub(super) fen: String,
    /// Comment before the first move.
    pub(super) comment: String,
    /// Names and values.
    pub(super) tags: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub(super) result: String,
    pub(super) nodes: Vec<NodeRecord>,
}

impl GameRecord {
    /// Returns the moves of the main line.
    pub(super) fn main_line(&self) -> impl Iterator<Item = &NodeRecord> {
        // A move stands behind the one before it.
        let next = |at: Option<usize>| {
            let mut behind = at.map_or(0, |at| at + 1)..self.nodes.len();
            behind.find(|next| self.nodes[*next].parent == at)
        };
        std::iter::successors(next(None), move |at| next(Some(*at))).map(|at| &self.nodes[at])
    }

    /// True if the game consists of its moves alone: no note, tags, variations, comments or glyphs.
    pub(super) fn is_plain(&self) -> bool {
        let is_bare = |node: &NodeRecord| {
            node.nags.is_empty() && node.before.is_empty() && node.comment.is_empty()
        };
        self.note.is_none()
            && self.tags.is_empty()
            && self.comment.is_empty()
            && self.result == "*"
            && self.nodes.iter().all(is_bare)
            && self.main_line().count() == self.nodes.len()
    }

    /// Returns the last position of the main line.
    pub(super) fn last_fen(&self) -> &str {
        self.main_line().last().map_or(&self.fen, |node| &node.fen)
    }
}

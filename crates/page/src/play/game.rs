//! A game as the page holds it: moves with variations, comments and NAGs, read from PGN, or from a
//! diagram with moves.
//!
//! The reader of PGN accepts
//! - a bare list of moves without tags, also in coordinates (`e2e4 e7e5`);
//! - an illegal move: the line ends before it, and the note names it;
//! - several games: the first is read, the note gives the number.

use super::super::SharedPage;
use super::tree::{NODES_MAX, Tree, TreeReader};
use axum::Json;
use axum::extract::{Form, Query, State};
use pgn_reader::Reader;
use serde::{Deserialize, Serialize};
use umbrail_chess::geometry::{Setup, SetupError};
use umbrail_chess::{CastlingMode, MoveError, Position, PositionError, parse_uci};

/// Maximum number of moves in an address.
const MOVES_MAX: usize = 2_000;

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
    /// Reason why there is no game.
    pub(super) fault: Option<String>,
    /// Note on parts that were left out.
    pub(super) note: Option<String>,
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
    fn last_fen(&self) -> &str {
        let mut at = None;
        while let Some(next) = self.nodes.iter().position(|node| node.parent == at) {
            at = Some(next);
        }
        at.map_or(&self.fen, |at| &self.nodes[at].fen)
    }
}

/// Reads a FEN or PGN.
///
/// # Errors
/// The text is neither.
pub(super) fn read_text(text: &str, mode: CastlingMode) -> Result<GameRecord, GameError> {
    let text = text.trim().trim_start_matches('\u{feff}');
    let diagram = match setup(text) {
        Ok(setup) => return Ok(Tree::new(&setup, mode)?.game),
        Err(error) => error,
    };
    let mut reader = Reader::new(text.as_bytes());
    let Some(tree) = reader.read_game(&mut TreeReader { mode })? else {
        return Err(GameError::NoGame(None));
    };
    let mut tree = tree?;
    if tree.game.nodes.is_empty() && tree.game.tags.is_empty() {
        let is_diagram =
            text.split_whitespace().next().is_some_and(|word| word.matches('/').count() > 3);
        return Err(match is_diagram {
            true => diagram.into(),
            false => GameError::NoGame(tree.illegal),
        });
    }
    let mut games = 1;
    while reader.skip_game()? {
        games += 1;
    }
    let several = (games > 1).then(|| format!("the first of {games} games is shown"));
    let is_long = tree.game.nodes.len() >= NODES_MAX;
    let long = is_long.then(|| format!("only the first {NODES_MAX} moves are shown"));
    let notes: Vec<String> = [tree.illegal.take(), several, long].into_iter().flatten().collect();
    tree.game.note = (!notes.is_empty()).then(|| notes.join("; "));
    Ok(tree.game)
}

/// Returns the last position of a text that is a FEN or a game; the reason if it is neither.
pub(super) fn last_position(text: &str, mode: CastlingMode) -> Result<String, GameError> {
    Ok(read_text(text, mode)?.last_fen().to_owned())
}

fn shown(game: Result<GameRecord, GameError>) -> Json<GameRecord> {
    let fault =
        |error: GameError| GameRecord { fault: Some(error.to_string()), ..GameRecord::default() };
    Json(game.unwrap_or_else(fault))
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PlayedQuery {
    fen: String,
    moves: String,
}

/// Returns the game of a diagram and moves in coordinates.
pub(crate) async fn played(
    State(shared): State<SharedPage>,
    Query(wish): Query<PlayedQuery>,
) -> Json<impl Serialize> {
    let mode = CastlingMode::of(shared.options.chess960);
    let game = Played::read(&wish.fen, &wish.moves, mode).and_then(|played| {
        let mut tree = Tree::new(&played.setup, mode)?;
        for text in &played.moves {
            let fail = |why| GameError::Move { given: text.clone(), why };
            tree.play(parse_uci(tree.position(), text).map_err(fail)?);
        }
        Ok(tree.game)
    });
    shown(game)
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct GameForm {
    text: String,
}

/// Returns the game of a FEN or of PGN.
pub(crate) async fn read(
    State(shared): State<SharedPage>,
    Form(form): Form<GameForm>,
) -> Json<impl Serialize> {
    shown(read_text(&form.text, CastlingMode::of(shared.options.chess960)))
}

#[cfg(test)]
mod tests;

//! A game as the page holds it: moves with variations, comments and NAGs, read from PGN, or from a
//! diagram with moves.
//!
//! The reader of PGN accepts
//! - a bare list of moves without tags, also in coordinates (`e2e4 e7e5`);
//! - an illegal move: the line ends before it, and the note names it;
//! - several games: the first is read, the note gives the number.

use super::super::{SharedPage, run_page};
use super::record::{GameError, GameRecord, Played, setup};
use super::rules::castling;
use super::tree::{NODES_MAX, Tree, TreeReader};
use axum::Json;
use axum::extract::{Form, Query, State};
use pgn_reader::Reader;
use serde::{Deserialize, Serialize};
use umbrail_chess::{CastlingMode, parse_uci};
use umbrail_session::Options;

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

/// Returns the last position of a text that is a FEN or a game, with the note on the game; the reason
/// if it is neither.
pub(super) fn last_position(
    text: &str,
    mode: CastlingMode,
) -> Result<(String, Option<String>), GameError> {
    let game = read_text(text, mode)?;
    Ok((game.last_fen().to_owned(), game.note))
}

/// Returns the address of a game in PGN; `None` for another text.
///
/// The address has the moves, or the text itself if there is more to show than moves.
pub(crate) fn game_address(text: &str, options: &Options) -> Option<String> {
    let game = read_text(text, castling(options, "")).ok()?;
    if !game.is_plain() {
        return Some(format!("/play?fen={}", run_page::quoted(text)));
    }
    let line: Vec<&str> = game.main_line().map(|node| node.uci.as_str()).collect();
    let fen = run_page::quoted(&game.fen);
    Some(format!("/play?fen={fen}&rules={}&moves={}", game.rules, line.join(",")))
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
    /// Castling rules: `standard`, `chess960`, or empty for those of the program.
    rules: String,
}

/// Returns the game of a diagram and moves in coordinates.
pub(crate) async fn played(
    State(shared): State<SharedPage>,
    Query(wish): Query<PlayedQuery>,
) -> Json<impl Serialize> {
    let mode = castling(&shared.options, &wish.rules);
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
    /// Castling rules, unless the game names its variant.
    rules: String,
}

/// Returns the game of a FEN or of PGN.
pub(crate) async fn read(
    State(shared): State<SharedPage>,
    Form(form): Form<GameForm>,
) -> Json<impl Serialize> {
    shown(read_text(&form.text, castling(&shared.options, &form.rules)))
}

#[cfg(test)]
mod tests;

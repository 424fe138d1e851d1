//! Main line of a position: the best moves of both sides to the end of the game.

use super::super::SharedPage;
use super::choice::{Choice, long};
use super::{TableQuery, ask, is_late};
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Maximum number of half-moves of a line; the longest known wins take about as many.
const PLIES_MAX: usize = 600;
/// Time limit for a line, and for a table on its way in milliseconds.
const TIME_MAX: Duration = Duration::from_secs(10);
const TABLE_MS: u64 = 8_000;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LineQuery {
    fen: String,
    metric: String,
    piece: String,
}

/// A move of the line.
#[derive(Debug, Serialize)]
struct LineMove {
    /// Move with its piece.
    text: String,
    /// Position after the move.
    fen: String,
}

/// The line, as far as it was found within the time.
#[derive(Debug, Default, Serialize)]
pub(crate) struct MainLine {
    moves: Vec<LineMove>,
    /// The line reaches the end of the game.
    is_whole: bool,
}

pub(crate) async fn line(
    State(shared): State<SharedPage>,
    Path(endgame): Path<String>,
    Query(wish): Query<LineQuery>,
) -> Json<MainLine> {
    let rules = TableQuery { metric: wish.metric, piece: wish.piece };
    Json(of(&shared, &endgame, &rules, wish.fen.trim()).await)
}

async fn of(shared: &SharedPage, endgame: &str, rules: &TableQuery, fen: &str) -> MainLine {
    let mut line = MainLine::default();
    let Ok(request) = rules.request(shared, endgame) else { return line };
    let (mut fen, since) = (fen.to_owned(), Instant::now());
    while line.moves.len() < PLIES_MAX && since.elapsed() < TIME_MAX {
        let mut task = request.task("probe");
        task.subject.clear();
        task.keys.push(("fen", fen.clone()));
        let Ok(answer) = ask(shared, &request, task, TABLE_MS).await else { break };
        if is_late(&answer) {
            break;
        }
        let choices: Vec<Choice> = answer.all().map(|probed| Choice::of(probed, &fen)).collect();
        // A draw has no end.
        let best = choices.iter().find(|choice| choice.best && choice.wdl != 0);
        let Some(best) = best else {
            line.is_whole = choices.is_empty();
            break;
        };
        line.moves.push(LineMove { text: long(&best.name, &fen), fen: best.fen.clone() });
        fen.clone_from(&best.fen);
    }
    line
}

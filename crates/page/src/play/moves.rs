//! Legal moves of a position, for the board of the page.

use super::super::SharedPage;
use axum::Json;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use umbrail_chess::geometry::Setup;
use umbrail_chess::{CastlingMode, DroppedCastling, Position, to_san, to_uci};
use umbrail_session::castling_note::castling_note;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MovesQuery {
    fen: String,
}

/// Legal moves of a position.
#[derive(Debug, Default, Serialize)]
pub(crate) struct LegalMoves {
    /// Reason why there are no moves.
    fault: Option<String>,
    /// Note on dropped castling rights.
    note: Option<String>,
    moves: Vec<LegalMove>,
}

#[derive(Debug, Serialize)]
struct LegalMove {
    /// The move in coordinates.
    uci: String,
    /// The move in standard notation.
    san: String,
    /// Position after the move.
    fen: String,
}

/// Returns each legal move as coordinates and in SAN, with the position after it; or the reason why
/// there is none. The castling rules are those of the program's options.
pub(crate) async fn moves(
    State(shared): State<SharedPage>,
    Query(wish): Query<MovesQuery>,
) -> Json<LegalMoves> {
    Json(found(&wish.fen, CastlingMode::of(shared.options.chess960)))
}

fn found(fen: &str, mode: CastlingMode) -> LegalMoves {
    let fault = |error: String| LegalMoves { fault: Some(error), ..LegalMoves::default() };
    let setup: Setup = match fen.trim().parse() {
        Ok(setup) => setup,
        Err(error) => return fault(error.to_string()),
    };
    let position = match Position::from_setup(&setup, mode) {
        Ok(position) => position,
        Err(error) => return fault(error.to_string()),
    };
    let one = |mv| LegalMove {
        uci: to_uci(&position, mv, mode.is_chess960()),
        san: to_san(&position, mv),
        fen: position.after(mv).to_setup().to_string(),
    };
    let moves = position.legal_moves().iter().map(|mv| one(*mv)).collect();
    let note = DroppedCastling::of(&setup, &position).map(castling_note);
    LegalMoves { fault: None, note, moves }
}

#[cfg(test)]
mod tests {
    use super::{CastlingMode, LegalMove, LegalMoves, found};

    #[test]
    fn moves_lead_to_positions() {
        let found = |fen| found(fen, CastlingMode::Standard);
        let seen = found("r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1");
        let castling = castling(&seen).unwrap();
        assert_eq!((castling.uci.as_str(), &seen.note), ("e1g1", &None));
        assert_eq!(castling.fen, "r3k2r/8/8/8/8/8/8/5RK1 b kq - 1 1");
        assert!(found("nonsense").fault.is_some());
        assert!(found("8/8/8/8/8/8/8/8 w - - 0 1").fault.is_some());
    }

    fn castling(seen: &LegalMoves) -> Option<&LegalMove> {
        seen.moves.iter().find(|mv| mv.san == "O-O")
    }

    #[test]
    fn castling_of_chess960_belongs_to_chess960() {
        let walked = "4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1";
        let seen = found(walked, CastlingMode::Standard);
        assert!(castling(&seen).is_none(), "{seen:?}");
        let note = seen.note.unwrap();
        assert!(note.starts_with("castling rights of the rooks on a1 and h1 dropped"), "{note}");
        let seen = found(walked, CastlingMode::Chess960);
        assert_eq!((castling(&seen).unwrap().uci.as_str(), &seen.note), ("f1h1", &None));
        // The king's own step to g1 is a different move.
        let is_step = |mv: &LegalMove| mv.uci == "f1g1" && mv.san == "Kg1";
        assert!(seen.moves.iter().any(is_step), "{seen:?}");
    }
}

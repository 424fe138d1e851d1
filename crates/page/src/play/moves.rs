//! Legal moves of a position, for the board of the page.

use super::super::SharedPage;
use super::rules::castling;
use axum::Json;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use umbrail_chess::geometry::{Color, Setup};
use umbrail_chess::{CastlingMode, DrawReason, DroppedCastling, Outcome, Position, to_san, to_uci};
use umbrail_session::castling_note::castling_note;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MovesQuery {
    fen: String,
    /// Castling rules: `standard`, `chess960`, or empty for those of the program.
    rules: String,
}

/// Legal moves of a position.
#[derive(Debug, Default, Serialize)]
pub(crate) struct LegalMoves {
    /// Reason why there are no moves.
    fault: Option<String>,
    /// Note on dropped castling rights.
    note: Option<String>,
    /// The end of the game, if it is over.
    ending: Option<Ending>,
    /// Square of the king in check.
    check: Option<String>,
    moves: Vec<LegalMove>,
}

/// The end of a game by mate or for lack of moves or material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Ending {
    /// The end in words.
    pub(super) text: &'static str,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub(super) result: &'static str,
}

impl Ending {
    /// Returns the end of the game in this position, if it is over.
    pub(super) fn of(position: &Position) -> Option<Self> {
        match position.outcome(&[])? {
            Outcome::Mate(Color::White) => Some(("Checkmate. White wins.", "1-0")),
            Outcome::Mate(Color::Black) => Some(("Checkmate. Black wins.", "0-1")),
            Outcome::Draw(DrawReason::Stalemate) => {
                Some(("Stalemate. The game is drawn.", "1/2-1/2"))
            }
            Outcome::Draw(DrawReason::DeadPosition) => {
                Some(("Neither side can mate. The game is drawn.", "1/2-1/2"))
            }
            Outcome::Draw(_) => {
                Some(("75 moves without a capture or a pawn move. The game is drawn.", "1/2-1/2"))
            }
        }
        .map(|(text, result)| Self { text, result })
    }

    /// Returns White's share of the evaluation bar, in thousandths.
    pub(super) fn whites(self) -> u64 {
        match self.result {
            "1-0" => 1000,
            "0-1" => 0,
            _ => 500,
        }
    }
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
/// there is none.
pub(crate) async fn moves(
    State(shared): State<SharedPage>,
    Query(wish): Query<MovesQuery>,
) -> Json<LegalMoves> {
    Json(found(&wish.fen, castling(&shared.options, &wish.rules)))
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
    let check = position.in_check().then(|| position.king(position.turn()).to_string());
    LegalMoves { fault: None, note, ending: Ending::of(&position), check, moves }
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

    #[test]
    fn the_end_of_a_game_is_reported_in_words() {
        let end = |fen| {
            let seen = found(fen, CastlingMode::Standard);
            (seen.ending.map(|ending| (ending.text, ending.whites())), seen.check)
        };
        let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        assert_eq!(end(mate), (Some(("Checkmate. Black wins.", 0)), Some("e1".to_owned())));
        let mate = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
        assert_eq!(end(mate).0, Some(("Checkmate. White wins.", 1000)));
        let stalemate = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1";
        assert_eq!(end(stalemate), (Some(("Stalemate. The game is drawn.", 500)), None));
        assert_eq!(end("7k/8/8/8/8/8/8/K7 b - - 0 1").0.map(|end| end.1), Some(500));
        assert_eq!(end("7k/8/8/8/8/8/8/KR6 b - - 0 1"), (None, None));
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

//! The legal moves of a position, for the board of the page.

use axum::Json;
use axum::extract::Query;
use serde::Deserialize;
use serde_json::{Value, json};
use umbrail::chess::{Position, to_san, to_uci};
use umbrail::geometry::Setup;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::explorer) struct MovesQuery {
    fen: String,
}

/// Each legal move as coordinates and in SAN, with the position behind it; or why there is none.
pub(in crate::explorer) async fn moves(Query(wish): Query<MovesQuery>) -> Json<Value> {
    Json(found(&wish.fen))
}

fn found(fen: &str) -> Value {
    let setup: Setup = match fen.trim().parse() {
        Ok(setup) => setup,
        Err(error) => return json!({"fault": error.to_string(), "moves": []}),
    };
    let position = match Position::try_from(&setup) {
        Ok(position) => position,
        Err(error) => return json!({"fault": error.to_string(), "moves": []}),
    };
    let one = |mv| {
        let after = position.after(mv).to_setup().to_string();
        json!({"uci": to_uci(&position, mv, false), "san": to_san(&position, mv), "fen": after})
    };
    let moves: Vec<Value> = position.legal_moves().iter().map(|mv| one(*mv)).collect();
    json!({"fault": null, "moves": moves})
}

#[cfg(test)]
mod tests {
    use super::found;

    #[test]
    fn moves_lead_to_positions() {
        let seen = found("r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1");
        let moves = seen["moves"].as_array().unwrap();
        let castling = moves.iter().find(|mv| mv["san"] == "O-O").unwrap();
        assert_eq!(castling["fen"], "r3k2r/8/8/8/8/8/8/5RK1 b kq - 1 1");
        assert!(found("nonsense")["fault"].is_string());
        assert!(found("8/8/8/8/8/8/8/8 w - - 0 1")["fault"].is_string());
    }
}

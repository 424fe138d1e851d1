//! Setup of a position of an endgame, with the pieces of that endgame.

use super::super::SharedPage;
use super::super::shell::{Shell, fault};
use super::TableQuery;
use super::capitals::elsewhere;
use super::definitions::PieceFile;
use super::figures::figures;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{PreEscaped, html};
use serde::Deserialize;
use umbrail_report::drawing::{self, Board};

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SetupQuery {
    fen: String,
    metric: String,
    piece: String,
}

/// Returns the letters of White's pieces and of Black's, each once, in the order of the endgame's
/// name.
fn letters(endgame: &str) -> [Vec<char>; 2] {
    let (white, black) = endgame.split_once('.').unwrap_or((endgame, "K"));
    [white, black].map(|side| {
        let mut found: Vec<char> = vec![];
        for letter in side.chars().filter(char::is_ascii_alphabetic) {
            if !found.contains(&letter) {
                found.push(letter);
            }
        }
        found
    })
}

pub(crate) async fn setup(
    State(shared): State<SharedPage>,
    Path(endgame): Path<String>,
    Query(wish): Query<SetupQuery>,
    headers: HeaderMap,
) -> Response {
    let rules = TableQuery { metric: wish.metric.clone(), piece: wish.piece.clone() };
    if let Some(leads) = elsewhere(&shared, &endgame, &rules) {
        return leads;
    }
    let pieces = rules
        .request(&shared, &endgame)
        .and_then(|_| Ok(PieceFile::of(&shared.folder, &wish.piece)?));
    let pieces = match pieces {
        Ok(pieces) => pieces,
        Err(why) => return fault(StatusCode::UNPROCESSABLE_ENTITY, &headers, &why),
    };
    let name = |letter: char| {
        let known = pieces.set.get(letter).and_then(|piece| piece.common_name());
        known.map_or_else(|| letter.to_string(), str::to_owned)
    };
    // Nearly every position has both kings.
    let fen =
        if wish.fen.trim().is_empty() { "4k3/8/8/8/8/8/8/4K3 w - - 0 1" } else { wish.fen.trim() };
    let black = fen.split_whitespace().nth(1) == Some("b");
    let title = format!("{endgame}: set up a position");
    let script = Some("table-setup.js");
    let shell = Shell { title: &title, here: "/tables", script, headers: &headers };
    let figures = figures(&endgame, &pieces.set);
    let board = Board { placement: fen, figures: &figures, ..Board::default() };
    let sides = letters(&endgame);
    let page = shell.page(&html! {
        h1 { (endgame) ": set up a position" }
        div.split {
            div.side {
                div.editor #board tabindex="0" role="application"
                    aria-label="Diagram. Arrow keys move the cursor, letters place pieces (upper case: White), Delete removes one, Enter picks up and drops."
                { (PreEscaped(board.to_string())) }
                div.palette #palette {
                    @for (color, side) in ["white", "black"].iter().zip(&sides) {
                        div {
                            @for letter in side {
                                @let placed = if *color == "white" { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
                                @let label = format!("{color} {}", name(*letter));
                                button type="button" data-piece=(placed) aria-label=(label) title=(label) {
                                    svg viewBox="0 0 100 100" aria-hidden="true" { (PreEscaped(drawing::single_piece(placed, &figures))) }
                                }
                            }
                        }
                    }
                }
                p.status aria-live="polite" #status {}
            }
            form.panel #setup method="get" action=(format!("/tables/{endgame}/board")) {
                label { "Position (FEN)" input name="fen" maxlength="200" value=(fen) spellcheck="false" autocomplete="off" required; }
                input type="hidden" name="metric" value=(rules.metric());
                input type="hidden" name="piece" value=(rules.piece);
                label.scripted { "To move"
                    select #turn { option value="w" selected[!black] { "White" } option value="b" selected[black] { "Black" } }
                }
                @if rules.metric() == "dtz" {
                    label.scripted { "Half-moves since the last capture or move of a pawn"
                        input.short #clock type="number" min="0" max="100" value=(super::clock::clock(fen));
                    }
                }
                div.controls {
                    button.main { "Show its value" }
                    button name="you" value="white" { "Play White against the table" }
                    button name="you" value="black" { "Play Black" }
                    button.scripted type="button" data-do="clear" { "Empty board" }
                }
            }
        }
    });
    page.into_response()
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn each_piece_is_present_once() {
        assert_eq!(letters("KQQ.KR"), [vec!['K', 'Q'], vec!['K', 'R']]);
        assert_eq!(letters("KP"), [vec!['K', 'P'], vec!['K']]);
    }
}

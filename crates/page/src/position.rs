//! The field for any position, and the addresses of positions in tables and in the analysis.

use super::run_page::quoted;
use super::shell::ADDRESS_TEXT_MAX;
use maud::{Markup, html};
use umbrail_chess::geometry::Setup;

/// Maximum number of pieces of an endgame that a page opens by itself, if its table is there or quickly built.
pub(super) const OPENED_MAX: usize = 5;

/// Returns the address of a position: in its table, or in the analysis.
pub(super) fn address_of(fen: &str, setup: &Setup) -> String {
    match endgame(setup, OPENED_MAX) {
        Some(endgame) => in_table(&endgame, fen),
        None => format!("/play?fen={}", quoted(fen)),
    }
}

/// Returns the address of a position in its table.
pub(super) fn in_table(endgame: &str, fen: &str) -> String {
    format!("/tables/{endgame}/board?metric=dtm&fen={}", quoted(fen))
}

/// Returns the endgame of a position of at most this number of pieces, the stronger side first: `KQ.KR`.
pub(super) fn endgame(setup: &Setup, pieces_max: usize) -> Option<String> {
    const ORDER: &str = "KQRBNP";
    if setup.pieces().count() > pieces_max {
        return None;
    }
    let side = |white: bool| -> Option<String> {
        let of_side = setup.pieces().filter(|(_, color, _)| color.is_white() == white);
        let mut letters: Vec<char> = of_side.map(|(_, _, letter)| letter).collect();
        letters.sort_by_key(|letter| ORDER.find(*letter));
        let is_known = letters.iter().all(|letter| ORDER.contains(*letter));
        let kings = letters.iter().filter(|letter| **letter == 'K').count();
        (is_known && kings == 1).then(|| letters.into_iter().collect())
    };
    let (white, black) = (side(true)?, side(false)?);
    let worth = |letters: &str| -> Vec<usize> {
        letters.chars().filter_map(|letter| ORDER.find(letter)).collect()
    };
    let is_stronger =
        white.len() > black.len() || white.len() == black.len() && worth(&white) <= worth(&black);
    Some(if is_stronger { format!("{white}.{black}") } else { format!("{black}.{white}") })
}

/// Writes the field, for pages that offer it.
pub(super) fn field(fen: &str) -> Markup {
    html! {
        form.controls method="get" action="/position" {
            label.grow { "Any position or game (FEN or PGN), endgame (KQ.KR), steno (36~#) or proof game (diagram and length)"
                // One row that keeps the line breaks of a game.
                textarea.row name="fen" rows="1" maxlength=(ADDRESS_TEXT_MAX) placeholder="8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1" spellcheck="false" autocomplete="off" required { (fen) }
            }
            button { "Open" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{address_of, endgame};

    #[test]
    fn few_pieces_are_an_endgame_with_the_stronger_side_first() {
        let named = |fen: &str| endgame(&fen.parse().unwrap(), 5);
        assert_eq!(named("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1").as_deref(), Some("KQ.KR"));
        assert_eq!(named("8/8/8/3k4/3q4/8/8/KR6 w - - 0 1").as_deref(), Some("KQ.KR"));
        assert_eq!(named("8/8/8/3k4/8/8/8/KNB5 w - - 0 1").as_deref(), Some("KBN.K"));
        assert_eq!(named("8/8/8/3k4/8/8/8/K7 w - - 0 1").as_deref(), Some("K.K"));
        // Six pieces, two kings of a side, and a piece of one's own.
        assert_eq!(named("8/8/8/3k4/3rr3/8/8/KQQ5 w - - 0 1"), None);
        assert_eq!(named("8/8/8/3k4/8/8/8/KK6 w - - 0 1"), None);
        assert_eq!(named("8/8/8/3k4/8/8/8/KX6 w - - 0 1"), None);
    }

    #[test]
    fn other_positions_are_analysed() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(address_of(fen, &fen.parse().unwrap()).starts_with("/play?fen=rnbqkbnr/pppppppp/"));
    }
}

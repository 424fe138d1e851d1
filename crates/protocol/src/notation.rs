//! Lines of moves as text.

use umbrail_chess::{to_san, to_uci};
use umbrail_session::event::Played;
use umbrail_session::{Move, Position};

/// Writes a line in coordinates, up to the first move that is not legal.
pub(super) fn coordinates(root: &Position, moves: &[Move], chess960: bool) -> Vec<String> {
    walk(root, moves).map(|(before, mv)| to_uci(&before, mv, chess960)).collect()
}

/// Writes a line in SAN, with move numbers if requested.
pub(super) fn standard(root: &Position, moves: &[Move], numbered: bool) -> String {
    let mut text = String::new();
    for (index, (before, mv)) in walk(root, moves).enumerate() {
        if index > 0 {
            text.push(' ');
        }
        let white = before.turn().is_white();
        if numbered && (white || index == 0) {
            let dots = if white { "." } else { "..." };
            text.push_str(&format!("{}{dots} ", before.fullmoves()));
        }
        text.push_str(&to_san(&before, mv));
    }
    text
}

/// Writes a line in SAN, move by move.
pub(super) fn standard_moves(root: &Position, moves: &[Move]) -> Vec<String> {
    walk(root, moves).map(|(before, mv)| to_san(&before, mv)).collect()
}

/// Returns the moves of a line with the positions before them.
fn walk(root: &Position, moves: &[Move]) -> impl Iterator<Item = (Position, Move)> {
    let mut position = *root;
    moves.iter().map_while(move |&mv| {
        let before = position;
        before.is_legal(mv).then(|| {
            position = before.after(mv);
            (before, mv)
        })
    })
}

/// Writes a move in coordinates.
pub(super) fn coordinate(played: &Played) -> String {
    to_uci(&played.before, played.mv, played.chess960)
}

#[cfg(test)]
mod tests {
    use super::{coordinates, standard, standard_moves};
    use umbrail_chess::parse_uci;
    use umbrail_session::Position;

    #[test]
    fn a_line_is_numbered_from_the_side_to_move() {
        let root = Position::startpos();
        let e4 = parse_uci(&root, "e2e4").unwrap();
        let next = root.after(e4);
        let e5 = parse_uci(&next, "e7e5").unwrap();
        assert_eq!(standard(&root, &[e4, e5], true), "1. e4 e5");
        assert_eq!(standard(&next, &[e5], true), "1... e5");
        assert_eq!(standard(&root, &[e4, e5], false), "e4 e5");
        assert_eq!(standard_moves(&root, &[e4, e5]), ["e4", "e5"]);
        assert_eq!(coordinates(&root, &[e4, e5], false), ["e2e4", "e7e5"]);
        assert_eq!(coordinates(&root, &[e5], false), [""; 0], "not legal here");
    }
}

//! Moves of a position with their results, in words.

use super::clock::ticked;
use super::moves;
use umbrail_chess::geometry::Square;
use umbrail_tasks::records::egt::{ProbeEnd, ProbedMove};

/// A move with its result.
pub(super) struct Choice {
    /// Coordinates of the move.
    pub(super) name: String,
    /// Position after the move, with the half-move clock.
    pub(super) fen: String,
    /// 1 for a win of the side that moves, -1 for a loss.
    pub(super) wdl: i64,
    pub(super) plies: u64,
    pub(super) best: bool,
}

impl Choice {
    pub(super) fn of(probed: ProbedMove, before: &str) -> Self {
        Self {
            fen: ticked(before, &probed.fen),
            name: probed.mv,
            wdl: probed.wdl,
            plies: probed.plies.map_or(0, i64::unsigned_abs),
            best: probed.best == Some(1),
        }
    }

    pub(super) fn class(&self) -> &'static str {
        class(self.wdl)
    }

    /// Returns the origin and the target square.
    pub(super) fn squares(&self) -> Option<(u8, u8)> {
        squares(&self.name)
    }
}

pub(super) fn class(wdl: i64) -> &'static str {
    match wdl {
        1 => "win",
        -1 => "loss",
        _ => "draw",
    }
}

pub(super) fn squares(coordinates: &str) -> Option<(u8, u8)> {
    let square = |text: &str| {
        text.parse::<Square>().ok().and_then(|square| u8::try_from(square.index()).ok())
    };
    Some((square(coordinates.get(0..2)?)?, square(coordinates.get(2..4)?)?))
}

/// Returns the piece on a square of a placement.
pub(super) fn piece_on(fen: &str, square: u8) -> Option<char> {
    let mut at = 0;
    for letter in fen.split(' ').next().unwrap_or("").chars() {
        // Squares are numbered from a1, but a placement begins at a8.
        let here = (7 - at / 8) * 8 + at % 8;
        match letter.to_digit(10) {
            Some(blank) => at += blank,
            None if letter == '/' => {}
            None if here == u32::from(square) => return Some(letter),
            None => at += 1,
        }
        if at >= 64 {
            return None;
        }
    }
    None
}

/// Formats a move with its piece: `Qb1–b5`, `Kd5×d4`, `e7–e8=Q`. `before` is the position before
/// the move.
pub(super) fn long(name: &str, before: &str) -> String {
    let Some((from, to)) = squares(name) else { return name.to_owned() };
    named(name, piece_on(before, from), piece_on(before, to).is_some())
}

/// Formats the move that led to a position, `after`.
pub(super) fn said(name: &str, after: &str, took: bool) -> String {
    let Some((_, to)) = squares(name) else { return name.to_owned() };
    // After a promotion, the piece on the target is not the one that moved.
    let piece = if name.len() > 4 { Some('P') } else { piece_on(after, to) };
    named(name, piece, took)
}

/// Formats a move of a piece to a square that is occupied or not.
pub(super) fn named(name: &str, piece: Option<char>, is_occupied: bool) -> String {
    let Some((from, to)) = squares(name) else { return name.to_owned() };
    let piece = piece.unwrap_or(' ').to_ascii_uppercase();
    let is_pawn = piece == 'P';
    let takes = is_occupied || is_pawn && from % 8 != to % 8;
    let (start, end, promoted) = (&name[..2], &name[2..4], &name[4..]);
    let piece = if is_pawn { String::new() } else { piece.to_string().trim().to_owned() };
    let promoted = match promoted {
        "" => String::new(),
        role => format!("={}", role.to_uppercase()),
    };
    format!("{piece}{start}{}{end}{promoted}", if takes { "×" } else { "–" })
}

/// Returns the heading of moves with the same outcome.
pub(super) fn group(wdl: i64) -> &'static str {
    match wdl {
        1 => "Winning moves",
        -1 => "Losing moves",
        _ => "Drawing moves",
    }
}

/// Describes a value for the side that moves.
pub(super) fn worth(wdl: i64, plies: u64) -> String {
    match wdl {
        1 => format!("wins in {}", moves(plies)),
        -1 => format!("loses in {}", plies / 2),
        _ => "draws".to_owned(),
    }
}

/// Describes a position: what the side to move reaches, or how the game has ended.
pub(super) fn outcome(end: &ProbeEnd, name: &str, is_over: bool) -> String {
    match (is_over, end.wdl) {
        (false, wdl) => format!("{name} to move {}", worth(wdl, end.value.plies())),
        (true, -1) => format!("{name} is checkmated"),
        (true, 0) => format!("{name} is stalemated: a draw"),
        (true, _) => format!("{name} is stalemated: a win by the rules chosen"),
    }
}

#[cfg(test)]
mod tests {
    use super::{long, piece_on, said, squares, worth};

    #[test]
    fn moves_are_reported_with_their_piece() {
        let fen = "8/4P3/8/3k4/3r4/8/8/KQ6 w - - 0 1";
        assert_eq!(
            [piece_on(fen, 0), piece_on(fen, 52), piece_on(fen, 63)],
            [Some('K'), Some('P'), None]
        );
        assert_eq!(long("b1b5", fen), "Qb1–b5");
        assert_eq!(long("e7e8q", fen), "e7–e8=Q");
        assert_eq!(long("e7d8n", fen), "e7×d8=N");
        assert_eq!(long("d4d5", fen), "Rd4×d5");
        assert_eq!(long("nonsense", fen), "nonsense");
        let after = "4Q3/8/8/3k4/3r4/8/8/KQ6 b - - 0 1";
        assert_eq!(said("e7e8q", after, false), "e7–e8=Q");
        assert_eq!(said("b2b1", after, true), "Qb2×b1");
        assert_eq!(said("", after, false), "");
    }

    #[test]
    fn values_are_reported_in_moves() {
        assert_eq!(worth(1, 65), "wins in 33");
        assert_eq!(worth(1, 1), "wins in 1");
        assert_eq!(worth(-1, 2), "loses in 1");
        assert_eq!(worth(0, 0), "draws");
        assert_eq!(squares("b1b5"), Some((1, 33)));
        assert_eq!(squares("x"), None);
    }
}

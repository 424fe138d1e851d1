//! Notation of a move: its reference to the origin, and its length.

use super::super::filter::{Filter, NotationTest};
use umbrail_chess::geometry::{Bitboard, Square};
use umbrail_chess::{Move, Position, Role, attacks};

impl Filter {
    /// Applies the tests of the notation.
    pub(super) fn is_written(&self, position: &Position, role: Role, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let castles = role == Role::King && position.is_castle(mv);
        self.letters.iter().all(|letter| match *letter {
            NotationTest::Origin { line, is_file, negated } => {
                if castles || !line.contains(from) || line.contains(to) {
                    // Castling was tested when the filter was made; masks test the target.
                    return true;
                }
                let reported = if role == Role::Pawn {
                    // A pawn that leaves its file captures, and the file is then written.
                    is_file
                } else {
                    let (file, rank) = origin_reported(position, role, from, to);
                    if is_file { file } else { rank }
                };
                reported != negated
            }
            NotationTest::Length { length, negated } => {
                (written_length(position, role, mv, castles) == length) != negated
            }
        })
    }
}

/// Returns whether the notation contains the file and the rank of the origin.
fn origin_reported(position: &Position, role: Role, from: Square, to: Square) -> (bool, bool) {
    let rivals = rivals(position, role, from, to);
    if rivals.is_empty() {
        (false, false)
    } else if (rivals & Bitboard::file(from.file())).is_empty() {
        (true, false)
    } else {
        ((rivals & Bitboard::rank(from.rank())).any(), true)
    }
}

/// Returns other pieces of this role that may legally move to this square.
fn rivals(position: &Position, role: Role, from: Square, to: Square) -> Bitboard {
    if role == Role::King || role == Role::Pawn {
        return Bitboard::EMPTY;
    }
    let us = position.turn();
    let pieces = position.pieces(us, role).without(from);
    let reaching = pieces & attacks::of(role, us, to, position.occupied());
    if reaching.is_empty() {
        return reaching;
    }
    let check_state = position.check_state();
    if !check_state.onto.contains(to) {
        return Bitboard::EMPTY;
    }
    let free = |&piece: &Square| {
        !check_state.pinned.contains(piece) || attacks::line(check_state.king, piece).contains(to)
    };
    reaching.squares().filter(free).collect()
}

/// Returns the number of characters of the notation.
fn written_length(position: &Position, role: Role, mv: Move, castles: bool) -> u8 {
    let after = position.after_as(role, mv);
    let sign = u8::from(after.in_check());
    if castles {
        return sign + if mv.to().file() > mv.from().file() { 3 } else { 5 };
    }
    let captures = u8::from(position.is_capture(mv));
    let (file, rank) = origin_reported(position, role, mv.from(), mv.to());
    let head = if role == Role::Pawn { captures } else { 1 };
    head + u8::from(file)
        + u8::from(rank)
        + captures
        + 2
        + 2 * u8::from(mv.promotion().is_some())
        + sign
}

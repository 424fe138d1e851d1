//! Last moves that could have led to a position: retractions of a game's moves.
//!
//! A [`LastMove`] contains the moved and the captured role; [`LastMove::before`] is the position
//! before the move. Every listed move was legal there and leads to the given position, which is
//! verified by playing it. Data that a diagram cannot show is chosen as follows:
//! - castling rights before the move are the current ones, and the one that a castling move used
//!   up;
//! - the counters of the position are ignored, since a diagram has none;
//! - castling is retracted in orthodox fashion only (king to the e-file, rook to the corner);
//! - a piece that still has castling rights has not moved;
//! - pieces that return to the board must be possible: 16 pieces, 8 pawns, and no more promoted
//!   pieces than missing pawns.

use super::attacks;
use super::moves::Move;
use super::piece::{Piece, Role};
use super::position::Position;
use crate::geometry::{Bitboard, Square};

/// Possible last move, and the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastMove {
    /// The move, legal in `before`.
    pub mv: Move,
    /// Role that moved: a pawn for a promotion, the king for castling.
    pub role: Role,
    /// Captured role.
    pub captured: Option<Role>,
    /// Position in which the move was played.
    pub before: Position,
}

/// Returns all possible last moves, in order of the pieces' squares.
pub fn last_moves(position: &Position) -> Vec<LastMove> {
    let mut moves = Vec::new();
    let them = !position.turn();
    let unmoved = position.castling_rooks() & position.by_color(them);
    let settled = if unmoved.any() { unmoved.with(position.king(them)) } else { unmoved };
    for to in position.by_color(them) & !settled {
        let Some(role) = position.role_at(to) else { continue };
        let retraction = Retraction { position, to, now: role, unpromoted: role };
        if role == Role::Pawn {
            retraction.pawn(&mut moves);
        } else {
            retraction.officer(&mut moves);
            let last = if them.is_white() { 7 } else { 0 };
            if to.rank() == last && role != Role::King {
                Retraction { unpromoted: Role::Pawn, ..retraction }.pawn(&mut moves);
            }
        }
    }
    if settled.is_empty() {
        castlings(position, &mut moves);
    }
    moves
}

/// Piece that may have moved last.
#[derive(Clone, Copy)]
struct Retraction<'a> {
    position: &'a Position,
    /// Current square of the piece.
    to: Square,
    /// Current role of the piece.
    now: Role,
    /// Role before the move.
    unpromoted: Role,
}

impl Retraction<'_> {
    fn officer(&self, moves: &mut Vec<LastMove>) {
        let occupied = self.position.occupied();
        let color = !self.position.turn();
        for from in attacks::of(self.now, color, self.to, occupied) & !occupied {
            self.without_capture(from, None, moves);
            self.with_captures(from, moves);
        }
    }

    fn pawn(&self, moves: &mut Vec<LastMove>) {
        let (color, occupied) = (!self.position.turn(), self.position.occupied());
        let (back, home) = if color.is_white() { (-1, 1) } else { (1, 6) };
        let ends = Bitboard::rank(0) | Bitboard::rank(7);
        let free = |square: &Square| !occupied.contains(*square) && !ends.contains(*square);
        if let Some(one) = self.to.offset(0, back).filter(free) {
            self.without_capture(one, None, moves);
            let two = one.offset(0, back).filter(free).filter(|two| two.rank() == home);
            if let Some(two) = two.filter(|_| one.rank().abs_diff(home) == 1) {
                self.without_capture(two, None, moves);
            }
        }
        for from in attacks::pawn(!color, self.to).squares().filter(free) {
            self.with_captures(from, moves);
            self.en_passant(from, moves);
        }
    }

    fn with_captures(&self, from: Square, moves: &mut Vec<LastMove>) {
        for captured in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            let ends = captured == Role::Pawn && matches!(self.to.rank(), 0 | 7);
            if !ends {
                self.retract(from, Some((captured, self.to)), None, moves);
            }
        }
    }

    fn without_capture(&self, from: Square, passed: Option<Square>, moves: &mut Vec<LastMove>) {
        self.retract(from, None, passed, moves);
    }

    /// Adds an en passant capture: the passed square and the captured pawn's home must be empty.
    fn en_passant(&self, from: Square, moves: &mut Vec<LastMove>) {
        let color = !self.position.turn();
        let (rank, ahead) = if color.is_white() { (5, 1) } else { (2, -1) };
        if self.now != Role::Pawn || self.to.rank() != rank {
            return;
        }
        let victim = Square::at(self.to.file(), from.rank());
        let home = self.to.offset(0, ahead);
        let occupied = self.position.occupied();
        if home.is_some_and(|home| !occupied.contains(home)) && !occupied.contains(victim) {
            self.retract(from, Some((Role::Pawn, victim)), Some(self.to), moves);
        }
    }

    /// Puts the pieces back and keeps the result if the move was legal there and leads to the given
    /// position.
    fn retract(
        &self,
        from: Square,
        captured: Option<(Role, Square)>,
        passed: Option<Square>,
        moves: &mut Vec<LastMove>,
    ) {
        let turn = self.position.turn();
        let mover = Piece { color: !turn, role: self.unpromoted };
        let mut pieces = vec![(from, mover)];
        pieces.extend(captured.map(|(role, square)| (square, Piece { color: turn, role })));
        let mv = match self.unpromoted == self.now {
            true => Move::new(from, self.to),
            false => Move::promoting(from, self.to, self.now),
        };
        let castling = self.position.castling_rooks();
        let before = rebuild(self.position, Bitboard::of(self.to), &pieces, castling, passed);
        let captured = captured.map(|(role, _)| role);
        keep(self.position, LastMove { mv, role: self.unpromoted, captured, before }, moves);
    }
}

fn castlings(position: &Position, moves: &mut Vec<LastMove>) {
    let color = !position.turn();
    let rank = if color.is_white() { 0 } else { 7 };
    for (king_to, rook_to, rook_from) in [(6, 5, 7), (2, 3, 0)] {
        let at = |file: u8| Square::at(file, rank);
        let (king, rook) = (at(king_to), at(rook_to));
        if position.king(color) != king || !position.pieces(color, Role::Rook).contains(rook) {
            continue;
        }
        if position.occupied().contains(at(4)) || position.occupied().contains(at(rook_from)) {
            continue;
        }
        let pieces = [
            (at(4), Piece { color, role: Role::King }),
            (at(rook_from), Piece { color, role: Role::Rook }),
        ];
        let castling = position.castling_rooks().with(at(rook_from));
        let lifted = Bitboard::of(king).with(rook);
        let before = rebuild(position, lifted, &pieces, castling, None);
        let mv = Move::new(at(4), at(rook_from));
        keep(position, LastMove { mv, role: Role::King, captured: None, before }, moves);
    }
}

/// Returns the position with some pieces removed, others added and the other side to move.
fn rebuild(
    position: &Position,
    lifted: Bitboard,
    pieces: &[(Square, Piece)],
    castling: Bitboard,
    passed: Option<Square>,
) -> Position {
    let mut before = Position::empty();
    for square in position.occupied() & !lifted {
        if let Some(piece) = position.piece_at(square) {
            before.place(square, piece);
        }
    }
    for &(square, piece) in pieces {
        before.place(square, piece);
    }
    let color = !position.turn();
    let fullmoves = position.fullmoves().saturating_sub(u16::from(!color.is_white())).max(1);
    before.settle(color, castling, passed, (0, fullmoves));
    before
}

fn keep(position: &Position, last: LastMove, moves: &mut Vec<LastMove>) {
    let before = &last.before;
    let (mover, waiting) = (before.turn(), position.turn());
    let could_be_taken = before.is_attacked(before.king(waiting), mover, before.occupied());
    let pieces = before.by_color(waiting).len() <= 16;
    let pawns = before.pieces(waiting, Role::Pawn).len();
    let mover_pawns = before.pieces(mover, Role::Pawn).len();
    let possible = |color, pawns: u32| pawns <= 8 && before.promoted_at_least(color) <= 8 - pawns;
    if !could_be_taken
        && pieces
        && possible(waiting, pawns)
        && possible(mover, mover_pawns)
        && before.checkers().len() <= 2
        && before.is_legal(last.mv)
        && before.after(last.mv).is_same(position)
    {
        moves.push(last);
    }
}

#[cfg(test)]
mod tests {
    use super::last_moves;
    use crate::geometry::Setup;
    use crate::{Position, to_san};

    fn listed(fen: &str) -> Vec<String> {
        let position = Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
        let mut texts: Vec<_> =
            last_moves(&position).iter().map(|last| to_san(&last.before, last.mv)).collect();
        texts.sort();
        texts.dedup();
        texts
    }

    #[test]
    fn the_last_move_of_a_double_step_is_known() {
        assert_eq!(listed("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"), ["e4"]);
    }

    #[test]
    fn only_knights_can_have_returned_to_the_game_array() {
        assert_eq!(listed(Setup::START_FEN), ["Nb8", "Ng8"]);
    }

    #[test]
    fn castling_can_be_taken_back() {
        let fen = "4k3/8/8/8/8/8/PPPPPPPP/5RK1 b - - 0 1";
        assert!(listed(fen).contains(&"O-O".to_owned()));
        let with_king_on_the_way = "4k3/8/8/8/8/8/PPPPPPPP/4NRK1 b - - 0 1";
        assert!(!listed(with_king_on_the_way).contains(&"O-O".to_owned()));
    }

    #[test]
    fn a_check_names_its_source() {
        // The rook came along its rank, with or without a capture; the king opened no line.
        assert_eq!(listed("r6k/8/8/8/8/8/8/K7 w - - 0 1"), ["Ra8+", "Rxa8+"]);
    }

    #[test]
    fn en_passant_can_be_the_last_move() {
        // Bishop and rook both check e6: only exd6 e.p. opens the file and the diagonal at once.
        let moves = listed("8/8/3Pk3/8/8/8/B7/K3R3 b - - 0 1");
        assert_eq!(moves, ["exd6+"]);
    }
}

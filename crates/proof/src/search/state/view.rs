//! Views of a proof position: all pieces, those of one side, or a subset.
//!
//! The search sees the whole position. A relaxation sees some of its pieces and ignores the others.
//! Generator and make-move are generic in the view, so each rule of movement exists once. A view
//! answers only whether a piece is visible, which squares are attacked, and whether a piece leaves
//! the board once it has arrived.

use crate::problem::piece::{PieceId, PieceMask};
use crate::search::state::board::SearchBoard;
use crate::search::state::compiled::CompiledPlan;
use crate::search::state::{GONE, NOBODY};
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Selection of the pieces that a search moves. The side to move of the board is the side whose
/// moves are generated.
pub(crate) trait PositionView: Copy {
    /// Facts about the king of the side to move, computed once for each position.
    type KingSafety;

    /// True if the sides move in turn. Otherwise one side makes all moves.
    const ALTERNATES: bool;

    /// True if pieces are missing. The barriers of a leg may then be absent from the board, and the
    /// key has no legs of pieces that were taken.
    const IS_PARTIAL: bool;

    /// Computes the facts that restrict the moves of the side to move.
    fn king_safety(self, board: &SearchBoard) -> Self::KingSafety;

    /// Returns those target squares to which the piece on `from` may move without leaving its king
    /// in check.
    fn safe_targets(
        self,
        board: &SearchBoard,
        safety: &Self::KingSafety,
        from: Square,
        targets: Bitboard,
    ) -> Bitboard;

    /// Returns true if the piece belongs to the view as long as it lives.
    fn contains(self, piece: PieceId) -> bool;

    /// Returns true if a square is certainly attacked by the opponent of `color`.
    fn is_attacked(self, board: &SearchBoard, square: Square, color: Color) -> bool;

    /// Returns true if the move that was just made certainly leaves the king of `color` in check.
    /// Views whose moves are generated legal return false.
    fn is_in_check(self, board: &SearchBoard, color: Color) -> bool;

    /// Returns true if the capture of a double step by its captor belongs to the view.
    fn captures_in_passing(self, compiled: &CompiledPlan, victim: u8) -> bool;

    /// Returns true if a piece has arrived where a piece outside the view takes it. Such a piece
    /// leaves the board at once.
    fn leaves(self, compiled: &CompiledPlan, board: &SearchBoard, piece: usize) -> bool;
}

/// All pieces: the position as it is.
#[derive(Clone, Copy)]
pub(crate) struct FullView;

/// King, checks and pins of a position.
pub(crate) struct FullKingSafety {
    king: Square,
    /// Target squares that answer all checks, for pieces other than the king.
    targets: Bitboard,
    pinned: Bitboard,
}

impl PositionView for FullView {
    type KingSafety = FullKingSafety;

    const ALTERNATES: bool = true;
    const IS_PARTIAL: bool = false;

    #[inline]
    fn king_safety(self, board: &SearchBoard) -> FullKingSafety {
        let us = board.turn;
        let king = board.king(us);
        let checkers = board.attackers(king, !us, board.occupied());
        let targets = if checkers.is_empty() {
            Bitboard::FULL
        } else if checkers.more_than_one() {
            Bitboard::EMPTY
        } else {
            checkers | attacks::between(king, checkers.lowest())
        };
        FullKingSafety { king, targets, pinned: board.pinned(us, king) }
    }

    #[inline]
    fn safe_targets(
        self,
        board: &SearchBoard,
        safety: &FullKingSafety,
        from: Square,
        targets: Bitboard,
    ) -> Bitboard {
        if from == safety.king {
            let occupied = board.occupied().without(from);
            let is_safe = |&to: &Square| board.attackers(to, !board.turn, occupied).is_empty();
            targets.squares().filter(is_safe).collect()
        } else if safety.pinned.contains(from) {
            targets & safety.targets & attacks::line(safety.king, from)
        } else {
            targets & safety.targets
        }
    }

    #[inline]
    fn contains(self, _: PieceId) -> bool {
        true
    }

    #[inline]
    fn is_attacked(self, board: &SearchBoard, square: Square, color: Color) -> bool {
        board.attackers(square, !color, board.occupied()).any()
    }

    #[inline]
    fn is_in_check(self, _: &SearchBoard, _: Color) -> bool {
        false
    }

    #[inline]
    fn captures_in_passing(self, _: &CompiledPlan, _: u8) -> bool {
        true
    }

    #[inline]
    fn leaves(self, _: &CompiledPlan, _: &SearchBoard, _: usize) -> bool {
        false
    }
}

/// The pieces of one side, and those enemies that never move. Checks and enemies are ignored.
#[derive(Clone, Copy)]
pub(crate) struct SideView(pub(crate) Color);

impl PositionView for SideView {
    type KingSafety = ();

    const ALTERNATES: bool = false;
    const IS_PARTIAL: bool = true;

    #[inline]
    fn king_safety(self, _: &SearchBoard) {}

    #[inline]
    fn safe_targets(self, _: &SearchBoard, (): &(), _: Square, targets: Bitboard) -> Bitboard {
        targets
    }

    #[inline]
    fn contains(self, piece: PieceId) -> bool {
        piece.color() == self.0
    }

    #[inline]
    fn is_attacked(self, _: &SearchBoard, _: Square, _: Color) -> bool {
        false
    }

    #[inline]
    fn is_in_check(self, _: &SearchBoard, _: Color) -> bool {
        false
    }

    #[inline]
    fn captures_in_passing(self, _: &CompiledPlan, _: u8) -> bool {
        false
    }

    #[inline]
    fn leaves(self, compiled: &CompiledPlan, board: &SearchBoard, piece: usize) -> bool {
        board.waits(compiled, piece)
    }
}

/// A subset of the pieces of both sides. Pieces outside may stand on some squares.
#[derive(Clone, Copy)]
pub(crate) struct SubsetView {
    pub(crate) pieces: PieceMask,
    /// Pieces of the subset that an outside piece takes.
    pub(crate) taken_outside: PieceMask,
    /// Squares where an outside piece may stand.
    pub(crate) maybe: Bitboard,
}

impl PositionView for SubsetView {
    type KingSafety = ();

    const ALTERNATES: bool = true;
    const IS_PARTIAL: bool = true;

    #[inline]
    fn king_safety(self, _: &SearchBoard) {}

    #[inline]
    fn safe_targets(self, _: &SearchBoard, (): &(), _: Square, targets: Bitboard) -> Bitboard {
        targets
    }

    #[inline]
    fn contains(self, piece: PieceId) -> bool {
        self.pieces.contains(piece)
    }

    #[inline]
    fn is_attacked(self, board: &SearchBoard, square: Square, color: Color) -> bool {
        let occupied = board.occupied() | self.maybe.without(square);
        board.attackers(square, !color, occupied).any()
    }

    #[inline]
    fn is_in_check(self, board: &SearchBoard, color: Color) -> bool {
        let king = board.at[PieceId::king(color).index()];
        king != GONE && self.is_attacked(board, Square::new(king), color)
    }

    #[inline]
    fn captures_in_passing(self, compiled: &CompiledPlan, victim: u8) -> bool {
        victim != NOBODY
            && self.pieces.contains(PieceId::new(victim))
            && self.pieces.contains(PieceId::new(compiled.passing_captor[usize::from(victim)]))
    }

    #[inline]
    fn leaves(self, compiled: &CompiledPlan, board: &SearchBoard, piece: usize) -> bool {
        self.taken_outside.0 >> piece & 1 != 0 && board.waits(compiled, piece)
    }
}

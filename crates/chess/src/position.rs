//! State of an orthodox game between two moves, as a value of 96 bytes.
//!
//! A move creates a new position ([`Position::after`]); nothing is unmade. Positions are valid by
//! construction: the initial one, one from [`Position::from_setup`], or one after a legal move.

mod after;
mod keys;
mod text;

use super::attacks;
use super::castling_mode::CastlingMode;
use super::moves::Move;
use super::piece::{Piece, Role};
use crate::geometry::{Bitboard, Color, Square};

/// Position of orthodox chess or Chess960.
#[derive(Clone, Copy)]
pub struct Position {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
    /// Zobrist key of everything but the counters.
    key: u64,
    /// See [`Position::structures`].
    structures: [u16; 3],
    /// Rooks that may still castle, of both sides.
    castling: Bitboard,
    halfmoves: u16,
    fullmoves: u16,
    /// Number of the square passed over by a pawn that can legally be captured en passant, or
    /// `NO_SQUARE`.
    en_passant: u8,
    turn: Color,
}

const _: () = assert!(size_of::<Position>() <= 96);

const NO_SQUARE: u8 = 64;

impl Position {
    /// Returns the initial position.
    pub fn startpos() -> Self {
        let rank = |rank: u8, files: u64| Bitboard(files << (rank * 8));
        let both = |files: u64| rank(0, files) | rank(7, files);
        let mut array = Self {
            roles: [
                Bitboard::rank(1) | Bitboard::rank(6),
                both(0x42),
                both(0x24),
                both(0x81),
                both(0x08),
                both(0x10),
            ],
            colors: [Bitboard(0xFFFF), Bitboard(0xFFFF << 48)],
            castling: both(0x81),
            ..Self::empty()
        };
        (array.key, array.structures) = (array.computed_key(), array.computed_structures());
        array
    }

    /// Returns a board without pieces; only the first step of building a position.
    pub(super) const fn empty() -> Self {
        Self {
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            key: 0,
            structures: [0; 3],
            castling: Bitboard::EMPTY,
            halfmoves: 0,
            fullmoves: 1,
            en_passant: NO_SQUARE,
            turn: Color::White,
        }
    }

    /// Puts a piece on an empty square of an unfinished position.
    pub(super) fn place(&mut self, square: Square, piece: Piece) {
        self.roles[piece.role.index()] |= square.into();
        self.colors[piece.color.index()] |= square.into();
    }

    /// Sets everything but the pieces and computes derived data. The en passant square is kept only
    /// when a legal capture exists.
    pub(super) fn settle(
        &mut self,
        turn: Color,
        castling: Bitboard,
        en_passant: Option<Square>,
        (halfmoves, fullmoves): (u16, u16),
    ) {
        (self.turn, self.castling) = (turn, castling);
        // Far below overflow, so that increments need no check at every move.
        (self.halfmoves, self.fullmoves) = (halfmoves.min(9_999), fullmoves.clamp(1, 9_999));
        self.en_passant = match en_passant {
            Some(square) if self.can_be_passed(square) => square.number(),
            _ => NO_SQUARE,
        };
        (self.key, self.structures) = (self.computed_key(), self.computed_structures());
    }

    /// Creates a position from unchecked sets, with the counters of a new game. The key stays 0:
    /// the solver that uses this has its own hash.
    #[inline]
    pub(super) fn from_sets(
        roles: [Bitboard; 6],
        colors: [Bitboard; 2],
        castling: Bitboard,
        en_passant: Option<Square>,
        turn: Color,
    ) -> Self {
        let en_passant = en_passant.map_or(NO_SQUARE, Square::number);
        Self { roles, colors, castling, en_passant, turn, ..Self::empty() }
    }

    /// Returns the side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the plies since the last capture or pawn move.
    #[inline]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// Returns the number of the next move, from 1.
    #[inline]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// Returns the Zobrist key of pieces, side to move, castling rights and en passant, not of the
    /// counters. Two positions with the same possible moves have the same key.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Returns the pieces that give check to the side to move; computed at each call.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        let (us, them) = (self.turn, !self.turn);
        let (king, occupied) = (self.king(us), self.occupied());
        attacks::bishop(king, occupied) & self.diagonal_sliders(them)
            | attacks::rook(king, occupied) & self.straight_sliders(them)
            | self.leaping_checkers(king, them)
    }

    /// Returns knights and pawns of one side that attack a square.
    #[inline]
    pub(super) fn leaping_checkers(&self, square: Square, by: Color) -> Bitboard {
        attacks::knight(square) & self.pieces(by, Role::Knight)
            | attacks::pawn(!by, square) & self.pieces(by, Role::Pawn)
    }

    /// Returns true when the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// Returns all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Returns all pieces of one side.
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Returns all pieces of one role, of both sides.
    #[inline]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// Returns all pieces of one role and side.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.colors[color.index()] & self.roles[role.index()]
    }

    /// Returns bishops and queens of one side.
    #[inline]
    pub(crate) fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.by_color(color) & (self.by_role(Role::Bishop) | self.by_role(Role::Queen))
    }

    /// Returns rooks and queens of one side.
    #[inline]
    pub(crate) fn straight_sliders(&self, color: Color) -> Bitboard {
        self.by_color(color) & (self.by_role(Role::Rook) | self.by_role(Role::Queen))
    }

    /// Returns the square of a side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, Role::King).lowest()
    }

    /// Returns the role on an occupied square; the result for an empty square has no meaning.
    #[inline]
    pub(super) fn role_on(&self, square: Square) -> Role {
        let bit = |role: Role| (self.roles[role.index()].0 >> square.index() & 1) as usize;
        Role::from_index(
            bit(Role::Knight)
                + 2 * bit(Role::Bishop)
                + 3 * bit(Role::Rook)
                + 4 * bit(Role::Queen)
                + 5 * bit(Role::King),
        )
    }

    /// Returns the role of the piece on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.occupied().contains(square).then(|| self.role_on(square))
    }

    /// Returns the color of the piece on a square.
    #[inline]
    pub(crate) fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.by_color(color).contains(square))
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = self.color_at(square)?;
        Some(Piece { color, role: self.role_on(square) })
    }

    /// Returns the square passed over by a pawn that has just made a double step, when some en
    /// passant capture is legal; otherwise none, regardless of a FEN.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        (self.en_passant != NO_SQUARE).then(|| Square::new(self.en_passant))
    }

    /// Returns the rooks of both sides with which castling is still allowed.
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// Returns the rook with which a side may still castle on the king's or the queen's side.
    pub fn castling_rook(&self, color: Color, kingside: bool) -> Option<Square> {
        let king = self.king(color);
        let rooks = self.castling & self.by_color(color);
        rooks.squares().find(|rook| (rook.file() > king.file()) == kingside)
    }

    /// Returns the mode that has all castling rights of this position: Chess960 when standard chess
    /// lacks one of the rights.
    pub fn castling_mode(&self) -> CastlingMode {
        let standard = |color| {
            let (king, rooks) = (self.king(color), self.castling & self.by_color(color));
            rooks.squares().all(|rook| CastlingMode::Standard.allows(king, rook))
        };
        CastlingMode::of(!Color::ALL.into_iter().all(standard))
    }

    /// Returns all pieces of one side that attack a square when these squares are occupied.
    #[inline]
    pub(crate) fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        attacks::bishop(square, occupied) & self.diagonal_sliders(by)
            | attacks::rook(square, occupied) & self.straight_sliders(by)
            | attacks::knight(square) & self.pieces(by, Role::Knight)
            | attacks::pawn(!by, square) & self.pieces(by, Role::Pawn)
            | attacks::king(square) & self.pieces(by, Role::King)
    }

    /// Returns true when a side attacks a square when these squares are occupied.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        self.attackers(square, by, occupied).any()
    }

    /// Returns true when this (legal) move is castling.
    #[inline]
    pub fn is_castle(&self, mv: Move) -> bool {
        self.by_color(self.turn).contains(mv.to())
    }

    /// Returns true when this (legal) move captures en passant.
    #[inline]
    pub fn is_en_passant(&self, mv: Move) -> bool {
        mv.to().number() == self.en_passant && self.by_role(Role::Pawn).contains(mv.from())
    }

    /// Returns true when this (legal) move captures.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.by_color(!self.turn).contains(mv.to()) || self.is_en_passant(mv)
    }

    /// Returns the role captured by this (legal) move.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Role> {
        if self.by_color(!self.turn).contains(mv.to()) {
            Some(self.role_on(mv.to()))
        } else {
            self.is_en_passant(mv).then_some(Role::Pawn)
        }
    }

    /// Returns the king's square after castling with this rook: on the g- or c-file.
    #[inline]
    pub(super) fn king_after_castling(king: Square, rook: Square) -> Square {
        Square::at(if rook.file() > king.file() { 6 } else { 2 }, king.rank())
    }

    /// Returns the rook's square after castling: on the f- or d-file.
    #[inline]
    pub(super) fn rook_after_castling(king: Square, rook: Square) -> Square {
        Square::at(if rook.file() > king.file() { 5 } else { 3 }, king.rank())
    }

    /// Returns the position with other counters.
    #[must_use]
    pub fn with_counters(mut self, halfmoves: u16, fullmoves: u16) -> Self {
        (self.halfmoves, self.fullmoves) = (halfmoves, fullmoves);
        self
    }

    /// Returns true when the side to move has a legal en passant capture onto this square. The
    /// caller guarantees that an enemy pawn just passed over the square.
    fn can_be_passed(&self, behind: Square) -> bool {
        let takers = attacks::pawn(!self.turn, behind) & self.pieces(self.turn, Role::Pawn);
        takers.squares().any(|from| self.may_pass(from, behind))
    }

    /// Returns true when an en passant capture from this square leaves the own king unattacked.
    pub(super) fn may_pass(&self, from: Square, behind: Square) -> bool {
        let (us, them) = (self.turn, !self.turn);
        let victim = Square::at(behind.file(), from.rank());
        let king = self.king(us);
        let occupied = self.occupied().without(from).without(victim).with(behind);
        (attacks::bishop(king, occupied) & self.diagonal_sliders(them)).is_empty()
            && (attacks::rook(king, occupied) & self.straight_sliders(them)).is_empty()
            && self.leaping_checkers(king, them).without(victim).is_empty()
    }

    /// Returns a lower bound on the promoted pieces of a side: pieces beyond those of the initial
    /// position, bishops counted by the color of their squares.
    pub(crate) fn promoted_at_least(&self, color: Color) -> u32 {
        let over = |set: Bitboard, array: u32| set.len().saturating_sub(array);
        let bishops = self.pieces(color, Role::Bishop);
        over(self.pieces(color, Role::Queen), 1)
            + over(self.pieces(color, Role::Rook), 2)
            + over(self.pieces(color, Role::Knight), 2)
            + over(bishops & Bitboard::LIGHT, 1)
            + over(bishops & Bitboard::DARK, 1)
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::startpos()
    }
}

impl PartialEq for Position {
    /// Compares pieces, side to move, rights and counters.
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other)
            && (self.halfmoves, self.fullmoves) == (other.halfmoves, other.fullmoves)
    }
}

impl Eq for Position {}

impl Position {
    /// Returns true when the same moves are possible in both: everything but the counters is equal,
    /// as the repetition rule requires.
    pub fn is_same(&self, other: &Self) -> bool {
        self.key == other.key
            && self.roles == other.roles
            && self.colors == other.colors
            && self.turn == other.turn
            && self.castling == other.castling
            && self.en_passant == other.en_passant
    }
}

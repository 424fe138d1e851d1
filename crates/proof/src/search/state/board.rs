//! Board of a search: every piece by name, with sets for attacks; moves are made and taken back in
//! place.

use crate::analyse::legs::Goal;
use crate::distance::move_kind::{BOARD_SETS, MoveKind};
use crate::problem::piece::{PieceId, PieceMask};
use crate::search::state::compiled::CompiledPlan;
use crate::search::state::{GONE, NOBODY};
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Color, Square};

const fn mix(seed: u64) -> u64 {
    // Sebastiano Vigna's splitmix64.
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

const fn number(seed: u64) -> u128 {
    let first = seed.wrapping_mul(2);
    (mix(first) as u128) << 64 | mix(first.wrapping_add(1)) as u128
}

const fn numbers<const N: usize>(first: u64) -> [[u128; N]; 32] {
    let mut all = [[0; N]; 32];
    let mut piece = 0;
    while piece < 32 {
        let mut i = 0;
        while i < N {
            all[piece][i] = number(first + (piece * N + i) as u64);
            i += 1;
        }
        piece += 1;
    }
    all
}

static PLACES: [[u128; 64]; 32] = numbers(0);
static LEGS: [[u128; 18]; 32] = numbers(10_000);
pub(crate) const BLACK_TO_MOVE: u128 = number(20_000);
pub(crate) const PASSING: u128 = number(20_001);

/// Returns the key that keeps one strategy's positions apart from another's in a shared table.
pub(crate) const fn strategy_key(strategy: u64) -> u128 {
    number(1 << 40 | strategy)
}

/// Placement by name. `leg` is an index into the script's list of legs.
#[derive(Clone)]
pub(crate) struct SearchBoard {
    pub(crate) at: [u8; 32],
    pub(crate) piece: [u8; 64],
    pub(crate) leg: [u16; 32],
    pub(crate) by_color: [Bitboard; 2],
    kinds: [[Bitboard; BOARD_SETS]; 2],
    /// Piece whose double step may be, and then must be, answered by its en passant capture.
    pub(crate) passing: u8,
    pub(crate) turn: Color,
    pub(crate) key: u128,
}

/// Changes by a move, for taking it back.
#[derive(Clone, Copy)]
pub(crate) struct Undo {
    leg: u16,
    from: u8,
    taken: u8,
    taken_at: u8,
    passing: u8,
    rook: u8,
    pub(crate) key: u128,
}

impl SearchBoard {
    /// Returns the initial position, with all pieces on their first legs.
    pub(crate) fn initial(compiled: &CompiledPlan, seed: u128) -> Self {
        let mut board = Self {
            at: [GONE; 32],
            piece: [NOBODY; 64],
            leg: compiled.first,
            by_color: [Bitboard::EMPTY; 2],
            kinds: [[Bitboard::EMPTY; BOARD_SETS]; 2],
            passing: NOBODY,
            turn: Color::White,
            key: seed,
        };
        for piece in PieceId::all() {
            board.put(piece.index(), piece.origin(), MoveKind::of(piece.role(), piece.color()));
        }
        board
    }

    /// Returns the position of one side with only those enemies that never move. Pieces that only
    /// wait to be taken are also removed. The side is to move, and `key` is its [`Self::side_key`].
    pub(crate) fn side(&self, compiled: &CompiledPlan, color: Color, key: u128) -> Self {
        let mut side = self.clone();
        for piece in PieceId::all() {
            let m = piece.index();
            let waits = piece.color() == color && side.waits(compiled, m);
            let enemy = piece.color() != color && !compiled.fixed.contains(piece);
            if side.at[m] != GONE && (waits || enemy) {
                side.vanish(compiled, m);
            }
        }
        (side.turn, side.passing, side.key) = (color, NOBODY, key);
        side
    }

    /// Returns true if a piece stands where it is to be taken, with no other moves to make.
    #[inline]
    pub(crate) fn waits(&self, compiled: &CompiledPlan, piece: usize) -> bool {
        if compiled.survivors.0 >> piece & 1 != 0 {
            return false;
        }
        let leg = &compiled.legs[usize::from(self.leg[piece])];
        leg.last && matches!(leg.goal, Goal::Stay(last) if last.number() == self.at[piece])
    }

    /// Removes a piece from the board; returns its square.
    pub(crate) fn vanish(&mut self, compiled: &CompiledPlan, piece: usize) -> Square {
        let square = Square::new(self.at[piece]);
        self.lift(piece, square, compiled.legs[usize::from(self.leg[piece])].move_kind);
        self.at[piece] = GONE;
        square
    }

    /// Puts a removed piece back.
    pub(crate) fn appear(&mut self, compiled: &CompiledPlan, piece: usize, square: Square) {
        self.put(piece, square, compiled.legs[usize::from(self.leg[piece])].move_kind);
    }

    /// Returns a key of the pieces of one side and their legs, without those that only wait to be
    /// taken and those that never move.
    #[inline]
    pub(crate) fn side_key(&self, compiled: &CompiledPlan, color: Color) -> u128 {
        let mut key = 0;
        for piece in PieceMask(PieceMask::of_color(color).0 & !compiled.fixed.0).pieces() {
            let m = piece.index();
            if self.at[m] != GONE && !self.waits(compiled, m) {
                key ^= self.piece_key(compiled, m);
            }
        }
        key
    }

    /// Returns the contribution of a piece on the board to a key.
    #[inline]
    pub(crate) fn piece_key(&self, compiled: &CompiledPlan, piece: usize) -> u128 {
        PLACES[piece][usize::from(self.at[piece])] ^ self.leg_key(compiled, piece)
    }

    /// Returns the contribution of the piece's leg.
    #[inline]
    pub(crate) fn leg_key(&self, compiled: &CompiledPlan, piece: usize) -> u128 {
        LEGS[piece][usize::from(self.leg[piece] - compiled.first[piece])]
    }

    /// Makes a waiting move of the side to move.
    #[inline]
    pub(crate) fn wait(&mut self) {
        self.turn = !self.turn;
        self.key ^= BLACK_TO_MOVE;
    }

    #[inline]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    #[inline]
    fn put(&mut self, piece: usize, square: Square, move_kind: MoveKind) {
        let c = piece >> 4;
        self.at[piece] = square.number();
        self.piece[square.index()] = piece as u8;
        self.by_color[c] = self.by_color[c].with(square);
        self.kinds[c][move_kind.board_set()] = self.kinds[c][move_kind.board_set()].with(square);
        self.key ^= PLACES[piece][square.index()];
    }

    #[inline]
    fn lift(&mut self, piece: usize, square: Square, move_kind: MoveKind) {
        let c = piece >> 4;
        self.piece[square.index()] = NOBODY;
        self.by_color[c] = self.by_color[c].without(square);
        self.kinds[c][move_kind.board_set()] = self.kinds[c][move_kind.board_set()].without(square);
        self.key ^= PLACES[piece][square.index()];
    }

    #[inline]
    fn advance(&mut self, piece: usize, compiled: &CompiledPlan) {
        let first = compiled.first[piece];
        self.key ^= LEGS[piece][usize::from(self.leg[piece] - first)];
        self.leg[piece] += 1;
        self.key ^= LEGS[piece][usize::from(self.leg[piece] - first)];
    }

    /// Moves a piece, removes the captured piece, and advances to the next leg if the move ends
    /// one.
    pub(crate) fn make(
        &mut self,
        compiled: &CompiledPlan,
        piece: usize,
        to: Square,
        taken: u8,
        ends_leg: bool,
    ) -> Undo {
        let from = Square::new(self.at[piece]);
        let mut undo = Undo {
            leg: self.leg[piece],
            from: from.number(),
            taken,
            taken_at: GONE,
            passing: self.passing,
            rook: NOBODY,
            key: self.key,
        };
        self.lift(piece, from, compiled.legs[usize::from(self.leg[piece])].move_kind);
        if taken != NOBODY {
            let victim = usize::from(taken);
            let stood = Square::new(self.at[victim]);
            undo.taken_at = stood.number();
            self.lift(victim, stood, compiled.legs[usize::from(self.leg[victim])].move_kind);
            self.at[victim] = GONE;
        }
        if ends_leg {
            self.advance(piece, compiled);
        }
        self.put(piece, to, compiled.legs[usize::from(self.leg[piece])].move_kind);
        self.pass(undo.passing, NOBODY);
        self.turn = !self.turn;
        self.key ^= BLACK_TO_MOVE;
        undo
    }

    /// Castles; this ends the legs of king and rook.
    pub(crate) fn castle(
        &mut self,
        compiled: &CompiledPlan,
        king: usize,
        rook: usize,
        king_to: Square,
        rook_to: Square,
    ) -> Undo {
        let rook_from = Square::new(self.at[rook]);
        self.lift(rook, rook_from, MoveKind::Rook);
        let mut undo = self.make(compiled, king, king_to, NOBODY, true);
        undo.key ^= PLACES[rook][rook_from.index()];
        self.advance(rook, compiled);
        self.put(rook, rook_to, MoveKind::Rook);
        undo.rook = rook as u8;
        undo.taken_at = rook_from.number();
        undo
    }

    /// Allows the en passant capture of this piece, for one ply.
    pub(crate) fn pass(&mut self, before: u8, victim: u8) {
        if (before == NOBODY) != (victim == NOBODY) {
            self.key ^= PASSING;
        }
        self.passing = victim;
    }

    /// Takes the last move back.
    pub(crate) fn unmake(&mut self, compiled: &CompiledPlan, piece: usize, undo: &Undo) {
        self.turn = !self.turn;
        let to = Square::new(self.at[piece]);
        self.lift(piece, to, compiled.legs[usize::from(self.leg[piece])].move_kind);
        if undo.rook != NOBODY {
            let rook = usize::from(undo.rook);
            self.lift(rook, Square::new(self.at[rook]), MoveKind::Rook);
            self.leg[rook] -= 1;
            self.put(rook, Square::new(undo.taken_at), MoveKind::Rook);
        }
        self.leg[piece] = undo.leg;
        self.put(piece, Square::new(undo.from), compiled.legs[usize::from(undo.leg)].move_kind);
        if undo.taken != NOBODY {
            let victim = usize::from(undo.taken);
            let move_kind = compiled.legs[usize::from(self.leg[victim])].move_kind;
            self.put(victim, Square::new(undo.taken_at), move_kind);
        }
        self.passing = undo.passing;
        self.key = undo.key;
    }

    /// Returns the king's square.
    #[inline]
    pub(crate) fn king(&self, color: Color) -> Square {
        Square::new(self.at[PieceId::king(color).index()])
    }

    /// Returns the pieces of a color that attack a square when `occupied` is occupied.
    #[inline]
    pub(crate) fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let pieces = &self.kinds[by.index()];
        let [pawns, knights, bishops, rooks, queens, kings, _] = *pieces;
        attacks::pawn(!by, square) & pawns
            | attacks::knight(square) & knights
            | attacks::king(square) & kings
            | attacks::bishop(square, occupied) & (bishops | queens)
            | attacks::rook(square, occupied) & (rooks | queens)
    }

    /// Returns the own pieces that alone stand between the king and a distant attacker.
    #[inline]
    pub(crate) fn pinned(&self, color: Color, king: Square) -> Bitboard {
        let pieces = &self.kinds[(!color).index()];
        let [_, _, bishops, rooks, queens, _, _] = *pieces;
        let occupied = self.occupied();
        let far = attacks::bishop(king, self.by_color[(!color).index()]) & (bishops | queens)
            | attacks::rook(king, self.by_color[(!color).index()]) & (rooks | queens);
        let mut pinned = Bitboard::EMPTY;
        for sniper in far.squares() {
            let interpositions = attacks::between(king, sniper) & occupied;
            if !interpositions.more_than_one() {
                pinned |= interpositions;
            }
        }
        pinned & self.by_color[color.index()]
    }
}

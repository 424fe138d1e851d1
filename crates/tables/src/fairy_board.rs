//! Endgame positions as pieces on squares, with a plain forward move generator.
//!
//! This is the slow, direct implementation of the rules from the pieces' steps and templates.
//! Probing and play use it; the builder does not, so each checks the other.

mod bent;
mod error;
mod fairy_move;

use super::material::rank;
use super::rights::Rights;
use crate::fairy::{Piece, PieceSet};
use std::sync::Arc;
use umbrail_chess::geometry::{Color, Setup, Square};

pub use error::FairyBoardError;
pub use fairy_move::FairyMove;

/// Piece on a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPiece {
    /// Kind of the piece.
    pub piece: Arc<Piece>,
    /// Color of the piece.
    pub color: Color,
    /// Square of the piece.
    pub square: Square,
}

/// Position: pieces on squares, the first of each color royal, and a side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FairyBoard {
    /// Pieces; each side's royal comes before its other pieces.
    pub pieces: Vec<BoardPiece>,
    /// Side to move.
    pub turn: Color,
    /// Square passed over by a pawn that just made a double step.
    pub en_passant: Option<Square>,
    /// Castling rights.
    pub rights: Rights,
}

/// Sorts the pieces: White's first, and after each royal the others in the order of
/// [`Material::canonical`], as in the tables. Each side's royal already comes first.
///
/// [`Material::canonical`]: super::material::Material::canonical
fn in_usual_order(pieces: &mut [BoardPiece]) {
    pieces.sort_by_key(|piece| piece.color);
    let (white, black) =
        pieces.split_at_mut(pieces.partition_point(|piece| piece.color.is_white()));
    for side in [white, black] {
        if let Some((_, others)) = side.split_first_mut() {
            others.sort_by_key(|piece| (rank(piece.piece.letter), piece.piece.letter));
        }
    }
}

impl FairyBoard {
    /// Checks a setup; `royals` are the letters of White's and Black's royal. When a side has
    /// several pieces of its royal's letter, the one on the lowest square is the royal.
    ///
    /// # Errors
    /// Every reason why the setup is not a legal position of these pieces.
    pub fn read(
        setup: &Setup,
        piece_set: &PieceSet,
        royals: [char; 2],
    ) -> Result<Self, Vec<FairyBoardError>> {
        let mut errors = Vec::new();
        let mut pieces = Vec::new();
        for (square, color, letter) in setup.pieces() {
            // In a setup, case stands for color. Lower-case fairy letters of EGTgen are therefore
            // ambiguous, and the upper-case meaning comes first.
            let piece =
                piece_set.get(letter).or_else(|| piece_set.get(letter.to_ascii_lowercase()));
            match piece {
                None => errors.push(FairyBoardError::Letter(letter, square)),
                Some(piece) => {
                    if piece.pawn && matches!(square.rank(), 0 | 7) {
                        errors.push(FairyBoardError::PawnRank(square));
                    }
                    pieces.push(BoardPiece { piece: piece.clone(), color, square });
                }
            }
        }
        for color in Color::ALL {
            let royal = royals[color.index()];
            let found = pieces.iter().position(|m| {
                m.color == color
                    && (m.piece.letter == royal || m.piece.letter.eq_ignore_ascii_case(&royal))
            });
            match found {
                Some(at) => {
                    let first = pieces.iter().position(|m| m.color == color).unwrap_or(at);
                    pieces.swap(first, at);
                }
                None => errors.push(FairyBoardError::NoRoyal(color, royal)),
            }
        }
        if pieces.len() > super::material::PIECES_MAX {
            errors.push(FairyBoardError::TooMany(pieces.len()));
        }
        let stands = |letter, color, square| {
            pieces.iter().any(|m: &BoardPiece| {
                m.piece.letter == letter && m.color == color && m.square == square
            })
        };
        let rights = Rights::read(&setup.castling).filter(|rights| {
            rights.each().all(|(c, king, rook)| {
                royals[c.index()] == 'K' && stands('K', c, king) && stands('R', c, rook)
            })
        });
        if rights.is_none() {
            errors.push(FairyBoardError::Castling(setup.castling.clone()));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        in_usual_order(&mut pieces);
        let rights = rights.unwrap_or(Rights::NONE);
        let mut board = Self { pieces, turn: setup.turn, en_passant: None, rights };
        if board.attacks(board.turn, board.royal(!board.turn)) {
            return Err(vec![FairyBoardError::RoyalHangs(!board.turn)]);
        }
        if let Some(square) = setup.en_passant {
            if !board.may_have_passed(square) {
                return Err(vec![FairyBoardError::EnPassant(square)]);
            }
            board.en_passant = Some(square);
            // An en passant right that cannot be used changes nothing.
            if !board.moves().iter().any(|m| m.captured.is_some_and(|c| c != m.to)) {
                board.en_passant = None;
            }
        }
        Ok(board)
    }

    fn may_have_passed(&self, over: Square) -> bool {
        let (rank, forward) = if self.turn.is_white() { (5, -1) } else { (2, 1) };
        let pawn = over.offset(0, forward);
        over.rank() == rank
            && self.at(over).is_none()
            && over.offset(0, -forward).is_some_and(|s| self.at(s).is_none())
            && pawn
                .and_then(|s| self.at(s))
                .is_some_and(|m| m.piece.double_step && m.color != self.turn)
    }

    /// Returns the piece on a square.
    pub fn at(&self, square: Square) -> Option<&BoardPiece> {
        self.pieces.iter().find(|m| m.square == square)
    }

    /// Returns the square of a side's royal.
    pub fn royal(&self, color: Color) -> Square {
        self.pieces.iter().find(|m| m.color == color).map_or(Square::A1, |m| m.square)
    }

    /// Returns the pieces of one side, royal first.
    pub fn pieces(&self, color: Color) -> Vec<Arc<Piece>> {
        self.pieces.iter().filter(|m| m.color == color).map(|m| m.piece.clone()).collect()
    }

    /// Returns true when a piece of this color attacks the square.
    pub(crate) fn attacks(&self, color: Color, square: Square) -> bool {
        let mut found = false;
        for piece in self.pieces.iter().filter(|m| m.color == color) {
            match piece.piece.templates(color) {
                Some(templates) => found |= self.attacks_by(piece, templates, square),
                None => self.reach(piece, true, |to| found |= to == square),
            }
        }
        found
    }

    /// Visits every square that a piece's capturing (or quiet) steps reach, up to and including the
    /// first obstacle.
    fn reach(&self, piece: &BoardPiece, capture: bool, mut visit: impl FnMut(Square)) {
        for step in piece.piece.steps() {
            if !(if capture { step.capture } else { step.quiet }) {
                continue;
            }
            let dy = if piece.color.is_white() { step.dy } else { -step.dy };
            let mut at = piece.square;
            for _ in 0..step.reach {
                let Some(to) = at.offset(step.dx.into(), dy.into()) else { break };
                visit(to);
                if self.at(to).is_some() {
                    break;
                }
                at = to;
            }
        }
    }

    /// Returns true when a pawn makes this move.
    pub(crate) fn moves_pawn(&self, mv: &FairyMove) -> bool {
        self.at(mv.from).is_some_and(|piece| piece.piece.pawn)
    }

    /// Returns true when this side has only its royal.
    pub fn is_bare(&self, color: Color) -> bool {
        self.pieces.iter().filter(|piece| piece.color == color).count() == 1
    }

    /// Returns true when the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.attacks(!self.turn, self.royal(self.turn))
    }

    /// Returns all legal moves. Pawns promote to the pieces in `promotions`.
    pub fn moves_to(&self, promotions: &[Arc<Piece>]) -> Vec<FairyMove> {
        let mut moves = self.pseudo_moves(promotions);
        moves.retain(|mv| {
            let after = self.after(mv);
            !after.attacks(after.turn, after.royal(self.turn))
        });
        moves.extend(self.castling_moves());
        moves
    }

    /// Returns all legal moves, with promotions left as pawn moves; sufficient to detect whether a
    /// move exists.
    pub(crate) fn moves(&self) -> Vec<FairyMove> {
        self.moves_to(&[])
    }

    /// Returns all pseudo-legal moves, which may leave the own royal en prise. Captures of the
    /// enemy royal are included.
    pub fn pseudo_moves(&self, promotions: &[Arc<Piece>]) -> Vec<FairyMove> {
        let mut moves: Vec<FairyMove> = Vec::new();
        for piece in self.pieces.iter().filter(|m| m.color == self.turn) {
            if let Some(templates) = piece.piece.templates(self.turn) {
                self.bent_moves(piece, templates, &mut moves);
                continue;
            }
            let mut quiet = Vec::new();
            self.reach(piece, false, |to| {
                if self.at(to).is_none() {
                    quiet.push(to);
                }
            });
            let mut captures = Vec::new();
            self.reach(piece, true, |to| {
                if self.at(to).is_some_and(|m| m.color != self.turn) {
                    captures.push((to, to));
                }
            });
            if piece.piece.double_step {
                self.pawn_extras(piece, &mut quiet, &mut captures);
            }
            let last = if self.turn.is_white() { 7 } else { 0 };
            let targets = quiet.into_iter().map(|to| (to, None));
            for (to, captured) in targets.chain(captures.into_iter().map(|(t, c)| (t, Some(c)))) {
                let mut push = |promotion| {
                    let quiet = FairyMove::quiet(piece.square, to);
                    let mv = FairyMove { promotion, captured, ..quiet };
                    if !moves.contains(&mv) {
                        moves.push(mv);
                    }
                };
                if piece.piece.pawn && to.rank() == last && !promotions.is_empty() {
                    promotions.iter().for_each(|p| push(Some(p.clone())));
                } else {
                    push(None);
                }
            }
        }
        moves
    }

    /// Adds the double step and the en passant capture.
    fn pawn_extras(
        &self,
        piece: &BoardPiece,
        quiet: &mut Vec<Square>,
        captures: &mut Vec<(Square, Square)>,
    ) {
        let (dy, second) = if piece.color.is_white() { (1, 1) } else { (-1, 6) };
        let steps = (piece.square.offset(0, dy), piece.square.offset(0, 2 * dy));
        if let (true, (Some(one), Some(two))) = (piece.square.rank() == second, steps)
            && self.at(one).is_none()
            && self.at(two).is_none()
        {
            quiet.push(two);
        }
        if let Some(over) = self.en_passant {
            let reaches = [-1, 1].into_iter().any(|dx| piece.square.offset(dx, dy) == Some(over));
            if let (true, Some(pawn)) = (reaches, over.offset(0, -dy)) {
                captures.push((over, pawn));
            }
        }
    }

    /// Returns the position after a move.
    pub fn after(&self, mv: &FairyMove) -> Self {
        if mv.is_pass() {
            return Self { turn: !self.turn, en_passant: None, ..self.clone() };
        }
        let mut pieces: Vec<BoardPiece> =
            self.pieces.iter().filter(|m| !mv.takes(m.square)).cloned().collect();
        let mut en_passant = None;
        for moved in pieces.iter_mut().filter(|m| m.square == mv.from && m.color == self.turn) {
            moved.square = mv.to;
            if let Some(piece) = &mv.promotion {
                moved.piece = piece.clone();
            } else if moved.piece.pawn && mv.from.rank().abs_diff(mv.to.rank()) == 2 {
                en_passant = Some(Square::at(mv.from.file(), (mv.from.rank() + mv.to.rank()) / 2));
            }
        }
        if mv.promotion.is_some() {
            in_usual_order(&mut pieces);
        }
        let taken = mv.on_the_way.into_iter().flatten();
        let rights = taken.fold(self.rights.after(mv.from, mv.to), |left, s| left.after(s, s));
        for (_, king, rook) in self.rights.each().filter(|r| r.1 == mv.from) {
            // A king that moves two files castles: the rook jumps over it.
            let to_rook = mv.to.file().abs_diff(rook.file());
            if mv.to.file().abs_diff(king.file()) == 2 && to_rook <= 2 {
                let middle = Square::at((king.file() + mv.to.file()) / 2, king.rank());
                pieces.iter_mut().filter(|m| m.square == rook).for_each(|m| m.square = middle);
            }
        }
        Self { pieces, turn: !self.turn, en_passant, rights }
    }

    /// Returns the castling moves of the side to move: king two files towards the rook, nothing
    /// between them, no square of the king's path attacked.
    fn castling_moves(&self) -> Vec<FairyMove> {
        let mut moves = Vec::new();
        for (_, king, rook) in self.rights.each().filter(|r| r.0 == self.turn) {
            let side: i32 = if rook.file() > king.file() { 1 } else { -1 };
            let between = (1..i32::from(king.file().abs_diff(rook.file())))
                .filter_map(|n| king.offset(side * n, 0));
            let way = (0..=2).filter_map(|n| king.offset(side * n, 0));
            if between.into_iter().all(|s| self.at(s).is_none())
                && way.into_iter().all(|s| !self.attacks(!self.turn, s))
                && let Some(to) = king.offset(2 * side, 0)
            {
                moves.push(FairyMove::quiet(king, to));
            }
        }
        moves
    }

    /// Returns the placement and side to move as a FEN.
    pub fn to_fen(&self) -> String {
        let mut setup = Setup::default();
        setup.turn = self.turn;
        setup.en_passant = self.en_passant;
        setup.castling = self.rights.field();
        for piece in &self.pieces {
            setup.put(piece.square, piece.color, piece.piece.letter);
        }
        setup.to_string()
    }
}

#[cfg(test)]
mod tests;

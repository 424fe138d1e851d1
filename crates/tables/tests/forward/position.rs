//! Men on squares and their legal moves, as plainly as can be, for the slow builder.

use umbrail_chess::geometry::{Color, Setup, Square};

pub(crate) const KINDS: [u8; 6] = *b"KQRBNP";
pub(crate) const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub(crate) const SLANTED: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
pub(crate) const ROUND: [(i8, i8); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
pub(crate) const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ForwardPiece {
    pub(crate) white: bool,
    pub(crate) kind: u8,
    pub(crate) at: i8,
}

/// Men on squares (file and eight times the rank), a side to move, and what may be done once only.
#[derive(Clone, Copy)]
pub(crate) struct ForwardPosition {
    pub(crate) pieces: [ForwardPiece; 4],
    pub(crate) count: usize,
    pub(crate) white: bool,
    /// The square that a pawn has just passed.
    pub(crate) passed: Option<i8>,
    /// Where White's rook stands that may still castle with the king on e1.
    pub(crate) castles: Option<i8>,
    /// Other men than those of the place it came from.
    pub(crate) converted: bool,
    /// Pawns on their second rank may go two squares.
    pub(crate) double_steps: bool,
}

/// The square `dx` files and `dy` ranks away.
pub(crate) fn step(at: i8, (files, ranks): (i8, i8)) -> Option<i8> {
    let (file, rank) = (at % 8 + files, at / 8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some(rank * 8 + file)
}

/// The steps of a piece that is no pawn, and whether it repeats them.
pub(crate) fn steps(kind: u8) -> (&'static [(i8, i8)], bool) {
    match kind {
        b'K' => (&ROUND, false),
        b'Q' => (&ROUND, true),
        b'R' => (&STRAIGHT, true),
        b'B' => (&SLANTED, true),
        _ => (&LEAPS, false),
    }
}

impl ForwardPosition {
    pub(crate) fn on(&self, square: i8) -> Option<usize> {
        (0..self.count).find(|&piece| self.pieces[piece].at == square)
    }

    pub(crate) fn royal(&self, white: bool) -> i8 {
        let own = self.pieces[..self.count].iter().find(|m| m.white == white && m.kind == b'K');
        own.expect("a king").at
    }

    pub(crate) fn attacked(&self, square: i8, by_white: bool) -> bool {
        self.pieces[..self.count].iter().filter(|piece| piece.white == by_white).any(|piece| {
            if piece.kind == b'P' {
                let ahead = if by_white { 1 } else { -1 };
                return [-1, 1].iter().any(|&side| step(piece.at, (side, ahead)) == Some(square));
            }
            let (steps, repeats) = steps(piece.kind);
            steps.iter().any(|&by| {
                let mut at = piece.at;
                while let Some(next) = step(at, by) {
                    if next == square {
                        return true;
                    }
                    if !repeats || self.on(next).is_some() {
                        return false;
                    }
                    at = next;
                }
                false
            })
        })
    }

    pub(crate) fn in_check(&self) -> bool {
        self.attacked(self.royal(self.white), !self.white)
    }

    /// One man a square, pawns where pawns can be, and no king can be captured.
    pub(crate) fn is_legal(&self) -> bool {
        let pieces = &self.pieces[..self.count];
        let alone =
            |(n, m): (usize, &ForwardPiece)| pieces[..n].iter().all(|other| other.at != m.at);
        pieces.iter().enumerate().all(alone)
            && pieces.iter().all(|m| m.kind != b'P' || (1..7).contains(&(m.at / 8)))
            && !self.attacked(self.royal(!self.white), self.white)
    }

    /// Without the man on a square, except the one that goes there.
    pub(crate) fn without(mut self, square: i8, mover: usize) -> (Self, usize) {
        let Some(victim) = (0..self.count).find(|&m| m != mover && self.pieces[m].at == square)
        else {
            return (self, mover);
        };
        self.pieces.copy_within(victim + 1..self.count, victim);
        self.count -= 1;
        self.converted = true;
        (self, if victim < mover { mover - 1 } else { mover })
    }

    /// A man goes to a square and takes what stands there, or on another.
    pub(crate) fn moved(&self, piece: usize, to: i8, taken: i8) -> Self {
        let mut after = *self;
        (after.white, after.passed, after.converted) = (!self.white, None, false);
        let own = self.pieces[piece];
        if own.white && (own.kind == b'K' || Some(own.at) == self.castles) {
            after.castles = None;
        }
        if Some(taken) == self.castles && !own.white {
            after.castles = None;
        }
        let (mut after, piece) = after.without(taken, piece);
        after.pieces[piece].at = to;
        after
    }

    /// Every legal move.
    pub(crate) fn moves(&self, out: &mut Vec<Self>) {
        out.clear();
        for piece in 0..self.count {
            let own = self.pieces[piece];
            if own.white != self.white {
                continue;
            }
            if own.kind == b'P' {
                self.pawn_moves(piece, out);
                continue;
            }
            let (steps, repeats) = steps(own.kind);
            for &by in steps {
                let mut at = own.at;
                while let Some(next) = step(at, by) {
                    let there = self.on(next);
                    if there.is_some_and(|other| self.pieces[other].white == own.white) {
                        break;
                    }
                    out.push(self.moved(piece, next, next));
                    if !repeats || there.is_some() {
                        break;
                    }
                    at = next;
                }
            }
        }
        if let (true, Some(rook)) = (self.white, self.castles) {
            self.castling(rook, out);
        }
        out.retain(|after| !after.attacked(after.royal(self.white), !self.white));
    }

    pub(crate) fn pawn_moves(&self, piece: usize, out: &mut Vec<Self>) {
        let own = self.pieces[piece];
        let ahead = if own.white { 1 } else { -1 };
        let mut put = |after: Self, piece: usize| {
            if !matches!(after.pieces[piece].at / 8, 0 | 7) {
                return out.push(after);
            }
            for kind in *b"QRBN" {
                let mut promoted = after;
                promoted.pieces[piece].kind = kind;
                promoted.converted = true;
                out.push(promoted);
            }
        };
        if let Some(next) = step(own.at, (0, ahead)).filter(|&next| self.on(next).is_none()) {
            put(self.moved(piece, next, next), piece);
            let home = if own.white { 1 } else { 6 };
            let may = self.double_steps && own.at / 8 == home;
            let far = step(next, (0, ahead)).filter(|&far| may && self.on(far).is_none());
            if let Some(far) = far {
                let mut after = self.moved(piece, far, far);
                after.passed = Some(next);
                put(after, piece);
            }
        }
        for side in [-1, 1] {
            let Some(next) = step(own.at, (side, ahead)) else { continue };
            let taken = match self.on(next) {
                Some(other) if self.pieces[other].white != own.white => next,
                None if self.passed == Some(next) => next - 8 * ahead,
                _ => continue,
            };
            let after = self.moved(piece, next, taken);
            let piece = (0..after.count).find(|&m| after.pieces[m].at == next);
            put(after, piece.expect("it went there"));
        }
    }

    pub(crate) fn castling(&self, rook: i8, out: &mut Vec<Self>) {
        let (between, path, king_to, rook_to) = if rook == 0 {
            (vec![1, 2, 3], [4, 3, 2], 2, 3)
        } else {
            (vec![5, 6], [4, 5, 6], 6, 5)
        };
        let free = between.iter().all(|&square| self.on(square).is_none());
        if free && path.iter().all(|&square| !self.attacked(square, false)) {
            let king = self.on(4).expect("the king has not moved");
            let mut after = self.moved(king, king_to, king_to);
            let rook = after.on(rook).expect("nor has the rook");
            after.pieces[rook].at = rook_to;
            out.push(after);
        }
    }

    /// The men as a number.
    pub(crate) fn code(&self) -> u32 {
        let digit = |piece: &ForwardPiece| {
            let kind = KINDS.iter().position(|&kind| kind == piece.kind).unwrap_or(0) as u32;
            1 + kind + if piece.white { 0 } else { 6 }
        };
        self.pieces[..self.count].iter().fold(0, |code, piece| code * 16 + digit(piece))
    }

    /// Men in the order of names: White's first, and by kind.
    pub(crate) fn sorted(mut self) -> Self {
        let order = |piece: &ForwardPiece| {
            (!piece.white, KINDS.iter().position(|&kind| kind == piece.kind))
        };
        self.pieces[..self.count].sort_by_key(order);
        self
    }

    pub(crate) fn turned(mut self) -> Self {
        for piece in &mut self.pieces[..self.count] {
            (piece.white, piece.at) = (!piece.white, piece.at ^ 56);
        }
        self.white = !self.white;
        self.passed = self.passed.map(|at| at ^ 56);
        self
    }

    pub(crate) fn setup(&self) -> Setup {
        let mut setup = Setup::default();
        let color = |white| if white { Color::White } else { Color::Black };
        for piece in &self.pieces[..self.count] {
            setup.put(Square::new(piece.at as u8), color(piece.white), piece.kind.into());
        }
        setup.turn = color(self.white);
        setup
    }

    pub(crate) fn fen(&self) -> String {
        let fields = self.setup().to_string();
        let placing = fields.split(' ').next().unwrap_or("").to_owned();
        let turn = if self.white { 'w' } else { 'b' };
        let rights = self.castles.map_or("-", |rook| if rook == 0 { "Q" } else { "K" });
        let name = |at: i8| format!("{}{}", char::from(b'a' + at as u8 % 8), at / 8 + 1);
        format!("{placing} {turn} {rights} {} 0 1", self.passed.map_or("-".to_owned(), name))
    }
}

//! Moves that satisfy a turn's filter in a position.

mod notation;

use super::condition::Condition;
use super::filter::{Filter, Requirement};
use super::game_history::GameHistory;
use super::mark::CastlingSide;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Move, MoveKinds, Position, Role, attacks};

/// A move that satisfies its turn, and the position that it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Successor {
    /// The move.
    pub mv: Move,
    /// Role of the piece on the target square: the promoted piece, the king after castling.
    pub placed: Role,
    /// Target square of the piece; in castling, of the king.
    pub to: Square,
    /// True if the move captures.
    pub captures: bool,
    /// Position after the move.
    pub after: Position,
    /// History of the game after the move.
    pub history: GameHistory,
}

/// Moves of one piece that share their tests.
enum MoveGroup {
    /// Neither castling, nor en passant, nor promotion; check is already decided.
    Plain(Role, Square, Bitboard),
    /// Promotions.
    Promotions(Square, Bitboard),
    /// En passant.
    Passing(Square, Square),
    /// Castling of king and rook.
    Castling(Square, Square),
}

/// Squares from which pieces give check.
struct Checks {
    king: Square,
    direct: [Bitboard; 6],
    discovering: Bitboard,
}

impl Checks {
    fn new(position: &Position) -> Self {
        let (us, them) = (position.turn(), !position.turn());
        let (king, occupied) = (position.king(them), position.occupied());
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let pawn = attacks::pawn(them, king);
        let direct = [pawn, attacks::knight(king), bishop, rook, bishop | rook, Bitboard::EMPTY];
        Self { king, direct, discovering: position.shields(them) & position.by_color(us) }
    }

    /// Returns the squares where a piece of this role gives check when it moves there. A piece does
    /// not open a line of its own by moving: it would have given check before.
    #[inline]
    fn by(&self, role: Role, from: Square) -> Bitboard {
        let discovered = if self.discovering.contains(from) {
            !attacks::line(self.king, from)
        } else {
            Bitboard::EMPTY
        };
        self.direct[role.index()] | discovered
    }
}

impl Filter {
    fn groups(&self, position: &Position, history: GameHistory, visit: &mut impl FnMut(MoveGroup)) {
        if position.is_dead() {
            return;
        }
        let us = position.turn();
        let own = position.by_color(us);
        let mut pieces = own & self.from;
        let mut movers = Bitboard::EMPTY;
        for role in Role::ALL {
            let special = match role {
                Role::Pawn => self.promotions != 0,
                Role::King => self.castling != [false; 2],
                _ => false,
            };
            if special || self.admits(role) {
                movers |= position.by_role(role);
            }
        }
        pieces &= movers;
        if self.again != Requirement::Free {
            let last = history.last(us).map_or(Bitboard::EMPTY, Bitboard::of);
            pieces = if self.again == Requirement::Must { pieces & last } else { pieces - last };
        }
        if pieces.is_empty() {
            return;
        }
        let mut onto = Bitboard::EMPTY;
        if self.quiet {
            onto |= !position.occupied();
        }
        if self.capture {
            onto |= position.by_color(!us);
        }
        let behind = position.en_passant();
        if self.passing
            && let Some(behind) = behind
        {
            onto = onto.with(behind);
        }
        onto &= self.onto;
        if self.castling != [false; 2] {
            onto |= position.castling_rooks() & own;
        }
        let checks = (self.check != Requirement::Free).then(|| Checks::new(position));
        position.targets_from(pieces, MoveKinds::All, onto, &mut |targets| {
            let (role, from) = (targets.role, targets.from);
            let promotes = targets.promotes();
            let mut to = targets.to;
            if role == Role::King && (to & own).any() {
                for rook in to & own {
                    let wing = if rook.file() > from.file() {
                        CastlingSide::Short
                    } else {
                        CastlingSide::Long
                    };
                    if self.castling[wing.index()] {
                        visit(MoveGroup::Castling(from, rook));
                    }
                }
                to &= !own;
            }
            to &= self.ways_from(from);
            if let Some(behind) = behind
                && to.contains(behind)
            {
                if role == Role::Pawn {
                    to = to.without(behind);
                    if self.passing && self.admits(Role::Pawn) {
                        visit(MoveGroup::Passing(from, behind));
                    }
                } else if !self.quiet {
                    to = to.without(behind);
                }
            }
            if promotes {
                if self.promotions != 0 && to.any() {
                    visit(MoveGroup::Promotions(from, to));
                }
            } else if self.admits(role) {
                if let Some(checks) = &checks {
                    let checking = checks.by(role, from);
                    to &= if self.check == Requirement::Must { checking } else { !checking };
                }
                if to.any() {
                    visit(MoveGroup::Plain(role, from, to));
                }
            }
        });
    }

    /// Calls back with every move that satisfies the turn. `counts_pieces`: captures and promotions
    /// must be counted, for conditions of this or a later turn. Returns the number of moves made
    /// for the tests.
    #[inline]
    pub(crate) fn each(
        &self,
        position: &Position,
        history: GameHistory,
        counts_pieces: bool,
        visit: &mut impl FnMut(&Successor),
    ) -> u64 {
        let mut made = 0;
        self.groups(position, history, &mut |group| {
            let mut successor = |role: Role, mv: Move, special: bool| {
                if self.letters.is_empty() || self.is_written(position, role, mv) {
                    made += 1;
                    let successor = self.successor(position, history, counts_pieces, role, mv);
                    if self.approves(position, &successor, special) {
                        visit(&successor);
                    }
                }
            };
            match group {
                MoveGroup::Plain(role, from, to) => {
                    to.squares().for_each(|to| successor(role, Move::new(from, to), false));
                }
                MoveGroup::Promotions(from, to) => {
                    for to in to {
                        for role in Role::PROMOTIONS {
                            if self.promotions >> role.index() & 1 != 0 {
                                successor(Role::Pawn, Move::promoting(from, to, role), true);
                            }
                        }
                    }
                }
                MoveGroup::Passing(from, to) => successor(Role::Pawn, Move::new(from, to), true),
                MoveGroup::Castling(king, rook) => {
                    successor(Role::King, Move::new(king, rook), true)
                }
            }
        });
        made
    }

    /// Counts the moves that satisfy a [countable](Filter::is_countable) turn.
    pub(crate) fn count(&self, position: &Position, history: GameHistory) -> u64 {
        let mut count = 0;
        self.groups(position, history, &mut |group| {
            let checks = |role: Role, mv: Move| {
                let fits = self.check == Requirement::Free
                    || self.check.allows(position.after_as(role, mv).in_check());
                u64::from(fits)
            };
            count += match group {
                MoveGroup::Plain(_, _, to) => u64::from(to.len()),
                MoveGroup::Promotions(from, to) => to
                    .squares()
                    .flat_map(|to| Role::PROMOTIONS.map(|role| (to, role)))
                    .filter(|(_, role)| self.promotions >> role.index() & 1 != 0)
                    .map(|(to, role)| checks(Role::Pawn, Move::promoting(from, to, role)))
                    .sum(),
                MoveGroup::Passing(from, to) => checks(Role::Pawn, Move::new(from, to)),
                MoveGroup::Castling(king, rook) => checks(Role::King, Move::new(king, rook)),
            };
        });
        count
    }

    #[inline]
    fn successor(
        &self,
        position: &Position,
        history: GameHistory,
        counts_pieces: bool,
        role: Role,
        mv: Move,
    ) -> Successor {
        let (us, them) = (position.turn(), !position.turn());
        let after = position.after_as(role, mv);
        let castles = role == Role::King && position.is_castle(mv);
        let to = if castles { after.king(us) } else { mv.to() };
        let placed = mv.promotion().unwrap_or(role);
        let victim = if castles { None } else { position.captured(mv) };
        let mut history = history.with_last(us, to);
        if counts_pieces {
            if let Some(victim) = victim {
                history = history.with_capture(them, victim, to);
            }
            if mv.promotion().is_some() {
                history = history.with_promotion(us, placed, to);
            }
        }
        Successor { mv, placed, to, captures: victim.is_some(), after, history }
    }

    /// Applies the tests that need the position after the move.
    #[inline]
    fn approves(&self, before: &Position, successor: &Successor, special: bool) -> bool {
        let after = &successor.after;
        if special && self.check != Requirement::Free && !self.check.allows(after.in_check()) {
            return false;
        }
        if (self.mate != Requirement::Free || self.no_bare_check) && !self.approves_mate(after) {
            return false;
        }
        if self.stalemate != Requirement::Free && !self.stalemate.allows(is_stalemate(after)) {
            return false;
        }
        if self.draw != Requirement::Free
            && !self.draw.allows(after.is_dead() || is_stalemate(after))
        {
            return false;
        }
        self.conditions.iter().all(|set| {
            set.0.iter().any(|list| list.iter().all(|one| holds(one, before, successor)))
        })
    }

    fn approves_mate(&self, after: &Position) -> bool {
        let check = after.in_check();
        let mate = check && !after.has_legal_move();
        self.mate.allows(mate) && !(self.no_bare_check && check && !mate)
    }
}

/// Returns [`Position::is_stalemate`], with a shortcut for the usual case of a pawn or knight that
/// can move.
fn is_stalemate(position: &Position) -> bool {
    if position.in_check() {
        return false;
    }
    let us = position.turn();
    let free = position.by_color(us) & !position.shields(us);
    let pawns = (free & position.by_role(Role::Pawn)).0;
    let ahead = if us.is_white() { pawns << 8 } else { pawns >> 8 };
    (Bitboard(ahead) & !position.occupied()).is_empty() && !position.has_legal_move()
}

/// Returns true if a condition holds after a move.
fn holds(condition: &Condition, before: &Position, successor: &Successor) -> bool {
    let after = &successor.after;
    let demands = |pieces: &[super::condition::ColoredPiece],
                   have: &dyn Fn(super::condition::ColoredPiece) -> u32| {
        let wanted = |piece| pieces.iter().filter(|&&other| other == piece).count() as u32;
        pieces.iter().all(|&piece| have(piece) >= wanted(piece))
    };
    match condition {
        Condition::Takes(kind) => {
            successor.captures && {
                let victim = before.captured(successor.mv).unwrap_or(Role::King);
                kind.fits(victim, successor.to)
            }
        }
        Condition::Taken(pieces) => demands(pieces, &|piece| successor.history.captured(piece)),
        Condition::Promoted(pieces) if pieces.is_empty() => successor.history.any_promotion(),
        Condition::Promoted(pieces) => demands(pieces, &|piece| successor.history.promoted(piece)),
        Condition::Advanced(color, rank) => {
            let region: u64 = match color {
                Color::White => !0 << (rank * 8),
                Color::Black => !0 >> ((7 - rank) * 8),
            };
            (after.pieces(*color, Role::Pawn) & Bitboard(region)).any()
        }
        Condition::Vacant(region) => (after.occupied() & region.squares()).is_empty(),
        Condition::From(region) => region.squares().contains(successor.mv.from()),
        Condition::On(piece, region) => {
            let pieces = after.pieces(piece.color, piece.kind.role());
            (pieces & piece.kind.squares() & region.squares()).any()
        }
    }
}

//! One turn compiled to masks, so that most moves that do not fit are never made.

use super::condition::ConditionSet;
use super::mark::{CastlingSide, Literal, Mark};
use super::parse::Turn;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Position, Role};

/// Requirement of a turn on a possible effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Requirement {
    /// No requirement.
    #[default]
    Free,
    /// The effect must happen.
    Must,
    /// The effect must not happen.
    Never,
}

impl Requirement {
    /// Returns true if the effect, or its absence, is allowed.
    #[inline]
    pub(crate) const fn allows(self, happens: bool) -> bool {
        match self {
            Self::Free => true,
            Self::Must => happens,
            Self::Never => !happens,
        }
    }

    /// Adds a requirement; returns false if both cannot be met.
    fn add(&mut self, wanted: bool) -> bool {
        let wish = if wanted { Self::Must } else { Self::Never };
        let agrees = *self == Self::Free || *self == wish;
        *self = wish;
        agrees
    }
}

/// A test of the notation that masks cannot decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotationTest {
    /// The notation of a piece that leaves this line contains its file or rank.
    Origin { line: Bitboard, is_file: bool, negated: bool },
    /// The notation has this many characters.
    Length { length: u8, negated: bool },
}

/// Constraints of one turn on the move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filter {
    /// Roles (bit by index) that may move without promotion or castling.
    pub plain: u8,
    /// Roles (bit by index) to which a pawn may be promoted.
    pub promotions: u8,
    /// True if short and long castling fit.
    pub castling: [bool; 2],
    /// True if moves to empty squares fit (except en passant).
    pub quiet: bool,
    /// True if captures fit (except en passant).
    pub capture: bool,
    /// True if en passant fits.
    pub passing: bool,
    /// Squares where a move may end (except castling).
    pub onto: Bitboard,
    /// Squares where a move may begin.
    pub from: Bitboard,
    /// Squares where a move may end (except castling), by origin.
    pub ways: Option<Box<[Bitboard; 64]>>,
    /// Check, mate included.
    pub check: Requirement,
    /// Mate.
    pub mate: Requirement,
    /// Stalemate.
    pub stalemate: Requirement,
    /// Stalemate or dead position.
    pub draw: Requirement,
    /// Move of the piece that this player moved last.
    pub again: Requirement,
    /// True if a check that is not mate is forbidden.
    pub no_bare_check: bool,
    pub(super) letters: Vec<NotationTest>,
    /// Conditions to test after the move.
    pub conditions: Vec<ConditionSet>,
}

impl Filter {
    /// Returns the filter that every move fits.
    const fn open() -> Self {
        Self {
            plain: 0b11_1111,
            promotions: 0b01_1110,
            castling: [true; 2],
            quiet: true,
            capture: true,
            passing: true,
            onto: Bitboard::FULL,
            from: Bitboard::FULL,
            ways: None,
            check: Requirement::Free,
            mate: Requirement::Free,
            stalemate: Requirement::Free,
            draw: Requirement::Free,
            again: Requirement::Free,
            no_bare_check: false,
            letters: Vec::new(),
            conditions: Vec::new(),
        }
    }

    /// Compiles a turn of this player of a game from this position. The start matters only for
    /// castling, which begins on the king's start square.
    pub(crate) fn new(turn: &Turn, start: &Position, color: Color) -> Self {
        let mut filter = Self::open();
        filter.conditions.clone_from(&turn.conditions);
        let king = start.king(color);
        for literal in &turn.literals {
            if !filter.narrow(*literal) {
                filter.close();
            }
            for wing in CastlingSide::ALL {
                let fits = castling_fits(literal.mark, wing, king) != Some(literal.negated);
                filter.castling[wing.index()] &= fits;
            }
        }
        // A wing whose rook has no right at the start never castles.
        for wing in CastlingSide::ALL {
            let rook = start.castling_rook(color, wing == CastlingSide::Short);
            filter.castling[wing.index()] &= rook.is_some();
        }
        if filter.mate == Requirement::Must && !filter.check.add(true) {
            filter.close();
        }
        if !filter.has_way() {
            // Only castling is left, and only where it fits independently.
            (filter.plain, filter.promotions) = (0, 0);
        }
        filter
    }

    /// Returns true if a move between some two squares is possible.
    fn has_way(&self) -> bool {
        let kind = self.quiet || self.capture || self.passing;
        let can_lead = |from: Square| {
            let turn_moves = self.ways.as_ref().map_or(Bitboard::FULL, |ways| ways[from.index()]);
            (turn_moves & self.onto).any()
        };
        kind && self.from.squares().any(can_lead)
    }

    /// Closes the filter, so that nothing fits.
    pub(crate) fn close(&mut self) {
        (self.plain, self.promotions, self.castling) = (0, 0, [false; 2]);
    }

    /// Returns true if no move can fit.
    pub(crate) fn is_closed(&self) -> bool {
        self.plain == 0 && self.promotions == 0 && self.castling == [false; 2]
    }

    /// Returns true if only castling fits.
    pub(crate) fn is_castling(&self) -> bool {
        self.plain == 0 && self.promotions == 0 && self.castling != [false; 2]
    }

    /// Returns true if only an en passant capture fits.
    pub(crate) fn is_passing(&self) -> bool {
        !self.quiet && !self.capture && self.passing && self.castling == [false; 2]
    }

    /// Returns true if only captures fit.
    pub(crate) fn is_capture(&self) -> bool {
        !self.quiet && self.castling == [false; 2]
    }

    /// Returns true if a piece of this role may make a move without promotion.
    #[inline]
    pub(crate) const fn admits(&self, role: Role) -> bool {
        self.plain >> role.index() & 1 != 0
    }

    /// Returns true if en passant may fit.
    pub(crate) const fn admits_passing(&self) -> bool {
        self.passing && self.admits(Role::Pawn)
    }

    /// Returns the squares where moves from a square may end.
    #[inline]
    pub(crate) fn ways_from(&self, from: Square) -> Bitboard {
        self.ways.as_ref().map_or(Bitboard::FULL, |ways| ways[from.index()])
    }

    /// Narrows the moves from each square to these targets.
    pub(crate) fn narrow_ways(&mut self, allowed: impl Fn(Square) -> Bitboard) {
        let ways = self.ways.get_or_insert_with(|| Box::new([Bitboard::FULL; 64]));
        for from in Square::all() {
            ways[from.index()] &= allowed(from);
        }
    }

    /// Requires that the move gives no check; closes the filter if it must give one.
    pub(crate) fn forbid_check(&mut self) {
        if !self.check.add(false) {
            self.close();
        }
    }

    /// Adds one mark to the constraints on moves other than castling; returns false if nothing fits
    /// any more.
    fn narrow(&mut self, Literal { mark, negated }: Literal) -> bool {
        let wanted = !negated;
        let flip = |set: Bitboard| if negated { !set } else { set };
        let roles = |set: u8| if negated { !set } else { set };
        match mark {
            Mark::Any => return wanted,
            Mark::File(file) => self.onto &= flip(Bitboard::file(file)),
            Mark::Rank(rank) => self.onto &= flip(Bitboard::rank(rank)),
            Mark::FileLetter(file) => self.origin_letter(Bitboard::file(file), true, negated),
            Mark::RankDigit(rank) => self.origin_letter(Bitboard::rank(rank), false, negated),
            Mark::Piece(role) => {
                self.plain &= roles(1 << role.index());
                if (role == Role::Pawn) == negated {
                    self.promotions = 0;
                }
            }
            Mark::PieceLetter(role) => {
                self.plain &= roles(1 << role.index());
                self.promotions &= roles(1 << role.index());
            }
            Mark::Promotion(role) => {
                let named = role.map_or(0b1_1110, |role| 1 << role.index());
                self.promotions &= roles(named);
                if wanted {
                    self.plain = 0;
                }
            }
            Mark::Capture => self.captures_only(wanted),
            Mark::Quiet => self.captures_only(negated),
            Mark::EnPassant if wanted => (self.quiet, self.capture) = (false, false),
            Mark::EnPassant => self.passing = false,
            Mark::Castling(_) if wanted => (self.plain, self.promotions) = (0, 0),
            Mark::Castling(_) => {}
            Mark::Check => return self.check.add(wanted),
            Mark::BareCheck if wanted => return self.check.add(true) & self.mate.add(false),
            Mark::BareCheck => self.no_bare_check = true,
            Mark::Mate => return self.mate.add(wanted),
            Mark::Stalemate => return self.stalemate.add(wanted),
            Mark::Draw => return self.draw.add(wanted),
            Mark::Again => return self.again.add(wanted),
            Mark::Along(line) => self.narrow_steps(|dx, dy| line.holds(dx, dy) == wanted),
            Mark::Toward(edge) => self.narrow_steps(|dx, dy| edge.holds(dx, dy) == wanted),
            Mark::Length(length) => self.letters.push(NotationTest::Length { length, negated }),
        }
        true
    }

    fn captures_only(&mut self, captures: bool) {
        if captures {
            self.quiet = false;
        } else {
            (self.capture, self.passing) = (false, false);
        }
    }

    fn narrow_steps(&mut self, fits: impl Fn(i32, i32) -> bool) {
        self.narrow_ways(|from| {
            let step = |to: Square| {
                let file = i32::from(to.file()) - i32::from(from.file());
                let rank = i32::from(to.rank()) - i32::from(from.rank());
                fits(file, rank)
            };
            Square::all().filter(|&to| step(to)).collect()
        });
    }

    /// Adds a file or rank that the notation must (not) contain: as the target, or as the origin if
    /// it is written, which depends on the position.
    fn origin_letter(&mut self, line: Bitboard, is_file: bool, negated: bool) {
        if negated {
            self.onto &= !line;
        } else {
            self.narrow_ways(|from| if line.contains(from) { Bitboard::FULL } else { line });
        }
        self.letters.push(NotationTest::Origin { line, is_file, negated });
    }

    /// Returns true if moves can be counted without being made.
    pub(crate) fn is_countable(&self) -> bool {
        self.letters.is_empty()
            && self.conditions.is_empty()
            && [self.mate, self.stalemate, self.draw] == [Requirement::Free; 3]
            && !self.no_bare_check
    }
}

/// Returns whether castling satisfies a mark; `None` if the mark is about the effect of the move.
fn castling_fits(mark: Mark, wing: CastlingSide, king: Square) -> Option<bool> {
    let to = Square::at(if wing == CastlingSide::Short { 6 } else { 2 }, king.rank());
    let dx = i32::from(to.file()) - i32::from(king.file());
    Some(match mark {
        Mark::Any | Mark::Quiet => true,
        Mark::File(file) => to.file() == file,
        Mark::Rank(rank) => to.rank() == rank,
        Mark::Piece(role) => role == Role::King,
        Mark::Castling(named) => named.is_none_or(|named| named == wing),
        Mark::FileLetter(_) | Mark::RankDigit(_) | Mark::PieceLetter(_) => false,
        Mark::Promotion(_) | Mark::Capture | Mark::EnPassant => false,
        Mark::Along(line) => line.holds(dx, 0),
        Mark::Toward(edge) => edge.holds(dx, 0),
        Mark::Check
        | Mark::BareCheck
        | Mark::Mate
        | Mark::Stalemate
        | Mark::Draw
        | Mark::Again
        | Mark::Length(_) => return None,
    })
}

/// Returns true if kings and castling rooks stand as in the initial position.
pub(super) fn is_orthodox(start: &Position) -> bool {
    let corners = Bitboard::file(0) | Bitboard::file(7);
    Color::ALL.into_iter().all(|color| {
        let rooks = start.castling_rooks() & start.by_color(color);
        rooks.is_empty() || rooks.is_subset(corners) && start.king(color).file() == 4
    })
}

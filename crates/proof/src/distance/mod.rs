//! Distances: how many moves a man needs from square to square while some squares never become
//! free.
//!
//! For enumeration everything follows from the set of *still* men (see [`crate::distance::still`]):
//! they stand on their home squares from the first ply to the last, so they block every other man,
//! their contact attacks forbid squares to the enemy king, and no enemy may stop in contact with a
//! still king that it would check. Distances ignore all other men, so they never exceed what a real
//! game needs.
//!
//! For analysis and search, [`map`] measures single legs among the obstacles of one strategy.

pub(crate) mod bars;
pub mod cache;
pub mod map;
pub mod move_kind;
pub mod steps;
pub mod still;
pub(crate) mod walls;

pub use crate::distance::bars::Bars;
use crate::problem::man::Man;
use crate::rules::{Rule, Rules};
use std::collections::HashMap;
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// No way leads there. Small enough that a handful of distances add up without overflow in 16 bits.
pub const NEVER: u8 = 255;

/// Radii that [`OfficerTable::within`] tells apart; from the last one on it gives all squares that
/// can be reached.
const RADII: usize = 16;

/// The five roles that move by [`OfficerTable`]; pawns use [`PawnTable`].
pub const OFFICERS: [Role; 5] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Distances of one role. They are symmetric, because officers' moves are, and because squares on
/// which a way may end but not continue are only excluded in between.
#[derive(Debug)]
pub struct OfficerTable {
    role: Role,
    blocked: Bitboard,
    forbidden: Bitboard,
    /// Single steps by the square they begin on.
    steps: [Bitboard; 64],
    /// Number of the table in its cache.
    id: usize,
    far: [[u8; 64]; 64],
    near: [[Bitboard; RADII]; 64],
    round: [u8; 64],
}

impl OfficerTable {
    /// Distances where `blocked` squares are never entered, and where no way stops on a `forbidden`
    /// square unless it begins or ends there.
    fn new(role: Role, blocked: Bitboard, forbidden: Bitboard, bars: Bars, id: usize) -> Self {
        let steps: [Bitboard; 64] = std::array::from_fn(|number| {
            let from = Square::new(number as u8);
            attacks::of(role, Color::White, from, blocked) - blocked - bars.behind(from)
        });
        let mut table = Self {
            role,
            blocked,
            forbidden,
            steps,
            id,
            far: [[NEVER; 64]; 64],
            near: [[Bitboard::EMPTY; RADII]; 64],
            round: [NEVER; 64],
        };
        for from in Square::all() {
            let (far, near) = (&mut table.far[from.index()], &mut table.near[from.index()]);
            let mut seen = Bitboard::of(from);
            let mut edge = seen;
            let mut radius = 0;
            while edge.any() {
                for square in edge.squares() {
                    far[square.index()] = radius as u8;
                }
                for wider in &mut near[radius.min(RADII - 1)..] {
                    *wider |= edge;
                }
                let expand = if radius == 0 { edge } else { edge - forbidden };
                edge = expand
                    .squares()
                    .fold(Bitboard::EMPTY, |all, square| all | steps[square.index()])
                    - seen;
                seen |= edge;
                radius += 1;
            }
        }
        for from in Square::all() {
            if blocked.contains(from) {
                continue;
            }
            let back = (steps[from.index()] - forbidden)
                .squares()
                .map(|near| table.far[near.index()][from.index()].saturating_add(1));
            table.round[from.index()] = back.min().unwrap_or(NEVER);
        }
        table
    }

    /// The least number of moves, or [`NEVER`]. Zero from a square to itself.
    #[inline]
    pub fn moves(&self, from: Square, to: Square) -> u8 {
        self.far[from.index()][to.index()]
    }

    /// The squares at most `moves` moves away (the square itself is 0 away).
    #[inline]
    pub fn within(&self, from: Square, moves: usize) -> Bitboard {
        self.near[from.index()][moves.min(RADII - 1)]
    }

    /// Number of the table in its cache, from 0 on.
    #[inline]
    pub fn id(&self) -> usize {
        self.id
    }

    /// The squares that every way of at most `moves(from, to) + slack` moves enters or passes over,
    /// the end included and the beginning not. Empty when there is no way.
    pub fn crossings(&self, from: Square, to: Square, slack: u8) -> Bitboard {
        let least = self.moves(from, to);
        if least == NEVER || from == to {
            return Bitboard::EMPTY;
        }
        // A square that every way crosses lies on any shortest one.
        let mut candidates = Bitboard::EMPTY;
        let mut at = from;
        for left in (0..least).rev() {
            let steps = self.steps[at.index()];
            let near = |square: &Square| self.moves(*square, to) == left;
            let open = |square: &Square| *square == to || !self.forbidden.contains(*square);
            let Some(next) = steps.squares().filter(near).find(open) else { break };
            candidates |= attacks::between(at, next).with(next);
            at = next;
        }
        let limit = u32::from(least) + u32::from(slack);
        candidates
            .squares()
            .filter(|&square| square == to || !self.reaches(from, to, limit, square))
            .collect()
    }

    /// Whether at most `moves` moves lead from a square to another while one more square is
    /// blocked.
    fn reaches(&self, from: Square, to: Square, moves: u32, closed: Square) -> bool {
        let blocked = self.blocked.with(closed);
        let mut seen = Bitboard::of(from);
        let mut edge = seen;
        for _ in 0..moves {
            let mut next = Bitboard::EMPTY;
            for square in edge.squares() {
                let free = attacks::of(self.role, Color::White, square, blocked);
                next |= free & self.steps[square.index()];
            }
            if (next - blocked).contains(to) {
                return true;
            }
            edge = next - blocked - seen - self.forbidden;
            seen |= edge;
            if edge.is_empty() {
                return false;
            }
        }
        false
    }

    /// The least number of moves that leave a square and end there again, or [`NEVER`].
    #[inline]
    pub fn round_trip(&self, from: Square) -> u8 {
        self.round[from.index()]
    }
}

/// A pawn's way from one square to another: the least number of captures, and the least number of
/// moves. Each is a lower bound of its own; one way need not attain both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PawnWay {
    /// Captures on the way, the last move included; [`NEVER`] when there is no way.
    pub captures: u8,
    /// Moves; a double step from home counts once.
    pub moves: u8,
}

impl PawnWay {
    const NONE: Self = Self { captures: NEVER, moves: NEVER };

    /// Whether there is a way at all.
    #[inline]
    pub const fn exists(self) -> bool {
        self.captures != NEVER
    }
}

/// Pawn ways of one color. They go around blocked squares only by capturing.
#[derive(Debug)]
pub struct PawnTable {
    /// Ways that end by any move.
    any: Box<[[PawnWay; 64]; 64]>,
    /// Ways that end by a capture.
    capture: Box<[[PawnWay; 64]; 64]>,
}

impl PawnTable {
    fn new(color: Color, blocked: Bitboard, forbidden: Bitboard) -> Self {
        let mut any = Box::new([[PawnWay::NONE; 64]; 64]);
        let mut capture = Box::new([[PawnWay::NONE; 64]; 64]);
        let forward = if color.is_white() { 1 } else { -1 };
        let home = if color.is_white() { 1 } else { 6 };
        for from in Square::all() {
            let direct = least_captures(color, from, blocked, forbidden);
            let double = (from.rank() == home)
                .then(|| from.offset(0, forward).zip(from.offset(0, 2 * forward)))
                .flatten()
                .filter(|&(one, two)| !blocked.contains(one) && !blocked.contains(two))
                .map(|(_, two)| least_captures_after(color, two, blocked, forbidden));
            for to in Square::all() {
                let gain = if color.is_white() {
                    to.rank().wrapping_sub(from.rank())
                } else {
                    from.rank().wrapping_sub(to.rank())
                };
                for (last, ways) in [&mut any, &mut capture].into_iter().enumerate() {
                    let captures = direct[last][to.index()];
                    if captures != NEVER {
                        let saves = double.is_some_and(|double| double[last][to.index()] != NEVER);
                        ways[from.index()][to.index()] =
                            PawnWay { captures, moves: gain - u8::from(saves) };
                    }
                }
            }
        }
        Self { any, capture }
    }

    /// The way that ends by any move; no move and no capture from a square to itself.
    #[inline]
    pub fn way(&self, from: Square, to: Square) -> PawnWay {
        self.any[from.index()][to.index()]
    }

    /// The way that ends by a capture, which is counted.
    #[inline]
    pub fn way_by_capture(&self, from: Square, to: Square) -> PawnWay {
        self.capture[from.index()][to.index()]
    }
}

/// Least captures from a square to each other one, ending by any move and ending by a capture. Only
/// single steps are considered: a double step passes over a free square, so it needs no fewer
/// captures, except that it does not stop on a forbidden one; [`PawnTable::new`] adds that.
fn least_captures(
    color: Color,
    from: Square,
    blocked: Bitboard,
    forbidden: Bitboard,
) -> [[u8; 64]; 2] {
    let mut least = least_captures_after(color, from, blocked, forbidden);
    let (home, forward) = if color.is_white() { (1, 1) } else { (6, -1) };
    if from.rank() == home
        && let (Some(one), Some(two)) = (from.offset(0, forward), from.offset(0, 2 * forward))
        && !blocked.contains(one)
        && !blocked.contains(two)
        && forbidden.contains(one)
    {
        let skipping = least_captures_after(color, two, blocked, forbidden);
        let onward = !forbidden.contains(two);
        for (ways, skipping) in least.iter_mut().zip(skipping) {
            for (number, (way, other)) in ways.iter_mut().zip(skipping).enumerate() {
                if onward || number == two.index() {
                    *way = (*way).min(other);
                }
            }
        }
    }
    least
}

/// The same from a square that may be left although it is forbidden.
fn least_captures_after(
    color: Color,
    from: Square,
    blocked: Bitboard,
    forbidden: Bitboard,
) -> [[u8; 64]; 2] {
    let forward = if color.is_white() { 1 } else { -1 };
    let mut any = [NEVER; 64];
    let mut capture = [NEVER; 64];
    any[from.index()] = 0;
    let mut rank = i32::from(from.rank());
    while (0..8).contains(&(rank + forward)) {
        for file in 0..8 {
            let square = Square::at(file, rank as u8);
            let captures = any[square.index()];
            if captures == NEVER || (square != from && forbidden.contains(square)) {
                continue;
            }
            for side in [-1, 0, 1] {
                let Some(next) = square.offset(side, forward).filter(|&n| !blocked.contains(n))
                else {
                    continue;
                };
                let with = captures + u8::from(side != 0);
                any[next.index()] = any[next.index()].min(with);
                if side != 0 {
                    capture[next.index()] = capture[next.index()].min(with);
                }
            }
        }
        rank += forward;
    }
    [any, capture]
}

/// All distances that follow from one set of still men.
#[derive(Debug)]
pub struct Distances {
    /// Home squares of the still men.
    pub still: Bitboard,
    /// Pawns that stay on their files.
    pub bars: Bars,
    /// Squares that the king of a color can never enter, because a still man attacks them in contact.
    pub guarded: [Bitboard; 2],
    /// By color and role: squares from which such a man would check the still enemy king in
    /// contact. The check could only be answered by taking the man, so it stops there only to be
    /// taken or as the last ply.
    pub forbidden: [[Bitboard; 6]; 2],
    officers: [[Arc<OfficerTable>; 5]; 2],
    pawns: [Arc<PawnTable>; 2],
}

impl Distances {
    /// The table of a color's officers. A pawn gets the queen's, which is never longer than that of
    /// its promotion.
    #[inline]
    pub fn table(&self, color: Color, role: Role) -> &OfficerTable {
        let kind = match role {
            Role::King => 0,
            Role::Queen | Role::Pawn => 1,
            Role::Rook => 2,
            Role::Bishop => 3,
            Role::Knight => 4,
        };
        &self.officers[color.index()][kind]
    }

    /// The pawn ways of a color.
    #[inline]
    pub fn pawns(&self, color: Color) -> &PawnTable {
        &self.pawns[color.index()]
    }

    /// Squares from which this man would check the still enemy king in contact.
    #[inline]
    pub fn forbidden(&self, color: Color, role: Role) -> Bitboard {
        self.forbidden[color.index()][role.index()]
    }
}

type TableKey = (Role, Bitboard, Bitboard, Bars);
type PawnKey = (Color, Bitboard, Bitboard);

/// Distances by still men, computed once each. A problem has a few dozen to a few hundred such
/// sets.
#[derive(Debug)]
pub struct TableCache {
    rules: Rules,
    all: HashMap<(u64, Bars), Arc<Distances>>,
    officers: HashMap<TableKey, Arc<OfficerTable>>,
    pawns: HashMap<PawnKey, Arc<PawnTable>>,
}

impl TableCache {
    /// An empty cache. The rules decide whether guarded ([`Rule::GuardedSquares`]) and forbidden
    /// ([`Rule::UnanswerableChecks`]) squares are respected.
    pub fn new(rules: Rules) -> Self {
        Self { rules, all: HashMap::new(), officers: HashMap::new(), pawns: HashMap::new() }
    }

    /// The number of sets of still men computed so far.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether nothing has been computed.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The distances for these still men, given by their home squares, and these bars.
    pub fn of(&mut self, still: Bitboard, bars: Bars) -> Arc<Distances> {
        if let Some(known) = self.all.get(&(still.0, bars)) {
            return Arc::clone(known);
        }
        let new = Arc::new(self.compute(still, bars));
        self.all.insert((still.0, bars), Arc::clone(&new));
        new
    }

    fn compute(&mut self, still: Bitboard, bars: Bars) -> Distances {
        let guarded = Color::ALL.map(|color| {
            if self.rules.has(Rule::GuardedSquares) {
                contacts(still, !color)
            } else {
                Bitboard::EMPTY
            }
        });
        let forbidden = Color::ALL.map(|color| {
            let king = Man::king(!color).origin();
            let checked = self.rules.has(Rule::UnanswerableChecks) && still.contains(king);
            Role::ALL.map(|role| {
                if checked && role != Role::King {
                    // A pawn attacks from where an enemy pawn on the king's square would attack it.
                    let contact = attacks::of(role, !color, king, attacks::king(king));
                    contact - still
                } else {
                    Bitboard::EMPTY
                }
            })
        });
        let officers = Color::ALL.map(|color| {
            OFFICERS.map(|role| {
                let forbidden = forbidden[color.index()][role.index()];
                let closed =
                    if role == Role::King { guarded[color.index()] } else { Bitboard::EMPTY };
                let straight = matches!(role, Role::Rook | Role::Queen);
                let bars = if straight { bars } else { Bars::default() };
                let key = (role, still | closed, forbidden, bars);
                let id = self.officers.len();
                let new = || Arc::new(OfficerTable::new(key.0, key.1, key.2, key.3, id));
                Arc::clone(self.officers.entry(key).or_insert_with(new))
            })
        });
        let pawns = Color::ALL.map(|color| {
            let key = (color, still, forbidden[color.index()][Role::Pawn.index()]);
            let new = || Arc::new(PawnTable::new(key.0, key.1, key.2));
            Arc::clone(self.pawns.entry(key).or_insert_with(new))
        });
        Distances { still, bars, guarded, forbidden, officers, pawns }
    }
}

/// Squares that still men of a color attack with no square in between.
pub(crate) fn contacts(still: Bitboard, color: Color) -> Bitboard {
    still
        .squares()
        .filter_map(Man::starting_on)
        .filter(|man| man.color() == color)
        .map(|man| {
            let home = man.origin();
            attacks::of(man.role(), color, home, attacks::king(home))
        })
        .fold(Bitboard::EMPTY, |all, attacked| all | attacked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(text: &str) -> Bitboard {
        text.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    fn sq(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn officers_go_round_still_men() {
        let mut tables = TableCache::new(Rules::default());
        let empty = tables.of(Bitboard::EMPTY, Bars::default());
        let rook = empty.table(Color::White, Role::Rook);
        assert_eq!((rook.moves(sq("a1"), sq("a8")), rook.round_trip(sq("a1"))), (1, 2));
        let pawns = tables.of(squares("a2 b2"), Bars::default());
        let rook = pawns.table(Color::White, Role::Rook);
        assert_eq!(rook.moves(sq("a1"), sq("a8")), 3);
        let shut = tables.of(squares("b2 d2"), Bars::default());
        let bishop = shut.table(Color::White, Role::Bishop);
        assert_eq!(bishop.moves(sq("c1"), sq("e3")), NEVER);
        assert_eq!(bishop.round_trip(sq("c1")), NEVER);
        assert_eq!(bishop.within(sq("c1"), 9), squares("c1"));
    }

    #[test]
    fn tables_agree_with_their_radii_and_are_symmetric() {
        let mut tables = TableCache::new(Rules::default());
        let some = tables.of(squares("a2 c2 d2 h2 e8 d7 f7 a7 g8"), Bars::default());
        for color in Color::ALL {
            for role in OFFICERS {
                let table = some.table(color, role);
                for (a, b) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
                    let moves = table.moves(a, b);
                    let open =
                        |s| !some.still.contains(s) && !some.guarded[color.index()].contains(s);
                    assert!(
                        moves == table.moves(b, a) || role == Role::King || !(open(a) && open(b)),
                        "{role:?} {a} {b}"
                    );
                    for radius in 0..RADII {
                        assert_eq!(
                            table.within(a, radius).contains(b),
                            usize::from(moves) <= radius || (moves != NEVER && radius == RADII - 1)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn crossings_are_on_every_way() {
        let mut tables = TableCache::new(Rules::default());
        let table = |still: &str, role| {
            let mut tables = TableCache::new(Rules::default());
            let distances = tables.of(squares(still), Bars::default());
            Arc::clone(&distances.officers[0][OFFICERS.iter().position(|&r| r == role).unwrap()])
        };
        let rook = table("a2 b2", Role::Rook);
        assert_eq!(rook.crossings(sq("a1"), sq("c4"), 0), squares("b1 c1 c2 c3 c4"));
        assert_eq!(rook.crossings(sq("a1"), sq("c4"), 1), squares("b1 c1 c4"));
        let bishop = table("b2", Role::Bishop);
        assert_eq!(bishop.crossings(sq("c1"), sq("h6"), 1), squares("d2 e3 f4 g5 h6"));
        let free = tables.of(Bitboard::EMPTY, Bars::default());
        let knight = free.table(Color::Black, Role::Knight);
        assert_eq!(knight.crossings(sq("b8"), sq("c6"), 0), squares("c6"));
        assert_eq!(knight.crossings(sq("b8"), sq("e5"), 0), squares("e5"));
        assert_eq!(knight.crossings(sq("a1"), sq("a1"), 0), Bitboard::EMPTY);
    }

    #[test]
    fn a_still_king_keeps_checkers_and_the_other_king_away() {
        let mut tables = TableCache::new(Rules::default());
        let still = tables.of(squares("e8 f8 d7 f7"), Bars::default());
        assert_eq!(still.forbidden(Color::White, Role::Knight), squares("c7 d6 f6 g7"));
        assert_eq!(still.forbidden(Color::White, Role::Rook), squares("e7 d8"));
        assert_eq!(still.forbidden(Color::White, Role::Pawn), Bitboard::EMPTY);
        // Through f6 and d6 a knight would check, so b5-d6-c8 is out.
        let knight = still.table(Color::White, Role::Knight);
        assert_eq!(knight.moves(sq("b5"), sq("c8")), 2);
        assert_eq!(knight.moves(sq("e4"), sq("g8")), 4);
        assert!(still.guarded[0].contains(sq("d8")) && still.guarded[0].contains(sq("e6")));
        let free = TableCache::new("-S4 -A16".parse().unwrap())
            .of(squares("e8 f8 d7 f7"), Bars::default());
        assert_eq!(free.table(Color::White, Role::Knight).moves(sq("e4"), sq("g8")), 2);
        assert_eq!(free.guarded, [Bitboard::EMPTY; 2]);
    }

    #[test]
    fn pawns_bend_by_capturing() {
        let mut tables = TableCache::new(Rules::default());
        let empty = tables.of(Bitboard::EMPTY, Bars::default());
        let way = |captures, moves| PawnWay { captures, moves };
        let white = empty.pawns(Color::White);
        assert_eq!(white.way(sq("e2"), sq("e4")), way(0, 1));
        assert_eq!(white.way(sq("e2"), sq("f4")), way(1, 2));
        assert_eq!(white.way(sq("e2"), sq("f5")), way(1, 2));
        assert_eq!(white.way(sq("e3"), sq("e5")), way(0, 2));
        assert_eq!(white.way_by_capture(sq("e2"), sq("e4")), way(2, 2));
        assert_eq!(white.way_by_capture(sq("e2"), sq("e5")), way(2, 3));
        assert_eq!(white.way_by_capture(sq("e2"), sq("e6")), way(2, 3));
        assert_eq!(white.way(sq("e2"), sq("e2")), way(0, 0));
        assert!(!white.way(sq("e4"), sq("e3")).exists());
        assert!(!white.way(sq("e2"), sq("h4")).exists());
        let black = empty.pawns(Color::Black);
        assert_eq!(black.way(sq("d7"), sq("d1")), way(0, 5));
        let blocked = tables.of(squares("d2"), Bars::default());
        assert_eq!(blocked.pawns(Color::Black).way(sq("d7"), sq("d1")), way(2, 5));
    }
}

//! Lookahead: demands of later marks on earlier moves.
//!
//! Nothing here may change the set of solutions. Each rule therefore states why it is admissible,
//! and the tests solve random strings with and without it. The rules never use denied marks as
//! promises (a denied promotion is not a promotion), but only effects that filters require:
//!
//! - *Literals* (`apply_forced_moves`): castling and en passant restrict the moves before them.
//! - *Reach*: for each later turn, the squares from which a piece of each kind could still make
//!   that move, if nothing blocked it and it moved at every turn of its owner that admits it. A
//!   position in which no piece of the player stands on such a square is dead. Blockers, checks and
//!   the sharing of turns are ignored. These only make moves impossible, so the squares are a
//!   superset of the true ones.
//! - *Captures*: each demanded capture takes another piece of the opponent, never the king.
//! - *Clearance*: pieces between king and rook need turns to leave.
//! - *Chains*: a turn marked "again" is made by the piece of the player's previous turn, which must
//!   have landed where it can make the move.

mod turn_moves;

use super::filter::{Filter, Requirement, is_orthodox};
use super::mark::CastlingSide;
use super::remark::Remark;
use super::successors::Successor;
use turn_moves::TurnMoves;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Position, Role, attacks};

/// Squares per role.
pub(super) type RoleSquares = [Bitboard; 6];

/// Pieces of which one must stand on the right squares for a later turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReachDemand {
    pub(super) reach: RoleSquares,
    /// Later turn that demands it.
    pub(super) turn: usize,
}

/// Own pieces that block castling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CastlingClearance {
    /// For each wing that fits, the squares that must become empty; an empty set for a closed wing.
    pub(super) paths: [Bitboard; 2],
    /// Maximum number of these squares still occupied by own pieces.
    pub(super) own_max: u32,
    /// Squares that must be free of any piece after the player's last move before castling.
    pub(super) free: [Bitboard; 2],
    pub(super) color: Color,
    /// Turn that castles.
    pub(super) turn: usize,
}

/// Demands of later turns on a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lookahead {
    pub(super) demands: [Vec<ReachDemand>; 2],
    /// Sets of rooks, of which at least one must still have its right to castle.
    rooks: Vec<Bitboard>,
    pub(super) clearances: Vec<CastlingClearance>,
    /// Number of captures that each player must still make.
    pub(super) captures: [u32; 2],
    /// Squares where the piece that just moved must stand, by role.
    pub(super) landing: Option<RoleSquares>,
    /// True if the move must have been a double step that can be taken en passant.
    passing: bool,
}

impl Lookahead {
    /// Returns true unless this step makes some later turn impossible.
    #[inline]
    pub(crate) fn admits(&self, successor: &Successor, mover: Color) -> bool {
        let after = &successor.after;
        if let Some(landing) = &self.landing
            && !landing[successor.placed.index()].contains(successor.to)
        {
            return false;
        }
        if self.passing && after.en_passant().is_none() {
            return false;
        }
        // The opponent's pieces have not moved; without a capture the opponent's demands hold as
        // before.
        self.meets(after, mover)
            && (!successor.captures || self.meets(after, !mover))
            && self.rooks.iter().all(|&rooks| (after.castling_rooks() & rooks).any())
            && self.clearances.iter().all(|clearance| clearance.allows(after))
    }

    /// Returns true if a player has a piece for each of that player's later turns, and pieces to
    /// capture.
    #[inline]
    fn meets(&self, after: &Position, color: Color) -> bool {
        let has = |demand: &ReachDemand| {
            Role::ALL
                .into_iter()
                .any(|role| (after.pieces(color, role) & demand.reach[role.index()]).any())
        };
        self.demands[color.index()].iter().all(has)
            && after.by_color(!color).len() > self.captures[color.index()]
    }
}

impl CastlingClearance {
    fn allows(&self, position: &Position) -> bool {
        let own = position.by_color(self.color);
        CastlingSide::ALL.into_iter().any(|wing| {
            let (path, free) = (self.paths[wing.index()], self.free[wing.index()]);
            path.any()
                && (path & own).len() <= self.own_max
                && (free & position.occupied()).is_empty()
        })
    }
}

fn player(start: &Position, turn: usize) -> Color {
    if turn.is_multiple_of(2) { start.turn() } else { !start.turn() }
}

fn rook_of(start: &Position, color: Color, wing: CastlingSide) -> Option<Square> {
    start.castling_rook(color, wing == CastlingSide::Short)
}

/// Adds the demands of castling and en passant to earlier filters. `horizon(k)` is the first turn
/// that turn `k` must not depend on.
pub(super) fn apply_forced_moves(
    filters: &mut [Filter],
    start: &Position,
    horizon: &dyn Fn(usize) -> usize,
    remarks: &mut Vec<Remark>,
) {
    for turn in 0..filters.len() {
        let knows = |earlier: usize| turn < horizon(earlier);
        if filters[turn].is_castling() {
            let fits = filters[turn].castling;
            let color = player(start, turn);
            let only = only_rook(start, color, fits);
            for earlier in (0..turn).filter(|&earlier| knows(earlier)) {
                let own = player(start, earlier) == color;
                let filter = &mut filters[earlier];
                if own {
                    // Moving the king, including by castling, or the only rook would lose the
                    // right.
                    filter.plain &= !(1 << Role::King.index());
                    filter.castling = [false; 2];
                    filter.from &= !only;
                } else {
                    // A captured rook does not castle.
                    filter.onto &= !only;
                }
            }
            if turn > 0 {
                let what = match only.first() {
                    Some(rook) => format!("the {color} king and the rook on {rook} stay"),
                    None => format!("the {color} king and one of its rooks stay"),
                };
                remarks.push(Remark { turn: 0, because: turn, what });
            }
            if turn > 0 && knows(turn - 1) {
                // Castling out of check is illegal.
                filters[turn - 1].forbid_check();
                let what = "gives no check".to_owned();
                remarks.push(Remark { turn: turn - 1, because: turn, what });
            }
        }
        if turn > 0 && knows(turn - 1) && filters[turn].is_passing() {
            // A pawn taken en passant has just made its double step.
            let files = files_of(filters[turn].onto);
            let color = player(start, turn - 1);
            let (from, to) = if color.is_white() { (1, 3) } else { (6, 4) };
            let filter = &mut filters[turn - 1];
            filter.plain &= 1 << Role::Pawn.index();
            (filter.promotions, filter.castling) = (0, [false; 2]);
            (filter.capture, filter.passing) = (false, false);
            filter.from &= Bitboard::rank(from);
            filter.onto &= Bitboard::rank(to) & files;
            let what = "is the double step of a pawn".to_owned();
            remarks.push(Remark { turn: turn - 1, because: turn, what });
        }
    }
}

/// Returns the one rook with which castling fits; empty if there are two.
fn only_rook(start: &Position, color: Color, fits: [bool; 2]) -> Bitboard {
    let rooks: Bitboard = CastlingSide::ALL
        .into_iter()
        .filter(|wing| fits[wing.index()])
        .filter_map(|wing| rook_of(start, color, wing))
        .collect();
    if rooks.more_than_one() { Bitboard::EMPTY } else { rooks }
}

fn files_of(set: Bitboard) -> Bitboard {
    (0..8)
        .map(Bitboard::file)
        .filter(|&file| (file & set).any())
        .fold(Bitboard::EMPTY, |a, b| a | b)
}

/// Computes the demands of later turns for every moment. With a checkpoint after turn c, moments up
/// to c look no further than c.
pub(super) fn compute_lookaheads(
    filters: &[Filter],
    start: &Position,
    checkpoint: Option<usize>,
) -> Vec<Lookahead> {
    let turns = filters.len();
    let mut lookaheads = vec![Lookahead::default(); turns + 1];
    let split = checkpoint.unwrap_or(0);
    fill_lookaheads(filters, start, 0, split, &mut lookaheads);
    fill_lookaheads(filters, start, split, turns, &mut lookaheads);
    lookaheads
}

/// Fills the moments after turns `first..end`, considering only turns below `end`.
fn fill_lookaheads(
    filters: &[Filter],
    start: &Position,
    first: usize,
    end: usize,
    lookaheads: &mut [Lookahead],
) {
    let ways: Vec<TurnMoves> =
        (first..end).map(|turn| TurnMoves::new(&filters[turn], player(start, turn))).collect();
    let everywhere = [Bitboard::FULL; 6];
    let mut open: [Vec<ReachDemand>; 2] = [Vec::new(), Vec::new()];
    let mut captures = [0; 2];
    // Squares from which the mover of a turn must be able to move, for chains.
    let mut bases: Vec<RoleSquares> = vec![everywhere; end];
    for moment in (first..end).rev() {
        // The state before turn `moment`; afterwards it is the state after turn `moment - 1`.
        let (filter, color) = (&filters[moment], player(start, moment));
        let turn_moves = &ways[moment - first];
        let chained = moment + 2 < end && filters[moment + 2].again == Requirement::Must;
        let into = if chained { bases[moment + 2] } else { everywhere };
        let base = turn_moves.sources(&into, start, color);
        bases[moment] = base;
        if chained {
            lookaheads[moment + 1].landing = Some(bases[moment + 2]);
        }
        for demand in &mut open[color.index()] {
            let sources = turn_moves.sources(&demand.reach, start, color);
            for (set, more) in demand.reach.iter_mut().zip(sources) {
                *set |= more;
            }
        }
        captures[color.index()] += u32::from(filter.is_capture());
        open[color.index()].push(ReachDemand { reach: base, turn: moment });
        prune(&mut open[color.index()]);
        if moment > first {
            lookaheads[moment].demands = open.clone();
            lookaheads[moment].captures = captures;
            lookaheads[moment].passing = filter.is_passing();
        }
        if filter.is_castling() {
            castling(filters, start, (first, moment), lookaheads);
        }
    }
}

/// Drops demands that are met whenever another one is, or always, because a king can meet them from
/// any square.
fn prune(demands: &mut Vec<ReachDemand>) {
    demands.retain(|demand| demand.reach[Role::King.index()] != Bitboard::FULL);
    let covers = |wide: &ReachDemand, narrow: &ReachDemand| {
        wide.reach.iter().zip(&narrow.reach).all(|(wide, narrow)| narrow.is_subset(*wide))
    };
    let mut at = 0;
    while at < demands.len() {
        let implied = (0..demands.len()).any(|other| {
            other != at
                && covers(&demands[at], &demands[other])
                && (!covers(&demands[other], &demands[at]) || other < at)
        });
        if implied {
            demands.remove(at);
        } else {
            at += 1;
        }
    }
}

/// Adds the demands of castling at a turn on the moments after turns `first..turn`.
fn castling(
    filters: &[Filter],
    start: &Position,
    (first, turn): (usize, usize),
    lookaheads: &mut [Lookahead],
) {
    let color = player(start, turn);
    let fits = filters[turn].castling;
    let rooks: Bitboard = CastlingSide::ALL
        .into_iter()
        .filter(|wing| fits[wing.index()])
        .filter_map(|wing| rook_of(start, color, wing))
        .collect();
    let orthodox = is_orthodox(start);
    let officers = 0b1_1110;
    let (mut own_turns, mut enemy_turns) = (0, 0);
    for moment in (first + 1..=turn).rev() {
        if !lookaheads[moment].rooks.contains(&rooks) {
            lookaheads[moment].rooks.push(rooks);
        }
        if orthodox {
            let mut paths = [Bitboard::EMPTY; 2];
            let mut free = [Bitboard::EMPTY; 2];
            for wing in CastlingSide::ALL.into_iter().filter(|wing| fits[wing.index()]) {
                let Some(rook) = rook_of(start, color, wing) else { continue };
                let king = start.king(color);
                let path = attacks::between(king, rook);
                paths[wing.index()] = path;
                if moment == turn {
                    free[wing.index()] = path;
                } else if moment + 1 == turn {
                    // An enemy piece that leaves a square the king crosses still attacks it, as
                    // every piece but the pawn does, and no pawn stands on a first rank.
                    let king_to =
                        Square::at(if wing == CastlingSide::Short { 6 } else { 2 }, king.rank());
                    free[wing.index()] = attacks::between(king, king_to).with(king_to);
                }
            }
            // An own piece leaves in an own turn of an officer, or is captured in an enemy turn;
            // but the piece that makes the last capture on these squares needs one more enemy turn
            // to leave.
            let own_max = own_turns + u32::saturating_sub(enemy_turns, 1);
            lookaheads[moment].clearances.push(CastlingClearance {
                paths,
                own_max,
                free,
                color,
                turn,
            });
        }
        let earlier = moment - 1;
        if player(start, earlier) == color {
            own_turns += u32::from(filters[earlier].plain & officers != 0);
        } else {
            enemy_turns += 1;
        }
    }
}

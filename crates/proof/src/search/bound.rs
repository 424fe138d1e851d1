//! Lower bound of the search: the least number of moves that each side still needs. [`MoveBound`]
//! sums the distances of all pieces to the ends of their legs. Rules B1 and B2 measure them with
//! the finished pieces as obstacles (`blocked_maps`). A position whose bound exceeds
//! the remaining plies is refuted.

use crate::distance::NEVER;
use crate::problem::man::MenSet;
use crate::search::context::SearchContext;
use crate::search::state::GONE;
use crate::search::state::board::SearchBoard;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Lower bound of one node.
#[derive(Clone)]
pub(crate) struct MoveBound {
    /// Map of the current leg, by piece.
    pub(crate) map_id: [u32; 32],
    /// Moves of the later legs, by piece.
    after: [u8; 32],
    /// Moves still needed, by piece.
    pub(crate) need: [u8; 32],
    /// Sum of `need`, by color.
    pub(crate) rest: [i16; 2],
    /// Sum of `bare`, by color: the moves needed without finished pieces as obstacles.
    pub(crate) plain: [i16; 2],
    /// Moves needed without finished pieces as obstacles, by piece.
    bare: [u8; 32],
    /// Survivors that need no more moves.
    resting: MenSet,
    /// Pieces of `resting` that will not move again.
    pub(crate) finished: MenSet,
    /// Squares of the finished pieces.
    pub(crate) blocked: Bitboard,
    /// Pieces on the board.
    pub(crate) alive: MenSet,
}

impl MoveBound {
    /// Computes the bound of the initial position; `None` if it exceeds the budget.
    pub(crate) fn new(
        context: &mut SearchContext<'_>,
        board: &SearchBoard,
        left: [i16; 2],
    ) -> Option<Self> {
        let mut bound = Self { alive: MenSet::ALL, ..Self::EMPTY };
        for man in MenSet::ALL.men() {
            let m = man.index();
            let leg = &context.script.legs[usize::from(board.leg[m])];
            bound.map_id[m] = context.blocked_map(leg.map_id, Bitboard::EMPTY);
            bound.after[m] = leg.after;
            bound.set(context, board, m)?;
            bound.weigh(context, board, m);
        }
        bound.settle(context, board, left).then_some(bound)
    }

    /// Computes the bound of a subset of pieces alone; `None` if it exceeds the budget.
    pub(crate) fn of(
        context: &mut SearchContext<'_>,
        board: &SearchBoard,
        men: MenSet,
        left: [i16; 2],
    ) -> Option<Self> {
        let mut bound = Self::EMPTY;
        for man in men.men().filter(|man| board.at[man.index()] != GONE) {
            let m = man.index();
            let leg = &context.script.legs[usize::from(board.leg[m])];
            bound.alive = bound.alive.with(man);
            bound.map_id[m] = context.blocked_map(leg.map_id, Bitboard::EMPTY);
            bound.after[m] = leg.after;
            bound.set(context, board, m)?;
        }
        bound.settle(context, board, left).then_some(bound)
    }

    /// Returns the moves left of one side, with no limit for the other.
    #[inline]
    pub(crate) const fn only(color: Color, left: i16) -> [i16; 2] {
        if color.is_white() { [left, i16::MAX] } else { [i16::MAX, left] }
    }

    /// Bound without pieces.
    const EMPTY: Self = Self {
        map_id: [0; 32],
        after: [0; 32],
        need: [0; 32],
        rest: [0; 2],
        plain: [0; 2],
        bare: [0; 32],
        resting: MenSet::EMPTY,
        finished: MenSet::EMPTY,
        blocked: Bitboard::EMPTY,
        alive: MenSet::EMPTY,
    };

    /// Updates the need of one piece on its current square.
    #[inline]
    fn set(&mut self, context: &SearchContext<'_>, board: &SearchBoard, m: usize) -> Option<()> {
        let script = context.script;
        let moves = context.blocked_maps.get(self.map_id[m]).moves[usize::from(board.at[m])];
        if moves == NEVER {
            return None;
        }
        let need = moves + self.after[m];
        self.rest[m >> 4] += i16::from(need) - i16::from(self.need[m]);
        self.need[m] = need;
        let bit = 1u32 << m;
        let rests = need == 0 && script.legs[usize::from(board.leg[m])].last;
        if rests && script.survivors.0 & bit != 0 {
            self.resting.0 |= bit;
        } else {
            self.resting.0 &= !bit;
        }
        Some(())
    }

    /// Updates the bound after a move within a leg or to the next leg. Returns false if the piece
    /// can no longer finish its route.
    #[inline]
    pub(crate) fn moved(
        &mut self,
        context: &mut SearchContext<'_>,
        board: &SearchBoard,
        m: usize,
        new_leg: bool,
    ) -> bool {
        if new_leg {
            let leg = &context.script.legs[usize::from(board.leg[m])];
            self.map_id[m] = context.blocked_map(leg.map_id, self.blocked & leg.touched);
            self.after[m] = self.later(context, board, m).unwrap_or(NEVER);
            if self.after[m] == NEVER {
                return false;
            }
        }
        self.weigh(context, board, m);
        self.set(context, board, m).is_some()
    }

    /// Updates the need of one piece alone on its current square.
    #[inline]
    fn weigh(&mut self, context: &SearchContext<'_>, board: &SearchBoard, m: usize) {
        let leg = &context.script.legs[usize::from(board.leg[m])];
        let moves = context.distances.get(leg.map_id).moves[usize::from(board.at[m])];
        let bare = moves.saturating_add(leg.after);
        self.plain[m >> 4] += i16::from(bare) - i16::from(self.bare[m]);
        self.bare[m] = bare;
    }

    /// Updates the bound after the capture of a piece.
    #[inline]
    pub(crate) fn taken(&mut self, m: usize) {
        self.rest[m >> 4] -= i16::from(self.need[m]);
        self.need[m] = 0;
        self.plain[m >> 4] -= i16::from(self.bare[m]);
        self.bare[m] = 0;
        self.alive.0 &= !(1 << m);
    }

    /// Returns the moves of all legs after the current one, with finished pieces as obstacles.
    fn later(&self, context: &mut SearchContext<'_>, board: &SearchBoard, m: usize) -> Option<u8> {
        let script = context.script;
        let mut i = usize::from(board.leg[m]);
        if (script.legs[i].ahead & self.blocked).is_empty() {
            return Some(script.legs[i].after);
        }
        let mut sum: u16 = 0;
        // The path of the leg after an excursion is included in the cost of the excursion.
        let mut counted = matches!(script.legs[i].goal, crate::analyse::legs::Goal::Leave);
        while !script.legs[i].last {
            i += 1;
            let leg = &script.legs[i];
            if counted {
                counted = false;
                continue;
            }
            let map_id = context.blocked_map(leg.map_id, self.blocked & leg.touched);
            let moves = context.blocked_maps.get(map_id).moves[leg.start.index()];
            if moves == NEVER {
                return None;
            }
            sum += u16::from(moves);
        }
        u8::try_from(sum).ok().filter(|&sum| sum < NEVER)
    }

    /// Applies rules B1 and B2. Pieces that need no more moves and live to the end are *finished*
    /// if they are pawns, or officers of a side with fewer than two spare moves: leaving and
    /// returning costs two. Finished pieces never move again, so the others detour around them.
    /// Returns false if the detours, or the needs alone, exceed the moves left.
    ///
    /// *Admissible*: spare moves (moves left minus moves needed) never grow along a game, since a
    /// move lowers the need by at most one. A finished piece therefore stays in every continuation,
    /// a real path of another piece avoids its square, and the paths of different pieces are
    /// different moves.
    pub(crate) fn settle(
        &mut self,
        context: &mut SearchContext<'_>,
        board: &SearchBoard,
        left: [i16; 2],
    ) -> bool {
        let (script, blockade) = (context.script, context.blockade);
        loop {
            let mut men = 0u32;
            for (c, &left) in left.iter().enumerate() {
                let spare = left - self.rest[c];
                if spare < 0 {
                    return false;
                }
                let side = 0xFFFFu32 << (16 * c);
                men |= side & if spare < 2 { !0 } else { script.pawns_at_last.0 };
            }
            men &= self.resting.0 & !self.finished.0;
            if men == 0 || !blockade.on {
                return true;
            }
            self.finished.0 |= men;
            let new: Bitboard =
                MenSet(men).men().map(|man| Square::new(board.at[man.index()])).collect();
            self.blocked |= new;
            let others = self.alive.0 & !self.finished.0 & !script.fixed.0;
            for man in MenSet(others).men() {
                let m = man.index();
                let leg = &script.legs[usize::from(board.leg[m])];
                if (leg.ahead & new).is_empty() {
                    continue;
                }
                let kept = (self.map_id[m], self.after[m], self.need[m], self.rest, self.resting);
                self.map_id[m] = context.blocked_map(leg.map_id, self.blocked & leg.touched);
                let Some(after) = self.later(context, board, m) else {
                    return false;
                };
                self.after[m] = after;
                if self.set(context, board, m).is_none() {
                    return false;
                }
                if !blockade.sum {
                    if self.rest[m >> 4] > left[m >> 4] {
                        return false;
                    }
                    (self.map_id[m], self.after[m], self.need[m], self.rest, self.resting) = kept;
                }
            }
        }
    }
}

//! Castling rights as extra tables over the base table.
//!
//! With a right, king and rook stand on fixed squares, so a material with rights has few positions:
//! the other pieces' squares, both sides to move. Moves that keep some right stay inside;
//! conversions and moves that give up the last right, castling among them, lead to tables that are
//! looked up. The rest is solved by sweeping ply by ply. Only orthodox rights are supported: a king
//! on its e-square, a rook on its corner, and letters `KQkq`.
//!
//! Giving up a right is not a conversion: under DTC it counts as a quiet move.

use super::{Prober, TableMissing};
use crate::fairy_board::{BoardPiece, FairyBoard, FairyMove};
use crate::rights::Rights;
use crate::rules::Stalemate;
use crate::value::TableValue;
use std::collections::HashMap;
use std::sync::Mutex;
use umbrail_chess::geometry::{Color, Square};
use umbrail_control::lock;

/// Position of the extra table, by its pieces in the board's order.
pub(crate) type CastlingKey = (Vec<(char, Square)>, Color, Option<Square>, Rights);

/// Number of pieces from which an extra table takes noticeable time to solve.
const SLOW_PIECES: usize = 5;

/// Position that is being solved.
struct CastlingNode {
    board: FairyBoard,
    /// Values of moves that leave the extra table.
    leaving: Vec<TableValue>,
    /// Cells that the other moves lead to.
    inside: Vec<usize>,
    /// Cell after a pass of the losing side, where the rules allow it.
    pass: Option<usize>,
    value: Option<TableValue>,
}

/// Cached values of positions with castling rights.
pub(crate) type CastlingCache = Mutex<HashMap<CastlingKey, TableValue>>;

impl Prober<'_> {
    /// Returns the value of a board with castling rights. Solves the extra table of all positions
    /// that can be reached without a conversion, and caches it.
    pub(crate) fn castling_value(&self, board: &FairyBoard) -> Result<TableValue, TableMissing> {
        // The map only grows, so a panic under the lock cannot leave it inconsistent.
        let solved = || lock(self.castled);
        if let Some(value) = solved().get(&place(board)) {
            return Ok(*value);
        }
        let mut cells: Vec<CastlingNode> = Vec::new();
        let mut known: HashMap<CastlingKey, usize> = HashMap::new();
        self.enter(board, &mut cells, &mut known);
        let mut at = 0;
        while at < cells.len() {
            let now = cells[at].board.clone();
            for mv in now.moves_to(&self.set.catalog.promotions()) {
                let after = now.after(&mv);
                let metric = self.set.catalog.rules.metric;
                let ends = metric.ends(mv.is_conversion(), now.moves_pawn(&mv));
                // A zeroing pawn move is looked up in its own table; pawns never move back.
                if after.rights.is_empty() || mv.is_conversion() || ends {
                    let value = self.value(&after)?;
                    cells[at].leaving.push(value.before(metric, ends));
                } else {
                    let child = self.enter(&after, &mut cells, &mut known);
                    cells[at].inside.push(child);
                }
            }
            let moved = !cells[at].leaving.is_empty() || !cells[at].inside.is_empty();
            if moved && self.set.catalog.rules.null_move && !now.in_check() {
                let passed = now.after(&FairyMove::pass(now.royal(now.turn)));
                cells[at].pass = Some(self.enter(&passed, &mut cells, &mut known));
            }
            at += 1;
        }
        self.sweep(&mut cells);
        let value = cells[0].value.unwrap_or(TableValue::Draw);
        let values =
            cells.into_iter().map(|c| (place(&c.board), c.value.unwrap_or(TableValue::Draw)));
        solved().extend(values);
        Ok(value)
    }

    /// Returns true when the board's value is available without solving a large extra table first.
    pub(crate) fn castling_is_quick(&self, board: &FairyBoard) -> bool {
        let known = || lock(self.castled);
        board.rights.is_empty()
            || board.pieces.len() < SLOW_PIECES
            || known().contains_key(&place(board))
    }

    fn enter(
        &self,
        board: &FairyBoard,
        cells: &mut Vec<CastlingNode>,
        known: &mut HashMap<CastlingKey, usize>,
    ) -> usize {
        *known.entry(place(board)).or_insert_with(|| {
            let (leaving, inside) = (Vec::new(), Vec::new());
            cells.push(CastlingNode {
                board: board.clone(),
                leaving,
                inside,
                pass: None,
                value: None,
            });
            cells.len() - 1
        })
    }

    /// Finds wins and losses in the order of their length.
    fn sweep(&self, cells: &mut [CastlingNode]) {
        let plies = |v: &TableValue| match *v {
            TableValue::Win(p) | TableValue::Loss(p) => p,
            TableValue::Draw => 0,
        };
        let horizon = cells.iter().flat_map(|c| &c.leaving).map(plies).max().unwrap_or(0);
        let mut quiet = 0;
        let mut ply = 0;
        while ply <= horizon || quiet < 2 {
            let found: Vec<(usize, TableValue)> = (0..cells.len())
                .filter(|&at| cells[at].value.is_none())
                .filter_map(|at| Some((at, self.decide(cells, at, ply)?)))
                .collect();
            quiet = if found.is_empty() { quiet + 1 } else { 0 };
            for (at, value) in found {
                cells[at].value = Some(value);
            }
            ply += 1;
        }
    }

    /// Returns the result of the cell if it is won or lost in exactly this many plies.
    fn decide(&self, cells: &[CastlingNode], at: usize, ply: usize) -> Option<TableValue> {
        let cell = &cells[at];
        let inside = || {
            cell.inside
                .iter()
                .map(|&c| cells[c].value.map(|v| v.before(self.set.catalog.rules.metric, false)))
        };
        let mut all = cell.leaving.iter().map(|v| Some(*v)).chain(inside()).peekable();
        if all.peek().is_none() {
            let mated = cell.board.in_check() || self.set.catalog.rules.stalemate == Stalemate::Win;
            return (ply == 0 && mated).then_some(TableValue::Loss(0));
        }
        let mut longest = 0;
        let mut lost = true;
        if let Some(pass) = cell.pass {
            match cells[pass].value {
                Some(TableValue::Win(p)) => longest = p + 1,
                _ => lost = false,
            }
        }
        for value in all {
            match value {
                Some(TableValue::Win(p)) if p == ply => return Some(TableValue::Win(ply)),
                Some(TableValue::Loss(p)) => longest = longest.max(p),
                _ => lost = false,
            }
        }
        (lost && longest == ply).then_some(TableValue::Loss(ply))
    }
}

fn place(board: &FairyBoard) -> CastlingKey {
    let pieces = board.pieces.iter().map(|m: &BoardPiece| (m.piece.letter, m.square)).collect();
    (pieces, board.turn, board.en_passant, board.rights)
}

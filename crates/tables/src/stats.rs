//! Statistics of a material: counts, histograms, longest wins, mutual zugzwangs.

use super::color_class::{ColorClass, classes};
use super::fairy_board::{BoardPiece, FairyBoard};
use super::layout::{Layout, Others};
use super::material::Material;
use super::material_key::MaterialKey;
use super::rights::Rights;
use super::rules::{FIFTY_MOVES, Metric};
use super::solved_table::{Count, OutcomeCounts, SolvedTable};
use super::table_set::TableSet;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use umbrail_chess::geometry::{Color, Square};

/// One direction of a material: counts with this color as the winner.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideStatistics {
    /// Positions won by this color with the move.
    pub won: Count,
    /// Positions lost by the other color with the move.
    pub lost: Count,
    /// Stalemates of the other color.
    pub stalemate: Count,
    /// Full-board wins by plies, from 0.
    pub won_in: Vec<u64>,
    /// Full-board losses of the other color by plies, from 0.
    pub lost_in: Vec<u64>,
    /// A longest win with this color to move, as FEN.
    pub longest_win: Option<String>,
    /// A longest loss with the other color to move, as FEN.
    pub longest_loss: Option<String>,
}

/// Mutual zugzwangs up to symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zugzwangs {
    /// White to move draws, Black to move loses.
    pub wtm_draw_btm_loss: u64,
    /// White to move loses, Black to move draws.
    pub wtm_loss_btm_draw: u64,
    /// The side to move loses, with either side to move.
    pub full_point: u64,
}

/// All counts of a material.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Material, as named by the user.
    pub material: String,
    /// Metric of the distances.
    pub metric: Metric,
    /// Legal positions with White and with Black to move.
    pub legal: [Count; 2],
    /// White as the winner, Black as the winner.
    pub sides: [SideStatistics; 2],
    /// Mutual zugzwangs.
    pub zugzwangs: Zugzwangs,
    /// Counts split by the square colors of color-bound pieces; empty with fewer than two.
    pub classes: Vec<ColorClass>,
}

impl Statistics {
    /// Collects the statistics of a material from its two solved tables.
    pub(crate) fn gather(
        table_set: &TableSet,
        material: &Material,
        keys: &[MaterialKey; 2],
        tables: [&SolvedTable; 2],
    ) -> Self {
        let side = |color: Color| {
            let table = tables[color.index()];
            let outcomes: &OutcomeCounts = &table.outcomes;
            let fen =
                |to_move: bool| longest(table_set, &keys[color.index()], table, color, to_move);
            SideStatistics {
                won: outcomes.won,
                lost: outcomes.lost,
                stalemate: outcomes.stalemate,
                won_in: outcomes.won_in.clone(),
                lost_in: outcomes.lost_in.clone(),
                longest_win: fen(true),
                longest_loss: fen(false),
            }
        };
        Self {
            material: material.to_string(),
            metric: table_set.catalog.rules.metric,
            legal: [tables[0].outcomes.attacker_legal, tables[0].outcomes.loser_legal],
            sides: [side(Color::White), side(Color::Black)],
            zugzwangs: zugzwangs(tables),
            classes: classes(table_set, keys, tables),
        }
    }

    /// Returns the longest win of a color with the move, in plies.
    pub fn max_win(&self, color: Color) -> usize {
        longest_ply(&self.sides[color.index()].won_in)
    }

    /// Returns full-board wins of a color with the move, and losses of the other color with the
    /// move, that take at most fifty moves of each side.
    pub fn within_fifty(&self, color: Color) -> [u64; 2] {
        let side = &self.sides[color.index()];
        [&side.won_in, &side.lost_in].map(|counts| counts.iter().take(FIFTY_MOVES + 1).sum())
    }

    /// Returns the longest loss of the other color with the move, in plies.
    pub fn max_loss(&self, winner: Color) -> usize {
        longest_ply(&self.sides[winner.index()].lost_in)
    }

    /// Returns the histograms as CSV: plies, then the full-board counts of White's wins, Black's
    /// losses, Black's wins and White's losses.
    pub fn to_csv(&self) -> String {
        let [white, black] = &self.sides;
        let lists = [&white.won_in, &white.lost_in, &black.won_in, &black.lost_in];
        let mut out = String::from("plies,wtm_win,btm_loss,btm_win,wtm_loss\n");
        let plies = lists.iter().map(|l| l.len()).max().unwrap_or(0);
        for ply in 0..plies {
            let counts = lists.map(|l| l.get(ply).copied().unwrap_or(0));
            if counts.iter().any(|&c| c > 0) {
                let [a, b, c, d] = counts;
                let _ = writeln!(out, "{ply},{a},{b},{c},{d}");
            }
        }
        out
    }
}

fn longest_ply(counts: &[u64]) -> usize {
    counts.iter().rposition(|&c| c > 0).unwrap_or(0)
}

/// Returns the first stored position with the longest distance.
fn longest(
    table_set: &TableSet,
    key: &MaterialKey,
    table: &SolvedTable,
    winner: Color,
    winner_moves: bool,
) -> Option<String> {
    hardest(table_set, key, table, winner, winner_moves, 1).first().map(FairyBoard::to_fen)
}

/// Returns positions with the longest distance (EGTgen's "maximin" positions), one of all images
/// under the symmetries of the table, at most `limit`.
pub(crate) fn hardest(
    table_set: &TableSet,
    key: &MaterialKey,
    table: &SolvedTable,
    winner: Color,
    winner_moves: bool,
    limit: usize,
) -> Vec<FairyBoard> {
    let (depths, counts) = if winner_moves {
        (&table.won_in, &table.outcomes.won_in)
    } else {
        (&table.lost_in, &table.outcomes.lost_in)
    };
    let turn = if winner_moves { winner } else { !winner };
    let place = |slice: usize, cell: usize| {
        let layout = &table.layout;
        board(table_set, key, layout, winner, turn, slice, cell / 64, (cell % 64) as u8)
    };
    let (Some(depths), Some(ply)) = (depths, counts.iter().rposition(|&c| c > 0)) else {
        // A table with counts only knows one such position.
        let known = table.longest[usize::from(!winner_moves)].iter().take(limit);
        return known.map(|&(slice, cell)| place(slice, cell)).collect();
    };
    let layout = &table.layout;
    let mut found = Vec::new();
    for slice in 0..layout.homes.len() {
        let mut from = 0;
        while found.len() < limit
            && let Some(cell) = depths.find(slice, from, ply)
        {
            if layout.is_canonical(slice, cell / 64, (cell % 64) as u8) {
                found.push(place(slice, cell));
            }
            from = cell + 1;
        }
    }
    found
}

/// Returns the board of a stored position.
#[expect(clippy::too_many_arguments, reason = "the coordinates of one cell")]
pub(crate) fn board(
    table_set: &TableSet,
    key: &MaterialKey,
    layout: &Layout,
    winner: Color,
    turn: Color,
    slice: usize,
    word: usize,
    loser_royal: u8,
) -> FairyBoard {
    let place = |s: u8| {
        let square = Square::new(s);
        if winner.is_white() { square } else { square.flip_rank() }
    };
    let others = layout.decode(word);
    let piece = |kind: usize, color, square| BoardPiece {
        piece: table_set.catalog.piece(kind).clone(),
        color,
        square: place(square),
    };
    let mut pieces = vec![
        piece(key.attacker[0], winner, layout.homes[slice]),
        piece(key.loser[0], !winner, loser_royal),
    ];
    for (number, &square) in others.iter().enumerate().take(layout.others) {
        let color = if key.is_attacker(number) { winner } else { !winner };
        pieces.push(piece(key.piece(number), color, square));
    }
    FairyBoard { pieces, turn, en_passant: None, rights: Rights::NONE }
}

/// Position where having the move is a disadvantage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutualZugzwang {
    /// Position; the side to move would prefer to pass.
    pub board: FairyBoard,
    /// True when the other side would also lose with the move.
    pub full_point: bool,
}

/// Returns mutual zugzwangs where the loser of this table has the move, one of all images under the
/// symmetries of the table, at most `limit` of either kind.
pub(crate) fn mutual_zugzwangs(
    table_set: &TableSet,
    key: &MaterialKey,
    tables: [&SolvedTable; 2],
    winner: Color,
    limit: usize,
) -> Vec<MutualZugzwang> {
    let [table, other] = tables;
    let mut left = [limit; 2];
    let mut found = Vec::new();
    each_zugzwang(table, other, |slice, word, b, full_point| {
        let left = &mut left[usize::from(full_point)];
        if *left > 0 {
            *left -= 1;
            let layout = &table.layout;
            let board = board(table_set, key, layout, winner, !winner, slice, word, b);
            found.push(MutualZugzwang { board, full_point });
        }
    });
    found
}

/// Visits the canonical positions that the loser, to move, loses and the attacker, to move, does
/// not win: slice, word, square of the loser's royal, and a flag that is true when the attacker
/// loses as well.
fn each_zugzwang(
    table: &SolvedTable,
    other: &SolvedTable,
    mut visit: impl FnMut(usize, usize, u8, bool),
) {
    let layout = &table.layout;
    for &(slice, word, bits) in &table.reciprocal {
        let pieces = layout.decode(word);
        let set = (0..64u8).filter(|b| bits >> b & 1 != 0);
        for b in set.filter(|&b| layout.is_canonical(slice, word, b)) {
            visit(slice, word, b, loses(layout.homes[slice], &pieces, b, table, other));
        }
    }
}

/// Counts the positions where having the move is a disadvantage.
fn zugzwangs(tables: [&SolvedTable; 2]) -> Zugzwangs {
    let [white, black] = tables;
    let (white_only, both) = split(white, black);
    let (black_only, _) = split(black, white);
    Zugzwangs { wtm_draw_btm_loss: white_only, wtm_loss_btm_draw: black_only, full_point: both }
}

/// Counts, of the positions that the loser, to move, loses and the attacker, to move, does not win,
/// those that the attacker draws and those that it loses as well.
fn split(table: &SolvedTable, other: &SolvedTable) -> (u64, u64) {
    let (mut drawn, mut lost) = (0, 0);
    each_zugzwang(table, other, |_, _, _, full_point| {
        if full_point {
            lost += 1;
        } else {
            drawn += 1;
        }
    });
    (drawn, lost)
}

/// Returns true when the attacker of `table`, to move, loses by the opposite table.
fn loses(
    home: u8,
    pieces: &Others,
    loser_royal: u8,
    table: &SolvedTable,
    other: &SolvedTable,
) -> bool {
    let flip = |s: u8| s ^ 56;
    let others = table.layout.others;
    let split = table.attackers;
    let mut turned = *pieces;
    for (to, from) in (split..others).chain(0..split).enumerate() {
        turned[to] = flip(pieces[from]);
    }
    let (lost, spot) = other.lost_word(flip(loser_royal), &turned);
    if other.shades.is_none() {
        return lost >> flip(home) & 1 != 0;
    }
    // A table without words has at least its mutual zugzwangs, and this would be one of them.
    let at = other.reciprocal.binary_search_by_key(&(spot.slice, spot.word), |r| (r.0, r.1));
    let bits = at.map_or(0, |at| other.reciprocal[at].2);
    bits >> spot.symmetry.square(Square::new(flip(home))).index() & 1 != 0
}

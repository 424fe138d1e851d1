//! Deductions of the lookahead in words: for each turn, the requirements that keep a later turn
//! possible.
//!
//! The words are derived from the tables that prune the search, so both agree.

use super::compiled_steno::CompiledSteno;
use super::lookahead::{CastlingClearance, RoleSquares};
use super::mark::CastlingSide;
use super::remark::Remark;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color};

/// Returns the demands of the tables after each turn. A demand that is constant over several turns
/// is reported once, at the last of them.
pub(super) fn derived(compiled: &CompiledSteno) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let closed = compiled.filters.iter().enumerate().filter(|(_, filter)| filter.is_closed());
    remarks.extend(closed.map(|(turn, _)| {
        let what = "no move can satisfy this".to_owned();
        Remark { turn, because: turn, what }
    }));
    let mut reported: Vec<(usize, Color, RoleSquares)> = Vec::new();
    for turn in (0..compiled.len()).rev() {
        let lookahead = &compiled.lookaheads[turn + 1];
        for color in Color::ALL {
            for demand in &lookahead.demands[color.index()] {
                let known = (demand.turn, color, demand.reach);
                // The mark of a castling turn requires a king that stays at home: reported below.
                if reported.contains(&known) || compiled.filters[demand.turn].is_castling() {
                    continue;
                }
                if let Some(what) = reach_words(&demand.reach) {
                    let what = format!("{} has {what}", name(color));
                    remarks.push(Remark { turn, because: demand.turn, what });
                }
                reported.push(known);
            }
            let captures = lookahead.captures[color.index()];
            if turn == 0 && captures > 1 {
                let last = (1..compiled.len()).rev().find(|&later| {
                    compiled.filters[later].is_capture() && compiled.color(later) == color
                });
                let what =
                    format!("{} has {captures} pieces besides the king to lose", name(!color));
                remarks.extend(last.map(|because| Remark { turn, because, what }));
            }
        }
        if let Some(what) = lookahead.landing.as_ref().and_then(reach_words) {
            remarks.push(Remark { turn, because: turn + 2, what: format!("lands as {what}") });
        }
        for clearance in &lookahead.clearances {
            let because = clearance.turn;
            remarks.extend(clear_words(clearance).map(|what| Remark { turn, because, what }));
        }
    }
    remarks
}

fn name(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}

/// Returns the squares that must be free for castling, unless they always are.
fn clear_words(clearance: &CastlingClearance) -> Option<String> {
    let wings: Vec<String> = (CastlingSide::ALL.into_iter())
        .filter(|wing| clearance.paths[wing.index()].any())
        .map(|wing| {
            let (path, free) = (clearance.paths[wing.index()], clearance.free[wing.index()]);
            let mut parts = Vec::new();
            if free.any() {
                parts.push(format!("{} are empty", squares(free)));
            }
            if free != path && clearance.own_max < path.len() {
                let color = clearance.color;
                let most = match clearance.own_max {
                    0 => format!("no {color} piece is"),
                    1 => format!("at most one {color} piece is"),
                    more => format!("at most {more} {color} pieces are"),
                };
                parts.push(format!("{most} on {}", squares(path)));
            }
            parts.join(" and ")
        })
        .collect();
    (!wings.is_empty() && wings.iter().all(|wing| !wing.is_empty())).then(|| wings.join(", or "))
}

/// Returns words like "a pawn on rank 6 or 7, or a knight on b1 c3", or nothing if any piece will
/// do.
fn reach_words(reach: &RoleSquares) -> Option<String> {
    if reach.iter().all(|set| *set == Bitboard::FULL) {
        return None;
    }
    let one = |role: Role| {
        let set = reach[role.index()];
        let everywhere =
            Bitboard::FULL & !if role == Role::Pawn { edges() } else { Bitboard::EMPTY };
        if set.is_empty() {
            None
        } else if (everywhere & !set).is_empty() {
            Some(format!("a {role}"))
        } else {
            Some(format!("a {role} {}", place(set, everywhere)))
        }
    };
    let words: Vec<String> = Role::ALL.into_iter().filter_map(one).collect();
    Some(if words.is_empty() { "an impossible piece".to_owned() } else { words.join(", or ") })
}

fn edges() -> Bitboard {
    Bitboard::rank(0) | Bitboard::rank(7)
}

/// Returns the shortest description of squares: whole ranks, whole files, squares, or all squares
/// but some.
fn place(set: Bitboard, everywhere: Bitboard) -> String {
    let lines = |line: fn(u8) -> Bitboard, first: u8| {
        let whole =
            |&at: &u8| (line(at) & everywhere).any() && (line(at) & everywhere & !set).is_empty();
        let all: Vec<u8> = (0..8).filter(whole).collect();
        let covered = all.iter().fold(Bitboard::EMPTY, |sum, &at| sum | line(at));
        let names: Vec<String> = all.iter().map(|&at| char::from(first + at).to_string()).collect();
        (set & !covered).is_empty().then(|| (all.len(), names.join(" or ")))
    };
    match (lines(Bitboard::rank, b'1'), lines(Bitboard::file, b'a')) {
        (Some((_, names)), _) => return format!("on rank {names}"),
        (None, Some((_, names))) => return format!("on file {names}"),
        (None, None) => {}
    }
    let rest = everywhere & !set;
    if rest.len() < set.len() {
        format!("elsewhere than {}", squares(rest))
    } else {
        format!("on {}", squares(set))
    }
}

fn squares(set: Bitboard) -> String {
    set.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

//! Steps of one man that is alone on the board: the edges of the man-state graph.

use crate::positions::board::{Man, ManKind};
use umbrail_chess::geometry::{Bitboard, Square};
use umbrail_chess::{Role, attacks};

/// One own move of a man, seen alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ManStep {
    /// The man after the move.
    pub man: Man,
    /// Its square after the move.
    pub to: Square,
    /// True if the move must capture: a pawn changes its file.
    pub captures: bool,
    /// True if the move cannot capture: a pawn goes straight ahead.
    pub is_quiet: bool,
    /// True if the step is not an own move of this man: a capture by the opponent, or the move of
    /// another man.
    pub is_free: bool,
}

impl ManStep {
    /// Returns a step that is part of another move.
    pub(crate) fn free(man: Man, to: Square) -> Self {
        Self { man, to, captures: false, is_quiet: false, is_free: true }
    }
}

/// Appends the steps of orthodox chess among walls, squares that are never vacated.
pub(crate) fn free_steps(
    man: Man,
    from: Square,
    walls: Bitboard,
    promotions: &[ManKind],
    out: &mut Vec<ManStep>,
) {
    let (color, role) = (man.color(), man.role());
    if role != Role::Pawn {
        let reached = attacks::of(role, color, from, walls) - walls;
        out.extend(reached.squares().map(|to| ManStep {
            man,
            to,
            captures: false,
            is_quiet: false,
            is_free: false,
        }));
        return;
    }
    let (ahead, home, last) = if color.is_white() { (1, 1, 7) } else { (-1, 6, 0) };
    let mut push = |to: Square, captures: bool| {
        let step = ManStep { man, to, captures, is_quiet: !captures, is_free: false };
        if to.rank() == last {
            let promoted = |&kind: &ManKind| ManStep { man: Man::of(color, kind), ..step };
            out.extend(promotions.iter().map(promoted));
        } else {
            out.push(step);
        }
    };
    let mut straight = from.offset(0, ahead).filter(|&to| !walls.contains(to));
    if let Some(to) = straight {
        push(to, false);
        straight = to.offset(0, ahead).filter(|&to| from.rank() == home && !walls.contains(to));
        if let Some(to) = straight {
            push(to, false);
        }
    }
    for to in attacks::pawn(color, from) - walls {
        push(to, true);
    }
}

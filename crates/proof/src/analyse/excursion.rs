//! Men that must step aside and come back, though their routes ask nothing of them.

use crate::analyse::legs::{Goal, Leg, Life};
use crate::analyse::plan::Plan;
use crate::distance::cache::Atlas;
use crate::distance::map::NEVER;
use crate::problem::man::MenSet;
use crate::strategy::castling_rook;
use umbrail_chess::attacks;
use umbrail_chess::geometry::Bitboard;

/// The idle men on whose home squares somebody else must stop, pass or castle over.
///
/// *Admissible* (rule A7 with A3): an idle man that never left would stand at home throughout, and every
/// walk of the other man's leg within the free moves needs the square; so it leaves, and since it
/// rests there it comes back.
pub(crate) fn forced(plan: &Plan, atlas: &mut Atlas) -> MenSet {
    let idle = |life: &&Life| {
        life.idle() && !plan.fixed.contains(life.man) && !plan.suppose.away.contains(life.man)
    };
    let idle: Vec<&Life> = plan.lives.iter().filter(idle).collect();
    let homes: Bitboard = idle.iter().map(|life| life.man.origin()).collect();
    let mut needed = [Bitboard::EMPTY; 32];
    if homes.is_empty() {
        return MenSet::EMPTY;
    }
    for life in &plan.lives {
        let free = plan.free[life.man.color().index()];
        for leg in &life.legs {
            let squares = needs(life, leg, free, homes, atlas);
            needed[life.man.index()] |= squares;
        }
    }
    let asked = |life: &&&Life| {
        let home = life.man.origin();
        needed.iter().enumerate().any(|(m, set)| m != life.man.index() && set.contains(home))
    };
    idle.iter().filter(asked).map(|life| life.man).collect()
}

/// The squares of `among` that a leg surely touches.
pub(crate) fn needs(
    life: &Life,
    leg: &Leg,
    free: i16,
    among: Bitboard,
    atlas: &mut Atlas,
) -> Bitboard {
    match leg.goal {
        Goal::Castle(wing) => {
            let color = life.man.color();
            attacks::between(
                crate::problem::man::Man::king(color).origin(),
                castling_rook(color, wing).origin(),
            )
        }
        Goal::Leave => Bitboard::EMPTY,
        _ => {
            if (leg.touched & among).is_empty() || leg.stops.is_empty() {
                return Bitboard::EMPTY;
            }
            let least = atlas.get(leg.field).moves[leg.start.index()];
            let limit = (i16::from(least) + free).min(i16::from(NEVER) - 1) as u8;
            atlas.needs(leg.field, leg.start, limit)
        }
    }
}

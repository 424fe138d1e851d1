//! Pawns that never leave their file, and therefore cannot be passed by enemy pawns.

use crate::distance::Bars;
use crate::problem::pawn::rank_gain;
use crate::problem::piece::PieceId;
use umbrail_chess::geometry::{Color, Square};

/// Surviving pawns that stay on their home file for the whole game, by color and file, with their
/// final ranks.
///
/// *Admissible*: such a pawn is counted with no capture. To leave its file and return it would need
/// two, which its color cannot spare. At any time it therefore stands on its file between origin
/// and final square, and a pawn that runs straight along that file cannot pass it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Walls(pub Bars);

/// A straight run of a pawn on one file.
pub(crate) struct PawnRun {
    /// Start of the run; the origin if it is the pawn's first run.
    pub from: Square,
    /// End of the run, on this file.
    pub to: Square,
    /// True if the pawn stands there in the diagram.
    pub rests: bool,
}

impl Walls {
    /// Adds a pawn that rests on its home file and cannot leave it meanwhile.
    pub(crate) fn add(&mut self, pawn: PieceId, rest: Square) {
        self.0 = self.0.with(pawn.color(), pawn.origin().file(), rest.rank());
    }

    /// Returns the additional captures that a pawn needs for a run and then to `goal`: 0 if it can
    /// run straight, 2 if a wall makes it leave the file and return, `None` if it has too few ranks
    /// left for that.
    pub(crate) fn detour(&self, pawn: PieceId, stretch: &PawnRun, goal: Square) -> Option<u16> {
        if !self.bars(pawn, stretch) {
            return Some(0);
        }
        let sideways = i32::from(stretch.from.file().abs_diff(goal.file()));
        (rank_gain(pawn, stretch.from, goal) >= sideways + 2).then_some(2)
    }

    /// Returns true if a wall blocks the run.
    fn bars(&self, pawn: PieceId, stretch: &PawnRun) -> bool {
        let file = stretch.from.file();
        Color::ALL.into_iter().any(|color| {
            let itself = color == pawn.color() && pawn.origin().file() == file;
            let Some(rest) = self.0.rest(color, file).filter(|_| !itself) else { return false };
            let home = if color.is_white() { 1 } else { 6 };
            let (low, high) = (home.min(rest), home.max(rest));
            // True if the pawn is certainly above the wall: they never share a square.
            let above = |rank: u8, wall: Option<u8>| match wall {
                Some(wall) if wall != rank => Some(rank > wall),
                _ if rank >= high => Some(true),
                _ if rank <= low => Some(false),
                _ => None,
            };
            let at_home = stretch.from == pawn.origin();
            let before = above(stretch.from.rank(), at_home.then_some(home));
            let after = above(stretch.to.rank(), stretch.rests.then_some(rest));
            matches!((before, after), (Some(before), Some(after)) if before != after)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sq(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn piece(name: &str) -> PieceId {
        PieceId::starting_on(sq(name)).unwrap()
    }

    #[test]
    fn a_pawn_that_stays_bars_its_file() {
        let mut walls = Walls::default();
        walls.add(piece("d2"), sq("d4"));
        let run = |pawn: &str, from: &str, to: &str, rests| {
            walls.detour(piece(pawn), &PawnRun { from: sq(from), to: sq(to), rests }, sq(to))
        };
        assert_eq!(run("d7", "d7", "d1", false), Some(2));
        assert_eq!(run("d7", "d7", "d5", true), Some(0));
        // Before the white pawn advances, the black one may come down to d3 and die there.
        assert_eq!(run("d7", "d7", "d3", false), Some(0));
        // To rest there it must pass.
        assert_eq!(run("d7", "d7", "d3", true), Some(2));
        assert_eq!(run("c7", "d5", "d3", true), Some(2));
        assert_eq!(run("c7", "d4", "d3", true), None);
        assert_eq!(run("c7", "d5", "d3", false), Some(0));
        // On its path to d2 it passes the white pawn, wherever that is.
        assert_eq!(run("d7", "d7", "d2", false), Some(2));
        assert_eq!(run("c7", "d5", "d1", false), Some(2));
        assert_eq!(run("e7", "e7", "e1", false), Some(0));
        assert_eq!(run("d2", "d2", "d4", true), Some(0));
    }
}

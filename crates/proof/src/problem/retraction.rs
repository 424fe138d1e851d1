//! Retraction: takes back the last move of a diagram in which a king is in check.
//!
//! The check was given by the last move, so few last moves are possible, and each leaves a shorter
//! problem that is often far easier. The shorter problems partition the games by their last move,
//! so their results add up without overlap. The idea is Stelvio's.

use crate::problem::castling::{Wing, castling_rook};
use crate::problem::diagram::Diagram;
use crate::problem::piece::{PieceId, PieceMask};
use crate::problem::{Length, Problem};
use umbrail_chess::geometry::{Color, Setup, Square};
use umbrail_chess::retro::{LastMove, last_moves};
use umbrail_chess::{Move, Position, Role};

/// Condition for retracting last moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retraction {
    /// If a king is in check.
    #[default]
    Check,
    /// Never.
    Never,
    /// Also without a check, if there are at most 12 last moves.
    Always,
}

/// Maximum number of last moves retracted without a check; each leads to a separate problem.
pub(crate) const LAST_MOVES_MAX: usize = 12;

/// The problem before the last move of a diagram.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierProblem {
    /// The shorter problem.
    pub problem: Problem,
    /// Moves from its diagram to the given one: one move, or a double step and its en passant
    /// capture, which are inseparable.
    pub tail: Vec<Move>,
    /// Pieces that must not have moved before: king and rook that castle in the last move.
    pub(crate) unmoved: PieceMask,
}

/// Returns the problems before the last move, in a fixed order; `None` if `mode` does not retract
/// this diagram. An empty list proves that no game ends in the diagram.
///
/// Every game that solves the problem solves exactly one of these, extended by its tail, since
/// [`last_moves`] lists every move after which the diagram can stand. The en passant square after a
/// double step, which a diagram does not show, is tried in all possible ways.
pub fn earlier(problem: &Problem, mode: Retraction) -> Option<Vec<EarlierProblem>> {
    if mode == Retraction::Never || problem.plies == 0 {
        return None;
    }
    let plain = problem.diagram.to_setup(problem.turn());
    let position = Position::try_from(&plain).ok()?;
    if mode == Retraction::Check && !position.in_check() {
        return None;
    }
    // In parity mode a game may have no moves at all, and then no last one.
    if problem.length == Length::Parity && problem.diagram == Diagram::initial() {
        return None;
    }
    let mut lasts = last_moves(&position);
    lasts.extend(double_steps(problem, &plain));
    let all: Vec<EarlierProblem> = lasts.iter().filter_map(|last| before(problem, last)).collect();
    (position.in_check() || all.len() <= LAST_MOVES_MAX).then_some(all)
}

/// Returns double steps after which a pawn could be taken en passant. A position stores this, so
/// these lead to other positions than the plain one.
fn double_steps(problem: &Problem, plain: &Setup) -> Vec<LastMove> {
    let mover = !problem.turn();
    let (passed, stood) = match mover {
        Color::White => (2, 3),
        Color::Black => (5, 4),
    };
    (0..8)
        .filter(|&file| problem.diagram.pieces(mover, Role::Pawn).contains(Square::at(file, stood)))
        .filter_map(|file| {
            let mut setup = plain.clone();
            setup.en_passant = Some(Square::at(file, passed));
            Position::try_from(&setup).ok()
        })
        .filter(|position| position.en_passant().is_some())
        .flat_map(|position| last_moves(&position))
        .collect()
}

/// Returns the problem before a last move; `None` if there are too few plies.
fn before(problem: &Problem, last: &LastMove) -> Option<EarlierProblem> {
    let shorter = |diagram, less: u16| {
        let plies = problem.plies.checked_sub(less)?;
        Some(Problem { diagram, plies, length: problem.length })
    };
    let mut unmoved = PieceMask::EMPTY;
    if last.before.is_castle(last.mv) {
        let color = last.before.turn();
        let wing =
            if last.mv.to().file() > last.mv.from().file() { Wing::King } else { Wing::Queen };
        unmoved = [PieceId::king(color), castling_rook(color, wing)].into_iter().collect();
    }
    if !last.before.is_en_passant(last.mv) {
        let problem = shorter(Diagram::of(&last.before), 1)?;
        return Some(EarlierProblem { problem, tail: vec![last.mv], unmoved });
    }
    // The last move of the pawn taken en passant was its double step.
    let victim = !last.before.turn();
    let file = last.mv.to().file();
    let (home, stood) = match victim {
        Color::White => (Square::at(file, 1), Square::at(file, 3)),
        Color::Black => (Square::at(file, 6), Square::at(file, 4)),
    };
    let mut setup = last.before.to_setup();
    setup.clear(stood);
    setup.put(home, victim, 'P');
    let diagram = Diagram::from_setup(&setup).ok()?;
    let problem = shorter(diagram, 2)?;
    Some(EarlierProblem { problem, tail: vec![Move::new(home, stood), last.mv], unmoved })
}

/// The words for a part in a sentence: nothing for the whole problem, or the last move that was taken back.
pub(crate) fn of_part(part: u16) -> String {
    match part {
        0 => String::new(),
        _ => format!(" of retraction {part}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(placement: &str, plies: u16, mode: Retraction) -> Option<Vec<String>> {
        let diagram = Diagram::from_setup(&placement.parse().unwrap()).unwrap();
        let problem = Problem { diagram, plies, length: Length::Exact };
        earlier(&problem, mode).map(|all| {
            let mut texts: Vec<String> = all
                .iter()
                .map(|one| format!("{:?} {} {:?}", one.tail, one.problem.plies, one.unmoved))
                .collect();
            texts.sort();
            texts
        })
    }

    #[test]
    fn only_a_check_is_taken_back() {
        let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR";
        let all = reported(mate, 4, Retraction::Check).unwrap();
        assert!(all.contains(&"[d8h4] 3 {}".to_owned()), "{all:?}");
        assert_eq!(reported(mate, 4, Retraction::Never), None);
        assert_eq!(
            reported("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", 1, Retraction::Check),
            None
        );
        // Only knights can have returned to the initial position; after 1.e4 there are more last
        // moves than 12.
        let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let knights = reported(initial, 2, Retraction::Always).unwrap();
        assert_eq!(knights.len(), 4);
        assert!(knights.contains(&"[c6b8] 1 {}".to_owned()), "{knights:?}");
        assert_eq!(
            reported("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", 1, Retraction::Always),
            None
        );
    }

    #[test]
    fn castling_en_passant_and_double_steps_are_among_them() {
        let castling = reported("5k2/8/8/8/8/8/8/5RK1", 41, Retraction::Check).unwrap();
        assert!(castling.contains(&"[e1h1] 40 {Ke1, Rh1}".to_owned()), "{castling:?}");
        // Bishop and rook both check e6: the double step and exd6 e.p. are taken back together.
        let passing = reported("8/8/3Pk3/8/8/8/B7/K3R3", 41, Retraction::Check).unwrap();
        assert_eq!(passing, ["[d7d5, e5d6] 39 {}"]);
        // d2-d4 gives check and could be answered by exd3 e.p.
        let double = reported("8/8/8/4k3/3Pp3/8/8/4K3", 41, Retraction::Check).unwrap();
        assert!(double.contains(&"[d2d4] 40 {}".to_owned()), "{double:?}");
    }
}

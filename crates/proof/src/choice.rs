//! Choice between the two solvers of a problem from the initial position.
//!
//! The search of positions is decided by the quiet half-moves: those that are left when every
//! capture has its half-move. In massacres there are hardly any, and no strategy solver finishes
//! them, because the choice of captor, victim and square never ends. With few captures, strategies
//! have no rival. Between the two an estimate cannot decide, so both work in turns.

use crate::problem::Problem;
use crate::run::least_moves;
use std::fmt;
use umbrail_chess::geometry::Color;

/// Number of quiet half-moves of both sides up to which positions decide massacres. Measured with
/// four: 30 captures in 17 moves take two minutes on one core.
const QUIET_MAX: u16 = 5;

/// Number of captures from which a game with so few quiet half-moves is a massacre. Strategies
/// solve smaller ones within a second.
const MASSACRE_CAPTURES: u16 = 16;

/// Number of half-moves up to which strategies need no help.
const SHORT_PLIES: u16 = 10;

/// Number of captures up to which strategies need no help.
const FEW_CAPTURES: u16 = 4;

/// Work of the solvers of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverPlan {
    /// The search of strategies alone.
    Strategies,
    /// The search of positions alone.
    Positions,
    /// Both in turns, until one of them is done.
    Turns,
}

/// Counts from which the work of both solvers is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverEstimate {
    /// Half-moves of the problem.
    pub plies: u16,
    /// Captures of both sides.
    pub captures: u16,
    /// Half-moves of both sides that capture nothing.
    pub quiet: u16,
    /// Half-moves of both sides beyond those that the pieces of the diagram need at least; `None`
    /// if a piece cannot reach its square.
    pub free: Option<u16>,
}

impl SolverEstimate {
    /// Counts the captures and moves of a problem.
    pub fn of(problem: &Problem) -> Self {
        let pieces: u32 = problem.diagram.piece_counts().iter().sum();
        let captures = u16::try_from(32_u32.saturating_sub(pieces)).unwrap_or(u16::MAX);
        let plies = problem.plies;
        let free = match least_moves(problem) {
            [Some(white), Some(black)] => {
                let free = |color, least| problem.budget(color).saturating_sub(least);
                Some(free(Color::White, white) + free(Color::Black, black))
            }
            _ => None,
        };
        Self { plies, captures, quiet: plies.saturating_sub(captures), free }
    }

    /// Returns the solvers that are expected to be the fastest.
    pub fn plan(&self) -> SolverPlan {
        match self {
            // Counting alone decides these.
            Self { free: None, .. } => SolverPlan::Strategies,
            Self { plies, .. } if *plies <= SHORT_PLIES => SolverPlan::Strategies,
            Self { captures, .. } if *captures <= FEW_CAPTURES => SolverPlan::Strategies,
            Self { quiet, captures, .. }
                if *quiet <= QUIET_MAX && *captures >= MASSACRE_CAPTURES =>
            {
                SolverPlan::Positions
            }
            _ => SolverPlan::Turns,
        }
    }
}

impl fmt::Display for SolverEstimate {
    /// Writes the solvers and the reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plies, captures, quiet, .. } = self;
        match self.plan() {
            SolverPlan::Strategies if self.free.is_none() => {
                write!(f, "strategies (a piece cannot reach its square)")
            }
            SolverPlan::Strategies if *plies <= SHORT_PLIES => {
                write!(f, "strategies (short: {plies} half-moves)")
            }
            SolverPlan::Strategies => write!(f, "strategies (few captures: {captures})"),
            SolverPlan::Positions => {
                write!(f, "positions ({captures} captures, {quiet} other half-moves)")
            }
            SolverPlan::Turns => write!(
                f,
                "strategies and positions in turns ({captures} captures, {quiet} other half-moves)"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagram, Length};

    fn chosen(placement: &str, plies: u16) -> String {
        let diagram = Diagram::from_setup(&placement.parse().unwrap()).unwrap();
        SolverEstimate::of(&Problem { diagram, plies, length: Length::Parity }).to_string()
    }

    #[test]
    fn massacres_are_for_positions() {
        let chosen = chosen("5k2/8/8/6B1/8/8/8/5K2", 33);
        assert_eq!(chosen, "positions (29 captures, 4 other half-moves)");
    }

    #[test]
    fn short_games_and_few_captures_are_for_strategies() {
        let array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        assert_eq!(chosen(array, 8), "strategies (short: 8 half-moves)");
        assert_eq!(chosen(array, 60), "strategies (few captures: 0)");
        let pawn = "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPP1/RNBQKBNR";
        assert_eq!(chosen(pawn, 40), "strategies (a piece cannot reach its square)");
    }

    #[test]
    fn between_them_both_work_in_turns() {
        let chosen = chosen("r1b1k2r/p3p2p/8/8/8/8/P3P2P/R1B1K2R", 40);
        assert!(chosen.starts_with("strategies and positions in turns (18 captures"), "{chosen}");
    }
}

//! Policies of a run that its parameters choose.

/// Solver of a problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolverChoice {
    /// The solver of an estimate ([`crate::SolverEstimate`]), or both in turns.
    #[default]
    Auto,
    /// Enumeration and search of strategies.
    Strategies,
    /// Search of positions ([`crate::positions`]).
    Positions,
    /// One after the other, with a comparison of the results.
    Both,
}

/// Condition for ending a run early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopAt {
    /// Never.
    #[default]
    Complete,
    /// As soon as the problem is known to be cooked and [`games_max`](crate::run::Params::games_max) games of it are known.
    Counted,
    /// As soon as the problem is known to be cooked.
    Cooked,
    /// At the first game.
    First,
}

/// Policy for analysing all pairs of pieces (rule A18), which is expensive and often saves much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collisions {
    /// For strategies that take long to search.
    #[default]
    Adaptive,
    /// For every strategy of problems with at least 28 pieces, otherwise for none: Stelvio's rule.
    ByPieces,
    /// For every strategy.
    On,
    /// For none.
    Off,
}

/// Treatment of two-move legs with two possible squares, of a side without free moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TwoWaySplitting {
    /// None.
    None,
    /// Both paths are analysed, for a strategy that takes long to search.
    #[default]
    Probe,
    /// Strategies are split into the cases, each of which is searched separately.
    Always,
}

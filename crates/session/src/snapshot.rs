//! Snapshot of a run for a screen: plain numbers and lines.

pub use umbrail_proof::report::text::short;

use std::time::Duration;

/// Snapshot of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The diagram, a row of eight letters per rank from the top: White upper case, `s` for
    /// knights.
    pub board: Vec<String>,
    /// Numbers of pieces of White and Black.
    pub pieces: [u32; 2],
    /// Length of the games in moves, such as `23.0`.
    pub length: String,
    /// Number of the problem, and number of problems.
    pub problem: (usize, usize),
    /// Title of the problem.
    pub title: Option<String>,
    /// Last move that was taken back, its number, and the number of such moves.
    pub retracted: Option<(String, usize, usize)>,
    /// Time since the start of the problem.
    pub time: Duration,
    /// Number of strategies that wait to be searched.
    pub queued: u64,
    /// Number of positions in the table, and its capacity.
    pub cache: (u64, u64),
    /// Number of strategies taken off the queue.
    pub taken: u64,
    /// Number of moves played in all strategies.
    pub moves: u64,
    /// The run only counts strategies.
    pub counting: bool,
    /// Strategies searched or counted, by free moves, most free moves first.
    pub histogram: Vec<(String, u64)>,
    /// A page for each player; if a player has several threads, they are called 1.1, 1.2 and so on.
    pub players: Vec<PlayerPage>,
    /// A page for each seeker.
    pub seekers: Vec<SeekerPage>,
    /// Workers on other machines, if the run can have any.
    pub cluster: Option<ClusterPage>,
    /// Strategies with games found so far.
    pub found: Vec<FoundStrategy>,
    /// Number of games found.
    pub solutions: u64,
    /// Number of strategies that can be played in several ways.
    pub cooks: u64,
    /// Verdict, once there is one.
    pub verdict: Option<String>,
    /// The verdict leaves something open.
    pub partial: bool,
    /// Length of the shortest game, such as `2.5`, if shorter than the stated length.
    pub shorter: Option<String>,
}

/// Page of a player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerPage {
    /// `1`, or `1.2` for the second thread of the first player.
    pub name: String,
    /// Fates of the pawns of White and Black.
    pub matchings: [String; 2],
    /// Free moves, as `2+0`; `None` while no strategy is searched or the strategy is being
    /// analyzed.
    pub free: Option<String>,
    /// First moves of the path, as letter and target square.
    pub path: Vec<String>,
    /// Number of the strategy that the player took off the queue.
    pub taken: u64,
    /// Number of the case being searched, from 1; 0 for the whole strategy.
    pub case: u64,
    /// Number of moves played in the strategy.
    pub moves: u64,
    /// The strategy: the pieces of White and Black with their moves and paths; empty when none is
    /// searched.
    pub pieces: [Vec<String>; 2],
}

/// Page of a seeker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeekerPage {
    /// Number of the seeker.
    pub name: String,
    /// The seeker is enumerating.
    pub running: bool,
    /// Fates of the pawns of White and Black.
    pub matchings: [String; 2],
    /// Number of strategies that the seeker passed on.
    pub kept: u64,
    /// Number of leaves of the tree reached, before the rules were applied to them.
    pub found: u64,
    /// Number of nodes visited.
    pub nodes: u64,
    /// Share of the tree before the current path, in percent, if all branches had one size.
    pub percent: f64,
    /// Path from the root.
    pub steps: Vec<SeekStep>,
}

/// State of a run on several machines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterPage {
    /// Name of the run at the server.
    pub run: String,
    /// Number of units with a result, and number of units known to be missing.
    pub units: (u64, u64),
    /// Number of waiting units, and number of units in work.
    pub queue: (u64, u64),
    /// Results in the last second.
    pub rate: u64,
    /// Number of finished claims, and of all claims once the tree is known.
    pub claims: (u64, Option<u64>),
    /// Number of refuted units that a second worker has confirmed.
    pub audited: u64,
    /// Workers that report to the run.
    pub workers: Vec<WorkerLine>,
    /// Estimated remaining time, if the remaining claims take as long as the finished ones.
    pub left: Option<Duration>,
}

/// A worker of a run on several machines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerLine {
    /// Name of the worker.
    pub name: String,
    /// Number of threads that take units.
    pub threads: u64,
    /// Number of units done since the worker started.
    pub done: u64,
    /// Units in work.
    pub at: Vec<UnitLine>,
}

/// A unit in work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitLine {
    /// Text of the unit.
    pub unit: String,
    /// Time since it was taken, in seconds.
    pub seconds: u64,
}

/// A decision on the path of a seeker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeekStep {
    /// Time spent on the decision, in seconds.
    pub seconds: u64,
    /// Kind of decision.
    pub kind: &'static str,
    /// The decision, its number, and the number of alternatives.
    pub text: String,
    /// The decision lies below the depth at which seekers divide the tree.
    pub below: bool,
}

/// A strategy with games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundStrategy {
    /// The pieces, as in [`PlayerPage::pieces`].
    pub pieces: [Vec<String>; 2],
    /// Free moves.
    pub free: String,
    /// Paths of the pieces of White and Black that move or are captured, in one line each.
    pub paths: [String; 2],
    /// Games, in long algebraic notation.
    pub games: Vec<String>,
}

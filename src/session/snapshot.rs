//! What a screen shows of a run: plain figures and lines.

pub use crate::proof::report::text::short;

use std::time::Duration;

/// One look at a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The diagram, a row of eight letters per rank from the top: White upper case, `s` for knights.
    pub board: Vec<String>,
    /// Men of White and Black.
    pub men: [u32; 2],
    /// The length in moves, such as `23.0`.
    pub length: String,
    /// Which problem of how many.
    pub problem: (usize, usize),
    /// The title of the problem.
    pub title: Option<String>,
    /// The last move that was taken back, and which of how many that is.
    pub retracted: Option<(String, usize, usize)>,
    /// Since the problem was begun.
    pub time: Duration,
    /// Strategies that wait to be searched.
    pub queued: u64,
    /// Positions held by the table, and how many it has room for.
    pub cache: (u64, u64),
    /// Strategies taken off the queue.
    pub taken: u64,
    /// Moves made with all strategies.
    pub moves: u64,
    /// Strategies are only counted.
    pub counting: bool,
    /// Strategies searched or counted, by free moves: those with most free moves first.
    pub histogram: Vec<(String, u64)>,
    /// A page for each player; its threads, if there are several, are called 1.1, 1.2 and so on.
    pub players: Vec<PlayerPage>,
    /// A page for each seeker.
    pub seekers: Vec<SeekerPage>,
    /// The workers on other machines, when there may be some.
    pub cluster: Option<ClusterPage>,
    /// What was found so far.
    pub found: Vec<FoundStrategy>,
    /// Games found.
    pub solutions: u64,
    /// Strategies that can be played in several ways.
    pub cooks: u64,
    /// The verdict, once there is one.
    pub verdict: Option<String>,
    /// The verdict leaves something open.
    pub partial: bool,
    /// The length of the shortest game, such as `2.5`, when that is shorter than the stated length.
    pub shorter: Option<String>,
}

/// What a player shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerPage {
    /// `1`, or `1.2` for the second thread of the first player.
    pub name: String,
    /// What becomes of the pawns of White and Black.
    pub matchings: [String; 2],
    /// Free moves, as `2+0`; none while nothing is searched, or the strategy is still being analysed.
    pub free: Option<String>,
    /// The first moves of the path, as letter and target.
    pub path: Vec<String>,
    /// The number of the strategy that it took off the queue.
    pub taken: u64,
    /// The case of the strategy that is searched, from 1; 0 for the whole strategy.
    pub case: u64,
    /// Moves made with it.
    pub moves: u64,
    /// The strategy: the men of White and Black with their moves and paths; empty when none is searched.
    pub men: [Vec<String>; 2],
}

/// What a seeker shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeekerPage {
    /// Its number.
    pub name: String,
    /// Whether it is enumerating.
    pub running: bool,
    /// What becomes of the pawns of White and Black.
    pub matchings: [String; 2],
    /// Strategies that it passed on.
    pub kept: u64,
    /// Leaves of the tree that it reached, before the rules were applied to them.
    pub found: u64,
    /// Nodes visited.
    pub nodes: u64,
    /// Share of the tree behind the path, in percent, if all branches were of one size.
    pub percent: f64,
    /// The path from the top.
    pub steps: Vec<SeekStep>,
}

/// A run with several machines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterPage {
    /// Its name at the server.
    pub run: String,
    /// Units with a result, and those that are known to have none.
    pub units: (u64, u64),
    /// Units that wait, and units at work.
    pub queue: (u64, u64),
    /// Results in the last second.
    pub rate: u64,
    /// Claims finished, and all of them once the tree is known.
    pub claims: (u64, Option<u64>),
    /// Refuted units that a second worker has confirmed.
    pub audited: u64,
    /// The workers that are heard of.
    pub workers: Vec<WorkerLine>,
    /// About the time that is left, if the claims that are left take as long as those before.
    pub left: Option<Duration>,
}

/// A worker of a run with several machines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerLine {
    /// Its name.
    pub name: String,
    /// Threads that take units.
    pub threads: u64,
    /// Units done since it was started.
    pub done: u64,
    /// Units at work.
    pub at: Vec<UnitLine>,
}

/// A unit that a worker is at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitLine {
    /// Its text.
    pub unit: String,
    /// For how many seconds.
    pub seconds: u64,
}

/// A decision on the path of a seeker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeekStep {
    /// Seconds that it has been pursued.
    pub seconds: u64,
    /// What kind of decision.
    pub kind: &'static str,
    /// What was decided, and which of how many alternatives that is.
    pub text: String,
    /// Below the depth at which seekers divide the tree.
    pub below: bool,
}

/// A strategy with games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundStrategy {
    /// The men as in [`PlayerPage::men`].
    pub men: [Vec<String>; 2],
    /// Free moves.
    pub free: String,
    /// Paths of the men of White and Black that do something, in one line each.
    pub paths: [String; 2],
    /// Games, in long notation.
    pub games: Vec<String>,
}

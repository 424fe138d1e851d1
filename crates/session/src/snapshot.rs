//! Snapshot of a run for a screen: plain numbers and lines. The JSON dialect writes its fields, except
//! those of the problem.

pub use umbrail_proof::report::text::short;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::time::Duration;

/// Snapshot of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Snapshot {
    /// The diagram, a row of eight letters per rank from the top: White upper case, `s` for
    /// knights.
    #[serde(skip)]
    pub board: Vec<String>,
    /// Numbers of pieces of White and Black.
    #[serde(skip)]
    pub pieces: [u32; 2],
    /// Length of the games in moves, such as `23.0`.
    #[serde(skip)]
    pub length: String,
    /// Number of the problem, and number of problems.
    #[serde(skip)]
    pub problem: (usize, usize),
    /// Title of the problem.
    #[serde(skip)]
    pub title: Option<String>,
    /// Last move that was taken back, its number, and the number of such moves.
    #[serde(serialize_with = "retracted")]
    pub retracted: Option<(String, usize, usize)>,
    /// Time since the start of the problem.
    #[serde(rename = "elapsed_ms", serialize_with = "milliseconds")]
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
    #[serde(serialize_with = "classes")]
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
    #[serde(skip)]
    pub partial: bool,
    /// Length of the shortest game, such as `2.5`, if shorter than the stated length.
    pub shorter: Option<String>,
}

/// Page of a player.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerPage {
    /// `1`, or `1.2` for the second thread of the first player.
    pub name: String,
    /// Fates of the pawns of White and Black.
    #[serde(skip)]
    pub matchings: [String; 2],
    /// Free moves, as `2+0`; `None` while no strategy is searched or the strategy is being
    /// analyzed.
    pub free: Option<String>,
    /// First moves of the path, as letter and target square.
    pub path: Vec<String>,
    /// Number of the strategy that the player took off the queue.
    #[serde(skip)]
    pub taken: u64,
    /// Number of the case being searched, from 1; 0 for the whole strategy.
    pub case: u64,
    /// Number of moves played in the strategy.
    pub moves: u64,
    /// The strategy: the pieces of White and Black with their moves and paths; empty when none is
    /// searched.
    #[serde(flatten, serialize_with = "sides")]
    pub pieces: [Vec<String>; 2],
}

/// Page of a seeker.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SeekerPage {
    /// Number of the seeker.
    pub name: String,
    /// The seeker is enumerating.
    pub running: bool,
    /// Fates of the pawns of White and Black.
    #[serde(skip)]
    pub matchings: [String; 2],
    /// Number of strategies that the seeker passed on.
    pub kept: u64,
    /// Number of leaves of the tree reached, before the rules were applied to them.
    pub found: u64,
    /// Number of nodes visited.
    pub nodes: u64,
    /// Share of the tree before the current path, in percent, if all branches had one size.
    #[serde(serialize_with = "two_decimals")]
    pub percent: f64,
    /// Path from the root.
    pub steps: Vec<SeekStep>,
}

/// State of a run on several machines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClusterPage {
    /// Name of the run at the server.
    pub run: String,
    /// Number of units with a result, and number of units known to be missing.
    #[serde(flatten, serialize_with = "units")]
    pub units: (u64, u64),
    /// Number of waiting units, and number of units in work.
    #[serde(flatten, serialize_with = "queue")]
    pub queue: (u64, u64),
    /// Results in the last second.
    #[serde(rename = "per_second")]
    pub rate: u64,
    /// Number of finished claims, and of all claims once the tree is known.
    #[serde(flatten, serialize_with = "claims")]
    pub claims: (u64, Option<u64>),
    /// Number of units that a second worker has confirmed.
    pub audited: u64,
    /// Workers that report to the run.
    pub workers: Vec<WorkerLine>,
    /// Estimated remaining time, if the remaining claims take as long as the finished ones.
    #[serde(rename = "left_ms", serialize_with = "maybe_milliseconds")]
    pub left: Option<Duration>,
}

/// A worker of a run on several machines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UnitLine {
    /// Text of the unit.
    pub unit: String,
    /// Time since it was taken, in seconds.
    #[serde(rename = "elapsed_ms", serialize_with = "seconds")]
    pub seconds: u64,
}

/// A decision on the path of a seeker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeekStep {
    /// Time spent on the decision, in seconds.
    #[serde(rename = "elapsed_ms", serialize_with = "seconds")]
    pub seconds: u64,
    /// Kind of decision.
    pub kind: &'static str,
    /// The decision, its number, and the number of alternatives.
    pub text: String,
    /// The decision lies below the depth at which seekers divide the tree.
    pub below: bool,
}

/// A strategy with games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FoundStrategy {
    /// The pieces, as in [`PlayerPage::pieces`].
    #[serde(skip)]
    pub pieces: [Vec<String>; 2],
    /// Free moves.
    pub free: String,
    /// Paths of the pieces of White and Black that move or are captured, in one line each.
    #[serde(flatten, serialize_with = "sides")]
    pub paths: [String; 2],
    /// Games, in long algebraic notation.
    pub games: Vec<String>,
}

fn milliseconds<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

/// Serializes seconds as milliseconds, the unit of all times in JSON.
fn seconds<S: Serializer>(seconds: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(seconds.saturating_mul(1_000))
}

fn maybe_milliseconds<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => milliseconds(time, to),
        None => to.serialize_none(),
    }
}

fn two_decimals<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64((number * 100.0).round() / 100.0)
}

/// Serializes a pair as two entries with these names.
fn pair<S: Serializer>(
    names: [&'static str; 2],
    first: &impl Serialize,
    second: &impl Serialize,
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(2))?;
    map.serialize_entry(names[0], first)?;
    map.serialize_entry(names[1], second)?;
    map.end()
}

fn sides<T: Serialize, S: Serializer>(sides: &[T; 2], to: S) -> Result<S::Ok, S::Error> {
    pair(["white", "black"], &sides[0], &sides[1], to)
}

fn units<S: Serializer>(units: &(u64, u64), to: S) -> Result<S::Ok, S::Error> {
    pair(["units", "open"], &units.0, &units.1, to)
}

fn queue<S: Serializer>(queue: &(u64, u64), to: S) -> Result<S::Ok, S::Error> {
    pair(["queued", "working"], &queue.0, &queue.1, to)
}

fn claims<S: Serializer>(claims: &(u64, Option<u64>), to: S) -> Result<S::Ok, S::Error> {
    pair(["claims", "of"], &claims.0, &claims.1, to)
}

fn retracted<S: Serializer>(
    retracted: &Option<(String, usize, usize)>,
    to: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Retracted<'a> {
        moves: &'a str,
        number: usize,
        of: usize,
    }
    let record =
        retracted.as_ref().map(|(moves, number, of)| Retracted { moves, number: *number, of: *of });
    record.serialize(to)
}

fn classes<S: Serializer>(classes: &[(String, u64)], to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Class<'a> {
        free: &'a str,
        strategies: u64,
    }
    to.collect_seq(classes.iter().map(|(free, count)| Class { free, strategies: *count }))
}

//! Description of a run for its workers: the problem, all parameters that affect its tree or games,
//! and the finished claims.

use crate::files::archive::{ArchiveError, Header};
use crate::problem::Problem;
use crate::problem::census::Census;
use crate::problem::piece::PieceMask;
use crate::problem::retraction::{EarlierProblem, earlier};
use crate::run::record::FinishedClaims;
use crate::run::{Parameter, Params, RunIdentity, ValueError};
use crate::units::unit::Unit;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use xxhash_rust::xxh3::xxh3_64;

/// Version of the text format.
const FORMAT: u32 = 2;

/// Version of the tree, its order and its places. Increase it with any change of these: a unit of
/// another version denotes other nodes.
pub const TREE_VERSION: u32 = 2;

/// Returns the parameters on the settings line, with their names there.
fn settings() -> impl Iterator<Item = (&'static str, &'static Parameter)> {
    Params::TABLE.iter().filter_map(|one| match one.identity {
        RunIdentity::Units(name) => Some((name, one)),
        _ => None,
    })
}

/// Reason why this program cannot take part in a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunTextError {
    /// The text has another format; with its first line.
    #[error("the run has the format \"{0}\", expected umbrail-units {FORMAT}")]
    Format(String),
    /// The header cannot be parsed.
    #[error(transparent)]
    Header(#[from] ArchiveError),
    /// The run belongs to another version of the program.
    #[error(
        "the run is one of umbrail {0}, this is umbrail {here}; all workers must have the same version",
        here = env!("CARGO_PKG_VERSION")
    )]
    Program(String),
    /// The settings line names other parameters.
    #[error("the run has settings that are not known: \"{0}\"")]
    Settings(String),
    /// The tree has another version.
    #[error("the run has a tree of version {0}, this program walks version {TREE_VERSION}")]
    Tree(String),
    /// A parameter has a value that it does not accept.
    #[error("{name} expects {expected}, got {value}")]
    Value {
        /// Name on the settings line.
        name: &'static str,
        /// Accepted values.
        expected: ValueError,
        /// Value in the text.
        value: String,
    },
    /// A line of finished claims cannot be parsed.
    #[error("the run has a line that makes no sense: \"{0}\"")]
    Done(String),
}

/// A run of units: one problem, which workers read from its text.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// The problem.
    pub problem: Problem,
    /// Parameters of the solution.
    pub params: Params,
    /// Finished claims to omit, as ranges, by part.
    done: BTreeMap<u16, Vec<(u64, u64)>>,
}

impl RunSpec {
    /// Creates a run that omits the finished claims of an archive.
    pub fn new(problem: &Problem, params: &Params, archived: &FinishedClaims) -> Self {
        let mut done: BTreeMap<u16, Vec<(u64, u64)>> = BTreeMap::new();
        for &(part, claim) in archived.keys() {
            let ranges = done.entry(part).or_default();
            match ranges.last_mut() {
                Some((_, until)) if *until == claim => *until += 1,
                _ => ranges.push((claim, claim + 1)),
            }
        }
        Self { problem: *problem, params: params.clone(), done }
    }

    fn header(&self) -> Header {
        Header::of(&self.problem, &self.params)
    }

    /// Returns the identity of a run without its finished claims. Units can be exchanged between
    /// runs of equal identity.
    pub fn question(&self) -> String {
        self.header().question().to_owned()
            + &format!("{:08x}", xxh3_64(self.settings_line().as_bytes()) as u32)
    }

    /// Returns the settings line: the parameters that the header has not.
    fn settings_line(&self) -> String {
        let mut line = format!("tree {TREE_VERSION}");
        for (name, parameter) in settings() {
            let _ = write!(line, " {name} {}", parameter.text(&self.params));
        }
        line
    }

    /// Returns the text that workers read.
    pub fn text(&self) -> String {
        let mut text =
            format!("umbrail-units {FORMAT}\n{}{}\n", self.header().line(), self.settings_line());
        for (part, ranges) in &self.done {
            let _ = write!(text, "done {part}");
            ranges.iter().for_each(|(from, until)| {
                let _ = write!(text, " {from}-{until}");
            });
            text.push('\n');
        }
        text
    }

    /// Parses the text of a run.
    ///
    /// # Errors
    /// Returns the reason why this program cannot take part: another version of the program, of the
    /// tree or of the text.
    pub fn read(text: &str) -> Result<Self, RunTextError> {
        let mut lines = text.split_inclusive('\n');
        let mut line = || lines.next().unwrap_or("");
        let first = line().trim_end();
        if first != format!("umbrail-units {FORMAT}") {
            return Err(RunTextError::Format(first.to_owned()));
        }
        let header = Header::read(line())?;
        if header.program() != env!("CARGO_PKG_VERSION") {
            return Err(RunTextError::Program(header.program().to_owned()));
        }
        let problem = header.problem()?;
        let mut params = header.params()?;
        let line = line().trim_end().to_owned();
        let words: Vec<&str> = line.split(' ').collect();
        let (pairs, rest) = words.as_chunks::<2>();
        let names = std::iter::once("tree").chain(settings().map(|(name, _)| name));
        let [[_, tree], values @ ..] = pairs else { return Err(RunTextError::Settings(line)) };
        if !rest.is_empty() || !pairs.iter().map(|[name, _]| *name).eq(names) {
            return Err(RunTextError::Settings(line));
        }
        if *tree != TREE_VERSION.to_string() {
            return Err(RunTextError::Tree((*tree).to_owned()));
        }
        for ((name, parameter), [_, value]) in settings().zip(values) {
            let value = (*value).to_owned();
            let wrong = |expected| RunTextError::Value { name, expected, value: value.clone() };
            parameter.read(&mut params, &value).map_err(wrong)?;
        }
        let mut done = BTreeMap::new();
        for line in lines {
            let wrong = || RunTextError::Done(line.trim_end().to_owned());
            let mut words = line.trim_end().split(' ').skip(1);
            let part: u16 = words.next().and_then(|part| part.parse().ok()).ok_or_else(wrong)?;
            let range = |word: &str| {
                let (from, until) = word.split_once('-')?;
                Some((from.parse().ok()?, until.parse().ok()?))
            };
            let ranges = words.map(range).collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
            done.insert(part, ranges);
        }
        Ok(Self { problem, params, done })
    }

    /// Returns true if a claim is omitted.
    pub(super) fn is_done(&self, part: u16, claim: u64) -> bool {
        self.are_done(part, claim, claim + 1)
    }

    /// Returns true if all claims of a range are omitted.
    pub(super) fn are_done(&self, part: u16, from: u64, until: u64) -> bool {
        let ranges = self.done.get(&part).map_or(&[][..], Vec::as_slice);
        let behind = ranges.partition_point(|&(first, _)| first <= from);
        ranges[..behind].last().is_some_and(|&(_, end)| until <= end)
    }

    /// Returns true if another archive has all claims that this run omits.
    pub fn is_covered_by(&self, archived: &FinishedClaims) -> bool {
        let all = |(&part, ranges): (&u16, &Vec<(u64, u64)>)| {
            ranges.iter().all(|&(from, until)| {
                let there = archived.range((part, from)..(part, until)).count();
                there as u64 == until - from
            })
        };
        self.done.iter().all(all)
    }

    /// Returns the parts that need work, by number: the problem, or those before each last move
    /// that the census does not reject.
    pub(super) fn parts(&self) -> Vec<(u16, EarlierProblem)> {
        if Census::of(&self.problem).is_err() {
            return vec![];
        }
        let whole =
            EarlierProblem { problem: self.problem, tail: vec![], unmoved: PieceMask::EMPTY };
        let parts = match earlier(&self.problem, self.params.retraction) {
            Some(parts) => (1..).zip(parts).collect(),
            None => vec![(0, whole)],
        };
        parts.into_iter().filter(|(_, part)| Census::of(&part.problem).is_ok()).collect()
    }

    /// Returns the texts of the root units.
    pub fn roots(&self) -> Vec<String> {
        let root = |(part, _)| Unit::Seek { part, place: Default::default() }.to_string();
        self.parts().into_iter().map(root).collect()
    }
}

//! What a worker must know of a run: the problem, everything that changes its tree or games, and what is finished.

use crate::files::archive::Header;
use crate::problem::Problem;
use crate::problem::census::Census;
use crate::problem::man::MenSet;
use crate::problem::retraction::{EarlierProblem, earlier};
use crate::run::record::FinishedClaims;
use crate::run::{Collisions, Params, TwoWaySplitting};
use crate::units::unit::Unit;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use xxhash_rust::xxh3::xxh3_64;

/// Format of the text.
const FORMAT: u32 = 1;

/// Version of the tree, its order and its places. To be raised with any change of these: units of other versions name
/// other nodes.
pub const TREE_VERSION: u32 = 2;

const COLLISIONS: [(&str, Collisions); 4] = [
    ("adaptive", Collisions::Adaptive),
    ("by-men", Collisions::ByMen),
    ("on", Collisions::On),
    ("off", Collisions::Off),
];

const SPLITTERS: [(&str, TwoWaySplitting); 3] = [
    ("none", TwoWaySplitting::None),
    ("probe", TwoWaySplitting::Probe),
    ("always", TwoWaySplitting::Always),
];

/// A run of units: one problem, which workers take from its text.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// The problem.
    pub problem: Problem,
    /// How it is solved.
    pub params: Params,
    /// Finished claims that are left out, by part, as ranges.
    done: BTreeMap<u16, Vec<(u64, u64)>>,
}

impl RunSpec {
    /// A run that leaves out what an archive has.
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

    /// The question: equal for runs of the same problem whose units can be exchanged, whatever is finished.
    pub fn question(&self) -> String {
        self.header().question().to_owned()
            + &format!("{:08x}", xxh3_64(self.means().as_bytes()) as u32)
    }

    /// Everything but problem and finished claims.
    fn means(&self) -> String {
        fn name<T: PartialEq + Copy>(table: &[(&'static str, T)], value: T) -> &'static str {
            table.iter().find(|(_, one)| *one == value).map_or("", |(name, _)| name)
        }
        let params = &self.params;
        format!(
            "tree {TREE_VERSION} moves-max {} collisions {} splitter {}",
            params.moves_max,
            name(&COLLISIONS, params.collisions),
            name(&SPLITTERS, params.splitter)
        )
    }

    /// The text that workers read.
    pub fn text(&self) -> String {
        let mut text =
            format!("umbrail-units {FORMAT}\n{}{}\n", self.header().line(), self.means());
        for (part, ranges) in &self.done {
            let _ = write!(text, "done {part}");
            ranges.iter().for_each(|(from, until)| {
                let _ = write!(text, " {from}-{until}");
            });
            text.push('\n');
        }
        text
    }

    /// Reads the text of a run.
    ///
    /// # Errors
    /// Why this program cannot take part in it: another version of the program, of the tree or of the text.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.split_inclusive('\n');
        let mut line = || lines.next().unwrap_or("");
        let first = line().trim_end();
        if first != format!("umbrail-units {FORMAT}") {
            return Err(format!(
                "the run has the format \"{first}\", expected umbrail-units {FORMAT}"
            ));
        }
        let header = Header::read(line()).map_err(|error| error.to_string())?;
        let here = env!("CARGO_PKG_VERSION");
        if header.program() != here {
            return Err(format!(
                "the run is one of umbrail {}, this is umbrail {here}; all workers must have the same version",
                header.program()
            ));
        }
        let problem = header.problem().map_err(|error| error.to_string())?;
        let mut params = header.params().map_err(|error| error.to_string())?;
        let means = line().trim_end().to_owned();
        let words: Vec<&str> = means.split(' ').collect();
        let ["tree", tree, "moves-max", moves, "collisions", collisions, "splitter", splitter] =
            words.as_slice()
        else {
            return Err(format!("the run has settings that are not known: \"{means}\""));
        };
        if *tree != TREE_VERSION.to_string() {
            return Err(format!(
                "the run has a tree of version {tree}, this program walks version {TREE_VERSION}"
            ));
        }
        fn value<T: Copy>(table: &[(&str, T)], name: &str) -> Result<T, String> {
            let found = table.iter().find(|(one, _)| *one == name);
            found
                .map(|(_, value)| *value)
                .ok_or_else(|| format!("the run has the setting \"{name}\", which is not known"))
        }
        params.moves_max =
            moves.parse().map_err(|_| format!("moves-max wants a number, got {moves}"))?;
        params.collisions = value(&COLLISIONS, collisions)?;
        params.splitter = value(&SPLITTERS, splitter)?;
        let mut done = BTreeMap::new();
        for line in lines {
            let wrong =
                || format!("the run has a line that makes no sense: \"{}\"", line.trim_end());
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

    /// Whether a claim is left out.
    pub(super) fn is_done(&self, part: u16, claim: u64) -> bool {
        self.are_done(part, claim, claim + 1)
    }

    /// Whether all claims of a range are left out.
    pub(super) fn are_done(&self, part: u16, from: u64, until: u64) -> bool {
        let ranges = self.done.get(&part).map_or(&[][..], Vec::as_slice);
        let behind = ranges.partition_point(|&(first, _)| first <= from);
        ranges[..behind].last().is_some_and(|&(_, end)| until <= end)
    }

    /// Whether another archive has all that is left out here.
    pub fn is_covered_by(&self, archived: &FinishedClaims) -> bool {
        let all = |(&part, ranges): (&u16, &Vec<(u64, u64)>)| {
            ranges.iter().all(|&(from, until)| {
                let there = archived.range((part, from)..(part, until)).count();
                there as u64 == until - from
            })
        };
        self.done.iter().all(all)
    }

    /// The parts that need work, by number: the problem, or those before each last move that a census does not refuse.
    pub(super) fn parts(&self) -> Vec<(u16, EarlierProblem)> {
        if Census::of(&self.problem).is_err() {
            return vec![];
        }
        let whole = EarlierProblem { problem: self.problem, tail: vec![], unmoved: MenSet::EMPTY };
        let parts = match earlier(&self.problem, self.params.retraction) {
            Some(parts) => (1..).zip(parts).collect(),
            None => vec![(0, whole)],
        };
        parts.into_iter().filter(|(_, part)| Census::of(&part.problem).is_ok()).collect()
    }

    /// The texts of the units from which all others come.
    pub fn roots(&self) -> Vec<String> {
        let root = |(part, _)| Unit::Seek { part, place: Default::default() }.to_string();
        self.parts().into_iter().map(root).collect()
    }
}

//! Archives of runs: finished work line by line, so that a run can be resumed after a crash,
//! divided into shards, and checked without solving it again.
//!
//! An archive is text. Its first line names the problem and everything that changes the tree; then
//! comes a line for each finished claim with its counts and games, and one for each completely
//! enumerated part. Every line ends with a checksum; a truncated line and all lines after it are
//! ignored.

use crate::check::verify::verify;
use crate::problem::retraction;
use crate::problem::retraction::Retraction;
use crate::problem::{Length, Problem};
use crate::run::record::ClaimRecord;
use crate::run::record::FinishedClaims;
use crate::run::record::RunCounts;
use crate::run::record::StrategyNumber;
use crate::run::record::Success;
use crate::run::{Params, RunReport};
use crate::{Diagram, Waypoints, project};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fmt::Write as _;
use umbrail_chess::{Move, Position, parse_uci, to_uci};
use xxhash_rust::xxh3::xxh3_64;

/// Format of archives that this version writes and reads.
const FORMAT: u32 = 1;

/// Why an archive cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveError {
    /// The first line is not that of an archive, or of another format.
    Header(String),
    /// The archive belongs to another problem or other settings: this field differs.
    Differs {
        /// The field.
        field: String,
        /// Its value here and there.
        values: [String; 2],
    },
    /// A game does not replay, or claims disagree.
    Broken(String),
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(found) => {
                write!(f, "no archive of format {FORMAT}, its first line is \"{found}\"")
            }
            Self::Differs { field, values: [here, there] } => {
                write!(f, "the archive has {field} {there}, expected {here}")
            }
            Self::Broken(what) => write!(f, "the archive is broken: {what}"),
        }
    }
}

impl std::error::Error for ArchiveError {}

/// The fields of the first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    fields: Vec<(&'static str, String)>,
}

/// Fields of a header in order. `shard` may differ between archives that are merged.
const FIELDS: [&str; 8] =
    ["diagram", "plies", "length", "rules", "sync", "games", "retraction", "shard"];

impl Header {
    /// The header of a run.
    pub fn of(problem: &Problem, params: &Params) -> Self {
        let (shard, shards) = params.shard;
        let values = [
            problem.diagram.to_string(),
            problem.plies.to_string(),
            if problem.length == Length::Exact { "exact" } else { "parity" }.to_owned(),
            params.rules.to_string(),
            params.sync_depth.to_string(),
            params.games_max.to_string(),
            match params.retraction {
                Retraction::Check => "check",
                Retraction::Never => "never",
                Retraction::Always => "always",
            }
            .to_owned(),
            format!("{shard}/{shards}"),
        ];
        Self { fields: FIELDS.into_iter().zip(values).collect() }
    }

    /// The first line.
    pub fn line(&self) -> String {
        let mut text = format!("umbrail-spg {FORMAT}");
        for (name, value) in &self.fields {
            let _ = write!(text, " {name}={value}");
        }
        sealed(&text)
    }

    fn read(line: &str) -> Result<Self, ArchiveError> {
        let wrong = || ArchiveError::Header(line.chars().take(60).collect());
        let body = opened(line).ok_or_else(wrong)?;
        let rest = body.strip_prefix(&format!("umbrail-spg {FORMAT} ")).ok_or_else(wrong)?;
        let mut fields = Vec::new();
        for (name, word) in FIELDS.into_iter().zip(rest.split(' ')) {
            let value = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('='));
            fields.push((name, value.ok_or_else(wrong)?.to_owned()));
        }
        if fields.len() < FIELDS.len() { Err(wrong()) } else { Ok(Self { fields }) }
    }

    fn get(&self, name: &str) -> &str {
        self.fields.iter().find(|(field, _)| *field == name).map_or("", |(_, value)| value)
    }

    /// Compares two headers; the shard only if `shard` is set.
    ///
    /// # Errors
    /// The first field that differs.
    pub fn agrees(&self, other: &Self, shard: bool) -> Result<(), ArchiveError> {
        for ((field, here), (_, there)) in self.fields.iter().zip(&other.fields) {
            if here != there && (shard || *field != "shard") {
                let values = [here.clone(), there.clone()];
                return Err(ArchiveError::Differs { field: (*field).to_owned(), values });
            }
        }
        Ok(())
    }

    /// The problem it names.
    ///
    /// # Errors
    /// When its fields are not those of a problem.
    pub fn problem(&self) -> Result<Problem, ArchiveError> {
        let wrong = || ArchiveError::Header(self.line().chars().take(60).collect());
        let setup = self.get("diagram").parse().map_err(|_| wrong())?;
        Ok(Problem {
            diagram: Diagram::from_setup(&setup).map_err(|_| wrong())?,
            plies: self.get("plies").parse().map_err(|_| wrong())?,
            length: if self.get("length") == "exact" { Length::Exact } else { Length::Parity },
        })
    }

    fn retraction(&self) -> Retraction {
        match self.get("retraction") {
            "never" => Retraction::Never,
            "always" => Retraction::Always,
            _ => Retraction::Check,
        }
    }
}

/// A line with its checksum.
fn sealed(body: &str) -> String {
    format!("{body} #{:016x}\n", xxh3_64(body.as_bytes()))
}

/// The body of a line whose checksum is right.
fn opened(line: &str) -> Option<&str> {
    let (body, seal) = line.trim_end().rsplit_once(" #")?;
    (u64::from_str_radix(seal, 16).ok()? == xxh3_64(body.as_bytes())).then_some(body)
}

/// The line of a finished claim.
pub fn claim_line(record: &ClaimRecord) -> String {
    let ClaimRecord { retraction, claim, counts, successes } = record;
    let mut text = format!(
        "claim {retraction} {claim} found {} kept {} played {} filtered {} moves {}",
        counts.found, counts.kept, counts.played, counts.filtered, counts.moves
    );
    for success in successes {
        let all = if success.complete { "all" } else { "some" };
        let _ = write!(text, " | {} {all}", success.number.index);
        for game in &success.games {
            text.push_str(" :");
            let mut position = Position::startpos();
            for &mv in game {
                let _ = write!(text, " {}", to_uci(&position, mv, false));
                position = position.after(mv);
            }
        }
    }
    sealed(&text)
}

/// The line of a part that was sought to the end.
pub fn part_line(retraction: u16, claims: u64, digest: u64) -> String {
    sealed(&format!("part {retraction} claims {claims} digest {digest:016x}"))
}

/// The contents of archives.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// Finished claims by part and number.
    pub claims: FinishedClaims,
    /// Parts that were enumerated completely: their claims and digest.
    pub(crate) parts: BTreeMap<u16, (u64, u64)>,
    /// Bytes of the text up to the end of the last whole line.
    pub good_bytes: usize,
    /// Lines that were truncated or damaged and left out.
    pub damaged: usize,
}

impl Archive {
    /// Reads an archive; a damaged line and all that follow it are left out.
    ///
    /// # Errors
    /// When the first line is no header, when a game does not replay, or when parts disagree.
    pub fn read(text: &str) -> Result<(Header, Self), ArchiveError> {
        let mut lines = text.split_inclusive('\n');
        let first = lines.next().unwrap_or("");
        let header = Header::read(first)?;
        let problem = header.problem()?;
        let mut archive = Self { good_bytes: first.len(), ..Self::default() };
        for line in lines {
            let Some(body) = opened(line).filter(|_| line.ends_with('\n') && archive.damaged == 0)
            else {
                archive.damaged += 1;
                continue;
            };
            archive.take(&problem, body)?;
            archive.good_bytes += line.len();
        }
        Ok((header, archive))
    }

    fn take(&mut self, problem: &Problem, body: &str) -> Result<(), ArchiveError> {
        let broken = || ArchiveError::Broken(body.chars().take(60).collect());
        let words: Vec<&str> = body.split(' ').collect();
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
        match words.first().copied() {
            Some("part") => {
                let (retraction, claims) = (number(1), number(3));
                let digest = words.get(5).and_then(|word| u64::from_str_radix(word, 16).ok());
                let (Some(retraction), Some(claims), Some(digest)) = (retraction, claims, digest)
                else {
                    return Err(broken());
                };
                let known = self.parts.insert(retraction as u16, (claims, digest));
                if known.is_some_and(|known| known != (claims, digest)) {
                    return Err(ArchiveError::Broken("two seekers walked different trees".into()));
                }
                Ok(())
            }
            Some("claim") => {
                let record = read_claim(problem, body).ok_or_else(broken)?;
                self.claims.insert((record.retraction, record.claim), record);
                Ok(())
            }
            _ => Err(broken()),
        }
    }

    /// Adds the contents of another archive of the same run.
    ///
    /// # Errors
    /// When the two runs walked different trees.
    pub fn join(&mut self, other: Self) -> Result<(), ArchiveError> {
        for (part, tree) in other.parts {
            if self.parts.insert(part, tree).is_some_and(|known| known != tree) {
                return Err(ArchiveError::Broken("two shards walked different trees".into()));
            }
        }
        self.claims.extend(other.claims);
        self.damaged += other.damaged;
        Ok(())
    }

    /// What is missing for a complete run: parts that were not enumerated completely, and claims.
    ///
    /// # Errors
    /// When the header does not name a problem.
    pub fn missing(&self, header: &Header) -> Result<Vec<String>, ArchiveError> {
        let problem = header.problem()?;
        if crate::problem::census::Census::of(&problem).is_err() {
            return Ok(vec![]);
        }
        let wanted: Vec<u16> = match retraction::earlier(&problem, header.retraction()) {
            // A part that the census refuses has no claims.
            Some(parts) => (0u16..)
                .zip(&parts)
                .filter(|(_, part)| crate::problem::census::Census::of(&part.problem).is_ok())
                .map(|(at, _)| at + 1)
                .collect(),
            None => vec![0],
        };
        let mut missing = Vec::new();
        for part in wanted {
            let Some(&(claims, _)) = self.parts.get(&part) else {
                missing.push(format!("part {part} was not enumerated completely"));
                continue;
            };
            let done: BTreeSet<u64> =
                self.claims.range((part, 0)..(part + 1, 0)).map(|((_, claim), _)| *claim).collect();
            let open: Vec<u64> = (0..claims).filter(|claim| !done.contains(claim)).collect();
            if !open.is_empty() {
                let some: Vec<String> = open.iter().take(8).map(u64::to_string).collect();
                let more = if open.len() > 8 { ", …" } else { "" };
                let (count, some) = (open.len(), some.join(", "));
                missing.push(format!("part {part}: {count} of {claims} claims ({some}{more})"));
            }
        }
        Ok(missing)
    }

    /// The report of all claims.
    ///
    /// # Errors
    /// When the header does not name a problem.
    pub fn report(&self, header: &Header) -> Result<RunReport, ArchiveError> {
        let problem = header.problem()?;
        if let Err(refusals) = crate::problem::census::Census::of(&problem) {
            return Ok(RunReport { refusals, searched: true, ..RunReport::default() });
        }
        let mut report =
            RunReport { searched: self.missing(header)?.is_empty(), ..RunReport::default() };
        for record in self.claims.values() {
            report.take_claim(record);
            report.searched &= record.counts.filtered == 0;
        }
        Ok(report)
    }
}

fn read_claim(problem: &Problem, body: &str) -> Option<ClaimRecord> {
    let mut sections = body.split(" | ");
    let words: Vec<&str> = sections.next()?.split(' ').collect();
    let number = |at: usize| words.get(at)?.parse::<u64>().ok();
    let mut record = ClaimRecord {
        retraction: u16::try_from(number(1)?).ok()?,
        claim: number(2)?,
        counts: RunCounts {
            found: number(4)?,
            kept: number(6)?,
            played: number(8)?,
            filtered: number(10)?,
            moves: number(12)?,
            ..RunCounts::default()
        },
        successes: vec![],
    };
    for section in sections {
        let mut games = section.split(" : ");
        let (index, all) = games.next()?.split_once(' ')?;
        let games: Vec<Vec<Move>> =
            games.map(|game| read_game(problem, game)).collect::<Option<_>>()?;
        let number = StrategyNumber {
            retraction: record.retraction,
            claim: record.claim,
            index: index.parse().ok()?,
        };
        record.successes.push(Success {
            number,
            strategy: project(games.first()?).ok()?,
            needed: [0; 32],
            waypoints: Waypoints::default(),
            free: [0; 2],
            games,
            complete: all == "all",
        });
    }
    Some(record)
}

/// A game in coordinates that solves the problem.
fn read_game(problem: &Problem, text: &str) -> Option<Vec<Move>> {
    let mut position = Position::startpos();
    let mut game = Vec::new();
    for word in text.split(' ') {
        let mv = parse_uci(&position, word).ok()?;
        position = position.after(mv);
        game.push(mv);
    }
    verify(problem, &game).ok().map(|()| game)
}

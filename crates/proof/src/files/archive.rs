//! Archives of runs: finished work line by line, so that a run can be resumed after a crash,
//! divided into shards, and checked without solving it again.
//!
//! An archive is text. Its first line names the question: the problem, the condition, and everything
//! else that changes the tree or the games, with a digest of all that. Then comes a line for each
//! finished claim with its counts and games, and one for each completely enumerated part. Every line
//! ends with a checksum, so a damaged line is noticed, and all others can still be used.

mod consistency;
mod header;
mod missing;

use crate::check::verify::verify;
use crate::problem::Problem;
use crate::run::RunReport;
use crate::run::record::{
    ClaimRecord, EnumeratedTree, EnumeratedTrees, FinishedClaims, RunCounts, StrategyNumber,
    Success,
};
use crate::{Waypoints, project};
use consistency::RecordRules;
use header::FORMAT;
pub use header::Header;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use umbrail_chess::{Move, Position, parse_uci, to_uci};
use xxhash_rust::xxh3::xxh3_64;

/// Ranges of damaged lines that are shown.
const RANGES_SHOWN: usize = 8;

/// Advice for an archive of another version.
const OTHER_VERSION: &str =
    "; it is of another version: go on with that one, or solve again into another file";

/// Why an archive cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// The first line is not that of an archive, or of another format.
    #[error(
        "line 1 is not the undamaged header of an archive of format {FORMAT}: \"{0}\"{advice}",
        advice = if of_another_format(.0) { OTHER_VERSION } else { "" }
    )]
    Header(String),
    /// The archive belongs to another problem or other settings: this field differs.
    #[error("the archive has {field} {}, expected {}", .values[1], .values[0])]
    Differs {
        /// The field.
        field: String,
        /// Its value here and there.
        values: [String; 2],
    },
    /// Two archives, or two lines of one, cannot belong to the same run.
    #[error("{0}")]
    Contradiction(&'static str),
    /// Reading was stopped.
    #[error("stopped")]
    Stopped,
}

/// Whether a first line names a format other than [`FORMAT`].
fn of_another_format(line: &str) -> bool {
    let number = line.strip_prefix("umbrail-spg ").and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|format| format != FORMAT)
}

/// A line with its checksum.
fn sealed(body: &str) -> String {
    format!("{body} #{:016x}\n", xxh3_64(body.as_bytes()))
}

/// The body of a line whose checksum is right.
fn opened(line: &str) -> Option<&str> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let (body, seal) = line.strip_suffix('\r').unwrap_or(line).rsplit_once(" #")?;
    (seal == format!("{:016x}", xxh3_64(body.as_bytes()))).then_some(body)
}

/// The line of a finished claim.
pub fn claim_line(record: &ClaimRecord) -> String {
    let ClaimRecord { retraction, claim, counts, successes } = record;
    let mut text = format!(
        "claim {retraction} {claim} enumerated {} unrefuted {} searched {} filtered {} moves {}",
        counts.enumerated, counts.unrefuted, counts.searched, counts.filtered, counts.moves
    );
    for success in successes {
        let all = if success.complete { "all" } else { "some" };
        let [white, black] = success.free;
        let _ = write!(text, " | {} {all} free {white}+{black} needed ", success.number.index);
        success.needed.iter().for_each(|moves| {
            let _ = write!(text, "{moves:02x}");
        });
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

/// The line of a part that was enumerated completely.
pub fn part_line(retraction: u16, claims: u64, digest: u64) -> String {
    sealed(&format!("part {retraction} claims {claims} digest {digest:016x}"))
}

/// The contents of archives.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// Finished claims by part and number.
    pub claims: FinishedClaims,
    /// Parts that were enumerated completely: their trees.
    pub(crate) parts: BTreeMap<u16, EnumeratedTree>,
    /// Lines that were damaged or cannot be true, and were left out, by number from 1.
    pub damaged: Vec<usize>,
    /// Why lines with a right checksum are among them; the first few.
    pub(crate) reasons: Vec<String>,
    /// The number of lines.
    pub(crate) lines: usize,
    /// The last line has no line end, so nothing may be written behind it.
    pub unterminated: bool,
}

impl Archive {
    /// Reads the first line of an archive alone: the problem and its settings.
    ///
    /// # Errors
    /// When it is no undamaged header.
    pub fn read_header(line: &str) -> Result<Header, ArchiveError> {
        Header::read(line)
    }

    /// Reads an archive; damaged lines are left out, and listed. `is_over` is polled.
    ///
    /// # Errors
    /// When the first line is no header, or when parts disagree.
    pub fn read(text: &str, is_over: &dyn Fn() -> bool) -> Result<(Header, Self), ArchiveError> {
        let mut lines = text.split_inclusive('\n');
        let header = Header::read(lines.next().unwrap_or(""))?;
        let problem = header.problem()?;
        let rules = RecordRules::of(&header)?;
        let mut archive = Self { lines: 1, ..Self::default() };
        for line in lines {
            if is_over() {
                return Err(ArchiveError::Stopped);
            }
            archive.lines += 1;
            archive.unterminated = !line.ends_with('\n');
            let taken = match opened(line) {
                Some(body) => archive.take(&problem, &rules, body)?.map_err(Some),
                None => Err(None),
            };
            if let Err(why) = taken {
                archive.damaged.push(archive.lines);
                let why = why.filter(|_| archive.reasons.len() < RANGES_SHOWN);
                archive.reasons.extend(why.map(|why| format!("line {}: {why}", archive.lines)));
            }
        }
        Ok((header, archive))
    }

    /// The text of an archive with these contents.
    pub fn text(&self, header: &Header) -> String {
        let mut text = header.line();
        self.claims.values().for_each(|record| text += &claim_line(record));
        for (&part, &EnumeratedTree { claims, digest }) in &self.parts {
            text += &part_line(part, claims, digest);
        }
        text
    }

    /// The trees that earlier runs enumerated, by part.
    pub fn trees(&self) -> &EnumeratedTrees {
        &self.parts
    }

    /// Describes the damaged and impossible lines, with reasons for the first few; `None` if there are none.
    pub fn damage(&self) -> Option<String> {
        let mut ranges: Vec<(usize, usize)> = vec![];
        for &line in &self.damaged {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == line => *last = line,
                _ => ranges.push((line, line)),
            }
        }
        let shown = ranges.iter().take(RANGES_SHOWN).map(|&(first, last)| match last - first {
            0 => first.to_string(),
            _ => format!("{first} to {last}"),
        });
        let more = if ranges.len() > RANGES_SHOWN { " and more" } else { "" };
        let shown = shown.collect::<Vec<_>>().join(", ");
        let (count, lines) = (self.damaged.len(), self.lines);
        let text = match count {
            0 => return None,
            1 => format!("1 of {lines} lines is damaged, line {shown}"),
            _ => format!("{count} of {lines} lines are damaged, lines {shown}{more}"),
        };
        let why = match self.reasons.is_empty() {
            true => String::new(),
            false => format!(" ({})", self.reasons.join("; ")),
        };
        Some(text + &why)
    }

    /// Takes a line whose checksum is right; gives back why it cannot be used all the same.
    fn take(
        &mut self,
        problem: &Problem,
        rules: &RecordRules,
        body: &str,
    ) -> Result<Result<(), &'static str>, ArchiveError> {
        let unreadable = Ok(Err("it is not a line of an archive"));
        // A line is as this program writes it, or it is none.
        let is_written = |line: String| opened(&line) == Some(body);
        if let Some((part, tree)) = read_part(body) {
            if !is_written(part_line(part, tree.claims, tree.digest)) {
                return unreadable;
            }
            if !rules.has_part(part) {
                return Ok(Err("there is no such part"));
            }
            if self.parts.insert(part, tree).is_some_and(|known| known != tree) {
                return Err(ArchiveError::Contradiction("two runs enumerated different trees"));
            }
            return Ok(Ok(()));
        }
        let record = Some(body).filter(|body| body.starts_with("claim "));
        let record = record.and_then(|body| read_claim(problem, body));
        let Some(record) = record.filter(|record| is_written(claim_line(record))) else {
            return unreadable;
        };
        match rules.fault(&record) {
            Some(why) => Ok(Err(why)),
            None => self.insert(record).map(Ok),
        }
    }

    pub(crate) fn insert(&mut self, record: ClaimRecord) -> Result<(), ArchiveError> {
        let key = (record.retraction, record.claim);
        if self.claims.get(&key).is_some_and(|known| !consistency::agree(known, &record)) {
            return Err(ArchiveError::Contradiction(
                "a claim is there twice, with different strategies or games",
            ));
        }
        self.claims.insert(key, record);
        Ok(())
    }

    /// Adds the contents of another archive of the same run.
    ///
    /// # Errors
    /// When the two runs walked different trees.
    pub fn join(&mut self, other: Self) -> Result<(), ArchiveError> {
        for (part, tree) in other.parts {
            if self.parts.insert(part, tree).is_some_and(|known| known != tree) {
                return Err(ArchiveError::Contradiction("two shards enumerated different trees"));
            }
        }
        other.claims.into_values().try_for_each(|record| self.insert(record))
    }

    /// The report of all claims.
    ///
    /// # Errors
    /// When the header does not name a problem.
    pub fn report(&self, header: &Header) -> Result<RunReport, ArchiveError> {
        let problem = header.problem()?;
        if let Err(refusals) = crate::problem::census::Census::of(&problem) {
            let (enumerated, searched) = (true, true);
            return Ok(RunReport { refusals, enumerated, searched, ..RunReport::default() });
        }
        let enumerated = self.missing(header)?.is_empty();
        let mut report = RunReport { enumerated, searched: enumerated, ..RunReport::default() };
        for record in self.claims.values() {
            report.take_claim(record);
            let counts = &record.counts;
            report.searched &= counts.filtered == 0 && counts.searched == counts.unrefuted;
        }
        Ok(report)
    }
}

/// The finished claim of a line, with every game replayed by the rules; none when the line is damaged or wrong.
pub(crate) fn claim_of_line(problem: &Problem, line: &str) -> Option<ClaimRecord> {
    read_claim(problem, opened(line)?).filter(|_| line.starts_with("claim "))
}

/// The part and its tree, of a line that may be one.
fn read_part(body: &str) -> Option<(u16, EnumeratedTree)> {
    let words: Vec<&str> = body.split(' ').collect();
    let ["part", part, "claims", claims, "digest", digest] = words[..] else { return None };
    let digest = u64::from_str_radix(digest, 16).ok()?;
    Some((part.parse().ok()?, EnumeratedTree { claims: claims.parse().ok()?, digest }))
}

fn read_claim(problem: &Problem, body: &str) -> Option<ClaimRecord> {
    let mut sections = body.split(" | ");
    let words: Vec<&str> = sections.next()?.split(' ').collect();
    let number = |at: usize| words.get(at)?.parse::<u64>().ok();
    let mut record = ClaimRecord {
        retraction: u16::try_from(number(1)?).ok()?,
        claim: number(2)?,
        counts: RunCounts {
            enumerated: number(4)?,
            unrefuted: number(6)?,
            searched: number(8)?,
            filtered: number(10)?,
            moves: number(12)?,
            ..RunCounts::default()
        },
        successes: vec![],
    };
    for section in sections {
        let mut games = section.split(" : ");
        let about: Vec<&str> = games.next()?.split(' ').collect();
        let [index, all, "free", free, "needed", needed] = about.as_slice() else { return None };
        let (white, black) = free.split_once('+')?;
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
            needed: read_needed(needed)?,
            waypoints: Waypoints::default(),
            free: [white.parse().ok()?, black.parse().ok()?],
            games,
            complete: *all == "all",
        });
    }
    Some(record)
}

/// The moves that each man needs, two hexadecimal digits each.
fn read_needed(text: &str) -> Option<[u8; 32]> {
    let mut needed = [0; 32];
    if text.len() != 2 * needed.len() || !text.is_ascii() {
        return None;
    }
    for (at, moves) in needed.iter_mut().enumerate() {
        *moves = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(needed)
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

//! The first line of an archive: the problem, and everything else that changes the tree or the games.

use super::{ArchiveError, opened, sealed};
use crate::Diagram;
use crate::problem::retraction::Retraction;
use crate::problem::{Length, Problem};
use crate::run::Params;
use std::fmt::Write as _;
use xxhash_rust::xxh3::xxh3_64;

/// Format of archives that this version writes and reads. Version 1 knew no condition.
pub(super) const FORMAT: u32 = 2;

/// The fields of the first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    fields: Vec<(&'static str, String)>,
}

/// Fields of a header in order. `question` is the digest of all others but the shard, which may differ between archives
/// that are merged. The condition is the last one, since it may have blanks; `-` is none.
const FIELDS: [&str; 11] = [
    "question",
    "diagram",
    "plies",
    "length",
    "rules",
    "sync",
    "games",
    "retraction",
    "program",
    "shard",
    "condition",
];

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
            env!("CARGO_PKG_VERSION").to_owned(),
            format!("{shard}/{shards}"),
            params.condition.as_ref().map_or("-".to_owned(), ToString::to_string),
        ];
        let values = std::iter::once(String::new()).chain(values);
        let mut header = Self { fields: FIELDS.into_iter().zip(values).collect() };
        header.fields[0].1 = header.digest();
        header
    }

    /// The digest of the question.
    fn digest(&self) -> String {
        let asked = self.fields.iter().filter(|(name, _)| !matches!(*name, "question" | "shard"));
        let text: String = asked.map(|(name, value)| format!("{name}={value}\n")).collect();
        format!("{:016x}", xxh3_64(text.as_bytes()))
    }

    /// The first line.
    pub fn line(&self) -> String {
        let mut text = format!("umbrail-spg {FORMAT}");
        for (name, value) in &self.fields {
            let _ = write!(text, " {name}={value}");
        }
        sealed(&text)
    }

    /// Reads a first line.
    ///
    /// # Errors
    /// When it is damaged, or of another format.
    pub fn read(line: &str) -> Result<Self, ArchiveError> {
        let wrong = || ArchiveError::Header(line.chars().take(60).collect());
        let body = opened(line).ok_or_else(wrong)?;
        let rest = body.strip_prefix(&format!("umbrail-spg {FORMAT} ")).ok_or_else(wrong)?;
        let mut fields = Vec::new();
        for (name, word) in FIELDS.into_iter().zip(rest.splitn(FIELDS.len(), ' ')) {
            let value = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('='));
            fields.push((name, value.ok_or_else(wrong)?.to_owned()));
        }
        let header = Self { fields };
        let whole =
            header.fields.len() == FIELDS.len() && header.get("question") == header.digest();
        if whole { Ok(header) } else { Err(wrong()) }
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
            if here != there && *field != "question" && (shard || *field != "shard") {
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

    /// The parameters that it names; all others are the default ones.
    ///
    /// # Errors
    /// When its fields are not those of a run.
    pub fn params(&self) -> Result<Params, ArchiveError> {
        let wrong = || ArchiveError::Header(self.line().chars().take(60).collect());
        Ok(Params {
            rules: self.get("rules").parse().map_err(|_| wrong())?,
            sync_depth: self.get("sync").parse().map_err(|_| wrong())?,
            games_max: self.get("games").parse().map_err(|_| wrong())?,
            retraction: self.retraction(),
            condition: self.condition().map(str::parse).transpose().map_err(|_| wrong())?,
            ..Params::default()
        })
    }

    /// The program version that wrote it.
    pub fn program(&self) -> &str {
        self.get("program")
    }

    /// The digest of the question: of the problem and everything else that changes the tree or the games.
    pub fn question(&self) -> &str {
        self.get("question")
    }

    /// The condition that strategies had to fulfil to be searched, if there was one.
    pub fn condition(&self) -> Option<&str> {
        Some(self.get("condition")).filter(|text| *text != "-")
    }

    /// The shard that the archive is for, and the number of shards: 0 and 1 for a whole run.
    pub fn shard(&self) -> (u64, u64) {
        let both = self.get("shard").split_once('/');
        let both = both.and_then(|(shard, count)| Some((shard.parse().ok()?, count.parse().ok()?)));
        both.unwrap_or((0, 1))
    }

    /// How many games of each strategy were counted at most.
    pub fn games_max(&self) -> usize {
        self.get("games").parse().unwrap_or(usize::MAX)
    }

    /// When the last move was taken back.
    pub fn retraction(&self) -> Retraction {
        match self.get("retraction") {
            "never" => Retraction::Never,
            "always" => Retraction::Always,
            _ => Retraction::Check,
        }
    }
}

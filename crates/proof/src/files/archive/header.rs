//! The first line of an archive: the problem, and everything else that changes the tree or the games.

use super::{ArchiveError, opened, sealed};
use crate::Diagram;
use crate::problem::retraction::Retraction;
use crate::problem::{Length, Problem};
use crate::run::{Parameter, Params, RunIdentity, Words};
use std::fmt::Write as _;
use xxhash_rust::xxh3::xxh3_64;

/// Format of archives that this version writes and reads. Version 1 knew no condition.
pub(super) const FORMAT: u32 = 2;

/// The fields of the first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    fields: Vec<(&'static str, String)>,
}

/// Field of the digest of all others but the shard, which may differ between archives that are merged.
const QUESTION: &str = "question";

/// Field of the shard.
const SHARD: &str = "shard";

/// Returns the names of the fields in order, with the parameter of each that is one. The condition is the last one,
/// since it may have blanks.
fn declared_fields() -> impl Iterator<Item = (&'static str, Option<&'static Parameter>)> {
    let own = |name| (name, None);
    let parameters = |name: fn(RunIdentity) -> Option<&'static str>| {
        Params::TABLE.iter().filter_map(move |one| Some((name(one.identity)?, Some(one))))
    };
    [QUESTION, "diagram", "plies", "length"]
        .into_iter()
        .map(own)
        .chain(parameters(|identity| match identity {
            RunIdentity::Question(name) => Some(name),
            _ => None,
        }))
        .chain(std::iter::once(own("program")))
        .chain(parameters(|identity| match identity {
            RunIdentity::Shard => Some(SHARD),
            _ => None,
        }))
        .chain(parameters(|identity| match identity {
            RunIdentity::QuestionText(name) => Some(name),
            _ => None,
        }))
}

impl Header {
    /// The header of a run.
    pub fn of(problem: &Problem, params: &Params) -> Self {
        let Problem { diagram, plies, length } = problem;
        let value = |(name, parameter): (&'static str, Option<&Parameter>)| {
            let text = match (parameter, name) {
                (Some(parameter), _) => parameter.text(params),
                (None, "diagram") => diagram.to_string(),
                (None, "plies") => plies.to_string(),
                (None, "length") => length.word().to_owned(),
                (None, "program") => env!("CARGO_PKG_VERSION").to_owned(),
                (None, _) => String::new(),
            };
            (name, text)
        };
        let mut header = Self { fields: declared_fields().map(value).collect() };
        header.fields[0].1 = header.digest();
        header
    }

    /// The digest of the question.
    fn digest(&self) -> String {
        let asked = self.fields.iter().filter(|(name, _)| !matches!(*name, QUESTION | SHARD));
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
        let count = declared_fields().count();
        for ((name, _), word) in declared_fields().zip(rest.splitn(count, ' ')) {
            let value = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('='));
            fields.push((name, value.ok_or_else(wrong)?.to_owned()));
        }
        let header = Self { fields };
        let whole = header.fields.len() == count && header.get(QUESTION) == header.digest();
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
            if here != there && *field != QUESTION && (shard || *field != SHARD) {
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
            length: Length::of_word(self.get("length")).ok_or_else(wrong)?,
        })
    }

    /// The parameters that it names, but for the shard; all others are the default ones.
    ///
    /// # Errors
    /// When its fields are not those of a run.
    pub fn params(&self) -> Result<Params, ArchiveError> {
        let wrong = || ArchiveError::Header(self.line().chars().take(60).collect());
        let mut params = Params::default();
        for (name, parameter) in declared_fields() {
            if let Some(parameter) = parameter.filter(|_| name != SHARD) {
                parameter.read(&mut params, self.get(name)).map_err(|_| wrong())?;
            }
        }
        Ok(params)
    }

    /// The program version that wrote it.
    pub fn program(&self) -> &str {
        self.get("program")
    }

    /// The digest of the question: of the problem and everything else that changes the tree or the games.
    pub fn question(&self) -> &str {
        self.get(QUESTION)
    }

    /// The condition that strategies had to fulfil to be searched, if there was one.
    pub fn condition(&self) -> Option<&str> {
        Some(self.get("condition")).filter(|text| *text != "-")
    }

    /// The shard that the archive is for, and the number of shards: 0 and 1 for a whole run.
    pub fn shard(&self) -> (u64, u64) {
        let both = self.get(SHARD).split_once('/');
        let both = both.and_then(|(shard, count)| Some((shard.parse().ok()?, count.parse().ok()?)));
        both.unwrap_or((0, 1))
    }

    /// When the last move was taken back.
    pub fn retraction(&self) -> Retraction {
        Retraction::of_word(self.get("retraction")).unwrap_or_default()
    }
}

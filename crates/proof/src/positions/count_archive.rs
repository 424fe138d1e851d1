//! Archives of the search of positions: the numbers of games that a run knows, so that another run
//! of the same problem goes on where it was stopped.
//!
//! An archive begins with lines of text: format, digest of the question, and the fields of the
//! question, ended by an empty line. Then follow the work so far (nodes and milliseconds), the
//! entries of the table (key, number of games with the plies left), and a checksum of everything
//! before it; all numbers have little-endian byte order. An archive is written as a whole. It holds
//! the entries with the most plies left, which took the most work.
//!
//! A number of games depends on the position, the plies left and the question only, not on the
//! order of the search, the number of threads or the size of the table. So numbers of one run are
//! those of any other run of the same question, by the same version of the program: a later one may
//! correct a rule.

use super::fairy_problem::FairyProblem;
use super::problem::PositionProblem;
use super::search::CountTable;
use crate::run::Words as _;
use std::io::{self, Write};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// First words of an archive, before the number of its format.
const MAGIC: &str = "umbrail-spg-positions ";

/// First words of an archive of strategies.
const OF_STRATEGIES: &str = "umbrail-spg ";

/// Format that this version writes and reads.
const FORMAT: u32 = 1;

/// Largest number of entries that are kept: 64 MiB.
const ENTRIES_MAX: usize = 1 << 21;

/// Bytes of an entry: key, and number of games with the plies left.
const ENTRY_BYTES: usize = 32;

/// Bytes of the work so far.
const WORK_BYTES: usize = 16;

/// Bytes of the checksum.
const SUM_BYTES: usize = 8;

/// Reason why an archive of the search of positions cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountArchiveError {
    /// The file is something else.
    #[error("this is no archive of the search of positions{}", if *.0 { ", but one of strategies" } else { "" })]
    Foreign(bool),
    /// Another format.
    #[error("the archive has format {0}, expected {FORMAT}: it is of another version")]
    Format(String),
    /// Length or checksum are wrong.
    #[error(
        "the archive is damaged ({0}), and nothing of it is used; solve again into another file"
    )]
    Damaged(&'static str),
    /// Another problem, or another version of the program.
    #[error("the archive has {field} {}, expected {}", .values[1], .values[0])]
    Differs {
        /// The field.
        field: String,
        /// Its value here and there.
        values: [String; 2],
    },
}

/// The question that numbers of games answer: problem and version of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountQuestion {
    /// Lines of text, which begin with the name of the field.
    fields: Vec<(&'static str, String)>,
    /// What else distinguishes problems, such as the meaning of letters.
    rest: String,
}

impl CountQuestion {
    /// Returns the question of a problem of orthodox chess.
    pub fn of(problem: &PositionProblem) -> Self {
        Self {
            fields: vec![
                ("start", problem.start.to_setup().to_string()),
                ("diagram", problem.diagram.to_string()),
                ("plies", problem.plies.to_string()),
                ("length", problem.length.word().to_owned()),
                ("turns", format!("{:?}", problem.turns)),
                ("conditions", "-".to_owned()),
                ("program", env!("CARGO_PKG_VERSION").to_owned()),
            ],
            rest: String::new(),
        }
    }

    /// Returns the question of a problem with conditions, fairy pieces or series moves.
    pub fn of_fairy(problem: &FairyProblem) -> Self {
        let FairyProblem { start, target, states_boards, imitator_end, pieces, .. } = problem;
        let conditions = problem.condition_words().join(", ");
        Self {
            fields: vec![
                ("start", problem.start_setup().to_string()),
                ("diagram", problem.target_setup().placement()),
                ("plies", problem.plies.to_string()),
                ("length", problem.length.word().to_owned()),
                ("turns", format!("{:?}", problem.turns)),
                ("conditions", if conditions.is_empty() { "-".to_owned() } else { conditions }),
                ("program", env!("CARGO_PKG_VERSION").to_owned()),
            ],
            // The order of the pieces is part of the keys of positions.
            rest: format!("{start:?} {target:?} {states_boards} {imitator_end:?} {pieces:?}"),
        }
    }

    fn digest(&self) -> String {
        let fields = self.fields.iter().map(|(name, value)| format!("{name} {value}\n"));
        format!("{:016x}", xxh3_64((fields.collect::<String>() + &self.rest).as_bytes()))
    }

    /// Returns the lines before the numbers.
    fn head(&self) -> String {
        let mut head = format!("{MAGIC}{FORMAT}\nquestion {}\n", self.digest());
        self.fields.iter().for_each(|(name, value)| head += &format!("{name} {value}\n"));
        head + "\n"
    }

    /// Compares the question with the lines of an archive.
    fn agrees(&self, lines: &str) -> Result<(), CountArchiveError> {
        let value = |name: &str| {
            let mut found =
                lines.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            found.next().unwrap_or("-").to_owned()
        };
        let digest = ("question", self.digest());
        for (name, here) in self.fields.iter().chain([&digest]) {
            let there = value(name);
            if *here != there {
                let values = [here.clone(), there];
                return Err(CountArchiveError::Differs { field: (*name).to_owned(), values });
            }
        }
        Ok(())
    }
}

/// Work of all runs that contributed to an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EarlierWork {
    /// Positions visited.
    pub nodes: u64,
    /// Elapsed time, in milliseconds.
    pub elapsed_ms: u64,
}

/// Numbers of games from an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountArchive {
    /// Keys, and numbers of games with the plies left; most plies first.
    entries: Vec<(u128, u128)>,
    /// Work that found them.
    pub work: EarlierWork,
}

impl CountArchive {
    /// Reads an archive of this question.
    ///
    /// # Errors
    /// The archive is of something else, or damaged.
    pub fn read(bytes: &[u8], question: &CountQuestion) -> Result<Self, CountArchiveError> {
        use CountArchiveError::{Damaged, Foreign, Format};
        let Some(rest) = bytes.strip_prefix(MAGIC.as_bytes()) else {
            return Err(Foreign(bytes.starts_with(OF_STRATEGIES.as_bytes())));
        };
        let format: Vec<u8> = rest.iter().copied().take_while(u8::is_ascii_digit).collect();
        let format = String::from_utf8_lossy(&format);
        if format != FORMAT.to_string() {
            return Err(Format(format.into_owned()));
        }
        let end = bytes.windows(2).position(|pair| pair == b"\n\n");
        let (head, rest) = bytes.split_at(end.ok_or(Damaged("its text has no end"))? + 2);
        let entries = rest.len().checked_sub(WORK_BYTES + SUM_BYTES);
        let entries = entries.filter(|bytes| bytes % ENTRY_BYTES == 0);
        let entries = entries.ok_or(Damaged("its length is wrong"))?;
        let (known, sum) = bytes.split_at(bytes.len() - SUM_BYTES);
        if xxh3_64(known).to_le_bytes() != sum {
            return Err(Damaged("its checksum is wrong"));
        }
        question.agrees(&String::from_utf8_lossy(head))?;
        let (work, entries) = rest[..WORK_BYTES + entries].split_at(WORK_BYTES);
        let (numbers, _) = work.as_chunks::<8>();
        let [nodes, elapsed_ms] = [0, 1].map(|at: usize| u64::from_le_bytes(numbers[at]));
        let (halves, _) = entries.as_chunks::<16>();
        let (pairs, _) = halves.as_chunks::<2>();
        let entries = pairs.iter().map(|pair| pair.map(u128::from_le_bytes).into()).collect();
        Ok(Self { entries, work: EarlierWork { nodes, elapsed_ms } })
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Puts the entries into a table; those with the most plies last, so that they stay.
    pub(super) fn fill(&self, table: &CountTable) {
        self.entries.iter().rev().for_each(|&(key, value)| table.put(key, value));
    }
}

/// Numbers of games of a run that goes on or has ended.
pub struct KnownCounts<'a> {
    pub(super) table: &'a CountTable,
    pub(super) work: EarlierWork,
}

impl KnownCounts<'_> {
    /// Returns the work of this run and all earlier ones.
    pub fn work(&self) -> EarlierWork {
        self.work
    }

    /// Writes an archive.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, question: &CountQuestion, out: &mut dyn Write) -> io::Result<()> {
        let mut out = SummedWriter { out, sum: Xxh3::new() };
        out.write(question.head().as_bytes())?;
        out.write(&self.work.nodes.to_le_bytes())?;
        out.write(&self.work.elapsed_ms.to_le_bytes())?;
        for (key, value) in self.table.deepest(ENTRIES_MAX)? {
            out.write(&key.to_le_bytes())?;
            out.write(&value.to_le_bytes())?;
        }
        let sum = out.sum.digest();
        out.out.write_all(&sum.to_le_bytes())
    }
}

/// A writer that sums what it writes.
struct SummedWriter<'a> {
    out: &'a mut dyn Write,
    sum: Xxh3,
}

impl SummedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.out.write_all(bytes)
    }
}

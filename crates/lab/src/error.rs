//! Errors of the laboratory. Each text names the file, the option, the program or the match.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use umbrail_control::{PoolError, ReadError, Unreadable};
use umbrail_session::OptionError;
use umbrail_training::{PlayLimitError, SelfPlayError};

/// Reason for which a command of the laboratory ends without its result.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// No experiment has this number.
    #[error("expected an experiment from 1 to {0}")]
    Experiment(usize),
    /// Neither an experiment nor another program is named.
    #[error("expected --xp N, or another program with --dev or --base")]
    Subject,
    /// An option of the command line has another form.
    #[error("{option} must be {expected}, got {got}")]
    Option {
        /// Name of the option.
        option: &'static str,
        /// Accepted values.
        expected: &'static str,
        /// Given value.
        got: String,
    },
    /// A match within this process is asked for what it cannot do.
    #[error("--inside plays this program by nodes: {0}")]
    Inside(&'static str),
    /// A clock that counts nodes cannot be read.
    #[error("--control: {0}")]
    Pace(#[from] PlayLimitError),
    /// A match of other programs cannot count nodes.
    #[error("--control {0} counts nodes, which only --inside can")]
    Counted(String),
    /// A match within this process has equal sides.
    #[error("expected --xp N, --dev-option or --base-option: both sides are equal")]
    InsideSubject,
    /// An option of a side within this process cannot be set.
    #[error("{option}: {error}")]
    Setting {
        /// The argument that names the option.
        option: &'static str,
        /// The reason.
        error: OptionError,
    },
    /// An engine within this process cannot be created.
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    /// A thread of the match has panicked.
    #[error("internal error in a game; the same command resumes the match")]
    Panic,
    /// The results of a match are damaged.
    #[error("{0}: the results are damaged; remove the folder to play the match again")]
    Pairs(PathBuf),
    /// The number of games is odd.
    #[error("--games must be even: each opening is played with both colors")]
    OddGames,
    /// The hypotheses are not in ascending order.
    #[error("--elo0 must be less than --elo1, got {0} and {1}")]
    Hypotheses(f64, f64),
    /// The operating system refuses a file, a folder or a program.
    #[error("{path}: {source}")]
    Io {
        /// File, folder or program.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A file of the laboratory, a book or a program cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// File.
        path: PathBuf,
        /// Reason.
        reason: Unreadable,
    },
    /// A suite cannot be read.
    #[error(transparent)]
    Suite(#[from] ReadError),
    /// The processors cannot be used.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// Another run works in the folder.
    #[error(
        "{0}: another run of the laboratory works in this folder; wait for it, or name another with --out"
    )]
    Busy(PathBuf),
    /// The table of the folder is damaged.
    #[error("{path}: {source}")]
    Table {
        /// Table.
        path: PathBuf,
        /// Damage.
        source: TableError,
    },
    /// The folder has no finished match.
    #[error("{0}: no match is in the table yet")]
    NoMatch(PathBuf),
    /// The name of the book has another ending.
    #[error("{0}: expected a book that ends in .epd or .pgn")]
    BookName(PathBuf),
    /// A line of the book is not a position.
    #[error("{path}:{line}: expected a position, got \"{got}\"")]
    BookLine {
        /// Book.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Beginning of the line.
        got: String,
    },
    /// A file has no opening or no test position.
    #[error("{path}: expected {expected}, found none")]
    Empty {
        /// File.
        path: PathBuf,
        /// Missing content.
        expected: &'static str,
    },
    /// fastchess cannot be run.
    #[error(
        "fastchess is missing: cannot run {name} ({source}); get it from github.com/Disservin/fastchess and name it \
         with --fastchess PATH"
    )]
    NoRunner {
        /// Path or name of fastchess.
        name: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The match runner is another program.
    #[error("{name}: expected fastchess, it calls itself \"{printed}\"")]
    OtherRunner {
        /// Path or name of the program.
        name: PathBuf,
        /// Version that it printed.
        printed: String,
    },
    /// An engine does not start.
    #[error("{engine} does not start: {source}")]
    EngineStart {
        /// Side and program.
        engine: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// An engine does not answer `uci`.
    #[error("{0} does not speak UCI: no uciok")]
    NoUci(String),
    /// An engine lacks an option.
    #[error("{engine} has no option {option}")]
    EngineOption {
        /// Side and program.
        engine: String,
        /// Name of the option.
        option: String,
    },
    /// An option of an engine has other values.
    #[error("{engine}: option {option} takes {expected}, got \"{got}\"")]
    EngineValue {
        /// Side and program.
        engine: String,
        /// Name of the option.
        option: String,
        /// Accepted values.
        expected: String,
        /// Given value.
        got: String,
    },
    /// The path of this program is unknown.
    #[error("cannot find the path of this program: {0}")]
    OwnPath(io::Error),
    /// A program or a book does not exist.
    #[error("cannot use {path}: {source}")]
    NoFile {
        /// File.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The benchmark of a program printed no result.
    #[error("{0} bench --json printed no end record")]
    NoBench(PathBuf),
    /// The folder of the match belongs to a different match.
    #[error("{0}: holds another match")]
    OtherMatch(PathBuf),
    /// A fault ended the match in an earlier run.
    #[error("{title} was ended by a fault: {fault}; remove {folder} to play the match again")]
    WasFaulted {
        /// Match and control.
        title: String,
        /// Fault.
        fault: String,
        /// Folder of the match.
        folder: PathBuf,
    },
    /// The file of the fault cannot be read.
    #[error("{title} cannot be continued: {source}")]
    NotContinued {
        /// Match and control.
        title: String,
        /// File and reason.
        source: ReadError,
    },
    /// A fault of an engine ends the match.
    #[error("{title}: {fault}; remove {folder} to play the match again")]
    Fault {
        /// Match and control.
        title: String,
        /// Fault, with the log.
        fault: String,
        /// Folder of the match.
        folder: PathBuf,
    },
    /// The exit status of fastchess is unknown.
    #[error("fastchess: {0}")]
    Wait(io::Error),
    /// Ctrl-C was pressed.
    #[error("{title}: interrupted after {games} games; the same command resumes the match")]
    Interrupted {
        /// Match and control.
        title: String,
        /// Number of games played.
        games: u32,
    },
    /// fastchess ended too early.
    #[error("fastchess ended with {status} after {games} games: {last}")]
    Ended {
        /// Exit status.
        status: ExitStatus,
        /// Number of games played.
        games: u32,
        /// Last line of its output.
        last: String,
    },
}

impl LabError {
    pub(super) fn option(option: &'static str, expected: &'static str, got: &str) -> Self {
        Self::Option { option, expected, got: got.to_owned() }
    }

    /// Converts an error of reading a file of the laboratory, a book or a program.
    pub(super) fn own(ReadError { path, reason }: ReadError) -> Self {
        Self::Unreadable { path, reason }
    }

    /// Returns the conversion of an error of the operating system at this path.
    pub(super) fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.into(), source }
    }
}

impl From<umbrail_control::WriteError> for LabError {
    fn from(error: umbrail_control::WriteError) -> Self {
        Self::Io { path: error.path, source: error.source }
    }
}

/// Numbers of a row that do not agree with each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowFault {
    /// The results are not as many as the games.
    #[error("{wins} wins, {losses} losses and {draws} draws are not {games} games")]
    Games {
        /// Wins of DEV.
        wins: u32,
        /// Losses of DEV.
        losses: u32,
        /// Draws.
        draws: u32,
        /// Games of the match.
        games: u32,
    },
    /// The pairs contradict the results.
    #[error("the pairs {0} do not agree with the games")]
    Pairs(String),
}

/// Error in the text of a table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The text is not a table, or a column has another type.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A line has too many or too few columns.
    #[error(
        "line {line} has {found} columns, expected {expected}: repair or delete the line, or name another folder \
         with --out"
    )]
    Columns {
        /// Number of the line.
        line: u64,
        /// Number of its columns.
        found: usize,
        /// Number of columns of the first line.
        expected: usize,
    },
    /// The numbers of a line do not agree with each other.
    #[error("line {line} is damaged: {source}; delete the line to play the match again")]
    Damaged {
        /// Number of the line.
        line: u64,
        /// Contradiction.
        source: RowFault,
    },
}

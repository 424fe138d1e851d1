//! Opening of the files that options name: opening book, experience, Syzygy tables, network and
//! piece definitions. A file may be large, on a slow network share or a pipe, so a job reads it,
//! beside the job that may run.
//!
//! - Files are opened when a command needs them, and already at `isready`, `ping` and `ucinewgame`.
//! - A command that needs a file waits in the queue while the file is opened, for up to two
//!   seconds; so does `isready` while no job runs. After that, or after `stop`, the command runs
//!   without the file; the file is used as soon as it has been read. `ping` is answered at once.

use super::command::{Command, Play, Show};
use super::event::Event;
use super::job::{Answer, Job, Report};
use super::job_context::JobId;
use super::piece_file::{PieceFile, PieceFileError};
use super::{Effect, Options, Session, Start};
use std::sync::Arc;
use std::time::Instant;
use umbrail_control::{Cancel, Clock, Progress};

/// Maximum time that a command waits for a file, in pulses of a quarter of a second.
const PATIENCE_PULSES: u32 = 8;

/// Files that the options name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileNames {
    book: String,
    experience: String,
    syzygy: String,
    /// None for the hand-written evaluation; empty for the built-in network.
    network: Option<String>,
    pieces: String,
}

impl Default for FileNames {
    /// Names that are open when the process starts.
    fn default() -> Self {
        Self::of(&Options::default())
    }
}

impl FileNames {
    fn of(options: &Options) -> Self {
        Self {
            book: options.search.book_file.clone(),
            experience: options.search.experience_file.clone(),
            syzygy: options.search.syzygy_path.clone(),
            network: options.search.use_nnue.then(|| options.search.eval_file.clone()),
            pieces: options.tables.piece_file.clone(),
        }
    }

    /// Returns the names that differ from those of other files.
    fn new_ones(&self, others: &Self) -> Vec<&str> {
        let all = [
            (&self.book, &others.book),
            (&self.experience, &others.experience),
            (&self.syzygy, &others.syzygy),
            (&self.pieces, &others.pieces),
        ];
        let network = self.network.as_deref().filter(|_| self.network != others.network);
        let changed = all.into_iter().filter(|(name, other)| name != other);
        changed.map(|(name, _)| &**name).chain(network).collect()
    }
}

/// Files that are open, and the job that opens others.
#[derive(Default)]
pub(super) struct OpenFiles {
    opened: FileNames,
    opening: Option<Opening>,
    /// Number of opening jobs started so far.
    openings: u64,
    /// Piece definitions read so far.
    pieces: PieceFile,
    /// The endgame of the options is built when its pieces are known.
    build_from: Option<Instant>,
}

/// Job that opens files.
struct Opening {
    id: JobId,
    cancel: Cancel,
    names: FileNames,
    /// Number of pulses that commands still wait for the job.
    patience: u32,
}

/// Files that a command requires.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FileNeed {
    None,
    /// Piece definitions, which define the pieces on the board.
    Pieces,
    /// Piece definitions and the files that a search uses.
    All,
}

impl FileNeed {
    pub(super) fn of(command: &Command) -> Self {
        match command {
            Command::Go(_) | Command::Show(Show::Eval) => Self::All,
            Command::Play(play) => match play {
                Play::Move(_) | Play::Go | Play::Other | Play::Analyze | Play::Hint => Self::All,
                Play::Ping(_) | Play::MoveNow => Self::None,
                _ => Self::Pieces,
            },
            Command::Position { .. } => Self::Pieces,
            _ => Self::None,
        }
    }
}

impl OpenFiles {
    pub(super) fn is_opening(&self) -> bool {
        self.opening.is_some()
    }

    /// Returns true if a command must wait until files are open.
    pub(super) fn holds_back(&self, need: FileNeed) -> bool {
        self.opening.as_ref().filter(|opening| opening.patience > 0).is_some_and(|opening| {
            match need {
                FileNeed::None => false,
                FileNeed::Pieces => opening.names.pieces != self.opened.pieces,
                FileNeed::All => true,
            }
        })
    }

    /// Ends the wait of commands for files.
    pub(super) fn hurry(&mut self) {
        if let Some(opening) = &mut self.opening {
            opening.patience = 0;
        }
    }
}

impl Session {
    /// Starts the conversation: an endgame that the options name is built at once.
    pub fn begin(&mut self, at: Instant) -> Vec<Effect> {
        if !self.options.tables.endgame.is_empty() {
            self.open_files();
        }
        if self.files.holds_back(FileNeed::Pieces) {
            self.files.build_from = Some(at);
        } else {
            self.build_endgame(at);
        }
        std::mem::take(&mut self.effects)
    }

    /// Opens the files that a command needs, if they are not open yet.
    pub(super) fn open_for(&mut self, need: FileNeed) {
        let pieces = &self.options.tables.piece_file;
        if need == FileNeed::All || need == FileNeed::Pieces && *pieces != self.files.opened.pieces
        {
            self.open_files();
        }
    }

    /// Opens the files that the options name and that are not open yet, and closes others.
    pub(super) fn open_files(&mut self) {
        let names = FileNames::of(&self.options);
        match &self.files.opening {
            Some(opening) if opening.names == names => return,
            // The session will ignore the report of this job.
            Some(opening) => opening.cancel.raise(),
            None if names == self.files.opened => return,
            None => {}
        }
        self.files.openings += 1;
        // A separate range of numbers: users see those of other jobs.
        let (id, cancel) = (JobId(u64::MAX - self.files.openings), Cancel::default());
        let job = Job::Open {
            sources: self.engine.sources(),
            params: Box::new(self.options.search.clone()),
            pieces: names.pieces.clone(),
        };
        let opening = Opening { id, cancel: cancel.clone(), names, patience: PATIENCE_PULSES };
        self.files.opening = Some(opening);
        self.effects.push(Effect::Start(Box::new(Start {
            id,
            job,
            cancel,
            clock: Arc::new(Clock::started(self.now)),
            progress: Arc::new(Progress::default()),
            skips: Arc::default(),
            threads: 0,
        })));
    }

    /// Takes the report of the job that opens files; returns any other report.
    pub(super) fn opening_report(&mut self, id: JobId, report: Report) -> Option<Report> {
        let opening = match self.files.opening.take() {
            Some(opening) if opening.id == id => opening,
            other => {
                self.files.opening = other;
                return Some(report);
            }
        };
        match report {
            Report::Answer(Answer::Opened(opened)) => {
                self.engine.use_sources(opened.sources);
                if opening.names.pieces != self.files.opened.pieces {
                    self.files.pieces = opened.pieces;
                    self.pieces_changed();
                }
                opened.faults.into_iter().for_each(|why| self.refuse(why));
                opened.notes.into_iter().for_each(|text| self.write(Event::Note(text)));
                self.files.opened = opening.names;
            }
            Report::Failed(what) => {
                self.report_internal_error(&what);
                self.files.opened = opening.names;
            }
            Report::Unstarted(why) => {
                self.refuse(why);
                self.files.opened = opening.names;
            }
            Report::Progress(_) | Report::Answer(_) => self.files.opening = Some(opening),
        }
        self.begin_building_in_time();
        None
    }

    /// Counts a pulse of a quarter of a second.
    pub(super) fn pulse_opening(&mut self) {
        let Some(opening) = self.files.opening.as_mut().filter(|opening| opening.patience > 0)
        else {
            return;
        };
        opening.patience -= 1;
        if opening.patience == 0 {
            let names = opening.names.new_ones(&self.files.opened);
            let names: Vec<_> = names.into_iter().filter(|name| !name.is_empty()).collect();
            let text = format!("still reading {}, going on without it", names.join(", "));
            self.write(Event::Note(text));
            self.begin_building_in_time();
            self.run_waiting();
        }
    }

    fn begin_building_in_time(&mut self) {
        if !self.files.holds_back(FileNeed::Pieces)
            && let Some(at) = self.files.build_from.take()
        {
            self.build_endgame(at);
        }
    }

    /// Stops the job that opens files.
    pub(super) fn stop_opening(&mut self) {
        if let Some(opening) = &self.files.opening {
            opening.cancel.raise();
        }
    }

    /// Returns the piece definitions that the options request.
    pub(super) fn pieces(&self) -> Result<umbrail_tables::fairy::PieceSet, PieceFileError> {
        self.files.pieces.of(&self.options.tables.piece_file)
    }
}

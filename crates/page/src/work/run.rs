//! One run in its folder: `request.json` (the request), `log` (the reports), and the files of its
//! task.
//!
//! The folder holds the complete state: after a crash, a run is found again in its folder, and
//! continues where its archive ends.

use super::lock::RunLock;
use super::progress::Progress;
use super::records::Records;
use super::request::RunRequest;
use super::start_error::StartError;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use umbrail_protocol::{Dialect, Json};
use umbrail_server::{SessionRequest, SessionThread};
use umbrail_session::{Domain, Event, Options};
use umbrail_tasks::MODULES;
use umbrail_tasks::records::egt::EgtStatistics;
use umbrail_tasks::records::spg::SheetEnd;
use umbrail_tasks::records::{ErrorRecord, StatusWord, TaskEnd};

const REQUEST: &str = "request.json";
const LOG: &str = "log";
/// Ends of earlier sessions, one a line.
const ENDS: &str = "ends";
/// Number of log lines that are always read; later lines are read only for the state of the run.
const LOG_LINES_MAX: usize = 20_000;

/// State of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunState {
    /// In progress, in this process or in another.
    AtWork,
    /// Stopped; can be resumed.
    Paused,
    /// Not stopped, but its process has ended; can be resumed.
    Interrupted,
    /// Ended with an answer.
    Done,
    /// Failed, with the reason.
    Failed(String),
}

impl RunState {
    /// Returns true if the run can be resumed.
    pub(crate) fn can_resume(&self) -> bool {
        matches!(self, Self::Paused | Self::Interrupted)
    }

    /// Describes the state in a word or a sentence.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::AtWork => "at work".to_owned(),
            Self::Paused => "paused".to_owned(),
            Self::Interrupted => "interrupted".to_owned(),
            Self::Done => "done".to_owned(),
            Self::Failed(why) => format!("failed: {why}"),
        }
    }
}

/// A run as stored in its folder.
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) folder: PathBuf,
    pub(crate) request: RunRequest,
    /// Reports.
    pub(crate) records: Records,
    /// Ends of the sessions before the last one.
    pub(crate) earlier: Records,
    pub(crate) state: RunState,
    /// When the run was started, where the file system reports it.
    pub(crate) started: Option<SystemTime>,
}

impl Run {
    /// Reads a run; `None` without a readable request.
    pub(super) fn read(folder: &Path, id: &str) -> Option<Self> {
        Self::read_some(folder, id, LOG_LINES_MAX)
    }

    /// Reads the state of a run without its results: a list of runs has many of them.
    pub(super) fn glance(folder: &Path, id: &str) -> Option<Self> {
        Self::read_some(folder, id, 0)
    }

    /// Reads this number of lines, and later ones only for the state.
    fn read_some(folder: &Path, id: &str, count: usize) -> Option<Self> {
        let kinds = ["\"t\":\"end\"", "\"t\":\"error\"", "\"material\":"];
        let is_wanted = |line: &str| kinds.iter().any(|kind| line.contains(kind));
        let text = std::fs::read_to_string(folder.join(REQUEST)).ok()?;
        let request = serde_json::from_str(&text).ok()?;
        let lines = File::open(folder.join(LOG)).map(BufReader::new).into_iter();
        let lines = lines.flat_map(|file| file.lines().map_while(Result::ok));
        let wanted = lines.enumerate().filter(|(at, line)| *at < count || is_wanted(line));
        let records = wanted.map(|(_, line)| line).collect();
        let state =
            if RunLock::is_taken(folder) { RunState::AtWork } else { of_run(&request, &records) };
        let ends = std::fs::read_to_string(folder.join(ENDS)).unwrap_or_default();
        let started = std::fs::metadata(folder.join(REQUEST)).and_then(|data| data.modified()).ok();
        Some(Self {
            id: id.to_owned(),
            folder: folder.to_owned(),
            request,
            records,
            earlier: ends.lines().collect(),
            state,
            started,
        })
    }

    /// Returns the time of the last session that worked on the run, if it has ended.
    pub(crate) fn elapsed(&self) -> Option<Duration> {
        self.records.end::<TaskEnd>().map(|end| Duration::from_millis(end.elapsed_ms))
    }

    /// Returns the result in a sentence, if the run has ended with one.
    pub(crate) fn result(&self) -> Option<String> {
        self.records.end::<TaskEnd>()?.text
    }
}

/// Returns the state of a run with this request when no process works on it.
fn of_run(request: &RunRequest, records: &Records) -> RunState {
    let RunRequest::Survey(wish) = request else { return of_records(records) };
    // Each endgame is a separate task, and has a row or the reason why it has none.
    let rows = records.all::<EgtStatistics>().count();
    let reported = rows + records.all::<ErrorRecord>().count();
    match of_records(records) {
        RunState::Paused => RunState::Paused,
        RunState::Failed(why) if reported < wish.endgames.len() => RunState::Failed(why),
        _ if reported >= wish.endgames.len() => RunState::Done,
        _ => RunState::Interrupted,
    }
}

/// Returns the state of a run of one task when no process works on it.
fn of_records(records: &Records) -> RunState {
    let error = records.last::<ErrorRecord>().map(|error| error.text);
    let Some(end) = records.end::<TaskEnd>() else {
        return error.map_or(RunState::Interrupted, RunState::Failed);
    };
    match end.status {
        StatusWord::Complete => RunState::Done,
        StatusWord::Stopped | StatusWord::Limit => RunState::Paused,
        // In a sheet, problems that cannot be read have their own error records.
        StatusWord::Error if records.end::<SheetEnd>().is_some() => RunState::Done,
        StatusWord::Error => {
            RunState::Failed(error.unwrap_or_else(|| "the task has ended with a fault".to_owned()))
        }
    }
}

/// A run in progress in this process. Dropping it stops the run.
pub(super) struct Worker {
    thread: SessionThread,
    pub(super) progress: Arc<Progress>,
    domain: Domain,
    _lock: RunLock,
}

impl Worker {
    /// Creates the folder of a new run; returns false if it exists already.
    pub(super) fn found(folder: &Path, request: &RunRequest) -> std::io::Result<bool> {
        match std::fs::create_dir(folder) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Ok(false),
            made => made?,
        }
        let text = serde_json::to_string_pretty(request).map_err(std::io::Error::other)?;
        // The file is written under another name first, so that it appears as a whole or not at
        // all.
        let part = folder.join("request.part");
        std::fs::write(&part, text)?;
        std::fs::rename(part, folder.join(REQUEST))?;
        Ok(true)
    }

    /// Starts or resumes the run. `gone` is called when it has ended.
    ///
    /// # Errors
    /// Another process holds the lock, or the folder cannot be written to.
    pub(super) fn start(
        folder: &Path,
        request: &RunRequest,
        options: Options,
        gone: impl FnOnce() + Send + 'static,
    ) -> Result<Self, StartError> {
        let lock = RunLock::take(folder)?;
        // Earlier reports are repeated from the archive, but not the figures of earlier sessions.
        keep_end(folder).map_err(|source| StartError::Io { path: ENDS.into(), source })?;
        let log = File::create(folder.join(LOG))
            .map_err(|source| StartError::Io { path: LOG.into(), source })?;
        let mut session = umbrail_tasks::session(options);
        session.want_snapshots();
        let thread = SessionThread::start(session)?;
        let progress = Arc::<Progress>::default();
        let log = Arc::new(Mutex::new(log));
        let (reported, last) = (Arc::clone(&progress), Arc::clone(&progress));
        let mut json = Json::new(MODULES);
        let domain = request.domain();
        thread.request(SessionRequest {
            commands: request.commands(folder),
            notify: Box::new(move |event| {
                let mut line = String::new();
                json.write(event, &mut line);
                let line = line.trim_end();
                if line.is_empty() || is_in_snapshots(event) {
                } else if is_sample(event) {
                    reported.sample(line);
                } else {
                    let mut log = umbrail_control::lock(&log);
                    // A full disk is reported by the task itself, which writes there too.
                    let _ = writeln!(log, "{line}");
                    reported.record(line);
                }
            }),
            done: Box::new(move |_| {
                // A page that learns of the end finds the run unlocked.
                gone();
                last.end();
            }),
        });
        Ok(Self { thread, progress, domain, _lock: lock })
    }

    pub(super) fn stop(&self) {
        self.thread.stop();
    }

    pub(super) fn skip(&self) {
        self.thread.skip(self.domain);
    }
}

/// Keeps the end of the session before, whose log is about to be replaced.
fn keep_end(folder: &Path) -> std::io::Result<()> {
    let Ok(text) = std::fs::read_to_string(folder.join(LOG)) else { return Ok(()) };
    let records: Records = text.lines().collect();
    let Some(end) = records.end_line() else { return Ok(()) };
    let mut ends = File::options().create(true).append(true).open(folder.join(ENDS))?;
    writeln!(ends, "{}", end.get())
}

/// Returns true for events that snapshots contain too: the state of a run on several machines, once
/// a second.
fn is_in_snapshots(event: &Event) -> bool {
    matches!(event, Event::Message(message) if message.record == Some("cluster"))
}

/// Returns true for progress samples, which are not stored.
fn is_sample(event: &Event) -> bool {
    use umbrail_session::message::Kind;
    match event {
        Event::Snapshot(_) | Event::Pulse(_) => true,
        Event::Message(message) => {
            message.kind == Kind::Progress && message.record == Some(Kind::Progress.word())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{LOG_LINES_MAX, Run, RunState, of_records};

    #[test]
    fn the_end_of_a_long_log_is_found() {
        let folder = std::env::temp_dir().join(format!("umbrail-run-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let request = r#"{"craft": "proof", "fen": "F", "moves": "2.5"}"#;
        std::fs::write(folder.join("request.json"), request).unwrap();
        let found = "{\"t\":\"solution\"}\n".repeat(LOG_LINES_MAX + 5);
        let end = "{\"t\":\"end\",\"status\":\"complete\"}\n";
        std::fs::write(folder.join("log"), format!("{found}{end}")).unwrap();
        let (whole, glance) = (Run::read(&folder, "a"), Run::glance(&folder, "a"));
        std::fs::remove_dir_all(&folder).unwrap();
        let (whole, glance) = (whole.unwrap(), glance.unwrap());
        assert_eq!((whole.records.len(), &whole.state), (LOG_LINES_MAX + 1, &RunState::Done));
        assert_eq!((glance.records.len(), &glance.state), (1, &RunState::Done));
    }

    #[test]
    fn the_log_reports_progress() {
        let state = |lines: &[&str]| of_records(&lines.iter().copied().collect());
        let (start, error) = (r#"{"t":"start"}"#, r#"{"t":"error","text":"no"}"#);
        assert_eq!([state(&[]), state(&[start])], [RunState::Interrupted, RunState::Interrupted]);
        assert_eq!(state(&[start, r#"{"t":"end","status":"complete"}"#]), RunState::Done);
        assert_eq!(state(&[start, r#"{"t":"end","status":"stopped"}"#]), RunState::Paused);
        let failed = state(&[error]);
        assert_eq!(failed, RunState::Failed("no".into()));
        assert_eq!(state(&[error, r#"{"t":"end","status":"error","count":0}"#]), failed);
        let sheet = r#"{"t":"end","status":"error","count":1,"problems":2}"#;
        assert_eq!(state(&[error, sheet]), RunState::Done);
        assert!(!failed.can_resume() && RunState::Paused.can_resume());
    }
}

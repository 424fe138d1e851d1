//! A solver module: a domain with its verbs. A function of each verb checks the words of a task and
//! prepares its work. Only the job reads and writes files; the preparation of a task does not.
//!
//! To add a module: write `src/tasks/<module>/mod.rs` with a `pub const MODULE: SolverModule`, and add
//! it to `umbrail_tasks::MODULES`.

use super::domain::{Domain, Key, Reach, Task};
use super::game_state::GameState;
use super::job_context::JobContext;
use super::message::Completion;
use super::module_store::ModuleStore;
use super::options::Options;
use super::table_store::{GameRequest, TableRequest};
use crate::task_error::TaskError;

/// A verb of a domain.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// Word of the verb.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Words before the keys, if any are allowed: a name for each word (`ENDGAME FOLDER`), with
    /// `...` after a word that may be repeated.
    pub subject: Option<&'static str>,
    /// Name of the final text, if one is allowed (`KING-STRING`).
    pub text: Option<&'static str>,
    /// The command line reads a missing text from standard input.
    pub input: bool,
    /// The task continues while the board changes and games are played (building tables). Only an
    /// explicit stop ends it.
    pub background: bool,
    /// Keys of the verb, in groups.
    pub keys: &'static [&'static [Key]],
    /// Checks the words of a task, or returns the error; reads no file.
    pub prepare: fn(&Task, &Context) -> Result<Prepared, TaskError>,
}

/// Keys of every verb; the session evaluates them.
pub const COMMON_KEYS: &[Key] = &[
    Key { name: "time", aliases: &[], reach: Reach::Word, help: "stop after this many ms" },
    Key { name: "threads", aliases: &[], reach: Reach::Word, help: "workers, instead of Threads" },
];

impl Verb {
    /// Returns the keys of the verb.
    pub fn own_keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().copied().flatten()
    }

    /// Returns the keys of the verb and the common ones.
    pub fn all_keys(&self) -> impl Iterator<Item = &'static Key> {
        self.own_keys().chain(COMMON_KEYS)
    }

    /// Returns the maximum number of words of the subject.
    pub fn subject_max(&self) -> usize {
        match self.subject {
            None => 0,
            Some(names) if names.contains("...") => usize::MAX,
            Some(names) => names.split_whitespace().count(),
        }
    }

    /// Refuses a word of the subject that the verb does not use.
    pub(super) fn check_subject(&self, task: &Task) -> Result<(), TaskError> {
        let Some(word) = task.subject.get(self.subject_max()) else { return Ok(()) };
        let takes = self.subject.map_or("keys only".to_owned(), |names| names.to_owned());
        let hint = match self.key(word) {
            Some(key) => format!("; the key is written --{}", key.name),
            None => String::new(),
        };
        Err(format!("{} takes {takes}, got also \"{word}\"{hint}", self.name).into())
    }

    /// Returns the key with this name or alias.
    pub fn key(&self, word: &str) -> Option<&'static Key> {
        self.all_keys().find(|key| key.name == word || key.aliases.contains(&word))
    }
}

/// Work of a task that has everything it needs: called once, on the job's thread.
pub type Work = Box<dyn FnOnce(&JobContext<'_>) -> Completion + Send>;

/// Reads the files that a task names, on the job's thread; an error refuses the task.
pub type Load = Box<dyn FnOnce(&JobContext<'_>) -> Result<Work, TaskError> + Send>;

/// Steps of a task on the job's thread.
pub enum Steps {
    /// The task has everything it needs.
    Work(Work),
    /// Files must be read first. The task starts when that is done.
    Load(Load),
}

/// A task whose words are checked.
pub struct Prepared {
    /// Steps of the job.
    pub steps: Steps,
    /// Number of workers that the keys request; `None` for the option `Threads`.
    pub workers: Option<usize>,
}

impl Prepared {
    /// Prepares a task that needs no file.
    pub fn work(work: impl FnOnce(&JobContext<'_>) -> Completion + Send + 'static) -> Self {
        Self { steps: Steps::Work(Box::new(work)), workers: None }
    }

    /// Prepares a task that reads files first.
    pub fn load(
        load: impl FnOnce(&JobContext<'_>) -> Result<Work, TaskError> + Send + 'static,
    ) -> Self {
        Self { steps: Steps::Load(Box::new(load)), workers: None }
    }
}

impl From<Work> for Prepared {
    fn from(work: Work) -> Self {
        Self { steps: Steps::Work(work), workers: None }
    }
}

/// Input of a task: a copy, which a job can own.
#[derive(Clone, Debug)]
pub struct Context {
    /// Current options.
    pub options: Options,
    /// Position and game.
    pub game: GameState,
    /// State that modules keep between tasks.
    pub store: ModuleStore,
    /// A screen shows snapshots of the work.
    pub watched: bool,
}

/// A domain in this build.
#[derive(Clone, Copy)]
pub struct SolverModule {
    /// Domain of the module.
    pub domain: Domain,
    /// Verbs of the module.
    pub verbs: &'static [Verb],
    /// Returns the task that `go` starts for the current diagram when the option `Solver` names
    /// this domain.
    pub from_board: fn(&Context) -> Result<Task, TaskError>,
    /// Returns the work of building a table to play from, if the module builds tables.
    pub table_for_play: Option<fn(TableRequest) -> Work>,
    /// The same for games on other boards and with other rules.
    pub game_for_play: Option<fn(GameRequest) -> Work>,
}

impl SolverModule {
    /// Returns the verb of this name.
    pub fn verb(&self, word: &str) -> Option<&'static Verb> {
        self.verbs.iter().find(|verb| verb.name == word)
    }
}

/// Returns the module of a domain, if it is built in.
pub fn module(modules: &'static [SolverModule], domain: Domain) -> Option<&'static SolverModule> {
    modules.iter().find(|module| module.domain == domain)
}

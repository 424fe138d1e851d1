//! A solver module: a domain with its verbs, each with the function that checks the words of a task and prepares its
//! work. Files are read and written by the job only, never while a task is prepared.
//!
//! To add a module: write `session/<module>.rs` with a `pub const MODULE: SolverModule`, and add it to
//! [`super::MODULES`].

use super::domain::{Domain, Key, Reach, Task};
use super::game_state::GameState;
use super::message::Completion;
use super::module_store::ModuleStore;
use super::options::Options;
use super::stage::Stage;
use crate::session::task_error::TaskError;

/// A verb of a domain.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// Its word.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What may stand before the keys, if anything may: a name for each word (`ENDGAME FOLDER`), with `...` behind one
    /// that may be repeated.
    pub subject: Option<&'static str>,
    /// What the text at the end is, if there may be one (`KING-STRING`).
    pub text: Option<&'static str>,
    /// Without a text, the command line reads it from standard input.
    pub input: bool,
    /// It goes on while the board changes and games are played (building tables), and only an outright
    /// stop ends it.
    pub background: bool,
    /// Its own keys, in groups.
    pub keys: &'static [&'static [Key]],
    /// Checks the words of a task, or says what is wrong with them; reads no file.
    pub prepare: fn(&Task, &Context) -> Result<Prepared, TaskError>,
}

/// Keys of every verb; the session itself evaluates them.
pub const COMMON_KEYS: &[Key] = &[
    Key { name: "time", aliases: &[], reach: Reach::Word, help: "stop after this many ms" },
    Key { name: "threads", aliases: &[], reach: Reach::Word, help: "workers, instead of Threads" },
];

impl Verb {
    /// Its own keys.
    pub fn own_keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().copied().flatten()
    }

    /// Its own keys, and the common ones.
    pub fn all_keys(&self) -> impl Iterator<Item = &'static Key> {
        self.own_keys().chain(COMMON_KEYS)
    }

    /// The most words that its subject may have.
    pub fn subject_max(&self) -> usize {
        match self.subject {
            None => 0,
            Some(names) if names.contains("...") => usize::MAX,
            Some(names) => names.split_whitespace().count(),
        }
    }

    /// Refuses a word of the subject that the verb has no use for.
    pub(super) fn check_subject(&self, task: &Task) -> Result<(), TaskError> {
        let Some(word) = task.subject.get(self.subject_max()) else { return Ok(()) };
        let takes = self.subject.map_or("keys only".to_owned(), |names| names.to_owned());
        let hint = match self.key(word) {
            Some(key) => format!("; the key is written --{}", key.name),
            None => String::new(),
        };
        Err(format!("{} takes {takes}, got also \"{word}\"{hint}", self.name).into())
    }

    /// The key of this name or alias.
    pub fn key(&self, word: &str) -> Option<&'static Key> {
        self.all_keys().find(|key| key.name == word || key.aliases.contains(&word))
    }
}

/// What a task does once everything it needs is at hand: called once, on the job's thread.
pub type Work = Box<dyn FnOnce(&Stage<'_>) -> Completion + Send>;

/// Reads the files that a task names, on the job's thread; what is wrong with them refuses the task.
pub type Load = Box<dyn FnOnce(&Stage<'_>) -> Result<Work, TaskError> + Send>;

/// The steps of a task on the job's thread.
pub enum Steps {
    /// Everything it needs is at hand.
    Work(Work),
    /// Files have to be read first. The task has begun when that is done.
    Load(Load),
}

/// A task whose words are checked.
pub struct Prepared {
    /// What the job does.
    pub steps: Steps,
    /// The number of workers that its keys ask for; none for the option `Threads`.
    pub workers: Option<usize>,
}

impl Prepared {
    /// A task that needs no file.
    pub fn work(work: impl FnOnce(&Stage<'_>) -> Completion + Send + 'static) -> Self {
        Self { steps: Steps::Work(Box::new(work)), workers: None }
    }

    /// A task that reads files first.
    pub fn load(load: impl FnOnce(&Stage<'_>) -> Result<Work, TaskError> + Send + 'static) -> Self {
        Self { steps: Steps::Load(Box::new(load)), workers: None }
    }
}

impl From<Work> for Prepared {
    fn from(work: Work) -> Self {
        Self { steps: Steps::Work(work), workers: None }
    }
}

/// What a task may look at; a copy, which a job can take with it.
#[derive(Clone, Debug)]
pub struct Context {
    /// The options as they are now.
    pub options: Options,
    /// The position and the game.
    pub game: GameState,
    /// What modules keep from one task to the next.
    pub store: ModuleStore,
    /// A screen shows snapshots of the work.
    pub watched: bool,
}

/// One domain that is built into this version.
#[derive(Clone, Copy)]
pub struct SolverModule {
    /// What it is about.
    pub domain: Domain,
    /// Its verbs.
    pub verbs: &'static [Verb],
    /// The task that `go` means for the diagram on the board when the option `Solver` names this
    /// domain.
    pub from_board: fn(&Context) -> Result<Task, TaskError>,
}

impl SolverModule {
    /// The verb of this name.
    pub fn verb(&self, word: &str) -> Option<&'static Verb> {
        self.verbs.iter().find(|verb| verb.name == word)
    }
}

/// The module of a domain, if it is built in.
pub fn module(modules: &'static [SolverModule], domain: Domain) -> Option<&'static SolverModule> {
    modules.iter().find(|module| module.domain == domain)
}

//! The Steno-Chess module: its verbs and keys, and the preparation of its tasks.

#[cfg(feature = "cluster")]
pub(super) mod compose_units;
mod composer;
mod saving;
mod solving;
mod synthetic;
mod verbs;
mod workbench;

use self::composer::composing;
use self::verbs::VERBS;
use self::workbench::{converting, explaining, marking, matching, whittling};
use super::cluster::settings::ClusterSettings;
#[cfg(not(feature = "cluster"))]
use super::no_cluster as compose_units;
use crate::records::{self, TaskRecord};
use solving::solving;
use std::path::Path;
use std::sync::{Arc, Mutex};
use umbrail_chess::geometry::Setup;
use umbrail_chess::{CastlingMode, DroppedCastling, Position};
use umbrail_control::{ReadError, Unreadable, lock};
use umbrail_session::castling_note::castling_note;
use umbrail_session::domain::{Domain, Task};
use umbrail_session::job_context::JobContext;
use umbrail_session::memory_size::{MemorySize, granted};
use umbrail_session::message::{Completion, Kind, Message, Value};
use umbrail_session::module::{Context, Prepared, SolverModule, Work};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;
use umbrail_steno::checkpoint::{Checkpoint, ReusableLayers};
use umbrail_steno::compose::ComposeOptions;
use umbrail_steno::game::Game;
use umbrail_steno::{BigUint, Steno, StenoError, StenoParams, StenoRequest, Vocabulary, genre};

/// State that the module keeps between tasks: the work saved by `$`, and the layers of the last
/// search.
#[derive(Clone, Debug, Default)]
pub struct StenoMemory(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    checkpoint: Option<Arc<Checkpoint>>,
    reusable_layers: Option<Arc<ReusableLayers>>,
}

impl StenoMemory {
    fn with<T>(&self, look: impl FnOnce(&mut Kept) -> T) -> T {
        look(&mut lock(&self.0))
    }
}

impl PartialEq for StenoMemory {
    /// Compares by identity.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for StenoMemory {}

/// The Steno-Chess module.
pub const MODULE: SolverModule = SolverModule {
    domain: Domain::Steno,
    verbs: VERBS,
    from_board,
    table_for_play: None,
    game_for_play: None,
};

fn from_board(context: &Context) -> Result<Task, TaskError> {
    let options = &context.options;
    if options.steno_text.is_empty() {
        return Err("the option Steno Text is empty".into());
    }
    let vocabulary = ("vocabulary", options.steno_vocabulary.name().to_owned());
    let text = Some(options.steno_text.clone());
    Ok(Task { domain: Domain::Steno, verb: "solve", subject: vec![], keys: vec![vocabulary], text })
}

/// Input that all verbs use.
#[derive(Clone)]
struct Inputs {
    vocabulary: Vocabulary,
    strict: bool,
    start: Position,
    params: StenoParams,
    /// Reason why less memory is available than requested.
    shortage: Option<String>,
    /// Castling rules for reading positions.
    castling: CastlingMode,
    /// Castling rights that the key `fen` states but these rules do not allow.
    dropped: Option<DroppedCastling>,
}

/// Keys that name input files.
const READ_KEYS: [&str; 3] = ["game", "intended", "checkpoint"];

fn prepare(task: &Task, context: &Context, make: MakeStenoWork) -> Result<Prepared, TaskError> {
    let (inputs, reported) = worded(task, context)?;
    let reads = !task.subject.is_empty() || READ_KEYS.iter().any(|key| task.key(key).is_some());
    let dropped = inputs.dropped;
    let noting = move |work: Work| -> Work {
        Box::new(move |job| {
            if let Some(dropped) = dropped {
                let note = Message::new(Domain::Steno, Kind::Note);
                job.message(note.printing(castling_note(dropped)));
            }
            work(job)
        })
    };
    if !reads {
        let read: ReadFile<'_> =
            &|path| Err(ReadError { path: path.into(), reason: Unreadable::Stopped });
        let work = make(Asked { task, inputs, reported, context, read })?;
        return Ok(Prepared::from(noting(work)));
    }
    let (task, context) = (task.clone(), context.clone());
    Ok(Prepared::load(move |job| {
        let read: ReadFile<'_> = &|path| job.read_file(Path::new(path));
        make(Asked { task: &task, inputs, reported, context: &context, read }).map(noting)
    }))
}

/// Parses the keys common to all verbs, and the steno.
fn worded(task: &Task, context: &Context) -> Result<(Inputs, Option<String>), TaskError> {
    let mut vocabulary = context.options.steno_vocabulary;
    let mut reported = task.text.clone();
    match task.key("vocabulary") {
        None => {}
        // Genres are written in Extended.
        Some(name @ ("hap" | "ccc")) => {
            let translate = if name == "hap" { genre::hap } else { genre::ccc };
            vocabulary = Vocabulary::Extended;
            reported =
                reported.map(|text| translate(&text).map_err(|e| e.to_string())).transpose()?;
        }
        Some(name) => {
            vocabulary = named(name).map_err(|_| {
                let all =
                    "the vocabulary classic, extended, pgn or length, or the genre hap or ccc";
                TaskError::expected(all).got(name)
            })?;
        }
    }
    let (castling, mut dropped) = (context.game.castling_mode(), None);
    let start = match task.key("fen") {
        Some(fen) => {
            let setup: Setup = fen.parse().map_err(|error| format!("{error}"))?;
            let start = Position::from_setup(&setup, castling)
                .map_err(|error| TaskError::IllegalPosition(error.to_string()))?;
            dropped = DroppedCastling::of(&setup, &start);
            start
        }
        None => match context.game.position() {
            // A given game and the current game start from the diagram that was set up.
            Ok(_) if expects_game(task) && task.key("moves").is_none() => {
                *context.game.start_position().map_err(ToString::to_string)?
            }
            Ok(position) => *position,
            Err(why) => return Err(TaskError::IllegalPosition(why.to_string())),
        },
    };
    let mut params =
        StenoParams { lookahead: task.key("no-lookahead").is_none(), ..StenoParams::default() };
    if let Some(bytes) = task.key("memory") {
        let size = bytes.parse::<MemorySize>().map_err(|error| format!("memory {error}"))?;
        params.memory_bytes = size.0;
    }
    let (granted, mut shortage) = granted(params.memory_bytes);
    params.memory_bytes = granted;
    // The user did not request the default size; a lack of memory is reported when it matters.
    shortage = shortage.filter(|_| task.key("memory").is_some());
    params.positions_max = number(task, "positions")?;
    params.moves_max = number(task, "nodes")?;
    params.enough = number(task, "max-solutions")?;
    if let Some(most) = params.enough {
        params.games_max = usize::try_from(most).unwrap_or(usize::MAX);
    }
    if let Some(games) = number(task, "games")? {
        params.games_max = usize::try_from(games).unwrap_or(usize::MAX);
    }
    let strict = task.key("strict-san").is_some();
    Ok((Inputs { vocabulary, strict, start, params, shortage, castling, dropped }, reported))
}

/// Reads a file that the user named, or returns the error.
type ReadFile<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, ReadError>;

/// Input from which a verb prepares its work.
struct Asked<'a> {
    task: &'a Task,
    inputs: Inputs,
    reported: Option<String>,
    context: &'a Context,
    read: ReadFile<'a>,
}

impl Asked<'_> {
    fn steno(&self) -> Result<String, TaskError> {
        self.reported.clone().ok_or_else(|| {
            let verb = self.task.verb;
            let wanted = format!("a steno after --, such as: steno {verb} -- 36~#");
            TaskError::expects(verb, wanted)
        })
    }

    fn request(&self) -> Result<StenoRequest, TaskError> {
        request(&self.inputs, &self.steno()?)
    }

    /// Returns the games of a file, the one in the command, or the current one.
    fn games(&self) -> Result<Vec<Game>, TaskError> {
        games(self.task, &self.inputs, self.context, self.read)
    }

    fn game(&self) -> Result<Game, TaskError> {
        self.games()?.into_iter().next().ok_or_else(|| TaskError::expected("a game"))
    }
}

/// Prepares the work of a verb.
type MakeStenoWork = fn(Asked<'_>) -> Result<Work, TaskError>;

fn solve_work(asked: Asked<'_>) -> Result<Work, TaskError> {
    let (steno, memory) = (asked.steno()?, asked.context.store.get::<StenoMemory>());
    solving(asked.task, asked.inputs, &steno, &memory, asked.read)
}

fn match_work(asked: Asked<'_>) -> Result<Work, TaskError> {
    let (steno, game, inputs) = (asked.steno()?, asked.game()?, asked.inputs);
    parsed(&steno, inputs.vocabulary)?;
    Ok(Box::new(move |_| matching(&inputs, &steno, &game)))
}

fn marks_work(asked: Asked<'_>) -> Result<Work, TaskError> {
    let (game, inputs) = (asked.game()?, asked.inputs);
    Ok(Box::new(move |job| marking(&inputs, &game, job)))
}

fn convert_work(asked: Asked<'_>) -> Result<Work, TaskError> {
    let request = asked.request()?;
    let given = ["game", "moves"].iter().any(|key| asked.task.key(key).is_some());
    // A unique steno defines its game.
    let game = match given || !asked.context.game.moves().is_empty() {
        true => Some(asked.game()?),
        false => None,
    };
    let to = named(
        asked
            .task
            .key("to")
            .ok_or_else(|| TaskError::expects("convert", "--to and a vocabulary, such as pgn"))?,
    )?;
    let inputs = asked.inputs;
    if let Some(game) = &game {
        game.fits(&request.text, inputs.vocabulary, inputs.strict)
            .map_err(|misfit| format!("the game does not fit the steno: {misfit}"))?;
    }
    Ok(Box::new(move |job| converting(&inputs, &request, game, to, job)))
}

fn explain_work(asked: Asked<'_>) -> Result<Work, TaskError> {
    let request = asked.request()?;
    Ok(Box::new(move |job| explaining(&request, job)))
}

fn whittle_work(asked: Asked<'_>) -> Result<Work, TaskError> {
    let (request, inputs) = (asked.request()?, asked.inputs);
    Ok(Box::new(move |job| whittling(&inputs, &request, job)))
}

fn compose_work(asked: Asked<'_>) -> Result<Work, TaskError> {
    let task = asked.task;
    let options = ComposeOptions {
        many_any: task.key("many-any").is_some(),
        only: task.key("only").map(str::to_owned),
        fixed: task.key("pattern").map_or(Vec::new(), |pattern| {
            pattern.chars().map(|mark| Some(mark).filter(|&mark| mark != '?')).collect()
        }),
        trials_max: number(task, "trials")?.and_then(|most| usize::try_from(most).ok()),
    };
    let url = task.key("cluster").unwrap_or(&asked.context.options.proofs.cluster);
    let settings = ClusterSettings::of(task, url)?;
    let (games, inputs) = (asked.games()?, asked.inputs);
    Ok(Box::new(move |job| composing(&inputs, &games, &options, settings.as_ref(), job)))
}

fn named(name: &str) -> Result<Vocabulary, TaskError> {
    Vocabulary::from_name(name).ok_or_else(|| {
        TaskError::expected("the vocabulary classic, extended, pgn or length").got(name)
    })
}

fn number(task: &Task, key: &str) -> Result<Option<u64>, TaskError> {
    let wrong = |text| TaskError::expects(key, "a number").got(text);
    task.key(key).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
}

/// Number of characters of a steno that are quoted on either side of an error.
const QUOTED: usize = 20;

/// Describes an error with the text around its column.
fn pointed(steno: &str, error: &StenoError) -> String {
    let symbols: Vec<char> =
        steno.chars().map(|symbol| if symbol.is_whitespace() { ' ' } else { symbol }).collect();
    let at = error.column.saturating_sub(1).min(symbols.len());
    let (from, to) = (at.saturating_sub(QUOTED), (at + QUOTED).min(symbols.len()));
    let near: String = symbols[from..to].iter().collect();
    let (before, behind) =
        (if from > 0 { "..." } else { "" }, if to < symbols.len() { "..." } else { "" });
    format!("{error} in {before}{near:?}{behind}")
}

fn parsed(steno: &str, vocabulary: Vocabulary) -> Result<Steno, TaskError> {
    Steno::parse(steno, vocabulary).map_err(|error| pointed(steno, &error).into())
}

fn request(inputs: &Inputs, steno: &str) -> Result<StenoRequest, TaskError> {
    if parsed(steno, inputs.vocabulary)?.resumes {
        return Err("'$' at the beginning continues a checkpoint, which only solve can".into());
    }
    let request = StenoRequest::new(steno, inputs.vocabulary, inputs.start)
        .map_err(|error| pointed(steno, &error))?;
    Ok(if inputs.strict { request.strict() } else { request })
}

fn expects_game(task: &Task) -> bool {
    matches!(task.verb, "match" | "marks" | "convert" | "compose")
}

fn text_of(path: &str, read: ReadFile<'_>) -> Result<String, TaskError> {
    Ok(String::from_utf8_lossy(&read(path)?).into_owned())
}

/// Returns the games of a file, the one in the command, or the current one.
fn games(
    task: &Task,
    inputs: &Inputs,
    around: &Context,
    read: ReadFile<'_>,
) -> Result<Vec<Game>, TaskError> {
    let file = task.subject.first().map(String::as_str).or(task.key("game"));
    if file.is_some() && task.key("moves").is_some() {
        return Err(TaskError::expects(task.verb, "a file or moves, not both"));
    }
    let given = match (file, task.key("moves")) {
        (Some(path), _) => text_of(path, read)?,
        (None, Some(moves)) => moves.to_owned(),
        (None, None) => {
            let moves: Option<Vec<_>> = around.game.moves().iter().copied().collect();
            let moves = moves.ok_or("the current game has a pass in it")?;
            if moves.is_empty() {
                let expected = "a game: moves such as --moves e4 e5, or a PGN file";
                return Err(TaskError::expects(task.verb, expected));
            }
            return Ok(vec![Game { start: inputs.start, moves }]);
        }
    };
    Game::read_all(&given, &inputs.start, inputs.castling).map_err(TaskError::of)
}

/// Returns a message that holds a record.
fn message<R: TaskRecord>(kind: Kind, record: &R) -> Message {
    records::message(Domain::Steno, kind, record)
}

/// Returns the end of a task, without a record of its own.
fn ended() -> Message {
    Message::new(Domain::Steno, Kind::Done)
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn big(count: &BigUint) -> Value {
    i64::try_from(count).map_or_else(|_| Value::Digits(count.to_string()), Value::Number)
}

fn completion(done: Message, status: Status) -> Completion {
    Completion { done, status }
}

fn stopped(job: &JobContext<'_>) -> Status {
    if job.clock.is_over() { Status::Limit } else { Status::Stopped }
}

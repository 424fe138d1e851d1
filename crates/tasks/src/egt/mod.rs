//! The module of the endgame tables: `egt build KQ.KR metric dtm` and other verbs on tables. The
//! verbs are also the subcommands of `umbrail egt`.

mod build;
mod fifty_moves;
mod files;
mod game;
mod kept;
mod longest;
mod need;
mod notify;
mod piece;
mod probe;
mod survey;
#[cfg(feature = "cluster")]
pub(super) mod survey_units;
mod table_for_play;
mod verify;
mod work;

#[cfg(not(feature = "cluster"))]
use super::no_cluster as survey_units;

/// Metric of wins.
pub use umbrail_tables::Metric;

use build::{BuildContext, Failure, build, build_into_folder};
use fifty_moves::FIFTY;
use kept::open;
use work::rep2;

use super::cluster_keys;
use crate::records::{self, egt::EgtEnd};
use std::path::Path;
use umbrail_control::{ReadError, Unreadable, read_text};
use umbrail_session::domain::{Domain, Key, Reach, Task};
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::module::{Context, Prepared, SolverModule, Verb, Work};
use umbrail_session::options::TableOptions;
use umbrail_session::piece_file::{PieceFile, ReadText};
use umbrail_session::status::Status;
use umbrail_session::table_store::{TableCache, TableConfig};
use umbrail_session::task_error::TaskError;

const fn key(name: &'static str, help: &'static str) -> Key {
    Key { name, aliases: &[], reach: Reach::Word, help }
}

const METRIC: Key = key(
    "metric",
    "dtc (to conversion), dtm (to mate; -m), dtz (to zeroing, fifty-move rule) or level (EGTgen's count)",
);
const NULL: Key = key("null", "1 if the losing side may pass (-0)");
const STALEMATE: Key =
    key("stalemate", "draw, win (-s), or pass (--forced-pass: a side without a move passes)");
const PROMOTE: Key = key("promote", "letters of the pieces a pawn may become (default: QRBN)");
const SEED: Key = key("seed", "file with positions won by decree (-f FILE)");
const PIECES: Key = key(
    "pieces",
    "file with definitions of pieces (default: the option EGT Piece File, then piecedef.ini in the current folder)",
);
const BARE: Key =
    key("bare", "1 if a side with only its royal piece has lost (--bare-royal-loses)");
const BOARD: Key = key(
    "board",
    "another board: files x ranks from 4x4 to 11x11, such as 10x8, or 10x8c for a cylinder",
);
const GAME: Key = key(
    "rules",
    "rules of another game: capablanca, gardner, gothic, grand, losalamos, makruk, shatranj, xiangqi, a file of rules, or variants.ini:NAME",
);
const MEMORY: Key = key("memory", "memory for tables, such as 512m or 8g");
const EPD: Key = key("epd", "file for all longest wins, with report also for all mutual zugzwangs");
const PGN: Key = key("pgn", "file for the listed longest wins, as games with best play");
/// Keys of most verbs.
const RULES: &[Key] = &[METRIC, NULL, STALEMATE, BARE, PROMOTE, SEED, PIECES, MEMORY, BOARD, GAME];
/// Keys of verbs that do not support seeds.
const UNSEEDED: &[Key] = &[METRIC, NULL, STALEMATE, BARE, PROMOTE, PIECES, MEMORY, BOARD, GAME];

const fn fen(help: &'static str) -> Key {
    Key { name: "fen", aliases: &[], reach: Reach::Fen, help }
}

/// Declares a verb on one endgame, with the keys of most verbs.
const fn verb(
    name: &'static str,
    help: &'static str,
    prepare: fn(&Task, &Context) -> Result<Prepared, TaskError>,
) -> Verb {
    Verb {
        name,
        help,
        subject: Some("ENDGAME"),
        text: None,
        input: false,
        background: false,
        keys: &[RULES],
        prepare,
    }
}

const VERBS: &[Verb] = &[
    Verb {
        background: true,
        ..verb("build", "build a table, kept until the session ends or in EGT Folder", |t, c| {
            prepare(t, c, work::build_kept)
        })
    },
    Verb {
        keys: &[RULES, &[key("csv", "file to write the histograms to")]],
        ..verb("stats", "count wins, losses, stalemates and zugzwangs", |t, c| {
            prepare(t, c, work::count_one)
        })
    },
    Verb {
        keys: &[UNSEEDED],
        ..verb(
            "need",
            "estimate the pieces, positions, memory and time of a build, without building",
            |t, c| prepare(t, c, need::needs),
        )
    },
    Verb {
        subject: None,
        text: Some("FENS"),
        input: true,
        keys: &[&[fen("position to probe (default: read FENs from standard input)"), FIFTY], RULES],
        ..verb(
            "probe",
            "show the value of a position and of its moves, or of each FEN on standard input",
            |t, c| prepare(t, c, probe::prepare),
        )
    },
    Verb {
        subject: Some("FOLDER"),
        keys: &[&[PIECES, BOARD, GAME]],
        ..verb("list", "list the pieces, the built tables, and the tables of a folder", |t, c| {
            prepare(t, c, files::list)
        })
    },
    Verb {
        subject: Some("PIECE..."),
        keys: &[&[key("from", "square of the piece (default: d4)"), PIECES, BOARD, GAME]],
        ..verb("piece", "draw the moves of a piece and list them with their conditions", |t, c| {
            prepare(t, c, piece::drawing)
        })
    },
    Verb {
        subject: Some("PIECE..."),
        keys: &[UNSEEDED, &[key("html", "page with heat maps to write"), EPD]],
        ..verb(
            game::REPORT,
            "examine a piece: alone, with each partner and against each defender",
            game::prepare,
        )
    },
    Verb {
        subject: Some("ENDGAME FOLDER"),
        keys: &[UNSEEDED, &[key("effort", "work (fast) or ship (small files)")]],
        ..verb("save", "build a table and save it with its sub-endings", |t, c| {
            prepare(t, c, work::save_to)
        })
    },
    Verb {
        subject: Some("ENDGAME FOLDER"),
        keys: &[&[METRIC, NULL, STALEMATE, BARE, PROMOTE, PIECES, BOARD, GAME]],
        ..verb("load", "open a saved table, for a session", |t, c| prepare(t, c, work::load_from))
    },
    Verb {
        keys: &[
            UNSEEDED,
            &[
                key("stride", "check every Nth word of 64 positions (default: 1)"),
                key("syzygy", "folder with Syzygy files to compare with (metric dtz)"),
            ],
        ],
        ..verb(
            "verify",
            "check every value of a table against its moves, with independent code",
            |t, c| prepare(t, c, verify::verify_all),
        )
    },
    Verb {
        subject: Some("ENDGAME [ENDGAME]"),
        ..verb(
            "compare",
            "compare two endgames, or one endgame under these rules and under the usual ones",
            |t, c| prepare(t, c, work::compare),
        )
    },
    Verb {
        keys: &[RULES, &[EPD, PGN]],
        ..verb("maximin", "show the longest wins with best play", |t, c| {
            prepare(t, c, longest::longest_wins)
        })
    },
    Verb {
        keys: &[
            &[
                key("index", "octal index of the position"),
                fen("position (default: the current position)"),
            ],
            RULES,
        ],
        ..verb("listing", "list all moves of White as EGTgen does", |t, c| {
            prepare(t, c, work::list_moves)
        })
    },
    Verb {
        keys: &[],
        ..verb("drop", "discard a table of a session", |t, c| prepare(t, c, drop_table))
    },
    Verb {
        subject: Some("PATTERN"),
        keys: &[
            UNSEEDED,
            &[key("letters", "pieces that ? stands for (default: QRBN)")],
            cluster_keys::KEYS,
        ],
        ..verb("survey", "show one line for each endgame of a pattern such as K?.K?", |t, c| {
            prepare(t, c, survey::survey_all)
        })
    },
    Verb {
        keys: &[RULES, &[key("html", "page to write (default: show text)"), EPD]],
        ..verb("report", "write a page with histogram, longest wins and zugzwangs", |t, c| {
            prepare(t, c, longest::report_on)
        })
    },
    verb("rep2", "write EGTgen's rep2.txt", |t, c| prepare(t, c, work::rep2_of)),
];

/// Module of the endgame tables.
pub const MODULE: SolverModule = SolverModule {
    domain: Domain::Egt,
    verbs: VERBS,
    from_board,
    table_for_play: Some(table_for_play::work),
    game_for_play: Some(game::game_for_play),
};

/// Checks that the endgame of these options can be built.
///
/// Reads the files of the options, so it is for the command line, before a conversation starts.
///
/// # Errors
/// The error in the endgame, the pieces or the seeds.
pub fn check(options: &TableOptions) -> Result<(), TaskError> {
    let read: ReadText<'_> = &|path| read_text(Path::new(path), &|| false);
    let pieces = PieceFile::read(&options.piece_file, read).of(&options.piece_file)?;
    let config = TableConfig::new(options, pieces);
    let material = config.material(&options.endgame)?;
    config.seeds(&material, read).map(|_| ())
}

/// Input from which a verb prepares its work.
struct Inputs<'a> {
    task: &'a Task,
    context: &'a Context,
    config: TableConfig,
    cache: TableCache,
    read: ReadText<'a>,
}

/// Prepares the work of a verb.
type MakeTableWork = fn(Inputs<'_>) -> Result<Work, TaskError>;

/// Prepares the work of a verb: at once, or in the job when files must be read.
fn prepare(task: &Task, context: &Context, make: MakeTableWork) -> Result<Prepared, TaskError> {
    if game::concerns(task) {
        return game::prepare(task, context);
    }
    let options = &context.options.tables;
    let named = |option: &str, key: &str| !task.key(key).unwrap_or(option).is_empty();
    let reads = named(&options.piece_file, "pieces")
        || named(&options.seed_file, "seed")
        || task.verb == "list" && !task.subject.is_empty()
        || task.verb == "probe" && task.text.as_deref().is_some_and(probe::names_file);
    if !reads {
        let read: ReadText<'_> =
            &|path| Err(ReadError { path: path.into(), reason: Unreadable::Stopped });
        let inputs = inputs(task, context, read)?;
        let notes = notes(task, &inputs.config);
        let work = make(inputs)?;
        return Ok(Prepared::work(move |job| {
            notes.into_iter().for_each(|text| job.message(note(text)));
            work(job)
        }));
    }
    let (task, context) = (task.clone(), context.clone());
    Ok(Prepared::load(move |job| {
        let read: ReadText<'_> = &|path| job.read_text(path);
        let inputs = inputs(&task, &context, read)?;
        match read_pieces(&task, &context.options.tables.piece_file, &inputs.config) {
            Some(text) => job.message(note(text)),
            None => {
                notes(&task, &inputs.config).into_iter().for_each(|text| job.message(note(text)));
            }
        }
        make(inputs)
    }))
}

/// Describes the pieces that a task reads from a file: that of the key `pieces`, or else `usual`. None without a file.
fn read_pieces(task: &Task, usual: &str, config: &TableConfig) -> Option<String> {
    let path = Some(task.key("pieces").unwrap_or(usual)).filter(|path| !path.is_empty())?;
    let named = task.subject.iter().map(String::as_str).filter(|_| task.verb != "list");
    let letters: String = named.chain(task.key("letters")).collect();
    Some(PieceFile::reported(path, &config.piece_set, &letters))
}

fn note(text: String) -> Message {
    Message::new(Domain::Egt, Kind::Note).printing(text)
}

/// Returns the notes on the endgames that a task names.
fn notes(task: &Task, config: &TableConfig) -> Vec<String> {
    let endgames = task.subject.iter().filter(|_| task.verb != "list");
    let mut notes: Vec<String> =
        endgames.filter_map(|name| config.material(name).ok()).flat_map(|m| m.notes()).collect();
    notes.dedup();
    notes
}

fn inputs<'a>(
    task: &'a Task,
    context: &'a Context,
    read: ReadText<'a>,
) -> Result<Inputs<'a>, TaskError> {
    let config = TableConfig::of(task, &context.options.tables, read)?;
    Ok(Inputs { task, context, config, cache: context.store.get(), read })
}

fn drop_table(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let name = subject(inputs.task, 0)?;
    match inputs.cache.drop_named(name) {
        0 => Err(format!("no table of {name} is built").into()),
        count => {
            let mut gone = ended(count as u64);
            gone.page = vec![format!("{name} is dropped")];
            Ok(done(vec![gone]))
        }
    }
}

/// Task of `go` with this module as the solver: probe the board.
fn from_board(_: &Context) -> Result<Task, TaskError> {
    let keys = vec![];
    Ok(Task { domain: Domain::Egt, verb: "probe", subject: vec![], keys, text: None })
}

/// Returns a word of the subject.
fn subject(task: &Task, at: usize) -> Result<&str, TaskError> {
    let expects = ["an endgame such as KQ.KR", "a folder"];
    let word = task.subject.get(at).map(String::as_str);
    word.ok_or_else(|| TaskError::expects(task.verb, expects[at.min(1)]))
}

/// Returns the last message of a task with this number of results.
fn ended(count: u64) -> Message {
    end(&EgtEnd { count, ..EgtEnd::default() })
}

/// Returns the last message of a task.
fn end(record: &EgtEnd) -> Message {
    let EgtEnd { count, material, white_plies, black_plies, checked, file, epd, .. } = record;
    let mut message = records::message(Domain::Egt, Kind::Done, record).with("count", *count);
    message.words.extend(material.as_deref().map(|name| ("endgame", name.into())));
    let numbers = [("white", white_plies), ("black", black_plies), ("checked", checked)];
    let numbers = numbers.into_iter().filter_map(|(key, number)| Some((key, (*number)?.into())));
    message.words.extend(numbers);
    let files = [("file", file), ("epd", epd)];
    message
        .words
        .extend(files.into_iter().filter_map(|(key, path)| Some((key, path.as_deref()?.into()))));
    message
}

/// Returns work that is already done: it sends these messages, the last of them as the end.
fn done(mut message: Vec<Message>) -> Work {
    let last = message.pop().unwrap_or_else(|| ended(0));
    Box::new(move |job: &JobContext<'_>| {
        message.into_iter().for_each(|message| job.message(message));
        Completion { done: last, status: Status::Complete }
    })
}

/// Returns the end of a failed task: its reason and status.
fn failed(job: &JobContext<'_>, failure: &Failure) -> Completion {
    if failure.status == Status::Refused {
        job.message(Message::error(Domain::Egt, failure.why.as_str()));
    }
    Completion { done: ended(0), status: failure.status }
}

#[cfg(test)]
mod tests;

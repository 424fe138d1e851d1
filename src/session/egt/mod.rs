//! The room of the endgame tables: `egt build KQ.KR metric dtm`, and what else can be asked about
//! tables. The same verbs are the subcommands of `umbrail egt`.

mod build;
mod cabinet;
mod files;
mod kept;
mod kit;
mod probe;
mod tell;
mod work;

pub use cabinet::Cabinet;
pub use kit::PieceFile;

/// How wins are counted.
pub use crate::tables::Metric;

pub(super) use build::{Failure, Row, Site, build, build_into_folder};
pub(super) use cabinet::Entry;
pub(super) use kept::open;
pub(super) use kit::{Kit, covers};
pub(super) use work::rep2;

use super::errand::{
    Domain, Ending, Errand, Key, Kind, News, Prepared, Reach, Room, Surroundings, Verb, Work,
};
use super::job::{Stage, Status};
use super::options::TableOptions;
use crate::control::read_text;
use kit::{RULE_KEYS, ReadText};
use std::path::Path;

const fn key(name: &'static str, help: &'static str) -> Key {
    Key { name, aliases: &[], reach: Reach::Word, help }
}

const METRIC: Key = key(
    RULE_KEYS[0],
    "dtc (to the conversion), dtm (to mate), dtz (to zeroing, fifty-move rule) or level (EGTgen's count)",
);
const NULL: Key = key(RULE_KEYS[1], "1: the losing side may pass");
const STALEMATE: Key = key(RULE_KEYS[2], "draw, win, or pass (a side without a move passes)");
const PROMOTE: Key = key(RULE_KEYS[3], "letters that a pawn may become, QRBN if not said");
const SEED: Key = key(RULE_KEYS[4], "file with positions won by decree");
const PIECES: Key = key(RULE_KEYS[5], "file with definitions of pieces");
const BARE: Key = key(RULE_KEYS[6], "1: a side that has nothing but its royal has lost");
const MEMORY: Key = key(RULE_KEYS[7], "what tables may take, such as 512m or 8g");
const RULES: &[Key] = &[METRIC, NULL, STALEMATE, BARE, PROMOTE, SEED, PIECES, MEMORY];

const FEN: Key = Key {
    name: "fen",
    aliases: &[],
    reach: Reach::Fen,
    help: "the position; that on the board without",
};

const PLAIN: Verb = Verb {
    name: "",
    help: "",
    subject: Some("ENDGAME"),
    text: None,
    input: false,
    background: false,
    keys: RULES,
};

const VERBS: &[Verb] = &[
    Verb { name: "build", help: "build a table and keep it", background: true, ..PLAIN },
    Verb {
        name: "stats",
        help: "count wins, losses, stalemates and zugzwangs",
        keys: &[
            METRIC,
            NULL,
            STALEMATE,
            BARE,
            PROMOTE,
            SEED,
            PIECES,
            MEMORY,
            key("csv", "file to write the histograms to"),
        ],
        ..PLAIN
    },
    Verb {
        name: "probe",
        help: "the value of a position and of its moves; of each FEN of the standard input",
        subject: None,
        text: Some("FENS"),
        input: true,
        keys: &[FEN, METRIC, NULL, STALEMATE, BARE, PROMOTE, SEED, PIECES, MEMORY],
        ..PLAIN
    },
    Verb {
        name: "list",
        help: "the pieces, the tables that are built, and those of a folder",
        subject: Some("FOLDER"),
        keys: &[PIECES],
        ..PLAIN
    },
    Verb {
        name: "save",
        help: "build a table and save it with its sub-endings",
        subject: Some("ENDGAME FOLDER"),
        keys: &[
            METRIC,
            NULL,
            STALEMATE,
            BARE,
            PROMOTE,
            PIECES,
            MEMORY,
            key("effort", "work (fast) or ship (small files)"),
        ],
        ..PLAIN
    },
    Verb {
        name: "load",
        help: "open a saved table and keep it",
        subject: Some("ENDGAME FOLDER"),
        keys: &[METRIC, NULL, STALEMATE, BARE, PROMOTE, PIECES],
        ..PLAIN
    },
    Verb {
        name: "verify",
        help: "check every value of a table by its moves, with code of its own",
        keys: &[
            METRIC,
            NULL,
            STALEMATE,
            BARE,
            PROMOTE,
            PIECES,
            MEMORY,
            key("stride", "check one word of so many, 1 if not said"),
            key("syzygy", "folder with Syzygy's files to compare with (metric dtz)"),
        ],
        ..PLAIN
    },
    Verb {
        name: "compare",
        help: "tell two endgames apart, or one under these rules from the same under usual ones",
        subject: Some("ENDGAME [ENDGAME]"),
        ..PLAIN
    },
    Verb { name: "maximin", help: "the longest wins with best play", ..PLAIN },
    Verb {
        name: "listing",
        help: "all of White's moves as EGTgen lists them",
        keys: &[
            key("index", "the position by its octal index"),
            FEN,
            METRIC,
            NULL,
            STALEMATE,
            BARE,
            PROMOTE,
            SEED,
            PIECES,
            MEMORY,
        ],
        ..PLAIN
    },
    Verb { name: "drop", help: "throw a table away", keys: &[], ..PLAIN },
    Verb {
        name: "survey",
        help: "one line for each endgame of a pattern such as K?.K?",
        subject: Some("PATTERN"),
        keys: &[
            METRIC,
            NULL,
            STALEMATE,
            BARE,
            PROMOTE,
            PIECES,
            MEMORY,
            key("letters", "what ? stands for, QRBN if not said"),
        ],
        ..PLAIN
    },
    Verb {
        name: "report",
        help: "write a page with histogram, longest wins and zugzwangs",
        keys: &[
            METRIC,
            NULL,
            STALEMATE,
            BARE,
            PROMOTE,
            SEED,
            PIECES,
            MEMORY,
            key("html", "the file to write; text is shown without"),
        ],
        ..PLAIN
    },
    Verb { name: "rep2", help: "EGTgen's rep2.txt", ..PLAIN },
];

/// The room of the endgame tables.
pub const ROOM: Room = Room { domain: Domain::Egt, verbs: VERBS, prepare, from_board };

/// Can the endgame of these options be built?
///
/// Reads their files, so it is for the command line, before a conversation begins.
///
/// # Errors
/// What is wrong with the endgame, the pieces or the seeds.
pub fn check(options: &TableOptions) -> Result<(), String> {
    let read: ReadText<'_> =
        &|path| read_text(Path::new(path), &|| false).map_err(|error| error.to_string());
    let pieces = PieceFile::read(&options.piece_file, read).of(&options.piece_file)?;
    let kit = Kit::new(options, pieces);
    let material = kit.material(&options.endgame)?;
    kit.seeds(&material, read).map(|_| ())
}

fn prepare(errand: &Errand, around: &Surroundings) -> Result<Prepared, String> {
    let options = &around.options.tables;
    let named = |option: &str, key: &str| !errand.key(key).unwrap_or(option).is_empty();
    let reads = named(&options.piece_file, "pieces")
        || named(&options.seed_file, "seed")
        || errand.verb == "list" && !errand.subject.is_empty();
    if !reads {
        let read: ReadText<'_> = &|path| Err(format!("{path} was not to be read"));
        return made_ready(errand, around, read).map(Prepared::from);
    }
    let (errand, around) = (errand.clone(), around.clone());
    Ok(Prepared::load(move |stage| made_ready(&errand, &around, &|path| stage.read_text(path))))
}

fn made_ready(errand: &Errand, around: &Surroundings, read: ReadText<'_>) -> Result<Work, String> {
    let kit = Kit::of(errand, &around.options.tables, read)?;
    let cabinet = around.desk.shelf.tables.clone();
    match errand.verb {
        "probe" => probe::prepare(errand, around, kit, cabinet),
        "list" => Ok(done(files::list(errand, kit, cabinet)?)),
        "drop" => {
            let name = subject(errand, 0)?;
            match cabinet.drop_named(name) {
                0 => Err(format!("no table of {name} is built")),
                count => Ok(done(vec![ended(count as u64)])),
            }
        }
        _ => work::prepare(errand, around, kit, cabinet, read),
    }
}

/// `go` with this room as the solver: probe the board.
fn from_board(_: &Surroundings) -> Result<Errand, String> {
    let keys = vec![];
    Ok(Errand { domain: Domain::Egt, verb: "probe", subject: vec![], keys, text: None })
}

/// A word of the subject.
fn subject(errand: &Errand, at: usize) -> Result<&str, String> {
    let wants = ["an endgame such as KQ.KR", "a folder"];
    let word = errand.subject.get(at).map(String::as_str);
    word.ok_or_else(|| format!("{} wants {}", errand.verb, wants[at.min(1)]))
}

/// The last news, of an errand that gave so many results.
fn ended(count: u64) -> News {
    News::new(Domain::Egt, Kind::Done).with("count", count)
}

/// Work that is done already: this is told, the last of it as the end.
fn done(mut news: Vec<News>) -> Work {
    let last = news.pop().unwrap_or_else(|| ended(0));
    Box::new(move |stage: &Stage<'_>| {
        news.into_iter().for_each(|news| stage.news(news));
        Ending { done: last, status: Status::Complete }
    })
}

/// The end of an errand that failed: why, and the status.
fn failed(stage: &Stage<'_>, failure: &Failure) -> Ending {
    if failure.status == Status::Refused {
        stage.news(News::error(Domain::Egt, failure.why.as_str()));
    }
    Ending { done: ended(0), status: failure.status }
}

#[cfg(test)]
mod tests;

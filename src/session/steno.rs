//! The Steno-Chess room: its verbs and keys, and how its errands are made ready.

mod verbs;
mod workbench;

use self::verbs::VERBS;
use self::workbench::{composing, converting, explaining, marking, matching, whittling};
use super::errand::{
    Domain, Ending, Errand, Kind, News, Prepared, Room, Surroundings, Value, Work,
};
use super::job::{Stage, Status};
use super::memory_size::MemorySize;
use super::results::write_result;
use crate::chess::Position;
use crate::geometry::Setup;
use crate::steno::checkpoint::{Checkpoint, ReusableLayers, resume};
use crate::steno::compose::ComposeOptions;
use crate::steno::game::Game;
use crate::steno::report::{self, html, pgn, text};
use crate::steno::{
    BigUint, Steno, StenoEnd, StenoError, StenoEvent, StenoOutcome, StenoParams, StenoRequest,
    Vocabulary, genre, solve,
};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What the room remembers between errands: the work saved by `$`, and the layers of the last search.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    checkpoint: Option<Arc<Checkpoint>>,
    reusable_layers: Option<Arc<ReusableLayers>>,
}

impl Memory {
    fn with<T>(&self, look: impl FnOnce(&mut Kept) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl PartialEq for Memory {
    /// The very same memory.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Memory {}

/// The Steno-Chess room.
pub const ROOM: Room = Room { domain: Domain::Steno, verbs: VERBS, prepare, from_board };

fn from_board(surroundings: &Surroundings) -> Result<Errand, String> {
    let options = &surroundings.options;
    if options.steno_text.is_empty() {
        return Err("the option Steno Text is empty".to_owned());
    }
    let vocabulary = ("vocabulary", options.steno_vocabulary.name().to_owned());
    let text = Some(options.steno_text.clone());
    Ok(Errand {
        domain: Domain::Steno,
        verb: "solve",
        subject: vec![],
        keys: vec![vocabulary],
        text,
    })
}

/// What all verbs need.
#[derive(Clone)]
struct Task {
    vocabulary: Vocabulary,
    strict: bool,
    start: Position,
    params: StenoParams,
}

/// The keys that name files which are read.
const READ_KEYS: [&str; 3] = ["game", "intended", "checkpoint"];

fn prepare(errand: &Errand, surroundings: &Surroundings) -> Result<Prepared, String> {
    let (task, told) = worded(errand, surroundings)?;
    let reads = !errand.subject.is_empty() || READ_KEYS.iter().any(|key| errand.key(key).is_some());
    if !reads {
        let read: ReadFile<'_> = &|path| Err(format!("{path} was not to be read"));
        return made_ready(errand, task, told, surroundings, read).map(Prepared::from);
    }
    let (errand, around) = (errand.clone(), surroundings.clone());
    Ok(Prepared::load(move |stage| {
        let read: ReadFile<'_> =
            &|path| stage.read_file(Path::new(path)).map_err(|error| error.to_string());
        made_ready(&errand, task, told, &around, read)
    }))
}

/// What the keys say that all verbs understand, and the steno.
fn worded(errand: &Errand, surroundings: &Surroundings) -> Result<(Task, Option<String>), String> {
    let mut vocabulary = surroundings.options.steno_vocabulary;
    let mut told = errand.text.clone();
    match errand.key("vocabulary") {
        None => {}
        // Genres are written in Extended.
        Some(name @ ("hap" | "ccc")) => {
            let translate = if name == "hap" { genre::hap } else { genre::ccc };
            vocabulary = Vocabulary::Extended;
            told = told.map(|text| translate(&text).map_err(|e| e.to_string())).transpose()?;
        }
        Some(name) => vocabulary = named(name)?,
    }
    let start = match errand.key("fen") {
        Some(fen) => {
            let setup: Setup = fen.parse().map_err(|error| format!("{error}"))?;
            Position::try_from(&setup).map_err(|error| format!("illegal position: {error}"))?
        }
        None => match surroundings.desk.position() {
            // A given game, and the game at hand, begin where the diagram was put.
            Ok(_) if wants_game(errand) && errand.key("moves").is_none() => {
                Position::try_from(surroundings.desk.start()).map_err(|error| error.to_string())?
            }
            Ok(position) => *position,
            Err(why) => return Err(format!("illegal position: {why}")),
        },
    };
    let mut params =
        StenoParams { lookahead: errand.key("no-lookahead").is_none(), ..StenoParams::default() };
    if let Some(bytes) = errand.key("memory") {
        let size = bytes.parse::<MemorySize>().map_err(|error| format!("memory {error}"))?;
        params.memory_bytes = size.0;
    }
    params.positions_max = number(errand, "positions")?;
    params.enough = number(errand, "max-solutions")?;
    if let Some(most) = params.enough {
        params.games_max = usize::try_from(most).unwrap_or(usize::MAX);
    }
    if let Some(games) = number(errand, "games")? {
        params.games_max = usize::try_from(games).unwrap_or(usize::MAX);
    }
    let strict = errand.key("strict-san").is_some();
    Ok((Task { vocabulary, strict, start, params }, told))
}

/// Reads a file that the user named, or says why that is impossible.
type ReadFile<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

fn made_ready(
    errand: &Errand,
    task: Task,
    told: Option<String>,
    surroundings: &Surroundings,
    read: ReadFile<'_>,
) -> Result<Work, String> {
    let steno = || told.clone().ok_or("expected a steno behind 'text'".to_owned());
    match errand.verb {
        "solve" => solving(errand, task, &steno()?, &surroundings.desk.shelf.steno, read),
        "match" => {
            let (steno, game) = (steno()?, game(errand, &task, surroundings, read)?);
            parsed(&steno, task.vocabulary)?;
            Ok(Box::new(move |_| matching(&task, &steno, &game)))
        }
        "marks" => {
            let game = game(errand, &task, surroundings, read)?;
            Ok(Box::new(move |stage| marking(&task, &game, stage)))
        }
        "convert" => {
            let (request, game) =
                (request(&task, &steno()?)?, game(errand, &task, surroundings, read)?);
            let to = named(errand.key("to").ok_or("expected the key 'to' and a vocabulary")?)?;
            game.fits(&request.text, task.vocabulary, task.strict)
                .map_err(|misfit| format!("the game does not fit the steno: {misfit}"))?;
            Ok(Box::new(move |stage| converting(&task, &request, &game, to, stage)))
        }
        "explain" => {
            let request = request(&task, &steno()?)?;
            Ok(Box::new(move |stage| explaining(&request, stage)))
        }
        "whittle" => {
            let request = request(&task, &steno()?)?;
            Ok(Box::new(move |stage| whittling(&task, &request, stage)))
        }
        _ => {
            let wishes = ComposeOptions {
                many_any: errand.key("many-any").is_some(),
                only: errand.key("only").map(str::to_owned),
                fixed: errand.key("pattern").map_or(Vec::new(), |pattern| {
                    pattern.chars().map(|mark| Some(mark).filter(|&mark| mark != '?')).collect()
                }),
                trials_max: number(errand, "trials")?.and_then(|most| usize::try_from(most).ok()),
            };
            let games = games(errand, &task, surroundings, read)?;
            Ok(Box::new(move |stage| composing(&task, &games, &wishes, stage)))
        }
    }
}

fn named(name: &str) -> Result<Vocabulary, String> {
    Vocabulary::from_name(name)
        .ok_or(format!("expected the vocabulary classic, extended, pgn or length, got {name}"))
}

fn number(errand: &Errand, key: &str) -> Result<Option<u64>, String> {
    let wrong = |text| format!("{key} wants a number, got {text}");
    errand.key(key).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
}

/// The error with the text and a caret under the column.
fn pointed(steno: &str, error: &StenoError) -> String {
    let one_line: String =
        steno.chars().map(|symbol| if symbol.is_whitespace() { ' ' } else { symbol }).collect();
    format!("{error} in {one_line:?}")
}

fn parsed(steno: &str, vocabulary: Vocabulary) -> Result<Steno, String> {
    Steno::parse(steno, vocabulary).map_err(|error| pointed(steno, &error))
}

fn request(task: &Task, steno: &str) -> Result<StenoRequest, String> {
    if parsed(steno, task.vocabulary)?.resumes {
        return Err("'$' at the beginning continues a checkpoint, which only solve can".to_owned());
    }
    let request = StenoRequest::new(steno, task.vocabulary, task.start)
        .map_err(|error| pointed(steno, &error))?;
    Ok(if task.strict { request.strict() } else { request })
}

fn wants_game(errand: &Errand) -> bool {
    matches!(errand.verb, "match" | "marks" | "convert" | "compose")
}

fn text_of(path: &str, read: ReadFile<'_>) -> Result<String, String> {
    Ok(String::from_utf8_lossy(&read(path)?).into_owned())
}

/// The games of a file, the one that was said, or the one at hand.
fn games(
    errand: &Errand,
    task: &Task,
    around: &Surroundings,
    read: ReadFile<'_>,
) -> Result<Vec<Game>, String> {
    let file = errand.subject.first().map(String::as_str).or(errand.key("game"));
    let said = match (file, errand.key("moves")) {
        (Some(path), _) => text_of(path, read)?,
        (None, Some(moves)) => moves.to_owned(),
        (None, None) => {
            let moves: Option<Vec<_>> = around.desk.moves().iter().copied().collect();
            let moves = moves.ok_or("the game at hand has a pass in it")?;
            return Ok(vec![Game { start: task.start, moves }]);
        }
    };
    Game::read_all(&said, &task.start).map_err(|error| error.to_string())
}

fn game(
    errand: &Errand,
    task: &Task,
    around: &Surroundings,
    read: ReadFile<'_>,
) -> Result<Game, String> {
    games(errand, task, around, read)?.into_iter().next().ok_or("expected a game".to_owned())
}

fn news(kind: Kind, record: &'static str) -> News {
    let mut news = News::new(Domain::Steno, kind);
    news.record = Some(record);
    news
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn texts<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> Value {
    Value::List(items.into_iter().map(|item| Value::from(item.as_ref())).collect())
}

fn big(count: &BigUint) -> Value {
    i64::try_from(count).map_or_else(|_| Value::Digits(count.to_string()), Value::Number)
}

fn ending(done: News, status: Status) -> Ending {
    Ending { done, status }
}

fn stopped(stage: &Stage<'_>) -> Status {
    if stage.clock.is_over() { Status::Limit } else { Status::Stopped }
}

fn solving(
    errand: &Errand,
    task: Task,
    steno: &str,
    memory: &Memory,
    read: ReadFile<'_>,
) -> Result<Work, String> {
    let file = errand.key("checkpoint").map(str::to_owned);
    let mut request = if parsed(steno, task.vocabulary)?.resumes {
        let saved = match &file {
            Some(path) => {
                let saved = Checkpoint::from_bytes(&read(path)?);
                Arc::new(saved.map_err(|error| format!("{path}: {error}"))?)
            }
            None => memory.with(|kept| kept.checkpoint.clone()).ok_or(
                "'$' at the beginning: nothing was saved here; name the file with 'checkpoint'",
            )?,
        };
        resume(steno, task.vocabulary, task.strict, &task.start, &saved)
            .map_err(|error| error.to_string())?
    } else {
        self::request(&task, steno)?
    };
    if let Some(path) = errand.key("intended") {
        let game =
            Game::read(&text_of(path, read)?, &task.start).map_err(|e| format!("{path}: {e}"))?;
        request.intended = Some(game.moves);
    }
    let unique = match errand.key("require") {
        None => false,
        Some("unique") => true,
        Some(other) => return Err(format!("require wants unique, got {other}")),
    };
    request.reusable_layers = memory.with(|kept| kept.reusable_layers.take());
    let memory = memory.clone();
    let exports = [("pgn", errand.key("pgn")), ("html", errand.key("html"))]
        .map(|(kind, path)| (kind, path.map(str::to_owned)));
    Ok(Box::new(move |stage| {
        let index = AtomicU64::new(1);
        let tell = |fact: StenoEvent| {
            // Games are told by one thread, in order.
            let game = u64::from(matches!(fact, StenoEvent::Game(_)));
            stage.news(fact_news(&request, &fact, index.fetch_add(game, Ordering::Relaxed)));
        };
        let answer = solve(&request, &task.params, &stage.control(&tell));
        let mut page = lines(&text::verdict(&request, &answer));
        let mut faults = Vec::new();
        let mut write = |path: &str, bytes: &[u8]| match write_result(Path::new(path), bytes) {
            Ok(()) => page.push(format!("wrote {path}")),
            Err(why) => faults.push(why),
        };
        if let (Some(path), Some(checkpoint)) = (&file, &answer.checkpoint) {
            write(path, &checkpoint.to_bytes());
        }
        for (kind, path) in exports {
            let Some(path) = path else { continue };
            let contents = match kind {
                "pgn" => {
                    let games = answer.games.iter().enumerate();
                    games.map(|(at, game)| pgn::game(&request, game, at + 1, true) + "\n").collect()
                }
                _ => html::page(&request, &answer),
            };
            write(&path, contents.as_bytes());
        }
        memory.with(|kept| {
            kept.reusable_layers = Some(Arc::clone(&answer.reusable_layers));
            if let Some(checkpoint) = &answer.checkpoint {
                kept.checkpoint = Some(Arc::clone(checkpoint));
            }
        });
        if request.steno.checkpoint().is_some()
            && answer.checkpoint.is_none()
            && request.resume.is_none()
        {
            page.push("'$' saved nothing: memory is too short for all positions there".to_owned());
        }
        for (game, misfit) in &answer.refuted {
            let game = report::numbered(&request.start, game);
            faults.push(format!("internal error, please report: {game}: {misfit}"));
        }
        let internal = !answer.refuted.is_empty();
        let failed = !faults.is_empty();
        faults.into_iter().for_each(|fault| stage.news(News::error(Domain::Steno, fault)));
        let status = match answer.ended {
            _ if internal => Status::Internal,
            _ if failed => Status::Refused,
            StenoEnd::Complete if unique && answer.count != BigUint::from(1u32) => {
                Status::NotAsRequired
            }
            StenoEnd::Complete => Status::Complete,
            StenoEnd::Stopped => stopped(stage),
            StenoEnd::Enough | StenoEnd::Positions(_) => Status::Limit,
        };
        let mut done = end_news(&request, &answer);
        done.page = page;
        ending(done, status)
    }))
}

fn fact_news(request: &StenoRequest, fact: &StenoEvent, index: u64) -> News {
    let number = |number: usize| Value::from(number as u64);
    let mut news = match fact {
        StenoEvent::Mark(mark) => {
            let positions = mark.positions.map_or(Value::Null, Value::from);
            news(Kind::Progress, "mark")
                .with("turn", number(mark.turn))
                .with("positions", positions)
                .with("games", big(&mark.games))
                .with("made", mark.made)
        }
        StenoEvent::Split(turn) => news(Kind::Progress, "split").with("turn", number(*turn)),
        StenoEvent::Saved(turn) => news(Kind::Progress, "saved").with("turn", number(*turn)),
        StenoEvent::Game(moves) => {
            let mut news = news(Kind::Result, "solution").with("index", index);
            let last = report::last_position(&request.start, moves);
            news.data.push(("moves", texts(report::sans(&request.start, moves))));
            news.data.push(("uci", texts(report::coordinates(&request.start, moves))));
            news.data.push(("fen", Value::Text(last.to_string())));
            if let Some(intended) = &request.intended {
                news.data.push(("leaves", number(report::first_difference(intended, moves) + 1)));
            }
            news.saying(report::numbered(&request.start, moves))
        }
    };
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    news.page = lines(&text::fact(request, fact, index));
    news
}

/// Final positions listed in an end record; a longer list is of no use to a script.
const FINALS_MAX: usize = 20;

fn end_news(request: &StenoRequest, answer: &StenoOutcome) -> News {
    let mut done = news(Kind::Done, "end")
        .with("count", big(&answer.count))
        .with("exact", Value::Truth(answer.ended == StenoEnd::Complete));
    let number = |number: usize| Value::from(number as u64);
    done.data.push(("listed", number(answer.games.len())));
    done.data.push(("steno", Value::Text(request.steno.to_string())));
    done.data.push(("vocabulary", request.steno.vocabulary.name().into()));
    done.data.push(("plies", number(request.steno.turns.len())));
    done.data.push(("made", answer.made.into()));
    done.data.push(("dead_turn", answer.dead_turn().map_or(Value::Null, number)));
    let finals = answer.finals.as_ref().map_or(Value::Null, |finals| {
        let one = |one: &crate::steno::Final| {
            let fen = report::last_position(&request.start, &one.example).to_string();
            Value::Record(vec![("fen".into(), Value::Text(fen)), ("games".into(), big(&one.games))])
        };
        let listed = finals.iter().take(FINALS_MAX).map(one).collect();
        Value::Record(vec![
            ("count".into(), number(finals.len())),
            ("list".into(), Value::List(listed)),
        ])
    });
    done.data.push(("finals", finals));
    let mark = |mark: &crate::steno::MarkReport| {
        Value::Record(vec![
            ("turn".into(), number(mark.turn)),
            ("positions".into(), mark.positions.map_or(Value::Null, Value::from)),
            ("games".into(), big(&mark.games)),
            ("made".into(), mark.made.into()),
        ])
    };
    done.data.push(("marks", Value::List(answer.marks.iter().map(mark).collect())));
    done
}

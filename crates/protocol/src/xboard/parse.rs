//! Parsing of XBoard lines.

use super::super::words::{count, decimal, is_move, number, octal, setup, word};
use super::super::{ParseError, uci};
use super::features::VARIANTS;
use std::time::Duration;
use umbrail_session::command::Ask;
use umbrail_session::{Command, Play};

/// Parses one line that is not empty.
pub(super) fn command(line: &str) -> Result<Vec<Command>, ParseError> {
    let (first, rest) = word(line);
    let argument = rest.trim();
    let play = match first {
        "xboard" | "accepted" | "rejected" | "random" | "rating" | "ics" | "computer" | "pause"
        | "resume" | "white" | "black" => return Ok(vec![]),
        "protover" => return Ok(vec![Command::Identify]),
        "quit" => return Ok(vec![Command::Exit]),
        "hard" => return Ok(vec![set("Ponder", "true")]),
        "easy" => return Ok(vec![set("Ponder", "false")]),
        "cores" => return natural(argument, "cores").map(|n| vec![set("Threads", &n.to_string())]),
        "name" => return Ok(vec![set("UCI_Opponent", &format!("none none human {argument}"))]),
        "option" => return option(argument),
        // Commands for people who type to the engine.
        "d" | "eval" | "help" | "options" | "compiler" | "license" | "bench" | "speedtest"
        | "perft" => {
            return uci::parse(line);
        }
        "new" => Play::New,
        "variant" if VARIANTS.contains(&argument) || argument.contains('_') => {
            Play::Variant(argument.to_owned())
        }
        "variant" => return Err(bad("variant is not one of those offered")),
        "force" => Play::Force,
        "go" => Play::Go,
        "playother" => Play::Other,
        "usermove" if argument.is_empty() => return Err(bad("usermove expects a move")),
        "usermove" => Play::Move(argument.to_owned()),
        "undo" => Play::Undo,
        "remove" => Play::Remove,
        "?" => Play::MoveNow,
        "result" => Play::Result,
        "draw" => Play::Draw,
        "setboard" => Play::Setup(setup(argument)),
        "analyze" | "analyse" => Play::Analyze,
        "exit" => Play::Leave,
        "." => Play::Status,
        "hint" => Play::Hint,
        "bk" => Play::Book,
        "level" => level(argument)?,
        "st" => Play::PerMove(seconds(argument).ok_or_else(|| bad("st expects seconds"))?),
        "sd" => Play::Depth(small(natural(argument, "sd")?.max(1))),
        "nps" => Play::Rate(natural(argument, "nps")?),
        "time" => Play::Clock(centiseconds(argument)?),
        "otim" => Play::OtherClock(centiseconds(argument)?),
        "ping" => Play::Ping(natural(argument, "ping")?),
        "memory" => Play::Memory(natural(argument, "memory")?),
        "exclude" => Play::Exclude(moves_or_all(argument)?),
        "include" => Play::Include(moves_or_all(argument)?),
        "egtpath" => match word(argument) {
            (kind, path) if !path.trim().is_empty() => {
                Play::TablePath { kind: kind.to_owned(), path: path.trim().to_owned() }
            }
            _ => return Err(bad("egtpath expects a kind and a folder")),
        },
        _ if is_move(line) => Play::Move(line.to_owned()),
        _ if octal(line).is_some() => Play::Ask(Ask::Index(octal(line).unwrap_or(0))),
        _ => return Err(ParseError::Unknown),
    };
    Ok(vec![Command::Play(play)])
}

fn bad(what: &str) -> ParseError {
    ParseError::Bad(what.to_owned())
}

fn set(name: &str, value: &str) -> Command {
    Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }
}

/// Parses `option NAME[=VALUE]`, split at the first `=`.
fn option(argument: &str) -> Result<Vec<Command>, ParseError> {
    let (name, value) = match argument.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
        None => (argument, None),
    };
    if name.is_empty() {
        return Err(bad("option expects NAME or NAME=VALUE"));
    }
    Ok(vec![Command::SetOption { name: name.to_owned(), value }])
}

fn natural(argument: &str, name: &str) -> Result<u64, ParseError> {
    count(argument).ok_or_else(|| ParseError::Bad(format!("{name} expects a number")))
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Maximum time, in seconds: about a hundred years, longer than any game and far from overflow.
const LONGEST_SECONDS: f64 = 3.0e9;

fn seconds(text: &str) -> Option<Duration> {
    Some(Duration::from_secs_f64(decimal(text)?.min(LONGEST_SECONDS)))
}

fn centiseconds(argument: &str) -> Result<Duration, ParseError> {
    let number = number(argument).ok_or_else(|| bad("a clock expects hundredths of a second"))?;
    Ok(Duration::from_millis(u64::try_from(number).unwrap_or(0).saturating_mul(10)))
}

/// Parses `level MOVES BASE INCREMENT`. The base is minutes or `M:SS`; text after a number is
/// ignored.
fn level(argument: &str) -> Result<Play, ParseError> {
    let usage = || bad("level expects moves, minutes or M:SS, and seconds per move");
    let mut words = super::super::words::words(argument);
    let moves = words.next().and_then(count).ok_or_else(usage)?;
    let base = words.next().ok_or_else(usage)?;
    let base = match base.split_once(':') {
        Some((minutes, rest)) => minutes_of(minutes).zip(seconds(rest)).map(|(m, s)| m + s),
        None => minutes_of(base),
    };
    let increment = words.next().map_or(Some(Duration::ZERO), seconds);
    let (base, increment) = base.zip(increment).ok_or_else(usage)?;
    Ok(Play::Level { moves: small(moves), base, increment })
}

fn minutes_of(text: &str) -> Option<Duration> {
    Some(Duration::from_secs_f64((decimal(text)? * 60.0).min(LONGEST_SECONDS)))
}

fn moves_or_all(argument: &str) -> Result<Option<String>, ParseError> {
    match argument {
        "" => Err(bad("expected a move or all")),
        "all" => Ok(None),
        text => Ok(Some(text.to_owned())),
    }
}

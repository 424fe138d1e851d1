//! What an errand of this room is about: problems and how to solve them, read from its keys.

use crate::geometry::Setup;
use crate::proof::retract::Retraction;
use crate::proof::sheet::{self, length_of};
use crate::proof::solve::{Params, StopAt};
use crate::proof::{Condition, Diagram, Length, PLIES_MAX, Problem};
use crate::session::errand::{Errand, Surroundings};
use crate::session::steno::memory;

/// One problem to be solved.
#[derive(Clone, Debug)]
pub(super) struct Posed {
    /// The problem.
    pub problem: Problem,
    /// How to solve it.
    pub params: Params,
    /// Its title.
    pub title: Option<String>,
    /// Comment lines of its source, and warnings.
    pub comments: Vec<String>,
}

/// The diagram that an errand means: the key, or the position at hand.
pub(super) fn diagram(errand: &Errand, around: &Surroundings<'_>) -> Result<Diagram, String> {
    let setup = match errand.key("fen") {
        Some(fen) => fen.parse::<Setup>().map_err(|error| error.to_string())?,
        None => match around.desk.position() {
            Ok(position) => position.to_setup(),
            Err(_) => around.desk.start().clone(),
        },
    };
    Diagram::from_setup(&setup).map_err(|error| error.to_string())
}

/// A length in half-moves, from the text of `moves` (`23.0`, `23`) or `plies` (`46`).
fn plies(errand: &Errand) -> Result<u16, String> {
    let plies = match (errand.key("moves"), errand.key("plies")) {
        (Some(moves), _) => in_moves(moves)?,
        (None, Some(plies)) => {
            plies.parse().map_err(|_| format!("plies wants a whole number, got {plies}"))?
        }
        (None, None) => {
            return Err("expected the key moves (such as 23.0) or plies (such as 46)".to_owned());
        }
    };
    within(plies)
}

fn within(plies: u16) -> Result<u16, String> {
    if plies <= PLIES_MAX {
        return Ok(plies);
    }
    Err(format!("{plies} half-moves are too many, at most {PLIES_MAX} are possible"))
}

/// A length in moves: `23.0`, `22.5`, or `23` for 23.0.
pub(super) fn in_moves(text: &str) -> Result<u16, String> {
    let whole = text.parse::<u16>().ok().and_then(|moves| moves.checked_mul(2));
    let plies = whole.or_else(|| length_of(text));
    within(plies.ok_or(format!("moves wants a length such as 23.0 or 22.5, got {text}"))?)
}

pub(super) fn length(text: &str) -> Result<Length, String> {
    match text {
        "parity" => Ok(Length::Parity),
        "exact" => Ok(Length::Exact),
        _ => Err(format!("length wants parity or exact, got {text}")),
    }
}

fn number<N: std::str::FromStr>(errand: &Errand, key: &str) -> Result<Option<N>, String> {
    let wrong = |text| format!("{key} wants a number, got {text}");
    errand.key(key).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
}

/// How to solve, as far as the keys and options say.
pub(super) fn params(errand: &Errand, around: &Surroundings<'_>) -> Result<Params, String> {
    let mut params =
        Params { table_bytes: around.options.spg_memory_mib << 20, ..Params::default() };
    if let Some(rules) = errand.key("rules") {
        params.rules = rules.parse().map_err(|error| format!("{error}"))?;
    }
    if let Some(most) = number::<usize>(errand, "max-solutions")? {
        if most == 0 {
            return Err("max-solutions wants at least 1".to_owned());
        }
        params.games_max = most;
    }
    if let Some(intended) = number(errand, "intended")? {
        params.intended = intended;
    }
    if let Some(from) = number(errand, "from-strategy")? {
        params.from_claim = from;
    }
    if let Some(depth) = number::<u8>(errand, "sync-depth")? {
        if !(1..=100).contains(&depth) {
            return Err(format!("sync-depth wants a number from 1 to 100, got {depth}"));
        }
        params.sync_depth = depth;
    }
    if let Some(size) = errand.key("memory") {
        params.table_bytes = memory(size)?;
    }
    if let Some(text) = errand.key("conditions") {
        params.condition = Some(condition(text)?);
    }
    if let Some(mode) = errand.key("retraction") {
        params.retraction = retraction(mode)?;
    }
    params.stop_at = match errand.key("stop-at") {
        None | Some("complete") => StopAt::Complete,
        Some("cooked") => StopAt::Cooked,
        Some("first") => StopAt::First,
        Some(other) => return Err(format!("stop-at wants complete, cooked or first, got {other}")),
    };
    if let Some(text) = errand.key("shard") {
        params.shard = shard(text)?;
    }
    params.histogram = errand.verb == "bounds" || errand.key("histogram").is_some();
    Ok(params)
}

/// When the last move is taken back; the model's words are understood too.
fn retraction(text: &str) -> Result<Retraction, String> {
    match text.to_ascii_lowercase().as_str() {
        "check" | "default" | "on" => Ok(Retraction::Check),
        "never" | "off" => Ok(Retraction::Never),
        "always" => Ok(Retraction::Always),
        _ => Err(format!("retraction wants check, never or always, got {text}")),
    }
}

/// `2/8`, or what the job array that this process belongs to says: Slurm's and GNU parallel's counters
/// and Kubernetes' index, with the number of shards behind `auto/`.
fn shard(text: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("shard wants I/N with I below N, such as 0/8, or auto/N, got {text}");
    let (index, count) = match text.split_once('/') {
        Some(("auto", count)) => (array_index()?, count.to_owned()),
        Some((index, count)) => (index.to_owned(), count.to_owned()),
        None if text == "auto" => {
            let count = std::env::var("SLURM_ARRAY_TASK_COUNT")
                .map_err(|_| "shard auto finds no job array, say auto/N".to_owned())?;
            (array_index()?, count)
        }
        None => return Err(wrong()),
    };
    let (index, count): (u64, u64) =
        (index.parse().map_err(|_| wrong())?, count.parse().map_err(|_| wrong())?);
    if index < count { Ok((index, count)) } else { Err(wrong()) }
}

fn array_index() -> Result<String, String> {
    let from_one = || {
        let number: u64 = std::env::var("PARALLEL_SEQ").ok()?.parse().ok()?;
        number.checked_sub(1).map(|number| number.to_string())
    };
    ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok())
        .or_else(from_one)
        .ok_or("shard auto finds no job array (SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, PARALLEL_SEQ)".to_owned())
}

fn condition(text: &str) -> Result<Condition, String> {
    text.parse().map_err(|error: crate::proof::condition::SyntaxError| error.to_string())
}

/// The problem that the keys pose.
pub(super) fn one(errand: &Errand, around: &Surroundings<'_>) -> Result<Posed, String> {
    let problem = Problem {
        diagram: diagram(errand, around)?,
        plies: plies(errand)?,
        length: errand.key("length").map_or(Ok(Length::Parity), length)?,
    };
    let params = params(errand, around)?;
    Ok(Posed { problem, params, title: None, comments: vec![] })
}

/// All problems of a file, each or why it cannot be read.
pub(super) fn sheet(
    path: &str,
    errand: &Errand,
    around: &Surroundings<'_>,
) -> Result<Vec<Result<Posed, String>>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    let defaults = params(errand, around)?;
    let said = errand.key("length").map(length).transpose()?;
    let entries = sheet::read(&String::from_utf8_lossy(&bytes));
    if entries.is_empty() {
        return Err(format!("{path} has no problem, expected a FEN and a number of half-moves"));
    }
    let pose = |entry: sheet::Entry| -> Result<Posed, String> {
        let fail = |what: String| format!("{path}:{}: {what}", entry.line);
        let mut params = defaults.clone();
        let mut length = said.unwrap_or(Length::Parity);
        for (name, value) in &entry.settings {
            let number =
                || value.parse().map_err(|_| fail(format!("{name} wants a number, got {value}")));
            match *name {
                "length" => length = self::length(&value.to_ascii_lowercase()).map_err(&fail)?,
                "intended" => params.intended = number()? as usize,
                "retraction" => params.retraction = retraction(value).map_err(&fail)?,
                "from-strategy" => params.from_claim = number()?,
                _ => {}
            }
        }
        if let Some((_, condition)) = entry.conditions {
            params.condition = Some(condition);
        }
        let mut comments = entry.comments;
        comments.extend(entry.warnings.iter().map(|warning| format!("warning: {warning}")));
        let problem = Problem { diagram: entry.diagram, plies: entry.plies, length };
        Ok(Posed { problem, params, title: entry.title, comments })
    };
    Ok(entries
        .into_iter()
        .map(|entry| entry.map_err(|error| format!("{path}:{error}")).and_then(pose))
        .collect())
}

//! Parsing of UCI lines.

use super::super::words::{count, number, setup, word, words};
use super::super::{ParseError, quote};
use super::strict::{self, GO_WORDS, bad};
use std::time::Duration;
use umbrail_session::command::{BenchLimit, BenchPositions, FIXED_POSITIONS};
use umbrail_session::help::Topic;
use umbrail_session::{Base, BenchRequest, Command, Go, Show};
use vampirc_uci::{UciMessage, parse_one};

/// Parses one line that is not empty. An unknown first word is dropped once, as the specification
/// requires (`joho isready`).
pub(crate) fn command(line: &str) -> Result<Vec<Command>, ParseError> {
    match known(line) {
        Err(ParseError::Unknown) => known(word(line).1),
        received => received,
    }
    .map(|command| command.into_iter().collect())
}

/// Parses a line that a person typed, for whom an unknown or incomplete word of `go` or `position`
/// is an error.
pub(crate) fn typed(line: &str) -> Result<Vec<Command>, ParseError> {
    strict::check(line)?;
    command(line)
}

/// Parses a line whose first word is a command; `None` is a command without effect.
fn known(line: &str) -> Result<Option<Command>, ParseError> {
    let (first, rest) = word(line);
    Ok(Some(match first {
        "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" | "register" => {
            return fixed(first);
        }
        "debug" => match word(rest).0 {
            "on" => return fixed("debug on"),
            "off" => return fixed("debug off"),
            _ => return Err(bad("debug expects on or off")),
        },
        "setoption" => setoption(rest)?,
        "position" => position(rest)?,
        "go" => go(rest)?,
        "perft" => perft(rest)?,
        "bench" => bench(rest)?,
        "speedtest" => speedtest(rest)?,
        "d" => Command::Show(Show::Board),
        "eval" => Command::Show(Show::Eval),
        "flip" => Command::Flip,
        "options" => Command::Show(Show::Options),
        "compiler" => Command::Show(Show::Compiler),
        "license" | "licence" => Command::Show(Show::License),
        "help" => {
            let (domain, rest) = word(rest);
            Command::Show(Show::Help(Topic::of(domain, word(rest).0)))
        }
        _ => return Err(ParseError::Unknown),
    }))
}

/// Parses the supported commands without arguments, in canonical spelling, so that vampirc gets no
/// unexpected input.
fn fixed(canonical: &str) -> Result<Option<Command>, ParseError> {
    Ok(match parse_one(canonical) {
        UciMessage::Uci => Some(Command::Identify),
        UciMessage::IsReady => Some(Command::Ready),
        UciMessage::UciNewGame => Some(Command::NewGame),
        UciMessage::Stop => Some(Command::Stop),
        UciMessage::PonderHit => Some(Command::PonderHit),
        UciMessage::Quit => Some(Command::Quit),
        UciMessage::Debug(on) => Some(Command::Debug(on)),
        _ => None,
    })
}

/// Parses `setoption name N... [value V...]`, split at the first word that is `value`, not at a
/// blank.
fn setoption(rest: &str) -> Result<Command, ParseError> {
    let usage = || bad("setoption expects: name NAME [value VALUE]");
    let (first, mut rest) = word(rest);
    if first != "name" {
        return Err(usage());
    }
    let mut name = vec![];
    let value = loop {
        match word(rest) {
            ("", _) => break None,
            ("value", behind) => break Some(behind.trim().to_owned()),
            (next, behind) => {
                name.push(next);
                rest = behind;
            }
        }
    };
    if name.is_empty() {
        return Err(usage());
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

/// Parses `position startpos|fen F... [moves M...]`. EPD operations after a FEN are ignored, and so
/// are unknown words between `startpos` and `moves`.
fn position(rest: &str) -> Result<Command, ParseError> {
    let (kind, rest) = word(rest);
    let mut words = words(rest);
    // The word may also occur in the quoted operand of an operation.
    let mut quoted = false;
    let mut is_moves = |next: &str| {
        let ends = next == "moves" && !quoted;
        quoted ^= next.matches('"').count() % 2 == 1;
        ends
    };
    let mut has_moves = false;
    let mut before_moves = vec![];
    for next in words.by_ref() {
        if is_moves(next) {
            has_moves = true;
            break;
        }
        before_moves.push(next);
    }
    let base = match kind {
        "startpos" if before_moves.is_empty() || has_moves => Base::Start,
        "startpos" => {
            let found = quote(before_moves[0]);
            return Err(bad(format!("position startpos expects moves, got \"{found}\"")));
        }
        "fen" => Base::Setup(setup(&before_moves.join(" "))),
        "moves" => return Err(bad("position expects startpos or fen before moves")),
        other => {
            return Err(bad(format!("position expects startpos or fen, got \"{}\"", quote(other))));
        }
    };
    Ok(Command::Position { base, moves: words.map(str::to_owned).collect() })
}

fn go(rest: &str) -> Result<Command, ParseError> {
    let mut go = Go::default();
    let mut words = words(rest).peekable();
    while let Some(key) = words.next() {
        match key {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                let mut moves = vec![];
                while let Some(mv) = words.next_if(|next| !GO_WORDS.contains(next)) {
                    moves.push(mv.to_owned());
                }
                go.search_moves = Some(moves).filter(|moves| !moves.is_empty());
            }
            "perft" => return perft(words.next().unwrap_or("")),
            _ if GO_WORDS.contains(&key) => {
                if let Some(number) = words.peek().and_then(|next| number(next)) {
                    words.next();
                    limit(&mut go, key, number);
                }
            }
            _ => {}
        }
    }
    Ok(Command::Go(go))
}

fn limit(go: &mut Go, key: &str, number: i64) {
    let natural = u64::try_from(number).unwrap_or(0);
    let small = || u32::try_from(natural).unwrap_or(u32::MAX);
    match key {
        "wtime" => go.clocks[0] = Some(number),
        "btime" => go.clocks[1] = Some(number),
        "winc" => go.increments[0] = Some(number),
        "binc" => go.increments[1] = Some(number),
        "movestogo" => go.moves_to_go = Some(small()).filter(|&moves| moves > 0),
        // A search needs at least depth 1 or one node.
        "depth" => go.depth = Some(small().max(1)),
        "nodes" => go.nodes = Some(natural.max(1)),
        "mate" => go.mate = Some(small()),
        "movetime" => go.movetime = Some(Duration::from_millis(natural)),
        _ => {}
    }
}

/// Maximum depth of perft, in plies; a deeper count would never end.
const PERFT_DEPTH_MAX: u64 = 30;

/// Largest numbers of threads and of MiB of the table.
const THREADS_MAX: u64 = umbrail_session::options::THREADS_MAX.unsigned_abs();
const HASH_MAX: u64 = umbrail_session::options::HASH_MAX_MIB.unsigned_abs();

fn perft(rest: &str) -> Result<Command, ParseError> {
    match count(word(rest).0) {
        Some(depth @ 0..=PERFT_DEPTH_MAX) => Ok(Command::Perft(depth as u32)),
        _ => Err(bad(format!("perft expects a depth from 0 to {PERFT_DEPTH_MAX}"))),
    }
}

/// Parses `bench [depth N] [threads N] [hash MB]`, or Stockfish's form: `bench [HASH [THREADS
/// [LIMIT [FILE|default|current [depth|nodes|movetime|perft]]]]]`.
fn bench(rest: &str) -> Result<Command, ParseError> {
    if word(rest).0.starts_with(|c: char| c.is_ascii_digit()) {
        return bench_in_order(rest);
    }
    let mut wish = BenchRequest::default();
    let mut words = words(rest);
    while let Some(key) = words.next() {
        let value = words.next().and_then(count).filter(|&value| value > 0);
        let Some(value) = value else {
            return Err(bad(format!("bench {} expects a number above 0", quote(key))));
        };
        match key {
            "depth" => {
                wish.limit = Some(BenchLimit::Depth(u32::try_from(value).unwrap_or(u32::MAX)));
            }
            "threads" => wish.threads = Some(value.min(THREADS_MAX) as usize),
            "hash" => wish.hash_mib = Some(value.min(HASH_MAX) as usize),
            _ => {
                return Err(bad(format!(
                    "bench knows depth, threads and hash, got \"{}\"",
                    quote(key)
                )));
            }
        }
    }
    Ok(Command::Bench(wish))
}

/// Duration of a speed test, in seconds.
const SPEED_TEST: u64 = 30;
/// Size of the table of a speed test for each thread, and the largest by default, in MiB.
const SPEED_TEST_HASH: (u64, u64) = (128, 4096);

/// Parses `speedtest [THREADS [HASH [SECONDS]]]`; without values it uses all processors.
fn speedtest(rest: &str) -> Result<Command, ParseError> {
    const USAGE: &str = "speedtest [THREADS [HASH [SECONDS]]] with numbers above 0";
    let all: Vec<&str> = words(rest).collect();
    let numbers = all.iter().map(|word| {
        let number = count(word).filter(|&value| value > 0);
        number.ok_or_else(|| bad(format!("expected {USAGE}, got \"{}\"", quote(word))))
    });
    let numbers = numbers.collect::<Result<Vec<u64>, _>>()?;
    if numbers.len() > 3 {
        return Err(bad(format!("expected {USAGE}, got \"{}\"", quote(all[3]))));
    }
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let threads = numbers.first().copied().unwrap_or(processors).min(THREADS_MAX);
    let (each, most) = SPEED_TEST_HASH;
    let hash = numbers.get(1).copied().unwrap_or(threads.saturating_mul(each).min(most));
    let seconds = numbers.get(2).copied().unwrap_or(SPEED_TEST);
    let time = Duration::from_secs(seconds) / FIXED_POSITIONS as u32;
    Ok(Command::Bench(BenchRequest {
        limit: Some(BenchLimit::MoveTime(time)),
        positions: BenchPositions::Fixed,
        threads: Some(threads as usize),
        hash_mib: Some(hash.min(HASH_MAX) as usize),
    }))
}

/// Parses the five values of Stockfish's bench, in their order.
fn bench_in_order(rest: &str) -> Result<Command, ParseError> {
    const USAGE: &str =
        "bench [HASH [THREADS [LIMIT [FILE|default|current [depth|nodes|movetime|perft]]]]]";
    let words: Vec<&str> = words(rest).collect();
    if words.len() > 5 {
        return Err(bad(format!("expected {USAGE}, got \"{}\"", quote(words[5]))));
    }
    let number = |at: usize| match words.get(at).map(|word| count(word).filter(|&value| value > 0))
    {
        None => Ok(None),
        Some(Some(value)) => Ok(Some(value)),
        Some(None) => {
            Err(bad(format!("expected {USAGE} with numbers above 0, got \"{}\"", quote(words[at]))))
        }
    };
    let limit = number(2)?.unwrap_or(13);
    let limit = match words.get(4) {
        None | Some(&"depth") => BenchLimit::Depth(u32::try_from(limit).unwrap_or(u32::MAX)),
        Some(&"nodes") => BenchLimit::Nodes(limit),
        Some(&"movetime") => BenchLimit::MoveTime(Duration::from_millis(limit)),
        Some(&"perft") if limit <= PERFT_DEPTH_MAX => BenchLimit::Perft(limit as u32),
        Some(&"perft") => {
            return Err(bad(format!("bench by perft expects a depth from 1 to {PERFT_DEPTH_MAX}")));
        }
        Some(other) => {
            return Err(bad(format!(
                "expected depth, nodes, movetime or perft, got \"{}\"",
                quote(other)
            )));
        }
    };
    let positions = match words.get(3) {
        None | Some(&"default") => BenchPositions::Fixed,
        Some(&"current") => BenchPositions::Current,
        Some(file) => BenchPositions::File((*file).to_owned()),
    };
    Ok(Command::Bench(BenchRequest {
        limit: Some(limit),
        positions,
        threads: number(1)?.map(|threads| threads.min(THREADS_MAX) as usize),
        hash_mib: number(0)?.map(|hash| hash.min(HASH_MAX) as usize),
    }))
}

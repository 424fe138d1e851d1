//! A thin driver for the Steno-Chess solver and the composer's bench, with the arguments of the
//! subcommand: `steno solve|match|marks|convert|explain|whittle|compose`.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use umbrail::chess::Position;
use umbrail::control::{Cancel, Clock, Control, Pool, Progress};
use umbrail::geometry::Setup;
use umbrail::steno::bench::{convert, explain, whittle};
use umbrail::steno::checkpoint::{Checkpoint, resume};
use umbrail::steno::compose::{Verdict, Wishes, compose};
use umbrail::steno::game::Game;
use umbrail::steno::report::{html, json, text};
use umbrail::steno::{BigUint, Ended, Fact, Params, Request, Steno, Vocabulary, solve};

/// What the command line says.
#[derive(Default)]
struct Said {
    vocabulary: Vocabulary,
    to: Option<Vocabulary>,
    start: Position,
    params: Params,
    wishes: Wishes,
    strict: bool,
    json: bool,
    threads: usize,
    seconds: Option<f64>,
    intended: Option<String>,
    checkpoint: Option<String>,
    html: Option<String>,
    rest: Vec<String>,
}

fn read(mut args: impl Iterator<Item = String>) -> Result<Said, String> {
    let mut said = Said { threads: 1, ..Said::default() };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} wants a value"));
        let vocabulary =
            |name: String| Vocabulary::from_name(&name).ok_or(format!("no vocabulary '{name}'"));
        let number = |text: String| text.parse().map_err(|_| format!("{arg}: no number '{text}'"));
        match arg.as_str() {
            "--vocabulary" => said.vocabulary = vocabulary(value()?)?,
            "--to" => said.to = Some(vocabulary(value()?)?),
            "--fen" => {
                let setup: Setup = value()?.parse().map_err(|error| format!("{error}"))?;
                said.start = Position::try_from(&setup).map_err(|error| error.to_string())?;
            }
            "--json" => said.json = true,
            "--strict-san" => said.strict = true,
            "--no-lookahead" => said.params.lookahead = false,
            "--threads" => said.threads = number(value()?)?,
            "--games" => said.params.games_max = number(value()?)?,
            "--max-solutions" => said.params.enough = Some(number(value()?)? as u64),
            "--positions" => said.params.positions_max = Some(number(value()?)? as u64),
            "--memory" => {
                let mib = number(value()?.trim_end_matches('m').to_owned())?;
                said.params.memory_bytes = (mib as u64) << 20;
            }
            "--seconds" => said.seconds = value()?.parse().ok(),
            "--intended" => said.intended = Some(value()?),
            "--checkpoint" => said.checkpoint = Some(value()?),
            "--html" => said.html = Some(value()?),
            "--many-any" => said.wishes.many_any = true,
            "--only" => said.wishes.only = Some(value()?),
            "--pattern" => {
                said.wishes.fixed =
                    value()?.chars().map(|c| Some(c).filter(|&c| c != '?')).collect();
            }
            "--trials" => said.wishes.trials_max = Some(number(value()?)?),
            "--" => said.rest.extend(args.by_ref()),
            other if other.starts_with("--") => return Err(format!("no option '{other}'")),
            other => said.rest.push(other.to_owned()),
        }
    }
    Ok(said)
}

/// The text that an argument stands for: a file's contents, or itself.
fn contents(argument: &str) -> String {
    std::fs::read_to_string(argument).unwrap_or_else(|_| argument.to_owned())
}

fn request(said: &Said, steno: &str) -> Result<Request, String> {
    let saved = said.checkpoint.as_ref().and_then(|path| std::fs::read(path).ok());
    let wants = Steno::parse(steno, said.vocabulary).is_ok_and(|steno| steno.resumes);
    let mut request = match saved {
        Some(bytes) if wants => {
            let saved = Checkpoint::from_bytes(&bytes).map_err(|error| error.to_string())?;
            resume(steno, said.vocabulary, said.strict, &said.start, &Arc::new(saved))
                .map_err(|error| error.to_string())?
        }
        _ if wants => {
            let path = said.checkpoint.as_deref().unwrap_or("(no --checkpoint FILE given)");
            return Err(format!("'$' at the beginning: there is no checkpoint to read: {path}"));
        }
        _ => {
            let request = Request::new(steno, said.vocabulary, said.start)
                .map_err(|error| format!("{steno}\n{:>1$}\n{error}", '^', error.column))?;
            if said.strict { request.strict() } else { request }
        }
    };
    if let Some(intended) = &said.intended {
        request.intended =
            Some(Game::read(&contents(intended), &said.start).map_err(|e| e.to_string())?.moves);
    }
    Ok(request)
}

fn game(said: &Said, argument: Option<&String>) -> Result<Game, String> {
    let argument = argument.ok_or("expected a game: a PGN file or its moves")?;
    Game::read(&contents(argument), &said.start).map_err(|error| error.to_string())
}

fn run() -> Result<u8, String> {
    let heard = Instant::now();
    let mut args = std::env::args().skip(1);
    let verb = args.next().unwrap_or_default();
    let said = read(args)?;
    let (clock, progress) = (Clock::started(heard), Progress::default());
    if let Some(seconds) = said.seconds {
        clock.limit(Duration::from_secs_f64(seconds));
    }
    let pool = Pool::new(said.threads).map_err(|error| error.to_string())?;
    let first = said.rest.first();
    match verb.as_str() {
        "solve" => {
            let request = request(&said, first.ok_or("expected a steno")?)?;
            let index = AtomicUsize::new(1);
            let out = Mutex::new(());
            let tell = |fact: Fact| {
                let _lock = out.lock();
                let game = matches!(fact, Fact::Game(_));
                let number = index.fetch_add(usize::from(game), Ordering::Relaxed);
                if said.json {
                    println!("{}", json::fact(&request, &fact, number));
                } else {
                    print!("{}", text::fact(&request, &fact, number));
                }
            };
            let control = Control::new(Cancel::default(), &clock, &progress, &pool, &tell);
            let answer = solve(&request, &said.params, &control);
            for (game, misfit) in &answer.refuted {
                eprintln!("internal error, please report: {game:?}: {misfit}");
            }
            if let (Some(path), Some(checkpoint)) = (&said.checkpoint, &answer.checkpoint) {
                std::fs::write(path, checkpoint.to_bytes()).map_err(|e| format!("{path}: {e}"))?;
            }
            if let Some(path) = &said.html {
                std::fs::write(path, html::page(&request, &answer)).map_err(|e| e.to_string())?;
            }
            if said.json {
                println!("{}", json::end(&request, &answer, clock.elapsed().as_millis()));
            } else {
                print!("{}", text::verdict(&request, &answer));
            }
            Ok(match answer.ended {
                _ if !answer.refuted.is_empty() => 70,
                Ended::Complete => 0,
                _ => 3,
            })
        }
        "match" => {
            let game = game(&said, said.rest.get(1))?;
            match game.fits(first.ok_or("expected a steno")?, said.vocabulary, said.strict) {
                Ok(()) => println!("fits"),
                Err(misfit) => {
                    println!("{misfit}");
                    return Ok(4);
                }
            }
            Ok(0)
        }
        "marks" => {
            for (san, marks) in game(&said, first)?.marks(said.vocabulary, said.strict) {
                println!("{san:<8} {}", marks.into_iter().collect::<String>());
            }
            Ok(0)
        }
        "explain" => {
            for remark in explain(&request(&said, first.ok_or("expected a steno")?)?) {
                println!("turn {}: {} (turn {})", remark.turn + 1, remark.what, remark.because + 1);
            }
            Ok(0)
        }
        "convert" | "whittle" | "compose" => {
            let quiet = |_: Fact| {};
            let control = Control::new(Cancel::default(), &clock, &progress, &pool, &quiet);
            if verb == "whittle" {
                let request = request(&said, first.ok_or("expected a steno")?)?;
                let done = whittle(&request, &said.params, &control).map_err(|_| "stopped")?;
                println!("{done:#?}");
                return Ok(if done.unique { 0 } else { 4 });
            }
            if verb == "convert" {
                let request = request(&said, first.ok_or("expected a steno")?)?;
                let game = game(&said, said.rest.get(1))?;
                let to = said.to.ok_or("expected --to VOCABULARY")?;
                let done = convert(&request, &game, to, &said.params, &control)
                    .map_err(|error| error.to_string())?;
                println!("{}  {:?}", done.request.steno, done.replaced);
                print!("{}", text::verdict(&done.request, &done.answer));
                return Ok(if done.answer.count == BigUint::from(1u32) { 0 } else { 4 });
            }
            let games = Game::read_all(&contents(first.ok_or("expected a game")?), &said.start)
                .map_err(|error| error.to_string())?;
            for game in games {
                let before = Instant::now();
                let clock = Clock::started(before);
                if let Some(seconds) = said.seconds {
                    clock.limit(Duration::from_secs_f64(seconds));
                }
                let control = Control::new(Cancel::default(), &clock, &progress, &pool, &quiet);
                let done = compose(&game, said.vocabulary, &said.wishes, &said.params, &control)
                    .map_err(|error| error.to_string())?;
                let verdict = match &done.verdict {
                    Verdict::Found { text, best } => format!("found {text} best {best}"),
                    Verdict::None => "none".to_owned(),
                    Verdict::Open => "open".to_owned(),
                };
                println!(
                    "{verdict} plies {} trials {} cooks {} banned {} seconds {:.2}",
                    game.moves.len(),
                    done.trials,
                    done.cooks,
                    done.banned,
                    before.elapsed().as_secs_f64()
                );
            }
            Ok(0)
        }
        other => Err(format!("no command '{other}'")),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

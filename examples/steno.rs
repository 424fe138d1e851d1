//! A thin driver for the Steno-Chess solver, with the arguments of the future subcommand.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use umbrail::chess::Position;
use umbrail::control::{Cancel, Clock, Control, Pool, Progress};
use umbrail::geometry::Setup;
use umbrail::steno::report::{json, text};
use umbrail::steno::{Ended, Fact, Params, Request, Vocabulary, solve};

fn fail(message: String) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() != Some("solve") {
        return fail("expected solve".into());
    }
    let (mut vocabulary, mut start) = (Vocabulary::Classic, Position::startpos());
    let (mut as_json, mut threads, mut params) = (false, 1, Params::default());
    let mut steno = None;
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_default();
        match arg.as_str() {
            "--vocabulary" => match Vocabulary::from_name(&value()) {
                Some(known) => vocabulary = known,
                None => return fail("unknown vocabulary".into()),
            },
            "--fen" => match value()
                .parse::<Setup>()
                .map_err(|e| e.to_string())
                .and_then(|setup| Position::try_from(&setup).map_err(|e| e.to_string()))
            {
                Ok(position) => start = position,
                Err(error) => return fail(error),
            },
            "--json" => as_json = true,
            "--no-lookahead" => params.lookahead = false,
            "--threads" => threads = value().parse().unwrap_or(1),
            "--games" => params.games_max = value().parse().unwrap_or(10),
            "--memory" => {
                let mib = value().trim_end_matches('m').parse().unwrap_or(1024u64);
                params.memory_bytes = mib << 20;
            }
            "--" => steno = Some(value()),
            other => return fail(format!("unknown argument {other}")),
        }
    }
    let Some(steno) = steno else { return fail("expected -- STENO".into()) };
    let request = match Request::new(&steno, vocabulary, start) {
        Ok(request) => request,
        Err(error) => return fail(format!("{steno}\n{:>1$} {error}", '^', error.column)),
    };
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(threads).expect("threads");
    let index = AtomicUsize::new(1);
    let tell = |fact: Fact| {
        let number = index.load(Ordering::Relaxed);
        if matches!(fact, Fact::Game(_)) {
            index.fetch_add(1, Ordering::Relaxed);
        }
        if as_json {
            println!("{}", json::fact(&request, &fact, number));
        } else {
            print!("{}", text::fact(&request, &fact, number));
        }
    };
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &tell);
    let answer = solve(&request, &params, &control);
    for (game, misfit) in &answer.refuted {
        eprintln!("internal error: {game:?} {misfit}");
    }
    if as_json {
        println!("{}", json::end(&request, &answer, clock.elapsed().as_millis()));
    } else {
        print!("{}", text::verdict(&request, &answer));
    }
    match answer.ended {
        _ if !answer.refuted.is_empty() => ExitCode::from(70),
        Ended::Complete => ExitCode::SUCCESS,
        _ => ExitCode::from(3),
    }
}

//! The table builder from the command line, for measurements and the checkers:
//! `cargo run --release --example egt -- stats KQ.KR --metric dtm --json`.

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::Instant;
use umbrail::control::{Cancel, Clock, Control, Pool, Progress};
use umbrail::fairy::Armoury;
use umbrail::geometry::{Color, Setup};
use umbrail::tables::{
    Board, Effort, Fact, Material, Metric, Rules, Stalemate, Table, egtgen, survey,
};

struct Args {
    words: Vec<String>,
    metric: Option<Metric>,
    pieces: Option<String>,
    threads: usize,
    verbose: bool,
    stride: usize,
    ship: bool,
    seeds: Option<String>,
    rules: Rules,
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            eprintln!("egt: {message}");
            ExitCode::from(2)
        }
    }
}

fn parse() -> Result<Args, String> {
    let mut args = Args {
        words: Vec::new(),
        metric: None,
        pieces: None,
        threads: 1,
        verbose: false,
        stride: 1,
        ship: false,
        seeds: None,
        rules: Rules::default(),
    };
    let mut list = std::env::args().skip(1);
    while let Some(arg) = list.next() {
        let mut value = || list.next().ok_or_else(|| format!("{arg} wants a value"));
        match arg.as_str() {
            "--metric" => {
                let name = value()?;
                args.metric = Some(
                    Metric::from_name(&name)
                        .ok_or_else(|| format!("--metric wants dtm or dtc, got \"{name}\""))?,
                );
            }
            "--pieces" => args.pieces = Some(value()?),
            "--threads" => {
                let text = value()?;
                args.threads = text
                    .parse()
                    .map_err(|_| format!("--threads wants a number, got \"{text}\""))?;
            }
            "--stride" => args.stride = value()?.parse().map_err(|_| "--stride wants a number")?,
            "--ship" => args.ship = true,
            "--verbose" => args.verbose = true,
            "--json" => {}
            "-f" => args.seeds = Some(value()?),
            "-m" => args.metric = Some(Metric::Dtm),
            "-0" => args.rules.null_move = true,
            "-s" => args.rules.stalemate = Stalemate::Win,
            "--forced-pass" => args.rules.stalemate = Stalemate::Pass,
            _ => args.words.push(arg),
        }
    }
    Ok(args)
}

fn run() -> Result<ExitCode, String> {
    let args = parse()?;
    let armoury = match &args.pieces {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
            Armoury::with_definitions(&text).map_err(|errors| {
                errors.iter().map(|e| format!("{path}: {e}")).collect::<Vec<_>>().join("\n")
            })?
        }
        None => Armoury::default(),
    };
    let pool = Pool::new(args.threads).map_err(|e| e.to_string())?;
    let words: Vec<&str> = args.words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["stats", material] => {
            let material = Material::read(material, &armoury).map_err(|e| e.to_string())?;
            let rules = Rules { metric: args.metric.unwrap_or_default(), ..args.rules.clone() };
            let mut table = Table::empty(&material, &rules, &armoury).map_err(|e| e.to_string())?;
            table.keep_only_the_top();
            grow(&mut table, &material, &pool, args.verbose);
            if let Some(statistics) = table.statistics() {
                println!("{}", statistics.to_json());
            }
            Ok(ExitCode::SUCCESS)
        }
        ["rep2", material] => {
            let material = Material::read(material, &armoury).map_err(|e| e.to_string())?;
            let stalemate_wins = args.rules.stalemate == Stalemate::Win;
            let metric = args.metric.unwrap_or(Metric::Level);
            let rules = Rules::egtgen(metric, args.rules.null_move, stalemate_wins);
            let mut table = Table::empty(&material, &rules, &armoury).map_err(|e| e.to_string())?;
            if let Some(path) = &args.seeds {
                let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
                let lines = umbrail::tables::seed::read(&text, &material, metric)
                    .map_err(|errors| errors[0].to_string())?;
                table.sow(lines);
            }
            grow(&mut table, &material, &pool, args.verbose);
            if let Some(text) = table.rep2() {
                print!("{text}");
            }
            Ok(ExitCode::SUCCESS)
        }
        [word @ ("save" | "load"), material, folder] => {
            let material = Material::read(material, &armoury).map_err(|e| e.to_string())?;
            let rules = Rules { metric: args.metric.unwrap_or_default(), ..args.rules.clone() };
            let mut table = Table::empty(&material, &rules, &armoury).map_err(|e| e.to_string())?;
            let folder = std::path::Path::new(folder);
            let start = Instant::now();
            if *word == "save" {
                grow(&mut table, &material, &pool, args.verbose);
                println!("built in {:?}", start.elapsed());
                let effort = if args.ship { Effort::Shipping } else { Effort::Working };
                let start = Instant::now();
                let saved =
                    pool.install(|| table.save(folder, effort).map_err(|e| e.to_string()))?;
                for (name, bytes) in saved {
                    println!("{bytes:10} {name}");
                }
                println!("saved in {:?}", start.elapsed());
            } else {
                table.load(folder, true, 0).map_err(|e| e.to_string())?;
                println!("loaded in {:?}", start.elapsed());
                if let Some(statistics) = table.statistics() {
                    println!("{}", statistics.to_json());
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        ["maximin" | "report" | "playout", material] => {
            let material = Material::read(material, &armoury).map_err(|e| e.to_string())?;
            let rules = Rules { metric: args.metric.unwrap_or_default(), ..args.rules.clone() };
            let mut table = Table::empty(&material, &rules, &armoury).map_err(|e| e.to_string())?;
            grow(&mut table, &material, &pool, args.verbose);
            if words[0] == "report" {
                println!("{}", table.report_html().map_err(|e| e.to_string())?.unwrap_or_default());
                return Ok(ExitCode::SUCCESS);
            }
            for winner in Color::ALL {
                for winner_moves in [true, false] {
                    for board in table.hardest(winner, winner_moves, 1) {
                        let value = table.value(&board).map_err(|e| e.to_string())?;
                        let line = table.line(&board, 2000).map_err(|e| e.to_string())?;
                        let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
                        let index = egtgen::index(&board, &material).unwrap_or(0);
                        println!(
                            "{winner} wins: {} {index:o} {value:?}, played {} plies: {}",
                            board.to_fen(),
                            line.len(),
                            moves.join(" ")
                        );
                    }
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        ["survey", pattern, letters] => {
            let letters: Vec<char> = letters.chars().collect();
            println!("{}", survey::HEADING);
            for name in survey::expand(pattern, &letters, 10_000)? {
                let material = Material::read(&name, &armoury).map_err(|e| e.to_string())?;
                let rules = Rules { metric: args.metric.unwrap_or_default(), ..args.rules.clone() };
                let mut table =
                    Table::empty(&material, &rules, &armoury).map_err(|e| e.to_string())?;
                grow(&mut table, &material, &pool, args.verbose);
                if let Some(statistics) = table.statistics() {
                    println!("{}", survey::row(&statistics));
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        ["list", fen] => {
            let setup: Setup = fen.parse().map_err(|e| format!("{e}"))?;
            let bare = Material::read("K.K", &armoury).map_err(|e| e.to_string())?;
            let rules = Rules::orthodox(args.metric.unwrap_or(Metric::Level));
            let first = Table::empty(&bare, &rules, &armoury).map_err(|e| e.to_string())?;
            let board = first.board(&setup).map_err(|e| e.to_string())?;
            let material = Table::material_of(&board);
            let mut table = Table::empty(&material, &rules, &armoury).map_err(|e| e.to_string())?;
            grow(&mut table, &material, &pool, args.verbose);
            print!("{}", table.listing(&board).map_err(|e| e.to_string())?);
            Ok(ExitCode::SUCCESS)
        }
        ["verify", material] => {
            let material = Material::read(material, &armoury).map_err(|e| e.to_string())?;
            let rules = Rules { metric: args.metric.unwrap_or_default(), ..args.rules.clone() };
            let mut table = Table::empty(&material, &rules, &armoury).map_err(|e| e.to_string())?;
            grow(&mut table, &material, &pool, args.verbose);
            let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
            let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|()| {});
            let Ok(verdict) = table.verify(args.stride, &control) else {
                return Err("stopped".to_owned());
            };
            for fault in &verdict.faults {
                println!("{fault}");
            }
            println!(
                "{material}: {} cells checked, {} faults",
                verdict.checked, verdict.fault_count
            );
            Ok(if verdict.fault_count == 0 { ExitCode::SUCCESS } else { ExitCode::from(4) })
        }
        ["probe"] => probe(&args, &armoury, &pool),
        _ => Err("usage: egt stats MATERIAL | probe".to_owned()),
    }
}

fn grow(table: &mut Table, material: &Material, pool: &Pool, verbose: bool) {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let start = Instant::now();
    let tell = |fact: Fact| {
        if verbose {
            eprintln!("{:?} {fact:?}", start.elapsed());
        }
    };
    let control = Control::new(Cancel::default(), &clock, &progress, pool, &tell);
    let _ = table.build_also(material, &control);
}

fn probe(args: &Args, armoury: &Armoury, pool: &Pool) -> Result<ExitCode, String> {
    let bare = Material::read("K.K", armoury).map_err(|e| e.to_string())?;
    let mut tables = Vec::new();
    for metric in [Metric::Dtm, Metric::Dtc] {
        let rules = Rules { metric, ..args.rules.clone() };
        tables.push(Table::empty(&bare, &rules, armoury).map_err(|e| e.to_string())?);
    }
    let mut bad = false;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = line
            .parse::<Setup>()
            .map_err(|e| e.to_string())
            .and_then(|setup| tables[0].board(&setup).map_err(|e| e.to_string()));
        let _ = match answer {
            Ok(board) => {
                let values = tables.iter_mut().map(|table| {
                    if table.value(&board).is_err() {
                        grow(table, &Table::material_of(&board), pool, args.verbose);
                    }
                    value(table, &board)
                });
                let values: Vec<_> = values.collect();
                let show = |v: Option<i64>| v.map_or("null".to_owned(), |v| v.to_string());
                writeln!(
                    out,
                    "{{\"fen\":\"{}\",\"wdl\":{},\"dtm\":{},\"dtc\":{}}}",
                    line.trim(),
                    values[0].0,
                    show(values[0].1),
                    show(values[1].1)
                )
            }
            Err(error) => {
                bad = true;
                let escaped = error.replace('\\', "\\\\").replace('"', "\\\"");
                writeln!(out, "{{\"fen\":{line:?},\"error\":\"{escaped}\"}}")
            }
        };
    }
    Ok(if bad { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

fn value(table: &Table, board: &Board) -> (i32, Option<i64>) {
    table.value(board).map_or((0, None), |v| (v.wdl(), v.signed_plies()))
}

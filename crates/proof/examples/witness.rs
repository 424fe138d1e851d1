//! The long witness test: every known game of a corpus, and random games, must survive analysis and
//! search.
//!
//! `cargo run --release -p umbrail-proof --example witness -- corpus.jsonl [--random N] [--moves N]
//! [--rules LIST] [--id ID]`
//!
//! The corpus has one JSON object per line: `id`, `fen`, `plies`, `solution` in SAN. `--random` is
//! the number of games of each style. A lost game is a bug; the report names the first rule or move
//! that loses it.

use std::sync::Arc;
use std::time::Instant;
use umbrail_chess::{Move, Position};
use umbrail_control::Cancel;
use umbrail_proof::Effort;
use umbrail_proof::internals::{
    RefutationTable, STYLES, SearchOptions, StrategySearcher, random_game,
};
use umbrail_proof::{Diagram, Length, Problem, Rules, game_of, project, san_of};

struct Arguments {
    corpus: Option<String>,
    random: usize,
    moves: u64,
    rules: Rules,
    id: Option<String>,
    exact: bool,
    mib: usize,
    verbose: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments {
        corpus: None,
        random: 0,
        moves: 0,
        rules: Rules::default(),
        id: None,
        exact: false,
        mib: 64,
        verbose: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("{text} is not a number"));
        match word.as_str() {
            "--random" => found.random = number(value()?)? as usize,
            "--moves" => found.moves = number(value()?)?,
            "--mib" => found.mib = number(value()?)? as usize,
            "--rules" => {
                found.rules = value()?.parse().map_err(|error| format!("{error}"))?;
            }
            "--id" => found.id = Some(value()?),
            "--exact" => found.exact = true,
            "--verbose" => found.verbose = true,
            _ if word.starts_with("--") => return Err(format!("unknown: {word}")),
            _ => found.corpus = Some(word),
        }
    }
    Ok(found)
}

fn end_of(game: &[Move]) -> Diagram {
    Diagram::of(&game.iter().fold(Position::startpos(), |position, &mv| position.after(mv)))
}

/// Follows one game; true if it survives.
fn follow(name: &str, game: &[Move], arguments: &Arguments) -> bool {
    let Ok(strategy) = project(game) else {
        println!("{name}: illegal");
        return false;
    };
    let mut kept = true;
    for length in [Length::Exact, Length::Parity] {
        let problem = Problem { diagram: end_of(game), plies: game.len() as u16, length };
        let options = SearchOptions { rules: arguments.rules, ..SearchOptions::default() };
        let mut player =
            StrategySearcher::new(&problem, Arc::new(RefutationTable::new(0)), options);
        for effort in [Effort::Quick, Effort::Deep] {
            if let Err(lost) = player.follow(&strategy, game, effort) {
                let game = san_of(game).join(" ");
                println!("{name}: {length:?}, {effort:?}: LOST: {lost}\n   {strategy}\n   {game}");
                kept = false;
            }
        }
    }
    kept
}

fn main() -> Result<(), String> {
    let arguments = arguments()?;
    let mut followed = 0;
    let mut lost = 0;
    let (mut tried, mut decided, mut moves_all) = (0, 0, 0u64);
    let start = Instant::now();
    if let Some(path) = &arguments.corpus {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        for line in text.lines() {
            let entry: serde_json::Value =
                serde_json::from_str(line).map_err(|error| error.to_string())?;
            let (Some(id), Some(solution)) = (entry["id"].as_str(), entry["solution"].as_str())
            else {
                continue;
            };
            if arguments.id.as_ref().is_some_and(|wanted| wanted != id) {
                continue;
            }
            let game = game_of(solution).map_err(|error| format!("{id}: {error}"))?;
            followed += 1;
            lost += u32::from(!follow(id, &game, &arguments));
            if arguments.moves == 0 || (id.starts_with("gen-") && arguments.id.is_none()) {
                continue;
            }
            let length = if arguments.exact { Length::Exact } else { Length::Parity };
            let problem = Problem { diagram: end_of(&game), plies: game.len() as u16, length };
            let options = SearchOptions {
                rules: arguments.rules,
                moves_max: arguments.moves,
                ..SearchOptions::default()
            };
            let table = Arc::new(RefutationTable::new(arguments.mib));
            let mut player = StrategySearcher::new(&problem, table, options);
            let strategy = project(&game).map_err(|error| error.to_string())?;
            let started = Instant::now();
            let played = player.play(&strategy, 1, &Cancel::default());
            let seconds = started.elapsed().as_secs_f64();
            tried += 1;
            let sure = played.complete || played.enough;
            decided += u32::from(sure);
            moves_all += played.moves;
            if played.complete && played.games.is_empty() {
                println!("{id}: LOST in play");
                lost += 1;
            }
            if !sure || arguments.verbose {
                println!(
                    "{id}: {} plies, free {:?}, {} moves, {} games, {}, {seconds:.2} s, {:.2} M/s",
                    game.len(),
                    played.free,
                    played.moves,
                    played.games.len(),
                    if sure { "decided" } else { "open" },
                    played.moves as f64 / seconds / 1e6
                );
            }
        }
    }
    for (number, &style) in STYLES.iter().enumerate() {
        for seed in 0..arguments.random as u64 {
            let plies = 8 + (seed % 60) as usize;
            let game = random_game(style, plies, seed + 100_000 * number as u64);
            followed += 1;
            lost += u32::from(!follow(&format!("{style:?} {seed}"), &game, &arguments));
        }
    }
    println!(
        "{followed} games followed, {lost} lost; {tried} strategies played, {decided} decided, \
         {:.2} M moves; {:.1} s",
        moves_all as f64 / 1e6,
        start.elapsed().as_secs_f64()
    );
    if lost == 0 { Ok(()) } else { Err(format!("{lost} games lost")) }
}

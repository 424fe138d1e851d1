//! Walks the tree of strategies along known games and reports each game that is lost on the way.
//!
//! `cargo run --release -p umbrail-proof --example spg_witness -- CORPUS.jsonl [RANDOM_GAMES]
//! [TIGHT_GAMES] [RULES]`
//!
//! First the games of a corpus (one JSON object per line with `fen`, `plies` and `solution`; `-`
//! for none), then RANDOM_GAMES random games of all styles and TIGHT_GAMES without slack. The exit
//! status is 1 when a game is lost.

use std::process::ExitCode;
use umbrail_chess::{Move, Position};
use umbrail_proof::internals::{EnumerationOptions, follow};
use umbrail_proof::internals::{GameStyle, random_game};
use umbrail_proof::{Diagram, Length, Problem, game_of, project, san_of};

fn check(name: &str, game: &[Move], options: &EnumerationOptions) -> Option<[u16; 2]> {
    let end = game.iter().fold(Position::startpos(), |position, &mv| position.after(mv));
    let diagram = Diagram::of(&end);
    let problem = Problem { diagram, plies: game.len() as u16, length: Length::Exact };
    let strategy = match project(game) {
        Ok(strategy) => strategy,
        Err(error) => {
            println!("{name}: {error}");
            return None;
        }
    };
    match follow(&problem, options, &strategy) {
        Ok(free) => Some(free),
        Err(lost) => {
            println!("LOST {name} {problem}\n  {}", san_of(game).join(" "));
            println!("  {strategy}\n  {:?}\n{}", lost.dead, lost.node);
            None
        }
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize| words.get(n).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    let mut options = EnumerationOptions::default();
    if let Some(rules) = words.get(3).and_then(|word| word.parse().ok()) {
        options.rules = rules;
    }
    let (mut kept, mut lost, mut low) = (0u64, 0u64, 0u64);
    let mut count = |free: Option<[u16; 2]>| match free {
        Some(free) => {
            kept += 1;
            low += u64::from(free.into_iter().any(|moves| moves <= 1));
        }
        None => lost += 1,
    };
    if let Some(path) = words.first().filter(|path| *path != "-") {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        for line in text.lines() {
            let Ok(entry) = serde_json::from_str::<serde_json::Value>(line) else {
                continue;
            };
            let Some(solution) = entry["solution"].as_str() else { continue };
            let Ok(game) = game_of(solution) else { continue };
            count(check(entry["id"].as_str().unwrap_or(""), &game, &options));
        }
    }
    const STYLES: [GameStyle; 4] =
        [GameStyle::Uniform, GameStyle::Captures, GameStyle::Promotions, GameStyle::Castling];
    for seed in 0..number(1) {
        let style = STYLES[seed as usize % 4];
        let game = random_game(style, 10 + (seed as usize * 7) % 111, seed);
        count(check(&format!("{style:?} {seed}"), &game, &options));
    }
    for seed in 0..number(2) {
        let style = GameStyle::Tight((seed % 3) as u8);
        let game = random_game(style, 8 + (seed as usize * 5) % 60, seed);
        count(check(&format!("{style:?} {seed}"), &game, &options));
    }
    println!("{kept} kept, {low} of them with at most one spare move of a color, {lost} lost");
    if lost == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

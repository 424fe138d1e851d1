//! Counts the games of problems with conditions from a table, and compares numbers.
//!
//! `cargo run -p umbrail-proof --example fairy_corpus -- TABLE [PATTERN]`

use std::error::Error;
use std::time::Instant;
use umbrail_chess::geometry::{Bitboard, Color, Setup, Square};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_proof::Length;
use umbrail_proof::positions::*;

fn squares(text: &str) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for at in (0..text.len()).step_by(2) {
        all = all.with(text[at..at + 2].parse::<Square>().unwrap());
    }
    all
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&words[0])?;
    let pattern = words.get(1).cloned().unwrap_or_default();
    let seconds: u64 = words.get(2).map_or(10, |s| s.parse().unwrap());
    let pool = Pool::new(1)?;
    let (mut passed, mut failed, mut open, mut refused) = (0, 0, 0, 0);
    for line in text.lines() {
        let f: Vec<&str> = line.split('\t').collect();
        if !f[0].contains(&pattern) && !f[5].contains(&pattern) {
            continue;
        }
        let pieces: Vec<(char, PieceName)> = f[6]
            .split(';')
            .filter(|p| !p.is_empty())
            .filter_map(|p| {
                let (c, name) = p.split_once('=')?;
                Some((c.chars().next()?, PieceName::named(name)?))
            })
            .collect();
        let run = || -> Result<FairyProblem, Box<dyn Error>> {
            let target: Setup = f[1].parse()?;
            let mut start = FairyStart::ARRAY;
            if !f[2].is_empty() {
                let s: Setup = f[2].parse()?;
                start = FairyStart {
                    men: Some(men_of(&s, &pieces, squares(f[8]))?),
                    turn: s.turn,
                    castling: castling_of(&s.castling),
                    en_passant: s.en_passant,
                };
            }
            if f[4] == "s" {
                start.turn = Color::White;
            }
            let mut conditions = vec![];
            let mut end = None;
            for c in f[5].split('|').filter(|c| !c.is_empty()) {
                let name = ConditionName::read(c)?;
                if name.name == "Imitator"
                    && conditions.iter().any(|o: &ConditionName| o.name == "Imitator")
                {
                    end = name.squares.first().copied();
                    continue;
                }
                conditions.push(name);
            }
            Ok(FairyProblem {
                start,
                target: men_of(&target, &pieces, squares(f[7]))?,
                states_boards: true,
                imitator_end: end,
                plies: f[3].parse()?,
                length: Length::Parity,
                turns: if f[4] == "s" { Turns::Series } else { Turns::Alternating },
                conditions,
                pieces: pieces.iter().map(|p| p.1).collect(),
            })
        };
        let began = Instant::now();
        let clock = Clock::started(began);
        clock.limit(std::time::Duration::from_secs(seconds));
        let progress = Progress::default();
        let shown = |_: PositionEvent| {};
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &shown);
        let settings =
            PositionSettings { table_bytes: 64 << 20, listed_max: 20, enough: u128::MAX };
        let report = run().and_then(|p| Ok(count_fairy_games(&p, &settings, &control)?));
        let took = began.elapsed().as_secs_f64();
        match report {
            Err(why) => {
                refused += 1;
                println!("refused {} {why}", f[0]);
            }
            Ok(r) => {
                let want = f[10].trim_matches(|c| c == '[' || c == ']');
                let state = if !r.is_complete {
                    open += 1;
                    "OPEN"
                } else if r.count().to_string() == want {
                    passed += 1;
                    "ok"
                } else {
                    failed += 1;
                    if f[11] == "True" { "FAILED" } else { "unknown" }
                };
                let first = r.fairy_games.first().map(|g| g.text.clone()).unwrap_or_default();
                println!(
                    "{state} {} [{}] want {want} got {} nodes {} {took:.2}s (popeye {}) faults {:?}",
                    f[0],
                    f[5],
                    r.count(),
                    r.nodes,
                    f[12],
                    r.faults.len()
                );
                if state != "ok" {
                    println!("    {first}\n    {}", f[13]);
                } else if !r.fairy_games.iter().any(|g| plain(&g.text) == plain(f[13]))
                    && !f[13].is_empty()
                    && r.fairy_games.len() < 20
                {
                    println!("    TEXT {first}\n    TEXT {}", f[13]);
                }
            }
        }
    }
    println!("{passed} passed, {failed} failed, {open} open, {refused} refused");
    Ok(())
}

fn plain(text: &str) -> String {
    text.replace(" +", "").replace(" dia", "").replace(" a=>b", "").replace(' ', "")
}

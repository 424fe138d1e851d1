//! Fits the weights of the evaluation to the results of games that the engine plays against itself.
//!
//! Two moves, each a command:
//!
//! - `tune games COUNT NODES SEED > FILE` plays short games from random openings and writes each quiet
//!   position with its score and the result of its game (White's view), one a line.
//! - `tune fit FILE...` fits all weights by gradient descent (Adam) on the logistic loss and prints them
//!   as rows for `crates/search/src/evaluate/tuned.rs`.
//!
//! The method is Peter Österlund's ("Texel's tuning method", 2014) with gradients instead of local search
//! (Andrew Grant's Ethereal tuner, 2020): each position is a sparse linear form in the weights, so one
//! evaluation is one dot product.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::time::Instant;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{Move, Position};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_search::internals::{COUNT, PLACEMENT, WEIGHTS, coefficients, drive};
use umbrail_search::{Engine, Limits, Score, SearchParams, SearchRequest, solve};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = words.iter().skip(1).filter_map(|word| word.parse().ok()).collect();
    match (words.first().map(String::as_str), &numbers[..]) {
        (Some("games"), &[count, nodes, seed]) => games(count, nodes, Random(seed | 1)),
        (Some("fit"), _) if words.len() > 1 => fit(&words[1..]),
        _ => eprintln!("expected: tune games COUNT NODES SEED, or tune fit FILE..."),
    }
}

/// Marsaglia's xorshift: openings need no better one.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

/// One game under way.
struct Game {
    position: Position,
    history: Vec<u64>,
}

impl Game {
    /// Eight or nine random plies; none when the game ended by them.
    fn opening(random: &mut Random) -> Option<Self> {
        let mut game = Self { position: Position::startpos(), history: vec![] };
        for _ in 0..8 + random.below(2) {
            let moves = game.position.legal_moves();
            let mv = *moves.get(random.below(moves.len().max(1)))?;
            game.play(mv);
        }
        game.position.has_legal_move().then_some(game)
    }

    fn play(&mut self, mv: Move) {
        self.history.push(self.position.key());
        self.position = self.position.after(mv);
    }
}

fn games(count: u64, nodes: u64, mut random: Random) {
    let pool = Pool::new(1).expect("one thread");
    let params = SearchParams { hash_mib: 4, ..SearchParams::default() };
    let mut engine = Engine::new(4);
    let out = std::io::stdout();
    for _ in 0..count {
        let Some(mut game) = Game::opening(&mut random) else { continue };
        engine.clear();
        let mut kept: Vec<(String, i32)> = vec![];
        let (mut decided, mut level) = (0_i32, 0);
        let result = loop {
            if let Some(outcome) = game.position.outcome(&game.history) {
                break match outcome {
                    umbrail_chess::Outcome::Mate(winner) => f64::from(u8::from(winner.is_white())),
                    umbrail_chess::Outcome::Draw(_) => 0.5,
                };
            }
            if game.position.claimable(&game.history).is_some() || game.history.len() > 400 {
                break 0.5;
            }
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let request = SearchRequest {
                position: game.position,
                history: game.history.clone(),
                limits,
                root_moves: None,
                multipv: 1,
            };
            let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
            let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
            let answer = solve(&engine, &request, &params, &control);
            let (Some(best), Some(line)) = (answer.best, answer.line) else { break 0.5 };
            let own = match line.score {
                Score::Cp(cp) => cp,
                Score::Mate(moves) => 10_000 * moves.signum(),
            };
            let white = if game.position.turn().is_white() { own } else { -own };
            if kept.is_empty() && game.history.len() < 11 && own.abs() > 350 {
                break f64::NAN;
            }
            let noisy = best.promotion().is_some() || game.position.is_capture(best);
            if !game.position.in_check() && !noisy && white.abs() < 1_500 {
                kept.push((game.position.to_string(), white));
            }
            decided = if white.abs() > 1_200 && (decided == 0 || white.signum() == decided.signum())
            {
                decided + white.signum()
            } else {
                0
            };
            level = if game.history.len() > 80 && white.abs() < 6 { level + 1 } else { 0 };
            if decided.abs() >= 5 {
                break if decided > 0 { 1.0 } else { 0.0 };
            }
            if level >= 10 {
                break 0.5;
            }
            game.play(best);
        };
        if result.is_nan() {
            continue;
        }
        let mut text = String::new();
        for (fen, score) in kept {
            text.push_str(&format!("{fen};{score};{result}\n"));
        }
        out.lock().write_all(text.as_bytes()).expect("standard output");
    }
}

/// A position as the tuner sees it.
struct Sample {
    /// Feature and White's count less Black's.
    counts: Box<[(u16, i16)]>,
    /// Share of the middlegame score, and of the endgame score with its scale.
    middle: f32,
    end: f32,
    /// What is added to the sum and not tuned.
    fixed: f32,
    target: f32,
}

/// How much the score of the search counts beside the result of the game.
const SCORE_SHARE: f64 = 0.35;
const EPOCHS: usize = 60;
const BATCH: usize = 16_384;

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn read(files: &[String], k: f64) -> Vec<Sample> {
    let mut samples = vec![];
    let mut seen = HashSet::new();
    for file in files {
        let reader = BufReader::new(std::fs::File::open(file).expect("a readable file"));
        for line in reader.lines().map_while(Result::ok) {
            let mut parts = line.rsplitn(3, ';');
            let result = parts.next().and_then(|word| word.parse::<f64>().ok());
            let score = parts.next().and_then(|word| word.parse::<f64>().ok());
            let position = (parts.next().and_then(|fen| fen.parse::<Setup>().ok()))
                .and_then(|setup| Position::try_from(&setup).ok());
            let (Some(result), Some(score), Some(position)) = (result, score, position) else {
                continue;
            };
            if !seen.insert(position.key()) {
                continue;
            }
            let (counts, phase, scale) = coefficients(&position);
            let counts = counts.0.iter().enumerate().filter(|(_, count)| **count != 0);
            let phase = phase as f32 / 24.0;
            let expected = SCORE_SHARE * sigmoid(k * score) + (1.0 - SCORE_SHARE) * result;
            samples.push(Sample {
                counts: counts.map(|(at, &count)| (at as u16, count)).collect(),
                middle: phase,
                end: (1.0 - phase) * scale as f32 / 64.0,
                fixed: drive(&position) as f32,
                target: expected as f32,
            });
        }
    }
    samples
}

fn value(sample: &Sample, weights: &[[f32; 2]]) -> f32 {
    let (mut middle, mut end) = (0.0, 0.0);
    for &(at, count) in &sample.counts {
        let [m, e] = weights[at as usize];
        middle += m * f32::from(count);
        end += e * f32::from(count);
    }
    middle * sample.middle + end * sample.end + sample.fixed
}

fn loss(samples: &[Sample], weights: &[[f32; 2]], k: f64) -> f64 {
    let sum: f64 = (samples.iter())
        .map(|sample| {
            let error = sigmoid(k * f64::from(value(sample, weights))) - f64::from(sample.target);
            error * error
        })
        .sum();
    sum / samples.len().max(1) as f64
}

fn fit(files: &[String]) {
    // One pawn's worth of advantage in the scale of the search: found on the first data, kept since, so
    // that margins of the search keep their meaning.
    let k = std::env::var("K").ok().and_then(|k| k.parse().ok()).unwrap_or(0.0075_f64);
    let samples = read(files, k);
    let (held, learned) = samples.split_at(samples.len() / 20);
    let start: Vec<[f32; 2]> =
        WEIGHTS.iter().map(|pair| [pair.middle() as f32, pair.end() as f32]).collect();
    let mut weights = start.clone();
    eprintln!("{} positions, {:.6}", samples.len(), loss(&samples, &start, k));
    for k in [0.004, 0.005, 0.006, 0.007, 0.008, 0.009, 0.010] {
        eprintln!("K {k}: {:.6}", loss(held, &weights, k));
    }
    // Weights that few positions know stay near what they were: a normal prior of 25 centipawns, the
    // noise of results being about 0.05.
    let prior = (0.05 / (k * learned.len() as f64 * 625.0)) as f32;
    let mut mean = vec![[0.0_f32; 2]; COUNT];
    let mut means = 0.0_f32;
    let mut moments = vec![[[0.0_f32; 2]; 2]; COUNT];
    let mut order: Vec<usize> = (0..learned.len()).collect();
    let mut random = Random(77);
    let mut piece_to = 0;
    for epoch in 0..EPOCHS {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let rate = [1.0, 0.3, 0.1, 0.03][epoch * 4 / EPOCHS];
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![[0.0_f32; 2]; COUNT];
            for &at in batch {
                let sample = &learned[at];
                let chance = sigmoid(k * f64::from(value(sample, &weights))) as f32;
                let slope = (chance - sample.target) * chance * (1.0 - chance);
                for &(feature, count) in &sample.counts {
                    let push = slope * f32::from(count);
                    gradient[feature as usize][0] += push * sample.middle;
                    gradient[feature as usize][1] += push * sample.end;
                }
            }
            for feature in PLACEMENT + 64..PLACEMENT + 5 * 64 {
                // The board is the same from the left and from the right, but for kings and pawns.
                let mirror = PLACEMENT + ((feature - PLACEMENT) ^ 7);
                if feature < mirror {
                    let ([m1, e1], [m2, e2]) = (gradient[feature], gradient[mirror]);
                    let mean = [(m1 + m2) / 2.0, (e1 + e2) / 2.0];
                    (gradient[feature], gradient[mirror]) = (mean, mean);
                }
            }
            piece_to += 1;
            let (warm1, warm2) = (1.0 - 0.9_f32.powi(piece_to), 1.0 - 0.999_f32.powi(piece_to));
            for (feature, weight) in weights.iter_mut().enumerate() {
                for half in 0..2 {
                    let g = gradient[feature][half] / batch.len() as f32
                        + prior * (weight[half] - start[feature][half]);
                    let [first, second] = &mut moments[feature][half];
                    *first = 0.9 * *first + 0.1 * g;
                    *second = 0.999 * *second + 0.001 * g * g;
                    let change = (*first / warm1) / ((*second / warm2).sqrt() + 1e-8);
                    weight[half] -= rate * change;
                }
            }
        }
        if epoch * 4 >= EPOCHS * 3 {
            means += 1.0;
            for (mean, weight) in mean.iter_mut().zip(&weights) {
                for half in 0..2 {
                    mean[half] += (weight[half] - mean[half]) / means;
                }
            }
        }
        if epoch % 5 == 4 {
            eprintln!(
                "epoch {}: {:.6}, held out {:.6}",
                epoch + 1,
                loss(learned, &weights, k),
                loss(held, &weights, k)
            );
        }
    }
    eprintln!("mean: held out {:.6}", loss(held, &mean, k));
    let mut text = String::new();
    for row in mean.chunks(8) {
        let pairs = row.iter().map(|[m, e]| format!("({}, {})", m.round(), e.round()));
        text.push_str(&format!("    {},\n", pairs.collect::<Vec<_>>().join(", ")));
    }
    std::io::stdout().lock().write_all(text.as_bytes()).expect("standard output");
}

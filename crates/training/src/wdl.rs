//! Fitting the chances of win, draw and loss to games.
//!
//! Adam maximizes the likelihood of the results under [`WinModel`] over counts of results by score
//! and material.

use crate::dataset::game_files;
use crate::record::{GAMES_BYTES_MAX, GameRecord, GameResult, read_games};
use std::io;
use std::path::PathBuf;
use umbrail_control::read_own;
use umbrail_search::{WinModel, material};

/// Largest absolute score that is used, centipawns; larger ones contain no information about the
/// middle.
const SCORE_MAX: i32 = 1_000;
/// Width of the classes of scores, centipawns.
const CLASS: i32 = 10;
/// Number of steps of the fit.
const STEPS: i32 = 4_000;

/// Fitted model.
#[derive(Clone, Copy, Debug)]
pub struct FittedWins {
    /// The model.
    pub model: WinModel,
    /// Number of games and positions of the fit.
    pub counted: (u64, u64),
    /// Mean negative logarithm of the chance of the actual result, by the current model and by the
    /// new one.
    pub losses: (f64, f64),
}

/// Reason why there is no model.
#[derive(Debug, thiserror::Error)]
pub enum WinsError {
    /// The data cannot be read.
    #[error("{0}")]
    Data(io::Error),
    /// Fewer than a hundred positions can be used; their number.
    #[error("the data have {0} positions with a score; expected at least 100")]
    TooFew(u64),
}

/// Class of positions: score and material, with the numbers of losses, draws and wins.
type Class = ((i32, i32), [f64; 3]);

/// Fits a model to all positions of these files and folders with a score within ±1000 centipawns.
///
/// # Errors
/// [`WinsError`].
pub fn fit_wins(places: &[PathBuf], present: &WinModel) -> Result<FittedWins, WinsError> {
    let mut classes = std::collections::BTreeMap::new();
    let (mut games, mut positions) = (0, 0);
    for path in game_files(places).map_err(WinsError::Data)? {
        let bytes =
            read_own(&path, GAMES_BYTES_MAX).map_err(|error| WinsError::Data(error.into()))?;
        let read = read_games(&path, &bytes, |game: GameRecord| {
            games += 1;
            let mut position = game.start;
            for ply in &game.plies {
                let (score, white) = (i32::from(ply.score), position.turn().is_white());
                if score.abs() <= SCORE_MAX {
                    let points = match (game.outcome, white) {
                        (GameResult::Draw, _) => 1,
                        (GameResult::Win, true) | (GameResult::Loss, false) => 2,
                        _ => 0,
                    };
                    let class = (score.div_euclid(CLASS), material(&position));
                    classes.entry(class).or_insert([0.0; 3])[points] += 1.0;
                    positions += 1;
                }
                position = position.after(ply.best);
            }
        });
        read.map_err(WinsError::Data)?;
    }
    if positions < 100 {
        return Err(WinsError::TooFew(positions));
    }
    let classes: Vec<Class> = classes.into_iter().collect();
    let model = fitted(&classes, present);
    let losses = (loss(&classes, present), loss(&classes, &model));
    Ok(FittedWins { model, counted: (games, positions), losses })
}

/// Returns the chances of loss, draw and win of a class.
fn chances(model: &WinModel, class: (i32, i32)) -> [f64; 3] {
    let cp = f64::from(class.0 * CLASS) + f64::from(CLASS) / 2.0;
    let (win, loss) = (model.win(cp, class.1), model.win(-cp, class.1));
    [loss, (1.0 - win - loss).max(1e-9), win].map(|chance| chance.max(1e-9))
}

fn loss(classes: &[Class], model: &WinModel) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (class, seen) in classes {
        for (chance, seen) in chances(model, *class).iter().zip(seen) {
            sum -= seen * chance.ln();
            count += seen;
        }
    }
    sum / count
}

fn fitted(classes: &[Class], start: &WinModel) -> WinModel {
    let pack = |model: &WinModel| [model.even, model.width].concat();
    let unpack = |x: &[f64]| WinModel {
        even: std::array::from_fn(|at| x[at]),
        width: std::array::from_fn(|at| x[4 + at]),
    };
    let mut x = pack(start);
    let (mut first, mut second) = (vec![0.0; 8], vec![0.0; 8]);
    for step in 1..=STEPS {
        let rate = if step * 4 > STEPS * 3 { 0.1 } else { 1.0 };
        // Central differences: eight parameters and a few thousand classes.
        let gradient: Vec<f64> = (0..8)
            .map(|at| {
                let moved = |by: f64| {
                    let mut other = x.clone();
                    other[at] += by;
                    loss(classes, &unpack(&other))
                };
                (moved(0.05) - moved(-0.05)) / 0.1
            })
            .collect();
        let warm = [1.0 - 0.9_f64.powi(step), 1.0 - 0.999_f64.powi(step)];
        for at in 0..8 {
            first[at] = 0.9 * first[at] + 0.1 * gradient[at];
            second[at] = 0.999 * second[at] + 0.001 * gradient[at] * gradient[at];
            x[at] -= rate * (first[at] / warm[0]) / ((second[at] / warm[1]).sqrt() + 1e-12);
        }
    }
    unpack(&x)
}

#[cfg(test)]
mod tests {
    use super::{chances, fitted, loss};
    use umbrail_search::WinModel;

    /// Counts drawn from a known model lead back to that model.
    #[test]
    fn a_known_model_is_found_again() {
        let known = WinModel { even: [120.0, 60.0, -30.0, 10.0], width: [50.0, 20.0, 0.0, 0.0] };
        let mut classes = vec![];
        for score in -60..60 {
            for pieces in (18..=78).step_by(6) {
                let class = (score, pieces);
                classes.push((class, chances(&known, class).map(|chance| 1_000.0 * chance)));
            }
        }
        let start = WinModel { even: [150.0, 0.0, 0.0, 0.0], width: [80.0, 0.0, 0.0, 0.0] };
        let found = fitted(&classes, &start);
        assert!(loss(&classes, &found) < loss(&classes, &known) + 1e-5);
        assert!(loss(&classes, &found) < loss(&classes, &start) - 1e-3);
        for pieces in [20, 40, 60, 78] {
            let (own, real) = (found.at(pieces), known.at(pieces));
            assert!(
                (own.0 - real.0).abs() < 3.0 && (own.1 - real.1).abs() < 3.0,
                "{own:?} {real:?}"
            );
        }
    }
}

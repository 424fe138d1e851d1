//! Summary of a folder of game files.

use crate::dataset::SCORE_MAX;
use crate::record::{GameFile, GameRecord, GameResult};
use crate::sample::is_noisy;
use std::fmt;
use std::io;
use std::path::Path;

/// Sums over the games of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of files.
    pub files: u64,
    /// Number of games.
    pub games: u64,
    /// Games that White won, drew and lost.
    pub results: [u64; 3],
    /// Number of games adjudicated by scores.
    pub adjudicated: u64,
    /// Number of positions in which a move was played.
    pub positions: u64,
    /// Number of positions suitable for training: not in check, the move played neither a capture
    /// nor a promotion, the score within ±1500 centipawns.
    pub quiet: u64,
}

impl Summary {
    /// Reads every file of a folder whose name ends in `.games`.
    ///
    /// # Errors
    /// Error of the operating system, or of the first damaged file.
    pub fn of_folder(folder: &Path) -> io::Result<Self> {
        let mut summary = Self::default();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "games") {
                summary.files += 1;
                GameFile::read(&path, |game| summary.add(&game))?;
            }
        }
        Ok(summary)
    }

    fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.results[match game.outcome {
            GameResult::Win => 0,
            GameResult::Draw => 1,
            GameResult::Loss => 2,
        }] += 1;
        self.adjudicated += u64::from(game.adjudicated);
        let mut position = game.start;
        for ply in &game.plies {
            self.positions += 1;
            let noisy = is_noisy(&position, ply.best);
            let quiet = !noisy && !position.in_check() && ply.score.abs() <= SCORE_MAX;
            self.quiet += u64::from(quiet);
            position = position.after(ply.best);
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, drawn, lost] = self.results;
        let plies = self.positions as f64 / self.games.max(1) as f64;
        write!(
            f,
            "{} games in {} files: White won {won}, drew {drawn}, lost {lost}; {} adjudicated; {plies:.1} plies a game; \
             {} positions, {} of them quiet",
            self.games, self.files, self.adjudicated, self.positions, self.quiet
        )
    }
}

//! Positions of game files that are suitable for training.

use crate::random::{RandomNumbers, mixed};
use crate::record::{GAMES_BYTES_MAX, GameRecord, GameResult, Ply, read_games};
use crate::sample::is_noisy;
use crate::target::Target;
use std::io;
use std::path::{Path, PathBuf};
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_chess::{PackedPosition, Position};
use umbrail_control::{FastSet, read_own};
use umbrail_search::evaluate;
use xxhash_rust::xxh3::xxh3_64;

/// Largest absolute score of a position, centipawns; positions beyond it teach little and are not
/// used.
pub(crate) const SCORE_MAX: i16 = 1_500;

/// Largest absolute value of the hand-written evaluation for imitation, centipawns.
const IMITATED_MAX: i32 = 3_000;

/// One of this many games is held out.
const HOLD_OUT: u64 = 50;

/// Position with the score of the search and the result of the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelledPosition {
    packed: PackedPosition,
    turn: Color,
    /// Points of the side to move at the end of the game, in halves.
    points: u8,
    /// Score of the search for the side to move, centipawns.
    pub(crate) score: i16,
    /// Expected score by the game's later positions, 0 to 1 for the side to move; see
    /// [`later_scores`].
    pub(crate) later: f32,
}

impl LabelledPosition {
    pub(crate) fn new(position: &Position, score: i16, outcome: GameResult) -> Self {
        let (white, turn) = (outcome as u8, position.turn());
        let points = if turn.is_white() { white } else { 2 - white };
        Self { packed: position.pack(Bitboard::FULL, true), turn, points, score, later: 0.5 }
    }

    /// Returns a position after one to three random moves, labeled with its value by the
    /// hand-written evaluation. Skips positions in check; returns this position with its value if
    /// all of them are in check.
    pub(crate) fn neighbor(&self, random: &mut RandomNumbers) -> Self {
        let here = self.position();
        let (mut position, mut kept) = (here, here);
        for _ in 0..1 + random.below(3) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.below(moves.len())]);
            if !position.in_check() {
                kept = position;
            }
        }
        let score = evaluate(&kept).clamp(-IMITATED_MAX, IMITATED_MAX) as i16;
        Self { score, ..Self::new(&kept, 0, GameResult::Draw) }
    }

    /// Returns the position; its key is not valid.
    pub(crate) fn position(&self) -> Position {
        self.packed.unpack(self.turn)
    }

    /// Returns the training target, 0 to 1 for the side to move.
    pub(crate) fn expected(&self, target: Target) -> f32 {
        let score = target.with_later(self.score, self.later);
        target.wdl * self.result() + (1.0 - target.wdl) * score
    }

    /// Returns the result of the game for the side to move: 0, 0.5 or 1.
    pub(crate) fn result(&self) -> f32 {
        f32::from(self.points) / 2.0
    }
}

fn named(place: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", place.display()))
}

/// Returns these files, and all files of these folders whose names end in `.games`, ordered by
/// path.
pub(crate) fn game_files(places: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut paths = vec![];
    for place in places {
        if !place.is_dir() {
            paths.push(place.clone());
            continue;
        }
        for entry in std::fs::read_dir(place).map_err(|error| named(place, error))? {
            let path = entry.map_err(|error| named(place, error))?.path();
            if path.extension().is_some_and(|end| end == "games") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// Game file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFileRecord {
    /// Path of the file.
    pub path: PathBuf,
    /// Length of its whole records, bytes; a file that has grown since then is longer.
    pub bytes: u64,
    /// XXH3 hash of these bytes.
    pub hash: u64,
    /// Number of games.
    pub games: u64,
    /// Number of positions that are used, learned and held out together.
    pub used: u64,
}

/// Positions of several files.
///
/// Positions are used if the side to move is not in check, the move played was neither a capture
/// nor a promotion, and the score is within ±1500 centipawns. Each position is used only at its
/// first occurrence. (Games start after eight or nine random plies, which are not recorded.) One
/// game of fifty is held out, selected by a hash of its record, or the first game if the hash
/// selects none.
#[derive(Debug, Default)]
pub(crate) struct Dataset {
    target: Target,
    pub(crate) files: Vec<DataFileRecord>,
    pub(crate) learned: Vec<LabelledPosition>,
    pub(crate) held_out: Vec<LabelledPosition>,
    /// Number of positions that occurred before.
    pub(crate) repeated: u64,
    /// Number of positions of the first learned game.
    first: usize,
}

impl Dataset {
    /// Reads files, and all files of folders whose names end in `.games`, ordered by path. Scores
    /// of later positions are computed if the target uses them.
    ///
    /// # Errors
    /// Error of the operating system, or of the first damaged file.
    pub(crate) fn read(places: &[PathBuf], target: Target) -> io::Result<Self> {
        let paths = game_files(places)?;
        let (mut data, mut seen) = (Self { target, ..Self::default() }, FastSet::default());
        for path in paths {
            let bytes = read_own(&path, GAMES_BYTES_MAX)?;
            let before = data.learned.len() + data.held_out.len();
            let mut games = 0;
            let whole = read_games(&path, &bytes, |game| {
                games += 1;
                data.add(&game, &mut seen);
            })?;
            let used = (data.learned.len() + data.held_out.len() - before) as u64;
            let hash = xxh3_64(&bytes[..whole]);
            data.files.push(DataFileRecord { path, bytes: whole as u64, hash, games, used });
        }
        if data.held_out.is_empty() && data.first < data.learned.len() {
            data.held_out = data.learned.drain(..data.first).collect();
        }
        Ok(data)
    }

    fn add(&mut self, game: &GameRecord, seen: &mut FastSet<u64>) {
        let held = mixed(xxh3_64(&game.to_bytes())).is_multiple_of(HOLD_OUT);
        let later = match self.target.lambda > 0.0 {
            true => later_scores(&game.plies, self.target),
            false => vec![],
        };
        let mut position = game.start;
        for (at, ply) in game.plies.iter().enumerate() {
            let noisy = is_noisy(&position, ply.best);
            if !noisy && !position.in_check() && ply.score.abs() <= SCORE_MAX {
                if seen.insert(position.key()) {
                    let mut labelled = LabelledPosition::new(&position, ply.score, game.outcome);
                    labelled.later = later.get(at).copied().unwrap_or(labelled.later);
                    if held { &mut self.held_out } else { &mut self.learned }.push(labelled);
                } else {
                    self.repeated += 1;
                }
            }
            position = position.after(ply.best);
        }
        if self.first == 0 {
            self.first = self.learned.len();
        }
    }

    /// Returns a hash of the contents of the files.
    pub(crate) fn hash(&self) -> u64 {
        self.files.iter().fold(0, |hash, file| mixed(hash ^ file.hash))
    }
}

/// Returns for each ply the expected score by the later plies, for its side to move: the mean of
/// their scores with weights that fall by the factor `lambda` from each to the next; the last score
/// has the rest of the weight. At the last ply it is the score itself. (The λ-return of Sutton's
/// temporal differences, 1988, without the result.)
fn later_scores(plies: &[Ply], target: Target) -> Vec<f32> {
    let mut later = vec![0.5; plies.len()];
    // Expected score by the next position and all later ones, for the side to move there.
    let mut behind: Option<f32> = None;
    for (at, ply) in plies.iter().enumerate().rev() {
        later[at] = behind.map_or_else(|| target.of_score(ply.score), |behind| 1.0 - behind);
        behind = Some(target.with_later(ply.score, later[at]));
    }
    later
}

#[cfg(test)]
mod tests {
    use super::{LabelledPosition, later_scores};
    use crate::random::RandomNumbers;
    use crate::record::{GameResult, Ply};
    use crate::target::{Target, sigmoid};
    use umbrail_chess::Position;
    use umbrail_search::bench::{POSITIONS, position};
    use umbrail_search::evaluate;

    #[test]
    fn results_are_those_of_the_side_to_move() {
        let start = Position::startpos();
        let black = start.after(start.legal_moves()[0]);
        let result = |position: &Position, outcome| {
            LabelledPosition::new(position, 5, outcome).result().to_string()
        };
        assert_eq!([&start, &black].map(|it| result(it, GameResult::Win)), ["1", "0"]);
        assert_eq!([&start, &black].map(|it| result(it, GameResult::Loss)), ["0", "1"]);
        assert_eq!([&start, &black].map(|it| result(it, GameResult::Draw)), ["0.5", "0.5"]);
    }

    #[test]
    fn later_scores_are_weighted_by_their_distance_for_the_side_to_move() {
        let best = umbrail_chess::parse_uci(&Position::startpos(), "e2e4").unwrap();
        let plies: Vec<Ply> = [30, -50, 400, -32_000].map(|score| Ply { best, score }).to_vec();
        let target = Target { scale: 160.0, lambda: 0.75, ..Target::default() };
        let [_, b, c, d] =
            [30.0, -50.0, 400.0, -32_000.0].map(|score: f32| f64::from(sigmoid(score / 160.0)));
        // Definition: each later score from the view of the side to move, times its weight.
        let expected = [
            0.25 * (1.0 - b) + 0.75 * 0.25 * c + 0.75 * 0.75 * (1.0 - d),
            0.25 * (1.0 - c) + 0.75 * d,
            1.0 - d,
            d,
        ];
        for (found, expected) in later_scores(&plies, target).into_iter().zip(expected) {
            assert!((f64::from(found) - expected).abs() < 1e-6, "{found} {expected}");
        }
        let nearest = later_scores(&plies, Target { lambda: 0.0, ..target });
        assert!((f64::from(nearest[0]) - (1.0 - b)).abs() < 1e-6);
        assert!(later_scores(&[], target).is_empty());
    }

    #[test]
    fn neighbors_are_other_positions_with_their_own_value() {
        let (mut other, mut all) = (0, 0);
        for (number, fen) in (0..).zip(POSITIONS) {
            let labelled = LabelledPosition::new(&position(fen).unwrap(), 17, GameResult::Win);
            for seed in 0..20 {
                let neighbor = labelled.neighbor(&mut RandomNumbers::new(seed, number));
                let again = labelled.neighbor(&mut RandomNumbers::new(seed, number));
                assert_eq!((neighbor.packed, neighbor.turn), (again.packed, again.turn));
                let position = neighbor.position();
                assert_eq!(i32::from(neighbor.score), evaluate(&position).clamp(-3_000, 3_000));
                other += usize::from(!position.is_same(&labelled.position()));
                all += 1;
            }
        }
        assert!(other * 10 > all * 9, "{other} of {all}");
    }
}

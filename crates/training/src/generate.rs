//! Self-play: random openings, soft node limits, adjudication by scores.

use crate::random::mixed;
use crate::record::{GameFile, GameRecord, GameResult, Ply};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;
use umbrail_chess::geometry::Color;
use umbrail_chess::{Move, Position};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress, lock, read_file};
use umbrail_search::bench::network_only;
use umbrail_search::{Engine, Limits, Score, SearchParams, SearchRequest, solve};

/// An opening whose score is beyond this is rejected, centipawns.
const OPENING_MAX: i32 = 300;
/// Beyond this score for [`WIN_PLIES`] plies a game is won, centipawns.
const WIN_SCORE: i32 = 1_500;
const WIN_PLIES: u32 = 4;
/// Within this score for [`DRAW_PLIES`] plies a game is drawn, from [`DRAW_FROM`] plies on.
const DRAW_SCORE: i32 = 10;
const DRAW_PLIES: u32 = 8;
const DRAW_FROM: usize = 80;
/// A game of this many plies is drawn.
const PLIES_MAX: usize = 600;
/// A search ends at this many times the soft limit, even within an iteration.
const HARD: u64 = 8;

/// What to generate.
#[derive(Clone, Debug)]
pub struct DatagenOptions {
    /// Folder of the game files; it is made if needed.
    pub folder: PathBuf,
    /// Games to play by this call, over all threads; those that the files hold already do not count.
    pub games: u64,
    /// No search begins another iteration after this many nodes.
    pub nodes: u64,
    /// Threads, each with an engine and a file of its own.
    pub threads: usize,
    /// Seed of the openings. Several processes in one folder take different seeds.
    pub seed: u64,
    /// Transposition table of each thread, MiB.
    pub hash_mib: usize,
    /// Parameters of the search.
    pub params: SearchParams,
}

/// What has been generated so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// Games of this call.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
}

/// Why generation ended early.
#[derive(Debug)]
pub enum DatagenError {
    /// A file or the folder.
    File(PathBuf, io::Error),
    /// The network that the parameters name cannot be used, and why.
    Network(String),
    /// A worker thread of the search cannot be started.
    Thread(String),
}

impl fmt::Display for DatagenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Network(why) => f.write_str(why),
            Self::Thread(why) => write!(f, "no thread for the search: {why}"),
        }
    }
}

impl std::error::Error for DatagenError {}

/// Plays games until there are enough, or `cancel` is raised; tells the sums after each game.
///
/// Thread `t` writes `SEED-t.games` and goes on with the number of the next game there, so that a killed run is resumed by
/// the same call; game `n` of a file depends on seed, thread and `n` alone.
///
/// # Errors
/// [`DatagenError`]; games written before are kept.
pub fn generate(
    options: &DatagenOptions,
    cancel: &Cancel,
    tell: &(dyn Fn(Generated) + Sync),
) -> Result<Generated, DatagenError> {
    let folder = &options.folder;
    std::fs::create_dir_all(folder).map_err(|error| DatagenError::File(folder.clone(), error))?;
    let sum = Mutex::new(Generated::default());
    let claimed = Mutex::new(0);
    let claim = || {
        let mut claimed = lock(&claimed);
        let more = *claimed < options.games && !cancel.is_raised();
        *claimed += u64::from(more);
        more
    };
    let work = |thread: usize| -> Result<(), DatagenError> {
        let path = folder.join(format!("{}-{thread}.games", options.seed));
        let fail = |error| DatagenError::File(path.clone(), error);
        let mut file = GameFile::open(&path).map_err(fail)?;
        let pool = Pool::new(1).map_err(|error| DatagenError::Thread(error.to_string()))?;
        let engine = Engine::new(options.hash_mib);
        let opened = network_only(&options.params);
        if let Some(fault) = engine.configure(&opened, &|path| read_file(path, &|| false)).first() {
            return Err(DatagenError::Network(fault.to_string()));
        }
        let mut table = Table { engine, pool, options };
        while claim() {
            let seed = mixed(options.seed ^ (thread as u64) << 48 ^ file.games() << 8);
            let Some(game) = table.play(seed, cancel) else { break };
            file.append(&game).map_err(fail)?;
            let mut sum = lock(&sum);
            sum.games += 1;
            sum.positions += game.plies.len() as u64;
            tell(*sum);
        }
        Ok(())
    };
    let results: Vec<Result<(), DatagenError>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..options.threads.max(1))
            .map(|thread| {
                let work = &work;
                std::thread::Builder::new().spawn_scoped(scope, move || work(thread))
            })
            .collect();
        let unstarted = |error: io::Error| Some(Err(DatagenError::Thread(error.to_string())));
        handles
            .into_iter()
            .filter_map(|it| it.map_or_else(unstarted, |it| it.join().ok()))
            .collect()
    });
    results.into_iter().collect::<Result<Vec<()>, _>>()?;
    let sum = *lock(&sum);
    Ok(sum)
}

/// One engine that plays against itself.
struct Table<'a> {
    engine: Engine,
    pool: Pool,
    options: &'a DatagenOptions,
}

impl Table<'_> {
    /// A whole game; none when it was cancelled.
    fn play(&mut self, mut seed: u64, cancel: &Cancel) -> Option<GameRecord> {
        loop {
            seed = mixed(seed);
            self.engine.clear();
            let Some((start, history)) = opening(seed) else { continue };
            let (_, score) = self.search(&start, &history, cancel)?;
            if cancel.is_raised() {
                return None;
            }
            if i32::from(score).abs() > OPENING_MAX {
                continue;
            }
            if let Some(game) = self.finish(start, history, cancel)? {
                return Some(game);
            }
        }
    }

    /// Plays on from an opening; `Some(None)` when it was over already.
    fn finish(
        &self,
        start: Position,
        mut history: Vec<u64>,
        cancel: &Cancel,
    ) -> Option<Option<GameRecord>> {
        let (mut position, mut plies) = (start, vec![]);
        let (mut winning, mut drawing) = (0i32, 0);
        let (outcome, adjudicated) = loop {
            if let Some(outcome) = ended(&position, &history) {
                break (outcome, false);
            }
            if winning.unsigned_abs() >= WIN_PLIES {
                break (if winning > 0 { GameResult::Win } else { GameResult::Loss }, true);
            }
            if plies.len() >= DRAW_FROM && drawing >= DRAW_PLIES {
                break (GameResult::Draw, true);
            }
            if plies.len() >= PLIES_MAX {
                break (GameResult::Draw, true);
            }
            let (best, score) = self.search(&position, &history, cancel)?;
            if cancel.is_raised() {
                return None;
            }
            plies.push(Ply { best, score });
            history.push(position.key());
            let white = i32::from(score) * if position.turn().is_white() { 1 } else { -1 };
            position = position.after(best);
            winning = match white {
                WIN_SCORE.. => winning.max(0) + 1,
                _ if white <= -WIN_SCORE => winning.min(0) - 1,
                _ => 0,
            };
            drawing = if white.abs() <= DRAW_SCORE { drawing + 1 } else { 0 };
        };
        let game = GameRecord { start, outcome, adjudicated, plies };
        Some((!game.plies.is_empty()).then_some(game))
    }

    /// The best move and its score; none when the position has no move or the search was cancelled.
    fn search(&self, position: &Position, history: &[u64], cancel: &Cancel) -> Option<(Move, i16)> {
        let hard = self.options.nodes.saturating_mul(HARD);
        // Captures can take more nodes than that before the first move has a score; then the first iteration is
        // completed, however long it is.
        (self.search_within(hard, position, history, cancel))
            .or_else(|| self.search_within(u64::MAX, position, history, cancel))
    }

    fn search_within(
        &self,
        hard: u64,
        position: &Position,
        history: &[u64],
        cancel: &Cancel,
    ) -> Option<(Move, i16)> {
        let soft_nodes = Some(self.options.nodes);
        let limits = Limits { soft_nodes, nodes: Some(hard), ..Limits::default() };
        let history = history.to_vec();
        let request =
            SearchRequest { position: *position, history, limits, root_moves: None, multipv: 1 };
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let control = Control::new(cancel.clone(), &clock, &progress, &self.pool, &|_| {});
        let answer = solve(&self.engine, &request, &self.options.params, &control);
        let score = match answer.line.as_ref()?.score {
            Score::Cp(score) => score.clamp(-30_000, 30_000) as i16,
            Score::Mate(moves) if moves > 0 => GameRecord::MATE - moves.min(500) as i16,
            Score::Mate(moves) => -GameRecord::MATE - moves.max(-500) as i16,
        };
        Some((answer.best?, score))
    }
}

/// Eight or nine random plies from the array; none when the game ended by them.
fn opening(seed: u64) -> Option<(Position, Vec<u64>)> {
    let (mut position, mut history, mut state) = (Position::startpos(), vec![], seed);
    let plies = 8 + seed as usize % 2;
    for _ in 0..plies {
        state = mixed(state);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        history.push(position.key());
        position = position.after(moves[state as usize % moves.len()]);
    }
    position.has_legal_move().then_some((position, history))
}

/// The result when the rules end the game: mate, stalemate, no mating material, fifty moves, third repetition.
fn ended(position: &Position, history: &[u64]) -> Option<GameResult> {
    if !position.has_legal_move() {
        return Some(match (position.in_check(), position.turn()) {
            (false, _) => GameResult::Draw,
            (true, Color::White) => GameResult::Loss,
            (true, Color::Black) => GameResult::Win,
        });
    }
    let drawn =
        position.is_dead() || position.halfmoves() >= 100 || position.repetitions(history) >= 3;
    drawn.then_some(GameResult::Draw)
}

#[cfg(test)]
mod tests {
    use super::{DatagenOptions, Generated, ended, generate};
    use crate::Summary;
    use crate::record::GameFile;
    use std::path::PathBuf;
    use std::sync::Mutex;
    use umbrail_control::{Cancel, lock};
    use umbrail_search::{Network, NetworkWeights, SearchParams};

    fn options(name: &str, games: u64) -> DatagenOptions {
        let folder: PathBuf =
            std::env::temp_dir().join(format!("umbrail-{name}-{}", std::process::id()));
        let params = SearchParams::default();
        DatagenOptions { folder, games, nodes: 200, threads: 1, seed: 7, hash_mib: 1, params }
    }

    #[test]
    fn games_are_legal_repeatable_and_resumed() {
        let (whole, parts) = (options("whole", 3), options("parts", 2));
        let told = Mutex::new(Generated::default());
        let tell = |sum: Generated| *lock(&told) = sum;
        let sum = generate(&whole, &Cancel::default(), &tell).unwrap();
        assert_eq!((sum.games, sum), (3, *lock(&told)));
        generate(&parts, &Cancel::default(), &|_| ()).unwrap();
        let rest = DatagenOptions { games: 1, ..parts.clone() };
        generate(&rest, &Cancel::default(), &|_| ()).unwrap();
        let [one, other] = [&whole, &parts]
            .map(|options| std::fs::read(options.folder.join("7-0.games")).unwrap());
        assert_eq!(one, other, "a resumed run goes on where it was");
        let mut positions = 0;
        GameFile::read(&whole.folder.join("7-0.games"), |game| {
            let (mut position, mut history) = (game.start, vec![]);
            for ply in &game.plies {
                assert!(position.is_legal(ply.best));
                history.push(position.key());
                position = position.after(ply.best);
            }
            assert_ne!(ended(&position, &history).is_some(), game.adjudicated);
            positions += game.plies.len() as u64;
        })
        .unwrap();
        assert_eq!(positions, sum.positions);
        let summary = Summary::of_folder(&whole.folder).unwrap();
        assert_eq!((summary.games, summary.positions), (3, positions));
        for options in [whole, parts] {
            std::fs::remove_dir_all(options.folder).unwrap();
        }
    }

    #[test]
    fn games_are_played_with_the_network_that_the_options_name() {
        let (by_hand, mut with) = (options("by-hand", 1), options("network", 1));
        // Every position is worth the same to the side to move.
        let weights = NetworkWeights { output_bias: vec![99], ..NetworkWeights::zero(16, 1, 400) };
        let path = with.folder.with_extension("nn");
        std::fs::write(&path, Network::new(&weights).unwrap().to_bytes()).unwrap();
        with.params.use_nnue = true;
        with.params.eval_file = path.to_string_lossy().into_owned();
        let games = [&by_hand, &with].map(|options| {
            generate(options, &Cancel::default(), &|_| ()).unwrap();
            std::fs::read(options.folder.join("7-0.games")).unwrap()
        });
        assert_ne!(games[0], games[1]);
        std::fs::remove_file(path).unwrap();
        for options in [by_hand, with] {
            std::fs::remove_dir_all(options.folder).unwrap();
        }
    }

    /// Seen at 100 nodes a move: the run ended without a word when captures took all nodes of the first iteration.
    #[test]
    fn a_limit_below_the_first_iteration_ends_no_game() {
        let options = DatagenOptions { nodes: 1, ..options("few", 4) };
        let sum = generate(&options, &Cancel::default(), &|_| ()).unwrap();
        assert_eq!(sum.games, 4);
        std::fs::remove_dir_all(options.folder).unwrap();
    }

    #[test]
    fn a_raised_signal_ends_it_and_keeps_whole_games() {
        let options = options("stopped", 1_000_000);
        let cancel = Cancel::default();
        let tell = |sum: Generated| {
            if sum.games == 2 {
                cancel.raise();
            }
        };
        let sum = generate(&options, &cancel, &tell).unwrap();
        assert_eq!(sum.games, 2);
        assert_eq!(GameFile::open(&options.folder.join("7-0.games")).unwrap().games(), 2);
        std::fs::remove_dir_all(options.folder).unwrap();
    }
}

//! Generation of training games, written to files by several threads.

use crate::dataset::SCORE_MAX;
use crate::play_limit::PlayLimit;
use crate::random::{RandomNumbers, mixed};
use crate::record::{GameFile, GameRecord, Ply};
use crate::sample::{is_noisy, visited};
use crate::self_play_engine::{
    OPENING_MAX, SelfPlayEngine, SelfPlayError, ended, opening, play_out, pool,
};
use crate::teacher::{Teacher, TeacherError, TeacherOptions};
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use umbrail_chess::Position;
use umbrail_control::{Cancel, Pool, lock};
use umbrail_search::SearchParams;

/// Options of the generation of games.
#[derive(Clone, Debug)]
pub struct DatagenOptions {
    /// Folder of the game files; created if missing.
    pub folder: PathBuf,
    /// Number of games to play by this call, over all threads, in addition to those in the files.
    pub games: u64,
    /// Number of nodes after which no iteration of a search starts.
    pub nodes: u64,
    /// Number of threads, each with its own engine and file.
    pub threads: usize,
    /// Seed of the openings. Several processes in one folder need different seeds.
    pub seed: u64,
    /// Positions from which games start: each thread takes them in order, from a place of its own; if empty, games start
    /// after eight or nine random plies.
    pub book: Vec<Position>,
    /// Size of the transposition table of each thread, MiB.
    pub hash_mib: usize,
    /// Parameters of the search.
    pub params: SearchParams,
    /// Engine that scores positions of the searches. The files then get these positions, each as a
    /// game of one move with the result of the game it was met in, and not the games.
    pub teacher: Option<TeacherOptions>,
}

/// Progress of the generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// Number of games played by this call.
    pub games: u64,
    /// Number of positions in these games; with a teacher, of positions it scored.
    pub positions: u64,
}

/// Reason why the generation ended early.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// Error of a file or of the folder.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// In every position of the book the game is over.
    #[error("no position of the book has a move")]
    Book,
    /// The engine cannot be created.
    #[error("{0}")]
    SelfPlayEngine(#[from] SelfPlayError),
    /// The teacher failed.
    #[error("{0}")]
    Teacher(#[from] TeacherError),
}

/// Plays games until there are enough or `cancel` is raised; reports the sums after each game.
///
/// Thread `t` appends to `SEED-t.games` and continues with the next game number of the file, so the
/// same call resumes an interrupted run. Game `n` of a file depends only on seed, thread and `n`,
/// where `n` counts the records before it.
///
/// # Errors
/// [`DatagenError`]; games written before are kept.
pub fn generate(
    options: &DatagenOptions,
    cancel: &Cancel,
    notify: &(dyn Fn(Generated) + Sync),
) -> Result<Generated, DatagenError> {
    let folder = &options.folder;
    std::fs::create_dir_all(folder).map_err(|error| DatagenError::File(folder.clone(), error))?;
    let book: Vec<&Position> =
        options.book.iter().filter(|position| ended(position, &[]).is_none()).collect();
    if book.is_empty() && !options.book.is_empty() {
        return Err(DatagenError::Book);
    }
    let sum = Mutex::new(Generated::default());
    let claimed = Mutex::new(0);
    let claim = || {
        let mut claimed = lock(&claimed);
        let more = *claimed < options.games && !cancel.is_raised();
        *claimed += u64::from(more);
        more
    };
    let work = |thread: usize, pool: &Pool| -> Result<(), DatagenError> {
        let path = folder.join(format!("{}-{thread}.games", options.seed));
        let fail = |error| DatagenError::File(path.clone(), error);
        let mut file = GameFile::open(&path).map_err(fail)?;
        let mut player = SelfPlayEngine::new(
            pool,
            &options.params,
            options.hash_mib,
            PlayLimit::Nodes(options.nodes),
        )?;
        let mut teacher = options.teacher.as_ref().map(Teacher::start).transpose()?;
        let mut number = file.games();
        while claim() {
            let own = options.seed ^ (thread as u64) << 48;
            let seed = mixed(own ^ number << 8);
            let mut samples = teacher.is_some().then(|| Samples::new(seed));
            let game = if book.is_empty() {
                self_play(&mut player, seed, &mut samples, cancel)
            } else {
                let at = mixed(own).wrapping_add(number) % book.len() as u64;
                player.engine.clear();
                play(&player, (*book[at as usize], vec![]), &mut samples, cancel)
            };
            let Some(game) = game else { break };
            let records = match teacher.as_mut().zip(samples) {
                Some((teacher, samples)) => taught(teacher, &samples.positions, &game)?,
                None => vec![game],
            };
            file.append(&records).map_err(fail)?;
            // A game without records does not repeat.
            number = file.games().max(number + 1);
            let mut sum = lock(&sum);
            sum.games += 1;
            sum.positions += records.iter().map(|game| game.plies.len() as u64).sum::<u64>();
            notify(*sum);
        }
        Ok(())
    };
    let results: Vec<Result<(), DatagenError>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..options.threads.max(1))
            .map(|thread| {
                let work = &work;
                std::thread::Builder::new().spawn_scoped(scope, move || {
                    let pool = pool()?;
                    pool.install(|| work(thread, &pool))
                })
            })
            .collect();
        let unstarted = |error: io::Error| {
            Some(Err(DatagenError::SelfPlayEngine(SelfPlayError::Thread(error.to_string()))))
        };
        handles
            .into_iter()
            .filter_map(|it| it.map_or_else(unstarted, |it| it.join().ok()))
            .collect()
    });
    results.into_iter().collect::<Result<Vec<()>, _>>()?;
    let sum = *lock(&sum);
    Ok(sum)
}

/// Positions that the searches of a game met.
struct Samples {
    positions: Vec<Position>,
    random: RandomNumbers,
}

/// Positions drawn from each search.
const SAMPLES: usize = 3;

impl Samples {
    fn new(seed: u64) -> Self {
        Self { positions: vec![], random: RandomNumbers::new(seed, 0) }
    }
}

/// Returns the samples with the teacher's scores, as games of one move. Positions that training
/// does not use are left out.
fn taught(
    teacher: &mut Teacher<'_>,
    samples: &[Position],
    game: &GameRecord,
) -> Result<Vec<GameRecord>, TeacherError> {
    let scored = samples.iter().zip(teacher.scores(samples)?);
    let used = scored.filter(|&(position, (best, score))| {
        !is_noisy(position, best) && (-SCORE_MAX..=SCORE_MAX).contains(&score)
    });
    let record = |(&start, (best, score))| GameRecord {
        start,
        plies: vec![Ply { best, score }],
        ..game.clone()
    };
    Ok(used.map(record).collect())
}

/// Plays a game from an opening; none if cancelled.
fn play(
    player: &SelfPlayEngine<'_>,
    opening: (Position, Vec<u64>),
    samples: &mut Option<Samples>,
    cancel: &Cancel,
) -> Option<GameRecord> {
    play_out(opening, |position, history| {
        let found = player.search(position, history, cancel)?;
        if let Some(Samples { positions, random }) = samples {
            let drawn = (0..SAMPLES).filter_map(|_| visited(&player.engine, position, random));
            positions.extend(drawn);
        }
        (!cancel.is_raised()).then_some(found)
    })
}

/// Plays a whole game of an engine against itself from random moves; none if cancelled.
fn self_play(
    player: &mut SelfPlayEngine,
    mut seed: u64,
    samples: &mut Option<Samples>,
    cancel: &Cancel,
) -> Option<GameRecord> {
    loop {
        seed = mixed(seed);
        player.engine.clear();
        let Some(opening) = opening(seed) else { continue };
        let (_, score) = player.search(&opening.0, &opening.1, cancel)?;
        if cancel.is_raised() {
            return None;
        }
        if i32::from(score).abs() > OPENING_MAX {
            continue;
        }
        let game = play(player, opening, samples, cancel)?;
        if !game.plies.is_empty() {
            return Some(game);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DatagenOptions, Generated, generate};
    use crate::Summary;
    use crate::record::GameFile;
    use crate::self_play_engine::ended;
    use std::path::PathBuf;
    use std::sync::Mutex;
    use umbrail_chess::Position;
    use umbrail_control::{Cancel, lock};
    use umbrail_search::{Network, NetworkWeights, SearchParams};

    fn options(name: &str, games: u64) -> DatagenOptions {
        let folder: PathBuf =
            std::env::temp_dir().join(format!("umbrail-{name}-{}", std::process::id()));
        let params = SearchParams::default();
        DatagenOptions {
            folder,
            games,
            nodes: 200,
            threads: 1,
            seed: 7,
            book: vec![],
            hash_mib: 1,
            params,
            teacher: None,
        }
    }

    #[test]
    fn games_are_legal_repeatable_and_resumed() {
        let (whole, parts) = (options("whole", 3), options("parts", 2));
        let reported = Mutex::new(Generated::default());
        let notify = |sum: Generated| *lock(&reported) = sum;
        let sum = generate(&whole, &Cancel::default(), &notify).unwrap();
        assert_eq!((sum.games, sum), (3, *lock(&reported)));
        generate(&parts, &Cancel::default(), &|_| ()).unwrap();
        let rest = DatagenOptions { games: 1, ..parts.clone() };
        generate(&rest, &Cancel::default(), &|_| ()).unwrap();
        let [one, other] = [&whole, &parts]
            .map(|options| std::fs::read(options.folder.join("7-0.games")).unwrap());
        assert_eq!(one, other, "a resumed run continues where it was");
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
        // Evaluates every position as equal for the side to move.
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

    #[test]
    fn a_thread_takes_the_positions_of_a_book_in_turn() {
        let read = |fen: &str| Position::try_from(&fen.parse().unwrap()).unwrap();
        let over = read("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        let book = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"].map(read);
        let mut options = options("book", 4);
        options.book = vec![book[0], over, book[1]];
        generate(&options, &Cancel::default(), &|_| ()).unwrap();
        let mut starts = vec![];
        let path = options.folder.join("7-0.games");
        GameFile::read(&path, |game| starts.push(game.start.to_setup().to_string())).unwrap();
        assert_eq!((starts.len(), &starts[..2]), (4, &starts[2..]));
        assert_ne!(starts[0], starts[1]);
        options.book = vec![over];
        let error = generate(&options, &Cancel::default(), &|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "no position of the book has a move");
        std::fs::remove_dir_all(options.folder).unwrap();
    }

    /// Regression: at 100 nodes a move the run ended without a message when captures took all nodes
    /// of the first iteration.
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
        let notify = |sum: Generated| {
            if sum.games == 2 {
                cancel.raise();
            }
        };
        let sum = generate(&options, &cancel, &notify).unwrap();
        assert_eq!(sum.games, 2);
        assert_eq!(GameFile::open(&options.folder.join("7-0.games")).unwrap().games(), 2);
        std::fs::remove_dir_all(options.folder).unwrap();
    }
}

//! Runs that end at any moment and go on from their archive, and archives that cannot be used.

use super::super::count_archive::KnownCounts;
use super::*;
use crate::files::sheet;
use crate::positions::{
    CountArchive, CountArchiveError, CountKeeper, CountQuestion, EarlierWork, FairyProblem,
    PositionEvent, PositionReport, PositionSettings, count_fairy_games,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use umbrail_control::{Clock, Control, lock};

/// Problems of a second or less: orthodox chess, a cook with many games, a series, and conditions with and without state.
const PROBLEMS: [&str; 5] = [
    "2b1kbnr/2p1pppp/8/8/8/8/1PPP1PPP/R1BQKBNR\n13",
    "rn1qkbnr/ppp1p1pp/3p4/5p2/8/2N2NPb/PPPPPP1P/R1BQKB1R\n9",
    "rnbqkb1r/pppppp2/5N2/4Q3/8/2P5/PP1PPPPP/R1B1KBNR\nser-dia 9",
    "rnbqkb1r/ppp1pppp/5n2/8/8/5N2/PPPP1PPP/RNBQKB1R\n8\nCondition: Circe",
    "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR\n6\nCondition: Masand",
];

fn problem(text: &str) -> FairyProblem {
    let entry = sheet::read(text).pop().expect("a problem").expect("readable");
    FairyProblem { length: crate::Length::Parity, ..entry.problem }
}

/// Keeps an archive in memory.
struct MemoryKeeper {
    question: CountQuestion,
    earlier: Option<CountArchive>,
    saved: Mutex<Vec<u8>>,
}

impl MemoryKeeper {
    fn new(problem: &FairyProblem, bytes: Option<&[u8]>) -> Self {
        let question = CountQuestion::of_fairy(problem);
        let earlier = bytes.map(|bytes| CountArchive::read(bytes, &question).expect("an archive"));
        Self { question, earlier, saved: Mutex::default() }
    }
}

impl CountKeeper for MemoryKeeper {
    fn earlier(&self) -> Option<&CountArchive> {
        self.earlier.as_ref()
    }

    fn save(&self, known: &KnownCounts<'_>) {
        let mut bytes = vec![];
        known.write(&self.question, &mut bytes).expect("written");
        *lock(&self.saved) = bytes;
    }
}

/// Runs until it is done or has visited this many nodes. Returns the report, the share of the tree, and the archive.
fn run(
    problem: &FairyProblem,
    bytes: Option<&[u8]>,
    (threads, nodes_max): (usize, u64),
) -> (PositionReport, u64, Vec<u8>) {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let (pool, cancel, over) =
        (Pool::new(threads).unwrap(), Cancel::default(), AtomicBool::new(false));
    let keeper = MemoryKeeper::new(problem, bytes);
    let settings = PositionSettings { table_bytes: 16 << 20, listed_max: 30, enough: u128::MAX };
    let ignore = |_: PositionEvent| {};
    let control = Control::new(cancel.clone(), &clock, &progress, &pool, &ignore);
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            while progress.nodes.get() < nodes_max && !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_micros(200));
            }
            cancel.raise();
        });
        let report = count_fairy_games(problem, &settings, Some(&keeper), &control).unwrap();
        over.store(true, Ordering::Relaxed);
        report
    });
    (report, progress.done.get(), keeper.saved.into_inner().unwrap())
}

#[test]
fn a_run_that_is_stopped_again_and_again_has_the_result_of_one_that_is_not() {
    for text in PROBLEMS {
        let problem = problem(text);
        let threads = if text.contains("Condition") { 1..=1 } else { 1..=2 };
        for threads in threads {
            let (whole, all_done, _) = run(&problem, None, (threads, u64::MAX));
            assert!(whole.is_complete && whole.count() > 0, "{text}");
            let part = (whole.nodes / 5).max(1);
            let (mut report, mut done, mut bytes) = run(&problem, None, (threads, part));
            let mut nodes = report.nodes;
            let mut runs = 1;
            // A run may end while games are being listed.
            while !report.is_complete || report.fairy_games.len() < whole.fairy_games.len() {
                let before = (report.earlier, done);
                (report, done, bytes) = run(&problem, Some(&bytes), (threads, part));
                // Work and progress continue; the frontier may have gone on to a longer length.
                assert_eq!(report.earlier.nodes, nodes);
                assert!(report.earlier.elapsed_ms >= before.0.elapsed_ms);
                assert!(done >= before.1, "{done} of {all_done} after {}", before.1);
                nodes += report.nodes;
                runs += 1;
                assert!(runs < 500, "{text}: no progress");
            }
            assert_eq!(report.counts, whole.counts, "{text}");
            assert_eq!(sorted(&report), sorted(&whole), "{text}");
            assert!(runs == 1 || report.unverified > 0);
            // Once more, and everything is known.
            let (again, ..) = run(&problem, Some(&bytes), (threads, u64::MAX));
            assert_eq!((&again.counts, sorted(&again)), (&whole.counts, sorted(&whole)));
            assert!(again.nodes <= whole.nodes / 5 + 2000, "{} of {}", again.nodes, whole.nodes);
        }
    }
}

/// Games in an order that does not depend on threads.
fn sorted(report: &PositionReport) -> Vec<String> {
    let mut games: Vec<String> = report.fairy_games.iter().map(|game| game.text.clone()).collect();
    games.sort();
    games
}

#[test]
fn a_table_is_saved_rightly_while_threads_write_it() {
    let case = Case::dia("2b1kbnr/p1p1pppp/8/8/8/8/P2P1PPP/RNBQKBNR", 13);
    let search = |snapshot: &[(u128, u128)], saves: bool| {
        let (cancel, nodes, progress) = (Cancel::default(), Gauge::default(), Progress::default());
        let target = TargetBoard::new(men_of(&case.target.parse().unwrap()));
        let mut start = position(case.start);
        // So small that entries replace each other all the time.
        let sizes = TableSizes { counts: 1 << 15, needs: 1 << 20 };
        let (set, signals) = (BoundSet::ALL, (&cancel, &nodes));
        let shared = SharedSearch::new(Orthodox, target, &start, case.turns, set, sizes, signals);
        assert!(shared.admits_start(&mut start, case.plies));
        snapshot.iter().for_each(|&(key, value)| shared.table().put(key, value));
        let (pool, over) = (Pool::new(3).unwrap(), AtomicBool::new(false));
        let frontier = PositionFrontier::of(&shared, start, case.plies, 3).unwrap();
        let forecast = Forecast::new(&progress, true, Duration::ZERO);
        std::thread::scope(|scope| {
            let saver = scope.spawn(|| {
                let mut snapshots = vec![];
                while saves && !over.load(Ordering::Relaxed) {
                    snapshots.push(shared.table().deepest(1 << 20).unwrap());
                }
                snapshots
            });
            let found = count_in_parallel(&shared, &frontier, u128::MAX, &pool, &forecast);
            over.store(true, Ordering::Relaxed);
            assert!(found.is_complete);
            (found.games, saver.join().unwrap())
        })
    };
    let (games, snapshots) = search(&[], true);
    assert!(games == 1 && snapshots.len() > 10, "{games} {}", snapshots.len());
    for at in 1..=8 {
        let snapshot = &snapshots[snapshots.len() * at / 8 - 1];
        assert_eq!(search(snapshot, false).0, games);
    }
}

#[test]
fn an_archive_that_is_damaged_or_of_something_else_is_refused() {
    let question = |text: &str| CountQuestion::of_fairy(&problem(text));
    let own = problem(PROBLEMS[3]);
    let (_, _, bytes) = run(&own, None, (1, 2000));
    let read = |bytes: &[u8], text: &str| CountArchive::read(bytes, &question(text));
    let archive = read(&bytes, PROBLEMS[3]).unwrap();
    assert!(archive.len() > 100 && archive.work != EarlierWork::default());
    // Each byte of the text, and some of the numbers.
    for at in (0..bytes.len()).filter(|&at| at < 400 || at % 997 == 0 || at + 30 > bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(read(&damaged, PROBLEMS[3]).is_err(), "byte {at}");
        assert!(read(&bytes[..at], PROBLEMS[3]).is_err(), "end at {at}");
    }
    let mut longer = bytes.clone();
    longer.extend([0; 32]);
    assert_eq!(
        read(&longer, PROBLEMS[3]),
        Err(CountArchiveError::Damaged("its checksum is wrong"))
    );
    let refused = |text: &str| read(&bytes, text).unwrap_err().to_string();
    let other = PROBLEMS[3].replace("\n8\n", "\n10\n");
    assert_eq!(refused(&other), "the archive has plies 8, expected 10");
    let other = PROBLEMS[3].replace("Circe", "AntiCirce");
    assert_eq!(refused(&other), "the archive has conditions Circe, expected AntiCirce");
    assert!(refused(PROBLEMS[0]).starts_with("the archive has diagram rnbqkb1r/ppp1pppp"));
    assert_eq!(
        read(b"umbrail-spg 2 question=", PROBLEMS[3]).unwrap_err().to_string(),
        "this is no archive of the search of positions, but one of strategies"
    );
    assert_eq!(
        read(b"umbrail-spg-positions 99\n", PROBLEMS[3]),
        Err(CountArchiveError::Format("99".to_owned()))
    );
    assert_eq!(read(b"", PROBLEMS[3]), Err(CountArchiveError::Foreign(false)));
}

#[test]
fn letters_of_other_pieces_make_another_question() {
    let text = "8/8/8/3k4/8/8/8/G6K\n2\nStart: 8/8/4k3/8/8/8/7G/7K w - - 0 1\nPiece: G=grasshopper";
    let [one, other] =
        [text.to_owned(), text.replace("grasshopper", "nightrider")].map(|text| problem(&text));
    let [one, other] = [one, other].map(|problem| CountQuestion::of_fairy(&problem));
    assert_ne!(one, other);
}

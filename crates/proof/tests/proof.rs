//! Proof games from diagram to verdict: known problems, options that must not change results, and
//! runs that are interrupted, divided into shards and joined again.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Instant;
use umbrail_chess::Move;
use umbrail_chess::geometry::Setup;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_proof::Retraction;
use umbrail_proof::files::archive::{Archive, Header, claim_line, part_line};
use umbrail_proof::files::strategy_file;
use umbrail_proof::internals::all_games;
use umbrail_proof::report::{ProblemVerdict, Verdict};
use umbrail_proof::run::{
    Activity, ClaimRecord, Collisions, Params, Persistence, RunArchive, RunControl, RunEvent,
    RunReport, StopAt, StrategyNumber, TwoWaySplitting, solve,
};
use umbrail_proof::run::{ListedStrategy, StrategyList, StrategySink};
use umbrail_proof::{Diagram, Length, Problem, Rules, Strategy};

struct Known {
    id: &'static str,
    problem: Problem,
    verdict: &'static str,
    count: Option<usize>,
}

fn known() -> Vec<Known> {
    include_str!("golden/spg-problems.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            Known {
                id: fields[0],
                problem: problem(fields[1], fields[2].parse().unwrap()),
                verdict: fields[3],
                count: fields[4].parse().ok(),
            }
        })
        .collect()
}

fn problem(placement: &str, plies: u16) -> Problem {
    let diagram = Diagram::from_setup(&placement.parse::<Setup>().unwrap()).unwrap();
    Problem { diagram, plies, length: Length::Exact }
}

fn params() -> Params {
    Params { games_max: 2000, table_bytes: 4 << 20, ..Params::default() }
}

fn run(problem: &Problem, params: &Params, workers: usize, keeping: Persistence<'_>) -> RunReport {
    let pool = Pool::new(workers).unwrap();
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let reported = Mutex::new(BTreeSet::new());
    let notify = |fact: RunEvent| {
        if let RunEvent::Success(success) = fact {
            reported.lock().unwrap().extend(success.games);
        }
    };
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
    let report = solve(problem, params, &RunControl::default(), keeping, &control);
    assert_eq!(*reported.lock().unwrap(), games(&report), "what is found is reported");
    report
}

fn games(report: &RunReport) -> BTreeSet<Vec<Move>> {
    report.games().map(|(_, game)| game.clone()).collect()
}

fn word(problem: &Problem, report: &RunReport) -> ProblemVerdict {
    Verdict::of(problem, &params(), report).word
}

fn solved(problem: &Problem, params: &Params) -> RunReport {
    run(problem, params, 1, Persistence::default())
}

#[test]
fn known_problems_get_their_verdicts() {
    for Known { id, problem, verdict, count } in known() {
        let report = solved(&problem, &params());
        let found = word(&problem, &report);
        let right = match verdict {
            "unique" => found == ProblemVerdict::Unique,
            "none" => found == ProblemVerdict::None,
            _ => matches!(found, ProblemVerdict::Several | ProblemVerdict::Cooked),
        };
        assert!(right, "{id} ({problem}): {found} instead of {verdict}");
        assert!(report.is_complete(), "{id}");
        assert!(count.is_none_or(|count| count == report.count()), "{id}: {}", report.count());
        assert_eq!(report.faults, Vec::<String>::new(), "{id}");
    }
}

#[test]
fn the_slow_twin_finds_the_same_games() {
    for Known { id, problem, .. } in known().into_iter().filter(|one| one.problem.plies <= 6) {
        let games = games(&solved(&problem, &params()));
        let twins: BTreeSet<Vec<Move>> = all_games(&problem).into_iter().collect();
        assert_eq!(games, twins, "{id}");
    }
}

#[test]
fn no_switch_changes_an_answer() {
    for Known { id, problem, .. } in known().into_iter().filter(|one| one.problem.plies <= 9) {
        let plain = solved(&problem, &params());
        let never = Params { retraction: Retraction::Never, ..params() };
        let always = Params { retraction: Retraction::Always, ..params() };
        let bare = Params { rules: Rules::NONE, ..params() };
        let coarse = Params { sync_depth: 1, ..params() };
        for (what, other) in [
            ("retraction never", solved(&problem, &never)),
            ("retraction always", solved(&problem, &always)),
            ("no rules", solved(&problem, &bare)),
            ("sync depth 1", solved(&problem, &coarse)),
            ("three workers", run(&problem, &params(), 3, Persistence::default())),
        ] {
            assert_eq!(games(&other), games(&plain), "{id}: {what}");
            assert_eq!(word(&problem, &other), word(&problem, &plain), "{id}: {what}");
            assert_eq!(other.cooks().count(), plain.cooks().count(), "{id}: {what}");
        }
    }
}

#[test]
fn shorter_games_of_the_same_parity_count_by_default() {
    // 1.Nf3 Nf6 2.Ng1 Ng8 and similar games lead back to the array, and so does no move at all.
    let exact = problem("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 4);
    let parity = Problem { length: Length::Parity, ..exact };
    let (exact, parity) = (solved(&exact, &params()), solved(&parity, &params()));
    assert_eq!(parity.count(), exact.count() + 1);
    assert_eq!(parity.lengths().get(&0), Some(&1));
}

#[test]
fn a_cook_with_enough_games_ends_the_run() {
    // P1001170 of the problem database, which is cooked in seven strategies.
    let problem = problem("rnbq2nr/pppp1ppp/3k4/4p3/8/1P2b3/P1PPP1PP/RNBQKBNR", 17);
    let all = solved(&problem, &Params { games_max: 2, ..params() });
    assert!(all.cooks().count() > 2 && all.searched);
    let counted = Params { games_max: 2, stop_at: StopAt::Counted, ..params() };
    let some = solved(&problem, &counted);
    assert_eq!(word(&problem, &some), ProblemVerdict::Cooked);
    assert!(!some.is_complete() && some.count() >= 2 && some.count() < all.count());
}

/// Keeps the lines of an archive in memory.
struct Lines(Mutex<String>);

impl RunArchive for Lines {
    fn claim(&self, record: &ClaimRecord) {
        self.0.lock().unwrap().push_str(&claim_line(record));
    }
    fn part(&self, retraction: u16, claims: u64, digest: u64) {
        self.0.lock().unwrap().push_str(&part_line(retraction, claims, digest));
    }
}

fn archived(problem: &Problem, params: &Params, done: Option<&Archive>) -> (RunReport, String) {
    let lines = Lines(Mutex::new(Header::of(problem, params).line()));
    let report = run(
        problem,
        params,
        2,
        Persistence {
            done: done.map(|archive| &archive.claims),
            journal: Some(&lines),
            ..Persistence::default()
        },
    );
    (report, lines.0.into_inner().unwrap())
}

/// A problem whose tree has many claims with games in many of them: both sides capture, and one
/// castles.
fn many_claims() -> Known {
    let problem = problem("rnbq1rk1/ppp3pp/5n2/8/1b6/5N2/PPPPBPPP/RNBQ1RK1", 14);
    Known { id: "many claims", problem, verdict: "cooked", count: None }
}

#[test]
fn an_archive_has_every_claim_under_its_own_number() {
    let (report, text) = archived(&many_claims().problem, &params(), None);
    let (header, archive) = Archive::read(&text, &|| false).unwrap();
    assert_eq!(archive.claims.len() as u64, report.counts.claims);
    assert!(archive.claims.len() > 20 && report.successes.len() > 5);
    assert_eq!(archive.missing(&header).unwrap(), [""; 0]);
    assert_eq!(games(&archive.report(&header).unwrap()), games(&report));
}

#[test]
fn a_run_that_was_cut_short_goes_on_where_it_was() {
    for Known { id, problem, .. } in
        known().into_iter().filter(|one| one.problem.plies >= 7).take(12).chain([many_claims()])
    {
        let params = Params { sync_depth: 3, ..params() };
        let (whole, text) = archived(&problem, &params, None);
        for cut in [text.len() / 3, text.len() / 2, text.len() - 5] {
            let Ok((_, archive)) = Archive::read(&text[..cut], &|| false) else {
                assert!(cut <= Header::of(&problem, &params).line().len(), "{id}: cut at {cut}");
                continue;
            };
            let (rest, _) = archived(&problem, &params, Some(&archive));
            assert_eq!(games(&rest), games(&whole), "{id}: cut at {cut}");
            assert_eq!(word(&problem, &rest), word(&problem, &whole), "{id}: cut at {cut}");
            assert_eq!(rest.counts.enumerated, whole.counts.enumerated, "{id}: cut at {cut}");
        }
    }
}

#[test]
fn joined_shards_are_the_whole_and_a_missing_one_is_reported() {
    for Known { id, problem, .. } in
        known().into_iter().filter(|one| one.problem.plies >= 7).take(12).chain([many_claims()])
    {
        let all = Params { sync_depth: 3, ..params() };
        let whole = solved(&problem, &all);
        let mut joined: Option<(Header, Archive)> = None;
        let shards = 3;
        for shard in 0..shards {
            let (report, text) =
                archived(&problem, &Params { shard: (shard, shards), ..all.clone() }, None);
            assert!(
                word(&problem, &whole) == ProblemVerdict::None && !report.refusals.is_empty()
                    || !report.searched,
                "{id}"
            );
            assert!(report.shard_finished, "{id}");
            let (header, archive) = Archive::read(&text, &|| false).unwrap();
            assert_eq!(header.shard(), (shard, shards), "{id}");
            assert!(!archive.missing_shards(&header, shards).unwrap().contains(&shard), "{id}");
            match &mut joined {
                None => joined = Some((header, archive)),
                Some((first, sum)) => {
                    first.agrees(&header, false).unwrap();
                    sum.join(archive).unwrap();
                }
            }
        }
        let (header, mut archive) = joined.unwrap();
        assert_eq!(archive.missing(&header).unwrap(), Vec::<String>::new(), "{id}");
        let merged = archive.report(&header).unwrap();
        assert_eq!(games(&merged), games(&whole), "{id}");
        assert_eq!(word(&problem, &merged), word(&problem, &whole), "{id}");
        if let Some(&last) = archive.claims.keys().next_back() {
            archive.claims.remove(&last);
            let merged = archive.report(&header).unwrap();
            assert!(!merged.is_complete(), "{id}");
            assert!(archive.missing(&header).unwrap()[0].contains(&last.1.to_string()), "{id}");
            let missing = archive.missing_shards(&header, shards).unwrap();
            assert_eq!(missing.into_iter().collect::<Vec<_>>(), [last.1 % shards], "{id}");
        }
    }
}

#[test]
fn damaged_archives_are_noticed() {
    let one = problem("rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR", 5);
    let (_, text) = archived(&one, &params(), None);
    let refused = |text: &str| Archive::read(text, &|| false).unwrap_err().to_string();
    assert!(refused("").ends_with("format 2: \"\""));
    assert!(refused("umbrail-spg 1 diagram=8/8\n").ends_with("or solve again into another file"));
    for at in (0..text.len()).step_by(3) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        let damaged = String::from_utf8_lossy(&bytes).into_owned();
        match Archive::read(&damaged, &|| false) {
            Err(_) => {}
            Ok((_, archive)) => assert!(!archive.damaged.is_empty(), "byte {at} changed unnoticed"),
        }
    }
    let other = Header::of(&one, &Params { games_max: 7, ..params() });
    let (header, _) = Archive::read(&text, &|| false).unwrap();
    assert_eq!(
        other.agrees(&header, true).unwrap_err().to_string(),
        "the archive has games 2000, expected 7"
    );
}

/// Keeps strategies in memory.
#[derive(Default)]
struct CollectedStrategies(Mutex<Vec<ListedStrategy>>);

impl StrategySink for CollectedStrategies {
    fn keep(&self, number: StrategyNumber, free: [i32; 2], strategy: &Strategy) {
        let strategy = strategy.clone();
        self.0.lock().unwrap().push(ListedStrategy { number, free, strategy });
    }
}

#[test]
fn strategies_that_were_only_counted_can_be_searched_later_with_the_same_result() {
    // The last of them have a king in check, so the last move is taken back.
    let mate = problem("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR", 4);
    let some = known().into_iter().filter(|one| one.problem.plies >= 6).step_by(5);
    for problem in some.map(|one| one.problem).take(12).chain([mate]) {
        let whole = solved(&problem, &params());
        let collected = CollectedStrategies::default();
        let counting = Params { histogram: true, ..params() };
        let keeping = Persistence { sink: Some(&collected), ..Persistence::default() };
        let counted = run(&problem, &counting, 2, keeping);
        assert!(counted.enumerated && !counted.searched, "{problem}");
        let strategies = collected.0.into_inner().unwrap();
        let retraction = counting.retraction;
        let complete = counted.enumerated;
        let kept = StrategyList { problem, retraction, strategies, complete, digest: 0 };
        let text = strategy_file::write(&kept);
        let (read, faults) = strategy_file::read(&text, &|| false).unwrap();
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(read, StrategyList { digest: read.digest, ..kept }, "{problem}");
        let keeping = Persistence { strategies: Some(&read), ..Persistence::default() };
        let played = run(&problem, &params(), 2, keeping);
        assert_eq!(games(&played), games(&whole), "{problem}");
        assert_eq!(word(&problem, &played), word(&problem, &whole), "{problem}");
        let part = StrategyList { complete: false, ..read };
        let keeping = Persistence { strategies: Some(&part), ..Persistence::default() };
        assert!(!run(&problem, &params(), 1, keeping).searched, "{problem}");
    }
}

#[test]
fn roles_and_modes_change_no_answer() {
    let ways = [
        Params { seekers: 1, players: 2, ..params() },
        Params { seekers: 2, players: 1, ..params() },
        Params {
            threads_per_strategy: 3,
            team_sync_plies: 5,
            collisions: Collisions::On,
            ..params()
        },
        Params { collisions: Collisions::Off, splitter: TwoWaySplitting::None, ..params() },
        Params { collisions: Collisions::ByPieces, table_splits: 6, ..params() },
        Params { splitter: TwoWaySplitting::Always, collisions: Collisions::On, ..params() },
    ];
    for Known { id, problem, .. } in
        known().into_iter().filter(|one| one.problem.plies >= 7).step_by(3)
    {
        let usual = solved(&problem, &params());
        for params in &ways {
            let other = run(&problem, params, 3, Persistence::default());
            assert_eq!(games(&other), games(&usual), "{id} with {params:?}");
            assert_eq!(word(&problem, &other), word(&problem, &usual), "{id} with {params:?}");
            assert!(other.faults.is_empty(), "{id}: {:?}", other.faults);
        }
    }
}

#[test]
fn workers_without_a_strategy_help_with_one_that_takes_long() {
    // P1080429: two strategies, one of which takes millions of moves.
    let long = problem("rn1QKB1R/3p1pp1/1pp1p1n1/7p/pP2r2P/3PPPPB/P1P5/RNbqkbN1", 51);
    let params = Params { moves_max: 400_000, ..params() };
    let pool = Pool::new(3).unwrap();
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| ());
    let run_control = RunControl::default();
    run_control.watch.open();
    let helped = std::thread::scope(|scope| {
        let run =
            scope.spawn(|| solve(&long, &params, &run_control, Persistence::default(), &control));
        let mut helped = false;
        while !run.is_finished() {
            let mut strategies = BTreeSet::new();
            for worker in run_control.watch.workers() {
                if let Activity::Playing { number, .. } = worker.activity() {
                    helped |= !strategies.insert((number.claim, number.index));
                }
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert!(run.join().unwrap().faults.is_empty());
        helped
    });
    assert!(helped, "no worker helped");
}

#[test]
fn every_last_move_has_its_own_histogram() {
    let mate = problem("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR", 4);
    let report = solved(&mate, &Params { histogram: true, ..params() });
    assert!(!report.histograms.is_empty() && !report.histograms.contains_key(&0));
    let sum: u64 = report.histograms.values().flat_map(|one| one.values()).map(|bin| bin.0).sum();
    assert_eq!(sum, report.histogram.values().map(|bin| bin.0).sum::<u64>());
    let whole = Params { histogram: true, retraction: Retraction::Never, ..params() };
    let report = solved(&mate, &whole);
    assert_eq!(report.histograms.keys().collect::<Vec<_>>(), [&0]);
}

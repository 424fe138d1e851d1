//! Every option changes what the program does, and does it in the next job. The jobs run here and
//! now, on this thread, so what is compared does not depend on the machine.

mod files;
mod play;
mod proofs;
mod syzygy;
mod tables;

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Instant;
use umbrail::control::Pool;
use umbrail::protocol::{Dialect, Uci, Xboard};
use umbrail::search::{CONSTANTS, EXPERIMENTS, Network, NetworkWeights};
use umbrail::session::options::{Kind, Spec};
use umbrail::session::snapshot::Snapshot;
use umbrail::session::{Effect, Event, JobContext, JobId, Options, Report, Session, Start, specs};
use umbrail::tasks::MODULES;

/// A conversation whose jobs are run to their end as soon as they start.
struct Inline {
    session: Session,
    dialect: Box<dyn Dialect>,
    printed: Vec<String>,
    logs: Vec<String>,
    threads: Vec<usize>,
    snapshots: Vec<Snapshot>,
}

impl Inline {
    fn new(dialect: Box<dyn Dialect>) -> Self {
        let session = umbrail::tasks::session(Options::default());
        Self { session, dialect, printed: vec![], logs: vec![], threads: vec![], snapshots: vec![] }
    }

    fn uci() -> Self {
        Self::new(Box::new(Uci::new(MODULES)))
    }

    /// Sends these lines, and returns the answer.
    fn prints(&mut self, lines: &[&str]) -> Vec<String> {
        for line in lines {
            let commands = self.dialect.parse(line).expect("a command");
            for command in commands {
                let effects = self.session.command(command, Instant::now());
                self.perform(effects);
            }
        }
        std::mem::take(&mut self.printed)
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        let mut waiting = VecDeque::from(effects);
        while let Some(effect) = waiting.pop_front() {
            match effect {
                Effect::Write(Event::Snapshot(snapshot)) => self.snapshots.push(*snapshot),
                Effect::Write(event) => {
                    let mut out = String::new();
                    self.dialect.write(&event, &mut out);
                    self.printed.extend(out.lines().map(str::to_owned));
                }
                Effect::Start(start) => {
                    // Opening files needs no worker.
                    self.threads.extend(Some(start.threads).filter(|&threads| threads > 0));
                    for (id, report) in run(*start) {
                        waiting.extend(self.session.report(id, report, std::time::Instant::now()));
                    }
                }
                Effect::LogTo(file) => self.logs.push(format!("{file:?}")),
                Effect::Quit(_) => {}
            }
        }
    }
}

fn run(start: Start) -> Vec<(JobId, Report)> {
    let reported = Mutex::new(vec![]);
    let pool = Pool::new(start.threads.max(1)).expect("threads");
    let notify = |fact| reported.lock().expect("no panic").push((start.id, Report::Progress(fact)));
    let stage = JobContext {
        cancel: start.cancel,
        clock: &start.clock,
        progress: &start.progress,
        pool: &pool,
        skips: &start.skips,
        notify: &notify,
    };
    let answer = umbrail::tasks::run(start.job, &stage);
    let mut reports = reported.into_inner().expect("no panic");
    reports.push((start.id, Report::Answer(answer)));
    reports
}

/// The number behind the last such word.
fn last(printed: &[String], word: &str) -> u64 {
    let numbers = printed.iter().rev().filter_map(|line| {
        let mut words = line.split(' ');
        words.find(|&next| next == word)?;
        words.next()?.parse().ok()
    });
    numbers.into_iter().next().unwrap_or_else(|| panic!("no {word} in {printed:?}"))
}

const KIWI: &str =
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The options that are shown to change something below.
const SHOWN: &[&str] = &[
    "Hash",
    "Threads",
    "MultiPV",
    "Ponder",
    "Move Overhead",
    "Clear Hash",
    "Cluster",
    "UCI_Chess960",
    "UCI_Variant",
    "UCI_AnalyseMode",
    "UCI_ShowWDL",
    "UCI_Opponent",
    "UCI_EngineAbout",
    "Log File",
    "Show All Options",
    "Resign",
    "EGT Endgame",
    "EGT Metric",
    "EGT Null Move",
    "EGT Stalemate Wins",
    "EGT Forced Pass",
    "EGT Bare Royal Loses",
    "EGT Folder",
    "EGT Memory",
    "EGT Seed File",
    "EGT Piece File",
    "Slow Mover",
    "Blitz Slow Mover",
    "nodestime",
    "SoftNodes",
    "Contempt",
    "Skill Level",
    "UCI_LimitStrength",
    "UCI_Elo",
    "OwnBook",
    "Book File",
    "Book Depth",
    "Experience File",
    "Use NNUE",
    "EvalFile",
    "SyzygyPath",
    "SyzygyProbeDepth",
    "SyzygyProbeLimit",
    "Syzygy50MoveRule",
    "Solver",
    "SPG Moves",
    "SPG Archive",
    "SPG Memory",
    "Search Constants",
    "SPG Seekers",
    "SPG Players",
    "SPG Threads Per Strategy",
    "SPG Sync Depth",
    "SPG Strategy Sync Depth",
    "SPG Cache Splits",
    "SPG Collisions",
    "SPG Splitter",
    "SPG Retraction",
    "SPG Solver",
    "SPG Length",
    "SPG Seek Path",
    "Steno Text",
    "Steno Vocabulary",
];

#[test]
fn every_option_is_shown_here() {
    // What experiments change is shown where their policies are, by node counts.
    let experiment = |spec: &&Spec| matches!(spec.kind, Kind::Experiment(_));
    for spec in specs().filter(|spec| !experiment(spec)) {
        assert!(SHOWN.contains(&spec.name), "what does {} change?", spec.name);
    }
}

#[test]
fn solvers_options_are_offered_on_request_or_with_a_solver() {
    let offered = |lines: &[&str]| {
        let mut talk = Inline::uci();
        talk.prints(lines);
        let printed = talk.prints(&["uci"]);
        printed.into_iter().filter(|line| line.starts_with("option ")).collect::<Vec<_>>()
    };
    let has = |offers: &[String], name: &str| {
        offers.iter().any(|line| line.starts_with(&format!("option name {name} type ")))
    };
    let few = offered(&[]);
    assert!(few.len() < 43, "{} options", few.len());
    assert!(has(&few, "Hash") && has(&few, "XP10 RootBias") && !has(&few, "EGT Metric"));
    for line in [
        "setoption name Show All Options value true",
        "setoption name Solver value spg",
        "setoption name EGT Endgame value KQ.K",
    ] {
        let all = offered(&[line]);
        assert!(has(&all, "EGT Metric") && has(&all, "Book Depth"), "{line}");
        // XBoard alone offers one more.
        assert_eq!(all.len(), specs().count() - 1);
    }
}

#[test]
fn hash_changes_how_full_the_table_is() {
    let fullness = |mib: &str| {
        let mut talk = Inline::uci();
        talk.prints(&[&format!("setoption name Hash value {mib}"), "isready"]);
        last(&talk.prints(&[KIWI, "go nodes 60000"]), "hashfull")
    };
    assert!(fullness("1") > 2 * fullness("16"));
}

#[test]
fn soft_nodes_lets_an_iteration_end() {
    let nodes = |soft: &str| {
        let mut talk = Inline::uci();
        talk.prints(&[&format!("setoption name SoftNodes value {soft}"), KIWI]);
        last(&talk.prints(&["go nodes 3000"]), "nodes")
    };
    assert_eq!(nodes("false"), 3000);
    assert!(nodes("true") > 3000 && nodes("true") <= 30_000);
}

#[test]
fn threads_is_what_jobs_are_given() {
    let mut talk = Inline::uci();
    talk.prints(&["go depth 1", "setoption name Threads value 3", "go depth 1"]);
    assert_eq!(talk.threads, [1, 3]);
}

#[test]
fn multipv_shows_that_many_lines() {
    let mut talk = Inline::uci();
    let printed = talk.prints(&["setoption name MultiPV value 3", KIWI, "go depth 2"]);
    assert_eq!(printed.iter().filter(|line| line.starts_with("info depth 2 ")).count(), 3);
    for rank in 1..=3 {
        assert!(
            printed.iter().any(|line| line.contains(&format!(" multipv {rank} "))),
            "{printed:?}"
        );
    }
}

#[test]
fn clear_hash_and_a_new_game_forget_what_was_searched() {
    let mut talk = Inline::uci();
    let mut nodes = |before: &str| last(&talk.prints(&[before, KIWI, "go depth 7"]), "nodes");
    let fresh = nodes("isready");
    assert_ne!(nodes("isready"), fresh, "the table helps the second time");
    assert_eq!(nodes("setoption name Clear Hash"), fresh);
    assert_eq!(nodes("ucinewgame"), fresh);
}

#[test]
fn chess960_writes_castling_as_king_takes_rook() {
    let mut talk = Inline::uci();
    let castle = [KIWI, "go depth 1 searchmoves e1g1"];
    assert_eq!(talk.prints(&castle).last().map(String::as_str), Some("bestmove e1g1"));
    talk.prints(&["setoption name UCI_Chess960 value true"]);
    assert_eq!(talk.prints(&castle).last().map(String::as_str), Some("bestmove e1h1"));
}

#[test]
fn a_variant_has_its_own_board_and_moves() {
    let mut talk = Inline::uci();
    let ending = ["position fen 4k4/9/9/9/9/9/9/9/9/R4K3 w - - 0 1", "go"];
    assert_eq!(talk.prints(&ending).last().map(String::as_str), Some("bestmove (none)"));
    talk.prints(&["setoption name UCI_Variant value xiangqi"]);
    let printed = talk.prints(&ending);
    assert!(printed.last().is_some_and(|line| line.starts_with("bestmove a1a")), "{printed:?}");
    talk.prints(&["setoption name UCI_Variant value chess"]);
    let chess = talk.prints(&["position startpos", "go depth 1"]);
    assert!(chess.last().is_some_and(|line| line.starts_with("bestmove ")), "{chess:?}");
}

#[test]
fn analyse_mode_reports_the_root_move_from_the_start() {
    let mut talk = Inline::uci();
    let reports = |printed: Vec<String>| printed.iter().any(|line| line.contains(" currmove "));
    assert!(!reports(talk.prints(&[KIWI, "go depth 4"])));
    talk.prints(&["setoption name UCI_AnalyseMode value true"]);
    assert!(reports(talk.prints(&[KIWI, "go depth 4"])));
}

#[test]
fn show_wdl_adds_chances() {
    let mut talk = Inline::uci();
    let reports = |printed: Vec<String>| printed.iter().any(|line| line.contains(" wdl "));
    assert!(!reports(talk.prints(&["go depth 1"])));
    assert!(reports(talk.prints(&["setoption name UCI_ShowWDL value true", "go depth 1"])));
}

#[test]
fn bench_prints_the_signature() {
    let signature = umbrail::search::bench::signature(
        5,
        &umbrail::search::SearchParams {
            hash_mib: umbrail::search::bench::HASH_MIB,
            ..umbrail::search::SearchParams::default()
        },
    );
    let printed = Inline::uci().prints(&["bench depth 5"]);
    let printed = printed.last().and_then(|line| line.split(' ').next()?.parse().ok());
    assert_eq!(printed, Some(signature.expect("threads")));
}

#[test]
fn each_experiment_but_the_first_changes_the_tree() {
    let nodes = |experiment: &str| {
        let mut talk = Inline::uci();
        talk.prints(&["setoption name Hash value 1", &format!("setoption name {experiment}")]);
        let positions =
            [KIWI, "position startpos", "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"];
        positions.map(|position| last(&talk.prints(&[position, "go depth 12"]), "nodes"))
    };
    let base = nodes("Ponder value false");
    for experiment in
        // XP1 acts on clocks, XP10 on hints.
        EXPERIMENTS.iter().map(|one| &one.option).filter(|name| !name.starts_with("XP1"))
    {
        assert_ne!(nodes(&format!("{experiment} value true")), base, "{experiment}");
    }
}

#[test]
fn about_is_shown_and_cannot_be_changed() {
    let mut talk = Inline::uci();
    let offered = talk.prints(&["uci"]);
    assert!(offered.iter().any(|line| line.starts_with("option name UCI_EngineAbout type string")));
    let printed = talk.prints(&["setoption name UCI_EngineAbout value me"]);
    assert_eq!(printed, ["info string UCI_EngineAbout cannot be changed"]);
}

#[test]
fn xboard_sets_the_same_options_by_its_own_words() {
    let mut talk = Inline::new(Box::new(Xboard::new(MODULES)));
    talk.prints(&["cores 2", "memory 40", "hard", "option MultiPV=2", "option Move_Overhead=7"]);
    let options = talk.session.options();
    assert_eq!((options.threads, options.search.hash_mib, options.multipv), (2, 32, 2));
    assert!(options.ponder);
    assert_eq!(options.search.move_overhead_ms, 7);
}

/// What `go` answers with the solver set to stenos.
fn steno(text: &str, vocabulary: &str) -> Vec<String> {
    let mut talk = Inline::uci();
    talk.prints(&[
        "setoption name Solver value steno",
        &format!("setoption name Steno Text value {text}"),
        &format!("setoption name Steno Vocabulary value {vocabulary}"),
        "position startpos",
        "go",
    ])
}

#[test]
fn the_solver_answers_go_with_the_steno_that_is_set() {
    let games = |printed: &[String]| {
        printed.iter().filter(|line| line.starts_with("info string steno result")).count()
    };
    let printed = steno("36~#", "extended");
    assert_eq!(games(&printed), 1, "{printed:?}");
    assert_eq!(
        printed.iter().filter(|line| line.starts_with("bestmove")).count(),
        1,
        "{printed:?}"
    );
    assert_eq!(games(&steno("e", "classic")), 2, "two moves end on the e-file");
    let refused = |vocabulary: &str| {
        steno("L", vocabulary).iter().any(|line| line.starts_with("info string steno error"))
    };
    assert!(!refused("classic") && refused("pgn"), "L is a mark of one of the two");
    let mut off = Inline::uci();
    let searched = off.prints(&["position startpos", "go depth 1"]);
    assert!(searched.iter().any(|line| line.contains(" pv ")), "without a solver go searches");
}

#[test]
fn search_constants_change_the_search() {
    let nodes = |constants: &str| {
        let mut talk = Inline::uci();
        let option = format!("setoption name Search Constants value {constants}");
        let printed = talk.prints(&[&option, "position startpos", "go depth 8"]);
        last(&printed, "nodes")
    };
    assert_ne!(nodes("<empty>"), nodes("lmr_base=20,null_base=2"));
    let base = CONSTANTS.iter().find(|it| it.name == "lmr_base").expect("a constant");
    assert_eq!(nodes("<empty>"), nodes(&format!("lmr_base={}", base.default)));
}

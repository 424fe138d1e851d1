//! Every option changes what the program does, and does it in the next job. The jobs run here and
//! now, on this thread, so what is compared does not depend on the machine.

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
fn lost_games_are_resigned_only_on_request() {
    let game = |resign: &str| {
        let mut talk = Inline::new(Box::new(Xboard::new(MODULES)));
        talk.prints(&["new", resign, "sd 4", "setboard 4k3/8/8/8/8/8/8/R2QK3 w Q - 0 1"]);
        let moves = ["e1e2", "e2e1", "e1e2", "e2e1"];
        moves.map(|mv| talk.prints(&[&format!("usermove {mv}")])).concat()
    };
    let moves = |printed: &[String]| printed.iter().filter(|l| l.starts_with("move ")).count();
    let resigned = game("option Resign=1");
    assert_eq!((moves(&resigned), resigned.iter().any(|line| line == "resign")), (3, true));
    let played = game("option Resign=0");
    assert_eq!((moves(&played), played.iter().any(|line| line == "resign")), (4, false));
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
fn ponder_names_the_reply() {
    let mut talk = Inline::uci();
    let answer = |printed: Vec<String>| printed.last().cloned().unwrap_or_default();
    assert!(!answer(talk.prints(&["go depth 4"])).contains("ponder"));
    assert!(
        answer(talk.prints(&["setoption name Ponder value true", "go depth 4"]))
            .contains(" ponder ")
    );
}

#[test]
fn move_overhead_is_kept_back_from_the_time() {
    // The clock is counted in nodes, a hundred for each millisecond, so that no other process matters.
    let nodes = |overhead: u64| {
        let mut talk = Inline::uci();
        talk.prints(&["setoption name nodestime value 100", KIWI]);
        talk.prints(&[&format!("setoption name Move Overhead value {overhead}")]);
        last(&talk.prints(&["go wtime 1000 btime 1000 movestogo 1"]), "nodes")
    };
    assert!(nodes(500) < nodes(0), "{} of {} nodes", nodes(500), nodes(0));
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
fn time_clamp_never_thinks_for_less_than_its_floor() {
    let nodes = |on: bool| {
        // A hundred positions stand for a millisecond, so 3000 are the floor.
        let clamp = format!("XP1 TimeClamp value {on}");
        nodes_by_clock(&[&clamp, "nodestime value 100"], "wtime 300 btime 300")
    };
    assert!(nodes(false) < 3_000 && nodes(true) >= 3_000);
}

#[test]
fn the_log_file_is_asked_for_and_let_go() {
    let mut talk = Inline::uci();
    talk.prints(&[
        "setoption name Log File value a b.log",
        "setoption name Log File value <empty>",
    ]);
    assert_eq!(talk.logs, ["Some(\"a b.log\")", "None"]);
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

/// The nodes of the first move of a game that is played with these options, positions standing for time.
fn nodes_by_clock(options: &[&str], clock: &str) -> u64 {
    let mut talk = Inline::uci();
    talk.prints(&["setoption name nodestime value 20"]);
    for option in options {
        talk.prints(&[&format!("setoption name {option}")]);
    }
    last(&talk.prints(&[KIWI, &format!("go {clock}")]), "nodes")
}

#[test]
fn nodestime_counts_positions_instead_of_time() {
    let mut talk = Inline::uci();
    talk.prints(&["setoption name nodestime value 1"]);
    let mut nodes = || last(&talk.prints(&[KIWI, "go wtime 30000 btime 30000"]), "nodes");
    let first = nodes();
    assert!(first > 300 && first < 30_000, "{first}");
    let rest: u64 = (0..40).map(|_| nodes()).sum();
    assert!(first + rest <= 30_000, "the purse of one game holds 30000, spent {first} + {rest}");
    let again = last(&talk.prints(&["ucinewgame", KIWI, "go wtime 30000 btime 30000"]), "nodes");
    assert_eq!(again, first, "whatever the machine is busy with");
    assert!(last(&talk.prints(&["go movetime 500"]), "nodes") <= 500);
}

#[test]
fn slow_mover_changes_the_share_of_a_move() {
    let nodes = |share: u32| nodes_by_clock(&[&format!("Slow Mover value {share}")], "wtime 60000");
    assert!(3 * nodes(20) < nodes(300));
}

#[test]
fn blitz_slow_mover_saves_time_in_short_games_only() {
    let spent = |on: bool, clocks: [u32; 6]| -> u64 {
        let option = format!("Blitz Slow Mover value {on}");
        let few = "nodestime value 8";
        clocks.map(|ms| nodes_by_clock(&[&option, few], &format!("wtime {ms}"))).iter().sum()
    };
    let short = [10_000, 20_000, 30_000, 40_000, 50_000, 60_000];
    assert!(spent(true, short) < spent(false, short));
    let long = short.map(|ms| 600_000 + ms);
    assert_eq!(spent(true, long), spent(false, long));
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

#[test]
fn contempt_is_what_a_draw_costs() {
    let score = |contempt: i32| {
        let option = format!("Contempt value {contempt}");
        let perpetual = "6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1";
        let mut talk = Inline::uci();
        let printed = talk.prints(&[
            &format!("setoption name {option}"),
            &format!("position fen {perpetual}"),
            "go depth 9",
        ]);
        printed
            .iter()
            .rev()
            .find_map(|line| Some(line.split(" score ").nth(1)?.to_owned()))
            .unwrap()
    };
    assert!(score(0).starts_with("cp 0 "));
    // Shown in pawns that are even chances to win.
    let reported =
        |contempt| score(contempt)[3..].split(' ').next().unwrap().parse::<i32>().unwrap();
    assert!((-60..=-20).contains(&reported(40)) && reported(80) < reported(40), "{}", score(40));
}

#[test]
fn weaker_levels_look_at_less() {
    let nodes = |options: &[&str]| {
        let mut talk = Inline::uci();
        for option in options {
            talk.prints(&[&format!("setoption name {option}")]);
        }
        last(&talk.prints(&["position startpos", "go depth 10"]), "nodes")
    };
    let full = nodes(&[]);
    let skill = |level: u32| nodes(&[&format!("Skill Level value {level}")]);
    assert!(skill(8) < full && skill(0) < skill(8), "{full}");
    assert_eq!(skill(20), full);
    let elo = |elo: u32| nodes(&["UCI_LimitStrength value true", &format!("UCI_Elo value {elo}")]);
    assert!(elo(1_000) < elo(1_500) && elo(1_500) < full);
    assert_eq!(nodes(&["UCI_Elo value 1000"]), full, "only UCI_LimitStrength makes it count");
    assert_eq!(nodes(&["Skill Level value 0", "UCI_AnalyseMode value true"]), full);
}

fn scratch(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    folder.join(name).to_string_lossy().into_owned()
}

/// A Polyglot book with one move for the game array: a2a3.
fn tiny_book() -> String {
    let path = scratch("options-book.bin");
    let mut entry = 0x463B_9618_1691_FC9C_u64.to_be_bytes().to_vec();
    entry.extend([0x02, 0x10, 0, 1, 0, 0, 0, 0]);
    std::fs::write(&path, entry).expect("written");
    path
}

#[test]
fn book_moves_are_played_as_long_as_the_book_may_speak() {
    let path = tiny_book();
    let best = |options: &[&str]| {
        let mut talk = Inline::uci();
        talk.prints(&[&format!("setoption name Book File value {path}")]);
        for option in options {
            talk.prints(&[&format!("setoption name {option}")]);
        }
        talk.prints(&["position startpos", "go depth 5"]).pop().expect("a move")
    };
    assert_eq!(best(&["OwnBook value true"]), "bestmove a2a3");
    assert_ne!(best(&["OwnBook value false"]), "bestmove a2a3");
    assert_ne!(best(&["OwnBook value true", "Book Depth value 0"]), "bestmove a2a3");
    assert_ne!(best(&["OwnBook value true", "UCI_AnalyseMode value true"]), "bestmove a2a3");
    assert_ne!(best(&["OwnBook value true", "Book File value <empty>"]), "bestmove a2a3");
    let mut talk = Inline::uci();
    let printed = talk.prints(&["setoption name Book File value no/such.bin", "isready"]);
    let fault = "info string Book File: cannot read no/such.bin: it does not exist";
    assert_eq!(printed, [fault, "readyok"], "the file is opened before the answer");
}

#[test]
fn experience_is_written_read_again_and_biases_the_next_search() {
    let path = scratch("options-experience");
    let _ = std::fs::remove_file(&path);
    let nodes = |root_bias: bool| {
        let mut talk = Inline::uci();
        talk.prints(&[
            &format!("setoption name Experience File value {path}"),
            &format!("setoption name XP10 RootBias value {root_bias}"),
        ]);
        let printed =
            ["startpos moves e2e4", "startpos moves e2e4 e7e5", "startpos"].map(|position| {
                last(&talk.prints(&[&format!("position {position}"), "go depth 9"]), "nodes")
            });
        printed.iter().sum::<u64>()
    };
    let fresh = nodes(false);
    let length = std::fs::metadata(&path).expect("a file").len();
    assert_eq!(length, 4 * 16, "a head and a record for each search");
    let kept = std::fs::read(&path).expect("a file");
    let known = nodes(false);
    assert_ne!(known, fresh);
    std::fs::write(&path, kept).expect("written");
    assert_ne!(nodes(true), known, "below the root a hint counts less with XP10");
}

#[test]
fn a_network_takes_the_place_of_the_hand_written_evaluation() {
    let path = scratch("options-network.nn");
    // Every position is worth its output bias: 100 of 400 centipawns.
    let weights = NetworkWeights { output_bias: vec![4_080], ..NetworkWeights::zero(16, 1, 400) };
    let network = Network::new(&weights).expect("weights within their bounds");
    std::fs::write(&path, network.to_bytes()).expect("written");
    let nodes = |talk: &mut Inline| {
        talk.prints(&["ucinewgame", "position startpos moves e2e4"]);
        last(&talk.prints(&["go depth 7"]), "nodes")
    };
    let bench = |talk: &mut Inline| talk.prints(&["bench depth 4"]).pop();
    let mut talk = Inline::uci();
    talk.prints(&["setoption name Use NNUE value false"]);
    let (searched, signature) = (nodes(&mut talk), bench(&mut talk));
    let by_hand = talk.prints(&["eval"]);
    assert!(by_hand[0].ends_with(", without searching, written by hand"), "{by_hand:?}");
    talk.prints(&[&format!("setoption name EvalFile value {path}")]);
    assert_eq!(talk.prints(&["eval"]), by_hand, "the file alone changes nothing");
    assert_eq!(nodes(&mut talk), searched);
    let printed = talk.prints(&["setoption name Use NNUE value true", "eval"]);
    // White is worth -100 because Black is to move.
    let by_network = format!("(-100 search centipawns), without searching, network {network}");
    assert!(printed[0].ends_with(&by_network), "{printed:?}");
    assert!(printed[1].starts_with("Written by hand: "), "{printed:?}");
    assert_ne!(nodes(&mut talk), searched, "the search uses it");
    let first_word = |line: Option<String>| line?.split(' ').next().map(str::to_owned);
    assert_ne!(first_word(bench(&mut talk)), first_word(signature), "and the benchmark");
    let printed = talk.prints(&["setoption name EvalFile value <empty>", "isready"]);
    assert_eq!(printed, ["readyok"]);
    let built_in = talk.prints(&["eval"]);
    assert!(built_in[0].contains(" 768 -> 256 x 2 -> 8"), "{built_in:?}");
    assert!(!built_in[0].ends_with(&by_network), "{built_in:?}");
    talk.prints(&["setoption name Use NNUE value false"]);
    assert_eq!(nodes(&mut talk), searched, "the hand-written evaluation is back");
    std::fs::remove_file(path).expect("removed");
}

#[test]
fn syzygy_tables_are_probed_as_the_options_require() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/syzygy");
    let ask = |options: &[&str], fen: &str| {
        let mut talk = Inline::uci();
        talk.prints(&[&format!("setoption name SyzygyPath value {path}")]);
        for option in options {
            talk.prints(&[&format!("setoption name {option}")]);
        }
        talk.prints(&[&format!("position fen {fen}"), "go depth 8"])
    };
    let four = "8/8/8/4k3/4p3/4K3/4P3/8 w - - 0 1";
    let hits = |options: &[&str]| last(&ask(options, four), "tbhits");
    let all = hits(&[]);
    assert!(all > 0);
    assert_eq!(hits(&["SyzygyPath value <empty>"]), 0);
    assert_eq!(hits(&["SyzygyProbeLimit value 2"]), 0);
    assert!(hits(&["SyzygyProbeDepth value 6"]) < all);
    let late = "8/8/8/8/8/2k5/8/K6R w - - 90 100";
    let wins = |options: &[&str]| {
        let printed = ask(options, late);
        printed.iter().any(|line| line.contains(" score cp 28000 "))
    };
    assert!(!wins(&[]) && wins(&["Syzygy50MoveRule value false"]));
    let mut talk = Inline::uci();
    let printed = talk.prints(&["setoption name SyzygyPath value no/such/folder", "isready"]);
    assert!(printed[0].contains("no/such/folder"), "{printed:?}");
}

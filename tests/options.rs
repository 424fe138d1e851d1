//! Every option changes what the program does, and does it in the next job. The jobs run here and
//! now, on this thread, so what is compared does not depend on the machine.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail::control::Pool;
use umbrail::protocol::{Dialect, Uci, Xboard};
use umbrail::session::{Effect, JobId, Options, ROOMS, Report, SPECS, Session, Stage, Start};

/// A conversation whose jobs are run to their end as soon as they start.
struct Inline {
    session: Session,
    dialect: Box<dyn Dialect>,
    said: Vec<String>,
    logs: Vec<String>,
    threads: Vec<usize>,
}

impl Inline {
    fn new(dialect: Box<dyn Dialect>) -> Self {
        let session = Session::new(Options::default());
        Self { session, dialect, said: vec![], logs: vec![], threads: vec![] }
    }

    fn uci() -> Self {
        Self::new(Box::new(Uci::new(ROOMS)))
    }

    /// Says these lines, and gives what was said in return.
    fn says(&mut self, lines: &[&str]) -> Vec<String> {
        for line in lines {
            let commands = self.dialect.hear(line).expect("a command");
            for command in commands {
                let effects = self.session.command(command, Instant::now());
                self.perform(effects);
            }
        }
        std::mem::take(&mut self.said)
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        let mut waiting = VecDeque::from(effects);
        while let Some(effect) = waiting.pop_front() {
            match effect {
                Effect::Say(event) => {
                    let mut out = String::new();
                    self.dialect.say(&event, &mut out);
                    self.said.extend(out.lines().map(str::to_owned));
                }
                Effect::Start(start) => {
                    self.threads.push(start.threads);
                    for (id, report) in run(*start) {
                        waiting.extend(self.session.report(id, report));
                    }
                }
                Effect::LogTo(file) => self.logs.push(format!("{file:?}")),
                Effect::Quit(_) => {}
            }
        }
    }
}

fn run(start: Start) -> Vec<(JobId, Report)> {
    let told = Mutex::new(vec![]);
    let pool = Pool::new(start.threads).expect("threads");
    let tell = |fact| told.lock().expect("no panic").push((start.id, Report::Fact(fact)));
    let stage = Stage {
        cancel: start.cancel,
        clock: &start.clock,
        progress: &start.progress,
        pool: &pool,
        skips: &start.skips,
        tell: &tell,
    };
    let answer = start.job.run(&stage);
    let mut reports = told.into_inner().expect("no panic");
    reports.push((start.id, Report::Answer(answer)));
    reports
}

/// The number behind the last such word.
fn last(said: &[String], word: &str) -> u64 {
    let numbers = said.iter().rev().filter_map(|line| {
        let mut words = line.split(' ');
        words.find(|&next| next == word)?;
        words.next()?.parse().ok()
    });
    numbers.into_iter().next().unwrap_or_else(|| panic!("no {word} in {said:?}"))
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
    "UCI_Chess960",
    "UCI_AnalyseMode",
    "UCI_ShowWDL",
    "UCI_Opponent",
    "UCI_EngineAbout",
    "Log File",
    "Endgame",
    "Metric",
    "Null Move",
    "Stalemate Wins",
    "Seed File",
    "Piece File",
    "XP1 TimeClamp",
    "XP2 AspWide",
    "XP3 LMRCons",
    "XP4 NMPSoft",
    "XP5 LMPFutil",
    "XP6 OrderHist",
    "XP7 TTPolicy",
    "XP8 QSCap",
    "XP9 EvalSafe",
    "Solver",
    "Steno Text",
    "Steno Vocabulary",
];

#[test]
fn every_option_is_shown_here() {
    for spec in SPECS {
        assert!(SHOWN.contains(&spec.name), "what does {} change?", spec.name);
    }
}

#[test]
fn hash_changes_how_full_the_table_is() {
    let fullness = |mib: &str| {
        let mut talk = Inline::uci();
        talk.says(&[&format!("setoption name Hash value {mib}"), "isready"]);
        last(&talk.says(&[KIWI, "go nodes 60000"]), "hashfull")
    };
    assert!(fullness("1") > 2 * fullness("16"));
}

#[test]
fn threads_is_what_jobs_are_given() {
    let mut talk = Inline::uci();
    talk.says(&["go depth 1", "setoption name Threads value 3", "go depth 1"]);
    assert_eq!(talk.threads, [1, 3]);
}

#[test]
fn multipv_shows_that_many_lines() {
    let mut talk = Inline::uci();
    let said = talk.says(&["setoption name MultiPV value 3", KIWI, "go depth 2"]);
    assert_eq!(said.iter().filter(|line| line.starts_with("info depth 2 ")).count(), 4);
    for rank in 1..=3 {
        assert!(said.iter().any(|line| line.contains(&format!(" multipv {rank} "))), "{said:?}");
    }
}

#[test]
fn ponder_names_the_reply() {
    let mut talk = Inline::uci();
    let answer = |said: Vec<String>| said.last().cloned().unwrap_or_default();
    assert!(!answer(talk.says(&["go depth 4"])).contains("ponder"));
    assert!(
        answer(talk.says(&["setoption name Ponder value true", "go depth 4"])).contains(" ponder ")
    );
}

#[test]
fn move_overhead_is_kept_back_from_the_time() {
    let took = |overhead: &str| {
        let mut talk = Inline::uci();
        talk.says(&[&format!("setoption name Move Overhead value {overhead}"), KIWI]);
        let before = Instant::now();
        talk.says(&["go movetime 600"]);
        before.elapsed()
    };
    assert!(took("500") + Duration::from_millis(200) < took("0"));
}

#[test]
fn clear_hash_and_a_new_game_forget_what_was_searched() {
    let mut talk = Inline::uci();
    let mut nodes = |before: &str| last(&talk.says(&[before, KIWI, "go depth 7"]), "nodes");
    let fresh = nodes("isready");
    assert_ne!(nodes("isready"), fresh, "the table helps the second time");
    assert_eq!(nodes("setoption name Clear Hash"), fresh);
    assert_eq!(nodes("ucinewgame"), fresh);
}

#[test]
fn chess960_writes_castling_as_king_takes_rook() {
    let mut talk = Inline::uci();
    let castle = [KIWI, "go depth 1 searchmoves e1g1"];
    assert_eq!(talk.says(&castle).last().map(String::as_str), Some("bestmove e1g1"));
    talk.says(&["setoption name UCI_Chess960 value true"]);
    assert_eq!(talk.says(&castle).last().map(String::as_str), Some("bestmove e1h1"));
}

#[test]
fn analyse_mode_tells_the_root_move_from_the_start() {
    let mut talk = Inline::uci();
    let tells = |said: Vec<String>| said.iter().any(|line| line.contains(" currmove "));
    assert!(!tells(talk.says(&[KIWI, "go depth 4"])));
    talk.says(&["setoption name UCI_AnalyseMode value true"]);
    assert!(tells(talk.says(&[KIWI, "go depth 4"])));
}

#[test]
fn show_wdl_adds_chances() {
    let mut talk = Inline::uci();
    let tells = |said: Vec<String>| said.iter().any(|line| line.contains(" wdl "));
    assert!(!tells(talk.says(&["go depth 1"])));
    assert!(tells(talk.says(&["setoption name UCI_ShowWDL value true", "go depth 1"])));
}

#[test]
fn bench_prints_the_signature() {
    let signature = umbrail::search::bench::signature(
        5,
        &umbrail::search::Params {
            hash_mib: umbrail::search::bench::HASH_MIB,
            ..umbrail::search::Params::default()
        },
    );
    let said = Inline::uci().says(&["bench depth 5"]);
    let printed = said.last().and_then(|line| line.split(' ').next()?.parse().ok());
    assert_eq!(printed, Some(signature.expect("threads")));
}

#[test]
fn each_experiment_but_the_first_changes_the_tree() {
    let nodes = |experiment: &str| {
        let mut talk = Inline::uci();
        talk.says(&["setoption name Hash value 1", &format!("setoption name {experiment}")]);
        let positions =
            [KIWI, "position startpos", "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"];
        positions.map(|position| last(&talk.says(&[position, "go depth 12"]), "nodes"))
    };
    let base = nodes("Ponder value false");
    for experiment in
        SHOWN.iter().filter(|name| name.starts_with("XP") && !name.starts_with("XP1 "))
    {
        assert_ne!(nodes(&format!("{experiment} value true")), base, "{experiment}");
    }
}

#[test]
fn time_clamp_never_thinks_for_less_than_its_floor() {
    let took = |on: bool| {
        let mut talk = Inline::uci();
        talk.says(&[&format!("setoption name XP1 TimeClamp value {on}"), KIWI]);
        let before = Instant::now();
        talk.says(&["go wtime 300 btime 300"]);
        before.elapsed()
    };
    let floor = Duration::from_millis(30);
    assert!((0..5).any(|_| took(false) < floor));
    assert!((0..5).all(|_| took(true) >= floor));
}

#[test]
fn the_log_file_is_asked_for_and_let_go() {
    let mut talk = Inline::uci();
    talk.says(&["setoption name Log File value a b.log", "setoption name Log File value <empty>"]);
    assert_eq!(talk.logs, ["Some(\"a b.log\")", "None"]);
}

#[test]
fn about_is_shown_and_cannot_be_changed() {
    let mut talk = Inline::uci();
    let offered = talk.says(&["uci"]);
    assert!(offered.iter().any(|line| line.starts_with("option name UCI_EngineAbout type string")));
    let said = talk.says(&["setoption name UCI_EngineAbout value me"]);
    assert_eq!(said, ["info string UCI_EngineAbout cannot be changed"]);
}

#[test]
fn xboard_sets_the_same_options_by_its_own_words() {
    let mut talk = Inline::new(Box::new(Xboard::new(ROOMS)));
    talk.says(&["cores 2", "memory 40", "hard", "option MultiPV=2", "option Move_Overhead=7"]);
    let options = talk.session.options();
    assert_eq!((options.threads, options.search.hash_mib, options.multipv), (2, 32, 2));
    assert!(options.ponder);
    assert_eq!(options.search.move_overhead_ms, 7);
}

/// What `go` answers with the solver set to stenos.
fn steno(text: &str, vocabulary: &str) -> Vec<String> {
    let mut talk = Inline::uci();
    talk.says(&[
        "setoption name Solver value steno",
        &format!("setoption name Steno Text value {text}"),
        &format!("setoption name Steno Vocabulary value {vocabulary}"),
        "position startpos",
        "go",
    ])
}

#[test]
fn the_solver_answers_go_with_the_steno_that_is_set() {
    let games = |said: &[String]| {
        said.iter().filter(|line| line.starts_with("info string steno result")).count()
    };
    let said = steno("36~#", "extended");
    assert_eq!(games(&said), 1, "{said:?}");
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{said:?}");
    assert_eq!(games(&steno("e", "classic")), 2, "two moves end on the e-file");
    let refused = |vocabulary: &str| {
        steno("L", vocabulary).iter().any(|line| line.starts_with("info string steno error"))
    };
    assert!(!refused("classic") && refused("pgn"), "L is a mark of one of the two");
    let mut off = Inline::uci();
    let searched = off.says(&["position startpos", "go depth 1"]);
    assert!(searched.iter().any(|line| line.contains(" pv ")), "without a solver go searches");
}

/// The last score of a `go` with these options, `mate 10` or `cp 0`.
fn table_score(options: &[&str], fen: &str) -> String {
    let mut talk = Inline::uci();
    for option in options {
        talk.says(&[&format!("setoption name {option}")]);
    }
    let said = talk.says(&[&format!("position fen {fen}"), "go depth 1"]);
    assert!(said.last().is_some_and(|line| line.starts_with("bestmove ")), "{said:?}");
    let line = said.iter().rev().find_map(|line| line.split(" score ").nth(1));
    line.expect("a score").split(' ').take(2).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_endgame_is_played_from_its_table() {
    let fen = "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1";
    assert_eq!(table_score(&["Endgame value KQ.K"], fen), "mate 10");
    assert!(table_score(&[], fen).starts_with("cp "));
}

#[test]
fn the_metric_is_that_of_the_table() {
    let long = |metric: &str| {
        let options = ["Endgame value KQ.KR", &format!("Metric value {metric}")];
        table_score(&options, "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1")
    };
    assert_eq!((long("DTC").as_str(), long("DTM").as_str()), ("mate 29", "mate 33"));
}

#[test]
fn passing_saves_a_lone_king_and_stalemate_may_win() {
    let fen = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";
    assert!(table_score(&["Endgame value KR.K"], fen).starts_with("mate "));
    assert_eq!(table_score(&["Endgame value KR.K", "Null Move value true"], fen), "cp 0");
    let fen = "k7/P7/2K5/8/8/8/8/8 w - - 0 1";
    assert_eq!(table_score(&["Endgame value KP.K"], fen), "cp 0");
    assert_eq!(table_score(&["Endgame value KP.K", "Stalemate Wins value true"], fen), "mate 1");
}

#[test]
fn files_of_seeds_and_pieces_are_read() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (seeds, pieces) = (folder.join("option-seeds.txt"), folder.join("option-pieces.ini"));
    std::fs::write(&seeds, "a1c3h8 10\n").expect("written");
    std::fs::write(&pieces, "Y = Q\n").expect("written");
    let fen = "7k/8/8/8/8/8/8/KN6 w - - 0 1";
    let seeds = format!("Seed File value {}", seeds.display());
    assert_eq!(table_score(&["Endgame value KN.K"], fen), "cp 0");
    assert_eq!(table_score(&["Endgame value KN.K", &seeds], fen), "mate 1");
    let fen = "8/8/8/5k2/8/8/1Y6/K7 w - - 0 1";
    let pieces = format!("Piece File value {}", pieces.display());
    assert_eq!(table_score(&["Endgame value KY.K"], fen), "cp 0");
    assert_eq!(table_score(&["Endgame value KY.K", &pieces], fen), "mate 10");
}

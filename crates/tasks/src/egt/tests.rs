//! Tests of refused tasks and of the positions that an endgame covers.

use super::{MODULE, Metric, TableOptions};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Instant;
use umbrail_control::{Cancel, Clock, Pool, Progress};
use umbrail_session::ModuleStore;
use umbrail_session::domain::{Domain, Task};
use umbrail_session::job::{Answer, Job};
use umbrail_session::job_context::{JobContext, JobReport};
use umbrail_session::message::{Kind, Message};
use umbrail_session::module::Context;
use umbrail_session::table_store::{TableConfig, covers};
use umbrail_session::{GameState, Options};
use umbrail_tables::FairyBoard;
use umbrail_tables::fairy::PieceSet;

/// Checks that a task is refused with this text: when its words are checked, or when its files are
/// read.
fn refuses(verb: &'static str, subject: &[&str], keys: &[(&'static str, &str)], part: &str) {
    let keys = keys.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    let subject = subject.iter().map(|word| (*word).to_owned()).collect();
    let task = Task { domain: Domain::Egt, verb, subject, keys, text: None };
    let context = Context {
        options: Options::default(),
        game: GameState::default(),
        store: ModuleStore::default(),
        watched: false,
    };
    let steps =
        (MODULE.verb(verb).unwrap().prepare)(&task, &context).map(|prepared| prepared.steps);
    let job = steps.map(|steps| {
        with_context(|context| crate::run(Job::Task { domain: Domain::Egt, verb, steps }, context))
            .0
    });
    let why = match job {
        Err(why) | Ok(Answer::Refused(why)) => why,
        Ok(other) => panic!("{verb} was not refused: {other:?}"),
    };
    assert!(why.to_string().contains(part), "{why}");
}

/// Runs a closure on a stage; returns the reported facts too.
fn with_context<T>(run: impl FnOnce(&JobContext<'_>) -> T) -> (T, Vec<JobReport>) {
    let facts = Mutex::new(vec![]);
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let (pool, skips) = (Pool::new(1).unwrap(), AtomicU64::new(0));
    let notify = |fact| facts.lock().unwrap().push(fact);
    let cancel = Cancel::default();
    let result = run(&JobContext {
        cancel,
        clock: &clock,
        progress: &progress,
        pool: &pool,
        skips: &skips,
        notify: &notify,
    });
    (result, facts.into_inner().unwrap())
}

#[test]
fn what_cannot_be_done_is_named_before_work_begins() {
    refuses("stats", &[], &[], "expects an endgame such as KQ.KR");
    refuses("stats", &["KQ.kr"], &[], "did you mean 'K'");
    refuses("stats", &["KQ.KR"], &[("metric", "dtx")], "dtm, dtc, dtz or level, got \"dtx\"");
    refuses("build", &["KQ.KR"], &[("null", "2")], "null expects 0 or 1");
    refuses(
        "build",
        &["KQ.KR"],
        &[("pieces", "no/such/file")],
        "cannot read no/such/file: it does not exist",
    );
    refuses(
        "build",
        &["KQ.KR"],
        &[("seed", "no/such/file")],
        "cannot read no/such/file: it does not exist",
    );
    refuses("save", &["KQ.KR"], &[], "save expects a folder");
    refuses("verify", &["KQ.KR"], &[("stride", "0")], "stride expects a number");
    refuses("compare", &["KQ.KR"], &[], "second endgame");
    refuses("survey", &["KQ.KR"], &[], "must have a ?");
    refuses("stats", &["KQ.KR"], &[("memory", "much")], "memory must be a size such as 64m or 2g");
    refuses("drop", &["KQ.KR"], &[], "no table of KQ.KR");
    refuses("probe", &[], &[], "pieces are too many");
}

#[test]
fn an_endgame_covers_its_sub_endings_for_both_colors() {
    let config = TableConfig::new(&TableOptions::default(), PieceSet::default());
    let endgame = config.material("KQ.KR").unwrap();
    let covered = |fen: &str| {
        let setup = fen.parse().unwrap();
        covers(&endgame, &FairyBoard::read(&setup, &config.piece_set, ['K', 'K']).unwrap())
    };
    assert!(covered("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1"));
    assert!(covered("8/8/8/3k4/3q4/8/8/KR6 w - - 0 1"));
    assert!(covered("8/8/8/3k4/3r4/8/8/K7 w - - 0 1"));
    assert!(!covered("8/8/8/3k4/3r4/8/8/KR6 w - - 0 1"));
}

/// Runs a task with a text under these options; returns all messages in order.
fn messages_of(text: &str, tables: TableOptions) -> Vec<Message> {
    let options = Options { tables, ..Options::default() };
    let (subject, keys_given) = (vec![], vec![]);
    let text = Some(text.to_owned());
    let task = Task { domain: Domain::Egt, verb: "probe", subject, keys: keys_given, text };
    let context = Context {
        options,
        game: GameState::default(),
        store: ModuleStore::default(),
        watched: false,
    };
    let prepared = (MODULE.verb("probe").unwrap().prepare)(&task, &context).unwrap();
    let steps = prepared.steps;
    let job = Job::Task { domain: Domain::Egt, verb: "probe", steps };
    let (_, facts) = with_context(|context| crate::run(job, context));
    let message = facts.into_iter().filter_map(|fact| match fact {
        JobReport::Message(message) => Some(message),
        JobReport::Started => None,
        other => panic!("expected news, got {other:?}"),
    });
    message.collect()
}

/// Returns the values for each line of a text, by key.
fn reported(text: &str, tables: TableOptions, keys: &[&str]) -> Vec<Vec<String>> {
    let results =
        messages_of(text, tables).into_iter().filter(|message| message.kind == Kind::Result);
    let rows = results.map(|message| {
        let word = |key: &&str| message.words.iter().find(|(name, _)| name == key);
        keys.iter().map(|key| word(key).map_or(String::new(), |(_, v)| v.to_string())).collect()
    });
    rows.collect()
}

/// Returns the notes on the origin of tables.
fn notes(text: &str, tables: TableOptions) -> Vec<String> {
    let notes = messages_of(text, tables).into_iter().filter(|message| message.kind == Kind::Note);
    notes.filter_map(|message| message.text).collect()
}

#[test]
fn a_batch_reads_and_names_the_tables_of_the_folder() {
    let folder = std::env::temp_dir().join(format!("umbrail-batch-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let lines = "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1\n8/8/8/3k4/3r4/8/8/K6Q b - - 0 1\n\
                 8/8/8/3k4/8/8/8/KQ6 w - - 0 1\n8/8/8/3k4/8/8/7P/K7 w - - 0 1\n";
    let keys = ["dtm", "dtc", "best", "error"];
    let built = reported(lines, TableOptions::default(), &keys);
    assert!(built.iter().all(|row| row[3].is_empty()), "{built:?}");
    let shown = folder.display().to_string();
    let kept =
        |memory_mib| TableOptions { folder: shown.clone(), memory_mib, ..TableOptions::default() };
    // An empty folder is not reported; built tables are stored there.
    assert_eq!(notes(lines, kept(4096)), Vec::<String>::new());
    for name in ["KQ.KR.dtm.egt", "KQ.KR.dtc.egt", "KP.K.dtm.egt"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    // With so little memory none of these tables could be built.
    assert!(
        reported(lines, TableOptions { memory_mib: 4, ..TableOptions::default() }, &keys)[0][3]
            .contains("needs about")
    );
    assert_eq!(reported(lines, kept(4), &keys), built);
    let given = notes(lines, kept(4096));
    let wanted = |metric| format!("KQ.KR ({metric}) is read from {shown}");
    assert_eq!(given[..2], [wanted("dtm"), wanted("dtc")]);
    // Small files are slow to look up and are loaded into memory as they are.
    let config = TableConfig::new(&kept(4096), PieceSet::default());
    let material = config.material("KQ.KR").unwrap();
    let mut table = super::open(&config, &material, &folder).unwrap();
    assert!(!table.is_in_memory() && !table.is_slow(&material));
    table.load(&folder, true, 0).unwrap();
    table.save(&folder, umbrail_tables::Compression::Shipping).unwrap();
    let mut table = super::open(&config, &material, &folder).unwrap();
    assert!(table.is_in_memory());
    let kit_dtm =
        TableConfig::new(&TableOptions { metric: Metric::Dtm, ..kept(4096) }, PieceSet::default());
    assert!(!super::open(&kit_dtm, &material, &folder).unwrap().is_in_memory());
    for memory_mib in [4, 4096] {
        assert_eq!(reported(lines, kept(memory_mib), &keys), built);
    }
    // A file that cannot be used is named, and built again.
    let file = folder.join("KQ.KR.dtm.egt");
    let good = std::fs::read(&file).unwrap();
    std::fs::write(&file, &good[..good.len() / 2]).unwrap();
    let given = notes(lines, kept(4096));
    assert!(
        given[0].contains("is damaged") && given[0].contains("KQ.KR (dtm) is built"),
        "{given:?}"
    );
    assert_eq!(std::fs::read(&file).unwrap(), good);
    assert_eq!(reported(lines, kept(4), &keys), built);
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_batch_knows_seeds_and_keeps_within_its_memory() {
    let seeds = std::env::temp_dir().join(format!("umbrail-batch-seeds-{}", std::process::id()));
    std::fs::write(&seeds, "a1c3h8 10\n").unwrap();
    let seeded = TableOptions { seed_file: seeds.display().to_string(), ..TableOptions::default() };
    let knight = "7k/8/8/8/8/8/8/KN6 w - - 0 1";
    assert_eq!(reported(knight, TableOptions::default(), &["wdl"]), [["0"]]);
    // Seeds apply to every material with these three pieces; an error names the others.
    let lines = format!("{knight}\n8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1\n{knight}\n");
    let rows = reported(&lines, seeded, &["wdl", "dtc", "error"]);
    assert_eq!((&rows[0], &rows[2]), (&rows[2], &rows[0]));
    assert_eq!(rows[0], ["1", "1", ""]);
    assert!(rows[1][2].contains("seeds, line 1"), "{rows:?}");
    let _ = std::fs::remove_file(seeds);
    // Two tables of four pieces do not fit together, but each fits alone.
    let four = ["8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1", "8/8/8/3k4/3n4/8/8/KR6 w - - 0 1"];
    let small = |memory_mib| TableOptions { memory_mib, ..TableOptions::default() };
    let text = [four[0], four[1], four[0]].join("\n");
    let whole = reported(&text, TableOptions::default(), &["dtm", "dtc", "error"]);
    assert!(whole.iter().all(|row| row[2].is_empty()), "{whole:?}");
    assert_eq!(reported(&text, small(26), &["dtm", "dtc", "error"]), whole);
    let refused = reported(&text, small(10), &["error"]);
    assert!(refused.iter().all(|row| row[0].contains("the limit is 10 MiB")), "{refused:?}");
}

#[test]
fn what_no_other_board_or_game_has_is_refused() {
    let with =
        |keys: &[(&'static str, &'static str)], part| refuses("stats", &["KQ.K"], keys, part);
    with(&[("board", "3x9")], "a board of 3x9 is not supported");
    with(&[("board", "wide")], "such as 10x8");
    with(&[("board", "10x8"), ("metric", "level")], "level is EGTgen's count");
    with(&[("board", "10x8"), ("null", "1")], "null exists only on a board of 8x8");
    with(&[("board", "10x8"), ("stalemate", "pass")], "a pass in stalemate");
    with(&[("board", "10x8"), ("rules", "xiangqi")], "board is part of the rules");
    with(&[("rules", "janggi")], "a side may pass at any time");
    with(&[("rules", "missing.ini")], "neither one of capablanca, gardner");
    with(&[("rules", "xiangqi")], "xiangqi has no piece with the letter 'Q'");
    refuses("listing", &["KQ.K"], &[("board", "10x8")], "listing is EGTgen's list");
    refuses("rep2", &["KQ.K"], &[("board", "10x8")], "rep2 exists only on a board of 8x8");
    refuses("compare", &["KQ.K"], &[("board", "5x5")], "a second endgame of the same game");
    refuses("survey", &["KQ.K"], &[("board", "5x5")], "must have a ? for each piece");
    refuses("stats", &["KP.KP"], &[("board", "10x8")], "en passant exists only");
    refuses("probe", &[], &[("board", "6x6"), ("fen", "8/8/8/8/8/8 w")], "a side has no K");
    refuses("piece", &["N"], &[("board", "6x6"), ("from", "h8")], "\"h8\" is not a square");
    refuses("piece-report", &["K"], &[("board", "5x5")], "K is the king");
}

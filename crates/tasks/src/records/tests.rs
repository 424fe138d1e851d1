//! Messages of real tasks, read as the types of their records: no declared key is lost or renamed.

use super::egt::{
    EgtDifference, EgtEnd, EgtPiece, EgtStatistics, LongestWin, NeedEnd, PieceEndingRecord,
    PieceMoves, ProbeEnd, ProbedLine, ProbedMove,
};
use super::spg::{
    CookDifference, LeastEnd, SheetEnd, SheetRecord, SpgCook, SpgHistogram, SpgProblem,
    SpgSolution, SpgUnsearched, SpgVerdict,
};
use super::spg_counted::SpgChoice;
use super::spg_legal::LegalEnd;
use super::steno::{
    ComposedSteno, NeededPart, StenoEnd, StenoMark, StenoMarks, StenoRemark, StenoSolution,
    StenoTurn,
};
use super::{ErrorRecord, StatusWord, TaskEnd, TaskRecord};
use crate::tests::execute;
use crate::{MODULES, session};
use serde::Serialize;
use serde_json::Value;
use std::time::Instant;
use umbrail_session::domain::{Domain, Task};
use umbrail_session::message::Kind;
use umbrail_session::{Command, Effect, Event, Options, Report, Start};

/// JSON objects of the messages of a task.
struct Written(Vec<Value>);

impl Written {
    /// Runs a task in a session of its own: subject, keys and text.
    fn of(
        domain: Domain,
        verb: &str,
        subject: &[&str],
        keys: &[(&'static str, &str)],
        text: Option<&str>,
    ) -> Self {
        let module = MODULES.iter().find(|module| module.domain == domain).unwrap();
        let task = Task {
            domain,
            verb: module.verb(verb).unwrap().name,
            subject: subject.iter().map(|word| (*word).to_owned()).collect(),
            keys: keys.iter().map(|(key, value)| (*key, (*value).to_owned())).collect(),
            text: text.map(str::to_owned),
        };
        let mut session = session(Options::default());
        let (mut written, mut jobs) = (Self(vec![]), vec![]);
        written.take(session.command(Command::Task(task), Instant::now()), &mut jobs);
        while let Some(start) = jobs.pop() {
            let (id, facts, answer) = execute(start);
            let facts = facts.into_iter().map(Report::Progress);
            for report in facts.chain([Report::Answer(answer)]) {
                written.take(session.report(id, report, Instant::now()), &mut jobs);
            }
        }
        written
    }

    fn take(&mut self, effects: Vec<Effect>, jobs: &mut Vec<Start>) {
        for effect in effects {
            match effect {
                Effect::Start(start) => jobs.push(*start),
                // The end of a task without a record of it is not written in JSON.
                Effect::Write(Event::Message(message))
                    if message.kind != Kind::Done || message.record.is_some() =>
                {
                    self.0.push(serde_json::to_value(message).unwrap());
                }
                _ => {}
            }
        }
    }

    /// Reads all records of this kind; there is at least one.
    fn all<T: TaskRecord + Serialize>(&self) -> Vec<T> {
        let is_kind = |object: &&Value| object["t"].as_str().unwrap_or("") == T::KIND;
        let read: Vec<T> = self.0.iter().filter(is_kind).map(read).collect();
        assert!(!read.is_empty(), "no {:?} in {:?}", T::KIND, self.0);
        read
    }

    /// Reads the end as this type.
    fn end<T: Serialize + serde::de::DeserializeOwned>(&self) -> T {
        read(self.0.last().unwrap())
    }
}

/// Removes keys without a value.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, value)| !value.is_null());
            fields.map(|(key, value)| (key.clone(), without_nulls(value))).collect()
        }
        other => other.clone(),
    }
}

/// Reads an object and compares the result with it: an optional key may be missing.
fn read<T: Serialize + serde::de::DeserializeOwned>(object: &Value) -> T {
    let record: T =
        serde_json::from_value(object.clone()).unwrap_or_else(|error| panic!("{error}: {object}"));
    let again = serde_json::to_value(&record).unwrap();
    for (key, value) in again.as_object().unwrap() {
        assert_eq!(without_nulls(value), without_nulls(&object[key]), "{key} of {object}");
    }
    record
}

#[test]
fn tables_write_their_records() {
    let stats = Written::of(Domain::Egt, "stats", &["KBB.K"], &[], None);
    let statistics = &stats.all::<EgtStatistics>()[0];
    assert_eq!((statistics.material.as_str(), statistics.max.wtm_win), ("KBB.K", 37));
    assert_eq!(statistics.histogram.wtm_win.keys().last(), Some(&37));
    assert!(statistics.color_classes.as_ref().is_some_and(|classes| classes.len() > 1));
    let need = Written::of(Domain::Egt, "need", &["KQ.K"], &[], None).end::<NeedEnd>();
    assert_eq!((need.men, need.material.as_str()), (3, "KQ.K"));
    for metric in ["dtm", "dtc", "dtz"] {
        let keys = [("fen", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"), ("metric", metric)];
        let probe = Written::of(Domain::Egt, "probe", &[], &keys, None);
        let (moves, end) = (probe.all::<ProbedMove>(), probe.end::<ProbeEnd>());
        let best = moves.iter().find(|mv| mv.best == Some(1)).unwrap();
        assert_eq!((Some(&best.mv), end.wdl), (end.value.best.as_ref(), 1));
        assert_eq!(end.value.plies(), best.plies.unwrap().unsigned_abs());
        assert_eq!(end.value.wdl50, (metric == "dtz").then_some(2));
        let end = probe.end::<TaskEnd>();
        assert_eq!((end.status, end.text), (StatusWord::Complete, None));
    }
    let lines = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1\n8/8/8/3k4/8/8/8/K7 w - - 0 1\nnonsense here\n";
    let batch = Written::of(Domain::Egt, "probe", &[], &[], Some(lines)).all::<ProbedLine>();
    let wdl: Vec<Option<i64>> = batch.iter().map(|line| line.wdl).collect();
    assert_eq!((wdl, batch[1].value.dtm), (vec![Some(1), Some(0), None], Some(None)));
    assert!(batch[0].error.is_none() && batch[2].error.is_some());
    assert!(Written::of(Domain::Egt, "list", &[], &[], None).all::<EgtPiece>().len() > 10);
    let refused = Written::of(Domain::Egt, "stats", &["KQ.kr"], &[], None);
    assert!(refused.all::<ErrorRecord>()[0].text.contains("did you mean"));
}

#[test]
fn tables_of_other_boards_and_games_write_their_records() {
    let keys = [("board", "5x5")];
    let report = Written::of(Domain::Egt, "piece-report", &["WD"], &keys, None);
    let endings = report.all::<PieceEndingRecord>();
    assert_eq!((endings.len(), endings[0].material.as_str()), (13, "KX.K"));
    assert!(endings.iter().any(|ending| ending.white_wins_percent > Some(99.0)));
    assert!(endings[1].same_color_percent.is_none() && endings[0].king_percent.len() == 25);
    // Endings of four pieces do not fit; the others are reported.
    let keys = [("board", "6x6"), ("memory", "1m")];
    let report = Written::of(Domain::Egt, "piece-report", &["WD"], &keys, None);
    let (endings, end) = (report.all::<PieceEndingRecord>(), report.end::<EgtEnd>());
    assert_eq!((endings.len(), end.left_out.len()), (1, 12), "{end:?}");
    assert_eq!(report.end::<TaskEnd>().status, StatusWord::Limit);
    let stats = Written::of(Domain::Egt, "stats", &["KQ.KR"], &[("board", "6x6")], None);
    assert_eq!(stats.all::<EgtStatistics>()[0].max.wtm_win, 45);
    let xiangqi = [("rules", "xiangqi")];
    let longest = Written::of(Domain::Egt, "maximin", &["KH.KA"], &xiangqi, None);
    let longest = longest.all::<LongestWin>();
    assert_eq!((longest[0].plies, longest[0].uci.len()), (37, 37));
    let keys = [("fen", longest[0].fen.as_str()), ("rules", "xiangqi")];
    let probe = Written::of(Domain::Egt, "probe", &[], &keys, None);
    assert_eq!(probe.end::<ProbeEnd>().value.dtm, Some(Some(37)));
    assert_eq!(probe.all::<ProbedMove>()[0].mv, longest[0].uci[0]);
    let lines = format!("{}\nnonsense here\n", longest[0].fen);
    let batch = Written::of(Domain::Egt, "probe", &[], &xiangqi, Some(&lines)).all::<ProbedLine>();
    assert_eq!((batch[0].wdl, batch[1].wdl), (Some(1), None));
    let keys = [("rules", "xiangqi"), ("metric", "dtc"), keys[0]];
    let value = Written::of(Domain::Egt, "probe", &[], &keys, None).end::<ProbeEnd>().value;
    assert!(value.dtm.is_none() && value.dtc.flatten().is_some_and(|plies| plies < 37));
    let moves = Written::of(Domain::Egt, "piece", &["H"], &xiangqi, None).all::<PieceMoves>();
    assert_eq!((moves[0].betza.as_str(), moves[0].from.as_str()), ("nN", "e6"));
    assert_eq!(Written::of(Domain::Egt, "list", &[], &xiangqi, None).all::<EgtPiece>().len(), 7);
}

#[test]
fn figures_of_other_boards_and_games_write_their_records() {
    let small = [("board", "5x5")];
    let need = Written::of(Domain::Egt, "need", &["KR.KA"], &[("rules", "xiangqi")], None);
    let need = need.end::<NeedEnd>();
    // Half of all positions are mirror images.
    assert!(need.men == 4 && need.tables >= 4 && need.positions > 9 * 9 * 90 * 5 / 2, "{need:?}");
    let differ = Written::of(Domain::Egt, "compare", &["KQ.K", "KR.K"], &small, None);
    assert!(differ.all::<EgtDifference>().len() > 10);
    let surveyed = Written::of(Domain::Egt, "survey", &["K?.K"], &small, None);
    let surveyed = surveyed.all::<EgtStatistics>();
    assert_eq!(surveyed.iter().map(|one| one.max.wtm_win).collect::<Vec<_>>(), [11, 19, 0, 0]);
    let folder = std::env::temp_dir().join(format!("umbrail-figures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [html, epd, pgn] = ["a.html", "a.epd", "a.pgn"].map(|name| {
        let path = folder.join(name);
        path.display().to_string()
    });
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let keys = [small[0], ("html", &html), ("epd", &epd), ("metric", "dtc")];
    let done = Written::of(Domain::Egt, "report", &["KR.KB"], &keys, None).end::<EgtEnd>();
    assert_eq!((done.file.as_ref(), done.epd.as_ref()), (Some(&html), Some(&epd)));
    assert!(read(&html).contains("<svg viewBox=\"0 0 5 5\""));
    let positions = read(&epd);
    assert!(positions.contains("c0 \"longest win of white, dtc "), "{positions}");
    for (name, rules, variant) in [
        ("KR.K", Some(("rules", "xiangqi")), "\n[Variant \"xiangqi\"]\n"),
        ("KQ.K", Some(("board", "6x6")), "\n[Variant \"6x6+0_fairy\"]\n"),
        ("KA.K", None, "\n[Variant \"fairy\"]\n"),
        ("KQ.K", None, "\n[SetUp \"1\"]\n"),
    ] {
        let keys: Vec<_> = rules.into_iter().chain([("pgn", &*pgn), ("metric", "dtm")]).collect();
        let longest = Written::of(Domain::Egt, "maximin", &[name], &keys, None);
        let longest = longest.all::<LongestWin>();
        let games = read(&pgn);
        assert_eq!(games.matches("[FEN ").count(), longest.len(), "{name}");
        assert!(games.contains(variant) && games.contains(" 1-0\n"), "{games}");
        assert!(games.contains(&format!("[FEN \"{}\"]\n\n1. ", longest[0].fen)), "{games}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn the_choice_of_a_solver_and_legality_have_records() {
    let keys = [("fen", "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR"), ("moves", "2.5")];
    let solved = Written::of(Domain::Spg, "solve", &[], &keys, None);
    let choice = &solved.all::<SpgChoice>()[0];
    assert_eq!((&*choice.solver, choice.captures), ("strategies", Some(1)));
    let keys = [keys[0], keys[1], ("solver", "strategies")];
    let named = Written::of(Domain::Spg, "solve", &[], &keys, None).0;
    assert!(named.iter().all(|record| record["t"] != "choice"), "the user chose");
    let legal = Written::of(Domain::Spg, "legal", &[], &keys[..1], None).end::<LegalEnd>();
    assert_eq!(legal.legality, "legal");
    assert_eq!(legal.plies, legal.uci.map(|game| game.len() as u64));
    let fen = [("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNN")];
    let illegal = Written::of(Domain::Spg, "legal", &[], &fen, None).end::<LegalEnd>();
    assert_eq!((&*illegal.legality, illegal.turn, illegal.plies), ("illegal", None, None));
    assert!(illegal.arguments[0].starts_with("white shows 1 promoted piece"));
}

#[test]
fn proof_games_write_their_records() {
    let keys = [("fen", "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR"), ("moves", "2.5")];
    let solved = Written::of(Domain::Spg, "solve", &[], &keys, None);
    let (games, verdict) = (solved.all::<SpgSolution>(), solved.end::<SpgVerdict>());
    assert_eq!((games.len() as u64, games[0].plies), (verdict.solutions, 5));
    assert!(verdict.counts.is_some_and(|counts| counts.searched > 0));
    let fen = [("fen", keys[0].1), ("to", "2.5")];
    let least = Written::of(Domain::Spg, "min", &[], &fen, None).end::<LeastEnd>();
    assert_eq!((least.length_moves.as_deref(), least.plies), (Some("2.5"), Some(5)));
    assert_eq!(least.none_plies, [0, 1, 2, 3, 4]);
    for solver in ["positions", "both"] {
        let keys = [keys[0], keys[1], ("solver", solver)];
        let counted = Written::of(Domain::Spg, "solve", &[], &keys, None);
        let end = counted.end::<SpgVerdict>();
        assert_eq!((end.verdict, end.solutions, end.complete), ("unique".to_owned(), 1, true));
        let games = counted.all::<SpgSolution>();
        assert_eq!((games.len(), &games[0].uci[4]), (1, &"f4c7".to_owned()), "{solver}");
    }
    let bounds = Written::of(Domain::Spg, "bounds", &[], &keys, None);
    let histogram = &bounds.all::<SpgHistogram>()[0];
    let enumerated: u64 = histogram.classes.iter().map(|class| class.enumerated).sum();
    assert_eq!(bounds.end::<SpgVerdict>().counts.map(|counts| counts.enumerated), Some(enumerated));
    assert!(bounds.end::<TaskEnd>().text.is_some());
}

#[test]
fn a_sheet_writes_its_records() {
    // The order of moves is free in the first problem; a rank of the second has nine squares.
    let sheet = "rnbqkbnr/pp2pppp/8/2pp4/8/2N2N2/PPPPPPPP/R1BQKB1R 4\n\
                 rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR 3\n\
                 rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR 5\n";
    let written = Written::of(Domain::Spg, "solve", &[], &[], Some(sheet));
    let (problems, end) = (written.all::<SpgProblem>(), written.end::<SheetEnd>());
    assert_eq!((problems.len() as u64, end.problems), (end.problems, end.verdicts.len() as u64));
    assert_eq!(problems.iter().filter(|problem| problem.unread == Some(true)).count(), 1);
    assert_eq!(written.all::<SpgVerdict>().len(), problems.len());
    let unsearched = written.0.iter().filter(|object| object["verdict"] == "error");
    let unsearched: Vec<SpgUnsearched> = unsearched.map(read).collect();
    assert_eq!((unsearched.len(), unsearched[0].number), (1, 2));
    let records = written.0.iter().map(|object| serde_json::from_value(object.clone()).unwrap());
    let named = records.filter(|record: &SheetRecord| *record != SheetRecord::Other).count();
    let games = written.all::<SpgSolution>().len();
    assert_eq!(named, 2 * problems.len() + games + written.all::<ErrorRecord>().len());
    let cooks = written.all::<SpgVerdict>().into_iter().filter_map(|verdict| verdict.cooks);
    let cooks: Vec<SpgCook> = cooks.flatten().collect();
    assert_eq!((cooks.len(), cooks[0].differ), (1, CookDifference::Order));
    assert_eq!((cooks[0].games, cooks[0].ways), (2, 1), "{cooks:?}");
}

#[test]
fn stenos_write_their_records() {
    let solved = Written::of(Domain::Steno, "solve", &[], &[], Some("36~#"));
    assert!(!solved.all::<StenoSolution>()[0].moves.is_empty());
    let marks = solved.all::<StenoMark>();
    assert!(marks.iter().any(|mark| mark.games.0 != "0"));
    assert_eq!(solved.end::<TaskEnd>().status, StatusWord::Complete);
    let end = solved.end::<StenoEnd>();
    assert_eq!((end.marks.len(), end.exact), (marks.len(), true));
    let explained = Written::of(Domain::Steno, "explain", &[], &[], Some("36~#"));
    assert_eq!(explained.all::<StenoTurn>().len(), marks.len());
    assert!(explained.all::<StenoRemark>().iter().all(|remark| remark.turn < remark.because));
    let game = [("moves", "f3 e6 g4 Qh4#")];
    assert_eq!(Written::of(Domain::Steno, "marks", &[], &game, None).all::<StenoMarks>().len(), 4);
    let composed = Written::of(Domain::Steno, "compose", &[], &game, None);
    let composed = &composed.all::<ComposedSteno>()[0];
    assert_eq!(composed.verdict == "found", composed.steno.is_some());
    let whittled = Written::of(Domain::Steno, "whittle", &[], &[], Some("36~#"));
    assert!(whittled.end::<TaskEnd>().text.is_some(), "{:?}", whittled.0);
    let parts = whittled.0.iter().filter(|object| object["part"].is_string());
    assert!(parts.map(read::<NeededPart>).count() < 10);
}

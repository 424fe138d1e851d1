//! Solving tables with pawns in parts, and counting with less retention, do not change the results.

use super::{build_with, folder, with_control};
use crate::fairy::PieceSet;
use crate::{
    BuildEvent, BuildOptions, BuildRequest, CountError, Material, Metric, Rules, Statistics,
    Tablebase, count_each,
};
use std::sync::Mutex;
use umbrail_control::Control;

fn rules(metric: Metric, promotions: &str) -> Rules {
    Rules { promotions: promotions.to_owned(), ..Rules::orthodox(metric) }
}

#[test]
fn counts_alone_are_those_of_whole_tables() {
    let piece_set = PieceSet::default();
    for (name, metric, promotions) in [
        ("KP.KP", Metric::Dtm, "Q"),
        ("KPP.K", Metric::Dtm, "R"),
        ("KN.KP", Metric::Dtc, "QN"),
        ("KP.K", Metric::Dtz, ""),
        ("KBB.K", Metric::Dtm, ""),
        ("KR.KN", Metric::Level, ""),
    ] {
        let rules = rules(metric, promotions);
        let whole = build_with(name, &rules, &piece_set).statistics().unwrap();
        let material = Material::read(name, &piece_set).unwrap();
        let options = BuildOptions { counts_only: true, ..BuildOptions::unlimited() };
        let request = BuildRequest::new(&material, &piece_set, &rules);
        let mut counted = Tablebase::new(request, options).unwrap();
        with_control(|control| counted.build(control)).unwrap();
        let counts = counted.statistics().unwrap();
        assert_eq!(counts, whole);
        assert!(!counted.is_in_memory());
        assert!(counted.save(&std::env::temp_dir(), crate::Compression::Working).is_err());
    }
}

#[test]
fn counts_are_the_same_with_a_folder_that_takes_the_tables() {
    let piece_set = PieceSet::default();
    let folder = folder("counted");
    for (name, metric) in [("KP.KP", Metric::Dtm), ("KR.KN", Metric::Dtc), ("KP.K", Metric::Dtz)] {
        let rules = rules(metric, "Q");
        let whole = build_with(name, &rules, &piece_set).statistics().unwrap();
        let material = Material::read(name, &piece_set).unwrap();
        // The second pass reads everything from the files.
        for _ in 0..2 {
            let options = BuildOptions {
                folder: Some(folder.clone()),
                counts_only: true,
                ..BuildOptions::unlimited()
            };
            let request = BuildRequest::new(&material, &piece_set, &rules);
            let mut counted = Tablebase::new(request, options).unwrap();
            with_control(|control| counted.build(control)).unwrap();
            let counts = counted.statistics().unwrap();
            assert_eq!(counts, whole);
            assert_eq!(counts.classes, whole.classes);
            assert!(!counted.is_in_memory());
        }
        let mut opened = Tablebase::empty(&material, &rules, &piece_set).unwrap();
        opened.load(&folder, false, 1 << 20).unwrap();
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn tables_in_memory_are_listed_and_dropped() {
    let piece_set = PieceSet::default();
    let [first, second] = ["KQ.KR", "KR.KN"].map(|name| Material::read(name, &piece_set).unwrap());
    let mut table = Tablebase::empty(&first, &Rules::default(), &piece_set).unwrap();
    assert_eq!(table.held_bytes(), 0);
    let alone = table.estimate_also(&second);
    with_control(|control| table.build(control)).unwrap();
    let held = table.held_bytes();
    // Distances of both sides and two words for each word of either direction, and the sub-endings.
    let words = 2 * 10 * 64 * 64;
    assert!((words * 144..words * 150).contains(&held), "{held}");
    // Rays and paths of the pieces come in addition.
    let small = table.estimate_also(&first) - held;
    assert!(small <= 2 << 20, "{small}");
    // Shared sub-endings are already present.
    let beside = table.estimate_also(&second);
    assert!(beside > alone && beside < held + alone, "{alone} {held} {beside}");
    let board = table.hardest(umbrail_chess::geometry::Color::White, true, 1).remove(0);
    table.forget_all();
    assert_eq!((table.held_bytes(), table.estimate_also(&second)), (0, alone));
    assert!(table.value(&board).is_err());
}

#[test]
fn a_survey_counts_what_single_tables_count() {
    let piece_set = PieceSet::default();
    let rules = rules(Metric::Dtm, "QN");
    // Sub-endings that are requested themselves, before and after, and one that is a mirror.
    let names = ["KQ.K", "KP.KN", "KN.KP", "KP.K", "KQ.KN", "KN.K", "KN.KN"];
    let materials = names.map(|name| Material::read(name, &piece_set).unwrap());
    let mut rows = Vec::new();
    let params = BuildOptions::default();
    with_control(|control| {
        let row = &mut |row: &Statistics| rows.push(row.clone());
        count_each(&materials, &rules, &piece_set, &params, control, row)
    })
    .unwrap();
    let single = |name: &str| build_with(name, &rules, &piece_set).statistics().unwrap();
    assert_eq!(rows, names.map(single));
    let params = BuildOptions { memory_bytes: 1 << 20, ..BuildOptions::default() };
    let ended = with_control(|control| {
        count_each(&materials, &rules, &piece_set, &params, control, &mut |_| {})
    });
    assert!(matches!(ended, Err(CountError::OutOfMemory(_))));
}

#[test]
fn a_table_with_pawns_is_gone_on_with_from_its_part() {
    let folder = folder("pawn-part");
    let piece_set = PieceSet::default();
    let material = Material::read("KP.KP", &piece_set).unwrap();
    let rules = rules(Metric::Dtm, "Q");
    let file = folder.join("KP.KP.dtm=Q.egt.part");
    // Number of reports of the first ply: one for each part that started.
    let mut started = Vec::new();
    for stop_in in [Some(3), None] {
        let options = BuildOptions {
            folder: Some(folder.clone()),
            part_words: 0,
            ..BuildOptions::unlimited()
        };
        let request = BuildRequest::new(&material, &piece_set, &rules);
        let mut table = Tablebase::new(request, options).unwrap();
        let view = Mutex::new((String::new(), 0));
        let ended = with_control(|control| {
            let cancel = control.cancel.child();
            let stop = cancel.clone();
            let notify = |fact| {
                let mut view = view.lock().unwrap();
                match fact {
                    BuildEvent::Started { name, .. } => view.0 = name,
                    BuildEvent::Ply(level) if view.0 == "KP.KP" => {
                        view.1 += usize::from(level.ply == 0);
                        if stop_in == Some(view.1) && level.ply == 5 {
                            stop.raise();
                        }
                    }
                    _ => {}
                }
            };
            let (clock, progress, pool) = (control.clock, control.progress, control.pool);
            table.build(&Control::new(cancel, clock, progress, pool, &notify))
        });
        assert_eq!((ended.is_err(), file.exists()), (stop_in.is_some(), stop_in.is_some()));
        started.push(view.into_inner().unwrap().1);
        if stop_in.is_none() {
            let whole = build_with("KP.KP", &rules, &piece_set).statistics().unwrap();
            assert_eq!(table.statistics().unwrap(), whole);
        }
    }
    assert_eq!(started, [3, 16 - 3]);
    let _ = std::fs::remove_dir_all(folder);
}

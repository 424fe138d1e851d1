//! Tests of table files: saved tables load unchanged, and damaged or unfinished files are refused
//! or resumed.

use super::*;
use crate::{BuildOptions, BuildRequest};

#[test]
fn files_bring_back_what_was_saved() {
    let folder = folder("saved");
    for (name, metric) in [("KQ.K", Metric::Dtm), ("KP.K", Metric::Dtc), ("KQQ.K", Metric::Dtm)] {
        for effort in [Compression::Working, Compression::Shipping] {
            let mut built = build(name, metric);
            built.save(&folder, effort).unwrap();
            let empty =
                || Tablebase::empty(built.material(), built.rules(), built.piece_set()).unwrap();
            let mut loaded = empty();
            loaded.load(&folder, true, 0).unwrap();
            let mut mapped = empty();
            mapped.load(&folder, false, 1 << 16).unwrap();
            let longest = built.hardest(Color::White, true, 40);
            for board in longest.iter().chain(&built.hardest(Color::White, false, 40)) {
                let value = built.value(board).unwrap();
                assert_eq!(loaded.value(board).unwrap(), value);
                assert_eq!(mapped.value(board).unwrap(), value);
            }
            let figures = |t: &mut Tablebase| t.statistics();
            assert_eq!(figures(&mut loaded), figures(&mut built));
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn files_written_while_building_are_those_of_the_whole() {
    let (whole, streamed) = (folder("whole"), folder("streamed"));
    for (name, metric) in [("KP.K", Metric::Dtm), ("KR.KN", Metric::Dtc), ("KP.K", Metric::Dtz)] {
        for effort in [Compression::Working, Compression::Shipping] {
            let mut built = build(name, metric);
            let mut saved = built.save(&whole, effort).unwrap();
            let mut table =
                Tablebase::empty(built.material(), built.rules(), built.piece_set()).unwrap();
            let mut written =
                with_control(|c| table.build_into(&streamed, effort, 1 << 30, c)).unwrap();
            saved.sort();
            written.sort();
            assert_eq!(written, saved);
            for (file, _) in &saved {
                let read = |folder: &std::path::Path| std::fs::read(folder.join(file)).unwrap();
                assert!(read(&whole) == read(&streamed), "{file}");
            }
            // Nothing is left in memory.
            assert!(!table.is_in_memory());
        }
    }
    let mut table = Tablebase::empty(
        build("KP.K", Metric::Dtm).material(),
        &Rules::default(),
        &PieceSet::default(),
    )
    .unwrap();
    let refused = with_control(|c| table.build_into(&streamed, Compression::Working, 1 << 10, c));
    assert!(matches!(refused, Err(crate::SaveError::OutOfMemory(_))));
    let no_folder = whole.join("KP.K.dtm.egt");
    let refused = with_control(|c| table.build_into(&no_folder, Compression::Working, 1 << 30, c));
    assert!(matches!(refused, Err(crate::SaveError::Store(_))));
    for folder in [whole, streamed] {
        let _ = std::fs::remove_dir_all(folder);
    }
}

#[test]
fn damaged_files_are_refused_and_never_crash() {
    let folder = folder("damaged");
    let mut built = build("KQ.K", Metric::Dtm);
    built.save(&folder, Compression::Working).unwrap();
    let path = folder.join("KQ.K.dtm.egt");
    let good = std::fs::read(&path).unwrap();
    let mut numbers = SplitMix64::new(3);
    for round in 0..400 {
        let mut bad = good.clone();
        if round % 4 == 0 {
            bad.truncate(numbers.below(good.len() as u64) as usize);
        } else {
            let at = numbers.below(good.len() as u64) as usize;
            bad[at] ^= 1 << numbers.below(8);
        }
        std::fs::write(&path, &bad).unwrap();
        let mut table =
            Tablebase::empty(built.material(), built.rules(), built.piece_set()).unwrap();
        assert!(table.load(&folder, true, 0).is_err(), "round {round}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_file_of_other_pieces_is_not_taken() {
    let folder = folder("other");
    let mut built = build("KX.K", Metric::Dtm);
    built.save(&folder, Compression::Working).unwrap();
    let piece_set = PieceSet::with_definitions("X: 1,0,*").unwrap();
    let material = Material::read("KX.K", &piece_set).unwrap();
    let mut table = Tablebase::empty(&material, built.rules(), &piece_set).unwrap();
    let error = table.load(&folder, true, 0).unwrap_err().to_string();
    assert!(error.contains("differ"), "{error}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn an_interrupted_build_goes_on_from_its_folder() {
    let folder = folder("resumed");
    let piece_set = PieceSet::default();
    let material = Material::read("KQ.KR", &piece_set).unwrap();
    let rules = Rules::orthodox(Metric::Dtm);
    let options = BuildOptions { folder: Some(folder.clone()), ..BuildOptions::unlimited() };
    let request = BuildRequest::new(&material, &piece_set, &rules);
    let mut first = Tablebase::new(request, options).unwrap();
    with_control(|control| {
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let cancel = control.cancel.child();
        let stop = cancel.clone();
        let notify = move |fact| {
            if matches!(&fact, crate::BuildEvent::Started { name, .. } if name == "KQ.KR") {
                stop.raise();
            }
        };
        let watched = Control::new(cancel, &clock, &progress, control.pool, &notify);
        assert!(first.build(&watched).is_err());
    });
    assert!(folder.join("KQ.K.dtm.egt").exists());
    let options = BuildOptions { folder: Some(folder.clone()), ..BuildOptions::unlimited() };
    let request = BuildRequest::new(&material, &piece_set, &rules);
    let mut second = Tablebase::new(request, options).unwrap();
    with_control(|control| second.build(control)).unwrap();
    assert_eq!(second.statistics().unwrap(), build("KQ.KR", Metric::Dtm).statistics().unwrap());
    let _ = std::fs::remove_dir_all(folder);
}

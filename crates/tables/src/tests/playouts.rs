//! Longest wins, played out against best defense in exactly the number of plies in the table.

use super::{build, with_control};
use crate::fairy::PieceSet;
use crate::{
    BuildEvent, BuildOptions, BuildRequest, Material, Metric, Rules, TableValue, Tablebase,
};
use umbrail_chess::geometry::Color;

/// Plays the longest wins of a color, with either side to move, to the mate.
fn plays_out(name: &str, winner: Color, plies: usize) {
    let mut table = build(name, Metric::Dtm);
    for (winner_moves, plies) in [(true, plies), (false, plies + 1)] {
        let mut board = table.hardest(winner, winner_moves, 1).remove(0);
        let value = table.value(&board).unwrap();
        let wanted = if winner_moves { TableValue::Win(plies) } else { TableValue::Loss(plies) };
        assert_eq!(value, wanted, "{name}");
        let mut played = 0;
        while let Some(choice) = table.best(&board).unwrap() {
            board = board.after(&choice.mv);
            played += 1;
            assert!(played <= plies, "{name}: {} is not won in time", board.to_fen());
        }
        assert_eq!(played, plies, "{name}");
        assert!(board.in_check() && board.turn != winner, "{name}: {}", board.to_fen());
    }
}

#[test]
fn the_longest_orthodox_wins_take_exactly_their_plies() {
    for (white, black, plies) in
        [("KQ.KR", "KR.KQ", 69), ("KBN.K", "K.KBN", 65), ("KP.K", "K.KP", 55)]
    {
        plays_out(white, Color::White, plies);
        plays_out(black, Color::Black, plies);
    }
}

/// Archbishop, centaur, buffalo, squirrel and woody rook; the verifier checks their tables
/// elsewhere.
#[test]
fn the_longest_fairy_wins_take_exactly_their_plies() {
    for (white, black, plies) in [
        ("KA.K", "K.KA", 33),
        ("KC.K", "K.KC", 25),
        ("KU.K", "K.KU", 35),
        ("KS.K", "K.KS", 37),
        ("KD.K", "K.KD", 57),
    ] {
        plays_out(white, Color::White, plies);
        plays_out(black, Color::Black, plies);
    }
}

#[test]
fn an_unfinished_table_is_gone_on_with_from_its_ply() {
    let folder = super::folder("unfinished");
    let piece_set = PieceSet::default();
    let material = Material::read("KQ.KR", &piece_set).unwrap();
    let part = folder.join("KQ.KR.dtm.egt.part");
    let mut plies = Vec::new();
    for stop_at in [Some(20), Some(40), None] {
        let options = BuildOptions {
            folder: Some(folder.clone()),
            part_words: 0,
            ..BuildOptions::unlimited()
        };
        let request = BuildRequest::new(&material, &piece_set, &Rules::orthodox(Metric::Dtm));
        let mut table = Tablebase::new(request, options).unwrap();
        let view = std::sync::Mutex::new((String::new(), Vec::new()));
        let ended = with_control(|control| {
            let cancel = control.cancel.child();
            let stop = cancel.clone();
            let notify = |fact| {
                let mut view = view.lock().unwrap();
                match fact {
                    BuildEvent::Started { name, .. } => view.0 = name,
                    BuildEvent::Ply(level) if view.0 == "KQ.KR" => {
                        view.1.push(level.ply);
                        if stop_at == Some(level.ply) {
                            stop.raise();
                        }
                    }
                    _ => {}
                }
            };
            let watched = umbrail_control::Control::new(
                cancel,
                control.clock,
                control.progress,
                control.pool,
                &notify,
            );
            table.build(&watched)
        });
        assert_eq!(ended.is_err(), stop_at.is_some());
        assert_eq!(part.exists(), stop_at.is_some());
        plies.push(view.into_inner().unwrap().1);
        if stop_at.is_none() {
            let whole = build("KQ.KR", Metric::Dtm).statistics().unwrap();
            assert_eq!(table.statistics().unwrap(), whole);
        }
        if stop_at == Some(40) {
            // A damaged part is ignored and the next build would restart, so the part is restored.
            let good = std::fs::read(&part).unwrap();
            std::fs::write(&part, &good[..good.len() - 3]).unwrap();
            let options = BuildOptions {
                folder: Some(folder.clone()),
                part_words: 0,
                ..BuildOptions::unlimited()
            };
            let request = BuildRequest::new(&material, &piece_set, &Rules::orthodox(Metric::Dtm));
            let mut other = Tablebase::new(request, options).unwrap();
            with_control(|control| other.build(control)).unwrap();
            assert!(!part.exists());
            std::fs::remove_file(folder.join("KQ.KR.dtm.egt")).unwrap();
            std::fs::write(&part, good).unwrap();
        }
    }
    assert_eq!(plies[0].last(), Some(&20));
    assert_eq!(plies[1].first(), Some(&20));
    assert_eq!(plies[2].first(), Some(&40));
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_failure_to_save_a_partial_table_is_reported_once() {
    let folder = super::folder("unkept");
    let piece_set = PieceSet::default();
    let material = Material::read("KR.K", &piece_set).unwrap();
    std::fs::create_dir(folder.join("KR.K.dtm.egt.part")).unwrap();
    let options =
        BuildOptions { folder: Some(folder.clone()), part_words: 0, ..BuildOptions::unlimited() };
    let request = BuildRequest::new(&material, &piece_set, &Rules::orthodox(Metric::Dtm));
    let mut table = Tablebase::new(request, options).unwrap();
    let reported = std::sync::Mutex::new(Vec::new());
    let ended = with_control(|control| {
        let cancel = control.cancel.child();
        let stop = cancel.clone();
        let notify = |fact| match fact {
            BuildEvent::Ply(level) if level.ply == 5 => stop.raise(),
            BuildEvent::Unkept(why) => reported.lock().unwrap().push(why),
            _ => {}
        };
        let watched = umbrail_control::Control::new(
            cancel,
            control.clock,
            control.progress,
            control.pool,
            &notify,
        );
        table.build(&watched)
    });
    assert!(ended.is_err());
    let reported = reported.into_inner().unwrap();
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(reported[0].contains("KR.K.dtm.egt.part"), "{reported:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

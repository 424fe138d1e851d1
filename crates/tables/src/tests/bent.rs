//! Endgames with hoppers, and with lame and bent pieces: published lengths, and the verifier.

use super::{build_with, folder, verifies};
use crate::fairy::PieceSet;
use crate::{Compression, Material, Metric, Rules, Stalemate, TableValue, Tablebase};
use umbrail_chess::geometry::Color;

fn pieces(definitions: &str) -> PieceSet {
    PieceSet::with_definitions(definitions).unwrap()
}

/// Checks White's longest win in plies, and some words with the verifier.
fn longest(definition: &str, endgame: &str, plies: usize) {
    let mut table = build_with(endgame, &Rules::orthodox(Metric::Dtm), &pieces(definition));
    let statistics = table.statistics().unwrap();
    assert_eq!(statistics.max_win(Color::White), plies, "{endgame} {definition}");
    verifies(&mut table, 997);
}

/// Lengths from a prototype of this method and its twin without words.
#[test]
fn longest_wins_agree_with_the_prototype() {
    longest("G = gQ", "KR.KG", 45);
    longest("M = nN", "KR.KM", 105);
    longest("M = afsW", "KR.KM", 105);
    longest("C = mRcpR", "KR.KC", 81);
    longest("C = pR", "KRC.K", 31);
    longest("G = FyafsF", "KG.KR", 37);
    longest("H = NN", "KR.KH", 41);
}

#[test]
fn small_tables_verify_under_all_rules() {
    let rules = [
        (Metric::Dtm, false, Stalemate::Draw),
        (Metric::Dtc, false, Stalemate::Win),
        (Metric::Dtz, true, Stalemate::Pass),
        (Metric::Dtm, true, Stalemate::Pass),
    ];
    let kinds = ["gQ", "mRcpR", "nAafsW", "fmFfcafmFK", "KNADcaKmcabK", "oQ", "FtafmW", "zBqN0"];
    for (number, kind) in kinds.into_iter().enumerate() {
        let set = pieces(&format!("X = {kind}"));
        for (metric, null_move, stalemate) in [rules[number % 4], rules[(number + 1) % 4]] {
            let rules = Rules { metric, null_move, stalemate, ..Rules::default() };
            for name in ["KX.K", "X.K", "K.KX", "X.X"] {
                let mut table = build_with(name, &rules, &set);
                let verdict = super::with_control(|control| table.verify(7, control)).unwrap();
                assert_eq!(verdict.faults, [""; 0], "{name} {kind} {rules:?}");
            }
        }
    }
}

#[test]
fn files_and_play_know_bent_pieces() {
    let folder = folder("bent");
    for (definition, name) in
        [("G = gQ\nX = nA", "KRG.K"), ("X = KNADcaKmcabK", "KX.K"), ("C = mRcpR", "KR.KC")]
    {
        let set = pieces(definition);
        let mut built = build_with(name, &Rules::orthodox(Metric::Dtm), &set);
        let empty = |set| Tablebase::empty(built.material(), built.rules(), set).unwrap();
        let [mut loaded, mut mapped] = [empty(&set), empty(&set)];
        let other = definition.replace("gQ", "gR").replace("KNAD", "KNA").replace("mRc", "mBc");
        let other_set = pieces(&other);
        let material = Material::read(name, &other_set).unwrap();
        let mut redefined = Tablebase::empty(&material, built.rules(), &other_set).unwrap();
        for effort in [Compression::Working, Compression::Shipping] {
            built.save(&folder, effort).unwrap();
            loaded.load(&folder, true, 0).unwrap();
            mapped.load(&folder, false, 1 << 16).unwrap();
            assert!(redefined.load(&folder, true, 0).is_err(), "{other}");
            let longest = built.hardest(Color::White, true, 8);
            assert!(!longest.is_empty());
            for board in longest.iter().chain(&built.hardest(Color::White, false, 8)) {
                let value = built.value(board).unwrap();
                assert_eq!(loaded.value(board).unwrap(), value);
                assert_eq!(mapped.value(board).unwrap(), value);
            }
        }
        assert_eq!(loaded.statistics(), built.statistics());
        for board in built.hardest(Color::White, true, 3) {
            let TableValue::Win(plies) = built.value(&board).unwrap() else { panic!("{name}") };
            let line = built.line(&board, 1000).unwrap();
            assert_eq!(line.len(), plies, "{name}");
            let last = line.iter().fold(board, |board, mv| board.after(mv));
            assert!(last.in_check() && last.moves().is_empty(), "{name}");
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

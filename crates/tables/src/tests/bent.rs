//! Endgames with hoppers, and with lame and bent pieces: published lengths, and the verifier.

use super::{build_with, verifies};
use crate::fairy::PieceSet;
use crate::rules::{Metric, Rules, Stalemate};
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

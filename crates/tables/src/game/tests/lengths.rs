//! Lengths of endings on other boards.

use super::{build, build_by, on, with_control};
use crate::fairy::PieceSet;
use crate::game::{Game, Preset};
use crate::rules::{Metric, Rules};
use crate::tests::build_with;
use std::sync::Arc;
use umbrail_chess::geometry::Color;

/// Checks White's longest win in plies.
fn longest(board: &str, definitions: &str, name: &str, plies: usize) {
    let tables = build(&on(board, definitions), name);
    assert_eq!(tables.statistics().max_win(Color::White), plies, "{name} on {board}");
}

/// Lengths from a prototype of this method and its twin without words.
#[test]
fn queen_against_rook_on_other_boards() {
    longest("4x4", "", "KQ.KR", 39);
    longest("6x6", "", "KQ.KR", 45);
    longest("8x7", "", "KQ.KR", 65);
    longest("8x8", "", "KQ.KR", 69);
    longest("8x8c", "", "KQ.KR", 47);
}

#[test]
#[ignore = "nightly: minutes"]
fn queen_against_rook_on_large_boards() {
    longest("10x8", "", "KQ.KR", 109);
    longest("9x10", "", "KQ.KR", 101);
    longest("10x10", "", "KQ.KR", 107);
    longest("11x11", "", "KQ.KR", 137);
    longest("10x8", "", "KBN.K", 77);
}

#[test]
fn verified_tables_agree_with_their_moves() {
    for (board, definitions, name) in [
        ("5x5", "", "KP.K"),
        ("4x6", "X = gQ", "KX.KR"),
        ("6x5c", "X = KNADcaKmcabK", "KX.K"),
        ("10x8", "A = BN", "KA.K"),
        ("4x5", "", "KP.KP"),
    ] {
        let tables = build(&on(board, definitions), name);
        let verdict = with_control(|control| tables.verify(1, control)).unwrap();
        assert_eq!(verdict.faults, [""; 0], "{name} on {board}");
        assert!(verdict.checked > 10_000);
    }
}

/// On a board of chess both builders count alike: positions, symmetric ones, stalemates, plies and
/// zugzwangs, by each metric.
#[test]
fn both_builders_agree_on_a_board_of_chess() {
    let all = [Metric::Dtm, Metric::Dtc, Metric::Dtz];
    for (definitions, name, metrics) in [
        ("", "KQ.KR", &all[..]),
        ("", "KP.KB", &all[..2]),
        ("", "KBB.K", &all[..]),
        ("X = gQ", "KX.KN", &all[..]),
        ("X = KNADcaKmcabK", "KX.K", &all[..1]),
    ] {
        for &metric in metrics {
            compare(definitions, name, metric);
        }
    }
}

fn compare(definitions: &str, name: &str, metric: Metric) {
    let set = PieceSet::with_definitions(definitions).unwrap();
    let usual = build_with(name, &Rules::orthodox(metric), &set).statistics().unwrap();
    let ours = build_by(&on("8x8", definitions), name, metric).unwrap();
    let verdict = with_control(|control| ours.verify(97, control)).unwrap();
    assert_eq!(verdict.faults, [""; 0], "{name} {metric}");
    let ours = ours.statistics();
    let name = format!("{name} {metric}");
    assert_eq!(ours.legal, usual.legal, "{name}");
    assert_eq!(ours.zugzwangs, usual.zugzwangs, "{name}");
    for (ours, usual) in ours.sides.iter().zip(&usual.sides) {
        assert_eq!((ours.won, ours.lost), (usual.won, usual.lost), "{name}");
        assert_eq!(ours.stalemate, usual.stalemate, "{name}");
        let plies = |counts: &[u64]| {
            let last = counts.iter().rposition(|&count| count > 0);
            counts[..last.map_or(0, |last| last + 1)].to_vec()
        };
        assert_eq!(plies(&ours.won_in), plies(&usual.won_in), "{name}");
        assert_eq!(plies(&ours.lost_in), plies(&usual.lost_in), "{name}");
    }
}

#[test]
fn metrics_that_are_not_defined_are_refused_with_the_reason() {
    let preset = |name: &str| Arc::new(Game::read(Preset::named(name).unwrap().text()).unwrap());
    for (game, name, metric, part) in [
        (preset("xiangqi"), "KR.K", Metric::Dtz, "which xiangqi does not have"),
        (preset("capablanca"), "KP.K", Metric::Dtz, "a piece that promotes (P)"),
        (on("5x5", ""), "KQ.K", Metric::Level, "EGTgen's count"),
    ] {
        let error = build_by(&game, name, metric).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    assert!(build_by(&preset("xiangqi"), "KH.KA", Metric::Dtc).is_ok());
}

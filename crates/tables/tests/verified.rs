//! Whole tables, each checked by the one-ply verifier or by Syzygy's files: those that take long.

mod common;

use common::{board, build, build_with, verifies, with_control};
use std::path::Path;
use umbrail_chess::SplitMix64;
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::{Metric, Rules, Stalemate, TableValue};

/// A line of a piecedef.ini: single steps and rides without any symmetry, some of which only capture or never do.
fn random_piece(letter: char, numbers: &mut SplitMix64) -> String {
    let mut line = format!("{letter}: 1,0");
    for _ in 0..=numbers.below(5) {
        let mut part = || numbers.below(5) as i8 - 2;
        let (forward, sideways) = (part(), part());
        let signs = ["", ",s", ",c", ",n", ",sc", ",sn"][numbers.below(6) as usize];
        if (forward, sideways) != (0, 0) {
            line += &format!(" {forward},{sideways}{signs}");
        }
    }
    line
}

#[test]
fn random_lopsided_definitions_pass_the_verifier() {
    let mut numbers = SplitMix64::new(7);
    for round in 0..12 {
        let text = ['I', 'J'].map(|letter| random_piece(letter, &mut numbers)).join("\n");
        let piece_set = PieceSet::with_definitions(&text).unwrap();
        let rules = Rules::orthodox(if round % 2 == 0 { Metric::Dtm } else { Metric::Dtc });
        // As an ordinary man, as a royal, and with different royals on both sides.
        for name in ["KI.K", "K.KJ", "IR.J", "IJ.K"] {
            let mut table = build_with(name, &rules, &piece_set);
            let verdict = with_control(|control| table.verify(3, control)).unwrap();
            assert_eq!(verdict.faults, [""; 0], "{name} {text}");
        }
    }
}

/// With pawns there is no symmetry to divide by: each legal placement is counted twice on half of the board.
#[test]
fn rep2_counts_endings_with_black_pawns() {
    for name in ["KQ.KP", "KB.KP", "KP.KP", "A.BP", "K.KP"] {
        let mut table = build(name, Metric::Level);
        let text = table.rep2().unwrap();
        let row = |head: &str| -> u64 {
            let line = text.lines().find(|line| line.starts_with(head)).unwrap();
            line.split_whitespace().last().unwrap().parse().unwrap()
        };
        let statistics = table.statistics().unwrap();
        let legal = statistics.legal[1].full_board;
        assert_eq!(row("LEGAL"), legal, "{text}");
        assert_eq!(row("other"), statistics.sides[0].won.full_board, "{text}");
        assert_eq!(row("WON.btm"), statistics.sides[0].lost.full_board, "{text}");
        assert_eq!(row("stalemate"), statistics.sides[0].stalemate.full_board, "{text}");
    }
}

/// Values under en passant, from python-chess with Syzygy tables.
#[test]
fn en_passant_positions_have_their_own_value_and_verify() {
    for (metric, plies) in [(Metric::Dtm, [19, 21, 19]), (Metric::Dtc, [1, 1, 1])] {
        let mut table = build("KP.KP", metric);
        let fens = [
            "8/8/8/1k6/3Pp3/8/8/7K b - d3 0 1",
            "8/8/7K/3Pp3/8/5k2/8/8 w - e6 0 1",
            "8/2k5/8/5K2/1pP5/8/8/8 b - c3 0 1",
        ];
        for (fen, plies) in fens.into_iter().zip(plies) {
            let board = board(&table, fen);
            assert_eq!(table.value(&board).unwrap(), TableValue::Win(plies), "{fen} {metric}");
        }
        verifies(&mut table, 197);
    }
}

/// With pawns on the board every push is zeroing, so a stage of pawn steps is solved at a time.
#[test]
fn zeroing_tables_verify_under_all_rules() {
    let piece_set = PieceSet::default();
    for (null_move, stalemate) in
        [(false, Stalemate::Win), (true, Stalemate::Draw), (false, Stalemate::Pass)]
    {
        let rules = Rules { null_move, stalemate, ..Rules::orthodox(Metric::Dtz) };
        verifies(&mut build_with("KP.K", &rules, &piece_set), 1);
        verifies(&mut build_with("K.KP", &rules, &piece_set), 1);
    }
    verifies(&mut build("KP.KP", Metric::Dtz), 31);
    verifies(&mut build("KR.KP", Metric::Dtz), 101);
}

/// Pawns without a double step: of Shatranj, of Shogi (which captures ahead), and one that is not symmetric.
#[test]
fn defined_pawns_promote_and_verify() {
    for (definition, promotions) in
        [("P = fmWfcF", "F"), ("P = fW", "QR"), ("P = fmWfrcF", "QN"), ("P = fmWfcF", "")]
    {
        let pieces = format!("{definition}\nF = F");
        let piece_set = PieceSet::with_definitions(&pieces).unwrap();
        for metric in [Metric::Dtm, Metric::Dtc, Metric::Dtz] {
            let rules = Rules { promotions: promotions.to_owned(), ..Rules::orthodox(metric) };
            verifies(&mut build_with("KP.K", &rules, &piece_set), 1);
            verifies(&mut build_with("K.KP", &rules, &piece_set), 1);
            verifies(&mut build_with("KP.KP", &rules, &piece_set), 211);
        }
    }
    // Two pawns that pass each other: no en passant.
    let piece_set = PieceSet::with_definitions("P = fmWfcF").unwrap();
    let table = build_with("KP.KP", &Rules::orthodox(Metric::Dtm), &piece_set);
    let passed = "8/8/8/1k6/3Pp3/8/8/7K b - d3 0 1".parse().unwrap();
    assert!(table.board(&passed).unwrap_err().to_string().contains("d3"));
}

#[test]
fn a_bare_royal_loses_where_the_rules_require_it() {
    for metric in [Metric::Dtm, Metric::Dtc, Metric::Dtz] {
        let rules = Rules { bare_loses: true, ..Rules::orthodox(metric) };
        let mut table = build_with("KR.KN", &rules, &PieceSet::default());
        verifies(&mut table, 7);
        // The rook takes the knight, which is defended: the king may not even take back.
        let baring = board(&table, "8/8/8/3k4/3n4/8/8/K2R4 w - - 0 1");
        assert_eq!(table.value(&baring).unwrap(), TableValue::Win(1));
        let over = board(&table, "8/8/8/3k4/3R4/8/8/K7 b - - 0 1");
        assert_eq!(table.value(&over).unwrap(), TableValue::Loss(0));
        assert!(table.moves(&over).unwrap().is_empty());
        // The lone knight cannot mate, but it bares.
        let other = board(&table, "8/8/8/3k4/2n5/8/K2R4/8 b - - 0 1");
        assert_eq!(table.value(&other).unwrap(), TableValue::Win(1));
    }
}

#[cfg(feature = "syzygy")]
#[test]
fn all_positions_of_three_pieces_agree_with_syzygys_own_files() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/syzygy");
    for name in ["KQ.K", "KP.K", "KN.K"] {
        let mut table = build(name, Metric::Dtz);
        let verdict =
            with_control(|control| table.verify_with_syzygy(&golden, 1, control)).unwrap();
        assert_eq!(verdict.faults, [""; 0], "{name}");
        assert!(verdict.checked > 40_000, "{name}: {}", verdict.checked);
    }
}

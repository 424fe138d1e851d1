//! Tests of the rule that a bare royal has lost.

use super::*;

/// Returns the value by the rule alone: a bare side has lost at once, and two bare sides draw.
fn decided(board: &FairyBoard) -> Option<TableValue> {
    match [board.turn, !board.turn].map(|color| board.is_bare(color)) {
        [true, true] => Some(TableValue::Draw),
        [true, false] => Some(TableValue::Loss(0)),
        [false, true] => Some(TableValue::Win(0)),
        [false, false] => None,
    }
}

#[test]
fn positions_with_a_bare_royal_are_decided_by_the_rule_alone() {
    for name in ["K.K", "Q.K", "KR.K", "K.KP"] {
        for stalemate in [Stalemate::Draw, Stalemate::Win, Stalemate::Pass] {
            let rules = Rules { bare_loses: true, stalemate, ..Rules::orthodox(Metric::Dtm) };
            let mut table = build_with(name, &rules, &PieceSet::default());
            let letters: Vec<(Color, char)> = Color::ALL
                .iter()
                .flat_map(|&c| table.material().side(c).iter().map(move |p| (c, p.letter)))
                .collect();
            let (mut legal, mut won, mut lost) = ([0; 2], [0; 2], [0; 2]);
            for places in 0..64_u32.pow(letters.len() as u32) {
                let mut setup = Setup::default();
                for (piece, &(color, letter)) in letters.iter().enumerate() {
                    setup.put(Square::new((places >> (6 * piece) & 63) as u8), color, letter);
                }
                for turn in Color::ALL {
                    setup.turn = turn;
                    let Ok(board) = table.board(&setup) else { continue };
                    if board.pieces.len() < letters.len() {
                        continue;
                    }
                    let right = decided(&board).unwrap();
                    assert_eq!(table.value(&board).unwrap(), right, "{}", board.to_fen());
                    assert!(table.moves(&board).unwrap().is_empty());
                    legal[turn.index()] += 1;
                    won[turn.index()] += u64::from(right == TableValue::Win(0));
                    lost[turn.index()] += u64::from(right == TableValue::Loss(0));
                }
            }
            let counted = table.statistics().unwrap();
            assert_eq!(counted.legal.map(|count| count.full_board), legal, "{name}");
            for color in Color::ALL {
                let side = &counted.sides[color.index()];
                assert_eq!(side.won.full_board, won[color.index()], "{name} {color}");
                assert_eq!(side.lost.full_board, lost[(!color).index()], "{name} {color}");
                assert_eq!(side.stalemate.full_board, 0, "{name} {color}");
            }
            verifies(&mut table, 1);
        }
    }
}

#[test]
fn a_bare_attacker_wins_no_position_under_any_metric() {
    for metric in [Metric::Dtm, Metric::Dtc, Metric::Dtz, Metric::Level] {
        let rules = Rules { bare_loses: true, ..Rules::orthodox(metric) };
        for name in ["K.K", "Q.Q", "K.KP"] {
            let mut table = build_with(name, &rules, &PieceSet::default());
            verifies(&mut table, 1);
            let white = &table.statistics().unwrap().sides[0];
            assert_eq!([white.won.full_board, white.lost.full_board], [0; 2], "{name}");
        }
    }
}

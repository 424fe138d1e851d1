//! Lookup through the probe index, compared with the lookup by key; boards in unusual orders; files
//! with small caches.

use super::{build, folder};
use crate::{Compression, FairyBoard, Metric, Tablebase};
use umbrail_chess::SplitMix64;
use umbrail_chess::geometry::{Color, Setup};

/// Returns legal boards of these pieces on squares from a fixed series of numbers.
fn boards(table: &Tablebase, letters: &str, count: usize) -> Vec<FairyBoard> {
    let mut numbers = SplitMix64::new(21);
    let mut boards = vec![];
    while boards.len() < count {
        let mut setup = Setup::default();
        setup.turn = if numbers.below(2) == 0 { Color::White } else { Color::Black };
        for letter in letters.chars() {
            let square = umbrail_chess::geometry::Square::new(numbers.below(64) as u8);
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            setup.put(square, color, letter.to_ascii_uppercase());
        }
        if setup.pieces().count() == letters.len() {
            boards.extend(table.board(&setup).ok());
        }
    }
    boards
}

/// Compares both lookups for every board, and the value with the pieces in another order.
fn agrees(table: &Tablebase, boards: &[FairyBoard]) {
    let (table_set, prober) = (&table.table_set, table.prober());
    for board in boards {
        assert!(table_set.probe_index().of(board).is_some(), "{}", board.to_fen());
        for attacker in Color::ALL {
            // A direct table lookup includes neither castling nor en passant.
            let moves = attacker == board.turn;
            let slow = prober.distance_by_key(board, attacker, moves);
            assert_eq!(prober.distance(board, attacker, moves), slow, "{}", board.to_fen());
        }
        let mut turned = board.clone();
        turned.pieces.reverse();
        // Each side's royal still comes before its other pieces.
        for color in Color::ALL {
            let own = |m: &crate::BoardPiece| m.color == color;
            let first = turned.pieces.iter().position(own).unwrap_or(0);
            let royal = turned.pieces.iter().rposition(own).unwrap_or(0);
            turned.pieces.swap(first, royal);
        }
        assert_eq!(table.value(&turned), table.value(board), "{}", board.to_fen());
        if board.pieces.len() > 3 {
            assert!(table_set.probe_index().of(&turned).is_none());
        }
    }
}

#[test]
fn the_probe_index_agrees_with_the_lookup_by_key() {
    for (name, letters) in
        [("KQ.KR", "KQkr"), ("KP.KP", "KPkp"), ("KBN.K", "kbnK"), ("KNN.K", "KNNk")]
    {
        let table = build(name, Metric::Dtc);
        agrees(&table, &boards(&table, letters, 300));
    }
}

#[test]
fn files_give_equal_values_through_any_cache() {
    let folder = folder("probe-index");
    let mut built = build("KR.KB", Metric::Dtm);
    for effort in [Compression::Working, Compression::Shipping] {
        built.save(&folder, effort).unwrap();
        for cache_bytes in [0, 1 << 14, 1 << 20, 1 << 28] {
            let mut mapped =
                Tablebase::empty(built.material(), built.rules(), built.piece_set()).unwrap();
            mapped.load(&folder, false, cache_bytes).unwrap();
            let count = if effort == Compression::Working { 200 } else { 1 };
            for board in boards(&built, "KRkb", count) {
                let known = built.value(&board);
                // The second probe may find the block unpacked.
                assert_eq!([mapped.value(&board), mapped.value(&board)], [known.clone(), known]);
            }
            agrees(&mapped, &boards(&mapped, "KRkb", count));
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

/// Tables that are added later are found too.
#[test]
fn a_table_that_comes_later_is_found() {
    let mut table = build("KQ.K", Metric::Dtm);
    let there = boards(&table, "KRk", 1).remove(0);
    assert!(table.value(&there).is_err());
    let rook = crate::Material::read("KR.K", table.piece_set()).unwrap();
    super::with_control(|control| table.build_also(&rook, u64::MAX, control)).unwrap();
    assert!(table.value(&there).is_ok());
    assert!(table.table_set.probe_index().of(&there).is_some());
}

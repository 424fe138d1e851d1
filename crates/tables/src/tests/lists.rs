//! Lists of positions are complete, and free of images under the symmetries of the pieces.

use super::*;
use std::collections::HashSet;

/// Returns the first of a position's images: its key, independent of the image in a list.
fn key(board: &FairyBoard, symmetries: &[Symmetry]) -> String {
    let image = |symmetry: &Symmetry| {
        let mut image = board.clone();
        image.pieces.iter_mut().for_each(|piece| piece.square = symmetry.square(piece.square));
        image.to_fen()
    };
    symmetries.iter().map(image).min().unwrap()
}

/// Returns the symmetries that a test names: all, those of a pawn, mirrors of both kinds, or none.
fn symmetries(order: usize) -> Vec<Symmetry> {
    let numbers: &[usize] = match order {
        8 => &[0, 1, 2, 3, 4, 5, 6, 7],
        4 => &[0, 1, 2, 3],
        2 => &[0, 1],
        _ => &[0],
    };
    Symmetry::all().filter(|symmetry| numbers.contains(&symmetry.index())).collect()
}

/// Returns the keys of a list; panics on a duplicate position.
fn keys(name: &str, boards: &[FairyBoard], symmetries: &[Symmetry]) -> HashSet<String> {
    let keys: HashSet<String> = boards.iter().map(|board| key(board, symmetries)).collect();
    assert_eq!(keys.len(), boards.len(), "{name} lists images of one position");
    keys
}

/// Visits all legal positions of three pieces, from both sides.
fn each_of_three(table: &Tablebase, mut visit: impl FnMut(FairyBoard)) {
    let letters: Vec<(Color, char)> = Color::ALL
        .iter()
        .flat_map(|&color| table.material().side(color).iter().map(move |p| (color, p.letter)))
        .collect();
    for places in 0..64_u32.pow(3) {
        let mut setup = Setup::default();
        for (piece, &(color, letter)) in letters.iter().enumerate() {
            setup.put(Square::new((places >> (6 * piece) & 63) as u8), color, letter);
        }
        if setup.pieces().count() < 3 {
            continue;
        }
        for turn in Color::ALL {
            setup.turn = turn;
            if let Ok(board) = table.board(&setup) {
                visit(board);
            }
        }
    }
}

#[test]
fn the_longest_wins_of_three_pieces_are_all_listed_once() {
    let lopsided = PieceSet::with_definitions("X = WflNlfN\nY = KfD").unwrap();
    for (name, order) in [("KQ.K", 8), ("KR.K", 8), ("KP.K", 2), ("KY.K", 2), ("KX.K", 1)] {
        let mut table = build_with(name, &Rules::orthodox(Metric::Dtc), &lopsided);
        let symmetries = symmetries(order);
        let mut longest = [(0, HashSet::new()), (0, HashSet::new())];
        each_of_three(&table, |board| {
            let plies = match table.value(&board).unwrap() {
                TableValue::Win(plies) if board.turn.is_white() => plies,
                TableValue::Loss(plies) if !board.turn.is_white() => plies,
                _ => return,
            };
            let (most, found) = &mut longest[board.turn.index()];
            if plies > *most {
                (*most, *found) = (plies, HashSet::new());
            }
            if plies == *most {
                found.insert(key(&board, &symmetries));
            }
        });
        for (turn, (plies, found)) in longest.iter().enumerate() {
            let boards = table.hardest(Color::White, turn == 0, usize::MAX);
            let listed = keys(name, &boards, &symmetries);
            assert_eq!(listed, *found, "{name}, {plies} plies");
        }
    }
}

#[test]
fn the_longest_mates_are_as_many_as_they_are_without_images() {
    for (name, win, loss) in
        [("KQ.K", 1, 8), ("KR.K", 121, 390), ("KBN.K", 138, 370), ("KQ.KR", 10, 59)]
    {
        let mut table = build(name, Metric::Dtm);
        let listed = [true, false].map(|winner_moves| {
            let boards = table.hardest(Color::White, winner_moves, usize::MAX);
            keys(name, &boards, &symmetries(8)).len()
        });
        assert_eq!(listed, [win, loss], "{name}");
    }
}

#[test]
fn mutual_zugzwangs_are_listed_once_and_counted_alike() {
    let lopsided = PieceSet::with_definitions("X = WflNlfN\nY = KfD").unwrap();
    for (name, order, known) in [
        ("KR.KN", 8, Some(18)),
        ("KR.KB", 8, Some(5)),
        ("KP.KP", 2, None),
        ("KY.KR", 2, None),
        ("KX.KN", 1, None),
    ] {
        let mut table = build_with(name, &Rules::orthodox(Metric::Dtm), &lopsided);
        let zugzwangs = table.statistics().unwrap().zugzwangs;
        let symmetries = symmetries(order);
        for winner in Color::ALL {
            let listed = table.mutual_zugzwangs(winner, usize::MAX);
            let boards: Vec<_> = listed.iter().map(|zugzwang| zugzwang.board.clone()).collect();
            keys(name, &boards, &symmetries);
            let full = listed.iter().filter(|zugzwang| zugzwang.full_point).count() as u64;
            let half = listed.len() as u64 - full;
            let counted = match winner {
                Color::White => zugzwangs.wtm_draw_btm_loss,
                Color::Black => zugzwangs.wtm_loss_btm_draw,
            };
            assert_eq!((half, full), (counted, zugzwangs.full_point), "{name} {winner}");
            if let (Color::White, Some(known)) = (winner, known) {
                assert_eq!(half, known, "{name}");
            }
        }
    }
}

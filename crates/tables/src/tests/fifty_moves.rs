//! The search under the fifty-move rule against a plain solver with a layer for each counter.

use super::{board, build_with};
use crate::fairy::PieceSet;
use crate::{FiftyMoveError, FiftyMoveSearch, Metric, Rules, TableValue, Tablebase};

/// A limit at which the rule matters for KQ.K (20 plies to mate) and KP.K.
const LIMIT: usize = 12;
const DRAW: u8 = u8::MAX;
/// Number of placements of three men.
const PLACEMENTS: usize = 64 * 64 * 64;

fn file_and_rank(square: usize) -> (i32, i32) {
    ((square % 8) as i32, (square / 8) as i32)
}

fn touch(a: usize, b: usize) -> bool {
    let ((af, ar), (bf, br)) = (file_and_rank(a), file_and_rank(b));
    a != b && (af - bf).abs() <= 1 && (ar - br).abs() <= 1
}

/// Returns true when a queen attacks a square past another man.
fn queen_attacks(queen: usize, target: usize, other: usize) -> bool {
    let ((qf, qr), (tf, tr)) = (file_and_rank(queen), file_and_rank(target));
    let (df, dr) = (tf - qf, tr - qr);
    if queen == target || !(df == 0 || dr == 0 || df.abs() == dr.abs()) {
        return false;
    }
    let steps = df.abs().max(dr.abs());
    (1..steps).all(|k| (qf + k * df.signum()) + 8 * (qr + k * dr.signum()) != other as i32)
}

fn pawn_attacks(pawn: usize, target: usize) -> bool {
    let ((pf, pr), (tf, tr)) = (file_and_rank(pawn), file_and_rank(target));
    tr == pr + 1 && (tf - pf).abs() == 1
}

fn attacks(is_queen: bool, man: usize, target: usize, other: usize) -> bool {
    if is_queen { queen_attacks(man, target, other) } else { pawn_attacks(man, target) }
}

fn index(white_king: usize, man: usize, black_king: usize) -> usize {
    (white_king * 64 + man) * 64 + black_king
}

/// Plies to mate for White's queen or pawn against the bare king, by counter, side to move (White,
/// Black) and placement.
type Layers = Vec<[Vec<u8>; 2]>;

fn longer(plies: u8) -> u8 {
    if plies == DRAW { DRAW } else { plies + 1 }
}

/// Solves the placements whose man stands on these squares; `queens` are the layers after a
/// promotion. Each layer needs the next one, and pawns of higher ranks.
fn solve(layers: &mut Layers, men: std::ops::Range<usize>, queens: Option<&Layers>) {
    let is_queen = queens.is_none();
    for counter in (0..=LIMIT).rev() {
        let mut layer = layers[counter].clone();
        let next = layers.get(counter + 1);
        for (white_king, man, black_king) in (0..64)
            .flat_map(|w| men.clone().map(move |m| (w, m)))
            .flat_map(|(w, m)| (0..64).map(move |b| (w, m, b)))
        {
            if white_king == man
                || black_king == man
                || white_king == black_king
                || touch(white_king, black_king)
            {
                continue;
            }
            let at = index(white_king, man, black_king);
            let steps = (0..64).filter(|&to| touch(black_king, to) && !touch(white_king, to));
            let mut worst = None;
            for to in steps.filter(|&to| to != white_king) {
                if to == man {
                    worst = Some(DRAW);
                } else if !attacks(is_queen, man, to, white_king) {
                    let plies =
                        next.map_or(DRAW, |next| longer(next[0][index(white_king, man, to)]));
                    worst = Some(worst.map_or(plies, |worst: u8| worst.max(plies)));
                }
            }
            let in_check = attacks(is_queen, man, black_king, white_king);
            layer[1][at] = match worst {
                None if in_check => 0,
                Some(plies) if next.is_some() => plies,
                _ => DRAW,
            };
            if in_check || next.is_none() {
                continue;
            }
            let next = &layers[counter + 1];
            let king_steps = (0..64).filter(|&to| touch(white_king, to) && to != man);
            let mut best = king_steps
                .filter(|&to| !touch(to, black_king) && to != black_king)
                .map(|to| longer(next[1][index(to, man, black_king)]))
                .min()
                .unwrap_or(DRAW);
            if is_queen {
                let moves = (0..64).filter(|&to| to != white_king && to != black_king);
                let reached = moves.filter(|&to| {
                    queen_attacks(man, to, white_king) && queen_attacks(man, to, black_king)
                });
                let plies = reached.map(|to| longer(next[1][index(white_king, to, black_king)]));
                best = best.min(plies.min().unwrap_or(DRAW));
            } else {
                let mut to = man + 8;
                let mut pushes = if man < 16 { 2 } else { 1 };
                while pushes > 0 && to != white_king && to != black_king {
                    let after = index(white_king, to, black_king);
                    let first = match queens {
                        Some(queens) if to >= 56 => queens[0][1][after],
                        _ => layers[0][1][after],
                    };
                    best = best.min(longer(first));
                    (to, pushes) = (to + 8, pushes - 1);
                }
            }
            layer[0][at] = best;
        }
        layers[counter] = layer;
    }
}

fn drawn() -> Layers {
    vec![[vec![DRAW; PLACEMENTS], vec![DRAW; PLACEMENTS]]; LIMIT + 1]
}

fn tables(name: &str) -> [Tablebase; 2] {
    let piece_set = PieceSet::default();
    [Metric::Dtm, Metric::Dtz].map(|metric| {
        let rules = Rules { promotions: "Q".to_owned(), ..Rules::orthodox(metric) };
        build_with(name, &rules, &piece_set)
    })
}

fn name(square: usize) -> String {
    let (file, rank) = file_and_rank(square);
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

/// Writes a FEN of three men.
fn fen(men: [(usize, char); 3], white_moves: bool) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            let letter = men.iter().find(|&&(square, _)| square == rank * 8 + file);
            text.push(letter.map_or('1', |&(_, letter)| letter));
        }
        if rank > 0 {
            text.push('/');
        }
    }
    format!("{text} {} - - 0 1", if white_moves { 'w' } else { 'b' })
}

#[test]
fn the_search_agrees_with_a_solver_that_has_a_layer_for_each_counter() {
    let mut queens = drawn();
    solve(&mut queens, 0..64, None);
    let mut pawns = drawn();
    for rank in (1..7).rev() {
        solve(&mut pawns, rank * 8..rank * 8 + 8, Some(&queens));
    }
    let [to_mate, to_zeroing] = tables("KP.K");
    let check = || Ok(());
    let mut search = FiftyMoveSearch::new(&to_mate, &to_zeroing, &check).with_limit(LIMIT);
    let (mut mates, mut delayed, mut draws) = (0, 0, 0);
    for (is_queen, layers, stride) in [(true, &queens, 4057), (false, &pawns, 613)] {
        for at in (0..PLACEMENTS).step_by(stride) {
            let (white_king, man, black_king) = (at / 4096, at / 64 % 64, at % 64);
            let apart = white_king != man && man != black_king && white_king != black_king;
            let on_its_ranks = is_queen || (8..56).contains(&man);
            if !apart || !on_its_ranks || touch(white_king, black_king) {
                continue;
            }
            for white_moves in [true, false] {
                if white_moves && attacks(is_queen, man, black_king, white_king) {
                    continue;
                }
                let letter = if is_queen { 'Q' } else { 'P' };
                let men = [(white_king, 'K'), (man, letter), (black_king, 'k')];
                let position = board(&to_mate, &fen(men, white_moves));
                for counter in [0, 1, 5, 9, LIMIT - 1, LIMIT] {
                    let plies = layers[counter][usize::from(!white_moves)][at];
                    let wanted = match (plies, white_moves) {
                        (DRAW, _) => TableValue::Draw,
                        (plies, true) => TableValue::Win(plies.into()),
                        (plies, false) => TableValue::Loss(plies.into()),
                    };
                    let found = search.value(&position, counter).unwrap();
                    let place = [white_king, man, black_king].map(name);
                    assert_eq!(found, wanted, "{letter} {place:?} {white_moves} {counter}");
                    let plain = to_mate.value(&position).unwrap();
                    mates += usize::from(found != TableValue::Draw);
                    draws += usize::from(found == TableValue::Draw && plain != TableValue::Draw);
                    delayed += usize::from(found != plain && found != TableValue::Draw);
                    let line = search.best_line(&position, counter).unwrap();
                    let length = found.signed_plies().unwrap_or(0).unsigned_abs() as usize;
                    assert_eq!(line.len(), length, "{letter} {place:?} {white_moves} {counter}");
                }
            }
        }
    }
    // The rule must have mattered in both ways, or the test shows nothing.
    assert!(mates > 100 && draws > 100 && delayed > 10, "{mates} {draws} {delayed}");
}

#[test]
fn castling_rights_and_stops_are_reported() {
    let [to_mate, to_zeroing] = tables("KQ.KR");
    let go = || Ok(());
    let mut search = FiftyMoveSearch::new(&to_mate, &to_zeroing, &go);
    let castles = board(&to_mate, "4k2r/8/8/8/8/8/8/QK6 w k - 0 1");
    assert_eq!(search.value(&castles, 0), Err(FiftyMoveError::Castling));
    let stop = || Err(umbrail_control::Stopped);
    let mut search = FiftyMoveSearch::new(&to_mate, &to_zeroing, &stop);
    let mut to_mate = tables("KQ.KR").into_iter().next().unwrap();
    let hardest = to_mate.hardest(umbrail_chess::geometry::Color::White, true, 1).remove(0);
    // 69 plies to mate and 61 to the capture of the rook: the counter decides.
    assert_eq!(search.value(&hardest, 31), Ok(TableValue::Win(69)));
    assert_eq!(search.value(&hardest, 60), Ok(TableValue::Draw));
    assert_eq!(search.value(&hardest, 35), Err(FiftyMoveError::Stopped));
}

//! Tests of whole tables: golden figures, the verifier, files, seeds and play.

use super::{
    BuildOptions, BuildRequest, Compression, FairyBoard, Material, Metric, Rules, Stalemate,
    TableValue, Tablebase, seed, survey,
};
use crate::fairy::{MoveAtom, Piece, PieceSet};
use std::time::Instant;
use umbrail_chess::SplitMix64;
use umbrail_chess::geometry::{Color, Setup, Square, Symmetry};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

mod bare_royals;
mod bent;
mod fifty_moves;
mod files;
mod hostile;
mod lists;
mod memory;
mod on_disk;
mod parts;
mod playouts;
mod probe_index;
pub(crate) mod reference;

fn with_control<R>(work: impl FnOnce(&Control<'_, super::BuildEvent>) -> R) -> R {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(2).unwrap();
    work(&Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {}))
}

pub(crate) fn build_with(name: &str, rules: &Rules, piece_set: &PieceSet) -> Tablebase {
    let material = Material::read(name, piece_set).unwrap();
    let mut table = Tablebase::empty(&material, rules, piece_set).unwrap();
    with_control(|control| table.build(control)).unwrap();
    table
}

fn build(name: &str, metric: Metric) -> Tablebase {
    build_with(name, &Rules::orthodox(metric), &PieceSet::default())
}

fn board(table: &Tablebase, fen: &str) -> FairyBoard {
    table.board(&fen.parse::<Setup>().unwrap()).unwrap()
}

fn verifies(table: &mut Tablebase, stride: usize) {
    let verdict = with_control(|control| table.verify(stride, control)).unwrap();
    assert!(verdict.checked > 0);
    assert_eq!(verdict.faults, [""; 0]);
}

fn folder(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("umbrail-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Longest wins in plies (White to move, Black to move; Black's wins likewise) and mutual
/// zugzwangs, from Prophet's list of longest mates, Syzygy's statistics and Scid's summary.
#[test]
fn longest_wins_agree_with_the_published_ones() {
    use Metric::{Dtc, Dtm};
    for (name, metric, wins, losses, zugzwangs) in [
        ("KQ.K", Dtm, [19, 0], [20, 0], [0, 0, 0]),
        ("KR.K", Dtm, [31, 0], [32, 0], [0, 0, 0]),
        ("KP.K", Dtm, [55, 0], [56, 0], [80, 0, 0]),
        ("KP.K", Dtc, [37, 0], [38, 0], [80, 0, 0]),
        ("KB.K", Dtm, [0, 0], [0, 0], [0, 0, 0]),
        ("KBN.K", Dtm, [65, 0], [66, 0], [0, 0, 0]),
        ("KQ.KR", Dtm, [69, 37], [70, 36], [0, 0, 0]),
        ("KR.KN", Dtc, [53, 1], [54, 0], [18, 0, 0]),
    ] {
        let s = build(name, metric).statistics().unwrap();
        assert_eq!(Color::ALL.map(|c| s.max_win(c)), wins, "{name} {metric}");
        assert_eq!(Color::ALL.map(|c| s.max_loss(c)), losses, "{name} {metric}");
        let z = s.zugzwangs;
        let found = [z.wtm_draw_btm_loss, z.wtm_loss_btm_draw, z.full_point];
        assert_eq!(found, zugzwangs, "{name} {metric}");
    }
}

#[test]
fn counts_agree_with_syzygy_on_both_boards() {
    let s = build("KP.K", Metric::Dtm).statistics().unwrap();
    assert_eq!((s.legal[0].full_board, s.legal[1].full_board), (163_328, 168_024));
    assert_eq!((s.legal[0].unique, s.legal[1].unique), (81_664, 84_012));
    assert_eq!((s.sides[0].won.unique, s.sides[0].lost.unique), (62_480, 48_802));
    assert_eq!((s.sides[0].stalemate.unique, s.sides[1].stalemate.unique), (9, 2));
    assert!(s.to_csv().starts_with("plies,wtm_win,btm_loss,btm_win,wtm_loss\n1,80,0,0,0\n"));
}

#[test]
fn egtgens_levels_pass_the_verifier() {
    for null_move in [false, true] {
        let rules = Rules::egtgen(Metric::Level, null_move, false);
        verifies(&mut build_with("KQ.KR", &rules, &PieceSet::default()), 211);
    }
}

#[test]
fn small_tables_pass_the_verifier_under_all_rules() {
    for metric in [Metric::Dtm, Metric::Dtc] {
        for null_move in [false, true] {
            for stalemate in [Stalemate::Draw, Stalemate::Win, Stalemate::Pass] {
                let rules = Rules { metric, null_move, stalemate, ..Rules::default() };
                for name in ["KR.K", "KQ.K", "KP.K"] {
                    verifies(&mut build_with(name, &rules, &PieceSet::default()), 5);
                }
            }
        }
    }
}

fn random_piece(letter: char, numbers: &mut SplitMix64) -> Piece {
    let mut steps = Vec::new();
    for _ in 0..=numbers.below(5) {
        let mut part = || numbers.below(5) as i8 - 2;
        let (dx, dy) = (part(), part());
        let uses = numbers.below(4);
        let reach = [1, 1, 2, MoveAtom::SLIDE][numbers.below(4) as usize];
        if (dx, dy) != (0, 0) {
            steps.push(MoveAtom { dx, dy, reach, capture: uses != 1, quiet: uses != 2 });
        }
    }
    steps.push(MoveAtom::leap(0, 1));
    Piece::new(letter, "", steps)
}

#[test]
fn random_lopsided_pieces_pass_the_verifier() {
    let mut numbers = SplitMix64::new(7);
    for round in 0..3 {
        let mut piece_set = PieceSet::default();
        for letter in ['I', 'J'] {
            piece_set.define(random_piece(letter, &mut numbers));
        }
        let rules = Rules::orthodox(if round % 2 == 0 { Metric::Dtm } else { Metric::Dtc });
        // As an ordinary piece, as a royal, and with different royals on both sides.
        for name in ["KI.K", "K.KJ", "IR.J", "IJ.K"] {
            let mut table = build_with(name, &rules, &piece_set);
            let verdict = with_control(|control| table.verify(3, control)).unwrap();
            assert_eq!(verdict.faults, [""; 0], "{name} {:?}", piece_set.get('I'));
        }
    }
}

#[test]
fn definitions_of_one_piece_in_three_languages_give_one_table() {
    let figures = |piece_set: &PieceSet| {
        build_with("KL.K", &Rules::orthodox(Metric::Dtm), piece_set).statistics().unwrap()
    };
    let builtin = figures(&PieceSet::default());
    let read = |text| PieceSet::with_definitions(text).unwrap();
    assert_eq!(figures(&read("L: 1,1,* 2,2,* 0,1,n+")), builtin);
    assert_eq!(figures(&read("L = FAsmW")), builtin);
}

#[test]
fn the_first_piece_is_royal() {
    let knight = build("NK.K", Metric::Dtc).statistics();
    let king = build("KN.K", Metric::Dtc).statistics();
    let won = |s: Option<super::Statistics>| s.unwrap().sides[0].won;
    assert_ne!(won(knight), won(king));
}

#[test]
fn all_images_of_a_position_have_one_value() {
    let table = build("KQ.KR", Metric::Dtm);
    let swapped = build_with("KR.KQ", table.rules(), table.piece_set());
    let one = board(&table, "8/8/r7/8/3k4/8/8/K1Q5 w - - 0 1");
    assert_eq!(table.value(&one).unwrap(), TableValue::Win(69));
    for symmetry in Symmetry::all() {
        let mut image = one.clone();
        for piece in &mut image.pieces {
            piece.square = symmetry.square(piece.square);
        }
        assert_eq!(table.value(&image).unwrap(), TableValue::Win(69));
        // Repeats the check with the colors exchanged and the board rotated.
        for piece in &mut image.pieces {
            (piece.color, piece.square) = (!piece.color, piece.square.flip_rank());
        }
        image.turn = !image.turn;
        image.pieces.sort_by_key(|m| (m.color, m.piece.letter != 'K'));
        assert_eq!(swapped.value(&image).unwrap(), TableValue::Win(69));
    }
}

#[test]
fn the_longest_wins_are_won_in_exactly_that_many_plies() {
    for name in ["KQ.KR", "KBN.K", "KP.K", "KX.K", "K.KQ"] {
        let mut table = build(name, Metric::Dtm);
        for winner in Color::ALL {
            for board in table.hardest(winner, true, 1) {
                let TableValue::Win(plies) = table.value(&board).unwrap() else { panic!("{name}") };
                let line = table.line(&board, 1000).unwrap();
                assert_eq!(line.len(), plies, "{name}");
                let last = line.iter().fold(board, |b, mv| b.after(mv));
                assert!(last.in_check() && last.moves().is_empty(), "{name}");
            }
        }
    }
}

#[test]
fn dtc_play_goes_on_to_mate_through_conversions() {
    let mut table = build("KP.K", Metric::Dtc);
    let longest = table.hardest(Color::White, true, 1).remove(0);
    let line = table.line(&longest, 1000).unwrap();
    let last = line.iter().fold(longest, |b, mv| b.after(mv));
    assert!(last.in_check() && last.moves().is_empty());
}

#[test]
fn a_mate_comes_before_a_capture_that_is_worth_as_much() {
    let table = build("KQ.KR", Metric::Dtc);
    let both = board(&table, "7k/8/5K2/8/8/8/8/r5Q1 w - - 0 1");
    let moves = table.moves(&both).unwrap();
    assert!(moves.iter().any(|m| m.mv.to_string() == "g1a1" && m.value == TableValue::Win(1)));
    assert_eq!(table.best(&both).unwrap().unwrap().mv.to_string(), "g1g7");
}

#[test]
fn a_draw_is_kept_and_the_best_trap_is_set() {
    let table = build("KR.KN", Metric::Dtm);
    let drawn = board(&table, "8/8/8/3k4/3n4/8/8/KR6 w - - 0 1");
    assert_eq!(table.value(&drawn).unwrap(), TableValue::Draw);
    let best = table.best(&drawn).unwrap().unwrap();
    assert_eq!(best.value, TableValue::Draw);
}

#[test]
fn impossible_boards_are_refused_with_every_reason() {
    let table = build("KQ.K", Metric::Dtm);
    let refuses = |fen: &str, part: &str| {
        let error = table.board(&fen.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    refuses("8/8/8/8/8/8/8/KQ6 w - - 0 1", "black has no royal 'K'");
    refuses("k7/8/8/8/8/8/Q7/K7 w - - 0 1", "can be captured");
    refuses("k6P/8/8/8/8/8/8/K7 w - - 0 1", "a pawn cannot stand on h8");
    refuses("k7/8/8/8/8/8/8/K6R w Q - 0 1", "castling");
    refuses("k7/8/8/8/8/8/8/4KR2 w F - 0 1", "castling");
    refuses("k7/8/8/8/8/8/8/K6R w - e6 0 1", "e6");
    refuses("ki6/8/8/8/8/8/8/K7 w - - 0 1", "'I'");
    let other = board(&table, "8/8/8/8/8/1k6/8/K1R5 w - - 0 1");
    assert!(table.value(&other).unwrap_err().to_string().contains("KR.K"));
}

#[test]
fn seeds_change_what_they_name_and_what_follows() {
    let piece_set = PieceSet::default();
    let material = Material::read("KQ.K", &piece_set).unwrap();
    let plain = build("KQ.K", Metric::Dtm);
    let mate = board(&plain, "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
    assert_eq!(plain.value(&mate).unwrap(), TableValue::Loss(0));
    let seeds = seed::read("b6b7a8 127", &material, Metric::Dtm).unwrap();
    let request = BuildRequest {
        seeds,
        ..BuildRequest::new(&material, &piece_set, &Rules::orthodox(Metric::Dtm))
    };
    let mut seeded = Tablebase::new(request, BuildOptions::unlimited()).unwrap();
    with_control(|control| seeded.build(control)).unwrap();
    for symmetry in Symmetry::all() {
        let mut image = mate.clone();
        for piece in &mut image.pieces {
            piece.square = symmetry.square(piece.square);
        }
        assert_eq!(seeded.value(&image).unwrap(), TableValue::Draw);
    }
    // A seed file cannot contain this value, but the builder can store it.
    let mut seeds = seed::read("a1c1d8 100", &material, Metric::Dtm).unwrap();
    seeds.iter_mut().for_each(|line| line.value = 300);
    let request = BuildRequest {
        seeds,
        ..BuildRequest::new(&material, &piece_set, &Rules::orthodox(Metric::Dtm))
    };
    let mut deep = Tablebase::new(request, BuildOptions::unlimited()).unwrap();
    with_control(|control| deep.build(control)).unwrap();
    let far = board(&deep, "3k4/8/8/8/8/8/8/K1Q5 b - - 0 1");
    assert_eq!(deep.value(&far).unwrap(), TableValue::Loss(598), "wide values do not overflow");
}

/// The rook captures the queen and wins, but a seed declares a mate.
#[test]
fn a_seeded_loss_stands_even_if_the_other_side_would_win() {
    let piece_set = PieceSet::default();
    let material = Material::read("KQ.KR", &piece_set).unwrap();
    let mut seeded =
        Tablebase::empty(&material, &Rules::orthodox(Metric::Dtc), &piece_set).unwrap();
    let there = board(&seeded, "8/8/8/8/8/1K6/1Q5r/1k6 b - - 0 1");
    with_control(|control| seeded.build(control)).unwrap();
    assert_eq!(seeded.value(&there).unwrap(), TableValue::Win(1));
    let seeds = seed::read("b3b2**b1 10", &material, Metric::Dtc).unwrap();
    let request = BuildRequest {
        seeds,
        ..BuildRequest::new(&material, &piece_set, &Rules::orthodox(Metric::Dtc))
    };
    let mut seeded = Tablebase::new(request, BuildOptions::unlimited()).unwrap();
    let there = board(&seeded, "8/8/8/8/8/1K6/1Q5r/1k6 b - - 0 1");
    with_control(|control| seeded.build(control)).unwrap();
    assert_eq!(seeded.value(&there).unwrap(), TableValue::Loss(0));
}

#[test]
fn a_raised_signal_stops_the_builder() {
    let piece_set = PieceSet::default();
    let material = Material::read("KQR.KR", &piece_set).unwrap();
    let mut table = Tablebase::empty(&material, &Rules::default(), &piece_set).unwrap();
    with_control(|control| {
        control.cancel.raise();
        assert!(table.build(control).is_err());
    });
    assert!(table.statistics().is_none());
}

#[test]
fn too_little_memory_is_reported_before_the_work() {
    let piece_set = PieceSet::default();
    let material = Material::read("KQR.KR", &piece_set).unwrap();
    let (rules, seeds) = (Rules::default(), Vec::new());
    let request = super::BuildRequest { material, piece_set, rules, seeds };
    let params = super::BuildOptions { memory_bytes: 50 << 20, ..super::BuildOptions::default() };
    let answer = with_control(|control| super::solve(&request, &params, control));
    assert!(matches!(answer, super::BuildOutcome::OutOfMemory(_)));
}

/// Rows of EGTgen 1.2's own `rep2.txt` for `-0 KR.K` and `KB.K`.
#[test]
fn rep2_has_egtgens_numbers() {
    let text = |name, null_move| {
        let rules = Rules::egtgen(Metric::Level, null_move, false);
        build_with(name, &rules, &PieceSet::default()).rep2().unwrap()
    };
    assert_eq!(
        text("KR.K", true),
        "\nKR_K nullmove\n\nWON.wtm      19349\nK capture    18704\nother          645\n\
         \x20 0.         60263\n 10.            54\n 11.            70\nWON.btm        124\n\
         stalemate       17\nW check       2092\nLEGAL        60404\nTOTAL        62496\n"
    );
    assert!(text("KB.K", false).contains("\nW check       1894\nLEGAL        60602\n"));
}

#[test]
fn comparing_a_table_with_its_mirror_finds_every_difference() {
    let one = build("KQ.K", Metric::Dtm).statistics().unwrap();
    assert_eq!(survey::compare(&one, &one), [""; 0]);
    let other = build("KR.K", Metric::Dtm).statistics().unwrap();
    let lines = survey::compare(&one, &other);
    assert!(lines.iter().any(|l| l == "longest wtm win: 19 in KQ.K, 31 in KR.K"), "{lines:?}");
    assert!(survey::row(&one).starts_with("KQ.K "));
}

#[test]
fn the_report_is_one_page_with_the_longest_win() {
    let page = build("KQ.K", Metric::Dtm).report_html().unwrap().unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("19 plies (10 moves)") && page.contains("<svg"));
    assert!(!page.contains("http"), "the page needs nothing from elsewhere");
}

#[test]
fn the_listing_is_egtgens() {
    let table = build("KQ.K", Metric::Level);
    let there = board(&table, "k7/8/1K6/8/8/8/7Q/8 w - - 0 1");
    let listing = table.listing(&there).unwrap();
    let find = |name: &str| listing.moves.iter().find(|m| m.name == name).map(|m| m.verdict);
    assert_eq!(find("h2h8"), Some(super::egtgen::Listed::Lost(0)));
    assert_eq!(find("h2b8"), Some(super::egtgen::Listed::Draw));
    assert_eq!(find("b6a7"), Some(super::egtgen::Listed::EnPrise));
    let best = listing.best.clone().unwrap();
    assert_eq!(best.verdict, super::egtgen::Listed::Lost(0));
    assert!(listing.to_string().contains(":\tdraw\t"));
    assert_eq!(there.royal(Color::White), Square::B6);
}

/// Positions where the right matters: castling is the only move that mates, saves or wins the rook.
#[test]
fn castling_rights_change_values_and_follow_the_rules() {
    let table = build("KR.K", Metric::Dtm);
    let value = |fen: &str| table.value(&board(&table, fen)).unwrap();
    // Every value follows from the moves, and a right never harms its owner.
    for fen in [
        "8/8/8/8/8/8/8/R3K1k1 w Q - 0 1",
        "8/8/8/8/8/6k1/8/4K2R w K - 0 1",
        "8/8/8/8/8/4k3/8/R3K3 w Q - 0 1",
        "5k2/8/8/8/8/8/8/4K2R b K - 0 1",
    ] {
        let there = board(&table, fen);
        let moves = table.moves(&there).unwrap();
        assert_eq!(table.value(&there).unwrap(), moves[0].value, "{fen}");
        let without = value(&fen.replace(" Q ", " - ").replace(" K ", " - "));
        let (with, without) = (table.value(&there).unwrap(), without);
        assert!(if there.turn.is_white() { with >= without } else { with <= without }, "{fen}");
    }
    // Every position of the extra table agrees with its own moves: its value is the best of them.
    let mut checked = 0;
    for black in Square::all() {
        for turn in ["w", "b"] {
            let mut setup: Setup = "8/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
            if setup.piece(black).is_some() {
                continue;
            }
            setup.put(black, Color::Black, 'K');
            setup.turn = if turn == "w" { Color::White } else { Color::Black };
            let Ok(there) = table.board(&setup) else { continue };
            let moves = table.moves(&there).unwrap();
            let best = moves.first().map_or(TableValue::Loss(0), |m| m.value);
            if !moves.is_empty() || there.in_check() {
                assert_eq!(table.value(&there).unwrap(), best, "{}", there.to_fen());
                checked += 1;
            }
        }
    }
    assert!(checked > 80, "{checked}");
    let castles = board(&table, "8/8/8/8/8/k7/8/R3K3 b Q - 0 1");
    assert_eq!(castles.rights.field(), "Q");
    let free = board(&table, "8/8/8/8/k7/8/8/4K2R w K - 0 1").moves();
    let castling = free.iter().find(|m| m.to_string() == "e1g1").unwrap();
    let after = board(&table, "8/8/8/8/k7/8/8/4K2R w K - 0 1").after(castling);
    assert_eq!(after.to_fen(), "8/8/8/8/k7/8/8/5RK1 b - - 0 1");
}

/// Syzygy's distances, some after a pawn move and with en passant (a mate is 0 here).
#[test]
fn distances_to_zeroing_are_those_of_syzygy() {
    let table = build("KP.KP", Metric::Dtz);
    for (fen, value) in [
        ("8/8/8/1k6/3Pp3/8/8/7K b - d3 0 1", TableValue::Win(1)),
        ("8/8/8/1k6/3Pp3/8/8/7K b - - 0 1", TableValue::Win(3)),
        ("8/6k1/1P6/8/6p1/8/K7/8 w - - 0 1", TableValue::Win(1)),
        ("8/8/8/8/P1K3k1/8/7p/8 w - - 0 1", TableValue::Loss(2)),
        ("8/8/8/5Pp1/8/3k4/8/1K6 w - g6 0 1", TableValue::Win(1)),
    ] {
        assert_eq!(table.value(&board(&table, fen)).unwrap(), value, "{fen}");
    }
}

/// Bishop and knight need up to 65 moves against a side that may pass, which exceeds the limit.
#[test]
fn wins_beyond_the_fifty_move_limit_are_counted_apart() {
    let rules = Rules { null_move: true, ..Rules::orthodox(Metric::Dtz) };
    let mut table = build_with("KBN.K", &rules, &PieceSet::default());
    let longest = table.hardest(Color::White, true, 1).remove(0);
    let value = table.value(&longest).unwrap();
    assert_eq!(value, TableValue::Win(129));
    assert_eq!((value.wdl50(0), value.wdl()), (1, 1));
    assert_eq!([TableValue::Win(100).wdl50(0), TableValue::Win(100).wdl50(1)], [2, 1]);
    assert_eq!([TableValue::Loss(100).wdl50(0), TableValue::Loss(101).wdl50(0)], [-2, -1]);
    assert_eq!(TableValue::Loss(0).wdl50(100), -2);
    let [zeroing, cursed] = [100, 101].map(|plies| Metric::Dtz.through(plies));
    assert_eq!([zeroing, cursed], [1, 101]);
}

//! Templates against hand-made destinations, against counts of the literature, and among
//! themselves.

use super::Templates;
use crate::fairy::{PieceSet, Template};
use umbrail_chess::SplitMix64;
use umbrail_chess::geometry::{Color, Square};

fn templates(betza: &str) -> Templates {
    let set = PieceSet::with_definitions(&format!("X = {betza}"))
        .unwrap_or_else(|e| panic!("{betza}: {e:?}"));
    set.get('X').unwrap().move_templates(Color::White)
}

fn squares(names: &str) -> u64 {
    names.split_whitespace().fold(0, |set, name| set | 1 << name.parse::<Square>().unwrap().index())
}

/// Returns the possible moves from a square in words: target, and captured squares other than the
/// target.
fn moves(betza: &str, from: &str, own: &str, enemy: &str) -> String {
    let all = templates(betza);
    let possible = all.possible(from.parse().unwrap(), squares(own), squares(enemy));
    let name = |t: &Template| {
        let on_the_way = t.take & !(1 << t.to);
        let taken = Square::all().filter(|s| on_the_way >> s.index() & 1 != 0);
        taken.fold(Square::new(t.to).to_string(), |text, s| format!("{text}x{s}"))
    };
    let mut names: Vec<String> = possible.map(name).collect();
    names.sort_unstable();
    names.dedup();
    names.join(" ")
}

#[test]
fn lame_leaps_are_blocked_half_way() {
    assert_eq!(moves("nN", "d4", "d5 e4", ""), "b3 b5 c2 e2");
    assert_eq!(moves("nA", "d4", "e5", "c3"), "b6 f2");
    assert_eq!(moves("nD", "d4", "", "d5"), "b4 d2 f4");
    assert_eq!(moves("nZ", "d4", "e5", ""), "a2 a6 b1 b7 f1 g2");
    assert_eq!(moves("jD", "d4", "d5", "d6 b4"), "d6");
    // The mao as a bent move: a step, then a diagonal one outwards.
    for (own, enemy) in [("", ""), ("d5", "e4"), ("c4 e6", "b3")] {
        assert_eq!(moves("afsW", "d4", own, enemy), moves("nN", "d4", own, enemy));
    }
    // The moa steps diagonally first, the moo either way.
    assert_eq!(moves("afsF", "d4", "c5 e5 c3", ""), "e2 f3");
    assert_eq!(moves("afsK", "a1", "b2", ""), "b3 c2");
    assert_eq!(moves("afsK", "a1", "b1 b2", ""), "b3");
}

#[test]
fn hoppers_pass_one_piece() {
    assert_eq!(moves("gQ", "a1", "", ""), "");
    assert_eq!(moves("gQ", "a1", "a3 d4", "b1 c1"), "a4 c1 e5");
    assert_eq!(moves("gR", "a1", "a7", "a8"), "a8");
    // Cannon of Chinese chess, and that of Korean chess without its exceptions.
    assert_eq!(moves("mRcpR", "a1", "a4", "a6 a8 d1"), "a2 a3 a6 b1 c1");
    assert_eq!(moves("pR", "a1", "a4", "a6 a8 d1"), "a5 a6 e1 f1 g1 h1");
    assert_eq!(moves("pR3", "a1", "", "b1"), "c1 d1");
    // A hop from piece to piece: over one, then to the next square but one.
    assert_eq!(moves("fpafmW", "a1", "", "a2"), "a3");
    assert_eq!(moves("ftafmW", "a1", "", "a2"), "");
    assert_eq!(moves("ftafmW", "a1", "a2", ""), "a3");
    assert_eq!(moves("fmpafmW", "a1", "", ""), "a3");
}

#[test]
fn bent_riders_turn_after_a_step() {
    assert_eq!(moves("FyafsF", "a1", "", ""), "b2 b3 b4 b5 b6 b7 b8 c2 d2 e2 f2 g2 h2");
    assert_eq!(moves("FyafsF", "a1", "c2", ""), "b2 b3 b4 b5 b6 b7 b8");
    assert_eq!(moves("yafsF", "a1", "", "b2"), "");
    assert_eq!(moves("WyafsW", "a1", "", "b3"), "a2 b1 b3 c2 d3 e4 f5 g6 h7");
    assert_eq!(moves("jR", "a1", "", "a2 a5"), "a3 a4 a5 c1 d1 e1 f1 g1 h1");
    assert_eq!(moves("jjR3", "a1", "", "a2"), "a4 d1");
}

#[test]
fn crooked_circular_and_cylindrical_rides() {
    let crooked = "a3 a5 a7 b2 b4 b6 b8 c1 d2 e1 f2 g1 h2";
    assert_eq!(moves("zB", "a1", "", ""), crooked);
    assert_eq!(moves("zB", "a1", "a3", "b2"), "b2");
    assert_eq!(moves("fzR", "a1", "a2", ""), "");
    // Clockwise by b3, d4, f3 and g1, or by c2 and e1; or the other way.
    assert_eq!(moves("qN0", "a1", "", ""), "a5 a7 b3 c2 c6 d4 e1 f3 g1");
    assert_eq!(moves("soW", "a1", "", ""), "b1 h1");
    assert_eq!(moves("smoR", "a1", "", "e1"), "b1 c1 d1 f1 g1 h1");
    assert_eq!(moves("roR", "a1", "", ""), "b1 c1 d1 e1 f1 g1 h1");
}

#[test]
fn locusts_capture_on_the_way() {
    // Checkers, a locust, and the lion of Chu Shogi.
    assert_eq!(moves("fmFfcafmF", "c3", "", "d4"), "b4 e5xd4");
    assert_eq!(moves("fmFfcafmF", "c3", "e5", "d4"), "b4");
    let lion = moves("KNADcaKmcabK", "a1", "b1", "a2");
    let wanted = "a1 a1xa2 a2 a3 a3xa2 b2 b2xa2 b3 b3xa2 c1 c2 c3";
    assert_eq!(lion, wanted);
    assert_eq!(moves("cafcF", "a1", "", "b2 c3"), "c3xb2");
    assert_eq!(moves("mcabK", "a1", "a2 b1", "b2"), "a1xb2");
}

/// Counts of quiet and capturing moves per square of an 8x8 board, from a prototype of this method.
#[test]
fn averages_agree_with_the_prototype() {
    for (betza, quiet, captures) in [
        ("N", 5.25, 5.25),
        ("nN", 5.25, 5.25),
        ("R", 14.0, 14.0),
        ("Q", 22.75, 22.75),
        ("mRcpR", 14.0, 10.5),
        ("pR", 10.5, 10.5),
        ("gQ", 16.1875, 16.1875),
        ("nA", 2.25, 2.25),
        ("afsK", 10.5, 10.5),
        ("N0", 9.5, 9.5),
        ("C0", 5.875, 5.875),
        // The prototype has 21 and 35: it keeps the way round the board to the next square, which
        // never helps.
        ("oR", 19.0, 19.0),
        ("oQ", 33.0, 33.0),
        ("FyafsF", 21.4375, 21.4375),
        ("WyafsW", 17.5, 17.5),
    ] {
        let all = templates(betza);
        let average = |count: usize| count as f64 / 64.0;
        let counts = (average(all.quiet.all().len()), average(all.captures.all().len()));
        assert_eq!(counts, (quiet, captures), "{betza}");
    }
}

/// The mask over the squares of a further piece is what placing it there shows.
#[test]
fn a_mask_is_the_sum_of_single_placements() {
    let mut numbers = SplitMix64::new(5);
    let (mut checked, mut hurdles) = (0, 0);
    for betza in ["gQ", "pR", "mRcpR", "afsK", "jD", "FtafmW", "KNADcaKmcabK", "oQ", "cpafcQ"] {
        let all = templates(betza);
        for t in all.quiet.all().iter().chain(all.captures.all()) {
            for _ in 0..3 {
                let mut some = || numbers.draw() & numbers.draw() & numbers.draw();
                let near = some() & (t.empty | t.all | t.one);
                let pieces = (near | some() & some()) & !(1 << t.from);
                let own = pieces & numbers.draw();
                let enemy = pieces & !own;
                for is_own in [false, true] {
                    let mask = t.mask(own, enemy, is_own) & !pieces;
                    for square in (0..64).filter(|s| (pieces | 1 << t.from) >> s & 1 == 0) {
                        let bit = 1u64 << square;
                        let (with, against) =
                            if is_own { (own | bit, enemy) } else { (own, enemy | bit) };
                        let open = t.path_is_open(with, against);
                        assert_eq!(mask & bit != 0, open, "{t} {own:x} {enemy:x} {square}");
                        checked += 1;
                    }
                    hurdles += usize::from(mask.count_ones() < 3 && mask != 0);
                }
            }
        }
    }
    assert!(checked > 1_000_000 && hurdles > 500, "{checked} {hurdles}");
}

#[test]
fn symmetries_and_colors_follow_from_the_templates() {
    for (betza, order, bound) in [
        ("gQ", 8, false),
        ("nN", 8, false),
        ("nA", 8, true),
        ("oR", 4, false),
        ("zB", 8, true),
        ("qN0", 8, false),
        ("fgR", 2, false),
        ("frafrW", 1, false),
        ("pB", 8, true),
    ] {
        let all = templates(betza);
        assert_eq!((all.symmetry.order(), all.color_bound), (order, bound), "{betza}");
    }
}

#[test]
fn templates_are_described_in_words() {
    let first = |betza: &str, from: u8, number: usize| {
        templates(betza).captures.at(from)[number].to_string()
    };
    assert_eq!(first("fN", 0, 0), "a1 takes b3");
    assert_eq!(first("nN", 0, 0), "a1 takes c2: b1 empty");
    assert_eq!(first("rpR3", 0, 1), "a1 takes d1: exactly one piece on b1 c1");
    assert_eq!(first("fcafmF", 0, 0), "a1 to c3: captures b2");
    assert_eq!(first("fcabF", 0, 0), "a1 stays: captures b2");
}
